//! plow's JSON: the summary of a run, after snapshots of it unless they are switched off.

use super::durations::with_unit;
use super::labelled::{Part, Report, Take, What};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "plow",
    sign: "an object with `Summary` that holds `Elapsed` and `RPS`, and with `Statistics` and `Percentiles`",
    harness: "plow",
    export: "plow --json --summary URL > FILE",
    files: &["*.json"],
    values: Values::Aggregates,
    processes: Processes::Stated,
    metrics: &[
        Meaning::of("throughput", "requests a second, with those that failed"),
        Meaning::of("transfer", "bytes received a second"),
        Meaning::of("transfer-sent", "bytes sent a second"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-min", "shortest time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("latency-p50", "median time of a request"),
        Meaning::of("latency-p99", "99th percentile of the time of a request"),
        Meaning::of("errors", "requests without a response"),
        Meaning::of("responses-2xx", "responses with such a status"),
    ],
    fits: |head| head.has_all(&["Summary.Elapsed", "Summary.RPS", "Statistics.Latency", "Percentiles"]),
    read: Read::Sheet(read),
    ..Format::PLAIN
};

pub static TEXT: Format = Format {
    name: "plow-text",
    sign: "a line `Statistics  Min  Mean  StdDev  Max` and below it `Latency Percentile:`",
    harness: "plow",
    printed_by: &["plow"],
    own_labels: &["Summary", "Latency "],
    metrics: &[
        Meaning::of("throughput", "requests a second, with those that failed"),
        Meaning::of("transfer", "bytes received a second"),
        Meaning::of("transfer-sent", "bytes sent a second"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-min", "shortest time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("latency-p50", "median time of a request"),
        Meaning::of("responses-2xx", "responses with such a status"),
    ],
    words: &["Latency Percentile:"],
    fits: |head| labelled::has_lines(head, &["Statistics Min Mean StdDev Max", "Latency Percentile:"]),
    read: Read::Report(&Report {
        parts: &[
            Part {
                begins: &["Summary:"],
                what: What::Run,
                lines: &[
                    ("Count *", &[Take::Count]),
                    ("RPS *", &[Take::Figure("throughput", "1")]),
                    ("Reads */s", &[Take::Figure("transfer", "")]),
                    ("Writes */s", &[Take::Figure("transfer-sent", "")]),
                    ("2xx *", &[Take::Figure("responses-2xx", "1")]),
                    ("3xx *", &[Take::Figure("responses-3xx", "1")]),
                    ("4xx *", &[Take::Figure("responses-4xx", "1")]),
                    ("5xx *", &[Take::Figure("responses-5xx", "1")]),
                ],
                ..Part::PLAIN
            },
            Part {
                begins: &["Statistics Min Mean StdDev Max"],
                lines: &[
                    // That of the requests a second is of the samples of the rate.
                    ("RPS *", &[Take::Skip]),
                    (
                        "Latency * * * *",
                        &[
                            Take::Figure("latency-min", ""),
                            Take::Figure("latency-mean", ""),
                            Take::Deviation(""),
                            Take::Figure("latency-max", ""),
                        ],
                    ),
                ],
                ..Part::PLAIN
            },
            Part { begins: &["Latency Percentile:"], across: "latency-p*", ..Part::PLAIN },
            Part { begins: &["Latency Histogram:"], ..Part::PLAIN },
        ],
        ..Report::PLAIN
    }),
    ..REPORT
};

/// The time and the number of requests of a report.
type Extent = (f64, f64);

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let (mut last, mut process) = (None::<(Run, Extent)>, 0);
    for document in Document::all(&bytes, content, sheet)? {
        let (run, extent) = report(sheet, &document)?;
        if let Some((before, shorter)) = last.replace((run, extent)) {
            // A snapshot of the same run has less of both.
            if shorter.0 < extent.0 && shorter.1 < extent.1 {
                sheet.dropped(before.figures.len());
            } else {
                settle(sheet, before, &mut process);
            }
        }
    }
    if let Some((run, _)) = last {
        settle(sheet, run, &mut process);
    }
    Ok(())
}

