//! Bootstrap intervals (Efron 1979, 1987): percentile and `BCa`.
//!
//! Nothing is drawn if the bootstrap distribution is known: for a median and a difference of medians, the
//! result is the limit of infinite resampling (an even number of values above 1,000 is resampled). Otherwise
//! random numbers are counter-based: the same seed gives the same digits on any number of threads. Samples are
//! sorted first, so the order of their values does not matter.
//!
//! In simulated samples (normal, lognormal, bimodal, Student's t with 3 degrees of freedom; the example
//! `coverage_resampling`), percentile intervals of 95 % for medians and their differences covered the true
//! value in 93 to 98 % of samples from n = 10 on. `BCa` for a difference of medians falls to 90 % with two
//! modes. Means need n = 20 or more without a heavy tail and 60 to 100 with one, by either method: at n = 8 the
//! coverage can be as low as 85 %.

use rayon::prelude::*;

use crate::bca::influences;
use crate::boot_plan::{BootMethod, BootPlan, BootStatistic, Bootstrap, STREAMS, constant, jackknife};
use crate::mean_bootstrap::MeanBootstrap;
use crate::random::Stream;
use crate::random::{replicates, resample};

/// Bootstrap interval of one sample.
///
/// The interval of a constant sample is a point. `None` for fewer than two values, a `confidence` not between 0
/// and 1, no resamples if some are needed, a trimmed fraction outside [0, 0.5), and if `BCa` is undefined
/// because no replicate lies on one side of the estimate.
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

/// Bootstrap interval of the difference of a statistic between two independent samples, `y` minus `x`, each
/// resampled separately. Swapping the samples mirrors it.
///
/// The interval of two constant samples is a point. `None` as for [`bootstrap`], for either sample.
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

/// Bootstrap interval of any statistic, which receives resamples in no particular order.
///
/// `None` as for [`bootstrap`], and if the statistic of the sample or of a resample is NaN.
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

/// [`bootstrap`] of each row, on all cores; row i is `values[offsets[i]..offsets[i + 1]]`. `None` also for
/// invalid offsets. Every row uses the same draws and gets the interval that it would have alone.
#[must_use]
pub fn bootstrap_batch(values: &[f64], offsets: &[usize], plan: &BootPlan) -> Vec<Option<Bootstrap>> {
    let rows = 0..offsets.len().saturating_sub(1);
    let one = |room: &mut MeanBootstrap, i: usize| plan.one_sample(row(values, offsets, i)?, room);
    rows.into_par_iter().map_init(MeanBootstrap::default, one).collect()
}

/// [`bootstrap_difference`] of each row, like [`bootstrap_batch`].
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
