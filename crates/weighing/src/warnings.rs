//! The warnings about a row: signs that its values violate the assumptions of the test.

use statera_kernels as kernels;

use crate::assignment::Pairing;
use crate::row::{Design, Row, Scale, Warning};
use crate::sample::Sample;
use crate::units::Units;

/// The p-value below which a sign becomes a warning. A warning is not a test of the user's question, so the evidence must
/// be strong.
pub const PLAIN: f64 = 0.001;

/// The autocorrelation, in standard errors, that becomes a warning: one row in two hundred exceeds it by chance.
/// Autocorrelation misleads the test more than any other sign, and is hard to detect in few values.
pub const ALIKE: f64 = 2.58;

/// The minimum number of values for warnings about their order.
pub const ORDER_FROM: usize = 8;

/// Adds the warnings to a row. `counted` means that the metric is a count or a size, for which few distinct values are
/// not a sign of rounding.
pub fn look(row: &mut Row, sample: &Sample, pairing: Pairing, counted: bool) {
    if row.p.is_none() {
        return;
    }
    medians(row);
    if sample.design == Design::Paired {
        side_by_side(row, &sample.differences, counted);
        neighbours(row, &[&sample.differences]);
    } else {
        side_by_side(row, &sample.baseline, counted);
        side_by_side(row, &sample.contender, counted);
        neighbours(row, &[&sample.baseline, &sample.contender]);
    }
    let unpaired = sample.design == Design::Independent && pairing == Pairing::Auto;
    if unpaired && sample.baseline.len() == sample.contender.len() && sample.baseline.len() >= ORDER_FROM {
        let found = sample.baseline.ranking.order_correlation(&sample.contender.ranking);
        if found.is_some_and(|found| found.p < PLAIN && found.rho > 0.0) {
            row.warn(Warning::OrderCorrelation);
        }
    }
}

fn side_by_side(row: &mut Row, side: &Units, counted: bool) {
    if side.len() < ORDER_FROM {
        return;
    }
    if kernels::outliers_sorted(&side.sorted) > 0 {
        row.warn(Warning::Outliers);
    }
    if side.ranking.drift().is_some_and(|p| p < PLAIN) {
        row.warn(Warning::Drift);
    }
    if !counted && side.len() >= 10 && kernels::distinct_sorted(&side.sorted) * 4 <= side.len() {
        row.warn(Warning::FewDistinct);
    }
}

/// Checks whether neighbouring values are correlated. Both sides are pooled, because the cause affects both, and few
/// values per side are little evidence alone.
fn neighbours(row: &mut Row, sides: &[&Units]) {
    let found: Vec<f64> = sides
        .iter()
        .filter(|side| side.len() >= ORDER_FROM)
        .filter_map(|side| kernels::autocorrelation(&side.measured))
        .map(|found| found.z)
        .collect();
    let together = found.iter().sum::<f64>() / (found.len() as f64).sqrt();
    if together > ALIKE && !row.warns(Warning::Drift) {
        row.warn(Warning::Autocorrelation);
    }
}

/// Checks whether the ratio of the medians disagrees with the typical change, for which readers might take it.
fn medians(row: &mut Row) {
    let plain = row.centres_change();
    let sign = plain * row.change < 0.0 && plain.abs().max(row.change.abs()) > 1e-3 * unit(row);
    let outside = plain < row.change_low - 1e-9 * unit(row) || plain > row.change_high + 1e-9 * unit(row);
    if plain.is_finite() && (sign || outside) {
        row.warn(Warning::MediansDisagree);
    }
}

fn unit(row: &Row) -> f64 {
    match row.scale {
        Scale::Ratio => 1.0,
        Scale::Difference => row.baseline.centre.value.abs(),
    }
}
