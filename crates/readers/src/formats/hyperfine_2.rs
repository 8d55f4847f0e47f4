//! hyperfine's JSON from version 2 on: `results[].measurements[]`, an object for each run.

use super::hyperfine::{EXIT_CODE, exit_code};
use super::outcomes::{FAILED, push_failed};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "hyperfine-2",
    sign: "an object with `schema_version` and with `results` that hold `command` and `measurements`",
    harness: "hyperfine",
    export: "hyperfine --export-json FILE",
    processes: Processes::OneAValue,
    keys: &[&[
        EXIT_CODE,
        Key::date("start of the runs"),
        Key::environment("kernel", "operating system"),
        Key::environment("arch", "architecture of the machine"),
    ]],
    metrics: &[
        Meaning::of("time", "elapsed time of one run of the command"),
        Meaning::of("cpu", "processor time of a run"),
        Meaning::of("user", "processor time of a run in the program"),
        Meaning::of("system", "processor time of a run in the system for the program"),
        Meaning::of("memory", "largest resident memory of a run"),
        FAILED,
    ],
    parts: names::command,
    fits: |head| head.has_all(&["results[].command", "results[].measurements[].time_wall_clock"]),
    read: Read::Document(|sheet, document| {
        let metadata = document.value("metadata", sheet)?;
        let mut shared = stated(&metadata, &[("start_time", "date")]);
        let platform = metadata.get("platform").unwrap_or(&Value::Null);
        shared.extend(stated(platform, &[("os", "kernel"), ("architecture", "arch")]));
        document.each("results", sheet, |sheet, entry, line| result(sheet, entry, line, &shared))?;
        Ok(())
    }),
    files: &["*.json"],
    ..Format::PLAIN
};

fn result(sheet: &mut Sheet, entry: &Value<'_>, line: u32, shared: &Context) {
    let name = ["name", "command"].iter().find_map(|key| entry.get(key)?.text());
    let runs = entry.elements("measurements");
    let (Some(name), false) = (name, runs.is_empty()) else {
        return sheet.lacks(line, "a result", "command or runs");
    };
    let mut context = shared.clone();
    for (key, value) in entry.entries("parameters") {
        parameters::add(sheet, &mut context, key, plain(value.get("value").unwrap_or(value)));
    }
    for (key, value) in entry.entries("environment") {
        context.push((format!("env.{key}"), plain(value)));
    }
    let codes: Vec<String> =
        runs.iter().map(|run| run.get("exit_code").map_or_else(|| "0".to_owned(), exit_code)).collect();
    let steady = codes.iter().all(|code| *code == codes[0]);
    if steady && codes[0] != "0" {
        context.push(("exit_code".to_owned(), codes[0].clone()));
    }
    sheet.set_context(&context);
    let failed: Vec<bool> = codes.iter().map(|code| code != "0").collect();
    push_failed(sheet, Measurement { benchmark: name, line, ..ROW }, &failed);
    for (number, (run, code)) in (1..).zip(runs.iter().zip(&codes)) {
        let line = run.object().map_or(line, |run| run.line);
        if !steady && code != "0" {
            let what = format!("run {number} of `{}` ended with exit code {code}", excerpt(name));
            let hint = "other runs of it did not. Find out why it fails";
            sheet.malformed(line, what, hint);
            continue;
        }
        for (key, value) in run.iter().filter(|(key, _)| *key != "exit_code") {
            measured(sheet, name, key, value, line);
        }
    }
}

/// Reads a quantity of a run: `{"value": 0.1, "unit": "second"}`; counts have no unit.
fn measured(sheet: &mut Sheet, benchmark: &str, key: &str, value: &Value<'_>, line: u32) {
    let unit = value.text_of("unit").unwrap_or_default();
    let name = match key {
        "time_wall_clock" => "time",
        "memory_peak_resident" => "memory",
        "time_cpu" | "time_user" | "time_system" => &key["time_".len()..],
        other => other,
    };
    let made = match unit {
        "second" => Metric::new(name, "s", Quantity::Time),
        "byte" => Metric::new(name, "B", Quantity::Bytes),
        "" => Metric::new(name, "1", Quantity::Count),
        other => Metric::new(name, other, Quantity::Other),
    };
    let Some(value) = value.get("value") else {
        return sheet.lacks(line, benchmark, &format!("value of {key}"));
    };
    let metric = sheet.metric_of(Metric { primary: name == "time", ..made.never_exact() });
    push_value(sheet, Measurement { benchmark, metric, line, ..ROW }, value, 1.0);
}
