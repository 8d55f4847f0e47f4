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
