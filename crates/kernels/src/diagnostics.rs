//! Warnings that ride on a result: drift, autocorrelation, outliers, few distinct values, unused pairing.

use crate::quantile::{mean, median};
use crate::ranks::{key, midranks};
use crate::special::{norm_sf, t_sf};

/// Fewer values than this say nothing of their order.
const LEAST: usize = 8;
/// Makes the median absolute deviation estimate the standard deviation of normal data.
const MAD_TO_SD: f64 = 1.4826;
/// Scaled deviations from the median beyond which a value is an outlier.
const OUTLIER: f64 = 5.0;

/// Correlation of each value with the one before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Autocorrelation {
    /// Correlation at lag one, between -1 and 1.
    pub lag_one: f64,
    /// Its distance from what independent values give, in standard errors.
    pub z: f64,
}

/// Spearman correlation of two samples by order of measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrderCorrelation {
    /// Spearman's rho, between -1 and 1.
    pub rho: f64,
    /// Two-sided p-value (Student's t with n - 2 degrees of freedom).
    pub p: f64,
}

/// Two-sided p of a trend of the values over their order: Spearman's rho, normal approximation. None below 8 values
/// or where all are equal.
#[must_use]
pub fn drift(values: &[f64]) -> Option<f64> {
    let order: Vec<f64> = (0..values.len()).map(|i| i as f64).collect();
    let rho = spearman(&order, values)?;
    Some((2.0 * norm_sf(rho.abs() * (values.len() as f64 - 1.0).sqrt())).min(1.0))
}

/// First-lag autocorrelation with its z under independence (Moran 1948). None below 8 values or where all are equal.
#[must_use]
pub fn autocorrelation(values: &[f64]) -> Option<Autocorrelation> {
    if values.len() < LEAST {
        return None;
    }
    let n = values.len() as f64;
    let centred = centred(values)?;
    let lag_one = centred.windows(2).map(|w| w[0] * w[1]).sum::<f64>();
    let error = (n - 2.0) / (n * (n - 1.0).sqrt());
    Some(Autocorrelation { lag_one, z: (lag_one + 1.0 / n) / error })
}

/// Deviations from the mean, scaled to a sum of squares of 1; None where all values are equal.
fn centred(values: &[f64]) -> Option<Vec<f64>> {
    let centre = mean(values);
    let largest = values.iter().fold(0.0_f64, |most, v| most.max((v - centre).abs()));
    if values.iter().all(|v| *v == values[0]) || largest == 0.0 || !largest.is_finite() {
        return None;
    }
    let mut scaled: Vec<f64> = values.iter().map(|v| (v - centre) / largest).collect();
    let norm = scaled.iter().map(|v| v * v).sum::<f64>().sqrt();
    for v in &mut scaled {
        *v /= norm;
    }
    Some(scaled)
}

/// Number of values further than 5 scaled median absolute deviations from the median, each side by its own deviation.
///
/// A side on which half of the values or more equal the median has no such scale and no outliers.
#[must_use]
pub fn outliers(values: &[f64]) -> usize {
    let centre = median(values);
    let beyond = |sign: f64| {
        let away: Vec<f64> = values.iter().map(|v| sign * (v - centre)).filter(|&d| d >= 0.0).collect();
        let limit = OUTLIER * MAD_TO_SD * median(&away);
        if limit > 0.0 { away.iter().filter(|&&d| d > limit).count() } else { 0 }
    };
    beyond(1.0) + beyond(-1.0)
}

/// Number of different values.
#[must_use]
pub fn distinct(values: &[f64]) -> usize {
    let mut keys: Vec<i64> = values.iter().map(|&v| key(v)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.len()
}

/// Spearman's correlation of x and y by order, as `SciPy`'s `spearmanr`. None where the sizes differ, are below 8, or
/// all values of a side are equal.
#[must_use]
pub fn order_correlation(x: &[f64], y: &[f64]) -> Option<OrderCorrelation> {
    let rho = spearman(x, y)?;
    let df = x.len() as f64 - 2.0;
    let t = rho * (df / ((1.0 + rho) * (1.0 - rho)).max(0.0)).sqrt();
    Some(OrderCorrelation { rho, p: (2.0 * t_sf(t.abs(), df)).min(1.0) })
}

fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() || x.len() < LEAST {
        return None;
    }
    let (x, y) = (centred(&midranks(x))?, centred(&midranks(y))?);
    let rho: f64 = x.iter().zip(&y).map(|(a, b)| a * b).sum();
    Some(rho.clamp(-1.0, 1.0))
}
