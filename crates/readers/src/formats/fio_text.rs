//! fio's report for people, and the terse one: the figures of its JSON as far as they are printed.

use super::fio::{DIRECTIONS, choose, start};
use super::page::binary;
use super::prelude::*;

/// What fio prints for people or, with `--minimal`, without the names of its numbers.
pub static TEXT: Format = Format {
    name: "fio-text",
    sign: "lines such as `read: (g=0): rw=randread, …`, `read: (groupid=0, jobs=1): err= 0: …` or `3;fio-3.33;…`",
    harness: "fio",
    printed_by: &["fio"],
    own_labels: &["Run status group", "Disk stats"],
    keys: &[&[
        Key::new("version", Role::Setting, "version of the harness"),
        Key::new("ioengine", Role::Setting, "how the job issues its operations"),
        Key::of_work("rw", Role::Setting, "pattern of the operations"),
        Key::of_work("bs", Role::Setting, "size of an operation"),
        Key::of_work("iodepth", Role::Setting, "number of operations at a time"),
        Key::of_work("numjobs", Role::Setting, "number of processes that do the job"),
    ]],
    metrics: &[
        Meaning::of("throughput", "operations per second"),
        Meaning::of("transfer", "bytes per second"),
        Meaning::of("latency-mean", "time of an operation, the mean"),
        Meaning::of("clat-mean", "time from the issue of an operation to its end, the mean"),
        Meaning::of("clat-p50", "time from the issue of an operation to its end, the median"),
        Meaning::of("clat-p99", "time from the issue to the end that 99 of 100 operations do not exceed"),
    ],
    words: &[";fio-", ": (groupid=", ": (g=", "iops=", "IOPS=", "READ: bw=", "WRITE: bw="],
    fits: |head| {
        let has = |line: &[u8], words: &str| memchr::memmem::find(line, words.as_bytes()).is_some();
        let is_terse =
            |line: &[u8]| line.first().is_some_and(u8::is_ascii_digit) && line[1..].starts_with(b";fio-");
        let is_group = |line: &[u8]| has(line, ": (groupid=") && has(line, "): err=");
        let is_text = |line: &[u8]| {
            is_terse(line)
                || is_group(line)
                || (has(line, ": (g=") && has(line, "): rw="))
                || std::str::from_utf8(line)
                    .is_ok_and(|line| direction(line).is_some() || of_group(line).is_some())
        };
        No::unless(head.lines().any(is_text) && start(head.bytes()).is_none(), "it has no such line")
    },
    read: Read::Bytes(read),
    ..Format::REPORT
};

/// The direction of a line with its rates: `read: IOPS=1234, BW=4936KiB/s (…)`, `write: io=1040MB, bw=106500KB/s, iops=26625`.
fn direction(line: &str) -> Option<&'static str> {
    let (label, rest) = line.split_once(':')?;
    let lower = rest.to_ascii_lowercase();
    let has_rates = lower.contains("iops=") && lower.contains("bw=");
    DIRECTIONS.iter().find(|known| has_rates && **known == label.trim()).copied()
}

/// The direction and the rates of a group of jobs: `READ: bw=1234KiB/s (…)`.
fn of_group(line: &str) -> Option<(&'static str, &str)> {
    let (label, rest) = line.trim_start().trim_matches('`').split_once(": ")?;
    let known = DIRECTIONS.iter().find(|known| label == known.to_ascii_uppercase())?;
    rest.starts_with("bw=").then_some((known, rest))
}

/// The kinds of times with the beginnings of the names of their metrics.
const KINDS: [(&str, &str); 3] = [("clat", "clat"), ("lat", "latency"), ("slat", "slat")];

/// What is known where a line is read.
#[derive(Default)]
struct Place {
    version: Context,
    /// The settings of each job, from the lines above the results.
    jobs: Vec<(String, Context)>,
    /// The job, and the benchmark once its direction is known.
    job: Option<String>,
    benchmark: Option<String>,
    /// The metric of the percentiles that follow, and the seconds of their unit.
    percentiles: Option<(&'static str, f64)>,
    /// Whether the groups follow, or what the run ends with.
    is_below_jobs: bool,
    /// Whether a line named a job; people leave it out.
    has_jobs: bool,
    /// The directions of which a line has the rates of a job. Those of the groups are read of the others, as of a job whose
    /// lines were cut off.
    directions: BTreeSet<&'static str>,
    /// Whether a job failed, of which the groups have rates.
    has_failed: bool,
    /// What the run has of the terse report, or of the groups of jobs.
    known: BTreeSet<String>,
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut place = Place::default();
    for (line, text) in lines::numbered(bytes) {
        let text = text.trim_start();
        let is_read = if text.contains(";fio-") {
            let job = text.split(';').nth(2).unwrap_or_default();
            if !place.known.insert(job.to_owned()) {
                // The lines of another run.
                sheet.next_run();
                place.known = BTreeSet::from([job.to_owned()]);
            }
            terse(sheet, text, line)
        } else {
            place.take(sheet, text, line)
        };
        if is_read.is_none() {
            sheet.unreadable(line, text);
        }
    }
    choose(sheet);
}

impl Place {
    /// The job of rates above which no line names one.
    fn unnamed(&self, text: &str) -> Option<String> {
        direction(text).filter(|_| !self.has_jobs).map(|_| "job".to_owned())
    }

