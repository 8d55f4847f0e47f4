//! Formats that are lines of text of known forms: what such a format declares, and the loop that reads all of them.

use super::head::{Fit, Head, No};
use super::lines;
use super::load_metrics;
use super::repeats::Repeats;
use super::units;
use super::units::meaning;
use crate::context::{self, Context};
use crate::metric::{Better, Metric};
use crate::sheet::{Aggregate, Measurement, ROW, Sheet};

/// What a format of lines declares.
pub(crate) struct Console {
    /// The forms of lines. The first one that fits a line says what it means.
    pub(super) lines: &'static [Line],
    /// Whether the metrics are those of load generators, of which the file decides which ones are compared.
    pub(super) of_load: bool,
    /// Whether keys can follow the values of their run.
    pub(super) late_keys: bool,
}

impl Console {
    /// A declaration to which a format adds what it has.
    pub(super) const PLAIN: Self = Self { lines: &[], of_load: false, late_keys: false };
}

/// A form of lines, and what it means. A form is text with places for what differs: `{}` for any text, `{w}` for a word,
/// `{#}` for a number. Blanks stand for any number of blanks.
pub(super) struct Line(pub(super) &'static str, pub(super) Means);

/// What a line means. Numbers count the places of its form from 0.
pub(super) enum Means {
    /// A benchmark begins, or a part of it of which values follow.
    Name(usize),
    /// A value of the benchmark that this place names; without one, of the last that was named.
    Value(Option<usize>, usize, What),
    /// The same where the line states the unit, and a name for each unit is known.
    InUnit(usize, usize, usize, fn(&str) -> Option<What>),
    /// Values of the last benchmark, such as percentiles: the form of each, its metric and its unit.
    Several(usize, &'static [(&'static str, What)]),
    /// A warm-up, whose values and those of what follows are no results.
    WarmUp,
    /// The benchmark that this place names failed.
    Failed(usize),
    /// The line looks like a value, but its number cannot be read.
    Unreadable,
    /// A key of the configuration of all values that follow.
    Key(&'static str, usize),
    /// The same for a benchmark that no line names.
    Called(&'static str, usize, What),
    /// All of these.
    All(&'static [Means]),
    /// The output of another run begins.
    Run,
    /// The benchmark that this place names begins; if it began before, another run does.
    First(usize),
}

/// What a value is.
#[derive(Clone, Copy)]
pub(super) struct What {
    metric: &'static str,
    unit: &'static str,
    primary: bool,
    /// The better direction, if the unit does not have it.
    better: Option<Better>,
    /// Whether it summarises samples.
    is_summary: bool,
    /// The place of the number of samples.
    count: Option<usize>,
}

impl What {
    /// A sample in this unit. Quantity and direction follow from the unit.
    pub(super) const fn of(metric: &'static str, unit: &'static str) -> Self {
        Self { metric, unit, primary: true, better: None, is_summary: false, count: None }
    }

    /// The same as a summary of samples that the file does not have.
    pub(super) const fn summary(self) -> Self {
        Self { is_summary: true, ..self }
    }

    /// The same with the place of the number of samples.
    pub(super) const fn samples(self, at: usize) -> Self {
        Self { is_summary: true, count: Some(at), ..self }
    }

    /// The same, compared only on request.
    pub(super) const fn secondary(self) -> Self {
        Self { primary: false, ..self }
    }

    /// The same with a direction that the unit does not have.
    pub(super) const fn better(self, better: Better) -> Self {
        Self { better: Some(better), ..self }
    }
}

/// Longer lines have no form.
const LONGEST: usize = 500;

/// What stands for the places of a form in a line; `None` if the line has another form.
pub(super) fn scan<'l>(line: &'l str, form: &str) -> Option<Vec<&'l str>> {
    let (line, mut found) = (line.trim(), Vec::new());
    (line.len() <= LONGEST && matches(line, form, &mut found)).then_some(found)
}

