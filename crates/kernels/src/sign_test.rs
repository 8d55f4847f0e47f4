//! The sign test (Arbuthnott 1710; Dixon & Mood 1946) of paired differences.

use crate::shift::Method;
use crate::shift::Test;
use crate::special::binomial_cdf;

/// Two-sided sign test of differences `d`; None if there are none.
///
/// The statistic is the number of positive differences. Zeros are left out; p is exact, from the binomial
/// distribution of as many fair coins as there are non-zero differences. If all are zero, p = 1. `least_p` is
/// that of `d.len()` differences.
#[must_use]
pub fn sign_test(d: &[f64]) -> Option<Test> {
    if d.is_empty() {
        return None;
    }
    let positive = d.iter().filter(|&&v| v > 0.0).count();
    let negative = d.iter().filter(|&&v| v < 0.0).count();
    Some(Test {
        statistic: positive as f64,
        p: two_sided(positive.min(negative), positive + negative),
        method: Method::Exact,
        least_p: two_sided(0, d.len()),
    })
}

/// The probability that of `n` fair coins at most `fewer` show the same side.
fn two_sided(fewer: usize, n: usize) -> f64 {
    (2.0 * binomial_cdf(fewer as u64, n as u64, 0.5)).min(1.0)
}
