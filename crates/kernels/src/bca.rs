//! Bias-corrected and accelerated (`BCa`) bootstrap intervals (Efron 1987; Efron & Tibshirani 1993, chapter
//! 14).

use crate::quantile::mean;
use crate::shift::alpha;
use crate::special::{norm_cdf, norm_quantile};

/// The quantiles of a bootstrap distribution that are the ends of an interval.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Levels {
    pub low: f64,
    pub high: f64,
    pub bias_correction: f64,
    pub acceleration: f64,
}

impl Levels {
    /// Equal tails; `None` if `confidence` is not between 0 and 1.
    pub(crate) fn percentile(confidence: f64) -> Option<Self> {
        let tail = 0.5 * alpha(confidence);
        (tail > 0.0 && tail < 0.5).then_some(Self {
            low: tail,
            high: 1.0 - tail,
            bias_correction: 0.0,
            acceleration: 0.0,
        })
    }

    /// The levels of `BCa`, if the fraction `share` of the distribution lies below the estimate; `None` if that
    /// is all of it or nothing.
    pub(crate) fn bca(share: f64, acceleration: f64, confidence: f64) -> Option<Self> {
        let plain = Self::percentile(confidence)?;
        let bias_correction = norm_quantile(share);
        if !bias_correction.is_finite() {
            return None;
        }
        let z = norm_quantile(plain.low);
        let level = |z: f64| {
            let moved = bias_correction + z;
            let rest = 1.0 - acceleration * moved;
            // Beyond the pole of the formula everything is cut off.
            if rest > 0.0 {
                norm_cdf(bias_correction + moved / rest)
            } else {
                f64::from(u8::from(moved > 0.0))
            }
        };
        Some(Self { low: level(z), high: level(-z), bias_correction, acceleration })
    }
}

/// Fraction of the ascending replicates below the estimate, with equal ones counted half.
pub(crate) fn share_below(sorted: &[f64], estimate: f64) -> f64 {
    let below = sorted.partition_point(|r| *r < estimate);
    let upto = sorted.partition_point(|r| *r <= estimate);
    (below + upto) as f64 / (2.0 * sorted.len() as f64)
}

/// The jackknife's influence values, times `sign`: what each value moves the statistic by, times n − 1.
///
/// `jackknife` holds the statistic with each value of a sample left out.
#[must_use]
pub fn influences(jackknife: &[f64], sign: f64) -> Vec<f64> {
    let centre = mean(jackknife);
    let scale = sign * (jackknife.len() as f64 - 1.0);
    jackknife.iter().map(|v| (centre - v) * scale).collect()
}

/// One sixth of the skewness of the influence values, one list per sample; 0 if none has any influence.
pub(crate) fn acceleration(influence: &[Vec<f64>]) -> f64 {
    let largest = influence.iter().flatten().fold(0.0_f64, |most, u| most.max(u.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return 0.0;
    }
    let (mut squares, mut cubes) = (0.0, 0.0);
    for values in influence {
        let n = values.len() as f64;
        let scaled = values.iter().map(|u| u / largest);
        let (square, cube) = scaled.fold((0.0, 0.0), |(s, c), u| (s + u * u, c + u * u * u));
        squares += square / (n * n);
        cubes += cube / (n * n * n);
    }
    cubes / (6.0 * squares * squares.sqrt())
}
