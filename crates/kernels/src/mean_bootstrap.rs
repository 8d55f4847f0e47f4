//! The bootstrap distribution of a mean, or of a difference of two means, by resampling.
//!
//! Deviations from the mean are rounded to multiples of a power of two (2^-54 of their range for 20 values,
//! 2^-34 for 5,000 compared with 5,000), so that sums of resamples are exact and ties with the estimate are
//! recognised.

use rayon::prelude::*;

use crate::quantile::mean;
use crate::random::Stream;
use crate::special::norm_quantile;

/// Number of resampled values that make a task worthwhile.
const TASK: usize = 1 << 18;
/// Sums of resamples are below 2 to this power.
const ROOM: i32 = 61;

/// A sample whose mean is part of the statistic.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<'a> {
    pub values: &'a [f64],
    pub minus: bool,
    pub stream: Stream,
}

/// The reusable buffers of a bootstrap distribution.
#[derive(Debug, Default)]
pub(crate) struct MeanBootstrap {
    draws: MeanDraws,
    whole: Vec<i64>,
    sums: Vec<i64>,
    /// The smallest and the largest sums, and their numbers; the elements after them are meaningless.
    low: Vec<i64>,
    high: Vec<i64>,
    lows: usize,
    highs: usize,
    /// The sum for the samples themselves.
    centre: i64,
    /// Standard deviation of the sums.
    sd: f64,
    /// The statistic differs from the estimate by a sum / `divisor` / 2^`exponent`.
    divisor: f64,
    exponent: i32,
}

impl MeanBootstrap {
    /// Draws one sample's mean, or the difference of two; at least one sample varies and none is empty.
    pub(crate) fn draw(&mut self, sides: &[Side<'_>], resamples: usize) {
        self.divisor = sides.iter().map(|side| side.values.len() as f64).product();
        let deviation = |v: f64, mean: f64| 0.5 * v - 0.5 * mean;
        let largest = sides
            .iter()
            .flat_map(|side| {
                let centre = mean(side.values);
                side.values.iter().map(move |&v| deviation(v, centre).abs())
            })
            .fold(0.0, f64::max);
        // Largest deviation × divisor × 2 sides, each rounded up to a power of two, and one more for the
        // halving.
        self.exponent = ROOM - 4 - libm::ilogb(largest) - libm::ilogb(self.divisor);
        (self.centre, self.sd) = (0, 0.0);
        self.sums.clear();
        self.sums.resize(resamples, 0);
        for side in sides {
            // Both means get a common denominator: each sum is weighted with the size of the other sample.
            let sign = if side.minus { -1 } else { 1 };
            let weight = sign * (self.divisor / side.values.len() as f64) as i64;
            let centre = mean(side.values);
            let scaled = |v: &f64| libm::scalbn(deviation(*v, centre), self.exponent + 1).round() as i64;
            self.whole.clear();
            self.whole.extend(side.values.iter().map(|v| scaled(v) * weight));
            self.centre += self.whole.iter().sum::<i64>();
            self.sd = self.sd.hypot(self.whole.iter().map(|&w| w as f64 * w as f64).sum::<f64>().sqrt());
            self.draws.fill(&self.whole);
            self.add(side);
        }
    }

    /// Adds the resampled sums of a side.
    fn add(&mut self, side: &Side<'_>) {
        let chunk = (TASK / side.values.len()).max(1);
        if self.sums.len() <= chunk {
            self.draws.add(side.stream, 0, &mut self.sums);
        } else {
            let chunks = self.sums.par_chunks_mut(chunk).enumerate();
            chunks.for_each(|(i, sums)| self.draws.add(side.stream, (i * chunk) as u64, sums));
        }
    }

    /// Fraction of the resamples below the estimate, with equal ones counted half.
    ///
    /// Sets aside the sums that, by the normal distribution, suffice for the quantiles at `tail` and 1 −
    /// `tail`, and some more.
    pub(crate) fn share_below(&mut self, tail: f64) -> f64 {
        let (count, centre) = (self.sums.len(), self.centre);
        let reach = (norm_quantile((1.5 * tail + 0.02).min(0.5)).abs() * self.sd) as i64;
        let (low, high) = (centre.saturating_sub(reach), centre.saturating_add(reach));
        self.low.resize(self.low.len().max(count), 0);
        self.high.resize(self.high.len().max(count), 0);
        let (mut lows, mut highs, mut doubled) = (0, 0, 0);
        // The sign bit is 1 for negative numbers.
        let negative = |difference: i64| difference as u64 >> 63;
        // Always written, sometimes kept: this avoids mispredicted branches.
        for &sum in &self.sums {
            self.low[lows] = sum;
            self.high[highs] = sum;
            lows += usize::from(sum < low);
            highs += usize::from(sum > high);
            doubled += negative(sum - centre) + negative(sum - centre - 1);
        }
        (self.lows, self.highs) = (lows, highs);
        doubled as f64 / (2.0 * count as f64)
    }

    /// Quantile (type 7) of the resamples, minus the estimate.
    pub(crate) fn quantile(&mut self, level: f64) -> f64 {
        let last = self.sums.len() - 1;
        let at = last as f64 * level;
        let index = (at as usize).min(last);
        let next = (index + 1).min(last);
        let above = self.sums.len() - self.highs;
        let (sums, index) = if next < self.lows {
            (&mut self.low[..self.lows], index)
        } else if index >= above {
            (&mut self.high[..self.highs], index - above)
        } else {
            (&mut self.sums[..], index)
        };
        let (_, &mut lower, more) = sums.select_nth_unstable(index);
        let upper = more.iter().copied().min().unwrap_or(lower);
        let share = at - at.floor();
        let sum = (lower - self.centre) as f64 + share * (upper - lower) as f64;
        libm::scalbn(sum / self.divisor, -self.exponent)
    }
}

// Sums of resamples, drawn several values at a time from a table.
//
// For n values, a table holds the sums of all n^g draws of g values, and 32 random bits choose one of them:
// each probability is accurate to a relative error of n^g / 2^32, at most 2e-6 (n / 2^32 for more than 8,192
// values). Values are integers, so sums are exact: the same values give the same sum in any order.

/// Maximum number of tabulated sums, so that they stay in a cache of the processor.
const TABLED: usize = 8192;
/// Number of resamples drawn side by side.
const BLOCK: usize = 256;
/// The lower half of a random word.
const LOWER: u64 = 0xFFFF_FFFF;

/// Draws sums of n out of n values, with replacement.
#[derive(Debug, Default)]
struct MeanDraws {
    /// Sums of all draws of as many values as the table covers, padded with zeros.
    table: Vec<i64>,
    used: u64,
    /// Sums of all draws of the remaining values.
    rest: Vec<i64>,
    /// Number of draws from the table; the remaining values take one more.
    times: u64,
}

impl MeanDraws {
    /// Fills the tables from at least one integer.
    pub(crate) fn fill(&mut self, values: &[i64]) {
        let n = values.len();
        let (mut at_once, mut size) = (1, n);
        while at_once < n && size * n <= TABLED {
            (at_once, size) = (at_once + 1, size * n);
        }
        self.times = (n / at_once) as u64;
        self.used = size as u64;
        self.rest.clear();
        self.rest.resize(n.pow((n % at_once) as u32), 0);
        sums_of(values, n % at_once, &mut self.rest);
        self.table.resize(size.max(TABLED), 0);
        sums_of(values, at_once, &mut self.table[..size]);
    }

