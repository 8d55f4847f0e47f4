//! What `BenchmarkDotNet` prints: the iterations of each benchmark on the console, and the table of its reports.

use super::benchmarkdotnet::{JOB, add_parameters};
use super::page::{Column, Print, between_any_bars, binary};
use super::prelude::*;
use super::printed::SUMMARIES;

/// What it prints while it runs.
pub static CONSOLE: Format = Format {
    name: "benchmarkdotnet-text",
    sign: "lines such as `WorkloadResult   1: 4194304 op, 1234567.00 ns, 0.2943 ns/op`",
    harness: "BenchmarkDotNet",
    values: Values::Averages,
    keys: &[&[JOB]],
    metrics: &[Meaning::of(
        "time",
        "time of one operation, the mean over an iteration, without the overhead of the loop",
    )],
    parts: names::method,
    words: &["Result "],
    fits: |head| head.has_line(|line| result(line).is_some()),
    read: Read::Bytes(read),
    own_labels: &["//"],
    printed_by: &["dotnet"],
    ..Format::REPORT
};

/// The operations and the nanoseconds of a result. Before version 0.11 it was called `Result`.
fn result(line: &str) -> Option<(f64, f64)> {
    let (stage, rest) = line.trim().split_once(": ")?;
    let (stage, place) = stage.split_once(' ')?;
    let figures: Vec<&str> = rest.split(", ").collect();
    let [count, time, ..] = figures[..] else { return None };
    let is_result = matches!(stage, "WorkloadResult" | "Result") && number(place.trim()).is_some();
    let value = |text: &str, unit: &str| number(text.strip_suffix(unit)?.trim());
    is_result.then(|| Some((value(count, " op")?, value(time, " ns")?))).flatten()
}

/// A benchmark with its parameters, as a line says that it begins.
#[derive(Default)]
struct Case {
    name: String,
    context: Context,
    line: u32,
    has_result: bool,
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut case, mut processes): (Option<Case>, u32) = (None, 0);
    for (line, text) in lines::numbered(bytes) {
        let text = text.trim_start();
        if let Some(shown) = text.strip_prefix("// Benchmark: ") {
            ends(sheet, case.take());
            case = Some(begins(sheet, shown, line));
        } else if text.starts_with("// Launch: ") {
            processes += 1;
        } else if let Some(case) = case.as_mut().filter(|_| text.starts_with("// Execute: ")) {
            // The name with its namespace, before its parameters.
            let whole =
                text.split_once("--benchmarkName ").map(|(_, rest)| rest.trim_start_matches(['"', '\'']));
            let whole = whole.and_then(|whole| whole.split(['(', '"', '\'', ' ']).next());
            if let Some(whole) = whole.filter(|whole| whole.ends_with(&case.name)) {
                whole.clone_into(&mut case.name);
            }
        } else if let Some((count, time)) = result(text).filter(|(count, _)| *count > 0.0) {
            let Some(case) = case.as_mut() else {
                let what = "a result above the name of its benchmark";
                sheet.malformed(line, what, "keep the lines `// Benchmark: …`");
                continue;
            };
            case.has_result = true;
            sheet.set_context(&case.context);
            let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
            let (value, process) = (time / count / 1e9, processes.checked_sub(1));
            sheet.push(Measurement { benchmark: &case.name, metric, value, line, process, ..ROW });
        }
    }
    ends(sheet, case);
}

/// Reads `Type.Method: JOB [N=10, S=a]`.
fn begins(sheet: &mut Sheet, shown: &str, line: u32) -> Case {
    let (name, rest) = shown.split_once(": ").unwrap_or((shown, ""));
    let (job, given) = rest.split_once(" [").unwrap_or((rest, ""));
    let mut case = Case { name: name.to_owned(), line, ..Case::default() };
    if !job.is_empty() {
        case.context.push((JOB.name.to_owned(), job.to_owned()));
    }
    if let Some(given) = given.strip_suffix(']').filter(|given| !given.is_empty()) {
        add_parameters(sheet, &mut case.context, &mut case.name, &given.replace(", ", "&"));
    }
    case
}

