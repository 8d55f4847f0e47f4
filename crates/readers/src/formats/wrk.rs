//! What wrk prints at the end of a run, and what its successor wrk2 prints, which keeps to a rate.

use super::durations::with_unit;
use super::headings::framed;
use super::prelude::*;
use crate::text::ungrouped;

/// wrk.
pub static WRK: Format = BASE;

const BASE: Format = Format {
    name: "wrk",
    sign: "a line `  2 threads and 10 connections`, below `Running 10s test @ http://HOST/` or above `  Thread Stats`",
    harness: "wrk",
    export: "wrk --latency URL",
    values: Values::Aggregates,
    processes: Processes::Stated,
    printed_by: &["wrk"],
    keys: &[KEYS],
    metrics: METRICS,
    words: &[" threads and ", " test @ "],
    fits: |head| {
        No::unless(is_run(head), "it has no such line")?;
        No::unless(!is_wrk2(head), "it is of wrk2")
    },
    read: Read::Sheets(|name, _, content, _| read(name, content)),
    ..Format::PLAIN
};

/// wrk2.
pub static WRK2: Format = Format {
    name: "wrk2",
    sign: "a line `  2 threads and 10 connections` and one with `Thread calibration:` or `(HdrHistogram - `",
    harness: "wrk2",
    export: "wrk2 -R RATE --latency URL",
    printed_by: &["wrk", "wrk2"],
    metrics: WRK2_METRICS,
    words: &[" threads and ", " test @ "],
    fits: |head| {
        No::unless(is_run(head), "it has no line of threads and connections")?;
        No::unless(is_wrk2(head), "it is of wrk")
    },
    ..BASE
};

const KEYS: &[Key] = &[
    Key::of_work("threads", Role::Setting, "number of threads of the load generator"),
    Key::of_work("connections", Role::Setting, "number of connections that are open at once"),
    Key::of_work("duration", Role::Setting, "duration of the test"),
];

/// The metrics of wrk2. Only it has the first one.
const WRK2_METRICS: &[Meaning] = &[
    Meaning::of("throughput-sent", "requests sent a second, where a fork of wrk2 states them"),
    Meaning::of("throughput", "requests a second"),
    Meaning::of("transfer", "bytes received a second"),
    Meaning::of("throughput-thread", "requests a second of one thread, the mean over short intervals"),
    Meaning::of("latency-mean", "mean latency of a request"),
    Meaning::of("latency-max", "highest latency of a request"),
    Meaning::of("latency-p50", "median latency of a request"),
    Meaning::of("latency-p99", "99th percentile of the latency"),
    Meaning::of(
        "errors",
        "failed connections, reads, writes and timeouts, and responses other than 2xx and 3xx",
    ),
];

const METRICS: &[Meaning] = match WRK2_METRICS.split_first() {
    Some((_, shared)) => shared,
    None => &[],
};

fn is_run(head: &Head<'_>) -> bool {
    let has =
        |fits: fn(&str) -> bool| head.lines().filter_map(|line| std::str::from_utf8(line).ok()).any(fits);
    // Others such as autocannon and go-wrk begin as wrk does.
    has(|line| begins(line).is_some() || line.starts_with("Thread Stats"))
        && (has(|line| threads(line).is_some()) || has(|line| begins(line).is_some()) && has(is_statistics))
}

/// The head of the statistics, where people leave out the line with the threads.
fn is_statistics(line: &str) -> bool {
    line.trim_start().starts_with("Thread Stats ") && line.contains("+/- Stdev")
}

fn is_wrk2(head: &Head<'_>) -> bool {
    head.has("Thread calibration:") || head.has("(HdrHistogram - ")
}

/// The duration and the address in the first line of a run.
fn begins(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("Running ")?.split_once(" test @ ").filter(|(duration, _)| !duration.contains(' '))
}

/// The threads and the connections in the second line of a run.
pub(super) fn threads(line: &str) -> Option<(&str, &str)> {
    line.strip_suffix(" connections")?.split_once(" threads and ")
}

/// The name of a run whose first line is missing.
const NAMELESS: &str = "requests";

/// The name of the results of several addresses together.
const OVERALL: &str = "all addresses";

/// What the titles begin with below which a script warms up the server, as those of `TechEmpower`'s benchmarks.
const WARM_UPS: [&str; 2] = ["Running Primer ", "Running Warmup "];

/// Whether a line is the title of the results of all addresses.
fn is_overall(line: &str) -> bool {
    line.starts_with('-') && line.trim_matches('-') == "Overall Statistics"
}

