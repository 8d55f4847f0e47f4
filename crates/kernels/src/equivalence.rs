//! Equivalence by two one-sided tests (Schuirmann 1987): do the data show that the change lies within a margin?

use crate::quantile::{mean, sd};
use crate::shift::alpha;
use crate::shift_interval::At;
use crate::special::{t_quantile, t_sf};
use crate::{mann_whitney, one_sample, signed_rank, two_sample};

/// Two one-sided tests of a change against the ends of a margin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equivalence {
    /// The larger of the two p-values, which is the p-value of "the change is not within the margin".
    pub p: f64,
    /// One-sided p of "the change is at most the lower end of the margin".
    pub p_low: f64,
    /// One-sided p of "the change is at least the upper end of the margin".
    pub p_high: f64,
    /// Lower end of the interval at level 1 − 2α, in the unit of the data.
    pub low: f64,
    /// Upper end of the interval at level 1 − 2α.
    pub high: f64,
    /// Both tests reject at α, and the interval lies within the margin.
    pub equivalent: bool,
}

/// Tests whether the mean of `y` minus that of `x` lies within `low..high`, by Welch's t; α = 1 − `confidence`.
///
/// `None` for fewer than two values on a side, if neither side varies (data without spread give no p-value),
/// and if `low` is above `high`.
#[must_use]
pub fn tost_welch(x: &[f64], y: &[f64], low: f64, high: f64, confidence: f64) -> Option<Equivalence> {
    if x.len() < 2 || y.len() < 2 {
        return None;
    }
    let (ex, ey) = (sd(x) / (x.len() as f64).sqrt(), sd(y) / (y.len() as f64).sqrt());
    let error = ex.hypot(ey);
    // Relative to their sum, so that squares of huge or tiny values stay in range.
    let (sx, sy) = ((ex / error).powi(2), (ey / error).powi(2));
    let df = 1.0 / (sx * sx / (x.len() - 1) as f64 + sy * sy / (y.len() - 1) as f64);
    student(mean(y) - mean(x), error, df, (low, high), confidence)
}

/// Tests whether the mean of the paired differences `d` lies within `low..high`, by Student's t; `None` as for
/// [`tost_welch`].
#[must_use]
pub fn tost_paired(d: &[f64], low: f64, high: f64, confidence: f64) -> Option<Equivalence> {
    if d.len() < 2 {
        return None;
    }
    student(mean(d), sd(d) / (d.len() as f64).sqrt(), (d.len() - 1) as f64, (low, high), confidence)
}

fn student(
    estimate: f64,
    error: f64,
    df: f64,
    (low, high): (f64, f64),
    confidence: f64,
) -> Option<Equivalence> {
    if !margin(low, high) || error == 0.0 {
        return None;
    }
    let alpha = alpha(confidence);
    let half = -error * t_quantile(alpha, df);
    let p = (t_sf((estimate - low) / error, df), t_sf((high - estimate) / error, df));
    Some(summary(p, (estimate - half, estimate + half), (low, high), alpha))
}

/// Tests whether the typical change of `y` over `x` lies within `low..high`, by the rank test; α = 1 −
/// `confidence`.
///
/// Each one-sided p is that of the U of [`crate::mann_whitney()`] at that end of the margin: exact given the
/// ties, whose distribution has unequal tails, or with R's continuity correction. The interval is that of
/// [`crate::two_sample()`] at 1 − 2α; if there are too few values to attain that level, nothing is equivalent.
/// `None` if a sample is empty, and if `low` is above `high`.
#[must_use]
pub fn tost_rank(x: &[f64], y: &[f64], low: f64, high: f64, confidence: f64) -> Option<Equivalence> {
    let alpha = alpha(confidence);
    let compared = margin(low, high).then(|| two_sample(x, y, 1.0 - 2.0 * alpha))??;
    let p = (upper_p(x, y, low), upper_p(y, x, -high));
    let within = compared.shift.interval;
    Some(summary(p, (within.low, within.high), (low, high), alpha))
}

/// Tests whether the typical paired difference lies within `low..high`, by the signed-rank test and
/// [`crate::one_sample()`]; otherwise as [`tost_rank`].
#[must_use]
pub fn tost_signed_rank(d: &[f64], low: f64, high: f64, confidence: f64) -> Option<Equivalence> {
    let alpha = alpha(confidence);
    let compared = margin(low, high).then(|| one_sample(d, 1.0 - 2.0 * alpha))??;
    let turned: Vec<f64> = d.iter().map(|d| -d).collect();
    let upper_p = |d: &[f64], end: f64| {
        signed_rank::with_workspace(|workspace| {
            workspace.d.fill(d);
            // The workspace shifts sums of two differences.
            workspace.upper_p(At::Point(2.0 * end))
        })
    };
    let p = (upper_p(d, low), upper_p(&turned, -high));
    let within = compared.shift.interval;
    Some(summary(p, (within.low, within.high), (low, high), alpha))
}

fn margin(low: f64, high: f64) -> bool {
    low <= high
}

/// One-sided p of "the change of `y` over `x` is at most `end`" by the rank test.
fn upper_p(x: &[f64], y: &[f64], end: f64) -> f64 {
    mann_whitney::with_workspace(|workspace| {
        workspace.test(x, y);
        workspace.arrange(At::Point(end));
        workspace.upper_p()
    })
}

fn summary(
    (p_low, p_high): (f64, f64),
    interval: (f64, f64),
    (low, high): (f64, f64),
    alpha: f64,
) -> Equivalence {
    let p = p_low.max(p_high);
    let within = low <= interval.0 && interval.1 <= high;
    Equivalence { p, p_low, p_high, low: interval.0, high: interval.1, equivalent: p <= alpha && within }
}
