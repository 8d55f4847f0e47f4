//! Sandmark's pause times: one JSON object per line with the mean, the longest and the distribution of the
//! garbage collector's pauses. The distribution has two forms, which differ in unit.
//!
//! Up to 2021 it is an array of integers in nanoseconds, 12 in 2019 and 11 in 2021; which percentiles they are
//! is documented nowhere. Later it is an object by percentile, in **milliseconds**. The numbers show this unit:
//! they have at most six decimals, which are nanoseconds; programs that run for 14 s have a `max_latency` of
//! 2577, which cannot be seconds; and a maximum below 0.001 would be a pause of microseconds in a collector
//! whose arrays show tens of microseconds.

use super::prelude::*;
use super::sandmark_layout::{KEYS, Record, read_records};

pub static FORMAT: Format = Format {
    name: "sandmark-pausetimes",
    sign: "lines with `name`, `max_latency` and `distr_latency`",
    harness: "Sandmark",
    export: "pause times",
    files: &["*.pausetimes*.summary.bench"],
    processes: Processes::OneAValue,
    keys: &[KEYS],
    metrics: &[
        Meaning::of("max_latency", "longest pause"),
        Meaning::of("mean_latency", "mean pause"),
        Meaning::of("p99", "pause that one in a hundred exceeds"),
        Meaning::of("p99.9", "pause that one in a thousand exceeds"),
    ],
    fits: |head| head.record_has_all(&["max_latency", "distr_latency"]),
    read: Read::InPlace(|sheet, path, content| read_records(sheet, path, content, take)),
    ..Format::PLAIN
};

const NANOSECONDS: f64 = 1e9;
const MILLISECONDS: f64 = 1e3;

fn take(sheet: &mut Sheet, record: &Record<'_>) {
    sheet.set_context(record.context);
    let divisor = match record.fields.get("distr_latency") {
        Some(Value::List(values)) => {
            for (k, value) in values.iter().enumerate() {
                push(sheet, record, &format!("distr_latency[{k}]"), false, value, NANOSECONDS);
            }
            NANOSECONDS
        }
        Some(Value::Object(percentiles)) => {
            for (percentile, value) in percentiles.iter() {
                distribution(sheet, record, percentile, value);
            }
            MILLISECONDS
        }
        _ => {
            // Without the distribution the unit of the other two is unknown.
            return sheet.lacks(record.line, record.name, "distr_latency");
        }
    };
    if let Some(value) = record.fields.get("max_latency") {
        push(sheet, record, "max_latency", true, value, divisor);
    } else {
        sheet.lacks(record.line, record.name, "max_latency");
    }
    // In the new form the mean is truncated to whole milliseconds, so that most programs have 0: this is a
    // placeholder rather than a time, and no ratio can be formed with it.
    let says_nothing = |mean: &&Value| divisor == MILLISECONDS && mean.is_zero();
    match record.fields.get("mean_latency") {
        Some(mean) if says_nothing(&mean) => sheet.dropped(1),
        Some(mean) => push(sheet, record, "mean_latency", false, mean, divisor),
        None => {}
    }
}

fn distribution(sheet: &mut Sheet, record: &Record<'_>, percentile: &str, value: &Value<'_>) {
    match number(percentile) {
        Some(p) if (0.0..=100.0).contains(&p) => {
            push(sheet, record, &format!("p{p}"), p == 99.0 || p == 99.9, value, MILLISECONDS);
        }
        _ => {
            sheet.unreadable(record.line, percentile);
        }
    }
}

fn push(sheet: &mut Sheet, record: &Record<'_>, name: &str, primary: bool, value: &Value<'_>, divisor: f64) {
    let metric = sheet.metric(name, || Metric { primary, ..Metric::new(name, "s", Quantity::Time) });
    let row = Measurement { benchmark: record.name, metric, line: record.line, ..ROW };
    push_value(sheet, row, value, divisor);
}
