//! Ranks within blocks: each row of a table is ranked separately.

use crate::rank_order::RankOrder;

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
