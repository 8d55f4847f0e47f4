//! Student's t (1908) of paired differences, for means; parametric.

use crate::mean_interval::mean_interval;
use crate::method::Method;
use crate::quantile::{mean, sd};
use crate::shift::{Comparison, Shift};
use crate::special::t_sf;
use crate::test::Test;

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
