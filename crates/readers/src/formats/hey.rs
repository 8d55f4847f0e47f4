//! hey's CSV, with a row for each request, and the summary that it prints.

use super::load_metrics::push_row;
use super::prelude::*;

pub static CSV: Format = Format {
    name: "hey-csv",
    sign: "a header `response-time,DNS+dialup,DNS,Request-write,…`",
    harness: "hey",
    export: "hey -o csv URL",
    files: &["*.csv"],
    processes: Processes::OneAFile,
    keys: &[&[Key::of_work("status", Role::Setting, "status of the response")]],
    metrics: &[
        Meaning::of("latency", "time of a request"),
        Meaning::of(
            "failed",
            "1 for a request that failed by its status, 0 for another: the mean is their share",
        ),
        Meaning::of("dns-dialup", "time of connecting, with the name's resolution"),
        Meaning::of("dns", "time of resolving the name"),
        Meaning::of("request-write", "time of writing the request"),
        Meaning::of("response-delay", "time from the request written to the response"),
        Meaning::of("response-read", "time of reading the response"),
    ],
    fits: |head| No::unless(head.header_line().starts_with(HEADER), "its first line is not that header"),
    read: Read::Row(|sheet, row| {
        push_row(sheet, row, "status-code", &TIMES, &["dns-dialup", "dns"]);
    }),
    ..Format::PLAIN
};

pub static TEXT: Format = Format {
    name: "hey",
    sign: "a line `Summary:` and below it `Slowest:`, `Fastest:`, `Average:` with `secs` and `Requests/sec:`",
    harness: "hey",
    export: "hey URL",
    values: Values::Aggregates,
    processes: Processes::Stated,
    metrics: &[
        Meaning::of("throughput", "requests a second, with those that failed"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-min", "shortest time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("latency-p50", "median time of a request"),
        Meaning::of("latency-p99", "99th percentile of the time of a request"),
        Meaning::of("errors", "requests without a response"),
        Meaning::of("responses-200", "responses with this status"),
    ],
    own_labels: &["Error distribution"],
    printed_by: &["hey", "boom"],
    words: &["Slowest:"],
    fits: |head| {
        let has = |begin: &[u8], end: &[u8]| {
            head.lines().any(|line| line.starts_with(begin) && line.ends_with(end))
        };
        let has_times = has(b"Slowest:", b" secs") || has(b"Slowest:", b" secs.");
        let is_text = has(b"Summary:", b"") && has_times && has(b"Requests/sec:", b"");
        No::unless(is_text, "it has no such lines")?;
        No::unless(!has(b"Success rate:", b""), "it is of oha")
    },
    read: Read::Bytes(read_text),
    ..Format::PLAIN
};

/// Old versions write nothing more; later ones add `status-code` and `offset`.
const HEADER: &[u8] = b"response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read";

/// The columns of times with the names of their metrics.
const TIMES: [(&str, &str); 6] = [
    ("response-time", "latency"),
    ("DNS+dialup", "dns-dialup"),
    ("DNS", "dns"),
    ("Request-write", "request-write"),
    ("Response-delay", "response-delay"),
    ("Response-read", "response-read"),
];

/// A run as far as it is read.
#[derive(Default)]
struct Found {
    values: Vec<(String, f64, u32)>,
    /// The number of each kind of errors; `None` if it cannot be read.
    errors: Vec<Option<f64>>,
    responses: f64,
    section: &'static str,
}

fn read_text(sheet: &mut Sheet, bytes: &[u8]) {
    let lines: Vec<(u32, &str)> = lines::numbered(bytes).collect();
    let (mut found, mut run) = (None, Run::default());
    for &(line, text) in &lines {
        // In a document the runs of a list can be indented differently.
        let text = text.trim();
        if text == "Summary:" {
            settle(sheet, found.take(), &mut run);
            found = Some(Found::default());
        }
        if let Some(found) = &mut found
            && found.line(text, line).is_none()
        {
            let what = format!("`{}` has no number", excerpt(text.as_bytes()));
            sheet.problem(Code::MalformedNumber, line, what, "did another program write into the output?");
        }
    }
    settle(sheet, found, &mut run);
}

impl Found {
    /// Reads a line; `None` if one with a result cannot be read.
    fn line(&mut self, text: &str, line: u32) -> Option<()> {
        // The versions that were called boom end these lines with a full stop.
        let words: Vec<&str> = text.trim_end_matches('.').split_ascii_whitespace().collect();
        let value = |digits: &str| number(digits.as_bytes());
        match words[..] {
            ["Summary:"] => self.section = "summary",
            ["Latency", "distribution:"] => self.section = "latency",
            ["Status", "code", "distribution:"] => self.section = "status",
            ["Error", "distribution:"] => self.section = "errors",
            ["Response", "time", "histogram:"] | ["Details", ..] => self.section = "",
            [label, digits, "secs"] if self.section == "summary" => {
                let name = match label {
                    "Slowest:" => "latency-max",
                    "Fastest:" => "latency-min",
                    "Average:" => "latency-mean",
                    _ => return Some(()),
                };
                self.values.push((name.to_owned(), value(digits)?, line));
            }
            ["Requests/sec:", rate] if self.section == "summary" => {
                self.values.push(("throughput".to_owned(), value(rate)?, line));
            }
            // Later versions print `10%%`.
            [level, "in", digits, "secs"] if self.section == "latency" => {
                let name = percentile("latency", level.strip_suffix('%')?.trim_end_matches('%'))?;
                self.values.push((name, value(digits)?, line));
            }
            [status, count, "responses"] if self.section == "status" => {
                let status = status.strip_prefix('[')?.strip_suffix(']')?;
                self.responses += value(count)?;
                self.values.push((format!("responses-{status}"), value(count)?, line));
            }
            [count, ..] if self.section == "errors" && count.starts_with('[') => {
                let count = count.trim_start_matches('[').strip_suffix(']').and_then(value);
                self.errors.push(count);
                count?;
            }
            _ => {}
        }
        Some(())
    }
}

fn settle(sheet: &mut Sheet, found: Option<Found>, run: &mut Run) {
    let Some(Found { values, errors, responses, .. }) = found else { return };
    // hey begins the part of statuses even if it is empty; without it the output was cut.
    if !values.iter().any(|(name, ..)| name == "throughput") {
        return sheet.problem(Code::Truncated, 0, "a summary without its throughput", "repeat the run");
    }
    run.count = Some(responses);
    let line = values.last().map_or(0, |(_, _, line)| *line);
    for (name, value, line) in values {
        let is_latency = name.starts_with("latency");
        // Times are printed with four digits: 0 is less than 50 µs, or the time of no request.
        if is_latency && (value == 0.0 || (value.is_nan() && responses == 0.0)) {
            sheet.dropped(1);
        } else {
            run.add("requests", &name, value, line);
        }
    }
    // hey prints errors only if there are any. A part of their sum would be too little.
    if let Some(errors) = errors.iter().copied().sum::<Option<f64>>().filter(|_| !errors.is_empty()) {
        run.add("requests", "errors", errors, line);
    }
    run.end(sheet);
}
