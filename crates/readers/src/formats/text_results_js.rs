//! The lines that programs print with benchmark.js: results, benchmarks that failed, and headings above groups of results.

use std::collections::{HashMap, HashSet};

use super::headings;
use super::text_results::{Found, Lines, grouped, has_time, has_words, is_fence};
use crate::sheet::Aggregate;
use crate::text::{PLUS_MINUS, number};

/// The result in a line.
pub(super) fn result(line: &str) -> Option<Found<'_>> {
    let (before, after) = line.split_once(RATE)?;
    let after = PLUS_MINUS.iter().find_map(|sign| after.strip_prefix(sign))?;
    let (name, rate) = before.rsplit_once(" x ")?;
    let runs = after.split_once('(')?.1.split(' ').next()?;
    let aggregate = Aggregate { count: Some(number(runs.as_bytes())?), deviation: None };
    Some(Found { benchmark: name.trim(), metric: "rate", value: grouped(rate)?, aggregate })
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
        let Some(found) = result(text) else { return };
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

/// The lines that are headings because they are the last ones above groups of results. There are none if other lines look
/// like headings, if the first group has none, or if two differ only in numbers or paths, as the lines of a log do.
pub(super) fn plain_headings<'a>(lines: Lines<'_, 'a>, failed: &HashSet<&'a str>) -> HashSet<&'a str> {
    let mut found = HashSet::new();
    let (mut above, mut is_first) = (None, true);
    for &(_, text) in lines {
        if text.contains(RATE) {
            if is_first && above.is_none() {
                return HashSet::new();
            }
            found.extend(above.take());
            is_first = false;
        } else if is_fastest(text) {
            above = None;
        } else if !failed.contains(text) {
            if is_fence(text) || headings::printed(text).is_some() {
                return HashSet::new();
            }
            above = Some(text).filter(|text| has_words(text)).or(above);
        }
    }
    let distinct: HashSet<Vec<&str>> = found.iter().map(|text| plain_words(text)).collect();
    let is_log = |text: &&str| has_time(text) || plain_words(text).is_empty();
    if distinct.len() < found.len() || found.iter().any(is_log) { HashSet::new() } else { found }
}

/// The words of a line that have no digit and are no paths.
fn plain_words(line: &str) -> Vec<&str> {
    let is_plain = |word: &&str| !word.contains(|sign: char| sign.is_ascii_digit() || "/\\".contains(sign));
    line.split_whitespace().filter(is_plain).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{failed, plain_headings};

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

    #[test]
    fn lines_above_groups_of_results_are_headings_if_their_words_differ() {
        for (text, expected) in [
            ("Short keys|a|b|Fastest is a||Long keys|a|b", &["Short keys", "Long keys"][..]),
            ("Short keys|a|----|Long keys|a|Short keys|a", &["Short keys", "Long keys"]),
            ("a|Long keys|a|Wide keys|a", &[]),
            ("## Keys|Short keys|a|Long keys|a", &[]),
            ("10 keys|a|100 keys|a", &[]),
            ("node /tmp/x.js|a|node /tmp/y.js|a", &[]),
            ("Mon 10:01:02|a|Tue 10:01:02|a", &[]),
            ("on 2026-01-02|a|at 2026-01-02|a", &[]),
        ] {
            let lines = lines(text);
            let lines: Vec<(u32, &str)> = lines.iter().map(|(line, text)| (*line, &**text)).collect();
            let expected: HashSet<&str> = expected.iter().copied().collect();
            assert_eq!(plain_headings(&lines, &HashSet::new()), expected, "{text}");
        }
    }
}
