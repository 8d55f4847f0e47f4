//! tinybench's tasks as JSON, and vitest's benchmarks, which tinybench measures. Times are milliseconds. tinybench
//! sorts its samples.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::ops::Range;
use std::path::Path;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::{Fit, Head, No};
use super::json::{Document, Span, Value, number_of, stated};
use super::{scattered, tinybench_vitest};
use crate::metric::{Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::excerpt;
use crate::{Code, Options, Sheet};

/// The tasks of a program that writes them itself.
pub static TASKS: Format = Format {
    name: "tinybench",
    sign: "a list of objects with `name` and with `result` that holds `latency`, or with `name` and with `latency` that holds `df`",
    harness: "tinybench",
    export: "JSON.stringify(bench.tasks.map(t => ({name: t.name, result: t.result}))) with retainSamples: true",
    files: &["*.json"],
    values: Values::Samples,
    processes: Processes::OneAFile,
    keys: &[&[
        Key::new("runtime", Role::Setting, "runtime of the benchmarks: node, bun or deno"),
        Key::new("runtime_version", Role::Setting, "version of the runtime"),
    ]],
    metrics: METRICS,
    fits: |head| {
        head.has_all(&["[].name"])?;
        // What `map(t => ({name: t.name, ...t.result}))` writes.
        if [SPREAD, OLD_SPREAD].iter().any(|paths| head.has_all(paths).is_ok()) {
            return Ok(());
        }
        head.has_all(&["[].result"])?;
        any(head, &["[].result.latency", "[].result.samples", "[].result.state"])
    },
    read: read_tasks,
    ..Format::PLAIN
};

/// What a list of results has. All of it precedes the samples, which can be many.
const SPREAD: &[&str] = &["[].latency.critical", "[].latency.df"];
/// The same before version 3.
const OLD_SPREAD: &[&str] = &["[].totalTime", "[].hz", "[].period", "[].samples"];

/// Whether the file has the results of tinybench without the names of their tasks: `bench.results`, or the rows of
/// `bench.table()`, whose numbers are texts.
pub(super) fn is_without_tasks(head: &Head<'_>) -> Fit {
    let is_table = || {
        head.has_all(&["[].Task name", "[].Samples"])
            .or_else(|_| head.has_all(&["[].Task Name", "[].Samples"]))
    };
    head.has_none(&["[].name"]).and_then(|()| head.has_all(SPREAD)).or_else(|_| is_table())
}

/// The report of vitest.
pub static VITEST: Format = Format {
    name: "vitest",
    sign: "an object with `files` that hold `groups` of `benchmarks`, or with `testResults` that hold `tasks` of `benchmarks`",
    harness: "vitest",
    export: "vitest bench --run --reporter=json --outputFile=FILE with benchmark.retainSamples; before version 5 vitest bench \
             --outputJson FILE with benchmark.includeSamples",
    files: &["*.json"],
    values: Values::Samples,
    processes: Processes::OneAFile,
    keys: &[&[
        Key::of_work(PROJECT, Role::Setting, "number of the project, where several run a file"),
        tinybench_vitest::KEY,
    ]],
    metrics: METRICS,
    fits: |head| {
        let is_report = head.json()?.child("testResults").is_some();
        head.has_all(&[if is_report { tinybench_vitest::TASKS } else { "files[].groups[].benchmarks" }])
    },
    read: read_vitest,
    ..Format::PLAIN
};

const PROJECT: &str = "project";

const METRICS: &[Meaning] =
    &[Meaning::of("time", "time of one call; without samples, the mean over the calls")];

fn any(head: &Head<'_>, paths: &[&'static str]) -> Fit {
    let found = head.json()?;
    let has = paths.iter().any(|path| found.at(path).is_some());
    if has { Ok(()) } else { Err(No::Lacks(paths[0])) }
}

fn read_tasks(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    Span::new(&bytes, 1, content.budget.limits.values).each(&mut sheet, |sheet, task, line| {
        let Some(name) = task.get("name").and_then(Value::text) else {
            return sheet.problem(Code::MalformedRecord, line, "a task without a name", TASKS.export);
        };
        let result = task.get("result").unwrap_or(task);
        sheet.set_context(&stated(result, &[("runtime", "runtime"), ("runtimeVersion", "runtime_version")]));
        // Before version 3 the samples were in the result itself.
        benchmark(sheet, name, result.get("latency").unwrap_or(result), line);
    })?;
    Ok(vec![sheet])
}

