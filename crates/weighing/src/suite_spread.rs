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
    let (mut old, mut new, mut logs) = (Vec::new(), Vec::new(), Vec::new());
    for &i in own.iter().filter(|&&i| is_still(&rows[i])) {
        let Some((baseline, contender)) = samples[i].both() else { continue };
        if baseline.len().min(contender.len()) < UNITS_FROM as usize {
            continue;
        }
        let centre = kernels::median(&[baseline, contender].concat());
        let ranks =
            ranks(&[baseline, contender].concat().iter().map(|x| (x - centre).abs()).collect::<Vec<_>>());
        old.push(ranks[..baseline.len()].to_vec());
        new.push(ranks[baseline.len()..].to_vec());
        let log = size(contender) - size(baseline);
        if log.is_finite() {
            logs.push(log);
        }
    }
    if logs.len() < ROWS_FROM {
        return None;
    }
    let by_run = |sides: &[Vec<f64>]| {
        kernels::means_by_run(&sides.iter().map(Vec::as_slice).collect::<Vec<_>>(), sides.len())
    };
    let (old, new) = (by_run(&old), by_run(&new));
    let p = widened(kernels::mann_whitney(&old, &new)?.p, &[&old, &new]);
    let ratio = kernels::median(&logs).exp();
    let found = SuiteSpread { ratio, p, rows: logs.len() as u32 };
    (p <= SHARE * alpha && ratio.max(1.0 / ratio) >= LEAST).then_some(found)
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

/// The ranks of values, ties by their middle, as shares of their number.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let rank = |value: f64| {
        let below = sorted.partition_point(|&other| other < value);
        let upto = sorted.partition_point(|&other| other <= value);
        0.5 * (below + upto) as f64 / sorted.len() as f64
    };
    values.iter().map(|&value| rank(value)).collect()
}
