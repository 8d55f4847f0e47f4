//! Null distribution of the Mann-Whitney statistic, exact and normal.
//!
//! Sources: Mann & Whitney 1947; the exact distribution given the ties is the permutation distribution of the
//! midranks; the normal one has the tie and the continuity correction.

use std::sync::OnceLock;

use crate::method::Method;
use crate::ranks::Arrangement;
use crate::special::norm_sf;
use crate::subset_counts::{LowerTail, gcd};

/// Samples of this size and above are tested by the normal approximation.
pub(crate) const EXACT_BELOW: usize = 50;
/// Counts below this are added up in 64 bits.
const MOST_WHOLE: f64 = 1.8e19;
/// Counts below this are kept in 32 bits.
const MOST_CELL: f64 = 4.2e9;

/// How samples of these sizes are tested.
pub(crate) fn method(m: usize, n: usize) -> Method {
    if m < EXACT_BELOW && n < EXACT_BELOW { Method::Exact } else { Method::Normal }
}

/// Two-sided p-values of untied samples by U, for U up to its mean.
pub(crate) fn untied_table(m: usize, n: usize) -> &'static [f64] {
    static TABLES: [OnceLock<Box<[f64]>>; EXACT_BELOW * EXACT_BELOW] =
        [const { OnceLock::new() }; EXACT_BELOW * EXACT_BELOW];
    let (m, n) = (m.min(n), m.max(n));
    TABLES
        .get(m * EXACT_BELOW + n)
        .map_or(&[], |table| table.get_or_init(|| two_sided(&u_counts(m, n), choose(m + n, m))))
}

/// Number of arrangements with each U up to mn/2: coefficients of the Gaussian binomial, exact in 128 bits.
fn u_counts(m: usize, n: usize) -> Vec<i128> {
    let mut counts = vec![0_i128; m * n / 2 + 1];
    counts[0] = 1;
    for i in 1..=m {
        for u in (n + i..counts.len()).rev() {
            counts[u] -= counts[u - n - i];
        }
        for u in i..counts.len() {
            counts[u] += counts[u - i];
        }
    }
    counts
}

fn two_sided(counts: &[i128], total: f64) -> Box<[f64]> {
    let mut below = 0;
    let twice_below = counts.iter().map(|count| {
        below += count;
        (2 * below) as f64
    });
    twice_below.map(|twice| (twice / total).min(1.0)).collect()
}

/// Number of subsets of k out of n, as a float (exact below 2^53).
pub(crate) fn choose(n: usize, k: usize) -> f64 {
    (0..k.min(n - k)).fold(1_u128, |c, i| c * (n - i) as u128 / (i as u128 + 1)) as f64
}

/// Two-sided p by the normal approximation for a doubled statistic `doubled` away from a doubled mean of `mn`.
pub(crate) fn normal_p(m: u64, n: u64, doubled: u64, tie_term: f64) -> f64 {
    let (mf, nf) = (m as f64, n as f64);
    let total = mf + nf;
    let away = (m * n).abs_diff(doubled) as f64 / 2.0;
    let variance = mf * nf / 12.0 * (total + 1.0 - tie_term / (total * (total - 1.0)));
    let z = (away - 0.5).max(0.0) / variance.sqrt();
    // No variance: every value is the same, and nothing can be said against no difference.
    if z.is_nan() { 1.0 } else { (2.0 * norm_sf(z)).min(1.0) }
}

/// The exact null distribution given ties, with the buffers to compute it.
#[derive(Debug, Default)]
pub(crate) struct TiedNull {
    /// Sizes of the samples of the last call, and what follows from them.
    size: (usize, usize),
    total: f64,
    fits: bool,
    items: Vec<u32>,
    unit: i64,
    first: i64,
    whole: [LowerTail<u32>; 2],
    float: [LowerTail<f64>; 2],
}

impl TiedNull {
    /// Two-sided p of an arrangement of m + n values: P(|U − E| ≥ |u − E|), compared in whole numbers.
    pub(crate) fn p(&mut self, m: usize, n: usize, arrangement: &Arrangement) -> f64 {
        let middle = (m * n) as i64;
        let away = (arrangement.doubled as i64 - middle).abs();
        if away == 0 {
            return 1.0;
        }
        self.rank(&arrangement.sizes);
        let chosen = m.min(n);
        if self.size != (m, n) {
            self.size = (m, n);
            self.total = choose(m + n, chosen);
            self.fits = self.total < MOST_WHOLE && choose(m.max(n), chosen.min(m.max(n) / 2)) < MOST_CELL;
        }
        let (total, whole) = (self.total, self.fits);
        // Doubled rank sum of the smaller sample at the distance `away` below and above its mean, in units of the items.
        let offset = (chosen * (chosen + 1)) as i64 - chosen as i64 * self.first;
        let lower = (middle - away + offset).div_euclid(self.unit);
        let count = self.tail(chosen, lower, false, whole);
        if m == n || arrangement.sizes.iter().eq(arrangement.sizes.iter().rev()) {
            return (2.0 * count / total).min(1.0);
        }
        // The upper tail is the lower one of the ranks turned round.
        let greatest = chosen as i64 * i64::from(self.items.last().copied().unwrap_or(0));
        let upper = greatest + (-(middle + away + offset)).div_euclid(self.unit);
        ((count + self.tail(chosen, upper, true, whole)) / total).min(1.0)
    }

    fn tail(&mut self, chosen: usize, limit: i64, turned: bool, whole: bool) -> f64 {
        let items = &self.items;
        let n = items.len();
        let side = usize::from(turned);
        let item = |i: usize| if turned { items[n - 1] - items[n - 1 - i] } else { items[i] };
        if whole {
            self.whole[side].count(item, n, chosen, limit)
        } else {
            self.float[side].count(item, n, chosen, limit)
        }
    }

    /// Doubled midranks less the first, in their greatest common unit: the smaller the numbers, the smaller the tables.
    fn rank(&mut self, sizes: &[u32]) {
        self.items.clear();
        let mut before = 0;
        let mut unit = 0;
        let first = sizes.first().map_or(0, |&t| t + 1);
        for &size in sizes {
            let rank = 2 * before + size + 1 - first;
            unit = gcd(unit, rank);
            self.items.extend(std::iter::repeat_n(rank, size as usize));
            before += size;
        }
        let unit = unit.max(1);
        if unit > 1 {
            self.items.iter_mut().for_each(|rank| *rank /= unit);
        }
        self.unit = i64::from(unit);
        self.first = i64::from(first);
    }
}
