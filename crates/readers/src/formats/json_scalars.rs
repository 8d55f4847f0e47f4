//! The values of JSON that hold no others: numbers, strings and words.

use std::borrow::Cow;

use super::json_parser::{Fault, Parser};
use super::json_tokens::{end_of_string, escaped, number_at, plain_length};
use super::json_value::Value;

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
        Ok(Value::Float(crate::text::number(digits).unwrap_or(f64::NAN)))
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
        let text = crate::text::lossless(inner);
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
