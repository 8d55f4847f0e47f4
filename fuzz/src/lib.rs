//! Shared code of the fuzz targets.

use std::path::Path;

use statera_readers::export::{self, Kind};
use statera_readers::source::Content;
use statera_readers::{NONE, Observations, Options, Source, formats};

/// Reads the bytes as the named format and checks the result.
///
/// # Panics
/// If an invariant of the readers is broken; that is the purpose.
pub fn read_as(format: &str, file: &str, bytes: &[u8]) {
    if let Some(all) = observations(format, file, bytes, &Options::default()) {
        check(&all);
    }
}

/// Like [`read_as`], with columns that the corpus has mapped to roles.
///
/// # Panics
/// If an invariant of the readers is broken.
pub fn read_mapped(format: &str, file: &str, bytes: &[u8]) {
    let roles = [("benchmark", "case"), ("value", "t"), ("variant", "v")];
    let columns = roles.map(|(role, column)| (role.to_owned(), column.to_owned())).to_vec();
    if let Some(all) = observations(format, file, bytes, &Options { columns, ..Options::default() }) {
        check(&all);
    }
}

/// Checks that whatever could be read is written in all formats and reads back to the same values, names and
/// blocks.
///
/// # Panics
/// If it does not.
pub fn round_trip(format: &str, bytes: &[u8]) {
    let Some(all) = observations(format, "t", bytes, &Options::default()) else { return };
    for (kind, format) in [(Kind::Csv, "csv"), (Kind::Ndjson, "ndjson")] {
        let mut written = Vec::new();
        export::write_to(&all, &|_| None, &mut written, kind).expect("memory takes everything");
        if all.is_empty() {
            continue;
        }
        let back =
            observations(format, "t", &written, &Options::default()).expect("it was written to be read");
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

fn observations(format: &str, file: &str, bytes: &[u8], options: &Options) -> Option<Observations> {
    let format = formats::by_name(format).expect("the format is registered");
    let content = Content::from_bytes(bytes).ok()?;
    let _ = (format.fits)(&formats::Head::new(&content.head));
    let sheets = (format.read)(file, Path::new(file), &content, options).ok()?;
    let source = Source { name: file.to_owned(), argument: 0, format: format.name, values: 0 };
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
