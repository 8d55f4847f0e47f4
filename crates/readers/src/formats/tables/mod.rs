//! Tables that no harness is known to write: CSV, TSV, drawn tables, JSON, Parquet and bare numbers.
//!
//! They are read in steps, each of which uses only those above it:
//!
//! | step | files |
//! | --- | --- |
//! | cells: what a cell says | `words`, `durations`, `cells`, `amounts`, `fields` |
//! | header: what the name of a column says | `name_words`, `header_units`, `holds`, `headers`, `given`, `repetitions` |
//! | roles: which column is what, judged by headers and first cells, or a question | `preview`, `failures`, `keys`, `kinds`, `question`, `roles`, `mapping`, `values`, `runs`, `columns`, `likeness`, `proposal` |
//! | rows: cells by the roles of their columns | `commas`, `rows` |
//! | sheet: what only all of its rows tell | `finish` |
//! | texts and files: where the cells come from | `preface`, `text_rows`, `text`, `drawn`, `ndjson_keys`, `ndjson`, `parquet`, `numbers` |

mod amounts;
mod cells;
mod columns;
mod commas;
pub mod drawn;
mod durations;
mod failures;
mod fields;
mod finish;
mod given;
mod header_units;
pub(super) mod headers;
mod holds;
pub(crate) mod keys;
mod kinds;
mod likeness;
mod mapping;
pub(super) mod name_words;
pub mod ndjson;
mod ndjson_keys;
pub mod numbers;
pub mod parquet;
mod preface;
mod preview;
mod proposal;
mod question;
mod repetitions;
mod roles;
mod rows;
mod runs;
pub mod text;
mod text_rows;
mod values;
mod words;

use super::format::Options;

/// The kind of table that the beginning of a file looks like; it may still need a mapping to be read.
#[must_use]
pub fn table_kind(head: &[u8]) -> Option<&'static str> {
    if head.starts_with(parquet::MAGIC) {
        return Some("parquet");
    }
    if ndjson::has_shape(head) {
        return Some("ndjson");
    }
    if drawn::Drawn::of(head).is_some() {
        return Some(drawn::NAME);
    }
    preface::separator(head).map(|byte| if byte == b'\t' { "tsv" } else { "csv" })
}

/// The kind of table that no format fits, and what it asks of the user.
pub(crate) fn table_question(head: &[u8], options: &Options) -> Option<(&'static str, String)> {
    if options.columns.is_empty()
        && let Some(question) = numbers::question(head)
    {
        return Some(("numbers", question));
    }
    let kind = table_kind(head)?;
    let drawn = drawn::Drawn::of(head).filter(|_| kind == drawn::NAME);
    let head = drawn.as_ref().map_or(head, |drawn| &drawn.text);
    let question = match kind {
        "parquet" => Some(question::MAPPING.to_owned()),
        "ndjson" => Some(ndjson::question(head, options)),
        _ => text::question(kind, head, options),
    };
    question.map(|question| (kind, question))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_alone_tells_the_kind() {
        for (head, kind) in [
            ("a,b\n1,2\n", Some("csv")),
            ("a;b,c;d\n", Some("csv")),
            ("\u{FEFF}a\tb\n", Some("tsv")),
            ("{\"a\":1}\n{\"a\":2}\n", Some("ndjson")),
            ("{\n \"a\": 1, \"b\": 2}\n", None),
            ("[1,2]\n", None),
            ("PAR1\0\0", Some("parquet")),
            ("words only\n", None),
            ("\"a,b\"\n", None),
        ] {
            assert_eq!(table_kind(head.as_bytes()), kind, "{head:?}");
        }
    }
}
