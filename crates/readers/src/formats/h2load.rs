//! The summary that h2load prints.

use super::durations::with_unit;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "h2load",
    sign: "lines such as `finished in 74.42ms, 2687.38 req/s, 354.29KB/s` and `time for request:  128us  7.91ms  …`",
    harness: "h2load",
    export: "h2load URL",
    values: Values::Aggregates,
    processes: Processes::Stated,
    printed_by: &["h2load"],
    keys: &[&[
        Key::of_work("clients", Role::Setting, "clients at a time, of all threads"),
        Key::of_work("threads", Role::Setting, "number of threads of the load generator"),
        Key::of_work("requests", Role::Setting, "number of requests, of all threads"),
        Key::of_work(
            "duration",
            Role::Setting,
            "how long the run lasts, where the number of requests is open",
        ),
        Key::of_work("rate", Role::Setting, "clients that begin in a period, of all threads"),
        Key::of_work("protocol", Role::Setting, "protocol of the requests"),
        Key::of_work("tls", Role::Setting, "protocol of encryption"),
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
        let mut lines = head.lines().filter_map(|line| std::str::from_utf8(line).ok());
        let has_times = lines.any(|line| times(line).is_some_and(|(stem, _)| stem == "latency"));
        let has_end = head.lines().any(|line| line.starts_with(b"finished in "));
        No::unless(has_end && has_times, "it has no such lines")
    },
    read: Read::Bytes(read),
    ..Format::PLAIN
};

/// The labels of times with the stems of their metrics. Versions from 2026 on have the short ones, with blanks before the
/// colon.
const TIMES: [(&str, &str); 6] = [
    ("time for request:", "latency"),
    ("time for connect:", "connect"),
    ("time to 1st byte:", "first-byte"),
    ("request  ", "latency"),
    ("connect  ", "connect"),
    ("TTFB  ", "first-byte"),
];

/// The stem of the metrics of a row of times, and its cells.
fn times(line: &str) -> Option<(&'static str, &str)> {
    let (label, stem) = TIMES.iter().find(|(label, _)| line.starts_with(label))?;
    let rest = &line[label.len()..];
    let cells = if label.ends_with(':') { rest } else { rest.trim_start().strip_prefix(':')? };
    Some((stem, cells))
}

/// Whether a line begins a run: the first one, or one above the results where a document leaves out that one.
fn begins(line: &str, has_results: bool) -> bool {
    const ABOVE: [&str; 4] = [THREAD, "TLS Protocol: ", "Application protocol: ", "finished in "];
    line == "starting benchmark..." || has_results && ABOVE.iter().any(|label| line.starts_with(label))
}

/// What the line of each thread begins with.
const THREAD: &str = "spawning thread #";

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let lines: Vec<(u32, &str)> = lines::numbered(bytes).collect();
    let (mut run, mut columns) = (Run::default(), Vec::new());
    for &(line, text) in &lines {
        // In a document the runs can be indented differently.
        let text = text.trim_start();
        if begins(text, !run.figures.is_empty()) {
            run.end(sheet);
        }
        let mut found = Found { sheet, run: &mut run, columns: &mut columns, line };
        if found.line(text).is_none() {
            unreadable(sheet, text, line);
        }
    }
    run.end(sheet);
}

struct Found<'a> {
    sheet: &'a mut Sheet,
    run: &'a mut Run,
    /// The statistics of the table of times, in their order.
    columns: &'a mut Vec<&'static str>,
    line: u32,
}

