//! The cells of a comparison's row, one per column.

use std::fmt::Write as _;

use statera_readers::{Metric, Quantity};
use statera_weighing::{Centre, Design, Row, Warning};

use crate::numbers;
use crate::{Pairs, Subject, names, verdict_words};

/// A column of the comparison table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The benchmark's name.
    Benchmark,
    /// The baseline's centre and the half-width of its interval.
    Baseline,
    /// The contender's centre and the half-width of its interval.
    Contender,
    /// The typical change.
    Change,
    /// The confidence interval of the change.
    Interval,
    /// The change of the mean and its interval, if it was requested.
    Mean,
    /// The corrected p-value.
    P,
    /// The number of units per side.
    N,
    /// The verdict, with its reason and the number of runs that it needs.
    Verdict,
}

/// Longer names lose their middle in tables for people; CSV and JSON keep them whole.
const LONGEST_NAME: usize = 200;

/// All columns in their order.
pub const COLUMNS: [Column; 9] = [
    Column::Benchmark,
    Column::Baseline,
    Column::Contender,
    Column::Change,
    Column::Interval,
    Column::Mean,
    Column::P,
    Column::N,
    Column::Verdict,
];

impl Column {
    /// Returns the column of this name, as Python writes it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "benchmark" => Self::Benchmark,
            "baseline" => Self::Baseline,
            "contender" => Self::Contender,
            "change" => Self::Change,
            "interval" => Self::Interval,
            "mean" => Self::Mean,
            "p" => Self::P,
            "n" => Self::N,
            "verdict" => Self::Verdict,
            _ => return None,
        })
    }

    /// Returns its heading.
    pub fn heading(self, subject: &Subject<'_>, row: Option<&Row>) -> String {
        let label = |variant: u32| subject.names.label(variant);
        match self {
            Self::Benchmark => row.map_or_else(String::new, |row| {
                let metric = names::printable(&subject.names.metric(row.metric).name);
                match subject.pairs {
                    Some(pairs) if pairs.one_benchmark => {
                        let name = names::printable(subject.names.benchmark(row.benchmark));
                        format!("{metric}, {}", names::shortened(&name, LONGEST_NAME))
                    }
                    _ => metric.into_owned(),
                }
            }),
            Self::Baseline if subject.pairs.is_some_and(|pairs| !pairs.one_baseline) => "baseline".to_owned(),
            Self::Contender if subject.pairs.is_some() => "contender".to_owned(),
            Self::Baseline => row.map_or_else(String::new, |row| {
                names::shortened(&names::printable(label(row.baseline.variant)), 24).into_owned()
            }),
            Self::Contender => row.map_or_else(String::new, |row| {
                names::shortened(&names::printable(label(row.contender.variant)), 24).into_owned()
            }),
            Self::Change => "typical change".to_owned(),
            Self::Interval => match subject.weighing.common_share() {
                Some(share) => {
                    let level = 1.0 - (1.0 - subject.confidence) * share;
                    format!("{}% interval", (level * 1e12).round() / 1e10)
                }
                None => "interval".to_owned(),
            },
            Self::Mean => "mean change".to_owned(),
            Self::P if subject.weighing.family.corrected() => "p (corrected)".to_owned(),
            Self::P => "p".to_owned(),
            Self::N => "n".to_owned(),
            Self::Verdict => "verdict".to_owned(),
        }
    }

    /// Whether its cells are aligned to the left.
    #[must_use]
    pub fn left(self) -> bool {
        matches!(self, Self::Benchmark | Self::Verdict)
    }
}

/// Writes the cell of a column.
pub fn write(to: &mut String, column: Column, row: &Row, subject: &Subject<'_>) {
    let metric = subject.names.metric(row.metric);
    match column {
        Column::Benchmark => benchmark(to, row, subject, ""),
        Column::Baseline => centre(to, &row.baseline.centre, row, metric),
        Column::Contender => centre(to, &row.contender.centre, row, metric),
        // Neither sign is certain, and the medians may move the other way: the interval says what is known.
        Column::Change if row.is_open() => to.push('~'),
        Column::Change => numbers::change(to, row, row.change, metric.quantity, &metric.unit),
        Column::Interval => interval(to, row, metric),
        Column::Mean if subject.mean => verdict_words::mean(to, row, subject),
        Column::Mean => to.push('-'),
        Column::P => match row.p_corrected {
            Some(p) => numbers::p_value(to, p),
            None => to.push('-'),
        },
        Column::N => units(to, row),
        Column::Verdict => verdict(to, row, subject),
    }
}

