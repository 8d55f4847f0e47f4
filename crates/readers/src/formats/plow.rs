//! plow's JSON: the summary of a run, after snapshots of it unless they are switched off.

use super::durations::with_unit;
use super::labelled::{Part, Report};
use super::prelude::*;
use super::records::{Field, Summary};

pub static FORMAT: Format = Format {
    name: "plow",
    sign: "an object with `Summary` that holds `Elapsed` and `RPS`, and with `Statistics` and `Percentiles`",
    harness: "plow",
    export: "plow --json --summary URL > FILE",
    processes: Processes::Stated,
    metrics: METRICS,
    fits: |head| head.has_all(&["Summary.Elapsed", "Summary.RPS", "Statistics.Latency", "Percentiles"]),
    read: Read::Sheet(read),
    files: &["*.json"],
    values: Values::Aggregates,
    ..Format::PLAIN
};

pub static TEXT: Format = Format {
    name: "plow-text",
    sign: "a line `Statistics  Min  Mean  StdDev  Max` and below it `Latency Percentile:`",
    harness: "plow",
    printed_by: &["plow"],
    own_labels: &["Summary", "Latency "],
    // Its own files have no 99th percentile and no errors.
    metrics: METRICS.split_at(8).0,
    words: &["Latency Percentile:"],
    fits: |head| labelled::has_lines(head, &["Statistics Min Mean StdDev Max", "Latency Percentile:"]),
    read: Read::Report(&Report {
        parts: &[
            Part::run(
                &["Summary:"],
                &[
                    "Count <count>",
                    "RPS <throughput 1>",
                    "Reads <transfer>/s",
                    "Writes <transfer-sent>/s",
                    "2xx <responses-2xx 1>",
                    "3xx <responses-3xx 1>",
                    "4xx <responses-4xx 1>",
                    "5xx <responses-5xx 1>",
                ],
            ),
            Part::of(
                &["Statistics Min Mean StdDev Max"],
                &[
                    // That of the requests a second is of the samples of the rate.
                    "RPS *",
                    "Latency <latency-min> <latency-mean> <sd> <latency-max>",
                ],
            ),
            Part::across(&["Latency Percentile:"], "latency-p*"),
            Part::of(&["Latency Histogram:"], &[]),
        ],
        ..Report::PLAIN
    }),
    ..Format::REPORT
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
        return sheet.unanswered(1);
    }
    run.process = *process;
    *process += 1;
    run.end(sheet);
}

const METRICS: &[Meaning] = &[
    Meaning::of("throughput", "requests a second, with those that failed"),
    Meaning::of("transfer", "bytes received a second"),
    Meaning::of("transfer-sent", "bytes sent a second"),
    Meaning::of("latency-mean", "mean time of a request"),
    Meaning::of("latency-min", "shortest time of a request"),
    Meaning::of("latency-max", "longest time of a request"),
    Meaning::of("latency-p50", "median time of a request"),
    Meaning::of("responses-2xx", "responses with such a status"),
    Meaning::of("latency-p99", "99th percentile of the time of a request"),
    Meaning::of("errors", "requests without a response"),
];

/// The summary, without the times.
const SUMMARY: Summary = Summary {
    fields: &[
        Field::of("throughput", "Summary.RPS", "1/s").parse(seconds),
        Field::of("transfer", "Summary.Reads", "B/s").parse(megabytes),
        Field::of("transfer-sent", "Summary.Writes", "B/s").parse(megabytes),
        Field::of("responses-*", "Summary.Counts.*", "1"),
        Field::of("errors", "Error.*", "1").sum(|_| true),
    ],
    null_is_none: true,
    ..Summary::PLAIN
};

/// The times, which are cut to microseconds.
const TIMES: Summary = Summary {
    fields: &[
        time("latency-mean", "Statistics.Latency.Mean").summary("Statistics.Latency.StdDev", ""),
        time("latency-min", "Statistics.Latency.Min"),
        time("latency-max", "Statistics.Latency.Max"),
        time("latency-p*", "Percentiles.P*"),
    ],
    null_is_none: true,
    ..Summary::PLAIN
};

const fn time(metric: &'static str, at: &'static str) -> Field {
    Field::of(metric, at, "s").parse(seconds).zero_is_none()
}

/// Reads a report.
fn report(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<(Run, Extent)> {
    let document = document.only(&["Summary", "Error", "Statistics", "Percentiles"], sheet)?;
    let summary = |key: &str| document.get("Summary")?.get(key);
    let count = summary("Count").and_then(|count| number_of(sheet, count, 1)).unwrap_or(0.0);
    let mut run = Run { count: Some(count), ..Run::default() };
    SUMMARY.take(sheet, &mut run, "requests", &document);
    if count > 0.0 {
        TIMES.take(sheet, &mut run, "requests", &document);
    }
    let elapsed = summary("Elapsed").and_then(Value::text).and_then(seconds).unwrap_or(0.0);
    Ok((run, (elapsed, count)))
}

/// The seconds of a duration, which `--seconds` writes as a bare number.
fn seconds(text: &str) -> Option<f64> {
    go_seconds(text).or_else(|| number(text))
}

/// The bytes a second of `12.345MB/s`: its megabytes are 1,024 times 1,024 bytes.
fn megabytes(text: &str) -> Option<f64> {
    let (value, unit) = with_unit(text.strip_suffix("/s")?)?;
    (unit == "MB").then_some(value * 1024.0 * 1024.0)
}
