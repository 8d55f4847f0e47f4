//! What the two tools print that are called go-wrk: that of tsliwowicz, which resembles wrk, and that of adjust.

use super::durations::with_unit;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "go-wrk",
    sign: "lines `Running 10s test @ http://HOST/` and `10 goroutine(s) running concurrently`, or `Used Connections:` and \
           `Total number of calls:`",
    harness: "go-wrk",
    export: "go-wrk URL",
    values: Values::Aggregates,
    processes: Processes::Stated,
    own_labels: &["BENCHMARK", "DATA", "ERRORS", "RESPONSES", "TIMINGS"],
    printed_by: &["go-wrk"],
    keys: &[&[
        Key::of_work("connections", Role::Setting, "number of connections that are open at once"),
        Key::of_work("duration", Role::Setting, "duration of the test"),
        Key::of_work("threads", Role::Setting, "number of threads of the load generator"),
        Key::of_work("requests", Role::Setting, "number of requests"),
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
    read: Read::Bytes(read),
    ..Format::PLAIN
};

const GOROUTINES: &str = " goroutine(s) running concurrently";

fn has(head: &Head<'_>, fits: fn(&str) -> bool) -> bool {
    head.lines().filter_map(|line| std::str::from_utf8(line).ok()).any(fits)
}

/// The duration and the address in the first line of a run.
fn begins(line: &str) -> Option<(&str, &str)> {
    line.trim_start().strip_prefix("Running ")?.split_once(" test @ ")
}

/// A run as far as it is read.
#[derive(Default)]
struct Found<'a> {
    url: &'a str,
    run: Run,
    has_end: bool,
    /// The mean, whose deviation comes later.
    mean: Option<(f64, u32)>,
    deviation: Option<f64>,
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut found, mut process) = (None::<Found<'_>>, 0);
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        let text = text.trim();
        if text.trim_matches('=') == "BENCHMARK" || begins(text).is_some() {
            end(sheet, found.replace(Found::default()), &mut process, line);
        }
        let Some(found) = &mut found else { continue };
        if let Some((duration, url)) = begins(text) {
            found.url = url;
            found.run.state("duration", duration);
        } else if found.line(sheet, text, line).is_none() {
            unreadable(sheet, text, line);
        }
    }
    end(sheet, found, &mut process, 0);
}

/// Adds a run, if it has an end.
fn end(sheet: &mut Sheet, found: Option<Found<'_>>, process: &mut u32, line: u32) {
    let Some(Found { url, mut run, has_end, mean, deviation }) = found else { return };
    if let Some((mean, line)) = mean {
        run.add_mean(url, "latency-mean", mean, deviation, line);
    }
    if run.count == Some(0.0) || !has_end {
        let what = if has_end { "no request got a response" } else { "a run without an end" };
        let code = if has_end { Code::NoResults } else { Code::Truncated };
        return sheet.problem(code, line, what, "does the server run? Repeat the run");
    }
    run.process = *process;
    *process += 1;
    run.end(sheet);
}

impl<'a> Found<'a> {
    /// Reads a line; `None` if one with a result cannot be read.
    fn line(&mut self, sheet: &mut Sheet, text: &'a str, line: u32) -> Option<()> {
        if let Some(connections) = text.strip_suffix(GOROUTINES) {
            self.run.state("connections", connections);
            return Some(());
        }
        if let Some((requests, _)) = text.split_once(" requests in ") {
            self.run.count = Some(number(requests.as_bytes())?);
            return Some(());
        }
        if text.starts_with("Error: No statistics collected") {
            (self.run.count, self.has_end) = (Some(0.0), true);
            return Some(());
        }
        let Some((label, value)) = text.split_once(':') else { return Some(()) };
        let value = value.trim();
        match label {
            "URL" => self.url = value,
            "Used Connections" => self.run.state("connections", value),
            "Used Threads" => self.run.state("threads", value),
            "Total number of calls" => {
                self.run.state("requests", value);
                self.run.count = Some(number(value.as_bytes())?);
            }
            "Requests/sec" | "Requests per second" => self.add("throughput", number(value.as_bytes())?, line),
            "Overall Requests/sec" => self.add("throughput-overall", number(value.as_bytes())?, line),
            "Transfer/sec" | "Transfer rate" => self.add("transfer", bytes(value)?, line),
            "Transfer rate per second" => {
                self.add("transfer", number(value.split_once(" Byte/s")?.0.as_bytes())?, line);
            }
            "Errors" => self.add("errors", number(value.split_whitespace().next()?.as_bytes())?, line),
            "Avg Req Time" | "Avg time per request" => self.mean = Some((go_seconds(value)?, line)),
            "stddev" => self.deviation = Some(go_seconds(value)?),
            "Fastest Request" => self.add_time(sheet, "latency-min", value, line)?,
            "Slowest Request" | "Slowest time for request" => {
                self.add_time(sheet, "latency-max", value, line)?;
            }
            // These are whole milliseconds in some versions.
            "Median time per request" => self.add_time(sheet, "latency-p50", value, line)?,
            "99th percentile time" => self.add_time(sheet, "latency-p99", value, line)?,
            "Number of Errors" => {
                self.add("errors", number(value.as_bytes())?, line);
                self.has_end = true;
            }
            // go-wrk asks its histogram for the 0.99th percentile and calls it the 99th.
            _ if percentile("", label.trim_end_matches('%')).is_some() => sheet.dropped(1),
            _ => self.responses(label, value, line)?,
        }
        Some(())
    }

    /// `20X responses:  1000  (100%)`, in later versions `20X allStats.Responses:`.
    fn responses(&mut self, label: &str, value: &str, line: u32) -> Option<()> {
        let Some((class, words)) = label.split_once("0X ") else { return Some(()) };
        if !words.to_ascii_lowercase().ends_with("responses") {
            return Some(());
        }
        let count = value.split_whitespace().next()?;
        self.add(&format!("responses-{class}xx"), number(count.as_bytes())?, line);
        self.has_end |= class == "5";
        Some(())
    }

    /// Adds a time. One of 0 ms is shorter than the digits show.
    fn add_time(&mut self, sheet: &mut Sheet, name: &str, text: &str, line: u32) -> Option<()> {
        match go_seconds(text)? {
            0.0 => sheet.dropped(1),
            time => self.add(name, time, line),
        }
        Some(())
    }

    fn add(&mut self, name: &str, value: f64, line: u32) {
        self.run.add(self.url, name, value, line);
    }
}

/// Bytes a second: `3.95MB`, `12.00bytes`, `2.50MB/s`. The prefixes are powers of 1,024.
fn bytes(text: &str) -> Option<f64> {
    let (value, unit) = with_unit(text.trim_end_matches("/s"))?;
    let power = ["bytes", "KB", "MB", "GB"].iter().position(|known| *known == unit)?;
    Some(value * 1024_f64.powi(power as i32))
}
