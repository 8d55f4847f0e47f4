//! LNT's reports, in versions 1, 2 and 5: the samples of each test of a run.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "lnt",
    sign: "an object with `machine`, `run` (or `format_version` and `commit`) and `tests`, or with `Machine`, `Run` \
           and `Tests`",
    harness: "LNT",
    export: "lnt runtest … --output FILE, or lnt importreport",
    files: &["*.json"],
    keys: &[&[
        Key::date("start of the run"),
        Key::new("revision", Role::Commit, "revision that orders the runs"),
        Key::environment("hostname", "name of the machine"),
        Key::environment("os", "operating system with its version"),
    ]],
    metrics: &[
        Meaning::of("execution_time", "time of one execution of the test"),
        Meaning::of("compile_time", "time to compile the test"),
        Meaning::of("score", "score of the test"),
        Meaning::of("mem_bytes", "memory of an execution"),
        Meaning::of("code_size", "size of the code"),
        Meaning::of("user_time", "processor time in the compiler (suite compile)"),
        Meaning::of("sys_time", "processor time in the system for the compiler (suite compile)"),
        Meaning::of("wall_time", "elapsed time of a compilation (suite compile)"),
        Meaning::of("size_bytes", "size of what was compiled (suite compile)"),
    ],
    fits: |head| {
        let newer = head.has_all(&["machine.name", "run", "tests[].name"]);
        let others: [&[&str]; 2] = [
            &["format_version", "machine.name", "commit.value", "tests[].name"],
            &["Machine", "Run", "Tests[].Data"],
        ];
        if newer.is_ok() || others.into_iter().any(|paths| head.has_all(paths).is_ok()) {
            return Ok(());
        }
        newer.map_err(|no| if matches!(no, No::NotJson) { no } else { No::Lacks("tests[].name") })
    },
    read: Read::Document(read),
    ..Format::PLAIN
};

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    if document.get("tests").is_some() {
        let context = context(document, sheet)?;
        sheet.set_context(&context);
        document.each("tests", sheet, test)?;
        return Ok(());
    }
    let (machine, run) = (document.value("Machine", sheet)?, document.value("Run", sheet)?);
    let info = |of: &Value<'_>, fields: &[(&str, &str)]| {
        of.get("Info").map(|info| stated(info, fields)).unwrap_or_default()
    };
    let mut context = stated(&machine, &[("Name", "hostname")]);
    context.extend(info(&machine, &[("os", "os")]));
    context.extend(stated(&run, &[("Start Time", "date")]));
    context.extend(info(&run, &[("run_order", "revision")]));
    let mut failed = HashSet::new();
    document.each("Tests", sheet, |sheet, test, line| note_failure(sheet, test, line, &mut failed))?;
    document.each("Tests", sheet, |sheet, test, line| old_test(sheet, test, line, &context, &failed))?;
    Ok(())
}

/// What a report of the newer versions says of its run. Version 5 has no `run`, and the same facts at other places.
fn context(document: &Document<'_>, sheet: &mut Sheet) -> io::Result<Context> {
    let machine = document.value("machine", sheet)?;
    let mut context = stated(&machine, &[("name", "hostname"), ("os", "os")]);
    if document.get("run").is_some() {
        let run = document.value("run", sheet)?;
        context.extend(stated(&run, &[("start_time", "date"), ("llvm_project_revision", "revision")]));
        return Ok(context);
    }
    let fields = machine.get("fields").map(|fields| stated(fields, &[("os", "os")]));
    context.extend(fields.unwrap_or_default());
    context.extend(stated(&document.value("commit", sheet)?, &[("value", "revision")]));
    context.extend(stated(&document.value("run_parameters", sheet)?, &[("start_time", "date")]));
    Ok(context)
}

/// The metrics of LNT's schemas `nts` and `compile`: the beginning and ending of the older names, the name, the unit.
const METRICS: [(&str, &str, &str, &str, Quantity); 10] = [
    ("nts.", ".exec", "execution_time", "s", Quantity::Time),
    ("nts.", ".compile", "compile_time", "s", Quantity::Time),
    ("nts.", ".score", "score", "", Quantity::Other),
    ("nts.", ".mem", "mem_bytes", "B", Quantity::Bytes),
    ("nts.", ".code_size", "code_size", "B", Quantity::Bytes),
    ("compile.", ".user", "user_time", "s", Quantity::Time),
    ("compile.", ".sys", "sys_time", "s", Quantity::Time),
    ("compile.", ".wall", "wall_time", "s", Quantity::Time),
    ("compile.", ".mem", "mem_bytes", "B", Quantity::Bytes),
    ("compile.", ".size", "size_bytes", "B", Quantity::Bytes),
];

