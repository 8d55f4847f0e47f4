//! pytest-benchmark's JSON: `benchmarks[].stats.data[]`, a value for each round; without it, the mean of the rounds.

use super::prelude::*;
use super::repeats::state_differences;

pub static FORMAT: Format = Format {
    name: "pytest-benchmark",
    sign: "an object with `machine_info` and `benchmarks`",
    harness: "pytest-benchmark",
    export: "--benchmark-json=FILE",
    values: Values::Averages,
    keys: &[&[
        Key::date("time of the run"),
        Key::of_run("commit", Role::Commit, "commit of the program"),
        Key::setting("branch", "branch of the program"),
        Key::environment("hostname", "name of the machine"),
        Key::environment("arch", "architecture of the machine"),
        Key::environment("kernel", "operating system"),
        Key::environment("kernel.version", "version of the kernel"),
        Key::environment("cpu", "model of the processor"),
        Key::setting("python_version", "version of Python"),
        Key::setting("python_implementation", "implementation of Python"),
        Key::setting("group", "group of the benchmark"),
        Key::setting("timer", "clock that measured, if it is another than the default"),
        Key::work("disable_gc", "whether garbage was not collected, where runs of a file differ"),
        Key::work("warmup", "whether rounds warmed up, where runs of a file differ"),
        Key::work("min_rounds", "least number of rounds, where runs of a file differ"),
        Key::work("min_time", "least seconds of a round, where runs of a file differ"),
        Key::work("max_time", "most seconds of all rounds, where runs of a file differ"),
    ]],
    metrics: &[Meaning::of(
        "time",
        "time of one iteration, the mean over a round; without rounds, the mean over all",
    )],
    parts: |name, _| names::path(name, "::"),
    fits: |head| head.has_all(&["machine_info"]),
    read: Read::Sheet(|sheet, content| {
        let bytes = content.all()?;
        let mut options = Vec::new();
        // Scripts append the exports of several runs to one file: each is a process.
        for document in Document::all(&bytes, content, sheet)? {
            sheet.next_run();
            run(sheet, &document, &mut options)?;
        }
        state_differences(sheet, &options);
        Ok(())
    }),
    ..Format::JSON
};

const MACHINE: [(&str, &str); 6] = [
    ("node", "hostname"),
    ("machine", "arch"),
    ("system", "kernel"),
    ("release", "kernel.version"),
    ("python_version", "python_version"),
    ("python_implementation", "python_implementation"),
];

/// What a benchmark is measured with that changes its times, and each a key only where it differs.
const OPTIONS: [&str; 5] = ["disable_gc", "warmup", "min_rounds", "min_time", "max_time"];

fn run(sheet: &mut Sheet, document: &Document<'_>, options: &mut Vec<(usize, Context)>) -> io::Result<()> {
    let machine = document.value("machine_info", sheet)?;
    let commit = document.value("commit_info", sheet)?;
    let mut context = stated(&machine, &MACHINE);
    context.extend(stated(machine.get("cpu").unwrap_or(&Value::Null), &[("brand_raw", "cpu")]));
    let of_commit = stated(&commit, &[("id", "commit"), ("branch", "branch")]);
    context.extend(of_commit.into_iter().filter(|(_, value)| !NO_COMMIT.contains(&&**value)));
    if let Some(date) = document.value("datetime", sheet)?.text() {
        context.push(("date".to_owned(), date.to_owned()));
    }
    document.each("benchmarks", sheet, |sheet, entry, line| {
        let stated_options = entry.get("options").unwrap_or(&Value::Null);
        options.push((sheet.len(), stated(stated_options, &OPTIONS.map(|option| (option, option)))));
        benchmark(sheet, entry, line, &context);
    })
}

/// What pytest-benchmark writes outside of a repository.
const NO_COMMIT: [&str; 3] = ["unversioned", "(unknown)", "unknown"];

/// The clock that measures unless `--benchmark-timer` or a mark names another: `timeit.default_timer`.
const DEFAULT_TIMERS: [&str; 2] = ["perf_counter", "default_timer"];

fn benchmark(sheet: &mut Sheet, entry: &Value<'_>, line: u32, shared: &Context) {
    let needed = ["fullname", "name"].iter().find_map(|key| entry.get(key)).and_then(Value::text);
    let Some(full) = sheet.need_of(needed, line, "a benchmark", "name") else { return };
    let mut context = shared.clone();
    context.extend(stated(entry, &[("group", "group")]));
    let options = stated(entry.get("options").unwrap_or(&Value::Null), &[("timer", "timer")]);
    context.extend(options.into_iter().filter(|(_, timer)| !DEFAULT_TIMERS.contains(&&**timer)));
    let mut name = full;
    // The parameters stand in brackets at the end of the name; as keys they are levels of a factor.
    // Of an object pytest-benchmark writes `repr`, mostly with its address, which differs in each run.
    let is_stable = |value: &Value<'_>| {
        (value.is_simple() || *value == Value::Null)
            && !value.text().is_some_and(|text| text.starts_with("UNSERIALIZABLE["))
    };
    let parameters = entry.get("params").filter(|params| {
        params.object().is_some_and(|params| params.iter().all(|(_, value)| is_stable(value)))
    });
    // Folders and parameters can have brackets of their own: the first one of the test's name counts.
    let own = entry.text_of("name").filter(|own| full.ends_with(own)).unwrap_or(full);
    if let (Some(values), Some(at)) = (parameters, own.find('[')) {
        for (key, value) in values.iter() {
            let value = if *value == Value::Null { "None".to_owned() } else { plain(value) };
            parameters::add(sheet, &mut context, key, value);
        }
        name = &full[..full.len() - own.len() + at];
    }
    sheet.set_context(&context);
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let row = Measurement { benchmark: name, metric, line, process: Some(0), ..ROW };
    let stats = entry.get("stats").unwrap_or(&Value::Null);
    let data = stats.elements("data");
    for value in data {
        push_value(sheet, row, value, 1.0);
    }
    if data.is_empty() {
        summary(sheet, stats, row);
    }
}

/// Reads the mean of the rounds with its deviation: pytest-benchmark saves the rounds with `--benchmark-json` or
/// `--benchmark-save-data`.
fn summary(sheet: &mut Sheet, stats: &Value<'_>, row: Measurement<'_>) {
    let Some(mean) = sheet.need_of(stats.get("mean"), row.line, row.benchmark, "rounds or mean") else {
        return;
    };
    let mut number = |key: &str| stats.get(key).and_then(|value| number_of(sheet, value, row.line));
    let count = number("rounds");
    // Of a single round pytest-benchmark writes a deviation of 0.
    let deviation = number("stddev").filter(|_| count.is_none_or(|count| count > 1.0));
    let aggregate = Some(Aggregate { count, deviation });
    push_value(sheet, Measurement { aggregate, ..row }, mean, 1.0);
}
