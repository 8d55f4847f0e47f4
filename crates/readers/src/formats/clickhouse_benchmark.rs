//! The JSON of clickhouse-benchmark: rates and percentiles of each server.

use std::io;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::No;
use super::json::{Document, Object, Value, number_of};
use super::load_metrics::percentile;
use super::load_run::{Run, unreadable};
use crate::problem::Code;
use crate::sheet::Sheet;
use crate::source::Content;
use crate::text::excerpt;

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "clickhouse-benchmark",
    sign: "an object with `statistics` and `query_time_percentiles`, or one for each server",
    harness: "clickhouse-benchmark",
    export: "clickhouse-benchmark --json FILE",
    files: &["*.json"],
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    variants: Some("server"),
    keys: &[&[Key::new("server", Role::Setting, "server to which the queries went")]],
    metrics: &[
        Meaning::of("throughput", "queries per second, as the file states it"),
        Meaning::of("throughput-rows", "rows read per second"),
        Meaning::of("throughput-result-rows", "rows of results per second"),
        Meaning::of("errors", "queries that failed"),
        Meaning::of("latency-p50", "time of a query, the median"),
        Meaning::of("latency-p99", "time of a query, the 99th percentile"),
    ],
    fits: |head| {
        let of_servers = head.has_all(&["*.statistics.QPS", "*.query_time_percentiles"]);
        of_servers.or_else(|no| head.has_all(&["statistics.QPS", "query_time_percentiles"]).map_err(|_| no))
    },
    read: |name, _, content, _| read(name, content),
    ..Format::PLAIN
};

/// What it prints: reports of intervals or of the whole run, which look the same.
pub static TEXT: Format = Format {
    name: "clickhouse-benchmark-text",
    sign: "a line with `QPS: `, `RPS: `, `MiB/s: ` and `result RPS: `",
    harness: "clickhouse-benchmark",
    values: Values::Refused {
        why: "what clickhouse-benchmark prints for people",
        export: "clickhouse-benchmark --json FILE",
    },
    words: &[", RPS: "],
    fits: |head| {
        let has = |line: &[u8], word: &str| memchr::memmem::find(line, word.as_bytes()).is_some();
        let is_report = |line: &[u8]| {
            ["QPS: ", ", RPS: ", ", MiB/s: ", ", result RPS: "].iter().all(|word| has(line, word))
        };
        No::unless(head.lines().any(is_report), "it has no such line")
    },
    ..Format::PLAIN
};

/// Its rates and counts. Bytes are left out: versions differ in their unit.
const FIGURES: [(&str, &str); 4] = [
    ("QPS", "throughput"),
    ("RPS", "throughput-rows"),
    ("RPS_result", "throughput-result-rows"),
    ("num_errors", "errors"),
];

fn read(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let Some(document) = Document::of(&bytes, content, &mut sheet)? else { return Ok(vec![sheet]) };
    if let Some(span) = document.get("statistics") {
        let statistics = span.value(&mut sheet)?;
        let percentiles = document.value("query_time_percentiles", &mut sheet)?;
        report(&mut sheet, None, &statistics, &percentiles, span.line);
        return Ok(vec![sheet]);
    }
    for (server, span) in document.entries() {
        let value = span.value(&mut sheet)?;
        let Some(statistics) = value.get("statistics") else {
            let what = format!("{} has no `statistics`", excerpt(server.as_bytes()));
            sheet.problem(Code::MalformedRecord, span.line, what, "was the file cut or edited?");
            continue;
        };
        let percentiles = value.get("query_time_percentiles").unwrap_or(&Value::Null);
        report(&mut sheet, Some(server), statistics, percentiles, span.line);
    }
    Ok(vec![sheet])
}

/// The report of a server, which old versions, such as 18.16, do not name.
fn report(
    sheet: &mut Sheet,
    server: Option<&str>,
    statistics: &Value<'_>,
    percentiles: &Value<'_>,
    line: u32,
) {
    let mut run = Run::default();
    if let Some(server) = server {
        run.state("server", server);
    }
    for (key, metric) in FIGURES {
        let Some(value) = statistics.get(key) else { continue };
        match number_of(sheet, value, line) {
            Some(value) => run.add("queries", metric, value, line),
            None => unreadable(sheet, key, line),
        }
    }
    for (rank, value) in percentiles.object().into_iter().flat_map(Object::iter) {
        match (percentile("latency", rank), number_of(sheet, value, line)) {
            (Some(name), Some(value)) => run.add("queries", &name, value, line),
            _ => unreadable(sheet, rank, line),
        }
    }
    run.end(sheet);
}
