//! The metrics of load generators, which have the same names in all their formats.

use crate::Sheet;
use crate::metric::{Estimand, Metric, Quantity};
use crate::sheet::Measurement;

/// The times that are compared by default. fio states percentiles of the time from the issue of an operation on; Gatling's
/// percentiles are the median and the 99th, unless its configuration has others.
const PRIMARY: [&str; 8] = [
    "latency",
    "latency-p50",
    "latency-p99",
    "latency-percentile1",
    "latency-percentile4",
    "clat",
    "clat-p50",
    "clat-p99",
];

/// The metric with this name: `throughput`, `transfer` and counts of errors; every other one is a time. The typical
/// request and the 99th percentile are compared by default.
pub(super) fn described(name: &str) -> Metric {
    let time = || Metric::new(name, "s", Quantity::Time);
    match name {
        "throughput" => Metric::new(name, "1/s", Quantity::Throughput),
        "transfer" => Metric::new(name, "B/s", Quantity::Throughput).secondary(),
        _ if PRIMARY.contains(&name) => time(),
        _ if name.starts_with("errors") || ["failed", "retransmits"].contains(&name) => {
            Metric::new(name, "1", Quantity::Count).never_exact().secondary()
        }
        _ => time().secondary(),
    }
}

/// Adds a value of the metric with this name.
pub(super) fn push(sheet: &mut Sheet, row: Measurement<'_>, name: &str, value: f64) {
    let metric = sheet.metric(name, || described(name));
    sheet.push(Measurement { metric, value, ..row });
}

/// Adds the time of a request. Times of requests that failed are a metric of their own, and `failed`, which is 1 or 0, has
/// their share as its mean: a count would be wrong in a file that is cut.
pub(super) fn push_request(sheet: &mut Sheet, row: Measurement<'_>, succeeded: bool, seconds: f64) {
    push(sheet, row, if succeeded { "latency" } else { "latency-failed" }, seconds);
    let metric = sheet.metric("failed", || Metric { estimand: Estimand::Mean, ..described("failed") });
    sheet.push(Measurement { metric, value: f64::from(u8::from(!succeeded)), ..row });
}
