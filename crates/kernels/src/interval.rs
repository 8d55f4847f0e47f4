//! An interval with the confidence level it attains.

/// A closed interval in the unit of the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The confidence level attained (not merely asked for), between 0 and 1.
    pub level: f64,
}

/// The significance level that belongs to a confidence level: 0.05 for 0.95, to the digit.
///
/// `1.0 - 0.95` is not the number 0.05 but a little more, and `1.0 - 0.9` a little less than 0.1. An exact p-value can
/// equal 0.1, and would then count as significant in one place and as not in another. Every comparison uses this.
#[must_use]
pub fn alpha(confidence: f64) -> f64 {
    ((1.0 - confidence) * 1e12).round() / 1e12
}
