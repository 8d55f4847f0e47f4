//! Shared code of the fuzz targets.

use std::path::{Path, PathBuf};

use statera_readers::export::{self, Kind};
use statera_readers::formats::tables::{ndjson, text};
use statera_readers::formats::{Format, Head};
use statera_readers::source::Content;
use statera_readers::{NONE, Observations, Options, Source};

/// The folders of cases, one for each format; they hold the first inputs of the fuzzer.
#[must_use]
pub fn cases() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|folder| folder.join("fuzz").is_dir());
    root.expect("the folder of the project").join("tests/formats/cases")
}

/// Reads the bytes as a file of the format, at this path, and checks the result. Tables are also read with a mapping
/// of columns, and written and read back.
///
/// # Panics
/// If an invariant of the readers is broken; that is the purpose.
pub fn examine(format: &Format, path: &Path, bytes: &[u8]) {
    read_as(format, path, bytes, &[]);
    if format.harness == "a table of your own" {
        read_as(format, path, bytes, &[("benchmark", "case"), ("value", "t"), ("variant", "v")]);
    }
    if matches!(format.name, "csv" | "ndjson") {
        round_trip(format, bytes);
    }
}

fn read_as(format: &Format, path: &Path, bytes: &[u8], columns: &[(&str, &str)]) {
    let columns = columns.iter().map(|&(role, column)| (role.to_owned(), column.to_owned())).collect();
    if let Some(all) = observations(format, path, bytes, &Options { columns, ..Options::default() }) {
        check(&all);
    }
}

/// Checks that whatever could be read is written in all formats and reads back to the same values, names and
/// blocks.
fn round_trip(format: &Format, bytes: &[u8]) {
    let path = Path::new("t");
    let Some(all) = observations(format, path, bytes, &Options::default()) else { return };
    for (kind, format) in [(Kind::Csv, &text::CSV), (Kind::Ndjson, &ndjson::FORMAT)] {
        let mut written = Vec::new();
        export::write_to(&all, &|_| None, &mut written, kind).expect("memory takes everything");
        if all.is_empty() {
            continue;
        }
        let back =
            observations(format, path, &written, &Options::default()).expect("it was written to be read");
        check(&back);
        assert_eq!(back.len(), all.len());
        assert_eq!(bits(&back.weight), bits(&all.weight));
        assert_eq!(bits(&back.deviation), bits(&all.deviation));
        for row in 0..all.len() {
            assert_eq!(back.value[row].to_bits(), all.value[row].to_bits());
            assert_eq!(name(&back, row), name(&all, row));
            assert_eq!(context(&back, row, kind), context(&all, row, kind));
        }
    }
}

/// Reads a run whose manifest, journal and output of the first invocation stand one after another, with a zero byte
/// between them.
///
/// # Panics
/// If an invariant of the readers is broken, or if the run cannot be written to a temporary folder.
pub fn read_run(bytes: &[u8]) {
    let folder = std::env::temp_dir().join(format!("statera-fuzz-run-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("raw")).expect("a temporary folder");
    let mut parts = bytes.splitn(3, |&byte| byte == 0);
    for file in ["manifest.json", "journal.ndjson", "raw/000001.txt"] {
        std::fs::write(folder.join(file), parts.next().unwrap_or_default()).expect("a temporary file");
    }
    if let Ok(all) = statera_readers::read(std::slice::from_ref(&folder), &Options::default()) {
        check(&all);
    }
    std::fs::remove_dir_all(&folder).expect("the temporary folder");
}

/// The numbers of a column, so that NaN equals itself.
fn bits(column: &[f64]) -> Vec<u64> {
    column.iter().map(|number| number.to_bits()).collect()
}

fn name(all: &Observations, row: usize) -> (&str, &str, &str) {
    let metric = &all.metrics[all.metric[row] as usize];
    (all.benchmarks.get(all.benchmark[row]), &metric.name, &metric.unit)
}

/// The configuration of a row, sorted; an empty cell of a CSV file is a missing value.
fn context(all: &Observations, row: usize, kind: Kind) -> Vec<(String, String)> {
    let mut context = all.contexts.to_context(all.context[row] as usize);
    context.retain(|(_, value)| kind != Kind::Csv || !value.is_empty());
    context.sort();
    context
}

fn observations(format: &Format, path: &Path, bytes: &[u8], options: &Options) -> Option<Observations> {
    let content = Content::from_bytes(bytes).ok()?;
    let _ = (format.fits)(&Head::new(&content.head));
    let sheets = format.sheets("file", path, &content, options).ok()?;
    let source = Source { name: "file".to_owned(), argument: 0, format: format.name, values: 0 };
    Observations::join(vec![(source, sheets)], &options.limits).ok()
}

/// Checks that columns have equal lengths, that numbers refer to something, and that values are finite.
///
/// # Panics
/// If one of these does not hold.
pub fn check(all: &Observations) {
    let n = all.len();
    for (name, length) in [
        ("benchmark", all.benchmark.len()),
        ("metric", all.metric.len()),
        ("context", all.context.len()),
        ("line", all.line.len()),
    ] {
        assert_eq!(length, n, "column {name}");
    }
    for (name, length) in [("block", all.block.len()), ("process", all.process.len())] {
        assert!(length == n || length == 0, "column {name} has {length} of {n}");
    }
    assert!(all.value.iter().all(|value| value.is_finite()));
    assert_eq!(all.weight.len(), all.deviation.len());
    assert!(all.weight.len() == n || all.weight.is_empty());
    assert!(all.weight.iter().all(|weight| weight.is_nan() || *weight >= 1.0 && weight.is_finite()));
    assert!(all.deviation.iter().all(|deviation| deviation.is_nan() || *deviation >= 0.0));
    within("benchmark", &all.benchmark, all.benchmarks.len());
    within("metric", &all.metric, all.metrics.len());
    within("context", &all.context, all.contexts.len());
    let blocks: Vec<u32> = all.block.iter().copied().filter(|&block| block != NONE).collect();
    within("block", &blocks, all.blocks.len());
    assert_eq!(all.contexts.len(), all.context_source.len());
    for row in 0..n {
        let source = all.context_source[all.context[row] as usize];
        assert!(!all.sources[source as usize].name.is_empty());
        let metric = &all.metrics[all.metric[row] as usize];
        assert!(all.value[row] >= 0.0 || metric.may_be_negative(), "{metric:?}");
    }
}

fn within(column: &str, ids: &[u32], count: usize) {
    assert!(ids.iter().all(|&id| (id as usize) < count), "column {column} points at nothing");
}