/// Writes the benchmark of a row without a prefix, and the pair of variants where a table has several.
pub(crate) fn benchmark(to: &mut String, row: &Row, subject: &Subject<'_>, prefix: &str) {
    let name = names::printable(subject.names.benchmark(row.benchmark));
    let name = names::shortened(name.strip_prefix(prefix).unwrap_or(&name), LONGEST_NAME);
    match subject.pairs {
        Some(pairs) if pairs.one_benchmark => pair(to, row, pairs, subject),
        Some(pairs) => {
            to.push_str(&name);
            to.push_str(": ");
            pair(to, row, pairs, subject);
        }
        None => to.push_str(&name),
    }
}

/// Writes the pair of variants that a row compares.
fn pair(to: &mut String, row: &Row, pairs: Pairs, subject: &Subject<'_>) {
    let label = |variant: u32| subject.names.label(variant);
    to.push_str(&names::printable(label(row.contender.variant)));
    if !pairs.one_baseline {
        to.push_str(" against ");
        to.push_str(&names::printable(label(row.baseline.variant)));
    }
}

/// Writes a centre and the half-width of its interval.
fn centre(to: &mut String, centre: &Centre, row: &Row, metric: &Metric) {
    middle(to, centre, row, metric);
    let known = centre.value != 0.0 && !centre.value.is_nan();
    if known && !matches!(row.design, Design::Suite | Design::Exact) {
        half_width(to, centre);
    }
}

/// Writes a centre. Both sides of a row have the same unit prefix, so that they compare at a glance.
pub(crate) fn middle(to: &mut String, centre: &Centre, row: &Row, metric: &Metric) {
    let larger = row.baseline.centre.value.abs().max(row.contender.centre.value.abs());
    let smaller = row.baseline.centre.value.abs().min(row.contender.centre.value.abs());
    let size = if smaller > 0.0 && smaller * 10.0 > larger { smaller } else { centre.value };
    let size = if metric.quantity == Quantity::Time || smaller.is_nan() { size } else { centre.value };
    numbers::value(
        to,
        centre.value,
        metric.quantity,
        &metric.unit,
        numbers::prefix(metric.quantity, &metric.unit, size),
    );
}

/// Writes the half-width of a centre's interval, relative to the centre.
pub(crate) fn half_width(to: &mut String, centre: &Centre) {
    to.push_str(" ± ");
    if centre.low.is_nan() {
        to.push('?');
        return;
    }
    let half = (centre.high - centre.value).max(centre.value - centre.low) / centre.value.abs();
    let per_cent = half * 100.0;
    let _ = match per_cent {
        small if small > 0.0 && small < 0.95 => write!(to, "{small:.1}%"),
        usual if usual < 1e9 => write!(to, "{usual:.0}%"),
        large => {
            numbers::digits(to, large, 3);
            to.write_char('%')
        }
    };
}

fn interval(to: &mut String, row: &Row, metric: &Metric) {
    if row.change_low.is_nan() {
        to.push('-');
        return;
    }
    let [low, high] = numbers::change_ends(row, metric.quantity, &metric.unit);
    if numbers::is_one(row.change_low, row.change_high, row.scale) && row.change_low.is_finite() {
        // The test rejects every other change, and with ties even this one.
        to.push_str(&low);
        to.push_str(if row.change_low_open { " (ties)" } else { " exactly" });
    } else {
        to.push(if row.change_low_open { '(' } else { '[' });
        to.push_str(&low);
        to.push_str(", ");
        to.push_str(&high);
        to.push(if row.change_high_open { ')' } else { ']' });
    }
    if row.warns(Warning::LowLevel) {
        to.push_str(" at ");
        numbers::digits(to, (row.change_level * 100.0).floor(), 2);
        to.push('%');
    }
}

