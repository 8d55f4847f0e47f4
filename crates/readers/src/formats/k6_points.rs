//! k6's points: a value of a metric with its tags. Values of trends and gauges are samples; counters and rates are
//! added up over each whole second.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;

use foldhash::fast::FixedState;

use super::k6_metrics::{Definition, KEYS, Kind};
use super::parameters;
use crate::context::Context;
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::{Code, Sheet};

/// The benchmark of points that no tag names.
pub(super) const UNNAMED: &str = "requests";

/// The tags of a point as numbers of a sheet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tags {
    benchmark: u32,
    context: u32,
    /// The configuration without the outcome of a request: a share of failures is one over all outcomes.
    work: u32,
}

/// A metric of a sheet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    metric: u32,
    definition: Definition,
    /// Whether 0 stands for what did not take place.
    zero_is_none: bool,
}

/// The sum and the number of the points of a metric and a configuration in a second, and the line of the first.
#[derive(Debug, Clone, Copy, Default)]
struct Total {
    sum: f64,
    count: u32,
    line: u32,
}

/// The most seconds of a series. Real tests last hours; wrong times can be centuries apart.
const LONGEST: i64 = 1_000_000;

/// The points of a file, or of a piece of it.
pub(super) struct Intake {
    pub(super) sheet: Sheet,
    /// By the number of definitions before them, metric, benchmark, configuration and second.
    totals: HashMap<(u32, u32, u32, u32, i64), Total, FixedState>,
    /// The names that were defined so far. Until it is known which of them begin a run, their number stands for it.
    defined: Vec<String>,
    definitions: Vec<Definition>,
    /// The metrics without a definition.
    unknown: BTreeSet<String>,
}

impl Intake {
    pub(super) fn new(name: &str) -> Self {
        Self {
            sheet: Sheet::new(name),
            totals: HashMap::default(),
            defined: Vec::new(),
            definitions: Vec::new(),
            unknown: BTreeSet::new(),
        }
    }

    /// Takes a definition, of which each run has one. If it is the second, another run was appended.
    pub(super) fn define(&mut self, name: &str) {
        self.defined.push(name.to_owned());
    }

    /// The metric with this name.
    pub(super) fn slot(&mut self, name: &str, definition: Definition) -> Slot {
        let metric = self.sheet.metric(name, || definition.metric(name, ""));
        self.definitions.resize(self.sheet.metrics.len(), definition);
        // A request on a connection that was open makes none.
        let zero_is_none = matches!(name, "http_req_connecting" | "http_req_tls_handshaking");
        Slot { metric, definition, zero_is_none }
    }

    /// Notes a metric that is not defined, once.
    pub(super) fn undefined(&mut self, name: &str, line: u32, hint: &'static str) {
        if self.unknown.len() < 1000 && self.unknown.insert(name.to_owned()) {
            let what = format!("nothing says what the metric {} is", crate::text::excerpt(name.as_bytes()));
            self.sheet.problem(Code::NoSamples, line, what, hint);
        }
    }

    /// The numbers of a point's tags.
    pub(super) fn tags(&mut self, tags: &[(&str, &str)]) -> Tags {
        let get = |name: &str| tags.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| *value);
        let (name, method) = (get("name"), get("method"));
        let named = [get("check"), get("scenario"), UNNAMED];
        let named = named.iter().find(|text| !text.is_empty()).copied().unwrap_or(UNNAMED);
        let benchmark = match (name, method) {
            ("", _) => named.to_owned(),
            (name, "") => name.to_owned(),
            (name, method) => format!("{method} {name}"),
        };
        let (mut context, mut work) = (Context::new(), Context::new());
        for &(key, value) in tags.iter().filter(|(key, value)| !value.is_empty() && !is_left_out(key)) {
            let before = context.len();
            if KEYS.iter().any(|known| known.name == key) {
                context.push((key.to_owned(), value.to_owned()));
            } else {
                parameters::add(&mut self.sheet, &mut context, key, value.to_owned());
            }
            if !matches!(key, "status" | "error_code") {
                work.extend_from_slice(&context[before..]);
            }
        }
        let benchmark = self.sheet.benchmarks.intern(&benchmark);
        let (context, work) = (self.sheet.contexts.intern(&context), self.sheet.contexts.intern(&work));
        Tags { benchmark, context, work }
    }

    /// Takes a point.
    pub(super) fn point(&mut self, slot: Slot, tags: Tags, value: f64, time: Option<i64>, line: u32) {
        let Slot { metric, definition, zero_is_none } = slot;
        if value == 0.0 && zero_is_none {
            return self.sheet.dropped(1);
        }
        if matches!(definition.kind, Kind::Trend | Kind::Gauge) {
            return self.sample(metric, tags, definition.scale().apply(value), line);
        }
        let Some(time) = time else {
            let what = "a point without a time that can be read";
            return self.sheet.problem(Code::MalformedRecord, line, what, "is it a file of k6?");
        };
        let second = time.div_euclid(1_000_000_000);
        let defined = self.defined.len() as u32;
        let total = self.totals.entry((defined, metric, tags.benchmark, tags.work, second)).or_default();
        total.line = if total.line == 0 { line } else { total.line };
        total.count += 1;
        // k6 counts every value but 0 as a success.
        let is_rate = definition.kind == Kind::Rate;
        total.sum += if is_rate { f64::from(u8::from(value != 0.0)) } else { value };
    }

    fn sample(&mut self, metric: u32, tags: Tags, value: f64, line: u32) {
        let sheet = &mut self.sheet;
        let is_sound =
            value.is_finite() && (value >= 0.0 || sheet.metrics[metric as usize].may_be_negative());
        if !is_sound {
            let benchmark = sheet.benchmarks.get(tags.benchmark).to_owned();
            if !sheet.can_be(metric, value, line, &benchmark) {
                return;
            }
        }
        sheet.push_ids(tags.benchmark, metric, value, line);
        sheet.process.push(self.defined.len() as u32);
        if let Some(last) = sheet.context.last_mut() {
            *last = tags.context;
        }
    }
}

