//! The noise of a series at a moment: where single values are drawn in, and how much means of k values vary.

use crate::quantile::quantile_of;

use super::Detector;
use super::stretch::Sums;

/// Number of values on either side of a running median.
pub const ASIDE: usize = 5;
/// 90 % quantile of the absolute difference of two standard normal values.
const DIFFERENCE: f64 = 2.326_174_307_353_347;
/// 75 % quantile of the standard normal distribution: the median of its absolute values.
const MIDDLE: f64 = 0.674_489_750_196_081_7;
/// Values further from the running median than so many noises are counted as far.
const FAR: f64 = 4.0;
/// Values are drawn in to so many noises from the running median …
const DRAWN_IN: f64 = 2.5;
/// … and to so many more if values are hardly ever far,
const QUIET: f64 = 0.75;
/// which is fewer than this share of them.
const OFTEN_FAR: f64 = 0.01;
/// Largest dependence of neighbours.
const MOST_DEPENDENCE: f64 = 0.9;
/// A level that ended unnoticed is looked for where so many values are known since the last point.
const LEAST_SINCE: usize = 10;
/// Means of b values are measured where the memory has so many times b values.
const MEASURED: usize = 5;
/// Limits of the power by which the variance of sums grows beyond what was measured.
const GROWTH: (f64, f64) = (0.5, 2.0);
/// The variance of means counts as that of an autoregression up to this factor.
const FLAT: f64 = 1.25;
/// Length of the windows of the local variance.
const LOCAL: usize = 30;

/// The noise.
#[derive(Debug, Clone)]
pub struct Noise {
    /// Values are drawn in to this distance from the running median.
    pub clip: f64,
    /// The usual local variance.
    pub local: f64,
    /// Whether the variance of means is explained by the dependence of neighbours.
    pub flat: bool,
    /// Number of values in the memory.
    pub memory: usize,
    /// Position of the memory's first value.
    pub begin: usize,
    /// `variances[k]`: the variance of one value that counts where means of k values are compared, up to the longest window.
    variances: Vec<f64>,
}

impl Noise {
    /// The variance of one value that counts where means of `count` values are compared.
    pub fn variance(&self, count: usize) -> f64 {
        self.variances[count.min(self.variances.len() - 1)]
    }

    /// The variance of a mean of `count` values.
    pub fn of_mean(&self, count: usize) -> f64 {
        self.variance(count) / count as f64
    }
}

/// The median of the values around a position.
pub fn running_median(values: &[f64], at: usize) -> f64 {
    let mut around = [0.0; 2 * ASIDE + 1];
    let part = &values[at.saturating_sub(ASIDE)..=at + ASIDE];
    let around = &mut around[..part.len()];
    around.copy_from_slice(part);
    around.sort_unstable_by(f64::total_cmp);
    let middle = around.len() / 2;
    if around.len().is_multiple_of(2) { around[middle - 1].midpoint(around[middle]) } else { around[middle] }
}

/// What the noise is estimated from: a series up to its newest value.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The values, up to the newest.
    pub values: &'a [f64],
    /// Their running medians; the last five have the last one that is known.
    pub medians: &'a [f64],
    /// Places at which a change may begin.
    pub places: &'a [bool],
    /// The points so far, ascending.
    pub points: &'a [usize],
}

impl Known<'_> {
    /// Value `i` drawn in to `clip` from its running median.
    pub fn drawn_in(&self, i: usize, clip: f64) -> f64 {
        self.medians[i] + (self.values[i] - self.medians[i]).clamp(-clip, clip)
    }

    /// Estimates the noise, and draws the values of the memory in anew. `None` if they are all equal.
    pub fn noise(&self, detector: &Detector, drawn: &mut Sums) -> Option<Noise> {
        let t = self.values.len();
        let n = t.min(detector.memory);
        let begin = t - n;
        let own = &self.values[begin..];
        let spread = spread(own)?;
        let settled = &self.values[begin..t - ASIDE];
        let far = settled.iter().zip(&self.medians[begin..]).filter(|(x, c)| (*x - *c).abs() > FAR * spread);
        let far = (far.count() + 1) as f64 / (settled.len() + 1) as f64;
        let clip = spread * (DRAWN_IN + QUIET * (1.0 - far / OFTEN_FAR).max(0.0));
        drawn.replace(begin, (begin..t).map(|i| self.drawn_in(i, clip)));
        let rest = self.rest(drawn, begin);
        let near = lagged(&rest, 1);
        // Differences of equal values without their levels are 0 up to rounding.
        let (single, ratio) = if near <= super::ROUNDING * spread {
            (spread * spread, 1.0)
        } else {
            ((near / DIFFERENCE).powi(2), (lagged(&rest, 2) / near).powi(2))
        };
        let dependence = (ratio - 1.0 + 0.5 / (n as f64).sqrt()).clamp(0.0, MOST_DEPENDENCE);
        let (factors, flat) = factors(&rest, single, dependence, detector.longest);
        let variances = between_powers(&factors).into_iter().map(|factor| single * factor).collect();
        Some(Noise { clip, local: local_variance(&rest, single), flat, memory: n, begin, variances })
    }

    /// The values of the memory without their levels: a step that is not told yet must not pass for noise.
    fn rest(&self, drawn: &Sums, begin: usize) -> Vec<f64> {
        let t = self.values.len();
        let mut cuts = vec![begin];
        cuts.extend(self.points.iter().copied().filter(|&point| begin < point && point < t));
        let last = cuts[cuts.len() - 1];
        if t - last >= LEAST_SINCE {
            cuts.extend(drawn.best_split((last, t), (last + 2, t - 2), t, self.places));
        }
        cuts.push(t);
        let mut rest = Vec::with_capacity(t - begin);
        for pair in cuts.windows(2) {
            let level = drawn.mean(pair[0], pair[1]);
            rest.extend(drawn.values[pair[0]..pair[1]].iter().map(|value| value - level));
        }
        rest
    }
}

