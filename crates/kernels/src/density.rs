//! Kernel density estimate with a Gaussian kernel, summed over all values.

use core::f64::consts::PI;

use rayon::prelude::*;

use crate::quantile::{iqr, power_of_two_near, sd};
use crate::ranks::{key, value};

/// Maximum number of points served by one exponential: the error of its neighbours grows with the square of
/// their number.
const BLOCK: usize = 64;
/// Maximum width of such a block, in bandwidths.
const BLOCK_WIDTH: f64 = 4.0;
/// Distance in bandwidths beyond which a value contributes nothing that a float can hold.
const FAR: f64 = 39.0;
/// Number of values processed together: a single one would wait for each of its multiplications.
const LANES: usize = 8;
/// Minimum number of terms per task: handing a task over costs microseconds.
const TASK: usize = 50_000;

/// The density at `points` equidistant places from `from` to `to`, both included: the mean of normal densities
/// around the values, with `bandwidth` as their standard deviation. Per unit of the data.
///
/// NaN at every place for no values, for a bandwidth that is not positive, and if anything is not finite.
#[must_use]
pub fn density(values: &[f64], bandwidth: f64, from: f64, to: f64, points: usize) -> Vec<f64> {
    let finite = |v: f64| v.is_finite();
    let usable = bandwidth > 0.0 && [bandwidth, to - from].into_iter().all(finite);
    if !usable || values.is_empty() || !values.iter().copied().all(finite) {
        return vec![f64::NAN; points];
    }
    let mut keys: Vec<i64> = values.iter().map(|&v| key(v)).collect();
    // Sorted, so that distant values can be left out and the order of the sample does not matter.
    keys.sort_unstable();
    let sorted: Vec<f64> = keys.into_iter().map(value).collect();
    let gaps = points.saturating_sub(1).max(1) as f64;
    let kernel = Kernel { sorted: &sorted, bandwidth, step: (to - from) / gaps / bandwidth };
    let size =
        if kernel.step == 0.0 { BLOCK } else { ((BLOCK_WIDTH / kernel.step.abs()) as usize).clamp(1, BLOCK) };
    let mut found = vec![0.0; points];
    let task = (TASK / (size * sorted.len())).max(1);
    found.par_chunks_mut(size).enumerate().with_min_len(task).for_each(|(block, sums)| {
        let place = |k: usize| from + (to - from) * ((block * size + k) as f64 / gaps);
        kernel.add(place(0), place(sums.len() - 1), sums);
        let scale = sorted.len() as f64 * bandwidth * (2.0 * PI).sqrt();
        for sum in sums {
            *sum /= scale;
        }
    });
    found
}

struct Kernel<'a> {
    sorted: &'a [f64],
    bandwidth: f64,
    /// Distance of neighbouring places, in bandwidths; negative if the places descend.
    step: f64,
}

impl Kernel<'_> {
    /// Adds exp(−d²/2) of each value's distance d, in bandwidths, to the sums at the places from `first` to
    /// `last`.
    ///
    /// Each value starts at the closer end of the block, so that its terms only decrease.
    fn add(&self, first: f64, last: f64, sums: &mut [f64]) {
        let (low, high) = (first.min(last), first.max(last));
        let reach = FAR * self.bandwidth;
        let near = |limit: f64| self.sorted.partition_point(|&v| v < limit);
        let middle = near(0.5 * low + 0.5 * high);
        let (below, above) = (
            &self.sorted[near(low - reach).min(middle)..middle],
            &self.sorted[middle..near(high + reach).max(middle)],
        );
        let step = self.step.abs();
        let mut upwards = [[0.0; LANES]; BLOCK];
        walk(below.iter().map(|v| (low - v) / self.bandwidth), step, &mut upwards[..sums.len()]);
        let mut downwards = [[0.0; LANES]; BLOCK];
        walk(above.iter().map(|v| (v - high) / self.bandwidth), step, &mut downwards[..sums.len()]);
        let count = sums.len();
        for (k, sum) in sums.iter_mut().enumerate() {
            let up = if self.step < 0.0 { count - 1 - k } else { k };
            *sum = total(&upwards[up]) + total(&downwards[count - 1 - up]);
        }
    }
}

