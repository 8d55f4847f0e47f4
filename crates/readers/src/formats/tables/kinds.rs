//! What columns of numbers hold, judged by their headers, by each other and by their first cells.

use super::amounts::are_spreads;
use super::headers::{Header, Subject};
use super::name_words::Holds;
use super::preview::Preview;
use super::words::AMBIGUOUS;
use crate::formats::prelude::*;

/// Names of columns that stand beside the time `user`.
const USED: [&str; 5] = ["real", "elapsed", "wall", "sys", "system"];

/// What each of these columns holds. Words such as `stddev` and `count` speak of a row's summary only if it has one.
pub(super) fn kinds(
    columns: &[usize],
    headers: &[Header],
    has_values: bool,
    preview: &dyn Preview,
) -> Vec<Holds> {
    let holds = |column: &usize| headers[*column].holds;
    let is_summary = |column: &&usize| matches!(holds(column), Holds::Mean | Holds::Summary);
    let first = columns.iter().find(is_summary).copied();
    let is_bare_count =
        |column: &&usize| holds(column) == Holds::Count && headers[**column].subject.is_empty();
    let counted = columns.iter().filter(is_bare_count).count();
    let means = subjects(columns, headers, |holds| holds == Holds::Mean);
    let summaries = subjects(columns, headers, |holds| matches!(holds, Holds::Mean | Holds::Summary));
    let is_timed = columns.iter().any(|&column| headers[column].is_time());
    let is_any_bare =
        |words: &[&str]| columns.iter().any(|&column| words.iter().any(|word| headers[column].is_bare(word)));
    let has_other_results = |column: usize| {
        let others = columns.iter().filter(|&&other| other != column);
        has_values
            || others.map(holds).any(|kind| matches!(kind, Holds::Results | Holds::Mean | Holds::Summary))
    };
    // Sizes of which none is known to be measured do not make each other settings.
    let has_measured = |column: usize| {
        let is_measured = |other: &&usize| match holds(other) {
            Holds::Results => !headers[**other].is_unmeasured_size(),
            kind => matches!(kind, Holds::Mean | Holds::Summary),
        };
        has_values || columns.iter().filter(|&&other| other != column).any(|other| is_measured(&other))
    };
    let is_beside_rate = |column: usize| {
        let others = columns.iter().filter(|&&other| other != column);
        others.copied().any(|other| headers[other].is_rate() && holds(&other) != Holds::Unknown)
    };
    // Somebody chose 30 s, and measured 29.87 s.
    let is_chosen = |column: usize| {
        let is_whole = |cell: &String| number(cell.trim()).is_some_and(|value| value.fract() == 0.0);
        headers[column].is_chosen_duration(is_beside_rate(column))
            && preview.first(column).iter().all(is_whole)
    };
    // Of a `pass_memory` that is 0 or 1 the name speaks of a result, and the cells of a switch.
    let is_flag = |column: usize| {
        // Cells are dear where the file states the types of columns.
        if headers[column].has_unit() || headers[column].subject.len() < 2 || preview.has_types() {
            return false;
        }
        let cells = preview.sample(column);
        let has = |digit: &str| cells.iter().any(|cell| cell.trim() == digit);
        has("0") && has("1") && cells.iter().all(|cell| matches!(cell.trim(), "0" | "1"))
    };
    let is_only_summary = |column: usize| {
        let same = |other: &&usize| headers[**other].subject() == headers[column].subject();
        columns.iter().filter(is_summary).filter(same).count() == 1
    };
    let has_mean = |column: usize| {
        let same = |other: &&usize| headers[**other].unit == headers[column].unit;
        columns.iter().filter(same).any(|other| holds(other) == Holds::Mean)
    };
    // A deviation without a unit beside means of several.
    let is_of_several = |column: usize| {
        let Subject { words, unit } = headers[column].subject();
        let means = means.iter().filter(|mean| mean.words == words && !mean.unit.is_empty());
        unit.is_empty() && means.count() > 1
    };
    let is_beside = |column: usize| {
        let same = |other: &&usize| headers[**other].unit == headers[column].unit;
        let is_used = |other: &usize| headers[*other].subject.iter().any(|word| USED.contains(&&**word));
        columns.iter().filter(same).any(is_used)
    };
    let counts_nothing = |column: usize| {
        let is_of_all = headers[column].subject.is_empty();
        (is_of_all && (first.is_none() || counted > 1))
            || (!is_of_all && !headers[column].is_spread_of_one(&summaries))
    };
    let kind = |&column: &usize| match holds(&column) {
        // Nobody sets a number with its spread.
        Holds::Settings if !preview.has_types() && are_spreads(&preview.sample(column)) => Holds::Results,
        Holds::Results if headers[column].is_size_of_work() && has_other_results(column) => Holds::Unknown,
        Holds::Results if headers[column].is_unmeasured_size() && has_measured(column) => Holds::Unknown,
        Holds::Results if has_other_results(column) && is_chosen(column) => Holds::Unknown,
        Holds::Summary if headers[column].is_bound() && is_only_summary(column) => Holds::Unknown,
        Holds::Results if headers[column].is_bound_of_interval() && has_mean(column) => Holds::Spread,
        Holds::Unknown if headers[column].is_user_time() && is_beside(column) => Holds::Results,
        // The time of a process in its own code, or the number of users.
        Holds::Settings if headers[column].is_bare("user") && is_any_bare(&USED) => Holds::Unknown,
        Holds::Summary if headers[column].is_peak() && is_only_summary(column) => Holds::Results,
        // Beside values, or beside another time, it can also be the time at which they were measured.
        Holds::Results if (has_values || is_timed) && headers[column].is_bare("time") => Holds::Unknown,
        Holds::Results if is_ambiguous(&headers[column]) && has_other_results(column) => Holds::Unknown,
        Holds::Results if is_flag(column) && has_other_results(column) => Holds::Unknown,
        // Before a summary it can also be the size of the work.
        Holds::Settings if headers[column].is_bare("n") && counted == 0 && first.is_some() => {
            if first < Some(column) { Holds::Count } else { Holds::Unknown }
        }
        Holds::Deviation if !headers[column].is_spread_of_one(&means) || is_of_several(column) => {
            Holds::Unknown
        }
        Holds::Spread if !headers[column].is_spread_of_one(&summaries) => Holds::Unknown,
        Holds::Count if counts_nothing(column) => Holds::Unknown,
        // Beside a summary it can also be the number of samples.
        Holds::Settings if headers[column].counts_repeats() && first.is_some() => Holds::Unknown,
        known => known,
    };
    columns.iter().map(kind).collect()
}

/// Whether a column is called as settings are, too.
fn is_ambiguous(header: &Header) -> bool {
    AMBIGUOUS.iter().any(|word| header.is_bare(word))
}

/// What columns of a kind are about.
fn subjects<'a>(columns: &[usize], headers: &'a [Header], kind: fn(Holds) -> bool) -> HashSet<Subject<'a>> {
    let found = columns.iter().map(|&column| &headers[column]).filter(|header| kind(header.holds));
    found.flat_map(|header| [header.subject(), Subject { unit: "", ..header.subject() }]).collect()
}
