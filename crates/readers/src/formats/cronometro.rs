//! cronometro: the mean and the median of each test.

use super::prelude::*;
use super::records::{self, Field, Outcome, Records};

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
    read: Read::Sheet(|sheet, content| records::read_json(sheet, content, &[TESTS])),
    ..Format::JSON_SUMMARY
};

const TESTS: Records = Records {
    at: &["*"],
    name: |place| Some(place.key(0)?.to_owned()),
    outcome: |place| match place.find("success") {
        Some(Value::Bool(false)) => Outcome::Failed(String::new()),
        _ => Outcome::Passed,
    },
    fields: &[
        Field::of("mean", "mean", "ns").summary("stddev", "size"),
        Field::of("median", "percentiles.50", "ns").summary("", "size"),
    ],
    line: |place, _| place.line(),
    ..Records::PLAIN
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
