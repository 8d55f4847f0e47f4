//! Anderson-Darling test of normality with estimated mean and standard deviation (Stephens 1974; p-value by
//! D'Agostino & Stephens 1986, table 4.9).

use core::f64::consts::PI;

use crate::quantile::{mean, sd};
use crate::ranks::{key, value};
use crate::shapiro_wilk::Normality;
use crate::special::{norm_cdf, norm_sf};

/// Smallest sample with a p-value.
const LEAST: usize = 8;
/// The p-value above the last adjusted statistic of the table.
const BEYOND: f64 = 3.7e-24;

/// A² and its p-value. `None` for fewer than 8 values, and if all are equal.
#[must_use]
pub fn anderson_darling(values: &[f64]) -> Option<Normality> {
    let standard = (values.len() >= LEAST).then(|| standardised(values))??;
    let n = standard.len();
    let size = n as f64;
    let sum: f64 = (0..n)
        .map(|i| (2 * i + 1) as f64 * (ln_norm_cdf(standard[i]) + ln_norm_cdf(-standard[n - 1 - i])))
        .sum();
    let statistic = -size - sum / size;
    let adjusted = statistic * (1.0 + 0.75 / size + 2.25 / (size * size));
    Some(Normality { statistic, p: p_value(adjusted) })
}

/// Ascending values minus their mean, divided by their standard deviation; `None` if all are equal or one is
/// not finite.
fn standardised(values: &[f64]) -> Option<Vec<f64>> {
    let mut keys: Vec<i64> = values.iter().map(|&v| key(v)).collect();
    keys.sort_unstable();
    let (low, high) = (value(keys[0]), value(keys[keys.len() - 1]));
    // Opposite ends of the range of floats differ by more than any float can hold.
    let unit = if (high - low).is_finite() { 1.0 } else { 0.5 };
    let range = high * unit - low * unit;
    if !(range > 0.0 && range.is_finite()) {
        return None;
    }
    let mut standard: Vec<f64> = keys.iter().map(|&k| (value(k) * unit - low * unit) / range).collect();
    let (centre, spread) = (mean(&standard), sd(&standard));
    for v in &mut standard {
        *v = (*v - centre) / spread;
    }
    Some(standard)
}

fn p_value(a: f64) -> f64 {
    let parabola = |c: [f64; 3]| (c[0] + a * (c[1] + a * c[2])).exp();
    if a < 0.2 {
        1.0 - parabola([-13.436, 101.14, -223.73])
    } else if a < 0.34 {
        1.0 - parabola([-8.318, 42.796, -59.938])
    } else if a < 0.6 {
        parabola([0.9177, -4.279, -1.38])
    } else if a < 10.0 {
        parabola([1.2937, -5.709, 0.0186])
    } else {
        BEYOND
    }
}

/// ln P(Z ≤ x), even where the probability itself is too small for a float.
fn ln_norm_cdf(x: f64) -> f64 {
    if x > 0.0 {
        return (-norm_sf(x)).ln_1p();
    }
    if x > -30.0 {
        return norm_cdf(x).ln();
    }
    // Laplace's series: 1 − 1/x² + 3/x⁴ − 15/x⁶ + …; at −30 the next term is 2e-14, compared with a logarithm
    // of −454.
    let s = 1.0 / (x * x);
    let series = -s * (1.0 - 3.0 * s * (1.0 - 5.0 * s * (1.0 - 7.0 * s * (1.0 - 9.0 * s))));
    -0.5 * x * x - (-x).ln() - 0.5 * (2.0 * PI).ln() + series.ln_1p()
}
