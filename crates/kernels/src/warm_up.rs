//! The warm-up of a run: its first values, on another level than the steady state that the rest stays in.
//!
//! After Barrett et al. 2017 and Traini et al. 2023: change points part the run into segments, and the steady state is
//! the last segment with all before it that are on its level.

use crate::pelt::{noise, pelt};
use crate::quantile::{mean, median};

/// Segments this short are taken for noise.
const MIN_SEGMENT: usize = 2;
/// Levels no further apart than this share of the noise are one.
const SAME_LEVEL: f64 = 1.0;
/// Share of the run that the steady state takes at least.
const STEADY_SHARE: f64 = 0.5;

/// The first values of a run that are not of its steady state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmUp {
    /// Number of values that belong to the warm-up; the steady state begins with value `end` (from 0).
    pub end: usize,
    /// Median of the values before, in the unit of the data.
    pub level_before: f64,
    /// Median of the steady state.
    pub level_after: f64,
    /// `level_before` / `level_after` − 1: 0.2 is 20 % more at first. Not finite where the steady state is 0.
    pub relative: f64,
}

/// The warm-up of a run whose values stand in the order of measurement.
///
/// None where the run begins in its steady state, and where it has none: where more than half of the values come before
/// the last change of level. A single slow first value is an outlier here, unless it outlasts all noise.
#[must_use]
pub fn warm_up(values: &[f64]) -> Option<WarmUp> {
    let changes = pelt(values, None, MIN_SEGMENT);
    let noise = noise(values);
    let steady = mean(&values[*changes.last()?..]);
    let same = |from: usize, to: usize| (mean(&values[from..to]) - steady).abs() <= SAME_LEVEL * noise;
    // From the last change backwards while the segment before is on the steady level too.
    let mut end = *changes.last()?;
    for pair in changes.windows(2).rev() {
        if !same(pair[0], pair[1]) {
            break;
        }
        end = pair[0];
    }
    let whole = end == changes[0] && same(0, end);
    let long = (values.len() - end) as f64 >= STEADY_SHARE * values.len() as f64;
    if whole || !long {
        return None;
    }
    let (level_before, level_after) = (median(&values[..end]), median(&values[end..]));
    Some(WarmUp { end, level_before, level_after, relative: level_before / level_after - 1.0 })
}