fn ends(sheet: &mut Sheet, case: Option<Case>) {
    if let Some(case) = case.filter(|case| !case.has_result) {
        sheet.failed(case.line, case.name, "");
    }
}

/// The table of its reports, in Markdown and CSV. Its columns depend on the configuration, and their units on the values.
pub static TABLE: Format = Format {
    name: "benchmarkdotnet-table",
    sign: "a header with `Method`, `Mean`, `Error` and `StdDev`; between bars also `Method`, `Mean` and `Allocated`, or `Method` and `Mean` below `BenchmarkDotNet`",
    harness: "BenchmarkDotNet",
    export: "--exporters github or csv",
    keys: &[&[JOB]],
    metrics: &[
        Meaning::of("time", "time of one operation, the mean over the iterations"),
        Meaning::of("median", "time of one operation, the median over the iterations"),
        Meaning::of("allocated", "bytes that one operation allocates"),
        Meaning::of("allocated-native", "bytes that one operation allocates outside of the managed memory"),
    ],
    parts: names::method,
    words: &["StdDev", "Allocated", "BenchmarkDotNet"],
    fits: |head| {
        let has = |line: &[u8], words: &[&str]| {
            let mut cells = line.split(|byte| b",;|\t".contains(byte)).map(<[u8]>::trim_ascii);
            words.iter().all(|word| cells.any(|cell| cell == word.as_bytes()))
        };
        // People leave out columns.
        let is_below_environment = head.has_line(|line| line.contains("BenchmarkDotNet")).is_ok();
        let is_header = |line: &[u8]| {
            has(line, &["Method", "Mean", "Error", "StdDev"])
                || line.contains(&b'|')
                    && (has(line, &["Method", "Mean", "Allocated"])
                        || is_below_environment && has(line, &["Method", "Mean"]))
        };
        No::unless(head.lines().any(is_header), "it has no such header")?;
        No::unless((CONSOLE.fits)(head).is_err(), "it has the iterations, too")
    },
    read: Read::Page(&Print {
        columns: &[
            ("namespace", Column::Name),
            ("type", Column::Name),
            ("method", Column::Name),
            ("job", Column::Key(JOB.name)),
            ("mean", Column::Mean("time", "")),
            ("stddev", Column::Deviation),
            ("median", Column::Figure("median", "")),
            ("allocated", Column::Figure("allocated", "")),
            ("allocated native memory", Column::Figure("allocated-native", "")),
        ],
        other: |head| Some(if CHARACTERISTICS.contains(&head) { Column::OwnKey } else { Column::Parameter }),
        cells,
        join: ".",
        unit: binary,
        ..Print::PLAIN
    }),
    ..SUMMARIES
};

/// The cells of a row of Markdown, or of a CSV file with any of its separators.
fn cells(line: &str) -> Vec<&str> {
    // Old versions draw no bars at the ends.
    if line.starts_with('|') || line.contains(" | ") {
        return between_any_bars(line);
    }
    let separator = [';', '\t', ','].into_iter().find(|&separator| line.contains(separator));
    let Some(separator) = separator else { return Vec::new() };
    let mut is_quoted = false;
    let is_end = |sign: char| {
        is_quoted ^= sign == '"';
        sign == separator && !is_quoted
    };
    line.split(is_end).map(|cell| cell.trim().trim_matches('"')).collect()
}

/// The columns of a job, which `BenchmarkDotNet` writes before the parameters.
const CHARACTERISTICS: [&str; 42] = words!(
    "AnalyzeLaunchVariance EvaluateOverhead MaxAbsoluteError MaxRelativeError MinInvokeCount \
     MinIterationTime OutlierMode Affinity EnvironmentVariables Jit LargeAddressAware Platform PowerPlanMode \
     Runtime AllowVeryLargeObjects Concurrent CpuGroups Force HeapAffinitizeMask HeapCount NoAffinitize \
     RetainVm Server Arguments BuildConfiguration Clock EngineFactory NuGetReferences Toolchain IsMutator \
     InvocationCount IterationCount IterationTime LaunchCount MaxIterationCount MaxWarmupIterationCount \
     MemoryRandomization MinIterationCount MinWarmupIterationCount RunStrategy UnrollFactor WarmupCount"
);