/// The standard deviation of a value, from differences of neighbours; `None` if all values are equal.
fn spread(values: &[f64]) -> Option<f64> {
    let robust = lagged(values, 1) / DIFFERENCE;
    if robust > 0.0 {
        return Some(robust);
    }
    // With a coarse clock nine in ten differences can be 0.
    let squares: f64 = values.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    let spread = (squares / (values.len() - 1) as f64 / 2.0).sqrt();
    (spread > 0.0).then_some(spread)
}

/// The 90 % quantile of absolute differences of values `lag` apart.
fn lagged(values: &[f64], lag: usize) -> f64 {
    quantile_of(values.iter().zip(&values[lag..]).map(|(a, b)| (b - a).abs()), 0.9)
}

/// By how much means of `count` values of an autoregression vary more than those of independent values.
fn autoregressive(dependence: f64, count: usize) -> f64 {
    if dependence == 0.0 {
        return 1.0;
    }
    let (phi, k) = (dependence, count as f64);
    let left = 1.0 - phi;
    ((1.0 + phi) / left - 2.0 * phi * (1.0 - phi.powf(k)) / (k * left * left)) / left
}

/// The factors of the variance at powers of two, and whether dependence explains them.
fn factors(rest: &[f64], single: f64, dependence: f64, longest: usize) -> (Vec<f64>, bool) {
    let mut sums = Sums::new();
    sums.replace(0, rest.iter().copied());
    let (mut found, mut count) = (vec![1.0], 2);
    while count <= longest && MEASURED * count <= rest.len() {
        let steps = (0..=rest.len() - 2 * count)
            .map(|i| (sums.sum(i + count, i + 2 * count) - sums.sum(i, i + count)).abs());
        let size = quantile_of(steps, 0.5) / MIDDLE / count as f64;
        let measured = size * size * count as f64 / (2.0 * single);
        found.push(measured.max(autoregressive(dependence, count)).max(1.0));
        count *= 2;
    }
    let (last, at) = (found[found.len() - 1], count / 2);
    let before = found.len().checked_sub(2).map_or(last, |place| found[place]);
    let power = (last / before).log2().clamp(GROWTH.0, GROWTH.1);
    while count <= longest {
        let grown = last * (count as f64 / at as f64).powf(power);
        found.push(grown.max(autoregressive(dependence, count)));
        count *= 2;
    }
    (found, last <= FLAT * autoregressive(dependence, at).max(1.0))
}

/// The factors of all numbers, from those of powers of two by straight lines.
fn between_powers(factors: &[f64]) -> Vec<f64> {
    let mut all = vec![factors[0], factors[0]];
    for (power, pair) in factors.windows(2).enumerate() {
        let count = 1 << power;
        let slope = (pair[1] - pair[0]) / f64::from(count);
        all.extend((1..count).map(|i| pair[0] + slope * f64::from(i)));
        all.push(pair[1]);
    }
    all
}

/// The mean variance of short windows.
fn local_variance(rest: &[f64], single: f64) -> f64 {
    let length = LOCAL.min(rest.len());
    let (mut sum, mut windows, mut from) = (0.0, 0.0, 0);
    while from + length <= rest.len() {
        let part = &rest[from..from + length];
        let mean = part.iter().sum::<f64>() / length as f64;
        sum += part.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (length - 1) as f64;
        windows += 1.0;
        from += length / 2;
    }
    (sum / windows).max(single / 10.0)
}