/// The metric with this name. What the metrics of other schemas mean is known only to their server.
fn metric(sheet: &mut Sheet, name: &str) -> u32 {
    let known = METRICS.iter().find(|(_, _, known, ..)| *known == name);
    sheet.metric(name, || match known {
        Some((_, _, "score", ..)) => {
            Metric { better: Some(Better::Higher), ..Metric::new(name, "", Quantity::Other) }
        }
        Some((_, _, "code_size" | "size_bytes", unit, quantity)) => Metric::new(name, unit, *quantity),
        Some((.., unit, quantity)) => Metric::new(name, unit, *quantity).never_exact(),
        None => Metric::new(name, "", Quantity::Other),
    })
}

/// The keys of a status, and what each says of: the suite `nts` has one for each step, the suite `compile` one for each
/// metric.
const STATUSES: [(&str, &[&str]); 7] = [
    ("compile_status", &["compile_time", "code_size"]),
    ("user_status", &["user_time"]),
    ("sys_status", &["sys_time"]),
    ("wall_status", &["wall_time"]),
    ("size_status", &["size_bytes"]),
    ("mem_status", &["mem_bytes"]),
    // Of all other metrics, and of those above that are not compiled, if their own status is missing.
    ("execution_status", &[]),
];

/// Whether a status of a test says that a metric could not be measured.
fn is_of_failure(test: &Value<'_>, metric: &str) -> bool {
    let of = STATUSES.iter().find(|(_, metrics)| metrics.contains(&metric)).map(|(status, _)| *status);
    let is_of_compiler = of == Some("compile_status");
    let own = of.and_then(|status| test.get(status));
    let other = test.get("execution_status").filter(|_| !is_of_compiler);
    own.or(other).is_some_and(has_failed)
}

/// Whether a status, or one of a list with that of each sample, is another than success.
fn has_failed(status: &Value<'_>) -> bool {
    let single =
        |status: &Value<'_>| !status.is_zero() && status.text() != Some("PASS") && *status != Value::Null;
    status.list().map_or_else(|| single(status), |all| all.iter().any(single))
}

/// Reads a test of the newer versions: its metrics are a number or a list of samples each.
fn test(sheet: &mut Sheet, test: &Value<'_>, line: u32) {
    let Some(name) = sheet.need(test.text_of("name"), line, "name") else {
        return;
    };
    for (key, value) in test.iter() {
        if key.ends_with("_status") {
            if STATUSES.iter().any(|(status, _)| *status == key) && has_failed(value) {
                failure(sheet, name, key, line);
            }
            continue;
        }
        let is_result = !["name", "hash"].contains(&key);
        if is_result && (value.list().is_some() || value.text().is_none()) && !is_of_failure(test, key) {
            samples(sheet, name, key, value, line);
        }
    }
}

fn failure(sheet: &mut Sheet, name: &str, status: &str, line: u32) {
    sheet.failed(line, name, format!("{status} says so"));
}

fn samples(sheet: &mut Sheet, benchmark: &str, name: &str, value: &Value<'_>, line: u32) {
    let metric = metric(sheet, name);
    let row = Measurement { benchmark, metric, line, ..ROW };
    match value.list() {
        Some(samples) => samples.iter().for_each(|sample| push_value(sheet, row, sample, 1.0)),
        None => push_value(sheet, row, value, 1.0),
    }
}

/// The test and the metric of an older name: `nts.SingleSource/x.exec`. A name of another schema is the test's.
fn parts(name: &str) -> (&str, &str) {
    let own = METRICS
        .iter()
        .find_map(|(start, end, metric, ..)| Some((name.strip_prefix(start)?.strip_suffix(end)?, *metric)));
    own.unwrap_or((name, "value"))
}

/// Remembers a test whose status says that it failed: `nts.x.exec.status`.
fn note_failure(sheet: &mut Sheet, test: &Value<'_>, line: u32, failed: &mut HashSet<String>) {
    let name = test.text_of("Name").and_then(|name| name.strip_suffix(".status"));
    let data = test.elements("Data");
    if let Some(name) = name.filter(|_| data.iter().any(has_failed)) {
        failure(sheet, name, "status", line);
        failed.insert(name.to_owned());
    }
}

/// Reads a test of the older version: it has one metric.
fn old_test(sheet: &mut Sheet, test: &Value<'_>, line: u32, context: &Context, failed: &HashSet<String>) {
    let needed = test.text_of("Name").zip(test.get("Data"));
    let Some((name, data)) = sheet.need_of(needed, line, "a test", "name or data") else { return };
    let is_no_result = matches!(name.rsplit('.').next(), Some("status" | "hash"));
    if is_no_result || failed.contains(name) {
        return;
    }
    let mut context = context.clone();
    for (key, value) in test.entries("Info") {
        parameters::add(sheet, &mut context, key, plain(value));
    }
    sheet.set_context(&context);
    let (benchmark, name) = parts(name);
    samples(sheet, benchmark, name, data, line);
}
