//! The bootstrap distribution of a mean, or of a difference of two means, by resampling.
//!
//! Deviations from the mean are rounded to multiples of a power of two (2^-54 of their range for 20 values,
//! 2^-34 for 5,000 compared with 5,000), so that sums of resamples are exact and ties with the estimate are
//! recognised.

use rayon::prelude::*;

use crate::mean_draws::MeanDraws;
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
