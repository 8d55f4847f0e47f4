//! Bias-corrected and accelerated (`BCa`) bootstrap intervals (Efron 1987; Efron & Tibshirani 1993, chapter
//! 14).

use crate::interval::alpha;
use crate::quantile::{mean, quantile_sorted};
use crate::special::{norm_cdf, norm_quantile};

/// The ends of a `BCa` interval, and the corrections behind them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BcaEnds {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// z0: the normal quantile of the fraction of replicates below the estimate, with ties counted half.
    pub bias_correction: f64,
    /// a: one sixth of the skewness of the jackknife values.
    pub acceleration: f64,
}

/// Computes the `BCa` interval from the replicates of a statistic and its jackknife values (each leaves out one
/// value of the sample), one list per sample.
///
/// Quantiles of the replicates are of type 7. For several samples the acceleration follows Efron & Tibshirani's
/// formula, with each sample's sums divided by its size (as in `SciPy`). If all replicates equal the estimate,
/// the interval is that point. `None` if there are no replicates, if none lies on one side of the estimate, or
/// if `confidence` is not between 0 and 1.
#[must_use]
pub fn bca_ends(replicates: &[f64], estimate: f64, jackknife: &[&[f64]], confidence: f64) -> Option<BcaEnds> {
    let mut sorted = replicates.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let influence: Vec<Vec<f64>> = jackknife.iter().map(|values| influences(values, 1.0)).collect();
    let levels = Levels::bca(share_below(&sorted, estimate), acceleration(&influence), confidence)?;
    Some(BcaEnds {
        low: quantile_sorted(&sorted, levels.low),
        high: quantile_sorted(&sorted, levels.high),
        bias_correction: levels.bias_correction,
        acceleration: levels.acceleration,
    })
}

/// The levels at which the quantiles of a bootstrap distribution are the ends of an interval.
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

/// The influence values of the jackknife, times `sign`: how far each value moves the statistic, times n − 1.
pub(crate) fn influences(jackknife: &[f64], sign: f64) -> Vec<f64> {
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
