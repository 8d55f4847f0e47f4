//! What the readers of JSON share: documents and records that may be malformed.

use std::io;

use memchr::memmem;

pub(super) use super::json_parser::{Fault, Parser};
pub(super) use super::json_value::{Object, Value};
use crate::limits::Exceeded;
use crate::sheet::Measurement;
use crate::source::Content;
use crate::text::excerpt;
use crate::{Code, Sheet};

/// A value as text, without the quotes of a string.
pub(super) fn plain(value: &Value) -> String {
    value.text().map_or_else(|| value.to_string(), str::to_owned)
}

/// Adds the number of a JSON value, divided by `divisor`; records a problem if the value is not a number.
/// Dividing by a power of ten rounds once; multiplying by its inverse would round twice.
pub(super) fn push_value(sheet: &mut Sheet, row: Measurement<'_>, value: &Value, divisor: f64) {
    let parsed = match value {
        Value::Whole(whole) => Some(sheet.whole(i128::from(*whole), row.line)),
        Value::Float(float) => Some(*float),
        // A string is not a number, but some exporters write `"NaN"` for a value that is not a number.
        Value::Digits(text) | Value::Text(text) => sheet.number(text.trim().as_bytes(), row.line),
        _ => None,
    };
    if let Some(parsed) = parsed {
        return sheet.push(Measurement { value: parsed / divisor, ..row });
    }
    let metric = sheet.metrics[row.metric as usize].name.clone();
    let shown = excerpt(value.to_string().as_bytes());
    let what = format!("{metric} of {} is {shown}, not a number", excerpt(row.benchmark.as_bytes()));
    sheet.problem(Code::MalformedNumber, row.line, what, "repeat the run");
}

/// Returns the array `results` of a document; records a problem if there is none.
///
/// # Errors
/// If the document has more parts than the limits allow.
pub(super) fn results(sheet: &mut Sheet, content: &Content) -> io::Result<Vec<Value>> {
    let bytes = content.all()?;
    match Parser::new(&bytes, 1, content.budget.limits.values, sheet).only() {
        Ok(Value::Object(document)) => match document.take("results") {
            Some(Value::List(results)) => return Ok(results.into()),
            _ => sheet.problem(Code::MalformedRecord, 0, "there is no array `results`", ""),
        },
        Ok(_) => sheet.problem(Code::MalformedRecord, 1, "the JSON is not an object", ""),
        Err(fault) => {
            stop_at_limit(&fault, content)?;
            broken(sheet, &fault);
        }
    }
    Ok(Vec::new())
}

/// Fails if a document has too many parts.
///
/// # Errors
/// [`Exceeded`].
pub(super) fn stop_at_limit(fault: &Fault, content: &Content) -> io::Result<()> {
    let limit = content.budget.limits.values;
    let what = "the document has too many parts";
    if fault.too_many {
        Err(Exceeded { what, setting: "values", limit, together: false }.into())
    } else {
        Ok(())
    }
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
pub(super) fn record(line: &[u8], number: u32, sheet: &mut Sheet) -> Result<Option<Box<Object>>, Fault> {
    let value = Parser::new(line, number, u64::MAX, sheet).only()?;
    Ok(if let Value::Object(object) = value { Some(object) } else { None })
}

/// Whether the text contains this key: the quoted word followed by a colon.
pub(super) fn has_key(head: &[u8], key: &str) -> bool {
    let quoted = format!("\"{key}\"");
    memmem::find_iter(head, quoted.as_bytes())
        .any(|at| head[at + quoted.len()..].trim_ascii_start().starts_with(b":"))
}
