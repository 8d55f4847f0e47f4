//! What the readers of JSON share: documents and records that may be malformed.

use super::units::Scale;
use crate::context::Context;
use crate::limits::Exceeded;
use crate::problem::Code;
use crate::sheet::{Measurement, Sheet};
use crate::source::Content;
use crate::text::excerpt;
use crate::text::{lossless, number};
use memchr::memmem;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::io;

/// A value as text, without the quotes of a string.
pub(super) fn plain(value: &Value<'_>) -> String {
    value.text().map_or_else(|| value.to_string(), str::to_owned)
}

/// Adds the number of a JSON value, divided by `divisor`; records a problem if the value is not a number.
/// Dividing by a power of ten rounds once; multiplying by its inverse would round twice.
pub(super) fn push_value(sheet: &mut Sheet, row: Measurement<'_>, value: &Value<'_>, divisor: f64) {
    push_scaled(sheet, row, value, Scale::Over(divisor));
}

/// The same with a scale.
pub(super) fn push_scaled(sheet: &mut Sheet, row: Measurement<'_>, value: &Value<'_>, scale: Scale) {
    if let Some(parsed) = number_of(sheet, value, row.line) {
        return sheet.push(Measurement { value: scale.apply(parsed), ..row });
    }
    not_a_number(sheet, row, value);
}

/// Records a value that is not a number.
pub(super) fn not_a_number(sheet: &mut Sheet, row: Measurement<'_>, value: &Value<'_>) {
    let metric = sheet.metrics[row.metric as usize].name.clone();
    sheet.no_number(row.line, metric, row.benchmark, plain(value));
}

/// The number of a JSON value; `None` if it is not one.
pub(super) fn number_of(sheet: &mut Sheet, value: &Value<'_>, line: u32) -> Option<f64> {
    match value {
        Value::Whole(whole) => Some(sheet.whole(i128::from(*whole), line)),
        Value::Float(float) => Some(*float),
        Value::Digits(text) => sheet.number(text.as_bytes(), line),
        // A string is not a number, but some exporters write `"NaN"` for a value that is not a number.
        Value::Text(text) => sheet.number(text.trim().as_bytes(), line),
        _ => None,
    }
}

/// The fields of an object that are stated and simple, under the names of configuration keys.
pub(super) fn stated(object: &Value<'_>, fields: &[(&str, &str)]) -> Context {
    let value = |field: &str| object.get(field).filter(|value| value.is_simple()).map(plain);
    let known = fields.iter().filter_map(|(field, key)| Some(((*key).to_owned(), value(field)?)));
    known.filter(|(_, value)| !value.is_empty()).collect()
}

/// The entries of a document's object, each of which is read on request: a document can be much larger than what
/// is kept of it.
#[derive(Debug, Default)]
pub(crate) struct Document<'a> {
    entries: Vec<(Cow<'a, str>, Span<'a>)>,
}

impl<'a> Document<'a> {
    /// Finds the entries of a file's object. `None`, with a problem, if it is not complete or not an object.
    pub(super) fn of(bytes: &'a [u8], content: &Content, sheet: &mut Sheet) -> io::Result<Option<Self>> {
        Span::new(bytes, 1, content.budget.limits.values).document(sheet)
    }

    /// Finds the entries of each object of a file to which a harness appends them. Those before a fault are complete.
    pub(super) fn all(bytes: &'a [u8], content: &Content, sheet: &mut Sheet) -> io::Result<Vec<Self>> {
        let spans = Span::all(bytes, content, sheet)?;
        spans.into_iter().filter_map(|span| span.document(sheet).transpose()).collect()
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<Span<'a>> {
        self.entries.iter().find(|(known, _)| known == key).map(|&(_, span)| span)
    }

    /// The keys with their values, in the order of the file.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, Span<'a>)> {
        self.entries.iter().map(|(key, span)| (&**key, *span))
    }

    /// Reads the value of a key; `Null` if there is none.
    pub(super) fn value(&self, key: &str, sheet: &mut Sheet) -> io::Result<Value<'a>> {
        self.get(key).map_or(Ok(Value::Null), |span| span.value(sheet))
    }

    /// Reads the values of these keys as an object, without the rest of a large document.
    pub(super) fn only(&self, keys: &[&str], sheet: &mut Sheet) -> io::Result<Value<'a>> {
        let wanted = self.entries.iter().filter(|(key, _)| keys.contains(&&**key));
        let entries: io::Result<Vec<Entry<'a>>> = wanted
            .map(|(key, span)| Ok(Entry { key: key.clone(), line: span.line, value: span.value(sheet)? }))
            .collect();
        Ok(Value::Object(Box::new(Object::new(1, entries?, |_| ()))))
    }

    /// Goes through the elements of a list; records a problem if there is no such list.
    pub(super) fn each(
        &self,
        key: &'static str,
        sheet: &mut Sheet,
        each: impl FnMut(&mut Sheet, &Value<'a>, u32),
    ) -> io::Result<()> {
        if let Some(list) = self.get(key).filter(|value| value.is_list()) {
            return list.each(sheet, each);
        }
        sheet.lacks(0, "the file", &format!("list `{key}`"));
        Ok(())
    }
}

impl<'a> Span<'a> {
    /// Finds the documents of a file, one after another. Those before a fault are complete.
    pub(super) fn all(bytes: &'a [u8], content: &Content, sheet: &mut Sheet) -> io::Result<Vec<Self>> {
        let whole = Self::new(bytes, 1, content.budget.limits.values);
        let mut spans = Vec::new();
        let found = whole.parser(sheet).pass_all(&mut spans);
        whole.settle(found, sheet)?;
        Ok(spans)
    }

