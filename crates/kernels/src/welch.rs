//! Welch's t (Welch 1947) of two independent samples, for few values per side; parametric.

use crate::interval::{Interval, alpha};
use crate::method::Method;
use crate::quantile::{mean, sd};
use crate::ranks::{Arrangement, Distinct, compare};
use crate::shift::{Comparison, Shift};
use crate::special::{t_quantile, t_sf};
use crate::test::Test;

/// Compares the mean of `y` with that of `x`, in the unit of the data (pass logarithms to compare ratios).
///
/// `None` for fewer than two values on a side, and if neither side varies but the means differ: data without
/// spread give no p-value. Equal means without spread give p = 1. The statistic is t, positive if y is larger.
#[must_use]
pub fn welch(x: &[f64], y: &[f64], confidence: f64) -> Option<Comparison> {
    if x.len() < 2 || y.len() < 2 {
        return None;
    }
    let estimate = mean(y) - mean(x);
    let (vx, vy) = (sd(x) / (x.len() as f64).sqrt(), sd(y) / (y.len() as f64).sqrt());
    let error = vx.hypot(vy);
    if error == 0.0 && estimate != 0.0 {
        return None;
    }
    let (statistic, p, half) = if error == 0.0 {
        (0.0, 1.0, 0.0)
    } else {
        // Relative to their sum, so that squares of huge or tiny values stay in range.
        let (sx, sy) = ((vx / error).powi(2), (vy / error).powi(2));
        let df = 1.0 / (sx * sx / (x.len() - 1) as f64 + sy * sy / (y.len() - 1) as f64);
        let t = estimate / error;
        (t, (2.0 * t_sf(t.abs(), df)).min(1.0), -error * t_quantile(0.5 * alpha(confidence), df))
    };
    let interval = Interval { low: estimate - half, high: estimate + half, level: confidence };
    Some(Comparison {
        test: Test { statistic, p, method: Method::T, least_p: 0.0 },
        shift: Shift { estimate, interval, low_open: false, high_open: false },
        superiority: superiority(x, y),
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
