//! Rows as text. The one place where a number gets its written form: whatever the output, the same
//! number looks the same.

mod aligned;
mod cells;
mod comma;
pub mod inspection;
mod inspection_cells;
mod inspection_words;
mod json;
pub mod markdown;
pub mod names;
pub mod numbers;

use statera_readers::Observations;
use statera_weighing::Weighing;

pub use aligned::{Layout, aligned};
pub use cells::{COLUMNS, Column, cell, cell_words, design};
pub use comma::comma_separated;
pub use inspection_cells::{INSPECTION_COLUMNS, inspection_cells};
pub use inspection_words::{advice, forecast, what};
pub use json::{json_rows, warnings as row_warnings};

/// Everything that a table is made of.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// Names, metrics.
    pub observations: &'a Observations,
    /// The rows.
    pub weighing: &'a Weighing,
    /// The variants' labels.
    pub labels: &'a [String],
    /// The groups' labels.
    pub groups: &'a [String],
    /// The rows to show, in this order.
    pub shown: &'a [u32],
    /// For each warning bit, the number of its footnote; 0 where it has none.
    pub footnotes: &'a [u8],
    /// The level of intervals that was asked for.
    pub confidence: f64,
    /// Where the rows are of several pairs of variants, so that each names its own: what they share.
    pub pairs: Option<Pairs>,
}

/// What rows of several pairs of variants share, which then stands in the heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairs {
    /// All have the same baseline.
    pub one_baseline: bool,
    /// All are of the same benchmark.
    pub one_benchmark: bool,
}

impl Pairs {
    /// Looks at rows; None where they are of one pair.
    #[must_use]
    pub fn of(rows: &[statera_weighing::Row], shown: &[u32]) -> Option<Self> {
        let mut shown = shown.iter().map(|&index| &rows[index as usize]);
        let first = shown.next()?;
        let mut found = Self { one_baseline: true, one_benchmark: true };
        let mut several = false;
        for row in shown {
            several |= (row.base, row.contender) != (first.base, first.contender);
            found.one_baseline &= row.base == first.base;
            found.one_benchmark &= row.benchmark == first.benchmark;
        }
        several.then_some(found)
    }
}
