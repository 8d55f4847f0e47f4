//! The share of alpha that a row may spend. An experiment that looks at its results several times, and ends a benchmark
//! once it is decided, has several chances of a false alarm: each look spends a share of alpha (Bonferroni over looks).

use statera_readers::Observations;

use crate::assignment::Assignment;
use crate::grouping::Cells;
use crate::policy::Policy;
use crate::row::Row;

/// The share of a cell in some variants: the smallest share of its values; 1 if the data has none.
pub fn of(
    observations: &Observations,
    assignment: &Assignment,
    cells: &Cells,
    cell: usize,
    variants: &[u32],
) -> f64 {
    if assignment.share_of_context.is_empty() {
        return 1.0;
    }
    let rows = variants.iter().flat_map(|&variant| cells.of(variant).rows(cell));
    let share = |&row: &u32| assignment.share_of_context[observations.context[row as usize] as usize];
    rows.map(share).fold(1.0, f64::min)
}

/// The smallest alpha at which a test with this p-value is significant, if it may spend this share of alpha.
pub fn spent(p: f64, share: f64) -> f64 {
    (p / share).min(1.0)
}

impl Policy {
    /// The policy of a row that may spend this share of alpha.
    pub(crate) fn at(&self, share: f64) -> Self {
        Self { alpha: self.alpha * share, ..*self }
    }
}

impl Row {
    /// The smallest alpha at which a test of the row with this p-value is significant.
    pub(crate) fn spent(&self, p: f64) -> f64 {
        spent(p, self.share)
    }
}
