//! `HdrHistogram`'s log: a compressed histogram for each interval of a run. It does not state the unit of the values.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::hdr_histogram::Histogram;
use super::head::No;
use super::load_metrics::{choose, described};
use super::{lines, timestamps};
use crate::metric::{Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::{lossless, number};
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "hdrhistogram-log",
    sign: "a line `#[Histogram log format version 1.3]`, or the header `\"StartTimestamp\",\"Interval_Length\",…`",
    harness: "HdrHistogram",
    export: "HistogramLogWriter",
    files: &["*.hlog", "*.log"],
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    keys: &[&[Key::of_run("date", Role::Date, "start of the log")]],
    metrics: &[
        Meaning::of("p50", "median of the values of an interval"),
        Meaning::of("p90", "90th percentile of the values of an interval"),
        Meaning::of("p99", "99th percentile of the values of an interval"),
        Meaning::of("p99.9", "99.9th percentile of the values of an interval"),
        Meaning::of("max", "largest value of an interval"),
        Meaning::of("mean", "mean of the values of an interval"),
        Meaning::of("throughput", "values recorded a second"),
    ],
    fits: |head| {
        let is_head = |line: &[u8]| line.starts_with(VERSION) || line.starts_with(LEGEND);
        No::unless(head.lines().any(is_head), "it has no such line")
    },
    read,
    ..Format::PLAIN
};

const VERSION: &[u8] = b"#[Histogram log format version ";
const START: &[u8] = b"#[StartTime: ";
const LEGEND: &[u8] = br#""StartTimestamp","Interval_Length","#;

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let lines = (1..).zip(lines::whole(&bytes, &mut sheet).split(|&byte| byte == b'\n'));
    for (line, text) in lines {
        let text = text.trim_ascii();
        let begins = [VERSION, START, LEGEND].iter().any(|begin| text.starts_with(begin));
        // Times and the date of a log say nothing of another that was appended.
        if begins && sheet.next_run() {
            sheet.set_context(&[]);
        }
        if let Some(rest) = text.strip_prefix(START) {
            let seconds = rest.split(|&byte| byte == b' ').next().unwrap_or_default();
            sheet.set_context(&[("date".to_owned(), timestamps::of_unix(&lossless(seconds), 1.0))]);
        } else if !text.is_empty() && !matches!(text[0], b'#' | b'"') {
            let decompressed = interval(&mut sheet, text, line);
            content.budget.take_bytes(decompressed)?;
        }
    }
    choose(&mut sheet);
    Ok(vec![sheet])
}

/// Reads a line; returns how many bytes were decompressed.
fn interval(sheet: &mut Sheet, text: &[u8], line: u32) -> u64 {
    let (tag, rest) = match text.strip_prefix(b"Tag=") {
        Some(rest) => {
            let end = memchr::memchr(b',', rest).unwrap_or(rest.len());
            (lossless(&rest[..end]), rest.get(end + 1..).unwrap_or_default())
        }
        None => (Cow::Borrowed("histogram"), text),
    };
    let cells: Vec<&[u8]> = rest.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).collect();
    let [_, length, _, encoded] = cells[..] else {
        broken(sheet, line, "a line that is not `start,length,maximum,histogram`");
        return 0;
    };
    let decoded = STANDARD.decode(encoded).map_err(|_| "it is not Base64");
    match decoded.and_then(|bytes| Histogram::decode(&bytes)) {
        Ok(histogram) => {
            values(sheet, &tag, &histogram, number(length), line);
            histogram.bytes
        }
        Err(why) => {
            broken(sheet, line, &format!("a histogram that cannot be read: {why}"));
            0
        }
    }
}

fn broken(sheet: &mut Sheet, line: u32, what: &str) {
    sheet.problem(
        Code::MalformedRecord,
        line,
        what,
        "write the log with HistogramLogWriter of HdrHistogram 2",
    );
}

fn values(sheet: &mut Sheet, benchmark: &str, histogram: &Histogram, seconds: Option<f64>, line: u32) {
    // An interval without values has no percentiles.
    if histogram.total == 0 {
        return sheet.dropped(1);
    }
    let row = Measurement { benchmark, line, process: Some(0), ..Measurement::default() };
    let count = Some(histogram.total as f64);
    let levels = [("p50", 50.0), ("p90", 90.0), ("p99", 99.0), ("p99.9", 99.9)];
    let percentiles = levels.map(|(name, percent)| (name, histogram.percentile(percent) as f64));
    let others = [("max", histogram.max() as f64), ("mean", histogram.mean())];
    for (name, value) in percentiles.into_iter().chain(others) {
        let metric = sheet.metric(name, || unitless(name));
        let aggregate = Some(Aggregate { count, deviation: None });
        sheet.push(Measurement { metric, value, aggregate, ..row });
    }
    if let Some(seconds) = seconds.filter(|seconds| *seconds > 0.0) {
        let metric = sheet.metric("throughput", || described("throughput").secondary());
        let (value, aggregate) = (histogram.total as f64 / seconds, Some(Aggregate::default()));
        sheet.push(Measurement { metric, value, aggregate, ..row });
    }
}

/// A metric of values whose unit and meaning only the program knows that recorded them; [`choose`] decides which are
/// compared.
pub(super) fn unitless(name: &str) -> Metric {
    Metric::new(name, "", Quantity::Other).secondary()
}