    /// Adds the sums of resamples `first`, `first` + 1 and so on.
    pub(crate) fn add(&self, stream: Stream, first: u64, sums: &mut [i64]) {
        let left = |half: u64| self.rest[((half * self.rest.len() as u64) >> 32) as usize];
        let place = |half: u64| ((half * self.used) >> 32) as usize;
        let small = self.table.first_chunk::<TABLED>().filter(|_| self.table.len() == TABLED);
        for (sums, first) in sums.chunks_mut(BLOCK).zip((first..).step_by(BLOCK)) {
            let mut block = Block { stream, first, sums, pairs: self.times / 2 };
            let (odd, rest) = (self.times % 2 == 1, self.rest.len() > 1);
            match small {
                // An index masked by the length of an array needs no bounds check.
                Some(table) => block.draw(|half| table[place(half) & (TABLED - 1)], odd, left, rest),
                None => block.draw(|half| self.table[place(half)], odd, left, rest),
            }
        }
    }
}

/// Sums that are drawn side by side.
struct Block<'a> {
    stream: Stream,
    /// Number of the first one.
    first: u64,
    sums: &'a mut [i64],
    /// Number of random words per sum whose halves both draw from the table.
    pairs: u64,
}

impl Block<'_> {
    /// Draws by `pick`, once more if the number of draws is `odd`, and by `left` if there is a `rest`.
    fn draw(
        &mut self,
        pick: impl Fn(u64) -> i64 + Copy,
        odd: bool,
        left: impl Fn(u64) -> i64 + Copy,
        rest: bool,
    ) {
        let pair = |bits: u64| pick(bits >> 32) + pick(bits & LOWER);
        match (odd, rest) {
            (false, false) => self.words::<false>(pair, |_| 0),
            (true, false) => self.words::<true>(pair, |bits| pick(bits >> 32)),
            (false, true) => self.words::<true>(pair, |bits| left(bits & LOWER)),
            (true, true) => self.words::<true>(pair, |bits| pick(bits >> 32) + left(bits & LOWER)),
        }
    }

    /// Draws a `pair` with each word and, if there is a `LAST` word, what it is for.
    fn words<const LAST: bool>(&mut self, pair: impl Fn(u64) -> i64, last: impl Fn(u64) -> i64) {
        for word in (0..self.pairs / 4).map(|four| 4 * four) {
            self.add::<4, false>(LAST, word, &pair, &last);
        }
        let word = self.pairs / 4 * 4;
        match self.pairs % 4 {
            0 => self.add::<0, LAST>(LAST, word, &pair, &last),
            1 => self.add::<1, LAST>(LAST, word, &pair, &last),
            2 => self.add::<2, LAST>(LAST, word, &pair, &last),
            _ => self.add::<3, LAST>(LAST, word, &pair, &last),
        }
    }

    /// Adds the draws of a few words from `word` on. Their number is known at compile time, so that several
    /// sums are computed side by side.
    #[inline]
    fn add<const PAIRS: u64, const LAST: bool>(
        &mut self,
        more: bool,
        word: u64,
        pair: &impl Fn(u64) -> i64,
        last: &impl Fn(u64) -> i64,
    ) {
        let words = self.pairs + u64::from(more);
        let mut first = self.first * words + word;
        for sum in &mut *self.sums {
            for word in 0..PAIRS {
                *sum += pair(self.stream.quick_bits(first + word));
            }
            if LAST {
                *sum += last(self.stream.quick_bits(first + PAIRS));
            }
            first += words;
        }
    }
}

