//! Welch's t (Welch 1947) of two independent samples, for few values per side; parametric. It needs of each sample only
//! the mean, its standard error and the degrees of freedom.

use crate::mean_interval::mean_interval;
use crate::quantile::{mean, sd};
use crate::ranks::{Arrangement, Distinct, compare};
use crate::shift::Method;
use crate::shift::Test;
use crate::shift::{Comparison, Shift};
use crate::shift::{Interval, alpha};
use crate::special::{t_quantile, t_sf};

/// Compares the mean of `y` with that of `x`, in the unit of the data (pass logarithms to compare ratios).
///
/// `None` for fewer than two values on a side, and if neither side varies but the means differ: data without
/// spread give no p-value. Equal means without spread give p = 1. The statistic is t, positive if y is larger.
#[must_use]
pub fn welch(x: &[f64], y: &[f64], confidence: f64) -> Option<Comparison> {
    if x.len() < 2 || y.len() < 2 {
        return None;
    }
    let of = |values: &[f64]| MeanOf::summary(mean(values), sd(values), values.len() as f64);
    Some(Comparison { superiority: superiority(x, y), ..welch_of_means(of(x)?, of(y)?, confidence)? })
}

/// A mean with its standard error, in the unit of the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanOf {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// The degrees of freedom of the error.
    pub freedom: f64,
}

impl MeanOf {
    /// The mean of `count` values with this standard deviation. `None` for fewer than two values.
    #[must_use]
    pub fn summary(mean: f64, deviation: f64, count: f64) -> Option<Self> {
        (count >= 2.0).then(|| Self { mean, error: deviation / count.sqrt(), freedom: count - 1.0 })
    }

    /// The logarithm of a positive mean; the error is that of the delta method, error / mean.
    #[must_use]
    pub fn log(self) -> Self {
        Self { mean: self.mean.ln(), error: self.error / self.mean, ..self }
    }

    /// Its t interval.
    #[must_use]
    pub fn interval(self, confidence: f64) -> Interval {
        let half = -self.error * t_quantile(0.5 * alpha(confidence), self.freedom);
        Interval { low: self.mean - half, high: self.mean + half, level: confidence }
    }
}

/// Compares two means by their standard errors. The superiority is unknown: NaN.
///
/// `None` if neither has an error but they differ. Equal means without error give p = 1.
#[must_use]
pub fn welch_of_means(x: MeanOf, y: MeanOf, confidence: f64) -> Option<Comparison> {
    let estimate = y.mean - x.mean;
    let error = x.error.hypot(y.error);
    if error == 0.0 && estimate != 0.0 {
        return None;
    }
    let (statistic, p, half) = if error == 0.0 {
        (0.0, 1.0, 0.0)
    } else {
        // Relative to their sum, so that squares of huge or tiny values stay in range.
        let (sx, sy) = ((x.error / error).powi(2), (y.error / error).powi(2));
        let df = 1.0 / (sx * sx / x.freedom + sy * sy / y.freedom);
        let t = estimate / error;
        (t, (2.0 * t_sf(t.abs(), df)).min(1.0), -error * t_quantile(0.5 * alpha(confidence), df))
    };
    let interval = Interval { low: estimate - half, high: estimate + half, level: confidence };
    Some(Comparison {
        test: Test { statistic, p, method: Method::T, least_p: 0.0 },
        shift: Shift { estimate, interval, low_open: false, high_open: false },
        superiority: f64::NAN,
    })
}

/// P(y > x) + P(tie) / 2.
fn superiority(x: &[f64], y: &[f64]) -> f64 {
    let (mut first, mut second, mut both) =
        (Distinct::default(), Distinct::default(), Arrangement::default());
    first.fill(x);
    second.fill(y);
    both.merge((&first.values, &first.sizes), (&second.values, &second.sizes), |a, b| compare(b, a));
    both.doubled as f64 / 2.0 / (x.len() as f64 * y.len() as f64)
}

// Student's t (1908) of paired differences, for means; parametric.

/// Tests that the differences `d` have mean 0, in the unit of the data; the interval is that of [`mean_interval`].
///
/// None for fewer than two differences, and where all are the same and not 0: no p-value follows from data without
/// spread. Differences that are all 0 give p = 1. The statistic is t, positive where the mean is.
#[must_use]
pub fn student(d: &[f64], confidence: f64) -> Option<Comparison> {
    let interval = mean_interval(d, confidence)?;
    let (estimate, error) = (mean(d), sd(d) / (d.len() as f64).sqrt());
    if error == 0.0 && estimate != 0.0 {
        return None;
    }
    let statistic = if error == 0.0 { 0.0 } else { estimate / error };
    let p = (2.0 * t_sf(statistic.abs(), (d.len() - 1) as f64)).min(1.0);
    let above = d.iter().filter(|&&d| d > 0.0).count() as f64;
    let ties = d.iter().filter(|&&d| d == 0.0).count() as f64;
    Some(Comparison {
        test: Test { statistic, p, method: Method::T, least_p: 0.0 },
        shift: Shift { estimate, interval, low_open: false, high_open: false },
        superiority: (above + ties / 2.0) / d.len() as f64,
    })
}
