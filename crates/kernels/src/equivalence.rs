//! Equivalence by two one-sided tests (Schuirmann 1987): is the change within a margin, and is that shown?

use crate::interval::alpha;
use crate::mann_whitney;
use crate::quantile::{mean, sd};
use crate::shift_interval::{At, ShiftTest};
use crate::signed_rank;
use crate::special::{t_quantile, t_sf};
use crate::{one_sample, two_sample};

/// Two one-sided tests of a change against the ends of a margin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equivalence {
    /// The larger of the two p-values: that of "the change is not within the margin".
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

/// Whether the mean of `y` less that of `x` lies within `low..high`, by Welch's t; α = 1 − `confidence`.
///
/// None for fewer than two values on a side, where neither side varies (no p-value follows from data without spread),
/// and where `low` is above `high`.
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

/// Whether the mean of the paired differences `d` lies within `low..high`, by Student's t; None as [`tost_welch`].
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

/// Whether the typical change of `y` over `x` lies within `low..high`, by the rank test; α = 1 − `confidence`.
///
/// Each one-sided p is half of the two-sided p of [`crate::mann_whitney()`] at that end of the margin, and the interval is
/// that of [`crate::two_sample()`] at 1 − 2α; where so few values cannot attain it, nothing is equivalent. None if a
/// sample is empty, and where `low` is above `high`.
#[must_use]
pub fn tost_rank(x: &[f64], y: &[f64], low: f64, high: f64, confidence: f64) -> Option<Equivalence> {
    let alpha = alpha(confidence);
    let compared = margin(low, high).then(|| two_sample(x, y, 1.0 - 2.0 * alpha))??;
    let (first, second) = mann_whitney::with_workspace(|workspace| {
        workspace.test(x, y);
        (workspace.p(At::Point(low)), workspace.p(At::Point(high)))
    });
    let shift = compared.shift;
    let p = (one_sided(first, low <= shift.estimate), one_sided(second, shift.estimate <= high));
    Some(summary(p, (shift.interval.low, shift.interval.high), (low, high), alpha))
}

/// Whether the typical paired difference lies within `low..high`, by the signed-rank test and [`crate::one_sample()`]; as
/// [`tost_rank`].
#[must_use]
pub fn tost_signed_rank(d: &[f64], low: f64, high: f64, confidence: f64) -> Option<Equivalence> {
    let alpha = alpha(confidence);
    let compared = margin(low, high).then(|| one_sample(d, 1.0 - 2.0 * alpha))??;
    let (first, second) = signed_rank::with_workspace(|workspace| {
        workspace.d.fill(d);
        // The workspace shifts sums of two differences.
        (workspace.p(At::Point(2.0 * low)), workspace.p(At::Point(2.0 * high)))
    });
    let shift = compared.shift;
    let p = (one_sided(first, low <= shift.estimate), one_sided(second, shift.estimate <= high));
    Some(summary(p, (shift.interval.low, shift.interval.high), (low, high), alpha))
}

fn margin(low: f64, high: f64) -> bool {
    low <= high
}

/// One-sided p from a two-sided one: small where the estimate is on the side that the margin's inside lies on.
fn one_sided(p: f64, inside: bool) -> f64 {
    if inside { 0.5 * p } else { 1.0 - 0.5 * p }
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
