//! Results that harnesses print as a line of text each: benchmark.js and benchmark-ips.

use std::collections::HashSet;
use std::io;

use super::cargo_programs::{self, Program};
use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::{Fit, Head, No};
use super::headings::{self, Heading};
use super::{lines, text_results_ips as ips, text_results_js as js};
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
    fits: |head| has_result(head, js::result),
    read: |name, _, content, _| {
        let is_cut = |line: &str| line.contains(" ops/sec ") && line.trim_end().ends_with("sampled)");
        // benchmark.js prints nothing itself: what stands around its lines is of the user.
        let printed = Printed {
            parse: js::result,
            looks_like_one: is_cut,
            failed: js::failed,
            is_own: |_| false,
            plain: js::plain_headings,
            is_ruby: |_| false,
            signs: &SIGNS,
        };
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
    keys: &[RUBIES, headings::KEYS],
    metrics: &[Meaning::of("rate", "iterations per second, the mean over the samples")],
    fits: |head| has_result(head, ips::result),
    read: |name, _, content, _| {
        let is_own = |line: &str| line.trim() == "Comparison:";
        let printed = Printed {
            parse: ips::result,
            looks_like_one: |_| false,
            failed: |_| Vec::new(),
            is_own,
            plain: |lines, _| ips::plain_headings(lines),
            is_ruby: ips::is_ruby,
            signs: &[],
        };
        read(name, content, &printed)
    },
    ..Format::PLAIN
};

const RUBY: &str = "ruby";

const RUBIES: &[Key] = &[Key::new(RUBY, Role::Setting, "Ruby with its version and options, such as +YJIT")];

/// What a line says.
pub(super) struct Found<'a> {
    pub(super) benchmark: &'a str,
    pub(super) metric: &'static str,
    pub(super) value: f64,
    pub(super) aggregate: Aggregate,
}

type Line = fn(&str) -> Option<Found<'_>>;

/// The lines of an output with their numbers.
pub(super) type Lines<'l, 'a> = &'l [(u32, &'a str)];

/// How a harness prints.
struct Printed {
    /// Reads a line with a result.
    parse: Line,
    /// Whether a line without a result looks like one.
    looks_like_one: fn(&str) -> bool,
    /// The lines, with their numbers and the names in them, of benchmarks that failed.
    failed: for<'a> fn(Lines<'_, 'a>) -> Vec<js::Failed<'a>>,
    /// Whether a line that looks like a heading is of the harness.
    is_own: fn(&str) -> bool,
    /// The lines that are headings by their place. The second argument has the lines of benchmarks that failed.
    plain: for<'a> fn(Lines<'_, 'a>, &HashSet<&'a str>) -> HashSet<&'a str>,
    /// Whether a line names the Ruby that prints what follows.
    is_ruby: fn(&str) -> bool,
    /// The signs that users print before every name.
    signs: &'static [char],
}

/// A line with a result.
struct Row<'a> {
    line: u32,
    /// Empty if the output does not name it.
    ruby: &'a str,
    found: Found<'a>,
}

impl Printed {
    /// The heading in a line that is none by its place, with the line below it.
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
    let lines: Vec<(u32, &str)> = lines::numbered(&bytes).collect();
    let failed = (printed.failed)(&lines);
    for &js::Failed { line, name, .. } in &failed {
        let what = format!("`{}` has no result", excerpt(name.as_bytes()));
        sheet.problem(Code::MalformedRecord, line, what, "did the benchmark fail?");
    }
    let results = results(&mut sheet, &lines, printed);
    for Row { line, ruby, found } in results {
        let context = if ruby.is_empty() { Vec::new() } else { vec![(RUBY.to_owned(), ruby.to_owned())] };
        sheet.set_context(&context);
        push(&mut sheet, None, line, &found);
    }
    let failed: HashSet<&str> = failed.iter().map(|failed| failed.text).collect();
    let plain = (printed.plain)(&lines, &failed);
    headings::distinguish_by(&mut sheet, &lines, |line, next| {
        let by_place = || headings::plain(line).filter(|_| plain.contains(line));
        if failed.contains(line) { None } else { printed.heading(line, next).or_else(by_place) }
    });
    Ok(vec![sheet])
}

/// The results of an output in the order of its lines.
fn results<'a>(sheet: &mut Sheet, lines: Lines<'_, 'a>, printed: &Printed) -> Vec<Row<'a>> {
    let (mut above, mut ruby, mut results) = ("", "", Vec::new());
    for &(line, text) in lines {
        let before = std::mem::replace(&mut above, text);
        let Some(mut found) = (printed.parse)(text) else {
            if (printed.looks_like_one)(text) {
                let what = format!("`{}` has no rate or no runs", excerpt(text.trim().as_bytes()));
                let hint = "did the benchmark fail, or was the file edited?";
                sheet.problem(Code::MalformedRecord, line, what, hint);
            } else if (printed.is_ruby)(text) {
                ruby = text.trim();
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
        } else if found.value == 0.0 {
            let what = format!("the rate of `{}` is printed as 0", excerpt(found.benchmark.as_bytes()));
            let hint = "it is too small for the printed digits; the JSON of the harness has all of them";
            sheet.problem(Code::MalformedNumber, line, what, hint);
        } else {
            results.push(Row { line, ruby, found });
        }
    }
    strip_sign(&mut results, printed.signs);
    results
}

/// Strips the sign before the names, if all have the same.
fn strip_sign(results: &mut [Row<'_>], signs: &[char]) {
    let mut all = results.iter().map(|row| signed(row.found.benchmark).map(|(sign, _)| sign));
    let Some(sign) = all.next().flatten().filter(|sign| signs.contains(sign)) else { return };
    if all.all(|other| other == Some(sign)) {
        for Row { found, .. } in results {
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
    for (program, line, found) in results {
        sheet.set_context(&cargo_programs::context(&shared, program, found.benchmark));
        push(sheet, program.process, line, &found);
    }
}

/// Adds a result in the current context.
fn push(sheet: &mut Sheet, process: Option<u32>, line: u32, found: &Found<'_>) {
    let Found { benchmark, metric: name, value, aggregate } = *found;
    let metric = sheet.metric(name, || match name {
        "rate" => Metric::new(name, "1/s", Quantity::Throughput),
        _ => Metric::new(name, "s", Quantity::Time),
    });
    let (aggregate, row) = (Some(aggregate), Measurement::default());
    sheet.push(Measurement { benchmark, metric, value, line, process, aggregate, ..row });
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

/// Whether a line has words.
pub(super) fn has_words(line: &str) -> bool {
    line.contains(char::is_alphanumeric)
}

/// Whether a line begins or ends a fenced block.
pub(super) fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// Whether a line has a time of day with seconds or a date, as a log has and a heading has not.
pub(super) fn has_time(line: &str) -> bool {
    let has = |sign: char, lengths: [usize; 3]| {
        let pieces = line.split(|c: char| !c.is_ascii_digit() && c != sign);
        pieces.map(|piece| piece.split(sign).map(str::len)).any(|piece| piece.eq(lengths))
    };
    has(':', [2, 2, 2]) || has('-', [4, 2, 2])
}
