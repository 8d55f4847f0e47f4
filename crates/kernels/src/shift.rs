//! The result of comparing two variants: test, estimate and interval of the same procedure.

use crate::interval::Interval;
use crate::test::Test;

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
