//! The outcome of a two-sided test.

use crate::method::Method;

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