fn read(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let bytes = content.all()?;
    let mut output = Output { sheet: Sheet::new(name), ..Output::default() };
    let mut lines: Vec<(u32, &str)> = lines::numbered(&bytes).collect();
    let titles = framed(&lines);
    for &(line, text) in &lines {
        // A document may indent an output.
        let text = text.trim_start();
        if titles.contains(&line) {
            output.is_warm_up = WARM_UPS.iter().any(|begin| text.starts_with(begin));
        }
        output.line(text, line);
    }
    output.close(0);
    // wrk2's own title is no heading of the runs below it.
    lines.retain(|(_, text)| !is_overall(text.trim_start()));
    Ok(vec![output.sheet])
}

/// The duration of a run, and its threads and connections.
pub(super) type Settings<'a> = (&'a str, Option<(&'a str, &'a str)>);

/// The runs of a file. An invocation for several addresses, of a fork of wrk2, announces each of them with a first line
/// of its own before it prints the results of any.
#[derive(Default)]
struct Output<'a> {
    sheet: Sheet,
    /// The number of the current invocation.
    process: u32,
    /// Whether the invocation has results.
    is_used: bool,
    /// The run whose lines are read.
    run: Option<Found<'a>>,
    /// The addresses that the invocation announces above that run, and the lines that end their announcements.
    announced: Vec<(Found<'a>, u32)>,
    /// The settings of the announced addresses, once the results of one of them begin.
    settings: HashMap<&'a str, Settings<'a>>,
    /// The announced addresses that have results.
    finished: HashSet<&'a str>,
    /// Whether results with a title of their own began.
    has_sections: bool,
    /// Whether the title above says that the next run warms up the server.
    is_warm_up: bool,
}

impl<'a> Output<'a> {
    fn line(&mut self, text: &'a str, line: u32) {
        if text.starts_with("unable to connect to ") && !std::mem::take(&mut self.is_warm_up) {
            let what = format!("a run has no results: {}", excerpt(text));
            self.sheet.problem(Code::Truncated, line, what, "repeat it when the server answers");
        }
        let is_second = self.run.as_ref().is_none_or(|run| run.threads.is_some());
        let nameless = || Some(("", NAMELESS)).filter(|_| is_second && threads(text).is_some());
        let first = begins(text).or_else(nameless);
        if let Some((duration, url)) = first {
            self.begin(Found::new(url, duration), line);
        } else if let Some(url) = text.strip_prefix("Test Results @ ") {
            self.section(url, line);
        } else if is_overall(text) {
            self.overall(line);
        }
        let Some(found) = &mut self.run else { return };
        found.is_announcement &= first.is_some() || text.is_empty() || threads(text).is_some();
        if found.line(text, line).is_none() {
            found.is_damaged = true;
            self.sheet.unreadable(line, text);
        }
        if text.starts_with("Transfer/sec:") {
            self.end(line);
        }
    }

    /// Begins a run with its first line. If nothing but the first lines of another one are above it, both can belong to
    /// one invocation.
    fn begin(&mut self, mut run: Found<'a>, line: u32) {
        run.is_left_out = std::mem::take(&mut self.is_warm_up);
        match self.run.take_if(|run| run.is_announcement) {
            Some(run) => self.announced.push((run, line)),
            None => self.close(line),
        }
        self.run = Some(run);
    }

    /// Begins the results of one address.
    fn section(&mut self, url: &'a str, line: u32) {
        self.title(line);
        if self.settings.is_empty() {
            self.settings = self.announced.iter().map(|(run, _)| (run.url, run.settings())).collect();
        }
        self.finished.insert(url);
        self.run = Some(Found::titled(url, self.settings.get(url).copied().unwrap_or_default()));
    }

    /// Begins the results of all addresses together, which repeat those of each. The results of a single address are its
    /// own.
    fn overall(&mut self, line: u32) {
        if !self.has_sections && self.announced.is_empty() && self.run.is_some() {
            return;
        }
        let is_repeated = self.has_sections;
        self.title(line);
        let first = self.announced.first().map(|(run, _)| run.settings());
        let are_equal = self.announced.iter().all(|(run, _)| Some(run.settings()) == first);
        if !is_repeated {
            self.finished.extend(self.announced.iter().map(|(run, _)| run.url));
        }
        let mut run = Found::titled(OVERALL, first.filter(|_| are_equal).unwrap_or_default());
        run.is_left_out = is_repeated;
        self.run = Some(run);
    }

    /// Ends what is above the title of results. That is the last address, or other results.
    fn title(&mut self, line: u32) {
        let has_sections = self.has_sections;
        match self.run.take_if(|run| run.values.is_empty() && !has_sections) {
            Some(run) => self.announced.push((run, line)),
            None => self.end(line),
        }
        self.has_sections = true;
    }

