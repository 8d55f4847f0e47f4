//! oha's JSON: the summary of a run.

use super::labelled::{Part, Report};
use super::load_metrics::push_row;
use super::prelude::*;
use super::records::{Field, Summary};

pub static FORMAT: Format = Format {
    name: "oha",
    sign: "an object with `summary` that holds `requestsPerSec`, and with `latencyPercentiles`",
    harness: "oha",
    export: "oha --output-format json URL (before version 1.9: oha --json)",
    metrics: METRICS,
    fits: |head| head.has_all(&["summary.requestsPerSec", "latencyPercentiles", "statusCodeDistribution"]),
    read: Read::Document(read),
    ..Format::JSON_SUMMARY
};

/// The CSV, with a row for each request.
pub static CSV: Format = Format {
    name: "oha-csv",
    sign: "a header `request-start,DNS,DNS+dialup,Response-delay,request-duration,…`",
    harness: "oha",
    export: "oha --output-format csv URL",
    keys: &[&[Key::work("status", "status of the response")]],
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
    ..Format::CSV
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
    hides_settings: true,
    own_labels: &["Error distribution"],
    // It has no times to the first byte.
    metrics: METRICS.split_at(10).0,
    words: &["Success rate:"],
    fits: |head| labelled::has_lines(head, &["Success rate: *", "Requests/sec: *"]),
    read: Read::Report(&Report {
        parts: &[
            Part::run(
                &["Summary:"],
                &[
                    "Success rate: <success-rate %>%",
                    // Old versions print it as a share.
                    "Success rate: <success-rate 1>",
                    "Slowest: <latency-max>",
                    "Fastest: <latency-min>",
                    "Average: <latency-mean>",
                    "Requests/sec: <throughput 1>",
                    "Size/sec: <transfer>",
                    "[<label>] <responses-* 1> responses",
                ],
            ),
            // Old versions call it so.
            Part::of(
                &["Response time distribution:", "Latency distribution:"],
                &["<label>% in <latency-p*>"],
            ),
            Part::of(&["Error distribution:"], &["[<+errors>] *"]),
        ],
        ..Report::PLAIN
    }),
    ..Format::REPORT
};

const METRICS: &[Meaning] = &[
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
    Meaning::of("first-byte-p50", "median time to the first byte of a response"),
];

/// The summary. The size of all responses follows from the others; without a response there is no time.
const SUMMARY: Summary = Summary {
    fields: &[
        Field::of("throughput", "summary.requestsPerSec", "1/s"),
        Field::of("transfer", "summary.sizePerSec", "B/s"),
        Field::of("success-rate", "summary.successRate", ""),
        Field::of("latency-mean", "summary.average", "s"),
        Field::of("latency-min", "summary.fastest", "s"),
        Field::of("latency-max", "summary.slowest", "s"),
        Field::of("latency-p*", "latencyPercentiles.p*", "s"),
        Field::of("first-byte-p*", "firstBytePercentiles.p*", "s"),
        Field::of("responses-*", "statusCodeDistribution.*", "1"),
        Field::of("errors", "errorDistribution.*", "1").sum(|error| error != AT_THE_END),
    ],
    null_is_none: true,
    ..Summary::PLAIN
};

/// The error of requests that were under way when the duration of `-z` was over.
const AT_THE_END: &str = "aborted due to deadline";

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    let parts = [
        "summary",
        "latencyPercentiles",
        "firstBytePercentiles",
        "statusCodeDistribution",
        "errorDistribution",
    ];
    let document = document.only(&parts, sheet)?;
    let mut run = Run::default();
    SUMMARY.take(sheet, &mut run, "requests", &document);
    let is_ended = document.get("errorDistribution").is_some_and(|errors| errors.get(AT_THE_END).is_some());
    sheet.dropped(usize::from(is_ended));
    run.count = Some(run.sum("responses-"));
    run.end(sheet);
    Ok(())
}
