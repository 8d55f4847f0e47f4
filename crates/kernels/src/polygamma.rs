//! Derivatives of the log gamma function, for positive arguments; NaN elsewhere.

/// The recurrence raises arguments to at least this; the asymptotic series are then accurate to 1e-16.
const LARGE: f64 = 10.0;
/// Steps of Newton's method, each of which doubles the number of digits; about three suffice.
const STEPS: usize = 20;

/// The digamma function, the derivative of ln Γ.
#[must_use]
pub fn digamma(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return f64::NAN;
    }
    let (mut x, mut below) = (x, 0.0);
    while x < LARGE {
        below += 1.0 / x;
        x += 1.0;
    }
    let s = 1.0 / (x * x);
    // Bernoulli numbers: B_2k / 2k.
    let series = s
        * (1.0 / 12.0
            - s * (1.0 / 120.0
                - s * (1.0 / 252.0
                    - s * (1.0 / 240.0
                        - s * (1.0 / 132.0
                            - s * (691.0 / 32760.0 - s * (1.0 / 12.0 - s * 3617.0 / 8160.0)))))));
    x.ln() - 0.5 / x - series - below
}

/// The trigamma function, the derivative of [`digamma`].
#[must_use]
pub fn trigamma(x: f64) -> f64 {
    with_derivative(x).0
}

/// The trigamma function and its derivative, both by recurrence and asymptotic series.
fn with_derivative(x: f64) -> (f64, f64) {
    if x.is_nan() || x <= 0.0 {
        return (f64::NAN, f64::NAN);
    }
    let (mut x, mut tri, mut tetra) = (x, 0.0, 0.0);
    while x < LARGE {
        let r = 1.0 / x;
        tri += r * r;
        tetra -= 2.0 * r * r * r;
        x += 1.0;
    }
    let r = 1.0 / x;
    let s = r * r;
    tri += r
        * (1.0
            + 0.5 * r
            + s * (1.0 / 6.0
                - s * (1.0 / 30.0
                    - s * (1.0 / 42.0
                        - s * (1.0 / 30.0
                            - s * (5.0 / 66.0
                                - s * (691.0 / 2730.0 - s * (7.0 / 6.0 - s * 3617.0 / 510.0))))))));
    tetra -= s
        * (1.0
            + r
            + s * (1.0 / 2.0
                - s * (1.0 / 6.0
                    - s * (1.0 / 6.0 - s * (3.0 / 10.0 - s * (5.0 / 6.0 - s * 691.0 / 210.0))))));
    (tri, tetra)
}

/// The x > 0 at which [`trigamma`] is `y`; infinite at 0, 0 at infinity, NaN for negative `y`.
///
/// Newton's method on 1 / trigamma, which is convex: from above the root the steps descend to it (Smyth 2004,
/// appendix); from below, the first step leads above it.
#[must_use]
pub fn trigamma_inverse(y: f64) -> f64 {
    if y.is_nan() || y < 0.0 {
        return f64::NAN;
    }
    if y == 0.0 {
        return f64::INFINITY;
    }
    // Beyond these the leading term suffices: trigamma is 1/x² near 0, and 1/x for large x.
    if y > 1e20 {
        return 1.0 / y.sqrt();
    }
    if y < 1e-18 {
        return 1.0 / y;
    }
    let mut x = match y {
        // The inverse of the asymptotic series, to its third term.
        _ if y < 2.0 => 1.0 / y + 0.5 - y / 12.0,
        _ if y < 4.0 => 1.0 / y + 0.5,
        _ => 1.0 / y.sqrt(),
    };
    for _ in 0..STEPS {
        let (tri, tetra) = with_derivative(x);
        let step = tri * (1.0 - tri / y) / tetra;
        x += step;
        if step.abs() <= 1e-9 * x {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::{digamma, trigamma, trigamma_inverse};

    #[test]
    fn values_that_are_known() {
        let euler = 0.577_215_664_901_532_9;
        let near = |a: f64, b: f64| assert!((a - b).abs() <= 4e-15 * b.abs(), "{a} {b}");
        near(digamma(1.0), -euler);
        near(digamma(0.5), -euler - 2.0 * core::f64::consts::LN_2);
        near(trigamma(1.0), core::f64::consts::PI.powi(2) / 6.0);
        near(trigamma(0.5), core::f64::consts::PI.powi(2) / 2.0);
    }

    #[test]
    fn the_inverse_inverts() {
        for exponent in -170..=190 {
            let y = 10_f64.powf(f64::from(exponent) / 10.0);
            let back = trigamma(trigamma_inverse(y));
            assert!((back - y).abs() <= 1e-14 * y, "{y}: {back}");
        }
        assert_eq!(trigamma_inverse(0.0), f64::INFINITY);
        assert_eq!(trigamma_inverse(f64::INFINITY), 0.0);
        assert!(trigamma_inverse(-1.0).is_nan() && digamma(0.0).is_nan() && trigamma(-1.0).is_nan());
    }
}
