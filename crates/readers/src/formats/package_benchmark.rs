//! Exports of package-benchmark (Swift) that look like those of other harnesses and do not mean the same.

use super::format::{Format, Values};
use super::head::{Fit, Head, No};
use super::outline::Node;

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "package-benchmark",
    sign: "a list of objects with `primaryMetric` whose `benchmark` begins with `package.benchmark.`, or `#constant measurement,`",
    harness: "package-benchmark",
    values: Values::Refused {
        why: "an export of package-benchmark in the form of JMH or InfluxDB",
        export: "swift package benchmark --format jsonSmallerIsBetter, and jsonBiggerIsBetter",
    },
    fits,
    ..Format::PLAIN
};

fn fits(head: &Head<'_>) -> Fit {
    let is_influx = head.first_line().starts_with(b"#constant measurement,");
    No::unless(is_influx || is_jmh(head), "it has neither")
}

/// Whether the file has JMH's form, but not JMH's units: the unit of a score is the name of its metric.
pub(super) fn is_jmh(head: &Head<'_>) -> bool {
    let Ok(root) = head.json() else { return false };
    let is_own = |name: &Node| name.text.starts_with("package.benchmark.");
    root.at("[].primaryMetric").is_some()
        && root.at("[].jvm").is_none()
        && root.at("[].benchmark").is_some_and(is_own)
}
