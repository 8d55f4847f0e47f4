//! Derives the defects of a benchmark from its numbers: reasons why a comparison of it may not be reliable.

use crate::codes::coded;
use crate::inspection::{Inspected, Sampled};
use crate::row::Scale;
use crate::warnings::{ALIKE, DISTINCT_FROM, PLAIN};

/// The dip test counts below this p-value.
const PLAIN_DIP: f64 = 0.01;
/// The minimum number of units for statements about modes and outliers.
const SHAPE_FROM: u32 = 8;

coded! {
    /// A defect of a row; the worst come first.
    pub enum Defect {
        /// A single unit: no test can be made.
        TooFew = "too-few",
        /// Values that should vary are all equal.
        Constant = "constant",
        /// Runs begin at a level other than that at which they settle.
        WarmUp = "warm-up",
        /// Units rise or fall over the order of measurement.
        Drift = "drift",
        /// The level changes and does not settle.
        Unsteady = "unsteady",
        /// Neighbouring units are correlated.
        Autocorrelation = "autocorrelation",
        /// Several modes.
        SeveralModes = "several-modes",
        /// The clock or the printed digits have steps larger than the margin.
        CoarseClock = "coarse-clock",
        /// So few distinct values that they must be rounded.
        FewDistinct = "few-distinct",
        /// All values come from one process.
        OneProcess = "one-process",
        /// Too few units for a rank test: a comparison uses a t-test.
        FewProcesses = "few-processes",
        /// The smallest detectable change is above the margin.
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
    /// The grade of a row.
    pub enum Grade {
        /// Fit to be compared; changes of the margin are detectable.
        Fit = "fit",
        /// Fit to be compared, but changes of the margin are lost in the noise.
        Noisy = "noisy",
        /// The conclusions of a comparison may not hold.
        Doubtful = "doubtful",
        /// No comparison can be significant.
        Unfit = "unfit",
    }
}

impl Defect {
    /// Its bit in [`Inspected::defects`].
    #[must_use]
    pub fn bit(self) -> u32 {
        1 << self as u32
    }

    /// The grade of a row that has only this defect.
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

/// Returns the defects of a row as bits. `counted` means that the metric is a count or a size, for which equal values
/// are not a sign of rounding.
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
    let steps = !counted && !constant && !by_block && row.values >= DISTINCT_FROM as u32;
    note(Defect::CoarseClock, steps && row.resolution > row.margin * row.centre.value.abs());
    note(Defect::FewDistinct, steps && row.rounded);
    let runs = row.runs.map(|runs| runs.count);
    note(Defect::OneProcess, runs == Some(1) && row.values > 1);
    note(Defect::FewProcesses, row.n > 1 && row.n < row.plan.ranks_from);
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

/// Returns the main defect of the order; the others follow from it.
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