/// Adds the terms of values with the given `distances` from the first place, which grow by `step` from one
/// place to the next: exp(−(d + s)²/2) = exp(−d²/2) · exp(−ds − s²/2), and the last factor shrinks by exp(−s²)
/// each time.
fn walk(mut distances: impl ExactSizeIterator<Item = f64>, step: f64, sums: &mut [[f64; LANES]]) {
    let fall = (-step * step).exp();
    while distances.len() > 0 {
        let (mut terms, mut factors) = ([0.0; LANES], [0.0; LANES]);
        for (lane, d) in distances.by_ref().take(LANES).enumerate() {
            terms[lane] = (-0.5 * d * d).exp();
            factors[lane] = (-d * step - 0.5 * step * step).exp();
        }
        for sum in &mut *sums {
            for lane in 0..LANES {
                sum[lane] += terms[lane];
                terms[lane] *= factors[lane];
                factors[lane] *= fall;
            }
        }
    }
}

fn total(lanes: &[f64; LANES]) -> f64 {
    lanes.iter().sum()
}

// Bandwidths of a Gaussian kernel: Silverman's rule of thumb (1986) and the method of Sheather & Jones
// (1991).

/// Number of bins for the values, as in R.
const BINS: usize = 1000;
/// How often the search for the root may widen its bracket, as in R.
const WIDENED: u32 = 99;
/// Squared distance, in bandwidths, from which a pair no longer counts, as in R.
const FAR_APART: f64 = 1000.0;

/// 0.9 · min(sd, IQR / 1.34) · n^(−1/5), in the unit of the data: R's `bw.nrd0`.
///
/// If half of the values are equal, the standard deviation replaces the minimum; if all are equal, their
/// magnitude does, or 1 for zeros. NaN for fewer than two values.
#[must_use]
pub fn bandwidth_nrd0(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return f64::NAN;
    }
    let spreads = [sd(values).min(iqr(values) / 1.34), sd(values), values[0].abs()];
    let spread = spreads.into_iter().find(|&s| s != 0.0).unwrap_or(1.0);
    0.9 * spread * (values.len() as f64).powf(-0.2)
}

/// The bandwidth that solves the equation of Sheather & Jones, in the unit of the data: R's `bw.SJ` with its
/// 1,000 bins, with the root to full precision.
///
/// `None` for fewer than two values, if half of them are equal, and if they are too sparse for an estimate.
#[must_use]
pub fn bandwidth_sj(values: &[f64]) -> Option<f64> {
    let (sorted, unit) = scaled(values)?;
    let n = sorted.len() as f64;
    let pairs = Pairs::of(&sorted);
    let spread = sd(&sorted).min(iqr(&sorted) / 1.349);
    let third = -pairs.sixth_derivative(1.23 * spread * n.powf(-1.0 / 9.0));
    let second = pairs.fourth_derivative(1.24 * spread * n.powf(-1.0 / 7.0));
    let factor = 1.357 * (second / third).powf(1.0 / 7.0);
    if !(spread > 0.0 && third > 0.0 && third.is_finite() && factor.is_finite()) {
        return None;
    }
    let roughness = 1.0 / (2.0 * PI.sqrt() * n);
    let excess = |h: f64| (roughness / pairs.fourth_derivative(factor * h.powf(5.0 / 7.0))).powf(0.2) - h;
    let most = 1.144 * spread * n.powf(-0.2);
    bracket(&excess, 0.1 * most, most).map(|(low, high)| unit * root(&excess, low, high))
}

