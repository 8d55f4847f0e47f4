//! BenchmarkTools.jl's JSON: `[versions, [["BenchmarkGroup", {"data": {…}}]]]`, whose leaves are trials. The results of
//! `PkgBenchmark.jl` hold it as a text; those of `AirspeedVelocity.jl` are groups and trials without their types.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "benchmarktools",
    sign: "a list of an object with `Julia` and `BenchmarkTools`, and a list of groups or trials; or an object with `benchmarkgroup`, \
           or with `data` and `tags` and with `times` and `gctimes` in an entry of `data`",
    harness: "BenchmarkTools.jl",
    export: "BenchmarkTools.save(FILE, results)",
    values: Values::Averages,
    keys: &[&[
        Key::setting("julia", "version of Julia"),
        Key::of_run("commit", Role::Commit, "commit of the package (PkgBenchmark.jl)"),
        Key::date("time of the run (PkgBenchmark.jl)"),
    ]],
    metrics: &[
        Meaning::of("time", "time of one evaluation, the mean over a sample"),
        Meaning::of("gctime", "time of the garbage collection in one evaluation"),
        Meaning::of("memory", "bytes that one evaluation allocates"),
        Meaning::of("allocs", "allocations of one evaluation"),
    ],
    fits: |head| {
        let no = head.has_all(&["[].BenchmarkTools"]);
        let is_other = head.has_all(&["benchmarkgroup"]).is_ok() || is_untyped(head);
        if no.is_err() && is_other { Ok(()) } else { no }
    },
    read: Read::Sheet(read),
    ..Format::JSON
};

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let limit = content.budget.limits.values;
    let whole = Span::new(&bytes, 1, limit);
    if !whole.bytes.trim_ascii_start().starts_with(b"{") {
        saved(sheet, whole, Context::new())?;
        return Ok(());
    }
    let Some(results) = Document::of(&bytes, content, sheet)? else { return Ok(()) };
    if results.get("benchmarkgroup").is_none() {
        let group = results.value("data", sheet)?;
        let mut entries = Entries::default();
        entries.add(sheet, &group, 1);
        entries.read(sheet, untyped);
        return Ok(());
    }
    let line = results.get("benchmarkgroup").map_or(1, |group| group.line);
    let group = results.value("benchmarkgroup", sheet)?;
    let Some(group) = group.text() else {
        sheet.lacks(line, "the file", "text `benchmarkgroup`");
        return Ok(());
    };
    let mut context = Context::new();
    for key in ["commit", "date"] {
        let value = results.value(key, sheet)?;
        let value = value.text().filter(|text| !text.is_empty() && *text != "dirty");
        context.extend(value.map(|value| (key.to_owned(), value.to_owned())));
    }
    // All of the text stands on one line of the file.
    let group = group.replace('\n', " ");
    saved(sheet, Span::new(group.as_bytes(), line, limit), context)
}

/// Reads what `BenchmarkTools.save` wrote. The configuration so far is that of the file around it.
fn saved(sheet: &mut Sheet, whole: Span<'_>, mut context: Context) -> io::Result<()> {
    let parts = whole.spans(sheet)?;
    let [versions, results] = parts[..] else {
        if sheet.problems.is_empty() {
            sheet.lacks(whole.line, "the file", "list of two elements");
        }
        return Ok(());
    };
    context.extend(stated(&versions.value(sheet)?, &[("Julia", "julia")]));
    sheet.set_context(&context);
    results.each(sheet, |sheet, result, line| {
        let mut entries = Entries::default();
        entries.open.push((0, None, result, line));
        entries.read(sheet, typed);
    })
}

/// What stands under a name in a group, with its fields.
enum Entry<'e, 'a> {
    /// A group, by its entries.
    Group(&'e Value<'a>),
    /// A trial, with its samples.
    Trial(&'e Value<'a>),
    /// An estimate of a trial, without samples.
    Estimate(&'e Value<'a>),
}

/// The entry of `["Type", {fields}]`; or else the line of what is none, where it states one.
fn typed<'e, 'a>(value: &'e Value<'a>) -> Result<Entry<'e, 'a>, Option<u32>> {
    let Some([kind, fields]) = value.list() else { return Err(None) };
    match kind.text().map(|kind| kind.rsplit('.').next().unwrap_or(kind)) {
        Some("BenchmarkGroup") => Ok(Entry::Group(fields.get("data").unwrap_or(&Value::Null))),
        Some("Trial") => Ok(Entry::Trial(fields)),
        Some("TrialEstimate") => Ok(Entry::Estimate(fields)),
        // Such as a judgement or a ratio.
        _ => Err(fields.object().map(|fields| fields.line)),
    }
}

