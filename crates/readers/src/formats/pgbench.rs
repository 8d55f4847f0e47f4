//! What pgbench prints: its final report and its progress. A file may hold several runs.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "pgbench",
    sign: "a line with `transaction type: ` before `scaling factor: `, or lines such as `progress: 1.0 s, 870.1 tps, lat 3.2 ms`",
    harness: "pgbench",
    export: "standard output and standard error",
    printed_by: &["pgbench"],
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
    words: &["scaling factor: ", " tps, lat "],
    fits: |head| {
        let mut lines = head.lines();
        let is_report = lines.any(|line| line.starts_with(b"transaction type: "))
            && lines.take(2).any(|line| line.starts_with(b"scaling factor: "));
        let is_progress = |line: &[u8]| {
            line.starts_with(b"progress: ") && memchr::memmem::find(line, b" tps, lat ").is_some()
        };
        No::unless(is_report || head.lines().any(is_progress), "it has no such line")
    },
    read: Read::Sheet(|sheet, content| {
        let bytes = content.all()?;
        let mut report = Report::default();
        for (line, text) in lines::numbered(&bytes).collect::<Vec<_>>() {
            report.line(sheet, text, line);
        }
        report.end(sheet);
        sheet.count(&content.budget)
    }),
    ..Format::REPORT
};

// The report of pgbench, line by line.

/// What a run is called whose report is not in the file.
const TRANSACTIONS: &str = "transactions";

/// The configuration, by the words of the report.
const KEYS: [(&str, &str); 9] = [
    ("scaling factor", "scale"),
    ("query mode", "query_mode"),
    ("number of clients", "clients"),
    ("number of threads", "threads"),
    ("number of transactions per client", "transactions"),
    ("duration", "duration"),
    ("maximum number of tries", "max_tries"),
    ("partition method", "partition_method"),
    ("partitions", "partitions"),
];

/// Counts and times in milliseconds, by the words of the report.
const FIGURES: [(&str, &str, &str); 10] = [
    ("number of failed transactions", "errors", "1"),
    ("number of serialization failures", "errors-serialization", "1"),
    ("number of deadlock failures", "errors-deadlock", "1"),
    ("number of other failures", "errors-other", "1"),
    ("number of transactions skipped", "skipped", "1"),
    ("number of transactions retried", "retried", "1"),
    ("total number of retries", "retries", "1"),
    ("latency average", "latency-mean", "s"),
    ("initial connection time", "connection-time", "s"),
    ("average connection time", "reconnection-time", "s"),
];

/// The report of a run.
#[derive(Default)]
pub(super) struct Report {
    run: Run,
    /// What the whole run measured, once the report has begun.
    whole: Option<String>,
    /// What the lines that follow speak of: the whole run or a script.
    scope: String,
    /// The number of transactions in the scope.
    count: Option<f64>,
    /// The columns of numbers before each statement; 0 outside of such a list.
    columns: usize,
    scripts: Numbered,
    statements: Numbered,
    weights: Vec<String>,
    /// The time of the last line of progress.
    clock: f64,
}

impl Report {
    /// Takes a line.
    pub(super) fn line(&mut self, sheet: &mut Sheet, text: &str, line: u32) {
        if self.columns > 0 && text.starts_with([' ', '\t']) && self.statement(text, line) {
            return;
        }
        self.columns = 0;
        let text = text.trim_start().trim_start_matches("- ");
        if text.starts_with("statement latencies in milliseconds") && text.ends_with(':') {
            self.columns = 1 + usize::from(text.contains("failures")) + usize::from(text.contains("retries"));
            return;
        }
        if let Some(progress) = text.strip_prefix("progress: ") {
            return self.progress(sheet, progress, line);
        }
        if let Some(version) = text.strip_prefix("pgbench (").and_then(|rest| rest.strip_suffix(')')) {
            self.begin(sheet, None);
            self.run.state("version", version);
        } else if let Some(name) = text.strip_prefix("transaction type: ") {
            self.begin(sheet, Some(plain(name)));
        } else if self.is_first_of_other(text) {
            self.begin(sheet, Some(TRANSACTIONS));
            self.fact(text, line);
        } else if text.ends_with("Run was aborted; the above results are incomplete.") {
            sheet.malformed(line, "the run was aborted: its results are incomplete", "repeat the run");
        } else if self.whole.is_some() && !self.fact(text, line) {
            sheet.unreadable(line, text);
        }
    }