/// Whether a tag says nothing of what was measured: it is in the benchmark's name, or differs from request to request.
fn is_left_out(key: &str) -> bool {
    matches!(key, "name" | "method" | "check" | "url" | "expected_response" | "error" | "vu" | "iter" | "ip")
}

/// Joins the pieces of a file, and adds the rates and shares of each whole second to the first. The first and the last
/// second of a series are not whole.
///
/// # Errors
/// If all files together hold too many values.
pub(super) fn settle(pieces: Vec<Intake>, content: &Content) -> io::Result<Vec<Sheet>> {
    let runs = runs(&pieces);
    let all = joined(&pieces, &runs);
    let mut sheets: Vec<Sheet> = of_runs(pieces, &runs);
    let Some(sheet) = sheets.first_mut() else { return Ok(sheets) };
    for (series, (definition, seconds)) in all {
        series.push(sheet, definition, &seconds);
        sheet.count(&content.budget)?;
    }
    Ok(sheets)
}

/// A run, a metric, a benchmark and a configuration, by their names: their numbers differ from piece to piece.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Series {
    run: u32,
    name: String,
    benchmark: String,
    context: Context,
}

type Seconds = BTreeMap<i64, Total>;

impl Series {
    /// Adds a value a second. In a second without points nothing was done, which is no share.
    fn push(self, sheet: &mut Sheet, definition: Definition, seconds: &Seconds) {
        let (Some((&first, start)), Some((&last, end))) =
            (seconds.first_key_value(), seconds.last_key_value())
        else {
            return;
        };
        if last.saturating_sub(first) > LONGEST {
            return sheet.dropped(seconds.values().map(|total| total.count as usize).sum());
        }
        sheet.dropped(start.count as usize + if last > first { end.count as usize } else { 0 });
        let metric = sheet.metric(&self.name, || definition.metric(&self.name, ""));
        sheet.set_context(&self.context);
        let is_rate = definition.kind == Kind::Rate;
        let mut line = start.line;
        for second in first + 1..last {
            let Some(total) = seconds.get(&second).copied().or((!is_rate).then_some(Total::default())) else {
                continue;
            };
            let count = f64::from(total.count);
            line = if total.line == 0 { line } else { total.line };
            sheet.push(Measurement {
                benchmark: &self.benchmark,
                metric,
                value: if is_rate { total.sum / count } else { total.sum },
                line,
                process: Some(self.run),
                aggregate: Some(Aggregate { count: is_rate.then_some(count), deviation: None }),
                ..Measurement::default()
            });
        }
    }
}

/// The run after each number of definitions.
fn runs(pieces: &[Intake]) -> Vec<u32> {
    let (mut runs, mut run, mut known) = (vec![0], 0, HashSet::new());
    for name in pieces.iter().flat_map(|piece| &piece.defined) {
        if !known.insert(name) {
            known = HashSet::from([name]);
            run += 1;
        }
        runs.push(run);
    }
    runs
}

/// The sheets, with runs in the place of definitions.
fn of_runs(pieces: Vec<Intake>, mut runs: &[u32]) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    for mut piece in pieces {
        for process in &mut piece.sheet.process {
            *process = runs[*process as usize];
        }
        runs = &runs[piece.defined.len()..];
        sheets.push(piece.sheet);
    }
    sheets
}

/// The totals of all pieces, with the lines of the file.
fn joined(pieces: &[Intake], mut runs: &[u32]) -> BTreeMap<Series, (Definition, Seconds)> {
    let mut all: BTreeMap<Series, (Definition, Seconds)> = BTreeMap::new();
    let mut lines = 0_u32;
    for piece in pieces {
        let sheet = &piece.sheet;
        for (&(defined, metric, benchmark, context, second), total) in &piece.totals {
            let series = Series {
                run: runs[defined as usize],
                name: sheet.metrics[metric as usize].name.clone(),
                benchmark: sheet.benchmarks.get(benchmark).to_owned(),
                context: sheet.contexts.to_context(context as usize),
            };
            let definition = piece.definitions[metric as usize];
            let line = lines.saturating_add(total.line);
            let (_, seconds) = all.entry(series).or_insert((definition, Seconds::new()));
            let known = seconds.entry(second).or_insert(Total { line, ..Total::default() });
            known.line = known.line.min(line);
            (known.sum, known.count) = (known.sum + total.sum, known.count.saturating_add(total.count));
        }
        runs = &runs[piece.defined.len()..];
        lines = lines.saturating_add(sheet.lines);
    }
    all
}
