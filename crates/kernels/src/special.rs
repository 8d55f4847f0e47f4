//! Distribution functions of the normal, Student's t and the binomial distribution.
//!
//! All agree with `SciPy` to 1e-12 relative or better, including the far tails.

use core::f64::consts::{FRAC_1_SQRT_2, PI};

/// P(Z ≤ x) of the standard normal; NaN for NaN.
#[must_use]
pub fn norm_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// P(Z > x) of the standard normal, accurate in the far tail; NaN for NaN.
#[must_use]
pub fn norm_sf(x: f64) -> f64 {
    norm_cdf(-x)
}

/// The x with P(Z ≤ x) = p (Wichura 1988, AS 241, about 1e-16); infinite at 0 and 1, NaN outside.
#[must_use]
pub fn norm_quantile(p: f64) -> f64 {
    if p.is_nan() || !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return q * ratio(0.180_625 - q * q, &CENTRE);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    if tail <= 0.0 {
        return f64::INFINITY.copysign(q);
    }
    let r = (-tail.ln()).sqrt();
    let x = if r <= 5.0 { ratio(r - 1.6, &MIDDLE) } else { ratio(r - 5.0, &TAIL) };
    x.copysign(q)
}

/// Coefficients of a numerator and a denominator, highest power first.
type Rational = ([f64; 8], [f64; 8]);

fn ratio(x: f64, (top, bottom): &Rational) -> f64 {
    let value = |c: &[f64; 8]| c.iter().fold(0.0, |sum, a| sum * x + a);
    value(top) / value(bottom)
}

const CENTRE: Rational = (
    [
        2_509.080_928_730_122_7,
        33_430.575_583_588_13,
        67_265.770_927_008_7,
        45_921.953_931_549_87,
        13_731.693_765_509_46,
        1_971.590_950_306_551_3,
        133.141_667_891_784_38,
        3.387_132_872_796_366_5,
    ],
    [
        5_226.495_278_852_854,
        28_729.085_735_721_943,
        39_307.895_800_092_71,
        21_213.794_301_586_597,
        5_394.196_021_424_751,
        687.187_007_492_057_9,
        42.313_330_701_600_91,
        1.0,
    ],
);
const MIDDLE: Rational = (
    [
        0.000_774_545_014_278_341_4,
        0.022_723_844_989_269_184,
        0.241_780_725_177_450_6,
        1.270_458_252_452_368_4,
        3.647_848_324_763_204_5,
        5.769_497_221_460_691,
        4.630_337_846_156_546,
        1.423_437_110_749_683_5,
    ],
    [
        1.050_750_071_644_416_9e-09,
        0.000_547_593_808_499_534_5,
        0.015_198_666_563_616_457,
        0.148_103_976_427_480_08,
        0.689_767_334_985_1,
        1.676_384_830_183_803_8,
        2.053_191_626_637_759,
        1.0,
    ],
);
const TAIL: Rational = (
    [
        2.010_334_399_292_288_1e-07,
        2.711_555_568_743_487_6e-05,
        0.001_242_660_947_388_078_4,
        0.026_532_189_526_576_124,
        0.296_560_571_828_504_87,
        1.784_826_539_917_291_3,
        5.463_784_911_164_114,
        6.657_904_643_501_103,
    ],
    [
        2.044_263_103_389_939_7e-15,
        1.421_511_758_316_446e-07,
        1.846_318_317_510_054_8e-05,
        0.000_786_869_131_145_613_3,
        0.014_875_361_290_850_615,
        0.136_929_880_922_735_8,
        0.599_832_206_555_888,
        1.0,
    ],
);

/// P(T > t) of Student's t with `df` > 0 degrees of freedom (not necessarily an integer); NaN if `df` is not
/// positive.
#[must_use]
pub fn t_sf(t: f64, df: f64) -> f64 {
    if t.is_nan() || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if df > 1e15 {
        return norm_sf(t);
    }
    let tail = 0.5 * two_sided_t(t.abs(), df);
    if t < 0.0 { 1.0 - tail } else { tail }
}

/// P(|T| > t) = `I_x(df/2`, 1/2) at x = df / (df + t²).
fn two_sided_t(t: f64, df: f64) -> f64 {
    if t.is_infinite() {
        return 0.0;
    }
    let (a, b) = (0.5 * df, 0.5);
    let square = t * t / df;
    let (x, y) =
        if square.is_finite() { (1.0 / (1.0 + square), square / (1.0 + square)) } else { (0.0, 1.0) };
    // ln x and ln y without cancellation if t is tiny or huge.
    let log_x = if square.is_finite() { -square.ln_1p() } else { 2.0 * (df.sqrt().ln() - t.ln()) };
    let front = (a * log_x).exp() * y.sqrt() * half_gamma_ratio(a) / PI.sqrt();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, y, a, b)
    } else {
        (1.0 - front * beta_fraction(y, x, b, a)).max(0.0)
    }
}

