//! Values that depend on the one before: autocorrelation of neighbours, and what it does to the variance of a mean.
//!
//! The model is a stationary autoregressive series of order 1 with autocorrelation ρ; its expectations are exact for
//! every length (Bayley & Hammersley 1946; Kendall 1954 for the bias of the sample's autocorrelation).

/// The largest autocorrelation that is told from a series that never settles.
pub const MOST: f64 = 0.97;
/// The least; a negative one never narrows an interval, it only balances positive ones.
const LEAST: f64 = -0.9;

/// The sums of a sample's autocorrelation: products of neighbouring deviations from the mean, and squares.
///
/// Relative to the largest deviation, so that squares stay in range; `(0, 0)` if all values are equal.
#[must_use]
pub fn neighbours(values: &[f64]) -> (f64, f64) {
    let Some(&first) = values.first() else { return (0.0, 0.0) };
    let mean = values.iter().map(|v| (v - first) / values.len() as f64).sum::<f64>();
    let deviations = values.iter().map(|v| v - first - mean);
    let largest = deviations.clone().fold(0.0_f64, |most, d| most.max(d.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return (0.0, 0.0);
    }
    let (mut products, mut squares, mut before) = (0.0, 0.0, 0.0);
    for deviation in deviations {
        let scaled = deviation / largest;
        products += before * scaled;
        squares += scaled * scaled;
        before = scaled;
    }
    (products, squares)
}

/// By how much the variance of the mean of `n` values exceeds that of independent ones: 1 + 2 Σ (1 − k / n) ρ^k.
#[must_use]
pub fn mean_inflation(rho: f64, n: f64) -> f64 {
    (1.0 + rho) / (1.0 - rho) - 2.0 * rho * (1.0 - rho.powf(n)) / (n * (1.0 - rho).powi(2))
}

/// By how much the squared error of a mean, estimated from the spread of its `n` values, must be enlarged.
///
/// Values that depend on each other spread less around their own mean than around the true one: s² is expected to be
/// (n − f) / (n − 1) of the variance, where f is [`mean_inflation`].
#[must_use]
pub fn error_inflation(rho: f64, n: f64) -> f64 {
    let inflation = mean_inflation(rho, n);
    inflation * (n - 1.0) / (n - inflation)
}

/// The autocorrelation that `n` values around their own mean are expected to show: the expected products of neighbours
/// over the expected squares.
#[must_use]
pub fn expected_autocorrelation(rho: f64, n: f64) -> f64 {
    let inflation = mean_inflation(rho, n);
    // The covariance of the first value, or the last, with the mean.
    let end = (1.0 - rho.powf(n)) / (n * (1.0 - rho));
    let products = (n - 1.0) * rho - 2.0 * (inflation - end) + (n - 1.0) / n * inflation;
    products / (n - inflation)
}

/// The autocorrelation at which a function that falls with it is 0, by bisection; the nearest end if it never is.
#[must_use]
pub fn autocorrelation_where(rest: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (LEAST, MOST);
    if rest(high) > 0.0 {
        return high;
    }
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if rest(middle) > 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}
