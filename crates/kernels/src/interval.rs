//! An interval with the confidence level it attains.

/// A closed interval in the unit of the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The attained (not the requested) confidence level, between 0 and 1.
    pub level: f64,
}

/// The significance level of a confidence level: exactly 0.05 for 0.95.
///
/// `1.0 - 0.95` is slightly more than 0.05, and `1.0 - 0.9` slightly less than 0.1. An exact p-value can equal
/// 0.1, and would then be significant in one place and not in another. Every comparison uses this function.
#[must_use]
pub fn alpha(confidence: f64) -> f64 {
    ((1.0 - confidence) * 1e12).round() / 1e12
}
