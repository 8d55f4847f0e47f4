//! Lines of jobs → the changes of level of every series on them.

use std::path::Path;

use rayon::prelude::*;
use statera_kernels::change_points::{Alarm, Changes, Detector, Point};
use statera_kernels::correction::{Correction, adjust};
use statera_readers::{Metric, Quantity};

use crate::catalog::{Catalog, Entry, Series};
use crate::found::Found;
use crate::found_before::{Before, Kept};

/// A job on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Its number.
    pub job: u32,
    /// The position of its commit.
    pub commit: u32,
}

/// Jobs of one branch and one kind of machine, in the order of their commits. A job stands on one line at most.
pub type Line = Vec<Step>;

/// Analyses every series on every line that has values of it.
#[must_use]
pub fn detect(catalog: &Catalog, lines: &[Line], detector: &Detector) -> Vec<Found> {
    let mut found: Vec<Found> =
        search(catalog, lines, detector, &Before::nothing()).into_iter().map(|(found, ..)| found).collect();
    correct(&mut found);
    found
}

/// The same, with what a file beside the uploads knows of it, which this `version` wrote. Returns also what this file should
/// be now, if so much is new that writing it is worth the time.
#[must_use]
pub fn detect_again(
    catalog: &Catalog,
    lines: &[Line],
    detector: &Detector,
    beside: &Path,
    version: &str,
) -> (Vec<Found>, Option<Vec<u8>>) {
    let before = Before::open(beside, version, detector);
    let searched = search(catalog, lines, detector, &before);
    let new = searched.iter().map(|(_, new, _)| new).sum();
    let all = searched.iter().map(|(found, ..)| found.values.len()).sum();
    let (mut found, kept): (Vec<Found>, Vec<_>) =
        searched.into_iter().map(|(found, _, kept)| (found, kept)).unzip();
    let after = before.after(&found, &kept, new, all);
    correct(&mut found);
    (found, after)
}

/// What a series shows, how many of its values were not known before, and what to keep for the next time.
type Searched = (Found, usize, Option<Kept>);

/// Where a job stands: the number of its line, its place on it, its commit, and its place on all lines.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    at: u32,
    commit: u32,
    overall: u32,
}

/// A job's values of a series.
type Held<'a> = (Place, &'a Entry);

fn search(catalog: &Catalog, lines: &[Line], detector: &Detector, before: &Before) -> Vec<Searched> {
    let mut places: Vec<Option<Place>> = vec![None; catalog.count as usize];
    let mut overall = 0;
    for (line, steps) in lines.iter().enumerate() {
        for (at, step) in (0..).zip(steps) {
            if let Some(slot) = places.get_mut(step.job as usize) {
                *slot = Some(Place { line, at, commit: step.commit, overall });
            }
            overall += 1;
        }
    }
    catalog
        .counting()
        .into_par_iter()
        .enumerate()
        .flat_map_iter(|(series, entries)| {
            let placed = |entry: &Entry| *places.get(entry.job as usize)?;
            // Place and number of an entry as one number: no others are sorted as fast.
            let mut order: Vec<u64> = (0..)
                .zip(entries.iter())
                .filter_map(|(number, entry)| Some(u64::from(placed(entry)?.overall) << u32::BITS | number))
                .collect();
            order.sort_unstable();
            let held: Vec<Held> = order
                .iter()
                .map(|key| &entries[(key & u64::from(u32::MAX)) as usize])
                .filter_map(|entry| Some((placed(entry)?, entry)))
                .collect();
            let of_lines: Vec<Searched> = held
                .chunk_by(|a, b| a.0.line == b.0.line)
                .map(|held| analyse(catalog, series, held, lines, detector, before))
                .collect();
            of_lines
        })
        .collect()
}

fn analyse(
    catalog: &Catalog,
    series: usize,
    held: &[Held<'_>],
    lines: &[Line],
    detector: &Detector,
    before: &Before,
) -> Searched {
    let finite: Vec<&Held> = held.iter().filter(|(_, entry)| entry.summary.median.is_finite()).collect();
    let line = held[0].0.line;
    let mut found = Found {
        line,
        series,
        jobs: finite.iter().map(|(_, entry)| entry.job).collect(),
        commits: finite.iter().map(|(place, _)| place.commit).collect(),
        places: finite.iter().map(|(place, _)| place.at).collect(),
        line_length: lines[line].len(),
        values: finite.iter().map(|(_, entry)| entry.summary.median).collect(),
        left_out: held.len() - finite.len(),
        exact: false,
        changes: Changes::default(),
        corrected: f64::NAN,
    };
    let begins = found.begins();
    found.exact = is_exact(&catalog.series[series], &finite, &begins);
    if found.exact {
        found.changes = every_change(&found.values);
        return (found, 0, None);
    }
    let now = before.find(&catalog.series[series].key(), &found.values, &begins, detector);
    found.changes = now.changes;
    (found, now.new, now.kept)
}

/// Whether a series needs no detector: its metric is stated to be exact, or can be and repeats to the last digit within
/// every job; and jobs of one commit agree.
fn is_exact(series: &Series, held: &[&Held<'_>], places: &[bool]) -> bool {
    let quantity = Quantity::of_word(&series.quantity).unwrap_or(Quantity::Other);
    let metric = Metric::new(&series.metric, &series.unit, quantity)
        .with_traits(series.traits.as_deref().unwrap_or_default().as_bytes());
    let repeated = held.iter().filter(|(_, entry)| entry.summary.n > 1).count();
    let agree =
        (1..held.len()).all(|at| places[at] || held[at].1.summary.median == held[at - 1].1.summary.median);
    let same = held.iter().all(|(_, entry)| entry.summary.is_one_value());
    agree && same && (metric.assumed_exact || metric.may_be_exact && 2 * repeated > held.len())
}

/// Every value that differs from the one before.
fn every_change(values: &[f64]) -> Changes {
    let ratio = values.iter().all(|&value| value > 0.0);
    let size = |at: usize| {
        if ratio { (values[at] / values[at - 1]).ln() } else { values[at] - values[at - 1] }
    };
    let places: Vec<usize> = (1..values.len()).filter(|&at| values[at] != values[at - 1]).collect();
    let returns = |number: usize| number > 0 && values[places[number]] == values[places[number - 1] - 1];
    let point = |(number, &place): (usize, &usize)| Point {
        place,
        first: place,
        last: place,
        size: size(place),
        low: size(place),
        high: size(place),
        strength: f64::INFINITY,
        p: f64::NAN,
        raised: place,
        returns: returns(number),
    };
    Changes {
        alarms: places.iter().map(|&place| Alarm { place, raised: place, withdrawn: false }).collect(),
        points: places.iter().enumerate().map(point).collect(),
        ratio,
        noise: 0.0,
        ..Changes::default()
    }
}

/// One p a series: its least, 1 without a point.
fn correct(found: &mut [Found]) {
    let least = |found: &Found| {
        if found.exact {
            f64::NAN
        } else {
            found.changes.points.iter().map(|point| point.p).fold(1.0, f64::min)
        }
    };
    let p: Vec<f64> = found.iter().map(least).collect();
    for (found, corrected) in found.iter_mut().zip(adjust(&p, Correction::BenjaminiHochberg)) {
        found.corrected = corrected;
    }
}
