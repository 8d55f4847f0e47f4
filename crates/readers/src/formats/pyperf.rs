//! pyperf's JSON: each run is a process, whose values are averages over its loops.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "pyperf",
    sign: "an object with `version` and with `benchmarks` that hold `runs`",
    harness: "pyperf",
    export: "-o FILE",
    values: Values::Averages,
    processes: Processes::Stated,
    keys: &[&[
        Key::date("start of the first run"),
        Key::environment("hostname", "name of the machine"),
        Key::environment("cpu", "model of the processor"),
        Key::environment("platform", "operating system with its version"),
        Key::setting("python_version", "version of Python"),
        Key::setting("python_implementation", "implementation of Python"),
        Key::setting("python_executable", "program that ran the benchmark"),
        Key::of_run("commit", Role::Commit, "commit of the program"),
        Key::setting("branch", "branch of the program"),
    ]],
    metrics: &[
        Meaning::of("time", "time of one loop, the mean over the loops of a value"),
        Meaning::of("mem_max_rss", "largest resident memory of a process"),
        Meaning::of("command_max_rss", "largest resident memory of the command (pyperf command)"),
    ],
    fits: |head| {
        let found = head.json()?;
        let has = |path: &str| found.at(path).is_some();
        let any = ["benchmarks[].runs[].values", "benchmarks[].runs[].warmups"];
        let is_older = has("benchmarks[].common_metadata") && has("benchmarks[].runs[].samples");
        if is_older || any.into_iter().any(has) { Ok(()) } else { Err(No::Lacks(any[0])) }
    },
    read: Read::Sheet(|sheet, content| {
        let bytes = content.all()?;
        let mut processes = 0;
        // Scripts append the results of several commands to one file.
        for document in Document::all(&bytes, content, sheet)? {
            processes = suite(sheet, &document, processes)?;
        }
        Ok(())
    }),
    files: &["*.json"],
    ..Format::PLAIN
};

const METADATA: [(&str, &str); 9] = [
    ("date", "date"),
    ("hostname", "hostname"),
    ("cpu_model_name", "cpu"),
    ("platform", "platform"),
    ("python_version", "python_version"),
    ("python_implementation", "python_implementation"),
    ("python_executable", "python_executable"),
    ("commit_id", "commit"),
    ("commit_branch", "branch"),
];

/// Reads the benchmarks of a document, before which there were so many processes. Returns how many there are now.
fn suite(sheet: &mut Sheet, document: &Document<'_>, mut processes: u32) -> io::Result<u32> {
    let Some(benchmarks) = document.get("benchmarks") else {
        sheet.lacks(0, "the file", "list `benchmarks`");
        return Ok(processes);
    };
    // The metadata that all benchmarks share come last in the file.
    let shared = document.value("metadata", sheet)?;
    for benchmark in benchmarks.spans(sheet)? {
        let Some(benchmark) = benchmark.document(sheet)? else { continue };
        // perf before version 0.9.6 calls it `common_metadata`.
        let own = ["metadata", "common_metadata"].into_iter().find(|key| benchmark.get(key).is_some());
        let own = own.map_or(Ok(Value::Null), |key| benchmark.value(key, sheet))?;
        let mut reader = Benchmark { levels: [&own, &shared], metric: None, processes };
        benchmark.each("runs", sheet, |sheet, run, line| reader.run(sheet, run, line))?;
        processes = reader.processes;
    }
    Ok(processes)
}

struct Benchmark<'e, 'a> {
    /// The metadata of the benchmark and of all benchmarks.
    levels: [&'e Value<'a>; 2],
    /// The metric, from the first run with values on.
    metric: Option<u32>,
    /// The processes so far.
    processes: u32,
}

impl Benchmark<'_, '_> {
    /// Reads a run. A run that only calibrates has no values; warm-ups are no values. perf before version 0.9.6 calls the
    /// values samples; they are the same times of one loop.
    fn run(&mut self, sheet: &mut Sheet, run: &Value<'_>, line: u32) {
        let values = ["values", "samples"].iter().find_map(|key| run.get(key)?.list());
        let Some(values) = values.filter(|values| !values.is_empty()) else { return };
        let metadata = run.get("metadata").unwrap_or(&Value::Null);
        let Some(name) = sheet.need(self.fact("name", metadata), line, "name") else { return };
        let Some(metric) = self.metric.or_else(|| self.begin(sheet, &name, metadata, line)) else { return };
        let process = Some(self.processes);
        self.processes = self.processes.saturating_add(1);
        let row = |metric| Measurement { benchmark: &name, metric, value: 0.0, line, process, ..ROW };
        for value in values {
            push_value(sheet, row(metric), value, 1.0);
        }
        // The latter is that of the command which `pyperf command` starts. What is the same in all runs stands above them.
        for name in ["mem_max_rss", "command_max_rss"] {
            let Some(memory) = self.found(name, metadata) else { continue };
            let make = || Metric::new(name, "B", Quantity::Bytes).secondary().never_exact();
            let metric = sheet.metric(name, make);
            push_value(sheet, row(metric), memory, 1.0);
        }
    }

    /// Sets the configuration and returns the metric.
    fn begin(&mut self, sheet: &mut Sheet, name: &str, run: &Value<'_>, line: u32) -> Option<u32> {
        let mut context = Context::new();
        for level in [run, self.levels[0], self.levels[1]] {
            let known = stated(level, &METADATA);
            context.extend(
                known
                    .into_iter()
                    .filter(|(key, _)| !context.iter().any(|(other, _)| other == key))
                    .collect::<Context>(),
            );
        }
        sheet.set_context(&context);
        self.metric = match self.fact("unit", run).as_deref() {
            None | Some("second") => Some(sheet.metric("time", || Metric::new("time", "s", Quantity::Time))),
            Some("byte") => {
                Some(sheet.metric("memory", || Metric::new("memory", "B", Quantity::Bytes).never_exact()))
            }
            Some("integer") => Some(sheet.metric("value", || Metric::new("value", "", Quantity::Other))),
            Some(other) => {
                sheet.unknown_unit(line, name, other);
                None
            }
        };
        self.metric
    }

    /// A value of the metadata: of the run, of the benchmark, or of all benchmarks.
    fn found<'v>(&'v self, key: &str, run: &'v Value<'v>) -> Option<&'v Value<'v>> {
        run.get(key).or_else(|| self.levels.iter().find_map(|level| level.get(key)))
    }

    /// The same as text.
    fn fact(&self, key: &str, run: &Value<'_>) -> Option<String> {
        self.found(key, run).map(plain)
    }
}
