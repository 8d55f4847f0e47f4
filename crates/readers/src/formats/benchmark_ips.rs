//! benchmark-ips's JSON: a list of objects with the iterations a second of each block.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "benchmark-ips-json",
    sign: "a list of objects with `name`, `ips`, `central_tendency` and `cycles`",
    harness: "benchmark-ips",
    export: "x.json! FILE",
    metrics: &[Meaning::of("rate", "iterations per second, the mean over the samples")],
    fits: |head| head.has_all(&["[].name", "[].ips", "[].central_tendency", "[].cycles"]),
    read: Read::Elements(read),
    ..Format::JSON_SUMMARY
};

fn read(sheet: &mut Sheet, entry: &Value<'_>, line: u32) {
    let line = entry.object().map_or(line, |entry| entry.line_of("name"));
    let needed = entry.text_of("name").zip(entry.get("central_tendency"));
    let Some((benchmark, value)) = sheet.need_of(needed, line, "an entry", "name or rate") else { return };
    let metric = sheet.metric("rate", || Metric::new("rate", "1/s", Quantity::Throughput));
    // `stddev` is a deviation or, with the bootstrap, an error: the file does not say which.
    let aggregate = Some(Aggregate { count: samples(sheet, entry, line), deviation: None });
    let row = Measurement { benchmark, metric, line, process: Some(0), aggregate, ..ROW };
    push_value(sheet, row, value, 1.0);
}

/// The number of samples: each is of so many cycles.
fn samples(sheet: &mut Sheet, entry: &Value<'_>, line: u32) -> Option<f64> {
    let mut number = |key: &str| entry.get(key).and_then(|value| number_of(sheet, value, line));
    let (iterations, cycles) = (number("iterations")?, number("cycles")?);
    let samples = iterations / cycles;
    (samples.fract() == 0.0 && samples >= 1.0).then_some(samples)
}
