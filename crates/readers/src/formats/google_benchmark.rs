//! Google Benchmark's JSON: a value for each repetition, averaged over its iterations.

use super::format::OWN_PROGRAM;
use super::json::{Fault, Parser, broken, push_scaled, stop_at_limit};
use super::names::{Part, pair, segments};
use super::outcomes::{FAILED, push_failed};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "google-benchmark",
    sign: "an object with `context` and with `benchmarks` that hold `real_time` and `time_unit`",
    harness: "Google Benchmark",
    export: "--benchmark_out=FILE --benchmark_out_format=json",
    values: Values::Averages,
    keys: &[&[
        Key::date("start of the run"),
        Key::environment("hostname", "name of the machine"),
        Key::environment("num_cpus", "number of processors"),
        Key::environment("cpu_scaling_enabled", "whether the clock rate of the processor varies"),
        Key::environment("aslr_enabled", "whether addresses are randomized"),
        Key::setting("executable", "program that was run"),
        Key::setting("library_build_type", "build of the library: debug or release"),
        Key::setting("library_version", "version of the library"),
        Key::setting("label", "label that the benchmark sets"),
    ]],
    metrics: METRICS,
    parts,
    fits: |head| {
        head.has_all(&["context", "benchmarks"])?;
        let any = ["benchmarks[].time_unit", "benchmarks[].error_occurred", "context.num_cpus"];
        let found = head.json()?;
        if any.iter().any(|path| found.at(path).is_some()) { Ok(()) } else { Err(No::Lacks(any[0])) }
    },
    read: Read::Sheets(|name, _, content, _| read(name, content)),
    ..Format::JSON
};

