//! Comparison of two independent samples: Mann-Whitney test, Hodges-Lehmann shift (1963) with the interval that
//! inverts the test, and superiority.

use core::cmp::Ordering;

use crate::hodges_lehmann::{Differences, median_and_ends};
use crate::mann_whitney::{Workspace, untied_p, with_workspace};
use crate::mann_whitney::{method, normal_p};
use crate::ranks::{compare, key, tie_term, value};
use crate::shift::Comparison;
use crate::shift::Method;
use crate::shift::alpha;
use crate::shift_interval::{At, Ends, Places, ShiftTest, pairs_beyond, settle};

/// Compares `y` with `x`; `None` if a sample is empty.
///
/// The estimate is the median of all differences y − x, in the unit of the data. The interval is the hull of
/// the shifts δ at which [`crate::mann_whitney()`] of x and y − δ gives p > 1 − `confidence`, by the same
/// method; its ends are differences. If an end cannot be attained, the outermost difference replaces it and
/// `level` is the level attained. p > 1 − `confidence` if and only if 0 lies in the interval, except that with
/// ties 0 may lie inside and be rejected.
#[must_use]
pub fn two_sample(x: &[f64], y: &[f64], confidence: f64) -> Option<Comparison> {
    if x.is_empty() || y.is_empty() {
        return None;
    }
    Some(with_workspace(|workspace| workspace.compare(x, y, confidence)))
}

impl Workspace {
    fn compare(&mut self, x: &[f64], y: &[f64], confidence: f64) -> Comparison {
        let test = self.test(x, y);
        let alpha = alpha(confidence);
        let pairs = x.len() as f64 * y.len() as f64;
        let (estimate, ends) = self.estimate(alpha);
        Comparison {
            test,
            shift: settle(estimate, ends, &test, confidence, alpha),
            superiority: test.statistic / pairs,
        }
    }

    /// Median of the differences and the ends of the hull.
    fn estimate(&mut self, alpha: f64) -> (f64, Ends) {
        let (m, n) = (self.x.count(), self.y.count());
        let total = m as u64 * n as u64;
        let exact = method(m, n) == Method::Exact;
        let cut = if exact {
            pairs_beyond(total, alpha, |k| untied_p(m, n, k))
        } else {
            // In a gap only the ties within the samples remain.
            let ties = tie_term(&self.x.sizes) + tie_term(&self.y.sizes);
            pairs_beyond(total, alpha, |k| normal_p(m as u64, n as u64, 2 * k, ties))
        };
        if exact && (self.x.tied() || self.y.tied()) {
            return self.walk(cut, alpha);
        }
        // p decreases monotonically from gap to gap, and a point is never rejected less than the gap on its
        // inner side: breaking its ties moves U by at most half their number.
        self.x.expand();
        self.y.expand();
        let pairs = Differences { x: &self.x.sorted, y: &self.y.sorted };
        let (median, low, high) = median_and_ends(&pairs, cut, &mut self.keys);
        (median, Ends::new(self, low, high))
    }

    /// Ties within a sample change the null distribution from gap to gap, so p itself is evaluated around the
    /// ends.
    ///
    /// Moving outwards over a point, a x's and b y's that are neighbours in the order are exchanged. This takes
    /// doubled U 2ab further from its mean, and moves the doubled rank sum of any other subset by at most
    /// 2·min·|a − b|, which is less. So from gap to gap p = P(|S − E| ≥ away) never rises. On the point itself
    /// both form one group: U is half as far out, and breaking the ties moves a rank sum by at most ab, so that
    /// p is between those of the adjacent gaps. The only exception is a point at which U passes its mean; it
    /// matters only if all gaps are rejected. Differences that are equal by rounding form groups of more than
    /// two; then every point is evaluated.
    fn walk(&mut self, cut: u64, alpha: f64) -> (f64, Ends) {
        let mut places: Vec<(i64, u32)> = Vec::new();
        for (x, a) in self.x.values.iter().zip(&self.x.sizes) {
            places.extend(self.y.values.iter().zip(&self.y.sizes).map(|(y, b)| (key(y - x), a * b)));
        }
        places.sort_unstable_by_key(|place| place.0);
        places.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        let values: Vec<f64> = places.iter().map(|place| value(place.0)).collect();
        let counts: Vec<u32> = places.iter().map(|place| place.1).collect();
        let median = weighted_median(&values, &counts);
        let places = Places { values: &values, counts: &counts };
        let ends = if self.rounded() { None } else { places.falling_hull(cut, alpha, self) };
        let ends = ends.or_else(|| places.hull(cut, alpha, self));
        (median, ends.unwrap_or_else(|| Ends::new(self, median, median)))
    }

    /// Whether two values of a sample have the same difference from one value of the other.
    fn rounded(&self) -> bool {
        let (x, y) = (&self.x.values[..], &self.y.values[..]);
        let same = |pairs: &[f64], from: f64| pairs.windows(2).any(|pair| pair[0] - from == pair[1] - from);
        x.iter().any(|&from| same(y, from)) || y.iter().any(|&from| same(x, from))
    }
}

impl Workspace {
    /// Arranges the samples at a shift.
    pub(crate) fn arrange(&mut self, at: At) {
        let first = (&self.x.values[..], &self.x.sizes[..]);
        let second = (&self.y.values[..], &self.y.sizes[..]);
        match at {
            At::Point(shift) => self.arrangement.merge(first, second, |x, y| compare(y - x, shift)),
            At::Above(shift) => self.arrangement.merge(first, second, |x, y| {
                // In an open gap nothing is equal: a value that is not above the shift is below it.
                if y - x > shift { Ordering::Greater } else { Ordering::Less }
            }),
        }
    }
}

impl ShiftTest for Workspace {
    fn p(&mut self, at: At) -> f64 {
        self.arrange(at);
        self.arranged_p()
    }
}

/// Median of ascending values with multiplicities.
pub(crate) fn weighted_median(values: &[f64], counts: &[u32]) -> f64 {
    let total: u64 = counts.iter().map(|&c| u64::from(c)).sum();
    let at = |k: u64| {
        let mut below = 0;
        let found = counts.iter().position(|&count| {
            below += u64::from(count);
            below > k
        });
        found.map_or(f64::NAN, |i| values[i])
    };
    f64::midpoint(at(total.saturating_sub(1) / 2), at(total / 2))
}
