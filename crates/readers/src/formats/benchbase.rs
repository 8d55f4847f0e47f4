//! `BenchBase`: the summary of a run, its figures over time, and its single transactions.

use super::format::{Format, Key, Meaning, Processes, Read, Values};
use super::records::{self, As, At, Field, Outcome, Records};

/// The summary.
pub static SUMMARY: Format = Format {
    name: "benchbase",
    sign: "an object with `Benchmark Type`, `Latency Distribution` and `Throughput (requests/second)`",
    export: "its file *.summary.json",
    files: &["*.json"],
    values: Values::Aggregates,
    keys: &[&[
        Key::date("start of the run; end of it in older versions"),
        Key::setting("dbms", "database"),
        Key::setting("dbms_version", "version of the database"),
        Key::work("isolation", "isolation of the transactions"),
        Key::work("scalefactor", "factor of the size of the data"),
        Key::work("terminals", "number of terminals at once"),
    ]],
    metrics: &[
        Meaning::of("throughput", "requests per second"),
        Meaning::of("throughput-good", "requests per second that succeeded"),
        Meaning::of("latency-mean", "mean latency of a request"),
        Meaning::of("latency-min", "shortest latency of a request"),
        Meaning::of("latency-p25", "latency that 25 % of the requests do not exceed"),
        Meaning::of("latency-p50", "latency that 50 % of the requests do not exceed"),
        Meaning::of("latency-p75", "latency that 75 % of the requests do not exceed"),
        Meaning::of("latency-p90", "latency that 90 % of the requests do not exceed"),
        Meaning::of("latency-p95", "latency that 95 % of the requests do not exceed"),
        Meaning::of("latency-p99", "latency that 99 % of the requests do not exceed"),
        Meaning::of("latency-max", "longest latency of a request"),
    ],
    fits: |head| head.has_all(&["Benchmark Type", "Latency Distribution", "Throughput (requests/second)"]),
    read: Read::Sheet(|sheet, content| records::read_json(sheet, content, &[SUMMARIES])),
    ..PLAIN
};

/// The single transactions.
pub static RAW: Format = Format {
    name: "benchbase-raw",
    sign: "a CSV header `Transaction Type Index,Transaction Name,Start Time (microseconds),Latency (microseconds),…`",
    export: "its file *.raw.csv",
    files: &["*.csv"],
    metrics: &[Meaning::of("latency", "latency of one transaction")],
    fits: |head| {
        let columns = ["Transaction Type Index", "Transaction Name", "Start Time (microseconds)"];
        head.header_begins(&columns)
    },
    read: Read::Sheet(|sheet, content| records::read_csv(sheet, content, &TRANSACTIONS)),
    ..PLAIN
};

/// The figures of the intervals of a run.
pub static INTERVALS: Format = Format {
    name: "benchbase-intervals",
    sign: "a CSV header `Time (seconds),…` with `Throughput (requests/second)` and `Median Latency (…)`",
    export: "its files *.results.csv and *.samples.csv",
    files: &["*.csv"],
    values: Values::refused(
        "the figures of the intervals of a run of BenchBase",
        "its file *.raw.csv, which has all transactions, or *.summary.json",
    ),
    fits: |head| {
        head.header_begins(&["Time (seconds)", "Throughput (requests/second)"])
            .or_else(|_| head.header_begins(&["Time (seconds)", "Requests", "Throughput (requests/second)"]))
    },
    ..PLAIN
};

const PLAIN: Format = Format { harness: "BenchBase", processes: Processes::OneAFile, ..Format::PLAIN };

const SUMMARIES: Records = Records {
    name: |place| Some(place.text("Benchmark Type")?.to_owned()),
    outcome: |place| match place.text("Final State") {
        Some("ERROR") => Outcome::Failed("its final state is ERROR".to_owned()),
        _ => Outcome::Passed,
    },
    keys: &[
        At("date", "Start timestamp (milliseconds)", As::Milliseconds),
        At("date", "Current Timestamp (milliseconds)", As::Milliseconds),
        At("dbms", "DBMS Type", As::Text),
        At("dbms_version", "DBMS Version", As::Text),
        At("isolation", "isolation", As::Text),
        At("scalefactor", "scalefactor", As::Text),
        At("terminals", "terminals", As::Text),
    ],
    fields: &[
        Field::of("throughput", "Throughput (requests/second)", "req/s").summary("", ""),
        Field::of("throughput-good", "Goodput (requests/second)", "req/s").summary("", ""),
        of_all("latency-mean", "Latency Distribution.Average Latency (microseconds)"),
        of_all("latency-min", "Latency Distribution.Minimum Latency (microseconds)"),
        of_all("latency-p25", "Latency Distribution.25th Percentile Latency (microseconds)"),
        of_all("latency-p50", "Latency Distribution.Median Latency (microseconds)"),
        of_all("latency-p75", "Latency Distribution.75th Percentile Latency (microseconds)"),
        of_all("latency-p90", "Latency Distribution.90th Percentile Latency (microseconds)"),
        of_all("latency-p95", "Latency Distribution.95th Percentile Latency (microseconds)"),
        of_all("latency-p99", "Latency Distribution.99th Percentile Latency (microseconds)"),
        of_all("latency-max", "Latency Distribution.Maximum Latency (microseconds)"),
    ],
    of_load: true,
    ..Records::PLAIN
};

const TRANSACTIONS: Records = Records {
    name: |place| Some(place.text("Transaction Name")?.to_owned()),
    repeats: |_| true,
    fields: &[Field::of("latency", "Latency (microseconds)", "us")],
    of_load: true,
    ..Records::PLAIN
};

/// A summary of the latencies of all requests.
const fn of_all(metric: &'static str, at: &'static str) -> Field {
    Field::of(metric, at, "us").summary("", "Measured Requests")
}
