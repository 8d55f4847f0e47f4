//! The sheet that a reader fills: the columns of one file, or of one piece of a large file.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::Path;

use foldhash::fast::FixedState;

use crate::context::{Context, Contexts};
use crate::limits::Budget;
use crate::metric::{Better, Metric};
use crate::pool::Pool;
use crate::problem::{Code, Problem};
use crate::text;

/// No block, no process.
pub const NONE: u32 = u32::MAX;

/// Problems of one kind that a sheet keeps in full; the others are counted.
const DETAILS_PER_CODE: usize = 200;

/// A statement of a file about a metric: `Unit ns/op better=lower`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The tidied name of the metric.
    pub metric: String,
    /// The direction, where stated.
    pub better: Option<Better>,
    /// Whether the values are stated to be exact, if stated.
    pub exact: Option<bool>,
    /// The line of the statement.
    pub line: u32,
}

/// One measured value, as a reader supplies it.
#[derive(Debug, Clone, Copy)]
pub struct Measurement<'a> {
    /// The benchmark's name.
    pub benchmark: &'a str,
    /// The number returned by [`Sheet::metric`].
    pub metric: u32,
    /// The value, in the metric's base unit.
    pub value: f64,
    /// The line, counted from 1.
    pub line: u32,
    /// The pairing key, where the format has one.
    pub block: Option<&'a str>,
    /// The process that measured it, numbered within the file, if the format records it.
    pub process: Option<u32>,
    /// What the file states about the samples, if the value is a summary of samples that the file does not have.
    pub aggregate: Option<Aggregate>,
}

/// A row to which a reader adds what it knows.
pub const ROW: Measurement<'static> = Measurement {
    benchmark: "",
    metric: 0,
    value: 0.0,
    line: 0,
    block: None,
    process: None,
    aggregate: None,
};

/// The samples of which a value is a summary: a mean, a median, a percentile, a throughput.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Aggregate {
    /// The number of samples, where the file states it.
    pub count: Option<f64>,
    /// The standard deviation of the samples, in the metric's base unit. Only a mean has one: it states that the value is
    /// the mean. Leave it out for a median or a percentile.
    pub deviation: Option<f64>,
}

impl Aggregate {
    /// One sample, which summarises itself.
    pub const ONE: Self = Self { count: Some(1.0), deviation: None };
}

/// The columns of one file. A sheet is the only output of a reader.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The file's name, for messages.
    pub source: String,
    /// Benchmark names.
    pub benchmarks: Pool,
    /// Metrics in the order of their first appearance.
    pub metrics: Vec<Metric>,
    /// Distinct configurations.
    pub contexts: Contexts,
    /// The configuration keys that are parameters of benchmarks: their values are different work.
    pub parameters: BTreeSet<String>,
    /// Pairing keys.
    pub blocks: Pool,
    /// Statements of the file about metrics.
    pub statements: Vec<Statement>,
    /// Problems (the first of each kind in full).
    pub problems: Vec<Problem>,
    /// The total number of problems of each kind.
    pub counts: HashMap<Code, u64>,
    /// Column: benchmark number.
    pub benchmark: Vec<u32>,
    /// Column: metric number.
    pub metric: Vec<u32>,
    /// Column: context number.
    pub context: Vec<u32>,
    /// Column: value.
    pub value: Vec<f64>,
    /// Column: line.
    pub line: Vec<u32>,
    /// Column: block number, or empty where the format has none.
    pub block: Vec<u32>,
    /// Column: process number within the file, or empty where the format does not record it.
    pub process: Vec<u32>,
    /// Column: number of samples that a value summarises, NaN if unknown, 1 for a sample; empty if all are samples.
    pub weight: Vec<f64>,
    /// Column: standard deviation of these samples where the value is their mean, otherwise NaN; as long as `weight`.
    pub deviation: Vec<f64>,
    /// The number of lines of the piece; later pieces of the same file continue the count.
    pub lines: u32,
    /// The lines that are no results, with their numbers, where the reader keeps them: a large file is not read again
    /// for the headings of its runs.
    pub(crate) beside: Option<Vec<(u32, String)>>,
    /// The current context.
    current: u32,
    /// The first number of a process of the run that is being read, and of the run after it.
    first_process: u32,
    next_process: u32,
    /// The number of values already counted against the limit.
    counted: usize,
    known_metrics: HashMap<String, u32, FixedState>,
}