    /// Whether a report begins here whose line of the script somebody cut off: without it, its figures would be lost or
    /// count as those of the report above.
    fn is_first_of_other(&self, text: &str) -> bool {
        (self.whole.is_none() || self.count.is_some())
            && (text.starts_with("scaling factor: ") || text.starts_with("query mode: "))
    }

    /// Begins a report; the one before it is complete.
    fn begin(&mut self, sheet: &mut Sheet, whole: Option<&str>) {
        if self.whole.is_some() {
            self.end(sheet);
        }
        if let Some(whole) = whole {
            self.scope = self.scripts.name(whole.to_owned());
            self.whole = Some(self.scope.clone());
        }
    }

    /// Adds the run to the sheet; the next one begins.
    pub(super) fn end(&mut self, sheet: &mut Sheet) {
        let whole = self.whole.take().unwrap_or_else(|| TRANSACTIONS.to_owned());
        for figure in self.run.figures.iter_mut().filter(|figure| figure.benchmark.is_empty()) {
            figure.benchmark.clone_from(&whole);
        }
        if !self.weights.is_empty() {
            let weights = self.weights.join(":");
            self.run.state("weights", &weights);
        }
        self.run.end(sheet);
        *self = Self { run: std::mem::take(&mut self.run), ..Self::default() };
    }

    /// Reads a line of the report; false if its number cannot be read. Other lines say nothing.
    fn fact(&mut self, text: &str, line: u32) -> bool {
        let words = text.split_once(": ").or_else(|| text.split_once(" = "));
        let Some((subject, rest)) = words else {
            return !text.ends_with("% of total)") || self.share(text, line).is_some();
        };
        let subject = subject.trim_end();
        if let Some((_, key)) = KEYS.iter().find(|(known, _)| *known == subject) {
            self.run.state(key, rest);
        } else if let Some((_, name, unit)) = FIGURES.iter().find(|(known, ..)| *known == subject) {
            let value = if *unit == "s" { milliseconds(rest) } else { leading(rest) };
            let Some(value) = value else { return false };
            self.figure(name, value, line);
        } else {
            return self.special(subject, rest, line);
        }
        true
    }

    fn figure(&mut self, name: &str, value: f64, line: u32) {
        let scope = self.scope.clone();
        self.run.add(&scope, name, value, line);
        if let Some(figure) = self.run.figures.last_mut().filter(|_| name == "latency-mean") {
            figure.aggregate.count = self.count;
        }
    }

    fn special(&mut self, subject: &str, rest: &str, line: u32) -> bool {
        match subject {
            "number of transactions actually processed" => {
                self.count = leading(rest);
                // From version 19 on the rate of a script stands here.
                if let Some((_, rate)) = rest.split_once("(tps = ") {
                    let Some(rate) = number(rate.trim_end_matches(')').as_bytes()) else { return false };
                    self.figure("throughput", rate, line);
                }
            }
            "latency stddev" => {
                let figures = self.run.figures.iter_mut().rev();
                let mean = figures.take(2).find(|figure| figure.name == "latency-mean");
                let (Some(mean), Some(deviation)) = (mean, milliseconds(rest)) else { return false };
                mean.aggregate.deviation = Some(deviation);
            }
            "tps" => {
                let Some(value) = leading(rest) else { return false };
                let with = rest.contains("(including ");
                let name = if with { "throughput-with-connections" } else { "throughput" };
                self.figure(name, value, line);
            }
            "rate limit schedule lag" => return self.lag(rest, line).is_some(),
            "weight" => self.weights.push(rest.split(' ').next().unwrap_or_default().to_owned()),
            _ if subject.starts_with("SQL script ") => {
                self.scope = self.scripts.name(plain(rest).to_owned());
                self.count = None;
            }
            _ if subject.starts_with("number of transactions above the ") => {
                return self.late(subject, rest, line).is_some();
            }
            // `108 transactions (10.8% of total, tps = 273.7)`.
            _ if subject.contains(" transactions (") => {
                return self.share(&format!("{subject} = {rest}"), line).is_some();
            }
            _ => {}
        }
        true
    }

    /// The number and the rate of a script's transactions: `108 transactions (10.8% of total, tps = 273.7)`.
    fn share(&mut self, text: &str, line: u32) -> Option<()> {
        self.count = Some(leading(text)?);
        if let Some((_, rate)) = text.split_once("tps = ") {
            self.figure("throughput", number(rate.trim_end_matches(')').as_bytes())?, line);
        }
        Some(())
    }

