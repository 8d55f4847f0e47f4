//! Rows as JSON, one object a row; absent numbers are null.

use statera_readers::treacherous::json_safe;

use crate::field::{Field, Names};

/// The rows as a JSON array.
#[must_use]
pub fn json_rows<R>(fields: &[Field<R>], rows: &[&R], names: &Names<'_>) -> String {
    let lines: Vec<String> =
        rows.iter().map(|row| json_safe(&object(fields, row, names)).into_owned()).collect();
    format!("[\n{}\n]", lines.join(",\n"))
}

fn object<R>(fields: &[Field<R>], row: &R, names: &Names<'_>) -> String {
    let member = |field: &Field<R>| format!("\"{}\":{}", field.name, (field.of)(row, names).json());
    let members: Vec<String> = fields.iter().map(member).collect();
    format!("{{{}}}", members.join(","))
}
