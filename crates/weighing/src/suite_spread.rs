//! The spread of a suite: whether the values of all rows together vary more in one build.
//!
//! Five runs of a row say little about its spread, those of fifty rows much. As rows share their runs, the run is the unit:
//! each has the mean over rows of the ranks of its deviations, and these means are compared like the values of a row.

use statera_kernels as kernels;

use crate::row::{Design, Reason, Row};
use crate::spread::{UNITS_FROM, widened};
use crate::units::Kept;
use crate::verdict::Verdict;

/// The minimum number of rows for a statement about all of them.
const ROWS_FROM: usize = 10;
/// The share of alpha that the statement may spend.
const SHARE: f64 = 0.1;
/// A difference of spreads by less than this factor is of no use to anybody.
const LEAST: f64 = 1.25;

/// The spread of a suite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteSpread {
    /// The standard deviation of the contender's runs over that of the baseline's: the median over rows, without the bias of
    /// few runs.
    pub ratio: f64,
    /// The two-sided p-value of their difference (Mann-Whitney over runs).
    pub p: f64,
    /// Number of rows.
    pub rows: u32,
}

/// Compares the spreads of the rows that show no change, which would be a deviation itself. `None` if they do not differ by
/// a quarter, or not certainly.
pub fn look(own: &[usize], rows: &[Row], samples: &[Kept], alpha: f64) -> Option<SuiteSpread> {
    let still: Vec<(&[f64], &[f64], f64)> = own
        .iter()
        .filter(|&&i| is_still(&rows[i]))
        .filter_map(|&i| samples[i].both())
        .filter(|(old, new)| old.len().min(new.len()) >= UNITS_FROM as usize)
        .map(|(old, new)| (old, new, size(new) - size(old)))
        .filter(|(_, _, log)| log.is_finite())
        .collect();
    let ratio = kernels::median(&still.iter().map(|(_, _, log)| *log).collect::<Vec<f64>>()).exp();
    // Most suites end here, before anything is ranked.
    if still.len() < ROWS_FROM || ratio.max(1.0 / ratio) < LEAST {
        return None;
    }
    let ranked: Vec<(Vec<f64>, usize)> =
        still.iter().map(|(old, new, _)| (ranks_of_distances(&[*old, *new].concat()), old.len())).collect();
    let by_run = |sides: Vec<&[f64]>| kernels::means_by_run(&sides, sides.len());
    let old = by_run(ranked.iter().map(|(ranks, split)| &ranks[..*split]).collect());
    let new = by_run(ranked.iter().map(|(ranks, split)| &ranks[*split..]).collect());
    let p = widened(kernels::mann_whitney(&old, &new)?.p, &[&old, &new]);
    (p <= SHARE * alpha).then_some(SuiteSpread { ratio, p, rows: still.len() as u32 })
}

fn is_still(row: &Row) -> bool {
    let unmoved = !matches!(row.reason, Some(Reason::MovesWithAll | Reason::LevelChanged));
    matches!(row.design, Design::Independent | Design::Nested)
        && row.p.is_some()
        && unmoved
        && matches!(row.verdict, Verdict::Equivalent | Verdict::Inconclusive | Verdict::ShapeChanged)
}

/// The logarithm of a build's standard deviation, without the bias of few normal values.
fn size(values: &[f64]) -> f64 {
    let half = 0.5 * (values.len() as f64 - 1.0);
    kernels::sd(values).ln() - 0.5 * (kernels::polygamma::digamma(half) - half.ln())
}

/// The ranks of the distances of values from their median, ties by their middle, as shares of their number.
fn ranks_of_distances(values: &[f64]) -> Vec<f64> {
    let centre = kernels::median(values);
    let distances: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    let mut sorted = distances.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let rank = |value: f64| {
        let below = sorted.partition_point(|&other| other < value);
        let upto = sorted.partition_point(|&other| other <= value);
        0.5 * (below + upto) as f64 / sorted.len() as f64
    };
    distances.into_iter().map(rank).collect()
}
