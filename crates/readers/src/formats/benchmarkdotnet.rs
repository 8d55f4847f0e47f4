//! The JSON of `BenchmarkDotNet`: the full one has every measurement, the brief one their results, or a mean with its deviation.

use super::json::push_scaled;
use super::prelude::*;

/// The key that all its files have.
pub(super) const JOB: Key = Key::setting("job", "job of the benchmark: runtime and options");

pub static FORMAT: Format = Format {
    name: "benchmarkdotnet",
    sign: "an object with `HostEnvironmentInfo` and with `Benchmarks` that hold `Method`",
    harness: "BenchmarkDotNet",
    export: "--exporters fulljson",
    values: Values::Averages,
    processes: Processes::Stated,
    keys: &[&[
        JOB,
        Key::setting("BenchmarkDotNetVersion", "version of BenchmarkDotNet"),
        Key::setting("RuntimeVersion", "version of the runtime that started the benchmarks"),
        Key::setting("Configuration", "build: RELEASE or DEBUG"),
        Key::environment("cpu", "model of the processor"),
        Key::environment("OsVersion", "operating system with its version"),
        Key::environment("arch", "architecture of the machine"),
    ]],
    metrics: &[
        Meaning::of(
            "time",
            "time of one operation, the mean over an iteration, without the overhead of the loop",
        ),
        Meaning::of("allocated", "bytes that one operation allocates"),
        Meaning::of("Gen0Collects", "collections of generation 0 in 1,000 operations"),
        Meaning::of("Gen1Collects", "collections of generation 1 in 1,000 operations"),
        Meaning::of("Gen2Collects", "collections of generation 2 in 1,000 operations"),
    ],
    parts: names::method,
    fits: |head| head.has_all(&["HostEnvironmentInfo", "Benchmarks"]),
    read: Read::Document(|sheet, document| {
        let host = stated(&document.value("HostEnvironmentInfo", sheet)?, &HOST);
        let mut processes = 0;
        document.each("Benchmarks", sheet, |sheet, entry, line| {
            processes += benchmark(sheet, entry, line, &host, processes);
        })?;
        Ok(())
    }),
    files: &["*.json"],
    ..Format::PLAIN
};

const HOST: [(&str, &str); 6] = [
    ("BenchmarkDotNetVersion", "BenchmarkDotNetVersion"),
    ("RuntimeVersion", "RuntimeVersion"),
    ("Configuration", "Configuration"),
    ("ProcessorName", "cpu"),
    ("OsVersion", "OsVersion"),
    ("Architecture", "arch"),
];

/// Reads a benchmark and returns the number of its processes.
fn benchmark(sheet: &mut Sheet, entry: &Value<'_>, line: u32, host: &Context, processes: u32) -> u32 {
    let text = |key: &str| entry.text_of(key).filter(|text| !text.is_empty());
    let Some(method) = sheet.need(text("Method"), line, "method") else { return 0 };
    let parts = [text("Namespace"), text("Type"), Some(method)];
    let mut name = parts.into_iter().flatten().collect::<Vec<_>>().join(".");
    let mut context = host.clone();
    if let Some(job) = text("DisplayInfo").and_then(|info| job(info, text("MethodTitle").unwrap_or_default()))
    {
        context.push(("job".to_owned(), job.to_owned()));
    }
    // Long values are shortened in their middle, and then look alike.
    let whole = text("Parameters").filter(|given| given.contains("(...)")).and_then(|_| {
        let arguments = text("FullName")?.strip_prefix(&*name)?.strip_prefix('(')?.strip_suffix(')')?;
        Some(arguments.to_owned())
    });
    if let Some(arguments) = &whole {
        parameters::add(sheet, &mut context, "parameters", arguments.clone());
    }
    if let Some(given) = text("Parameters").filter(|_| whole.is_none()) {
        add_parameters(sheet, &mut context, &mut name, given);
    }
    sheet.set_context(&context);
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let row = Measurement { benchmark: &name, metric, line, ..ROW };
    let measurements = entry.elements("Measurements");
    let launches = if measurements.is_empty() {
        summary(sheet, entry.get("Statistics").unwrap_or(&Value::Null), row);
        0
    } else {
        values(sheet, measurements, row, processes)
    };
    let allocated = entry.get("Memory").and_then(|memory| memory.get("BytesAllocatedPerOperation"));
    if let Some(bytes) = allocated.and_then(|bytes| number_of(sheet, bytes, line)) {
        let metric = sheet.metric("allocated", || Metric::new("allocated", "B", Quantity::Bytes).secondary());
        sheet.push(Measurement { metric, value: bytes, aggregate: Some(Aggregate::default()), ..row });
    }
    for found in entry.elements("Metrics") {
        diagnosed(sheet, found, row);
    }
    launches
}

