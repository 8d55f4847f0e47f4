//! What sysbench prints, from version 0.4 on. A file may hold several runs.

use std::io;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::No;
use super::lines;
use super::sysbench_report::{FAIRNESS, LATENCIES, Report};
use crate::Sheet;
use crate::source::Content;

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "sysbench",
    sign: "a line with `sysbench 1.0.20` above `Threads started!` and `Threads fairness:`, or the end of such a report since version 1.0",
    harness: "sysbench",
    export: "standard output",
    values: Values::Aggregates,
    processes: Processes::Stated,
    keys: &[&[
        Key::of_work("threads", Role::Setting, "number of threads of the load generator"),
        Key::of_work("rate", Role::Setting, "events to start in a second"),
        Key::of_work("cpu-max-prime", Role::Setting, "largest number that is tested for being prime"),
        Key::of_work("block_size", Role::Setting, "size of a block of memory or of a file"),
        Key::of_work("total_size", Role::Setting, "bytes of memory to move, or of all files"),
        Key::of_work("operation", Role::Setting, "what is done with memory: read or write"),
        Key::of_work("scope", Role::Setting, "whether threads share their memory"),
        Key::of_work("mode", Role::Setting, "how files are read or written"),
        Key::of_work("files", Role::Setting, "number of files"),
        Key::of_work("file_flags", Role::Setting, "flags with which files are opened"),
        Key::of_work("rw_ratio", Role::Setting, "reads to writes, where files are read and written"),
        Key::of_work("fsync", Role::Setting, "requests until files are written to the device"),
        Key::of_work("io_mode", Role::Setting, "how the requests to files are issued"),
        Key::new("version", Role::Setting, "version of the load generator"),
    ]],
    metrics: &[
        Meaning::of("throughput", "events per second: transactions for a database, operations for memory"),
        Meaning::of("throughput-queries", "queries per second"),
        Meaning::of("throughput-read", "reads of a file per second"),
        Meaning::of("throughput-write", "writes of a file per second"),
        Meaning::of("throughput-fsync", "calls of fsync per second"),
        Meaning::of("transfer", "bytes of memory moved per second"),
        Meaning::of("transfer-read", "bytes read per second"),
        Meaning::of("transfer-write", "bytes written per second"),
        Meaning::of("latency-mean", "time of an event, the mean over the run"),
        Meaning::of("latency-min", "shortest time of an event"),
        Meaning::of("latency-max", "longest time of an event"),
        Meaning::of(
            "latency-p95",
            "time of an event, the 95th percentile, or the one that --percentile asks for",
        ),
        Meaning::of("total-time", "duration of the run"),
        Meaning::of("errors", "errors that were ignored, or deadlocks before version 0.5"),
        Meaning::of("reconnects", "connections that were made again"),
        Meaning::of("interval-throughput", "events per second in an interval"),
        Meaning::of("interval-throughput-queries", "queries per second in an interval"),
        Meaning::of("interval-latency-p95", "time of an event, the percentile over an interval"),
        Meaning::of("interval-throughput-fsync", "calls of fsync per second in an interval"),
        Meaning::of("interval-transfer", "bytes of memory moved per second in an interval"),
        Meaning::of("interval-transfer-read", "bytes read per second in an interval"),
        Meaning::of("interval-transfer-write", "bytes written per second in an interval"),
    ],
    fits: |head| {
        let is_banner = |line: &[u8]| version(&String::from_utf8_lossy(line)).is_some();
        let has = |sign: &[u8]| head.lines().any(|line| line.starts_with(sign));
        // The first lines of a report may be cut off.
        let is_rest = || BELOW.iter().all(|sign| has(sign.as_bytes()));
        No::unless(head.lines().any(is_banner) || is_rest(), "it has no line with sysbench's version")
    },
    read: |name, _, content, _| read(name, content),
    ..Format::PLAIN
};

/// What stands at the end of every report since version 1.0.
const BELOW: [&str; 3] = ["total number of events:", LATENCIES, FAIRNESS];

/// The version in the first line of a report: `sysbench 1.0.20 (using …)` or `sysbench 0.4.12:  multi-threaded …`.
pub(super) fn version(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("sysbench ")?.trim_start_matches('v');
    let (version, more) = rest.split_once([' ', ':']).unwrap_or((rest, ""));
    let is_report = more.starts_with("(using ") || more.trim_start().starts_with("multi-threaded ");
    (version.starts_with(|first: char| first.is_ascii_digit()) && is_report).then_some(version)
}

fn read(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut report = Report::default();
    for (line, text) in lines::numbered(&bytes).collect::<Vec<_>>() {
        report.line(&mut sheet, text.trim_start(), line);
    }
    report.end(&mut sheet);
    sheet.count(&content.budget)?;
    Ok(vec![sheet])
}
