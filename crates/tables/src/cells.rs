//! The cells of a comparison's row, by their names.

use std::fmt::Write as _;

use statera_readers::{Better, Metric, Quantity};
use statera_weighing::{Centre, Design, Reason, Row, Scale, Spread, Tail, Verdict, Warning};

use crate::subject::Subject;
use crate::{names, numbers};

/// Longer names lose their middle in tables for people; CSV and JSON keep them whole.
const LONGEST_NAME: usize = 200;

/// Returns the heading of a cell that people read in a column.
#[must_use]
pub fn heading(name: &str, subject: &Subject<'_>) -> String {
    match (name, subject.weighing.common_share()) {
        ("interval", Some(share)) => {
            let level = 1.0 - (1.0 - subject.confidence) * share;
            format!("{} % interval", (level * 1e12).round() / 1e10)
        }
        ("mean", _) => "mean change".to_owned(),
        ("p", _) if subject.weighing.family.corrected() => "p (corrected)".to_owned(),
        _ => name.to_owned(),
    }
}

/// Writes the benchmark of a row.
fn benchmark(to: &mut String, row: &Row, subject: &Subject<'_>) {
    let name = names::printable(subject.names.benchmark(row.benchmark));
    to.push_str(&names::shortened(&name, LONGEST_NAME));
}

/// Writes a centre and the half-width of its interval.
fn centre(to: &mut String, centre: &Centre, row: &Row, metric: &Metric) {
    middle(to, centre, row, metric, 4);
    let known = centre.value != 0.0 && !centre.value.is_nan();
    if known && !matches!(row.design, Design::Suite | Design::Exact) {
        half_width(to, centre);
    }
}

