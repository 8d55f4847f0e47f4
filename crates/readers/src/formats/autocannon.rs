//! autocannon's JSON: the summary of a run.

use super::labelled::{Part, Report};
use super::prelude::*;
use super::records::{Field, Summary};

pub static FORMAT: Format = Format {
    name: "autocannon",
    sign: "an object with `pipelining`, `non2xx`, and `latency`, `requests` and `throughput` with `p97_5`, or before version 3 with `latency` that has `p999`",
    harness: "autocannon",
    export: "autocannon --json URL > FILE",
    processes: Processes::Stated,
    keys: &[&[
        Key::date("start of the run"),
        Key::work("connections", "open connections"),
        Key::work("pipelining", "requests in flight on each connection"),
        Key::work("workers", "number of threads of the load generator, where asked for"),
    ]],
    metrics: METRICS,
    fits: |head| {
        head.has_all_of(&[
            &["pipelining", "non2xx", "latency.p97_5", "requests.p97_5", "throughput.p97_5"],
            &["pipelining", "non2xx", "latency.p999", "requests.sent", "throughput.total"],
        ])
    },
    read: Read::Sheet(read),
    files: &["*.json"],
    values: Values::Aggregates,
    ..Format::PLAIN
};

pub static TEXT: Format = Format {
    name: "autocannon-text",
    sign: "a table with `Stat`, `2.5%`, `50%`, `97.5%` and a row `Latency`, or with `Stat` and a row `Latency (ms)`",
    harness: "autocannon",
    printed_by: &["autocannon"],
    keys: &[&[Key::work("connections", "open connections")]],
    // It counts no responses.
    metrics: METRICS.split_at(6).0,
    words: &["2.5%", "Latency (ms)"],
    fits: |head| No::unless(has_table(head), "it has no such table"),
    read: Read::Report(&Report {
        parts: &[Part::run(
            // People leave the lines above the table out.
            &[
                "Running * test @ *",
                "│ Stat │ 2.5% │ 50% │ 97.5% │ 99% │ Avg │ Stdev │ Max │",
                "Stat Avg Stdev Max",
            ],
            &[
                "<=connections> connections",
                "│ Latency │ <latency-p2.5> │ <latency-p50> │ <latency-p97.5> │ <latency-p99> │ <latency-mean> │ <sd> │ <latency-max> │",
                "│ Req/Sec │ * │ * │ * │ * │ <throughput 1> │ * │ * │",
                "│ Bytes/Sec │ * │ * │ * │ * │ <transfer> │ * │ * │",
                // Before version 2 the table had no lines.
                "Latency (ms) <latency-mean ms> <sd ms> <latency-max ms>",
                "Req/Sec <throughput 1> * *",
                "Bytes/Sec * *B *",
            ],
        )],
        ..Report::PLAIN
    }),
    ..Format::REPORT
};

const METRICS: &[Meaning] = &[
    Meaning::of("throughput", "requests a second, the mean over the intervals of the run"),
    Meaning::of("transfer", "bytes received a second, the mean over the intervals of the run"),
    Meaning::of("latency-mean", "mean time of a request"),
    Meaning::of("latency-max", "longest time of a request"),
    Meaning::of("latency-p50", "median time of a request, in whole milliseconds"),
    Meaning::of("latency-p99", "99th percentile of the time of a request"),
    Meaning::of("errors", "errors of connections, with requests that took too long"),
    Meaning::of("errors-status", "responses with another status than 2xx"),
    Meaning::of("responses-200", "responses with this status"),
];

/// Whether there is a table of latencies.
fn has_table(head: &Head<'_>) -> bool {
    let row = |line: &[u8], words: &[&str]| {
        let text = String::from_utf8_lossy(line);
        let mut cells = text.split('\u{2502}').map(str::trim).filter(|cell| !cell.is_empty());
        words.iter().all(|word| cells.next() == Some(*word))
    };
    let has = |words: &[&str]| head.lines().any(|line| row(line, words));
    let has_begin = |begin: &[u8]| head.lines().any(|line| line.starts_with(begin));
    // Before version 2 it had no lines.
    has(&["Stat", "2.5%", "50%", "97.5%"]) && has(&["Latency"])
        || has_begin(b"Stat  ") && has_begin(b"Latency (ms)")
}

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let documents = Document::all(&bytes, content, sheet)?;
    let mut run = Run::default();
    for (nth, document) in documents.iter().enumerate() {
        // `--warmup` writes two documents; the second has the first once more.
        if documents.get(nth + 1).is_some_and(|next| next.get("warmup").is_some()) {
            sheet.dropped(1);
        } else {
            read_run(sheet, &mut run, document)?;
        }
    }
    Ok(())
}

/// The figures of a run. Only the mean of the latencies has fractions of a millisecond.
const SUMMARY: Summary = Summary {
    fields: &[
        Field::of("throughput", "requests.average", "1/s"),
        Field::of("transfer", "throughput.average", "B/s"),
        Field::of("errors", "errors", "1"),
        Field::of("errors-status", "non2xx", "1"),
        Field::of("responses-*", "statusCodeStats.*.count", "1"),
        Field::of("latency-mean", "latency.average", "ms").summary("latency.stddev", "").zero_is_none(),
        Field::of("latency-max", "latency.max", "ms").zero_is_none(),
        Field::of("latency-min", "latency.min", "ms").zero_is_none(),
        Field::of("latency-p*", "latency.p*", "ms").zero_is_none(),
    ],
    level,
    ..Summary::PLAIN
};

/// What is read beside the values of [`SUMMARY`].
const ABOUT: [&str; 7] = ["title", "url", "start", "connections", "pipelining", "workers", "sampleInt"];

fn read_run(sheet: &mut Sheet, run: &mut Run, document: &Document<'_>) -> io::Result<()> {
    let figures = ["requests", "throughput", "errors", "non2xx", "statusCodeStats", "latency"];
    let document = document.only(&[&ABOUT[..], &figures].concat(), sheet)?;
    let text = |key: &str| document.text_of(key);
    if let Some(date) = text("start") {
        run.state("date", date);
    }
    for key in ["connections", "pipelining", "workers"] {
        let value = plain(document.get(key).unwrap_or(&Value::Null));
        if key != "workers" || !matches!(&*value, "0" | "null") {
            run.state(key, &value);
        }
    }
    SUMMARY.take(sheet, run, text("title").or(text("url")).unwrap_or("requests"), &document);
    // Both are counted in intervals of `sampleInt` milliseconds; old versions had none but a second.
    let mut number = |value: Option<&Value<'_>>| number_of(sheet, value?, 1);
    let interval = number(document.get("sampleInt")).filter(|&interval| interval > 0.0).unwrap_or(1e3);
    for figure in run.figures.iter_mut().filter(|one| matches!(&*one.name, "throughput" | "transfer")) {
        figure.value /= interval / 1e3;
    }
    run.count = number(document.get("latency").and_then(|latency| latency.get("totalCount")));
    run.end(sheet);
    Ok(())
}

/// The level of a percentile from its digits: `97_5` is 97.5. Before version 3 they have no point: `999` is 99.9.
fn level(digits: &str) -> Option<String> {
    match digits.strip_prefix("99") {
        Some(decimals) if !decimals.is_empty() && decimals.bytes().all(|digit| digit == b'9') => {
            Some(format!("99.{decimals}"))
        }
        _ if digits.starts_with(|first: char| first.is_ascii_digit()) => Some(digits.replace('_', ".")),
        _ => None,
    }
}
