//! The formats, one module each, and the detection of a file's format by its content.

pub mod bench_bitcoin;
pub mod criterion;
mod format;
pub mod go;
mod go_lines;
mod go_settings;
mod go_units;
mod go_words;
pub mod google_benchmark;
pub mod google_benchmark_csv;
pub mod hyperfine;
pub mod jmh;
mod jmh_units;
mod json;
mod json_parser;
mod json_value;
pub mod ledger_csv;
mod ledger_fields;
pub mod ledger_json;
mod lines;
pub mod nanobench;
mod parameters;
pub mod pyperf;
pub mod pytest_benchmark;
pub mod sandmark_layout;
pub mod sandmark_orun;
pub mod sandmark_pausetimes;
pub mod sandmark_perfstat;
mod scattered;
mod table_columns;
mod table_keys;
pub mod table_ndjson;
pub mod table_parquet;
mod table_rows;
pub mod table_text;
mod table_units;

pub use format::{Format, Key, Meaning, Pooling, Processes, Read, Role, Values};
pub use sandmark_layout::is_log;
pub(crate) use table_columns::column_of_key;
pub use table_text::table_kind;
pub(crate) use table_units::better as unit_better;

use crate::Failure;

/// All formats. Their signs exclude each other; a file that fits two is an error.
pub static FORMATS: &[&Format] = &[
    &go::FORMAT,
    &bench_bitcoin::FORMAT,
    &nanobench::JSON,
    &nanobench::CSV,
    &hyperfine::FORMAT,
    &google_benchmark::FORMAT,
    &google_benchmark_csv::FORMAT,
    &pyperf::FORMAT,
    &jmh::FORMAT,
    &pytest_benchmark::FORMAT,
    &criterion::FORMAT,
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

/// Returns the only format that fits the beginning of a file.
///
/// # Errors
/// A message that lists the signs of all formats, or the formats that fit.
pub fn detect(head: &[u8]) -> Result<&'static Format, String> {
    let fitting: Vec<&Format> = FORMATS.iter().copied().filter(|format| (format.fits)(head)).collect();
    match fitting[..] {
        [format] => Ok(format),
        [] => {
            let looked_for =
                |format: &&Format| format!("\n  {:19} {}: {}", format.name, format.written_by(), format.sign);
            let signs: String = FORMATS.iter().map(looked_for).collect();
            Err(format!(
                "the content is of no known format. Looked for:{signs}\nName it with --format if it is one of these"
            ))
        }
        _ => {
            let names: Vec<&str> = fitting.iter().map(|format| format.name).collect();
            Err(format!("the content fits several formats ({}); name one with --format", names.join(", ")))
        }
    }
}
