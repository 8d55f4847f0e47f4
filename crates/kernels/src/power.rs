//! Power.
/// stub
pub fn detectable(_half_width: f64, _confidence: f64, _power: f64) -> f64 {
    f64::NAN
}
/// stub
pub fn runs_needed(
    _n: usize,
    _half_width: f64,
    _margin_log: f64,
    _confidence: f64,
    _power: f64,
) -> f64 {
    f64::NAN
}
/// stub
pub fn least_runs(_alpha: f64, _rows: usize, _cap: usize) -> Option<usize> {
    None
}
/// stub
pub fn least_pairs(_alpha: f64, _rows: usize, _cap: usize) -> Option<usize> {
    None
}
