//! What the readers of JSON share: documents and records that may be malformed.

use std::borrow::Cow;
use std::io;

use memchr::memmem;

pub(super) use super::json_parser::{Fault, Parser};
pub(super) use super::json_span::Span;
pub(super) use super::json_value::{FEW, Object, Value};
use super::units::Scale;
use crate::context::Context;
use crate::limits::Exceeded;
use crate::sheet::Measurement;
use crate::source::Content;
use crate::text::excerpt;
use crate::{Code, Sheet};

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
    let metric = sheet.metrics[row.metric as usize].name.clone();
    let shown = excerpt(value.to_string().as_bytes());
    let what = format!("{metric} of {} is {shown}, not a number", excerpt(row.benchmark.as_bytes()));
    sheet.problem(Code::MalformedNumber, row.line, what, "repeat the run");
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
pub(super) struct Document<'a> {
    entries: Vec<(Cow<'a, str>, Span<'a>)>,
}

impl<'a> Document<'a> {
    /// Finds the entries of a file's object. `None`, with a problem, if it is not complete or not an object.
    ///
    /// # Errors
    /// If the document has more parts than the limits allow.
    pub(super) fn of(bytes: &'a [u8], content: &Content, sheet: &mut Sheet) -> io::Result<Option<Self>> {
        Span::new(bytes, 1, content.budget.limits.values).document(sheet)
    }

    /// Finds the entries of each object of a file to which a harness appends them. Those before a fault are complete.
    ///
    /// # Errors
    /// If a document has more parts than the limits allow.
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
    ///
    /// # Errors
    /// If it has more parts than the limits allow.
    pub(super) fn value(&self, key: &str, sheet: &mut Sheet) -> io::Result<Value<'a>> {
        self.get(key).map_or(Ok(Value::Null), |span| span.value(sheet))
    }

    /// Goes through the elements of a list; records a problem if there is no such list.
    ///
    /// # Errors
    /// If an element has more parts than the limits allow.
    pub(super) fn each(
        &self,
        key: &'static str,
        sheet: &mut Sheet,
        each: impl FnMut(&mut Sheet, &Value<'a>, u32),
    ) -> io::Result<()> {
        if let Some(list) = self.get(key).filter(|value| value.is_list()) {
            return list.each(sheet, each);
        }
        sheet.problem(Code::MalformedRecord, 0, format!("there is no list `{key}`"), "");
        Ok(())
    }
}

impl<'a> Span<'a> {
    /// Finds the documents of a file, one after another. Those before a fault are complete.
    ///
    /// # Errors
    /// If a document has more parts than the limits allow.
    pub(super) fn all(bytes: &'a [u8], content: &Content, sheet: &mut Sheet) -> io::Result<Vec<Self>> {
        let whole = Self::new(bytes, 1, content.budget.limits.values);
        let mut spans = Vec::new();
        let found = whole.parser(sheet).pass_all(&mut spans);
        whole.settle(found, sheet)?;
        Ok(spans)
    }

    /// Finds the entries of an object; `None`, with a problem, if it is not one.
    ///
    /// # Errors
    /// If a value has more parts than the limits allow.
    pub(super) fn document(self, sheet: &mut Sheet) -> io::Result<Option<Document<'a>>> {
        let mut entries = Vec::new();
        let mut parser = self.parser(sheet);
        let found = parser.entries(|parser, key, _| {
            entries.push((key, parser.pass()?));
            Ok(())
        });
        let found = found.and_then(|()| parser.ends());
        Ok(self.settle(found, sheet)?.map(|()| Document { entries }))
    }

    /// The same where keys may be repeated.
    ///
    /// # Errors
    /// If a value has more parts than the limits allow.
    pub(super) fn repeated(self, sheet: &mut Sheet) -> io::Result<Vec<(Cow<'a, str>, Self)>> {
        let mut entries = Vec::new();
        let mut parser = self.parser(sheet);
        let found = parser.pairs(|parser, key, _| {
            entries.push((key, parser.pass()?));
            Ok(())
        });
        let found = found.and_then(|()| parser.ends());
        Ok(self.settle(found, sheet)?.map_or(Vec::new(), |()| entries))
    }

    /// Reads the value; `Null`, with a problem, if it is broken.
    ///
    /// # Errors
    /// If it has more parts than the limits allow.
    pub(super) fn value(self, sheet: &mut Sheet) -> io::Result<Value<'a>> {
        let value = self.parser(sheet).only();
        Ok(self.settle(value, sheet)?.unwrap_or(Value::Null))
    }

    /// Goes through the elements of a list, with their lines; records a problem if it is not one.
    ///
    /// # Errors
    /// If an element has more parts than the limits allow.
    pub(super) fn each(
        self,
        sheet: &mut Sheet,
        mut each: impl FnMut(&mut Sheet, &Value<'a>, u32),
    ) -> io::Result<()> {
        let mut parser = self.parser(sheet);
        let found = parser.elements(|parser| {
            let (line, value) = parser.value_with_line()?;
            each(parser.sheet(), &value, line);
            Ok(())
        });
        let found = found.and_then(|()| parser.ends());
        self.settle(found, sheet).map(|_| ())
    }

    /// Goes through the elements of a list without reading them.
    ///
    /// # Errors
    /// If an element has more parts than the limits allow.
    pub(super) fn spans(self, sheet: &mut Sheet) -> io::Result<Vec<Self>> {
        let mut spans = Vec::new();
        let mut parser = self.parser(sheet);
        let found = parser.elements(|parser| {
            spans.push(parser.pass()?);
            Ok(())
        });
        let found = found.and_then(|()| parser.ends());
        self.settle(found, sheet)?;
        Ok(spans)
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
///
/// # Errors
/// [`Exceeded`].
pub(super) fn stop_at_limit(fault: &Fault, content: &Content) -> io::Result<()> {
    if fault.too_many { Err(too_many(content.budget.limits.values)) } else { Ok(()) }
}

fn too_many(limit: u64) -> io::Error {
    let what = "the document has too many parts";
    Exceeded { what, setting: "values", limit, together: false }.into()
}

/// Records JSON that does not parse: as cut if the text ends early, as malformed otherwise.
pub(super) fn broken(sheet: &mut Sheet, fault: &Fault) {
    let (code, hint) = if fault.ends {
        (Code::Truncated, "the file was cut; copy it again or repeat the run")
    } else {
        (Code::MalformedRecord, "one JSON document was expected here; was the file edited or joined?")
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
