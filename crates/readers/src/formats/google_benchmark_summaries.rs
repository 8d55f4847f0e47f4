//! Benchmarks of which a file of Google Benchmark has only the mean and the deviation of the repetitions.

use super::google_benchmark::described;
use crate::Sheet;
use crate::context::Context;
use crate::sheet::{Aggregate, Measurement};

/// A row that summarizes: its values in base units by their fields.
pub(super) struct Summary {
    pub(super) benchmark: String,
    /// `mean`, `stddev` or another.
    pub(super) kind: String,
    pub(super) count: Option<f64>,
    pub(super) context: Context,
    pub(super) line: u32,
    pub(super) fields: Vec<(String, f64)>,
}

/// Adds the means of the benchmarks without repetitions, each with the deviation.
pub(super) fn settle(sheet: &mut Sheet, summaries: &[Summary], repeated: &[String]) {
    let lone = |summary: &&Summary| summary.kind == "mean" && !repeated.contains(&summary.benchmark);
    for mean in summaries.iter().filter(lone) {
        let of_same = |other: &&Summary| other.kind == "stddev" && other.benchmark == mean.benchmark;
        let spread = summaries.iter().find(of_same).map_or(&[][..], |summary| &summary.fields);
        sheet.set_context(&mean.context);
        for (field, value) in &mean.fields {
            let deviation = spread.iter().find(|(known, _)| known == field).map(|(_, deviation)| *deviation);
            let metric = sheet.metric(field, || described(field));
            sheet.push(Measurement {
                benchmark: &mean.benchmark,
                metric,
                value: *value,
                line: mean.line,
                process: Some(0),
                aggregate: Some(Aggregate { count: mean.count, deviation }),
                ..Measurement::default()
            });
        }
    }
}
