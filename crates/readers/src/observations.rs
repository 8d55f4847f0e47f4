//! The table of all observations: every value of every file, with its metric and its origin.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;

use rayon::prelude::*;

use crate::context::{Context, Contexts};
use crate::limits::{Limits, within};
use crate::metric::{Better, Metric, Role};
use crate::pool::Pool;
use crate::problem::{Code, Problem};
use crate::sheet::{NONE, Sheet};
use crate::text::excerpt;

/// A file that was read.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its name as the user would write it.
    pub name: String,
    /// Which of the caller's arguments it came from.
    pub argument: usize,
    /// The format in which it was read; empty if it matches none.
    pub format: &'static str,
    /// The number of values read from it.
    pub values: usize,
}

/// The observations of all files, in the order of the arguments, files and lines.
#[derive(Debug, Default, Clone)]
pub struct Observations {
    /// Benchmark names.
    pub benchmarks: Pool,
    /// Metrics.
    pub metrics: Vec<Metric>,
    /// Configurations; each belongs to one source.
    pub contexts: Contexts,
    /// The source of each configuration.
    pub context_source: Vec<u32>,
    /// The configuration keys that are parameters of benchmarks: their values are different work.
    pub parameters: BTreeSet<String>,
    /// For each configuration, keys that parts of the names state which stay in them; empty where nobody asked.
    pub aside: Vec<Context>,
    /// Pairing keys.
    pub blocks: Pool,
    /// Files.
    pub sources: Vec<Source>,
    /// How many records of each file that could have held results were left out.
    pub lost: Vec<u64>,
    /// Problems, in the order of the files.
    pub problems: Vec<Problem>,
    /// The total number of problems of each kind.
    pub counts: BTreeMap<Code, u64>,
    /// Column: benchmark number.
    pub benchmark: Vec<u32>,
    /// Column: metric number.
    pub metric: Vec<u32>,
    /// Column: context number.
    pub context: Vec<u32>,
    /// Column: value in the base unit.
    pub value: Vec<f64>,
    /// Column: how many samples a value is the mean or another summary of, NaN where unknown; empty where each is one.
    pub weight: Vec<f64>,
    /// Column: standard deviation of these samples where the value is their mean, otherwise NaN; may be empty.
    pub deviation: Vec<f64>,
    /// Column: line of the file.
    pub line: Vec<u32>,
    /// Column: block number or [`NONE`]; empty where no format has blocks.
    pub block: Vec<u32>,
    /// Column: process number, unique over all files, or [`NONE`]; empty where no format records it.
    pub process: Vec<u32>,
    stated: BTreeMap<String, (Option<Better>, Option<bool>)>,
    /// Metrics by name and unit.
    known_metrics: HashMap<(String, String), u32>,
}

struct Remap {
    benchmark: Vec<u32>,
    metric: Vec<u32>,
    context: Vec<u32>,
    block: Vec<u32>,
    process_base: u32,
    line_base: u32,
}

impl Observations {
    /// Joins the sheets of all files. `files` holds each source with its sheets, in order.
    ///
    /// # Errors
    /// If a limit is exceeded.
    pub fn join(files: Vec<(Source, Vec<Sheet>)>, limits: &Limits) -> io::Result<Self> {
        let mut joined = Self::default();
        let mut parts: Vec<(Sheet, Remap)> = Vec::new();
        let mut processes = 0u32;
        for (mut source, sheets) in files {
            let source_id = joined.sources.len() as u32;
            source.values = sheets.iter().map(Sheet::len).sum();
            joined.sources.push(source);
            joined.lost.push(0);
            joined.contexts.begin();
            let mut line_base = 0u32;
            let process_base = processes;
            for mut sheet in sheets {
                if let Some(&last) = sheet.process.iter().filter(|&&p| p != NONE).max() {
                    processes = processes.max(process_base.saturating_add(last).saturating_add(1));
                }
                let remap = joined.adopt(&mut sheet, source_id, process_base, line_base);
                line_base = line_base.saturating_add(sheet.lines);
                parts.push((sheet, remap));
                joined.check(limits)?;
            }
        }
        let keys = joined.contexts.key_count() as u64;
        within(keys, limits.keys, "keys", "the results state too many configuration keys")?;
        joined.apply_statements();
        joined.fill(parts);
        joined.tell_failures();
        Ok(joined)
    }