/// What the forms without a context share: the table and the CSV.
pub(super) const PRINTED: Format = Format {
    harness: "Google Benchmark",
    values: Values::Averages,
    keys: &[&[Key::setting("label", "label that the benchmark sets")]],
    // The JSON alone says of each repetition whether it failed.
    metrics: METRICS.split_at(4).0,
    parts,
    printed_by: OWN_PROGRAM,
    own_labels: &["CPU Caches", "Load Average"],
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

const METRICS: &[Meaning] = &[
    Meaning::of("real_time", "elapsed time of one iteration, the mean over a repetition"),
    Meaning::of("cpu_time", "processor time of one iteration, the mean over a repetition"),
    Meaning::of("bytes_per_second", "bytes that are processed per second"),
    Meaning::of("items_per_second", "items that are processed per second"),
    FAILED,
];

/// The fields of the context that become keys. The clock rate and the load differ from run to run.
const CONTEXT: [(&str, &str); 8] = [
    ("date", "date"),
    ("host_name", "hostname"),
    ("num_cpus", "num_cpus"),
    ("cpu_scaling_enabled", "cpu_scaling_enabled"),
    ("aslr_enabled", "aslr_enabled"),
    ("executable", "executable"),
    ("library_build_type", "library_build_type"),
    ("library_version", "library_version"),
];

/// The fields of a row that are no counters.
const FIELDS: [&str; 22] = words!(
    "name family_index per_family_instance_index run_name run_type repetitions repetition_index threads \
     iterations real_time cpu_time time_unit label aggregate_name aggregate_unit error_occurred \
     error_message skipped skip_message cpu_coefficient real_coefficient big_o"
);

fn read(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut parser = Span::new(&bytes, 1, content.budget.limits.values).parser(&mut sheet);
    let mut run = Run::default();
    // Scripts append the exports of several runs to one file: each is a process.
    let found = loop {
        match run.document(&mut parser) {
            Ok(rows) => std::mem::take(&mut run).end(parser.sheet(), rows)?,
            Err(fault) => break Err(fault),
        }
        if !parser.is_at_object() {
            break parser.ends();
        }
        parser.sheet().next_run();
    };
    if let Err(fault) = found {
        stop_at_limit(&fault, content)?;
        if fault.ends {
            // Repetitions or summaries of the last benchmark are missing.
            (sheet, run) = (Sheet::new(name), Run::default());
        }
        broken(&mut sheet, &fault);
        run.end(&mut sheet, Rows::Read)?;
    }
    Ok(vec![sheet])
}

/// What has become of the list of rows.
#[derive(Clone, Copy)]
enum Rows<'a> {
    Missing,
    Read,
    /// The context, which tells what they are, comes after them.
    Later(Span<'a>),
}

/// The configuration: the known fields, and those that users add with `--benchmark_context`, which are texts.
fn configuration(context: &Value<'_>) -> Context {
    let known = stated(context, &CONTEXT);
    let own = context
        .object()
        .into_iter()
        .flat_map(Object::iter)
        .filter(|(key, value)| value.text().is_some() && !CONTEXT.iter().any(|(field, _)| field == key));
    known.into_iter().chain(own.map(|(key, value)| (key.to_owned(), plain(value)))).collect()
}

#[derive(Default)]
struct Run {
    context: Context,
    found: Found,
    /// Whether only its name tells a summary from a repetition, as before version 1.5.
    by_name: bool,
    /// The label of the last repetition.
    label: Option<Context>,
    /// The repetitions that failed, each with its benchmark and its line.
    failed: Vec<(String, u32)>,
}

impl Run {
    /// Reads a document. If the context comes first, as Google Benchmark writes it, each row is read at once: a large
    /// file is gone through only once.
    fn document<'a>(&mut self, parser: &mut Parser<'a, '_>) -> Result<Rows<'a>, Fault> {
        let (mut rows, mut known) = (Rows::Missing, false);
        parser.entries(|parser, key, _| {
            match &*key {
                "context" => {
                    self.context = configuration(&parser.value()?);
                    known = true;
                }
                "benchmarks" if known && parser.is_at_list() => {
                    rows = Rows::Read;
                    parser.elements(|parser| {
                        let (line, row) = parser.value_with_line()?;
                        self.row(parser.sheet(), &row, line);
                        Ok(())
                    })?;
                }
                "benchmarks" => {
                    let span = parser.pass()?;
                    rows = if span.is_list() { Rows::Later(span) } else { Rows::Missing };
                }
                _ => {
                    parser.pass()?;
                }
            }
            Ok(())
        })?;
        Ok(rows)
    }

    /// Ends a document with what its rows say together.
    fn end(mut self, sheet: &mut Sheet, rows: Rows<'_>) -> io::Result<()> {
        match rows {
            Rows::Read => {}
            Rows::Later(rows) => rows.each(sheet, |sheet, row, line| self.row(sheet, row, line))?,
            Rows::Missing => {
                sheet.lacks(0, "the file", "list `benchmarks`");
            }
        }
        if self.by_name {
            let mut named = take_named(&mut self.found.summaries, u32::MAX);
            named.retain(|row| !self.found.repeated.contains_key(&row.benchmark));
            self.found.repetitions(sheet, named);
        }
        settle(sheet, &self.found);
        self.push_failed(sheet);
        Ok(())
    }

    /// Adds whether each repetition failed, for the benchmarks of which some did: those that ended would be judged alone.
    fn push_failed(&self, sheet: &mut Sheet) {
        let mut failed = BTreeMap::<&str, (u32, Vec<bool>)>::new();
        for (benchmark, line) in &self.failed {
            if let Some(ended) = self.found.repeated.get(benchmark) {
                failed.entry(benchmark).or_insert_with(|| (*line, vec![false; *ended])).1.push(true);
            }
        }
        if !failed.is_empty() {
            sheet.set_context(&self.context);
        }
        for (benchmark, (line, failed)) in failed {
            push_failed(sheet, Measurement { benchmark, line, process: Some(0), ..ROW }, &failed);
        }
    }

    fn row(&mut self, sheet: &mut Sheet, row: &Value<'_>, line: u32) {
        let text = |key: &str| row.text_of(key);
        let Some(name) = sheet.need(text("name"), line, "name") else { return };

        let benchmark = text("run_name").unwrap_or(name);
        if let Some((code, why)) = left_out(row) {
            if code == Code::MalformedRecord && text("run_type") != Some("aggregate") {
                self.failed.push((benchmark.to_owned(), line));
            }
            return sheet.no_result(code, line, name, why);
        }
        let summary = match text("run_type") {
            Some(kind) => (kind != "iteration").then_some(benchmark),
            None => summarized(name).filter(|of| self.found.is_summarized(of, name)),
        };
        self.by_name |= text("run_type").is_none();
        if is_fit(name) && row.get("real_time").is_none() {
            return;
        }
        let Some(scale) = time_scale(text("time_unit").unwrap_or_default()) else {
            return if summary.is_none() {
                sheet.lacks(line, name, "known time_unit");
            };
        };
        let label = stated(row, &[("label", "label")]);
        let context = |run: &Self| run.context.iter().chain(&label).cloned().collect::<Context>();
        if let Some(whole) = summary {
            let context = context(self);
            let kind = text("aggregate_name").unwrap_or_else(|| name.rsplit('_').next().unwrap_or(name));
            // Before 1.5 a summary has the iterations of a repetition, not the number of repetitions.
            let count = row.get("iterations").filter(|_| text("run_type").is_some());
            let count = count.and_then(|count| number_of(sheet, count, line));
            let fields = fields(row).filter_map(|(field, value)| {
                Some((field.to_owned(), scale_of(field, scale).apply(number_of(sheet, value, line)?)))
            });
            let (benchmark, kind, fields) = (whole.to_owned(), kind.to_owned(), fields.collect());
            return self.found.add_summary(Summary { benchmark, kind, count, context, line, fields });
        }
        self.found.add_repeated(benchmark);
        if self.label.as_ref() != Some(&label) {
            sheet.set_context(&context(self));
            self.label = Some(label);
        }
        for (field, value) in fields(row) {
            let metric = sheet.metric(field, || described(field));
            let row = Measurement { benchmark, metric, line, process: Some(0), ..ROW };
            push_scaled(sheet, row, value, scale_of(field, scale));
        }
    }
}

/// The times and counters of a row.
fn fields<'e>(row: &'e Value<'_>) -> impl Iterator<Item = (&'e str, &'e Value<'e>)> {
    let all = row.object().into_iter().flat_map(Object::unordered);
    let mut found: Vec<_> =
        all.filter(|(field, value)| is_time(field) || is_number(value) && !FIELDS.contains(field)).collect();
    found.sort_unstable_by_key(|(field, _)| *field);
    found.into_iter()
}

