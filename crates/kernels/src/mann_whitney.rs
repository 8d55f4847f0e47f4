//! Mann-Whitney U test (Mann & Whitney 1947) of two independent samples.

use core::cell::RefCell;
use std::sync::OnceLock;

use crate::ranks::{Arrangement, Distinct, compare};
use crate::shift::Method;
use crate::shift::Test;
use crate::special::norm_sf;
use crate::subset_counts::{LowerTail, gcd};

/// The two samples in order, and the buffers of the exact distribution; one per thread, so that a test
/// allocates nothing.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// The first sample.
    pub x: Distinct,
    /// The second sample.
    pub y: Distinct,
    /// Both samples at the shift being tested.
    pub arrangement: Arrangement,
    /// Null distribution with ties.
    pub null: TiedNull,
    /// Differences to select from.
    pub keys: Vec<i64>,
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

/// Two-sided Mann-Whitney test; `None` if a sample is empty.
///
/// The statistic is U of `y` over `x`: the number of pairs with y > x plus half of those with y = x. Below 50
/// values per side p = P(|U − E| ≥ |u − E|) is exact, given the ties; above, it is the normal approximation
/// with tie and continuity correction, as in R's `wilcox.test`. If all values are equal, p = 1.
#[must_use]
pub fn mann_whitney(x: &[f64], y: &[f64]) -> Option<Test> {
    if x.is_empty() || y.is_empty() {
        return None;
    }
    Some(with_workspace(|workspace| workspace.test(x, y)))
}

impl Workspace {
    /// The test of two non-empty samples; leaves them sorted in `x` and `y`.
    pub(crate) fn test(&mut self, x: &[f64], y: &[f64]) -> Test {
        self.x.fill(x);
        self.y.fill(y);
        let first = (&self.x.values[..], &self.x.sizes[..]);
        let second = (&self.y.values[..], &self.y.sizes[..]);
        self.arrangement.merge(first, second, |a, b| compare(b, a));
        Test {
            statistic: self.arrangement.doubled as f64 / 2.0,
            p: self.arranged_p(),
            method: method(x.len(), y.len()),
            least_p: least_p(x.len(), y.len()),
        }
    }

    /// Two-sided p of the current arrangement.
    pub(crate) fn arranged_p(&mut self) -> f64 {
        let (m, n) = (self.x.count(), self.y.count());
        let arrangement = &self.arrangement;
        if method(m, n) == Method::Normal {
            return normal_p(m as u64, n as u64, arrangement.doubled, arrangement.tie_term());
        }
        if arrangement.tied() {
            return self.null.p(m, n, arrangement);
        }
        untied_p(m, n, arrangement.doubled / 2)
    }

    /// One-sided p of the current arrangement: P(U ≥ u) of `y` over `x`, exact given the ties like the
    /// two-sided one.
    pub(crate) fn upper_p(&mut self) -> f64 {
        let (m, n) = (self.x.count(), self.y.count());
        let arrangement = &self.arrangement;
        if method(m, n) == Method::Normal {
            return normal_at_least(m as u64, n as u64, arrangement.doubled, arrangement.tie_term());
        }
        if arrangement.tied() {
            return self.null.upper_p(m, n, arrangement);
        }
        untied_at_most(m, n, (m * n) as u64 - arrangement.doubled / 2)
    }
}

/// Exact two-sided p of untied samples with statistic `u`.
pub(crate) fn untied_p(m: usize, n: usize, u: u64) -> f64 {
    let u = u.min((m * n) as u64 - u.min((m * n) as u64));
    untied_table(m, n).get(u as usize).copied().unwrap_or(1.0)
}

/// The smallest p that samples of these sizes can give.
pub(crate) fn least_p(m: usize, n: usize) -> f64 {
    match method(m, n) {
        Method::Exact => untied_p(m, n, 0),
        _ => normal_p(m as u64, n as u64, 0, 0.0),
    }
}

/// The largest p up to `alpha` that untied samples of these sizes can give; `None` if there is none.
pub(crate) fn attained(m: usize, n: usize, alpha: f64) -> Option<f64> {
    match method(m, n) {
        Method::Exact => untied_table(m, n).iter().copied().rev().find(|&p| p <= alpha),
        _ => (least_p(m, n) <= alpha).then_some(alpha),
    }
}

// Null distribution of the Mann-Whitney statistic, exact and normal.
//
// Sources: Mann & Whitney 1947. The exact distribution given the ties is the permutation distribution of the
// midranks; the normal one has the tie and the continuity correction.

/// Samples of at least this size use the normal approximation.
pub(crate) const EXACT_BELOW: usize = 50;
/// Counts below this are summed in 64 bits.
const MOST_WHOLE: f64 = 1.8e19;
/// Counts below this are stored in 32 bits.
const MOST_CELL: f64 = 4.2e9;

/// The method for samples of these sizes.
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

