//! The plan of measurements: from the spread, the change that a comparison with as many units per side can detect, and
//! the number of units that smaller changes need.

use statera_kernels as kernels;
use statera_kernels::{Forecast, Pilot};

use crate::inspection::{Inspected, Sampled};
use crate::policy::Policy;
use crate::row::Scale;
use crate::units::Units;

/// The changes for which the number of units needed is stated.
pub const CHANGES: [f64; 3] = [0.01, 0.02, 0.05];

/// A rank test of so many units can be significant at any level that a policy allows.
const ENOUGH: usize = 64;
/// With fewer processes, their means are compared by a t-test.
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
    /// Number of units per side from which a comparison uses a rank test; with fewer it uses a t-test.
    pub ranks_from: u32,
}

impl Plan {
    /// The plan if nothing is known.
    pub const NONE: Self =
        Self { detectable: f64::NAN, needed: [f64::NAN; 3], for_margin: f64::NAN, ranks_from: 0 };

    /// Computes the plan of a row from its units on the row's scale.
    pub(crate) fn of(row: &Inspected, units: &Units, planner: &Planner) -> Self {
        if row.exact {
            return Self { detectable: 0.0, needed: [1.0; 3], for_margin: 1.0, ranks_from: 0 };
        }
        let n = units.len();
        // The spread of blocks is that of the work, which pairing removes; equal values have no spread.
        if row.sampled == Sampled::Blocks || (n > 1 && units.sorted[0] == units.sorted[n - 1]) {
            return Self::NONE;
        }
        let pilot =
            Pilot { spread: kernels::pooled_spread(&[&units.sorted]), df: n.max(2) - 1, paired: false };
        if pilot.spread.is_nan() {
            return Self { detectable: f64::INFINITY, ..Self::NONE };
        }
        let of_means = row.sampled == Sampled::Runs && n < RANKS_FROM;
        // The t-test of means decides; the t-test of few values does not, so the forecast of runs is for ranks.
        let least = if of_means { 2 } else { planner.least_runs };
        let ranks_from = if of_means { planner.least_runs.max(RANKS_FROM) } else { planner.least_runs };
        let shift = planner.forecast.detectable(&pilot, n, n);
        let needed = |change: f64| {
            let change = match row.scale {
                Scale::Ratio => change.ln_1p(),
                Scale::Difference => change * row.centre.value.abs(),
            };
            let needed = || planner.forecast.needed(&pilot, change, least).runs;
            if change > 0.0 { needed() } else { f64::NAN }
        };
        let detectable = if row.scale == Scale::Ratio { shift.exp_m1() } else { shift };
        let for_margin = needed(row.margin);
        Self { detectable, needed: CHANGES.map(needed), for_margin, ranks_from: ranks_from as u32 }
    }
}

/// The forecasts of a benchmark by itself, made once for all rows.
#[derive(Debug)]
pub struct Planner {
    forecast: Forecast,
    /// Units per side with which a rank test can be significant.
    least_runs: usize,
}

impl Planner {
    /// The forecasts of a policy.
    pub(crate) fn new(policy: &Policy) -> Self {
        let alpha = kernels::alpha(policy.confidence());
        let least_runs = kernels::least_runs(alpha, 1, ENOUGH).unwrap_or(ENOUGH);
        Self { forecast: Forecast::new(alpha, policy.power), least_runs }
    }
}
