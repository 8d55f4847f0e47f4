//! Geometric mean of ratios over a suite of benchmarks, with its interval.
//!
//! If rows have several runs, the suite is compared run by run as one more benchmark: its value in a run is the
//! geometric mean over its rows ([`geometric_mean_of_ratios`]). If each row has a single value, rows are
//! resampled and the interval is descriptive ([`descriptive`]).

use rayon::prelude::*;

use crate::interval::alpha;
use crate::one_sample::one_sample;
use crate::quantile::{mean, quantile_sorted, sd};
use crate::random::{Stream, below};
use crate::shift::Comparison;
use crate::special::norm_quantile;
use crate::two_sample::two_sample;

/// Above this number of rows a sum over rows is close to normal and is not simulated.
const SIMULATED: usize = 1000;
/// Number of replicates per task.
const CHUNK: usize = 128;
/// Marks a missing interval.
const NONE: (f64, f64) = (f64::NAN, f64::NAN);

/// One row (benchmark) of a suite, its runs in the order of measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowSample<'a> {
    /// Independent runs of both variants: natural logarithms of the values.
    Independent {
        /// Logs of the baseline's values.
        baseline: &'a [f64],
        /// Logs of the contender's values.
        contender: &'a [f64],
    },
    /// Logs of the ratios contender / baseline, one per pair.
    Paired {
        /// Logs of the ratios.
        log_ratios: &'a [f64],
    },
}

/// How the interval of a suite's mean was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SuiteMethod {
    /// The inverted rank test on one value per run, as for a single row.
    Runs,
    /// Percentile bootstrap over rows.
    Bootstrap,
    /// Normal interval over rows.
    Analytic,
}

/// The ratio of a whole suite with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteMean {
    /// Contender / baseline.
    pub ratio: f64,
    /// Lower end; NaN if there is no interval.
    pub low: f64,
    /// Upper end; NaN if there is no interval.
    pub high: f64,
    /// Number of rows used.
    pub rows: usize,
    /// How the interval was obtained.
    pub method: SuiteMethod,
}

/// Geometric mean over rows of the ratio contender / baseline, with the interval of a rank test.
///
/// Each run yields one value, the mean over rows of its logs, and these values are compared like those of a
/// single row: by [`two_sample`], or by [`one_sample`] if every row is paired. So an influence shared by all
/// rows of a run, such as a slow machine, counts as variation between runs. If rows differ in their numbers of
/// runs, the smallest number decides, and the runs of a row with more are distributed over it. Rows without
/// values on a side are left out. The ends are NaN if the interval cannot attain `confidence`: for 95 %, with
/// fewer than 4 runs per side or 6 pairs.
#[must_use]
pub fn geometric_mean_of_ratios(rows: &[RowSample<'_>], confidence: f64) -> SuiteMean {
    let (mut old, mut new): (Vec<&[f64]>, Vec<&[f64]>) = (Vec::new(), Vec::new());
    for row in rows {
        match *row {
            RowSample::Independent { baseline, contender }
                if !baseline.is_empty() && !contender.is_empty() =>
            {
                old.push(baseline);
                new.push(contender);
            }
            RowSample::Paired { log_ratios } if !log_ratios.is_empty() => new.push(log_ratios),
            _ => {}
        }
    }
    let count = new.len();
    let contender = by_run(&new, count);
    let found = if old.is_empty() {
        one_sample(&contender, confidence)
    } else {
        two_sample(&by_run(&old, count), &contender, confidence)
    };
    let Some(Comparison { shift, .. }) = found else {
        return summary(f64::NAN, NONE, count, SuiteMethod::Runs);
    };
    let attained = shift.interval.level >= confidence - 1e-9;
    let ends = if attained { (shift.interval.low, shift.interval.high) } else { NONE };
    summary(shift.estimate, ends, count, SuiteMethod::Runs)
}

/// The mean over rows of each run, ascending: sums over the present sides, divided by the number of all rows.
fn by_run(sides: &[&[f64]], rows: usize) -> Vec<f64> {
    let runs = sides.iter().map(|side| side.len()).min().unwrap_or(0);
    let mut sums = vec![0.0; runs];
    for side in sides {
        for (run, sum) in sums.iter_mut().enumerate() {
            let dealt = side[run..].iter().step_by(runs);
            let count = dealt.len() as f64;
            *sum += dealt.sum::<f64>() / count;
        }
    }
    for sum in &mut sums {
        *sum /= rows as f64;
    }
    sums.sort_unstable_by(f64::total_cmp);
    sums
}

/// Geometric mean of one ratio per row, with resampled rows: it describes the spread over the suite and decides
/// nothing.
///
/// The ends are NaN for fewer than two rows. Above 1,000 rows the interval is normal.
#[must_use]
pub fn descriptive(log_ratios: &[f64], confidence: f64, resamples: usize, seed: u64) -> SuiteMean {
    let count = log_ratios.len();
    let estimate = mean(log_ratios);
    let analytic = count > SIMULATED;
    let ends = if count < 2 || (resamples == 0 && !analytic) {
        NONE
    } else if analytic {
        let half = -norm_quantile(0.5 * alpha(confidence)) * sd(log_ratios) / (count as f64).sqrt();
        (estimate - half, estimate + half)
    } else {
        over_rows(log_ratios, confidence, resamples, seed)
    };
    summary(estimate, ends, count, if analytic { SuiteMethod::Analytic } else { SuiteMethod::Bootstrap })
}

/// Percentile interval of the mean of resampled values, in chunks of replicates on all cores.
fn over_rows(values: &[f64], confidence: f64, resamples: usize, seed: u64) -> (f64, f64) {
    let mut means = vec![0.0; resamples];
    means.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, means)| {
        for (place, found) in means.iter_mut().enumerate() {
            let stream = Stream::new(seed, (chunk * CHUNK + place) as u64, 3);
            let drawn = (0..values.len()).map(|i| values[below(stream.bits(i as u64), values.len())]);
            *found = drawn.sum::<f64>() / values.len() as f64;
        }
    });
    means.sort_unstable_by(f64::total_cmp);
    let tail = 0.5 * alpha(confidence);
    (quantile_sorted(&means, tail), quantile_sorted(&means, 1.0 - tail))
}

fn summary(estimate: f64, (low, high): (f64, f64), rows: usize, method: SuiteMethod) -> SuiteMean {
    SuiteMean { ratio: estimate.exp(), low: low.exp(), high: high.exp(), rows, method }
}
