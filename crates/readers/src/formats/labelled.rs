//! Reports of labelled lines, such as `Slowest: 4.53 ms`, that load generators print for people. A format declares its lines
//! as patterns; here are the figures with their units, and what becomes of them.
//!
//! Nothing printed is a sample: every figure is a summary, with the number of requests where that is printed, too.

use super::durations::go_seconds;
use super::head::{Fit, Head, No};
use super::load_metrics::percentile;
use super::load_run::{Run, unreadable};
use super::page::known;
use super::{durations, lines, load_metrics};
use crate::metric::Quantity;
use crate::sheet::Sheet;
use crate::text::{number, ungrouped};

/// How a program reports a run.
pub(crate) struct Report {
    pub(super) benchmark: &'static str,
    pub(super) parts: &'static [Part],
    /// Decides which metrics are compared by default, beside those of all load generators.
    pub(super) finish: fn(&mut Sheet),
}

impl Report {
    pub(super) const PLAIN: Self = Self { benchmark: "requests", parts: &[], finish: |_| {} };
}

/// A part of a report.
pub(super) struct Part {
    /// Its first lines, as patterns. They are read like the others.
    pub(super) begins: &'static [&'static str],
    pub(super) what: What,
    /// Patterns and what their `*` are. A line is what the first pattern says that fits; the lines of a run are read in all
    /// of its parts.
    pub(super) lines: &'static [(&'static str, &'static [Take])],
    /// The metric of figures that stand below their labels: `P50  P99` above `1.2ms  3ms`.
    pub(super) across: &'static str,
}

impl Part {
    pub(super) const PLAIN: Self = Self { begins: &[], what: What::Part, lines: &[], across: "" };
}

/// What begins with a part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// Another run.
    Run,
    /// Another part of a run.
    Part,
    /// What is no result, until the next run begins.
    Aside,
}

