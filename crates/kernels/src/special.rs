//! Distribution functions.
/// stub
pub fn norm_cdf(_x: f64) -> f64 {
    f64::NAN
}
/// stub
pub fn norm_sf(_x: f64) -> f64 {
    f64::NAN
}
/// stub
pub fn norm_quantile(_p: f64) -> f64 {
    f64::NAN
}
/// stub
pub fn t_sf(_t: f64, _df: f64) -> f64 {
    f64::NAN
}
/// stub
pub fn t_quantile(_p: f64, _df: f64) -> f64 {
    f64::NAN
}
/// stub
pub fn binomial_cdf(_k: u64, _n: u64, _p: f64) -> f64 {
    f64::NAN
}
/// stub
pub fn ln_choose(_n: u64, _k: u64) -> f64 {
    f64::NAN
}
