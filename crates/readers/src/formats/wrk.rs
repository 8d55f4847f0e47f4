//! What wrk prints at the end of a run, and what its successor wrk2 prints, which keeps to a rate.

use std::io;
use std::path::Path;

use super::durations::with_unit;
use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::{Head, No};
use super::load_metrics::percentile;
use super::load_run::Run;
use super::{lines, table_units};
use crate::metric::Quantity;
use crate::source::Content;
use crate::text::{excerpt, number};
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
    keys: &[KEYS],
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

const METRICS: &[Meaning] = &[
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
fn threads(line: &str) -> Option<(&str, &str)> {
    line.strip_suffix(" connections")?.split_once(" threads and ")
}

/// The name of a run whose first line is missing.
const NAMELESS: &str = "requests";

/// A run as far as it is read. Its number of requests comes after its latencies.
#[derive(Default)]
struct Found<'a> {
    url: &'a str,
    duration: &'a str,
    threads: Option<(&'a str, &'a str)>,
    /// What the third column of the threads has: `Max`, or a percentile such as `99%`.
    third: &'a str,
    /// The name before a percentile: `latency` or `latency-uncorrected`.
    stem: &'static str,
    values: Vec<(String, f64, Option<f64>, u32)>,
    requests: Option<f64>,
    /// The number of latencies that wrk2 recorded, which are those after its calibration.
    recorded: Option<f64>,
    /// The number of errors; `None` if a line of them cannot be read.
    errors: Option<f64>,
    /// How many figures are not a number: those of a run without requests.
    missing: usize,
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let (mut run, mut process) = (None::<Found<'_>>, 0);
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        // A document may indent an output.
        let text = text.trim_start();
        let is_second = |run: &Option<Found<'_>>| run.as_ref().is_none_or(|run| run.threads.is_some());
        let nameless = || Some(("", NAMELESS)).filter(|_| threads(text).is_some() && is_second(&run));
        if let Some((duration, url)) = begins(text).or_else(nameless) {
            end(&mut sheet, run.take(), &mut process, line);
            run = Some(Found { url, duration, errors: Some(0.0), ..Found::default() });
        }
        let Some(found) = &mut run else { continue };
        let is_end = text.starts_with("Transfer/sec:");
        if found.line(text, line).is_none() {
            let what = format!("`{}` has no number with a known unit", excerpt(text.as_bytes()));
            sheet.problem(Code::MalformedNumber, line, what, "did another program write into the output?");
        }
        if is_end {
            end(&mut sheet, run.take(), &mut process, line);
        }
    }
    end(&mut sheet, run, &mut process, 0);
    Ok(vec![sheet])
}

/// Adds a run. Its last line may be cut, but not the rate of its requests.
fn end(sheet: &mut Sheet, run: Option<Found<'_>>, process: &mut u32, line: u32) {
    let Some(run) = run else { return };
    if run.values.iter().any(|(name, ..)| matches!(&**name, "throughput" | "transfer")) {
        run.settle(sheet, *process);
        *process += 1;
    } else {
        let what = format!("the run of {} has no end", excerpt(run.url.as_bytes()));
        sheet.problem(Code::Truncated, line, what, "wrk prints its results when the run is over; repeat it");
    }
}

impl<'a> Found<'a> {
    /// Reads a line; `None` if one with a result cannot be read.
    fn line(&mut self, text: &'a str, line: u32) -> Option<()> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match words[..] {
            _ if threads(text).is_some() => self.threads = threads(text),
            ["Latency", "Distribution", ..] => {
                let is_raw = text.contains("Uncorrected");
                self.stem = if is_raw { "latency-uncorrected" } else { "latency" };
            }
            ["Detailed", "Percentile", "spectrum:"] => self.stem = "",
            ["Thread", "Stats", _, _, third, ..] => self.third = third,
            ["#[Max", "=", _, "Total", "count", "=", count] => {
                self.recorded = Some(number(count.trim_end_matches(']').as_bytes())?);
            }
            // wrk divides by the number of requests, which may be 0.
            ["Latency" | "Req/Sec", mean, _, _, _] if mean.contains("nan") => self.missing += 1,
            ["Latency", mean, deviation, highest, _] => {
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
            [requests, "requests", "in", ..] => self.requests = Some(number(requests.as_bytes())?),
            ["Socket", "errors:", "connect", a, "read", b, "write", c, "timeout", d] => {
                self.fail(&[a, b, c, d])?;
            }
            ["Non-2xx", "or", "3xx", "responses:", count] => self.fail(&[count])?,
            ["Requests/sec:", rate] => self.add("throughput", number(rate.as_bytes())?, None, line),
            ["Transfer/sec:", rate] => self.add("transfer", bytes(rate)?, None, line),
            _ => {}
        }
        Some(())
    }

    /// Adds errors; a part of their sum would be too little.
    fn fail(&mut self, counts: &[&str]) -> Option<()> {
        let sum: Option<f64> =
            counts.iter().map(|count| number(count.trim_end_matches(',').as_bytes())).sum();
        self.errors = self.errors.zip(sum).map(|(known, sum)| known + sum);
        sum.map(|_| ())
    }

    /// Adds a value, unless the statistics of the threads have it already.
    fn add(&mut self, name: &str, value: f64, deviation: Option<f64>, line: u32) {
        if self.values.iter().all(|(known, ..)| known != name) {
            self.values.push((name.to_owned(), value, deviation, line));
        }
    }

    fn settle(self, sheet: &mut Sheet, process: u32) {
        sheet.dropped(self.missing);
        let line = self.values.last().map_or(0, |(.., line)| *line);
        let keys =
            self.threads.map(|(threads, connections)| [("threads", threads), ("connections", connections)]);
        let keys = keys.into_iter().flatten().chain([("duration", self.duration)]);
        let keys = keys.filter(|(_, value)| !value.is_empty());
        let context: Vec<_> = keys.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let mut run = Run { context, process, count: self.recorded.or(self.requests), ..Run::default() };
        for (name, value, deviation, line) in self.values {
            // Without requests the latencies are those of none.
            if self.requests == Some(0.0) && name.starts_with("latency") {
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
fn time(text: &str) -> Option<f64> {
    let (value, unit) = with_unit(text)?;
    let known = table_units::meaning(if unit == "m" { "min" } else { unit });
    (known.quantity == Quantity::Time).then(|| known.scale.apply(value))
}

/// A number with a prefix that stands for a power of 1000.
fn thousands(text: &str) -> Option<f64> {
    let (value, prefix) = with_unit(text)?;
    Some(value * 1000_f64.powi(power(prefix)?))
}

/// A number of bytes as wrk writes it: `MB` are 1024 times 1024 bytes.
fn bytes(text: &str) -> Option<f64> {
    let (value, unit) = with_unit(text)?;
    Some(value * 1024_f64.powi(power(unit.strip_suffix('B')?)?))
}

fn power(prefix: &str) -> Option<i32> {
    ["", "k", "M", "G", "T", "P"]
        .iter()
        .position(|known| known.eq_ignore_ascii_case(prefix))
        .map(|at| at as i32)
}