    /// Adds the run. Its last line may be cut, but not the rate of its requests.
    fn end(&mut self, line: u32) {
        let Some(run) = self.run.take() else { return };
        let has = |name: &str| run.values.iter().any(|(known, ..)| known == name);
        if run.is_left_out {
            self.sheet.dropped(run.values.len());
            if !self.has_sections {
                self.close(line);
            }
            return;
        }
        if !has("throughput") && !has("transfer") {
            return unfinished(&mut self.sheet, &run, line);
        }
        if !has("throughput") && !run.is_damaged {
            self.sheet.lacks(line, run.url, "line `Requests/sec:`");
        }
        run.settle(&mut self.sheet, self.process);
        self.is_used = true;
        if !self.has_sections {
            self.close(line);
        }
    }

    /// Ends the invocation. Addresses that it announces are not lost without a word.
    fn close(&mut self, line: u32) {
        self.end(line);
        for (run, line) in std::mem::take(&mut self.announced) {
            if !self.finished.contains(run.url) {
                unfinished(&mut self.sheet, &run, line);
            }
        }
        let (sheet, process) = (std::mem::take(&mut self.sheet), self.process + u32::from(self.is_used));
        *self = Self { sheet, process, ..Self::default() };
    }
}

/// Records that a run has no results.
fn unfinished(sheet: &mut Sheet, run: &Found<'_>, line: u32) {
    sheet.cut(line, format!("the run of {}", run.url));
}

// A run of wrk or wrk2: what the lines of its results say.

/// A run as far as it is read. Its number of requests comes after its latencies.
#[derive(Default)]
pub(super) struct Found<'a> {
    pub(super) url: &'a str,
    duration: &'a str,
    pub(super) threads: Option<(&'a str, &'a str)>,
    /// What the third column of the threads has: `Max`, or a percentile such as `99%`.
    third: &'a str,
    /// The name before a percentile: `latency` or `latency-uncorrected`.
    stem: &'static str,
    /// The names of the metrics with their values, deviations and lines.
    pub(super) values: Vec<(String, f64, Option<f64>, u32)>,
    requests: Option<f64>,
    recorded: Recorded,
    /// The number of errors; `None` if a line of them cannot be read.
    errors: Option<f64>,
    /// Whether nothing is read but the first lines.
    is_announcement: bool,
    /// Whether it warms up the server, or other results of the invocation have all of it.
    pub(super) is_left_out: bool,
    /// Whether a line with a result cannot be read.
    is_damaged: bool,
    /// How many figures are not a number: those of a run without requests.
    missing: usize,
}

/// How many latencies were recorded: none of responses that came too late, and with wrk2 none before its calibration is over.
#[derive(Default, Clone, Copy)]
enum Recorded {
    /// One of each request.
    #[default]
    All,
    Unknown,
    Number(f64),
}

impl Recorded {
    /// The run is one of wrk2.
    fn begin_late(&mut self) {
        if let Self::All = self {
            *self = Self::Unknown;
        }
    }
}

impl<'a> Found<'a> {
    /// A run of which the first line is read.
    pub(super) fn new(url: &'a str, duration: &'a str) -> Self {
        Self { url, duration, errors: Some(0.0), is_announcement: true, ..Self::default() }
    }

    /// Results with a title of their own, of a run with these settings.
    fn titled(url: &'a str, (duration, threads): Settings<'a>) -> Self {
        Self { threads, is_announcement: false, ..Self::new(url, duration) }
    }

