//! Lines of jobs → the changes of level of every series on them.

use std::path::Path;

use rayon::prelude::*;
use statera_kernels::change_points::{Alarm, Changes, Detector, Point};
use statera_kernels::correction::{Correction, adjust};
use statera_readers::{Metric, Quantity};

use crate::catalog::{Catalog, Entry, Series};
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

/// What a series shows on a line.
#[derive(Debug, Clone)]
pub struct Found {
    /// Number of the line.
    pub line: usize,
    /// Number of the series.
    pub series: usize,
    /// The jobs of its values, in order.
    pub jobs: Vec<u32>,
    /// The values: the medians of the jobs.
    pub values: Vec<f64>,
    /// How many jobs have a value that is not finite.
    pub left_out: usize,
    /// Whether the metric is exact, so that every other value is a change.
    pub exact: bool,
    /// Positions in it count the values.
    pub changes: Changes,
    /// The least p of the points, corrected over all series (Benjamini & Hochberg 1995); NaN without a p.
    pub corrected: f64,
}

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
    let pairs: Vec<_> = found.iter().map(|found| &found.changes).zip(kept).collect();
    let after = before.after(&pairs, new, all);
    correct(&mut found);
    (found, after)
}

/// What a series shows, how many of its values were not known before, and what to keep for the next time.
type Searched = (Found, usize, Option<Kept>);

fn search(catalog: &Catalog, lines: &[Line], detector: &Detector, before: &Before) -> Vec<Searched> {
    // The line of each job, its place on it and its commit.
    let mut places: Vec<Option<(usize, usize, u32)>> = vec![None; catalog.count as usize];
    for (number, line) in lines.iter().enumerate() {
        for (place, step) in line.iter().enumerate() {
            if let Some(slot) = places.get_mut(step.job as usize) {
                *slot = Some((number, place, step.commit));
            }
        }
    }
    (0..catalog.series.len())
        .into_par_iter()
        .flat_map_iter(|series| {
            let mut held: Vec<(usize, usize, u32, Entry)> = catalog.entries[series]
                .iter()
                .filter_map(|&entry| {
                    let (line, place, commit) = (*places.get(entry.job as usize)?)?;
                    Some((line, place, commit, entry))
                })
                .collect();
            held.sort_by_key(|&(line, place, ..)| (line, place));
            let of_lines: Vec<Searched> = held
                .chunk_by(|a, b| a.0 == b.0)
                .map(|held| analyse(catalog, series, held, detector, before))
                .collect();
            of_lines
        })
        .collect()
}

fn analyse(
    catalog: &Catalog,
    series: usize,
    held: &[(usize, usize, u32, Entry)],
    detector: &Detector,
    before: &Before,
) -> Searched {
    let finite: Vec<_> = held.iter().filter(|(.., entry)| entry.summary.median.is_finite()).collect();
    let values: Vec<f64> = finite.iter().map(|(.., entry)| entry.summary.median).collect();
    let places: Vec<bool> = (0..finite.len()).map(|at| at == 0 || finite[at].2 != finite[at - 1].2).collect();
    let exact = is_exact(&catalog.series[series], &finite, &places);
    let (changes, new, kept) = if exact {
        (every_change(&values), 0, None)
    } else {
        let now = before.find(&catalog.series[series].key(), &values, &places, detector);
        (now.changes, now.new, now.kept)
    };
    let found = Found {
        line: held[0].0,
        series,
        jobs: finite.iter().map(|(.., entry)| entry.job).collect(),
        left_out: held.len() - finite.len(),
        exact,
        changes,
        values,
        corrected: f64::NAN,
    };
    (found, new, kept)
}

/// Whether a series needs no detector: its metric is stated to be exact, or can be and repeats to the last digit within
/// every job; and jobs of one commit agree.
fn is_exact(series: &Series, held: &[&(usize, usize, u32, Entry)], places: &[bool]) -> bool {
    let quantity = Quantity::of_word(&series.quantity).unwrap_or(Quantity::Other);
    let metric = Metric::new(&series.metric, &series.unit, quantity)
        .with_traits(series.traits.as_deref().unwrap_or_default().as_bytes());
    let repeated = held.iter().filter(|(.., entry)| entry.summary.n > 1).count();
    let agree =
        (1..held.len()).all(|at| places[at] || held[at].3.summary.median == held[at - 1].3.summary.median);
    let same = held.iter().all(|(.., entry)| entry.summary.is_one_value());
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
