//! Results that harnesses print as a line of text each: benchmark.js and benchmark-ips.

use super::cargo_programs::{self, Program};
use super::format::Read;
use super::format::{Format, Key, Meaning, Values};
use super::{headings, lines};
use crate::metric::{Metric, Quantity};
use crate::problem::Code;
use crate::sheet::{Aggregate, Measurement, ROW, Sheet};
use crate::text::grouped;
use crate::text::{MICRO, PLUS_MINUS, excerpt, number};
use std::collections::HashMap;

/// benchmark.js: `name x 1,234 ops/sec ±0.5% (90 runs sampled)`.
pub static BENCHMARK_JS: Format = Format {
    name: "benchmark.js",
    sign: "lines such as `NAME x 1,234 ops/sec ±0.50% (90 runs sampled)`",
    harness: "benchmark.js",
    export: "String(event.target) of each cycle",
    values: Values::Aggregates,
    metrics: &[Meaning::of("rate", "calls per second, the mean over the samples")],
    words: &[" ops/sec "],
    fits: |head| head.has_line(|line| js_result(line).is_some()),
    read: Read::Bytes(|sheet, bytes| {
        let is_cut = |line: &str| line.contains(" ops/sec ") && line.trim_end().ends_with("sampled)");
        let printed = Printed {
            parse: js_result,
            looks_like_one: is_cut,
            failed,
            is_ruby: |_| false,
            compared: |_| None,
            signs: &SIGNS,
        };
        read(sheet, bytes, &printed);
    }),
    printed_by: &["node"],
    ..Format::PLAIN
};

/// benchmark-ips: `name  1.234M (± 1.2%) i/s - 6.231M in 5.05s`.
pub static BENCHMARK_IPS: Format = Format {
    name: "benchmark-ips",
    sign: "lines such as `NAME  11.223M (± 1.2%) i/s`",
    harness: "benchmark-ips",
    export: "standard output",
    values: Values::Aggregates,
    keys: &[RUBIES],
    metrics: &[Meaning::of("rate", "iterations per second, the mean over the samples")],
    words: &["%) i/s"],
    fits: |head| head.has_line(|line| ips_result(line).is_some()),
    read: Read::Bytes(|sheet, bytes| {
        let printed = Printed {
            parse: ips_result,
            looks_like_one: |_| false,
            failed: |_| Vec::new(),
            is_ruby,
            compared,
            signs: &[],
        };
        read(sheet, bytes, &printed);
    }),
    printed_by: &["ruby"],
    own_labels: &["Comparison", "Warming up", "Calculating", "Pausing here"],
    ..Format::PLAIN
};

const RUBY: &str = "ruby";

const RUBIES: &[Key] = &[Key::setting(RUBY, "Ruby with its version and options, such as +YJIT")];

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
    failed: for<'a> fn(Lines<'_, 'a>) -> Vec<Failed<'a>>,
    /// Whether a line names the Ruby that prints what follows.
    is_ruby: fn(&str) -> bool,
    /// Reads a line of the comparison below the results.
    compared: Line,
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

/// The markers of lists, of comments and of success that users print before a name.
const SIGNS: [char; 8] = ['-', '*', '+', '#', '•', '✔', '✓', '√'];

/// Reads the lines with a result; one without it that looks like one is a problem.
fn read(sheet: &mut Sheet, bytes: &[u8], printed: &Printed) {
    let lines: Vec<(u32, &str)> = lines::numbered(bytes).collect();
    let failed = (printed.failed)(&lines);
    for &Failed { line, name, .. } in &failed {
        sheet.failed(line, name, "");
    }
    let results = results(sheet, &lines, printed);
    for Row { line, ruby, found } in results {
        let context = if ruby.is_empty() { Vec::new() } else { vec![(RUBY.to_owned(), ruby.to_owned())] };
        sheet.set_context(&context);
        push(sheet, None, line, &found);
    }
}

