//! The block length that preserves the dependence of a series (Politis & White 2004, corrected by Patton,
//! Politis & White 2009, for the circular bootstrap).

use crate::quantile::mean;

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
