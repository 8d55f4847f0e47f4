//! What redis-benchmark prints: CSV, the text with distributions, and the lines of `-q`.

use super::prelude::*;
use super::repeats::{Repeats, state_differences};

pub static CSV: Format = Format {
    name: "redis-benchmark-csv",
    sign: "a header `\"test\",\"rps\",\"avg_latency_ms\",…`, or lines such as `\"SET\",\"54347.82\"`",
    harness: "redis-benchmark",
    export: "redis-benchmark --csv",
    metrics: METRICS,
    fits: |head| {
        let header = head.lines().find(|line| !is_above(line)).unwrap_or_default();
        No::unless(has_header(header) || is_old(head), "it has neither")
    },
    read: Read::Sheet(read_csv),
    hides_settings: true,
    ..Format::SUMMARY
};

/// What it prints otherwise.
pub static TEXT: Format = Format {
    name: "redis-benchmark",
    sign: "a line `====== SET ======` above `requests completed in`, or lines such as `SET: 54347.82 requests per second`",
    harness: "redis-benchmark",
    processes: Processes::OneAFile,
    printed_by: &["redis-benchmark", "valkey-benchmark"],
    keys: &[&[
        Key::work("rate", "requests per second that are asked for (valkey-benchmark)"),
        Key::work("clients", "number of clients at once"),
        Key::work("size", "bytes of a value"),
        Key::work("threads", "number of threads of the load generator"),
        Key::work("keep_alive", "1 if connections are kept"),
        Key::work("requests", "number of requests (-n), where runs of a file differ"),
        Key::setting("save", "when the server writes its data to disk"),
        Key::setting("appendonly", "whether the server writes a log of all changes"),
    ]],
    metrics: METRICS,
    words: &[" requests completed in ", " requests per second"],
    fits: |head| {
        let is_report = head.has("====== ") && head.has(" requests completed in ");
        if is_report { Ok(()) } else { head.has_line(|line| quiet(latest(line)).is_some()) }
    },
    read: Read::Bytes(read_text),
    hides_settings: true,
    export: "standard output",
    values: Values::Aggregates,
    ..Format::PLAIN
};

const METRICS: &[Meaning] = &[
    Meaning::of("throughput", "requests per second"),
    Meaning::of("latency-mean", "time of a request, the mean"),
    Meaning::of("latency-min", "shortest time of a request"),
    Meaning::of("latency-p50", "time of a request, the median"),
    Meaning::of("latency-p95", "time of a request, the 95th percentile"),
    Meaning::of("latency-p99", "time of a request, the 99th percentile"),
    Meaning::of("latency-max", "longest time of a request"),
];

/// Whether these are the columns of its CSV: the test, its rate, and times in milliseconds.
fn has_columns<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
    let begins = names.next() == Some("test") && names.next() == Some("rps");
    let mut times = names.peekable();
    begins && times.peek().is_some() && times.all(|name| name.ends_with("_latency_ms"))
}

fn has_header(line: &[u8]) -> bool {
    std::str::from_utf8(line)
        .is_ok_and(|line| has_columns(line.split(',').map(|name| name.trim_matches('"'))))
}

/// Whether the lines are those of version 6.0 and before: a name and a rate, both in quotes, without a header.
fn is_old(head: &Head<'_>) -> bool {
    let is_row = |line: &[u8]| {
        let inner = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\""));
        let text = inner.and_then(|inner| std::str::from_utf8(inner).ok());
        text.and_then(|text| text.rsplit_once("\",\"")).is_some_and(|(_, rate)| is_decimal(rate))
    };
    let lines = head.lines().filter(|line| !is_above(line)).take(20);
    let mut whole = lines.filter(|line| head.bytes().ends_with(b"\n") || line.ends_with(b"\"")).peekable();
    whole.peek().is_some() && whole.all(is_row)
}

/// Whether this is a line that stands above results in CSV: nothing, a comment of a script, or what redis-benchmark says
/// of a cluster and of its options.
fn is_above(line: &[u8]) -> bool {
    matches!(line, [] | [b'#', ..]) || is_remark(line)
}

/// Whether redis-benchmark itself says this beside its results. A row of results begins with a quote.
fn is_remark(line: &[u8]) -> bool {
    const REMARKS: [&[u8]; 5] =
        [b"Cluster has ", b"Master ", b"Node ", b"WARNING: ", b"ERROR: failed to fetch CONFIG from "];
    REMARKS.iter().any(|remark| line.starts_with(remark))
}

/// A rate as redis-benchmark writes it: with two decimals.
fn is_decimal(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('.').is_some_and(|(whole, rest)| digits(whole) && rest.len() == 2 && digits(rest))
}

/// The metric of a time by its name in the summary: `avg`, `p99`.
fn time(name: &str) -> Option<String> {
    match name {
        "avg" => Some("latency-mean".to_owned()),
        "min" | "max" => Some(format!("latency-{name}")),
        _ => percentile("latency", name.strip_prefix('p')?),
    }
}

