//! The questions of tail and spread over all rows: their share of alpha, their correction, and the details of the rows
//! in which they speak.

use statera_kernels as kernels;
use statera_kernels::Correction as Flat;
use statera_readers::{Better, Observations};

use crate::assignment::Assignment;
use crate::distribution::shift_at;
use crate::draw::draw;
use crate::grouping::{Cells, Job};
use crate::mean_change::mean_change;
use crate::policy::{Correction, Policy};
use crate::row::{Row, TailShift};
use crate::sample::Sample;

/// The shares of alpha that the tails and the spreads get; the typical changes keep the rest.
const TAILS: f64 = 0.075;
const SPREADS: f64 = 0.025;

/// The least number of units beyond the quantile that shows the shift of the tail, and of units a side.
const BEYOND: f64 = 5.0;
const SHIFT_FROM: u32 = 15;
/// The highest such quantile.
const HIGHEST: f64 = 0.99;
/// The number of resamples for all bands together, about ten seconds' work, and the least number for one.
const RESAMPLES: usize = 20_000_000;
const LEAST_RESAMPLES: usize = 1000;

/// Corrects tails and spreads over all rows, and returns the share of alpha that they take: that of the tails if any tail
/// could be significant, and likewise of the spreads. The typical changes get the rest of alpha: their corrected p-values
/// are divided by it. With a correction that the user chose they stay as they are.
pub fn correct(rows: &mut [Row], policy: &Policy) -> f64 {
    let alpha = kernels::alpha(policy.confidence());
    let how = if let Correction::Flat(how) = policy.correction { how } else { Flat::BenjaminiHochberg };
    let tails = answerable(rows, TAILS * alpha);
    let spreads: Vec<usize> = (0..rows.len()).filter(|&i| rows[i].spread.is_some()).collect();
    let adjusted =
        |p: Vec<f64>, share: f64| kernels::adjust(&p, how).into_iter().map(move |p| (p / share).min(1.0));
    let p = tails.iter().filter_map(|&i| rows[i].tail.map(|tail| tail.p)).collect();
    for (&i, p) in tails.iter().zip(adjusted(p, TAILS)) {
        rows[i].tail.iter_mut().for_each(|tail| tail.p_corrected = p);
    }
    let p = spreads.iter().filter_map(|&i| rows[i].spread.map(|spread| spread.p)).collect();
    for (&i, p) in spreads.iter().zip(adjusted(p, SPREADS)) {
        rows[i].spread.iter_mut().for_each(|spread| spread.p_corrected = p);
    }
    let spent = |asked: &[usize], share: f64| if asked.is_empty() { 0.0 } else { share };
    let spent = spent(&tails, TAILS) + spent(&spreads, SPREADS);
    if spent > 0.0 && policy.correction == Correction::Auto {
        for p in rows.iter_mut().filter_map(|row| row.p_corrected.as_mut()) {
            *p = (*p / (1.0 - spent)).min(1.0);
        }
    }
    spent
}

/// The rows whose tails could be significant among so many (Tarone 1990): of the numbers K, the smallest for which at
/// most K rows could reach `level` / K. It follows from the numbers of slow units on both sides together.
fn answerable(rows: &[Row], level: f64) -> Vec<usize> {
    let least = |i: &usize| rows[*i].tail.map_or(1.0, |tail| tail.least_p);
    let mut found: Vec<usize> = (0..rows.len()).filter(|i| least(i) <= level).collect();
    let mut sorted: Vec<f64> = found.iter().map(least).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let reach = |count: usize| sorted.partition_point(|&p| p <= level / count as f64);
    let count = (1..=found.len()).find(|&count| reach(count) <= count).unwrap_or(1);
    found.retain(|i| least(i) <= level / count as f64);
    found
}

/// Adds the change of the mean and the shift of the tail to the rows in which tail or spread speak.
pub fn detail(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    cells: &Cells,
    jobs: &[Job],
    rows: &mut [Row],
) {
    let found: Vec<usize> = (0..rows.len()).filter(|&i| rows[i].verdict.is_of_tail()).collect();
    let resamples = policy.resamples.min((RESAMPLES / found.len().max(1)).max(LEAST_RESAMPLES));
    let mut sample = Sample::default();
    for i in found {
        if draw(observations, assignment, policy, cells, &jobs[i], &mut sample).is_ok() {
            let policy = &policy.at(rows[i].share);
            rows[i].mean = mean_change(&sample, policy);
            let better = assignment.metrics[rows[i].metric as usize].and_then(|rule| rule.better);
            rows[i].tail_shift = tail_shift(&sample, &rows[i], &Policy { resamples, ..*policy }, better);
        }
    }
}

/// The shift of the outermost quantile that the runs support. The quantiles of pairs follow the sizes of their blocks and
/// not the change, so they have none.
fn tail_shift(sample: &Sample, row: &Row, policy: &Policy, better: Option<Better>) -> Option<TailShift> {
    let units = row.baseline.units.min(row.contender.units);
    if sample.differences.len() > 0 || units < SHIFT_FROM {
        return None;
    }
    let high = (1.0 - BEYOND / f64::from(units)).min(HIGHEST);
    let level = if better == Some(Better::Higher) { 1.0 - high } else { high };
    let points = shift_at(sample, row, policy, &[level])?;
    let point = points.first().filter(|point| point.supported)?;
    Some(TailShift { level, change: point.change, low: point.low, high: point.high })
}