/// The results of an output in the order of its lines.
fn results<'a>(sheet: &mut Sheet, lines: Lines<'_, 'a>, printed: &Printed) -> Vec<Row<'a>> {
    let (mut above, mut ruby, mut results) = ("", "", Vec::<Row<'a>>::new());
    // The first result above which no comparison stands.
    let mut begin = 0;
    for &(line, text) in lines {
        let before = std::mem::replace(&mut above, text);
        let Some(mut found) = (printed.parse)(text) else {
            // The comparison has what was measured before and saved, too.
            if let Some(found) = (printed.compared)(text) {
                let is_other = |row: &Row<'_>| row.found.benchmark != found.benchmark;
                if results[begin..].iter().all(is_other) {
                    results.push(Row { line, ruby: "", found });
                }
                continue;
            }
            if text.trim_end() == "Calculating -------------------------------------" {
                begin = results.len();
            }
            if (printed.looks_like_one)(text) {
                sheet.no_row(line, text.trim());
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
            sheet.no_row(line, text.trim());
        } else if found.value == 0.0 {
            let what = format!("the rate of `{}` is printed as 0", excerpt(found.benchmark));
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
    let (aggregate, row) = (Some(aggregate), ROW);
    sheet.push(Measurement { benchmark, metric, value, line, process, aggregate, ..row });
}

/// Whether a line has words.
pub(super) fn has_words(line: &str) -> bool {
    line.contains(char::is_alphanumeric)
}

/// Whether a line has a time of day with seconds or a date, as a log has and a heading has not.
pub(super) fn has_time(line: &str) -> bool {
    let has = |sign: char, lengths: [usize; 3]| {
        let pieces = line.split(|c: char| !c.is_ascii_digit() && c != sign);
        pieces.map(|piece| piece.split(sign).map(str::len)).any(|piece| piece.eq(lengths))
    };
    has(':', [2, 2, 2]) || has('-', [4, 2, 2])
}

// The lines that benchmark-ips prints: results, its Ruby, and the headings that users print above its blocks.

/// The suffixes of rates, each for another factor of 1000.
const SUFFIXES: [char; 5] = ['k', 'M', 'B', 'T', 'Q'];

/// The result in a line. The spread in brackets is a deviation or, with the bootstrap of benchmark-ips, an error: it is not
/// used. A name of more than 20 characters is on the line above.
fn ips_result(line: &str) -> Option<Found<'_>> {
    let spread = |(at, _)| {
        let rest = &line[at + 1..];
        Some((&line[..at], PLUS_MINUS.iter().find_map(|sign| rest.strip_prefix(sign))?))
    };
    let (before, after) = line.rmatch_indices('(').find_map(spread)?;
    let (_, after) = after.split_once("%) i/s")?;
    let before = before.trim_end();
    let (name, rate) = before.rsplit_once(char::is_whitespace).unwrap_or(("", before));
    let digits = rate.trim_end_matches(SUFFIXES);
    let suffix = rate.chars().last().and_then(|last| SUFFIXES.iter().position(|suffix| *suffix == last));
    let power = suffix.map_or(0, |place| 3 * (place + 1));
    let printed = number(format!("{digits}e{power}"))?;
    let factor = 10_f64.powi(power as i32);
    let value = from_time(digits, factor, printed, after).unwrap_or(printed);
    Some(Found { benchmark: name.trim(), metric: "rate", value, aggregate: Aggregate::default() })
}

/// A line of the comparison below the results: `before:  2078464.1 i/s - 1.16x  slower`.
fn compared(line: &str) -> Option<Found<'_>> {
    let (before, rest) = line.split_once(" i/s")?;
    let (name, rate) = before.rsplit_once(':')?;
    let is_end = rest.trim().is_empty() || rest.starts_with(" - ");
    let value = number(rate.trim()).filter(|_| is_end)?;
    Some(Found { benchmark: name.trim(), metric: "rate", value, aggregate: Aggregate::default() })
}

/// The rate from the time of one iteration behind it, `(51.47 s/i)`, if this time has more digits than the rate, and both
/// agree.
fn from_time(digits: &str, factor: f64, printed: f64, after: &str) -> Option<f64> {
    let (time, _) = after.trim_start().strip_prefix('(')?.split_once("/i)")?;
    let (time, unit) = time.trim().split_once(' ')?;
    let in_second = match unit.trim().strip_suffix('s')? {
        "" => 1.0,
        "m" => 1e3,
        "n" => 1e9,
        micro if MICRO.contains(&micro) => 1e6,
        _ => return None,
    };
    let is_finer = significant(time) > significant(digits);
    let rate = in_second / number(time).filter(|_| is_finer)?;
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(9));
    let last_digit = factor / 10_f64.powi(decimals as i32);
    ((rate - printed).abs() <= last_digit).then_some(rate)
}

/// The number of significant digits of a number.
fn significant(number: &str) -> usize {
    number.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count()
}

/// Whether a line is the description that a Ruby gives of itself: `ruby 3.3.0 (2023-12-25 revision 5124f9ac75) [x86_64-linux]`.
fn is_ruby(line: &str) -> bool {
    const NAMES: [&str; 4] = ["ruby ", "jruby ", "truffleruby ", "rubinius "];
    let line = line.trim();
    let version = NAMES.iter().find_map(|name| line.strip_prefix(name));
    let is_version = |version: &str| version.starts_with(|first: char| first.is_ascii_digit());
    version.is_some_and(is_version) && line.contains(" [") && line.ends_with(']')
}

// The lines that programs print with benchmark.js: results, benchmarks that failed, and headings above groups
// of results.

/// The result in a line.
fn js_result(line: &str) -> Option<Found<'_>> {
    let (before, after) = line.split_once(RATE)?;
    let after = PLUS_MINUS.iter().find_map(|sign| after.strip_prefix(sign))?;
    let (name, rate) = before.rsplit_once(" x ")?;
    let runs = after.split_once('(')?.1.split(' ').next()?;
    let aggregate = Aggregate { count: Some(number(runs)?), deviation: None };
    Some(Found { benchmark: name.trim(), metric: "rate", value: grouped(rate.trim())?, aggregate })
}

