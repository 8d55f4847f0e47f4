//! Fisher's exact test (Fisher 1935) of two counts: whether an event is more frequent on one of two sides.

use crate::special::ln_choose;

/// The test of two counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fisher {
    /// Two-sided p: twice the smaller of the two tails of the hypergeometric distribution, at most 1.
    pub p: f64,
    /// The smallest p that any split of the same number of events could give.
    pub least_p: f64,
}

/// Compares `k` events among `n` units, first side against second, given the total number of events.
///
/// With no event, or an event in every unit, p = 1. Events above the number of units count as that number.
#[must_use]
pub fn fisher(k: [u64; 2], n: [u64; 2]) -> Fisher {
    let k = [k[0].min(n[0]), k[1].min(n[1])];
    let events = k[0] + k[1];
    if events == 0 || events == n[0] + n[1] {
        return Fisher { p: 1.0, least_p: 1.0 };
    }
    let most = events.min(n[0]);
    let least = events - events.min(n[1]);
    let upto = |at: u64| tail(at, least, events, n, false);
    let from = |at: u64| tail(at, most, events, n, true);
    let two_sided = |below: f64, above: f64| (2.0 * below.min(above)).min(1.0);
    Fisher { p: two_sided(upto(k[0]), from(k[0])), least_p: two_sided(upto(least), from(most)) }
}

/// P(K ≤ at), or P(K ≥ at) if `up`, where K of `events` fall on the first side; `end` is the last possible K. The terms
/// follow from each other, from `at` outwards.
fn tail(at: u64, end: u64, events: u64, n: [u64; 2], up: bool) -> f64 {
    let log = ln_choose(n[0], at) + ln_choose(n[1], events - at) - ln_choose(n[0] + n[1], events);
    let (mut term, mut sum, mut k) = (1.0, 1.0, at);
    while k != end {
        let taken = |k: u64| k as f64 * (n[1] - (events - k)) as f64;
        let left = |k: u64| (n[0] - k) as f64 * (events - k) as f64;
        if up {
            term *= left(k) / taken(k + 1);
            k += 1;
        } else {
            term *= taken(k) / left(k - 1);
            k -= 1;
        }
        sum += term;
        // Below the mean of K a term can still grow.
        if term < sum * 1e-18 {
            break;
        }
    }
    (log.exp() * sum).min(1.0)
}
