//! What cells are written from: the rows, their names, and the policy.

use statera_weighing::Weighing;

use crate::field::Names;

/// The input of a cell.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The names that the numbers in rows refer to.
    pub names: Names<'a>,
    /// The rows.
    pub weighing: &'a Weighing,
    /// The confidence level that was requested.
    pub confidence: f64,
    /// Whether the change of the mean has a column.
    pub mean: bool,
}
