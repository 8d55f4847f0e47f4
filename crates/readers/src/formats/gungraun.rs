//! Gungraun's (formerly iai-callgrind's) counts: JSON of `--output-format=json` or `summary.json`, and what it prints.
//! Valgrind counts; a count is exact.

use super::cargo_programs;
use super::cargo_programs::{Program, Programs};
use super::prelude::*;

/// The JSON of version 0.14 and later.
pub static JSON: Format = Format {
    name: "gungraun",
    sign: "objects with `module_path`, `function_name` and `profiles`",
    harness: "Gungraun",
    export: "cargo bench -- --output-format=json",
    processes: Processes::OneAValue,
    keys: &[cargo_programs::KEYS],
    metrics: METRICS,
    parts: |name, _| names::path(name, "::"),
    fits: |head| head.record_has_all(&["module_path", "function_name"]),
    read: Read::Sheet(read_json),
    ..Format::PLAIN
};

pub static TEXT: Format = Format {
    name: "gungraun-text",
    sign: "lines such as `  Instructions:  1234|N/A` below `module::group::function`, or a heading `======= PERF =======`",
    harness: "Gungraun",
    export: "cargo bench",
    processes: Processes::OneAValue,
    keys: &[cargo_programs::KEYS],
    metrics: METRICS,
    parts: |name, _| names::path(name, "::"),
    words: &["Instructions", " Hits", " Rate", " Cycles", "Total ", " bytes", " blocks", "PERF"],
    fits: |head| head.has_line(is_sign),
    read: Read::Sheet(read_text),
    own_labels: &["Total", "pid: "],
    printed_by: &["cargo"],
    ..Format::PLAIN
};

// JSON.

fn read_json(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let all = Span::new(&bytes, 1, content.budget.limits.values);
    let mut summaries = Vec::new();
    all.each_value(sheet, |sheet, value, line| summaries.extend(summary(sheet, value, line)))?;
    let programs = || summaries.iter().map(|found| (Program::of_source(&found.package), &*found.benchmark));
    let shared = cargo_programs::shared(programs());
    for (found, (program, benchmark)) in summaries.iter().zip(programs()) {
        sheet.set_context(&cargo_programs::context(&shared, program, benchmark));
        for (metric, count) in &found.counts {
            push(sheet, benchmark, metric, *count, found.line);
        }
    }
    Ok(())
}

/// The counts of a benchmark.
struct Summary {
    benchmark: String,
    /// The folder of the package within the workspace: packages can have benchmarks of the same name.
    package: String,
    line: u32,
    counts: Vec<(String, f64)>,
}

fn summary(sheet: &mut Sheet, value: &Value<'_>, line: u32) -> Option<Summary> {
    let text = |key: &str| value.text_of(key).filter(|text| !text.is_empty());
    let path = sheet.need(text("module_path"), line, "`module_path`")?;
    let benchmark = text("id").map_or_else(|| path.to_owned(), |id| format!("{path} {id}"));
    let mut counts = Vec::new();
    let metrics = [of_instructions(value), of_heap(value)];
    for (metric, found) in metrics.into_iter().flatten().filter_map(Value::object).flat_map(Object::iter) {
        if let Some(new) = new_count(found).and_then(|new| number_of(sheet, new, line)) {
            counts.push((metric.to_string(), new));
        }
    }
    if counts.is_empty() {
        sheet.lacks(line, benchmark, "counts of Callgrind, Cachegrind or DHAT");
        return None;
    }
    let (folder, root) = (text("package_dir").unwrap_or("."), text("project_root").unwrap_or_default());
    let package = folder.strip_prefix(root).unwrap_or(folder).trim_start_matches(['/', '\\']);
    let package = if package.is_empty() { "." } else { package }.to_owned();
    Some(Summary { benchmark, package, line, counts })
}

/// What is below these keys.
fn at<'e, 'a>(value: &'e Value<'a>, path: &[&str]) -> Option<&'e Value<'a>> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

/// The counts of the first tool that counts instructions. Version 0.14 has none but Callgrind.
fn of_instructions<'e, 'a>(value: &'e Value<'a>) -> Option<&'e Value<'a>> {
    of_tools(value, &[("Callgrind", "Callgrind"), ("Cachegrind", "Cachegrind")])
        .or_else(|| at(value, &["callgrind_summary", "callgrind_run", "total", "summary"]))
}

/// The counts of DHAT, from version 0.15 on.
fn of_heap<'e, 'a>(value: &'e Value<'a>) -> Option<&'e Value<'a>> {
    of_tools(value, &[("DHAT", "Dhat")])
}