    /// Finds the entries of an object; `None`, with a problem, if it is not one.
    pub(super) fn document(self, sheet: &mut Sheet) -> io::Result<Option<Document<'a>>> {
        let mut entries = Vec::new();
        let entry = |parser: &mut Parser<'a, '_>, key, _| parser.pass().map(|span| entries.push((key, span)));
        let found = self.whole(sheet, |parser| parser.entries(entry))?;
        Ok(found.map(|()| Document { entries }))
    }

    /// The same where keys may be repeated.
    pub(super) fn repeated(self, sheet: &mut Sheet) -> io::Result<Vec<(Cow<'a, str>, Self)>> {
        let mut entries = Vec::new();
        let entry = |parser: &mut Parser<'a, '_>, key, _| parser.pass().map(|span| entries.push((key, span)));
        let found = self.whole(sheet, |parser| parser.pairs(entry))?;
        Ok(found.map_or(Vec::new(), |()| entries))
    }

    /// Reads the value; `Null`, with a problem, if it is broken.
    pub(super) fn value(self, sheet: &mut Sheet) -> io::Result<Value<'a>> {
        let value = self.parser(sheet).only();
        Ok(self.settle(value, sheet)?.unwrap_or(Value::Null))
    }

    /// Goes through the elements of a list, with their lines; records a problem if it is not one.
    pub(super) fn each(
        self,
        sheet: &mut Sheet,
        mut each: impl FnMut(&mut Sheet, &Value<'a>, u32),
    ) -> io::Result<()> {
        self.whole(sheet, |parser| parser.each_element(&mut each)).map(|_| ())
    }

    /// The same where scripts append lists to one file.
    pub(super) fn each_of_all(
        self,
        sheet: &mut Sheet,
        mut each: impl FnMut(&mut Sheet, &Value<'a>, u32),
    ) -> io::Result<()> {
        let lists = |parser: &mut Parser<'a, '_>| {
            parser.each_element(&mut each)?;
            while parser.is_at_list() {
                parser.each_element(&mut each)?;
            }
            Ok(())
        };
        self.whole(sheet, lists).map(|_| ())
    }

    /// Goes through the values of a file, which stand one after another. Those before a fault are complete.
    pub(super) fn each_value(
        self,
        sheet: &mut Sheet,
        mut each: impl FnMut(&mut Sheet, &Value<'a>, u32),
    ) -> io::Result<()> {
        let mut parser = self.parser(sheet);
        let found = loop {
            match parser.next() {
                Some((line, Ok(value))) => each(parser.sheet(), &value, line),
                Some((_, Err(fault))) => break Err(fault),
                None => break Ok(()),
            }
        };
        self.settle(found, sheet).map(|_| ())
    }

    /// Goes through the elements of a list without reading them.
    pub(super) fn spans(self, sheet: &mut Sheet) -> io::Result<Vec<Self>> {
        let mut spans = Vec::new();
        self.whole(sheet, |parser| parser.elements(|parser| parser.pass().map(|span| spans.push(span))))?;
        Ok(spans)
    }

    /// Parses what has to be all of it; `None`, with a problem, at a fault.
    fn whole(
        self,
        sheet: &mut Sheet,
        parse: impl FnOnce(&mut Parser<'a, '_>) -> Result<(), Fault>,
    ) -> io::Result<Option<()>> {
        let mut parser = self.parser(sheet);
        let found = parse(&mut parser).and_then(|()| parser.ends());
        self.settle(found, sheet)
    }

    fn settle<T>(self, found: Result<T, Fault>, sheet: &mut Sheet) -> io::Result<Option<T>> {
        match found {
            Ok(value) => return Ok(Some(value)),
            Err(fault) if fault.too_many => return Err(too_many(self.most())),
            Err(fault) => broken(sheet, &fault),
        }
        Ok(None)
    }
}

/// Fails if a document has too many parts.
pub(super) fn stop_at_limit(fault: &Fault, content: &Content) -> io::Result<()> {
    if fault.too_many { Err(too_many(content.budget.limits.values)) } else { Ok(()) }
}

fn too_many(limit: u64) -> io::Error {
    let what = "the document has too many parts";
    Exceeded { what, setting: "values", limit, together: false }.into()
}

/// Records a document that does not parse: as cut if the text ends early, as broken otherwise.
pub(super) fn broken(sheet: &mut Sheet, fault: &Fault) {
    say_broken(sheet, fault, Code::BrokenFile);
}

/// The same for a document of one line, after which the next line is read.
pub(super) fn broken_line(sheet: &mut Sheet, fault: &Fault) {
    say_broken(sheet, fault, Code::MalformedRecord);
}

fn say_broken(sheet: &mut Sheet, fault: &Fault, otherwise: Code) {
    let (code, hint) = if fault.ends {
        (Code::Truncated, "the file was cut. Copy it again or repeat the run")
    } else {
        (otherwise, "one JSON document was expected here; was the file edited? Keep a file for each run")
    };
    sheet.problem(code, fault.line, format!("not a complete JSON document: {}", fault.what), hint);
}

/// A record on one line; `None` if it is JSON but not an object.
pub(super) fn record<'a>(
    line: &'a [u8],
    number: u32,
    sheet: &mut Sheet,
) -> Result<Option<Box<Object<'a>>>, Fault> {
    let value = Parser::new(line, number, u64::MAX, sheet).only()?;
    Ok(if let Value::Object(object) = value { Some(object) } else { None })
}

