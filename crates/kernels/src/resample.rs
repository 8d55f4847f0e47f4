//! Bootstrap intervals (Efron 1979, 1987): percentile and `BCa`.
//!
//! Nothing is drawn where the bootstrap distribution is known: that of a median, and of a difference of medians, is
//! what resampling without end would give (an even number of values above 1,000 is resampled). Elsewhere random numbers
//! are counted, not carried on: the same seed gives the same digits on any number of threads. Samples are put in order
//! first, so that the order of their values does not matter.
//!
//! In simulated samples (normal, lognormal, bimodal, Student's t with 3 degrees of freedom; the example
//! `coverage_resampling`), intervals of 95 % held the truth in 93 to 98 % from n = 10 on for percentile intervals of
//! medians and their differences. `BCa` of a difference of medians falls to 90 % where there are two modes. Means need
//! n = 20 or more without a heavy tail, 60 to 100 with one, by either method: at n = 8 as few as 85 % hold.

use rayon::prelude::*;

use crate::bca::influences;
use crate::boot_plan::{STREAMS, constant, jackknife};
use crate::draws::{replicates, resample};
use crate::mean_bootstrap::MeanBootstrap;
use crate::random::Stream;

/// What is computed of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BootStatistic {
    /// Arithmetic mean.
    Mean,
    /// Median.
    Median,
    /// Mean of what is left when this share of the values (0 to below 0.5, rounded down to whole values) is cut off
    /// at each end.
    TrimmedMean(f64),
}

/// How the ends of the interval are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BootMethod {
    /// Quantiles of the replicates.
    Percentile,
    /// Quantiles moved for bias and skewness.
    Bca,
}

/// An estimate with its bootstrap interval, in the unit of the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// The statistic of the sample.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Number of resamples drawn; 0 where the bootstrap distribution is known and none was needed.
    pub resamples: usize,
    /// The seed of the draws.
    pub seed: u64,
    /// z0 of `BCa`; 0 for percentile intervals.
    pub bias_correction: f64,
    /// Acceleration of `BCa`; 0 for percentile intervals.
    pub acceleration: f64,
}

/// What a bootstrap is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BootPlan {
    /// What is computed.
    pub statistic: BootStatistic,
    /// How the interval is found.
    pub method: BootMethod,
    /// Confidence level, between 0 and 1.
    pub confidence: f64,
    /// Number of resamples, where resamples are drawn.
    pub resamples: usize,
    /// Seed of the draws.
    pub seed: u64,
}

/// Bootstrap interval of one sample.
///
/// A constant sample gives the point. None for fewer than two values, a `confidence` that is not between 0 and 1, no
/// resamples where some are needed, a trimmed share outside 0 to below 0.5, and where `BCa` is not defined because no
/// replicate lies on one side of the estimate.
#[must_use]
pub fn bootstrap(
    values: &[f64],
    statistic: BootStatistic,
    method: BootMethod,
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> Option<Bootstrap> {
    let plan = BootPlan { statistic, method, confidence, resamples, seed };
    plan.one_sample(values, &mut MeanBootstrap::default())
}

/// Bootstrap interval of the difference of a statistic between two independent samples, `y` less `x`, each resampled
/// by itself. A swap of the samples mirrors it.
///
/// Two constant samples give the point. None as for [`bootstrap`], of either sample.
#[must_use]
pub fn bootstrap_difference(
    x: &[f64],
    y: &[f64],
    statistic: BootStatistic,
    method: BootMethod,
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> Option<Bootstrap> {
    let plan = BootPlan { statistic, method, confidence, resamples, seed };
    plan.two_samples(x, y, &mut MeanBootstrap::default())
}

/// Bootstrap interval of any statistic; it is given resamples in no particular order.
///
/// None as for [`bootstrap`], and where the statistic of the sample or of a resample is NaN.
#[must_use]
pub fn bootstrap_general(
    values: &[f64],
    statistic: &(dyn Fn(&[f64]) -> f64 + Sync),
    method: BootMethod,
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> Option<Bootstrap> {
    let plan = BootPlan { statistic: BootStatistic::Mean, method, confidence, resamples, seed };
    let sorted = plan.sorted(values)?;
    let estimate = statistic(values);
    if constant(&sorted) {
        return (!estimate.is_nan()).then(|| plan.point(estimate));
    }
    let stream = Stream::new(seed, 0, STREAMS[0]);
    let drawn = replicates(resamples, |number, drawn: &mut Vec<f64>| {
        resample(&sorted, stream, number, drawn);
        statistic(drawn)
    });
    plan.of_replicates(drawn, estimate, || vec![influences(&jackknife(&sorted, statistic), 1.0)])
}

/// [`bootstrap`] of each row, on all cores; row i is `values[offsets[i]..offsets[i + 1]]`. None also for offsets that
/// do not fit. Every row has the same draws, and the interval that it would have alone.
#[must_use]
pub fn bootstrap_batch(values: &[f64], offsets: &[usize], plan: &BootPlan) -> Vec<Option<Bootstrap>> {
    let rows = 0..offsets.len().saturating_sub(1);
    let one = |room: &mut MeanBootstrap, i: usize| plan.one_sample(row(values, offsets, i)?, room);
    rows.into_par_iter().map_init(MeanBootstrap::default, one).collect()
}

/// [`bootstrap_difference`] of each row, as [`bootstrap_batch`] has them.
#[must_use]
pub fn bootstrap_difference_batch(
    x: &[f64],
    x_offsets: &[usize],
    y: &[f64],
    y_offsets: &[usize],
    plan: &BootPlan,
) -> Vec<Option<Bootstrap>> {
    let rows = 0..x_offsets.len().min(y_offsets.len()).saturating_sub(1);
    let both = |room: &mut MeanBootstrap, i: usize| {
        plan.two_samples(row(x, x_offsets, i)?, row(y, y_offsets, i)?, room)
    };
    rows.into_par_iter().map_init(MeanBootstrap::default, both).collect()
}

fn row<'a>(values: &'a [f64], offsets: &[usize], i: usize) -> Option<&'a [f64]> {
    values.get(offsets[i]..offsets[i + 1])
}
