//! Dip test of unimodality (Hartigan & Hartigan 1985; the algorithm is Applied Statistics 217).

use crate::dip_table::{LEVELS, QUANTILES, SIZES};
use crate::quantile::power_of_two_near;
use crate::ranks::{key, value};

/// The dip of a sample and its p-value under unimodality.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dip {
    /// Largest distance between the empirical distribution function and the nearest unimodal one, between
    /// 1/(2n) and 1/4 (1/2 for one value); no unit.
    pub dip: f64,
    /// Probability of a dip at least as large in a uniform sample of this size, between 1e-4 and 1. It comes
    /// from a table of quantiles and is accurate to about 0.001 near 0.05; smaller probabilities are returned
    /// as 1e-4.
    pub p: f64,
}

/// The dip of a sample and its p. `None` for no values, and if one is not finite.
#[must_use]
pub fn dip(values: &[f64]) -> Option<Dip> {
    let sorted = ordered(values)?;
    let dip = statistic(&sorted);
    Some(Dip { dip, p: p_value(dip, values.len()) })
}

/// Ascending values, scaled by a power of two to a range in which products of differences and counts are
/// floats.
fn ordered(values: &[f64]) -> Option<Vec<f64>> {
    let mut keys: Vec<i64> = values.iter().map(|&v| key(v)).collect();
    keys.sort_unstable();
    let (low, high) = (value(*keys.first()?), value(*keys.last()?));
    let range = 0.5 * high - 0.5 * low;
    if !range.is_finite() {
        return None;
    }
    let unit = if range == 0.0 || (1e-140..1e140).contains(&range) { 1.0 } else { power_of_two_near(range) };
    Some(keys.into_iter().map(|k| value(k) / unit).collect())
}

/// The dip of ascending values.
fn statistic(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    // In steps of the distribution function; no sample has less than one.
    let mut dip = 1.0_f64;
    if sorted[0] < sorted[n - 1] {
        let hulls = Hulls::of(sorted);
        let (mut low, mut high) = (0, n - 1);
        // The interval that contains the mode shrinks until nothing inside it deviates more than what lies
        // outside.
        loop {
            let (below, above) = (hulls.minorant(low, high), hulls.majorant(low, high));
            let gap =
                if below.len() == 2 && above.len() == 2 { None } else { widest(sorted, &below, &above) };
            let Some(gap) = gap.filter(|gap| gap.width >= dip) else {
                break;
            };
            let outside = |knots: &[usize], side| {
                knots.windows(2).map(|w| deviation(sorted, w[0], w[1], side)).fold(1.0, f64::max)
            };
            let left = below.partition_point(|&k| k <= gap.low);
            let right = above.partition_point(|&k| k < gap.high);
            dip = dip.max(outside(&below[..left], 1.0)).max(outside(&above[right..], -1.0));
            if (gap.low, gap.high) == (low, high) {
                break;
            }
            (low, high) = (gap.low, gap.high);
        }
    }
    dip / (2 * n) as f64
}

/// Greatest convex minorants and least concave majorants of the distribution function, for all stretches at
/// once.
struct Hulls {
    /// The knot of the minorant before each position.
    before: Vec<usize>,
    /// The knot of the majorant after each position.
    after: Vec<usize>,
}

impl Hulls {
    fn of(sorted: &[f64]) -> Self {
        let n = sorted.len();
        let before = convex(n, |i, j| sorted[j] - sorted[i]);
        // From the other end, the majorant is a minorant.
        let mirrored = convex(n, |i, j| sorted[n - 1 - i] - sorted[n - 1 - j]);
        Self { before, after: mirrored.into_iter().rev().map(|k| n - 1 - k).collect() }
    }

    /// Knots of the minorant from `low` to `high`, both included.
    fn minorant(&self, low: usize, high: usize) -> Vec<usize> {
        let mut knots: Vec<usize> =
            core::iter::successors(Some(high), |&k| Some(self.before[k])).take_while(|&k| k > low).collect();
        knots.push(low);
        knots.reverse();
        knots
    }

