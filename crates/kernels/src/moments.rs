//! Moments of a sample and the trimmed mean.

use crate::quantile::{mean, sd};
use crate::ranks::{key, value};

/// Skewness: the adjusted Fisher-Pearson coefficient G1 (Joanes & Gill 1998), no unit.
///
/// NaN for fewer than 3 values and if all are equal.
#[must_use]
pub fn skewness(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let Some([second, third, _]) = central(values).filter(|_| n > 2.0) else {
        return f64::NAN;
    };
    (n * (n - 1.0)).sqrt() / (n - 2.0) * third / (second * second.sqrt())
}

/// Excess kurtosis: the coefficient G2 (Joanes & Gill 1998), which averages 0 over normal samples, no unit.
///
/// NaN for fewer than 4 values and if all are equal.
#[must_use]
pub fn excess_kurtosis(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let Some([second, _, fourth]) = central(values).filter(|_| n > 3.0) else {
        return f64::NAN;
    };
    let excess = fourth / (second * second) - 3.0;
    (n - 1.0) / ((n - 2.0) * (n - 3.0)) * ((n + 1.0) * excess + 6.0)
}

/// Second, third and fourth central moment of the values divided by their largest deviation; `None` if all are
/// equal.
fn central(values: &[f64]) -> Option<[f64; 3]> {
    // Halved: values at opposite ends of the range of floats differ by more than any float can hold.
    let centre = 0.5 * mean(values);
    let largest = values.iter().fold(0.0_f64, |most, v| most.max((0.5 * v - centre).abs()));
    if values.iter().all(|v| *v == values[0]) || largest == 0.0 || !largest.is_finite() {
        return None;
    }
    let n = values.len() as f64;
    let scaled = values.iter().map(|v| (0.5 * v - centre) / largest);
    let rest = scaled.clone().sum::<f64>() / n;
    let mut sums = [0.0; 3];
    for v in scaled {
        let d = v - rest;
        sums[0] += d * d;
        sums[1] += d * d * d;
        sums[2] += d * d * d * d;
    }
    Some(sums.map(|s| s / n))
}

/// Mean of the values left after trimming ⌊`share` · n⌋ at each end, in the unit of the data.
///
/// NaN for no values, and for a fraction outside [0, 1/2).
#[must_use]
pub fn trimmed_mean(values: &[f64], share: f64) -> f64 {
    if !(0.0..0.5).contains(&share) || values.is_empty() {
        return f64::NAN;
    }
    let cut = (share * values.len() as f64) as usize;
    let mut keys: Vec<i64> = values.iter().map(|&v| key(v)).collect();
    keys.sort_unstable();
    let kept: Vec<f64> = keys[cut..keys.len() - cut].iter().map(|&k| value(k)).collect();
    mean(&kept)
}

/// Standard deviation (with n − 1) divided by the absolute value of the mean, no unit.
///
/// NaN for fewer than 2 values and for a mean of 0.
#[must_use]
pub fn coefficient_of_variation(values: &[f64]) -> f64 {
    let centre = mean(values).abs();
    if centre > 0.0 { sd(values) / centre } else { f64::NAN }
}
