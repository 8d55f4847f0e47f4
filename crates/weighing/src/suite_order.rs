//! Whether the k-th runs of both builds vary together, over a whole suite: the builds alternated, or shared a disturbance.
//!
//! Pairs of such runs differ by less than the runs, but only who measured knows whether they belong together. So nothing
//! is paired; the answer states by how much it would narrow the intervals.

use statera_kernels as kernels;

use crate::policy::Policy;
use crate::row::{Design, Row, Scale, Warning};
use crate::units::Kept;

/// The minimum number of rows for a statement about all of them.
const ROWS_FROM: usize = 3;
/// Of large suites so many rows tell enough.
const ROWS_TO: usize = 1000;
/// Of long series so many runs do, and of many rows so many show the width of pairs.
const RUNS_TO: usize = 200;
const WIDTHS_TO: usize = 100;
/// The p-value at which the runs count as related.
const CERTAIN: f64 = 0.01;
/// Intervals that become narrower by less are not worth a word.
const WORTH: f64 = 0.1;

/// How the runs of two builds vary together in their order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteOrder {
    /// The mean over rows of the rank correlation between the k-th runs.
    pub rho: f64,
    /// Its p-value, by joint permutations of the runs of all rows.
    pub p: f64,
    /// The width of the intervals of pairs over that of the rows: the median over rows.
    pub width: f64,
    /// Number of rows.
    pub rows: u32,
}

/// Tests the rows that have as many runs in both builds, as most of them have. `None` if their runs are not related, or if
/// pairs would not narrow the intervals.
pub fn look(own: &[usize], rows: &[Row], samples: &[Kept], policy: &Policy) -> Option<SuiteOrder> {
    let possible = |&&i: &&usize| {
        let row = &rows[i];
        // The values of one process are no runs that could have alternated.
        let has_runs = row.design == Design::Independent && !row.warns(Warning::OneProcess);
        has_runs && row.scale == Scale::Ratio && row.p.is_some()
    };
    let both: Vec<(usize, &[f64], &[f64])> = own
        .iter()
        .filter(possible)
        .filter_map(|&i| samples[i].both().map(|(old, new)| (i, old, new)))
        .filter(|(_, old, new)| old.len() == new.len())
        .collect();
    let runs = usual(both.iter().map(|(_, old, _)| old.len()))?;
    let alike: Vec<_> = both.into_iter().filter(|(_, old, _)| old.len() == runs).collect();
    let step = alike.len().div_ceil(ROWS_TO).max(1);
    let told: Vec<_> = alike.into_iter().step_by(step).collect();
    if told.len() < ROWS_FROM {
        return None;
    }
    let first = runs.min(RUNS_TO);
    let found =
        kernels::joint_order(told.iter().map(|(_, old, new)| (&old[..first], &new[..first])), policy.seed)?;
    if found.p > CERTAIN {
        return None;
    }
    let of_some = told.iter().step_by(told.len().div_ceil(WIDTHS_TO));
    let widths: Vec<f64> =
        of_some.filter_map(|&(i, old, new)| narrowed(&rows[i], old, new, policy)).collect();
    let width = kernels::median(&widths);
    (width <= 1.0 - WORTH).then_some(SuiteOrder {
        rho: found.rho,
        p: found.p,
        width,
        rows: told.len() as u32,
    })
}

/// The most frequent number.
fn usual(numbers: impl Iterator<Item = usize>) -> Option<usize> {
    let mut sorted: Vec<usize> = numbers.collect();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])
}

/// The width of the interval of a row's pairs over that of the row; `None` if either has no width.
fn narrowed(row: &Row, old: &[f64], new: &[f64], policy: &Policy) -> Option<f64> {
    let mut differences: Vec<f64> = new.iter().zip(old).map(|(new, old)| new - old).collect();
    differences.sort_unstable_by(f64::total_cmp);
    let paired = kernels::one_sample(&differences, policy.at(row.share).confidence())?.shift.interval;
    let width = (paired.high - paired.low) / (row.change_high.ln_1p() - row.change_low.ln_1p());
    (width.is_finite() && width > 0.0).then_some(width)
}
