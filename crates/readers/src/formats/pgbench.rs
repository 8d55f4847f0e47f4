//! What pgbench prints: its final report and its progress. A file may hold several runs.

use std::io;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::No;
use super::lines;
use super::pgbench_report::Report;
use crate::Sheet;
use crate::source::Content;

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "pgbench",
    sign: "a line with `transaction type: ` before `scaling factor: `, or lines such as `progress: 1.0 s, 870.1 tps, lat 3.2 ms`",
    harness: "pgbench",
    export: "standard output and standard error",
    values: Values::Aggregates,
    processes: Processes::Stated,
    keys: &[&[
        Key::of_work("scale", Role::Setting, "scaling factor of the tables"),
        Key::of_work("clients", Role::Setting, "number of clients at once"),
        Key::of_work("threads", Role::Setting, "number of threads of the load generator"),
        Key::of_work("duration", Role::Setting, "how long the run lasts"),
        Key::of_work("transactions", Role::Setting, "transactions of each client"),
        Key::of_work("latency_limit", Role::Setting, "transactions that take longer count as late"),
        Key::of_work("weights", Role::Setting, "weights of the scripts"),
        Key::of_work("partitions", Role::Setting, "number of partitions of the accounts"),
        Key::of_work("partition_method", Role::Setting, "how the accounts are partitioned"),
        Key::of_work("query_mode", Role::Setting, "protocol of the queries: simple, extended or prepared"),
        Key::new("max_tries", Role::Setting, "how often a transaction is tried"),
        Key::new("version", Role::Setting, "version of the load generator"),
    ]],
    metrics: &[
        Meaning::of("throughput", "transactions per second, without the time to connect"),
        Meaning::of("throughput-with-connections", "transactions per second, with the time to connect"),
        Meaning::of("latency-mean", "time of a transaction, the mean over the run"),
        Meaning::of("errors", "transactions that failed"),
        Meaning::of("errors-serialization", "transactions that failed to be serialized"),
        Meaning::of("errors-deadlock", "transactions that failed in a deadlock"),
        Meaning::of("errors-other", "transactions that failed for another reason"),
        Meaning::of("skipped", "transactions that were due too late to be started"),
        Meaning::of("late", "transactions that took longer than the limit"),
        Meaning::of("retried", "transactions that were tried again"),
        Meaning::of("retries", "number of further tries"),
        Meaning::of("lag-mean", "delay of a transaction's start behind its schedule, the mean"),
        Meaning::of("lag-max", "delay of a transaction's start behind its schedule, the longest"),
        Meaning::of("connection-time", "time until all clients were connected"),
        Meaning::of("reconnection-time", "time of one connection, the mean"),
        Meaning::of("statement-latency", "time of a statement as the client sees it, the mean"),
        Meaning::of("statement-errors", "failures in a statement"),
        Meaning::of("statement-retries", "further tries after a failure in a statement"),
        Meaning::of("interval-throughput", "transactions per second in an interval of the progress report"),
        Meaning::of("interval-latency-mean", "time of a transaction, the mean over such an interval"),
        Meaning::of("interval-errors", "transactions that failed in such an interval"),
        Meaning::of("interval-lag-mean", "delay behind the schedule, the mean over such an interval"),
        Meaning::of("interval-skipped", "transactions not started in such an interval"),
    ],
    fits: |head| {
        let mut lines = head.lines();
        let is_report = lines.any(|line| line.starts_with(b"transaction type: "))
            && lines.take(2).any(|line| line.starts_with(b"scaling factor: "));
        let is_progress = |line: &[u8]| {
            line.starts_with(b"progress: ") && memchr::memmem::find(line, b" tps, lat ").is_some()
        };
        No::unless(is_report || head.lines().any(is_progress), "it has no such line")
    },
    read: |name, _, content, _| read(name, content),
    ..Format::PLAIN
};

fn read(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut report = Report::default();
    for (line, text) in lines::numbered(&bytes).collect::<Vec<_>>() {
        report.line(&mut sheet, text, line);
    }
    report.end(&mut sheet);
    sheet.count(&content.budget)?;
    Ok(vec![sheet])
}