/// The counts of the first of these tools, each with the key of its counts before version 0.17.
fn of_tools<'e, 'a>(value: &'e Value<'a>, tools: &[(&str, &str)]) -> Option<&'e Value<'a>> {
    let profiles = value.elements("profiles");
    profiles.iter().find_map(|profile| {
        let name = profile.get("tool")?.text()?;
        let (_, key) = tools.iter().find(|(tool, _)| *tool == name)?;
        at(profile, &["data", "total", "metrics"])
            .or_else(|| at(profile, &["summaries", "total", "summary", key]))
    })
}

/// The new count: `values.new`, and before version 0.17 `metrics`, where `Left` is new, and so is the first of `Both`.
fn new_count<'e, 'a>(found: &'e Value<'a>) -> Option<&'e Value<'a>> {
    if let Some(values) = found.get("values") {
        return values.get("new");
    }
    let metrics = found.get("metrics")?;
    let new = metrics.get("Left").or_else(|| metrics.get("Both")?.list()?.first())?;
    new.get("Int").or_else(|| new.get("Float")).or(Some(new))
}

// Text.

/// Whether a line tells that the file is Gungraun's: iai has no bars and other labels of the caches.
fn is_sign(line: &str) -> bool {
    let inner = indented(line);
    count(inner).is_some_and(|count| count.in_words && (line.contains('|') || count.name == "L1hits"))
        || is_heading(inner)
}

/// The line without its indentation, which can be a grid.
fn indented(line: &str) -> &str {
    line.trim_start_matches(['|', '-', ' '])
}

/// The heading of the counts of all processes and threads.
const TOTAL: &str = "## Total";

/// The benchmark of `module::group::function id:(arguments)`; in older versions nothing encloses the arguments.
fn heading(line: &str) -> Option<&str> {
    let (path, rest) = line.split_once(' ').unwrap_or((line, ""));
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !path.contains("::") || !path.split("::").all(is_word) {
        return None;
    }
    let id = rest.split([':', '(']).next().unwrap_or_default().trim_end();
    let end = path.len() + if id.is_empty() { 0 } else { 1 + id.len() };
    (!id.contains(' ')).then_some(&line[..end])
}

fn read_text(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let (mut programs, mut counts) = (Programs::default(), Counts::default());
    let mut results: Vec<Printed<'_>> = Vec::new();
    let lines: Vec<(u32, &str)> = lines::numbered(&bytes).collect();
    for &(line, text) in &lines {
        programs.line(text);
        let count = counts.line(sheet, text, line).map(Reading::Count);
        let reading = count.or_else(|| {
            let last = results.last_mut().and_then(|printed| match &mut printed.reading {
                Reading::Event(event) => Some(event),
                Reading::Count(_) => None,
            });
            let is_event = counts.is_perf && !counts.is_part && !counts.benchmark.is_empty();
            is_event.then(|| event(sheet, last, indented(text), line))?.map(Reading::Event)
        });
        if let Some(reading) = reading {
            results.push(Printed { program: programs.now, benchmark: counts.benchmark, reading, line });
        }
    }
    counts.end_of_tool(sheet);
    let shared = cargo_programs::shared(results.iter().map(|found| (found.program, found.benchmark)));
    for Printed { program, benchmark, reading, line, .. } in results {
        sheet.set_context(&cargo_programs::context(&shared, program, benchmark));
        match reading {
            Reading::Count(count) => push(sheet, benchmark, count.name, count.value, line),
            Reading::Event(event) => event.push(sheet, benchmark, line),
        }
    }
    Ok(())
}

/// A line with a result.
struct Printed<'a> {
    program: Program<'a>,
    benchmark: &'a str,
    reading: Reading<'a>,
    line: u32,
}

/// What a line tells.
enum Reading<'a> {
    /// A count of Valgrind.
    Count(Count),
    /// An event of perf.
    Event(Event<'a>),
}

/// The benchmark whose counts follow, and which of them are to be read.
#[derive(Default)]
struct Counts<'a> {
    /// Empty if the counts are those of a comparison with another benchmark.
    benchmark: &'a str,
    /// Whether the counts are those of a process or thread; their total follows.
    is_part: bool,
    /// The first count of a part without a total.
    without_total: Option<u32>,
    /// The place of a tool among those of the benchmark, and of the first that counts instructions.
    tool: u32,
    counting: Option<u32>,
    /// Whether the tool is perf.
    is_perf: bool,
}

