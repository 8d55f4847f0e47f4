//! Circular block bootstrap (Politis & Romano 1992), for values that depend on their predecessors.
//!
//! The series is closed to a ring. Blocks of consecutive values are drawn from it and concatenated until there
//! are as many values as before.

use crate::bca::Levels;
use crate::boot_plan::BootStatistic;
use crate::quantile::{mean, median, quantile_sorted};
use crate::random::replicates;
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

// The block length that preserves the dependence of a series (Politis & White 2004, corrected by Patton,
// Politis & White 2009, for the circular bootstrap).

/// The block length, at least 1, that makes the bootstrap variance of the mean most accurate, estimated from
/// the autocorrelations of a series; 1 for a constant series or fewer than 2 values.
///
/// Autocorrelations count up to twice the last lag before a run of negligible ones: max(5, √log10 n)
/// consecutive ones below 2 √(log10 n / n). At most min(3 √n, n / 3).
#[must_use]
pub fn block_length(series: &[f64]) -> usize {
    let n = series.len() as f64;
    let covariances = covariances(series);
    if covariances.len() < 2 || covariances[0] <= 0.0 {
        return 1;
    }
    let reach = reach(&covariances, n);
    let window = |lag: usize| (2.0 * (1.0 - lag as f64 / reach as f64)).min(1.0);
    let (mut density, mut slope) = (covariances[0], 0.0);
    for (lag, covariance) in covariances.iter().enumerate().take(reach + 1).skip(1) {
        density += 2.0 * window(lag) * covariance;
        slope += 2.0 * window(lag) * lag as f64 * covariance;
    }
    // 2 G² / D with D = 4/3 of the squared density.
    let ratio = 1.5 * (slope / density) * (slope / density);
    let length = (ratio * n).cbrt();
    let most = (3.0 * n.sqrt()).min(n / 3.0).ceil();
    if length.is_nan() { 1 } else { length.min(most).round().max(1.0) as usize }
}

/// Autocovariances from lag 0 up to the last that may be needed, in a unit in which the values are near 1.
fn covariances(series: &[f64]) -> Vec<f64> {
    let n = series.len();
    let centre = 0.5 * mean(series);
    let deviations = series.iter().map(|v| 0.5 * v - centre);
    let largest = deviations.clone().fold(0.0_f64, |most, d| most.max(d.abs()));
    if n < 2 || largest == 0.0 {
        return Vec::new();
    }
    let scaled: Vec<f64> = deviations.map(|d| d / largest).collect();
    let lags = (most_lags(n as f64) + run(n as f64)).min(n - 1);
    let at = |lag: usize| scaled.iter().zip(&scaled[lag..]).map(|(a, b)| a * b).sum::<f64>() / n as f64;
    (0..=lags).map(at).collect()
}

/// Number of consecutive negligible autocorrelations that end the dependence.
fn run(n: f64) -> usize {
    n.log10().sqrt().ceil().max(5.0) as usize
}

fn most_lags(n: f64) -> usize {
    n.sqrt().ceil() as usize + run(n)
}

/// Number of lags that count.
fn reach(covariances: &[f64], n: f64) -> usize {
    let lags = covariances.len() - 1;
    let limit = 2.0 * (n.log10() / n).sqrt() * covariances[0];
    let negligible = |lag: usize| covariances[lag].abs() < limit;
    let ends = |lag: &usize| (lag + 1..=lag + run(n)).all(|next| next > lags || negligible(next));
    let last = (0..=lags).find(ends).unwrap_or(lags);
    (2 * last.max(1)).min(most_lags(n)).min(lags)
}
