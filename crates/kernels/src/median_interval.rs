//! Interval of a median by order statistics: exact for every continuous distribution, without assumptions on
//! its shape.

use crate::interval::{Interval, alpha};
use crate::special::{binomial_cdf, norm_quantile};

/// Up to this size the binomial probabilities are summed from the first one, because 0.5^n is a normal float.
const SUMMED: usize = 1000;

/// The narrowest pair of symmetric order statistics of ascending values that covers the median with at least
/// `confidence`; `level` is the coverage attained. `None` if the sample is too small for any pair.
#[must_use]
pub fn median_interval(sorted: &[f64], confidence: f64) -> Option<Interval> {
    let alpha = alpha(confidence);
    let (rank, tail) =
        if sorted.len() <= SUMMED { summed(sorted.len(), alpha) } else { searched(sorted.len(), alpha) }?;
    Some(Interval { low: sorted[rank], high: sorted[sorted.len() - 1 - rank], level: 1.0 - 2.0 * tail })
}

/// The largest rank r (from 0) with 2·P(B ≤ r) ≤ alpha, where B is binomial with n trials of probability 1/2,
/// and P(B ≤ r).
fn summed(n: usize, alpha: f64) -> Option<(usize, f64)> {
    let mut term = 0.5_f64.powi(n as i32);
    let mut tail = 0.0;
    let mut found = None;
    for rank in 0..n.div_ceil(2) {
        tail += term;
        if 2.0 * tail > alpha {
            break;
        }
        found = Some((rank, tail));
        term *= (n - rank) as f64 / (rank + 1) as f64;
    }
    found
}

/// The same, starting from a normal approximation.
fn searched(n: usize, alpha: f64) -> Option<(usize, f64)> {
    let tail = |rank: usize| binomial_cdf(rank as u64, n as u64, 0.5);
    let guess = 0.5 * n as f64 + norm_quantile(0.5 * alpha) * 0.5 * (n as f64).sqrt();
    let mut rank = if guess.is_finite() { (guess.max(0.0) as usize).min((n - 1) / 2) } else { 0 };
    while rank < (n - 1) / 2 && 2.0 * tail(rank + 1) <= alpha {
        rank += 1;
    }
    while 2.0 * tail(rank) > alpha {
        rank = rank.checked_sub(1)?;
    }
    Some((rank, tail(rank)))
}
