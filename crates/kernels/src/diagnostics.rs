//! Diagnostics behind the warnings of a result: drift, autocorrelation, outliers, few distinct values, unused
//! pairing.

use crate::quantile::{mad, mean};
use crate::ranks::{key, value};
use crate::special::{norm_sf, t_sf};

/// Fewer values reveal nothing about their order.
const LEAST: usize = 8;
/// Share of samples in which a value lies beyond the limit of outliers, if the tails are exponential.
const OUTLIERS_BY_CHANCE: f64 = 0.01;
/// Widens that limit for the error of the scale of a few values: by this share of it, divided by their number.
const SCALE_ERROR: f64 = 3.0;

/// Correlation of each value with its predecessor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Autocorrelation {
    /// Correlation at lag one, between -1 and 1.
    pub lag_one: f64,
    /// Its distance from the value expected under independence, in standard errors.
    pub z: f64,
}

/// Spearman correlation of two samples by order of measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrderCorrelation {
    /// Spearman's rho, between -1 and 1.
    pub rho: f64,
    /// Two-sided p-value (Student's t with n - 2 degrees of freedom).
    pub p: f64,
}

/// Two-sided p of a trend over the order of the values: Spearman's rho, normal approximation. `None` for fewer
/// than 8 values, and if all are equal.
#[must_use]
pub fn drift(values: &[f64]) -> Option<f64> {
    Ranking::of(values).drift()
}

/// First-lag autocorrelation with its z under independence (Moran 1948). `None` for fewer than 8 values, and if
/// all are equal.
#[must_use]
pub fn autocorrelation(values: &[f64]) -> Option<Autocorrelation> {
    if values.len() < LEAST {
        return None;
    }
    let n = values.len() as f64;
    let centred = centred(values)?;
    let lag_one = centred.windows(2).map(|w| w[0] * w[1]).sum::<f64>();
    let error = (n - 2.0) / (n * (n - 1.0).sqrt());
    Some(Autocorrelation { lag_one, z: (lag_one + 1.0 / n) / error })
}

/// Deviations from the mean, scaled to a sum of squares of 1; `None` if all values are equal.
fn centred(values: &[f64]) -> Option<Vec<f64>> {
    let mut scaled = values.to_vec();
    centre(&mut scaled).then_some(scaled)
}

/// Replaces the values by deviations from the mean, scaled to a sum of squares of 1; false if all are equal.
fn centre(values: &mut [f64]) -> bool {
    let centre = mean(values);
    let largest = values.iter().fold(0.0_f64, |most, v| most.max((v - centre).abs()));
    if values.iter().all(|v| *v == values[0]) || largest == 0.0 || !largest.is_finite() {
        return false;
    }
    for v in values.iter_mut() {
        *v = (*v - centre) / largest;
    }
    let norm = values.iter().map(|v| v * v).sum::<f64>().sqrt();
    for v in values.iter_mut() {
        *v /= norm;
    }
    true
}

/// Number of values far from the median: further than log2(100 n) · (1 + 3 / n) median absolute deviations.
///
/// The deviation is that of all values or, if larger, that of the values on the same side of the median. So one
/// sample in a hundred with exponential tails has a value that counts, and fewer with normal tails. None counts
/// if half or more of the values are equal to the median.
#[must_use]
pub fn outliers(values: &[f64]) -> usize {
    outliers_sorted(&sorted(values))
}

/// [`outliers`] for ascending values.
#[must_use]
pub fn outliers_sorted(sorted: &[f64]) -> usize {
    let (n, half) = (sorted.len(), sorted.len() / 2);
    let centre = middle(n, |i| sorted[i]);
    let limit = (n as f64 / OUTLIERS_BY_CHANCE).log2() * (1.0 + SCALE_ERROR / n as f64);
    let count = |side: &dyn Fn(usize) -> f64| {
        let own = middle(half, side);
        // Of most samples no value is that far, and the deviation of all values need not be known.
        if half == 0 || side(half - 1) <= limit * own {
            return 0;
        }
        let all = mad(sorted);
        let far = limit * all.max(own);
        if all > 0.0 { (0..half).rev().take_while(|&i| side(i) > far).count() } else { 0 }
    };
    // From the median outwards; a median that is a value belongs to neither side.
    count(&|i| sorted[n - half + i] - centre) + count(&|i| centre - sorted[half - 1 - i])
}

/// Median of ascending values accessed by index.
fn middle(count: usize, at: impl Fn(usize) -> f64) -> f64 {
    match count {
        0 => f64::NAN,
        _ if count.is_multiple_of(2) => f64::midpoint(at(count / 2 - 1), at(count / 2)),
        _ => at(count / 2),
    }
}

