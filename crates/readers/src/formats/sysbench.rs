//! What sysbench prints, from version 0.4 on. A file may hold several runs.

use super::durations::with_unit;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "sysbench",
    sign: "a line with `sysbench 1.0.20` above `Threads started!` and `Threads fairness:`, or the end of such a report since version 1.0, or its lines of intervals",
    harness: "sysbench",
    own_labels: &["read:", "write:", "other:", "total:", "Threads fairness"],
    printed_by: &["sysbench"],
    keys: &[&[
        Key::work("threads", "number of threads of the load generator"),
        Key::work("rate", "events to start in a second"),
        Key::work("cpu-max-prime", "largest number that is tested for being prime"),
        Key::work("block_size", "size of a block of memory or of a file"),
        Key::work("total_size", "bytes of memory to move, or of all files"),
        Key::work("operation", "what is done with memory: read or write"),
        Key::work("scope", "whether threads share their memory"),
        Key::work("mode", "how files are read or written"),
        Key::work("files", "number of files"),
        Key::work("file_flags", "flags with which files are opened"),
        Key::work("rw_ratio", "reads to writes, where files are read and written"),
        Key::work("fsync", "requests until files are written to the device"),
        Key::work("io_mode", "how the requests to files are issued"),
        Key::setting("version", "version of the load generator"),
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
    words: &["sysbench ", " thds: ", "total number of events:", CPU_SPEED],
    fits: |head| {
        let is_banner = |line: &[u8]| version(&String::from_utf8_lossy(line)).is_some();
        let has = |sign: &[u8]| head.lines().any(|line| line.starts_with(sign));
        // The first lines of a report may be cut off.
        let is_rest = || BELOW.iter().all(|signs| signs.iter().any(|sign| has(sign.as_bytes())));
        // People keep no more than the results.
        let is_speed = || head.lines().zip(head.lines().skip(1)).any(|(line, next)| is_cpu_speed(line, next));
        No::unless(
            head.lines().any(is_banner) || is_rest() || is_speed() || head.lines().any(is_interval),
            "it has no line with sysbench's version",
        )
    },
    read: Read::Bytes(|sheet, bytes| {
        let mut report = Report::default();
        for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
            // People explain the lines: `events per second: 1005.43 # of all threads`.
            let bare = text.find('#').filter(|&at| at > 0).map_or(text, |at| text[..at].trim_end());
            report.line(sheet, bare.trim_start(), line);
        }
        report.end(sheet);
    }),
    ..Format::REPORT
};

/// The heading of the speed of the processor, which only sysbench prints, above the line with the rate.
const CPU_SPEED: &str = "CPU speed:";
const SQL: &str = "SQL statistics:";

/// Whether a line has an interval of a test of a database.
fn is_interval(line: &[u8]) -> bool {
    let has = |words: &str| memchr::memmem::find(line, words.as_bytes()).is_some();
    line.starts_with(b"[ ") && has("s ] thds: ") && has(" tps: ") && has(" qps: ")
}

fn is_cpu_speed(line: &[u8], next: &[u8]) -> bool {
    line == CPU_SPEED.as_bytes() && next.trim_ascii_start().starts_with(b"events per second:")
}

/// What stands at the end of every report: before version 0.5, in 0.5, and since 1.0.
const BELOW: [&[&str]; 3] = [
    &["total number of events:"],
    &["per-request statistics:", "response time:", LATENCIES],
    &[FAIRNESS, "General statistics:", "Throughput:"],
];

/// The version in the first line of a report: `sysbench 1.0.20 (using …)` or `sysbench 0.4.12:  multi-threaded …`.
pub(super) fn version(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("sysbench ")?.trim_start_matches('v');
    let (version, more) = rest.split_once([' ', ':']).unwrap_or((rest, ""));
    let is_report = more.starts_with("(using ") || more.trim_start().starts_with("multi-threaded ");
    (version.starts_with(|first: char| first.is_ascii_digit()) && is_report).then_some(version)
}

// The report of sysbench, line by line.

/// The configuration, by the words of the report.
const KEYS: [(&str, &str); 10] = [
    ("Number of threads", "threads"),
    ("Target transaction rate", "rate"),
    ("Prime numbers limit", "cpu-max-prime"),
    ("Maximum prime number checked in CPU test", "cpu-max-prime"),
    ("block size", "block_size"),
    ("total size", "total_size"),
    ("operation", "operation"),
    ("Read/Write ratio for combined random IO test", "rw_ratio"),
    ("scope", "scope"),
    ("Memory block size", "block_size"),
];

