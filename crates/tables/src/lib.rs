//! Rows as text. The one place where a number gets its written form: whatever the output, the same
//! number looks the same.

mod aligned;
mod cells;
mod columns;
mod comma;
pub mod field;
mod inspection_cells;
mod inspection_fields;
mod inspection_words;
mod json;
pub mod markdown;
pub mod names;
pub mod numbers;
mod pieces;
mod row_fields;

use statera_weighing::Weighing;

use field::Names;

pub use aligned::{Look, aligned};
pub use cells::{CELLS, COLUMNS, Column, cell};
pub use columns::columns;
pub use comma::comma_separated;
pub use inspection_cells::{INSPECTION_COLUMNS, inspection_cells};
pub use inspection_fields::INSPECTED_FIELDS;
pub use inspection_words::{advice, forecast, what};
pub use json::json_rows;
pub use row_fields::ROW_FIELDS;

/// Everything that a table is made of.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// What numbers in rows stand for.
    pub names: Names<'a>,
    /// The rows.
    pub weighing: &'a Weighing,
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
            several |= (row.baseline.variant, row.contender.variant)
                != (first.baseline.variant, first.contender.variant);
            found.one_baseline &= row.baseline.variant == first.baseline.variant;
            found.one_benchmark &= row.benchmark == first.benchmark;
        }
        several.then_some(found)
    }
}
