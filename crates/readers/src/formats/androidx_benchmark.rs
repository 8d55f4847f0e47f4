//! The JSON of `AndroidX` Benchmark: `benchmarks[].metrics.NAME.runs[]`, a value for each run of a microbenchmark or each
//! iteration of a macrobenchmark, and `benchmarks[].sampledMetrics.NAME.runs[][]`, the samples of each iteration.

use super::json::push_scaled;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "androidx-benchmark",
    sign: "an object with `context` that holds `build` and `cpuLocked`, and with `benchmarks`",
    harness: "AndroidX Benchmark",
    export: "the file *-benchmarkData.json of connectedAndroidTest",
    values: Values::Averages,
    processes: Processes::Stated,
    keys: &[&[
        Key::environment("build.device", "code name of the device"),
        Key::environment("build.model", "model of the device"),
        Key::environment("build.fingerprint", "build of the system"),
        Key::environment("build.sdk", "level of the API of the system"),
        Key::environment("artMainlineVersion", "version of the runtime, -1 if unknown"),
        Key::environment("cpuCoreCount", "number of processors"),
        Key::environment("cpuLocked", "whether the clocks of the processors were locked"),
        Key::environment("cpuMaxFreqHz", "highest frequency of the processors"),
        Key::environment(
            "sustainedPerformanceModeEnabled",
            "whether the device limited its frequencies to what it can sustain",
        ),
        Key::setting("compilationMode", "how the package with the benchmarks was compiled"),
    ]],
    metrics: &[
        Meaning::of("timeNs", "time of one loop, the mean over a run (microbenchmark)"),
        Meaning::of("allocationCount", "allocations of one loop, the mean over a run (microbenchmark)"),
        Meaning::of("timeToInitialDisplayMs", "time from the start of an app to its first frame"),
        Meaning::of("timeToFullDisplayMs", "time from the start of an app until it reports to be drawn"),
        Meaning::of("frameDurationCpuMs", "time in which the processor produced a frame"),
        Meaning::of("frameOverrunMs", "time by which a frame missed its deadline, negative if it was early"),
        Meaning::of("frameCount", "frames of an iteration"),
    ],
    parts: names::method,
    fits: |head| head.has_all(&["context.build", "context.cpuLocked", "benchmarks"]),
    read: Read::Document(|sheet, document| {
        let shared = configuration(&document.value("context", sheet)?);
        let mut processes = 0;
        document.each("benchmarks", sheet, |sheet, entry, line| {
            processes += benchmark(sheet, entry, line, &shared, processes);
        })?;
        Ok(())
    }),
    files: &["*.json"],
    ..Format::PLAIN
};

/// The fields of `context.build` and of `context`, with their keys.
const BUILD: [(&str, &str); 3] =
    [("device", "build.device"), ("model", "build.model"), ("fingerprint", "build.fingerprint")];
const CONTEXT: [(&str, &str); 6] = [
    ("artMainlineVersion", "artMainlineVersion"),
    ("cpuCoreCount", "cpuCoreCount"),
    ("cpuLocked", "cpuLocked"),
    ("cpuMaxFreqHz", "cpuMaxFreqHz"),
    ("sustainedPerformanceModeEnabled", "sustainedPerformanceModeEnabled"),
    ("compilationMode", "compilationMode"),
];

/// What all benchmarks share: the device, and what the user adds to the file.
fn configuration(context: &Value<'_>) -> Context {
    let build = context.get("build").unwrap_or(&Value::Null);
    let mut shared = stated(build, &BUILD);
    shared.extend(stated(build.get("version").unwrap_or(&Value::Null), &[("sdk", "build.sdk")]));
    shared.extend(stated(context, &CONTEXT));
    let payload = context.object_of("payload");
    let added = payload.into_iter().flat_map(Object::iter);
    shared.extend(added.map(|(key, value)| (format!("payload.{key}"), plain(value))));
    shared
}

