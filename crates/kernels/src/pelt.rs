//! Change points in the mean of a series: optimal partitioning with pruning, PELT (Killick, Fearnhead & Eckley
//! 2012).

use crate::level_noise::{Standard, standardised};
use crate::quantile::mean;

/// Longer series are searched in this many blocks at most: without a change nothing is pruned, and time is
/// quadratic.
const MOST_BLOCKS: usize = 10_000;

/// What a change point costs beside an autoregression, as a share of the penalty.
const PRICE: f64 = 0.8;
/// Fewer values pay less, in proportion to their number: they hardly show whether they depend on each other or
/// change their level, and levels are the usual reason.
const DEPENDENCE_FROM: f64 = 50.0;
/// Largest autoregression that is fitted to a series.
const MOST_DEPENDENCE: f64 = 0.98;
/// The smallest variance around levels that counts, in the unit of the noise.
const LEAST_VARIANCE: f64 = 1e-12;

/// Change points of values in the order of measurement: the positions, from 0, at which a new segment begins,
/// ascending, with no segment shorter than `min_segment`.
///
/// With a `penalty` they minimise the squared deviations from the segments' means plus `penalty` per change
/// point. The unit is the noise: its standard deviation comes from the differences of neighbours (90 %
/// quantile), and values more than three of them from the running median are pulled in.
///
/// By default the penalty is 3 ln n + 4 and at least 13, and the changes must explain the series better than
/// dependent values do (see [`beside_dependence`]). At most 5 % of series of 50 to 2,000 values without a change
/// show any: of independent values of many distributions, and of autoregressive ones up to 0.9 (`cargo run
/// --release -p statera-kernels --example change_points` prints the fractions). Empty if all values are equal.
/// Series above 10,000 values are searched in blocks, and a change point is then the first value of a block.
#[must_use]
pub fn pelt(values: &[f64], penalty: Option<f64>, min_segment: usize) -> Vec<usize> {
    let Some(Standard { values, dependence }) = standardised(values) else {
        return Vec::new();
    };
    let block = values.len().div_ceil(MOST_BLOCKS);
    // Means of blocks vary less, by the square root of the block size.
    let weight = (block as f64).sqrt();
    let means: Vec<f64> = values.chunks_exact(block).map(|part| mean(part) * weight).collect();
    let least = min_segment.div_ceil(block).max(1);
    let found = match penalty {
        Some(penalty) => optimal(&means, penalty, least),
        None => beside_dependence(&means, dependence, least),
    };
    found.into_iter().map(|start| start * block).collect()
}

fn default_penalty(n: usize) -> f64 {
    (3.0 * (n as f64).ln() + 4.0).max(13.0)
}

/// The change points that explain a series best if each value may depend on its predecessor.
///
/// A long-run excursion of dependent values looks like a change of level, and a change of level like dependence.
/// So partitions compete, among them the series in one piece: the optimal ones for independent values, for the
/// dependence that the differences show, and for the dependence of the series in one piece, whose means vary
/// more. Each is followed by an autoregression around its levels, and the one with the smallest n ln(variance of
/// the innovations) plus [`PRICE`] times the penalty per change point is taken (after Chakar et al. 2017).
fn beside_dependence(values: &[f64], dependence: f64, least: usize) -> Vec<usize> {
    let penalty = default_penalty(values.len());
    let mut best = optimal(values, penalty, least);
    if best.is_empty() {
        return best;
    }
    let price = PRICE * penalty * (values.len() as f64 / DEPENDENCE_FROM).min(1.0);
    let cost = |changes: &[usize]| innovations(values, changes).0 + price * changes.len() as f64;
    let mut lowest = cost(&best);
    let (_, whole) = innovations(values, &[]);
    let variance = values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64;
    let long_runs =
        [(1.0 + dependence) / (1.0 - dependence).powi(2), variance * (1.0 + whole) / (1.0 - whole)];
    let others = long_runs.iter().filter(|&&long| long > 1.0);
    for found in others.map(|long| optimal(values, penalty * long, least)).chain([Vec::new()]) {
        let here = cost(&found);
        if here < lowest {
            (best, lowest) = (found, here);
        }
    }
    best
}

