//! Comparison of paired differences: signed-rank test, Hodges-Lehmann shift (1963) with the interval that
//! inverts the test, and superiority.

use crate::hodges_lehmann::{Sums, median_and_ends};
use crate::ranks::{key, tie_term, value};
use crate::shift::Comparison;
use crate::shift::alpha;
use crate::shift_interval::{At, Ends, Places, ShiftTest, pairs_beyond, settle};
use crate::signed_rank::{EXACT_BELOW, normal_p, untied_p};
use crate::signed_rank::{Workspace, Zeros, with_workspace};
use crate::two_sample::weighted_median;

/// Number of differences beyond an end at which p is evaluated in large samples; in small ones all are.
const POINTS_TRIED: usize = 32;

/// Compares paired differences `d` with 0; `None` if there are none.
///
/// The estimate is the median of all averages of two differences (including each with itself, and zeros), in
/// the unit of the data. The interval is the hull of the shifts δ at which [`crate::signed_rank()`] of d − δ,
/// with zeros dropped, gives p > 1 − `confidence`; the method is exact if fewer than 50 differences are left at
/// that δ. If an end cannot be attained, the outermost difference replaces it and `level` is the level
/// attained.
#[must_use]
pub fn one_sample(d: &[f64], confidence: f64) -> Option<Comparison> {
    if d.is_empty() {
        return None;
    }
    Some(with_workspace(|workspace| {
        workspace.d.fill(d);
        workspace.compare(confidence)
    }))
}

impl Workspace {
    fn compare(&mut self, confidence: f64) -> Comparison {
        let test = self.test(Zeros::Drop);
        let alpha = alpha(confidence);
        let (doubled, ends) = self.estimate(alpha);
        let ends = Ends { low: 0.5 * ends.low, high: 0.5 * ends.high, ..ends };
        Comparison {
            test,
            shift: settle(0.5 * doubled, ends, &test, confidence, alpha),
            superiority: self.superiority(),
        }
    }

    fn superiority(&self) -> f64 {
        let twice = |v: f64| if v > 0.0 { 2 } else { u64::from(v == 0.0) };
        let sum: u64 =
            self.d.values.iter().zip(&self.d.sizes).map(|(&v, &size)| twice(v) * u64::from(size)).sum();
        sum as f64 / (2 * self.d.count()) as f64
    }

    /// Median of the sums of two and the ends of the hull, all doubled.
    fn estimate(&mut self, alpha: f64) -> (f64, Ends) {
        let n = self.d.count();
        let total = (n as u64) * (n as u64 + 1) / 2;
        let exact = n < EXACT_BELOW;
        let cut = if exact {
            pairs_beyond(total, alpha, |k| untied_p(n, k))
        } else {
            let ties = tie_term(&self.d.sizes);
            pairs_beyond(total, alpha, |k| normal_p(n as u64, 0, 2 * k, ties))
        };
        let (median, ends) = if exact && self.d.tied() {
            self.walk(cut, alpha)
        } else {
            self.d.expand();
            let pairs = Sums { d: &self.d.sorted };
            let (median, low, high) = median_and_ends(&pairs, cut, &mut self.keys);
            (median, Ends::new(self, low, high))
        };
        (median, self.try_points(ends, alpha))
    }

    /// Ties change the null distribution from gap to gap, so p itself is evaluated around the ends.
    fn walk(&mut self, cut: u64, alpha: f64) -> (f64, Ends) {
        let (d, sizes) = (&self.d.values, &self.d.sizes);
        let mut places: Vec<(i64, u32)> = Vec::new();
        for (i, (a, &size)) in d.iter().zip(sizes).enumerate() {
            places.push((key(a + a), size * (size + 1) / 2));
            places
                .extend(d[i + 1..].iter().zip(&sizes[i + 1..]).map(|(b, other)| (key(a + b), size * other)));
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
        let ends = places.hull(cut, alpha, self).unwrap_or_else(|| Ends::new(self, median, median));
        (median, ends)
    }

    /// A shift equal to a difference drops it from the test, which can make p larger than in the adjacent gaps:
    /// such points beyond the ends belong to the hull.
    fn try_points(&mut self, ends: Ends, alpha: f64) -> Ends {
        let Ends { mut low, mut high, .. } = ends;
        let most = if self.d.count() < EXACT_BELOW { usize::MAX } else { POINTS_TRIED };
        let below = self.d.values.partition_point(|v| v + v < low);
        for i in below.saturating_sub(most)..below {
            let point = 2.0 * self.d.values[i];
            if self.p(At::Point(point)) > alpha {
                low = point;
                break;
            }
        }
        let above = self.d.values.partition_point(|v| v + v <= high);
        for i in (above..self.d.values.len().min(above.saturating_add(most))).rev() {
            let point = 2.0 * self.d.values[i];
            if self.p(At::Point(point)) > alpha {
                high = point;
                break;
            }
        }
        if (low, high) == (ends.low, ends.high) { ends } else { Ends::new(self, low, high) }
    }
}

impl ShiftTest for Workspace {
    fn p(&mut self, at: At) -> f64 {
        self.at(at, Zeros::Drop).p
    }
}