impl<'a> Counts<'a> {
    /// Reads a line; a count that is a result is returned.
    fn line(&mut self, sheet: &mut Sheet, text: &'a str, line: u32) -> Option<Count> {
        let inner = indented(text);
        if let Some(benchmark) = heading(text) {
            self.end_of_tool(sheet);
            *self = Self { benchmark, ..Self::default() };
        } else if inner.starts_with("Comparison with ") {
            self.benchmark = "";
        } else if inner.starts_with("=====") {
            self.end_of_tool(sheet);
            self.tool += 1;
            self.is_perf = is_heading(inner);
        } else if inner == TOTAL {
            (self.is_part, self.without_total) = (false, None);
        } else if inner.starts_with("## ") {
            self.is_part = true;
        } else if let Some(count) = count(inner).filter(|_| !self.benchmark.is_empty()) {
            if self.is_part {
                self.without_total.get_or_insert(line);
            } else if count.tool == Tool::Heap || *self.counting.get_or_insert(self.tool) == self.tool {
                return Some(count);
            }
        }
        None
    }

    fn end_of_tool(&mut self, sheet: &mut Sheet) {
        self.is_part = false;
        if let Some(line) = self.without_total.take() {
            sheet.lacks(line, self.benchmark, "total of its parts");
        }
    }
}

// The metrics of Gungraun: what it counts with Callgrind, Cachegrind and DHAT, and the labels under which it
// prints them.

/// The meanings of the metrics that most files have.
pub(super) const METRICS: &[Meaning] = &[
    Meaning::of("Ir", "instructions"),
    Meaning::of("EstimatedCycles", "cycles that the counts of the cache suggest"),
    Meaning::of("TotalRW", "reads and writes of memory"),
    Meaning::of("RamHits", "accesses that no cache served"),
    Meaning::of("L1hits", "accesses that the first cache served"),
    Meaning::of("LLhits", "accesses that the last cache served"),
];

/// What it prints in words, with the names in the JSON. The words of the caches depend on the version.
const WORDS: [(&str, &str); 16] = [
    ("Instructions", "Ir"),
    ("L1 Hits", "L1hits"),
    ("LL Hits", "LLhits"),
    ("L2 Hits", "LLhits"),
    ("RAM Hits", "RamHits"),
    ("Total read+write", "TotalRW"),
    ("Estimated Cycles", "EstimatedCycles"),
    ("I1 Miss Rate", "I1MissRate"),
    ("D1 Miss Rate", "D1MissRate"),
    ("LLi Miss Rate", "LLiMissRate"),
    ("LLd Miss Rate", "LLdMissRate"),
    ("LL Miss Rate", "LLMissRate"),
    ("L1 Hit Rate", "L1HitRate"),
    ("LL Hit Rate", "LLHitRate"),
    ("RAM Hit Rate", "RamHitRate"),
    ("Ram Hit Rate", "RamHitRate"),
];

/// What it prints of DHAT, with the names in the JSON.
const HEAP: [(&str, &str); 13] = [
    ("Total units", "TotalUnits"),
    ("Total events", "TotalEvents"),
    ("Total bytes", "TotalBytes"),
    ("Total blocks", "TotalBlocks"),
    ("At t-gmax bytes", "AtTGmaxBytes"),
    ("At t-gmax blocks", "AtTGmaxBlocks"),
    ("At t-end bytes", "AtTEndBytes"),
    ("At t-end blocks", "AtTEndBlocks"),
    ("Reads bytes", "ReadsBytes"),
    ("Writes bytes", "WritesBytes"),
    ("Total lifetimes", "TotalLifetimes"),
    ("Maximum bytes", "MaximumBytes"),
    ("Maximum blocks", "MaximumBlocks"),
];

/// The counts that it prints under their names in the JSON.
const NAMES: [&str; 23] = words!(
    "Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw SysCount SysTime SysCpuTime Ge Bc Bcm Bi Bim ILdmr DLdmr DLdmw \
     AcCost1 AcCost2 SpLoss1 SpLoss2"
);

/// What counted: a file can have the counts of several tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// Callgrind or Cachegrind.
    Instructions,
    /// DHAT.
    Heap,
}

/// A count that it prints.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count {
    /// The name of the metric.
    pub(super) name: &'static str,
    /// The new count.
    pub(super) value: f64,
    /// The tool that counted.
    pub(super) tool: Tool,
    /// Whether the label is in words, which other programs rarely print before a bar.
    in_words: bool,
}

