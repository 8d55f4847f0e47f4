//! The times of single operations that YCSB writes with `measurementtype=raw`.

use std::io;

use super::format::{Format, Meaning, Processes, Values};
use super::head::No;
use super::lines;
use super::load_metrics::{described, push};
use super::load_run::unreadable;
use super::repeats::Repeats;
use super::ycsb::{KEYS, PROPERTIES, arguments, configuration, parts};
use crate::Sheet;
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::number;

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "ycsb-raw",
    sign: "a line such as `READ latency raw data: op, timestamp(ms), latency(us)`",
    harness: "YCSB",
    export: "-p measurementtype=raw",
    values: Values::Samples,
    processes: Processes::OneAFile,
    keys: &[KEYS, PROPERTIES],
    metrics: &[
        Meaning::of("latency", "time of one operation"),
        Meaning::of("throughput", "operations per second"),
    ],
    fits: |head| No::unless(head.lines().any(is_header), "it has no such line"),
    read: |name, _, content, _| read_raw(name, content),
    ..Format::PLAIN
};

/// Whether a line stands above raw times.
pub(super) fn is_header(line: &[u8]) -> bool {
    line.ends_with(b" latency raw data: op, timestamp(ms), latency(us)")
}

/// Reads the time of each operation, and the throughput of the run where it is stated. The summaries of the same
/// operations are no further values.
fn read_raw(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut operations = Vec::new();
    let mut current = "";
    // Each run has every part once, and no order of them is sure.
    let mut parts_of_run = Repeats::default();
    let mut begin = |part, sheet: &mut Sheet, operations: &mut Vec<_>| {
        if parts_of_run.begins(part) {
            write(sheet, std::mem::take(operations));
            sheet.next_run();
            sheet.set_context(&[]);
        }
    };
    for (line, text) in lines::numbered(&bytes).collect::<Vec<_>>() {
        if let Some(arguments) = arguments(text) {
            // What follows is another run, also if the one before has other operations.
            begin("command line", &mut sheet, &mut operations);
            write(&mut sheet, std::mem::take(&mut operations));
            sheet.set_context(&configuration(arguments));
        } else if let Some(operation) = text.strip_suffix(" latency raw data: op, timestamp(ms), latency(us)")
        {
            current = operation;
            begin(operation, &mut sheet, &mut operations);
        } else if let Some(row) =
            text.strip_prefix(current).filter(|row| !current.is_empty() && row.starts_with(','))
        {
            match row[1..].split_once(',').map(|(at, time)| (number(at.as_bytes()), number(time.as_bytes())))
            {
                Some((Some(at), Some(time))) => operations.push((at, current, time / 1e6, line)),
                _ => unreadable(&mut sheet, text, line),
            }
        } else if let Some(("OVERALL", "RunTime(ms)", _)) = parts(text) {
            begin("OVERALL", &mut sheet, &mut operations);
        } else if let Some(("OVERALL", "Throughput(ops/sec)", value)) = parts(text) {
            let aggregate = Some(Aggregate::default());
            let row = Measurement { benchmark: "OVERALL", line, process: Some(0), ..Measurement::default() };
            let value = sheet.number(value.as_bytes(), line).unwrap_or(f64::NAN);
            push(&mut sheet, Measurement { aggregate, ..row }, "throughput", value);
        }
    }
    write(&mut sheet, operations);
    sheet.count(&content.budget)?;
    Ok(vec![sheet])
}

/// Adds the operations of a run in the order of their times.
fn write(sheet: &mut Sheet, mut operations: Vec<(f64, &str, f64, u32)>) {
    let metric = sheet.metric("latency", || described("latency"));
    operations.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, benchmark, value, line) in operations {
        let row = Measurement { benchmark, metric, value, line, ..Measurement::default() };
        sheet.push(Measurement { process: Some(0), ..row });
    }
}
