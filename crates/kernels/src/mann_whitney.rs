//! Mann-Whitney U test (Mann & Whitney 1947) of two independent samples.

use core::cell::RefCell;

use crate::method::Method;
use crate::rank_sum_null::{TiedNull, method, normal_at_least, normal_p, untied_at_most, untied_table};
use crate::ranks::{Arrangement, Distinct, compare};
use crate::test::Test;

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
