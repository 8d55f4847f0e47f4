//! What the `DaCapo` benchmarks print: the time of the timed iteration of each benchmark.

use super::console::{self, Console, Line, Means, What};
use super::format::{Format, Key, Meaning, Processes, Read};

pub static FORMAT: Format = Format {
    name: "dacapo",
    sign: "lines such as `===== DaCapo 9.12 NAME PASSED in 1234 msec =====`",
    harness: "DaCapo",
    export: "standard error of java -jar dacapo.jar",
    processes: Processes::OneAFile,
    keys: &[&[Key::setting("version", "version of the harness")]],
    metrics: &[
        Meaning::of("time", "time of the timed iteration"),
        Meaning::of("throughput", "requests per second of the timed iteration"),
        Meaning::of("latency-p50", "latency that 50 % of the requests do not exceed"),
        Meaning::of("latency-p90", "latency that 90 % of the requests do not exceed"),
        Meaning::of("latency-p99", "latency that 99 % of the requests do not exceed"),
        Meaning::of("latency-p99.9", "latency that 99.9 % of the requests do not exceed"),
        Meaning::of("latency-p99.99", "latency that 99.99 % of the requests do not exceed"),
        Meaning::of("latency-max", "longest latency of a request"),
    ],
    words: &["DaCapo"],
    fits: |head| {
        console::has(head, PASSED)
            .or_else(|_| console::has(head, "===== DaCapo {w} {w} completed warmup {#} in {#} msec ====="))
    },
    read: Read::Console(&CONSOLE),
    own_labels: &["DaCapo "],
    printed_by: &["java"],
    ..Format::PLAIN
};

const PASSED: &str = "===== DaCapo {w} {w} PASSED in {#} msec =====";

/// Figures of requests follow the line of their iteration. Other latencies than the simple ones are what a model says that
/// requests would have waited.
const CONSOLE: Console = Console {
    lines: &[
        Line(
            PASSED,
            Means::All(&[
                Means::Key("version", 0),
                Means::First(1),
                Means::Value(Some(1), 2, What::of("time", "ms")),
            ]),
        ),
        Line("===== DaCapo {w} {w} completed warmup {#} in {#} msec =====", Means::WarmUp),
        Line("===== DaCapo {} PASSED {}", Means::Unreadable),
        Line("===== DaCapo {w} {w} FAILED {} =====", Means::Failed(1)),
        Line("===== DaCapo {w} {w} FAILED =====", Means::Failed(1)),
        Line(
            "===== DaCapo processed {#} requests in {#} msec, {#} requests per second =====",
            Means::Value(None, 2, What::of("throughput", "req/s").samples(0).secondary()),
        ),
        Line(
            "===== DaCapo tail latency, simple: {}, measured over {#} events =====",
            Means::Several(0, LATENCIES),
        ),
    ],
    ..Console::PLAIN
};

const LATENCIES: &[(&str, What)] = &[
    ("50% {#} usec", latency("latency-p50")),
    ("90% {#} usec", latency("latency-p90")),
    ("99% {#} usec", latency("latency-p99")),
    ("99.9% {#} usec", latency("latency-p99.9")),
    ("99.99% {#} usec", latency("latency-p99.99")),
    ("max {#} usec", latency("latency-max")),
];

const fn latency(metric: &'static str) -> What {
    What::of(metric, "us").samples(1).secondary()
}
