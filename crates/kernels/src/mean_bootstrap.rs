//! The bootstrap distribution of a mean, or of a difference of two means, by resampling.
//!
//! Values, less their mean, are rounded to multiples of a power of two (2^-54 of their range for 20 values, 2^-34 for
//! 5,000 beside 5,000), so that sums of resamples are exact and ties with the estimate are ties.

use rayon::prelude::*;

use crate::mean_draws::MeanDraws;
use crate::quantile::mean;
use crate::random::Stream;
use crate::special::norm_quantile;

/// Resampled values that are worth a task of their own.
const TASK: usize = 1 << 18;
/// Sums of resamples are below 2 to this.
const ROOM: i32 = 61;

/// A sample whose mean is part of the statistic.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<'a> {
    pub values: &'a [f64],
    pub minus: bool,
    pub stream: Stream,
}

/// Room for a bootstrap distribution, to be used again.
#[derive(Debug, Default)]
pub(crate) struct MeanBootstrap {
    draws: MeanDraws,
    whole: Vec<i64>,
    sums: Vec<i64>,
    added: Vec<i64>,
    tail: Vec<i64>,
    /// The sum that the samples themselves have.
    centre: i64,
    /// Standard deviation of the sums.
    sd: f64,
    /// A sum / `divisor` / 2^`exponent` is what the statistic differs from the estimate by.
    divisor: f64,
    exponent: i32,
}

impl MeanBootstrap {
    /// Draws one sample's mean, or the difference of two; one of them varies and none is empty.
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
        // Largest deviation × divisor × 2 sides, each rounded up to a power of two, and one for the halving.
        self.exponent = ROOM - 4 - libm::ilogb(largest) - libm::ilogb(self.divisor);
        (self.centre, self.sd) = (0, 0.0);
        self.sums.clear();
        self.sums.resize(resamples, 0);
        for side in sides {
            // Both means come to one denominator: a sum is weighted with the size of the other sample.
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
        self.added.clear();
        self.added.resize(self.sums.len(), 0);
        let chunk = (TASK / side.values.len()).max(1);
        if self.added.len() <= chunk {
            self.draws.sums(side.stream, 0, &mut self.added);
        } else {
            let chunks = self.added.par_chunks_mut(chunk).enumerate();
            chunks.for_each(|(i, sums)| self.draws.sums(side.stream, (i * chunk) as u64, sums));
        }
        for (sum, added) in self.sums.iter_mut().zip(&self.added) {
            *sum += added;
        }
    }

    /// Share of the resamples below the estimate, those that equal it counted half.
    pub(crate) fn share_below(&self) -> f64 {
        let centre = self.centre;
        let doubled: u64 = self.sums.iter().map(|&s| u64::from(s < centre) + u64::from(s <= centre)).sum();
        doubled as f64 / (2.0 * self.sums.len() as f64)
    }

    /// Quantile (type 7) of the resamples, less the estimate.
    pub(crate) fn quantile(&mut self, level: f64) -> f64 {
        let last = self.sums.len() - 1;
        let at = last as f64 * level;
        let index = (at as usize).min(last);
        let skipped = self.keep_tail(level, index);
        let (_, &mut lower, above) = self.tail.select_nth_unstable(index - skipped);
        let upper = above.iter().copied().min().unwrap_or(lower);
        let share = at - index as f64;
        let sum = (lower - self.centre) as f64 + share * (upper - lower) as f64;
        libm::scalbn(sum / self.divisor, -self.exponent)
    }

    /// Leaves in `tail` the sums on the level's side that, going by the normal distribution, are enough to hold places
    /// `index` and the next; all of them where they are not. Gives the number of smaller sums that are not there.
    fn keep_tail(&mut self, level: f64, index: usize) -> usize {
        let (count, low) = (self.sums.len(), level < 0.5);
        let share = (1.5 * level.min(1.0 - level) + 0.01).min(0.5);
        let reach = (norm_quantile(share).abs() * self.sd) as i64;
        let (from, to) = if low {
            (i64::MIN, self.centre.saturating_sub(reach))
        } else {
            (self.centre.saturating_add(reach), i64::MAX)
        };
        self.tail.clear();
        self.tail.resize(count, 0);
        let mut kept = 0;
        // Written always and kept sometimes: no branch to be guessed wrong.
        for &sum in &self.sums {
            self.tail[kept] = sum;
            kept += usize::from((from..=to).contains(&sum));
        }
        let skipped = if low { 0 } else { count - kept };
        if index < skipped || (index + 1).min(count - 1) >= skipped + kept {
            self.tail.copy_from_slice(&self.sums);
            return 0;
        }
        self.tail.truncate(kept);
        skipped
    }
}
