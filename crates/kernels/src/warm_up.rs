//! The warm-up of a run: its first values, on a different level than the steady state of the rest.
//!
//! After Barrett et al. 2017 and Traini et al. 2023: change points divide the run into segments, and the steady
//! state consists of the last segment and all segments before it on the same level.

use crate::level_noise::noise;
use crate::pelt::pelt;
use crate::quantile::{iqr, mean, median};

/// A single value off the level is an outlier, two form a level.
const MIN_SEGMENT: usize = 2;
/// Levels no further apart than this, in standard deviations of the noise, are the same.
const SAME_LEVEL: f64 = 1.0;
/// The share of the values after a warm-up that may lie on levels of the warm-up.
const FEW: f64 = 0.05;
/// Interquartile range of normal values over their standard deviation.
const PER_IQR: f64 = 1.348_979_500_392_163_5;
/// The distance at which a first value is not part of a steady run.
const FAR: f64 = 5.0;

/// The first values of a run, which do not belong to its steady state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmUp {
    /// Number of values that belong to the warm-up: the steady state begins with value `end`, from 0.
    pub end: usize,
    /// Median of the preceding values, in the unit of the data.
    pub level_before: f64,
    /// Median of the steady state.
    pub level_after: f64,
    /// `level_before` / `level_after` − 1: 0.2 means 20 % more at first. Not finite if the steady state is 0.
    pub relative: f64,
}

/// Finds the warm-up of a run whose values are in the order of measurement.
///
/// It ends at a change point of [`crate::pelt()`], where the last level begins. If the level changes again late, it
/// ends where all levels before are above, or all below, all levels after. Without a change point, first values that all
/// lie five standard deviations of the noise above, or all below, the median are a warm-up too. `None` if the run begins
/// in its steady state, and if it has none because it would begin after the middle.
#[must_use]
pub fn warm_up(values: &[f64]) -> Option<WarmUp> {
    warm_up_within(values, values.len() / 2)
}

/// The same, for a warm-up of at most this many values.
#[must_use]
pub fn warm_up_within(values: &[f64], most: usize) -> Option<WarmUp> {
    let noise = noise(values);
    let changes = pelt(values, None, MIN_SEGMENT);
    let fits = |end: &usize| (1..=most).contains(end);
    let end = if changes.is_empty() {
        Some(far(values, noise)).filter(fits)
    } else {
        Some(steady_from(values, &changes, noise)).filter(fits).or_else(|| apart(values, &changes, most))
    }?;
    let (level_before, level_after) = (median(&values[..end]), median(&values[end..]));
    Some(WarmUp { end, level_before, level_after, relative: level_before / level_after - 1.0 })
}

/// The last change point, up to `most`, before which all levels lie above, or all below, those after it, and the values
/// themselves lie apart from the bulk of those after it. Levels of few values after it do not count: they are outliers.
fn apart(values: &[f64], changes: &[usize], most: usize) -> Option<usize> {
    let starts: Vec<usize> = core::iter::once(0).chain(changes.iter().copied()).collect();
    let ends = changes.iter().copied().chain([values.len()]);
    let levels: Vec<(f64, usize)> =
        starts.iter().zip(ends).map(|(&start, end)| (median(&values[start..end]), end - start)).collect();
    let lies_apart = |&at: &usize| {
        let (before, after) = levels.split_at(at);
        let (first, rest) = values.split_at(starts[at]);
        let step = median(first) - median(rest);
        let beyond = |level: f64| before.iter().any(|(own, _)| (own - level) * step.signum() <= 0.0);
        let mixed: usize = after.iter().filter(|(level, _)| beyond(*level)).map(|(_, count)| count).sum();
        mixed as f64 <= FEW * rest.len() as f64 && step.abs() > SAME_LEVEL * iqr(rest) / PER_IQR
    };
    let candidates = changes.iter().take_while(|&&change| change <= most).count();
    (1..=candidates).rev().find(lies_apart).map(|at| starts[at])
}

/// Start of the last segment, or of the first segment before it on the same level.
fn steady_from(values: &[f64], changes: &[usize], noise: f64) -> usize {
    let mut end = values.len();
    let mut steady = f64::NAN;
    for &start in changes.iter().rev().chain([&0]) {
        let level = mean(&values[start..end]);
        if (level - steady).abs() > SAME_LEVEL * noise {
            return end;
        }
        if steady.is_nan() {
            steady = level;
        }
        end = start;
    }
    0
}

/// Number of first values that are far from the median, all on the same side.
fn far(values: &[f64], noise: f64) -> usize {
    let centre = median(values);
    let above = values.iter().take_while(|&v| v - centre > FAR * noise).count();
    let below = values.iter().take_while(|&v| centre - v > FAR * noise).count();
    above.max(below)
}
