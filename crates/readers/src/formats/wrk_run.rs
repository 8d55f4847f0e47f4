//! A run of wrk or wrk2: what the lines of its results say.

use super::durations::with_unit;
use super::load_metrics::percentile;
use super::load_run::Run;
use super::units;
use super::wrk::{Settings, threads};
use crate::Sheet;
use crate::metric::Quantity;
use crate::text::number;

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
    pub(super) is_announcement: bool,
    /// Whether it warms up the server, or other results of the invocation have all of it.
    pub(super) is_left_out: bool,
    /// Whether a line with a result cannot be read.
    pub(super) is_damaged: bool,
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
    pub(super) fn titled(url: &'a str, (duration, threads): Settings<'a>) -> Self {
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
                self.recorded = Recorded::Number(number(count.trim_end_matches(']').as_bytes())?);
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
                self.requests = Some(number(requests.as_bytes())?);
            }
            ["Socket", "errors:", "connect", a, "read", b, "write", c, "timeout", d] => {
                self.fail(&[a, b, c, d])?;
            }
            ["Non-2xx", "or", "3xx", "responses:", count] => self.fail(&[count])?,
            ["Requests/sec:", rate] | ["Completed", "Requests/sec", "(Throughput):", rate] => {
                self.add("throughput", number(rate.as_bytes())?, None, line);
            }
            ["Sent", "Requests/sec", "(Load):", rate] => {
                self.add("throughput-sent", number(rate.as_bytes())?, None, line);
            }
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
fn time(text: &str) -> Option<f64> {
    let (value, unit) = with_unit(text)?;
    let known = units::meaning(if unit == "m" { "min" } else { unit });
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
