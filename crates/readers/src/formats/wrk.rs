//! What wrk prints at the end of a run, and what its successor wrk2 prints, which keeps to a rate.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::{Head, No};
use super::headings_commands::framed;
use super::wrk_run::Found;
use super::{headings, lines};
use crate::source::Content;
use crate::text::excerpt;
use crate::{Code, Options, Sheet};

/// wrk.
pub static WRK: Format = BASE;

const BASE: Format = Format {
    name: "wrk",
    sign: "a line `  2 threads and 10 connections`, below `Running 10s test @ http://HOST/` or above `  Thread Stats`",
    harness: "wrk",
    export: "wrk --latency URL",
    values: Values::Aggregates,
    processes: Processes::Stated,
    keys: &[KEYS, headings::KEYS],
    metrics: METRICS,
    fits: |head| {
        No::unless(is_run(head), "it has no such line")?;
        No::unless(!is_wrk2(head), "it is of wrk2")
    },
    read,
    ..Format::PLAIN
};

/// wrk2.
pub static WRK2: Format = Format {
    name: "wrk2",
    sign: "a line `  2 threads and 10 connections` and one with `Thread calibration:` or `(HdrHistogram - `",
    harness: "wrk2",
    export: "wrk2 -R RATE --latency URL",
    metrics: WRK2_METRICS,
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
        && has(|line| threads(line).is_some())
}

fn is_wrk2(head: &Head<'_>) -> bool {
    let has = |word: &[u8]| memchr::memmem::find(head.bytes(), word).is_some();
    has(b"Thread calibration:") || has(b"(HdrHistogram - ")
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

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
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
    headings::distinguish_runs(&mut output.sheet, &lines, &["wrk", "wrk2"]);
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
            let what = format!("a run has no results: {}", excerpt(text.as_bytes()));
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
            let what = format!("`{}` has no number with a known unit", excerpt(text.as_bytes()));
            let hint = "did another program write into the output?";
            self.sheet.problem(Code::MalformedNumber, line, what, hint);
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
            let what = format!("the run of {} has no line `Requests/sec:`", excerpt(run.url.as_bytes()));
            self.sheet.problem(Code::MalformedRecord, line, what, "was the file cut or edited?");
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
    let what = format!("the run of {} has no end", excerpt(run.url.as_bytes()));
    sheet.problem(Code::Truncated, line, what, "wrk prints its results when the run is over; repeat it");
}