impl Sheet {
    /// Creates an empty sheet for a file of this name, with an empty current context.
    #[must_use]
    pub fn new(source: &str) -> Self {
        let mut sheet = Self { source: source.to_owned(), ..Self::default() };
        sheet.set_context(&Context::new());
        sheet
    }

    /// Sets the configuration of the rows that follow.
    pub fn set_context(&mut self, context: &[(String, String)]) {
        self.current = self.contexts.intern(context);
    }

    /// Begins another run that was appended to the file: its processes are others. Returns whether there were values of
    /// processes since the last call.
    pub fn next_run(&mut self) -> bool {
        let is_another = self.next_process > self.first_process;
        self.first_process = self.next_process;
        is_another
    }

    /// Returns the number of the metric with this name; `make` describes a new one.
    pub fn metric(&mut self, name: &str, make: impl FnOnce() -> Metric) -> u32 {
        if let Some(&id) = self.known_metrics.get(name) {
            return id;
        }
        let id = self.metrics.len() as u32;
        self.metrics.push(make());
        self.known_metrics.insert(name.to_owned(), id);
        id
    }

    /// Returns the number of a metric whose unit the file states with each value: two metrics of one name but of
    /// different units remain two.
    pub fn metric_of(&mut self, metric: Metric) -> u32 {
        self.metric(&format!("{}\0{}", metric.name, metric.unit), || metric)
    }

    /// Adds a value; an impossible value becomes a problem instead.
    pub fn push(&mut self, row: Measurement<'_>) {
        if !self.can_be(row.metric, row.value, row.line, row.benchmark) {
            return;
        }
        let benchmark = self.benchmarks.intern(row.benchmark);
        if let Some(block) = row.block {
            self.block.resize(self.value.len(), NONE);
            let block = self.blocks.intern(block);
            self.block.push(block);
        } else if !self.block.is_empty() {
            self.block.push(NONE);
        }
        if let Some(process) = row.process {
            self.process.resize(self.value.len(), NONE);
            let process = self.first_process.saturating_add(process);
            self.next_process = self.next_process.max(process.saturating_add(1));
            self.process.push(process);
        } else if !self.process.is_empty() {
            self.process.push(NONE);
        }
        self.summarise(row.aggregate);
        self.push_ids(benchmark, row.metric, row.value, row.line);
    }

    /// Takes what is known about the samples of the next value.
    #[inline]
    pub(crate) fn summarise(&mut self, aggregate: Option<Aggregate>) {
        if aggregate.is_some() || !self.weight.is_empty() {
            self.weigh(aggregate);
        }
    }

    fn weigh(&mut self, aggregate: Option<Aggregate>) {
        self.weight.resize(self.value.len(), 1.0);
        self.deviation.resize(self.value.len(), f64::NAN);
        let known = |number: Option<f64>, least: f64| number.filter(|n| n.is_finite() && *n >= least);
        let (count, deviation) = aggregate
            .map_or((Some(1.0), None), |summary| (known(summary.count, 1.0), known(summary.deviation, 0.0)));
        self.weight.push(count.unwrap_or(f64::NAN));
        self.deviation.push(deviation.unwrap_or(f64::NAN));
    }

    /// Adds a value that was already checked, with its names as numbers.
    #[inline]
    pub fn push_ids(&mut self, benchmark: u32, metric: u32, value: f64, line: u32) {
        self.benchmark.push(benchmark);
        self.metric.push(metric);
        self.context.push(self.current);
        self.value.push(value);
        self.line.push(line);
    }

    /// Makes room for so many rows without blocks, processes and summaries: what grows is moved again and again.
    pub(crate) fn reserve(&mut self, rows: usize) {
        for column in [&mut self.benchmark, &mut self.metric, &mut self.context, &mut self.line] {
            column.reserve(rows);
        }
        self.value.reserve(rows);
    }

    /// Completes the rows whose metrics and values were added to their columns: all are of this benchmark and line.
    #[inline]
    pub(crate) fn complete(&mut self, benchmark: u32, line: u32) {
        let rows = self.value.len();
        self.benchmark.resize(rows, benchmark);
        self.context.resize(rows, self.current);
        self.line.resize(rows, line);
    }

