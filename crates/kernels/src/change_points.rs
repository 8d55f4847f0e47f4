//! Changes of level in a history: a series with a value for each measurement of each commit, oldest first.
//!
//! One forward pass decides at each commit from what was known then, so that what is told never depends on how often
//! somebody looked: the alarms of a history analysed once are those of a team that analysed it at every commit.
//! Afterwards the points are estimated again with hindsight. Noise may have outliers, two levels, cycles and neighbours
//! that depend on each other: the variance of means of k values is measured for every k, not derived from one value.
//!
//! Parts: [`noise`], [`evidence`], [`forward`], [`hindsight`]. `docs/stats/change_points.md` states rule and calibration.

mod evidence;
mod forward;
mod hindsight;
mod noise;
mod stretch;

use crate::quantile::power_of_two_near;

use forward::Forward;

/// The constants of the detector. Their defaults are in the settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detector {
    /// Number of values from which the noise is estimated.
    pub memory: usize,
    /// The longest stretch of values that is compared; a power of two.
    pub longest: usize,
    /// Number of values at which it looks at the noise first; before, nothing is told.
    pub first_look: usize,
    /// By this factor the number of values grows until it looks at the noise again.
    pub look_growth: f64,
    /// The threshold is `per_log` × ln(max(n, `least_length`)) + `base`, in units of ν ln(1 + z²/ν).
    pub per_log: f64,
    /// Shorter series have the threshold of this length.
    pub least_length: usize,
    /// The part of the threshold that does not grow.
    pub base: f64,
    /// The longest stretch is this share of the values known.
    pub reach: f64,
    /// Number of values in the memory for each degree of freedom ν of the noise.
    pub values_a_degree: f64,
    /// Half-width of the interval of a size, in standard errors.
    pub size_errors: f64,
    /// p of a point whose strength is 0: the chance that a series without change shows any point in its life.
    pub level: f64,
}

impl Detector {
    fn threshold(&self, t: usize) -> f64 {
        self.per_log * (t.max(self.least_length) as f64).ln() + self.base
    }

    fn reach(&self, t: usize) -> usize {
        ((self.reach * t as f64 + ROUNDING) as usize).min(self.longest).max(LEAST_WINDOW)
    }
}

/// The shortest stretch that can raise an alarm.
const LEAST_WINDOW: usize = 3;
/// Products such as 1.1 × 10 must not fall below the whole number that they are.
const ROUNDING: f64 = 1e-12;
/// Evidence is greater only beyond this factor: of equal evidence the first counts, whatever the rounding of its sums.
const EQUAL: f64 = 1.0 + 1e-9;

/// A change that was told when it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alarm {
    /// Position of the first value after the change, as estimated then.
    pub place: usize,
    /// Position of the value that raised it.
    pub raised: usize,
    /// Whether it was dropped with hindsight.
    pub withdrawn: bool,
}

/// A change of level with hindsight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Position of the first value after the change.
    pub place: usize,
    /// The first place that cannot be excluded.
    pub first: usize,
    /// The last one.
    pub last: usize,
    /// The size of the change, in the unit of the values (logarithms: of a ratio).
    pub size: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// By how much the evidence exceeds the threshold; the threshold is 0.
    pub strength: f64,
    /// The chance of anything as strong in the whole life of a series without change; calibrated at the detector's level.
    pub p: f64,
    /// Position of the value that raised its alarm.
    pub raised: usize,
    /// Whether it undoes the point before it.
    pub returns: bool,
}

/// One or two values outside everything before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spike {
    /// Position of its first value.
    pub place: usize,
    /// Number of its values.
    pub values: usize,
}

/// What a series shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// What was told, in this order.
    pub alarms: Vec<Alarm>,
    /// The changes with hindsight, in order.
    pub points: Vec<Point>,
    /// Values that stood outside and whose successors came back.
    pub spikes: Vec<Spike>,
    /// The newest values stand outside everything before them and are too few for an alarm.
    pub suspect: Option<Spike>,
    /// Whether sizes and noise are those of logarithms, because all values are positive.
    pub ratio: bool,
    /// Standard deviation of a single value around its level at the end, in the unit of the values; NaN if nothing is known.
    pub noise: f64,
}

/// Finds the changes of level of a history: as ratios if all values are positive, otherwise as differences.
///
/// Arguments as in [`change_points`].
#[must_use]
pub fn history(values: &[f64], places: Option<&[bool]>, detector: &Detector) -> Changes {
    if values.iter().any(|&value| value.is_nan() || value <= 0.0) {
        return change_points(values, places, detector);
    }
    let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    Changes { ratio: true, ..change_points(&logarithms, places, detector) }
}

/// Finds the changes of level of finite values, oldest first.
///
/// A change begins at a place only: `places` states for each value whether it may (the first measurement of a commit); all
/// may without it. Fewer values than the first look, and values that are all equal, show no change.
///
/// Ratios are found in the logarithms of values. Sizes and noise are in the unit of what is given.
///
/// # Panics
/// Never; `places` of another length count as absent.
#[must_use]
pub fn change_points(values: &[f64], places: Option<&[bool]>, detector: &Detector) -> Changes {
    let Some(&first) = values.first() else { return Changes { noise: f64::NAN, ..Changes::default() } };
    // Level and unit do not matter; sums of small numbers keep their digits, and squares stay in the range of floats.
    let most = values.iter().fold(0.0_f64, |most, value| most.max((value / 2.0 - first / 2.0).abs()));
    let unit = if most > 0.0 { power_of_two_near(most) } else { 1.0 };
    let plain: Vec<f64> = values.iter().map(|value| value / unit - first / unit).collect();
    let all;
    let places = match places {
        Some(places) if places.len() == values.len() => places,
        _ => {
            all = vec![true; values.len()];
            &all
        }
    };
    let mut pass = Forward::new(&plain, places, detector);
    for newest in 0..plain.len() {
        pass.arrive(newest);
    }
    let mut changes = hindsight::points(&plain, places, detector, &pass.alarms);
    for point in &mut changes.points {
        for number in [&mut point.size, &mut point.low, &mut point.high] {
            *number *= unit;
        }
    }
    changes.spikes = pass.outside.spikes();
    changes.suspect = pass.outside.suspect();
    changes.noise = pass.noise.as_ref().map_or(f64::NAN, |noise| noise.variance(1).sqrt() * unit);
    changes
}