/// What stands behind a rate.
const RATE: &str = " ops/sec ";

/// Whether a line is what users print below the results of a suite.
fn is_fastest(line: &str) -> bool {
    line.trim_start().starts_with("Fastest is")
}

/// A benchmark that failed: `NAME: ERROR`, or, as most errors have no text there, only `NAME:`.
pub(super) struct Failed<'a> {
    pub(super) line: u32,
    pub(super) text: &'a str,
    pub(super) name: &'a str,
}

impl<'a> Failed<'a> {
    /// The benchmark in a line, if the line can be one.
    fn of(line: u32, text: &'a str) -> Option<Self> {
        let inner = text.trim();
        let name = inner.strip_suffix(':').or_else(|| Some(inner.split_once(": ")?.0))?;
        // Node warns on standard error.
        let is_other =
            || inner.starts_with("(node:") || headings::markdown(inner).is_some() || has_time(inner);
        (has_words(name) && !is_other()).then_some(Self { line, text, name })
    }

    /// Whether the line can be a heading as well.
    fn is_bare(&self) -> bool {
        self.text.ends_with(':')
    }
}

/// The benchmarks that failed: they stand between results without a blank line, or right above `Fastest is`.
pub(super) fn failed<'a>(lines: Lines<'_, 'a>) -> Vec<Failed<'a>> {
    let mut suites = Suites::default();
    for &(line, text) in lines {
        suites.line(line, text);
    }
    suites.failed()
}

/// The results of an output as far as it is read. A part of it ends where another line stands between two results.
#[derive(Default)]
struct Suites<'a> {
    /// How often each name has a result, and the last part with one.
    names: HashMap<&'a str, (usize, usize)>,
    /// How often each name stands in a line that can be a benchmark that failed.
    labels: HashMap<&'a str, usize>,
    /// Of each part whether it has a name of the part before.
    is_alike: Vec<bool>,
    /// Whether a line that ends in a colon is the last above the first result: others can be headings, too.
    is_headed: bool,
    /// By how much the result right above is indented; `None` if another line is above.
    indent: Option<usize>,
    /// The lines since this result that can be benchmarks that failed.
    open: Vec<Failed<'a>>,
    /// Those between two results, each with the part below it, and those above `Fastest is`, with none.
    closed: Vec<(Option<usize>, Failed<'a>)>,
}

impl<'a> Suites<'a> {
    fn line(&mut self, line: u32, text: &'a str) {
        let indent = Some(text.len() - text.trim_start().len());
        if text.contains(RATE) {
            if self.indent.is_none() || !self.open.is_empty() {
                self.is_alike.push(false);
            }
            let part = self.is_alike.len();
            self.closed.extend(self.open.drain(..).map(|failed| (Some(part), failed)));
            self.result(text, part);
            self.indent = indent;
            return;
        }
        let label = Failed::of(line, text);
        if let Some(label) = &label {
            *self.labels.entry(label.name).or_default() += 1;
        }
        if self.is_alike.is_empty() && has_words(text) {
            self.is_headed = text.ends_with(':');
        }
        if let Some(label) = label.filter(|_| self.indent == indent) {
            self.open.push(label);
        } else {
            let above = self.open.drain(..).filter(|_| is_fastest(text));
            self.closed.extend(above.map(|failed| (None, failed)));
            self.indent = None;
        }
    }

    /// Counts a result of a part, the first of which is 1.
    fn result(&mut self, text: &'a str, part: usize) {
        let Some(found) = js_result(text) else { return };
        let (count, last) = self.names.entry(found.benchmark).or_default();
        if part > 1 && *last == part - 1 {
            self.is_alike[part - 1] = true;
        }
        (*count, *last) = (*count + 1, part);
    }

