//! Fisher's F distribution: upper tail and its inverse, for ratios of variances.

use core::f64::consts::PI;

use crate::special::{beta_fraction, deviance, stirling_error};

/// P(F ≥ f) with `df1` and `df2` > 0 degrees of freedom (need not be whole); NaN where one is not positive and finite.
#[must_use]
pub fn f_sf(f: f64, df1: f64, df2: f64) -> f64 {
    if f.is_nan() || !degrees(df1) || !degrees(df2) {
        return f64::NAN;
    }
    if f <= 0.0 {
        return 1.0;
    }
    let Some(Place { x, y, front }) = Place::of(f, df1, df2) else { return 0.0 };
    // The tail is I_x(a, b) with y = 1 − x.
    let (a, b) = (0.5 * df2, 0.5 * df1);
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, y, a, b)
    } else {
        (1.0 - front * beta_fraction(y, x, b, a)).max(0.0)
    }
}

/// The f with P(F ≥ f) = `tail`; infinite at 0, 0 at 1, NaN outside or where a number of degrees is not positive.
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

/// Where f stands on the scale of the beta distribution.
struct Place {
    /// df2 / (df2 + df1 f).
    x: f64,
    /// 1 − x, with all its digits.
    y: f64,
    /// x^a y^b / B(a, b) by the saddle-point form of Loader (2000).
    front: f64,
}

impl Place {
    /// None where f is out of reach.
    fn of(f: f64, df1: f64, df2: f64) -> Option<Self> {
        let (a, b) = (0.5 * df2, 0.5 * df1);
        let scale = a + b * f;
        if scale == f64::INFINITY {
            return None;
        }
        let (x, y) = (a / scale, b * f / scale);
        // What x and y lack to their expectations, to full precision.
        let away = a * (b * (f - 1.0) / scale);
        let n = a + b;
        let log = stirling_error(n)
            - stirling_error(a)
            - stirling_error(b)
            - deviance(a, n * x, away)
            - deviance(b, n * y, -away);
        Some(Self { x, y, front: log.exp() * (a * b / (2.0 * PI * n)).sqrt() })
    }
}

/// Bisection of ln f until close, then Newton's steps on the logarithm of the tail.
fn inverse(tail: f64, df1: f64, df2: f64) -> f64 {
    let (mut low, mut high) = (-1.0_f64, 1.0_f64);
    while f_sf(high.exp(), df1, df2) > tail && high < 700.0 {
        (low, high) = (high, 2.0 * high);
    }
    while f_sf(low.exp(), df1, df2) < tail && low > -700.0 {
        (low, high) = (2.0 * low, low);
    }
    let mut log = 0.5 * (low + high);
    for _ in 0..200 {
        let f = log.exp();
        let sf = f_sf(f, df1, df2);
        if sf > tail {
            low = log;
        } else {
            high = log;
        }
        let slope = Place::of(f, df1, df2).map_or(0.0, |place| place.front);
        let next = log + (sf / tail).ln() * sf / slope;
        let step = if low < next && next < high { next } else { 0.5 * (low + high) };
        let moved = (step - log).abs();
        log = step;
        if moved <= 1e-15 || high - low <= 1e-15 {
            break;
        }
    }
    log.exp()
}
