//! Reports of labelled lines, such as `Slowest: 4.53 ms`, that load generators print for people. A format declares its lines
//! as patterns; here are the figures with their units, and what becomes of them.
//!
//! Nothing printed is a sample: every figure is a summary, with the number of requests where that is printed, too.

use super::durations::go_seconds;
use super::head::{Fit, Head, No};
use super::load_metrics::percentile;
use super::load_run::Run;
use super::page::{binary, known};
use super::{durations, lines, load_metrics};
use crate::metric::Quantity;
use crate::sheet::Sheet;
use crate::text::{number, ungrouped};

/// How a program reports a run.
pub(crate) struct Report {
    pub(super) benchmark: &'static str,
    pub(super) parts: &'static [Part],
    /// Whether `KB` and `MB` are 1,024 and 1,048,576 bytes.
    pub(super) is_binary: bool,

    /// Reads a line of a run that no pattern can describe; `None` if a number cannot be read.
    pub(super) line: fn(&mut Run, &str, u32) -> Option<()>,
    /// Completes a run, or empties one that has no result. The line is that of the next run, or 0.
    pub(super) ends: fn(&mut Sheet, &mut Run, u32),
    /// Decides which metrics are compared by default, beside those of all load generators.
    pub(super) finish: fn(&mut Sheet),
}

impl Report {
    pub(super) const PLAIN: Self = Self {
        benchmark: "requests",
        parts: &[],
        is_binary: false,

        line: |_, _, _| Some(()),
        ends: |_, _, _| {},
        finish: |_| {},
    };
}

/// A part of a report.
pub(super) struct Part {
    /// Its first lines, as patterns. They are read like the others.
    begins: &'static [&'static str],
    what: What,
    /// A line is what the first pattern says that fits; the lines of a run are read in all of its parts. Places of a pattern:
    ///
    /// * `*`: anything.
    /// * `<latency-max ms>`: a figure with its metric and its unit; without a unit, the text states it.
    /// * `<sd ms>`: the deviation of the figure before it.
    /// * `<label>`: what takes the place of `*` in the names of the metrics of this line.
    /// * `<+errors>`: a number that is added to those of this metric in other lines; `<+errors whole>`: there is no sum if one
    ///   of them cannot be read.
    /// * `<count>`: the number of requests.
    /// * `<=threads>`: the value of a key; `<=+threads>`: a number that is added to it;
    ///   `<=#threads>`: the number of such lines.
    /// * `<benchmark>`: the name of the benchmark. `<dropped>`: a value that is none.
    lines: &'static [&'static str],
    /// The metric of figures that stand below their labels: `P50  P99` above `1.2ms  3ms`.
    across: &'static str,
}

impl Part {
    /// A part of a run.
    pub(super) const fn of(begins: &'static [&'static str], lines: &'static [&'static str]) -> Self {
        Self { begins, what: What::Part, lines, across: "" }
    }

    /// Another run.
    pub(super) const fn run(begins: &'static [&'static str], lines: &'static [&'static str]) -> Self {
        Self { what: What::Run, ..Self::of(begins, lines) }
    }

    /// What is no result, beside its lines, until the next run begins.
    pub(super) const fn aside(begins: &'static [&'static str], lines: &'static [&'static str]) -> Self {
        Self { what: What::Aside, ..Self::of(begins, lines) }
    }

    /// A part of figures below their labels.
    pub(super) const fn across(begins: &'static [&'static str], metric: &'static str) -> Self {
        Self { across: metric, ..Self::of(begins, &[]) }
    }
}

/// What begins with a part.
#[derive(PartialEq, Eq)]
enum What {
    Run,
    Part,
    Aside,
}

/// Whether a line of a file has the words of each of these patterns.
pub(super) fn has_lines(head: &Head<'_>, patterns: &[&str]) -> Fit {
    let lines = || head.lines().filter_map(|line| Some(plain(std::str::from_utf8(line).ok()?)));
    let has = |pattern: &&str| lines().any(|line| places(pattern, &line).is_some());
    No::unless(patterns.iter().all(has), "it has no such lines")
}