    /// How it is run.
    pub(super) fn settings(&self) -> Settings<'a> {
        (self.duration, self.threads)
    }

    /// Reads a line; `None` if one with a result cannot be read.
    pub(super) fn line(&mut self, text: &'a str, line: u32) -> Option<()> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match words[..] {
            _ if threads(text).is_some() => self.threads = threads(text),
            ["Thread", "calibration:", ..] => self.recorded.begin_late(),
            ["Latency", "Distribution", ..] => {
                if text.contains("(HdrHistogram") {
                    self.recorded.begin_late();
                }
                let is_raw = text.contains("Uncorrected");
                self.stem = if is_raw { "latency-uncorrected" } else { "latency" };
            }
            ["Detailed", "Percentile", "spectrum:"] => self.stem = "",
            ["Thread", "Stats", _, _, third, ..] => self.third = third,
            ["#[Max", "=", _, "Total", "count", "=", count] => {
                self.recorded = Recorded::Number(number(count.trim_end_matches(']'))?);
            }
            // wrk divides by the number of latencies or of intervals, which may be 0. Its later versions do so only for the
            // share in the last column, and write the others as 0.
            ["Latency", mean, _, _, _] if mean.contains("nan") => {
                self.recorded = Recorded::Number(0.0);
                self.missing += 1;
            }
            ["Req/Sec", mean, _, _, share] if mean.contains("nan") || share.contains("nan") => {
                self.missing += 1;
            }
            ["Latency", mean, deviation, highest, share] => {
                if share.contains("nan") {
                    self.recorded = Recorded::Number(0.0);
                }
                self.add("latency-mean", time(mean)?, Some(time(deviation)?), line);
                let level = self.third.strip_suffix('%');
                let name =
                    level.map_or(Some("latency-max".to_owned()), |level| percentile("latency", level))?;
                self.add(&name, time(highest)?, None, line);
            }
            ["Req/Sec", mean, deviation, _, _] => {
                self.add("throughput-thread", thousands(mean)?, Some(thousands(deviation)?), line);
            }
            [level, value] if level.ends_with('%') && !self.stem.is_empty() => {
                let name = match level {
                    "100.000%" => format!("{}-max", self.stem),
                    _ => percentile(self.stem, level.trim_end_matches('%'))?,
                };
                self.add(&name, time(value)?, None, line);
            }
            [requests, "requests", "in", ..]
            | [requests, "completed", "requests", "in", ..]
            | ["Overall", requests, "requests", "in", ..] => {
                self.requests = Some(number(ungrouped(requests).as_bytes())?);
            }
            ["Socket", "errors:", "connect", a, "read", b, "write", c, "timeout", d] => {
                self.fail(&[a, b, c, d])?;
            }
            ["Non-2xx", "or", "3xx", "responses:", count] => self.fail(&[count])?,
            ["Requests/sec:", rate] | ["Completed", "Requests/sec", "(Throughput):", rate] => {
                self.add("throughput", number(ungrouped(rate).as_bytes())?, None, line);
            }
            ["Sent", "Requests/sec", "(Load):", rate] => {
                self.add("throughput-sent", number(rate)?, None, line);
            }
            ["Transfer/sec:", rate] => self.add("transfer", bytes(rate)?, None, line),
            _ => {}
        }
        Some(())
    }

    /// Adds errors; a part of their sum would be too little.
    fn fail(&mut self, counts: &[&str]) -> Option<()> {
        let sum: Option<f64> = counts.iter().map(|count| number(count.trim_end_matches(','))).sum();
        self.errors = self.errors.zip(sum).map(|(known, sum)| known + sum);
        sum.map(|_| ())
    }

    /// Adds a value, unless the statistics of the threads have it already.
    fn add(&mut self, name: &str, value: f64, deviation: Option<f64>, line: u32) {
        if self.values.iter().all(|(known, ..)| known != name) {
            self.values.push((name.to_owned(), value, deviation, line));
        }
    }

    /// Adds its values to the sheet.
    pub(super) fn settle(self, sheet: &mut Sheet, process: u32) {
        sheet.dropped(self.missing);
        let line = self.values.last().map_or(0, |(.., line)| *line);
        let keys =
            self.threads.map(|(threads, connections)| [("threads", threads), ("connections", connections)]);
        let keys = keys.into_iter().flatten().chain([("duration", self.duration)]);
        let keys = keys.filter(|(_, value)| !value.is_empty());
        let context: Vec<_> = keys.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let count = match self.recorded {
            Recorded::All => self.requests,
            Recorded::Unknown => None,
            Recorded::Number(number) => Some(number),
        };
        let mut run = Run { context, process, count, ..Run::default() };
        // Without requests the latencies are those of none.
        let has_no_latency = self.requests == Some(0.0) || count == Some(0.0);
        for (name, value, deviation, line) in self.values {
            if has_no_latency && name.starts_with("latency") {
                sheet.dropped(1);
            } else {
                run.add_mean(self.url, &name, value, deviation, line);
            }
        }
        // wrk prints errors only if there are any.
        if let Some(errors) = self.errors {
            run.add(self.url, "errors", errors, line);
        }
        run.end(sheet);
    }
}

/// A time as wrk writes it: `m` is a minute.
pub(super) fn time(text: &str) -> Option<f64> {
    let (value, unit) = with_unit(text)?;
    let known = meaning(if unit == "m" { "min" } else { unit });
    (known.quantity == Quantity::Time).then(|| known.scale.apply(value))
}

/// A number with a prefix that stands for a power of 1000.
fn thousands(text: &str) -> Option<f64> {
    let (value, prefix) = with_unit(text)?;
    Some(value * 1000_f64.powi(power(prefix)?))
}

/// A number of bytes as wrk writes it: `MB` are 1024 times 1024 bytes.
pub(super) fn bytes(text: &str) -> Option<f64> {
    let (value, unit) = with_unit(text)?;
    Some(value * 1024_f64.powi(power(unit.strip_suffix('B')?)?))
}

fn power(prefix: &str) -> Option<i32> {
    ["", "k", "M", "G", "T", "P"]
        .iter()
        .position(|known| known.eq_ignore_ascii_case(prefix))
        .map(|at| at as i32)
}
