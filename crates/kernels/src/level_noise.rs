//! The noise of a series around a level that may change, estimated from differences of neighbours.

use crate::quantile::{median, power_of_two_near, quantile_sorted, sd};

/// Number of values on either side whose running median an outlier is pulled towards.
const REACH: usize = 5;
/// Distance from the running median, in noise scales, beyond which a value is pulled in.
const CLIP: f64 = 3.0;
/// 90 % quantile of the absolute difference of two standard normal values. The median would not work if values
/// come from two levels at random: most neighbours then share a level.
const DIFFERENCE: f64 = 2.326_174_307_353_347;
/// The noise is at least this fraction of the range: below it, the sums of squares lose their digits.
const LEAST_NOISE: f64 = 1e-6;
/// Largest dependence that is taken into account.
const MOST_DEPENDENCE: f64 = 0.9;

/// A series in units of its noise.
pub(crate) struct Standard {
    /// Values minus their median, with outliers pulled in to three units from the running median of eleven.
    pub values: Vec<f64>,
    /// How strongly each value depends on its predecessor (φ of an autoregression), as far as the differences
    /// of neighbours and of values two apart show it; steps do not disturb it.
    pub dependence: f64,
}

/// The series in units of its noise; `None` if all values are equal.
pub(crate) fn standardised(values: &[f64]) -> Option<Standard> {
    let plain = plain(values)?;
    let noise = scale(&plain);
    let values = (0..plain.len()).map(|i| drawn_in(&plain, i, noise) / noise).collect();
    Some(Standard { values, dependence: dependence(&plain) })
}

/// Standard deviation of a value around its level, in the unit of the data; 0 if all values are equal.
pub(crate) fn noise(values: &[f64]) -> f64 {
    plain(values).map_or(0.0, |plain| scale(&plain) * unit(values))
}

/// Values minus their median, divided by [`unit`].
fn plain(values: &[f64]) -> Option<Vec<f64>> {
    let unit = unit(values);
    if values.iter().all(|v| *v == values[0]) || !unit.is_finite() {
        return None;
    }
    let scaled: Vec<f64> = values.iter().map(|v| v / unit).collect();
    let centre = median(&scaled);
    Some(scaled.iter().map(|v| v - centre).collect())
}

/// A power of two near the largest value, so that differences and squares stay in the range of floats.
fn unit(values: &[f64]) -> f64 {
    power_of_two_near(values.iter().fold(0.0_f64, |most, v| most.max(v.abs())))
}

/// From the 90 % quantile of the differences of neighbours, which one change of level in ten values does not
/// affect; if nine in ten differences are 0, as with a coarse clock, from their standard deviation.
fn scale(values: &[f64]) -> f64 {
    let robust = difference(values, 1) / DIFFERENCE;
    let steps: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let noise = if robust > 0.0 { robust } else { sd(&steps) / core::f64::consts::SQRT_2 };
    let most = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    noise.max(LEAST_NOISE * most)
}

/// 90 % quantile of the absolute differences of values `lag` apart.
fn difference(values: &[f64], lag: usize) -> f64 {
    let mut sizes: Vec<f64> = values.windows(lag + 1).map(|run| (run[lag] - run[0]).abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    quantile_sorted(&sizes, 0.9)
}

/// Differences two apart are larger than those of neighbours by √(1 + φ).
fn dependence(values: &[f64]) -> f64 {
    if values.len() < 3 {
        return 0.0;
    }
    let (one, two) = (difference(values, 1), difference(values, 2));
    if one > 0.0 { ((two / one).powi(2) - 1.0).clamp(0.0, MOST_DEPENDENCE) } else { 0.0 }
}

/// The value, or the nearest limit around the running median.
fn drawn_in(values: &[f64], i: usize, noise: f64) -> f64 {
    let window = &values[i.saturating_sub(REACH)..values.len().min(i + REACH + 1)];
    let centre = median(window);
    values[i].clamp(centre - CLIP * noise, centre + CLIP * noise)
}
