//! The order in which rows are shown.

use std::cmp::Ordering;

use statera_readers::{Observations, Quantity};

use crate::codes::coded;
use crate::row::Row;
use crate::verdict::{UNCHANGED, Verdict};
use crate::weighing::Weighing;

coded! {
    /// The order of rows.
    pub enum Sort {
        /// The order of the benchmarks in the files.
        File = "file",
        /// By the benchmark's name.
        Name = "name",
        /// By the size of the change in the bad direction, times and rates first.
        Effect = "effect",
        /// By the size of the change in the good direction, times and rates first.
        Gain = "gain",
        /// By the size of the rise.
        Rise = "rise",
        /// By the size of the fall.
        Fall = "fall",
        /// By the corrected p-value.
        P = "p",
        /// By the verdict; rows that demand action come first, and the undecided before the equivalent.
        Worst = "worst",
    }
}

/// The rows of one group, metric and pair of variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The group's number.
    pub group: u32,
    /// The metric's number.
    pub metric: u32,
    /// The baseline's number.
    pub baseline: u32,
    /// The contender's number.
    pub contender: u32,
    /// The numbers of its rows.
    pub rows: Vec<u32>,
}

/// Times and rates come before sizes, sizes before counts.
pub fn rank(observations: &Observations, metric: u32) -> u8 {
    match observations.metrics[metric as usize].quantity {
        Quantity::Time | Quantity::Throughput => 0,
        Quantity::Bytes => 1,
        Quantity::Count => 2,
        Quantity::Other => 3,
    }
}

impl Weighing {
    /// Returns the sections by group, metric (times first) and pair of variants.
    #[must_use]
    pub fn sections(&self, observations: &Observations) -> Vec<Section> {
        let key = |index: u32| {
            let row = &self.rows[index as usize];
            (row.group, row.metric, row.baseline.variant, row.contender.variant)
        };
        let mut order = self.all();
        order.sort_by_key(|&index| {
            let (group, metric, baseline, contender) = key(index);
            (group, rank(observations, metric), metric, baseline, contender)
        });
        let section = |rows: &[u32]| {
            let (group, metric, baseline, contender) = key(rows[0]);
            Section { group, metric, baseline, contender, rows: rows.to_vec() }
        };
        order.chunk_by(|&a, &b| key(a) == key(b)).map(section).collect()
    }

    /// Sorts rows, all of them or only those that changed.
    #[must_use]
    pub fn order(
        &self,
        observations: &Observations,
        mut rows: Vec<u32>,
        sort: Sort,
        changed: bool,
    ) -> Vec<u32> {
        let at = |index: u32| &self.rows[index as usize];
        if changed {
            rows.retain(|&index| at(index).is_changed());
        }
        let rank = |row: &Row| rank(observations, row.metric);
        match sort {
            Sort::File => {}
            Sort::Name => rows.sort_by_key(|&index| observations.benchmarks.get(at(index).benchmark)),
            _ => rows.sort_by(|&a, &b| {
                let (a, b) = (at(a), at(b));
                match sort {
                    Sort::File | Sort::Name => Ordering::Equal,
                    Sort::Effect => rank(a).cmp(&rank(b)).then_with(|| self.more_harm(a, b)),
                    Sort::Gain => rank(a).cmp(&rank(b)).then_with(|| self.less_harm(a, b)),
                    Sort::Rise => b.rise().total_cmp(&a.rise()),
                    Sort::Fall => a.rise().total_cmp(&b.rise()),
                    Sort::P => p(a).total_cmp(&p(b)),
                    Sort::Worst => {
                        let by_urgency =
                            urgency(a).cmp(&urgency(b)).then_with(|| decided(a).cmp(&decided(b)));
                        by_urgency.then_with(|| self.more_harm(a, b))
                    }
                }
            }),
        }
        rows
    }

    /// More harm first, and of equal harm the larger change.
    pub(crate) fn more_harm(&self, a: &Row, b: &Row) -> Ordering {
        self.harm(b).total_cmp(&self.harm(a)).then_with(|| larger(a, b))
    }

    /// Less harm first, and of equal harm the larger change.
    fn less_harm(&self, a: &Row, b: &Row) -> Ordering {
        self.harm(a).total_cmp(&self.harm(b)).then_with(|| larger(a, b))
    }
}

impl Row {
    /// Whether the row reports a change.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        urgency(self) < UNCHANGED
    }
}

/// Orders rows without a change: the undecided leave the question open, and single values cannot answer it.
pub(crate) fn decided(row: &Row) -> u8 {
    match row.verdict {
        Verdict::Equivalent => 1,
        Verdict::Descriptive => 2,
        _ => 0,
    }
}

/// The urgency of a row; rows that demand action come first.
pub(crate) fn urgency(row: &Row) -> u8 {
    row.verdict.facts().urgency
}

fn larger(a: &Row, b: &Row) -> Ordering {
    b.rise().abs().total_cmp(&a.rise().abs())
}

fn p(row: &Row) -> f64 {
    row.p_corrected.unwrap_or(f64::INFINITY)
}
