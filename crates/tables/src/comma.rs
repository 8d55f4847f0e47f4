//! Rows as comma-separated values: every number in full, one line a row.

use statera_readers::guard;

use crate::field::{Field, Names};

/// The rows with their header. A name that a spreadsheet would take for a formula is guarded, unless texts
/// are wanted `raw`.
#[must_use]
pub fn comma_separated<R>(fields: &[Field<R>], rows: &[&R], names: &Names<'_>, raw: bool) -> String {
    let heads: Vec<&str> = fields.iter().map(|field| field.name).collect();
    let mut text = heads.join(",") + "\n";
    for row in rows {
        for (place, field) in fields.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            (field.of)(row, names).comma(&mut text, raw);
        }
        text.push('\n');
    }
    text
}

/// A text as a cell, in quotation marks where it needs them.
pub(crate) fn cell(to: &mut String, text: &str, raw: bool) {
    let text = guard::cell(text, raw);
    if text.contains([',', '"', '\n', '\r']) {
        to.push('"');
        to.push_str(&text.replace('"', "\"\""));
        to.push('"');
    } else {
        to.push_str(&text);
    }
}