/// What a section or a line says of the test.
const TESTS: [(&str, &str); 11] = [
    (CPU_SPEED, "cpu"),
    ("Running memory speed test with the following options:", "memory"),
    ("File operations:", "fileio"),
    ("Extra file open flags:", "fileio"),
    (SQL, "sql"),
    ("OLTP test statistics:", "sql"),
    ("Doing CPU performance benchmark", "cpu"),
    ("Doing memory operations speed test", "memory"),
    ("Doing OLTP test.", "sql"),
    ("Doing thread subsystem performance test", "threads"),
    ("Doing mutex performance test", "mutex"),
];

/// Rates in lines of their own, with the factor to the base unit.
const RATES: [(&str, &str, f64); 6] = [
    ("events per second", "throughput", 1.0),
    ("reads/s", "throughput-read", 1.0),
    ("writes/s", "throughput-write", 1.0),
    ("fsyncs/s", "throughput-fsync", 1.0),
    ("read, MiB/s", "transfer-read", MIB),
    ("written, MiB/s", "transfer-write", MIB),
];

/// Counts with rates in brackets: `transactions: 1279 (425.43 per sec.)`.
const COUNTED: [(&str, &str, bool); 6] = [
    ("transactions", "throughput", true),
    ("queries", "throughput-queries", true),
    ("Total operations", "throughput", true),
    ("ignored errors", "errors", false),
    ("deadlocks", "errors", false),
    ("reconnects", "reconnects", false),
];

/// The longest time of sysbench's histogram, in seconds.
const LONGEST: f64 = 100.0;
/// Why a percentile of that time is left out.
const COUNTED_AS_LONGEST: &str = "sysbench counts times beyond 100 s as 100 s";
/// What to do about a percentile that is none.
const BEYOND: &str = "compare the throughput or the mean";

/// The heading of the times since version 1.0.
const LATENCIES: &str = "Latency (ms):";
/// The heading of the last lines of a report, and what these begin with.
const FAIRNESS: &str = "Threads fairness:";
const LAST: [&str; 3] = [FAIRNESS, "events (avg/stddev):", "execution time (avg/stddev):"];

const MIB: f64 = 1_048_576.0;

/// The report of a run.
#[derive(Default)]
pub(super) struct Report {
    run: Run,
    test: Option<&'static str>,
    count: Option<f64>,
    /// The rate of all events since version 1.1, which many tests state in words of their own too.
    events: Option<(f64, u32)>,
    /// Whether times have no unit because the heading has it.
    milliseconds: bool,
    /// Whether the line with the version was there: until the next one, reports are checkpoints of the same run.
    is_whole: bool,
    /// Whether the last lines of a report were there.
    is_over: bool,
}

impl Report {
    /// Takes a line.
    pub(super) fn line(&mut self, sheet: &mut Sheet, text: &str, line: u32) {
        let is_last = LAST.iter().any(|begin| text.starts_with(begin));
        if self.is_over && !self.is_whole && !is_last && !text.is_empty() {
            self.end(sheet);
        }
        // Of a report that was cut at both ends.
        let has_results = || self.run.figures.iter().any(|figure| !figure.name.starts_with("interval-"));
        if matches!(text, CPU_SPEED | SQL) && !self.is_whole && has_results() {
            self.end(sheet);
        }
        self.is_over |= is_last;
        if let Some(version) = version(text) {
            self.end(sheet);
            self.is_whole = true;
            self.run.state("version", version);
        } else if let Some((_, test)) = TESTS.iter().find(|(heading, _)| text.starts_with(heading)) {
            self.test = Some(test);
            let flags = text.strip_prefix("Extra file open flags: ");
            if let Some(flags) = flags.filter(|flags| !matches!(*flags, "(none)" | "0")) {
                self.run.state("file_flags", flags);
            }
        } else if text.starts_with('[') {
            self.interval(sheet, text, line);
        } else if text == LATENCIES {
            self.milliseconds = true;
        } else if self.fact(sheet, text, line).is_none() {
            sheet.unreadable(line, text);
        }
    }

    /// Adds the run to the sheet; the next one begins.
    pub(super) fn end(&mut self, sheet: &mut Sheet) {
        let has_rate = self.run.figures.iter().any(|figure| figure.name == "throughput");
        if let Some((rate, line)) = self.events.filter(|_| !has_rate) {
            self.run.add("", "throughput", rate, line);
        }
        for figure in &mut self.run.figures {
            self.test.unwrap_or("events").clone_into(&mut figure.benchmark);
        }
        self.run.end(sheet);
        *self = Self { run: std::mem::take(&mut self.run), ..Self::default() };
    }

