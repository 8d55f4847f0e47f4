//! oha's JSON: the summary of a run.

use super::labelled::{Part, Report, Take, What};
use super::load_metrics::push_row;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "oha",
    sign: "an object with `summary` that holds `requestsPerSec`, and with `latencyPercentiles`",
    harness: "oha",
    export: "oha --output-format json URL (before version 1.9: oha --json)",
    files: &["*.json"],
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    metrics: &[
        Meaning::of("throughput", "requests a second"),
        Meaning::of("transfer", "bytes received a second"),
        Meaning::of("success-rate", "share of the requests that got a response"),
        Meaning::of("errors", "requests without a response"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-min", "shortest time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("latency-p50", "median time of a request"),
        Meaning::of("latency-p99", "99th percentile of the time of a request"),
        Meaning::of("first-byte-p50", "median time to the first byte of a response"),
        Meaning::of("responses-200", "responses with this status"),
    ],
    fits: |head| head.has_all(&["summary.requestsPerSec", "latencyPercentiles", "statusCodeDistribution"]),
    read: Read::Document(read),
    ..Format::PLAIN
};

/// The CSV, with a row for each request.
pub static CSV: Format = Format {
    name: "oha-csv",
    sign: "a header `request-start,DNS,DNS+dialup,Response-delay,request-duration,…`",
    harness: "oha",
    export: "oha --output-format csv URL",
    files: &["*.csv"],
    processes: Processes::OneAFile,
    keys: &[&[Key::of_work("status", Role::Setting, "status of the response")]],
    metrics: &[
        Meaning::of("latency", "time of a request"),
        Meaning::of(
            "failed",
            "1 for a request that failed by its status, 0 for another: the mean is their share",
        ),
        Meaning::of("dns-dialup", "time of connecting, with the name's resolution"),
        Meaning::of("dns", "time of resolving the name"),
        Meaning::of("response-delay", "time to the first byte of the response"),
    ],
    fits: |head| No::unless(head.header_line().starts_with(HEADER), "its first line is not that header"),
    read: Read::Row(|sheet, row| {
        // A response without a body has no first byte.
        push_row(sheet, row, "status", &TIMES, &["dns-dialup", "dns", "response-delay"]);
    }),
    ..Format::PLAIN
};

const HEADER: &[u8] = b"request-start,DNS,DNS+dialup,Response-delay,request-duration,";

/// The columns of times with the names of their metrics.
const TIMES: [(&str, &str); 4] = [
    ("request-duration", "latency"),
    ("DNS+dialup", "dns-dialup"),
    ("DNS", "dns"),
    ("Response-delay", "response-delay"),
];

pub static TEXT: Format = Format {
    name: "oha-text",
    sign: "lines `Success rate:`, `Requests/sec:` and `Response time distribution:`",
    harness: "oha",
    printed_by: &["oha"],
    own_labels: &["Error distribution"],
    metrics: &[
        Meaning::of("throughput", "requests a second"),
        Meaning::of("transfer", "bytes received a second"),
        Meaning::of("success-rate", "share of the requests that got a response"),
        Meaning::of("errors", "requests without a response"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-min", "shortest time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("latency-p50", "median time of a request"),
        Meaning::of("latency-p99", "99th percentile of the time of a request"),
        Meaning::of("responses-200", "responses with this status"),
    ],
    words: &["Success rate:"],
    fits: |head| labelled::has_lines(head, &["Success rate: *", "Requests/sec: *"]),
    read: Read::Report(&Report {
        parts: &[
            Part {
                begins: &["Summary:"],
                what: What::Run,
                lines: &[
                    ("Success rate: *%", &[Take::Figure("success-rate", "%")]),
                    // Old versions print it as a share.
                    ("Success rate: *", &[Take::Figure("success-rate", "1")]),
                    ("Slowest: *", &[Take::Figure("latency-max", "")]),
                    ("Fastest: *", &[Take::Figure("latency-min", "")]),
                    ("Average: *", &[Take::Figure("latency-mean", "")]),
                    ("Requests/sec: *", &[Take::Figure("throughput", "1")]),
                    ("Size/sec: *", &[Take::Figure("transfer", "")]),
                    ("[*] * responses", &[Take::Label, Take::Figure("responses-*", "1")]),
                ],
                ..Part::PLAIN
            },
            // Old versions call it so.
            Part {
                begins: &["Response time distribution:", "Latency distribution:"],
                lines: &[("*% in *", &[Take::Label, Take::Figure("latency-p*", "")])],
                ..Part::PLAIN
            },
            Part {
                begins: &["Error distribution:"],
                lines: &[("[*] *", &[Take::Sum("errors"), Take::Skip])],
                ..Part::PLAIN
            },
        ],
        ..Report::PLAIN
    }),
    ..REPORT
};

/// The fields of the summary with the names of their metrics. The size of all responses follows from the others.
const SUMMARY: [(&str, &str); 6] = [
    ("requestsPerSec", "throughput"),
    ("sizePerSec", "transfer"),
    ("successRate", "success-rate"),
    ("average", "latency-mean"),
    ("fastest", "latency-min"),
    ("slowest", "latency-max"),
];

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    let statuses = document.value("statusCodeDistribution", sheet)?;
    let errors = document.value("errorDistribution", sheet)?;
    let responses = sum(sheet, &statuses, "");
    let mut run = Run { count: responses, ..Run::default() };
    let summary = document.value("summary", sheet)?;
    for (field, name) in SUMMARY {
        put(sheet, &mut run, &summary, field, name);
    }
    for (field, stem) in [("latencyPercentiles", "latency"), ("firstBytePercentiles", "first-byte")] {
        let levels = document.value(field, sheet)?;
        for (level, _) in levels.object().into_iter().flat_map(Object::iter) {
            put(sheet, &mut run, &levels, level, &format!("{stem}-{level}"));
        }
    }
    for (status, _) in statuses.object().into_iter().flat_map(Object::iter) {
        put(sheet, &mut run, &statuses, status, &format!("responses-{status}"));
    }
    if let Some(count) = sum(sheet, &errors, AT_THE_END) {
        run.add("requests", "errors", count, errors.object().map_or(0, |errors| errors.line));
    }
    run.end(sheet);
    Ok(())
}

/// The error of requests that were under way when the duration of `-z` was over.
const AT_THE_END: &str = "aborted due to deadline";

/// The sum of all entries but one, which is counted as left out.
fn sum(sheet: &mut Sheet, counts: &Value<'_>, but: &str) -> Option<f64> {
    let counts = counts.object()?;
    sheet.dropped(usize::from(counts.get(but).is_some()));
    let others = counts.iter().filter(|(key, _)| *key != but);
    let counts = others.filter_map(|(key, value)| number_of(sheet, value, counts.line_of(key)));
    // `sum` of nothing is -0.0.
    Some(counts.fold(0.0, |sum, count| sum + count))
}

fn put(sheet: &mut Sheet, run: &mut Run, object: &Value<'_>, field: &str, name: &str) {
    let Some(value) = object.get(field) else { return };
    let line = object.object().map_or(0, |object| object.line_of(field));
    match value {
        // Without a response there is no time.
        Value::Null => sheet.dropped(1),
        _ => match number_of(sheet, value, line) {
            Some(value) => run.add("requests", name, value, line),
            None => {
                sheet.problem(Code::MalformedNumber, line, format!("{name} is not a number"), FORMAT.export);
            }
        },
    }
}