/// Reads the runs of a file.
pub(super) fn read(sheet: &mut Sheet, bytes: &[u8], report: &'static Report) {
    let mut found = Found {
        report,
        run: Run::default(),
        benchmark: String::new(),
        has_begun: false,
        of_run: None,
        part: None,
        labels: Vec::new(),
    };
    for (line, text) in lines::numbered(bytes) {
        let plain = plain(text);
        if found.take(sheet, line, &plain).is_none() {
            sheet.unreadable(line, text.trim());
        }
    }
    found.end(sheet, 0);
    (report.finish)(sheet);
}

/// A file as far as it is read.
struct Found {
    report: &'static Report,
    run: Run,
    benchmark: String,
    has_begun: bool,
    /// The run and its part that are open.
    of_run: Option<&'static Part>,
    part: Option<&'static Part>,
    /// The labels above the figures of the next line.
    labels: Vec<String>,
}

impl Found {
    /// Reads a line; `None` if a number cannot be read.
    fn take(&mut self, sheet: &mut Sheet, line: u32, text: &str) -> Option<()> {
        let is_open = self.of_run.is_some();
        // What a document quotes ends here.
        if text.starts_with("```") {
            (self.of_run, self.part) = (None, None);
            return Some(());
        }
        let begins = |part: &&Part| part.begins.iter().any(|pattern| places(pattern, text).is_some());
        let parts = self.report.parts.iter().filter(|part| is_open || part.what == What::Run);
        if let Some(part) = parts.into_iter().find(begins) {
            match part.what {
                What::Run => {
                    // Several lines can begin a run, of which people leave some out. Nothing stands above the first.
                    let is_first = places(part.begins[0], text).is_some();
                    if is_first || !self.run.figures.is_empty() || self.of_run.is_none() {
                        self.end(sheet, line);
                    }
                    (self.of_run, self.part) = (Some(part), None);
                }
                What::Part => self.part = Some(part),
                What::Aside => (self.of_run, self.part) = (None, Some(part)),
            }
        }
        if self.of_run.is_some() {
            (self.report.line)(&mut self.run, text, line)?;
        }
        let across = self.part.map_or("", |part| part.across);
        if !across.is_empty() {
            self.across(across, text, line)?;
        }
        let mut lines = [self.part, self.of_run].into_iter().flatten().flat_map(|part| part.lines);
        lines
            .find_map(|pattern| places(pattern, text))
            .map_or(Some(()), |found| self.line(sheet, &found, line))
    }

    /// Ends the run; another begins.
    fn end(&mut self, sheet: &mut Sheet, line: u32) {
        if std::mem::replace(&mut self.has_begun, line > 0) {
            self.run.figures.retain(|figure| !figure.value.is_nan());
            (self.report.ends)(sheet, &mut self.run, line);
        }
        self.run.end(sheet);
        self.report.benchmark.clone_into(&mut self.benchmark);
    }