/// Whether the text contains this key: the quoted word followed by a colon.
pub(super) fn has_key(head: &[u8], key: &str) -> bool {
    let quoted = format!("\"{key}\"");
    memmem::find_iter(head, quoted.as_bytes())
        .any(|at| head[at + quoted.len()..].trim_ascii_start().starts_with(b":"))
}

// JSON values, used by every reader of JSON. Numbers keep all their digits until they are used as a value,
// and every key knows its line.

/// A JSON value, whose texts are those of the file. It is kept small: a million values must not take a multiple of
/// their file's size.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Whole(i64),
    Float(f64),
    /// An integer with too many digits for any integer type.
    Digits(&'a str),
    Text(Cow<'a, str>),
    List(Box<[Value<'a>]>),
    Object(Box<Object<'a>>),
}

/// The keys of an object, each once.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Object<'a> {
    /// The line of the opening bracket.
    pub(super) line: u32,
    /// In the order of the file; sorted by key if there are more than [`FEW`].
    entries: Box<[Entry<'a>]>,
}

/// So many keys are found faster one after another than by halving, and need no order.
pub(super) const FEW: usize = 24;

/// A key with its line and its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry<'a> {
    pub(super) key: Cow<'a, str>,
    pub(super) line: u32,
    pub(super) value: Value<'a>,
}

impl<'a> Object<'a> {
    /// An object that begins on this line. `twice` is told of each further entry of a key, which is left out. The first
    /// [`FEW`] entries have different keys.
    pub(super) fn new(line: u32, mut entries: Vec<Entry<'a>>, mut twice: impl FnMut(&Entry<'a>)) -> Self {
        if entries.len() > FEW {
            entries.sort_by(|a, b| a.key.cmp(&b.key));
            entries.dedup_by(|later, first| {
                let same = later.key == first.key;
                if same {
                    twice(later);
                }
                same
            });
        }
        Self { line, entries: entries.into() }
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The text of a key, if it has one.
    pub(super) fn text_of(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// The list of a key, if it has one.
    pub(super) fn list_of(&self, key: &str) -> Option<&[Value<'a>]> {
        self.get(key)?.list()
    }

    /// The object of a key, if it has one.
    pub(super) fn object_of(&self, key: &str) -> Option<&Self> {
        self.get(key)?.object()
    }

    /// The elements of the list of a key; none if there is no such list.
    pub(super) fn elements(&self, key: &str) -> &[Value<'a>] {
        self.list_of(key).unwrap_or_default()
    }

    /// Whether the object has a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entry(key).is_some()
    }

    /// The line of a key, or of the object if the key is missing.
    pub(super) fn line_of(&self, key: &str) -> u32 {
        self.entry(key).map_or(self.line, |entry| entry.line)
    }

    /// Iterates over keys and values in the order of the keys.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Value<'a>)> {
        let few = self.entries.len() <= FEW;
        let mut order: [u8; FEW] = std::array::from_fn(|at| at as u8);
        if few {
            let key = |at: u8| &*self.entries[usize::from(at)].key;
            order[..self.entries.len()].sort_unstable_by(|&a, &b| key(a).cmp(key(b)));
        }
        (0..self.entries.len()).map(move |nth| {
            let entry = &self.entries[if few { usize::from(order[nth]) } else { nth }];
            (&*entry.key, &entry.value)
        })
    }

    /// Iterates over keys and values in any order, which is faster.
    pub(super) fn unordered(&self) -> impl Iterator<Item = (&str, &Value<'a>)> {
        self.entries.iter().map(|entry| (&*entry.key, &entry.value))
    }

    fn entry(&self, key: &str) -> Option<&Entry<'a>> {
        if self.entries.len() <= FEW {
            return self.entries.iter().find(|entry| *entry.key == *key);
        }
        let at = self.entries.binary_search_by(|entry| (*entry.key).cmp(key)).ok()?;
        Some(&self.entries[at])
    }
}

impl<'a> Value<'a> {
    pub(super) fn of_word(word: &'a str) -> Self {
        match word {
            "null" => Self::Null,
            "true" => Self::Bool(true),
            "false" => Self::Bool(false),
            other => Self::Text(other.into()),
        }
    }

    /// The value of a key, if this is an object.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.object()?.get(key)
    }

    /// The elements of the list of a key; none if there is no such list.
    pub(super) fn elements(&self, key: &str) -> &[Self] {
        self.list_of(key).unwrap_or_default()
    }

    /// The text of a key, if it has one.
    pub(super) fn text_of(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// The list of a key, if it has one.
    pub(super) fn list_of(&self, key: &str) -> Option<&[Self]> {
        self.get(key)?.list()
    }

    /// The object of a key, if it has one.
    pub(super) fn object_of(&self, key: &str) -> Option<&Object<'a>> {
        self.get(key)?.object()
    }

    /// The entries of the object of a key, in the order of their keys; none if there is no such object.
    pub(super) fn entries(&self, key: &str) -> impl Iterator<Item = (&str, &Self)> {
        self.get(key).into_iter().flat_map(Self::iter)
    }

    /// Its entries, in the order of their keys; none if it is no object.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Self)> {
        self.object().into_iter().flat_map(Object::iter)
    }

    pub(super) fn object(&self) -> Option<&Object<'a>> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    pub(super) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn list(&self) -> Option<&[Self]> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    /// Whether it is a text, a number or a truth value.
    pub(super) fn is_simple(&self) -> bool {
        !matches!(self, Self::Null | Self::List(_) | Self::Object(_))
    }

    /// Whether it is the number 0.
    pub(super) fn is_zero(&self) -> bool {
        matches!(self, Self::Whole(0)) || matches!(self, Self::Float(float) if *float == 0.0)
    }
}

