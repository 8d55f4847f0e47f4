//! Deno's JSON: `benches[].results[].ok`, the mean and some quantiles in nanoseconds. The samples are not in the file.

use super::mitata::RUNTIME;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "deno",
    sign: "an object with `runtime` and with `benches` that hold `origin` and `results`",
    harness: "deno bench",
    export: "deno bench --json > FILE",
    keys: &[&OF_BENCHMARK, &RUNTIME],
    metrics: &[
        Meaning::of("mean", "time of one iteration, the mean over the samples"),
        Meaning::of("p75", "time of one iteration that 75 % of the samples do not exceed"),
        Meaning::of("p99", "time of one iteration that 99 % of the samples do not exceed"),
        Meaning::of("p99.5", "time of one iteration that 99.5 % of the samples do not exceed"),
        Meaning::of("p99.9", "time of one iteration that 99.9 % of the samples do not exceed"),
        Meaning::of("fastest", "time of one iteration in the fastest sample"),
        Meaning::of("slowest", "time of one iteration in the slowest sample"),
    ],
    fits: |head| head.has_all(&["runtime", "benches[].origin", "benches[].results"]),
    read: Read::Documents(run),
    ..Format::JSON_SUMMARY
};

/// Where a benchmark stands.
pub(super) const OF_BENCHMARK: [Key; 2] = [
    Key::setting("group", "group of the benchmark"),
    Key::setting("origin", "file of the benchmark, in the folder that all files share"),
];

/// The fields of a result, under the names of their metrics.
const FIELDS: [(&str, &str); 7] = [
    ("avg", "mean"),
    ("p75", "p75"),
    ("p99", "p99"),
    ("p995", "p99.5"),
    ("p999", "p99.9"),
    ("min", "fastest"),
    ("max", "slowest"),
];

fn run(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    let mut shared = runtime(document.value("runtime", sheet)?.text().unwrap_or_default());
    shared.extend(document.value("cpu", sheet)?.text().map(|cpu| ("cpu".to_owned(), cpu.to_owned())));
    let mut benches = Vec::new();
    document.each("benches", sheet, |_, bench, line| benches.push((bench.clone(), line)))?;
    let origins: Vec<&str> = benches.iter().filter_map(|(bench, _)| bench.get("origin")?.text()).collect();
    let folder = shared_folder(&origins);
    for (bench, line) in &benches {
        let line = bench.object().map_or(*line, |bench| bench.line_of("name"));
        let Some(benchmark) = sheet.need(bench.text_of("name"), line, "name") else { continue };
        let mut context = shared.clone();
        let text = |key| bench.text_of(key);
        context.extend(text("group").map(|group| ("group".to_owned(), group.to_owned())));
        context.extend(text("origin").map(|origin| ("origin".to_owned(), origin[folder..].to_owned())));
        sheet.set_context(&context);
        for result in bench.elements("results") {
            take(sheet, benchmark, result, line);
        }
    }
    Ok(())
}

/// The keys that a text such as `Deno/2.9.6 x86_64-unknown-linux-gnu` holds.
fn runtime(text: &str) -> Context {
    let (program, arch) = text.split_once(' ').unwrap_or((text, ""));
    let (name, version) = program.split_once('/').unwrap_or((program, ""));
    let name = name.to_lowercase();
    let keys = [("runtime", name.as_str()), ("runtime_version", version), ("arch", arch)];
    keys.into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

/// The length of the folder that all paths share.
pub(super) fn shared_folder(paths: &[&str]) -> usize {
    let Some((first, others)) = paths.split_first() else { return 0 };
    let folder = |path: &str, end: usize| path[..end].rfind('/').map_or(0, |slash| slash + 1);
    others.iter().fold(folder(first, first.len()), |shared, other| {
        let same = first.bytes().zip(other.bytes()).take(shared).take_while(|(a, b)| a == b).count();
        // Paths may differ within a character.
        let same = (0..=same).rev().find(|&end| first.is_char_boundary(end)).unwrap_or(0);
        folder(first, same)
    })
}

fn take(sheet: &mut Sheet, benchmark: &str, result: &Value<'_>, line: u32) {
    let Some(found) = result.get("ok").filter(|found| found.object().is_some()) else {
        let why = result.get("failed").and_then(|failed| failed.text_of("message"));
        return sheet.failed(line, benchmark, why.unwrap_or_default());
    };
    let count = found.get("n").and_then(|count| number_of(sheet, count, line));
    let aggregate = Some(Aggregate { count, deviation: None });
    for (field, name) in FIELDS {
        // Without a value there were too few samples.
        let Some(value) = found.get(field).filter(|value| !matches!(value, Value::Null)) else { continue };
        let time = || Metric { primary: name == "mean", ..Metric::new(name, "s", Quantity::Time) };
        let metric = sheet.metric(name, time);
        let row = Measurement { benchmark, metric, line, process: Some(0), aggregate, ..ROW };
        push_value(sheet, row, value, 1e9);
    }
}