    /// Reads the places of a line; `None` if a number cannot be read.
    fn line(&mut self, sheet: &mut Sheet, found: &[(&str, &str)], line: u32) -> Option<()> {
        let mut label = "";
        for (place, text) in found {
            let (name, unit) = place.split_once(' ').unwrap_or((place, ""));
            match name {
                "" => {}
                "label" => label = text,
                "benchmark" => (*text).clone_into(&mut self.benchmark),
                "dropped" => sheet.dropped(1),
                "count" => self.run.count = Some(self.amount(text, "1")?),
                "sd" => {
                    let deviation = self.amount(text, unit)?;
                    if let Some(figure) = self.run.figures.last_mut().filter(|_| deviation > 0.0) {
                        figure.aggregate.deviation = Some(deviation);
                    }
                }
                _ => match (name.strip_prefix('='), name.strip_prefix('+')) {
                    (Some(key), _) => match (key.strip_prefix('+'), key.strip_prefix('#')) {
                        (Some(key), _) => self.run.count_more(key, text.parse().ok()?),
                        (_, Some(key)) => self.run.count_more(key, 1),
                        _ => self.run.state(key, text),
                    },
                    (_, Some(sum)) => {
                        let part = self.amount(text, "1");
                        if unit == "whole" || part.is_some() {
                            self.sum(sum, part.unwrap_or(f64::NAN), line);
                        }
                        part?;
                    }
                    _ => {
                        let value = self.amount(text, unit)?;
                        let name = named(name, label)?;
                        // Few digits are printed: a time of 0 is less than they can show, and what is no number is of no
                        // request.
                        let is_time = load_metrics::described(&name).quantity == Quantity::Time;
                        if value.is_nan() || (value == 0.0 && is_time) {
                            sheet.dropped(1);
                        } else if label.is_empty() || !self.run.has(&name, value) {
                            self.run.add(&self.benchmark, &name, value, line);
                        }
                    }
                },
            }
        }
        Some(())
    }

    fn sum(&mut self, name: &str, value: f64, line: u32) {
        match self.run.figures.iter_mut().find(|figure| figure.name == name) {
            Some(figure) => figure.value += value,
            None => self.run.add(&self.benchmark, name, value, line),
        }
    }

    /// A number in base units. Shares are of 1.
    fn amount(&self, text: &str, unit: &str) -> Option<f64> {
        let text = ungrouped(text);
        if unit.is_empty() {
            return go_seconds(&text).filter(|_| text != "0").or_else(|| {
                let text = text.trim_end_matches('.');
                let (_, unit) = durations::with_unit(text)?;
                (!unit.is_empty()).then_some(())?;
                self.amount(text[..text.len() - unit.len()].trim(), unit)
            });
        }
        let value = number(text.as_bytes())?;
        match unit {
            "1" => Some(value),
            "%" => Some(value / 100.0),
            other => Some((if self.report.is_binary { binary } else { known })(other)?.scale.apply(value)),
        }
    }

    /// Reads labels, and the figures in the line below them; `None` if one cannot be read.
    fn across(&mut self, name: &str, text: &str, line: u32) -> Option<()> {
        let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
        let labels = std::mem::take(&mut self.labels);
        let level = |word: &&str| {
            word.strip_prefix(['P', 'p']).filter(|text| number(text).is_some()).map(str::to_owned)
        };
        if labels.is_empty() {
            self.labels = words.iter().map(level).collect::<Option<_>>().unwrap_or_default();
            return Some(());
        }
        for (label, word) in labels.iter().zip(words) {
            self.run.add(&self.benchmark, &named(name, label)?, self.amount(word, "")?, line);
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
fn places<'a>(pattern: &'a str, line: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let Some((before, mut place, mut after)) = first_place(pattern) else {
        return (pattern == line).then(Vec::new);
    };
    let mut rest = line.strip_prefix(before)?;
    let mut found = Vec::new();
    loop {
        let next = first_place(after);
        let literal = next.map_or(after, |(literal, ..)| literal);
        let end = match next {
            None => rest.len().checked_sub(literal.len()).filter(|_| rest.ends_with(literal))?,
            Some(_) => rest.find(literal)?,
        };
        found.push((place, rest[..end].trim()));
        rest = &rest[end + literal.len()..];
        let Some(next) = next else { break };
        (place, after) = (next.1, next.2);
    }
    found.iter().all(|(_, text)| !text.is_empty()).then_some(found)
}

/// The first place of a pattern, between the text before it and what follows it.
fn first_place(pattern: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = pattern.split_at(pattern.find(['*', '<'])?);
    let (place, after) = match rest.strip_prefix('<') {
        Some(inner) => inner.split_once('>')?,
        None => ("", &rest[1..]),
    };
    Some((before, place, after))
}
