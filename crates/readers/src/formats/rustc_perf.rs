//! rustc-perf's records of one compiler in JSON: what compiling each program took, with each profile.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "rustc-perf",
    sign: "an object with `benchmarks` whose entries hold `Ok` with `runs` that have `stats` and `state`, or a list of \
           such `Ok` without states",
    harness: "rustc-perf",
    export: "the files of the folder times of its public records",
    files: &["artifact-*.json", "*.json"],
    values: Values::Aggregates,
    keys: &[&[
        Key::date("date of the compiler's commit"),
        Key::of_run("commit", Role::Commit, "commit of the compiler"),
        Key::of_run("artifact", Role::Commit, "release of the compiler"),
        Key::work("profile", "check, debug or opt"),
        Key::work("state", "state of the incremental compilation, with the name of the patch"),
    ]],
    metrics: &[
        Meaning::of("wall-time", "elapsed time of a compilation"),
        Meaning::of("task-clock", "processor time of a compilation"),
        Meaning::of("instructions:u", "instructions in user mode"),
        Meaning::of("cycles:u", "cycles in user mode"),
        Meaning::of("max-rss", "peak memory"),
        Meaning::of("faults", "page faults"),
        Meaning::of("cpu-clock", "processor time by another clock of the kernel"),
    ],
    fits: |head| {
        let newer: &[&str] = &["benchmarks.*.Ok.runs[].stats", "benchmarks.*.Ok.runs[].state"];
        head.has_all_of(&[newer, &["benchmarks.*.Ok[].runs[].stats"]])
    },
    read: Read::Document(read),
    ..Format::PLAIN
};

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    let commit = document.value("commit", sheet)?;
    let mut compiler = stated(&commit, &[("date", "date"), ("sha", "commit")]);
    let id = document.value("id", sheet)?;
    compiler.extend(id.text().map(|id| ("artifact".to_owned(), id.to_owned())));
    let benchmarks = document.get("benchmarks").map(|span| span.document(sheet)).transpose()?.flatten();
    let Some(benchmarks) = benchmarks else {
        sheet.lacks(0, "the file", "object `benchmarks`");
        return Ok(());
    };
    for (benchmark, span) in benchmarks.entries() {
        let outcome = span.value(sheet)?;
        let found = outcome.get("Ok");
        if let Some(all) = found.and_then(Value::list) {
            for each in all {
                of_one_state(sheet, benchmark, each, span.line, &compiler);
            }
        } else if let Some(runs) = found.and_then(|of| of.get("runs")).and_then(Value::list) {
            for each in runs {
                run(sheet, benchmark, each, span.line, &compiler);
            }
        } else {
            let why = outcome.text_of("Err").unwrap_or("there is no list `runs`");
            sheet.failed(span.line, benchmark, why);
        }
    }
    Ok(())
}

/// Reads an entry of the first records, of 2017. It has no profile, and its name ends with the state, if there is more
/// than one: `regex-0.1.80@010-baseline`.
fn of_one_state(sheet: &mut Sheet, benchmark: &str, entry: &Value<'_>, line: u32, compiler: &Context) {
    let line = entry.object().map_or(line, |entry| entry.line);
    let Some(runs) = sheet.need(entry.list_of("runs"), line, "list of `runs`") else {
        return;
    };
    let name = entry.text_of("name").unwrap_or_default();
    let mut context = compiler.clone();
    context.extend(name.split_once('@').map(|(_, state)| ("state".to_owned(), state.to_owned())));
    for run in runs {
        sheet.set_context(&context);
        statistics(sheet, benchmark, run, run.object().map_or(line, |run| run.line));
    }
}

/// Reads the measurements of one profile in one state.
fn run(sheet: &mut Sheet, benchmark: &str, run: &Value<'_>, line: u32, compiler: &Context) {
    let line = run.object().map_or(line, |run| run.line);
    let needed = profile(run).zip(run.get("state").and_then(state));
    let Some((profile, state)) = sheet.need_of(needed, line, "a run", "`check`, `release` or `state`") else {
        return;
    };
    let mut context = compiler.clone();
    context.extend([("profile".to_owned(), profile.to_owned()), ("state".to_owned(), state)]);
    sheet.set_context(&context);
    statistics(sheet, benchmark, run, line);
}

/// Reads the statistics of a run, whose configuration is set.
fn statistics(sheet: &mut Sheet, benchmark: &str, run: &Value<'_>, line: u32) {
    // Later versions write the values alone, within another object.
    let bare = run.get("stats").and_then(|stats| stats.get("stats")).and_then(Value::list);
    let named = run.list_of("stats");
    if bare.or(named).is_none() {
        return sheet.lacks(line, "a run", "list of `stats`");
    }
    if bare.is_some_and(|values| values.len() > NAMES.len()) {
        return sheet.wrong_width(line, bare.map_or(0, <[_]>::len), NAMES.len());
    }
    for (name, value) in NAMES.iter().zip(bare.unwrap_or(&[])).filter(|(_, value)| **value != Value::Null) {
        push(sheet, benchmark, name, value, line);
    }
    for stat in named.unwrap_or(&[]) {
        match (stat.text_of("name"), stat.get("cnt")) {
            (Some(name), Some(value)) => push(sheet, benchmark, name, value, line),
            _ => sheet.lacks(line, "a statistic", "`name` or `cnt`"),
        }
    }
}

/// The names of values that stand alone, in the order of the file.
const NAMES: [&str; 10] = words!(
    "cpu-clock:u cycles:u faults faults:u instructions:u max-rss task-clock task-clock:u wall-time cpu-clock"
);

fn profile(run: &Value<'_>) -> Option<&'static str> {
    let is = |name| match run.get(name) {
        Some(Value::Bool(is)) => Some(*is),
        _ => None,
    };
    // The first versions had no profile `check`.
    match (is("check").unwrap_or(false), is("release")?) {
        (true, _) => Some("check"),
        (false, true) => Some("opt"),
        (false, false) => Some("debug"),
    }
}

/// The state's name, and the patch's after a blank.
fn state(value: &Value<'_>) -> Option<String> {
    if let Some(name) = value.text() {
        return Some(name.to_owned());
    }
    let (name, patch) = value.object()?.iter().next()?;
    let patch = patch.text_of("name")?;
    Some(format!("{name} {patch}"))
}

fn push(sheet: &mut Sheet, benchmark: &str, name: &str, value: &Value<'_>, line: u32) {
    let (unit, quantity, divisor) = match name.trim_end_matches(":u") {
        "wall-time" => ("s", Quantity::Time, 1.0),
        // The unit in which perf prints clocks.
        "task-clock" | "cpu-clock" => ("s", Quantity::Time, 1e3),
        "max-rss" => ("B", Quantity::Bytes, 1.0 / 1024.0),
        "instructions" | "cycles" | "faults" => ("", Quantity::Count, 1.0),
        _ => ("", Quantity::Other, 1.0),
    };
    let metric = sheet.metric(name, || {
        let metric = Metric::new(name, unit, quantity).never_exact();
        let is_primary = ["wall-time", "task-clock", "instructions:u", "cycles:u", "max-rss"].contains(&name);
        if is_primary { metric } else { metric.secondary() }
    });
    let row = Measurement { benchmark, metric, line, aggregate: Some(Aggregate::default()), ..ROW };
    push_value(sheet, row, value, divisor);
}
