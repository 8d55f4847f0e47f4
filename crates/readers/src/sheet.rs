//! What a reader writes: the columns of one file, or of one piece of a large one.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use crate::context::{Context, Contexts};
use crate::limits::Budget;
use crate::metric::{Better, Metric};
use crate::pool::Pool;
use crate::problem::{Code, Problem};
use crate::text;

/// No block, no process.
pub const NONE: u32 = u32::MAX;

/// Problems of one kind that are kept with their text, per sheet; the rest are counted.
const DETAILS_PER_CODE: usize = 200;

/// A statement of the file about a metric: `Unit ns/op better=lower`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The metric's name, tidied.
    pub metric: String,
    /// The direction, where stated.
    pub better: Option<Better>,
    /// Whether exact values are to be assumed, where stated.
    pub exact: Option<bool>,
    /// The line it stands on.
    pub line: u32,
}

/// One measured value, as a reader hands it over.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The benchmark's name.
    pub benchmark: &'a str,
    /// The number that [`Sheet::metric`] gave.
    pub metric: u32,
    /// The value, in the metric's base unit.
    pub value: f64,
    /// The line, counted from 1.
    pub line: u32,
    /// The pairing key, where the format has one.
    pub block: Option<&'a str>,
    /// The process that measured it, numbered within the file, where the format says.
    pub process: Option<u32>,
}

/// The columns of one file. Every reader fills one; nothing else leaves a reader.
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
    /// Pairing keys.
    pub blocks: Pool,
    /// What the file says about metrics.
    pub statements: Vec<Statement>,
    /// What was left out (the first of each kind in full).
    pub problems: Vec<Problem>,
    /// How many problems of each kind there were in all.
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
    /// Column: process number within the file, or empty where the format does not say.
    pub process: Vec<u32>,
    /// How many lines the piece has; later pieces of the same file count on from here.
    pub lines: u32,
    /// The context in force.
    current: u32,
    /// How many values were counted against the limit.
    counted: usize,
    known_metrics: HashMap<String, u32>,
}

impl Sheet {
    /// An empty sheet for a file of this name, with an empty context in force.
    #[must_use]
    pub fn new(source: &str) -> Self {
        let mut sheet = Self { source: source.to_owned(), ..Self::default() };
        sheet.set_context(&Context::new());
        sheet
    }

    /// Puts a configuration in force for the rows that follow.
    pub fn set_context(&mut self, context: &[(String, String)]) {
        self.current = self.contexts.intern(context);
    }

    /// The number of the metric with this name; `make` describes it when it is new.
    pub fn metric(&mut self, name: &str, make: impl FnOnce() -> Metric) -> u32 {
        if let Some(&id) = self.known_metrics.get(name) {
            return id;
        }
        let id = self.metrics.len() as u32;
        self.metrics.push(make());
        self.known_metrics.insert(name.to_owned(), id);
        id
    }

    /// Adds a value; a value that cannot be becomes a problem instead.
    pub fn push(&mut self, row: Row<'_>) {
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
            self.process.push(process);
        } else if !self.process.is_empty() {
            self.process.push(NONE);
        }
        self.push_ids(benchmark, row.metric, row.value, row.line);
    }

    /// Adds a value that was checked already, with its names as numbers.
    pub fn push_ids(&mut self, benchmark: u32, metric: u32, value: f64, line: u32) {
        self.benchmark.push(benchmark);
        self.metric.push(metric);
        self.context.push(self.current);
        self.value.push(value);
        self.line.push(line);
    }

    /// Whether the metric can have this value; if not, a problem is noted.
    pub fn can_be(&mut self, metric: u32, value: f64, line: u32, benchmark: &str) -> bool {
        let metric = &self.metrics[metric as usize];
        if !value.is_finite() {
            let what = format!("{} of {} is {value}", metric.name, text::excerpt(benchmark.as_bytes()));
            self.problem(
                Code::NotFinite,
                line,
                what,
                "a value that is not a finite number is never data; repeat the run",
            );
            return false;
        }
        if value < 0.0 && !metric.may_be_negative() {
            let what =
                format!("{} of {} is negative ({value})", metric.name, text::excerpt(benchmark.as_bytes()));
            self.problem(
                Code::Negative,
                line,
                what,
                "this quantity cannot be below zero; check the harness's clock and counters",
            );
            return false;
        }
        true
    }

    /// Notes something that was left out.
    pub fn problem(&mut self, code: Code, line: u32, what: impl Into<String>, hint: &'static str) {
        let count = self.counts.entry(code).or_insert(0);
        *count += 1;
        if *count as usize <= DETAILS_PER_CODE {
            let source = self.source.clone();
            self.problems.push(Problem { code, source, line, what: text::shortened(what.into()), hint });
        }
    }

    /// Takes the problems of another sheet.
    pub fn take_problems(&mut self, other: &mut Self) {
        self.problems.append(&mut other.problems);
        for (code, count) in other.counts.drain() {
            *self.counts.entry(code).or_insert(0) += count;
        }
    }

    /// Notes something about a whole file, under its own name.
    pub fn say(&mut self, code: Code, file: &Path, what: impl Into<String>, hint: &'static str) {
        self.source = text::name_of(file);
        self.problem(code, 0, what, hint);
    }

    /// The number that a text is; where a double cannot hold it exactly, that is noted.
    pub fn number(&mut self, digits: &[u8], line: u32) -> Option<f64> {
        let value = text::number(digits)?;
        if text::is_rounded(digits, value) {
            self.note_rounding(digits, line);
        }
        Some(value)
    }

    /// A whole number as a value; where a double cannot hold it exactly, that is noted.
    pub fn whole(&mut self, number: i128, line: u32) -> f64 {
        let value = number as f64;
        if number.unsigned_abs() > 1 << 53 && value as i128 != number {
            self.note_rounding(number.to_string().as_bytes(), line);
        }
        value
    }

    fn note_rounding(&mut self, digits: &[u8], line: u32) {
        let what = format!("{} has more digits than a value can hold; it was rounded", text::excerpt(digits));
        self.problem(Code::Rounded, line, what, "values are doubles, exact up to 2^53; write a larger unit");
    }

    /// Counts the values that came since the last call.
    ///
    /// # Errors
    /// When all files together hold too many.
    pub fn count(&mut self, budget: &Budget) -> io::Result<()> {
        let new = self.len() - self.counted;
        self.counted = self.len();
        budget.take_values(new as u64)
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.value.len()
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.value.is_empty()
    }
}
