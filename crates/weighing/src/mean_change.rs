//! The change of the mean, which unlike the typical change follows the slow runs.

use statera_kernels as kernels;

use crate::policy::Policy;
use crate::row::{Design, MeanChange, Scale};
use crate::sample::Sample;

/// The change of the mean of the units with its t interval (Welch's, or Student's of the differences of pairs): on the
/// ratio scale relative to the baseline's mean. Of runs with several values it is that of the means of the runs. `None` if
/// there is no interval.
pub fn mean_change(sample: &Sample, policy: &Policy) -> Option<MeanChange> {
    if !matches!(sample.design, Design::Independent | Design::Nested | Design::Paired) || sample.of_means {
        return None;
    }
    let plain = |values: &[f64]| -> Vec<f64> {
        values.iter().map(|&value| if sample.scale == Scale::Ratio { value.exp() } else { value }).collect()
    };
    let of_side = |within: &Vec<Vec<f64>>, units: &[f64]| -> Vec<f64> {
        if within.is_empty() { plain(units) } else { within.iter().map(|run| kernels::mean(run)).collect() }
    };
    let old = of_side(&sample.within[0], &sample.baseline.measured);
    let new = of_side(&sample.within[1], &sample.contender.measured);
    let found = if sample.design == Design::Paired {
        let differences: Vec<f64> = old.iter().zip(&new).map(|(old, new)| new - old).collect();
        kernels::student(&differences, policy.confidence())
    } else {
        kernels::welch(&old, &new, policy.confidence())
    };
    let shift = found?.shift;
    let unit = if sample.scale == Scale::Ratio { kernels::mean(&old) } else { 1.0 };
    let ends = (shift.interval.low / unit, shift.interval.high / unit);
    Some(MeanChange { change: shift.estimate / unit, low: ends.0, high: ends.1 })
}