fn read_csv(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let (mut run, mut tests) = (Run::default(), Repeats::default());
    let (bytes, line) = below_remarks(&bytes);
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
    let (rows, line) = if has_header(first) {
        (escaped(bytes, memchr::memchr_iter(b',', first).count()), line)
    } else {
        ([b"\"test\",\"rps\"\n".to_vec(), escaped(bytes, 1)].concat(), line - 1)
    };
    csv_rows::each(&rows, line, sheet, |sheet, row| {
        if row.text("test").is_some_and(|test| tests.begins(&test)) {
            run.end(sheet);
            run.process = 0;
            sheet.next_run();
        }
        add_row(sheet, &mut run, row);
    })?;
    run.end(sheet);
    Ok(())
}

/// The bytes from the first row on, and its line.
fn below_remarks(bytes: &[u8]) -> (&[u8], u32) {
    let (mut bytes, mut line) = csv_rows::below_comments(bytes, 1);
    while let Some(end) = memchr::memchr(b'\n', bytes).filter(|&end| is_above(bytes[..end].trim_ascii())) {
        (bytes, line) = (&bytes[end + 1..], line.saturating_add(1));
    }
    (bytes, line)
}

/// The rows with two quotes for each in the name of a test, which so many columns follow: redis-benchmark writes commands
/// as they are. Remarks become empty lines, as those of an appended run stand between rows.
fn escaped(bytes: &[u8], columns: usize) -> Vec<u8> {
    let mut rows = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if is_remark(line.trim_ascii_start()) && line.ends_with(b"\n") {
            rows.push(b'\n');
            continue;
        }
        let end = memchr::memmem::rfind_iter(line, b"\",\"").nth(columns - 1).filter(|_| line[0] == b'"');
        let (name, rest) = line.split_at(end.unwrap_or(0));
        for (at, &byte) in name.iter().enumerate() {
            rows.extend_from_slice(if byte == b'"' && at > 0 {
                b"\"\""
            } else {
                std::slice::from_ref(&byte)
            });
        }
        rows.extend_from_slice(rest);
    }
    rows
}

fn add_row(sheet: &mut Sheet, run: &mut Run, row: &Row<'_>) {
    let Some(test) = sheet.need(row.text("test"), row.line, "test") else { return };
    if let Some(rate) = row.number(sheet, "rps") {
        run.add(&test, "throughput", rate, row.line);
    }
    for column in row.header {
        let Some(name) = column.strip_suffix("_latency_ms") else { continue };
        match (time(name), row.number(sheet, column)) {
            (Some(metric), Some(value)) => run.add(&test, &metric, value / 1e3, row.line),
            (None, Some(_)) => {
                sheet.lacks(row.line, column, "known meaning");
            }
            _ => {}
        }
    }
}

/// What is left of a line on a terminal: progress is overwritten from the beginning of the line. An editor or a log may
/// have deleted the carriage returns.
fn latest(line: &str) -> &str {
    let line = line.trim_end().rsplit('\r').next().unwrap_or_default().trim();
    if line.contains(": rps=")
        && let Some((_, rest)) = line.rsplit_once("(overall: ")
    {
        return rest.split_once(')').map_or("", |(_, after)| past_extent(after).trim());
    }
    past_rates(line)
}

/// What follows how far a test is: valkey-benchmark ends its progress with ` 15125 requests` or ` 1.5 seconds`. What other
/// versions end with is cleared by many blanks.
fn past_extent(line: &str) -> &str {
    let Some((digits, rest)) = line.strip_prefix(' ').and_then(|rest| rest.split_once(' ')) else {
        return line;
    };
    let rest = rest.strip_prefix("requests").or_else(|| rest.strip_prefix("seconds"));
    let is_extent = number(digits).is_some();
    rest.filter(|rest| is_extent && (rest.is_empty() || rest.starts_with(' '))).unwrap_or(line)
}

/// What follows the progress of versions before 6, which is the test with a rate, again and again: `SET: 0.00SET: 5.00`.
fn past_rates(line: &str) -> &str {
    let Some((test, _)) = line.split_once(": ").filter(|(test, _)| !test.is_empty()) else { return line };
    let after_rate = |line| {
        let rest: &str = str::strip_prefix(line, test)?.strip_prefix(": ")?;
        let end = rest.find('.')? + 3;
        let (rate, rest) = rest.split_at_checked(end)?;
        let rest = rest.trim_start();
        let goes_on = rest.strip_prefix(test).is_some_and(|rest| rest.starts_with(": "));
        (is_decimal(rate) && (goes_on || rest.starts_with("====== "))).then_some(rest)
    };
    let mut line = line;
    while let Some(rest) = after_rate(line) {
        line = rest;
    }
    line
}

