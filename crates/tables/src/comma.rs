//! Rows as comma-separated values: every number in full, one line a row.

use std::fmt::Write as _;

use statera_readers::guard;

use crate::field::{Field, Names, Value};
use crate::pieces::in_pieces;

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
                value(&mut text, &field.value(row, names), raw);
            }
            text.push('\n');
        }
        text
    });
    heads.join(",") + "\n" + &lines.concat()
}

fn value(to: &mut String, value: &Value<'_>, raw: bool) {
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