    pub(crate) fn check(&self, limits: &Limits) -> io::Result<()> {
        let (metrics, contexts) = (self.metrics.len() as u64, self.contexts.len() as u64);
        within(metrics, limits.metrics, "metrics", "the results have too many metrics")?;
        within(contexts, limits.contexts, "contexts", "the results have too many configurations")
    }

    /// Adds the problems of files that were not read.
    pub fn say(&mut self, said: &mut Sheet) {
        self.problems.append(&mut said.problems);
        for (&code, &count) in &said.counts {
            *self.counts.entry(code).or_insert(0) += count;
        }
    }

    fn adopt(&mut self, sheet: &mut Sheet, source: u32, process_base: u32, line_base: u32) -> Remap {
        let benchmark = sheet.benchmarks.iter().map(|name| self.benchmarks.intern(name)).collect();
        let block = sheet.blocks.iter().map(|key| self.blocks.intern(key)).collect();
        let metric = sheet.metrics.iter().map(|metric| self.adopt_metric(metric)).collect();
        let context = self.contexts.adopt(&std::mem::take(&mut sheet.contexts));
        self.context_source.resize(self.contexts.len(), source);
        self.parameters.append(&mut sheet.parameters);
        self.note_statements(sheet);
        for problem in &mut sheet.problems {
            if problem.line > 0 {
                problem.line = problem.line.saturating_add(line_base);
            }
        }
        let lost = sheet.counts.iter().filter(|(code, _)| code.loses_data()).map(|(_, count)| count);
        self.lost[source as usize] += lost.sum::<u64>();
        self.say(sheet);
        Remap { benchmark, metric, context, block, process_base, line_base }
    }

    pub(crate) fn adopt_metric(&mut self, metric: &Metric) -> u32 {
        let key = (metric.name.clone(), metric.unit.clone());
        let next = self.metrics.len() as u32;
        let metrics = &mut self.metrics;
        *self.known_metrics.entry(key).or_insert_with(|| {
            metrics.push(metric.clone());
            next
        })
    }

    /// Collects what files state about metrics; the first statement counts, a contradiction is a problem.
    fn note_statements(&mut self, sheet: &mut Sheet) {
        for statement in std::mem::take(&mut sheet.statements) {
            let known = self.stated.entry(statement.metric.clone()).or_default();
            let contradicts = known.0.is_some_and(|b| statement.better.is_some_and(|s| s != b))
                || known.1.is_some_and(|e| statement.exact.is_some_and(|s| s != e));
            if contradicts {
                let what =
                    format!("this Unit line for {} contradicts an earlier one", excerpt(statement.metric));
                let hint = "the first statement is used. Make the Unit lines agree";
                sheet.problem(Code::Contradiction, statement.line, what, hint);
                continue;
            }
            known.0 = known.0.or(statement.better);
            known.1 = known.1.or(statement.exact);
        }
    }

    fn apply_statements(&mut self) {
        for metric in &mut self.metrics {
            if let Some(&(better, exact)) = self.stated.get(&metric.name) {
                metric.better = better.or(metric.better);
                metric.assumed_exact = exact.unwrap_or(metric.assumed_exact);
            }
        }
    }

    /// Has the metrics compared that state failures. Where nothing failed, nobody asks for them.
    pub(crate) fn tell_failures(&mut self) {
        if !self.metrics.iter().any(|metric| metric.role == Role::Validity) {
            return;
        }
        for (&metric, &value) in self.metric.iter().zip(&self.value) {
            let metric = &mut self.metrics[metric as usize];
            metric.primary |= metric.fails(value);
        }
    }

