//! Diagnostics behind the warnings of a result: drift, autocorrelation, outliers, few distinct values, unused
//! pairing.

use crate::quantile::mean;
use crate::ranks::{key, value};
use crate::special::{norm_sf, t_sf};

/// Fewer values reveal nothing about their order.
const LEAST: usize = 8;
/// Scales the median absolute deviation to the standard deviation of normal data.
const MAD_TO_SD: f64 = 1.4826;
/// Scaled deviation from the median beyond which a value is an outlier.
const OUTLIER: f64 = 5.0;

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

/// Number of values more than 5 scaled median absolute deviations from the median, where each side has its own
/// deviation.
///
/// A side on which half or more of the values equal the median has no such scale and no outliers.
#[must_use]
pub fn outliers(values: &[f64]) -> usize {
    outliers_sorted(&sorted(values))
}

/// [`outliers`] for ascending values.
#[must_use]
pub fn outliers_sorted(sorted: &[f64]) -> usize {
    let centre = middle(sorted.len(), |i| sorted[i]);
    let limit = |deviations: f64| OUTLIER * MAD_TO_SD * deviations;
    // Each side, from the median outwards.
    let up = &sorted[sorted.partition_point(|v| v - centre < 0.0)..];
    let down = &sorted[..sorted.partition_point(|v| centre - v >= 0.0)];
    let above = limit(middle(up.len(), |i| up[i] - centre));
    let below = limit(middle(down.len(), |i| centre - down[down.len() - 1 - i]));
    let count_above = up.iter().rev().take_while(|&v| v - centre > above).count();
    let count_below = down.iter().take_while(|&v| centre - v > below).count();
    (if above > 0.0 { count_above } else { 0 }) + (if below > 0.0 { count_below } else { 0 })
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