    /// Reads a line; `None` if a number of it cannot be read.
    fn take(&mut self, sheet: &mut Sheet, text: &str, line: u32) -> Option<()> {
        self.has_jobs |= text.contains(": (g");
        if let Some((name, settings)) = text.split_once(": (g=") {
            if self.job.take().is_some() || self.is_below_jobs {
                // The lines of another run.
                sheet.next_run();
                *self = Self::default();
            }
            self.jobs.push((name.to_owned(), options(settings)));
        } else if text.starts_with("Run status group ") {
            (self.job, self.benchmark, self.percentiles) = (None, None, None);
            self.is_below_jobs = true;
        } else if let Some(version) = text.strip_prefix("fio-") {
            self.version = vec![("version".to_owned(), format!("fio-{version}"))];
        } else if let Some((name, rest)) = text.split_once(": (groupid=") {
            self.begin(sheet, name, rest, line);
        } else if let Some(job) = self.job.clone().or_else(|| self.unnamed(text)) {
            self.job = Some(job.clone());
            let (label, rest) = text.split_once(':').unwrap_or((text, ""));
            if let Some(direction) = DIRECTIONS.iter().find(|known| **known == label.trim()) {
                self.directions.insert(direction);
                let benchmark = format!("{job} {direction}");
                self.benchmark = Some(benchmark.clone());
                return rates(sheet, &benchmark, rest, line);
            }
            if let Some(benchmark) = &self.benchmark {
                return times(sheet, benchmark, label, rest, &mut self.percentiles, line);
            }
        } else if let Some((direction, rest)) =
            of_group(text).filter(|(direction, _)| !self.directions.contains(direction) && !self.has_failed)
        {
            if !self.known.insert(direction.to_owned()) {
                sheet.next_run();
                self.known = BTreeSet::from([direction.to_owned()]);
            }
            sheet.set_context(&self.version);
            return rates(sheet, &format!("all jobs {direction}"), rest, line);
        }
        Some(())
    }

    /// Begins the results of a job: `0, jobs=2): err= 0: pid=4711: …`.
    fn begin(&mut self, sheet: &mut Sheet, name: &str, rest: &str, line: u32) {
        (self.job, self.benchmark, self.percentiles) = (None, None, None);
        if std::mem::take(&mut self.is_below_jobs) {
            self.directions.clear();
            self.has_failed = false;
        }
        let error =
            rest.split_once("err=").map_or("0", |(_, rest)| rest.split(':').next().unwrap_or(rest).trim());
        if error != "0" {
            self.has_failed = true;
            return sheet.failed(line, name, format!("error {error}"));
        }
        let count = rest.split_once("jobs=").and_then(|(_, rest)| Some(rest.split_once(')')?.0.to_owned()));
        let mut context = self.version.clone();
        context.extend(
            self.jobs
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, found)| found.clone())
                .unwrap_or_default(),
        );
        context.extend(count.map(|count| ("numjobs".to_owned(), count)));
        sheet.set_context(&context);
        self.job = Some(name.to_owned());
    }
}

/// The settings in `0): rw=randread, bs=(R) 4096B-4096B, …, ioengine=psync, iodepth=1`.
fn options(text: &str) -> Context {
    let pairs = text.split(", ").filter_map(|part| {
        part.trim_start_matches(|sign: char| sign.is_ascii_digit() || "): ".contains(sign)).split_once('=')
    });
    let known = pairs.filter(|(key, _)| ["rw", "bs", "ioengine", "iodepth"].contains(key));
    known.map(|(key, value)| (key.to_owned(), value.trim_start_matches("(R) ").to_owned())).collect()
}

/// Adds the rates in `IOPS=14.8k, BW=57.9MiB/s (60.7MB/s)(57.9MiB/1001msec)`, and before version 3 in
/// `io=4096.0KB, bw=15574KB/s, iops=3893, runt=   263msec`.
fn rates(sheet: &mut Sheet, benchmark: &str, text: &str, line: u32) -> Option<()> {
    for (key, value) in text.split(", ").filter_map(|part| part.trim().split_once('=')) {
        let value = value.split([' ', '(', ';']).next()?;
        match key {
            "IOPS" | "iops" => push(sheet, benchmark, "throughput", counted(value)?, None, line),
            "BW" | "bw" => {
                let (amount, unit) = durations::with_unit(value.strip_suffix("/s")?)?;
                push(sheet, benchmark, "transfer", binary(unit)?.scale.apply(amount), None, line);
            }
            _ => {}
        }
    }
    Some(())
}

