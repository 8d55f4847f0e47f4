//! What a comparison comes to: all rows, and what is said of them together.

use std::collections::HashMap;

use statera_readers::Better;

use crate::family::Family;
use crate::grouping::Job;
use crate::interaction::Interaction;
use crate::margin::{Margin, OwnMargins};
use crate::omnibus::Omnibus;
use crate::row::Row;
use crate::suite::Summary;

/// All rows of a comparison, and the summary of each metric.
#[derive(Debug, Default)]
pub struct Weighing {
    /// One row per group, metric, benchmark and pair of variants.
    pub rows: Vec<Row>,
    /// One per group, metric and pair of variants.
    pub summaries: Vec<Summary>,
    /// The rows that carry a p-value, and how they were corrected together.
    pub family: Family,
    /// The share of alpha that tails and spreads take; 0 if none of them could be significant.
    pub shape_share: f64,
    /// Tests over three or more variants, one per group, metric and benchmark.
    pub omnibus: Vec<Omnibus>,
    /// Comparisons of effects between the groups of a factorial layout.
    pub interactions: Vec<Interaction>,
    /// The jobs that have no row because their other side was measured in other circumstances, each with the variant that
    /// has values.
    pub elsewhere: Vec<(Job, u32)>,
    /// The rows of failures of which only all runs together show that the contender fails more, with their means.
    pub failing: HashMap<u32, [f64; 2]>,
    /// For each metric the direction that is better; `None` if unknown.
    pub directions: Vec<Option<Better>>,
    /// The level of the verdicts.
    pub alpha: f64,
    /// For each metric the margin of equivalence; `None` if it is not compared.
    pub margins: Vec<Option<Margin>>,
    /// The margins of benchmarks that have their own.
    pub own_margins: OwnMargins,
}

impl Weighing {
    /// The margin of a row; `None` if its metric is not compared.
    #[must_use]
    pub fn margin(&self, row: &Row) -> Option<Margin> {
        let own = self.own_margins.get(&(row.metric, row.benchmark));
        own.map(|&(margin, _)| margin).or(self.margins[row.metric as usize])
    }
}
