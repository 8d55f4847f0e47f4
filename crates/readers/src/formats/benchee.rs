//! Benchee's JSON: a list of scenarios with `run_time_data`, in nanoseconds.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "benchee",
    sign: "a list of objects with `job_name` and `run_time_data` that holds `statistics`",
    harness: "Benchee",
    export: "the formatter {Benchee.Formatters.JSON, file: FILE} of the package benchee_json",
    keys: &[&[
        Key::work("input", "name of the benchmark's input"),
        Key::setting("tag", "tag of a saved run"),
    ]],
    metrics: &[
        Meaning::of("time", "time of one call; without samples, the mean over the calls"),
        Meaning::of("memory", "bytes that one call allocates"),
        Meaning::of("reductions", "reductions of one call: the steps that the virtual machine counts"),
    ],
    fits: |head| head.has_all(&["[].job_name", "[].run_time_data.statistics"]),
    read: Read::Elements(read),
    ..Format::JSON
};

/// What is measured: the field, the metric, its unit and quantity, and how much of the field's unit one is.
const MEASURED: [(&str, &str, &str, Quantity, f64); 3] = [
    ("run_time_data", "time", "s", Quantity::Time, 1e9),
    ("memory_usage_data", "memory", "B", Quantity::Bytes, 1.0),
    ("reductions_data", "reductions", "1", Quantity::Count, 1.0),
];

fn read(sheet: &mut Sheet, scenario: &Value<'_>, line: u32) {
    let line = scenario.object().map_or(line, |scenario| scenario.line);
    let text = |key: &str| scenario.text_of(key);
    // `name` is that of the job with the tag of a saved run behind it.
    let Some(benchmark) = sheet.need(text("job_name"), line, "name") else { return };
    let keys = [("input", text("input_name").filter(|input| *input != "__no_input")), ("tag", text("tag"))];
    let stated = keys.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?.to_owned())));
    let context: Vec<_> = stated.collect();
    sheet.set_context(&context);
    for (field, metric, unit, quantity, divisor) in MEASURED {
        let Some(data) = scenario.get(field) else { continue };
        let metric = sheet.metric(metric, || {
            let made = Metric::new(metric, unit, quantity);
            if metric == "time" { made } else { made.never_exact() }
        });
        let row = Measurement { benchmark, metric, line, process: Some(0), ..ROW };
        take(sheet, row, data, divisor);
    }
}

/// Takes the samples or, without them, their mean and deviation. What was not measured has neither.
fn take(sheet: &mut Sheet, row: Measurement<'_>, data: &Value<'_>, divisor: f64) {
    let samples = data.elements("samples");
    // Their order is not documented.
    for place in scattered::places(samples.len()) {
        push_value(sheet, row, &samples[place], divisor);
    }
    let known =
        |field: &str| data.get("statistics")?.get(field).filter(|value| !matches!(value, Value::Null));
    if let (Some(mean), true) = (known("average"), samples.is_empty()) {
        let mut number = |field: &str| known(field).and_then(|value| number_of(sheet, value, row.line));
        let (count, deviation) = (number("sample_size"), number("std_dev").map(|wide| wide / divisor));
        push_value(
            sheet,
            Measurement { aggregate: Some(Aggregate { count, deviation }), ..row },
            mean,
            divisor,
        );
    }
}
