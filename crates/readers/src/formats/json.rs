//! What the readers of JSON share: documents and records that need not be clean, and the lines of objects.

use std::borrow::Cow;

use memchr::{memchr2, memmem};
use serde_json::{Map, Value};

use crate::sheet::Row;
use crate::text::excerpt;
use crate::{Code, Sheet};

/// A value as text, without the quotes of a string.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Adds the number that a JSON value holds, divided by `divisor`; what holds none is a problem.
/// Dividing by a power of ten rounds once; multiplying by its inverse would round twice.
pub(super) fn push_value(sheet: &mut Sheet, row: Row<'_>, value: &Value, divisor: f64) {
    // A string is no number, but `"NaN"` is how some exporters write one that is none.
    let parsed = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => crate::text::number(text.trim().as_bytes()),
        _ => None,
    };
    if let Some(parsed) = parsed {
        return sheet.push(Row { value: parsed / divisor, ..row });
    }
    let metric = sheet.metrics[row.metric as usize].name.clone();
    let shown = excerpt(value.to_string().as_bytes());
    let what = format!("{metric} of {} is {shown}, not a number", excerpt(row.benchmark.as_bytes()));
    sheet.problem(Code::MalformedNumber, row.line, what, "repeat the run");
}

/// The array `results` of a document; a problem where the bytes hold none.
pub(super) fn results(sheet: &mut Sheet, bytes: &[u8]) -> Option<Vec<Value>> {
    match json(bytes) {
        Ok(Value::Object(mut document)) => match document.remove("results") {
            Some(Value::Array(results)) => return Some(results),
            _ => sheet.problem(Code::MalformedRecord, 0, "there is no array `results`", ""),
        },
        Ok(_) => sheet.problem(Code::MalformedRecord, 1, "the JSON is not an object", ""),
        Err(error) => broken(sheet, &error, error.line() as u32),
    }
    None
}

/// Notes JSON that does not parse: cut where it simply ends, malformed otherwise.
pub(super) fn broken(sheet: &mut Sheet, error: &serde_json::Error, line: u32) {
    let (code, hint) = if error.is_eof() {
        (Code::Truncated, "the file was cut; copy it again or repeat the run")
    } else {
        (Code::MalformedRecord, "one JSON document was expected here; was the file edited or joined?")
    };
    sheet.problem(code, line, format!("no whole JSON: {error}"), hint);
}

/// JSON from bytes that need not be UTF-8 and may hold `NaN` or `Infinity`, which are no JSON but are
/// written by Yojson and by Python; they arrive as strings. Nesting is limited by the parser.
pub(super) fn json(bytes: &[u8]) -> serde_json::Result<Value> {
    let text = readable(bytes);
    serde_json::from_str(&text).or_else(|error| match quote_non_numbers(&text) {
        Some(quoted) => serde_json::from_str(&quoted),
        None => Err(error),
    })
}

/// A record of one line; `None` where it is JSON but no object.
pub(super) fn record(line: &[u8]) -> serde_json::Result<Option<Map<String, Value>>> {
    json(line).map(|value| if let Value::Object(map) = value { Some(map) } else { None })
}

/// As [`crate::text::lossless`], with the backslash escaped as JSON wants it.
fn readable(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(bytes.utf8_chunks().fold(String::with_capacity(bytes.len() + 16), |mut text, chunk| {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\\\x{byte:02X}")));
        text
    }))
}

fn quote_non_numbers(text: &str) -> Option<String> {
    let (mut quoted, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(&byte) = text.as_bytes().get(at) {
        if byte == b'"' {
            at = string_end(text.as_bytes(), at);
        } else if matches!(byte, b'N' | b'I' | b'-')
            && let Some(word) =
                ["NaN", "Infinity", "-Infinity"].iter().find(|word| text[at..].starts_with(**word))
        {
            quoted.extend([&text[copied..at], "\"", word, "\""]);
            at += word.len();
            copied = at;
            continue;
        }
        at += 1;
    }
    (copied > 0).then(|| quoted + &text[copied..])
}

/// The place of the quote that closes the string opened at `open`, or the end of the bytes.
fn string_end(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}

/// Whether the text has this key somewhere: the quoted word with a colon behind it.
pub(super) fn has_key(head: &[u8], key: &str) -> bool {
    let quoted = format!("\"{key}\"");
    memmem::find_iter(head, quoted.as_bytes())
        .any(|at| head[at + quoted.len()..].trim_ascii_start().starts_with(b":"))
}

/// The line of each object that is nested `depth` deep: where its `key` stands, else where it opens.
pub(super) fn object_lines(bytes: &[u8], depth: usize, key: &[u8]) -> Vec<u32> {
    let (mut lines, mut line, mut level, mut at) = (Vec::new(), 1u32, 0usize, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => line = line.saturating_add(1),
            b'{' | b'[' => {
                level += 1;
                if byte == b'{' && level == depth {
                    lines.push(line);
                }
            }
            b'}' | b']' => level = level.saturating_sub(1),
            b'"' => {
                let end = string_end(bytes, at);
                let is_key =
                    bytes.get(end + 1..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"));
                if level == depth
                    && is_key
                    && &bytes[at + 1..end] == key
                    && let Some(last) = lines.last_mut()
                {
                    *last = line;
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    lines
}
