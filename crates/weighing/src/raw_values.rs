//! The values of the rows in columns, for pictures.

use statera_readers::{NONE, Observations};

use crate::assignment::Assignment;
use crate::blocks::measured;
use crate::grouping;

/// Every value that is compared, in columns of one length: by cell (group, metric, benchmark), then by variant, then in
/// the order of measurement.
#[derive(Debug, Default)]
pub struct RawValues {
    /// The benchmark's number.
    pub benchmark: Vec<u32>,
    /// The metric's number.
    pub metric: Vec<u32>,
    /// The group's number.
    pub group: Vec<u32>,
    /// The variant's number.
    pub variant: Vec<u32>,
    /// The value's place in the order of measurement of its variant, from 0.
    pub order: Vec<u32>,
    /// The value in the metric's base unit.
    pub value: Vec<f64>,
    /// The block, -1 if there is none; if factors were pooled, block times strata plus stratum.
    pub block: Vec<i64>,
    /// The process or run, -1 if unknown; equal numbers are one run.
    pub run: Vec<i64>,
}

/// Collects the values that the assignment selects.
#[must_use]
pub fn raw_values(observations: &Observations, assignment: &Assignment) -> RawValues {
    let cells = grouping::group_keeping(observations, assignment, true);
    let mut found = RawValues::default();
    for (cell, &(group, metric, benchmark)) in cells.keys().iter().enumerate() {
        for variant in 0..assignment.variants {
            for (order, value) in
                measured(observations, assignment, &cells, (variant, &[variant]), cell).iter().enumerate()
            {
                found.benchmark.push(benchmark);
                found.metric.push(metric);
                found.group.push(group);
                found.variant.push(variant);
                found.order.push(order as u32);
                found.value.push(value.value);
                found.block.push(if value.block == NONE { -1 } else { i64::from(value.block) });
                found.run.push(i64::try_from(value.run).unwrap_or(-1));
            }
        }
    }
    found
}
