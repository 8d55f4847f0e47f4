//! benchmark.js's benchmarks as JSON: `stats.sample`, seconds of a call, each the mean over many.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "benchmark.js-json",
    sign: "a list of objects with `cycles` and with `stats` that hold `sample`",
    harness: "benchmark.js",
    export: "JSON.stringify(Array.from(suite)) after the run",
    values: Values::Averages,
    metrics: &[Meaning::of("time", "time of one call, the mean over the calls of a sample")],
    fits: |head| head.has_all(&["[].cycles", "[].stats.sample"]),
    read: Read::Elements(read),
    ..Format::JSON
};

fn read(sheet: &mut Sheet, entry: &Value<'_>, line: u32) {
    let line = entry.object().map_or(line, |entry| entry.line);
    // A benchmark that was added as an object has its name among the options.
    let name = entry.get("name").or_else(|| entry.get("options")?.get("name"));
    let Some(benchmark) = sheet.need(name.and_then(Value::text), line, "name") else { return };
    let sample = entry.get("stats").and_then(|stats| stats.list_of("sample"));
    let sample = sample.unwrap_or(&[]);
    if sample.is_empty() {
        return sheet.failed(line, benchmark, "");
    }
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let row = Measurement { benchmark, metric, line, process: Some(0), ..ROW };
    for value in sample {
        push_value(sheet, row, value, 1.0);
    }
}
