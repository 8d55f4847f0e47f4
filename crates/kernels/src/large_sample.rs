//! Samples of millions of values: sums that do not depend on the order of values, and many quantiles at once.

use crate::ranks::{key, value};

/// Fixed-point units per one: 2^60.
const UNITS: f64 = (1_u64 << 60) as f64;

/// The range of fixed-point sums, equal to that of a decimal with 38 digits.
const ROOM: f64 = 1e38;

/// From here on doubles have no fractional digits.
const WHOLE: f64 = 4_503_599_627_370_496.0;

/// How many stretches of equal width values are spread over, to find those that hold certain places.
const STRETCHES: usize = 1 << 12;

/// Count, sum, minimum and maximum of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Total {
    /// How many values.
    pub n: u64,
    /// Their sum, with each value rounded to units of 2^-60; exact, and therefore independent of the order.
    /// `None` if it is out of range.
    pub sum: Option<i128>,
    /// The minimum.
    pub least: f64,
    /// The maximum.
    pub largest: f64,
}

impl Total {
    const NONE: Self = Self { n: 0, sum: Some(0), least: f64::INFINITY, largest: f64::NEG_INFINITY };

    #[inline]
    fn add(&mut self, value: f64) {
        self.n += 1;
        self.sum = self.sum.zip(fixed(value)).and_then(|(sum, one)| sum.checked_add(one));
        self.least = self.least.min(value);
        self.largest = self.largest.max(value);
    }
}

/// A value in units of 2^-60, halves rounded away from zero; `None` if it is out of range.
#[inline]
fn fixed(value: f64) -> Option<i128> {
    let units = value * UNITS;
    if units.abs() < WHOLE {
        // A processor truncates to 64 bits by itself; what is left is exact.
        let whole = units as i64;
        let rest = units - whole as f64;
        return Some((whole + i64::from(rest >= 0.5) - i64::from(rest <= -0.5)).into());
    }
    (units.abs() < ROOM).then_some(units as i128)
}

/// Values that belong to groups numbered from 0.
#[derive(Clone, Debug, Default)]
pub struct LargeSample {
    values: Vec<f64>,
    totals: Vec<Total>,
}

impl LargeSample {
    /// Adds a value to a group.
    #[inline]
    pub fn push(&mut self, group: u16, one: f64) {
        let group = usize::from(group);
        if group >= self.totals.len() {
            self.totals.resize(group + 1, Total::NONE);
        }
        // -0 becomes 0.
        let one = one + 0.0;
        self.totals[group].add(one);
        self.values.push(one);
    }

    /// The totals of the groups, by number; a group may be empty.
    #[must_use]
    pub fn totals(&self) -> &[Total] {
        &self.totals
    }

    /// Quantiles of all values, type 7 (Hyndman & Fan 1996), at ascending levels from 0 to 1; empty without
    /// values.
    #[must_use]
    pub fn quantiles(&self, levels: &[f64]) -> Vec<f64> {
        let Some(last) = self.values.len().checked_sub(1) else { return Vec::new() };
        let heights: Vec<f64> = levels.iter().map(|level| last as f64 * level).collect();
        let mut places: Vec<usize> = heights
            .iter()
            .flat_map(|height| [*height as usize, *height as usize + 1])
            .map(|place| place.min(last))
            .collect();
        places.sort_unstable();
        places.dedup();
        let found = self.at(&places);
        let of = |place: usize| found[places.partition_point(|other| *other < place.min(last))];
        heights
            .iter()
            .map(|height| {
                let (low, share) = (*height as usize, height.fract());
                let (below, above) = (of(low), of(low + 1));
                if share == 0.0 { below } else { below + share * (above - below) }
            })
            .collect()
    }

    /// The values at places, both in ascending order. Only values in the stretches of these places are ordered.
    fn at(&self, places: &[usize]) -> Vec<f64> {
        let ends = self.totals.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, largest), total| {
            (least.min(total.least), largest.max(total.largest))
        });
        let scale = (STRETCHES - 1) as f64 / (ends.1 - ends.0);
        // Never descends as values ascend; a range that is no number, or 0, puts all of them into one stretch or two.
        let stretch = |one: f64| (((one - ends.0) * scale) as usize).min(STRETCHES - 1);
        let mut counts = vec![0_usize; STRETCHES];
        self.values.iter().for_each(|one| counts[stretch(*one)] += 1);
        let (mut wanted, mut shifted) = (vec![false; STRETCHES], Vec::with_capacity(places.len()));
        let (mut before, mut left_out, mut next) = (0, 0, places.iter().peekable());
        for (count, wanted) in counts.iter().zip(&mut wanted) {
            while let Some(place) = next.next_if(|place| **place < before + count) {
                *wanted = true;
                shifted.push(place - left_out);
            }
            before += count;
            left_out += if *wanted { 0 } else { *count };
        }
        let chosen = self.values.iter().filter(|one| wanted[stretch(**one)]);
        let mut keys: Vec<i64> = Vec::with_capacity(self.values.len() - left_out);
        keys.extend(chosen.map(|one| key(*one)));
        select(&mut keys, 0, &shifted);
        shifted.iter().map(|place| value(keys[*place])).collect()
    }

    /// The sum of squared deviations from `mean`, relative to `range`, in units of 2^-60; `None` if it is out
    /// of range.
    #[must_use]
    pub fn squares(&self, mean: f64, range: f64) -> Option<i128> {
        self.values.iter().try_fold(0_i128, |sum, one| {
            let part = (one - mean) / range;
            sum.checked_add(fixed(part * part)?)
        })
    }
}

