//! The exact test of two counts (Przyborowski & Wilenski 1940): whether two Poisson processes that were watched for one
//! length of time have different rates.

use crate::special::binomial_cdf;

/// The two-sided p-value of two counts: twice the smaller tail of the binomial that they follow, given their sum, where
/// the rates are equal. Without any event it is 1.
#[must_use]
pub fn two_counts(one: u64, other: u64) -> f64 {
    let (fewer, all) = (one.min(other), one.saturating_add(other));
    if all == 0 { 1.0 } else { (2.0 * binomial_cdf(fewer, all, 0.5)).min(1.0) }
}