/// Writes the sums of all draws of `count` values.
fn sums_of(values: &[i64], count: usize, sums: &mut [i64]) {
    sums[0] = 0;
    let mut size = 1;
    for _ in 0..count {
        let (before, after) = sums.split_at_mut(size);
        for (block, value) in after.chunks_exact_mut(size).zip(&values[1..]) {
            for (sum, old) in block.iter_mut().zip(&*before) {
                *sum = old + value;
            }
        }
        for sum in before {
            *sum += values[0];
        }
        size *= values.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    fn sums(values: &[i64], count: usize, first: u64) -> Vec<i64> {
        let mut draws = MeanDraws::default();
        draws.fill(values);
        let mut sums = vec![0; count];
        draws.add(Stream::new(1, 2, 3), first, &mut sums);
        sums
    }

    #[test]
    fn every_resample_of_few_values_comes_as_often() {
        // The digits of a sum in base 10 count how often each value was drawn.
        for n in 1..=5_u32 {
            let values: Vec<i64> = (0..n).map(|i| 10_i64.pow(i)).collect();
            let all = n.pow(n);
            let drawn = sums(&values, 2000 * all as usize, 0);
            let mut counts = std::collections::BTreeMap::new();
            for sum in &drawn {
                *counts.entry(sum).or_insert(0_u32) += 1;
            }
            for (sum, count) in counts {
                let digits = (0..n).map(|i| sum / 10_i64.pow(i) % 10);
                assert_eq!(digits.clone().sum::<i64>(), i64::from(n));
                let orders = (1..=n).product::<u32>()
                    / digits.map(|d| (1..=d as u32).product::<u32>()).product::<u32>();
                let expected = f64::from(2000 * orders);
                assert!((f64::from(count) - expected).abs() < 5.0 * expected.sqrt(), "{n} {sum} {count}");
            }
        }
    }

    #[test]
    fn sums_have_the_mean_and_spread_of_resamples() {
        for n in [1, 2, 6, 7, 8, 13, 19, 20, 21, 90, 91, 200, 8192, 8193, 9001] {
            let values: Vec<i64> = (0..n).map(|i| (i * i) % 1009 - 500).collect();
            let count = if n > 1000 { 500 } else { 20_000 };
            let drawn = sums(&values, count, 0);
            let mean = drawn.iter().sum::<i64>() as f64 / count as f64;
            let variance = drawn.iter().map(|&s| (s as f64 - mean).powi(2)).sum::<f64>() / count as f64;
            let centre = values.iter().sum::<i64>() as f64 / n as f64;
            let expected: f64 = values.iter().map(|&v| (v as f64 - centre).powi(2)).sum();
            let error = (expected / count as f64).sqrt();
            assert!((mean - n as f64 * centre).abs() <= 4.0 * error, "{n}: {mean}");
            assert!(
                (variance / expected.max(1e-9) - 1.0).abs() < 6.0 / (count as f64).sqrt() || n == 1,
                "{n}"
            );
            // A resample depends only on its number, wherever a block begins.
            assert_eq!(drawn[300..], sums(&values, count - 300, 300), "{n}");
        }
    }
}