/// Writes a centre with so many significant digits. Both builds of a row have the same unit prefix, so that they compare
/// at a glance.
fn middle(to: &mut String, centre: &Centre, row: &Row, metric: &Metric, significant: i32) {
    let larger = row.baseline.centre.value.abs().max(row.contender.centre.value.abs());
    let smaller = row.baseline.centre.value.abs().min(row.contender.centre.value.abs());
    let size = if smaller > 0.0 && smaller * 10.0 > larger { smaller } else { centre.value };
    let size = if metric.quantity == Quantity::Time || smaller.is_nan() { size } else { centre.value };
    let prefix = numbers::prefix(metric.quantity, &metric.unit, size);
    numbers::value_to(to, centre.value, metric.quantity, &metric.unit, prefix, significant);
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
        to.push_str(if row.change_low_open { " (ties)" } else { " (exact)" });
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

/// Returns the ends of an interval for a column whose heading says the unit: both without a per cent sign, where both are
/// per cents. A single point is called exact.
fn short_ends(row: &Row, metric: &Metric) -> [String; 2] {
    let ends = numbers::change_ends(row, metric.quantity, &metric.unit);
    if numbers::is_one(row.change_low, row.change_high, row.scale) && row.change_low.is_finite() {
        return [String::new(), if row.change_low_open { "ties" } else { "exact" }.to_owned()];
    }
    let bare = ends.each_ref().map(|end| end.strip_suffix('%').map(str::to_owned));
    let [low, mut high] = match (row.scale, bare) {
        (Scale::Ratio, [Some(low), Some(high)]) => [low, high],
        _ => ends,
    };
    if row.warns(Warning::LowLevel) {
        high.push_str(" at ");
        numbers::digits(&mut high, (row.change_level * 100.0).floor(), 2);
        high.push('%');
    }
    [low, high]
}

fn units(to: &mut String, row: &Row) {
    let (baseline, contender) = (row.baseline.units, row.contender.units);
    to.push_str(&baseline.to_string());
    if baseline != contender {
        to.push('+');
        to.push_str(&contender.to_string());
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

/// The names of the cells that [`cell`] returns.
pub const CELLS: [&str; 19] = [
    "word",
    "old",
    "new",
    "brief",
    "low",
    "high",
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
    let known = match name {
        "benchmark" | "n" | "verdict" | "word" => true,
        "baseline" | "baseline_centre" | "old" => !baseline.value.is_nan(),
        "contender" | "contender_centre" | "new" => !contender.value.is_nan(),
        "change" | "brief" => !row.change.is_nan(),
        // That of a single pair has a confidence of 0 %.
        "interval" | "low" | "high" => !(row.change_low.is_nan() || row.change_level <= 0.0),
        "mean" => row.mean.is_some(),
        "p" => row.p_corrected.is_some(),
        "level" => row.level_change.is_some(),
        "tail" => row.tail.is_some() || row.spread.is_some(),
        _ => return None,
    };
    match name {
        "benchmark" => benchmark(&mut to, row, subject),
        "n" => units(&mut to, row),
        "verdict" => verdict(&mut to, row, subject),
        "word" => to.push_str(&word(row, subject)),
        "baseline" => centre(&mut to, baseline, row, metric),
        "contender" => centre(&mut to, contender, row, metric),
        "baseline_centre" => middle(&mut to, baseline, row, metric, 4),
        "contender_centre" => middle(&mut to, contender, row, metric, 4),
        "old" => middle(&mut to, baseline, row, metric, 3),
        "new" => middle(&mut to, contender, row, metric, 3),
        // Neither sign is certain, and the medians may move the other way: the interval says what is known.
        "brief" if row.is_open() => to.push('~'),
        "change" | "brief" => numbers::change(&mut to, row, row.change, metric.quantity, &metric.unit),
        "interval" => interval(&mut to, row, metric),
        "low" => to.push_str(&short_ends(row, metric)[0]),
        "high" => to.push_str(&short_ends(row, metric)[1]),
        "mean" => mean(&mut to, row, subject),
        "p" => numbers::p_value(&mut to, row.p_corrected.unwrap_or(f64::NAN)),
        "level" => level_change(&mut to, row, subject),
        _ => tail(&mut to, row, subject),
    }
    known.then_some(to)
}

// The verdict of a row in words, with its reason, and what its tail and its spread show.

/// Returns the word for the verdict of a row: a time is slower or faster, a size or number more or less, anything else
/// higher or lower.
#[must_use]
pub fn word(row: &Row, subject: &Subject<'_>) -> String {
    let quantity = subject.names.metric(row.metric).quantity;
    let moved = |rises| moved(quantity, subject.weighing.better(row), rises);
    let lower_is_better = subject.weighing.better(row) != Some(Better::Higher);
    match row.verdict {
        Verdict::Worse | Verdict::Better => moved(row.rise() > 0.0).to_owned(),
        Verdict::TailWorse => format!("tail {}", moved(lower_is_better)),
        Verdict::TailBetter => format!("tail {}", moved(!lower_is_better)),
        Verdict::ShapeChanged if !of_spread(row) => "tail changed".to_owned(),
        Verdict::ShapeChanged => {
            let wider = row.spread.is_some_and(|spread| spread.sizes[1] > spread.sizes[0]);
            if wider { "less steady" } else { "steadier" }.to_owned()
        }
        verdict => verdict.facts().word.to_owned(),
    }
}

/// Returns the word for a change of a quantity: faster or slower, less or more, lower or higher. A time that is better
/// the longer it is, such as that of a battery, is no matter of speed.
#[must_use]
pub fn moved(quantity: Quantity, better: Option<Better>, rises: bool) -> &'static str {
    let words = match quantity {
        Quantity::Time if quantity.is_speed(better) => ["faster", "slower"],
        Quantity::Bytes | Quantity::Count => ["less", "more"],
        Quantity::Time | Quantity::Throughput | Quantity::Other => ["lower", "higher"],
    };
    words[usize::from(rises)]
}

/// Returns why a row is undecided; noise is the usual reason and needs no word.
fn because(reason: Reason) -> String {
    match reason {
        Reason::Noise => String::new(),
        Reason::TooFewRuns => "too few runs".to_owned(),
        Reason::NotAmongSoMany => "lost to the correction for all tests".to_owned(),
        Reason::MovesWithAll => "moved with all others".to_owned(),
        Reason::WithinSessions => "sessions of one build may differ as much".to_owned(),
        Reason::LowLevel => "low confidence level".to_owned(),
        Reason::OneProcess => "one process per build".to_owned(),
        other => words(other.code()),
    }
}

/// Writes the verdict, for an inconclusive row its reason and the runs that it needs, and the level at which a row is
/// missing or new.
fn verdict(to: &mut String, row: &Row, subject: &Subject<'_>) {
    to.push_str(&word(row, subject));
    match (row.verdict, row.reason) {
        (verdict, reason) if verdict.is_of_tail() => {
            let typical = if reason.is_none() { "unchanged" } else { "no clear change" };
            let _ = write!(to, ": typical {typical}, ");
            objection(to, row, subject);
        }
        (_, Some(Reason::TailUndecided)) => {
            to.push_str(": typical unchanged; ");
            undecided(to, row, subject);
        }
        (_, Some(Reason::LevelChanged)) => {
            to.push_str(": ");
            level_changed(to, row, subject);
        }
        (_, Some(Reason::AtLevel)) => {
            to.push_str(" at ");
            to.push_str(&names::printable(subject.names.group(row.group)));
        }
        (_, Some(reason)) => {
            let why = because(reason);
            if !why.is_empty() {
                to.push_str(": ");
                to.push_str(&why);
            }
            if matches!(
                reason,
                Reason::Noise | Reason::TooFewRuns | Reason::LowLevel | Reason::NotAmongSoMany
            ) && row.runs_needed.is_finite()
                // What was tried in vain is no forecast.
                && row.runs_needed_high > f64::from(row.baseline.units.min(row.contender.units))
            {
                to.push_str(if why.is_empty() { ": needs " } else { ", needs " });
                runs_needed(to, row);
            }
        }
        (_, None) if row.level_change.is_some() => {
            to.push_str(" (");
            level_changed(to, row, subject);
            to.push(')');
        }
        (_, None) => {}
    }
    if row.warns(Warning::OneProcess) && row.reason != Some(Reason::OneProcess) && row.p.is_some() {
        to.push_str(" (one process per build)");
    } else if row.warns(Warning::Parametric) && row.verdict == Verdict::Differs {
        to.push_str(" (few runs)");
    }
}

/// Writes which build changed its level, where, and by how much.
fn level_changed(to: &mut String, row: &Row, subject: &Subject<'_>) {
    let new = row.level_change.is_some_and(|level| level.contender);
    let side = if new { &row.contender } else { &row.baseline };
    to.push_str(&names::printable(subject.names.label(side.variant)));
    to.push_str(" shifted level: ");
    level_change(to, row, subject);
}

/// Writes where a build changed its level, and by how much: `+100% in runs 12 to 29 of 40`.
fn level_change(to: &mut String, row: &Row, subject: &Subject<'_>) {
    let Some(level) = row.level_change else { return };
    let units = if level.contender { row.contender.units } else { row.baseline.units };
    let noun = if row.design == Design::Paired { "pair" } else { "run" };
    let metric = subject.names.metric(row.metric);
    numbers::change(to, row, level.change, metric.quantity, &metric.unit);
    let _ = if level.last == units {
        write!(to, " from {noun} {} of {units}", level.first)
    } else {
        write!(to, " in {noun}s {} to {} of {units}", level.first, level.last)
    };
}

/// Writes the runs that the row needs with their range, of which no number is below what was tried in vain.
fn runs_needed(to: &mut String, row: &Row) {
    let more = f64::from(row.baseline.units.min(row.contender.units)) + 1.0;
    to.push('~');
    runs(to, row.runs_needed.max(more));
    to.push_str(if row.design == Design::Paired { " pairs (" } else { " runs (" });
    runs(to, row.runs_needed_low.max(more));
    to.push('–');
    runs(to, row.runs_needed_high.max(more));
    to.push(')');
}

/// What the units of a tail are: `slow runs`, `high values`.
fn adjective_and_noun(row: &Row, subject: &Subject<'_>) -> (&'static str, &'static str) {
    let better = subject.weighing.better(row);
    let is_speed = subject.names.metric(row.metric).quantity.is_speed(better);
    match better {
        None => ("outer", "values"),
        Some(_) if is_speed && row.tail.is_some_and(|tail| tail.of_values) => ("slow", "values"),
        Some(_) if is_speed => ("slow", "runs"),
        Some(Better::Lower) => ("high", "values"),
        Some(Better::Higher) => ("low", "values"),
    }
}

/// The share of the slow units of each side.
fn shares(tail: &Tail) -> [f64; 2] {
    [0, 1].map(|side| f64::from(tail.slow[side]) / f64::from(tail.of[side]))
}

/// Writes what objects to an equivalent row: the tail, if it is significant, otherwise the spread.
fn objection(to: &mut String, row: &Row, subject: &Subject<'_>) {
    match (row.tail, row.spread) {
        (_, Some(spread)) if of_spread(row) => spread_words(to, row, &spread, subject),
        (Some(tail), _) => {
            let (adjective, noun) = adjective_and_noun(row, subject);
            let [old, new] = shares(&tail);
            let more = if new > old { "more" } else { "less" };
            let per_cent = |share: f64| (1000.0 * share).round() / 10.0;
            let _ =
                write!(to, "{adjective} {noun} {more} frequent ({}% → {}%)", per_cent(old), per_cent(new));
        }
        _ => {}
    }
}

/// Whether the spread, and not the tail, gave the row its verdict.
fn of_spread(row: &Row) -> bool {
    let tail = row.tail.map_or(1.0, |tail| tail.p_corrected);
    row.verdict == Verdict::ShapeChanged
        && row.spread.is_some_and(|spread| spread.matters && spread.p_corrected <= tail)
}

fn spread_words(to: &mut String, row: &Row, spread: &Spread, subject: &Subject<'_>) {
    let [old, new] = spread.sizes;
    to.push_str(if new > old { "spread wider (" } else { "spread narrower (" });
    for (size, end) in [(old, " → "), (new, ")")] {
        let metric = subject.names.metric(row.metric);
        let mut text = String::new();
        numbers::change(&mut text, row, size, metric.quantity, &metric.unit);
        to.push_str(text.trim_start_matches('+'));
        to.push_str(end);
    }
}

fn undecided(to: &mut String, row: &Row, subject: &Subject<'_>) {
    let Some(tail) = row.tail else { return };
    let (adjective, noun) = adjective_and_noun(row, subject);
    let ([old, new], [of_old, of_new]) = (tail.slow, tail.of);
    let _ = if row.design == Design::Paired {
        write!(to, "the new build is {adjective} in {new} of {of_new} pairs, the old in {old}")
    } else {
        let is = if new == 1 { "is" } else { "are" };
        write!(to, "{new} of {of_new} new {noun} {is} {adjective}{}, {old} of {of_old} old", in_bursts(&tail))
    };
    to.push_str(if tail.of_values { ": too few runs to decide" } else { ": too few to decide" });
}

/// States that the contender's slow runs follow each other, so that they count for less.
fn in_bursts(tail: &Tail) -> String {
    match (tail.slow[1], tail.bursts[1]) {
        (0, _) if tail.of_values => String::new(),
        (_, 1) if tail.of_values => " in one run".to_owned(),
        (_, runs) if tail.of_values => format!(" in {runs} runs"),
        (slow, 1) if slow > 1 => " in one burst".to_owned(),
        (slow, bursts) if 2 * bursts <= slow => format!(" in {bursts} bursts"),
        _ => String::new(),
    }
}

/// Writes the change of the mean and its interval, or a dash.
fn mean(to: &mut String, row: &Row, subject: &Subject<'_>) {
    let metric = subject.names.metric(row.metric);
    match row.mean {
        Some(mean) => {
            changes(to, row, subject, [mean.change, mean.low, mean.high]);
        }
        None if metric.estimand == statera_readers::Estimand::Mean && row.p.is_some() => {
            changes(to, row, subject, [row.change, row.change_low, row.change_high]);
        }
        None => to.push('-'),
    }
}

/// Writes a change and its interval.
fn changes(to: &mut String, row: &Row, subject: &Subject<'_>, [change, low, high]: [f64; 3]) {
    let metric = subject.names.metric(row.metric);
    for (number, end) in [(change, " ["), (low, ", "), (high, "]")] {
        numbers::change(to, row, number, metric.quantity, &metric.unit);
        to.push_str(end);
    }
}

/// Writes the tail of a row in which tail or spread speak: the slow units of both sides, p, the change of the mean and the
/// shift of the outermost quantile that the runs support.
fn tail(to: &mut String, row: &Row, subject: &Subject<'_>) {
    if let Some(tail) = row.tail {
        let (adjective, noun) = adjective_and_noun(row, subject);
        let noun = if row.design == Design::Paired { "pairs" } else { noun };
        let _ = write!(to, "{adjective} {noun} ");
        for (side, end) in [(0, " → "), (1, "")] {
            let _ = write!(to, "{} of {}{end}", tail.slow[side], tail.of[side]);
        }
        let _ = write!(to, ", {} corrected", numbers::p_equals(tail.p_corrected));
    }
    if let Some(spread) = row.spread.filter(|_| of_spread(row)) {
        to.push_str(if to.is_empty() { "" } else { "; " });
        spread_words(to, row, &spread, subject);
        let _ = write!(to, ", {} corrected", numbers::p_equals(spread.p_corrected));
    }
    if row.mean.is_some() {
        to.push_str("; mean ");
        mean(to, row, subject);
    }
    if let Some(shift) = row.tail_shift {
        to.push_str("; ");
        numbers::digits(to, 100.0 * shift.level, 3);
        to.push_str("% quantile ");
        changes(to, row, subject, [shift.change, shift.low, shift.high]);
    }
}
