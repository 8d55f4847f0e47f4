//! hyperfine's JSON export: `results[].times[]`, one value per run of the command.

use super::outcomes::{FAILED, push_failed};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "hyperfine",
    sign: "an object with `results` that hold `command` and `times`",
    harness: "hyperfine",
    export: "hyperfine --export-json FILE",
    processes: Processes::OneAValue,
    keys: &[&[
        EXIT_CODE,
        Key::setting("parameter", "value of the only parameter, as hyperfine wrote it before 1.9"),
    ]],
    metrics: &[
        Meaning::of("time", "elapsed time of one run of the command"),
        Meaning::of("memory", "largest resident memory of a run"),
        Meaning::of("user (mean)", "mean processor time in the program"),
        Meaning::of("system (mean)", "mean processor time in the system for the program"),
        FAILED,
    ],
    parts: names::command,
    fits: |head| {
        head.has_all(&["results[].command"])?;
        head.has_all_of(&[&["results[].times"], &["results[].mean"]])
    },
    read: Read::Documents(|sheet, document| {
        document.each("results", sheet, |sheet, entry, line| {
            result(sheet, entry, entry.object().map_or(line, |entry| entry.line_of("command")));
        })
    }),
    files: &["*.json"],
    ..Format::PLAIN
};

/// The code of a command that fails on purpose.
pub(super) const EXIT_CODE: Key = Key::of_run(
    "exit_code",
    Role::Outcome,
    "exit code with which the command always ends, where it is not 0",
);

fn result(sheet: &mut Sheet, entry: &Value<'_>, line: u32) {
    let Some(command) = sheet.need(entry.text_of("command"), line, "command") else {
        return;
    };
    let shown = excerpt(command);
    let Some(times) = entry.list_of("times") else {
        return sheet.malformed(
            line,
            format!("`{shown}` has no times of individual runs"),
            "a mean alone cannot be compared. Export again with hyperfine --export-json",
        );
    };
    // Before version 1.14 hyperfine wrote no exit codes; by default it stopped at a failure.
    let codes: Vec<String> = entry.elements("exit_codes").iter().map(exit_code).collect();
    if !codes.is_empty() && codes.len() != times.len() {
        let what = format!("`{shown}` has {} times but {} exit codes", times.len(), codes.len());
        return sheet.problem(Code::Contradiction, line, what, "hyperfine writes one of each per run");
    }
    let mut context = Context::new();
    add_parameters(sheet, &mut context, entry);
    // A command that always ends with the same code may do so on purpose; one that fails only sometimes did not
    // do the same work each time.
    let steady = codes.iter().all(|code| *code == codes[0]);
    if steady && codes.first().is_some_and(|code| code != "0") {
        context.push(("exit_code".to_owned(), codes[0].clone()));
    }
    sheet.set_context(&context);
    let time = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let memory = entry.elements("memory_usage_byte");
    let row = Measurement { benchmark: command, line, ..ROW };
    let mut all = true;
    let failed: Vec<bool> = codes.iter().map(|code| code != "0").collect();
    push_failed(sheet, Measurement { benchmark: command, line, ..ROW }, &failed);
    for (run, value) in times.iter().enumerate() {
        if let Some(code) = codes.get(run).filter(|code| !steady && *code != "0") {
            all = false;
            let what = format!("run {} of `{shown}` ended with exit code {code}", run + 1);
            sheet.malformed(line, what, "other runs of it did not. Find out why it fails");
            continue;
        }
        push_value(sheet, Measurement { metric: time, ..row }, value, 1.0);
        if let Some(value) = memory.get(run) {
            let make = || Metric::new("memory", "B", Quantity::Bytes).secondary().never_exact();
            let metric = sheet.metric("memory", make);
            push_value(sheet, Measurement { metric, ..row }, value, 1.0);
        }
    }
    // These are means over all runs, so they are meaningless once a run is left out.
    for (key, name) in [("user", "user (mean)"), ("system", "system (mean)")] {
        if let Some(value) = entry.get(key).filter(|value| all && **value != Value::Null) {
            let metric = sheet.metric(name, || Metric::new(name, "s", Quantity::Time).secondary());
            push_value(sheet, Measurement { metric, ..row }, value, 1.0);
        }
    }
}

/// A run that was ended by a signal has no exit code.
pub(super) fn exit_code(code: &Value<'_>) -> String {
    if *code == Value::Null { "signal".to_owned() } else { plain(code) }
}

/// Adds the `parameters` by name; versions before 1.9 wrote the value of the only parameter as `parameter`.
fn add_parameters(sheet: &mut Sheet, context: &mut Context, entry: &Value<'_>) {
    match (entry.get("parameters"), entry.get("parameter")) {
        (Some(all), _) if all.object().is_some() => parameters::add_all(sheet, context, all),
        (None, Some(only)) if *only != Value::Null => context.push(("parameter".to_owned(), plain(only))),
        _ => {}
    }
}