/// n ln(variance of the innovations) of an autoregression around the levels of a partition, and its φ, at
/// least 0.
fn innovations(values: &[f64], changes: &[usize]) -> (f64, f64) {
    let n = values.len() as f64;
    let mut around = values.to_vec();
    let (mut start, ends) = (0, changes.iter().copied().chain([values.len()]));
    for end in ends {
        let level = mean(&values[start..end]);
        around[start..end].iter_mut().for_each(|v| *v -= level);
        start = end;
    }
    let square: f64 = around.iter().map(|v| v * v).sum();
    let product: f64 = around.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let phi = if square > 0.0 { (product / square).clamp(0.0, MOST_DEPENDENCE) } else { 0.0 };
    let first = around.first().map_or(0.0, |v| (1.0 - phi * phi) * v * v);
    let rest: f64 = around.windows(2).map(|pair| (pair[1] - phi * pair[0]).powi(2)).sum();
    (n * ((first + rest) / n).max(LEAST_VARIANCE).ln(), phi)
}

/// The mean of each segment, in the unit of the data.
#[must_use]
pub fn segment_means(values: &[f64], changes: &[usize]) -> Vec<f64> {
    let starts = core::iter::once(0).chain(changes.iter().copied());
    let ends = changes.iter().copied().chain(core::iter::once(values.len()));
    starts.zip(ends).map(|(start, end)| mean(values.get(start..end).unwrap_or(&[]))).collect()
}

/// Change points that minimise squared deviations from the segments' means plus `penalty` per change point.
fn optimal(values: &[f64], penalty: f64, min_segment: usize) -> Vec<usize> {
    let n = values.len();
    let (sums, squares) = (running(values.iter().copied()), running(values.iter().map(|v| v * v)));
    // best[t]: smallest cost of the first t values; last[t]: start of the last segment in it.
    let (mut best, mut last) = (vec![f64::INFINITY; n + 1], vec![0; n + 1]);
    best[0] = -penalty;
    let mut starts = Starts::default();
    starts.push(0, -penalty, 0.0);
    let mut costs = Vec::new();
    for end in min_segment..=n {
        starts.costs(end, sums[end], &mut costs);
        for (&cost, &start) in costs.iter().zip(&starts.at) {
            let cost = cost + squares[end] + penalty;
            if cost < best[end] {
                (best[end], last[end]) = (cost, start);
            }
        }
        starts.prune(end, min_segment, &costs, best[end] - squares[end]);
        let next = end + 1 - min_segment;
        if next >= min_segment {
            starts.push(next, best[next] - squares[next], sums[next]);
        }
    }
    let mut found: Vec<usize> =
        core::iter::successors(Some(last[n]), |&start| Some(last[start])).take_while(|&s| s > 0).collect();
    found.reverse();
    found
}

/// Sums up to each position, from 0.
fn running(terms: impl Iterator<Item = f64>) -> Vec<f64> {
    let sums = terms.scan(0.0, |sum, term| {
        *sum += term;
        Some(*sum)
    });
    core::iter::once(0.0).chain(sums).collect()
}

/// Starts of segments that may still be part of an optimum, in columns, which the processor handles several at
/// a time.
#[derive(Debug, Default)]
struct Starts {
    at: Vec<usize>,
    place: Vec<f64>,
    /// Smallest cost up to the start, minus the sum of squares there.
    cost: Vec<f64>,
    sum: Vec<f64>,
    /// The end from which the start is useless.
    until: Vec<usize>,
}

impl Starts {
    fn push(&mut self, at: usize, cost: f64, sum: f64) {
        self.at.push(at);
        self.place.push(at as f64);
        self.cost.push(cost);
        self.sum.push(sum);
        self.until.push(usize::MAX);
    }

    /// Smallest costs with a last segment from each start to `end`, minus the sum of squares at the end and the
    /// penalty.
    fn costs(&self, end: usize, sum: f64, out: &mut Vec<f64>) {
        let end = end as f64;
        out.clear();
        let columns = self.place.iter().zip(&self.cost).zip(&self.sum);
        out.extend(
            columns.map(|((place, cost), before)| cost - (sum - before) * (sum - before) / (end - place)),
        );
    }

