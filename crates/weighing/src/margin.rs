//! The margin of a row: the change that is too small to matter.

use std::collections::HashMap;

use crate::row::{Row, Scale};

/// A change that is too small to matter, relative to the baseline or in the unit of the metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// How much: a part of the baseline, or an amount.
    pub amount: f64,
    /// Whether it is an amount in the unit of the metric.
    pub is_absolute: bool,
}

/// So many roundings at most lie between a change and its margin.
const ROUNDINGS: f64 = 8.0;

/// The margins of single benchmarks, by metric and benchmark: for values that vary, and for exact ones.
pub type OwnMargins = HashMap<(u32, u32), (Margin, Margin)>;

impl From<f64> for Margin {
    fn from(amount: f64) -> Self {
        Self { amount, is_absolute: false }
    }
}

impl Margin {
    /// The margin as a part of a value of this size; of a value of 0 there are no parts.
    #[must_use]
    pub fn relative(self, size: f64) -> f64 {
        match self.is_absolute {
            true if size == 0.0 => 0.0,
            true => self.amount / size.abs(),
            false => self.amount,
        }
    }

    /// The width of the margin around no change, on the scale of the test, for a baseline of this size.
    #[must_use]
    pub fn on(self, scale: Scale, size: f64) -> f64 {
        match scale {
            Scale::Ratio => self.relative(size).ln_1p(),
            Scale::Difference if self.is_absolute => self.amount,
            Scale::Difference => self.amount * size.abs(),
        }
    }

    /// The two ends of the margin as changes of a row. A relative margin m reaches on the ratio scale from 1/(1+m) − 1 to m,
    /// so that swapping the variants mirrors the verdict; an amount reaches as far down as up. A change as large as the
    /// margin lies within it, however both were rounded: 110 of 100 is no more than 10 %.
    #[must_use]
    pub fn ends(self, row: &Row) -> (f64, f64) {
        let size = row.baseline.centre.value;
        let (low, high, whole) = match row.scale {
            Scale::Ratio if self.is_absolute => (-self.relative(size), self.relative(size), 1.0),
            Scale::Ratio => (1.0 / (1.0 + self.amount) - 1.0, self.amount, 1.0),
            Scale::Difference => (-self.on(row.scale, size), self.on(row.scale, size), size.abs()),
        };
        let rounding = if self.amount == 0.0 { 0.0 } else { ROUNDINGS * f64::EPSILON };
        (low - rounding * (whole - low), high + rounding * (whole + high))
    }
}