/// The entry of `{fields}`, whose keys tell what it is.
fn untyped<'e, 'a>(value: &'e Value<'a>) -> Result<Entry<'e, 'a>, Option<u32>> {
    let trial = || value.get("times").map(|_| Entry::Trial(value));
    let estimate = || value.get("time").map(|_| Entry::Estimate(value));
    value.get("data").map(Entry::Group).or_else(trial).or_else(estimate).ok_or(None)
}

/// The entries that are still to be read, the next one last: the length of the path to its group, its name, its value and
/// the line of its group.
#[derive(Default)]
struct Entries<'e, 'a> {
    open: Vec<(usize, Option<&'e str>, &'e Value<'a>, u32)>,
    /// The names of the groups around the present entry, and its own.
    path: Vec<&'e str>,
}

impl<'e, 'a> Entries<'e, 'a> {
    /// Adds the entries of a group.
    fn add(&mut self, sheet: &mut Sheet, group: &'e Value<'a>, line: u32) {
        let (start, depth) = (self.open.len(), self.path.len());
        let Some(entries) = group.object() else {
            return sheet.lacks(line, name_of(&self.path), "entries");
        };
        self.open.extend(entries.iter().map(|(name, value)| (depth, Some(name), value, line)));
        self.open[start..].reverse();
    }

    /// Reads all trials and estimates in the order of the file.
    fn read(mut self, sheet: &mut Sheet, entry: fn(&'e Value<'a>) -> Result<Entry<'e, 'a>, Option<u32>>) {
        while let Some((depth, name, value, line)) = self.open.pop() {
            self.path.truncate(depth);
            self.path.extend(name);
            let line = value.object().map_or(line, |object| object.line);
            let line_of = |fields: &Value<'_>| fields.object().map_or(line, |fields| fields.line);
            match entry(value) {
                Ok(Entry::Group(entries)) => self.add(sheet, entries, line_of(entries)),
                Ok(Entry::Trial(fields)) => trial(sheet, fields, &self.path, line_of(fields)),
                Ok(Entry::Estimate(fields)) => {
                    estimate(sheet, fields, &name_of(&self.path), line_of(fields));
                }
                Err(own) => sheet.lacks(own.unwrap_or(line), name_of(&self.path), "trial or group"),
            }
        }
    }
}

/// Whether the file is `AirspeedVelocity`'s: there is a trial that is not deep in groups, such as that of the time to load.
fn is_untyped(head: &Head<'_>) -> bool {
    const TRIALS: [&str; 3] = ["data.*", "data.*.data.*", "data.*.data.*.data.*"];
    let Ok(root) = head.json() else { return false };
    let is_trial = |path: &&str| {
        root.at(&format!("{path}.times[]")).is_some() && root.at(&format!("{path}.gctimes")).is_some()
    };
    // Where there are many samples, `tags` comes too late.
    root.children().all(|(key, _)| matches!(key, "data" | "tags")) && TRIALS.iter().any(is_trial)
}

/// A trial that was saved by itself has no name.
fn name_of(path: &[&str]) -> String {
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

/// How long a new process needs to load the package: `AirspeedVelocity.jl` starts one for each value but the first.
const TIME_TO_LOAD: &str = "time_to_load";

fn trial(sheet: &mut Sheet, fields: &Value<'_>, path: &[&str], line: u32) {
    let benchmark = &*name_of(path);
    let row = Measurement { benchmark, line, process: Some(0), ..ROW };
    for (key, name) in [("times", "time"), ("gctimes", "gctime")] {
        let metric = metric(sheet, name);
        for (process, value) in (0..).zip(fields.elements(key)) {
            let process = Some(if path == [TIME_TO_LOAD] { process } else { 0 });
            push_value(sheet, Measurement { metric, process, ..row }, value, 1e9);
        }
    }
    for name in ["memory", "allocs"] {
        let metric = metric(sheet, name);
        if let Some(value) = fields.get(name) {
            push_value(sheet, Measurement { metric, ..row }, value, 1.0);
        }
    }
    if fields.list_of("times").is_none_or(<[_]>::is_empty) {
        sheet.lacks(line, benchmark, "times");
    }
}

fn estimate(sheet: &mut Sheet, fields: &Value<'_>, benchmark: &str, line: u32) {
    let aggregate = Some(Aggregate::default());
    for (name, divisor) in [("time", 1e9), ("gctime", 1e9), ("memory", 1.0), ("allocs", 1.0)] {
        let metric = metric(sheet, name);
        if let Some(value) = fields.get(name) {
            let row = Measurement { benchmark, metric, line, process: Some(0), aggregate, ..ROW };
            push_value(sheet, row, value, divisor);
        }
    }
}
