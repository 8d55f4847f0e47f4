//! Planning: the change that these runs could have detected, and the number of runs that would detect it; from
//! the spread, never from the observed effect.

use crate::shift::alpha;
use crate::special::{norm_quantile, t_quantile};
use crate::{mann_whitney, signed_rank};

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

/// Relative efficiency of the rank test to Welch's t for normal data, 3/π (Hodges & Lehmann 1956); higher for
/// heavier tails, and never below 0.864.
const RELATIVE_EFFICIENCY: f64 = 3.0 / core::f64::consts::PI;
/// More runs than anyone makes; the search for a number of runs ends here.
const MOST_RUNS: usize = 1 << 30;
/// From this size on the smallest p of a sample does not matter, and the larger of two sizes is replaced by
/// this.
const LARGE: usize = 1000;

/// The smallest shift that the Mann-Whitney test of m and n values with this standard deviation detects with
/// probability `power`, in its unit. Computed for normal data, from the t-test at the level that the exact test
/// attains and from its relative efficiency. For other distributions fewer values suffice; rarely are more
/// needed.
///
/// Infinite if no outcome of samples of these sizes is significant.
#[must_use]
pub fn detectable_two_sample(sd: f64, m: usize, n: usize, confidence: f64, power: f64) -> f64 {
    if m == 0 || n == 0 || m + n < 3 {
        return f64::INFINITY;
    }
    let Some(level) = mann_whitney::attained(m.min(LARGE), n.min(LARGE), alpha(confidence)) else {
        return f64::INFINITY;
    };
    let df = (m + n - 2) as f64;
    let error = sd * ((1.0 / m as f64 + 1.0 / n as f64) / RELATIVE_EFFICIENCY).sqrt();
    error * (t_quantile(power, df) - t_quantile(0.5 * level, df)).max(0.0)
}

/// Runs per side with which [`detectable_two_sample`] is at most `change`, in the unit of `sd`: for a relative
/// change use the standard deviation of the logarithms, and ln 1.01 for 1 %.
///
/// Infinite if the change is not positive.
#[must_use]
pub fn runs_for_change(sd: f64, change: f64, confidence: f64, power: f64) -> f64 {
    let enough = |n: usize| detectable_two_sample(sd, n, n, confidence, power) <= change;
    if change.is_nan() || change <= 0.0 || !enough(MOST_RUNS) {
        return f64::INFINITY;
    }
    // Starts at the size that suffices for normal samples of known spread, and searches in growing steps to
    // either side.
    let z = norm_quantile(power) - norm_quantile(0.5 * alpha(confidence));
    let near = ((2.0 / RELATIVE_EFFICIENCY * (z * sd / change).powi(2)) as usize).clamp(1, MOST_RUNS);
    let (mut few, mut many, mut step) = (near, near, 1);
    while few > 0 && enough(few) {
        (few, many, step) = (few.saturating_sub(step), few, 2 * step);
    }
    while !enough(many) {
        (few, many, step) = (many, (many + step).min(MOST_RUNS), 2 * step);
    }
    while many - few > 1 {
        let middle = usize::midpoint(few, many);
        if enough(middle) { many = middle } else { few = middle }
    }
    many as f64
}
