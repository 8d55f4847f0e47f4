//! What so many units can show against as many of another variant, and how many would show more: from the spread.

use statera_kernels as kernels;
use statera_kernels::special::{norm_quantile, t_quantile};

use crate::inspection::{Inspected, Sampled};
use crate::policy::Policy;
use crate::row::Scale;
use crate::units::Units;

/// The changes of which it is said how many units show them.
pub const CHANGES: [f64; 3] = [0.01, 0.02, 0.05];

/// From so many units on the spread is read off the interval of a comparison; with fewer its steps are too coarse.
const INTERVAL_FROM: usize = 8;
/// With fewer processes than this a t-test is made on their values.
const RANKS_FROM: usize = 4;

/// What units can show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// The smallest change that a comparison with as many units finds with the power asked for: relative on the ratio
    /// scale, else in the unit. Infinite where none can be found; NaN where one sample does not tell.
    pub detectable: f64,
    /// Units a side that find the changes of [`CHANGES`]; NaN where one sample does not tell.
    pub needed: [f64; 3],
    /// The same for the metric's margin.
    pub for_margin: f64,
}

impl Plan {
    /// Nothing can be said.
    pub const NONE: Self = Self { detectable: f64::NAN, needed: [f64::NAN; 3], for_margin: f64::NAN };

    /// The plan of a row, from its units on the row's scale.
    pub(crate) fn of(row: &Inspected, units: &Units, policy: &Policy) -> Self {
        if row.exact {
            return Self { detectable: 0.0, needed: [1.0; 3], for_margin: 1.0 };
        }
        // The spread of blocks is that of the work, which pairing takes out; equal values tell of no spread.
        if row.sampled == Sampled::Blocks || (row.n > 1 && units.sorted[0] == units.sorted[units.len() - 1]) {
            return Self::NONE;
        }
        let n = units.len();
        let spread = spread(units, policy);
        // The difference of two values says next to nothing of the spread.
        if n < 3 && row.sampled != Sampled::Runs || spread.is_nan() {
            return Self { detectable: f64::INFINITY, ..Self::NONE };
        }
        let (confidence, power) = (policy.confidence(), policy.power);
        let few = row.sampled == Sampled::Runs && (2..RANKS_FROM).contains(&n);
        let shift = if few {
            by_t(spread, n, confidence, power)
        } else {
            kernels::detectable_two_sample(spread, n, n, confidence, power)
        };
        let needed = |change: f64| {
            let change = match row.scale {
                Scale::Ratio => change.ln_1p(),
                Scale::Difference => change * row.centre.value.abs(),
            };
            if change > 0.0 { kernels::runs_for_change(spread, change, confidence, power) } else { f64::NAN }
        };
        let detectable = if row.scale == Scale::Ratio { shift.exp_m1() } else { shift };
        Self { detectable, needed: CHANGES.map(needed), for_margin: needed(row.margin) }
    }
}

/// The standard deviation of normal data that a rank test would find as hard as these: from the width of the interval
/// of the sample against itself, so that a few far values count no more than they do in the test.
fn spread(units: &Units, policy: &Policy) -> f64 {
    let n = units.len();
    // The standard deviation of few values is too small in the mean: by c4, nearly (4n − 4) / (4n − 3).
    let few = n as f64 - 1.0;
    let plain = kernels::sd(&units.measured) * (4.0 * few + 1.0) / (4.0 * few);
    if n < INTERVAL_FROM {
        return plain;
    }
    let Some(found) = kernels::two_sample(&units.sorted, &units.sorted, policy.confidence()) else {
        return plain;
    };
    let interval = found.shift.interval;
    let z = -norm_quantile(0.5 * kernels::alpha(interval.level));
    let efficiency = (3.0 / core::f64::consts::PI).sqrt();
    let spread = efficiency * 0.5 * (interval.high - interval.low) / (z * (2.0 / n as f64).sqrt());
    if spread > 0.0 && spread.is_finite() { spread } else { plain }
}

/// The same for Welch's t on two or three values a side.
fn by_t(sd: f64, n: usize, confidence: f64, power: f64) -> f64 {
    let df = (2 * n - 2) as f64;
    let quantiles = t_quantile(power, df) - t_quantile(0.5 * kernels::alpha(confidence), df);
    sd * (2.0 / n as f64).sqrt() * quantiles.max(0.0)
}
