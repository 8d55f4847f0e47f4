//! Results that harnesses print as a line of text each: benchmark.js and benchmark-ips.

use std::io;

use super::cargo_programs::{self, Program};
use super::format::{Format, Meaning, Processes, Values};
use super::head::{Fit, Head, No};
use super::headings::{self, Heading};
use super::lines;
use crate::metric::{Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::{excerpt, number};
use crate::{Code, Sheet};

/// benchmark.js: `name x 1,234 ops/sec ±0.5% (90 runs sampled)`.
pub static BENCHMARK_JS: Format = Format {
    name: "benchmark.js",
    sign: "lines such as `NAME x 1,234 ops/sec ±0.50% (90 runs sampled)`",
    harness: "benchmark.js",
    export: "String(event.target) of each cycle",
    values: Values::Aggregates,
    processes: Processes::Unknown,
    keys: &[headings::KEYS],
    metrics: &[Meaning::of("rate", "calls per second, the mean over the samples")],
    fits: |head| has_result(head, benchmark_js),
    read: |name, _, content, _| {
        let is_cut = |line: &str| line.contains(" ops/sec ") && line.trim_end().ends_with("sampled)");
        // benchmark.js prints nothing itself: what stands around its lines is of the user.
        let printed =
            Printed { parse: benchmark_js, looks_like_one: is_cut, is_own: |_| false, signs: &SIGNS };
        read(name, content, &printed)
    },
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
    keys: &[headings::KEYS],
    metrics: &[Meaning::of("rate", "iterations per second, the mean over the samples")],
    fits: |head| has_result(head, benchmark_ips),
    read: |name, _, content, _| {
        let is_own = |line: &str| line.trim() == "Comparison:";
        let printed = Printed { parse: benchmark_ips, looks_like_one: |_| false, is_own, signs: &[] };
        read(name, content, &printed)
    },
    ..Format::PLAIN
};

/// What a line says.
pub(super) struct Found<'a> {
    pub(super) benchmark: &'a str,
    pub(super) metric: &'static str,
    pub(super) value: f64,
    pub(super) aggregate: Aggregate,
}

type Line = fn(&str) -> Option<Found<'_>>;

/// How a harness prints.
struct Printed {
    /// Reads a line with a result.
    parse: Line,
    /// Whether a line without a result looks like one.
    looks_like_one: fn(&str) -> bool,
    /// Whether a line that looks like a heading is of the harness.
    is_own: fn(&str) -> bool,
    /// The signs that users print before every name.
    signs: &'static [char],
}

impl Printed {
    /// The heading in a line, with the line below it.
    fn heading<'a>(&self, line: &'a str, next: Option<&'a str>) -> Option<Heading<'a>> {
        // A long name above its figures can end in a colon, and a name can begin as a heading does.
        let is_name = next.is_some_and(|next| self.is_nameless(next)) || (self.parse)(line).is_some();
        if is_name || (self.is_own)(line) { None } else { headings::printed(line) }
    }

    /// Whether a line has the figures of the name above it.
    fn is_nameless(&self, line: &str) -> bool {
        let mut words = line.split_ascii_whitespace();
        let is_warm_up = words.next().is_some() && words.eq(["i/100ms"]);
        is_warm_up || (self.parse)(line).is_some_and(|found| found.benchmark.is_empty())
    }
}

/// The markers of lists, of comments and of success that users print before a name.
const SIGNS: [char; 8] = ['-', '*', '+', '#', '•', '✔', '✓', '√'];

fn has_result(head: &Head<'_>, parse: Line) -> Fit {
    let is_result = |line: &[u8]| std::str::from_utf8(line).is_ok_and(|line| parse(line).is_some());
    No::unless(head.lines().any(is_result), "it has no such line")
}

/// Reads the lines with a result; one without it that looks like one is a problem.
fn read(name: &str, content: &Content, printed: &Printed) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let lines: Vec<(u32, &str)> = lines::numbered(&bytes, &mut sheet).collect();
    let (mut above, mut results) = ("", Vec::new());
    for &(line, text) in &lines {
        let before = std::mem::replace(&mut above, text);
        let Some(mut found) = (printed.parse)(text) else {
            if (printed.looks_like_one)(text) {
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
        results.push((Program::default(), line, found));
    }
    strip_sign(&mut results, printed.signs);
    push_all(&mut sheet, results);
    headings::distinguish_by(&mut sheet, &lines, |line, next| printed.heading(line, next));
    Ok(vec![sheet])
}

/// Strips the sign before the names, if all have the same.
fn strip_sign(results: &mut [(Program<'_>, u32, Found<'_>)], signs: &[char]) {
    let mut all = results.iter().map(|(_, _, found)| signed(found.benchmark).map(|(sign, _)| sign));
    let Some(sign) = all.next().flatten().filter(|sign| signs.contains(sign)) else { return };
    if all.all(|other| other == Some(sign)) {
        for (_, _, found) in results {
            found.benchmark = signed(found.benchmark).map_or(found.benchmark, |(_, name)| name);
        }
    }
}

/// The first character of a name and what stands behind the blanks that follow it.
fn signed(name: &str) -> Option<(char, &str)> {
    let mut rest = name.chars();
    let sign = rest.next()?;
    // U+FE0F asks for the picture of a sign.
    let rest = rest.as_str().trim_start_matches('\u{fe0f}');
    let bare = rest.trim_start();
    (bare.len() < rest.len() && !bare.is_empty()).then_some((sign, bare))
}

/// Adds results, each with the program that printed it and its line.
pub(super) fn push_all(sheet: &mut Sheet, results: Vec<(Program<'_>, u32, Found<'_>)>) {
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