    /// Knots of the majorant from `low` to `high`, both included.
    fn majorant(&self, low: usize, high: usize) -> Vec<usize> {
        let mut knots: Vec<usize> =
            core::iter::successors(Some(low), |&k| Some(self.after[k])).take_while(|&k| k < high).collect();
        knots.push(high);
        knots
    }
}

/// For each of n positions, the preceding knot on the convex minorant of the positions up to it; `width` is the
/// distance between the values at two positions.
fn convex(n: usize, width: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let mut before = vec![0; n];
    for j in 1..n {
        let mut k = j - 1;
        // A knot remains if the function is steeper after it than before it.
        while k > 0 {
            let last = before[k];
            if width(k, j) * ((k - last) as f64) < width(last, k) * (j - k) as f64 {
                break;
            }
            k = last;
        }
        before[j] = k;
    }
    before
}

/// The position where minorant and majorant are furthest apart, and the stretch that must then contain the
/// mode.
struct Gap {
    width: f64,
    low: usize,
    high: usize,
}

/// The widest gap at a knot of either hull; the last one if several are equal.
fn widest(sorted: &[f64], below: &[usize], above: &[usize]) -> Option<Gap> {
    // Fraction of the steps from knot `a` to knot `b` that the line between them has taken at `place`.
    let line = |a: usize, b: usize, place: usize| {
        (sorted[place] - sorted[a]) * (b - a) as f64 / (sorted[b] - sorted[a])
    };
    let (mut i, mut j) = (1, 1);
    let mut found: Option<Gap> = None;
    loop {
        let (next, other) = (below[i], above[j]);
        let gap = if next > other {
            let start = below[i - 1];
            j = (j + 1).min(above.len() - 1);
            Gap { width: (other - start + 1) as f64 - line(start, next, other), low: start, high: other }
        } else {
            let start = above[j - 1];
            i = (i + 1).min(below.len() - 1);
            Gap {
                width: line(start, other, next) - (next as f64 - start as f64 - 1.0),
                low: next,
                high: other,
            }
        };
        if gap.width >= found.as_ref().map_or(0.0, |best| best.width) {
            found = Some(gap);
        }
        if below[i] == above[j] {
            return found;
        }
    }
}

/// The largest distance of the distribution function from the line between two knots: above a minorant (`side`
/// 1) or below a majorant (-1); at least one step.
fn deviation(sorted: &[f64], start: usize, end: usize, side: f64) -> f64 {
    let width = sorted[end] - sorted[start];
    if end - start < 2 || width <= 0.0 {
        return 1.0;
    }
    let slope = (end - start) as f64 / width;
    let away = |k: usize| side * ((k - start) as f64 - (sorted[k] - sorted[start]) * slope) + 1.0;
    (start..=end).map(away).fold(1.0, f64::max)
}

/// p of a dip from the table, interpolated linearly between its levels, and between its sizes in the logarithm
/// of the size.
fn p_value(dip: f64, n: usize) -> f64 {
    // Three values are always unimodal. A sample with the smallest possible dip, 1/(2n), has p = 1; √n times it
    // decreases between the rows of the table.
    if n < SIZES[0] || dip <= 0.5 / n as f64 {
        return 1.0;
    }
    let scaled = dip * (n as f64).sqrt();
    let next = SIZES.partition_point(|&size| size <= n).min(SIZES.len() - 1);
    let (a, b) = (SIZES[next - 1] as f64, SIZES[next] as f64);
    let share = ((n as f64 / a).ln() / (b / a).ln()).min(1.0);
    let at = |level: usize| QUANTILES[next - 1][level] * (1.0 - share) + QUANTILES[next][level] * share;
    let above = (0..LEVELS.len()).find(|&level| at(level) >= scaled);
    match above {
        None => LEVELS[LEVELS.len() - 1],
        Some(0) => 1.0,
        Some(level) => {
            let part = (scaled - at(level - 1)) / (at(level) - at(level - 1));
            LEVELS[level - 1] + part * (LEVELS[level] - LEVELS[level - 1])
        }
    }
}
