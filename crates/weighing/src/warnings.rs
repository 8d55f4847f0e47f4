//! The warnings about a row: signs that its values violate the assumptions of the test.

use statera_kernels as kernels;

use crate::assignment::{MetricRule, Pairing};
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

/// The minimum number of values from which few distinct values, or a common step, are a sign of rounding.
pub const DISTINCT_FROM: usize = 10;

/// Adds the warnings to a row. The margin is that of [`MetricRule`]; a metric that may be exact is a count or a size,
/// for which few distinct values are not a sign of rounding.
pub fn look(row: &mut Row, sample: &Sample, pairing: Pairing, rule: Option<&MetricRule>) {
    if row.p.is_none() {
        return;
    }
    medians(row);
    let both = [&sample.baseline, &sample.contender];
    let sides = if sample.design == Design::Paired { &[&sample.differences][..] } else { &both[..] };
    for side in sides {
        side_by_side(row, side);
    }
    neighbours(row, sides);
    if let Some(rule) = rule.filter(|rule| !rule.may_be_exact) {
        let sorted: Vec<&[f64]> = sides.iter().map(|side| &side.sorted[..]).collect();
        if rounded(&sorted, rule.margin.on(row.scale, row.baseline.centre.value)) {
            row.warn(Warning::FewDistinct);
        }
    }
    let unpaired = sample.design == Design::Independent && pairing == Pairing::Auto;
    if unpaired && sample.baseline.len() == sample.contender.len() && sample.baseline.len() >= ORDER_FROM {
        let found = sample.baseline.ranking.order_correlation(&sample.contender.ranking);
        if found.is_some_and(|found| found.p < PLAIN && found.rho > 0.0) {
            row.warn(Warning::OrderCorrelation);
        }
    }
}

fn side_by_side(row: &mut Row, side: &Units) {
    if side.len() < ORDER_FROM {
        return;
    }
    if kernels::outliers_sorted(&side.sorted) > 0 {
        row.warn(Warning::Outliers);
    }
    if side.ranking.drift().is_some_and(|p| p < PLAIN) {
        row.warn(Warning::Drift);
    }
}

/// Whether one of the samples, each ascending, has few distinct values whose steps are not small beside the margin,
/// which is in their unit. The rounding of both sides moves a change by up to a step.
pub fn rounded(samples: &[&[f64]], margin: f64) -> bool {
    let few =
        |side: &&&[f64]| side.len() >= DISTINCT_FROM && kernels::distinct_sorted(side) * 4 <= side.len();
    // Equal values have no step of their own.
    let step = |side| kernels::step_sorted(&[side]).or_else(|| kernels::step_sorted(samples));
    samples.iter().filter(few).any(|side| step(side).is_none_or(|step| 2.0 * step >= margin))
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

/// Checks whether the ratio of the medians, which readers might take for the typical change, lies outside its interval.
/// Inside, the two differ by no more than chance explains, even if one is above and the other below no change.
fn medians(row: &mut Row) {
    let plain = row.centres_change();
    let outside = plain < row.change_low - 1e-9 * unit(row) || plain > row.change_high + 1e-9 * unit(row);
    if plain.is_finite() && outside {
        row.warn(Warning::MediansDisagree);
    }
}

fn unit(row: &Row) -> f64 {
    match row.scale {
        Scale::Ratio => 1.0,
        Scale::Difference => row.baseline.centre.value.abs(),
    }
}
