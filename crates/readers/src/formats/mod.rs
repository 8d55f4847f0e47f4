//! The formats, one module each, and the detection of a file's format by its content.

pub mod asv;
pub mod bench_bitcoin;
pub mod benchmarkdotnet;
pub mod benchmarktools;
pub mod benchstat;
pub mod catch2;
pub mod criterion;
pub mod criterion_text;
mod csv_rows;
mod detection;
pub mod divan;
mod format;
pub mod go;
pub mod go_json;
mod go_lines;
mod go_settings;
mod go_units;
mod go_words;
pub mod google_benchmark;
pub mod google_benchmark_csv;
mod google_benchmark_summaries;
pub mod gungraun;
mod head;
pub mod hyperfine;
pub mod hyperfine_2;
pub mod hyperfine_csv;
pub mod jmh;
pub mod jmh_csv;
mod jmh_units;
mod json;
mod json_parser;
mod json_span;
mod json_tokens;
mod json_value;
pub mod ledger_csv;
mod ledger_fields;
pub mod ledger_json;
mod lines;
pub mod mitata;
pub mod nanobench;
mod outline;
mod parameters;
pub mod perf_stat;
pub mod phpbench;
pub mod pyperf;
pub mod pytest_benchmark;
pub mod sandmark_layout;
pub mod sandmark_orun;
pub mod sandmark_pausetimes;
pub mod sandmark_perfstat;
mod scattered;
pub mod statera_run;
mod statera_run_looks;
pub(crate) mod statera_run_manifest;
mod statera_run_outputs;
mod statera_run_samples;
mod table_cells;
mod table_columns;
mod table_headers;
mod table_keys;
mod table_mapping;
pub mod table_ndjson;
mod table_ndjson_keys;
pub mod table_numbers;
mod table_outcomes;
pub mod table_parquet;
mod table_question;
mod table_rows;
pub mod table_text;
mod table_units;
mod table_words;
pub mod text_results;
pub mod tinybench;
mod xml;

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
    &go_json::FORMAT,
    &bench_bitcoin::FORMAT,
    &nanobench::JSON,
    &nanobench::CSV,
    &hyperfine::FORMAT,
    &google_benchmark::FORMAT,
    &google_benchmark_csv::FORMAT,
    &google_benchmark::TEXT,
    &pyperf::FORMAT,
    &jmh::FORMAT,
    &jmh_csv::FORMAT,
    &jmh_csv::TEXT,
    &pytest_benchmark::FORMAT,
    &criterion::FORMAT,
    &criterion_text::FORMAT,
    &benchmarkdotnet::FORMAT,
    &benchmarkdotnet::CSV,
    &tinybench::TASKS,
    &gungraun::JSON,
    &gungraun::TEXT,
    &perf_stat::HUMAN,
    &perf_stat::FIELDS,
    &perf_stat::JSON,
    &nanobench::TEXT,
    &asv::FORMAT,
    &catch2::FORMAT,
    &phpbench::FORMAT,
    &catch2::TEXT,
    &divan::FORMAT,
    &benchmarktools::FORMAT,
    &benchstat::FORMAT,
    &benchstat::TEXT,
    &tinybench::VITEST,
    &mitata::FORMAT,
    &text_results::BENCHMARK_JS,
    &text_results::LIBTEST,
    &text_results::BENCHMARK_IPS,
    &hyperfine::TEXT,
    &hyperfine_2::FORMAT,
    &hyperfine_csv::FORMAT,
    &sandmark_orun::FORMAT,
    &sandmark_pausetimes::FORMAT,
    &sandmark_perfstat::FORMAT,
    &sandmark_layout::CONFIG,
    &ledger_csv::FORMAT,
    &ledger_json::FORMAT,
    &statera_run::FORMAT,
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
