//! ghz's JSON and CSV: a record for each call.

use std::io;
use std::path::Path;

use super::csv_rows;
use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::No;
use super::json::{Document, Value, number_of};
use super::load_metrics::{push, push_request};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "ghz",
    sign: "an object with `endReason`, `latencyDistribution`, and `details` that hold `latency` and `status`",
    harness: "ghz",
    export: "ghz -O json -o FILE",
    files: &["*.json"],
    values: Values::Samples,
    processes: Processes::OneAFile,
    keys: &[&[
        Key::of_run("date", Role::Date, "start of the run"),
        Key::of_work("concurrency", Role::Setting, "calls at a time"),
        Key::of_work("connections", Role::Setting, "open connections"),
    ]],
    metrics: &[
        Meaning::of("latency", "time of a call that succeeded"),
        Meaning::of("latency-failed", "time of a call that failed"),
        Meaning::of("failed", "whether the call failed: 1 or 0"),
        Meaning::of("throughput", "calls a second"),
    ],
    fits: |head| head.has_all(&["endReason", "rps", "latencyDistribution", "statusCodeDistribution"]),
    read,
    ..Format::PLAIN
};

/// The CSV, with a row for each call.
pub static CSV: Format = Format {
    name: "ghz-csv",
    sign: "a header `duration (ms),status,error`",
    harness: "ghz",
    export: "ghz -O csv -o FILE",
    files: &["*.csv"],
    values: Values::Samples,
    processes: Processes::OneAFile,
    metrics: &[
        Meaning::of("latency", "time of a call that succeeded"),
        Meaning::of("latency-failed", "time of a call that failed"),
        Meaning::of("failed", "whether the call failed: 1 or 0"),
    ],
    fits: |head| {
        No::unless(head.first_line() == b"duration (ms),status,error", "its first line is not that header")
    },
    read: read_csv,
    ..Format::PLAIN
};

/// What ghz prints.
pub static TEXT: Format = Format {
    name: "ghz-text",
    sign: "a line `Summary:` and below it `Count:`, `Slowest:` with a unit such as `ms`, and `Requests/sec:`",
    harness: "ghz",
    values: Values::Refused { why: "what ghz prints, with rounded figures", export: "ghz -O json -o FILE" },
    fits: |head| {
        let has = |begin: &[u8]| head.lines().any(|line| line.trim_ascii_start().starts_with(begin));
        let all: [&[u8]; 5] = [b"Summary:", b"Count:", b"Total:", b"Slowest:", b"Requests/sec:"];
        No::unless(all.into_iter().all(has), "it has no such lines")
    },
    ..Format::PLAIN
};

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let Some(document) = Document::of(&bytes, content, &mut sheet)? else { return Ok(vec![sheet]) };
    let options = document.value("options", &mut sheet)?;
    let benchmark = options.get("call").and_then(Value::text).unwrap_or("calls").to_owned();
    let date = document.value("date", &mut sheet)?;
    let mut context = Vec::new();
    context.extend(date.text().map(|date| ("date".to_owned(), date.to_owned())));
    for key in ["concurrency", "connections"] {
        context.extend(options.get(key).map(|value| (key.to_owned(), super::json::plain(value))));
    }
    sheet.set_context(&context);
    let row = Measurement { benchmark: &benchmark, process: Some(0), ..Measurement::default() };
    let rate = document.value("rps", &mut sheet)?;
    if let Some(rate) = number_of(&mut sheet, &rate, 1) {
        let aggregate = Some(Aggregate { count: None, deviation: None });
        push(&mut sheet, Measurement { aggregate, line: 1, ..row }, "throughput", rate);
    }
    // Without --skipFirst and other options that leave calls out, every call has its details.
    document.each("details", &mut sheet, |sheet, call, line| {
        let status = call.get("status").and_then(Value::text);
        let latency = call.get("latency").and_then(|latency| number_of(sheet, latency, line));
        let (Some(status), Some(latency)) = (status, latency) else {
            let what = "a call without its latency or status";
            return sheet.problem(Code::MalformedRecord, line, what, "was the file edited?");
        };
        push_request(sheet, Measurement { line, ..row }, status == "OK", latency / 1e9);
    })?;
    Ok(vec![sheet])
}

fn read_csv(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    csv_rows::each(&content.all()?, 1, &mut sheet, |sheet, row| {
        let Some(value) = row.number(sheet, "duration (ms)") else { return };
        let measured =
            Measurement { benchmark: "calls", line: row.line, process: Some(0), ..Measurement::default() };
        push_request(sheet, measured, row.text("status").is_some_and(|status| status == "OK"), value / 1e3);
    })?;
    Ok(vec![sheet])
}
