//! The statistics of Gatling's report: `stats.json`, a tree of groups and requests, and `global_stats.json`.

use std::io;
use std::path::Path;

use super::json::{Object, Span, Value, number_of};
use super::load_metrics;
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::excerpt;
use crate::{Code, Options, Sheet};

const MILLISECONDS: f64 = 1e3;

/// Times of requests, in milliseconds. What the percentiles are is configured and not in the file.
const TIMES: [(&str, &str); 7] = [
    ("meanResponseTime", "mean"),
    ("minResponseTime", "min"),
    ("maxResponseTime", "max"),
    ("percentiles1", "percentile1"),
    ("percentiles2", "percentile2"),
    ("percentiles3", "percentile3"),
    ("percentiles4", "percentile4"),
];

/// Reads either file.
///
/// # Errors
/// If the document has more parts than the limits allow.
pub(super) fn read(
    name: &str,
    _path: &Path,
    content: &Content,
    _options: &Options,
) -> io::Result<Vec<Sheet>> {
    read_document(name, &content.all()?, content.budget.limits.values)
}

/// Reads the script with the same statistics.
///
/// # Errors
/// As [`read`].
pub(super) fn read_script(
    name: &str,
    _path: &Path,
    content: &Content,
    _options: &Options,
) -> io::Result<Vec<Sheet>> {
    read_document(name, &document_of(&content.all()?), content.budget.limits.values)
}

/// The object of a script as JSON: some keys stand without quotes at the beginning of a line, and functions follow.
fn document_of(script: &[u8]) -> Vec<u8> {
    let object = script.trim_ascii_start().strip_prefix(b"var stats = ").unwrap_or(script);
    let end = memchr::memmem::find(object, b"\nfunction ").unwrap_or(object.len());
    let mut document = Vec::with_capacity(end + end / 8);
    for line in object[..end].split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii_start();
        let letters = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if letters > 0 && text.get(letters) == Some(&b':') {
            document.extend([b"\"", &text[..letters], b"\"", &text[letters..]].concat());
        } else {
            document.extend(line);
        }
    }
    document
}

fn read_document(name: &str, bytes: &[u8], limit: u64) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let root = Span::new(bytes, 1, limit).value(&mut sheet)?;
    let mut left = vec![&root];
    while let Some(node) = left.pop() {
        let inner = node.get("contents").and_then(Value::object);
        // The statistics of all requests repeat those of each.
        if inner.is_none() || !std::ptr::eq(node, &raw const root) {
            entry(&mut sheet, node);
        }
        let below: Vec<&Value<'_>> = inner.into_iter().flat_map(Object::iter).map(|(_, node)| node).collect();
        left.extend(below.into_iter().rev());
    }
    load_metrics::choose(&mut sheet);
    Ok(vec![sheet])
}

/// A request, a group, or the whole of `global_stats.json`.
fn entry(sheet: &mut Sheet, node: &Value<'_>) {
    let stats = node.get("stats").unwrap_or(node);
    let text = |key: &str| node.get(key).and_then(Value::text).filter(|text| !text.is_empty());
    let (Some(benchmark), Some(object)) = (text("path").or_else(|| text("name")), stats.object()) else {
        return sheet.problem(Code::MalformedRecord, 0, "statistics without a name", "was the file edited?");
    };
    let is_group = text("type") == Some("GROUP");
    let number = |sheet: &mut Sheet, key: &str, part: &str| {
        let value = object.get(key)?.get(part)?;
        // No request has this state.
        if value.text() == Some("-") {
            sheet.dropped(1);
            return None;
        }
        let line = object.line_of(key);
        let parsed = number_of(sheet, value, line);
        if parsed.is_none() {
            let what = format!("{key} of {} is not a number", excerpt(benchmark.as_bytes()));
            sheet.problem(Code::MalformedNumber, line, what, "was the file edited?");
        }
        parsed
    };
    let row = Measurement {
        benchmark,
        process: Some(0),
        line: object.line,
        aggregate: Some(Aggregate::default()),
        ..Measurement::default()
    };
    let shared =
        [("throughput", "meanNumberOfRequestsPerSecond", "total"), ("errors", "numberOfRequests", "ko")];
    for (name, key, part) in shared.into_iter().filter(|_| !is_group) {
        if let Some(value) = number(sheet, key, part) {
            load_metrics::push(sheet, Measurement { line: object.line_of(key), ..row }, name, value);
        }
    }
    let prefix = if is_group { "group-time" } else { "latency" };
    for (part, prefix) in [("ok", prefix.to_owned()), ("ko", format!("{prefix}-failed"))] {
        let count = number(sheet, "numberOfRequests", part);
        if count.is_none_or(|count| count == 0.0) {
            continue;
        }
        let spread = number(sheet, "standardDeviation", part).map(|time| time / MILLISECONDS);
        for (key, name) in TIMES {
            let Some(time) = number(sheet, key, part) else { continue };
            let deviation = spread.filter(|_| name == "mean");
            let aggregate = Some(Aggregate { count, deviation });
            let row = Measurement { line: object.line_of(key), aggregate, ..row };
            load_metrics::push(sheet, row, &format!("{prefix}-{name}"), time / MILLISECONDS);
        }
    }
}