    /// Reads a line; `None` if its number cannot be read. Other lines say nothing.
    fn fact(&mut self, sheet: &mut Sheet, text: &str, line: u32) -> Option<()> {
        let Some((subject, rest)) = text.split_once(':') else {
            return self.words(text, line);
        };
        let rest = rest.trim();
        if let Some((_, key)) = KEYS.iter().find(|(known, _)| *known == subject).filter(|_| !rest.is_empty())
        {
            self.run.state(key, rest);
        } else if let Some(rest) = rest.strip_prefix("IOPS=") {
            return self.operations(subject, rest, line);
        } else if subject == "events/s (eps)" {
            self.events = Some((number(rest)?, line));
        } else if let Some((_, name, factor)) = RATES.iter().find(|(known, ..)| *known == subject) {
            self.run.add("", name, number(rest)? * factor, line);
        } else if let Some((_, name, is_rate)) = COUNTED.iter().find(|(known, ..)| *known == subject) {
            let (count, rate) = rest.split_once('(')?;
            let rate = rate.split(' ').next()?;
            let digits = if *is_rate { rate } else { count.trim_end() };
            self.run.add("", name, number(digits)?, line);
        } else if let Some(name) = time(subject) {
            let value = self.duration(rest)?;
            if value == 0.0 {
                // Two decimals cannot show it.
                sheet.dropped(1);
            } else if let Some(why) = self.why_no_percentile(&name, value) {
                sheet.problem(Code::Contradiction, line, format!("{name} is left out: {why}"), BEYOND);
            } else {
                self.run.add("", &name, value, line);
                // With --report-checkpoints a run has several reports, each of its own events.
                let added = self.run.figures.last_mut().filter(|_| name == "latency-mean");
                if let Some(mean) = added {
                    mean.aggregate.count = self.count;
                }
            }
        } else if matches!(subject, "total time" | "time elapsed") {
            self.run.add("", "total-time", number(rest.strip_suffix('s')?)?, line);
        } else if subject == "total number of events" {
            self.count = Some(number(rest)?);
        } else if subject == "Operations performed" && rest.ends_with("ops/sec)") {
            let rate = rest.split_once('(')?.1.strip_suffix(" ops/sec)")?;
            self.run.add("", "throughput", number(rate)?, line);
        }
        Some(())
    }

