//! Rows as comma-separated values: every number in full, one line a row.

use std::fmt::Write as _;

use rayon::prelude::*;
use statera_readers::guard;
use statera_readers::treacherous::json_safe;

use crate::field::{Field, Names, Value};

/// Returns the rows with their header. A name that a spreadsheet would run as a formula is guarded, unless `raw`.
#[must_use]
pub fn comma_separated<R: Sync>(fields: &[Field<R>], rows: &[&R], names: &Names<'_>, raw: bool) -> String {
    let heads: Vec<&str> = fields.iter().map(|field| field.name).collect();
    let lines = in_pieces(rows, |rows| {
        let mut text = String::new();
        for row in rows {
            for (place, field) in fields.iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                comma_value(&mut text, &field.value(row, names), raw);
            }
            text.push('\n');
        }
        text
    });
    heads.join(",") + "\n" + &lines.concat()
}

fn comma_value(to: &mut String, value: &Value<'_>, raw: bool) {
    let _ = match value {
        Value::Absent => Ok(()),
        Value::Text(text) => {
            cell(to, text, raw);
            Ok(())
        }
        Value::Number(number) => write!(to, "{number}"),
        Value::Count(count) => write!(to, "{count}"),
        Value::Flag(flag) => write!(to, "{flag}"),
        Value::Codes(codes) => write!(to, "{codes}"),
    };
}

/// A text as a cell, quoted if it needs to be.
fn cell(to: &mut String, text: &str, raw: bool) {
    let text = guard::cell(text, raw);
    if text.contains([',', '"', '\n', '\r']) {
        to.push('"');
        to.push_str(&text.replace('"', "\"\""));
        to.push('"');
    } else {
        to.push_str(&text);
    }
}

// Rows as JSON, one object a row; absent numbers are null.

/// Returns the rows as a JSON array.
#[must_use]
pub fn json_rows<R: Sync>(fields: &[Field<R>], rows: &[&R], names: &Names<'_>) -> String {
    let pieces = in_pieces(rows, |rows| {
        let mut text = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            text.extend_from_slice(if place > 0 { b",\n" } else { b"" });
            object(&mut text, fields, row, names);
        }
        json_safe(&String::from_utf8_lossy(&text)).into_owned()
    });
    format!("[\n{}\n]", pieces.join(",\n"))
}

fn object<R>(to: &mut Vec<u8>, fields: &[Field<R>], row: &R, names: &Names<'_>) {
    for (place, field) in fields.iter().enumerate() {
        to.extend_from_slice(if place > 0 { b",\"" } else { b"{\"" });
        to.extend_from_slice(field.name.as_bytes());
        to.extend_from_slice(b"\":");
        json_value(to, &field.value(row, names));
    }
    to.push(b'}');
}

fn json_value(to: &mut Vec<u8>, value: &Value<'_>) {
    // Memory takes all that is written, and every value has a form in JSON.
    let _ = match value {
        Value::Absent => serde_json::to_writer(to, &()),
        Value::Text(text) => serde_json::to_writer(to, text),
        Value::Number(number) => serde_json::to_writer(to, number),
        Value::Count(count) => serde_json::to_writer(to, count),
        Value::Flag(flag) => serde_json::to_writer(to, flag),
        Value::Codes(codes) => serde_json::to_writer(to, &codes.iter().collect::<Vec<_>>()),
    };
}

// Long texts are written in pieces, on all cores.

/// Rows of a piece.
pub(crate) const ROWS: usize = 4096;

/// Writes each piece of the rows; the pieces keep their order.
fn in_pieces<T: Sync, P: Send>(rows: &[T], write: impl Fn(&[T]) -> P + Sync + Send) -> Vec<P> {
    rows.par_chunks(ROWS).map(write).collect()
}
