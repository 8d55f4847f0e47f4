//! Results that harnesses print as a line of text each: benchmark.js, libtest (`cargo bench`) and benchmark-ips.

use std::io;

use super::cargo_programs::{self, Programs};
use super::format::{Format, Meaning, Processes, Values};
use super::head::{Fit, Head, No};
use super::{lines, names};
use crate::metric::{Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::{excerpt, lossless, number};
use crate::{Code, Sheet};

/// benchmark.js: `name x 1,234 ops/sec ±0.5% (90 runs sampled)`.
pub static BENCHMARK_JS: Format = Format {
    name: "benchmark.js",
    sign: "lines such as `NAME x 1,234 ops/sec ±0.50% (90 runs sampled)`",
    harness: "benchmark.js",
    export: "String(event.target) of each cycle",
    values: Values::Aggregates,
    processes: Processes::Unknown,
    metrics: &[Meaning::of("rate", "calls per second, the mean over the samples")],
    fits: |head| has_result(head, benchmark_js),
    read: |name, _, content, _| {
        let is_cut = |line: &str| line.contains(" ops/sec ") && line.trim_end().ends_with("sampled)");
        read(name, content, benchmark_js, is_cut)
    },
    ..Format::PLAIN
};

/// libtest: `test name ... bench:  1,234 ns/iter (+/- 56)`.
pub static LIBTEST: Format = Format {
    name: "libtest",
    sign: "lines such as `test NAME ... bench: 1,234 ns/iter (+/- 56)`",
    harness: "libtest",
    export: "cargo bench",
    values: Values::Aggregates,
    processes: Processes::Stated,
    keys: &[cargo_programs::KEYS],
    metrics: &[Meaning::of("time", "time of one iteration, the median over the samples")],
    parts: |name, _| names::path(name, "::"),
    fits: |head| has_result(head, libtest),
    read: |name, _, content, _| read_libtest(name, content),
    ..Format::PLAIN
};

/// benchmark-ips: `name  1.234M (± 1.2%) i/s - 6.231M in 5.05s`.
pub static BENCHMARK_IPS: Format = Format {
    name: "benchmark-ips",
    sign: "lines such as `NAME  11.223M (± 1.2%) i/s`",
    harness: "benchmark-ips",
    export: "standard output",
    values: Values::Aggregates,
    processes: Processes::Unknown,
    metrics: &[Meaning::of("rate", "iterations per second, the mean over the samples")],
    fits: |head| has_result(head, benchmark_ips),
    read: |name, _, content, _| read(name, content, benchmark_ips, |_| false),
    ..Format::PLAIN
};

/// What a line says.
struct Found<'a> {
    benchmark: &'a str,
    metric: &'static str,
    value: f64,
    aggregate: Aggregate,
}

type Line = fn(&str) -> Option<Found<'_>>;

fn has_result(head: &Head<'_>, parse: Line) -> Fit {
    let is_result = |line: &[u8]| std::str::from_utf8(line).is_ok_and(|line| parse(line).is_some());
    No::unless(head.lines().any(is_result), "it has no such line")
}

/// Reads the lines with a result; one without it that looks like one is a problem.
fn read(
    name: &str,
    content: &Content,
    parse: Line,
    looks_like_one: fn(&str) -> bool,
) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let (mut programs, mut above, mut results) = (Programs::default(), "", Vec::new());
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        programs.line(text);
        let before = std::mem::replace(&mut above, text);
        let Some(mut found) = parse(text) else {
            if looks_like_one(text) {
                let what = format!("`{}` has no rate or no runs", excerpt(text.trim().as_bytes()));
                let hint = "did the benchmark fail, or was the file edited?";
                sheet.problem(Code::MalformedRecord, line, what, hint);
            }
            continue;
        };
        // A long name has a line of its own.
        if found.benchmark.is_empty() {
            found.benchmark = before.trim();
        }
        if found.benchmark.is_empty() || found.benchmark.ends_with("---") {
            let what = format!("`{}` has no name", excerpt(text.trim().as_bytes()));
            sheet.problem(Code::MalformedRecord, line, what, "was the file edited?");
            continue;
        }
        results.push((programs.now, line, found));
    }
    let shared =
        cargo_programs::shared(results.iter().map(|(program, _, found)| (*program, found.benchmark)));
    for (program, line, Found { benchmark, metric: name, value, aggregate }) in results {
        sheet.set_context(&cargo_programs::context(&shared, program, benchmark));
        let metric = sheet.metric(name, || match name {
            "rate" => Metric::new(name, "1/s", Quantity::Throughput),
            _ => Metric::new(name, "s", Quantity::Time),
        });
        let (aggregate, process) = (Some(aggregate), program.process);
        let row = Measurement { benchmark, metric, value, line, aggregate, ..Measurement::default() };
        sheet.push(Measurement { process, ..row });
    }
    Ok(vec![sheet])
}

