//! The interval of a shift, by inverting the test itself.
//!
//! The p-value as a function of the shift is constant on the open gaps between neighbouring pairwise
//! differences (or sums) and has separate values at these points. The interval is the hull of the gaps and
//! points that are not rejected.

use crate::shift::Interval;
use crate::shift::Method;
use crate::shift::Shift;
use crate::shift::Test;

/// A location on the axis of shifts at which a test is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum At {
    /// At this value itself.
    Point(f64),
    /// In the gap just above this value; negative infinity for the gap below all values.
    Above(f64),
}

/// A test that can be made at any shift.
pub(crate) trait ShiftTest {
    /// Two-sided p at a shift.
    fn p(&mut self, at: At) -> f64;
}

/// The ends of an interval, and the p-values in the gaps just outside them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    pub low: f64,
    pub high: f64,
    pub outside: (f64, f64),
}

impl Ends {
    /// Looks up the p-values outside two ends.
    pub(crate) fn new(test: &mut impl ShiftTest, low: f64, high: f64) -> Self {
        let outside = (test.p(At::Above(low.next_down())), test.p(At::Above(high)));
        Self { low, high, outside }
    }
}

/// Up to this many pairs every gap and every point is tried, from the outside inwards.
const ALL_TRIED: u64 = 100;
/// Number of consecutive rejected positions beyond an end after which the search stops. Ties can make p rise
/// again further out.
const LOOK_AHEAD: usize = 3;

/// Number of pairs beyond the ends of the interval: the ends are the pairs k positions from the outermost one
/// (0).
///
/// `p` returns the p-value of a gap with k pairs beyond it, which increases with k. If even the outermost gap
/// is not rejected, the outermost pairs are the ends.
pub(crate) fn pairs_beyond(total: u64, alpha: f64, p: impl Fn(u64) -> f64) -> u64 {
    let (mut low, mut high) = (0, total.div_ceil(2));
    while low < high {
        let middle = u64::midpoint(low, high);
        if p(middle) <= alpha { low = middle + 1 } else { high = middle }
    }
    // The innermost rejected gap has low − 1 pairs beyond it, and the next pair is the end.
    low.saturating_sub(1)
}

/// Distinct points of change in ascending order with the number of pairs at each.
pub(crate) struct Places<'a> {
    pub values: &'a [f64],
    pub counts: &'a [u32],
}

impl Places<'_> {
    /// Gaps have even numbers, from 0 below all points; points have odd ones.
    fn at(&self, position: usize) -> At {
        match (position % 2, position / 2) {
            (0, 0) => At::Above(f64::NEG_INFINITY),
            (0, k) => At::Above(self.values[k - 1]),
            (_, k) => At::Point(self.values[k]),
        }
    }

    /// The hull of what is not rejected, starting from a guess of the number of pairs beyond either end.
    pub(crate) fn hull(&self, cut: u64, alpha: f64, test: &mut impl ShiftTest) -> Option<Ends> {
        let last = 2 * self.values.len();
        let total: u64 = self.counts.iter().map(|&c| u64::from(c)).sum();
        let mut known = vec![f64::NAN; last + 1];
        let mut p = |position: usize| {
            if known[position].is_nan() {
                known[position] = test.p(self.at(position));
            }
            known[position]
        };
        let mut rejected = |position: usize| p(position) <= alpha;
        let (first, end) = if total <= ALL_TRIED {
            ((0..=last).find(|&p| !rejected(p))?, (0..=last).rev().find(|&p| !rejected(p))?)
        } else {
            let low = self.gap_beyond(cut);
            let high = self.gap_beyond(total - 1 - cut).saturating_sub(2);
            let low = edge(low, last, |p| p, &mut rejected)?;
            // The same search, mirrored.
            let high = edge(last - high, last, |p| last - p, &mut rejected)?;
            (low, last - high)
        };
        let low = first.div_ceil(2).max(1) - 1;
        let high = (end / 2).min(self.values.len() - 1);
        Some(Ends { low: self.values[low], high: self.values[high], outside: (p(2 * low), p(2 * high + 2)) })
    }

    /// The same for a test whose p never rises from gap to gap away from its largest value, and is nowhere
    /// larger at a point than in the gap on its inner side: the search walks from the guess to each end, and
    /// evaluates no point.
    pub(crate) fn falling_hull(&self, cut: u64, alpha: f64, test: &mut impl ShiftTest) -> Option<Ends> {
        let last = self.values.len();
        let total: u64 = self.counts.iter().map(|&c| u64::from(c)).sum();
        let mut p = |gap: usize| test.p(self.at(2 * gap));
        let (low, below) = border(self.gap_beyond(cut) / 2, last, alpha, &mut p)?;
        let start = (self.gap_beyond(total - 1 - cut) / 2).saturating_sub(1);
        let (high, above) = border(last - start, last, alpha, |gap| p(last - gap))?;
        Some(Ends { low: self.values[low], high: self.values[last - 1 - high], outside: (below, above) })
    }

    /// Position of the first gap with more than `cut` pairs below it.
    fn gap_beyond(&self, cut: u64) -> usize {
        let mut below = 0;
        let found = self.counts.iter().position(|&count| {
            below += u64::from(count);
            below > cut
        });
        2 * (found.unwrap_or(self.counts.len()) + 1).min(self.counts.len())
    }
}

/// The outermost rejected gap next to one that is not rejected, where 0 is the outermost of all, and its p; the
/// outermost gap if none is rejected.
fn border(start: usize, last: usize, alpha: f64, mut p: impl FnMut(usize) -> f64) -> Option<(usize, f64)> {
    let mut gap = start;
    let mut here = p(gap);
    if here <= alpha {
        // Inwards to the first gap that is not rejected.
        while gap < last {
            let next = p(gap + 1);
            if next > alpha {
                return Some((gap, here));
            }
            (gap, here) = (gap + 1, next);
        }
        return None;
    }
    while gap > 0 && here > alpha {
        gap -= 1;
        here = p(gap);
    }
    Some((gap, here))
}

/// The outermost position not rejected, where 0 is the outermost of all; `turn` maps to the true position.
fn edge(
    start: usize,
    last: usize,
    turn: impl Fn(usize) -> usize,
    rejected: &mut impl FnMut(usize) -> bool,
) -> Option<usize> {
    let mut best = (start..=last).find(|&p| !rejected(turn(p)))?;
    let mut misses = best - start;
    for position in (0..start).rev() {
        if misses >= LOOK_AHEAD {
            break;
        }
        if rejected(turn(position)) {
            misses += 1;
        } else {
            (best, misses) = (position, 0);
        }
    }
    Some(best)
}

/// Combines estimate, ends and level, and makes the ends agree with the test at 0.
pub(crate) fn settle(estimate: f64, ends: Ends, test: &Test, confidence: f64, alpha: f64) -> Shift {
    let Ends { low, high, outside } = ends;
    let attained = 1.0 - f64::midpoint(outside.0, outside.1);
    let nominal = test.method != Method::Exact && outside.0.max(outside.1) <= alpha;
    let level = if nominal { confidence } else { attained };
    let rejected = test.p <= alpha;
    // If 0 is not rejected it belongs to the interval, wherever the search stopped.
    let (low, high) = if rejected { (low, high) } else { (low.min(0.0), high.max(0.0)) };
    Shift {
        estimate,
        interval: Interval { low, high, level },
        low_open: rejected && low == 0.0,
        high_open: rejected && high == 0.0,
    }
}
