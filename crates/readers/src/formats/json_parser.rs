//! A parser of JSON as harnesses write it. The bytes may be invalid UTF-8. `NaN` and `Infinity`, which are not
//! JSON but are written by Yojson and by Python, become texts. A duplicate key is a problem with its line.

use std::borrow::Cow;
use std::collections::HashSet;

use super::json_span::Span;
use super::json_tokens::mark_of;
use super::json_value::{Entry, FEW, Object, Value};
use crate::{Code, Sheet};

/// Why bytes are not JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) line: u32,
    pub(super) what: &'static str,
    /// The bytes end before the value does.
    pub(super) ends: bool,
    /// There are more parts than a document may have.
    pub(super) too_many: bool,
}

/// Values nested deeper than this are refused: each level uses stack space.
pub(super) const DEEPEST: usize = 128;
pub(super) const TOO_DEEP: &str = "it is nested too deep";

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

    /// Whether a list comes next.
    pub(super) fn is_at_list(&mut self) -> bool {
        self.blanks();
        self.bytes.get(self.at) == Some(&b'[')
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
        let what = format!("the key `{}` occurs twice in one object", crate::text::excerpt(key.as_bytes()));
        self.sheet.problem(Code::DuplicateKey, line, what, "the first one is used; write each key once");
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
}