/// Γ(a + 1/2) / Γ(a), by its asymptotic series, from which the recurrence descends to small a.
fn half_gamma_ratio(a: f64) -> f64 {
    let (mut below, mut above, mut a) = (1.0, 1.0, a);
    while a < 20.0 {
        below *= a;
        above *= a + 0.5;
        a += 1.0;
    }
    // ln Γ(a+1/2) − ln Γ(a) − ln(a)/2 in odd powers of 1/a; the next term is below 1e-16 at a = 20.
    let r = 1.0 / a;
    let s = r * r;
    let series = r
        * (-1.0 / 8.0
            + s * (1.0 / 192.0 + s * (-1.0 / 640.0 + s * (17.0 / 14336.0 + s * (-31.0 / 18432.0)))));
    a.sqrt() * series.exp() * below / above
}

/// The continued fraction of the incomplete beta function (`DiDonato` & Morris 1992), by the modified Lentz method.
///
/// Takes y = 1 − x in addition to x: for large a, x is near 1, and 1 − x computed from x would have lost its
/// digits.
pub(crate) fn beta_fraction(x: f64, y: f64, a: f64, b: f64) -> f64 {
    let guard = |v: f64| if v.abs() < 1e-300 { 1e-300 } else { v };
    let denominator = |m: f64| {
        m + m * (b - m) * x / (a + 2.0 * m - 1.0)
            + (a + m) * (a * y - b * x + 1.0 + m * (1.0 + y)) / (a + 2.0 * m + 1.0)
    };
    let mut value = guard(a * (a * y - b * x + 1.0) / (a + 1.0));
    let (mut c, mut d) = (value, 0.0);
    for step in 1..100_000 {
        let m = f64::from(step);
        let odd = a + 2.0 * m - 1.0;
        let top = (a + m - 1.0) * (a + b + m - 1.0) * m * (b - m) * (x / odd) * (x / odd);
        d = 1.0 / guard(denominator(m) + top * d);
        c = guard(denominator(m) + top / c);
        value *= c * d;
        if (c * d - 1.0).abs() < 3e-16 {
            break;
        }
    }
    1.0 / value
}

/// The t with P(T ≤ t) = p for `df` > 0; infinite at 0 and 1, NaN outside [0, 1] or if `df` is not positive.
#[must_use]
pub fn t_quantile(p: f64, df: f64) -> f64 {
    if p.is_nan() || df.is_nan() || df <= 0.0 || !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if p == 0.5 {
        return 0.0;
    }
    let tail = p.min(1.0 - p);
    if tail <= 0.0 {
        return f64::INFINITY.copysign(p - 0.5);
    }
    t_upper(tail, df).copysign(p - 0.5)
}

/// The t > 0 with P(T > t) = `tail` < 1/2: Newton's steps on the logarithm of the tail, and bisection if they
/// leave the bracket.
fn t_upper(tail: f64, df: f64) -> f64 {
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let mut t = t_near(-norm_quantile(tail), df);
    for _ in 0..2000 {
        if !(low < t && t < high) {
            t = if high < f64::INFINITY { 0.5 * (low + high) } else { 4.0 * low + 1.0 };
        }
        let sf = t_sf(t, df);
        if sf > tail {
            low = t;
        } else {
            high = t;
        }
        let step = (sf / tail).ln() * sf / t_density(t, df);
        t += step;
        // The next step would be about the square of this one.
        if step.abs() <= 1e-9 * t.abs() || high - low <= 1e-16 * low {
            break;
        }
    }
    t
}

/// Approximates the quantile of t that corresponds to the normal quantile z (Abramowitz & Stegun 26.7.5).
fn t_near(z: f64, df: f64) -> f64 {
    let square = z * z;
    z + z * (square + 1.0) / (4.0 * df) + z * ((5.0 * square + 16.0) * square + 3.0) / (96.0 * df * df)
}

fn t_density(t: f64, df: f64) -> f64 {
    let power = -0.5 * (df + 1.0) * (t * t / df).ln_1p();
    half_gamma_ratio(0.5 * df) / (df * PI).sqrt() * power.exp()
}

