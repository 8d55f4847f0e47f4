//! Wilcoxon's signed-rank test (Wilcoxon 1945; optionally with zeros as in Pratt 1959) of paired differences.

use core::cell::RefCell;
use core::cmp::Ordering;
use std::sync::OnceLock;

use crate::ranks::{Arrangement, Distinct, compare};
use crate::shift::Method;
use crate::shift::Test;
use crate::shift_interval::At;
use crate::special::norm_sf;
use crate::subset_counts::{Sums, gcd};

/// The treatment of differences that are exactly 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Zeros {
    /// Left out before ranking (Wilcoxon 1945, as R).
    Drop,
    /// Ranked with the others, then left out of the sums (Pratt 1959).
    Pratt,
}

/// The sorted differences, and the buffers of the exact distribution.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// All differences.
    pub d: Distinct,
    /// Sums of two differences to select from.
    pub keys: Vec<i64>,
    negative: (Vec<f64>, Vec<u32>),
    arrangement: Arrangement,
    null: TiedNull,
}

/// A statistic and its p-value at one shift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outcome {
    pub doubled: u64,
    pub p: f64,
    pub method: Method,
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// Runs `work` on the thread's workspace.
pub(crate) fn with_workspace<T>(work: impl FnOnce(&mut Workspace) -> T) -> T {
    WORKSPACE.with(|shared| match shared.try_borrow_mut() {
        Ok(mut workspace) => work(&mut workspace),
        Err(_) => work(&mut Workspace::default()),
    })
}

/// Two-sided signed-rank test of differences `d`; None if there are none.
///
/// The statistic is V, the sum of the ranks of |d| over the positive differences. Below 50 non-zero differences
/// p is exact given the ties; above, it is the normal approximation with tie and continuity correction (R's
/// `wilcox.test`; with Pratt's zeros, `SciPy`'s formula). If all are zero, p = 1. `least_p` is that of
/// `d.len()` differences.
#[must_use]
pub fn signed_rank(d: &[f64], zeros: Zeros) -> Option<Test> {
    if d.is_empty() {
        return None;
    }
    Some(with_workspace(|workspace| {
        workspace.d.fill(d);
        workspace.test(zeros)
    }))
}

impl Workspace {
    /// The test of the differences in `d`.
    pub(crate) fn test(&mut self, zeros: Zeros) -> Test {
        let outcome = self.at(At::Point(0.0), zeros);
        Test {
            statistic: outcome.doubled as f64 / 2.0,
            p: outcome.p,
            method: outcome.method,
            least_p: least_p(self.d.count()),
        }
    }

    /// The test of the differences minus half of the doubled shift `at`.
    ///
    /// Doubled, because sums of two differences have an exact order and sign, and halves of them might not.
    pub(crate) fn at(&mut self, at: At, zeros: Zeros) -> Outcome {
        let dropped = self.arrange(at);
        let ranked = if zeros == Zeros::Pratt { dropped } else { 0 };
        let nonzero = self.arrangement.count;
        let doubled = self.doubled(at, ranked);
        let exact = nonzero < EXACT_BELOW as u64;
        let p = if nonzero == 0 {
            1.0
        } else if !exact {
            normal_p(nonzero, u64::from(ranked), doubled, self.arrangement.tie_term())
        } else if ranked > 0 || self.arrangement.tied() {
            self.null.p(&self.arrangement.sizes, ranked, doubled)
        } else {
            untied_p(nonzero as usize, doubled / 2)
        };
        Outcome { doubled, p, method: if exact { Method::Exact } else { Method::Normal } }
    }

    /// One-sided p of the differences minus half of the doubled shift `at`: P(V ≥ v), zeros dropped.
    pub(crate) fn upper_p(&mut self, at: At) -> f64 {
        self.arrange(at);
        let (nonzero, doubled) = (self.arrangement.count, self.doubled(at, 0));
        if nonzero == 0 {
            1.0
        } else if nonzero >= EXACT_BELOW as u64 {
            normal_at_least(nonzero, doubled, self.arrangement.tie_term())
        } else if self.arrangement.tied() {
            self.null.upper_p(&self.arrangement.sizes, doubled)
        } else {
            untied_at_most(nonzero as usize, nonzero * (nonzero + 1) / 2 - doubled / 2)
        }
    }

    /// 2V of the current arrangement, from U: the ranks of the positive differences among themselves, and above
    /// the negative ones and the ranked zeros.
    fn doubled(&self, at: At, ranked: u32) -> u64 {
        let positive = self.positive_count(at);
        self.arrangement.doubled + positive * (positive + 1) + 2 * u64::from(ranked) * positive
    }

    /// Merges the differences below and above the shift by their distance from it; returns how many equal it.
    fn arrange(&mut self, at: At) -> u32 {
        let (below, above) = self.split(at);
        self.negative.0.clear();
        self.negative.1.clear();
        self.negative.0.extend(self.d.values[..below].iter().rev());
        self.negative.1.extend(self.d.sizes[..below].iter().rev());
        let negative = (&self.negative.0[..], &self.negative.1[..]);
        let positive = (&self.d.values[above..], &self.d.sizes[above..]);
        match at {
            At::Point(shift) => self.arrangement.merge(negative, positive, |a, b| compare(a + b, shift)),
            At::Above(shift) => self.arrangement.merge(negative, positive, |a, b| {
                // In an open gap nothing is equal: a difference that is not above the shift is below it.
                if a + b > shift { Ordering::Greater } else { Ordering::Less }
            }),
        }
        self.d.sizes[below..above].iter().sum()
    }

    /// Number of distinct values below the shift, and number of those not above it.
    fn split(&self, at: At) -> (usize, usize) {
        let values = &self.d.values;
        match at {
            At::Point(shift) => {
                (values.partition_point(|v| v + v < shift), values.partition_point(|v| v + v <= shift))
            }
            At::Above(shift) => {
                let below = values.partition_point(|v| v + v <= shift);
                (below, below)
            }
        }
    }

    fn positive_count(&self, at: At) -> u64 {
        self.d.sizes[self.split(at).1..].iter().map(|&s| u64::from(s)).sum()
    }
}

/// The smallest p that n differences can give.
pub(crate) fn least_p(n: usize) -> f64 {
    if n < EXACT_BELOW { (2.0 / (1_u64 << n) as f64).min(1.0) } else { normal_p(n as u64, 0, 0, 0.0) }
}

// Null distribution of Wilcoxon's signed-rank statistic, exact and normal (Wilcoxon 1945).

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
