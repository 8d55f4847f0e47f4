//! The statistics of all rows at once, for one relabeling after the other.
//!
//! Rows are stored side by side, run by run, so that the sum of the selected runs is a sum of vectors;
//! everything else follows from it, because no relabeling changes the total sum of squares.

use core::ops::Range;

use crate::moderation::{Fit, prior_of_parts};
use crate::relabel::Relabeling;

/// Below this fraction of the total sum of squares, the sum within groups is computed from the values: the
/// difference of total and between would have lost its digits.
const CANCELLED: f64 = 1e-4;
/// A total sum of squares below this, with the pool's largest value near 1, has underflowed.
const NOTHING: f64 = 1e-280;

/// One row (benchmark and metric).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaxTRow<'a> {
    /// Values on the scale of the test. Two groups: the m runs of the baseline, then the n of the contender.
    /// Paired: differences, one per block.
    pub values: &'a [f64],
    /// Rows of the same pool (for example, one metric) shrink their variances together.
    pub pool: usize,
}

/// The treatment of the rows' variances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moderation {
    /// Shrunk towards what the pool's variances have in common.
    Pooled,
    /// Unchanged: the statistic is Student's t.
    None,
}

/// The rows that vary, by pool, stored run by run.
pub(crate) struct Table {
    /// The index of each of them among the given rows.
    pub places: Vec<usize>,
    /// Row i of run k is `runs[k * places.len() + i]`: centred values of two groups, the smaller group first,
    /// or differences times −2. This is added to `start` if run k is selected.
    runs: Vec<f64>,
    /// The sum if nothing is selected.
    start: Vec<f64>,
    /// Total sum of squares, which no relabeling changes.
    total: Vec<f64>,
    /// Between-group sum of squares / square of the sum.
    factor: f64,
    /// Degrees of freedom of the variance.
    pub df: f64,
    pub fit: Fit,
    signs: bool,
    /// The pools with their positions.
    pub pools: Vec<(usize, Range<usize>)>,
}

/// A row on a common scale: deviations from its mean, or differences.
pub(crate) struct Prepared {
    /// The row's index among the given rows.
    pub place: usize,
    pub pool: usize,
    pub values: Vec<f64>,
}

/// The buffers of one relabeling.
#[derive(Default)]
pub(crate) struct Work {
    /// Between-group sums of squares, then squared statistics.
    pub statistics: Vec<f64>,
    pub variances: Vec<f64>,
    pub logs: Vec<f64>,
}

impl Table {
    /// A table of rows that all have the values of one design; rows without spread are left out.
    pub(crate) fn new(mut rows: Vec<Prepared>, relabeling: Relabeling) -> Option<Self> {
        let (count, factor, df, signs, turn) = match relabeling {
            Relabeling::TwoSample { m, n } if m > 0 && n > 0 && m + n > 2 => {
                let (m_f, n_f) = (m as f64, n as f64);
                (m + n, (m_f + n_f) / (m_f * n_f), m_f + n_f - 2.0, false, if m > n { m } else { 0 })
            }
            Relabeling::Signs { n } if n > 1 => (n, 1.0 / n as f64, n as f64 - 1.0, true, 0),
            _ => return None,
        };
        if rows.is_empty() || rows.iter().any(|row| row.values.len() != count) {
            return None;
        }
        rows.sort_by_key(|row| row.pool);
        rows.retain(|row| squares(&row.values) > NOTHING);
        let width = rows.len();
        let mut pools: Vec<(usize, Range<usize>)> = Vec::new();
        for pool in rows.chunk_by(|a, b| a.pool == b.pool) {
            let first = pools.last().map_or(0, |(_, range)| range.end);
            pools.push((pool[0].pool, first..first + pool.len()));
        }
        let mut runs = vec![0.0; count * width];
        for (at, row) in rows.iter().enumerate() {
            for (run, value) in row.values[turn..].iter().chain(&row.values[..turn]).enumerate() {
                runs[run * width + at] = if signs { -2.0 * value } else { *value };
            }
        }
        Some(Self {
            places: rows.iter().map(|row| row.place).collect(),
            runs,
            start: rows.iter().map(|row| if signs { row.values.iter().sum() } else { 0.0 }).collect(),
            total: rows.iter().map(|row| squares(&row.values)).collect(),
            factor,
            df,
            fit: Fit::new(df),
            signs,
            pools,
        })
    }

    /// Computes the squared statistics of a relabeling; the variances of each pool are shrunk together if wanted.
    pub(crate) fn statistics(&self, selected: &[usize], moderation: Moderation, work: &mut Work) {
        self.squares(selected, work);
        if moderation == Moderation::None {
            divide(&mut work.statistics, &work.variances, (1.0, 0.0));
            return;
        }
        for (_, pool) in &self.pools {
            let variances = &work.variances[pool.clone()];
            let prior = prior_of_parts([(&self.fit, variances)].into_iter(), &mut work.logs);
            divide(&mut work.statistics[pool.clone()], variances, prior.weights(self.df));
        }
    }