impl fmt::Display for Value<'_> {
    /// Writes the value without blanks and with sorted keys, so that equal content gives equal text.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("null"),
            Self::Bool(truth) => write!(formatter, "{truth}"),
            Self::Whole(whole) => write!(formatter, "{whole}"),
            Self::Float(float) => write!(formatter, "{float:?}"),
            Self::Digits(digits) => formatter.write_str(digits),
            Self::Text(text) => quote(formatter, text),
            Self::List(list) => {
                formatter.write_char('[')?;
                for (nth, value) in list.iter().enumerate() {
                    write!(formatter, "{}{value}", if nth == 0 { "" } else { "," })?;
                }
                formatter.write_char(']')
            }
            Self::Object(object) => {
                formatter.write_char('{')?;
                for (nth, (key, value)) in object.iter().enumerate() {
                    formatter.write_str(if nth == 0 { "" } else { "," })?;
                    quote(formatter, key)?;
                    write!(formatter, ":{value}")?;
                }
                formatter.write_char('}')
            }
        }
    }
}

fn quote(formatter: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    formatter.write_str(&serde_json::to_string(text).map_err(|_| fmt::Error)?)
}

// A parser of JSON as harnesses write it. The bytes may be invalid UTF-8. `NaN` and `Infinity`, which are not
// JSON but are written by Yojson and by Python, become texts. A duplicate key is a problem with its line.

/// Why bytes are not JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) line: u32,
    pub(super) what: &'static str,
    /// The bytes end before the value does.
    pub(super) ends: bool,
    /// There are more parts than a document may have.
    too_many: bool,
}

/// Values nested deeper than this are refused: each level uses stack space.
pub(super) const DEEPEST: usize = 128;
const TOO_DEEP: &str = "it is nested too deep";

/// Reads consecutive values.
pub(super) struct Parser<'a, 's> {
    pub(super) bytes: &'a [u8],
    /// The bytes as text, if they are text: then their parts are text too, and nobody looks again.
    pub(super) text: Option<&'a str>,
    pub(super) at: usize,
    pub(super) line: u32,
    pub(super) depth: usize,
    /// How many more parts are allowed.
    pub(super) parts: u64,
    /// Receives the problems.
    sheet: &'s mut Sheet,
    /// The entries and elements of the values that are open, so that each value takes memory once.
    entries: Vec<Entry<'a>>,
    elements: Vec<Value<'a>>,
}

impl<'a, 's> Parser<'a, 's> {
    /// Creates a parser for bytes that begin on this line and may have this many parts.
    pub(super) fn new(bytes: &'a [u8], line: u32, parts: u64, sheet: &'s mut Sheet) -> Self {
        Span::new(bytes, line, parts).parser(sheet)
    }

    /// Creates a parser for the bytes of a value.
    pub(super) fn of(span: Span<'a>, sheet: &'s mut Sheet) -> Self {
        let Span { bytes, text, line, parts } = span;
        Self { bytes, text, at: 0, line, depth: 0, parts, sheet, entries: Vec::new(), elements: Vec::new() }
    }

