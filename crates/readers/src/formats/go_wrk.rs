//! What the two tools print that are called go-wrk: that of tsliwowicz, which resembles wrk, and that of adjust.

use super::labelled::{Part, Report};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "go-wrk",
    sign: "lines `Running 10s test @ http://HOST/` and `10 goroutine(s) running concurrently`, or `Used Connections:` and \
           `Total number of calls:`",
    harness: "go-wrk",
    export: "go-wrk URL",
    own_labels: &["BENCHMARK", "DATA", "ERRORS", "RESPONSES", "TIMINGS"],
    printed_by: &["go-wrk"],
    keys: &[&[
        Key::work("connections", "number of connections that are open at once"),
        Key::work("duration", "duration of the test"),
        Key::work("threads", "number of threads of the load generator"),
        Key::work("requests", "number of requests"),
    ]],
    metrics: &[
        Meaning::of("throughput", "requests a second"),
        Meaning::of("throughput-overall", "requests a second, with the time between them"),
        Meaning::of("transfer", "bytes received a second"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-min", "shortest time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("latency-p50", "median time of a request"),
        Meaning::of("latency-p99", "99th percentile of the time of a request"),
        Meaning::of("errors", "requests without a response"),
        Meaning::of("responses-2xx", "responses with such a status"),
    ],
    words: &[GOROUTINES, "Total number of calls:"],
    fits: |head| {
        let is_first =
            has(head, |line| line.ends_with(GOROUTINES)) && has(head, |line| begins(line).is_some());
        let is_other = has(head, |line| line.starts_with("Used Connections:"))
            && has(head, |line| line.starts_with("Total number of calls:"));
        No::unless(is_first || is_other, "it has no such lines")
    },
    read: Read::Report(&Report {
        parts: &[Part::run(
            &["Running * test @ *", "BENCHMARK"],
            &[
                "Running <=duration> test @ <benchmark>",
                "<=connections> goroutine(s) running concurrently",
                "<count> requests in *",
                "Error: No statistics collected*",
                "URL: <benchmark>",
                "Used Connections: <=connections>",
                "Used Threads: <=threads>",
                "Total number of calls: <=requests>",
                "Requests/sec: <throughput 1>",
                "Requests per second: <throughput 1>",
                "Overall Requests/sec: <throughput-overall 1>",
                "Transfer/sec: <transfer>/s",
                "Transfer/sec: <transfer>",
                "Transfer rate: <transfer>/s",
                "Transfer rate: <transfer>",
                "Transfer rate per second: <transfer 1> Byte/s*",
                "Errors: <errors 1> (*",
                "Number of Errors: <errors 1>",
                "Avg Req Time: <latency-mean>",
                "Avg time per request: <latency-mean>",
                "stddev: <latency-deviation>",
                "Fastest Request: <latency-min>",
                "Slowest Request: <latency-max>",
                "Slowest time for request: <latency-max>",
                // These are whole milliseconds in some versions.
                "Median time per request: <latency-p50>",
                "99th percentile time: <latency-p99>",
                // Later versions print `20X allStats.Responses:`.
                "<label>0X *esponses: <responses-*xx 1> (*",
                // go-wrk asks its histogram for the 0.99th percentile and calls it the 99th.
                "*%: <dropped>",
            ],
        )],
        is_binary: true,

        line: |run, text, _| {
            let count = text.strip_prefix("Total number of calls: ").and_then(number);
            let none = text.starts_with("Error: No statistics collected").then_some(0.0);
            run.count = count.or(none).or(run.count);
            Some(())
        },
        ends,
        ..Report::PLAIN
    }),
    ..Format::REPORT
};

const GOROUTINES: &str = " goroutine(s) running concurrently";

fn has(head: &Head<'_>, fits: fn(&str) -> bool) -> bool {
    head.lines().filter_map(|line| std::str::from_utf8(line).ok()).any(fits)
}

/// The duration and the address in the first line of a run.
fn begins(line: &str) -> Option<(&str, &str)> {
    line.trim_start().strip_prefix("Running ")?.split_once(" test @ ")
}

/// Completes a run, if it has an end.
fn ends(sheet: &mut Sheet, run: &mut Run, line: u32) {
    let has_end = run.figures.iter().any(|figure| matches!(&*figure.name, "errors" | "responses-5xx"));
    if run.count == Some(0.0) {
        run.figures.clear();
        sheet.unanswered(line);
    } else if !has_end {
        run.figures.clear();
        sheet.cut(line, "the run");
    }
    // It stands below all others.
    let mut take = |name| {
        let place = run.figures.iter().position(|figure| figure.name == name)?;
        Some(run.figures.remove(place))
    };
    let deviation = take("latency-deviation").map(|figure| figure.value);
    if let Some(mut mean) = take("latency-mean") {
        mean.aggregate.deviation = deviation;
        run.figures.push(mean);
    }
}
