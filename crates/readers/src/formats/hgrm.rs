//! Percentile distributions as `HdrHistogram` prints them, and as vegeta does.

use super::hlog::unitless;
use super::load_metrics::{choose, described};
use super::prelude::*;
use crate::text::decimal;

/// The distribution that `HdrHistogram` prints.
pub static FORMAT: Format = Format {
    name: "hdrhistogram",
    sign: "a header `Value Percentile TotalCount 1/(1-Percentile)`",
    harness: "HdrHistogram",
    export: "outputPercentileDistribution",
    files: &["*.hgrm", "*.csv", "*.txt"],
    metrics: &[
        Meaning::of("p50", "median of the values"),
        Meaning::of("p90", "90th percentile of the values"),
        Meaning::of("p99.0625", "99.0625th percentile, the first that the library prints from the 99th on"),
        Meaning::of("max", "largest value"),
        Meaning::of("mean", "mean of the values"),
    ],
    words: &["TotalCount"],
    fits: |head| {
        No::unless(head.lines().any(|line| is_header(line, b"Value")), "it has no such line")?;
        No::unless(!is_of_wrk2(head), "it is of wrk2")
    },
    read: Read::Bytes(|sheet, bytes| {
        let print = Print { benchmark: "histogram", stem: "", divisor: 1.0, describe: unitless };
        print.read(sheet, bytes);
    }),
    ..Format::SUMMARY
};

/// The distribution that vegeta prints, in milliseconds.
pub static VEGETA: Format = Format {
    name: "vegeta-hdrplot",
    sign: "a header `Value(ms)  Percentile  TotalCount  1/(1-Percentile)`",
    harness: "vegeta",
    export: "vegeta report -type=hdrplot",
    metrics: &[
        Meaning::of("latency-p50", "median latency of a request"),
        Meaning::of("latency-p90", "90th percentile of the latency"),
        Meaning::of(
            "latency-p99.0625",
            "99.0625th percentile, the first that vegeta prints from the 99th on",
        ),
        Meaning::of("latency-max", "highest latency of a request"),
    ],
    fits: |head| No::unless(is_header(head.first_line(), b"Value(ms)"), "its first line is not that header"),
    read: Read::Bytes(|sheet, bytes| {
        let print = Print { benchmark: "requests", stem: "latency-", divisor: 1e3, describe: described };
        print.read(sheet, bytes);
    }),
    ..Format::SUMMARY
};

fn is_header(line: &[u8], value: &[u8]) -> bool {
    let cells =
        line.split(|&byte| byte == b',' || byte.is_ascii_whitespace()).filter(|cell| !cell.is_empty());
    let cells =
        cells.map(|cell| cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\"")).unwrap_or(cell));
    cells.eq([value, b"Percentile", b"TotalCount", b"1/(1-Percentile)"])
}

fn has_header(text: &str) -> bool {
    ["Value", "Value(ms)"].iter().any(|value| is_header(text.as_bytes(), value.as_bytes()))
}

fn is_of_wrk2(head: &Head<'_>) -> bool {
    head.lines()
        .any(|line| line.starts_with(b"Running ") && memchr::memmem::find(line, b" test @ ").is_some())
}

/// The percentiles that are read: each the first level from here on, because the levels of the library double their
/// density from half to half, so that few are round.
const LEVELS: [f64; 5] = [0.5, 0.9, 0.99, 0.999, 0.9999];

/// The value of a level, with its digits and its line.
type Level<'a> = (&'a str, f64, u32);

/// What the numbers of a distribution mean.
struct Print {
    benchmark: &'static str,
    /// The beginning of the names of its metrics.
    stem: &'static str,
    /// What a value is divided by to be in base units.
    divisor: f64,
    describe: fn(&str) -> Metric,
}

/// The rows of a distribution as far as they are read.
#[derive(Default)]
struct Rows<'a> {
    levels: Vec<Level<'a>>,
    /// How many of the wanted levels were found.
    wanted: usize,
    /// The row of the largest value, with the number of all values.
    last: Option<(f64, f64, u32)>,
    footer: Footer,
    headers: u32,
    /// Cells are separated by commas and not by blanks, between which a comma is a decimal mark.
    is_csv: bool,
    /// The text has lines below the rows; the CSV and vegeta end with the row of the largest value.
    has_footer: bool,
    /// Whether the last line of the footer is read.
    has_ended: bool,
}

