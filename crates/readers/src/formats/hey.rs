//! hey's CSV, with a row for each request, and the summary that it prints.

use super::labelled::{Part, Report};
use super::load_metrics::push_row;
use super::prelude::*;

pub static CSV: Format = Format {
    name: "hey-csv",
    sign: "a header `response-time,DNS+dialup,DNS,Request-write,…`",
    harness: "hey",
    export: "hey -o csv URL",
    keys: &[&[Key::work("status", "status of the response")]],
    metrics: &[
        Meaning::of("latency", "time of a request"),
        Meaning::of(
            "failed",
            "1 for a request that failed by its status, 0 for another: the mean is their share",
        ),
        Meaning::of("dns-dialup", "time of connecting, with the name's resolution"),
        Meaning::of("dns", "time of resolving the name"),
        Meaning::of("request-write", "time of writing the request"),
        Meaning::of("response-delay", "time from the request written to the response"),
        Meaning::of("response-read", "time of reading the response"),
    ],
    fits: |head| No::unless(head.header_line().starts_with(HEADER), "its first line is not that header"),
    read: Read::Row(|sheet, row| {
        push_row(sheet, row, "status-code", &TIMES, &["dns-dialup", "dns"]);
    }),
    ..Format::CSV
};

pub static TEXT: Format = Format {
    name: "hey",
    sign: "a line `Summary:` and below it `Slowest:`, `Fastest:`, `Average:` with `secs` and `Requests/sec:`",
    harness: "hey",
    export: "hey URL",
    metrics: &[
        Meaning::of("throughput", "requests a second, with those that failed"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-min", "shortest time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("latency-p50", "median time of a request"),
        Meaning::of("latency-p99", "99th percentile of the time of a request"),
        Meaning::of("errors", "requests without a response"),
        Meaning::of("responses-200", "responses with this status"),
    ],
    own_labels: &["Error distribution"],
    printed_by: &["hey", "boom"],
    hides_settings: true,
    words: &["Slowest:"],
    fits: |head| {
        let has = |begin: &[u8], end: &[u8]| {
            head.lines().any(|line| line.starts_with(begin) && line.ends_with(end))
        };
        let has_times = has(b"Slowest:", b" secs") || has(b"Slowest:", b" secs.");
        let is_text = has(b"Summary:", b"") && has_times && has(b"Requests/sec:", b"");
        No::unless(is_text, "it has no such lines")?;
        No::unless(!has(b"Success rate:", b""), "it is of oha")
    },
    read: Read::Report(&Report {
        parts: &[
            Part::run(
                &["Summary:"],
                &[
                    // The versions that were called boom end these lines with a full stop.
                    "Slowest: <latency-max s> secs",
                    "Fastest: <latency-min s> secs",
                    "Average: <latency-mean s> secs",
                    "Slowest: <latency-max s> secs.",
                    "Fastest: <latency-min s> secs.",
                    "Average: <latency-mean s> secs.",
                    "Requests/sec: <throughput 1>",
                ],
            ),
            Part::of(
                &["Latency distribution:"],
                // Later versions print `10%%`.
                &[
                    "<label>%% in <latency-p* s> secs",
                    "<label>% in <latency-p* s> secs",
                    "<label>%% in <latency-p* s> secs.",
                    "<label>% in <latency-p* s> secs.",
                ],
            ),
            Part::of(&["Status code distribution:"], &["[<label>] <responses-* 1> responses"]),
            Part::of(&["Error distribution:"], &["[<+errors whole>] *"]),
            Part::of(&["Response time histogram:", "Details*"], &[]),
        ],

        ends,
        ..Report::PLAIN
    }),
    ..Format::REPORT
};

/// Old versions write nothing more; later ones add `status-code` and `offset`.
const HEADER: &[u8] = b"response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read";

/// The columns of times with the names of their metrics.
const TIMES: [(&str, &str); 6] = [
    ("response-time", "latency"),
    ("DNS+dialup", "dns-dialup"),
    ("DNS", "dns"),
    ("Request-write", "request-write"),
    ("Response-delay", "response-delay"),
    ("Response-read", "response-read"),
];

/// hey begins the part of statuses even if it is empty; without its rate the output was cut.
fn ends(sheet: &mut Sheet, run: &mut Run, _: u32) {
    run.count = Some(run.sum("responses-"));
    if !run.figures.iter().any(|figure| figure.name == "throughput") {
        run.figures.clear();
        sheet.cut(0, "the summary");
    }
}
