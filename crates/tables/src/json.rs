//! Rows as JSON, one object a row; absent numbers are null.

use statera_readers::treacherous::json_safe;

use crate::field::{Field, Names, Value};
use crate::pieces::in_pieces;

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
        value(to, &field.value(row, names));
    }
    to.push(b'}');
}

fn value(to: &mut Vec<u8>, value: &Value<'_>) {
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
