//! The deviation behind an error that a harness prints: half the width of a confidence interval of 99.9 % of a mean.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// The share of Student's distribution between the bounds of the interval.
const LEVEL: f64 = 0.999;

/// The quantile of the normal distribution at 0.9995.
const NORMAL: f64 = 3.290_526_731_491_895;

/// From these degrees of freedom on the expansion for many is exact to twelve digits.
const MANY: f64 = 1000.0;

/// The standard deviation of `count` samples of whose mean this is the error: s = error · √n / t. Of two samples no
/// harness prints one.
pub(super) fn deviation(error: f64, count: f64) -> Option<f64> {
    let is_known = error > 0.0 && error.is_finite() && count > 2.0 && count.is_finite();
    is_known.then(|| error * count.sqrt() / quantile((count - 1.0).floor()))
}

/// The quantile of Student's distribution at 0.9995.
fn quantile(freedom: f64) -> f64 {
    if freedom >= MANY {
        return expanded(freedom);
    }
    // The share within ±t grows with the angle whose tangent is t / √ν.
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if within(middle, freedom as u32) < LEVEL { low = middle } else { high = middle }
    }
    freedom.sqrt() * f64::midpoint(low, high).tan()
}

/// The share of Student's distribution within ±√ν·tan θ (Abramowitz and Stegun, 26.7.3 and 26.7.4).
fn within(angle: f64, freedom: u32) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    let is_odd = freedom % 2 == 1;
    let (mut term, mut sum) = if is_odd { (cosine, cosine) } else { (1.0, 1.0) };
    let first = if is_odd { 3 } else { 2 };
    for at in (first..freedom.saturating_sub(1)).step_by(2) {
        term *= cosine * cosine * f64::from(at - 1) / f64::from(at);
        sum += term;
    }
    match freedom {
        1 => FRAC_2_PI * angle,
        _ if is_odd => FRAC_2_PI * (angle + sine * sum),
        _ => sine * sum,
    }
}

/// The quantile for many degrees of freedom (Abramowitz and Stegun, 26.7.5).
fn expanded(freedom: f64) -> f64 {
    let z = NORMAL;
    let square = z * z;
    let terms = [
        (square + 1.0) / 4.0,
        ((5.0 * square + 16.0) * square + 3.0) / 96.0,
        (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0,
        ((((79.0 * square + 776.0) * square + 1482.0) * square - 1920.0) * square - 945.0) / 92_160.0,
    ];
    let sum = terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom);
    z * (1.0 + sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_other_programs() {
        // scipy.stats.t.ppf(0.9995, df)
        let quantiles = [
            (1.0, 636.619_248_768_719_6),
            (2.0, 31.599_054_576_443_62),
            (3.0, 12.923_978_636_687_481),
            (5.0, 6.868_826_625_881_11),
            (24.0, 3.745_398_619_290_052),
            (999.0, 3.300_292_440_398_735_5),
            (1000.0, 3.300_282_648_423_913_4),
            (123_456.0, 3.290_605_544_529_297_4),
        ];
        for (freedom, expected) in quantiles {
            let found = quantile(freedom);
            assert!((found / expected - 1.0).abs() < 1e-11, "{freedom}: {found}");
        }
    }

    #[test]
    fn an_error_without_samples_has_no_deviation() {
        for (error, count) in [(0.0, 9.0), (f64::NAN, 9.0), (1.0, 2.0), (1.0, f64::INFINITY), (1.0, f64::NAN)]
        {
            assert_eq!(deviation(error, count), None, "{error} {count}");
        }
        let found = deviation(6.868_826_625_881_11, 6.0).unwrap_or_default();
        assert!((found - 6.0_f64.sqrt()).abs() < 1e-11);
    }
}
