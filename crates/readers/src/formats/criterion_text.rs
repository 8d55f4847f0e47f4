//! What Criterion.rs prints: an estimate with its interval for each benchmark.

use super::cargo_programs;
use super::cargo_programs::Programs;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "criterion-text",
    sign: "lines such as `NAME  time:   [1.2 ns 1.3 ns 1.4 ns]`",
    harness: "Criterion.rs",
    export: "standard output of cargo bench",
    printed_by: &["cargo"],
    keys: &[cargo_programs::KEYS],
    metrics: &[Meaning::of("time", "time of one iteration, as estimated over all samples")],
    words: &["time:"],
    fits: |head| head.has_line(|line| estimate(line).is_some()),
    read: Read::Bytes(read),
    ..Format::REPORT
};

/// The text before `time:` and what is in brackets after it. The lines of a change have per cents there.
fn estimate(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.rsplit_once("time:")?;
    let inner = rest.trim().strip_prefix('[')?.split_once(']')?.0;
    let words: Vec<&str> = inner.split_whitespace().collect();
    (words.len() == 6 && !inner.contains('%')).then_some((name.trim(), inner))
}

/// The name of a benchmark without the progress that a terminal erases and a file keeps: `a/b` of
/// `Benchmarking a/b: Collecting 100 samples in estimated 5.0 s (1M itea/b`.
fn without_progress(text: &str) -> &str {
    let text = text.rsplit('\r').next().unwrap_or(text).trim();
    let Some(rest) = text.strip_prefix("Benchmarking ") else { return text };
    let at = [": Collecting ", ": Warming up ", ": Analyzing"].into_iter().find_map(|word| rest.find(word));
    at.map(|at| &rest[..at]).filter(|name| rest.ends_with(name)).unwrap_or(text)
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let (mut programs, mut above, mut results) = (Programs::default(), "", Vec::new());
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        programs.line(text);
        if let Some((benchmark, inner)) = estimate(text) {
            // A long name has a line of its own. In a comment a mark stands before both.
            let is_named = benchmark.contains(|letter: char| letter.is_alphanumeric());
            let benchmark = without_progress(if is_named { benchmark } else { above });
            results.push((programs.now, benchmark, inner, line));
        }
        above = text.trim();
    }
    let shared = cargo_programs::shared(results.iter().map(|found| (found.0, found.1)));
    for (program, benchmark, inner, line) in results {
        let words: Vec<&str> = inner.split_whitespace().collect();
        let unit = meaning(words[3]);
        let value = sheet.number(words[2].as_bytes(), line);
        let Some(value) = value.filter(|_| unit.quantity == Quantity::Time && !benchmark.is_empty()) else {
            sheet.no_row(line, inner);
            continue;
        };
        sheet.set_context(&cargo_programs::context(&shared, program, benchmark));
        let (value, aggregate) = (unit.scale.apply(value), Some(Aggregate::default()));
        let row = Measurement { benchmark, metric, value, line, aggregate, ..ROW };
        sheet.push(Measurement { process: program.process, ..row });
    }
}
