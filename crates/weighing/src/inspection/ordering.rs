//! The order in which inspected rows are shown.

use std::cmp::Ordering;

use statera_readers::Observations;

use crate::codes::coded;
use crate::inspection::Inspected;
use crate::ordering::rank;

coded! {
    /// The order of inspected rows.
    pub enum InspectionSort {
        /// The order of the benchmarks in the files.
        File = "file",
        /// By the benchmark's name.
        Name = "name",
        /// By defects, the worst first.
        Defects = "defects",
    }
}

/// The inspected rows of one group and metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InspectionSection {
    /// The group's number.
    pub group: u32,
    /// The metric's number.
    pub metric: u32,
    /// The numbers of its rows.
    pub rows: Vec<u32>,
}

/// Returns the sections by group and metric (times first).
#[must_use]
pub fn sections(rows: &[Inspected], observations: &Observations) -> Vec<InspectionSection> {
    let key = |index: u32| {
        let row = &rows[index as usize];
        (row.group, row.metric)
    };
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    order.sort_by_key(|&index| (key(index).0, rank(observations, key(index).1), key(index).1));
    let section = |rows: &[u32]| {
        let (group, metric) = key(rows[0]);
        InspectionSection { group, metric, rows: rows.to_vec() }
    };
    order.chunk_by(|&a, &b| key(a) == key(b)).map(section).collect()
}

/// Sorts some rows.
#[must_use]
pub fn order(
    rows: &[Inspected],
    observations: &Observations,
    mut shown: Vec<u32>,
    sort: InspectionSort,
) -> Vec<u32> {
    let at = |index: u32| &rows[index as usize];
    match sort {
        InspectionSort::File => {}
        InspectionSort::Name => shown.sort_by_key(|&index| observations.benchmarks.get(at(index).benchmark)),
        InspectionSort::Defects => shown.sort_by(|&a, &b| worse(at(a), at(b))),
    }
    shown
}

/// The worse grade comes first, then more defects of that grade, then the larger change that noise hides.
fn worse(a: &Inspected, b: &Inspected) -> Ordering {
    let hidden = |row: &Inspected| Some(row.plan.detectable).filter(|change| !change.is_nan()).unwrap_or(0.0);
    let serious = |row: &Inspected| row.list().filter(|defect| defect.grade() == row.grade()).count();
    b.grade()
        .cmp(&a.grade())
        .then_with(|| serious(b).cmp(&serious(a)))
        .then_with(|| hidden(b).total_cmp(&hidden(a)))
}
