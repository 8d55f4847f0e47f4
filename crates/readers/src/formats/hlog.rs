//! `HdrHistogram`'s log: a compressed histogram for each interval of a run. It does not state the unit of the values.

use super::prelude::*;
use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;

use super::load_metrics::{choose, described};

pub static FORMAT: Format = Format {
    name: "hdrhistogram-log",
    sign: "a line `#[Histogram log format version 1.3]`, the header `\"StartTimestamp\",\"Interval_Length\",…`, or lines such as \
           `0.000,1.000,0.371,HISTFAAA…`",
    harness: "HdrHistogram",
    export: "HistogramLogWriter",
    files: &["*.hlog", "*.log"],
    keys: &[&[Key::date("start of the log")]],
    metrics: &[
        Meaning::of("p50", "median of the values of an interval"),
        Meaning::of("p90", "90th percentile of the values of an interval"),
        Meaning::of("p99", "99th percentile of the values of an interval"),
        Meaning::of("p99.9", "99.9th percentile of the values of an interval"),
        Meaning::of("max", "largest value of an interval"),
        Meaning::of("mean", "mean of the values of an interval"),
        Meaning::of("throughput", "values recorded a second"),
    ],
    words: &["#[Histogram log format version ", "\"StartTimestamp\",", ",HIST"],
    fits: |head| {
        let is_head = |line: &[u8]| {
            line.starts_with(VERSION) || LEGENDS.iter().any(|legend| line.starts_with(legend)) || is_row(line)
        };
        No::unless(head.lines().any(is_head), "it has no such line")
    },
    read: Read::Sheet(read),
    ..Format::SUMMARY
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

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
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
            let decompressed = interval(sheet, text, &mut kind, line);
            content.budget.take_bytes(decompressed)?;
        }
    }
    choose(sheet);
    Ok(())
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
    sheet.malformed(line, what, "write the log with HistogramLogWriter of HdrHistogram 2");
}

fn values(sheet: &mut Sheet, benchmark: &str, histogram: &Histogram, seconds: Option<f64>, line: u32) {
    // An interval without values has no percentiles.
    if histogram.total == 0 {
        return sheet.dropped(1);
    }
    let row = Measurement { benchmark, line, process: Some(0), ..ROW };
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

// Histograms of `HdrHistogram` in version 2 of their encoding: counts of ranges of values, compressed.

/// The first bytes of a compressed and of a plain histogram of integers.
const COMPRESSED: u32 = 0x1C84_9314;
const PLAIN: u32 = 0x1C84_9313;

/// The most bytes of a decompressed histogram: 5 digits of all values of 64 bits take less.
const LARGEST: u64 = 64 << 20;

/// A histogram: how often each range of values was recorded, in the order of the values.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Histogram {
    ranges: Vec<Range>,
    /// The number of values.
    pub(super) total: u64,
    /// How many bytes it had after decompression.
    pub(super) bytes: u64,
}

/// A range of values that count as equal.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Range {
    lowest: u64,
    size: u64,
    count: u64,
}