fn matches<'l>(line: &'l str, form: &str, found: &mut Vec<&'l str>) -> bool {
    let Some(rest) = form.strip_prefix('{') else {
        let (piece, rest) = form.split_at(form.find('{').unwrap_or(form.len()));
        return match after(line, piece) {
            Some(behind) if rest.is_empty() => behind.is_empty(),
            Some(behind) => matches(behind, rest, found),
            None => false,
        };
    };
    let (kind, rest) = rest.split_once('}').unwrap_or((rest, ""));
    let most = match kind {
        "#" => line.bytes().take_while(|byte| byte.is_ascii_digit() || b".,-".contains(byte)).count(),
        "w" => line.find(char::is_whitespace).unwrap_or(line.len()),
        _ => line.len(),
    };
    // A number ends where its digits do.
    let least = if kind == "#" { most.max(1) } else { 1 };
    let ends = (least..=most).filter(|&end| line.is_char_boundary(end));
    for end in ends {
        let part = line[..end].trim();
        if part.is_empty() {
            continue;
        }
        found.push(part);
        if rest.is_empty() && end == line.len() || !rest.is_empty() && matches(&line[end..], rest, found) {
            return true;
        }
        found.pop();
    }
    false
}

/// What stands behind a literal piece, whose blanks stand for any number of blanks.
fn after<'l>(text: &'l str, piece: &str) -> Option<&'l str> {
    let mut rest = text;
    let mut words = piece.split(' ').peekable();
    while let Some(word) = words.next() {
        rest = rest.strip_prefix(word)?;
        if words.peek().is_some() {
            let trimmed = rest.trim_start();
            // A blank at the end of a line was taken away.
            (trimmed.len() < rest.len() || rest.is_empty()).then_some(())?;
            rest = trimmed;
        }
    }
    Some(rest)
}

/// Whether one of the first lines has a form.
pub(super) fn has(head: &Head<'_>, form: &str) -> Fit {
    // Nearly all files lack the longest word of the form.
    let pieces = form.split(['{', '}']).step_by(2).map(str::trim);
    let word = memchr::memmem::Finder::new(pieces.max_by_key(|piece| piece.len()).unwrap_or_default());
    let fits = |line: &[u8]| {
        word.find(line).is_some() && std::str::from_utf8(line).is_ok_and(|line| scan(line, form).is_some())
    };
    No::unless(word.find(head.bytes()).is_some() && head.lines().any(fits), "it has no such line")
}

/// Reads the lines of a file.
pub(super) fn read(sheet: &mut Sheet, bytes: &[u8], console: &Console) {
    let mut reading = Reading { sheet: std::mem::take(sheet), ..Reading::default() };
    for (number, text) in lines::numbered(bytes) {
        let found = console.lines.iter().find_map(|Line(form, means)| Some((scan(text, form)?, means)));
        if let Some((parts, means)) = found {
            reading.line(console, &parts, means, number);
        }
    }
    reading.flush();
    if console.of_load {
        load_metrics::choose(&mut reading.sheet);
    }
    *sheet = reading.sheet;
}

/// What is known so far.
#[derive(Default)]
struct Reading {
    sheet: Sheet,
    context: Context,
    benchmark: String,
    /// The metrics of benchmarks in this run: one that comes again, where it is no sample, begins another run.
    known: Repeats,
    is_warm_up: bool,
    /// The values of a run whose keys may follow.
    waiting: Vec<(String, Measurement<'static>)>,
}

impl Reading {
    fn line(&mut self, console: &Console, parts: &[&str], means: &Means, line: u32) {
        match *means {
            Means::All(all) => all.iter().for_each(|means| self.line(console, parts, means, line)),
            Means::Called(name, value, what) => {
                self.name(name);
                self.value(console, parts, parts[value], what, line);
            }
            Means::Run => self.run(),
            Means::First(at) => self.begins(parts[at]),
            Means::Name(at) => self.name(parts[at]),
            Means::WarmUp => {
                self.is_warm_up = true;
                self.sheet.dropped(1);
            }
            Means::Key(key, at) => context::state(&mut self.context, key, parts[at]),
            Means::Unreadable => self.sheet.unreadable(line, parts.join(" … ")),
            Means::Failed(at) => {
                self.sheet.failed(line, parts[at], "");
            }
            Means::Value(name, value, what) => {
                if let Some(name) = name {
                    self.name(parts[name]);
                }
                self.value(console, parts, parts[value], what, line);
            }
            Means::InUnit(name, value, unit, known) => {
                self.name(parts[name]);
                if let Some(what) = known(parts[unit]) {
                    self.value(console, parts, parts[value], what, line);
                } else {
                    self.sheet.unknown_unit(line, parts[name], parts[unit]);
                }
            }
            Means::Several(at, forms) => {
                for piece in parts[at].split(',') {
                    let found = forms.iter().find_map(|(form, what)| Some((scan(piece, form)?, what)));
                    if let Some((inner, what)) = found {
                        self.value(console, parts, inner[0], *what, line);
                    }
                }
            }
        }
    }