    /// Why a time is not the percentile that it is called. The shortest and the longest time stand above it.
    fn why_no_percentile(&self, name: &str, value: f64) -> Option<&'static str> {
        let stated = |which: &str| {
            let above = self.run.figures.iter().rev().take(3).find(|figure| figure.name == which);
            above.map(|figure| figure.value)
        };
        if !name.starts_with("latency-p") {
            None
        } else if value == LONGEST && stated("latency-max").is_some_and(|longest| longest > LONGEST) {
            Some(COUNTED_AS_LONGEST)
        } else {
            // The classes of its histogram are 2% wide.
            let is_below = stated("latency-min").is_some_and(|shortest| value < shortest * 0.98);
            is_below.then_some("it is below the shortest time")
        }
    }

    /// Since version 1.1, for files: `read:  IOPS=3021.61 47.21 MiB/s (49.51 MB/s)`.
    fn operations(&mut self, subject: &str, rest: &str, line: u32) -> Option<()> {
        self.test = Some("fileio");
        let mut words = rest.split_whitespace();
        self.run.add("", &format!("throughput-{subject}"), number(words.next()?)?, line);
        if let (Some(digits), Some("MiB/s")) = (words.next(), words.next()) {
            self.run.add("", &format!("transfer-{subject}"), number(digits)? * MIB, line);
        }
        Some(())
    }

    /// Lines without a colon.
    fn words(&mut self, text: &str, line: u32) -> Option<()> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            // Before version 0.5 a mebibyte is called MB.
            [_, "MiB" | "MB", "transferred", rate, "MiB/sec)" | "MB/sec)"] => {
                let rate = number(rate.strip_prefix('(')?.as_bytes())?;
                self.run.add("", "transfer", rate * MIB, line);
            }
            [rate, "Requests/sec", "executed"] => {
                self.test = Some("fileio");
                self.run.add("", "throughput", number(rate)?, line);
            }
            [size, "total", "file", "size"] => self.run.state("total_size", size),
            ["Block", "size", size] => self.run.state("block_size", size),
            [files, "files,", _, "each"] => self.run.state("files", files),
            ["Periodic", "FSYNC", "enabled,", "calling", "fsync()", "each", requests, "requests."] => {
                self.run.state("fsync", requests);
            }
            ["Calling", "fsync()", "after", "each", "write", "operation."] => self.run.state("fsync", "1"),
            ["Using", .., "I/O", "mode"] => {
                self.run.state("io_mode", &words[1..words.len() - 2].join(" "));
            }
            ["Doing", .., "test"] => self.run.state("mode", &words[1..words.len() - 1].join(" ")),
            _ => {}
        }
        Some(())
    }

    /// A time below a heading with the unit, or with its own: `2.39ms`.
    fn duration(&self, text: &str) -> Option<f64> {
        let (value, unit) = with_unit(text)?;
        let unit = match unit {
            "" if self.milliseconds => "ms",
            unit @ ("ms" | "s") => unit,
            _ => return None,
        };
        Some(meaning(unit).scale.apply(value))
    }

    /// `[ 1s ] thds: 2 tps: 346.57 qps: 7018.31 (r/w/o: …) lat (ms,95%): 3.25 err/s: 3.00 reconn/s: 0.00`, or of memory
    /// `[ 1s ] 4774.91 MiB/sec`.
    fn interval(&mut self, sheet: &mut Sheet, text: &str, line: u32) {
        let Some((clock, rest)) = text[1..].split_once(']') else { return };
        if clock.trim().strip_suffix('s').is_none_or(|text| number(text).is_none()) {
            return;
        }
        let rest = format!(" {}", rest.trim_start());
        // A report without its first lines states the threads only here.
        let threads = rest.split_once(" thds: ").and_then(|(_, after)| after.split(' ').next());
        if let Some(threads) = threads.filter(|_| !self.is_whole) {
            self.run.state("threads", threads);
        }
        if let Some(digits) = memory(&rest) {
            match number(digits) {
                Some(rate) => self.run.add("", "interval-transfer", rate * MIB, line),
                None => sheet.unreadable(line, text),
            }
            return;
        }
        for (word, name, scale) in INTERVALS {
            let Some((_, after)) = rest.split_once(word) else { continue };
            let (digits, rest) = after.trim_start().split_once([' ', ',']).unwrap_or((after.trim(), ""));
            // Version 0.5 has `reads:` too, as queries.
            if name.contains("transfer") && !rest.starts_with("MiB/s") {
                continue;
            }
            let Some(value) = number(digits.trim_end_matches("/s")) else {
                sheet.unreadable(line, text);
                continue;
            };
            self.run.add("", name, scale.apply(value), line);
        }
        self.interval_percentile(sheet, &rest, line);
    }

    /// `lat (ms,95%): 3.25` or `latency (ms,95%): 0.006`; before version 1.0 `response time: 26.93ms (95%)`.
    fn interval_percentile(&mut self, sheet: &mut Sheet, rest: &str, line: u32) {
        let new = rest.split_once("(ms,").and_then(|(_, after)| after.split_once("%):"));
        let old = || {
            let (digits, after) = rest.split_once("response time: ")?.1.split_once("ms (")?;
            Some((after.split_once("%)")?.0, digits))
        };
        let Some((rank, after)) = new.or_else(old) else { return };
        let digits = after.split_whitespace().next().unwrap_or_default();
        match (percentile("interval-latency", rank), number(digits)) {
            (Some(_), Some(0.0)) => sheet.dropped(1),
            (Some(name), Some(value)) if value / 1e3 == LONGEST => {
                let what = format!("{name} is left out: {COUNTED_AS_LONGEST}");
                sheet.problem(Code::Contradiction, line, what, BEYOND);
            }
            (Some(name), Some(value)) => self.run.add("", &name, value / 1e3, line),
            _ => sheet.unreadable(line, rest),
        }
    }
}

/// The digits of an interval of the test of memory, which has nothing but a rate. Early versions call a mebibyte MB.
fn memory(rest: &str) -> Option<&str> {
    let rest = rest.trim().trim_end_matches(',');
    let rate = rest.strip_suffix("MiB/sec").or_else(|| rest.strip_suffix("MB/sec"))?;
    Some(rate.trim()).filter(|digits| !digits.contains(' '))
}

/// Rates of an interval, by the words before them.
const INTERVALS: [(&str, &str, Scale); 6] = [
    (" tps:", "interval-throughput", Scale::Times(1.0)),
    (" eps:", "interval-throughput", Scale::Times(1.0)),
    (" qps:", "interval-throughput-queries", Scale::Times(1.0)),
    (" reads: ", "interval-transfer-read", Scale::Times(MIB)),
    (" writes: ", "interval-transfer-write", Scale::Times(MIB)),
    (" fsyncs: ", "interval-throughput-fsync", Scale::Times(1.0)),
];

/// The metric of a line below the heading of the times: `avg`, `95th percentile`, `approx.  95 percentile`.
fn time(subject: &str) -> Option<String> {
    let rank = |text: &str| {
        let rank =
            text.trim_start_matches("approx.").trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        percentile("latency", rank.trim())
    };
    match subject.trim() {
        "min" => Some("latency-min".to_owned()),
        "avg" => Some("latency-mean".to_owned()),
        "max" => Some("latency-max".to_owned()),
        other => rank(other.strip_suffix(" percentile")?.trim_end()),
    }
}
