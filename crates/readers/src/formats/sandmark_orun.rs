//! Sandmark's orun and orunchrt records: one JSON object per line, each one run of one program with its times,
//! its peak memory and the counters of the garbage collector. Units are part of the fields' names.

use super::prelude::*;
use super::sandmark_layout::{KEYS, LOG, Record, is_host_alone, read_records};

pub static FORMAT: Format = Format {
    name: "sandmark",
    sign: "lines with `name`, `time_secs` and `maxrss_kB`",
    harness: "Sandmark",
    export: "orun, orunchrt",
    files: &["*.orun.summary.bench"],
    processes: Processes::OneAValue,
    keys: &[KEYS, OCAML],
    metrics: &[
        Meaning::of("time_secs", "elapsed time of the program"),
        Meaning::of("user_time_secs", "processor time in the program"),
        Meaning::of("sys_time_secs", "processor time in the system for the program"),
        Meaning::of("maxrss", "largest resident memory"),
        Meaning::of("codesize", "size of the code"),
    ],
    companions: &[LOG],
    fits: |head| {
        if is_host_alone(head.bytes()) { Ok(()) } else { head.record_has_all(&["time_secs", "maxrss_kB"]) }
    },
    read: Read::InPlace(|sheet, path, content| read_records(sheet, path, content, take)),
    ..Format::PLAIN
};

/// What a record says of the compiler.
const OCAML: &[Key] = &[
    Key::setting("ocaml.version", "version of the compiler"),
    Key::setting("ocaml.c_compiler", "C compiler"),
    Key::setting("ocaml.architecture", "architecture for which the compiler was built"),
    Key::setting("ocaml.system", "system for which the compiler was built"),
];

fn take(sheet: &mut Sheet, record: &Record<'_>) {
    let mut context = record.context.clone();
    if let Some(ocaml) = record.fields.get("ocaml") {
        for key in ["version", "c_compiler", "architecture", "system"] {
            if let Some(value) = ocaml.get(key) {
                context.push((format!("ocaml.{key}"), plain(value)));
            }
        }
    }
    sheet.set_context(&context);
    if !record.fields.has("time_secs") {
        sheet.lacks(record.line, record.name, "time_secs");
    }
    for (field, value) in record.fields.iter() {
        if let Some((metric, divisor)) = describe(field) {
            push(sheet, record, metric, value, divisor);
        }
    }
    if let Some(gc) = record.fields.object_of("gc") {
        for (field, value) in gc.iter() {
            push(sheet, record, describe_gc(field), value, 1.0);
        }
    }
}

fn push(sheet: &mut Sheet, record: &Record<'_>, metric: Metric, value: &Value<'_>, divisor: f64) {
    let name = metric.name.clone();
    let metric = sheet.metric(&name, || metric);
    let row = Measurement { benchmark: record.name, metric, line: record.line, ..ROW };
    push_value(sheet, row, value, divisor);
}

/// The metric of a field, and the divisor of its values.
fn describe(field: &str) -> Option<(Metric, f64)> {
    let time = || Metric::new(field, "s", Quantity::Time);
    Some(match field {
        "time_secs" => (time(), 1.0),
        "user_time_secs" | "sys_time_secs" => (time().secondary(), 1.0),
        // The field comes from getrusage, which counts in units of 1024 bytes. The values here are bytes, so
        // the metric's name omits the field's unit.
        "maxrss_kB" => (Metric::new("maxrss", "B", Quantity::Bytes).never_exact(), 1.0 / 1024.0),
        "codesize" => (Metric::new("codesize", "B", Quantity::Bytes).secondary(), 1.0),
        _ => return None,
    })
}

fn describe_gc(field: &str) -> Metric {
    let ends = |ends: &[&str]| ends.iter().any(|end| field.ends_with(end));
    let (unit, quantity) = match () {
        () if ends(&["_words"]) => ("words", Quantity::Count),
        () if ends(&["collections", "chunks", "compactions"]) => ("1", Quantity::Count),
        () => ("", Quantity::Other),
    };
    Metric::new(&format!("gc.{field}"), unit, quantity).secondary()
}
