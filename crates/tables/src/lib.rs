//! Rows as text. The one place where a number gets its written form: whatever the output, the same
//! number looks the same.

mod aligned;
mod cells;
mod comma;
mod json;
pub mod markdown;
pub mod names;
pub mod numbers;

use statera_readers::Observations;
use statera_weighing::Weighing;

pub use aligned::{Layout, aligned};
pub use cells::{COLUMNS, Column, cell, cell_words, design};
pub use comma::comma_separated;
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
    /// Whether the rows are of several pairs of variants, so that each names its own.
    pub pairs: bool,
}