/// P(B ≤ k) of the binomial with `n` trials of probability `p`; NaN if `p` is not in [0, 1].
#[must_use]
pub fn binomial_cdf(k: u64, n: u64, p: f64) -> f64 {
    if p.is_nan() || !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if k >= n || p == 0.0 {
        return 1.0;
    }
    if p == 1.0 {
        return 0.0;
    }
    if (k as f64) < n as f64 * p {
        lower_tail(k, n, p)
    } else {
        // The upper tail is the smaller one: P(B ≤ k) = 1 − P(n − B ≤ n − k − 1).
        1.0 - lower_tail(n - k - 1, n, 1.0 - p)
    }
}

/// P(B ≤ k) for k below the mean: terms decrease towards 0, so the sum stops when they no longer count.
fn lower_tail(k: u64, n: u64, p: f64) -> f64 {
    let odds = (1.0 - p) / p;
    let mut term = 1.0;
    let mut sum = 0.0;
    for j in (0..=k).rev() {
        sum += term;
        if term < sum * 1e-18 {
            break;
        }
        term *= j as f64 / (n - j + 1) as f64 * odds;
    }
    sum * binomial_density(k, n, p)
}

/// P(B = k), by Loader's saddle-point form (2000), which keeps its digits for large n.
fn binomial_density(k: u64, n: u64, p: f64) -> f64 {
    let (kf, nf) = (k as f64, n as f64);
    if k == 0 {
        return (nf * (-p).ln_1p()).exp();
    }
    if k == n {
        return (nf * p.ln()).exp();
    }
    let rest = nf - kf;
    let log = stirling_error(nf)
        - stirling_error(kf)
        - stirling_error(rest)
        - deviance(kf, nf * p, kf - nf * p)
        - deviance(rest, nf * (1.0 - p), rest - nf * (1.0 - p));
    log.exp() * (nf / (2.0 * PI * kf * rest)).sqrt()
}

/// x·ln(x/m) + m − x without cancellation near x = m; takes x − m as well, which may be known more precisely.
pub(crate) fn deviance(x: f64, m: f64, difference: f64) -> f64 {
    let v = difference / (x + m);
    if v.abs() >= 0.1 {
        return x * (x / m).ln() - difference;
    }
    let mut sum = difference * v;
    let mut term = 2.0 * x * v;
    for j in 1..1000 {
        term *= v * v;
        let next = sum + term / f64::from(2 * j + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// ln Γ(x + 1), which is ln x! for integer x, minus Stirling's leading terms; 0 at 0.
pub(crate) fn stirling_error(x: f64) -> f64 {
    if x == 0.0 {
        return 0.0;
    }
    if x <= 15.0 {
        // e^x / x^x is kept separate from the factorial so that nothing large is subtracted.
        return (libm::tgamma(x + 1.0) / (2.0 * PI * x).sqrt() * (x - x * x.ln()).exp()).ln();
    }
    let s = 1.0 / (x * x);
    (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s / 1188.0)))) / x
}

/// Natural logarithm of n over k; negative infinity where k > n.
#[must_use]
pub fn ln_choose(n: u64, k: u64) -> f64 {
    if k > n {
        return f64::NEG_INFINITY;
    }
    let k = k.min(n - k);
    if k <= 30 {
        // The product itself: at most 30 factors, each at most 2^64.
        let factors = (1..=k).map(|i| (n - k + i) as f64 / i as f64);
        let (log, product) = factors.fold((0.0, 1.0), split_product);
        return log + f64::ln(product);
    }
    let (kf, nf) = (k as f64, n as f64);
    let share = kf / nf;
    kf * -share.ln() - (nf - kf) * (-share).ln_1p() - 0.5 * (2.0 * PI * kf * (1.0 - share)).ln()
        + stirling_error(nf)
        - stirling_error(kf)
        - stirling_error(nf - kf)
}

/// A product stored as (logarithm of the part set aside, factor below 2^500).
fn split_product((log, product): (f64, f64), factor: f64) -> (f64, f64) {
    let next = product * factor;
    if next > 1e150 { (log + next.ln(), 1.0) } else { (log, next) }
}

// Derivatives of the log gamma function, for positive arguments; NaN elsewhere.

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
    use super::*;

    #[test]
    fn values_that_are_known() {
        let euler = 0.577_215_664_901_532_9;
        let near = |a: f64, b: f64| assert!((a - b).abs() <= 4e-15 * b.abs(), "{a} {b}");
        near(digamma(1.0), -euler);
        near(digamma(0.5), -euler - 2.0 * core::f64::consts::LN_2);
        near(trigamma(1.0), PI.powi(2) / 6.0);
        near(trigamma(0.5), PI.powi(2) / 2.0);
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
