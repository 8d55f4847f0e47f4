//! Components of the variance by run medians and differences of pairs, which a few slow iterations do not change.

use core::f64::consts::PI;

use crate::quantile::quantile_sorted;
use crate::spread::pooled_spread;

/// The robust components of the variance of iterations grouped by run, in the squared unit of the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RobustComponents {
    /// Variance of normal iterations of one run that differ as much from each other as these do.
    pub within: f64,
    /// Variance of the true medians of the runs; estimates below 0 become 0.
    pub between: f64,
    /// The fraction of `between` in the sum. NaN if nothing varies.
    pub share: f64,
}

/// Robust components of the variance of `groups`, one slice of iterations per run; empty runs are left out.
///
/// `within` is the square of [`pooled_spread`] of the iterations, `between` that of the medians of the runs less the
/// variance that iterations give to a median. `None` for fewer than two runs, or if no run has two iterations.
#[must_use]
pub fn robust_components(groups: &[&[f64]]) -> Option<RobustComponents> {
    let sorted: Vec<Vec<f64>> =
        groups.iter().filter(|group| !group.is_empty()).map(|g| ascending(g)).collect();
    if sorted.len() < 2 || sorted.iter().all(|group| group.len() < 2) {
        return None;
    }
    let sides: Vec<&[f64]> = sorted.iter().map(Vec::as_slice).collect();
    let medians: Vec<f64> = sides.iter().map(|group| quantile_sorted(group, 0.5)).collect();
    let within = pooled_spread(&sides).powi(2);
    let from_within = sides.iter().map(|group| of_a_median(group.len())).sum::<f64>() / sides.len() as f64;
    let between = (pooled_spread(&[&ascending(&medians)]).powi(2) - from_within * within).max(0.0);
    Some(RobustComponents { within, between, share: between / (between + within) })
}

/// The variance of the median of n normal values of variance 1, about π / 2n for large n and within 0.05 for small n.
fn of_a_median(n: usize) -> f64 {
    PI / (2.0 * n as f64 + PI - 2.0)
}

fn ascending(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}
