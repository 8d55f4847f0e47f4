//! Several exports of one run in a folder, such as `bench.json`, `bench.csv` and `bench.txt`: as runs of their own they
//! would show a spread that nobody measured. The one with most about the run is read, the others accompany it.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::files::Found;
use crate::formats::FORMATS;
use crate::formats::format::{Format, Values};
use crate::observations::Source;
use crate::problem::Code;
use crate::sheet::Sheet;

/// The harnesses that write several exports in one run, or from one. Others (Go, perf) write one: two files are two runs.
const AT_ONCE: [&str; 26] = [
    "BenchmarkDotNet",
    "Catch2",
    "Criterion.rs",
    "Gatling",
    "Google Benchmark",
    "JMH",
    "JMeter",
    "Locust",
    "PHPBench",
    "ab",
    "benchstat",
    "criterion for Haskell",
    "cyclictest",
    "fio",
    "hyperfine",
    "k6",
    "llama-bench",
    "memtier_benchmark",
    "nanobench",
    "pgbench",
    "pyperf",
    "pytest-benchmark",
    "siege",
    "stress-ng",
    "tasty-bench",
    "vegeta",
];

/// What was read from one file.
type File = (Source, Vec<Sheet>);

/// Sets aside the files of folders and patterns that export the run of another one: they lie in its folder, have its name
/// with another ending and come from its harness in another format.
pub(crate) fn set_aside(files: &[(usize, Found)], read: &mut [File]) {
    let mut together: HashMap<_, Vec<usize>> = HashMap::new();
    for (number, (argument, found)) in files.iter().enumerate().filter(|(_, (_, found))| !found.outright) {
        if let Some(format) = format_of(&read[number].0).filter(|format| AT_ONCE.contains(&format.harness)) {
            let key = (*argument, found.path.parent(), stem(&found.path, format.harness), format.harness);
            together.entry(key).or_default().push(number);
        }
    }
    for numbers in together.into_values().filter(|numbers| numbers.len() > 1) {
        let Some(&best) = numbers.iter().max_by_key(|&&number| worth(&read[number])) else { continue };
        let name = read[best].0.name.clone();
        let held = benchmarks(&read[best].1);
        for number in numbers.into_iter().filter(|&number| number != best && !held.is_empty()) {
            let is_of_run = format_of(&read[number].0).is_some_and(|format| !cuts(format.harness).is_empty());
            let is_other = is_of_run
                || format_of(&read[number].0).map(|format| format.name) != Some(read[best].0.format);
            let is_text = format_of(&read[number].0).is_some_and(|format| !format.has_results());
            // A file of the run that is cut or empty stays a problem of its own.
            let own = benchmarks(&read[number].1);
            // The names of a benchmark with a description differ, but those of the files say that they are of one run.
            let is_same = !held.is_disjoint(&own) || (is_of_run && !own.is_empty());
            if is_other && (is_text || is_same) {
                let mut sheet = Sheet::new(&read[number].0.name);
                sheet.problem(
                    Code::Companion,
                    0,
                    format!("another export of the run in {name}, which is read"),
                    "",
                );
                read[number].1 = vec![sheet];
            }
        }
    }
}

fn format_of(source: &Source) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.name == source.format)
}

/// The texts before which the name of a run ends in those of its exports, if a harness adds a word to each.
fn cuts(harness: &str) -> &'static [&'static str] {
    if harness == "BenchmarkDotNet" { &["-report", "-measurements"] } else { &[] }
}

/// The name of a file without its ending and that of a compressed file.
fn stem<'a>(path: &'a Path, harness: &str) -> &'a str {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if let Some((stem, _)) = cuts(harness).iter().find_map(|cut| name.rsplit_once(cut)) {
        return stem;
    }
    let name = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// How much a file says about its run: samples before summaries, then the number of values, then what it states beside.
fn worth((source, sheets): &File) -> (u8, usize, usize) {
    let format = format_of(source);
    let kind = match format.map(|format| format.values) {
        Some(Values::Samples) => 3,
        Some(Values::Averages) => 2,
        Some(Values::Aggregates) => 1,
        _ => 0,
    };
    let values = sheets.iter().map(|sheet| sheet.value.len()).sum();
    (kind, values, format.map_or(0, |format| format.keys().count()))
}

fn benchmarks(sheets: &[Sheet]) -> HashSet<String> {
    sheets.iter().flat_map(|sheet| sheet.benchmarks.iter()).map(ToString::to_string).collect()
}
