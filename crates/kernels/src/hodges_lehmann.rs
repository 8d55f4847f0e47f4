//! Order statistics of all pairwise differences or sums, the basis of the Hodges-Lehmann estimates (1963).
//!
//! A small number of pairs is enumerated and selected from. A large number is only counted: the k-th pair is
//! found by bisecting the integers that order the floats, in linear time per step and exactly, because rounded
//! subtraction is monotone.

use crate::ranks::{key, value};

/// Up to this many pairs are enumerated.
const WRITTEN_DOWN: u64 = 4096;

/// All pairs of a two-sample or one-sample problem, as numbers.
pub(crate) trait Pairs {
    /// Number of pairs.
    fn total(&self) -> u64;
    /// Writes the [`key`] of each pair.
    fn keys(&self, out: &mut Vec<i64>);
    /// Smallest and largest pair.
    fn range(&self) -> (f64, f64);
    /// Number of pairs ≤ `at`, the largest of them, and the smallest of the others.
    fn around(&self, at: f64) -> (u64, f64, f64);
}

/// The differences y − x of two ascending samples.
pub(crate) struct Differences<'a> {
    pub x: &'a [f64],
    pub y: &'a [f64],
}

impl Pairs for Differences<'_> {
    fn total(&self) -> u64 {
        self.x.len() as u64 * self.y.len() as u64
    }

    fn keys(&self, out: &mut Vec<i64>) {
        for x in self.x {
            out.extend(self.y.iter().map(|y| key(y - x)));
        }
    }

    fn range(&self) -> (f64, f64) {
        match (self.x, self.y) {
            ([x0, ..], [y0, ..]) => (y0 - self.x[self.x.len() - 1], self.y[self.y.len() - 1] - x0),
            _ => (f64::NAN, f64::NAN),
        }
    }

    fn around(&self, at: f64) -> (u64, f64, f64) {
        let (mut count, mut below, mut above) = (0, f64::NEG_INFINITY, f64::INFINITY);
        let mut j = 0;
        for x in self.x {
            while j < self.y.len() && self.y[j] - x <= at {
                j += 1;
            }
            count += j as u64;
            if j > 0 {
                below = below.max(self.y[j - 1] - x);
            }
            if j < self.y.len() {
                above = above.min(self.y[j] - x);
            }
        }
        (count, below, above)
    }
}

/// The sums `d_i + d_j`, i ≤ j, of one ascending sample: twice its Walsh averages.
pub(crate) struct Sums<'a> {
    pub d: &'a [f64],
}

impl Pairs for Sums<'_> {
    fn total(&self) -> u64 {
        let n = self.d.len() as u64;
        n * (n + 1) / 2
    }

    fn keys(&self, out: &mut Vec<i64>) {
        for (i, a) in self.d.iter().enumerate() {
            out.extend(self.d[i..].iter().map(|b| key(a + b)));
        }
    }

    fn range(&self) -> (f64, f64) {
        match self.d {
            [first, .., last] => (first + first, last + last),
            [only] => (only + only, only + only),
            [] => (f64::NAN, f64::NAN),
        }
    }

    fn around(&self, at: f64) -> (u64, f64, f64) {
        let (mut count, mut below, mut above) = (0, f64::NEG_INFINITY, f64::INFINITY);
        let mut j = self.d.len();
        for (i, a) in self.d.iter().enumerate() {
            while j > 0 && a + self.d[j - 1] > at {
                j -= 1;
            }
            if j > i {
                count += (j - i) as u64;
                below = below.max(a + self.d[j - 1]);
            }
            if j.max(i) < self.d.len() {
                above = above.min(a + self.d[j.max(i)]);
            }
        }
        (count, below, above)
    }
}

/// The median of all pairs, and the pairs `cut` positions from either end (0: smallest and largest).
pub(crate) fn median_and_ends(pairs: &impl Pairs, cut: u64, keys: &mut Vec<i64>) -> (f64, f64, f64) {
    let total = pairs.total();
    if total == 0 {
        return (f64::NAN, f64::NAN, f64::NAN);
    }
    let cut = cut.min((total - 1) / 2);
    if total > WRITTEN_DOWN {
        let median = f64::midpoint(kth(pairs, (total - 1) / 2), kth(pairs, total / 2));
        return (median, kth(pairs, cut), kth(pairs, total - 1 - cut));
    }
    keys.clear();
    pairs.keys(keys);
    let (total, cut) = (total as usize, cut as usize);
    let middle = (total - 1) / 2;
    let (left, &mut centre, right) = keys.select_nth_unstable(middle);
    let next = if total % 2 == 1 { centre } else { right.iter().copied().min().unwrap_or(centre) };
    let low = if cut < middle { *left.select_nth_unstable(cut).1 } else { centre };
    let last = total - 1 - cut;
    let high = if last > middle { *right.select_nth_unstable(last - middle - 1).1 } else { centre };
    (f64::midpoint(value(centre), value(next)), value(low), value(high))
}

/// The pair with `k` pairs before it.
fn kth(pairs: &impl Pairs, k: u64) -> f64 {
    let range = pairs.range();
    let (mut low, mut high) = (key(range.0), key(range.1));
    while low < high {
        let middle = low.midpoint(high).min(high - 1);
        let (count, below, above) = pairs.around(value(middle));
        if count > k {
            high = key(below).clamp(low, middle);
        } else {
            low = key(above).max(middle + 1);
        }
    }
    // Adding 0 turns -0 into 0.
    value(high) + 0.0
}
