//! cronometro: the mean and the median of each test.

use super::prelude::*;

/// The results as JSON.
pub static JSON: Format = Format {
    name: "cronometro",
    sign: "an object of objects with `success`, `size`, `stddev`, `percentiles` and `standardError`",
    harness: "cronometro",
    export: "console.log(JSON.stringify(await cronometro(…, { print: false }))) in the main thread",
    metrics: &[
        Meaning::of("mean", "mean time of an iteration"),
        Meaning::of("median", "median time of an iteration"),
    ],
    fits: |head| {
        let fields = ["success", "size", "stddev", "percentiles", "standardError"];
        let has = head.json()?.children().any(|(_, test)| fields.iter().all(|key| test.child(key).is_some()));
        No::unless(has, "it has no such object")
    },
    read: Read::Document(|sheet, document| {
        for (benchmark, span) in document.entries() {
            let test = span.value(sheet)?;
            one(sheet, benchmark, &test);
        }
        Ok(())
    }),
    ..Format::JSON_SUMMARY
};

/// The table that cronometro prints.
pub static TEXT: Format = Format {
    name: "cronometro-text",
    sign: "a table with `Samples`, `Result` and `Tolerance`",
    harness: "cronometro",
    values: Values::refused("the table that cronometro prints", JSON.export),
    words: &["Tolerance"],
    fits: |head| {
        let is_header = |line: &str| {
            let cells: Vec<&str> = line.split(['║', '│']).map(str::trim).collect();
            line.starts_with('║') && cells.windows(3).any(|three| three == ["Samples", "Result", "Tolerance"])
        };
        head.has_line(is_header)
    },
    ..Format::PLAIN
};

/// Adds the summary of a test.
fn one(sheet: &mut Sheet, benchmark: &str, test: &Value<'_>) {
    let Some(object) = test.object() else { return };
    if matches!(test.get("success"), Some(Value::Bool(false))) {
        return sheet.failed(object.line, benchmark, "");
    }
    let line = object.line;
    let mut field = |value: Option<&Value<'_>>| number_of(sheet, value.unwrap_or(&Value::Null), line);
    let (count, deviation) = (field(test.get("size")), field(test.get("stddev")));
    let values = [
        ("mean", test.get("mean"), deviation.map(|deviation| deviation / 1e9)),
        ("median", test.get("percentiles").and_then(|levels| levels.get("50")), None),
    ];
    for (name, value, deviation) in values {
        let metric = sheet.metric(name, || Metric::new(name, "s", Quantity::Time));
        let aggregate = Some(Aggregate { count, deviation });
        let process = Some(0);
        let row = Measurement { benchmark, metric, line, process, aggregate, ..ROW };
        push_value(sheet, row, value.unwrap_or(&Value::Null), 1e9);
    }
}