    /// Another run begins: its process is another one.
    fn run(&mut self) {
        self.flush();
        self.sheet.next_run();
        self.known = Repeats::default();
        self.context.clear();
    }

    fn flush(&mut self) {
        self.sheet.set_context(&self.context);
        for (benchmark, row) in self.waiting.drain(..) {
            self.sheet.push(Measurement { benchmark: &benchmark, ..row });
        }
    }

    fn begins(&mut self, name: &str) {
        if self.known.begins(name) {
            self.sheet.next_run();
        }
    }

    fn name(&mut self, name: &str) {
        self.is_warm_up = false;
        name.clone_into(&mut self.benchmark);
    }

    fn value(&mut self, console: &Console, parts: &[&str], digits: &str, what: What, line: u32) {
        if self.is_warm_up {
            return self.sheet.dropped(1);
        }
        let benchmark = self.benchmark.clone();
        let Some(number) = self.sheet.number(digits.replace(',', "").as_bytes(), line) else {
            return self.sheet.no_number(line, what.metric, benchmark, digits);
        };
        if benchmark.is_empty() {
            return self.sheet.lacks(line, digits, "benchmark");
        }
        // Of a sample there can be several in a run.
        if what.is_summary {
            self.begins(&format!("{benchmark}\0{}\0{:?}", what.metric, self.context));
        }
        let units::Meaning { base, quantity, scale } = meaning(what.unit);
        let metric = if console.of_load {
            self.sheet.metric(what.metric, || load_metrics::described(what.metric))
        } else {
            let metric = Metric::new(what.metric, &base, quantity).never_exact();
            let better = what.better.or(metric.better);
            self.sheet.metric_of(Metric { better, primary: what.primary, ..metric })
        };
        let count = what.count.and_then(|at| crate::text::number(parts.get(at)?));
        let aggregate = what.is_summary.then_some(Aggregate { count, deviation: None });
        let row = Measurement { metric, line, aggregate, process: Some(0), ..ROW };
        self.waiting.push((benchmark, Measurement { value: scale.apply(number), ..row }));
        if !console.late_keys {
            self.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::scan;

    #[test]
    fn a_form_is_text_with_places() {
        for (line, form, parts) in [
            (
                "== a b, iteration 3 in 1.5 ms ==",
                "== {}, iteration {#} in {#} ms ==",
                Some(&["a b", "3", "1.5"][..]),
            ),
            (
                "x 2 (y)   12  lps   (10.0 s, 7 samples)",
                "{} {#} {w} ({#} s, {#} samples)",
                Some(&["x 2 (y)", "12", "lps", "10.0", "7"]),
            ),
            ("QPS : 12", "QPS : {#}", Some(&["12"])),
            ("QPS   :   1,234", "QPS : {#}", Some(&["1,234"])),
            ("QPS :", "QPS : {#}", None),
            ("a 1 b 2", "a {#} b", None),
            ("a 1x b", "a {#} b", None),
            ("a 1 b", "{} b", Some(&["a 1"])),
            ("", "{}", None),
            ("a", "a", Some(&[])),
            ("ab", "a", None),
        ] {
            assert_eq!(scan(line, form).as_deref(), parts, "{line}");
        }
    }
}
