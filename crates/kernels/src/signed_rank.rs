//! Wilcoxon's signed-rank test (Wilcoxon 1945; optionally with zeros as in Pratt 1959) of paired differences.

use core::cell::RefCell;
use core::cmp::Ordering;

use crate::method::Method;
use crate::ranks::{Arrangement, Distinct, compare};
use crate::shift_interval::At;
use crate::signed_rank_null::{EXACT_BELOW, TiedNull, normal_at_least, normal_p, untied_at_most, untied_p};
use crate::test::Test;

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
