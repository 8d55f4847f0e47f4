//! What a table shows: the rows, and what they share.

use statera_weighing::{Row, Weighing};

use crate::field::Names;

/// The input of a table.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The names that the numbers in rows refer to.
    pub names: Names<'a>,
    /// The rows.
    pub weighing: &'a Weighing,
    /// The rows to show, in this order.
    pub shown: &'a [u32],
    /// For each warning bit, the number of its footnote; 0 where it has none.
    pub footnotes: &'a [u8],
    /// The confidence level that was requested.
    pub confidence: f64,
    /// Whether the change of the mean has a column.
    pub mean: bool,
    /// What the rows share if they belong to several pairs of variants, so that each row names its own pair.
    pub pairs: Option<Pairs>,
}

/// What the rows of several pairs of variants share; the heading states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairs {
    /// All rows have the same baseline.
    pub one_baseline: bool,
    /// All rows have the same benchmark.
    pub one_benchmark: bool,
}

impl Pairs {
    /// Returns what the shown rows share; `None` if they belong to one pair.
    #[must_use]
    pub fn of(rows: &[Row], shown: &[u32]) -> Option<Self> {
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