fn units(to: &mut String, row: &Row) {
    let (baseline, contender) = (row.baseline.units, row.contender.units);
    to.push_str(&baseline.to_string());
    if baseline != contender {
        to.push('+');
        to.push_str(&contender.to_string());
    }
}

/// Writes the verdict and the numbers of its footnotes.
fn verdict(to: &mut String, row: &Row, subject: &Subject<'_>) {
    verdict_words::verdict(to, row, subject);
    marks(to, row, subject);
}

/// Writes the verdict in a word, without its reason, and the numbers of its footnotes.
pub(crate) fn short_verdict(to: &mut String, row: &Row, subject: &Subject<'_>) {
    to.push_str(&words(row.verdict.code()));
    marks(to, row, subject);
}

fn marks(to: &mut String, row: &Row, subject: &Subject<'_>) {
    for (bit, &number) in subject.footnotes.iter().enumerate() {
        if number > 0 && row.warnings & (1 << bit) != 0 {
            superscript(to, number);
        }
    }
}

/// Writes a code as words.
pub(crate) fn words(code: &str) -> String {
    code.replace('-', " ")
}

/// Writes a number of runs with two digits, because it is a forecast.
pub(crate) fn runs(to: &mut String, count: f64) {
    if !count.is_finite() {
        to.push_str("10^6+");
        return;
    }
    let power = 10f64.powf((count.log10().floor() - 1.0).max(0.0));
    let rounded = (count / power).ceil() * power;
    let _ = if rounded >= 1e6 { write!(to, "10^6+") } else { write!(to, "{rounded:.0}") };
}

/// The digits of the numbers of footnotes.
pub(crate) const FOOTNOTE_DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

fn superscript(to: &mut String, number: u8) {
    to.push(' ');
    if number >= 10 {
        to.push(FOOTNOTE_DIGITS[(number / 10 % 10) as usize]);
    }
    to.push(FOOTNOTE_DIGITS[(number % 10) as usize]);
}

/// The names of the cells that [`cell`] returns.
pub const CELLS: [&str; 13] = [
    "benchmark",
    "baseline",
    "contender",
    "baseline_centre",
    "contender_centre",
    "change",
    "interval",
    "mean",
    "p",
    "n",
    "tail",
    "level",
    "verdict",
];

/// Returns a cell by its name, one of [`CELLS`]; `None` if the row has no such value.
#[must_use]
pub fn cell(row: &Row, name: &str, subject: &Subject<'_>) -> Option<String> {
    let metric = subject.names.metric(row.metric);
    let (baseline, contender) = (&row.baseline.centre, &row.contender.centre);
    let mut to = String::new();
    let (known, column) = match name {
        "benchmark" => (true, Column::Benchmark),
        "baseline" | "baseline_centre" => (!baseline.value.is_nan(), Column::Baseline),
        "contender" | "contender_centre" => (!contender.value.is_nan(), Column::Contender),
        "change" => (!row.change.is_nan(), Column::Change),
        "interval" => (!row.change_low.is_nan(), Column::Interval),
        "mean" => (row.mean.is_some(), Column::Mean),
        "p" => (row.p_corrected.is_some(), Column::P),
        "n" => (true, Column::N),
        "level" => (row.level_change.is_some(), Column::Verdict),
        "tail" => (row.tail.is_some() || row.spread.is_some(), Column::Verdict),
        "verdict" => (true, Column::Verdict),
        _ => return None,
    };
    match name {
        "baseline_centre" => middle(&mut to, baseline, row, metric),
        "contender_centre" => middle(&mut to, contender, row, metric),
        "change" => numbers::change(&mut to, row, row.change, metric.quantity, &metric.unit),
        "mean" => verdict_words::mean(&mut to, row, subject),
        "level" => verdict_words::level_change(&mut to, row, subject),
        "tail" => verdict_words::tail(&mut to, row, subject),
        _ => write(&mut to, column, row, subject),
    }
    known.then_some(to)
}