    /// Reads the only value of the bytes.
    pub(super) fn only(mut self) -> Result<Value<'a>, Fault> {
        let value = self.value()?;
        self.ends().map(|()| value)
    }

    /// Checks that nothing follows.
    pub(super) fn ends(&mut self) -> Result<(), Fault> {
        self.blanks();
        if self.at < self.bytes.len() { Err(self.fault("there is more text after the end")) } else { Ok(()) }
    }

    /// Reads the next of several values, with the line on which it begins; `None` after the last one.
    pub(super) fn next(&mut self) -> Option<(u32, Result<Value<'a>, Fault>)> {
        self.blanks();
        (self.at < self.bytes.len()).then(|| (self.line, self.value()))
    }

    /// Reads a value, with the line on which it begins.
    pub(super) fn value_with_line(&mut self) -> Result<(u32, Value<'a>), Fault> {
        self.blanks();
        Ok((self.line, self.value()?))
    }

    /// The receiver of problems, for use between two values.
    pub(super) fn sheet(&mut self) -> &mut Sheet {
        self.sheet
    }

    pub(super) fn fault(&self, what: &'static str) -> Fault {
        Fault { line: self.line, what, ends: false, too_many: false }
    }

    pub(super) fn end(&self) -> Fault {
        Fault { ends: true, ..self.fault("it ends too early") }
    }

    pub(super) fn blanks(&mut self) {
        while let Some(byte @ (b' ' | b'\n' | b'\t' | b'\r')) = self.bytes.get(self.at) {
            self.at += 1;
            if *byte == b'\n' {
                self.line = self.line.saturating_add(1);
                while self.bytes[self.at..].starts_with(b"    ") {
                    self.at += 4;
                }
            }
        }
    }

    pub(super) fn value(&mut self) -> Result<Value<'a>, Fault> {
        self.parts = self
            .parts
            .checked_sub(1)
            .ok_or(Fault { too_many: true, ..self.fault("it has too many parts") })?;
        self.blanks();
        match self.bytes.get(self.at).ok_or_else(|| self.end())? {
            b'"' => Ok(Value::Text(self.string()?)),
            b'{' => self.nested(Self::object),
            b'[' => self.nested(Self::list),
            b'-' if self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_alphabetic) => self.word(),
            b'-' | b'0'..=b'9' => self.number(),
            _ => self.word(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value<'a>, Fault>) -> Result<Value<'a>, Fault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.fault(TOO_DEEP));
        }
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    /// Goes through the entries of an object. `each` consumes the value of its key; of duplicate keys it gets the
    /// first.
    pub(super) fn entries(
        &mut self,
        mut each: impl FnMut(&mut Self, Cow<'a, str>, u32) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut known: HashSet<Cow<'a, str>> = HashSet::new();
        self.pairs(|parser, key, line| {
            if known.insert(key.clone()) {
                return each(parser, key, line);
            }
            parser.twice(&key, line);
            parser.pass().map(|_| ())
        })
    }

    /// The same where keys may be repeated.
    pub(super) fn pairs(
        &mut self,
        mut each: impl FnMut(&mut Self, Cow<'a, str>, u32) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.opens(b'{', "an object was expected")?;
        let mut closed = self.closes(b'}')?;
        while !closed {
            let (line, key) = self.key()?;
            each(self, key, line)?;
            closed = self.continues(b'}')?;
        }
        Ok(())
    }

    /// Reads an object with exactly these keys in this order, and values without parts. `None` if the bytes are anything
    /// else; then nothing was reported, and they are to be read in another way.
    pub(super) fn simple_values(&mut self, keys: &[String], values: &mut Vec<Value<'a>>) -> Option<()> {
        self.opens(b'{', "").ok()?;
        for (nth, key) in keys.iter().enumerate() {
            self.key().ok().filter(|(_, found)| *found == **key)?;
            self.blanks();
            if matches!(self.bytes.get(self.at), Some(b'{' | b'[')) {
                return None;
            }
            values.push(self.value().ok()?);
            let closed = self.continues(b'}').ok()?;
            (closed == (nth + 1 == keys.len())).then_some(())?;
        }
        self.ends().ok()
    }

    /// Goes through the elements of a list, each of which `each` consumes. The parts of one are forgotten before the
    /// next, so only one at a time counts against the limit.
    pub(super) fn elements(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.opens(b'[', "a list was expected")?;
        let mut closed = self.closes(b']')?;
        let parts = self.parts;
        while !closed {
            each(self)?;
            self.parts = parts;
            closed = self.continues(b']')?;
        }
        Ok(())
    }

    /// Reads a list, and gives its elements with their lines.
    fn each_element(&mut self, each: &mut impl FnMut(&mut Sheet, &Value<'a>, u32)) -> Result<(), Fault> {
        self.elements(|parser| {
            let (line, value) = parser.value_with_line()?;
            each(parser.sheet(), &value, line);
            Ok(())
        })
    }

    /// Whether a list comes next.
    pub(super) fn is_at_list(&mut self) -> bool {
        self.is_at(b'[')
    }

    /// Whether an object comes next.
    pub(super) fn is_at_object(&mut self) -> bool {
        self.is_at(b'{')
    }

    fn is_at(&mut self, bracket: u8) -> bool {
        self.blanks();
        self.bytes.get(self.at) == Some(&bracket)
    }

    fn opens(&mut self, bracket: u8, or: &'static str) -> Result<(), Fault> {
        self.blanks();
        match self.bytes.get(self.at) {
            Some(&byte) if byte == bracket => self.at += 1,
            Some(_) => return Err(self.fault(or)),
            None => return Err(self.end()),
        }
        Ok(())
    }

    fn list(&mut self) -> Result<Value<'a>, Fault> {
        let start = self.elements.len();
        if !self.closes(b']')? {
            loop {
                let element = self.value()?;
                self.elements.push(element);
                if self.continues(b']')? {
                    break;
                }
            }
        }
        Ok(Value::List(self.elements.split_off(start).into()))
    }

    fn object(&mut self) -> Result<Value<'a>, Fault> {
        let (line, start) = (self.line, self.entries.len());
        // A bit for each key so far; two keys can share one.
        let mut marks = 0u64;
        if !self.closes(b'}')? {
            loop {
                let entry = self.entry()?;
                let mark = mark_of(entry.key.as_bytes());
                let known = &self.entries[start..];
                let maybe = marks & mark != 0 && known.len() <= FEW;
                if maybe && known.iter().any(|known| known.key == entry.key) {
                    self.twice(&entry.key, entry.line);
                } else {
                    marks |= mark;
                    self.entries.push(entry);
                }
                if self.continues(b'}')? {
                    break;
                }
            }
        }
        let entries = self.entries.split_off(start);
        let object = Object::new(line, entries, |entry| self.twice(&entry.key, entry.line));
        Ok(Value::Object(Box::new(object)))
    }

    fn entry(&mut self) -> Result<Entry<'a>, Fault> {
        let (line, key) = self.key()?;
        Ok(Entry { key, line, value: self.value()? })
    }

    /// Consumes a key and its colon.
    fn key(&mut self) -> Result<(u32, Cow<'a, str>), Fault> {
        self.blanks();
        match self.bytes.get(self.at) {
            Some(b'"') => {}
            Some(_) => return Err(self.fault("a key in quotes was expected")),
            None => return Err(self.end()),
        }
        let (line, key) = (self.line, self.string()?);
        self.blanks();
        match self.bytes.get(self.at) {
            Some(b':') => self.at += 1,
            Some(_) => return Err(self.fault("a colon was expected after a key")),
            None => return Err(self.end()),
        }
        Ok((line, key))
    }

    fn twice(&mut self, key: &str, line: u32) {
        let what = format!("the key `{}` occurs twice in one object", excerpt(key));
        self.sheet.problem(Code::DuplicateKey, line, what, "the first one is used. Write each key once");
    }

    /// Consumes the closing bracket, if it comes next.
    fn closes(&mut self, bracket: u8) -> Result<bool, Fault> {
        self.blanks();
        let closes = *self.bytes.get(self.at).ok_or_else(|| self.end())? == bracket;
        self.at += usize::from(closes);
        Ok(closes)
    }

    /// Consumes the comma or the closing bracket after an element; returns whether it was the bracket.
    fn continues(&mut self, bracket: u8) -> Result<bool, Fault> {
        self.blanks();
        let byte = *self.bytes.get(self.at).ok_or_else(|| self.end())?;
        if byte != b',' && byte != bracket {
            return Err(self.fault("a comma or a closing bracket was expected"));
        }
        self.at += 1;
        Ok(byte == bracket)
    }
}