fn is_time(field: &str) -> bool {
    matches!(field, "real_time" | "cpu_time")
}

fn scale_of(field: &str, time: Scale) -> Scale {
    if is_time(field) { time } else { Scale::Times(1.0) }
}

fn is_number(value: &Value<'_>) -> bool {
    matches!(value, Value::Whole(_) | Value::Float(_) | Value::Digits(_))
        // Not a number, as Google Benchmark writes it.
        || matches!(value.text(), Some("NaN" | "Infinity" | "-Infinity"))
}

/// Why a row has no values, if it says so.
fn left_out<'e>(row: &'e Value<'_>) -> Option<(Code, &'e str)> {
    let set = |key: &str| row.get(key).is_some_and(|value| *value == Value::Bool(true));
    let why = |key: &str| row.text_of(key).unwrap_or_default();
    if set("error_occurred") {
        return Some((Code::MalformedRecord, why("error_message")));
    }
    set("skipped").then(|| (Code::NoResults, why("skip_message")))
}

/// The benchmark that a row with this name summarizes, judged by the name alone.
fn summarized(name: &str) -> Option<&str> {
    const SUMMARIES: [&str; 6] = ["_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"];
    SUMMARIES.iter().find_map(|end| name.strip_suffix(end))
}

/// The scale of a time unit.
pub(super) fn time_scale(unit: &str) -> Option<Scale> {
    let meaning = meaning(unit);
    (meaning.quantity == Quantity::Time).then_some(meaning.scale)
}

/// A metric by its field. What a counter of the user means is unknown.
pub(super) fn described(field: &str) -> Metric {
    match field {
        "real_time" | "cpu_time" => Metric::new(field, "s", Quantity::Time),
        "bytes_per_second" => Metric::new(field, "B/s", Quantity::Throughput).secondary(),
        "items_per_second" => Metric::new(field, "1/s", Quantity::Throughput).secondary(),
        "allocs_per_iter" => Metric::new(field, "1", Quantity::Count).secondary(),
        "max_bytes_used" | "total_allocated_bytes" => Metric::new(field, "B", Quantity::Bytes).secondary(),
        // A benchmark can free more than it allocates, and a number of bytes is never negative.
        "net_heap_growth" => {
            let growth = Metric::new(field, "B", Quantity::Other).secondary();
            Metric { better: Some(Better::Lower), ..growth }
        }
        _ => Metric::new(field, "", Quantity::Other).secondary(),
    }
}

// Benchmarks of which a file of Google Benchmark has only the mean and the deviation of the repetitions.

/// A row that summarizes: its values in base units by their fields.
pub(super) struct Summary {
    pub(super) benchmark: String,
    /// `mean`, `stddev` or another.
    pub(super) kind: String,
    pub(super) count: Option<f64>,
    pub(super) context: Context,
    pub(super) line: u32,
    pub(super) fields: Vec<(String, f64)>,
}

/// The benchmarks of a file as far as it is read.
#[derive(Default)]
pub(super) struct Found {
    /// The benchmarks whose repetitions the file has, and how many of them.
    repeated: HashMap<String, usize>,
    pub(super) summaries: Vec<Summary>,
    /// The benchmarks of the summaries.
    summarized: HashSet<String>,
}

