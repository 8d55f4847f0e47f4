//! Fisher's F distribution: upper tail and its inverse, for ratios of variances.

use core::f64::consts::PI;

use crate::special::{beta_fraction, deviance, stirling_error};

/// P(F ≥ f) with `df1` and `df2` > 0 degrees of freedom (not necessarily integers); NaN if one is not positive
/// and finite.
#[must_use]
pub fn f_sf(f: f64, df1: f64, df2: f64) -> f64 {
    if f.is_nan() || !degrees(df1) || !degrees(df2) {
        return f64::NAN;
    }
    if f <= 0.0 {
        return 1.0;
    }
    let (a, b) = (0.5 * df2, 0.5 * df1);
    let scale = a + b * f;
    if scale == f64::INFINITY {
        return 0.0;
    }
    // The tail is I_x(a, b) with y = 1 − x; `away` holds the distance of x and y from their expectations to
    // full precision.
    let (x, y) = (a / scale, b * f / scale);
    let away = a * (b * (f - 1.0) / scale);
    let n = a + b;
    let log = stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, n * x, away)
        - deviance(b, n * y, -away);
    let front = log.exp() * (a * b / (2.0 * PI * n)).sqrt();
    if x < (a + 1.0) / (n + 2.0) {
        front * beta_fraction(x, y, a, b)
    } else {
        (1.0 - front * beta_fraction(y, x, b, a)).max(0.0)
    }
}

/// The f with P(F ≥ f) = `tail`; infinite at 0, 0 at 1, NaN outside [0, 1] or if a number of degrees of freedom
/// is not positive.
#[must_use]
pub fn f_upper(tail: f64, df1: f64, df2: f64) -> f64 {
    if tail.is_nan() || !(0.0..=1.0).contains(&tail) || !degrees(df1) || !degrees(df2) {
        return f64::NAN;
    }
    if tail > 0.5 {
        // The other tail keeps its digits: 1/F has the degrees of freedom swapped.
        return 1.0 / f_upper(1.0 - tail, df2, df1);
    }
    if tail == 0.0 { f64::INFINITY } else { inverse(tail, df1, df2) }
}

fn degrees(df: f64) -> bool {
    df > 0.0 && df.is_finite()
}

/// The secant method on the logarithms of f and the tail, within a bracket: in logarithms the tail is nearly
/// straight.
fn inverse(tail: f64, df1: f64, df2: f64) -> f64 {
    let above = |log_f: f64| (f_sf(log_f.exp(), df1, df2) / tail).ln();
    let (mut low, mut high) = (-1.0_f64, 1.0_f64);
    while above(high) > 0.0 && high < 700.0 {
        (low, high) = (high, 2.0 * high);
    }
    while above(low) < 0.0 && low > -700.0 {
        (low, high) = (2.0 * low, low);
    }
    let (mut before, mut at) = (low, high);
    let (mut value_before, mut value) = (above(low), above(high));
    for _ in 0..200 {
        let secant = at - value * (at - before) / (value - value_before);
        let next = if low < secant && secant < high { secant } else { 0.5 * (low + high) };
        (before, value_before) = (at, value);
        (at, value) = (next, above(next));
        (low, high) = if value > 0.0 { (at, high) } else { (low, at) };
        if value == 0.0 || (at - before).abs() <= 1e-15 * at.abs().max(1.0) || high - low <= 1e-15 {
            break;
        }
    }
    at.exp()
}
