//! Fisher's F distribution: upper tail and its inverse, for ratios of variances.

use core::f64::consts::PI;

use crate::special::{beta_fraction, deviance};

/// P(F > f) with `df1` and `df2` degrees of freedom (positive, need not be whole); NaN where one is not positive.
#[must_use]
pub fn f_sf(f: f64, df1: f64, df2: f64) -> f64 {
    if f.is_nan() || !degrees(df1) || !degrees(df2) {
        return f64::NAN;
    }
    if f <= 0.0 {
        return 1.0;
    }
    // P(F > f) = I_x(df2 / 2, df1 / 2) at x = df2 / (df2 + df1 f).
    let (x, y) = shares(f, df1, df2);
    let (a, b) = (0.5 * df2, 0.5 * df1);
    let front = front(x, y, a, b);
    if front == 0.0 {
        return if x * (a + b) < a { 0.0 } else { 1.0 };
    }
    let tail = if x * (a + b + 2.0) < a + 1.0 {
        front * beta_fraction(x, y, a, b)
    } else {
        1.0 - front * beta_fraction(y, x, b, a)
    };
    tail.clamp(0.0, 1.0)
}

/// The f with P(F > f) = `tail`; infinite at 0, 0 at 1, NaN outside or where a number of degrees is not positive.
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

/// df2 / (df2 + df1 f) and its complement, both with all their digits.
fn shares(f: f64, df1: f64, df2: f64) -> (f64, f64) {
    let odds = f * (df1 / df2);
    if odds.is_finite() { (1.0 / (1.0 + odds), odds / (1.0 + odds)) } else { (0.0, 1.0) }
}

/// x^a y^b / B(a, b) with y = 1 − x, by the saddle-point form of Loader (2000).
fn front(x: f64, y: f64, a: f64, b: f64) -> f64 {
    if x == 0.0 || y == 0.0 {
        return 0.0;
    }
    let n = a + b;
    let log =
        stirling_rest(n) - stirling_rest(a) - stirling_rest(b) - deviance(a, n * x) - deviance(b, n * y);
    log.exp() * (a * b / (2.0 * PI * n)).sqrt()
}

/// ln Γ(x + 1) less Stirling's leading terms.
fn stirling_rest(x: f64) -> f64 {
    if x <= 15.0 {
        return libm::lgamma(x + 1.0) - (x + 0.5) * x.ln() + x - 0.5 * (2.0 * PI).ln();
    }
    let s = 1.0 / (x * x);
    (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s / 1188.0)))) / x
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
        let (x, y) = shares(f, df1, df2);
        let next = log + (sf / tail).ln() * sf / front(x, y, 0.5 * df2, 0.5 * df1);
        let step = if low < next && next < high { next } else { 0.5 * (low + high) };
        let moved = (step - log).abs();
        log = step;
        if moved <= 1e-15 || high - low <= 1e-15 {
            break;
        }
    }
    log.exp()
}
