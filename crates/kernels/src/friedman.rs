//! The Friedman test (Friedman 1937) of several treatments in blocks.

use crate::chi_squared::chi_squared_sf;
use crate::rank_order::{RankOrder, Workspace, with_workspace};

/// The outcome of a Friedman test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friedman {
    /// Friedman's χ², corrected for ties.
    pub statistic: f64,
    /// Degrees of freedom: the number of treatments minus one.
    pub df: f64,
    /// P(χ² ≥ statistic), the usual approximation.
    pub p: f64,
    /// Kendall's W = χ² / (blocks · (treatments − 1)): from 0, no agreement of the blocks, to 1, the same order
    /// in all.
    pub kendall_w: f64,
    /// Number of blocks.
    pub blocks: usize,
}

/// Friedman test of a table in row order: each row is a block with one value per treatment, `treatments` in
/// all.
///
/// `None` for fewer than two treatments, no block, or a length that is not a multiple of the treatments. If the
/// values of every block are equal there is no evidence against equality: χ² = 0, p = 1 and W = 0.
#[must_use]
pub fn friedman(values: &[f64], treatments: usize) -> Option<Friedman> {
    let blocks = blocks(values, treatments)?;
    let concordance = with_workspace(|workspace| concordance(workspace, values, treatments));
    let kendall_w = concordance / blocks as f64;
    let df = (treatments - 1) as f64;
    let statistic = concordance * df;
    Some(Friedman { statistic, df, p: chi_squared_sf(statistic, df), kendall_w, blocks })
}

/// Number of blocks of a table; `None` if it is not a table of at least two treatments.
pub(crate) fn blocks(values: &[f64], treatments: usize) -> Option<usize> {
    let fits = treatments >= 2 && !values.is_empty() && values.len().is_multiple_of(treatments);
    fits.then(|| values.len() / treatments)
}

/// Σ (rank sum of a treatment)² / Σ rank², with all ranks centred: n times Kendall's W.
fn concordance(workspace: &mut Workspace, values: &[f64], treatments: usize) -> f64 {
    let Workspace { order, ranks, sums, .. } = workspace;
    sums.clear();
    sums.resize(treatments, 0);
    let mut all = 0_u128;
    each_row(values, treatments, order, ranks, |row| {
        let mut squares = 0;
        for (sum, rank) in sums.iter_mut().zip(row) {
            *sum += rank;
            squares += rank.unsigned_abs().pow(2);
        }
        all += u128::from(squares);
    });
    let between: u128 = sums.iter().map(|s| u128::from(s.unsigned_abs()).pow(2)).sum();
    if all == 0 { 0.0 } else { between as f64 / all as f64 }
}

// Ranks within blocks: each row of a table is ranked separately.

/// Rows up to this length are ranked by comparing all pairs, longer ones by sorting.
const BY_PAIRS: usize = 16;

/// Calls `visit` with the centred doubled ranks (number of values below minus number above) of each row of
/// `treatments` values.
///
/// The common short rows have their own loop, whose length is known at compile time.
pub(crate) fn each_row(
    values: &[f64],
    treatments: usize,
    order: &mut RankOrder,
    ranks: &mut Vec<i64>,
    mut visit: impl FnMut(&[i64]),
) {
    match treatments {
        2 => each_short_row::<2>(values, visit),
        3 => each_short_row::<3>(values, visit),
        4 => each_short_row::<4>(values, visit),
        5 => each_short_row::<5>(values, visit),
        0..=BY_PAIRS => {
            for row in values.chunks_exact(treatments.max(1)) {
                ranks.clear();
                ranks.resize(row.len(), 0);
                by_pairs(row, ranks);
                visit(ranks);
            }
        }
        _ => {
            for row in values.chunks_exact(treatments) {
                order.fill(core::iter::once(row));
                order.centred(ranks);
                visit(ranks);
            }
        }
    }
}

fn each_short_row<const K: usize>(values: &[f64], mut visit: impl FnMut(&[i64])) {
    for row in values.as_chunks::<K>().0 {
        let mut ranks = [0; K];
        by_pairs(row, &mut ranks);
        visit(&ranks);
    }
}

/// Adds 1 for every smaller value and subtracts 1 for every larger one.
#[inline]
fn by_pairs(row: &[f64], ranks: &mut [i64]) {
    for i in 1..row.len() {
        for j in 0..i {
            let sign = i64::from(row[i] > row[j]) - i64::from(row[i] < row[j]);
            ranks[i] += sign;
            ranks[j] -= sign;
        }
    }
}