    fn fill(&mut self, parts: Vec<(Sheet, Remap)>) {
        let total: usize = parts.iter().map(|(sheet, _)| sheet.len()).sum();
        let blocks = parts.iter().any(|(sheet, _)| !sheet.block.is_empty());
        let processes = parts.iter().any(|(sheet, _)| !sheet.process.is_empty());
        self.benchmark = vec![0; total];
        self.metric = vec![0; total];
        self.context = vec![0; total];
        self.value = vec![0.0; total];
        self.line = vec![0; total];
        self.block = vec![0; if blocks { total } else { 0 }];
        self.process = vec![0; if processes { total } else { 0 }];
        let summaries = parts.iter().any(|(sheet, _)| !sheet.weight.is_empty());
        self.weight = vec![1.0; if summaries { total } else { 0 }];
        self.deviation = vec![f64::NAN; if summaries { total } else { 0 }];
        let mut slots = Vec::with_capacity(parts.len());
        {
            let (mut benchmark, mut metric, mut context) =
                (&mut self.benchmark[..], &mut self.metric[..], &mut self.context[..]);
            let (mut value, mut line) = (&mut self.value[..], &mut self.line[..]);
            let (mut block, mut process) = (&mut self.block[..], &mut self.process[..]);
            let (mut weight, mut deviation) = (&mut self.weight[..], &mut self.deviation[..]);
            for (sheet, remap) in parts {
                let n = sheet.len();
                let slot = Slot {
                    benchmark: benchmark.split_off_mut(..n).unwrap_or_default(),
                    metric: metric.split_off_mut(..n).unwrap_or_default(),
                    context: context.split_off_mut(..n).unwrap_or_default(),
                    value: value.split_off_mut(..n).unwrap_or_default(),
                    line: line.split_off_mut(..n).unwrap_or_default(),
                    block: block.split_off_mut(..if blocks { n } else { 0 }).unwrap_or_default(),
                    process: process.split_off_mut(..if processes { n } else { 0 }).unwrap_or_default(),
                    weight: weight.split_off_mut(..if summaries { n } else { 0 }).unwrap_or_default(),
                    deviation: deviation.split_off_mut(..if summaries { n } else { 0 }).unwrap_or_default(),
                };
                slots.push((slot, sheet, remap));
            }
            slots.into_par_iter().for_each(|(slot, sheet, remap)| slot.fill(&sheet, &remap));
        }
    }

    /// How many values summarise samples that the files do not have. Without deviations the weights are those of values
    /// that were measured.
    #[must_use]
    pub fn summaries(&self) -> usize {
        let weights = if self.deviation.is_empty() { &[][..] } else { &self.weight };
        weights.iter().filter(|weight| weight.is_nan() || **weight > 1.0).count()
    }

    /// How many values there are.
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

/// The positions of one sheet's values in the joined columns.
struct Slot<'a> {
    benchmark: &'a mut [u32],
    metric: &'a mut [u32],
    context: &'a mut [u32],
    value: &'a mut [f64],
    line: &'a mut [u32],
    block: &'a mut [u32],
    process: &'a mut [u32],
    weight: &'a mut [f64],
    deviation: &'a mut [f64],
}

impl Slot<'_> {
    fn fill(self, sheet: &Sheet, remap: &Remap) {
        translate(self.benchmark, &sheet.benchmark, &remap.benchmark);
        translate(self.metric, &sheet.metric, &remap.metric);
        translate(self.context, &sheet.context, &remap.context);
        self.value.copy_from_slice(&sheet.value);
        for (to, from) in self.line.iter_mut().zip(&sheet.line) {
            *to = from.saturating_add(remap.line_base);
        }
        translate(self.block, &sheet.block, &remap.block);
        self.process.fill(NONE);
        for (to, &from) in self.process.iter_mut().zip(&sheet.process) {
            *to = if from == NONE { NONE } else { from.saturating_add(remap.process_base) };
        }
        // Values after the last summary of a sheet keep the weight of a sample.
        for (to, from) in self.weight.iter_mut().zip(&sheet.weight) {
            *to = *from;
        }
        for (to, from) in self.deviation.iter_mut().zip(&sheet.deviation) {
            *to = *from;
        }
    }
}

fn translate(to: &mut [u32], from: &[u32], table: &[u32]) {
    if from.len() < to.len() {
        to.fill(NONE);
    }
    for (to, &from) in to.iter_mut().zip(from) {
        *to = table.get(from as usize).copied().unwrap_or(NONE);
    }
}