/// Reads the results of libtest. A benchmark that fails has a line, but no time in it.
fn read_libtest(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let mut sheets = read(name, content, libtest, |_| false)?;
    let bytes = content.all()?;
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let failed =
            text.trim_ascii().strip_prefix(b"test ").and_then(|rest| rest.strip_suffix(b" ... FAILED"));
        if let (Some(benchmark), Some(sheet)) = (failed, sheets.first_mut()) {
            let what = format!("{} has no result: it failed", excerpt(benchmark.trim_ascii()));
            sheet.problem(Code::MalformedRecord, line, what, "repair the benchmark");
        }
        let text = lossless(text);
        let is_other = text.starts_with("test ") && text.contains(" ... bench:") && libtest(&text).is_none();
        if let Some(sheet) = sheets.first_mut().filter(|_| is_other) {
            let what = format!("`{}` has no time in ns/iter", excerpt(text.trim().as_bytes()));
            sheet.problem(Code::MalformedRecord, line, what, "was it measured in another unit?");
        }
    }
    Ok(sheets)
}

/// A number whose groups of three digits are separated by commas, as in English.
pub(super) fn grouped(text: &str) -> Option<f64> {
    let (whole, decimals) = text.split_once('.').map_or((text, ""), |(whole, decimals)| (whole, decimals));
    let mut groups = whole.split(',');
    let first = groups.next()?;
    let sound = (1..=3).contains(&first.len()) || !whole.contains(',');
    if !sound || !groups.all(|group| group.len() == 3) || !digits(&whole.replace(',', "")) {
        return None;
    }
    let text = if decimals.is_empty() {
        whole.replace(',', "")
    } else {
        format!("{}.{decimals}", whole.replace(',', ""))
    };
    (decimals.is_empty() || digits(decimals)).then(|| number(text.as_bytes())).flatten()
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn benchmark_js(line: &str) -> Option<Found<'_>> {
    let (before, after) = line.split_once(" ops/sec ±")?;
    let (name, rate) = before.rsplit_once(" x ")?;
    let runs = after.split_once('(')?.1.split(' ').next()?;
    let aggregate = Aggregate { count: Some(number(runs.as_bytes())?), deviation: None };
    Some(Found { benchmark: name.trim(), metric: "rate", value: grouped(rate)?, aggregate })
}

fn libtest(line: &str) -> Option<Found<'_>> {
    let (name, rest) = line.trim().strip_prefix("test ")?.split_once(" ... bench:")?;
    let time = rest.split_once("ns/iter (+/- ")?.0.trim();
    let value = grouped(time)? / 1e9;
    Some(Found { benchmark: name.trim(), metric: "time", value, aggregate: Aggregate::default() })
}

/// The spread in brackets is a deviation or, with the bootstrap of benchmark-ips, an error: it is not used. A name of more
/// than 20 characters is on the line above.
fn benchmark_ips(line: &str) -> Option<Found<'_>> {
    let (before, after) = line.split_once("(±")?;
    after.split_once("%) i/s")?;
    let before = before.trim_end();
    let (name, rate) = before.rsplit_once(char::is_whitespace).unwrap_or(("", before));
    let factor = match rate.as_bytes().last()? {
        b'k' => 1e3,
        b'M' => 1e6,
        b'B' => 1e9,
        b'T' => 1e12,
        b'Q' => 1e15,
        _ => 1.0,
    };
    let value = number(rate.trim_end_matches(['k', 'M', 'B', 'T', 'Q']).as_bytes())? * factor;
    Some(Found { benchmark: name.trim(), metric: "rate", value, aggregate: Aggregate::default() })
}
