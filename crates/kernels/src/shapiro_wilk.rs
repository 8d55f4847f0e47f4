//! Shapiro-Wilk test of normality (Shapiro & Wilk 1965), with coefficients and p-value by Royston 1995 (AS
//! R94).

use core::f64::consts::{FRAC_1_SQRT_2, PI};
use std::sync::{Arc, OnceLock};

use crate::ranks::{key, value};
use crate::special::{norm_quantile, norm_sf};

/// The sizes for which Royston's approximations are valid.
const SIZES: core::ops::RangeInclusive<usize> = 3..=5000;
/// Coefficients are cached for sizes below this; above, they cost no more than sorting the sample.
const KEPT: usize = 1024;
/// The p of a statistic outside the range of Royston's transformation: smaller than any that it can give.
const NEVER: f64 = 1e-99;

/// A test of the hypothesis that a sample was drawn from some normal distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Normality {
    /// The test statistic; each test documents which.
    pub statistic: f64,
    /// p-value, between 0 and 1.
    pub p: f64,
}

/// W and its p-value. `None` for fewer than 3 or more than 5,000 values, and if all are equal.
#[must_use]
pub fn shapiro_wilk(values: &[f64]) -> Option<Normality> {
    Scratch::default().test(values)
}

/// What a thread reuses from one sample to the next.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    keys: Vec<i64>,
    standard: Vec<f64>,
    weights: Weights,
}

/// Sample size and the coefficients of its upper half, from the largest value inwards.
type Weights = Option<(usize, Arc<[f64]>)>;

impl Scratch {
    /// [`shapiro_wilk`].
    pub(crate) fn test(&mut self, values: &[f64]) -> Option<Normality> {
        let n = values.len();
        if !SIZES.contains(&n) || !self.standardise(values) {
            return None;
        }
        let weights = match &mut self.weights {
            Some((size, weights)) if *size == n => weights,
            other => &mut other.insert((n, weights(n))).1,
        };
        let lack = lack_of_fit(&self.standard, weights);
        let p = if n == 3 { p_of_three(self.standard[1]) } else { p_value(lack, n) };
        Some(Normality { statistic: 1.0 - lack, p })
    }

    /// Sorts the values and scales them to the interval from 0 to 1; false if they are all equal or one is not
    /// finite.
    fn standardise(&mut self, values: &[f64]) -> bool {
        self.keys.clear();
        self.keys.extend(values.iter().map(|&v| key(v)));
        self.keys.sort_unstable();
        let (low, high) = (value(self.keys[0]), value(self.keys[values.len() - 1]));
        // Opposite ends of the range of floats differ by more than any float can hold.
        let unit = if (high - low).is_finite() { 1.0 } else { 0.5 };
        let range = high * unit - low * unit;
        self.standard.clear();
        self.standard.extend(self.keys.iter().map(|&k| (value(k) * unit - low * unit) / range));
        range > 0.0 && range.is_finite()
    }
}

/// 1 − W of ascending values, as the fraction of the variation that the normal scores leave unexplained: a sum
/// of squares, so that nothing cancels if W is close to 1.
fn lack_of_fit(sorted: &[f64], weights: &[f64]) -> f64 {
    let n = sorted.len();
    let mean = sorted.iter().sum::<f64>() / n as f64;
    let slope: f64 = weights.iter().enumerate().map(|(i, a)| a * (sorted[n - 1 - i] - sorted[i])).sum();
    let (mut rest, mut all) = (0.0, 0.0);
    for (i, a) in weights.iter().enumerate() {
        let (low, high) = (sorted[i] - mean, sorted[n - 1 - i] - mean);
        all += low * low + high * high;
        rest += (low + slope * a).powi(2) + (high - slope * a).powi(2);
    }
    if n % 2 == 1 {
        let middle = (sorted[n / 2] - mean).powi(2);
        all += middle;
        rest += middle;
    }
    rest / all
}

/// The exact p of three values 0, t, 1: 6/π · (asin √W − asin √(3/4)), in a form without cancellation.
fn p_of_three(t: f64) -> f64 {
    let near = t.min(1.0 - t);
    6.0 / PI * (3.0_f64.sqrt() * near / (2.0 - near)).atan()
}

/// Royston's p: ln(1 − W) transformed to a normal variate.
fn p_value(lack: f64, n: usize) -> f64 {
    let (size, log_size) = (n as f64, (n as f64).ln());
    let log = lack.ln();
    if n > 11 {
        let mean = polynomial(log_size, &[-1.5861, -0.31082, -0.083751, 0.0038915]);
        let sd = polynomial(log_size, &[-0.4803, -0.082676, 0.0030302]).exp();
        return norm_sf((log - mean) / sd);
    }
    let bound = polynomial(size, &[-2.273, 0.459]);
    if log >= bound {
        return NEVER;
    }
    let mean = polynomial(size, &[0.544, -0.39978, 0.025054, -6.714e-4]);
    let sd = polynomial(size, &[1.3822, -0.77857, 0.062767, -0.0020322]).exp();
    norm_sf((-(bound - log).ln() - mean) / sd)
}

/// Coefficients by ascending power.
fn polynomial(x: f64, coefficients: &[f64]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// Coefficients of the upper half, from the largest value inwards; shared by all threads.
fn weights(n: usize) -> Arc<[f64]> {
    static TABLE: [OnceLock<Arc<[f64]>>; KEPT] = [const { OnceLock::new() }; KEPT];
    match TABLE.get(n) {
        Some(cell) => Arc::clone(cell.get_or_init(|| made(n))),
        None => made(n),
    }
}

/// Royston's coefficients: the outermost one or two by polynomials in 1/√n, the rest in proportion to Blom's
/// normal scores.
fn made(n: usize) -> Arc<[f64]> {
    if n == 3 {
        return Arc::new([FRAC_1_SQRT_2]);
    }
    let size = n as f64;
    let scores: Vec<f64> = (1..=n / 2).map(|i| -norm_quantile((i as f64 - 0.375) / (size + 0.25))).collect();
    let squares = 2.0 * scores.iter().map(|m| m * m).sum::<f64>();
    let (root, small) = (squares.sqrt(), 1.0 / size.sqrt());
    let first =
        scores[0] / root + polynomial(small, &[0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056]);
    let second =
        || scores[1] / root + polynomial(small, &[0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633]);
    let outer = if n > 5 { vec![first, second()] } else { vec![first] };
    let twice = |list: &[f64]| 2.0 * list.iter().map(|v| v * v).sum::<f64>();
    let scale = ((1.0 - twice(&outer)) / (squares - twice(&scores[..outer.len()]))).sqrt();
    let inner = scores[outer.len()..].iter().map(|m| m * scale);
    outer.iter().copied().chain(inner).collect()
}
