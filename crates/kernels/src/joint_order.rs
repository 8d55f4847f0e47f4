//! Whether the k-th units of two samples vary together, tested over many rows that share their units.

use crate::random::{Stream, below};
use crate::rank_order::with_workspace;

/// Number of permutations.
const PERMUTATIONS: u64 = 2000;

/// How two samples vary together in their order, over all rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointOrder {
    /// The mean over rows of Spearman's rank correlation between the k-th units.
    pub rho: f64,
    /// The one-sided p-value of a positive correlation. All rows are permuted alike, so that what they share does not
    /// count once per row.
    pub p: f64,
}

/// Tests whether the k-th units of both samples vary together. `rows` gives both samples of a row, all of one length;
/// rows in which a sample is constant do not count. `None` without a row, or with fewer than four units.
pub fn joint_order<'a>(rows: impl Iterator<Item = (&'a [f64], &'a [f64])>, seed: u64) -> Option<JointOrder> {
    let mut units = None;
    let (mut products, mut count) = (Vec::new(), 0.0);
    for (x, y) in rows {
        let n = *units.get_or_insert(x.len());
        debug_assert!(x.len() == n && y.len() == n, "the rows share their units");
        products.resize(n * n, 0.0);
        let (Some(x), Some(y)) = (standardised(x), standardised(y)) else { continue };
        for (sums, x) in products.chunks_exact_mut(n).zip(&x) {
            sums.iter_mut().zip(&y).for_each(|(sum, y)| *sum += x * y);
        }
        count += 1.0;
    }
    let n = units.filter(|&n| n >= 4 && count > 0.0)?;
    let sum = |order: &[usize]| order.iter().enumerate().map(|(i, &j)| products[i * n + j]).sum::<f64>();
    let mut order: Vec<usize> = (0..n).collect();
    let found = sum(&order);
    // Equal sums may differ in their last digits.
    let least = found - 1e-9 * count;
    let reached = (0..PERMUTATIONS).filter(|&number| {
        let stream = Stream::new(seed, number, 6);
        for i in 0..n - 1 {
            order.swap(i, i + below(stream.bits(i as u64), n - i));
        }
        sum(&order) >= least
    });
    let p = (reached.count() as f64 + 1.0) / (PERMUTATIONS as f64 + 1.0);
    Some(JointOrder { rho: found / count, p })
}

/// The ranks of a sample with mean 0 and sum of squares 1; `None` if all values are equal.
fn standardised(values: &[f64]) -> Option<Vec<f64>> {
    with_workspace(|work| {
        work.order.fill(core::iter::once(values));
        work.order.centred(&mut work.ranks);
        let norm = work.ranks.iter().map(|&rank| (rank * rank) as f64).sum::<f64>().sqrt();
        (norm > 0.0).then(|| work.ranks.iter().map(|&rank| rank as f64 / norm).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_say_the_same_count_once() {
        let (x, y) = ([1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 3.0, 4.0, 5.0]);
        let one = joint_order([(&x[..], &y[..])].into_iter(), 1).unwrap();
        let many = joint_order([(&x[..], &y[..]); 50].into_iter(), 1).unwrap();
        assert!((one.rho - 0.9).abs() < 1e-12 && (many.rho - 0.9).abs() < 1e-12);
        assert_eq!(one.p.to_bits(), many.p.to_bits());
        // 5 of 120 permutations reach a correlation of 0.9.
        assert!((one.p - 5.0 / 120.0).abs() < 0.02, "{one:?}");
    }

    #[test]
    fn constant_rows_do_not_count_and_few_units_tell_nothing() {
        let (x, constant) = ([1.0, 2.0, 3.0, 4.0], [7.0; 4]);
        assert_eq!(joint_order([(&x[..], &constant[..])].into_iter(), 1), None);
        assert_eq!(joint_order([(&x[..3], &x[..3])].into_iter(), 1), None);
        assert_eq!(joint_order(core::iter::empty(), 1), None);
    }
}