// Values of JSON that are passed over: their bytes are kept, and their parts are read later or never.

/// The bytes of a value that the parser passed over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span<'a> {
    pub(super) bytes: &'a [u8],
    /// The bytes as text, if they are text.
    pub(super) text: Option<&'a str>,
    pub(super) line: u32,
    pub(super) parts: u64,
}

impl<'a> Span<'a> {
    /// Returns the bytes that begin on this line, of which a value in memory may have this many parts.
    pub(super) fn new(bytes: &'a [u8], line: u32, parts: u64) -> Self {
        Self { bytes, text: std::str::from_utf8(bytes).ok(), line, parts }
    }

    /// Whether it is a list.
    pub(super) fn is_list(self) -> bool {
        self.bytes.starts_with(b"[")
    }

    /// How many parts a value in memory may have.
    pub(super) fn most(self) -> u64 {
        self.parts
    }

    /// Creates a parser for the value.
    pub(super) fn parser<'s>(self, sheet: &'s mut Sheet) -> Parser<'a, 's> {
        Parser::of(self, sheet)
    }
}

impl<'a> Parser<'a, '_> {
    /// Passes over a value, whose parts are read later or never.
    pub(super) fn pass(&mut self) -> Result<Span<'a>, Fault> {
        self.blanks();
        let (start, line) = (self.at, self.line);
        if matches!(self.bytes.get(start), Some(b'{' | b'[' | b'"')) {
            self.pass_nested()?;
        } else {
            self.value()?;
        }
        let bytes = &self.bytes[start..self.at];
        let text = self.text.map_or_else(|| std::str::from_utf8(bytes).ok(), |text| text.get(start..self.at));
        Ok(Span { bytes, text, line, parts: self.parts })
    }

    /// Passes over all values that follow.
    fn pass_all(&mut self, spans: &mut Vec<Span<'a>>) -> Result<(), Fault> {
        self.blanks();
        while self.at < self.bytes.len() {
            spans.push(self.pass()?);
            self.blanks();
        }
        Ok(())
    }

    fn pass_nested(&mut self) -> Result<(), Fault> {
        // A bit for each open bracket: whether it is that of a list.
        let (mut depth, mut lists) = (0usize, 0u128);
        loop {
            let marks =
                self.bytes[self.at.min(self.bytes.len())..].iter().position(|&byte| IS_MARK[byte as usize]);
            self.at += marks.ok_or_else(|| self.end())?;
            match self.bytes[self.at] {
                b'"' => {
                    self.at = end_of_string(self.bytes, self.at + 1).ok_or_else(|| self.end())?;
                }
                b'{' | b'[' if self.depth + depth == DEEPEST => return Err(self.fault(TOO_DEEP)),
                byte @ (b'{' | b'[') => {
                    depth += 1;
                    lists = lists << 1 | u128::from(byte == b'[');
                }
                byte @ (b'}' | b']') => {
                    if (byte == b']') != (lists & 1 == 1) {
                        return Err(self.fault("a bracket of another kind was expected"));
                    }
                    depth -= 1;
                    lists >>= 1;
                }
                b'\n' => self.line = self.line.saturating_add(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

/// The bytes at which passing over a value must look.
const IS_MARK: [bool; 256] = {
    let mut marks = [false; 256];
    let mut at = 0;
    while at < 6 {
        marks[b"\"{}[]\n"[at] as usize] = true;
        at += 1;
    }
    marks
};

// The values of JSON that hold no others: numbers, strings and words.

/// The words with what they mean. What is not a number has several spellings: the library of C prints `-nan`, that of
/// Windows `-nan(ind)`.
const WORDS: [(&str, &str); 12] = [
    ("null", "null"),
    ("true", "true"),
    ("false", "false"),
    ("NaN", "NaN"),
    ("-NaN", "NaN"),
    ("nan", "NaN"),
    ("-nan(ind)", "NaN"),
    ("-nan", "NaN"),
    ("Infinity", "Infinity"),
    ("-Infinity", "-Infinity"),
    ("inf", "Infinity"),
    ("-inf", "-Infinity"),
];

impl<'a> Parser<'a, '_> {
    pub(super) fn word(&mut self) -> Result<Value<'a>, Fault> {
        let rest = &self.bytes[self.at..];
        for (word, meaning) in WORDS {
            if rest.starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(Value::of_word(meaning));
            }
            if word.as_bytes().starts_with(rest) {
                return Err(self.end());
            }
        }
        Err(self.fault("a value was expected"))
    }

    pub(super) fn number(&mut self) -> Result<Value<'a>, Fault> {
        let rest = &self.bytes[self.at..];
        let Some((length, whole)) = number_at(rest) else {
            let cut = rest.iter().all(|byte| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9'));
            return Err(if cut { self.end() } else { self.fault("this is not a number") });
        };
        self.at += length;
        let digits = &rest[..length];
        if whole {
            let text = self.part(self.at - length, self.at).unwrap_or_default();
            return Ok(text.parse().map_or(Value::Digits(text), Value::Whole));
        }
        Ok(Value::Float(number(digits).unwrap_or(f64::NAN)))
    }

    /// The bytes of a place as text, if they are text.
    fn part(&self, start: usize, end: usize) -> Option<&'a str> {
        match self.text {
            Some(text) => text.get(start..end),
            None => std::str::from_utf8(&self.bytes[start..end]).ok(),
        }
    }

    pub(super) fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        let start = self.at + 1;
        let end = start + plain_length(&self.bytes[start..]);
        if self.bytes.get(end) == Some(&b'"')
            && let Some(text) = self.part(start, end)
        {
            self.at = end + 1;
            return Ok(Cow::Borrowed(text));
        }
        self.unusual_string(start)
    }

    /// A string with escapes, with bytes that are not text, or that does not end.
    fn unusual_string(&mut self, start: usize) -> Result<Cow<'a, str>, Fault> {
        let at = end_of_string(self.bytes, start).ok_or_else(|| self.end())?;
        let inner = &self.bytes[start..at];
        let (mut control, mut escapes) = (false, false);
        for &byte in inner {
            control |= byte < 0x20;
            escapes |= byte == b'\\';
        }
        if control {
            return Err(self.fault("a string holds a control character"));
        }
        self.at = at + 1;
        let text = lossless(inner);
        if !escapes {
            return Ok(text);
        }
        // A byte that was not UTF-8 has become a visible `\xNN`, which is not a JSON escape.
        let text = if std::str::from_utf8(inner).is_ok() { text } else { escaped(inner).into() };
        serde_json::from_str(&format!("\"{text}\""))
            .map(Cow::Owned)
            .map_err(|_| self.fault("a string holds an invalid escape"))
    }
}