/// Adds the parameters in `KEY=VALUE&KEY=VALUE` to a configuration.
pub(super) fn add_parameters(sheet: &mut Sheet, context: &mut Context, name: &mut String, given: &str) {
    match given.split('&').map(|one| one.split_once('=')).collect::<Option<Vec<_>>>() {
        Some(parameters) => {
            for (key, value) in parameters {
                parameters::add(sheet, context, key, value.to_owned());
            }
        }
        // Values with `&` cannot be told apart: the text stays in the name.
        None => *name = format!("{name}({given})"),
    }
}

/// Reads what a diagnoser counted or measured. What an operation allocates stands beside these, too.
fn diagnosed(sheet: &mut Sheet, found: &Value<'_>, row: Measurement<'_>) {
    let Some(descriptor) = found.get("Descriptor") else { return };
    let text = |key: &str| descriptor.text_of(key).unwrap_or_default();
    let (id, unit) = (text("Id"), text("Unit"));
    if id == "Allocated Memory" {
        return;
    }
    let needed = found.get("Value").filter(|_| !id.is_empty());
    let Some(value) = sheet.need_of(needed, row.line, row.benchmark, "`Id` or value of a metric") else {
        return;
    };
    let meaning = meaning(if unit == "Count" { "" } else { unit });
    let better = match descriptor.get("TheGreaterTheBetter") {
        Some(Value::Bool(true)) => Some(Better::Higher),
        Some(Value::Bool(false)) => Some(Better::Lower),
        _ => None,
    };
    let metric = sheet.metric(&format!("{id}\0{}", meaning.base), || {
        Metric { better, ..Metric::new(id, &meaning.base, meaning.quantity) }.secondary().never_exact()
    });
    push_scaled(
        sheet,
        Measurement { metric, aggregate: Some(Aggregate::default()), ..row },
        value,
        meaning.scale,
    );
}

/// The job in `Type.TITLE: JOB [parameters]`.
fn job<'t>(info: &'t str, title: &str) -> Option<&'t str> {
    let job = info.split_once(&format!("{title}: "))?.1;
    Some(job.split_once(" [").map_or(job, |(job, _)| job))
}

/// Reads the results: the iterations without overhead. Each launch is a process.
fn values(sheet: &mut Sheet, measurements: &[Value<'_>], row: Measurement<'_>, processes: u32) -> u32 {
    let is_result = |measurement: &&Value<'_>| {
        let text = |key: &str| measurement.text_of(key).unwrap_or_default();
        // Before 0.11 the stage was part of the mode.
        (text("IterationMode") == "Workload" && text("IterationStage") == "Result")
            || text("IterationMode") == "Result"
    };
    let mut launches: Vec<String> = Vec::new();
    for result in measurements.iter().filter(is_result) {
        let number = |sheet: &mut Sheet, key: &str| {
            result.get(key).and_then(|value| number_of(sheet, value, row.line))
        };
        let (Some(time), Some(count)) =
            (number(sheet, "Nanoseconds"), number(sheet, "Operations").filter(|&n| n > 0.0))
        else {
            sheet.no_number(row.line, "a result", row.benchmark, "");
            continue;
        };
        let launch = result.get("LaunchIndex").map(plain).unwrap_or_default();
        let place = launches.iter().position(|known| *known == launch).unwrap_or_else(|| {
            launches.push(launch);
            launches.len() - 1
        });
        sheet.push(Measurement { value: time / count / 1e9, process: Some(processes + place as u32), ..row });
    }
    if launches.is_empty() {
        sheet.failed(row.line, row.benchmark, "");
    }
    launches.len() as u32
}

/// Reads what the brief JSON has: since 0.13 the values of the iterations, otherwise their mean.
fn summary(sheet: &mut Sheet, statistics: &Value<'_>, row: Measurement<'_>) {
    let values = statistics.elements("OriginalValues");
    for value in values {
        push_value(sheet, row, value, 1e9);
    }
    if !values.is_empty() {
        return;
    }
    let mut number = |key: &str| statistics.get(key).and_then(|value| number_of(sheet, value, row.line));
    let (mean, count) = (number("Mean"), number("N"));
    let deviation = number("StandardDeviation").map(|deviation| deviation / 1e9);
    if let Some(mean) = mean {
        let aggregate = Some(Aggregate { count, deviation });
        return sheet.push(Measurement { value: mean / 1e9, aggregate, ..row });
    }
    sheet.failed(row.line, row.benchmark, "");
}