impl Found {
    /// Whether a row with the name of a summary is one: its repetitions or other summaries precede it, or it is the mean,
    /// which comes first.
    fn is_summarized(&self, whole: &str, name: &str) -> bool {
        name.ends_with("_mean") || self.repeated.contains_key(whole) || self.summarized.contains(whole)
    }

    fn add_summary(&mut self, summary: Summary) {
        add(&mut self.summarized, &summary.benchmark);
        self.summaries.push(summary);
    }

    /// Adds a repetition of a benchmark.
    fn add_repeated(&mut self, benchmark: &str) {
        match self.repeated.get_mut(benchmark) {
            Some(count) => *count += 1,
            None => _ = self.repeated.insert(benchmark.to_owned(), 1),
        }
    }

    /// Adds the rows that only their names make summaries.
    fn repetitions(&mut self, sheet: &mut Sheet, named: Vec<Summary>) {
        for row in named {
            self.repetition(sheet, &format!("{}_{}", row.benchmark, row.kind), &row);
        }
    }

    /// Adds the values of a repetition.
    fn repetition(&mut self, sheet: &mut Sheet, benchmark: &str, row: &Summary) {
        self.add_repeated(benchmark);
        sheet.set_context(&row.context);
        for (column, value) in &row.fields {
            let metric = sheet.metric(column, || described(column));
            let (value, line, process) = (*value, row.line, Some(0));
            sheet.push(Measurement { benchmark, metric, value, line, process, ..ROW });
        }
    }
}

/// The rows of a run in a table, where nothing but its name tells a summary from a repetition.
#[derive(Default)]
pub(super) struct Table {
    pub(super) found: Found,
    /// Whether a summary is a coefficient of variation, as from version 1.6 on.
    has_variation: bool,
    pub(super) last_line: u32,
}

/// What a row has beside its name: its values in base units by their fields, its label, and its iterations.
pub(super) type Took = (Vec<(String, f64)>, Option<String>, Option<f64>);

impl Table {
    /// A table whose header is this line.
    pub(super) fn below(last_line: u32) -> Self {
        Self { last_line, ..Self::default() }
    }

    /// Adds a row with this scale of its times. `own` is the benchmark of a statistic that only the program knows. `read`
    /// takes the scale, and whether the row is a summary.
    pub(super) fn row(
        &mut self,
        sheet: &mut Sheet,
        (name, line): (&str, u32),
        scale: Option<Scale>,
        own: Option<&str>,
        read: impl FnOnce(&mut Sheet, Scale, bool) -> Took,
    ) {
        let summary = summarized(name).filter(|whole| self.found.is_summarized(whole, name)).or(own);
        self.has_variation |= summary.is_some() && name.ends_with("_cv");
        let Some(scale) = scale else {
            // The coefficient of variation is a share, and the fit of a complexity no time.
            return if summary.is_none() && !is_fit(name) {
                sheet.lacks(line, name, "known unit of time");
            };
        };
        let (fields, label, count) = read(sheet, scale, summary.is_some());
        let context = label.map(|label| ("label".to_owned(), label)).into_iter().collect();
        let kind = summary.map_or("", |whole| &name[whole.len() + 1..]).to_owned();
        let benchmark = summary.unwrap_or(name).to_owned();
        let row = Summary { benchmark, kind, count, context, line, fields };
        if summary.is_some() { self.found.add_summary(row) } else { self.found.repetition(sheet, name, &row) }
    }

    /// Ends the run.
    pub(super) fn end(mut self, sheet: &mut Sheet) {
        let named = take_named(&mut self.found.summaries, self.last_line);
        self.found.repetitions(sheet, named);
        // Before version 1.5 the iterations of a summary are those of one repetition, of which there can be millions.
        if !self.has_variation {
            self.found.summaries.iter_mut().for_each(|row| row.count = None);
        }
        settle(sheet, &self.found);
    }
}

fn add(names: &mut HashSet<String>, name: &str) {
    if !names.contains(name) {
        names.insert(name.to_owned());
    }
}

/// Whether a row is the fit of a complexity, which has no time.
fn is_fit(name: &str) -> bool {
    name.ends_with("_BigO") || name.ends_with("_RMS")
}

/// The other summaries of the repetitions that a mean summarizes: they follow it. Two benchmarks can have one name.
fn others(summaries: &[Summary], mean: usize) -> impl Iterator<Item = &Summary> {
    let benchmark = &summaries[mean].benchmark;
    let rest = summaries[mean + 1..].iter();
    rest.take_while(move |other| other.benchmark == *benchmark && other.kind != "mean")
}

