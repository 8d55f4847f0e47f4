//! What rows that are otherwise alike say of a column of numbers. Such rows are runs of the same work, so a number in which
//! they differ was measured if a column counts the runs, and was varied if none does.

use super::cells::is_date;
use super::failures::is_outcome;
use super::headers::Header;
use super::keys::numbers_runs;
use super::name_words::{Holds, is_moment, words};
use super::preview::Preview;
use super::words::INSTANTS;
use crate::formats::prelude::*;

/// Words of columns that only number rows.
const NUMBERS: [&str; 16] = [
    "#", "counter", "frame", "id", "idx", "index", "line", "nr", "no", "num", "number", "pid", "row", "rows",
    "sample", "tid",
];

/// Whether a column only numbers the rows, by its name.
pub(super) fn is_numbering(header: &str) -> bool {
    words(header).last().is_none_or(|word| NUMBERS.contains(&&**word))
}

/// Corrects the roles of columns of numbers of which the header says nothing. `texts`: the columns of names and settings.
pub(super) fn correct(
    roles: &mut [(usize, &'static str)],
    texts: &[usize],
    header: &[String],
    headers: &[Header],
    kinds: &[(usize, Holds)],
    preview: &dyn Preview,
) {
    let rows = preview.rows();
    if rows.len() < 2 {
        return;
    }
    let is_unclear = |at: usize, roles: &[(usize, &str)]| roles.iter().any(|(column, _)| *column == at);
    let runs: Vec<usize> = (0..header.len()).filter(|&at| numbers_runs(&header[at])).collect();
    let settings = kinds
        .iter()
        .filter(|(at, holds)| *holds == Holds::Settings && !is_unclear(*at, roles) && !runs.contains(at));
    let names = texts
        .iter()
        .copied()
        .filter(|&at| !numbers_runs(&header[at]) && !rows.iter().all(|row| is_date(&row[at])));
    let mut keys: Vec<usize> = settings.map(|&(at, _)| at).chain(names).collect();
    if !runs.is_empty() {
        // Runs that failed are kept apart from those that did not.
        let measured = |(at, role): &&mut (usize, &str)| {
            *role == "setting"
                && !runs.contains(at)
                && !is_outcome(&header[*at])
                && differs(&rows, &keys, *at)
        };
        roles.iter_mut().filter(measured).for_each(|role| role.1 = "metric");
        return;
    }
    keys.extend(roles.iter().filter(|(_, role)| *role == "setting").map(|(at, _)| *at));
    let is_result = |holds: Holds| matches!(holds, Holds::Results | Holds::Mean | Holds::Summary);
    let results = kinds.iter().filter(|(_, holds)| is_result(*holds)).map(|(at, _)| *at);
    let measured = roles.iter().filter(|(at, _)| !are_whole(&rows, *at)).map(|(at, _)| *at);
    // Tables have what was varied before what was measured.
    let Some(first) = results.min().or(measured.max()) else { return };
    for (at, role) in roles.iter_mut().filter(|(at, _)| *at < first) {
        let is_beside = matches!(headers[*at].holds, Holds::Deviation | Holds::Spread)
            || is_mark(&headers[*at])
            || are_dates(&rows, *at);
        let is_sweep = || are_whole(&rows, *at) || ascends(&rows, *at) || are_levels(&rows, *at);
        if *role != "setting"
            && !is_beside
            && !headers[*at].has_unit()
            && !is_numbering(&header[*at])
            && is_sweep()
            && differs(&rows, &keys, *at)
        {
            *role = "setting";
            keys.push(*at);
        }
    }
}

/// Whether rows differ in a column that are alike in all of these.
fn differs(rows: &[Vec<String>], keys: &[usize], column: usize) -> bool {
    let mut found: HashMap<Vec<&str>, &str> = HashMap::new();
    rows.iter().any(|row| {
        let key = keys.iter().map(|&at| &*row[at]).collect();
        *found.entry(key).or_insert(&row[column]) != row[column]
    })
}

/// Whether the cells of a column are whole numbers, or missing.
fn are_whole(rows: &[Vec<String>], column: usize) -> bool {
    rows.iter().all(|row| row[column].is_empty() || row[column].parse::<i64>().is_ok())
}

/// Whether each number of a column stands in as many rows as any other, and in several: who varies two settings writes so.
fn are_levels(rows: &[Vec<String>], column: usize) -> bool {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for row in rows {
        *counts.entry(&row[column]).or_default() += 1;
    }
    let count = rows.len() / counts.len().max(1);
    counts.len() > 1 && count > 1 && counts.values().all(|&each| each == count)
}

/// Whether the numbers of a column are moments since 1970.
fn are_dates(rows: &[Vec<String>], column: usize) -> bool {
    rows.iter().all(|row| number(row[column].as_bytes()).is_some_and(is_since_1970))
}

/// Whether each number of a column is larger than the one before.
fn ascends(rows: &[Vec<String>], column: usize) -> bool {
    let numbers: Vec<Option<f64>> = rows.iter().map(|row| number(row[column].as_bytes())).collect();
    numbers.windows(2).all(|two| two[0].is_some() && two[0] < two[1])
}

/// Whether a column has the moments at which something happened, or numbers things.
pub(super) fn is_mark(header: &Header) -> bool {
    let is_last = |words: &[&str]| header.subject.last().is_some_and(|word| words.contains(&&**word));
    let is_time = meaning(&header.unit).quantity == Quantity::Time;
    is_moment(&header.subject)
        || is_time && (is_last(INSTANTS) || is_last(&["end"]))
        || !header.has_unit() && is_last(&["index", "idx"])
}

/// Whether a number can be the seconds, milliseconds, microseconds or nanoseconds since 1970 of a day of our time.
pub(super) fn is_since_1970(number: f64) -> bool {
    let is_now = |unit: f64| (1.2e9..2.2e9).contains(&(number / unit));
    number.fract() == 0.0 && [1.0, 1e3, 1e6, 1e9].into_iter().any(is_now)
}
