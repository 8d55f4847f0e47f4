//! The warnings about the shape of a side: several modes, and a slow beginning.

use statera_kernels as kernels;
use statera_readers::Better;

use crate::inspection::warms_up;
use crate::row::{Row, Scale, Warning};
use crate::sample::Sample;
use crate::units::Units;
use crate::warnings::{ORDER_FROM, PLAIN};

/// The minimum number of units for a statement about modes.
const MODES_FROM: usize = 10;
/// The middle half of the values is at most this part of the middle eight tenths if the dip test can find several modes
/// (uniform values: 0.625).
const NARROW: f64 = 0.5;

/// Adds the warnings to a row. `counted` means that the metric is a count or a size, which may have few values.
pub fn look(row: &mut Row, sample: &Sample, better: Option<Better>, counted: bool) {
    if row.p.is_none() || sample.differences.len() > 0 {
        return;
    }
    for side in [&sample.baseline, &sample.contender] {
        if !counted && side.len() >= MODES_FROM && has_modes(&side.sorted) {
            row.warn(Warning::SeveralModes);
        }
        if sample.is_series && side.len() >= ORDER_FROM && begins_slowly(side, sample.scale, better) {
            row.warn(Warning::WarmUp);
        }
    }
}

fn has_modes(sorted: &[f64]) -> bool {
    let at = |level: f64| kernels::quantile_sorted(sorted, level);
    // The dip test costs more than all other warnings together, and most sides are narrow in the middle.
    if at(0.75) - at(0.25) <= NARROW * (at(0.9) - at(0.1)) {
        return false;
    }
    kernels::dip(&kernels::spread_ties(sorted)).is_some_and(|dip| dip.p <= PLAIN)
}

/// Whether a side begins on a slow level and settles within the first third. Change points cost more than all other
/// warnings together, so they are sought only if the first two units are among the slowest quarter.
fn begins_slowly(side: &Units, scale: Scale, better: Option<Better>) -> bool {
    let Some(better) = better else { return false };
    let slow = |value: f64| match better {
        Better::Lower => value > kernels::quantile_sorted(&side.sorted, 0.75),
        Better::Higher => value < kernels::quantile_sorted(&side.sorted, 0.25),
    };
    if !side.measured[..2].iter().all(|&value| slow(value)) {
        return false;
    }
    let plain = |value: &f64| if scale == Scale::Ratio { value.exp() } else { *value };
    warms_up(&side.measured.iter().map(plain).collect::<Vec<f64>>(), Some(better))
}