/// Number of distinct values.
#[must_use]
pub fn distinct(values: &[f64]) -> usize {
    distinct_sorted(&sorted(values))
}

/// [`distinct`] for ascending values.
#[must_use]
pub fn distinct_sorted(sorted: &[f64]) -> usize {
    sorted.chunk_by(|a, b| key(*a) == key(*b)).count()
}

/// The typical step between the values of samples, each ascending: the median distance of neighbouring distinct
/// values of all samples together, in their unit. `None` if all values are equal.
#[must_use]
pub fn step_sorted(samples: &[&[f64]]) -> Option<f64> {
    let mut values: Vec<f64> = samples.concat();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    let mut steps: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_unstable_by(f64::total_cmp);
    (!steps.is_empty()).then(|| middle(steps.len(), |i| steps[i]))
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut keys: Vec<i64> = values.iter().map(|&v| key(v)).collect();
    keys.sort_unstable();
    keys.into_iter().map(value).collect()
}

/// Spearman's correlation of x and y in order, as `SciPy`'s `spearmanr`. `None` if the sizes differ or are
/// below 8, or if all values of a side are equal.
#[must_use]
pub fn order_correlation(x: &[f64], y: &[f64]) -> Option<OrderCorrelation> {
    Ranking::of(x).order_correlation(&Ranking::of(y))
}

/// The ranks of a sample in its order of measurement, computed once for everything derived from them.
#[derive(Debug, Default)]
pub struct Ranking {
    /// Order keys with the positions of the values, ascending.
    order: Vec<(i64, u32)>,
    /// Midranks minus their mean, scaled to a sum of squares of 1.
    scores: Vec<f64>,
    /// The same for 1, 2, 3 and so on.
    trend: Vec<f64>,
    varies: bool,
}

impl Ranking {
    fn of(values: &[f64]) -> Self {
        let mut ranking = Self::default();
        ranking.fill(values);
        ranking
    }

    /// Ranks a sample; the buffers are reused.
    pub fn fill(&mut self, values: &[f64]) {
        self.order.clear();
        self.order.extend(values.iter().zip(0..).map(|(&v, i)| (key(v), i)));
        self.order.sort_unstable();
        self.varies = self.order.first().map(|first| first.0) != self.order.last().map(|last| last.0);
        if !self.varies {
            return;
        }
        self.scores.clear();
        self.scores.resize(values.len(), 0.0);
        let mut start = 0;
        for group in self.order.chunk_by(|a, b| a.0 == b.0) {
            let rank = start as f64 + f64::midpoint(group.len() as f64, 1.0);
            for &(_, i) in group {
                self.scores[i as usize] = rank;
            }
            start += group.len();
        }
        self.varies = centre(&mut self.scores);
        if self.trend.len() != values.len() {
            self.trend.clear();
            self.trend.extend((1..=values.len()).map(|i| i as f64));
            centre(&mut self.trend);
        }
    }

    /// The positions of the values in the sample, from the smallest value to the largest.
    pub fn order(&self) -> impl Iterator<Item = usize> {
        self.order.iter().map(|&(_, place)| place as usize)
    }

    /// [`drift`] of the sample.
    #[must_use]
    pub fn drift(&self) -> Option<f64> {
        let rho = self.rho(&self.trend)?;
        Some((2.0 * norm_sf(rho.abs() * (self.scores.len() as f64 - 1.0).sqrt())).min(1.0))
    }

    /// [`order_correlation`] of the sample with another.
    #[must_use]
    pub fn order_correlation(&self, other: &Self) -> Option<OrderCorrelation> {
        let rho = if other.varies { self.rho(&other.scores)? } else { return None };
        let df = self.scores.len() as f64 - 2.0;
        let t = rho * (df / ((1.0 + rho) * (1.0 - rho)).max(0.0)).sqrt();
        Some(OrderCorrelation { rho, p: (2.0 * t_sf(t.abs(), df)).min(1.0) })
    }

    /// Spearman's rho with other scores. `None` for fewer than 8 values, for a different number of scores, and
    /// if all are equal.
    fn rho(&self, other: &[f64]) -> Option<f64> {
        if !self.varies || self.scores.len() != other.len() || other.len() < LEAST {
            return None;
        }
        let rho: f64 = self.scores.iter().zip(other).map(|(a, b)| a * b).sum();
        Some(rho.clamp(-1.0, 1.0))
    }
}