/// Takes out the rows that only their names, such as `arithmetic_mean`, make means: rows follow, but no other summary.
/// Behind the last row the file may be cut.
fn take_named(summaries: &mut Vec<Summary>, last_line: u32) -> Vec<Summary> {
    let is_named = |place: usize| {
        let mean = &summaries[place];
        mean.kind == "mean" && mean.line < last_line && others(summaries, place).next().is_none()
    };
    let named: Vec<bool> = (0..summaries.len()).map(is_named).collect();
    let mut place = named.into_iter();
    summaries.extract_if(.., |_| place.next().unwrap_or(false)).collect()
}

const REPETITIONS: &str =
    "run it with --benchmark_report_aggregates_only=false, which writes the repetitions";

/// Adds the means of the benchmarks without repetitions, each with the deviation.
fn settle(sheet: &mut Sheet, Found { summaries, repeated, .. }: &Found) {
    let means = summaries.iter().filter(|summary| summary.kind == "mean");
    let mut known: HashSet<&str> = means.map(|mean| &*mean.benchmark).collect();
    for Summary { benchmark, kind, line, .. } in summaries {
        if !repeated.contains_key(benchmark) && known.insert(benchmark) {
            let (benchmark, kind) = (excerpt(benchmark), excerpt(kind));
            let what =
                format!("{benchmark} has aggregates such as its {kind}, but neither repetitions nor a mean");
            sheet.problem(Code::NoSamples, *line, what, REPETITIONS);
        }
    }
    for (place, mean) in summaries.iter().enumerate() {
        if mean.kind != "mean" || repeated.contains_key(&mean.benchmark) {
            continue;
        }
        let spread = others(summaries, place).find(|other| other.kind == "stddev");
        let spread = spread.map_or(&[][..], |summary| &summary.fields);
        sheet.set_context(&mean.context);
        for (field, value) in &mean.fields {
            let deviation = spread.iter().find(|(known, _)| known == field).map(|(_, deviation)| *deviation);
            let metric = sheet.metric(field, || described(field));
            let aggregate = Some(Aggregate { count: mean.count, deviation });
            let row = Measurement { benchmark: &mean.benchmark, metric, value: *value, aggregate, ..ROW };
            sheet.push(Measurement { line: mean.line, process: Some(0), ..row });
        }
    }
}

// The parts of Google Benchmark's names: `BM_Copy/size:64/8/min_time:0.5/iterations:9/real_time/threads:4`.

/// What the name says of the clock, after the arguments.
const TIMES: [&str; 3] = ["process_time", "real_time", "manual_time"];

/// Settings of the run, which are no arguments.
const SETTINGS: [&str; 5] = ["min_time", "min_warmup_time", "iterations", "repeats", "threads"];

/// The arguments by name or, without a name, by place (`arg1` is the first), and the settings.
pub(super) fn parts(name: &str, _keys: &[(&str, &str)]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut place = 0;
    let mut times: Option<Part> = None;
    for (number, segment) in (1..).zip(segments(name, "/")) {
        let (text, range) = (segment.text, segment.range.clone());
        if number > 1 && TIMES.contains(&text) {
            // The time of the process and the real time may stand side by side.
            times = Some(match times {
                Some(before) => {
                    Part::new("time_type", format!("{}/{text}", before.value), before.range.start..range.end)
                }
                None => Part::new("time_type", text, range.clone()),
            });
        } else if number > 1
            && let Some((key, value)) = pair(&segment, ':')
        {
            place += usize::from(!SETTINGS.contains(&key));
            parts.push(Part::new(key, value, range.clone()));
        } else if number > 1 && is_argument(text) {
            place += 1;
            parts.push(Part::new(format!("arg{place}"), text, range.clone()));
        }
        if !text.is_empty() {
            parts.push(Part::new(format!("name.{number}"), text, range));
        }
    }
    parts.extend(times);
    parts
}

fn is_argument(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_and_settings_are_told_apart() {
        let name = "BM<std::pair<int, 2>>/size:64/8/-1/min_time:0.500/process_time/real_time/threads:4";
        let found: Vec<(String, String)> = parts(name, &[])
            .into_iter()
            .filter(|part| !part.key.starts_with("name."))
            .map(|part| (part.key, part.value))
            .collect();
        let expected = [
            ("size", "64"),
            ("arg2", "8"),
            ("arg3", "-1"),
            ("min_time", "0.500"),
            ("threads", "4"),
            ("time_type", "process_time/real_time"),
        ];
        assert_eq!(found, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }
}
