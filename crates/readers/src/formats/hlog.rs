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
use super::timestamps;
use crate::metric::{Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::{lossless, number};
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "hdrhistogram-log",
    sign: "a line `#[Histogram log format version 1.3]`, the header `\"StartTimestamp\",\"Interval_Length\",…`, or lines such as \
           `0.000,1.000,0.371,HISTFAAA…`",
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
        let is_head = |line: &[u8]| {
            line.starts_with(VERSION) || LEGENDS.iter().any(|legend| line.starts_with(legend)) || is_row(line)
        };
        No::unless(head.lines().any(is_head), "it has no such line")
    },
    read,
    ..Format::PLAIN
};

const VERSION: &[u8] = b"#[Histogram log format version ";
const START: &[u8] = b"#[StartTime: ";
/// The second one is of `HdrHistogram_c`.
const LEGENDS: [&[u8]; 2] =
    [br#""StartTimestamp","Interval_Length","#, br#""StartTimestamp","EndTimestamp","#];

/// Whether a line is an interval; the one of `HdrHistogram_rust` writes neither version nor legend.
fn is_row(line: &[u8]) -> bool {
    // Detection asks this of each line of each file.
    if memchr::memmem::find(line, b",HIST").is_none() {
        return false;
    }
    let (_, cells) = cells(line);
    let [start, length, most, histogram] = cells[..] else { return false };
    let is_number = |cell| number(cell).is_some_and(f64::is_finite);
    [start, length, most].into_iter().all(is_number) && histogram.starts_with(b"HIST")
}

/// The tag of a line, and its cells.
fn cells(text: &[u8]) -> (Option<&[u8]>, Vec<&[u8]>) {
    let (tag, rest) = match text.strip_prefix(b"Tag=") {
        Some(rest) => {
            let end = memchr::memchr(b',', rest).unwrap_or(rest.len());
            (Some(&rest[..end]), rest.get(end + 1..).unwrap_or_default())
        }
        None => (None, text),
    };
    // A fifth cell suffices to see that there are too many.
    (tag, rest.splitn(5, |&byte| byte == b',').map(<[u8]>::trim_ascii).collect())
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let lines = || bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let (kinds, mut legends, mut kind) = (second_columns(lines()), 0, Second::Length);
    for (line, text) in (1..).zip(lines()) {
        let is_legend = LEGENDS.iter().any(|legend| text.starts_with(legend));
        let begins = is_legend || [VERSION, START].iter().any(|begin| text.starts_with(begin));
        // Times and the date of a log say nothing of another that was appended.
        if begins && sheet.next_run() {
            sheet.set_context(&[]);
        }
        if is_legend {
            kind = kinds.get(legends).copied().unwrap_or(Second::Length);
            legends += 1;
        }
        if let Some(rest) = text.strip_prefix(START) {
            let seconds = rest.split(|&byte| byte == b' ').next().unwrap_or_default();
            sheet.set_context(&[("date".to_owned(), timestamps::of_unix(&lossless(seconds), 1.0))]);
        } else if !text.is_empty() && !matches!(text[0], b'#' | b'"') {
            let decompressed = interval(&mut sheet, text, &mut kind, line);
            content.budget.take_bytes(decompressed)?;
        }
    }
    choose(&mut sheet);
    Ok(vec![sheet])
}

/// What the second column of a log has. `HdrHistogram_c` calls it the end of the interval, but one of its two writers puts the
/// length there.
#[derive(Clone, Copy, PartialEq)]
enum Second {
    Length,
    End,
    /// One of both: the file does not tell which.
    Unknown,
    /// The same, after it was reported.
    Reported,
}

/// Times from this one on are seconds since 1970, not since the start of the log: no interval is so long.
const DATES: f64 = 1e8;

/// What the second column has below each legend.
fn second_columns<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Vec<Second> {
    let mut found: Vec<(bool, Vec<(f64, f64)>)> = Vec::new();
    for text in lines {
        if LEGENDS.iter().any(|legend| text.starts_with(legend)) {
            found.push((text.starts_with(LEGENDS[1]), Vec::new()));
        } else if let Some((true, rows)) = found.last_mut()
            && is_row(text)
        {
            let (_, cells) = cells(text);
            rows.extend(number(cells[0]).zip(number(cells[1])));
        }
    }
    found
        .into_iter()
        .map(|(is_end, rows)| if is_end { second_column(&rows) } else { Second::Length })
        .collect()
}

/// What the second column of these rows has under the name of an end: an end is after its start, and intervals follow each
/// other.
fn second_column(rows: &[(f64, f64)]) -> Second {
    if rows.iter().any(|(_, second)| *second >= DATES) {
        return Second::End;
    }
    if rows.iter().any(|(start, second)| second < start) {
        return Second::Length;
    }
    let (mut ends, mut lengths) = (0, 0);
    for pair in rows.windows(2) {
        let [(start, second), (next, _)] = pair else { continue };
        let near = |time: f64| (time - next).abs() <= (next - start) / 10.0;
        match (near(*second), near(start + second)) {
            (true, false) => ends += 1,
            (false, true) => lengths += 1,
            _ => {}
        }
    }
    match (ends, lengths) {
        (1.., 0) => Second::End,
        (0, 1..) => Second::Length,
        _ => Second::Unknown,
    }
}

/// Reads a line; returns how many bytes were decompressed.
fn interval(sheet: &mut Sheet, text: &[u8], kind: &mut Second, line: u32) -> u64 {
    let (tag, cells) = cells(text);
    let tag = tag.map_or(Cow::Borrowed("histogram"), lossless);
    let [start, second, _, encoded] = cells[..] else {
        broken(sheet, line, "a line that is not `start,length,maximum,histogram`");
        return 0;
    };
    let decoded = STANDARD.decode(encoded).map_err(|_| "it is not Base64");
    match decoded.and_then(|bytes| Histogram::decode(&bytes)) {
        Ok(histogram) => {
            let seconds = length(sheet, [start, second], kind, line);
            values(sheet, &tag, &histogram, seconds, line);
            histogram.bytes
        }
        Err(why) => {
            broken(sheet, line, &format!("a histogram that cannot be read: {why}"));
            0
        }
    }
}

/// The length of an interval from its first two cells.
fn length(sheet: &mut Sheet, [start, second]: [&[u8]; 2], kind: &mut Second, line: u32) -> Option<f64> {
    let (start, second) = (number(start), number(second)?);
    match kind {
        Second::Length => Some(second),
        Second::End => start.map(|start| second - start),
        // Both are the same.
        _ if start == Some(0.0) => Some(second),
        Second::Unknown => {
            let what =
                "the second column may be the end of an interval or its length: there is no throughput";
            sheet.problem(Code::MalformedNumber, line, what, "write the log with times since 1970");
            *kind = Second::Reported;
            None
        }
        Second::Reported => None,
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
