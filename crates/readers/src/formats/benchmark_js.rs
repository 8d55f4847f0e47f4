//! benchmark.js's benchmarks as JSON: `stats.sample`, seconds of a call, each the mean over many.

use super::prelude::*;
use super::records::{self, Field, Outcome, Records};

pub static FORMAT: Format = Format {
    name: "benchmark.js-json",
    sign: "a list of objects with `cycles` and with `stats` that hold `sample`",
    harness: "benchmark.js",
    export: "JSON.stringify(Array.from(suite)) after the run",
    values: Values::Averages,
    metrics: &[Meaning::of("time", "time of one call, the mean over the calls of a sample")],
    fits: |head| head.has_all(&["[].cycles", "[].stats.sample"]),
    read: Read::Sheet(|sheet, content| records::read_json(sheet, content, &[BENCHMARKS])),
    ..Format::JSON
};

const BENCHMARKS: Records = Records {
    at: &["[]"],
    // A benchmark that was added as an object has its name among the options.
    name: |place| Some(place.find("name").or_else(|| place.find("options.name"))?.text()?.to_owned()),
    repeats: |_| true,
    outcome: |place| match place.find("stats.sample").and_then(Value::list) {
        Some([_, ..]) => Outcome::Passed,
        _ => Outcome::Failed(String::new()),
    },
    fields: &[Field::of("time", "stats.sample", "s")],
    line: |place, _| place.line(),
    ..Records::PLAIN
};