/// Ascending values divided by a power of two near their range, and that power, so that high powers of the
/// values remain floats. `None` for fewer than two values, and if all are equal or one is not finite.
pub(crate) fn scaled(values: &[f64]) -> Option<(Vec<f64>, f64)> {
    let mut keys: Vec<i64> = values.iter().map(|&v| key(v)).collect();
    keys.sort_unstable();
    let range = 0.5 * value(*keys.last()?) - 0.5 * value(keys[0]);
    if !(range > 0.0 && range.is_finite()) {
        return None;
    }
    let unit = power_of_two_near(range);
    Some((keys.into_iter().map(|k| value(k) / unit).collect(), unit))
}

/// The distances of all pairs of values, in bins.
struct Pairs {
    n: f64,
    /// Width of a bin.
    width: f64,
    /// Number of pairs by distance.
    counts: Vec<f64>,
}

impl Pairs {
    /// Bins count from 0 and truncate towards 0, as in R, so the bin of 0 is twice as wide as the others.
    fn of(sorted: &[f64]) -> Self {
        let width = (sorted[sorted.len() - 1] - sorted[0]) * 1.01 / BINS as f64;
        let bin = |v: &f64| (v / width).trunc();
        let bins: Vec<(f64, f64)> = sorted
            .chunk_by(|a, b| bin(a) == bin(b))
            .map(|group| (bin(&group[0]), group.len() as f64))
            .collect();
        let mut counts = vec![0.0; BINS];
        for (i, (place, size)) in bins.iter().enumerate() {
            counts[0] += 0.5 * size * (size - 1.0);
            for (other, others) in &bins[i + 1..] {
                counts[((other - place) as usize).min(BINS - 1)] += size * others;
            }
        }
        Self { n: sorted.len() as f64, width, counts }
    }

    /// Estimates the integral of the density times its fourth derivative, with a kernel of bandwidth `h`.
    fn fourth_derivative(&self, h: f64) -> f64 {
        let sum = self.sum(h, |d| d * d - 6.0 * d + 3.0);
        (2.0 * sum + self.n * 3.0) / (self.n * (self.n - 1.0) * h.powi(5) * (2.0 * PI).sqrt())
    }

    /// The same for the sixth derivative.
    fn sixth_derivative(&self, h: f64) -> f64 {
        let sum = self.sum(h, |d| d * d * d - 15.0 * d * d + 45.0 * d - 15.0);
        (2.0 * sum - self.n * 15.0) / (self.n * (self.n - 1.0) * h.powi(7) * (2.0 * PI).sqrt())
    }

    /// Sums over the pairs a polynomial of the squared distance d in bandwidths, times exp(−d/2).
    fn sum(&self, h: f64, polynomial: impl Fn(f64) -> f64) -> f64 {
        let squared = |i: usize| (i as f64 * self.width / h).powi(2);
        let near = self.counts.iter().enumerate().map(|(i, count)| (squared(i), count));
        let terms = near.take_while(|(d, _)| *d < FAR_APART).filter(|(_, count)| **count > 0.0);
        terms.map(|(d, count)| (-0.5 * d).exp() * polynomial(d) * count).sum()
    }
}

/// Widens the bracket, alternately above and below, until `f` changes its sign in it. `None` if it never does.
fn bracket(f: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> Option<(f64, f64)> {
    for step in 1..=WIDENED {
        let product = f(low) * f(high);
        if product <= 0.0 {
            return Some((low, high));
        }
        if product.is_nan() {
            return None;
        }
        if step % 2 == 1 {
            high *= 1.2;
        } else {
            low /= 1.2;
        }
    }
    None
}

/// Finds the root of `f` in a bracket, by false position with the Illinois rule, to full precision.
fn root(f: &impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    // The last two ends, at which f has opposite signs.
    let (mut a, mut b) = ((low, f(low)), (high, f(high)));
    for _ in 0..200 {
        let x = (a.0 * b.1 - b.0 * a.1) / (b.1 - a.1);
        if b.1 == 0.0 || (x - b.0).abs() <= 1e-15 * x.abs() {
            break;
        }
        let y = f(x);
        if y * b.1 < 0.0 {
            a = b;
        } else {
            a.1 *= 0.5;
        }
        b = (x, y);
    }
    b.0
}
