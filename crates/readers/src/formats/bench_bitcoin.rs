//! `bench_bitcoin`'s own tables through their history: a header that names the columns, then one row per
//! benchmark with a summary of that run.
//!
//! - 2015: `Benchmark,count,min,max,average`, soon `#Benchmark,…`, then with three columns of cycles
//! - 2017 and later: `# Benchmark, evals, iterations, total, min, max, median`; nanobench's `-output-csv`
//!   writes the same header, but its iterations are an average
//!
//! All times are seconds per iteration, except `total` and where the header says `(ns)`. Each row is the value of one run; rows of the same name
//! are several runs.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "bench_bitcoin",
    sign: "a header `# Benchmark, evals, iterations, total, min, max, median` or its older forms",
    harness: "bench_bitcoin",
    values: Values::Averages,
    processes: Processes::OneAValue,
    keys: &[],
    metrics: &[
        Meaning::of("median", "time of one iteration, the median over the evaluations of a run"),
        Meaning::of("average", "time of one iteration, the mean over a run"),
        Meaning::of("min", "time of one iteration, the least of a run"),
        Meaning::of("max", "time of one iteration, the largest of a run"),
        Meaning::of("average_cycles", "processor cycles of one iteration, the mean over a run"),
        Meaning::of("min_cycles", "processor cycles of one iteration, the least of a run"),
        Meaning::of("max_cycles", "processor cycles of one iteration, the largest of a run"),
    ],
    words: &["average", "evals"],
    fits: |head| No::unless(head.lines().any(|line| Header::of(line).is_some()), "it has no such header"),
    read: Read::Bytes(read),
    ..Format::PLAIN
};

/// The layout of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Header {
    /// `count, min, max, average`
    Average,
    /// The same, and `min_cycles, max_cycles, average_cycles`
    Cycles,
    /// The same with `min(ns), max(ns), average(ns)`
    Nanoseconds,
    /// `evals, iterations, total, min, max, median`
    Median,
}

impl Header {
    fn of(line: &[u8]) -> Option<Self> {
        let line = line.trim_ascii();
        let line = line.strip_prefix(b"#").unwrap_or(line).trim_ascii_start();
        if !line.starts_with(b"Benchmark") {
            return None;
        }
        let names: Vec<&[u8]> = line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).collect();
        match names[1..] {
            [b"count", b"min", b"max", b"average"] => Some(Self::Average),
            [b"count", b"min", b"max", b"average", b"min_cycles", b"max_cycles", b"average_cycles"] => {
                Some(Self::Cycles)
            }
            [
                b"count",
                b"min(ns)",
                b"max(ns)",
                b"average(ns)",
                b"min_cycles",
                b"max_cycles",
                b"average_cycles",
            ] => Some(Self::Nanoseconds),
            [b"evals", b"iterations", b"total", b"min", b"max", b"median"] => Some(Self::Median),
            _ => None,
        }
    }

    /// The number of numeric columns after the name.
    fn columns(self) -> usize {
        match self {
            Self::Average => 4,
            Self::Cycles | Self::Nanoseconds => 7,
            Self::Median => 6,
        }
    }
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut header = None;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        sheet.lines = sheet.lines.saturating_add(1);
        let unfinished = !line.ends_with(b"\n");
        let line = line.trim_ascii();
        if let Some(found) = Header::of(line) {
            header = Some(found);
        } else if line.starts_with(b"--- Supplemental data") {
            // Tables of other quantities that Bitcoin Cash Node appends, with columns of their own.
            header = None;
        } else if let Some(header) = header
            && !line.is_empty()
            && !line.starts_with(b"WARNING:")
        {
            row(sheet, header, line, unfinished);
        }
    }
}

fn row(sheet: &mut Sheet, header: Header, line: &[u8], unfinished: bool) {
    let at = sheet.lines;
    let code = if unfinished { Code::Truncated } else { Code::MalformedRecord };
    // Names are not quoted and may hold commas, so the numbers are taken off from the right.
    let mut values = Vec::with_capacity(header.columns());
    let mut rest = line;
    for _ in 0..header.columns() {
        let Some(comma) = memchr::memrchr(b',', rest) else {
            let what = format!("`{}` has fewer than {} columns", excerpt(line), header.columns() + 1);
            return sheet.problem(code, at, what, HINT);
        };
        let field = rest[comma + 1..].trim_ascii();
        let Some(value) = sheet.number(field, at) else {
            let code = if unfinished && values.is_empty() { Code::Truncated } else { Code::MalformedNumber };
            let what = format!("`{}` in `{}` is not a number", excerpt(field), excerpt(line));
            return sheet.problem(code, at, what, HINT);
        };
        values.push(value);
        rest = &rest[..comma];
    }
    values.reverse();
    if unfinished && cut_number(&values) {
        return sheet.cut(at, line);
    }
    let name = lossless(rest.trim_ascii());
    if name.is_empty() {
        return sheet.problem(code, at, format!("`{}` has no name", excerpt(line)), HINT);
    }
    match (header, &values[..]) {
        (Header::Average, &[_, min, max, average]) => {
            times(sheet, &name, [("average", average), ("min", min), ("max", max)]);
        }
        (
            Header::Cycles | Header::Nanoseconds,
            &[_, min, max, average, min_cycles, max_cycles, average_cycles],
        ) => {
            let second = if header == Header::Nanoseconds { 1e9 } else { 1.0 };
            let values = [("average", average), ("min", min), ("max", max)];
            times(sheet, &name, values.map(|(metric, value)| (metric, value / second)));
            for (metric, value) in
                [("average_cycles", average_cycles), ("min_cycles", min_cycles), ("max_cycles", max_cycles)]
            {
                let make = || Metric::new(metric, "cycles", Quantity::Count).secondary().never_exact();
                let metric = sheet.metric(metric, make);
                push(sheet, &name, metric, value);
            }
        }
        (Header::Median, &[evals, iterations, total, min, max, median]) => {
            if evals * iterations <= 0.0 {
                // Without an evaluation the harness prints zero for every time.
                let what = format!("{name} was run {evals} × {iterations} times");
                return sheet.malformed(at, what, "a benchmark that never ran has no time");
            }
            times(sheet, &name, [("median", median), ("min", min), ("max", max)]);
            let make = || Metric::new("average", "s", Quantity::Time).secondary();
            let metric = sheet.metric("average", make);
            push(sheet, &name, metric, total / (evals * iterations));
        }
        _ => {}
    }
}

/// Whether the last number of a line without a line end cannot lie between the two before it: a number that
/// lost its exponent or its last digits still parses.
fn cut_number(values: &[f64]) -> bool {
    matches!(values, [.., min, max, middle] if !(min..=max).contains(&middle))
}

/// The first value is compared; the others are kept beside it.
fn times(sheet: &mut Sheet, name: &str, values: [(&str, f64); 3]) {
    for (index, (metric, value)) in values.into_iter().enumerate() {
        let metric = sheet.metric(metric, || {
            let metric = Metric::new(metric, "s", Quantity::Time);
            if index == 0 { metric } else { metric.secondary() }
        });
        push(sheet, name, metric, value);
    }
}

fn push(sheet: &mut Sheet, benchmark: &str, metric: u32, value: f64) {
    let line = sheet.lines;
    sheet.push(Measurement { benchmark, metric, value, line, block: None, process: None, aggregate: None });
}

const HINT: &str = "a row reads: Name, 5, 100, 0.5, 0.001, 0.001, 0.001";
