//! Quade's test (Quade 1979) of several treatments in blocks weighted by their spread.

use crate::f_distribution::f_sf;
use crate::friedman::blocks;
use crate::friedman::each_row;
use crate::rank_order::{Workspace, with_workspace};

/// The outcome of Quade's test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quade {
    /// Quade's F; infinite if all blocks agree completely.
    pub statistic: f64,
    /// Degrees of freedom of the numerator: the number of treatments minus one.
    pub df1: f64,
    /// Degrees of freedom of the denominator: `df1` times the number of blocks minus one.
    pub df2: f64,
    /// P(F ≥ statistic), the usual approximation; exact if the statistic is infinite.
    pub p: f64,
    /// Number of blocks.
    pub blocks: usize,
}

/// Quade's test of a table in row order: each row is a block with one value per treatment, `treatments` in all.
///
/// The ranks of a block are weighted by the rank of its range, so that a block with large differences between
/// the treatments counts for more. `None` for fewer than two treatments or blocks, or a length that is not a
/// multiple of the treatments.
///
/// If all blocks have the same order and the same weight, the denominator of F is 0. Then p is the probability
/// of such an agreement, (1 / k!)^(b − 1) for k treatments and b blocks (Conover 1999, 5.8); with ties inside
/// the blocks, the number of distinguishable orders replaces k!. If the values of every block are equal, F = 0
/// and p = 1.
#[must_use]
pub fn quade(values: &[f64], treatments: usize) -> Option<Quade> {
    let blocks = blocks(values, treatments).filter(|&blocks| blocks >= 2)?;
    Some(with_workspace(|workspace| {
        let (df1, others) = ((treatments - 1) as f64, (blocks - 1) as f64);
        let (all, between) = squares(workspace, values, treatments);
        let (statistic, p) = if all == 0 {
            (0.0, 1.0)
        } else if all == between {
            (f64::INFINITY, orders(workspace, &values[..treatments]).powf(-others))
        } else {
            let f = others * (between as f64 / (all - between) as f64);
            (f, f_sf(f, df1, df1 * others))
        };
        Quade { statistic, df1, df2: df1 * others, p, blocks }
    }))
}

/// The number of blocks times the sum of squares of the weighted ranks, and the sum over the treatments of the
/// square of their sum. Both are integers, so rounding cannot make their difference 0.
fn squares(workspace: &mut Workspace, values: &[f64], treatments: usize) -> (i128, i128) {
    let Workspace { order, ranks, weights, sums, ranges } = workspace;
    ranges.clear();
    ranges.extend(values.chunks_exact(treatments).map(range));
    order.fill(core::iter::once(&ranges[..]));
    order.centred(weights);
    sums.clear();
    sums.resize(treatments, 0);
    // The doubled midrank is the centred one plus the number of blocks plus one.
    let mean = ranges.len() as i64 + 1;
    let mut weights = weights.iter().map(|centred| centred + mean);
    let mut all = 0;
    each_row(values, treatments, order, ranks, |row| {
        let weight = weights.next().unwrap_or(0);
        let mut squares = 0;
        for (sum, rank) in sums.iter_mut().zip(row) {
            *sum += weight * rank;
            squares += rank * rank;
        }
        all += i128::from(weight * weight) * i128::from(squares);
    });
    let between = sums.iter().map(|&sum| i128::from(sum).pow(2)).sum();
    (all * ranges.len() as i128, between)
}

fn range(row: &[f64]) -> f64 {
    let ends = |(low, high): (f64, f64), &v: &f64| (low.min(v), high.max(v));
    let (low, high) = row.iter().fold((f64::INFINITY, f64::NEG_INFINITY), ends);
    high - low
}

/// Number of distinguishable orders of a block: k! divided by the product of t! over its groups of t equal
/// values.
fn orders(workspace: &mut Workspace, block: &[f64]) -> f64 {
    workspace.order.fill(core::iter::once(block));
    let (mut orders, mut placed) = (1.0, 0.0);
    for group in workspace.order.ties() {
        for member in 1..=group.len() {
            placed += 1.0;
            orders = orders * placed / member as f64;
        }
    }
    orders
}
