//! The result of comparing two variants: test, estimate and interval of the same procedure.

/// An estimated shift with the interval that inverts its test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// The estimate, in the unit of the data.
    pub estimate: f64,
    /// Hull of the shifts that the test does not reject.
    pub interval: Interval,
    /// The lower end is 0 and 0 itself is rejected.
    pub low_open: bool,
    /// The upper end is 0 and 0 itself is rejected.
    pub high_open: bool,
}

/// Test, shift and superiority of a contender over a baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// The test of no shift.
    pub test: Test,
    /// The typical shift with its interval.
    pub shift: Shift,
    /// P(contender > baseline) + P(tie) / 2.
    pub superiority: f64,
}

// An interval with the confidence level it attains.

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

// How a p-value was obtained.

/// The null distribution behind a p-value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Exact permutation distribution, conditional on the ties.
    Exact,
    /// Normal approximation with tie and continuity correction.
    Normal,
    /// Student's t (parametric).
    T,
    /// Student's t of a single value against the spread of several (parametric).
    Prediction,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Normal, Self::T, Self::Prediction];

    /// Whether it assumes a distribution of the values, so that relabeling them does not replace it.
    #[must_use]
    pub const fn is_parametric(self) -> bool {
        matches!(self, Self::T | Self::Prediction)
    }

    /// The code that stands in data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Normal => "normal",
            Self::T => "t",
            Self::Prediction => "prediction",
        }
    }
}

// The outcome of a two-sided test.

/// A two-sided test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Test {
    /// The test statistic; each test documents which.
    pub statistic: f64,
    /// Two-sided p-value, between 0 and 1.
    pub p: f64,
    /// How the p-value was obtained.
    pub method: Method,
    /// The smallest p-value that samples of these sizes could give without ties.
    pub least_p: f64,
}
