//! Geometric mean of ratios over a suite of benchmarks, with its interval.
//!
//! Runs are resampled within each row and the rows are fixed ([`geometric_mean_of_ratios`]), or, where each row has a
//! single value, rows are resampled and the interval is descriptive ([`descriptive`], [`quantile_interval_over_rows`]).

use std::borrow::Cow;

use rayon::prelude::*;

use crate::bootstrap::MedianLaw;
use crate::interval::alpha;
use crate::median_interval::quantile_ranks;
use crate::quantile::{mean, median, quantile_sorted, sd};
use crate::random::{Stream, below};
use crate::special::norm_quantile;

/// Above this number of rows a sum over rows is as good as normal and is not simulated.
const SIMULATED: usize = 1000;
/// Sides of rows whose variances are computed together.
const LANES: usize = 4;
/// Replicates that one task computes.
const CHUNK: usize = 128;

/// One row (benchmark) of a suite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowSample<'a> {
    /// Independent runs of both variants: natural logarithms of the values.
    Independent {
        /// Logs of the baseline's values.
        baseline: &'a [f64],
        /// Logs of the contender's values.
        contender: &'a [f64],
    },
    /// Logs of the ratios contender / baseline, one a pair.
    Paired {
        /// Logs of the ratios.
        log_ratios: &'a [f64],
    },
}

/// How the interval of a suite's mean was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SuiteMethod {
    /// Percentile bootstrap.
    Bootstrap,
    /// Normal interval from exact bootstrap variances, or order statistics for a quantile.
    Analytic,
}

/// A ratio of a whole suite with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteMean {
    /// Contender / baseline.
    pub ratio: f64,
    /// Lower end; NaN where the data has nothing to resample.
    pub low: f64,
    /// Upper end; NaN where the data has nothing to resample.
    pub high: f64,
    /// Number of rows that entered.
    pub rows: usize,
    /// How the interval was obtained.
    pub method: SuiteMethod,
}

/// One side of a row: its values in order and the law of their median.
struct Side<'a> {
    sorted: Cow<'a, [f64]>,
    law: std::sync::Arc<MedianLaw>,
    sign: f64,
    stream: Stream,
}

