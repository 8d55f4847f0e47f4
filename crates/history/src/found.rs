//! What a series shows on a line.

use statera_kernels::change_points::Changes;

/// What a series shows on a line.
#[derive(Debug, Clone)]
pub struct Found {
    /// Number of the line.
    pub line: usize,
    /// Number of the series.
    pub series: usize,
    /// The jobs of its values, in order.
    pub jobs: Vec<u32>,
    /// The position of the commit of each.
    pub commits: Vec<u32>,
    /// The place of each on its line.
    pub places: Vec<u32>,
    /// How many jobs the line has.
    pub line_length: usize,
    /// The values: the medians of the jobs.
    pub values: Vec<f64>,
    /// How many jobs have a value that is not finite.
    pub left_out: usize,
    /// Whether the metric is exact, so that every other value is a change.
    pub exact: bool,
    /// Positions in it count the values.
    pub changes: Changes,
    /// The least p of the points, corrected over all series (Benjamini & Hochberg 1995); NaN without a p.
    pub corrected: f64,
}

impl Found {
    /// For each value whether it is the first of its commit, so that a change may begin at it.
    pub(crate) fn begins(&self) -> Vec<bool> {
        (0..self.commits.len()).map(|at| at == 0 || self.commits[at] != self.commits[at - 1]).collect()
    }
}