/// Two-sided p by the normal approximation, for a doubled statistic `doubled` away from a doubled mean of `mn`.
pub(crate) fn normal_p(m: u64, n: u64, doubled: u64, tie_term: f64) -> f64 {
    let away = (m * n).abs_diff(doubled) as f64 / 2.0;
    let z = (away - 0.5).max(0.0) / deviation(m, n, tie_term);
    // No variance: all values are equal, and there is no evidence against equality.
    if z.is_nan() { 1.0 } else { (2.0 * norm_sf(z)).min(1.0) }
}

/// One-sided p of untied samples: P(U ≤ `u`).
pub(crate) fn untied_at_most(m: usize, n: usize, u: u64) -> f64 {
    let most = (m * n) as u64;
    let half = |u: u64| untied_table(m, n).get(u as usize).map_or(1.0, |p| 0.5 * p);
    // The table holds both tails together up to the mean, where they meet.
    match most.saturating_sub(u) {
        above if above > u => half(u),
        0 => 1.0,
        above => 1.0 - half(above - 1),
    }
}

/// One-sided p by the normal approximation: P(U ≥ `doubled` / 2).
pub(crate) fn normal_at_least(m: u64, n: u64, doubled: u64, tie_term: f64) -> f64 {
    let away = (doubled as f64 - (m * n) as f64) / 2.0;
    norm_sf((away - 0.5) / deviation(m, n, tie_term))
}

fn deviation(m: u64, n: u64, tie_term: f64) -> f64 {
    let (m, n) = (m as f64, n as f64);
    let total = m + n;
    (m * n / 12.0 * (total + 1.0 - tie_term / (total * (total - 1.0)))).max(0.0).sqrt()
}

/// The exact null distribution given ties, with the buffers to compute it.
#[derive(Debug, Default)]
pub(crate) struct TiedNull {
    /// Sizes of the samples of the last call, and what depends on them alone.
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
    /// Two-sided p of an arrangement of m + n values: P(|U − E| ≥ |u − E|), compared in integers.
    pub(crate) fn p(&mut self, m: usize, n: usize, arrangement: &Arrangement) -> f64 {
        let middle = (m * n) as i64;
        let away = (arrangement.doubled as i64 - middle).abs();
        if away == 0 {
            return 1.0;
        }
        self.prepare(m, n, &arrangement.sizes);
        let count = self.at_most(middle - away);
        if m == n || arrangement.sizes.iter().eq(arrangement.sizes.iter().rev()) {
            return (2.0 * count / self.total).min(1.0);
        }
        ((count + self.at_least(middle + away)) / self.total).min(1.0)
    }

    /// One-sided p of an arrangement: P(U ≥ u) of the second sample over the first.
    pub(crate) fn upper_p(&mut self, m: usize, n: usize, arrangement: &Arrangement) -> f64 {
        self.prepare(m, n, &arrangement.sizes);
        let (middle, doubled) = ((m * n) as i64, arrangement.doubled as i64);
        // The smaller sample is counted: if that is the first, a high U of the second is a low one of its own.
        // The tail without the mean is counted, because it is the short one.
        let share = match (n <= m, doubled >= middle) {
            (true, true) => self.at_least(doubled),
            (true, false) => self.total - self.at_most(doubled - 1),
            (false, true) => self.at_most(2 * middle - doubled),
            (false, false) => self.total - self.at_least(2 * middle - doubled + 1),
        };
        share / self.total
    }

    fn prepare(&mut self, m: usize, n: usize, sizes: &[u32]) {
        self.rank(sizes);
        if self.size != (m, n) {
            let chosen = m.min(n);
            self.size = (m, n);
            self.total = choose(m + n, chosen);
            self.fits = self.total < MOST_WHOLE && choose(m.max(n), chosen.min(m.max(n) / 2)) < MOST_CELL;
        }
    }

    /// Number of choices of the smaller sample whose doubled U is at most this.
    fn at_most(&mut self, doubled: i64) -> f64 {
        let limit = (doubled + self.offset()).div_euclid(self.unit);
        self.tail(limit, false)
    }

    /// Number of choices whose doubled U is at least this: the lower tail of the reversed ranks.
    fn at_least(&mut self, doubled: i64) -> f64 {
        let greatest = self.chosen() as i64 * i64::from(self.items.last().copied().unwrap_or(0));
        let limit = greatest + (-(doubled + self.offset())).div_euclid(self.unit);
        self.tail(limit, true)
    }

    fn chosen(&self) -> usize {
        self.size.0.min(self.size.1)
    }

    /// The difference between a doubled U and the doubled rank sum that the items count from.
    fn offset(&self) -> i64 {
        let chosen = self.chosen() as i64;
        chosen * (chosen + 1) - chosen * self.first
    }

    fn tail(&mut self, limit: i64, turned: bool) -> f64 {
        let (chosen, whole) = (self.chosen(), self.fits);
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

    /// Doubled midranks minus the first, in their greatest common unit: smaller numbers mean smaller tables.
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
