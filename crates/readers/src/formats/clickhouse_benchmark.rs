//! The JSON of clickhouse-benchmark: rates and percentiles of each server.

use super::console::{Console, Line, Means, What};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "clickhouse-benchmark",
    sign: "an object with `statistics` and `query_time_percentiles`, or one for each server",
    harness: "clickhouse-benchmark",
    export: "clickhouse-benchmark --json FILE",
    variants: Some("server"),
    keys: &[&[Key::setting("server", "server to which the queries went")]],
    metrics: &[
        Meaning::of("errors", "queries that failed"),
        RATES_AND_TIMES[0],
        RATES_AND_TIMES[1],
        RATES_AND_TIMES[2],
        RATES_AND_TIMES[3],
        RATES_AND_TIMES[4],
    ],
    fits: |head| {
        let of_servers: &[&str] = &["*.statistics.QPS", "*.query_time_percentiles"];
        head.has_all_of(&[of_servers, &["statistics.QPS", "query_time_percentiles"]])
    },
    read: Read::Document(read),
    ..Format::JSON_SUMMARY
};

/// What all of its reports have.
const RATES_AND_TIMES: &[Meaning] = &[
    Meaning::of("throughput", "queries per second, as the file states it"),
    Meaning::of("throughput-rows", "rows read per second"),
    Meaning::of("throughput-result-rows", "rows of results per second"),
    Meaning::of("latency-p50", "time of a query, the median"),
    Meaning::of("latency-p99", "time of a query, the 99th percentile"),
];

/// What it prints: reports of intervals or of the whole run, which look the same.
pub static TEXT: Format = Format {
    name: "clickhouse-benchmark-text",
    sign: "a line with `QPS: `, `RPS: `, `MiB/s: ` and `result RPS: `",
    harness: "clickhouse-benchmark",
    export: "clickhouse-benchmark",
    variants: Some("server"),
    keys: FORMAT.keys,
    metrics: RATES_AND_TIMES,
    words: &[", RPS: "],
    fits: |head| console::has(head, REPORT).or_else(|_| console::has(head, OF_SERVER)),
    read: Read::Bytes(read_text),
    printed_by: &["clickhouse-benchmark", "clickhouse"],
    ..Format::REPORT
};

const REPORT: &str = "QPS: {w} RPS: {w} MiB/s: {w} result RPS: {w} {}";
const OF_SERVER: &str = "{}, queries{} QPS: {w} RPS: {w} MiB/s: {w} result RPS: {w} {}";

const fn value(at: usize, name: &'static str, unit: &'static str) -> Means {
    Means::Called("queries", at, What::of(name, unit).summary())
}

const CONSOLE: Console = Console {
    lines: &[
        Line(
            REPORT,
            Means::All(&[
                value(0, "throughput", "1/s"),
                value(1, "throughput-rows", "1/s"),
                value(3, "throughput-result-rows", "1/s"),
            ]),
        ),
        Line(
            OF_SERVER,
            Means::All(&[
                Means::Key("server", 0),
                value(2, "throughput", "1/s"),
                value(3, "throughput-rows", "1/s"),
                value(5, "throughput-result-rows", "1/s"),
            ]),
        ),
        Line("50.000% {#} sec.", value(0, "latency-p50", "s")),
        Line("50% {#} sec.", value(0, "latency-p50", "s")),
        Line("90.000% {#} sec.", value(0, "latency-p90", "s")),
        Line("90% {#} sec.", value(0, "latency-p90", "s")),
        Line("95.000% {#} sec.", value(0, "latency-p95", "s")),
        Line("95% {#} sec.", value(0, "latency-p95", "s")),
        Line("99.000% {#} sec.", value(0, "latency-p99", "s")),
        Line("99% {#} sec.", value(0, "latency-p99", "s")),
    ],
    of_load: true,
    ..Console::PLAIN
};

/// Reads the last report of each run, which is that of the whole run: those before it are of intervals.
fn read_text(sheet: &mut Sheet, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines: Vec<&str> = text.lines().collect();
    let mut last: Option<(usize, f64)> = None;
    for at in 0..lines.len() {
        if lines[at].starts_with("Loaded ") {
            last = None;
        }
        let Some(rest) = lines[at].trim().strip_prefix("Queries executed: ") else { continue };
        let digits = rest.split([' ', '(']).next().unwrap_or_default().trim_end_matches('.');
        let Some(count) = number(digits) else { continue };
        if let Some((begin, _)) = last.filter(|(_, before)| count >= *before) {
            lines[begin..at].fill("");
        }
        last = Some((at, count));
    }
    console::read(sheet, lines.join("\n").as_bytes(), &CONSOLE);
}

/// Its rates and counts. Bytes are left out: versions differ in their unit.
const FIGURES: [(&str, &str); 4] = [
    ("QPS", "throughput"),
    ("RPS", "throughput-rows"),
    ("RPS_result", "throughput-result-rows"),
    ("num_errors", "errors"),
];

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    if let Some(span) = document.get("statistics") {
        let statistics = span.value(sheet)?;
        let percentiles = document.value("query_time_percentiles", sheet)?;
        report(sheet, None, &statistics, &percentiles, span.line);
        return Ok(());
    }
    for (server, span) in document.entries() {
        let value = span.value(sheet)?;
        let needed = value.get("statistics");
        let Some(statistics) = sheet.need_of(needed, span.line, server, "`statistics`") else { continue };
        let percentiles = value.get("query_time_percentiles").unwrap_or(&Value::Null);
        report(sheet, Some(server), statistics, percentiles, span.line);
    }
    Ok(())
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
            None => sheet.unreadable(line, key),
        }
    }
    for (rank, value) in percentiles.iter() {
        match (percentile("latency", rank), number_of(sheet, value, line)) {
            (Some(name), Some(value)) => run.add("queries", &name, value, line),
            _ => sheet.unreadable(line, rank),
        }
    }
    run.end(sheet);
}