/// Reads a benchmark whose first process has this number, and returns the number of its processes.
fn benchmark(sheet: &mut Sheet, entry: &Value<'_>, line: u32, shared: &Context, first: u32) -> u32 {
    let Some(method) = sheet.need(entry.text_of("name"), line, "name") else {
        return 0;
    };
    let mut context = shared.clone();
    let mut name = method.to_owned();
    if let Some(stated) = entry.object_of("params") {
        name = without_parameters(method, stated).unwrap_or(name);
        for (key, value) in stated.iter() {
            parameters::add(sheet, &mut context, key, plain(value));
        }
    }
    if let Some(class) = entry.text_of("className").filter(|class| !class.is_empty()) {
        name = format!("{class}.{name}");
    }
    sheet.set_context(&context);
    // The runs of a microbenchmark share a process. Of a macrobenchmark each iteration is one: it starts the app, and its
    // frames belong together.
    let has = |metric: &str| entry.get("metrics").is_some_and(|metrics| metrics.get(metric).is_some());
    let is_micro = has("timeNs") || has("allocationCount");
    let row = Measurement { benchmark: &name, line, ..ROW };
    let mut processes = 0;
    let metrics = ["metrics", "sampledMetrics"].into_iter().filter_map(|key| entry.get(key)?.object());
    for (metric, values) in metrics.flat_map(Object::iter) {
        let runs = values.list_of("runs").filter(|runs| !runs.is_empty());
        let Some(runs) = runs else {
            sheet.lacks(line, &name, &format!("runs of {metric}"));
            continue;
        };
        let (made, scale) = described(metric);
        let id = sheet.metric(metric, || made);
        for (number, run) in (0..).zip(runs) {
            let process = if is_micro { 0 } else { number };
            processes = processes.max(process + 1);
            let row = Measurement { metric: id, process: Some(first.saturating_add(process)), ..row };
            for value in run.list().unwrap_or(std::slice::from_ref(run)) {
                push_scaled(sheet, row, value, scale);
            }
        }
    }
    processes
}

/// The name without the parameters in brackets (`sort[size=10]`); `None` if the brackets hold anything else.
fn without_parameters(name: &str, parameters: &Object<'_>) -> Option<String> {
    let (open, close) = (name.find('[')?, name.rfind(']')?);
    let is_stated = |part: &str| {
        let pair = part.split_once([':', '=']);
        pair.is_some_and(|(key, value)| parameters.get(key).is_some_and(|known| plain(known) == value))
    };
    let all = name.get(open + 1..close)?.split(',').all(is_stated);
    all.then(|| format!("{}{}", &name[..open], &name[close + 1..]))
}

/// The metric of a name, whose ending says the unit, and the scale of its values. `AndroidX` counts 1,024 bytes as a Kb.
fn described(name: &str) -> (Metric, Scale) {
    let ends = |unit: &str| name.strip_suffix(unit).is_some_and(|stem| !stem.is_empty());
    let lower = |metric: Metric| Metric { better: Some(Better::Lower), ..metric };
    let undirected = |metric: Metric| Metric { better: None, ..metric };
    let of = |unit, quantity| Metric::new(name, unit, quantity);
    match name {
        "frameOverrunMs" => (lower(of("s", Quantity::Other)), Scale::Over(1e3)),
        "allocationCount" => (of("1", Quantity::Count).secondary(), Scale::Times(1.0)),
        _ if ends("Ns") => (of("s", Quantity::Time), Scale::Over(1e9)),
        _ if ends("Ms") => (of("s", Quantity::Time), Scale::Over(1e3)),
        _ if ends("Kb") => (of("B", Quantity::Bytes).secondary().never_exact(), Scale::Times(1024.0)),
        // More frames or sections of a trace can be good or bad.
        _ if ends("Count") => {
            (undirected(of("1", Quantity::Count).secondary().never_exact()), Scale::Times(1.0))
        }
        _ if ends("Uws") => (lower(of("J", Quantity::Other).secondary()), Scale::Over(1e6)),
        _ if ends("Uw") => (lower(of("W", Quantity::Other).secondary()), Scale::Over(1e6)),
        _ if ends("Mah") => (of("mAh", Quantity::Other).secondary(), Scale::Times(1.0)),
        _ => (of("", Quantity::Other).secondary(), Scale::Times(1.0)),
    }
}
