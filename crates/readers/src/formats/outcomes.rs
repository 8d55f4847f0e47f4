//! Whether the runs of a command failed: one that fails early is not a faster one.

use crate::metric::{Better, Estimand, Metric, Quantity};
use crate::sheet::{Measurement, Sheet};

use super::format::Meaning;

/// The share of the runs that failed. A command may end with another exit code than 0 on purpose; then it does so in both
/// builds.
pub(super) const FAILED: Meaning = Meaning::of("failed", "share of the runs that failed; told where one did");

/// The metric of whose values each tells whether a run failed.
pub(super) fn metric() -> Metric {
    Metric {
        better: Some(Better::Lower),
        estimand: Estimand::Mean,
        ..Metric::new(FAILED.metric, "1", Quantity::Count).secondary().of_validity()
    }
}

/// Adds whether each run failed; nothing where none did.
pub(super) fn push_failed(sheet: &mut Sheet, row: Measurement<'_>, failed: &[bool]) {
    if !failed.contains(&true) {
        return;
    }
    let metric = sheet.metric(FAILED.metric, metric);
    for &failed in failed {
        sheet.push(Measurement { metric, value: f64::from(u8::from(failed)), ..row });
    }
}
