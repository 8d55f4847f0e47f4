//! cyclictest: the latencies of its threads.

use std::io;
use std::path::Path;

use super::cyclictest_options as options;
use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::No;
use super::json::{Document, Value, number_of, plain, push_value};
use crate::metric::{Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::{Code, Options, Sheet};

/// The file of `--json`.
pub static JSON: Format = Format {
    name: "cyclictest",
    sign: "an object with `num_threads`, `resolution_in_ns` and `thread`, of a command with `cyclictest`",
    harness: "cyclictest",
    export: "cyclictest --json=FILE",
    files: &["*.json"],
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    keys: &[
        &[
            Key::of_run("date", Role::Date, "start of the run"),
            Key::new("version", Role::Setting, "version of the harness"),
            Key::new("kernel", Role::Environment, "version of the kernel"),
            Key::new("machine", Role::Environment, "name of the machine"),
        ],
        options::KEYS,
    ],
    metrics: &[
        Meaning::of("latency-mean", "mean time from the planned to the actual wake-up"),
        Meaning::of("latency-max", "longest such time"),
        Meaning::of("latency-min", "shortest such time"),
    ],
    fits: |head| {
        head.has_all(&["num_threads", "resolution_in_ns", "thread", "sysinfo"])?;
        let says = memchr::memmem::find(head.bytes(), b"cyclictest").is_some();
        No::unless(says, "its command is not cyclictest")
    },
    read,
    ..Format::PLAIN
};

/// What cyclictest prints.
pub static TEXT: Format = Format {
    name: "cyclictest-text",
    sign: "lines such as `T: 0 ( 1234) P:80 I:1000 C:  1000 Min:  5 Act:  8 Avg:  9 Max:  41`, or `# Min Latencies: 00005`",
    harness: "cyclictest",
    values: Values::Refused {
        why: "what cyclictest prints, without its unit: microseconds, or nanoseconds with -N",
        export: "cyclictest -q --json=FILE",
    },
    fits: |head| {
        let marks = [" P:", " I:", " C:", " Min:", " Act:", " Avg:", " Max:"];
        let is_thread = |line: &str| line.starts_with("T:") && marks.iter().all(|mark| line.contains(mark));
        let is_sign = |line: &str| is_thread(line) || line.starts_with("# Min Latencies: ");
        let any = head.lines().any(|line| std::str::from_utf8(line).is_ok_and(is_sign));
        No::unless(any, "it has no such line")
    },
    ..Format::PLAIN
};

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let Some(document) = Document::of(&bytes, content, &mut sheet)? else { return Ok(vec![sheet]) };
    let system = document.value("sysinfo", &mut sheet)?;
    let mut keys = Vec::new();
    for (key, field) in
        [("date", "start_time"), ("version", "rt_test_version:"), ("version", "rt_test_version")]
    {
        let stated = document.value(field, &mut sheet)?;
        keys.extend(stated.text().map(|text| (key.to_owned(), text.to_owned())));
    }
    for (key, field) in [("kernel", "release"), ("machine", "nodename")] {
        let stated = system.get(field).and_then(Value::text);
        keys.extend(stated.map(|text| (key.to_owned(), text.to_owned())));
    }
    let threads = document.value("num_threads", &mut sheet)?;
    keys.extend(threads.is_simple().then(|| ("threads".to_owned(), plain(&threads))));
    for field in ["cmdline:", "cmdline"] {
        let command = document.value(field, &mut sheet)?;
        keys.extend(command.text().map(options::stated).into_iter().flatten());
    }
    sheet.set_context(&keys);
    let resolution = document.value("resolution_in_ns", &mut sheet)?;
    let divisor = match number_of(&mut sheet, &resolution, 1) {
        Some(0.0) => 1e6,
        Some(1.0) => 1e9,
        _ => {
            let what = "`resolution_in_ns` is neither 0 nor 1, so that the unit is unknown";
            sheet.problem(Code::MalformedRecord, 1, what, "repeat the run");
            return Ok(vec![sheet]);
        }
    };
    let threads = document.value("thread", &mut sheet)?;
    for (number, thread) in threads.object().into_iter().flat_map(super::json::Object::iter) {
        one(&mut sheet, number, thread, divisor);
    }
    Ok(vec![sheet])
}

/// Adds the latencies of a thread.
fn one(sheet: &mut Sheet, number: &str, thread: &Value<'_>, divisor: f64) {
    let Some(object) = thread.object() else { return };
    let cycles = thread.get("cycles").and_then(|cycles| number_of(sheet, cycles, object.line_of("cycles")));
    if cycles == Some(0.0) {
        return sheet.dropped(1);
    }
    let benchmark = &*format!("thread {number}");
    for (field, name) in [("avg", "latency-mean"), ("max", "latency-max"), ("min", "latency-min")] {
        let line = object.line_of(field);
        let metric = sheet.metric(name, || {
            let made = Metric::new(name, "s", Quantity::Time);
            if name == "latency-min" { made.secondary() } else { made }
        });
        let aggregate = Some(Aggregate { count: cycles, deviation: None });
        let process = Some(0);
        let row = Measurement { benchmark, metric, line, process, aggregate, ..Measurement::default() };
        push_value(sheet, row, thread.get(field).unwrap_or(&Value::Null), divisor);
    }
}
