//! Quantiles, location and spread of one sample. Empty samples give NaN; nothing is reordered.

use crate::ranks::{key, value};

/// Samples up to this size are copied to the stack.
const SMALL: usize = 64;

/// Quantile `p` (clamped to [0, 1]) of ascending values, type 7 of Hyndman & Fan 1996; NaN for no values.
#[must_use]
pub fn quantile_sorted(sorted: &[f64], p: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    if p.is_nan() {
        return f64::NAN;
    }
    let (index, share) = place(last, p);
    between(sorted[index], sorted[(index + 1).min(last)], share)
}

/// Index before the quantile and the fraction of the distance to the next.
fn place(last: usize, p: f64) -> (usize, f64) {
    let at = last as f64 * p.clamp(0.0, 1.0);
    let index = (at.floor() as usize).min(last);
    (index, at - index as f64)
}

fn between(a: f64, b: f64, share: f64) -> f64 {
    if share == 0.0 || a == b {
        return a;
    }
    let step = b - a;
    // Opposite ends of the range of floats differ by more than any float can hold.
    if step.is_finite() { a + share * step } else { (1.0 - share) * a + share * b }
}

/// Quantile of values in any order.
fn quantile(keys: &mut [i64], p: f64) -> f64 {
    let Some(last) = keys.len().checked_sub(1) else {
        return f64::NAN;
    };
    let (index, share) = place(last, p);
    let (_, &mut a, after) = keys.select_nth_unstable(index);
    let b = after.iter().copied().min().unwrap_or(a);
    between(value(a), value(b), share)
}

/// Runs `work` on the order keys of a sample, which are on the stack if it is small.
fn with_keys<T>(values: impl ExactSizeIterator<Item = f64>, work: impl FnOnce(&mut [i64]) -> T) -> T {
    let count = values.len();
    if count <= SMALL {
        let mut buffer = [0_i64; SMALL];
        buffer.iter_mut().zip(values).for_each(|(to, v)| *to = key(v));
        return work(&mut buffer[..count]);
    }
    let mut keys: Vec<i64> = values.map(key).collect();
    work(&mut keys)
}

/// Quantile `p` of values in any order, as of [`quantile_sorted`].
pub(crate) fn quantile_of(values: impl Iterator<Item = f64>, p: f64) -> f64 {
    quantile(&mut values.map(key).collect::<Vec<i64>>(), p)
}

/// Median of values in any order, as of [`median`].
pub(crate) fn median_of(values: impl Iterator<Item = f64>) -> f64 {
    median_of_keys(&mut values.map(key).collect::<Vec<i64>>())
}

fn median_of_keys(keys: &mut [i64]) -> f64 {
    if keys.is_empty() {
        return f64::NAN;
    }
    let middle = keys.len() / 2;
    let even = keys.len().is_multiple_of(2);
    let (before, &mut upper, _) = keys.select_nth_unstable(middle);
    if !even {
        return value(upper);
    }
    let lower = before.iter().copied().max().unwrap_or(upper);
    f64::midpoint(value(lower), value(upper))
}

/// Median; the mean of the two middle values for an even number.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    with_keys(values.iter().copied(), median_of_keys)
}

/// Interquartile range (type 7), in the unit of the data.
#[must_use]
pub fn iqr(values: &[f64]) -> f64 {
    with_keys(values.iter().copied(), |keys| quantile(keys, 0.75) - quantile(keys, 0.25))
}

/// Median absolute deviation from the median, not scaled, in the unit of the data.
#[must_use]
pub fn mad(values: &[f64]) -> f64 {
    let centre = median(values);
    with_keys(values.iter().map(|v| (v - centre).abs()), median_of_keys)
}

/// Arithmetic mean.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let sum: f64 = values.iter().sum();
    let first = if sum.is_finite() { sum / count } else { values.iter().map(|v| v / count).sum() };
    // A second pass over the deviations removes most of the rounding error of the first.
    let rest = values.iter().map(|v| v - first).sum::<f64>() / count;
    if rest.is_finite() { first + rest } else { first }
}

/// Standard deviation with n − 1, in the unit of the data; NaN for fewer than two values.
#[must_use]
pub fn sd(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return f64::NAN;
    }
    let centre = mean(values);
    let largest = values.iter().fold(0.0_f64, |most, v| most.max((v - centre).abs()));
    if largest == 0.0 {
        return 0.0;
    }
    // Squares of 1e300 or 1e-300 leave the range of floats: scale by a power of two, which is exact.
    let scale = if (1e-140..1e140).contains(&largest) { 1.0 } else { power_of_two_near(largest) };
    let squares: f64 = values.iter().map(|v| (v - centre) / scale).map(|v| v * v).sum();
    scale * (squares / (values.len() - 1) as f64).sqrt()
}

pub(crate) fn power_of_two_near(x: f64) -> f64 {
    libm::scalbn(1.0, libm::ilogb(x).clamp(-1022, 1023))
}

/// Geometric mean; NaN unless all values are positive.
#[must_use]
pub fn geometric_mean(values: &[f64]) -> f64 {
    if values.is_empty() || values.iter().any(|&v| v.is_nan() || v <= 0.0) {
        return f64::NAN;
    }
    let logs: f64 = values.iter().map(|v| v.ln()).sum();
    (logs / values.len() as f64).exp()
}