/// Geometric mean over rows of the ratio of medians, contender / baseline, the runs of each row being resampled.
///
/// A row's value is the difference of the medians of its logs, or the median of its log ratios. Rows without values on
/// a side are left out. NaN ends where no row has two values on any side. The same seed gives the same digits on any
/// number of threads; above 1,000 rows the interval is normal, from the exact bootstrap variance of each median.
#[must_use]
pub fn geometric_mean_of_ratios(
    rows: &[RowSample<'_>],
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> SuiteMean {
    let mut sides: Vec<Side<'_>> = Vec::with_capacity(2 * rows.len());
    let with_values = rows.iter().enumerate().filter(|(i, row)| add_sides(row, *i as u64, seed, &mut sides));
    let count = with_values.count();
    let estimate = sides.iter().map(|s| s.sign * quantile_sorted(&s.sorted, 0.5)).sum::<f64>() / count as f64;
    let nothing_to_resample = sides.iter().all(|s| s.sorted.len() < 2);
    let analytic = count > SIMULATED;
    let (low, high) = if nothing_to_resample || (resamples == 0 && !analytic) {
        (f64::NAN, f64::NAN)
    } else if analytic {
        let variances: Vec<[f64; LANES]> = sides.par_chunks(LANES).map(variances).collect();
        let variance: f64 = variances.as_flattened().iter().sum();
        normal_interval(estimate, variance.sqrt() / count as f64, confidence)
    } else {
        let means = replicates(resamples, |replicates, sums| {
            for side in &sides {
                for (sum, replicate) in sums.iter_mut().zip(replicates.clone()) {
                    *sum += side.sign * side.law.draw(&side.sorted, side.stream, replicate);
                }
            }
            for sum in sums {
                *sum /= count as f64;
            }
        });
        percentiles(means, confidence)
    };
    summary(estimate, (low, high), count, analytic)
}

/// Bootstrap variances of up to four medians; what is missing is 0.
fn variances(sides: &[Side<'_>]) -> [f64; LANES] {
    let alike = |side: &Side<'_>| side.sorted.len() == sides[0].sorted.len();
    if sides.len() == LANES && sides.iter().all(alike) {
        return sides[0].law.variances(std::array::from_fn(|lane| &*sides[lane].sorted));
    }
    let mut found = [0.0; LANES];
    for (found, side) in found.iter_mut().zip(sides) {
        [*found] = side.law.variances([&*side.sorted]);
    }
    found
}

/// Adds both sides of a row, or the one of a paired row; false if one has no values.
fn add_sides<'a>(row: &RowSample<'a>, number: u64, seed: u64, sides: &mut Vec<Side<'a>>) -> bool {
    let mut add = |values: &'a [f64], sign: f64, label: u64| {
        // Callers may have sorted them already.
        let ascending = values.is_sorted_by(|a, b| a.total_cmp(b).is_le());
        let sorted = if ascending { Cow::Borrowed(values) } else { Cow::Owned(in_order(values)) };
        let law = MedianLaw::of(values.len());
        sides.push(Side { sorted, law, sign, stream: Stream::new(seed, number, label) });
    };
    match *row {
        RowSample::Independent { baseline, contender } if !baseline.is_empty() && !contender.is_empty() => {
            add(baseline, -1.0, 0);
            add(contender, 1.0, 1);
        }
        RowSample::Paired { log_ratios } if !log_ratios.is_empty() => add(log_ratios, 1.0, 2),
        _ => return false,
    }
    true
}

/// Geometric mean of one ratio a row, the rows being resampled: describes the spread over the suite, decides nothing.
///
/// NaN ends for fewer than two rows. Above 1,000 rows the interval is normal.
#[must_use]
pub fn descriptive(log_ratios: &[f64], confidence: f64, resamples: usize, seed: u64) -> SuiteMean {
    let count = log_ratios.len();
    let estimate = mean(log_ratios);
    let analytic = count > SIMULATED;
    let ends = if count < 2 || (resamples == 0 && !analytic) {
        (f64::NAN, f64::NAN)
    } else if analytic {
        normal_interval(estimate, sd(log_ratios) / (count as f64).sqrt(), confidence)
    } else {
        over_rows(log_ratios, confidence, resamples, seed, mean)
    };
    summary(estimate, ends, count, analytic)
}

/// Quantile `p` (type 7) over rows of one ratio each, the rows being resampled.
///
/// NaN ends for fewer than two rows. Above 1,000 rows the interval is of order statistics.
#[must_use]
pub fn quantile_interval_over_rows(
    log_ratios: &[f64],
    p: f64,
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> SuiteMean {
    let count = log_ratios.len();
    let sorted = in_order(log_ratios);
    let estimate = quantile_sorted(&sorted, p);
    let analytic = count > SIMULATED;
    let ends = if count < 2 || (resamples == 0 && !analytic) || p.is_nan() {
        (f64::NAN, f64::NAN)
    } else if analytic {
        let (low, high) = quantile_ranks(count, p, confidence);
        (sorted[low], sorted[high])
    } else if p == 0.5 {
        over_rows(log_ratios, confidence, resamples, seed, median)
    } else {
        over_rows(log_ratios, confidence, resamples, seed, |drawn| quantile_sorted(&in_order(drawn), p))
    };
    summary(estimate, ends, count, analytic)
}

fn in_order(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

fn over_rows(
    values: &[f64],
    confidence: f64,
    resamples: usize,
    seed: u64,
    statistic: impl Fn(&[f64]) -> f64 + Sync,
) -> (f64, f64) {
    let estimates = replicates(resamples, |numbers, results| {
        let mut drawn = vec![0.0; values.len()];
        for (result, number) in results.iter_mut().zip(numbers) {
            let stream = Stream::new(seed, number, 3);
            for (i, value) in drawn.iter_mut().enumerate() {
                *value = values[below(stream.bits(i as u64), values.len())];
            }
            *result = statistic(&drawn);
        }
    });
    percentiles(estimates, confidence)
}

/// Computes replicates in chunks on all cores; `work` is told the numbers of its replicates.
fn replicates(count: usize, work: impl Fn(core::ops::Range<u64>, &mut [f64]) + Sync) -> Vec<f64> {
    let mut results = vec![0.0; count];
    results.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, results)| {
        let first = (chunk * CHUNK) as u64;
        work(first..first + results.len() as u64, results);
    });
    results
}

fn percentiles(estimates: Vec<f64>, confidence: f64) -> (f64, f64) {
    let mut sorted = estimates;
    sorted.sort_unstable_by(f64::total_cmp);
    let tail = 0.5 * alpha(confidence);
    (quantile_sorted(&sorted, tail), quantile_sorted(&sorted, 1.0 - tail))
}

fn normal_interval(estimate: f64, error: f64, confidence: f64) -> (f64, f64) {
    let half = -error * norm_quantile(0.5 * alpha(confidence));
    (estimate - half, estimate + half)
}

fn summary(estimate: f64, (low, high): (f64, f64), rows: usize, analytic: bool) -> SuiteMean {
    let method = if analytic { SuiteMethod::Analytic } else { SuiteMethod::Bootstrap };
    SuiteMean { ratio: estimate.exp(), low: low.exp(), high: high.exp(), rows, method }
}
