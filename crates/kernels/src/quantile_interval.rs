//! Interval of any quantile by order statistics: exact for every continuous distribution, without assumptions
//! on its shape.

use crate::shift::{Interval, alpha};
use crate::special::{binomial_cdf, norm_quantile};

/// A probability that equals the limit except for rounding is within it.
const ROUNDING: f64 = 1.0 + 1e-12;

/// A pair of order statistics of ascending values that covers quantile `p` with at least `confidence`; `level`
/// is the coverage attained. `None` if the sample is too small for any pair, and for `p` outside (0, 1).
///
/// Each end is as far inside as the probability of missing the quantile on its side stays within (1 −
/// confidence) / 2. If one side cannot achieve that, because even the outermost value misses more often, that
/// value is its end, and the other end is as far inside as both probabilities together stay within 1 −
/// confidence.
#[must_use]
pub fn quantile_interval(sorted: &[f64], p: f64, confidence: f64) -> Option<Interval> {
    if p == 0.5 {
        return median_interval(sorted, confidence);
    }
    let alpha = alpha(confidence).min(1.0);
    if sorted.is_empty() || !(alpha > 0.0 && p > 0.0 && p < 1.0) {
        return None;
    }
    let (n, half) = (sorted.len(), 0.5 * alpha);
    // Seen from above, the quantile is the one at 1 − p.
    let (below, above) = (Side { n, p }, Side { n, p: 1.0 - p });
    let (low, high) = match (below.innermost(half), above.innermost(half)) {
        (Some(low), Some(high)) => (low, high),
        (Some(_), None) => (below.innermost(alpha - above.missed(0))?, 0),
        (None, Some(_)) => (0, above.innermost(alpha - below.missed(0))?),
        (None, None) => return None,
    };
    let level = 1.0 - below.missed(low) - above.missed(high);
    // At confidence levels near 0, rounding can make the ends cross.
    (low + high < n).then(|| Interval { low: sorted[low], high: sorted[n - 1 - high], level: level.max(0.0) })
}

/// One end of the interval, with ranks counted from 0 inwards.
#[derive(Clone, Copy)]
struct Side {
    n: usize,
    /// The fraction of values that lie beyond the quantile on this side.
    p: f64,
}

impl Side {
    /// The probability that the quantile lies beyond the value at `rank`, so that at most `rank` values are
    /// beyond the quantile.
    fn missed(self, rank: usize) -> f64 {
        binomial_cdf(rank as u64, self.n as u64, self.p)
    }

    /// The largest rank that misses with a probability of at most `limit`; `None` if rank 0 misses more often.
    fn innermost(self, limit: f64) -> Option<usize> {
        let limit = limit * ROUNDING;
        let fits = |rank: usize| self.missed(rank) <= limit;
        if !fits(0) {
            return None;
        }
        let size = self.n as f64;
        let guess = size * self.p + norm_quantile(limit.min(0.5)) * (size * self.p * (1.0 - self.p)).sqrt();
        let mut rank = if guess.is_finite() { (guess.max(0.0) as usize).min(self.n - 1) } else { 0 };
        while rank + 1 < self.n && fits(rank + 1) {
            rank += 1;
        }
        while !fits(rank) {
            rank -= 1;
        }
        Some(rank)
    }
}

// Interval of a median by order statistics: exact for every continuous distribution, without assumptions on
// its shape.

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