impl Found<'_> {
    /// Reads a line; `None` if one with a result cannot be read.
    fn line(&mut self, text: &str) -> Option<()> {
        if let Some(found) = text.strip_prefix("finished in ") {
            let (_, rates) = found.split_once(", ")?;
            let (rate, bytes) = rates.split_once(" req/s, ")?;
            self.add("throughput", number(rate.as_bytes())?);
            self.add("transfer", bytes_a_second(bytes)?);
        } else if let Some(counts) = text.strip_prefix("requests: ") {
            let count = |word: &str| {
                let found = counts.split(", ").find_map(|part| part.strip_suffix(word));
                found.and_then(|digits| number(digits.trim().as_bytes()))
            };
            self.run.count = count(" done");
            self.add("failed", count(" failed")?);
        } else if let Some(statuses) = text.strip_prefix("status codes: ") {
            for part in statuses.split(", ") {
                let (count, class) = part.split_once(' ')?;
                self.add(&format!("responses-{class}"), number(count.as_bytes())?);
            }
        } else if let Some(protocol) = text.strip_prefix("Application protocol: ") {
            self.run.state("protocol", protocol);
        } else if let Some(protocol) = text.strip_prefix("TLS Protocol: ") {
            self.run.state("tls", protocol);
        } else if let Some(thread) = text.strip_prefix(THREAD) {
            // Each thread has a line with its own clients.
            let (begin, rest) = thread.split_once(" total client(s). ")?;
            self.count("clients", begin.rsplit(' ').next()?.parse().ok()?);
            self.count("threads", 1);
            self.work(rest);
        } else if text.starts_with("min ") {
            *self.columns = text.split_ascii_whitespace().map(statistic).collect();
        } else if let Some((stem, cells)) = times(text) {
            self.times(stem, cells)?;
        }
        Some(())
    }

    /// Reads `200 total requests`, with `Up to 5 client(s) will be created every 1s ` in front or not, or `Timing-based test
    /// with 0s of warm-up time and 10s of main duration for measurements.`.
    fn work(&mut self, text: &str) {
        if let Some((_, rest)) = text.split_once("warm-up time and ") {
            self.run.state("duration", rest.split(' ').next().unwrap_or(rest));
        }
        let before = |word: &str| text.split_once(word)?.0.rsplit(' ').next()?.parse().ok();
        for (key, word) in [("rate", " client(s) will be created"), ("requests", " total requests")] {
            if let Some(count) = before(word) {
                self.count(key, count);
            }
        }
    }

    /// Reads the times of one kind, by the header above them.
    fn times(&mut self, stem: &str, cells: &str) -> Option<()> {
        let cells: Vec<&str> = cells.split_ascii_whitespace().collect();
        let named = || self.columns.iter().zip(&cells);
        let deviation = named().find(|(column, _)| **column == "sd").and_then(|(_, cell)| go_seconds(cell));
        let mut found = Vec::new();
        for (column, cell) in named().filter(|(column, _)| !matches!(**column, "" | "sd")) {
            found.push((*column, go_seconds(cell)?));
        }
        for (column, value) in found {
            // No connection has a time of 0: h2load had none of these.
            if value == 0.0 {
                self.sheet.dropped(1);
                continue;
            }
            let deviation = deviation.filter(|_| column == "mean");
            self.run.add_mean("requests", &format!("{stem}-{column}"), value, deviation, self.line);
        }
        Some(())
    }

    /// Adds to a key that is a number.
    fn count(&mut self, key: &str, more: u32) {
        let known = self.run.context.iter().find(|(known, _)| known == key);
        let before: u32 = known.and_then(|(_, count)| count.parse().ok()).unwrap_or(0);
        self.run.state(key, &before.saturating_add(more).to_string());
    }

    fn add(&mut self, name: &str, value: f64) {
        self.run.add("requests", name, value, self.line);
    }
}

/// The statistic of a column. The last one, `+/- sd`, is the share of the times near the mean.
fn statistic(word: &str) -> &'static str {
    match word {
        "min" => "min",
        "max" => "max",
        "median" => "p50",
        "p95" => "p95",
        "p99" => "p99",
        "mean" => "mean",
        "sd" => "sd",
        _ => "",
    }
}

/// The bytes a second of a rate whose prefixes are powers of 1,024: `354.29KB/s`.
fn bytes_a_second(text: &str) -> Option<f64> {
    let (value, unit) = with_unit(text.strip_suffix("/s")?)?;
    let factor = match unit {
        "B" => 1.0,
        "KB" => 1024.0,
        "MB" => 1_048_576.0,
        "GB" => 1_073_741_824.0,
        _ => return None,
    };
    Some(value * factor)
}
