//! What cassandra-stress prints below `Results:`. With several numbers of threads it prints several such reports.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "cassandra-stress",
    sign: "lines such as `Op rate : 9,645 op/s [WRITE: 9,645 op/s]` and `Latency mean : 0.4 ms [WRITE: 0.4 ms]`",
    harness: "cassandra-stress",
    export: "standard output, or -log file=FILE",
    own_labels: &["Stress Settings", "Results", "Command"],
    printed_by: &["cassandra-stress"],
    keys: &[&[Key::work("threads", "number of threads of the load generator")]],
    metrics: &[
        Meaning::of("throughput", "operations per second"),
        Meaning::of("throughput-partitions", "partitions per second"),
        Meaning::of("throughput-rows", "rows per second"),
        Meaning::of("latency-mean", "time of an operation, the mean over the run"),
        Meaning::of("latency-p50", "time of an operation, the median"),
        Meaning::of("latency-p95", "time of an operation, the 95th percentile"),
        Meaning::of("latency-p99", "time of an operation, the 99th percentile"),
        Meaning::of("latency-p99.9", "time of an operation, the 99.9th percentile"),
        Meaning::of("latency-max", "longest time of an operation"),
        Meaning::of("errors", "operations that failed"),
    ],
    words: &["p rate"],
    fits: |head| {
        let has = |subject| head.has_line(|line| split(line).is_some_and(|(found, _)| found == subject));
        has("op rate").and_then(|()| has("latency median"))
    },
    read: Read::Bytes(read),
    ..Format::SUMMARY
};

/// The metrics, by the words of the report in small letters.
const FIGURES: [(&str, &str, &str); 10] = [
    ("op rate", "throughput", "1/s"),
    ("partition rate", "throughput-partitions", "1/s"),
    ("row rate", "throughput-rows", "1/s"),
    ("latency mean", "latency-mean", "s"),
    ("latency median", "latency-p50", "s"),
    ("latency 95th percentile", "latency-p95", "s"),
    ("latency 99th percentile", "latency-p99", "s"),
    ("latency 99.9th percentile", "latency-p99.9", "s"),
    ("latency max", "latency-max", "s"),
    ("total errors", "errors", "1"),
];

/// The subject of a line, in small letters, and what it says of it.
fn split(line: &str) -> Option<(String, &str)> {
    let (subject, rest) = line.split_once(" : ")?;
    Some((subject.trim().to_ascii_lowercase(), rest.trim()))
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut run = Run::default();
    let mut threads = String::new();
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if text.contains("* Stress Settings *") {
            finish(&mut run, sheet);
            sheet.next_run();
            threads.clear();
        } else if let Some(stated) = threads_of(text) {
            stated.clone_into(&mut threads);
        } else if text.trim() == "Results:" {
            finish(&mut run, sheet);
            if !threads.is_empty() {
                run.state("threads", &threads);
            }
        } else if let Some((subject, rest)) = split(text)
            && let Some((_, metric, unit)) = FIGURES.iter().find(|(known, ..)| *known == subject)
            && figures(&mut run, metric, unit, rest, line).is_none()
        {
            sheet.unreadable(line, text);
        }
    }
    finish(&mut run, sheet);
}

/// `Running WRITE with 200 threads for …` or `Running with 8 threadCount`.
fn threads_of(text: &str) -> Option<&str> {
    let rest = text.trim().strip_prefix("Running ")?;
    let rest = rest.strip_prefix("with ").or_else(|| Some(rest.split_once(" with ")?.1))?;
    let (threads, rest) = rest.split_once(' ')?;
    (rest.starts_with("thread") && grouped(threads).is_some()).then_some(threads)
}

/// All reports of a run belong to one process.
fn finish(run: &mut Run, sheet: &mut Sheet) {
    run.end(sheet);
    run.process = 0;
}

/// The number of all operations, then in brackets that of each kind: `15,156 op/s  [READ: 7,500 op/s, WRITE: 7,656 op/s]`.
/// If there is one kind, it is all operations.
fn figures(run: &mut Run, metric: &str, unit: &str, text: &str, line: u32) -> Option<()> {
    let (all, kinds) =
        text.split_once('[').map_or((text, ""), |(all, kinds)| (all, kinds.trim_end().trim_end_matches(']')));
    let kinds: Vec<(&str, &str)> = kinds.split(", ").filter_map(|kind| kind.rsplit_once(':')).collect();
    // The times of no operations.
    let is_missing = |text: &str| text.trim_start().starts_with("NaN");
    if kinds.len() != 1 && !is_missing(all) {
        run.add("all operations", metric, value(all, unit)?, line);
    }
    for (kind, text) in kinds.into_iter().filter(|(_, text)| !is_missing(text)) {
        run.add(kind.trim(), metric, value(text, unit)?, line);
    }
    Some(())
}

/// A number with groups of digits, and its unit since version 3.8. Times are in milliseconds.
fn value(text: &str, unit: &str) -> Option<f64> {
    let mut words = text.split_whitespace();
    let digits = words.next()?;
    // Rates and counts have no decimals: `9.645 op/s` is 9645 in the words of another language.
    let value = grouped(digits).filter(|_| unit == "s" || !digits.contains('.'))?;
    let stated = words.next().unwrap_or_default();
    let known = if unit == "s" {
        ["", "ms"].contains(&stated)
    } else {
        ["", "op/s", "pk/s", "row/s"].contains(&stated)
    };
    known.then_some(if unit == "s" { value / 1e3 } else { value })
}
