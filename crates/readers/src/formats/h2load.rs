//! The summary that h2load prints.

use super::labelled::{Part, Report};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "h2load",
    sign: "lines such as `finished in 74.42ms, 2687.38 req/s, 354.29KB/s` and `time for request:  128us  7.91ms  …`",
    harness: "h2load",
    export: "h2load URL",
    printed_by: &["h2load"],
    keys: &[&[
        Key::work("clients", "clients at a time, of all threads"),
        Key::work("threads", "number of threads of the load generator"),
        Key::work("requests", "number of requests, of all threads"),
        Key::work("duration", "how long the run lasts, where the number of requests is open"),
        Key::work("rate", "clients that begin in a period, of all threads"),
        Key::work("protocol", "protocol of the requests"),
        Key::work("tls", "protocol of encryption"),
    ]],
    metrics: &[
        Meaning::of("throughput", "requests a second"),
        Meaning::of("transfer", "bytes received a second"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-min", "shortest time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("connect-mean", "mean time of connecting"),
        Meaning::of("first-byte-mean", "mean time to the first byte on a connection"),
        Meaning::of("failed", "requests that failed, also by their status"),
        Meaning::of("responses-2xx", "responses with such a status"),
    ],
    words: &["finished in "],
    fits: |head| {
        let has = |begin| head.begins_line(begin);
        let has_times = has("time for request:") || has("request  ");
        No::unless(has_times && has("finished in "), "it has no such lines")
    },
    read: Read::Report(&Report {
        parts: &[Part::run(
            // A document can leave out the first ones.
            &[
                "starting benchmark",
                "spawning thread #*",
                "TLS Protocol: *",
                "Application protocol: *",
                "finished in *",
            ],
            &[
                // Each thread has a line with its own clients.
                "spawning thread #*: <=+clients> total <=#threads>. Up to <=+rate> client(s) will be * warm-up time and <=duration> of *",
                "spawning thread #*: <=+clients> total <=#threads>. Up to <=+rate> client(s) will be created every * <=+requests> total requests",
                "spawning thread #*: <=+clients> total <=#threads>. * warm-up time and <=duration> of *",
                "spawning thread #*: <=+clients> total <=#threads>. <=+requests> total requests",
                "TLS Protocol: <=tls>",
                "Application protocol: <=protocol>",
                "finished in *, <throughput 1> req/s, <transfer>/s",
                "requests: * total, * started, <count> done, * succeeded, <failed 1> failed, *",
                "status codes: <responses-2xx 1> 2xx, <responses-3xx 1> 3xx, <responses-4xx 1> 4xx, <responses-5xx 1> 5xx",
                "time for request: <latency-min> <latency-max> <latency-p50> <latency-p95> <latency-p99> <latency-mean> <sd> *%",
                "time for request: <latency-min> <latency-max> <latency-mean> <sd> *%",
                "time for connect: <connect-min> <connect-max> <connect-p50> <connect-p95> <connect-p99> <connect-mean> <sd> *%",
                "time for connect: <connect-min> <connect-max> <connect-mean> <sd> *%",
                "time to 1st byte: <first-byte-min> <first-byte-max> <first-byte-p50> <first-byte-p95> <first-byte-p99> <first-byte-mean> <sd> *%",
                "time to 1st byte: <first-byte-min> <first-byte-max> <first-byte-mean> <sd> *%",
                // Versions from 2026 on have short names.
                "request : <latency-min> <latency-max> <latency-p50> <latency-p95> <latency-p99> <latency-mean> <sd> *%",
                "connect : <connect-min> <connect-max> <connect-p50> <connect-p95> <connect-p99> <connect-mean> <sd> *%",
                "TTFB : <first-byte-min> <first-byte-max> <first-byte-p50> <first-byte-p95> <first-byte-p99> <first-byte-mean> <sd> *%",
            ],
        )],
        is_binary: true,
        ..Report::PLAIN
    }),
    ..Format::REPORT
};