    fn failed(self) -> Vec<Failed<'a>> {
        // What comes more often than any benchmark is said about each of them.
        let most = self.names.values().map(|(count, _)| *count).max().unwrap_or_default();
        let is_heading =
            |part: usize| self.is_headed || self.is_alike.get(part - 1).is_some_and(|alike| *alike);
        let failed = self.closed.into_iter().filter(|(below, failed)| {
            let is_often = self.labels.get(failed.name).is_some_and(|count| *count > most);
            !is_often && !below.is_some_and(|part| failed.is_bare() && is_heading(part))
        });
        failed.map(|(_, failed)| failed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{failed, ips_result, is_ruby};

    #[test]
    fn a_time_with_more_digits_than_the_rate_is_the_value() {
        for (line, name, value) in [
            ("a  0.019 (± 0.0%) i/s    (51.40 s/i) -      1.000 in  51.402765s", "a", 1.0 / 51.40),
            ("a  0.000 (± 0.0%) i/s  (2521.40 s/i) -      1.000", "a", 1.0 / 2521.40),
            ("a  5.511M (± 0.9%) i/s  (181.46 ns/i) -     27.703M", "a", 1e9 / 181.46),
            ("a  3.100k (┬▒ 1.1%) i/s  (322.58 ╬╝s/i) -     15.500k", "a", 1e6 / 322.58),
            ("a (±) 11.223M (Â± 1.2%) i/s   (89.10 ns/i) -     56.304M", "a (±)", 11_223_000.0),
            // The time contradicts the rate, has an unknown unit, or is 0.
            ("a  3.200k (± 1.1%) i/s  (322.58 μs/i) -     15.500k", "a", 3200.0),
            ("a  3.200k (± 1.1%) i/s  (322.58 xs/i) -     15.500k", "a", 3200.0),
            ("a  0.000 (± 1.1%) i/s  (0.00 s/i)", "a", 0.0),
            ("  4.12  (± 0.0%) i/s -     21.000  in   5.049667s", "", 4.12),
        ] {
            let found = ips_result(line).map(|found| (found.benchmark, found.value));
            assert!(
                found.is_some_and(
                    |(benchmark, rate)| benchmark == name && (rate - value).abs() <= value * 1e-12
                ),
                "{line}: {found:?}"
            );
        }
        assert!(["a ± 1 i/s", "a 1 (±", "(± 1%) i/s", ""].iter().all(|line| ips_result(line).is_none()));
    }

    #[test]
    fn a_ruby_describes_itself() {
        for (line, expected) in [
            ("ruby 2.6.0p0 (2018-12-25 revision 66547) +JIT [x86_64-linux]", true),
            (
                "jruby 9.4.5.0 (3.1.4) 2023-11-02 1abae2700f OpenJDK 64-Bit Server VM 17.0.9+9 +jit [x86_64-linux]",
                true,
            ),
            ("truffleruby 23.1.1, like ruby 3.2.2, Oracle GraalVM Native [aarch64-darwin]", true),
            ("ruby bench.rb [a]", false),
            ("ruby 3 is fast", false),
        ] {
            assert_eq!(is_ruby(line), expected, "{line}");
        }
    }

    /// The lines of an output, in which `a` stands for a result of `a`.
    fn lines(text: &str) -> Vec<(u32, String)> {
        let result = |line: &str| match line.trim().len() {
            1 => format!("{line} x 1,200 ops/sec ±1.00% (90 runs sampled)"),
            _ => line.to_owned(),
        };
        (1..).zip(text.split('|').map(result)).collect()
    }

    #[test]
    fn a_benchmark_that_failed_is_no_heading() {
        for (text, expected) in [
            ("a|bc:|d|Fastest is a", &["bc"][..]),
            ("a|bc:|de: not there|Fastest is a", &["bc", "de"]),
            ("a|bc: code: E1|d", &["bc"]),
            ("  a|  bc:|  d", &["bc"]),
            // Headings.
            ("a|Unpack:|a", &[]),
            ("Pack:|a|Unpack:|d", &[]),
            ("  a|Unpack:|  d", &[]),
            ("a||Unpack:|d", &[]),
            ("a|## Unpack:|d", &[]),
            // Remarks on each result, and warnings.
            ("a|Memory: 1 MB|b|Memory: 2 MB|Fastest is a", &[]),
            ("a|(node:12) Warning: slow|b", &[]),
            ("a|12:03:44 done:|b", &[]),
            ("a|bc:||Fastest is a", &[]),
        ] {
            let lines = lines(text);
            let lines: Vec<(u32, &str)> = lines.iter().map(|(line, text)| (*line, &**text)).collect();
            let found: Vec<&str> = failed(&lines).iter().map(|failed| failed.name).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