/// What a place of a pattern is.
#[derive(Clone, Copy)]
pub(super) enum Take {
    Skip,
    /// The word that takes the place of `*` in the names of the metrics of this line.
    Label,
    /// A figure: its metric, and its unit, or "" where the text states one.
    Figure(&'static str, &'static str),
    /// The deviation of the figure before it, in this unit.
    Deviation(&'static str),
    /// A number that is added to those of this metric in other lines.
    Sum(&'static str),
    /// The number of requests.
    Count,
    Key(&'static str),
}

/// Whether a line of a file has the words of each of these patterns.
pub(super) fn has_lines(head: &Head<'_>, patterns: &[&str]) -> Fit {
    let lines = || head.lines().filter_map(|line| Some(plain(std::str::from_utf8(line).ok()?)));
    let has = |pattern: &&str| lines().any(|line| places(pattern, &line).is_some());
    No::unless(patterns.iter().all(has), "it has no such lines")
}

/// Reads the runs of a file.
pub(super) fn read(sheet: &mut Sheet, bytes: &[u8], report: &'static Report) {
    let mut found = Found { report, run: Run::default(), of_run: None, part: None, labels: Vec::new() };
    for (line, text) in lines::numbered(bytes) {
        found.take(sheet, line, &plain(text));
    }
    found.run.end(sheet);
    (report.finish)(sheet);
}

/// A file as far as it is read.
struct Found {
    report: &'static Report,
    run: Run,
    /// The run and its part that are open.
    of_run: Option<&'static Part>,
    part: Option<&'static Part>,
    /// The labels above the figures of the next line.
    labels: Vec<String>,
}

impl Found {
    fn take(&mut self, sheet: &mut Sheet, line: u32, text: &str) {
        let is_open = self.of_run.is_some();
        // What a document quotes ends here.
        if text.starts_with("```") {
            (self.of_run, self.part) = (None, None);
            return;
        }
        let begins = |part: &&Part| part.begins.iter().any(|pattern| places(pattern, text).is_some());
        let parts = self.report.parts.iter().filter(|part| is_open || part.what == What::Run);
        if let Some(part) = parts.into_iter().find(begins) {
            match part.what {
                What::Run => {
                    // Several lines can begin a run, of which people leave some out.
                    if !self.run.figures.is_empty() || self.of_run.is_none() {
                        self.run.end(sheet);
                    }
                    (self.of_run, self.part) = (Some(part), None);
                }
                What::Part => self.part = Some(part),
                What::Aside => (self.of_run, self.part) = (None, None),
            }
        }
        let across = self.part.map_or("", |part| part.across);
        if !across.is_empty() && self.across(across, text, line).is_none() {
            return unreadable(sheet, text, line);
        }
        let mut lines = [self.part, self.of_run].into_iter().flatten().flat_map(|part| part.lines);
        let fitting = lines.find_map(|(pattern, takes)| Some((*takes, places(pattern, text)?)));
        if let Some((takes, found)) = fitting
            && self.line(sheet, takes, &found, line).is_none()
        {
            unreadable(sheet, text, line);
        }
    }

    /// Reads the places of a line; `None` if a number cannot be read.
    fn line(&mut self, sheet: &mut Sheet, takes: &[Take], found: &[&str], line: u32) -> Option<()> {
        let mut label = "";
        for (take, text) in takes.iter().zip(found) {
            match *take {
                Take::Skip => {}
                Take::Label => label = text,
                Take::Key(key) => self.run.state(key, text),
                Take::Count => self.run.count = Some(amount(text, "1")?),
                Take::Sum(name) => self.sum(name, amount(text, "1")?, line),
                Take::Deviation(unit) => {
                    let deviation = amount(text, unit)?;
                    if let Some(figure) = self.run.figures.last_mut().filter(|_| deviation > 0.0) {
                        figure.aggregate.deviation = Some(deviation);
                    }
                }
                Take::Figure(name, unit) => {
                    let value = amount(text, unit)?;
                    let name = named(name, label)?;
                    // Few digits are printed: a time of 0 is less than they can show, and what is no number is of no request.
                    let is_time = load_metrics::described(&name).quantity == Quantity::Time;
                    if value.is_nan() || (value == 0.0 && is_time) {
                        sheet.dropped(1);
                    } else if label.is_empty() || !self.run.has(&name, value) {
                        self.run.add(self.report.benchmark, &name, value, line);
                    }
                }
            }
        }
        Some(())
    }

    fn sum(&mut self, name: &str, value: f64, line: u32) {
        match self.run.figures.iter_mut().find(|figure| figure.name == name) {
            Some(figure) => figure.value += value,
            None => self.run.add(self.report.benchmark, name, value, line),
        }
    }

    /// Reads labels, and the figures in the line below them; `None` if one cannot be read.
    fn across(&mut self, name: &str, text: &str, line: u32) -> Option<()> {
        let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
        let labels = std::mem::take(&mut self.labels);
        let level = |word: &&str| {
            word.strip_prefix(['P', 'p']).filter(|rest| number(rest.as_bytes()).is_some()).map(str::to_owned)
        };
        if labels.is_empty() {
            self.labels = words.iter().map(level).collect::<Option<_>>().unwrap_or_default();
            return Some(());
        }
        for (label, word) in labels.iter().zip(words) {
            self.run.add(self.report.benchmark, &named(name, label)?, amount(word, "")?, line);
        }
        Some(())
    }
}

/// The name of a metric with a label in it: `latency-p99.9`, `responses-200`.
pub(super) fn named(name: &str, label: &str) -> Option<String> {
    match name.strip_suffix("-p*") {
        Some(stem) => percentile(stem, label),
        None => Some(name.replace('*', label)),
    }
}

/// A line with one blank between its words, and without the signs that fill it up: `min: ........ 33`, `---- a ----`.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let end = rest.find(|other| other != sign).unwrap_or(rest.len());
        let is_filler = sign.is_whitespace() || (end >= 3 && matches!(sign, '.' | '-' | '='));
        match is_filler {
            true if plain.is_empty() || plain.ends_with(' ') => {}
            true => plain.push(' '),
            false => plain.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// What stands at the places of a pattern, if the line fits it. What a place has is not empty; a label is one word.
fn places<'a>(pattern: &str, line: &'a str) -> Option<Vec<&'a str>> {
    let mut literals = pattern.split('*');
    let mut rest = line.strip_prefix(literals.next()?)?;
    let mut found = Vec::new();
    let mut literals = literals.peekable();
    while let Some(literal) = literals.next() {
        let end = match literals.peek() {
            None => rest.len().checked_sub(literal.len()).filter(|_| rest.ends_with(literal))?,
            Some(_) => rest.find(literal)?,
        };
        found.push(rest[..end].trim());
        rest = &rest[end + literal.len()..];
    }
    (rest.is_empty() && found.iter().all(|place| !place.is_empty())).then_some(found)
}

/// A number in base units. Shares are of 1.
fn amount(text: &str, unit: &str) -> Option<f64> {
    let text = ungrouped(text);
    if unit.is_empty() {
        return go_seconds(&text).filter(|_| text != "0").or_else(|| {
            let (_, unit) = durations::with_unit(&text)?;
            (!unit.is_empty()).then_some(())?;
            amount(text[..text.len() - unit.len()].trim(), unit.trim())
        });
    }
    let value = number(text.as_bytes())?;
    match unit {
        "1" | "sec" | "secs" => Some(value),
        "%" => Some(value / 100.0),
        other => Some(known(other)?.scale.apply(value)),
    }
}
