//! Change points in the mean of a series, and the warm-up of a run.
//!
//! Optimal partition with pruning (PELT: Killick, Fearnhead & Eckley 2012).

use crate::quantile::{mean, median, power_of_two_near, quantile_sorted, sd};

/// Values on either side of one whose running median says where an outlier is drawn to.
const REACH: usize = 5;
/// Noise scales from the running median beyond which a value is drawn in.
const CLIP: f64 = 3.0;
/// 90 % quantile of the absolute difference of two standard normal values.
const DIFFERENCE_Q90: f64 = 2.326_174_307_353_347;
/// The noise is at least this share of the range: below, the sums of squares lose their digits.
const LEAST_NOISE: f64 = 1e-6;
/// Longer series are searched in blocks, at most so many.
const MOST_BLOCKS: usize = 10_000;

/// Starts of the new segments, ascending.
#[must_use]
pub fn pelt(values: &[f64], penalty: Option<f64>, min_segment: usize) -> Vec<usize> {
    let block = values.len().div_ceil(MOST_BLOCKS).max(1);
    let Some(scaled) = standardised(values) else {
        return Vec::new();
    };
    let means: Vec<f64> = scaled.chunks(block).map(|part| mean(part) * (block as f64).sqrt()).collect();
    let penalty = penalty.unwrap_or_else(|| default_penalty(means.len()));
    let found = optimal(&means, penalty, min_segment.div_ceil(block).max(1));
    found.into_iter().map(|start| start * block).collect()
}

/// The penalty of a change point in a series of n values: 2 ln n + 6.
#[must_use]
pub fn default_penalty(n: usize) -> f64 {
    2.0 * (n as f64).ln() + 6.0
}

/// The mean of each segment.
#[must_use]
pub fn segment_means(values: &[f64], changes: &[usize]) -> Vec<f64> {
    segments(values, changes).map(mean).collect()
}

fn segments<'a>(values: &'a [f64], changes: &'a [usize]) -> impl Iterator<Item = &'a [f64]> {
    let starts = core::iter::once(0).chain(changes.iter().copied());
    let ends = changes.iter().copied().chain(core::iter::once(values.len()));
    starts.zip(ends).map(|(start, end)| values.get(start..end).unwrap_or(&[]))
}

/// Values about their median in units of the noise, outliers drawn in; None where all are equal.
fn standardised(values: &[f64]) -> Option<Vec<f64>> {
    let largest = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    if values.iter().all(|v| *v == values[0]) || !largest.is_finite() {
        return None;
    }
    let unit = power_of_two_near(largest);
    let plain: Vec<f64> = values.iter().map(|v| v / unit).collect();
    let centre = median(&plain);
    let plain: Vec<f64> = plain.iter().map(|v| v - centre).collect();
    let noise = noise(&plain);
    Some((0..plain.len()).map(|i| drawn_in(&plain, i, noise) / noise).collect())
}

/// Standard deviation about the level from the differences of neighbours, which a change of level barely touches.
pub(crate) fn noise(values: &[f64]) -> f64 {
    let steps: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mut sizes: Vec<f64> = steps.iter().map(|step| step.abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let robust = quantile_sorted(&sizes, 0.9) / DIFFERENCE_Q90;
    let noise = if robust > 0.0 { robust } else { sd(&steps) / core::f64::consts::SQRT_2 };
    let most = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    noise.max(LEAST_NOISE * most)
}

/// The value, or the limit next to it around the running median.
fn drawn_in(values: &[f64], i: usize, noise: f64) -> f64 {
    let window = &values[i.saturating_sub(REACH)..values.len().min(i + REACH + 1)];
    let centre = median(window);
    values[i].clamp(centre - CLIP * noise, centre + CLIP * noise)
}

/// Change points that minimise squared deviations from the segments' means plus `penalty` a change point.
fn optimal(values: &[f64], penalty: f64, min_segment: usize) -> Vec<usize> {
    let n = values.len();
    let sums = Sums::of(values);
    // best[t]: least cost of the first t values; last[t]: start of the last segment in it.
    let mut best = vec![f64::INFINITY; n + 1];
    let mut last = vec![0; n + 1];
    best[0] = -penalty;
    // Starts that may still be part of an optimum, with the end from which they are not.
    let mut starts: Vec<(usize, usize)> = vec![(0, usize::MAX)];
    for end in min_segment..=n {
        starts.retain(|&(_, until)| end < until);
        for &(start, _) in &starts {
            let cost = best[start] + sums.cost(start, end) + penalty;
            if cost < best[end] {
                (best[end], last[end]) = (cost, start);
            }
        }
        for (start, until) in &mut starts {
            // Then a change at `end` is better, from where it has a whole segment behind it.
            if *until == usize::MAX && best[*start] + sums.cost(*start, end) > best[end] {
                *until = end + min_segment;
            }
        }
        let next = end + 1 - min_segment;
        if next >= min_segment {
            starts.push((next, usize::MAX));
        }
    }
    let mut found = Vec::new();
    let mut end = n;
    while last[end] > 0 {
        end = last[end];
        found.push(end);
    }
    found.reverse();
    found
}

/// Sums of values and of squares up to each place.
struct Sums {
    values: Vec<f64>,
    squares: Vec<f64>,
}

impl Sums {
    fn of(values: &[f64]) -> Self {
        let running = |term: fn(f64) -> f64| {
            let mut sum = 0.0;
            core::iter::once(0.0)
                .chain(values.iter().map(move |&v| {
                    sum += term(v);
                    sum
                }))
                .collect()
        };
        Self { values: running(|v| v), squares: running(|v| v * v) }
    }

    /// Squared deviations from the mean of the values in `start..end`.
    fn cost(&self, start: usize, end: usize) -> f64 {
        let sum = self.values[end] - self.values[start];
        self.squares[end] - self.squares[start] - sum * sum / (end - start) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{Sums, optimal};

    /// Least cost over all partitions, without pruning.
    fn least_cost(values: &[f64], penalty: f64, min_segment: usize) -> f64 {
        let sums = Sums::of(values);
        let mut best = vec![f64::INFINITY; values.len() + 1];
        best[0] = -penalty;
        for end in min_segment..=values.len() {
            best[end] = (0..=end - min_segment)
                .map(|start| best[start] + sums.cost(start, end) + penalty)
                .fold(f64::INFINITY, f64::min);
        }
        best[values.len()]
    }

    fn cost(values: &[f64], found: &[usize], penalty: f64) -> f64 {
        let (mut all, mut start) = (penalty * found.len() as f64, 0);
        for &end in found.iter().chain([&values.len()]) {
            let mean = values[start..end].iter().sum::<f64>() / (end - start) as f64;
            all += values[start..end].iter().map(|v| (v - mean).powi(2)).sum::<f64>();
            start = end;
        }
        all
    }

    /// Noise of whole numbers in steps of level.
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

    /// The dynamic programme itself, against every one of the partitions of small series.
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
