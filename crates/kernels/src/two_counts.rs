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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_are_those_of_r() {
        // binom.test(a, a + b)$p.value
        for (one, other, expected) in [
            (0, 0, 1.0),
            (3, 3, 1.0),
            (0, 5, 0.0625),
            (5, 0, 0.0625),
            (1, 9, 0.021_484_375),
            (8, 12, 0.503_444_671_630_859_4),
        ] {
            let found = two_counts(one, other);
            assert!((found - expected).abs() < 1e-12, "{one} {other}: {found}");
        }
        assert!(two_counts(1_000_000, 1_010_000) < 1e-11);
    }
}
