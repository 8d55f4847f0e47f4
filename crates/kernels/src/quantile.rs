//! Quantiles.
/// stub
pub fn quantile_sorted(_sorted: &[f64], _p: f64) -> f64 {
    f64::NAN
}
/// stub
pub fn median(_values: &[f64]) -> f64 {
    f64::NAN
}
/// stub
pub fn iqr(_values: &[f64]) -> f64 {
    f64::NAN
}
/// stub
pub fn mad(_values: &[f64]) -> f64 {
    f64::NAN
}
/// stub
pub fn mean(_values: &[f64]) -> f64 {
    f64::NAN
}
/// stub
pub fn sd(_values: &[f64]) -> f64 {
    f64::NAN
}
/// stub
pub fn geometric_mean(_values: &[f64]) -> f64 {
    f64::NAN
}
