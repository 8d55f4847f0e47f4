//! Circular block bootstrap (Politis & Romano 1992), for values that depend on their predecessors.
//!
//! The series is closed to a ring. Blocks of consecutive values are drawn from it and concatenated until there
//! are as many values as before.

use crate::bca::Levels;
use crate::block_length::block_length;
use crate::boot_plan::BootStatistic;
use crate::draws::replicates;
use crate::quantile::{mean, median, quantile_sorted};
use crate::random::{Stream, below};

/// An estimate from a series with its block bootstrap interval, in the unit of the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockBootstrap {
    /// The statistic of the series.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Length of the blocks.
    pub block_length: usize,
    /// Number of resamples drawn; 0 for a constant series.
    pub resamples: usize,
    /// The seed of the draws.
    pub seed: u64,
}

/// Percentile interval of a statistic of values in the order of measurement.
///
/// The block length is the given one, or that of [`crate::block_length()`]; a length of 1 is the plain
/// bootstrap. The interval of a constant series is a point. `None` for fewer than two values, a length of 0 or
/// above their number, no resamples, a `confidence` not between 0 and 1, and a trimmed fraction outside [0,
/// 0.5).
#[must_use]
pub fn block_bootstrap(
    series: &[f64],
    statistic: BootStatistic,
    length: Option<usize>,
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> Option<BlockBootstrap> {
    let n = series.len();
    let levels = Levels::percentile(confidence)?;
    let length = length.unwrap_or_else(|| block_length(series));
    if n < 2 || resamples == 0 || !(1..=n).contains(&length) || !statistic.is_defined() {
        return None;
    }
    let estimate = of_series(series, statistic, &mut Vec::new());
    let point =
        BlockBootstrap { estimate, low: estimate, high: estimate, block_length: length, resamples: 0, seed };
    if series.iter().all(|v| *v == series[0]) {
        return Some(point);
    }
    let stream = Stream::new(seed, 0, 8);
    let blocks = n.div_ceil(length) as u64;
    let mut drawn = replicates(resamples, |number, (values, room): &mut (Vec<f64>, Vec<f64>)| {
        values.clear();
        for block in 0..blocks {
            let start = below(stream.bits(number * blocks + block), n);
            let end = start + length.min(n - values.len());
            values.extend_from_slice(&series[start..end.min(n)]);
            values.extend_from_slice(&series[..end.saturating_sub(n)]);
        }
        of_series(values, statistic, room)
    });
    drawn.sort_unstable_by(f64::total_cmp);
    let (low, high) = (quantile_sorted(&drawn, levels.low), quantile_sorted(&drawn, levels.high));
    Some(BlockBootstrap { low, high, resamples, ..point })
}

fn of_series(values: &[f64], statistic: BootStatistic, room: &mut Vec<f64>) -> f64 {
    match statistic {
        BootStatistic::Mean => mean(values),
        BootStatistic::Median => median(values),
        BootStatistic::TrimmedMean(_) => {
            room.clear();
            room.extend_from_slice(values);
            room.sort_unstable_by(f64::total_cmp);
            statistic.of_sorted(room)
        }
    }
}
