//! Numbers to defects: what stands between a benchmark and a comparison that can be believed.

use crate::codes::coded;
use crate::inspection::{Inspected, Sampled};
use crate::row::Scale;
use crate::warnings::{ALIKE, PLAIN};

/// The dip test speaks where it is as clear as this.
const PLAIN_DIP: f64 = 0.01;
/// Below so many units nothing is said of modes and outliers.
const SHAPE_FROM: u32 = 8;
/// From so many units on, few different values, or common steps, are a sign of rounding.
const DISTINCT_FROM: u32 = 10;

coded! {
    /// What is wrong with a row, the worst first.
    pub enum Defect {
        /// Even the clearest outcome of so few units shows nothing.
        TooFew = "too-few",
        /// Values that should vary are all equal.
        Constant = "constant",
        /// Runs begin on another level than the one they settle at.
        WarmUp = "warm-up",
        /// Units rise or fall over the order of measurement.
        Drift = "drift",
        /// The level changes and does not settle.
        Unsteady = "unsteady",
        /// Neighbouring units resemble each other.
        Autocorrelation = "autocorrelation",
        /// Several modes.
        SeveralModes = "several-modes",
        /// The clock or the printing ticks in steps larger than the margin.
        CoarseClock = "coarse-clock",
        /// So few different values that rounding shows.
        FewDistinct = "few-distinct",
        /// All values come from one process.
        OneProcess = "one-process",
        /// Two or three processes.
        FewProcesses = "few-processes",
        /// The smallest change that can be shown is above the margin.
        Noisy = "noisy",
        /// Blocks measured once each.
        ByBlock = "by-block",
        /// Runs differ by more than their iterations explain.
        RunsDiffer = "runs-differ",
        /// Values far outside.
        Outliers = "outliers",
    }
}

coded! {
    /// What the defects make of a row.
    pub enum Grade {
        /// Can be compared, and shows changes of the margin.
        Fit = "fit",
        /// Can be compared, but changes of the margin are lost in the noise.
        Noisy = "noisy",
        /// What a comparison says of it may not hold.
        Doubtful = "doubtful",
        /// A comparison can show nothing.
        Unfit = "unfit",
    }
}

impl Defect {
    /// Its bit in [`Inspected::defects`].
    #[must_use]
    pub fn bit(self) -> u32 {
        1 << self as u32
    }

    /// What it alone makes of a row.
    #[must_use]
    pub fn grade(self) -> Grade {
        match self {
            Self::TooFew | Self::Constant => Grade::Unfit,
            Self::Noisy => Grade::Noisy,
            Self::ByBlock | Self::RunsDiffer | Self::Outliers => Grade::Fit,
            _ => Grade::Doubtful,
        }
    }
}

/// The defects of a row as bits. `counted` says that the metric is a count or a size, of which equal values are no sign
/// of rounding.
pub fn defects(row: &Inspected, counted: bool) -> u32 {
    if row.exact {
        return 0;
    }
    let mut found = 0;
    let mut note = |defect: Defect, holds: bool| found |= if holds { defect.bit() } else { 0 };
    note(Defect::TooFew, row.plan.detectable == f64::INFINITY);
    let constant = row.distinct == 1 && row.values > 1;
    note(Defect::Constant, constant && !counted);
    let by_block = row.sampled == Sampled::Blocks;
    note(Defect::ByBlock, by_block);
    if let Some(defect) = in_order(row).filter(|_| !by_block) {
        note(defect, true);
    }
    let dips = row.shape.dip.is_some_and(|dip| dip.p <= PLAIN_DIP) && row.n >= SHAPE_FROM;
    note(Defect::SeveralModes, row.shape.modes > 1 && dips && !counted && !by_block);
    let rounded = !counted && !constant && !by_block && row.values >= DISTINCT_FROM;
    note(Defect::CoarseClock, rounded && row.resolution > row.margin * row.centre.value.abs());
    note(Defect::FewDistinct, rounded && row.distinct * 4 <= row.values);
    let runs = row.runs.map(|runs| runs.count);
    note(Defect::OneProcess, runs == Some(1) && row.values > 1);
    note(Defect::FewProcesses, row.sampled == Sampled::Runs && row.n < 4);
    note(Defect::Noisy, row.plan.detectable.is_finite() && row.plan.detectable > margin(row));
    let components = row.runs.and_then(|runs| runs.components);
    note(Defect::RunsDiffer, components.is_some_and(|parts| parts.p < PLAIN));
    note(Defect::Outliers, row.shape.outliers > 0 && row.n >= SHAPE_FROM && !by_block);
    found
}

fn margin(row: &Inspected) -> f64 {
    match row.scale {
        Scale::Ratio => row.margin,
        Scale::Difference => row.margin * row.centre.value.abs(),
    }
}

/// The plainest thing that is wrong with the order: the others follow from it.
fn in_order(row: &Inspected) -> Option<Defect> {
    let level = row.steadiness;
    if level.runs > 0 && level.warming * 2 >= level.runs {
        return Some(if level.drifts_on { Defect::Drift } else { Defect::WarmUp });
    }
    if row.order.drift.is_some_and(|drift| drift.p < PLAIN) {
        return Some(Defect::Drift);
    }
    if level.runs > 0 && level.unsteady * 2 >= level.runs {
        return Some(Defect::Unsteady);
    }
    row.order.autocorrelation.is_some_and(|found| found.z > ALIKE).then_some(Defect::Autocorrelation)
}
