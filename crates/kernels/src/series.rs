//! Series whose values depend on those before them: means of long batches, and how many independent values they are worth.

use crate::quantile::{mean, sd};

/// Values of a batch, where there are many; the fewest and the most batches of a series.
///
/// Few and long batches: nine lose a twentieth of the interval's width where values are independent, and hold where
/// they are not (docs/calibration.md).
const BATCH: usize = 20;
const FEWEST: usize = 5;
const MOST: usize = 9;

/// Mean of values of which each is itself the mean of `weights` samples: that of all samples; NaN without samples.
#[must_use]
pub fn weighted_mean(values: &[f64], weights: &[f64]) -> f64 {
    let samples: f64 = weights.iter().sum();
    if samples.is_nan() || samples <= 0.0 {
        return f64::NAN;
    }
    let about = |centre: f64| -> f64 {
        values.iter().zip(weights).map(|(value, weight)| (value - centre) * (weight / samples)).sum()
    };
    let first = about(0.0);
    // A second pass over the deviations takes back most of the rounding of the first.
    let rest = about(first);
    if rest.is_finite() { first + rest } else { first }
}

/// Means of batches of consecutive values (Law & Carson 1979), in order: what neighbours have in common lies within a
/// batch, so that the batches are nearly independent. A batch's mean is that of its samples, as [`weighted_mean`].
///
/// A twentieth as many batches as values, but five at least and nine at most; of fewer than five values one each.
#[must_use]
pub fn batch_means(values: &[f64], weights: &[f64]) -> Vec<f64> {
    let count = values.len().min(weights.len());
    let batches = (count / BATCH).clamp(FEWEST, MOST).min(count);
    let end = |batch: usize| count * batch / batches;
    (0..batches)
        .map(|batch| {
            let part = end(batch)..end(batch + 1);
            weighted_mean(&values[part.clone()], &weights[part])
        })
        .collect()
}

/// The standard error of the [`weighted_mean`] of a series, by its [`batch_means`]; 0 for fewer than two values, which show
/// none.
#[must_use]
pub fn error_of_mean(values: &[f64], weights: &[f64]) -> f64 {
    let batches = batch_means(values, weights);
    if batches.len() < 2 { 0.0 } else { sd(&batches) / (batches.len() as f64).sqrt() }
}

/// How many independent values say as much of the mean as these, were the series autoregressive of order 1: by the
/// autocorrelation r of neighbours n (1 − r) / (1 + r).
///
/// All of them where none varies.
#[must_use]
pub fn effective_size(values: &[f64]) -> f64 {
    let (count, centre) = (values.len() as f64, mean(values));
    let deviations: Vec<f64> = values.iter().map(|value| value - centre).collect();
    let largest = deviations.iter().fold(0.0_f64, |most, deviation| most.max(deviation.abs()));
    if largest == 0.0 {
        return count;
    }
    // Relative to the largest, so that squares of huge or tiny values stay in range.
    let scaled: Vec<f64> = deviations.iter().map(|deviation| deviation / largest).collect();
    let squares: f64 = scaled.iter().map(|deviation| deviation * deviation).sum();
    let lag = scaled.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / squares;
    count * (1.0 - lag) / (1.0 + lag)
}