/// Reads `Instructions:   1234|1200   (+2.83333%)`, before version 0.4 `Instructions:   1234 (+2.83333%)`: the label and
/// the new count.
pub(super) fn count(line: &str) -> Option<Count> {
    let (label, rest) = line.split_once(':')?;
    // Version 0.3 has neither bars nor other counts than the first words.
    let of = |labels: &[(&str, &'static str)]| {
        labels.iter().find(|(printed, _)| *printed == label).map(|(_, name)| *name)
    };
    let has_bar = rest.contains('|');
    let bare = || NAMES.iter().find(|name| has_bar && **name == label).copied();
    let (name, tool, in_words) = of(&WORDS)
        .filter(|name| has_bar || !name.ends_with("Rate"))
        .map(|name| (name, Tool::Instructions, true))
        .or_else(|| of(&HEAP).filter(|_| has_bar).map(|name| (name, Tool::Heap, true)))
        .or_else(|| bare().map(|name| (name, Tool::Instructions, false)))?;
    let new = rest.trim_start().split(['|', ' ']).next()?;
    Some(Count { name, value: number(new)?, tool, in_words })
}

/// Adds a count under its name in the JSON.
pub(super) fn push(sheet: &mut Sheet, benchmark: &str, name: &str, value: f64, line: u32) {
    let metric = sheet.metric(name, || metric(name));
    sheet.push(Measurement { benchmark, metric, value, line, ..ROW });
}

/// A metric by its name.
fn metric(name: &str) -> Metric {
    let primary = matches!(name, "Ir" | "EstimatedCycles");
    let count = Metric { primary, assumed_exact: true, ..Metric::new(name, "1", Quantity::Count) };
    let is_of_heap = HEAP.iter().any(|(_, known)| *known == name);
    match name {
        // More hits of a cache can be better or worse; a rate is no count.
        "L1hits" | "LLhits" => Metric { better: None, ..count },
        // An option decides whether they are nanoseconds, microseconds or milliseconds, and no clock is exact.
        "SysTime" | "SysCpuTime" => {
            let time = Metric::new(name, "", Quantity::Other).secondary();
            Metric { better: Some(Better::Lower), ..time }
        }
        _ if name.ends_with("Rate") => Metric::new(name, "%", Quantity::Other).secondary(),
        _ if is_of_heap && name.ends_with("Bytes") => {
            Metric { assumed_exact: true, ..Metric::new(name, "B", Quantity::Bytes).secondary() }
        }
        _ => count,
    }
}

// What Gungraun prints of the tool perf: events that the processor and the system counted, of one run or as
// means of samples.

/// An event of a benchmark.
pub(super) struct Event<'a> {
    name: &'a str,
    unit: &'a str,
    value: f64,
    /// The standard error of the mean, in percent of it.
    error: Option<f64>,
    samples: Option<f64>,
    /// Its line, or that of the last row of its samples.
    end: u32,
}

/// Whether a line without its indentation is the heading of the tool.
pub(super) fn is_heading(inner: &str) -> bool {
    inner.starts_with("=====") && inner.trim_matches('=').trim() == "PERF"
}

/// Reads the event of `task-clock/u [us]:   195.381|201.900  (-3.22858%) [-1.03336x]`. A row of the samples, right below, adds
/// to the last event.
pub(super) fn event<'a>(
    sheet: &mut Sheet,
    last: Option<&mut Event<'a>>,
    inner: &'a str,
    line: u32,
) -> Option<Event<'a>> {
    if let Some((label, new)) = of_samples(inner) {
        let event = last.filter(|event| event.end + 1 == line)?;
        event.end = line;
        if label == "samples" {
            event.samples = new;
        } else {
            event.error = new;
        }
        return None;
    }
    let (label, values) = inner.split_once(": ")?;
    let new = values.split_once('|')?.0.trim();
    if label == "Baselines" || new == "N/A" {
        return None;
    }
    let (name, unit) = label
        .strip_suffix(']')
        .and_then(|label| label.rsplit_once(" ["))
        .map_or((label, ""), |(name, unit)| (name.trim_end(), unit));
    let value = sheet.need_number(number(new), line, name, "", new)?;
    Some(Event { name, unit, value, error: None, samples: None, end: line })
}

/// The new number of a row of the samples: `samples   2083|N/A` or `rse% (sig.thr) [sig.fact]   0.08565|N/A`.
fn of_samples(inner: &str) -> Option<(&str, Option<f64>)> {
    let label = ["samples", "rse%"]
        .into_iter()
        .find(|label| inner.strip_prefix(label).is_some_and(|rest| rest.starts_with(' ')))?;
    let new = inner.split_once('|')?.0.rsplit(' ').next()?;
    Some((label, number(new)))
}

impl Event<'_> {
    /// Adds the value. Nothing that a real processor counts is exact.
    pub(super) fn push(&self, sheet: &mut Sheet, benchmark: &str, line: u32) {
        let meaning = meaning(self.unit);
        let (metric, scale) = if self.unit.is_empty() {
            (Metric::new(self.name, "1", Quantity::Count), Scale::Times(1.0))
        } else {
            (Metric::new(self.name, &meaning.base, meaning.quantity), meaning.scale)
        };
        let metric = sheet.metric_of(metric.secondary().never_exact());
        let value = scale.apply(self.value);
        let aggregate = self.samples.map(|samples| {
            let deviation = self.error.map(|error| error / 100.0 * value * samples.sqrt());
            Aggregate { count: Some(samples), deviation }
        });
        sheet.push(Measurement { benchmark, metric, value, line, aggregate, ..ROW });
    }
}