    /// Whether the metric can have this value; records a problem if not.
    pub fn can_be(&mut self, metric: u32, value: f64, line: u32, benchmark: &str) -> bool {
        let metric = &self.metrics[metric as usize];
        if !value.is_finite() {
            let what = format!("{} of {} is {value}", metric.name, text::excerpt(benchmark));
            self.problem(Code::NotFinite, line, what, "values must be finite numbers. Repeat the run");
            return false;
        }
        if value < 0.0 && !metric.may_be_negative() {
            let what = format!("{} of {} is negative ({value})", metric.name, text::excerpt(benchmark));
            self.problem(
                Code::Negative,
                line,
                what,
                "this quantity cannot be below zero. Check the harness's clock and counters",
            );
            return false;
        }
        true
    }

    /// Records that a record is malformed.
    pub fn malformed(&mut self, line: u32, what: impl Into<String>, hint: &'static str) {
        self.problem(Code::MalformedRecord, line, what, hint);
    }

    /// Records a problem.
    pub fn problem(&mut self, code: Code, line: u32, what: impl Into<String>, hint: &'static str) {
        let count = self.counts.entry(code).or_insert(0);
        *count += 1;
        if *count as usize <= DETAILS_PER_CODE {
            let source = self.source.clone();
            self.problems.push(Problem { code, source, line, what: text::shortened(what.into()), hint });
        }
    }

    /// Counts numbers that were left out because the harness writes them where it has no value, such as a latency of 0.
    pub fn dropped(&mut self, count: usize) {
        if count > 0 {
            *self.counts.entry(Code::Placeholder).or_insert(0) += count as u64;
        }
    }

    /// Moves the problems of another sheet here.
    pub fn take_problems(&mut self, other: &mut Self) {
        self.problems.append(&mut other.problems);
        for (code, count) in other.counts.drain() {
            *self.counts.entry(code).or_insert(0) += count;
        }
    }

    /// Records a problem of a whole file, under its own name.
    pub fn say(&mut self, code: Code, file: &Path, what: impl Into<String>, hint: &'static str) {
        self.source = text::name_of(file);
        self.problem(code, 0, what, hint);
    }

    /// Parses a number; records a problem if a double cannot hold it exactly.
    #[inline]
    pub fn number(&mut self, digits: &[u8], line: u32) -> Option<f64> {
        let value = text::number(digits)?;
        if text::is_rounded(digits, value) {
            self.note_rounding(digits, line);
        }
        Some(value)
    }

    /// Converts an integer to a value; records a problem if a double cannot hold it exactly.
    pub fn whole(&mut self, number: i128, line: u32) -> f64 {
        let value = number as f64;
        if number.unsigned_abs() > 1 << 53 && value as i128 != number {
            self.note_rounding(number.to_string().as_bytes(), line);
        }
        value
    }

    fn note_rounding(&mut self, digits: &[u8], line: u32) {
        let what = format!("{} has more digits than a value can hold; it was rounded", text::excerpt(digits));
        self.problem(Code::Rounded, line, what, "values are doubles, exact up to 2^53. Use a larger unit");
    }

    /// Counts the values added since the last call against the limit.
    ///
    /// # Errors
    /// If all files together hold too many.
    pub fn count(&mut self, budget: &Budget) -> io::Result<()> {
        let new = self.len() - self.counted;
        self.counted = self.len();
        budget.take_values(new as u64)
    }

    /// Keeps the values of these lines.
    pub(crate) fn keep_lines(&mut self, is_kept: impl Fn(u32) -> bool) {
        let kept: Vec<bool> = self.line.iter().map(|line| is_kept(*line)).collect();
        for column in [&mut self.benchmark, &mut self.metric, &mut self.context, &mut self.line] {
            keep(column, &kept);
        }
        for column in [&mut self.block, &mut self.process] {
            keep(column, &kept);
        }
        for column in [&mut self.value, &mut self.weight, &mut self.deviation] {
            keep(column, &kept);
        }
        self.counted = self.counted.min(self.len());
    }

    /// The number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.value.len()
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.value.is_empty()
    }
}

/// Keeps these rows of a column, which can be empty.
fn keep<T>(column: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    column.retain(|_| kept.next().is_none_or(|kept| *kept));
}