    /// `avg 0.777 (max 15.718) ms`.
    fn lag(&mut self, rest: &str, line: u32) -> Option<()> {
        let (mean, most) = rest.strip_prefix("avg ")?.strip_suffix(") ms")?.split_once(" (max ")?;
        for (name, digits) in [("lag-mean", mean), ("lag-max", most)] {
            self.figure(name, number(digits)? / 1e3, line);
        }
        Some(())
    }

    /// `number of transactions above the 5.0 ms latency limit: 232/684 (33.918%)`.
    fn late(&mut self, subject: &str, rest: &str, line: u32) -> Option<()> {
        let limit = subject.split_once(" above the ")?.1.strip_suffix(" latency limit")?;
        self.run.state("latency_limit", limit);
        self.figure("late", leading(rest)?, line);
        Some(())
    }

    /// A statement below the heading of its columns: its mean time, its failures and its retries.
    fn statement(&mut self, text: &str, line: u32) -> bool {
        let mut rest = text.trim_start();
        let mut values = Vec::new();
        for _ in 0..self.columns {
            let (digits, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let Some(value) = number(digits) else { return false };
            values.push(value);
            rest = after.trim_start();
        }
        let name = self.statements.name(format!("{} / {rest}", self.scope));
        let columns = [("statement-latency", "s"), ("statement-errors", "1"), ("statement-retries", "1")];
        for ((metric, unit), value) in columns.into_iter().zip(values) {
            let value = if unit == "s" { value / 1e3 } else { value };
            self.run.add(&name, metric, value, line);
        }
        true
    }

    /// A line of progress: `1.0 s, 870.1 tps, lat 4.6 ms stddev 6.9, 0 failed, lag 0.7 ms, 36 skipped`.
    fn progress(&mut self, sheet: &mut Sheet, text: &str, line: u32) {
        let mut parts = text.split(", ");
        let clock = parts.next().and_then(|time| number(time.strip_suffix(" s")?));
        let Some(clock) = clock else { return sheet.unreadable(line, text) };
        if self.whole.is_some() || clock <= self.clock {
            self.end(sheet);
        }
        self.clock = clock;
        let idle = text.contains(", 0.0 tps,");
        for part in parts {
            let Some((name, unit, value, deviation)) = interval(part) else {
                if !is_known(part) {
                    sheet.unreadable(line, part);
                }
                continue;
            };
            if idle && unit == "s" {
                sheet.dropped(1);
                continue;
            }
            self.run.add_mean("", name, value, deviation, line);
        }
    }
}

// The words of pgbench's report: names, counts and times.

/// A part of a line of progress: the metric, its unit, the value and its deviation.
pub(super) fn interval(part: &str) -> Option<(&'static str, &'static str, f64, Option<f64>)> {
    let parsed = |digits: &str| number(digits);
    let words: Vec<&str> = part.split(' ').collect();
    Some(match words[..] {
        [digits, "tps"] => ("interval-throughput", "1/s", parsed(digits)?, None),
        [digits, "failed"] => ("interval-errors", "1", parsed(digits)?, None),
        [digits, "skipped"] => ("interval-skipped", "1", parsed(digits)?, None),
        ["lag", digits, "ms"] => ("interval-lag-mean", "s", parsed(digits)? / 1e3, None),
        ["lat", digits, "ms", "stddev", spread] => {
            ("interval-latency-mean", "s", parsed(digits)? / 1e3, parsed(spread).map(|spread| spread / 1e3))
        }
        _ => return None,
    })
}

/// Whether a part of a line of progress is known and not read.
pub(super) fn is_known(part: &str) -> bool {
    part.ends_with(" retried") || part.ends_with(" retries")
}

/// The name of a script: `TPC-B (sort of)` of `<builtin: TPC-B (sort of)>`.
pub(super) fn plain(name: &str) -> &str {
    name.strip_prefix("<builtin: ").and_then(|name| name.strip_suffix('>')).unwrap_or(name)
}

/// The number with which a text begins: `232/684 (33.918%)`.
pub(super) fn leading(text: &str) -> Option<f64> {
    number(text.split(['/', ' ']).next()?)
}

/// A time: `3.906 ms`.
pub(super) fn milliseconds(text: &str) -> Option<f64> {
    let (digits, unit) = text.split_once(' ')?;
    let known = unit == "ms" || unit.starts_with("ms ");
    Some(number(digits).filter(|_| known)? / 1e3)
}
