//! What rides on a row: signs that its values are not what the test takes them for.

use statera_kernels as kernels;

use crate::assignment::Pairing;
use crate::row::{Design, Row, Scale, Warning};
use crate::sample::Sample;
use crate::units::Units;

/// A warning is not a test of the user's question; it speaks only when the sign is plain.
pub const PLAIN: f64 = 0.001;

/// Standard errors of autocorrelation from which neighbours are said to be alike: one row in two hundred by
/// chance. It misleads the test more than any other sign, and is hard to see in few values.
pub const ALIKE: f64 = 2.58;

/// Below so many values no warning about their order is given.
pub const ORDER_FROM: usize = 8;

/// Notes what is to be noted. `counted` says that the metric is a count or a size, of which few distinct
/// values are no sign of rounding.
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

/// Whether neighbouring values resemble each other. The sides are taken together: what makes neighbours alike
/// on one makes them alike on the other, and few values a side say little alone.
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

/// The medians shown beside the typical change must not be taken for it where they disagree.
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
