//! Otava's JSON: a list of runs with their time, their metrics and their attributes.

use std::io;
use std::path::Path;

use super::format::{Format, Key, Processes, Role, Values};
use super::json::{Object, Span, Value, number_of, plain, push_scaled};
use super::{parameters, timestamps, tracked};
use crate::context::Context;
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "otava-json",
    sign: "a list of objects with `timestamp` and with `metrics` that hold `name` and `value`",
    harness: "Otava",
    export: "the file of a test of type json",
    files: &["*.json"],
    values: Values::Aggregates,
    processes: Processes::Stated,
    keys: KEYS,
    fits: |head| head.has_all(&["[].timestamp", "[].metrics[].name", "[].metrics[].value"]),
    read,
    ..Format::PLAIN
};

/// The benchmark: the name of a test is in Otava's configuration.
pub(super) const BENCHMARK: &str = "run";

/// What Otava knows of a run.
pub(super) const KEYS: &[&[Key]] = &[&[
    Key::of_run("date", Role::Date, "time of the run, in UTC"),
    Key::of_run("commit", Role::Commit, "commit of the program"),
    Key::new("branch", Role::Setting, "branch of the program"),
]];

const HINT: &str = "each run has a timestamp and a list of metrics with a name and a value";

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut process = 0;
    Span::new(&bytes, 1, content.budget.limits.values).each(&mut sheet, |sheet, run, line| {
        let context = configuration(sheet, run, line);
        sheet.set_context(&context);
        for metric in run.get("metrics").and_then(Value::list).unwrap_or(&[]) {
            push(sheet, metric, metric.object().map_or(line, |metric| metric.line), process);
        }
        process += 1;
    })?;
    Ok(vec![sheet])
}

/// The time of the run and its attributes. Attributes that Otava does not know are different work.
fn configuration(sheet: &mut Sheet, run: &Value<'_>, line: u32) -> Context {
    let time = run.get("timestamp").and_then(|time| number_of(sheet, time, line));
    let date = time.and_then(timestamps::moment).map(|date| ("date".to_owned(), date));
    let mut context: Context = date.into_iter().collect();
    for (name, value) in run.get("attributes").and_then(Value::object).into_iter().flat_map(Object::iter) {
        match name {
            "commit" | "branch" | "version" => context.push((name.to_owned(), plain(value))),
            _ => parameters::add(sheet, &mut context, name, plain(value)),
        }
    }
    context
}

/// Adds a metric. Its unit is in Otava's configuration, or in its name.
fn push(sheet: &mut Sheet, entry: &Value<'_>, line: u32, process: u32) {
    let (Some(name), Some(value)) = (entry.get("name").and_then(Value::text), entry.get("value")) else {
        return sheet.problem(Code::MalformedRecord, line, "a metric without a name or a value", HINT);
    };
    let (metric, scale) = tracked::named(name);
    let metric = sheet.metric(name, || metric);
    let row =
        Measurement { benchmark: BENCHMARK, metric, line, process: Some(process), ..Measurement::default() };
    push_scaled(sheet, Measurement { aggregate: Some(Aggregate::default()), ..row }, value, scale);
}
