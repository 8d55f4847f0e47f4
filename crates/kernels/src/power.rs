//! What these runs could have shown, and how many more would show it: from the spread, never from the observed effect.

use crate::interval::alpha;
use crate::special::norm_quantile;
use crate::{mann_whitney, signed_rank};

/// The smallest shift found with probability `power`, from the half-width of an interval at `confidence`, in its unit.
#[must_use]
pub fn detectable(half_width: f64, confidence: f64, power: f64) -> f64 {
    let z = -norm_quantile(0.5 * alpha(confidence));
    half_width * (z + norm_quantile(power)) / z
}

/// Runs a side that would find a shift of `margin_log` with probability `power`, from `n` runs with that half-width.
///
/// The half-width falls as the root of the runs. Infinite for a margin of 0; not rounded.
#[must_use]
pub fn runs_needed(n: usize, half_width: f64, margin_log: f64, confidence: f64, power: f64) -> f64 {
    n as f64 * (detectable(half_width, confidence, power) / margin_log).powi(2)
}

/// The smallest n, up to `cap`, for which the Mann-Whitney test of n + n runs can give p · `rows` ≤ `alpha`.
#[must_use]
pub fn least_runs(alpha: f64, rows: usize, cap: usize) -> Option<usize> {
    (1..=cap).find(|&n| mann_whitney::least_p(n, n) * rows as f64 <= alpha)
}

/// The smallest number of pairs, up to `cap`, for which the signed-rank test can give p · `rows` ≤ `alpha`.
#[must_use]
pub fn least_pairs(alpha: f64, rows: usize, cap: usize) -> Option<usize> {
    (1..=cap).find(|&n| signed_rank::least_p(n) * rows as f64 <= alpha)
}
