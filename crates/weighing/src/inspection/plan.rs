//! The plan of measurements: from the spread, the change that a comparison with as many units per side can detect, and
//! the number of units that smaller changes need.

use statera_kernels as kernels;
use statera_kernels::special::{norm_quantile, t_quantile};

use crate::inspection::{Inspected, Sampled};
use crate::policy::Policy;
use crate::row::Scale;
use crate::units::Units;

/// The changes for which the number of units needed is stated.
pub const CHANGES: [f64; 3] = [0.01, 0.02, 0.05];

/// The minimum number of units from which the spread is computed from the interval of a comparison; with fewer, the
/// interval has too coarse steps.
const INTERVAL_FROM: usize = 8;
/// With fewer processes, their values are compared by a t-test.
const RANKS_FROM: usize = 4;

/// The changes that units can detect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// The smallest change that a comparison with as many units detects with the requested power: relative on the ratio
    /// scale, otherwise in the unit. Infinite if none is detectable; NaN if one sample does not suffice to compute it.
    pub detectable: f64,
    /// Number of units per side that detect the changes of [`CHANGES`]; NaN if one sample does not suffice to compute it.
    pub needed: [f64; 3],
    /// The same for the metric's margin.
    pub for_margin: f64,
}

impl Plan {
    /// The plan if nothing is known.
    pub const NONE: Self = Self { detectable: f64::NAN, needed: [f64::NAN; 3], for_margin: f64::NAN };

    /// Computes the plan of a row from its units on the row's scale.
    pub(crate) fn of(row: &Inspected, units: &Units, policy: &Policy) -> Self {
        if row.exact {
            return Self { detectable: 0.0, needed: [1.0; 3], for_margin: 1.0 };
        }
        // The spread of blocks is that of the work, which pairing removes; equal values have no spread.
        if row.sampled == Sampled::Blocks || (row.n > 1 && units.sorted[0] == units.sorted[units.len() - 1]) {
            return Self::NONE;
        }
        let n = units.len();
        let spread = spread(units, policy);
        // Two values are too few to estimate the spread.
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

/// Returns the standard deviation of normal data for which a rank test would have the same power. It is computed from
/// the width of the interval of the sample against itself, so that outliers count no more than they do in the test.
fn spread(units: &Units, policy: &Policy) -> f64 {
    let n = units.len();
    // The standard deviation of few values is biased downwards by c4, nearly (4n − 4) / (4n − 3).
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

/// Likewise for Welch's t-test on two or three values per side.
fn by_t(sd: f64, n: usize, confidence: f64, power: f64) -> f64 {
    let df = (2 * n - 2) as f64;
    let quantiles = t_quantile(power, df) - t_quantile(0.5 * kernels::alpha(confidence), df);
    sd * (2.0 / n as f64).sqrt() * quantiles.max(0.0)
}