    /// Drops starts that can no longer be part of an optimum: a start that is worse than a change at `end`
    /// remains so, and is useless once that change can have a complete segment after it.
    fn prune(&mut self, end: usize, min_segment: usize, costs: &[f64], best: f64) {
        for (until, &cost) in self.until.iter_mut().zip(costs) {
            if cost > best {
                *until = (*until).min(end + min_segment);
            }
        }
        if self.until.iter().all(|&until| until > end + 1) {
            return;
        }
        let kept: Vec<usize> = (0..self.at.len()).filter(|&i| self.until[i] > end + 1).collect();
        let of = |column: &[f64]| kept.iter().map(|&i| column[i]).collect();
        (self.place, self.cost, self.sum) = (of(&self.place), of(&self.cost), of(&self.sum));
        self.until = kept.iter().map(|&i| self.until[i]).collect();
        self.at = kept.iter().map(|&i| self.at[i]).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::optimal;

    /// Smallest cost over all partitions, without pruning.
    fn least_cost(values: &[f64], penalty: f64, min_segment: usize) -> f64 {
        let mut best = vec![f64::INFINITY; values.len() + 1];
        best[0] = -penalty;
        for end in min_segment..=values.len() {
            best[end] = (0..=end - min_segment)
                .map(|start| best[start] + squares(&values[start..end]) + penalty)
                .fold(f64::INFINITY, f64::min);
        }
        best[values.len()]
    }

    /// Squared deviations from the mean.
    fn squares(values: &[f64]) -> f64 {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|v| (v - mean).powi(2)).sum()
    }

    fn cost(values: &[f64], found: &[usize], penalty: f64) -> f64 {
        let ends = found.iter().copied().chain([values.len()]);
        let segments: f64 =
            ends.zip([0].iter().chain(found)).map(|(end, &start)| squares(&values[start..end])).sum();
        segments + penalty * found.len() as f64
    }

    /// Noise of integers on steps of level.
    fn series(seed: u64, n: usize, spread: u64, jump: u64) -> Vec<f64> {
        let (mut x, mut level) = (seed, 0);
        let mut below = |n: u64| {
            x = (1_103_515_245 * x + 12_345) % (1 << 31);
            (x >> 8) % n
        };
        let mut next = || {
            if below(8) == 0 {
                level = below(jump);
            }
            (level + below(spread)) as f64
        };
        (0..n).map(|_| next()).collect()
    }

    #[test]
    fn pruning_misses_no_optimum() {
        for seed in 0..600 {
            let n = 1 + (seed as usize * 7) % 90;
            let values = series(seed, n, 1 + seed % 5, 2 + seed % 11);
            for (penalty, min_segment) in [(0.0, 1), (1.0, 1), (3.0, 2), (0.5, 3), (9.0, 4), (4.0, 7)] {
                if n < min_segment {
                    continue;
                }
                let found = optimal(&values, penalty, min_segment);
                let ends = found.iter().copied().chain([n]);
                assert!(ends.zip([0].iter().chain(&found)).all(|(end, start)| end - start >= min_segment));
                let (ours, least) =
                    (cost(&values, &found, penalty), least_cost(&values, penalty, min_segment));
                assert!(
                    (ours - least).abs() <= 1e-9 * (1.0 + least.abs()),
                    "{values:?} {penalty} {min_segment}"
                );
            }
        }
    }

    /// The dynamic programme itself, compared with all partitions of small series.
    #[test]
    fn the_optimum_is_that_of_all_partitions() {
        for seed in 0..60 {
            let n = 1 + seed as usize % 11;
            let values = series(seed, n, 1 + seed % 5, 9);
            for (penalty, min_segment) in [(0.3, 1), (2.0, 1), (1.0, 2), (0.7, 3)] {
                let partitions = (0..1_u32 << (n - 1)).filter_map(|mask| {
                    let cuts: Vec<usize> = (1..n).filter(|i| mask >> (i - 1) & 1 == 1).collect();
                    let ends = cuts.iter().copied().chain([n]);
                    let long =
                        ends.zip([0].iter().chain(&cuts)).all(|(end, start)| end - start >= min_segment);
                    long.then(|| cost(&values, &cuts, penalty))
                });
                let least = partitions.fold(f64::INFINITY, f64::min);
                if least.is_finite() {
                    let ours = cost(&values, &optimal(&values, penalty, min_segment), penalty);
                    assert!(
                        (ours - least).abs() <= 1e-9 * (1.0 + least),
                        "{values:?} {penalty} {min_segment}"
                    );
                }
            }
        }
    }
}