fn settle(sheet: &mut Sheet, mut run: Run, process: &mut u32) {
    if run.count == Some(0.0) {
        return sheet.problem(Code::NoResults, 1, "no request was made", "does the server run?");
    }
    run.process = *process;
    *process += 1;
    run.end(sheet);
}

/// Reads a report.
fn report(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<(Run, Extent)> {
    let summary = document.value("Summary", sheet)?;
    let errors = document.value("Error", sheet)?;
    let mut run = Run::default();
    let mut count = 0.0;
    if let Some(summary) = summary.object() {
        count = summary.get("Count").and_then(|count| number_of(sheet, count, summary.line)).unwrap_or(0.0);
        put(sheet, &mut run, summary, "RPS", "throughput");
        put(sheet, &mut run, summary, "Reads", "transfer");
        put(sheet, &mut run, summary, "Writes", "transfer-sent");
        let classes = summary.get("Counts").and_then(Value::object);
        for (class, classes) in
            classes.into_iter().flat_map(|all| all.iter().map(move |(class, _)| (class, all)))
        {
            put(sheet, &mut run, classes, class, &format!("responses-{class}"));
        }
    }
    if let Some(errors) = errors.object() {
        let sum: Option<f64> = errors.iter().map(|(_, count)| number_of(sheet, count, errors.line)).sum();
        if let Some(sum) = sum {
            run.add(REQUESTS, "errors", sum, errors.line);
        }
    }
    run.count = Some(count);
    let elapsed = summary.get("Elapsed").and_then(Value::text).and_then(seconds).unwrap_or(0.0);
    if count > 0.0 {
        times(sheet, &mut run, document)?;
    }
    Ok((run, (elapsed, count)))
}

const REQUESTS: &str = "requests";

fn times(sheet: &mut Sheet, run: &mut Run, document: &Document<'_>) -> io::Result<()> {
    let statistics = document.value("Statistics", sheet)?;
    if let Some(latency) = statistics.get("Latency").and_then(Value::object) {
        put(sheet, run, latency, "Mean", "latency-mean");
        if let Some(mean) = run.figures.last_mut().filter(|figure| figure.name == "latency-mean") {
            mean.aggregate.deviation = latency.get("StdDev").and_then(Value::text).and_then(seconds);
        }
        put(sheet, run, latency, "Min", "latency-min");
        put(sheet, run, latency, "Max", "latency-max");
    }
    let levels = document.value("Percentiles", sheet)?;
    if let Some(levels) = levels.object() {
        for (level, _) in levels.iter() {
            if let Some(name) = level.strip_prefix('P').and_then(|digits| percentile("latency", digits)) {
                put(sheet, run, levels, level, &name);
            }
        }
    }
    Ok(())
}

/// Adds a field of an object, where it has it: a number, a time or a speed.
fn put(sheet: &mut Sheet, run: &mut Run, object: &Object<'_>, field: &str, name: &str) {
    let Some(found) = object.get(field) else { return };
    let line = object.line_of(field);
    let value = match found.text() {
        Some(text) if name.starts_with("transfer") => megabytes(text),
        Some(text) => seconds(text),
        None => number_of(sheet, found, line),
    };
    match value {
        // Times are cut to microseconds.
        Some(0.0) if name.starts_with("latency") => sheet.dropped(1),
        Some(value) => run.add(REQUESTS, name, value, line),
        None => unreadable(sheet, &format!("{field}: {}", plain(found)), line),
    }
}

/// The seconds of a duration, which `--seconds` writes as a bare number.
fn seconds(text: &str) -> Option<f64> {
    go_seconds(text).or_else(|| number(text.as_bytes()))
}

/// The bytes a second of `12.345MB/s`: its megabytes are 1,024 times 1,024 bytes.
fn megabytes(text: &str) -> Option<f64> {
    let (value, unit) = with_unit(text.strip_suffix("/s")?)?;
    (unit == "MB").then_some(value * 1024.0 * 1024.0)
}
