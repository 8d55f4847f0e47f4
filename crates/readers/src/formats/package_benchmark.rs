//! What package-benchmark (Swift) prints, and its exports that look like those of other harnesses and do not mean the same.

use super::outline::Node;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "package-benchmark",
    sign: "a list of objects with `primaryMetric` whose `benchmark` begins with `package.benchmark.`, `#constant measurement,`, \
           or a table with the columns `Metric`, `p0` and `p25`",
    harness: "package-benchmark",
    values: Values::refused(
        "the table of package-benchmark, or its export in the form of JMH or InfluxDB",
        "swift package benchmark --format jsonSmallerIsBetter, and jsonBiggerIsBetter",
    ),
    words: &["p25", "#constant measurement,", "package.benchmark."],
    fits: |head| {
        let is_influx = head.first_line().starts_with(b"#constant measurement,");
        No::unless(is_influx || is_jmh(head) || head.lines().any(is_table), "it has none of these")
    },
    ..Format::PLAIN
};

/// Whether a line is the header of a table, with bars of a box or of Markdown.
fn is_table(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let mut cells = line.split(['│', '|']).map(str::trim);
    ["", "Metric", "p0", "p25"].iter().all(|name| cells.next() == Some(name))
}

/// Whether the file has JMH's form, but not JMH's units: the unit of a score is the name of its metric.
pub(super) fn is_jmh(head: &Head<'_>) -> bool {
    let Ok(root) = head.json() else { return false };
    let is_own = |name: &Node| name.text.starts_with("package.benchmark.");
    root.at("[].primaryMetric").is_some()
        && root.at("[].jvm").is_none()
        && root.at("[].benchmark").is_some_and(is_own)
}
