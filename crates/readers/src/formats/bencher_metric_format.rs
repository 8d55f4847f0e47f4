//! The Bencher Metric Format: an object of benchmarks, each an object of measures with their values.

use super::json::push_scaled;
use super::outline::{Kind, Node};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "bencher-metric-format",
    sign: "an object of objects of measures with `value` and perhaps `lower_value` and `upper_value`",
    harness: "Bencher",
    export: "bencher mock, or the input of bencher run --adapter json",
    metrics: &[
        Meaning::of("latency", "time of one operation, in nanoseconds in the file"),
        Meaning::of("throughput", "operations per second"),
        Meaning::of("build-time", "time to build, in seconds"),
        Meaning::of("file-size", "size of a file, in bytes"),
    ],
    fits,
    read: Read::Document(|sheet, document| {
        for (benchmark, span) in document.entries() {
            let measures = span.value(sheet)?;
            for (measure, value) in measures.iter() {
                let line = value.object().map_or(span.line, |value| value.line);
                push(sheet, benchmark, measure, value, line);
            }
        }
        Ok(())
    }),
    ..Format::JSON_SUMMARY
};

const FIELDS: [&str; 3] = ["value", "lower_value", "upper_value"];

/// Whether all values, three levels below the root, are measures. The last one may be cut.
fn fits(head: &Head<'_>) -> Fit {
    let root = head.json()?;
    let measures = || root.children().flat_map(|(_, benchmark)| benchmark.children());
    let is_object = |(_, node): (&str, &Node)| node.kind == Kind::Object;
    let is_field =
        |(key, node): (&str, &Node)| FIELDS.contains(&key) && !matches!(node.kind, Kind::Object | Kind::List);
    let only = root.children().all(is_object)
        && measures().all(is_object)
        && measures().all(|(_, measure)| measure.children().all(is_field));
    No::unless(only, "it has other values")?;
    let first = measures().next().is_some_and(|(_, measure)| measure.child("value").is_some());
    if first { Ok(()) } else { Err(No::Lacks("*.*.value")) }
}

/// Adds the value of a measure. Of `lower_value` and `upper_value` nobody says what they bound.
fn push(sheet: &mut Sheet, benchmark: &str, measure: &str, value: &Value<'_>, line: u32) {
    let Some(value) = value.get("value") else {
        return sheet.lacks(line, benchmark, &format!("value of {}", excerpt(measure)));
    };
    let (metric, scale) = described(measure);
    let metric = sheet.metric(measure, || metric);
    let row = Measurement { benchmark, metric, line, process: Some(0), ..ROW };
    push_scaled(sheet, Measurement { aggregate: Some(Aggregate::default()), ..row }, value, scale);
}

/// Bencher's own measures have units; those of users have units on its server, or in their names.
fn described(measure: &str) -> (Metric, Scale) {
    let unit = match measure {
        "latency" | "Latency" => "ns",
        "throughput" | "Throughput" => "ops/s",
        "build-time" | "Build Time" => "s",
        "file-size" | "File Size" => "B",
        "instructions" | "Instructions" => "instructions",
        own => return tracked::named(own),
    };
    tracked::metric(measure, unit)
}
