//! The statistics of all rows at once, for one relabeling after the other.
//!
//! Rows are stored side by side, run by run, so that the sum of the selected runs is a sum of vectors;
//! everything else follows from it, because no relabeling changes the total sum of squares.

use core::ops::Range;

use crate::moderation::Fit;
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
    df: f64,
    fit: Fit,
    signs: bool,
    /// Positions of the pools, and of no pool if nothing is shrunk.
    pools: Vec<Range<usize>>,
}

/// The buffers of one relabeling.
#[derive(Default)]
pub(crate) struct Work {
    /// Between-group sums of squares, then squared statistics.
    pub statistics: Vec<f64>,
    variances: Vec<f64>,
    logs: Vec<f64>,
}

impl Table {
    pub(crate) fn new(rows: &[MaxTRow<'_>], relabeling: Relabeling, moderation: Moderation) -> Option<Self> {
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
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&i| rows[i].pool);
        let mut table = Self {
            places: Vec::new(),
            runs: Vec::new(),
            start: Vec::new(),
            total: Vec::new(),
            factor,
            df,
            fit: Fit::new(df),
            signs,
            pools: Vec::new(),
        };
        let mut prepared = Vec::new();
        for pool in order.chunk_by(|&a, &b| rows[a].pool == rows[b].pool) {
            let first = table.places.len();
            table.add_pool(rows, pool, &mut prepared);
            if moderation == Moderation::Pooled {
                table.pools.push(first..table.places.len());
            }
        }
        let width = table.places.len();
        table.runs = vec![0.0; count * width];
        for (at, values) in prepared.iter().enumerate() {
            for (run, value) in values[turn..].iter().chain(&values[..turn]).enumerate() {
                table.runs[run * width + at] = if signs { -2.0 * value } else { *value };
            }
        }
        Some(table)
    }

    /// Adds the rows of a pool that vary, in a unit in which its largest value is near 1.
    fn add_pool(&mut self, rows: &[MaxTRow<'_>], pool: &[usize], prepared: &mut Vec<Vec<f64>>) {
        let mut centred: Vec<(usize, Vec<f64>)> =
            pool.iter().map(|&i| (i, centred(rows[i].values, self.signs))).collect();
        let largest = centred.iter().flat_map(|(_, v)| v).fold(0.0_f64, |most, v| most.max(v.abs()));
        if largest == 0.0 || !largest.is_finite() {
            return;
        }
        let exponent = -libm::ilogb(largest);
        for (_, values) in &mut centred {
            for v in values {
                *v = libm::scalbn(*v, exponent);
            }
        }
        for (place, values) in centred {
            let total: f64 = values.iter().map(|v| v * v).sum();
            if total > NOTHING {
                self.places.push(place);
                self.total.push(total);
                self.start.push(if self.signs { values.iter().sum() } else { 0.0 });
                prepared.push(values);
            }
        }
    }

    /// Computes the squared statistics of a relabeling.
    pub(crate) fn statistics(&self, selected: &[usize], work: &mut Work) {
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
        if self.pools.is_empty() {
            divide(&mut work.statistics, &work.variances, (1.0, 0.0));
        }
        for pool in &self.pools {
            let variances = &work.variances[pool.clone()];
            let prior = self.fit.prior(variances, &mut work.logs);
            divide(&mut work.statistics[pool.clone()], variances, prior.weights(self.df));
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