impl Histogram {
    /// Decodes a histogram; otherwise says why not.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, &'static str> {
        let mut parts = Parts(bytes);
        match parts.word()? {
            PLAIN => return Self::plain(bytes),
            COMPRESSED => {}
            word if word >> 8 == 0x001C_8493 => return Err("it is of an older encoding than version 2"),
            _ => return Err("it is not a compressed histogram of integers"),
        }
        let length = parts.word()? as usize;
        let stream = parts.0.get(..length).ok_or(CUT)?;
        let mut inflated = Vec::new();
        let read = ZlibDecoder::new(stream).take(LARGEST).read_to_end(&mut inflated);
        read.map_err(|_| "its compressed bytes are damaged")?;
        if inflated.len() as u64 == LARGEST {
            return Err("it is larger than any histogram");
        }
        Self::plain(&inflated)
    }

    fn plain(bytes: &[u8]) -> Result<Self, &'static str> {
        let mut parts = Parts(bytes);
        if parts.word()? != PLAIN {
            return Err("it is not a histogram of integers of version 2");
        }
        let (length, offset, digits) = (parts.word()? as usize, parts.word()?, parts.word()?);
        let (lowest, _highest, _ratio) = (parts.long()?, parts.long()?, parts.long()?);
        if offset != 0 || digits > 5 || lowest == 0 || lowest > 1 << 62 {
            return Err("its head is not one of a histogram of integers");
        }
        let counts = Parts(parts.0.get(..length).ok_or(CUT)?);
        let shape = Shape::new(digits, lowest);
        Ok(Self { bytes: bytes.len() as u64, ..shape.ranges(counts)? })
    }

    /// The value that this share of the values does not exceed.
    pub(super) fn percentile(&self, percent: f64) -> u64 {
        // As the library does it: 99 % of 100 values are 99, not 100.
        let wanted = (percent.next_down() * self.total as f64 / 100.0).ceil().max(1.0) as u64;
        let mut seen = 0;
        let found = self.ranges.iter().find(|range| {
            seen += range.count;
            seen >= wanted
        });
        found.or(self.ranges.last()).map_or(0, Range::highest)
    }

    /// The largest value.
    pub(super) fn max(&self) -> u64 {
        self.ranges.last().map_or(0, |range| if range.lowest == 0 { 0 } else { range.highest() })
    }

    /// The mean, for which the values of a range count as its middle.
    pub(super) fn mean(&self) -> f64 {
        let sum: f64 = self.ranges.iter().map(|range| range.middle() as f64 * range.count as f64).sum();
        sum / self.total as f64
    }
}

impl Range {
    fn highest(&self) -> u64 {
        self.lowest + (self.size - 1)
    }

    fn middle(&self) -> u64 {
        self.lowest + self.size / 2
    }
}

/// How ranges follow from digits and the lowest value: as many ranges of one size as the digits need, then half as many
/// for each further power of two.
struct Shape {
    half: u32,
    unit: u32,
}

impl Shape {
    fn new(digits: u32, lowest: u64) -> Self {
        let resolved = 2 * 10_u64.pow(digits);
        Self { half: resolved.next_power_of_two().ilog2().max(1) - 1, unit: lowest.ilog2() }
    }

    fn ranges(&self, mut counts: Parts<'_>) -> Result<Histogram, &'static str> {
        let (mut index, mut found) = (0_u64, Histogram::default());
        while !counts.0.is_empty() {
            let count = counts.signed()?;
            if count < 0 {
                index = index.saturating_add(count.unsigned_abs());
                continue;
            }
            if count > 0 {
                let (lowest, size) = self.range(index).ok_or("it counts values that no histogram has")?;
                let count = count.unsigned_abs();
                found.total = found.total.checked_add(count).ok_or("its counts are too large")?;
                found.ranges.push(Range { lowest, size, count });
            }
            index = index.saturating_add(1);
        }
        Ok(found)
    }

    /// The lowest value of a range and its size.
    fn range(&self, index: u64) -> Option<(u64, u64)> {
        let bucket = index >> self.half;
        let within = index & ((1 << self.half) - 1);
        let (shift, steps) = if bucket == 0 { (0, within) } else { (bucket - 1, within + (1 << self.half)) };
        let shift = u32::try_from(shift).ok()?.checked_add(self.unit)?;
        // The highest value of the range has to be one of 63 bits.
        (steps.checked_ilog2().unwrap_or(0) + shift < 63).then(|| (steps << shift, 1 << shift))
    }
}

const CUT: &str = "it ends too early";

/// The rest of the bytes.
struct Parts<'a>(&'a [u8]);

impl Parts<'_> {
    fn word(&mut self) -> Result<u32, &'static str> {
        let (first, rest) = self.0.split_first_chunk().ok_or(CUT)?;
        self.0 = rest;
        Ok(u32::from_be_bytes(*first))
    }

    fn long(&mut self) -> Result<u64, &'static str> {
        Ok(u64::from(self.word()?) << 32 | u64::from(self.word()?))
    }

    /// An integer in groups of 7 bits, the lowest first; the ninth byte has 8. The lowest bit is the sign.
    fn signed(&mut self) -> Result<i64, &'static str> {
        let mut value = 0_u64;
        for at in 0..9 {
            let (&byte, rest) = self.0.split_first().ok_or(CUT)?;
            self.0 = rest;
            let bits = if at == 8 { byte } else { byte & 0x7F };
            value |= u64::from(bits) << (7 * at);
            if byte < 0x80 {
                break;
            }
        }
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }
}