/// `SET: 54347.82 requests per second, p50=0.231 msec`: the test, the rate, and the median where it is stated.
fn quiet(line: &str) -> Option<(&str, &str, Option<&str>)> {
    let (before, after) = line.rsplit_once(" requests per second")?;
    let (test, rate) = before.rsplit_once(": ")?;
    let median = after.strip_prefix(", p50=").and_then(|rest| rest.strip_suffix(" msec"));
    let ends = after.is_empty() || median.is_some();
    let is_rate = is_decimal(rate) || rate == "inf";
    (ends && is_rate && !test.is_empty() && test != "throughput summary").then_some((test, rate, median))
}

fn read_text(sheet: &mut Sheet, bytes: &[u8]) {
    let mut report = Report::default();
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if report.line(sheet, latest(text), line).is_none() {
            sheet.unreadable(line, latest(text));
        }
    }
    report.end(sheet);
    // A run of a given time completes another number each time, and not a round one.
    if report.asked.iter().flat_map(|(_, asked)| asked).all(|(_, count)| count.ends_with('0')) {
        state_differences(sheet, &report.asked);
    }
}

#[derive(Default)]
struct Report {
    run: Run,
    /// The number of requests of each run, from its first row on.
    asked: Vec<(usize, Context)>,
    test: String,
    tests: Repeats,
    /// The names above the times of the summary.
    columns: Vec<String>,
    /// Whether the next table has rates of intervals, under the names of latencies.
    are_rates: bool,
}

impl Report {
    /// Reads a line; `None` if its number cannot be read.
    fn line(&mut self, sheet: &mut Sheet, text: &str, line: u32) -> Option<()> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if let Some(test) = text.strip_prefix("====== ").and_then(|rest| rest.strip_suffix(" ======")) {
            self.begin(sheet, test);
            test.clone_into(&mut self.test);
        } else if let Some((test, rate, median)) = quiet(text) {
            self.begin(sheet, test);
            self.run.add(test, "throughput", number(rate)?, line);
            if let Some(median) = median {
                self.run.add(test, "latency-p50", number(median)? / 1e3, line);
            }
        } else if !self.columns.is_empty() {
            return self.summary(sheet, &words, line);
        } else if !self.test.is_empty() {
            return self.fact(text, &words, line);
        }
        Some(())
    }

    fn end(&mut self, sheet: &mut Sheet) {
        let count = self.run.count.map(|count| ("requests".to_owned(), count.to_string()));
        self.asked.push((sheet.len(), count.into_iter().collect()));
        self.run.end(sheet);
    }

    /// Ends the test before this one. All tests of a run belong to one process.
    fn begin(&mut self, sheet: &mut Sheet, test: &str) {
        self.end(sheet);
        if self.tests.begins(test) {
            sheet.next_run();
        }
        let (tests, asked) = (std::mem::take(&mut self.tests), std::mem::take(&mut self.asked));
        *self = Self { asked, tests, ..Self::default() };
    }

    fn fact(&mut self, text: &str, words: &[&str], line: u32) -> Option<()> {
        match *words {
            // A run of a given time completes another number each time, so this is no configuration.
            [requests, "requests", "completed", ..] => self.run.count = Some(number(requests)?),
            ["target", "RPS:", rate] => {
                self.run.state("rate", &number(rate)?.to_string());
            }
            [clients, "parallel", "clients"] => self.run.state("clients", clients),
            [size, "bytes", "payload"] => self.run.state("size", size),
            ["keep", "alive:", kept] => self.run.state("keep_alive", kept),
            ["multi-thread:", "no"] => self.run.state("threads", "1"),
            ["threads:", threads] => self.run.state("threads", threads),
            ["host", "configuration", r#""save":"#, ..] => self.run.state("save", after_colon(text)),
            ["host", "configuration", r#""appendonly":"#, ..] => {
                self.run.state("appendonly", after_colon(text));
            }
            ["throughput", "summary:", rate, "requests", "per", "second"]
            | [rate, "requests", "per", "second"] => {
                let test = self.test.clone();
                self.run.add(&test, "throughput", number(rate)?, line);
            }
            ["RPS", "distribution", ..] => self.are_rates = true,
            ["latency", "summary", "(msec):"] => self.are_rates = false,
            ["avg", "min", ..] => self.columns = words.iter().map(|&word| word.to_owned()).collect(),
            _ => {}
        }
        Some(())
    }

    /// Reads the line below the names. The rates of the intervals of a run, which valkey-benchmark has in such a table, are
    /// counted apart: the throughput summarises them.
    fn summary(&mut self, sheet: &mut Sheet, words: &[&str], line: u32) -> Option<()> {
        let columns = std::mem::take(&mut self.columns);
        if std::mem::take(&mut self.are_rates) {
            sheet.dropped(words.len());
            return Some(());
        }
        for (column, digits) in columns.iter().zip(words) {
            let (metric, test) = (time(column)?, self.test.clone());
            self.run.add(&test, &metric, number(digits)? / 1e3, line);
        }
        (columns.len() == words.len()).then_some(())
    }
}

/// What follows the first colon; `none` if that is nothing.
fn after_colon(text: &str) -> &str {
    let value = text.split_once(':').map_or("", |(_, value)| value.trim());
    if value.is_empty() { "none" } else { value }
}
