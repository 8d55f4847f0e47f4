//! The formats, one module each, and the detection of a file's format by its content.

pub mod bench_bitcoin;
mod detection;
mod format;
pub mod go;
mod go_lines;
mod go_settings;
mod go_units;
mod go_words;
mod head;
pub mod hyperfine;
mod json;
mod json_parser;
mod json_value;
pub mod ledger_csv;
mod ledger_fields;
pub mod ledger_json;
pub mod nanobench;
mod outline;
pub mod sandmark_layout;
pub mod sandmark_orun;
pub mod sandmark_pausetimes;
pub mod sandmark_perfstat;
mod table_columns;
mod table_headers;
mod table_keys;
pub mod table_ndjson;
pub mod table_numbers;
pub mod table_parquet;
mod table_question;
mod table_rows;
pub mod table_text;
mod table_units;

pub use detection::detect;
pub use format::{Companion, Format, Key, Meaning, Pooling, Processes, Read, Role, Values};
pub use head::{Fit, Head, No};
pub use outline::{Kind, Node};
pub(crate) use table_columns::column_of_key;
pub use table_text::table_kind;
pub(crate) use table_text::table_question;
pub(crate) use table_units::better as unit_better;

use std::path::Path;

use crate::Failure;

/// All formats. Their signs exclude each other; a file that fits two is an error.
pub static FORMATS: &[&Format] = &[
    &go::FORMAT,
    &bench_bitcoin::FORMAT,
    &nanobench::JSON,
    &nanobench::CSV,
    &hyperfine::FORMAT,
    &hyperfine::TEXT,
    &sandmark_orun::FORMAT,
    &sandmark_pausetimes::FORMAT,
    &sandmark_perfstat::FORMAT,
    &sandmark_layout::CONFIG,
    &ledger_csv::FORMAT,
    &ledger_json::FORMAT,
    &table_text::CSV,
    &table_text::TSV,
    &table_ndjson::FORMAT,
    &table_parquet::FORMAT,
    &table_numbers::FORMAT,
];

/// Returns the format with this name.
///
/// # Errors
/// [`Failure::NoSuchFormat`].
pub fn by_name(name: &str) -> Result<&'static Format, Failure> {
    FORMATS
        .iter()
        .copied()
        .find(|format| format.name == name)
        .ok_or_else(|| Failure::NoSuchFormat(name.to_owned()))
}

/// The companion of some format's files that a path names, if it names one.
pub(crate) fn companion(path: &Path) -> Option<&'static Companion> {
    FORMATS.iter().flat_map(|format| format.companions).find(|companion| (companion.is)(path))
}