    /// Computes the between-group sums of squares and the variances of a relabeling.
    pub(crate) fn squares(&self, selected: &[usize], work: &mut Work) {
        let width = self.places.len();
        let run = |k: usize| &self.runs[k * width..(k + 1) * width];
        let sums = &mut work.statistics;
        sums.clear();
        sums.extend_from_slice(&self.start);
        let (twos, one) = selected.as_chunks::<2>();
        for &[j, k] in twos {
            sums.iter_mut().zip(run(j)).zip(run(k)).for_each(|((sum, a), b)| *sum += a + b);
        }
        for &k in one {
            sums.iter_mut().zip(run(k)).for_each(|(sum, a)| *sum += a);
        }
        let mut cancelled = false;
        work.variances.clear();
        work.variances.extend(sums.iter_mut().zip(&self.total).map(|(sum, total)| {
            let between = self.factor * *sum * *sum;
            *sum = between;
            cancelled |= total - between < CANCELLED * total;
            (total - between) / self.df
        }));
        if cancelled {
            self.restore(selected, work);
        }
    }

    /// Computes variances from the values if the difference of sums of squares lost its digits.
    fn restore(&self, selected: &[usize], work: &mut Work) {
        let width = self.places.len();
        let mut inside = vec![false; self.runs.len() / width];
        for &k in selected {
            inside[k] = true;
        }
        for at in 0..width {
            if work.variances[at] * self.df >= CANCELLED * self.total[at] {
                continue;
            }
            let values = || self.runs[at..].iter().step_by(width).zip(&inside);
            let within = if self.signs {
                around_mean(values().map(|(&v, &flip)| if flip { 0.5 * v } else { -0.5 * v }))
            } else {
                around_mean(values().filter(|(_, inside)| **inside).map(|(&v, _)| v))
                    + around_mean(values().filter(|(_, inside)| !**inside).map(|(&v, _)| v))
            };
            work.variances[at] = within / self.df;
        }
    }
}

/// Brings rows to a common scale: centred, and in a unit in which the largest value of the row's pool is near 1, so that
/// squares stay in range. Pools of rows without spread, or with values that are not finite, are left out.
pub(crate) fn prepare<'a>(rows: impl Iterator<Item = (&'a [f64], usize, bool)>) -> Vec<Prepared> {
    let mut prepared: Vec<Prepared> = rows
        .enumerate()
        .map(|(place, (values, pool, signs))| Prepared { place, pool, values: centred(values, signs) })
        .collect();
    prepared.sort_by_key(|row| row.pool);
    for pool in prepared.chunk_by_mut(|a, b| a.pool == b.pool) {
        let largest = pool.iter().flat_map(|row| &row.values).fold(0.0_f64, |most, v| most.max(v.abs()));
        let exponent =
            if largest == 0.0 || !largest.is_finite() { None } else { Some(-libm::ilogb(largest)) };
        for value in pool.iter_mut().flat_map(|row| &mut row.values) {
            *value = exponent.map_or(0.0, |exponent| libm::scalbn(*value, exponent));
        }
    }
    prepared
}

fn squares(values: &[f64]) -> f64 {
    values.iter().map(|v| v * v).sum()
}

/// Deviations from the mean, or differences unchanged; halved, which keeps huge ones within the range of
/// floats.
fn centred(values: &[f64], signs: bool) -> Vec<f64> {
    let (Some(first), false) = (values.first(), signs) else {
        return values.iter().map(|v| 0.5 * v).collect();
    };
    // Relative to the first value: the rest is small, and exactly 0 if all are equal.
    let shifted = values.iter().map(|v| 0.5 * v - 0.5 * first);
    let mean: f64 = shifted.clone().map(|v| v / values.len() as f64).sum();
    shifted.map(|v| v - mean).collect()
}

/// Sum of squares around the mean; exactly 0 if all values are equal.
fn around_mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let Some(first) = values.clone().next() else {
        return 0.0;
    };
    let count = values.clone().count() as f64;
    let mean = values.clone().map(|v| v - first).sum::<f64>() / count;
    values.map(|v| (v - first - mean) * (v - first - mean)).sum()
}

/// Turns between-group sums of squares into squared statistics.
fn divide(between: &mut [f64], variances: &[f64], (own, common): (f64, f64)) {
    for (square, variance) in between.iter_mut().zip(variances) {
        *square /= own * variance + common;
    }
}