fn read_vitest(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let Some(document) = Document::of(&bytes, content, &mut sheet)? else { return Ok(vec![sheet]) };
    if document.get("testResults").is_some() {
        tinybench_vitest::read(&document, &mut sheet)?;
        return Ok(vec![sheet]);
    }
    let mut files = Vec::new();
    document.each("files", &mut sheet, |sheet, file, line| {
        let (start, path) = (sheet.len(), file.get("filepath").and_then(Value::text).unwrap_or_default());
        let mut id = None;
        for group in file.get("groups").and_then(Value::list).unwrap_or(&[]) {
            let path = group.get("fullName").and_then(Value::text).unwrap_or_default();
            for entry in group.get("benchmarks").and_then(Value::list).unwrap_or(&[]) {
                let line = entry.object().map_or(line, |entry| entry.line_of("name"));
                id = id.or_else(|| Some(file_id(entry.get("id")?.text()?).to_owned()));
                let Some(name) = entry.get("name").and_then(Value::text) else {
                    sheet.problem(Code::MalformedRecord, line, "a benchmark without a name", VITEST.export);
                    continue;
                };
                let name = if path.is_empty() { name.to_owned() } else { format!("{path} > {name}") };
                benchmark(sheet, &name, entry, line);
            }
        }
        // A file without an id is no other entry's.
        let id = id.unwrap_or_else(|| format!("#{:09}", files.len()));
        files.push(Entry { path: path.to_owned(), id, rows: start..sheet.len() });
    })?;
    name_projects(&mut sheet, &files);
    Ok(vec![sheet])
}

/// An entry of `files`: what a project measured in a file.
struct Entry {
    path: String,
    /// What the ids of its benchmarks begin with.
    id: String,
    rows: Range<usize>,
}

/// What the id of a benchmark has of its file: vitest adds the places of the group and of the benchmark to a hash of the
/// path and of the name of the project.
fn file_id(id: &str) -> &str {
    id.find('_').map_or(id, |end| &id[..end])
}

/// Numbers the projects of each file that several ran. The report does not name them; their ids are the same in each report
/// of a program, but not their order.
fn name_projects(sheet: &mut Sheet, files: &[Entry]) {
    let mut projects: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for entry in files.iter().filter(|entry| !entry.path.is_empty()) {
        projects.entry(&entry.path).or_default().insert(&entry.id);
    }
    // The place of each id, found once for all entries of a file.
    let places: HashMap<(&str, &str), usize> = projects
        .iter()
        .filter(|(_, ids)| ids.len() > 1)
        .flat_map(|(path, ids)| (1..).zip(ids).map(|(place, id)| ((*path, *id), place)))
        .collect();
    for entry in files {
        let Some(place) = places.get(&(entry.path.as_str(), entry.id.as_str())) else { continue };
        let context = sheet.contexts.intern(&[(PROJECT.to_owned(), place.to_string())]);
        sheet.context[entry.rows.clone()].fill(context);
    }
}

/// Reads the samples or, without them, the mean with its deviation.
pub(super) fn benchmark(sheet: &mut Sheet, name: &str, result: &Value<'_>, line: u32) {
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let row = Measurement { benchmark: name, metric, line, process: Some(0), ..Measurement::default() };
    let samples = result.get("samples").and_then(Value::list).unwrap_or(&[]);
    for place in scattered::places(samples.len()) {
        super::json::push_value(sheet, row, &samples[place], 1e3);
    }
    if !samples.is_empty() {
        return;
    }
    let mut number = |key: &str| result.get(key).and_then(|value| number_of(sheet, value, line));
    let Some(mean) = number("mean") else {
        let what = format!("{} has no result", excerpt(name.as_bytes()));
        return sheet.problem(Code::MalformedRecord, line, what, "did the benchmark fail?");
    };
    // The degrees of freedom are one less than the samples.
    let count =
        number("sampleCount").or_else(|| number("samplesCount")).or_else(|| number("df").map(|df| df + 1.0));
    let deviation = number("sd").map(|deviation| deviation / 1e3);
    sheet.push(Measurement { value: mean / 1e3, aggregate: Some(Aggregate { count, deviation }), ..row });
}