impl Print {
    fn read(&self, sheet: &mut Sheet, bytes: &[u8]) {
        let mut rows = Rows::default();
        for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
            if rows.headers == 1 && has_header(text) {
                let what = "a second distribution begins here; it is not read";
                sheet.malformed(line, what, "write each into a file of its own");
                break;
            }
            if rows.line(text, line).is_none() {
                sheet.no_row(line, text);
            }
        }
        self.push(sheet, &rows);
        choose(sheet);
    }

    fn push(&self, sheet: &mut Sheet, rows: &Rows<'_>) {
        let Rows { last, footer, .. } = rows;
        let (end, count) = match last {
            _ if rows.has_footer => (footer.max, footer.count),
            Some((value, count, line)) => (Some((*value, *line)), Some(*count)),
            None => (None, None),
        };
        if end.is_none() {
            sheet.cut(0, "the distribution");
        }
        let stem = self.stem;
        let levels = rows
            .levels
            .iter()
            .filter_map(|&(level, value, line)| Some((percentile_of(stem, level)?, value, None, line)));
        let max = end.map(|(value, line)| (format!("{stem}max"), value, None, line));
        let mean =
            footer.mean.map(|(value, deviation, line)| (format!("{stem}mean"), value, deviation, line));
        // Of no values the library writes each level as 0.
        if count == Some(0.0) {
            return sheet.dropped(levels.chain(max).chain(mean).count());
        }
        for (name, value, deviation, line) in levels.chain(max).chain(mean) {
            let metric = sheet.metric(&name, || (self.describe)(&name));
            let (value, aggregate) = (value / self.divisor, Some(Aggregate { count, deviation }));
            let row = Measurement { benchmark: self.benchmark, metric, value, line, aggregate, ..ROW };
            sheet.push(Measurement { process: Some(0), ..row });
        }
    }
}

impl<'a> Rows<'a> {
    /// Reads a line; `None` if it is neither a row nor another known line.
    fn line(&mut self, text: &'a str, line: u32) -> Option<()> {
        if text.starts_with("#[") {
            if self.headers > 0 && !self.has_ended {
                self.footer.line(text, line);
                self.has_ended = text.starts_with("#[Buckets");
            }
            return Some(());
        }
        // A program prints other lines above and below its distribution.
        if self.has_ended || (self.headers == 0 && !has_header(text)) {
            return Some(());
        }
        let is_between = |sign: char| sign.is_ascii_whitespace() || (self.is_csv && sign == ',');
        let cells: Vec<&str> = text.split(is_between).filter(|cell| !cell.is_empty()).collect();
        if has_header(text) {
            self.headers += 1;
            self.is_csv = text.contains(',');
            self.has_footer = !self.is_csv && cells.first() == Some(&"Value");
            return Some(());
        }
        // The text leaves out the last cell of the last row, which is infinite.
        let ([value, level, count] | [value, level, count, _]) = cells[..] else {
            return cells.is_empty().then_some(());
        };
        let (value, share, count) = (decimal(value)?, decimal(level)?, number(count)?);
        if share >= 1.0 {
            self.last = Some((value, count, line));
            return Some(());
        }
        // The digits of a level are rounded.
        let reached = LEVELS.iter().filter(|wanted| share >= **wanted - 1e-9).count();
        if reached > self.wanted {
            self.levels.push((level, value, line));
        }
        self.wanted = self.wanted.max(reached);
        Some(())
    }
}

/// The name of the percentile of a level such as `0.990625`.
fn percentile_of(stem: &str, level: &str) -> Option<String> {
    let digits = level.strip_prefix("0.").or_else(|| level.strip_prefix("0,"))?;
    let (whole, rest) = (digits.get(..2)?, digits.get(2..)?);
    let name = percentile("", &format!("{whole}.{rest}"))?;
    Some(format!("{stem}{}", name.trim_start_matches('-')))
}

/// The lines below the rows: `#[Mean = 1.5, StdDeviation = 0.5]`.
#[derive(Default)]
struct Footer {
    mean: Option<(f64, Option<f64>, u32)>,
    max: Option<(f64, u32)>,
    count: Option<f64>,
}

impl Footer {
    fn line(&mut self, text: &str, line: u32) {
        let inner = text.trim_start_matches("#[").trim_end_matches(']');
        // A comma without a blank is a decimal mark.
        let pairs = inner.split(", ").filter_map(|pair| pair.split_once('='));
        for (key, value) in pairs {
            let Some(value) = decimal(value.trim()) else { continue };
            match key.trim() {
                "Mean" => self.mean = Some((value, None, line)),
                "StdDeviation" => self.mean = self.mean.map(|(mean, _, line)| (mean, Some(value), line)),
                "Max" => self.max = Some((value, line)),
                "Total count" => self.count = Some(value),
                // The writer in Python scales the mean and not the deviation.
                "TotalCount" => {
                    self.count = Some(value);
                    self.mean = self.mean.map(|(mean, _, line)| (mean, None, line));
                }
                _ => {}
            }
        }
    }
}