/// Adds the times in `clat (usec): min=34, max=7928, avg=66.49, stdev=190.63`, and the percentiles of a line such as
/// `|  1.00th=[   37],  5.00th=[   38],`.
fn times(
    sheet: &mut Sheet,
    benchmark: &str,
    label: &str,
    rest: &str,
    percentiles: &mut Option<(&'static str, f64)>,
    line: u32,
) -> Option<()> {
    if let (Some(found), Some((metric, unit))) = (label.strip_prefix('|'), *percentiles) {
        for (level, value) in found.split("],").filter_map(|part| part.split_once("th=[")) {
            let value = counted(value.trim_end_matches(']').trim())?;
            push(sheet, benchmark, &percentile(metric, level.trim())?, value * unit, None, line);
        }
        return Some(());
    }
    *percentiles = None;
    let Some((kind, unit)) = label.strip_suffix(')').and_then(|label| label.split_once(" (")) else {
        return Some(());
    };
    let seconds = match unit {
        "nsec" => 1e-9,
        "usec" => 1e-6,
        "msec" => 1e-3,
        "sec" => 1.0,
        _ => return Some(()),
    };
    let metric = |kind: &str| KINDS.iter().find(|(known, _)| *known == kind).map(|(_, metric)| *metric);
    if let Some(metric) = kind.strip_suffix(" percentiles").and_then(metric) {
        *percentiles = Some((metric, seconds));
    } else if let (Some(metric), true) = (metric(kind), rest.contains("avg=")) {
        let pairs: Vec<(&str, &str)> =
            rest.split(',').filter_map(|part| part.trim().split_once('=')).collect();
        let at = |key: &str| {
            counted(pairs.iter().find(|(known, _)| *known == key)?.1.trim()).map(|value| value * seconds)
        };
        for (key, name) in [("avg", "mean"), ("min", "min"), ("max", "max")] {
            let deviation = at("stdev").filter(|_| key == "avg");
            push(sheet, benchmark, &format!("{metric}-{name}"), at(key)?, deviation, line);
        }
    }
    Some(())
}

/// A number with `k` or `M` behind it.
fn counted(text: &str) -> Option<f64> {
    let factors = [("k", 1e3), ("K", 1e3), ("M", 1e6)];
    let found = factors.iter().find_map(|(sign, factor)| Some((text.strip_suffix(sign)?, *factor)));
    let (digits, factor) = found.unwrap_or((text, 1.0));
    number(digits).map(|value| value * factor)
}

/// Adds a figure. What is 0 was not measured.
fn push(sheet: &mut Sheet, benchmark: &str, name: &str, value: f64, deviation: Option<f64>, line: u32) {
    if value == 0.0 {
        return sheet.dropped(1);
    }
    let aggregate =
        Some(Aggregate { count: None, deviation: deviation.filter(|&deviation| deviation > 0.0) });
    load_metrics::push(
        sheet,
        Measurement { benchmark, line, process: Some(0), aggregate, ..ROW },
        name,
        value,
    );
}

/// The fields of a direction in the terse report of version 3: the first, and how many there are.
const FIRST: usize = 5;
const FIELDS: usize = 41;

/// Adds the figures of a line of the terse report; times are in microseconds.
fn terse(sheet: &mut Sheet, text: &str, line: u32) -> Option<()> {
    let fields: Vec<&str> = text.split(';').collect();
    let [_, version, job, _, error, ..] = fields[..] else { return None };
    if error != "0" {
        sheet.failed(line, job, format!("error {error}"));
        return Some(());
    }
    sheet.set_context(&[("version".to_owned(), version.to_owned())]);
    for (direction, fields) in DIRECTIONS.iter().zip(fields[FIRST..].chunks_exact(FIELDS)).take(2) {
        let benchmark = format!("{job} {direction}");
        let at = |field: usize| number(fields[field]);
        if at(0)? == 0.0 {
            continue;
        }
        push(sheet, &benchmark, "transfer", at(1)? * 1024.0, None, line);
        push(sheet, &benchmark, "throughput", at(2)?, None, line);
        for (first, metric) in [(4, "slat"), (8, "clat"), (32, "latency")] {
            for (field, name) in [(0, "min"), (1, "max"), (2, "mean")] {
                let deviation = at(first + 3).map(|micros| micros / 1e6).filter(|_| name == "mean");
                push(
                    sheet,
                    &benchmark,
                    &format!("{metric}-{name}"),
                    at(first + field)? / 1e6,
                    deviation,
                    line,
                );
            }
        }
        for (level, micros) in fields[12..32]
            .iter()
            .filter_map(|field| field.split_once("%="))
            .filter(|(level, _)| *level != "0")
        {
            push(sheet, &benchmark, &percentile("clat", level)?, number(micros)? / 1e6, None, line);
        }
    }
    Some(())
}
