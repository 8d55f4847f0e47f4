//! The order of measurement: drift and autocorrelation.

use statera_kernels as kernels;
use statera_kernels::Autocorrelation;

use crate::row::Scale;
use crate::units::Units;

/// A trend over the order of measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// Spearman's correlation of values and order.
    pub rho: f64,
    /// Two-sided p-value of the hypothesis of no trend.
    pub p: f64,
    /// The change from the median of the first half to that of the second: relative on the ratio scale, otherwise in the
    /// unit.
    pub change: f64,
}

/// Drift and autocorrelation of the units; `None` below eight units and if all are equal.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Order {
    /// The trend.
    pub drift: Option<Drift>,
    /// The correlation of each unit with the previous one, on the row's scale.
    pub autocorrelation: Option<Autocorrelation>,
}

impl Order {
    /// Analyses units on the row's scale.
    pub(crate) fn of(units: &Units, scale: Scale) -> Self {
        let values = &units.measured;
        Self { drift: drift(units, scale), autocorrelation: kernels::autocorrelation(values) }
    }
}

fn drift(units: &Units, scale: Scale) -> Option<Drift> {
    let values = &units.measured;
    let p = units.ranking.drift()?;
    let places: Vec<f64> = (0..values.len()).map(|place| place as f64).collect();
    let rho = kernels::order_correlation(values, &places)?.rho;
    let half = values.len() / 2;
    let step = kernels::median(&values[values.len() - half..]) - kernels::median(&values[..half]);
    Some(Drift { rho, p, change: if scale == Scale::Ratio { step.exp_m1() } else { step } })
}
