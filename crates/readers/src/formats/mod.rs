//! The formats, one file each, and how a file's format is told from its content.

pub mod bench_bitcoin;
pub mod go;
mod go_units;
mod go_words;
pub mod hyperfine;
mod json;
mod json_parser;
mod json_value;
pub mod ledger_csv;
mod ledger_fields;
pub mod ledger_json;
pub mod nanobench;
pub mod sandmark_layout;
pub mod sandmark_orun;
pub mod sandmark_pausetimes;
pub mod sandmark_perfstat;
mod table_columns;
pub mod table_ndjson;
pub mod table_parquet;
mod table_rows;
pub mod table_text;
mod table_units;

use std::io;
use std::path::Path;

pub use sandmark_layout::is_log;
pub(crate) use table_columns::column_of_key;
pub use table_text::table_kind;
pub(crate) use table_units::better as unit_better;

use crate::source::Content;
use crate::{Failure, Options, Sheet};

/// One format that can be read.
pub struct Format {
    /// The name that `--format` takes.
    pub name: &'static str,
    /// What detection looks for, as the user reads it when nothing fits.
    pub sign: &'static str,
    /// Whether files of this kind carry results (a run's configuration file does not).
    pub has_results: bool,
    /// Whether the beginning of a file is of this format.
    pub fits: fn(&[u8]) -> bool,
    /// Reads a file: its name for messages, its path for what the folders say, its content.
    pub read: fn(&str, &Path, &Content, &Options) -> io::Result<Vec<Sheet>>,
}

impl std::fmt::Debug for Format {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

/// All formats. Their signs exclude each other: a file that fits two is refused, never guessed.
pub static FORMATS: &[&Format] = &[
    &go::FORMAT,
    &bench_bitcoin::FORMAT,
    &nanobench::JSON,
    &nanobench::CSV,
    &hyperfine::FORMAT,
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
];

/// The format of this name.
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

/// The one format that fits the beginning of a file.
///
/// # Errors
/// A text that lists what was looked for, or what fits at once.
pub fn detect(head: &[u8]) -> Result<&'static Format, String> {
    let fitting: Vec<&Format> = FORMATS.iter().copied().filter(|format| (format.fits)(head)).collect();
    match fitting[..] {
        [format] => Ok(format),
        [] => {
            let signs: Vec<String> =
                FORMATS.iter().map(|format| format!("\n  {:16} {}", format.name, format.sign)).collect();
            Err(format!(
                "the content is of no known format. Looked for:{}\nName it with --format if it is one of these",
                signs.concat()
            ))
        }
        _ => {
            let names: Vec<&str> = fitting.iter().map(|format| format.name).collect();
            Err(format!("the content fits several formats ({}); name one with --format", names.join(", ")))
        }
    }
}
