//! Many rows at once, on all cores.
use crate::{Comparison, Test, Zeros};
/// stub
pub fn mann_whitney_batch(
    _x: &[f64],
    _x_offsets: &[usize],
    _y: &[f64],
    _y_offsets: &[usize],
) -> Vec<Option<Test>> {
    Vec::new()
}
/// stub
pub fn two_sample_batch(
    _x: &[f64],
    _x_offsets: &[usize],
    _y: &[f64],
    _y_offsets: &[usize],
    _confidence: f64,
) -> Vec<Option<Comparison>> {
    Vec::new()
}
/// stub
pub fn signed_rank_batch(_d: &[f64], _offsets: &[usize], _zeros: Zeros) -> Vec<Option<Test>> {
    Vec::new()
}
/// stub
pub fn one_sample_batch(
    _d: &[f64],
    _offsets: &[usize],
    _confidence: f64,
) -> Vec<Option<Comparison>> {
    Vec::new()
}
