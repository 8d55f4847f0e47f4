//! Null distribution of Wilcoxon's signed-rank statistic, exact and normal (Wilcoxon 1945).

use std::sync::OnceLock;

use crate::special::norm_sf;
use crate::subset_counts::{Sums, gcd};

/// Fewer non-zero differences than this are tested exactly.
pub(crate) const EXACT_BELOW: usize = 50;

/// Two-sided p-values of n untied differences by V, for V up to its mean.
pub(crate) fn untied_table(n: usize) -> &'static [f64] {
    static TABLES: [OnceLock<Box<[f64]>>; EXACT_BELOW] = [const { OnceLock::new() }; EXACT_BELOW];
    TABLES.get(n).map_or(&[], |table| table.get_or_init(|| two_sided(n)))
}

fn two_sided(n: usize) -> Box<[f64]> {
    let mut counts = vec![0_u64; n * (n + 1) / 4 + 1];
    counts[0] = 1;
    for rank in 1..=n {
        for v in (rank..counts.len()).rev() {
            counts[v] += counts[v - rank];
        }
    }
    let total = (1_u64 << n) as f64;
    let mut below = 0;
    let twice_below = counts.iter().map(|count| {
        below += count;
        (2 * below) as f64
    });
    twice_below.map(|twice| (twice / total).min(1.0)).collect()
}

/// Exact two-sided p of n untied differences with statistic `v`.
pub(crate) fn untied_p(n: usize, v: u64) -> f64 {
    let most = (n * (n + 1) / 2) as u64;
    let v = v.min(most - v.min(most));
    untied_table(n).get(v as usize).copied().unwrap_or(1.0)
}

/// One-sided p of n untied differences: P(V ≤ `v`).
pub(crate) fn untied_at_most(n: usize, v: u64) -> f64 {
    let most = (n * (n + 1) / 2) as u64;
    let half = |v: u64| untied_table(n).get(v as usize).map_or(1.0, |p| 0.5 * p);
    // The table holds both tails together up to the mean, where they meet.
    match most.saturating_sub(v) {
        above if above > v => half(v),
        0 => 1.0,
        above => 1.0 - half(above - 1),
    }
}

/// Two-sided p by the normal approximation; `doubled` is 2V, `zeros` the number of ranked zeros (Pratt), 0 if
/// dropped.
pub(crate) fn normal_p(nonzero: u64, zeros: u64, doubled: u64, tie_term: f64) -> f64 {
    let (away, deviation) = normal(nonzero, zeros, doubled, tie_term);
    let score = (away.abs() - 0.5).max(0.0) / deviation;
    if score.is_nan() { 1.0 } else { (2.0 * norm_sf(score)).min(1.0) }
}

/// One-sided p by the normal approximation: P(V ≥ `doubled` / 2); zeros are dropped.
pub(crate) fn normal_at_least(nonzero: u64, doubled: u64, tie_term: f64) -> f64 {
    let (away, deviation) = normal(nonzero, 0, doubled, tie_term);
    norm_sf((away - 0.5) / deviation)
}

/// The distance of V from its mean, and its standard deviation.
fn normal(nonzero: u64, zeros: u64, doubled: u64, tie_term: f64) -> (f64, f64) {
    let (n, z) = ((nonzero + zeros) as f64, zeros as f64);
    let mean = (n * (n + 1.0) - z * (z + 1.0)) / 4.0;
    let cubes = n * (n + 1.0) * (2.0 * n + 1.0) - z * (z + 1.0) * (2.0 * z + 1.0);
    (doubled as f64 / 2.0 - mean, ((cubes - tie_term / 2.0) / 24.0).sqrt())
}

/// The exact null distribution given ties, with the buffers to compute it.
#[derive(Debug, Default)]
pub(crate) struct TiedNull {
    sizes: Vec<u32>,
    zeros: u32,
    items: Vec<u32>,
    unit: u32,
    sums: Sums,
}

impl TiedNull {
    /// Two-sided p of the doubled statistic, given the sizes of the groups of equal |d| and the number of zeros
    /// ranked below them.
    pub(crate) fn p(&mut self, sizes: &[u32], zeros: u32, doubled: u64) -> f64 {
        let most = self.most(sizes, zeros);
        let doubled = doubled.min(most - doubled.min(most));
        if 2 * doubled >= most { 1.0 } else { (2.0 * self.share(doubled)).min(1.0) }
    }

    /// One-sided p, P(V ≥ `doubled` / 2); zeros are dropped.
    pub(crate) fn upper_p(&mut self, sizes: &[u32], doubled: u64) -> f64 {
        let most = self.most(sizes, 0);
        // The distribution is symmetric, so the tail without the mean is counted.
        match most - doubled.min(most) {
            below if below <= doubled => self.share(below),
            _ if doubled == 0 => 1.0,
            _ => 1.0 - self.share(doubled - 1),
        }
    }

    /// Fraction of the choices of signs with a doubled V of at most `doubled`.
    fn share(&self, doubled: u64) -> f64 {
        let subsets = (1_u64 << self.items.len().min(63)) as f64;
        self.sums.at_most((doubled / u64::from(self.unit)) as usize) / subsets
    }

    /// The largest doubled V, after preparing the sums.
    fn most(&mut self, sizes: &[u32], zeros: u32) -> u64 {
        if self.unit == 0 || self.zeros != zeros || self.sizes != sizes {
            self.prepare(sizes, zeros);
        }
        self.items.iter().map(|&r| u64::from(r) * u64::from(self.unit)).sum()
    }

    fn prepare(&mut self, sizes: &[u32], zeros: u32) {
        self.zeros = zeros;
        self.sizes.clear();
        self.sizes.extend_from_slice(sizes);
        self.items.clear();
        let mut before = zeros;
        let mut unit = 0;
        for &size in sizes {
            let rank = 2 * before + size + 1;
            unit = gcd(unit, rank);
            self.items.extend(std::iter::repeat_n(rank, size as usize));
            before += size;
        }
        self.unit = unit.max(1);
        let unit = self.unit;
        self.items.iter_mut().for_each(|rank| *rank /= unit);
        self.sums.fill(&self.items);
    }
}
