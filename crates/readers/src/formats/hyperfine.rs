//! hyperfine's JSON export: `results[].times[]`, one value a run of the command; and what the readers
//! of harnesses that write JSON share: bytes to JSON, the keys of a file's beginning, line numbers.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use memchr::{memchr2, memmem};
use serde_json::{Map, Value};

use super::Format;
use crate::metric::{Metric, Quantity};
use crate::sheet::{Context, Row};
use crate::source::Content;
use crate::text::excerpt;
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "hyperfine",
    sign: "hyperfine --export-json: an object with \"results\" that hold \"command\" and \"times\"",
    has_results: true,
    fits,
    read,
};

fn fits(head: &[u8]) -> bool {
    head.trim_ascii_start().starts_with(b"{")
        && has_key(head, "results")
        && has_key(head, "command")
        && (has_key(head, "times") || has_key(head, "mean"))
        && !has_key(head, "median(elapsed)")
        && !has_key(head, "time_secs")
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    if let Some(results) = results(&mut sheet, &bytes) {
        let lines = object_lines(&bytes, 3, b"command");
        for (index, entry) in results.iter().enumerate() {
            result(&mut sheet, entry, lines.get(index).copied().unwrap_or(0));
        }
    }
    Ok(vec![sheet])
}

fn result(sheet: &mut Sheet, entry: &Value, line: u32) {
    let Some(command) = entry.get("command").and_then(Value::as_str) else {
        return sheet.problem(Code::MalformedRecord, line, "a result without a command", HINT);
    };
    let shown = excerpt(command.as_bytes());
    let Some(times) = entry.get("times").and_then(Value::as_array) else {
        return sheet.problem(
            Code::MalformedRecord,
            line,
            format!("`{shown}` has no times of its single runs"),
            "a mean alone cannot be compared; export again with hyperfine --export-json",
        );
    };
    // Before 1.14 hyperfine wrote no exit codes; it stopped at a failure unless told otherwise.
    let codes: Vec<String> = list(entry, "exit_codes").iter().map(exit_code).collect();
    if !codes.is_empty() && codes.len() != times.len() {
        let what = format!("`{shown}` has {} times but {} exit codes", times.len(), codes.len());
        return sheet.problem(Code::Contradiction, line, what, "hyperfine writes one of each a run");
    }
    let mut context = parameters(entry);
    // A command that always ends with the same code may well be meant to; one that fails now and then
    // did not do the same work each time.
    let steady = codes.iter().all(|code| *code == codes[0]);
    if steady && codes.first().is_some_and(|code| code != "0") {
        context.push(("exit_code".to_owned(), codes[0].clone()));
    }
    sheet.set_context(context);
    let time = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let memory = list(entry, "memory_usage_byte");
    let mut all = true;
    for (run, value) in times.iter().enumerate() {
        if let Some(code) = codes.get(run).filter(|code| !steady && *code != "0") {
            all = false;
            let what = format!("run {} of `{shown}` ended with exit code {code}", run + 1);
            sheet.problem(
                Code::MalformedRecord,
                line,
                what,
                "other runs of it did not; find out why it fails",
            );
            continue;
        }
        push(sheet, command, time, value, line);
        if let Some(value) = memory.get(run) {
            let make = || Metric::new("memory", "B", Quantity::Bytes).secondary().never_exact();
            let metric = sheet.metric("memory", make);
            push(sheet, command, metric, value, line);
        }
    }
    // Means over all runs: they mean nothing once a run was left out.
    for (key, name) in [("user", "user (mean)"), ("system", "system (mean)")] {
        if let Some(value) = entry.get(key).filter(|value| all && !value.is_null()) {
            let metric = sheet.metric(name, || Metric::new(name, "s", Quantity::Time).secondary());
            push(sheet, command, metric, value, line);
        }
    }
}

const HINT: &str = "is it the file that hyperfine --export-json wrote?";

fn push(sheet: &mut Sheet, benchmark: &str, metric: u32, value: &Value, line: u32) {
    push_value(sheet, Row { benchmark, metric, value: 0.0, line, block: None, process: None }, value, 1.0);
}

fn list<'a>(entry: &'a Value, key: &str) -> &'a [Value] {
    entry.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A run that a signal ended has no exit code.
fn exit_code(code: &Value) -> String {
    if code.is_null() { "signal".to_owned() } else { plain(code) }
}

/// `parameters` by name; versions before 1.9 wrote the value of the only one as `parameter`.
fn parameters(entry: &Value) -> Context {
    match (entry.get("parameters").and_then(Value::as_object), entry.get("parameter")) {
        (Some(all), _) => all.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        (None, Some(only)) if !only.is_null() => vec![("parameter".to_owned(), plain(only))],
        _ => Context::new(),
    }
}

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
