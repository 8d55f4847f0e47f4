//! The summary of the load generator of `MLPerf`: rate and latencies of the queries of a scenario.

use super::console::{self, Console, Line, Means, What};
use super::format::{Format, Key, Meaning, OWN_PROGRAM, Read, Role};

pub static FORMAT: Format = Format {
    name: "mlperf",
    sign: "a line `MLPerf Results Summary`, and `Scenario : …`",
    harness: "MLPerf",
    export: "its file mlperf_log_summary.txt",
    files: &["*.txt"],
    keys: &[&[
        Key::setting("sut", "name of the system under test"),
        Key::work("mode", "mode of the load generator"),
        Key::work("samples_per_query", "samples of a query"),
        Key::work("target_qps", "queries a second that are asked for"),
        Key::of_run("validity", Role::Outcome, "whether the run is valid by the rules of MLPerf"),
    ]],
    metrics: &[
        Meaning::of("throughput", "samples per second, or queries per second"),
        Meaning::of("latency-mean", "mean latency of a query"),
        Meaning::of("latency-min", "shortest latency of a query"),
        Meaning::of("latency-p50", "latency that 50 % of the queries do not exceed"),
        Meaning::of("latency-p90", "latency that 90 % of the queries do not exceed"),
        Meaning::of("latency-p95", "latency that 95 % of the queries do not exceed"),
        Meaning::of("latency-p97", "latency that 97 % of the queries do not exceed"),
        Meaning::of("latency-p99", "latency that 99 % of the queries do not exceed"),
        Meaning::of("latency-p99.9", "latency that 99.9 % of the queries do not exceed"),
        Meaning::of("latency-max", "longest latency of a query"),
    ],
    words: &["MLPerf Results Summary"],
    fits: |head| {
        console::has(head, "MLPerf Results Summary")?;
        console::has(head, "Scenario : {}")
    },
    read: Read::Console(&CONSOLE),
    printed_by: OWN_PROGRAM,
    ..Format::SUMMARY
};

const CONSOLE: Console = Console {
    lines: &[
        Line("MLPerf Results Summary", Means::Run),
        Line("SUT name : {}", Means::Key("sut", 0)),
        Line("Scenario : {}", Means::Name(0)),
        Line("Mode : {}", Means::Key("mode", 0)),
        Line("Result is : {w}", Means::Key("validity", 0)),
        Line("samples_per_query : {#}", Means::Key("samples_per_query", 0)),
        Line("target_qps : {#}", Means::Key("target_qps", 0)),
        Line("Samples per second: {#}", THROUGHPUT),
        Line("Completed samples per second : {#}", THROUGHPUT),
        Line("QPS w/ loadgen overhead : {#}", THROUGHPUT),
        Line("Min latency (ns) : {#}", latency("latency-min")),
        Line("Max latency (ns) : {#}", latency("latency-max")),
        Line("Mean latency (ns) : {#}", latency("latency-mean")),
        Line("50.00 percentile latency (ns) : {#}", latency("latency-p50")),
        Line("90.00 percentile latency (ns) : {#}", latency("latency-p90")),
        Line("95.00 percentile latency (ns) : {#}", latency("latency-p95")),
        Line("97.00 percentile latency (ns) : {#}", latency("latency-p97")),
        Line("99.00 percentile latency (ns) : {#}", latency("latency-p99")),
        Line("99.90 percentile latency (ns) : {#}", latency("latency-p99.9")),
    ],
    of_load: true,
    late_keys: true,
};

const THROUGHPUT: Means = Means::Value(None, 0, What::of("throughput", "1/s").summary());

const fn latency(metric: &'static str) -> Means {
    Means::Value(None, 0, What::of(metric, "ns").summary())
}
