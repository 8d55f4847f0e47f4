//! The spread of a row: whether the values of one side lie further from the common median.
//!
//! The deviations are taken from the median of both sides together: if nothing changed they are exchangeable for any
//! distribution, which deviations from each side's own median are not if the values are skewed or have two modes.

use statera_kernels as kernels;

use crate::assignment::MetricRule;
use crate::dependence::widened;
use crate::row::{Design, Row, Scale, Spread};
use crate::sample::Sample;
use crate::tail::{MAD_TO_SD, answers, combined};
use crate::units::Units;

/// With fewer units a side, a change of spread is not tested.
pub(crate) const UNITS_FROM: u32 = 5;
/// A difference of spread can matter if half that range is at least this part of the margin.
const MATTERS: f64 = 0.67;

/// Compares the spreads of a row, if their difference could matter. That follows from the mean of the two builds' ranges: it
/// depends neither on a change of the typical value, nor on which build has the larger range.
pub fn look(row: &mut Row, sample: &Sample, rule: &MetricRule) {
    let independent = matches!(sample.design, Design::Independent | Design::Nested);
    let few = row.baseline.units.min(row.contender.units) < UNITS_FROM;
    if row.p.is_none() || few || !independent || !answers(row, sample) {
        return;
    }
    let sides = [&sample.baseline, &sample.contender];
    let total: f64 = sides.iter().map(|side| half_range(side) * side.len() as f64).sum();
    let quartile = total / f64::from(row.baseline.units + row.contender.units);
    let base = match sample.scale {
        Scale::Ratio => sample.centres.0.value,
        Scale::Difference => median(&sample.baseline),
    };
    let margin = rule.margin.on(sample.scale, base);
    if quartile < MATTERS * margin || quartile == 0.0 {
        return;
    }
    let centre = kernels::quantile_sorted(&combined(sample), 0.5);
    let [old, new] = sides.map(|side| deviations(&side.measured, centre));
    let Some(test) = kernels::mann_whitney(&old, &new) else { return };
    let sizes = sides.map(|side| size(side, sample.scale));
    let limit = if sample.scale == Scale::Ratio { rule.margin.relative(base) } else { margin };
    row.spread = Some(Spread {
        sizes,
        p: row.spent(widened(test.p, &[&old, &new])),
        p_corrected: 1.0,
        matters: sizes[0].max(sizes[1]) > limit,
    });
}

/// Half the range of the middle three quarters of a side: about the third quartile of its deviations.
fn half_range(side: &Units) -> f64 {
    (kernels::quantile_sorted(&side.sorted, 0.875) - kernels::quantile_sorted(&side.sorted, 0.125)) / 2.0
}

fn deviations(values: &[f64], centre: f64) -> Vec<f64> {
    values.iter().map(|value| (value - centre).abs()).collect()
}

fn median(side: &Units) -> f64 {
    kernels::quantile_sorted(&side.sorted, 0.5)
}

/// The scaled median absolute deviation of a side, as users read it.
fn size(side: &Units, scale: Scale) -> f64 {
    let size = MAD_TO_SD * kernels::median(&deviations(&side.sorted, median(side)));
    if scale == Scale::Ratio { size.exp_m1() } else { size }
}
