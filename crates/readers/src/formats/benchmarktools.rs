//! BenchmarkTools.jl's JSON: `[versions, [["BenchmarkGroup", {"data": {…}}]]]`, whose leaves are trials. The results of
//! `PkgBenchmark.jl` hold it as a text.

use std::io;
use std::path::Path;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::json::{Document, Object, Span, Value, push_value, stated};
use crate::context::Context;
use crate::metric::{Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::excerpt;
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "benchmarktools",
    sign: "a list of an object with `Julia` and `BenchmarkTools`, and a list of groups or trials; or an object with `benchmarkgroup`",
    harness: "BenchmarkTools.jl",
    export: "BenchmarkTools.save(FILE, results)",
    files: &["*.json"],
    values: Values::Averages,
    processes: Processes::OneAFile,
    keys: &[&[
        Key::new("julia", Role::Setting, "version of Julia"),
        Key::of_run("commit", Role::Commit, "commit of the package (PkgBenchmark.jl)"),
        Key::of_run("date", Role::Date, "time of the run (PkgBenchmark.jl)"),
    ]],
    metrics: &[
        Meaning::of("time", "time of one evaluation, the mean over a sample"),
        Meaning::of("gctime", "time of the garbage collection in one evaluation"),
        Meaning::of("memory", "bytes that one evaluation allocates"),
        Meaning::of("allocs", "allocations of one evaluation"),
    ],
    fits: |head| {
        let no = head.has_all(&["[].BenchmarkTools"]);
        if no.is_err() && head.has_all(&["benchmarkgroup"]).is_ok() { Ok(()) } else { no }
    },
    read,
    ..Format::PLAIN
};

const HINT: &str = "is it the file that BenchmarkTools.save wrote?";
const PKG_HINT: &str = "is it the file that PkgBenchmark.writeresults wrote?";

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let limit = content.budget.limits.values;
    let whole = Span::new(&bytes, 1, limit);
    if !whole.bytes.trim_ascii_start().starts_with(b"{") {
        saved(&mut sheet, whole, Context::new())?;
        return Ok(vec![sheet]);
    }
    let Some(results) = Document::of(&bytes, content, &mut sheet)? else { return Ok(vec![sheet]) };
    let line = results.get("benchmarkgroup").map_or(1, |group| group.line);
    let group = results.value("benchmarkgroup", &mut sheet)?;
    let Some(group) = group.text() else {
        sheet.problem(Code::MalformedRecord, line, "`benchmarkgroup` is not a text", PKG_HINT);
        return Ok(vec![sheet]);
    };
    let mut context = Context::new();
    for key in ["commit", "date"] {
        let value = results.value(key, &mut sheet)?;
        let value = value.text().filter(|text| !text.is_empty() && *text != "dirty");
        context.extend(value.map(|value| (key.to_owned(), value.to_owned())));
    }
    // All of the text stands on one line of the file.
    let group = group.replace('\n', " ");
    saved(&mut sheet, Span::new(group.as_bytes(), line, limit), context)?;
    Ok(vec![sheet])
}

/// Reads what `BenchmarkTools.save` wrote. The configuration so far is that of the file around it.
fn saved(sheet: &mut Sheet, whole: Span<'_>, mut context: Context) -> io::Result<()> {
    let parts = whole.spans(sheet)?;
    let [versions, results] = parts[..] else {
        if sheet.problems.is_empty() {
            sheet.problem(Code::MalformedRecord, whole.line, "the list does not have two elements", HINT);
        }
        return Ok(());
    };
    context.extend(stated(&versions.value(sheet)?, &[("Julia", "julia")]));
    sheet.set_context(&context);
    results.each(sheet, |sheet, result, line| read_tagged(sheet, result, &mut Vec::new(), line))
}

/// Reads `["Type", {fields}]`: a group, whose entries are read in turn, a trial, or the estimate of a trial.
fn read_tagged(sheet: &mut Sheet, value: &Value<'_>, path: &mut Vec<String>, line: u32) {
    let Some([kind, fields]) = value.list() else {
        return sheet.problem(
            Code::MalformedRecord,
            line,
            "an entry is not a pair of a type and its fields",
            HINT,
        );
    };
    let line = fields.object().map_or(line, |fields| fields.line);
    match kind.text().map(|kind| kind.rsplit('.').next().unwrap_or(kind)) {
        Some("BenchmarkGroup") => {
            for (key, value) in fields.get("data").and_then(Value::object).into_iter().flat_map(Object::iter)
            {
                path.push(key.to_owned());
                read_tagged(sheet, value, path, line);
                path.pop();
            }
        }
        Some("Trial") => trial(sheet, fields, &name_of(path), line),
        Some("TrialEstimate") => estimate(sheet, fields, &name_of(path), line),
        _ => {
            let what = format!("{} is not a result", excerpt(kind.to_string().as_bytes()));
            sheet.problem(
                Code::MalformedRecord,
                line,
                what,
                "save the results of run, not a judgement or a ratio",
            );
        }
    }
}

/// A trial that was saved by itself has no name.
fn name_of(path: &[String]) -> String {
    if path.is_empty() { "benchmark".to_owned() } else { path.join("/") }
}

fn metric(sheet: &mut Sheet, name: &str) -> u32 {
    sheet.metric(name, || match name {
        "memory" => Metric::new(name, "B", Quantity::Bytes).secondary(),
        "allocs" => Metric::new(name, "1", Quantity::Count).secondary(),
        "time" => Metric::new(name, "s", Quantity::Time),
        _ => Metric::new(name, "s", Quantity::Time).secondary(),
    })
}

fn trial(sheet: &mut Sheet, fields: &Value<'_>, benchmark: &str, line: u32) {
    let row = Measurement { benchmark, line, process: Some(0), ..Measurement::default() };
    for (key, name) in [("times", "time"), ("gctimes", "gctime")] {
        let metric = metric(sheet, name);
        for value in fields.get(key).and_then(Value::list).unwrap_or(&[]) {
            push_value(sheet, Measurement { metric, ..row }, value, 1e9);
        }
    }
    for name in ["memory", "allocs"] {
        let metric = metric(sheet, name);
        if let Some(value) = fields.get(name) {
            push_value(sheet, Measurement { metric, ..row }, value, 1.0);
        }
    }
    if fields.get("times").and_then(Value::list).is_none_or(<[_]>::is_empty) {
        let what = format!("{} has no times", excerpt(benchmark.as_bytes()));
        sheet.problem(Code::MalformedRecord, line, what, HINT);
    }
}

fn estimate(sheet: &mut Sheet, fields: &Value<'_>, benchmark: &str, line: u32) {
    let aggregate = Some(Aggregate::default());
    for (name, divisor) in [("time", 1e9), ("gctime", 1e9), ("memory", 1.0), ("allocs", 1.0)] {
        let metric = metric(sheet, name);
        if let Some(value) = fields.get(name) {
            let row = Measurement {
                benchmark,
                metric,
                line,
                process: Some(0),
                aggregate,
                ..Measurement::default()
            };
            push_value(sheet, row, value, divisor);
        }
    }
}
