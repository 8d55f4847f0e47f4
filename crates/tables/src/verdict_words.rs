//! The verdict of a row in words, with its reason, and what its tail and its spread show.

use std::fmt::Write as _;

use statera_readers::{Better, Quantity};
use statera_weighing::{Design, Reason, Row, Spread, Tail, Verdict, Warning};

use crate::cells::{runs, words};
use crate::{Subject, names, numbers};

/// Writes the verdict, for an inconclusive row its reason and the runs that it needs, and the level at which a row is
/// missing or new.
pub fn verdict(to: &mut String, row: &Row, subject: &Subject<'_>) {
    to.push_str(&words(row.verdict.code()));
    match (row.verdict, row.reason) {
        (verdict, reason) if verdict.is_of_tail() => {
            let typical = if reason.is_none() { "equivalent" } else { "undecided" };
            let _ = write!(to, ": typical {typical}, ");
            objection(to, row, subject);
        }
        (_, Some(Reason::TailUndecided)) => {
            to.push_str(": typical equivalent; ");
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
            to.push_str(": ");
            to.push_str(&words(reason.code()));
            if matches!(
                reason,
                Reason::Noise | Reason::TooFewRuns | Reason::LowLevel | Reason::NotAmongSoMany
            ) && row.runs_needed.is_finite()
                // What was tried in vain is no forecast.
                && row.runs_needed_high > f64::from(row.baseline.units.min(row.contender.units))
            {
                to.push_str(", ");
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
        to.push_str(" (one process each)");
    } else if row.warns(Warning::Parametric) && row.verdict == Verdict::Differs {
        to.push_str(" (few runs)");
    }
}

/// Writes which build changed its level, where, and by how much.
fn level_changed(to: &mut String, row: &Row, subject: &Subject<'_>) {
    let new = row.level_change.is_some_and(|level| level.contender);
    let side = if new { &row.contender } else { &row.baseline };
    to.push_str(&names::printable(subject.names.label(side.variant)));
    to.push_str(" changed its level: ");
    level_change(to, row, subject);
}

/// Writes where a build changed its level, and by how much: `+100% in runs 12 to 29 of 40`.
pub fn level_change(to: &mut String, row: &Row, subject: &Subject<'_>) {
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
    let timed = matches!(subject.names.metric(row.metric).quantity, Quantity::Time | Quantity::Throughput);
    match subject.weighing.better(row) {
        None => ("outer", "values"),
        Some(_) if timed => ("slow", "runs"),
        Some(Better::Lower) => ("high", "values"),
        Some(Better::Higher) => ("low", "values"),
    }
}

/// The share of the slow units of each side.
fn shares(row: &Row, tail: &Tail) -> [f64; 2] {
    [(tail.slow[0], row.baseline.units), (tail.slow[1], row.contender.units)]
        .map(|(slow, units)| f64::from(slow) / f64::from(units))
}

/// Writes what objects to an equivalent row: the tail, if it is significant, otherwise the spread.
fn objection(to: &mut String, row: &Row, subject: &Subject<'_>) {
    match (row.tail, row.spread) {
        (_, Some(spread)) if of_spread(row) => spread_words(to, row, &spread, subject),
        (Some(tail), _) => {
            let (adjective, noun) = adjective_and_noun(row, subject);
            let [old, new] = shares(row, &tail);
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
    let ([old, new], [of_old, of_new]) = (tail.slow, [row.baseline.units, row.contender.units]);
    let _ = if row.design == Design::Paired {
        write!(to, "the new side is {adjective} in {new} of {of_new} pairs, the old in {old}")
    } else {
        let is = if new == 1 { "is" } else { "are" };
        write!(to, "{new} of {of_new} new {noun} {is} {adjective}{}, {old} of {of_old} old", in_bursts(&tail))
    };
    to.push_str(": too few to decide");
}

/// States that the contender's slow runs follow each other, so that they count for less.
fn in_bursts(tail: &Tail) -> String {
    match (tail.slow[1], tail.bursts[1]) {
        (slow, 1) if slow > 1 => " in one burst".to_owned(),
        (slow, bursts) if 2 * bursts <= slow => format!(" in {bursts} bursts"),
        _ => String::new(),
    }
}

/// Writes the change of the mean and its interval, or a dash.
pub fn mean(to: &mut String, row: &Row, subject: &Subject<'_>) {
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
pub fn tail(to: &mut String, row: &Row, subject: &Subject<'_>) {
    if let Some(tail) = row.tail {
        let (adjective, noun) = adjective_and_noun(row, subject);
        let noun = if row.design == Design::Paired { "pairs" } else { noun };
        let _ = write!(to, "{adjective} {noun} ");
        for (slow, side, end) in [(0, &row.baseline, " → "), (1, &row.contender, "")] {
            let _ = write!(to, "{} of {}{end}", tail.slow[slow], side.units);
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