/// Puts the values of the given positions, in ascending order, in place; `before` positions precede these keys.
fn select(keys: &mut [i64], before: usize, places: &[usize]) {
    let Some(middle) = places.get(places.len() / 2) else { return };
    let (low, _, high) = keys.select_nth_unstable(middle - before);
    select(low, before, &places[..places.len() / 2]);
    select(high, middle + 1, &places[places.len() / 2 + 1..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deterministic and unordered: a multiplicative walk.
    fn values(count: u64) -> impl Iterator<Item = (u16, f64)> {
        (0..count).map(|number| {
            let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            ((number % 7) as u16, mixed as f64 / 1e4 - 500.0)
        })
    }

    fn sample(count: u64) -> LargeSample {
        let mut sample = LargeSample::default();
        values(count).for_each(|(group, one)| sample.push(group, one));
        sample
    }

    #[test]
    fn quantiles_are_those_of_the_sorted_values() {
        let levels = [0.0, 0.01, 0.3, 0.5, 0.9999, 1.0];
        for count in [1, 2, 3, 10, 5_000] {
            let mut sorted: Vec<f64> = values(count).map(|value| value.1).collect();
            sorted.sort_by(f64::total_cmp);
            let wanted = levels.map(|level| crate::quantile::quantile_sorted(&sorted, level));
            assert_eq!(sample(count).quantiles(&levels), wanted, "{count}");
        }
        assert!(LargeSample::default().quantiles(&levels).is_empty());
    }

    #[test]
    fn quantiles_of_one_stretch_or_one_value_are_found() {
        let levels = [0.0, 0.25, 0.5, 0.999, 1.0];
        let far = (0..999).map(|number| f64::from(number * 7 % 999)).chain([1e12]);
        let (small, wide) = ([0.0, 5e-324, 5e-324, -0.0], [-1e308, 0.0, 1e308, 3.0]);
        for mut values in [far.collect(), vec![2.5; 100], small.to_vec(), wide.to_vec()] {
            let mut sample = LargeSample::default();
            for one in &values {
                sample.push(0, *one);
            }
            values.sort_by(f64::total_cmp);
            let wanted = levels.map(|level| crate::quantile::quantile_sorted(&values, level));
            assert_eq!(sample.quantiles(&levels), wanted);
        }
    }

    #[test]
    fn totals_are_exact_and_apart() {
        let sample = sample(1_000);
        let totals = sample.totals();
        assert_eq!(totals.len(), 7);
        assert_eq!(totals.iter().map(|total| total.n).sum::<u64>(), 1_000);
        let sum = |group| values(1_000).filter(|value| value.0 == group).map(|value| value.1).sum::<f64>();
        for (group, total) in (0..).zip(totals) {
            let mean = total.sum.map_or(f64::NAN, |sum| sum as f64 / UNITS);
            assert!((mean - sum(group)).abs() < 1e-9 * sum(group).abs().max(1.0));
        }
    }

    #[test]
    fn what_has_no_room_is_said() {
        let mut sample = LargeSample::default();
        sample.push(1, 1e300);
        sample.push(2, 2.5);
        let totals = sample.totals();
        assert_eq!(totals[0], Total::NONE);
        assert_eq!(totals[1].sum, None);
        assert_eq!(totals[2].sum, Some(5 << 59));
        assert_eq!(sample.squares(0.0, 1e-200), None);
    }

    #[test]
    fn halves_of_a_unit_go_away_from_zero() {
        assert_eq!(fixed(0.5 / UNITS), Some(1));
        assert_eq!(fixed(-0.5 / UNITS), Some(-1));
        assert_eq!(fixed(0.25), Some(1 << 58));
    }

    #[test]
    fn squares_are_relative_to_the_range() {
        let mut sample = LargeSample::default();
        for one in [0.0, 1.0, 2.0] {
            sample.push(0, one);
        }
        // Deviations of -1/2, 0 and 1/2 of the range.
        assert_eq!(sample.squares(1.0, 2.0), Some(1 << 59));
    }
}
