//! Values of JSON that are passed over: their bytes are kept, and their parts are read later or never.

use super::json_parser::{DEEPEST, Fault, Parser, TOO_DEEP};
use super::json_tokens::end_of_string;
use crate::Sheet;

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
    pub(super) fn pass_all(&mut self, spans: &mut Vec<Span<'a>>) -> Result<(), Fault> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
