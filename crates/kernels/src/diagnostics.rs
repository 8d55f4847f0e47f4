//! Warnings that ride on a result.
/// Correlation of each value with the one before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Autocorrelation {
    /// Correlation at lag one.
    pub lag_one: f64,
    /// Its standardised value under no autocorrelation.
    pub z: f64,
}
/// Spearman correlation of two samples by order of measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrderCorrelation {
    /// Spearman's rho.
    pub rho: f64,
    /// Two-sided p-value.
    pub p: f64,
}
/// stub
pub fn drift(_values: &[f64]) -> Option<f64> {
    None
}
/// stub
pub fn autocorrelation(_values: &[f64]) -> Option<Autocorrelation> {
    None
}
/// stub
pub fn outliers(_values: &[f64]) -> usize {
    0
}
/// stub
pub fn distinct(_values: &[f64]) -> usize {
    0
}
/// stub
pub fn order_correlation(_x: &[f64], _y: &[f64]) -> Option<OrderCorrelation> {
    None
}
