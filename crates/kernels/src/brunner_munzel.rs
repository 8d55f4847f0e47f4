//! The Brunner-Munzel test (Brunner & Munzel 2000): which of two samples tends to larger values, whatever their
//! spreads.

use crate::rank_order::{RankOrder, with_workspace};
use crate::shift::alpha;
use crate::special::{ln_choose, t_quantile, t_sf};

/// The outcome of a Brunner-Munzel test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BrunnerMunzel {
    /// W, positive if `y` tends to larger values; infinite if the samples do not overlap, 0 if all values are
    /// equal.
    pub statistic: f64,
    /// Degrees of freedom (Satterthwaite); NaN if the placements have no variance.
    pub df: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// P(y > x) + P(y = x) / 2.
    pub superiority: f64,
    /// Lower end of the interval of the superiority; NaN if the placements have no variance.
    pub low: f64,
    /// Upper end of the interval of the superiority; NaN if the placements have no variance.
    pub high: f64,
}

/// One sample, with its placements counted double: #{other < value} + #{other ≤ value}.
#[derive(Debug, Default, Clone, Copy)]
struct Placements {
    sum: u128,
    squares: u128,
}

/// Two-sided Brunner-Munzel test with an interval of the superiority at `confidence`; `None` for fewer than two
/// values per side.
///
/// W is compared with Student's t. The interval inverts the same t (clipped to [0, 1]), so 1/2 lies inside it
/// exactly if p > 1 − `confidence`. Below about ten values per side the test rejects somewhat too often.
///
/// If the samples do not overlap, the placements have no variance, W is infinite, and t would give p = 0 for as
/// few as two values per side. Then p is that of the permutation test, the smallest possible for these sizes
/// and ties, and there is no interval. If all values are equal, W = 0 and p = 1.
#[must_use]
pub fn brunner_munzel(x: &[f64], y: &[f64], confidence: f64) -> Option<BrunnerMunzel> {
    if x.len() < 2 || y.len() < 2 {
        return None;
    }
    Some(with_workspace(|workspace| {
        workspace.order.fill([x, y].into_iter());
        test(&workspace.order, x.len(), y.len(), confidence)
    }))
}

fn test(order: &RankOrder, m: usize, n: usize, confidence: f64) -> BrunnerMunzel {
    let [x, y] = placements(order, m);
    let pairs = m as f64 * n as f64;
    let superiority = y.sum as f64 / (2.0 * pairs);
    // Computed from integers, so that it is 0 only if the superiority is 1/2.
    let lead = (y.sum as i128 - m as i128 * n as i128) as f64 / (2.0 * pairs);
    let (vx, vy) = (x.variance(m, n), y.variance(n, m));
    let variance = vx + vy;
    if variance == 0.0 {
        let p = if lead == 0.0 { 1.0 } else { separated_p(order, m, n, lead > 0.0) };
        let statistic = if lead == 0.0 { 0.0 } else { f64::INFINITY.copysign(lead) };
        return BrunnerMunzel { statistic, df: f64::NAN, p, superiority, low: f64::NAN, high: f64::NAN };
    }
    let error = variance.sqrt();
    let (sx, sy) = (vx / variance, vy / variance);
    let df = 1.0 / (sx * sx / (m - 1) as f64 + sy * sy / (n - 1) as f64);
    let statistic = lead / error;
    let half = -error * t_quantile(0.5 * alpha(confidence), df);
    BrunnerMunzel {
        statistic,
        df,
        p: (2.0 * t_sf(statistic.abs(), df)).min(1.0),
        superiority,
        low: (superiority - half).max(0.0),
        high: (superiority + half).min(1.0),
    }
}

/// Placements of the first `m` values among the others, and of the others among them.
fn placements(order: &RankOrder, m: usize) -> [Placements; 2] {
    let mut sides = [Placements::default(); 2];
    let mut below = [0_u64; 2];
    for group in order.ties() {
        let first = group.clone().filter(|&place| place < m).count() as u64;
        let here = [first, group.len() as u64 - first];
        for side in 0..2 {
            let (own, other) = (u128::from(here[side]), 1 - side);
            let doubled = u128::from(2 * below[other] + here[other]);
            sides[side].sum += own * doubled;
            sides[side].squares += own * doubled * doubled;
        }
        below[0] += here[0];
        below[1] += here[1];
    }
    sides
}

impl Placements {
    /// The contribution of this sample of `own` values, compared with `others` values, to the variance of the
    /// superiority.
    fn variance(&self, own: usize, others: usize) -> f64 {
        let (own, others) = (own as u128, others as f64);
        // In integers, to avoid cancellation: own² times the sum of squares around the mean.
        let squares = (own * self.squares - self.sum * self.sum) as f64;
        let own = own as f64;
        squares / (4.0 * own * own * (own - 1.0) * others * others)
    }
}

/// The permutation p of samples that do not overlap, from the number of equally extreme arrangements.
fn separated_p(order: &RankOrder, m: usize, n: usize, ascending: bool) -> f64 {
    // The opposite arrangement is one of them, unless a tie crosses its border.
    let border = if ascending { n } else { m };
    let extreme = if order.splits_at(border) { 2.0 } else { 1.0 };
    extreme * (-ln_choose((m + n) as u64, m as u64)).exp()
}