// The ends of strings and numbers in JSON text.

/// The place of the quote that ends the string whose content begins at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// The bytes that end the plain part of a string: quotes, backslashes and control characters.
const ENDS_PLAIN: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        ends[byte] = true;
        byte += 1;
    }
    ends[b'"' as usize] = true;
    ends[b'\\' as usize] = true;
    ends
};

/// How many bytes of a string's content stand for themselves.
fn plain_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| ENDS_PLAIN[byte as usize]).unwrap_or(bytes.len())
}

/// A bit that equal keys share, and different ones rarely.
fn mark_of(key: &[u8]) -> u64 {
    let of = |at: usize| key.get(at).map_or(0, |&byte| u32::from(byte));
    let length = key.len();
    let mixed = length as u32 * 7 + of(0) * 3 + of(length / 2) * 5 + of(length.wrapping_sub(1));
    1 << (mixed % 64)
}

/// Like [`crate::text::lossless`], with the backslash escaped as in JSON.
pub(super) fn escaped(bytes: &[u8]) -> String {
    bytes.utf8_chunks().fold(String::with_capacity(bytes.len() + 16), |mut text, chunk| {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\\\x{byte:02X}")));
        text
    })
}

/// The length of the number at the beginning of these bytes by JSON's grammar, and whether it is an integer.
pub(super) fn number_at(bytes: &[u8]) -> Option<(usize, bool)> {
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = usize::from(bytes.first() == Some(&b'-'));
    let mut at = start + digits(start);
    if at == start || (bytes[start] == b'0' && at > start + 1) {
        return None;
    }
    let integer = at;
    if bytes.get(at) == Some(&b'.') {
        let decimals = digits(at + 1);
        at += 1 + decimals;
        (decimals > 0).then_some(())?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let signed = usize::from(matches!(bytes.get(at + 1), Some(b'-' | b'+')));
        let exponent = digits(at + 1 + signed);
        at += 1 + signed + exponent;
        (exponent > 0).then_some(())?;
    }
    let ends = !matches!(bytes.get(at), Some(b'-' | b'+' | b'.' | b'e' | b'E'));
    ends.then_some((at, at == integer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &[u8]) -> (Result<Value<'_>, Fault>, Vec<(u32, Code)>) {
        let mut sheet = Sheet::default();
        let value = Parser::new(text, 1, 10_000, &mut sheet).only();
        (value, sheet.problems.iter().map(|problem| (problem.line, problem.code)).collect())
    }

    #[test]
    fn what_is_json_and_what_is_none_is_decided_as_by_serde_json() {
        let words = [
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"b\"",
            "\"\\u00e9\\n\"",
            "1",
            "-0",
            "1.5e3",
            "01",
            "1.",
            "null",
            "true",
            "nul",
            " ",
            "\n",
            "-",
            "\"\\q\"",
            "\"",
            "18446744073709551615",
            "é",
        ];
        let mut state = 1u64;
        for _ in 0..200_000 {
            let mut text = String::new();
            for _ in 0..8 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                text.push_str(words[(state >> 33) as usize % words.len()]);
            }
            let (ours, problems) = parse(text.as_bytes());
            let theirs: Result<serde_json::Value, _> = serde_json::from_str(&text);
            assert_eq!(ours.is_ok(), theirs.is_ok(), "{text:?}");
            if let (Ok(ours), Ok(theirs), true) = (ours, theirs, problems.is_empty()) {
                let again: serde_json::Value = serde_json::from_str(&ours.to_string()).unwrap();
                assert_eq!(again, theirs, "{text:?}");
            }
        }
    }

    #[test]
    fn a_key_that_stands_twice_is_a_problem_with_its_line_and_the_first_one_stands() {
        let (value, problems) = parse(b"{\"b\": 1,\n \"a\": {\"x\": 1, \"x\": 2},\n \"b\": 3}");
        assert_eq!(problems, [(2, Code::DuplicateKey), (3, Code::DuplicateKey)]);
        assert_eq!(value.unwrap().to_string(), "{\"a\":{\"x\":1},\"b\":1}");
    }

    #[test]
    fn digits_words_and_bytes_are_kept() {
        let (value, _) =
            parse(b"[9007199254740993, 99999999999999999999, NaN, -Infinity, \"\xFF\\t\", \"\xFE\"]");
        let value = value.unwrap();
        let shown: Vec<String> = value.list().unwrap().iter().map(ToString::to_string).collect();
        let wanted = [
            "9007199254740993",
            "99999999999999999999",
            "\"NaN\"",
            "\"-Infinity\"",
            "\"\\\\xFF\\t\"",
            "\"\\\\xFE\"",
        ];
        assert_eq!(shown, wanted);
    }

    #[test]
    fn what_is_not_a_number_has_one_spelling() {
        let value = parse(b"[nan, -nan, -nan(ind), -NaN, inf, -inf]").0.unwrap();
        let shown: Vec<&str> = value.list().unwrap().iter().filter_map(Value::text).collect();
        assert_eq!(shown, ["NaN", "NaN", "NaN", "NaN", "Infinity", "-Infinity"]);
        assert_eq!(["[-n", "[-x]"].map(|text| parse(text.as_bytes()).0.unwrap_err().ends), [true, false]);
    }

    #[test]
    fn what_ends_too_early_is_told_from_what_is_broken() {
        for text in ["", "{", "{\"a\"", "{\"a\":", "[1,", "[1", "\"abc", "tru", "-", "1e", "{\"a\": 1,"] {
            assert!(parse(text.as_bytes()).0.unwrap_err().ends, "{text:?}");
        }
        for text in ["}", "[1 2]", "{1: 2}", "tree", "[01]", "\"\n\"", "1 2"] {
            assert!(!parse(text.as_bytes()).0.unwrap_err().ends, "{text:?}");
        }
        assert!(parse("[".repeat(200).as_bytes()).0.unwrap_err().what.contains("deep"));
        assert!(parse("[1,".repeat(9000).as_bytes()).0.is_err());
    }

    /// Reads the elements of a list in two ways: each at once, or passed over first and read afterwards.
    fn both_ways(text: &str) -> (Result<Vec<String>, Fault>, Result<Vec<String>, Fault>) {
        let bytes = text.as_bytes();
        let mut sheet = Sheet::default();
        let (mut first, mut later) = (Vec::new(), Vec::new());
        let at_once = Parser::new(bytes, 1, 10_000, &mut sheet).elements(|parser| {
            first.push(parser.value()?.to_string());
            Ok(())
        });
        let mut spans = Vec::new();
        let passed = Parser::new(bytes, 1, 10_000, &mut sheet).elements(|parser| {
            spans.push(parser.pass()?);
            Ok(())
        });
        let read = passed.and_then(|()| {
            spans.into_iter().try_for_each(|span| {
                later.push(span.parser(&mut Sheet::default()).only()?.to_string());
                Ok(())
            })
        });
        (at_once.map(|()| first), read.map(|()| later))
    }

    #[test]
    fn a_value_that_is_passed_over_is_the_same_later() {
        let values = [
            "1",
            "-2.5e3",
            "\"a]\\\"}\"",
            "{}",
            "[]",
            "{\"a\": [1, {\"b\": \"}\"}], \"c\":\nnull}",
            "[[1, 2],\n[\"x\"]]",
            "true",
        ];
        let text = format!("[{}]", values.join(", "));
        let (at_once, later) = both_ways(&text);
        assert_eq!(at_once.unwrap(), later.unwrap());
        for end in 0..text.len() {
            let (at_once, later) = both_ways(&text[..end]);
            assert!(at_once.unwrap_err().ends && later.unwrap_err().ends, "{end}");
        }
        for broken in ["[{]}]", "[[}]", "[1 2]", "{}", "[{\"a\" 1}]", "[01]"] {
            let (at_once, later) = both_ways(broken);
            assert!(at_once.is_err() && later.is_err(), "{broken}");
        }
    }

    #[test]
    fn a_value_that_is_passed_over_knows_its_line() {
        let mut sheet = Sheet::default();
        let mut lines = Vec::new();
        let mut parser =
            Parser::new(b"{\"a\": [1,\n2],\n\n \"b\": {\"c\":\n3}, \"b\": 4}", 1, 100, &mut sheet);
        let read = parser.entries(|parser, key, line| {
            lines.push((key.into_owned(), line, parser.pass()?.line));
            Ok(())
        });
        read.unwrap();
        assert_eq!(lines, [("a".to_owned(), 1, 1), ("b".to_owned(), 4, 4)]);
        // A key that occurs twice is a problem in both ways of reading.
        assert_eq!(sheet.problems[0].line, 5);
    }
}
