//! What rides on a row: signs that its values are not what the test takes them for.

use statera_kernels as kernels;

use crate::layout::Pairing;
use crate::row::{Design, Row, Scale, Warning};
use crate::sample::Sample;
use crate::units::Units;

/// A warning is not a test of the user's question; it speaks only when the sign is plain.
const PLAIN: f64 = 0.001;

/// Below so many values no warning about their order is given.
const ORDER_FROM: usize = 8;

/// Notes what is to be noted. `counted` says that the metric is a count or a size, of which few distinct
/// values are no sign of rounding.
pub fn look(row: &mut Row, sample: &Sample, pairing: Pairing, counted: bool) {
    if row.p.is_none() {
        return;
    }
    medians(row);
    if sample.design == Design::Paired {
        side_by_side(row, &sample.differences, counted);
    } else {
        side_by_side(row, &sample.old, counted);
        side_by_side(row, &sample.new, counted);
    }
    let unpaired = sample.design == Design::Independent && pairing == Pairing::Auto;
    if unpaired && sample.old.len() == sample.new.len() && sample.old.len() >= ORDER_FROM {
        let found = sample.old.ranking.order_correlation(&sample.new.ranking);
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
    } else if kernels::autocorrelation(&side.measured).is_some_and(|found| found.z > 3.3) {
        row.warn(Warning::Autocorrelation);
    }
    if !counted && side.len() >= 10 && kernels::distinct_sorted(&side.sorted) * 4 <= side.len() {
        row.warn(Warning::FewDistinct);
    }
}

/// The medians shown beside the typical change must not be taken for it where they disagree.
fn medians(row: &mut Row) {
    let plain = row.centres_change();
    let sign = plain * row.change < 0.0 && plain.abs().max(row.change.abs()) > 1e-3 * unit(row);
    let outside = plain < row.low - 1e-9 * unit(row) || plain > row.high + 1e-9 * unit(row);
    if plain.is_finite() && (sign || outside) {
        row.warn(Warning::MediansDisagree);
    }
}

fn unit(row: &Row) -> f64 {
    match row.scale {
        Scale::Ratio => 1.0,
        Scale::Difference => row.old.centre.value.abs(),
    }
}
