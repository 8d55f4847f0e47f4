//! Observations from columns that stand in memory: another way in than files, for whoever has measured already.

use std::io;

use crate::context::Context;
use crate::limits::{Limits, within};
use crate::metric::Metric;
use crate::observations::{Observations, Source};
use crate::sheet::NONE;

/// The format of sources whose columns stand in memory.
pub(crate) const IN_MEMORY: &str = "columns";

/// The columns, and the tables that their numbers point into. Numbers count from 0.
#[derive(Debug, Default)]
pub struct Columns {
    /// Where values come from, and the number of the caller's argument that each belongs to.
    pub sources: Vec<(String, usize)>,
    /// Configurations, each with the number of its source; sources in ascending order.
    pub contexts: Vec<(u32, Context)>,
    /// Names of benchmarks.
    pub benchmarks: Vec<String>,
    /// Metrics.
    pub metrics: Vec<Metric>,
    /// Pairing keys.
    pub blocks: Vec<String>,
    /// Column: benchmark.
    pub benchmark: Vec<u32>,
    /// Column: metric.
    pub metric: Vec<u32>,
    /// Column: configuration.
    pub context: Vec<u32>,
    /// Column: value, in the metric's base unit.
    pub value: Vec<f64>,
    /// Column: how many samples a value is the mean of; empty where each is one.
    pub weight: Vec<f64>,
    /// Column: pairing key or [`NONE`]; empty where there are none.
    pub block: Vec<u32>,
    /// Column: process or run, unique over all sources, or [`NONE`]; empty where nobody knows.
    pub process: Vec<u32>,
}

impl Observations {
    /// Takes columns as they are.
    ///
    /// # Errors
    /// Where a column has another length, a number points nowhere, a value is none, or the limits are exceeded.
    pub fn of_columns(columns: Columns, limits: &Limits) -> io::Result<Self> {
        check(&columns).map_err(io::Error::other)?;
        within(columns.value.len() as u64, limits.values, "values", "the results hold too many values")?;
        let mut made = Self::default();
        for (name, argument) in columns.sources {
            made.sources.push(Source { name, argument, format: IN_MEMORY, values: 0 });
        }
        let benchmark: Vec<u32> =
            columns.benchmarks.iter().map(|name| made.benchmarks.intern(name)).collect();
        let block: Vec<u32> = columns.blocks.iter().map(|key| made.blocks.intern(key)).collect();
        let metric: Vec<u32> = columns.metrics.iter().map(|metric| made.adopt_metric(metric)).collect();
        let context: Vec<u32> =
            columns.contexts.iter().map(|(source, keys)| made.adopt_context(*source, keys)).collect();
        made.check(limits)?;
        let renumbered = |column: &[u32], table: &[u32]| -> Vec<u32> {
            column.iter().map(|&number| table.get(number as usize).copied().unwrap_or(NONE)).collect()
        };
        made.benchmark = renumbered(&columns.benchmark, &benchmark);
        made.metric = renumbered(&columns.metric, &metric);
        made.context = renumbered(&columns.context, &context);
        made.block = renumbered(&columns.block, &block);
        made.line = vec![0; columns.value.len()];
        (made.value, made.weight, made.process) = (columns.value, columns.weight, columns.process);
        for row in 0..made.value.len() {
            let source = made.context_source[made.context[row] as usize];
            made.sources[source as usize].values += 1;
        }
        made.tell_failures();
        Ok(made)
    }

    /// The number of a configuration, which belongs to one source.
    fn adopt_context(&mut self, source: u32, keys: &Context) -> u32 {
        if self.context_source.last().is_some_and(|&last| last != source) {
            self.contexts.begin();
        }
        let number = self.contexts.intern(keys);
        self.context_source.resize(self.contexts.len(), source);
        number
    }
}

fn check(columns: &Columns) -> Result<(), String> {
    let rows = columns.value.len();
    let held = |name: &str, column: &[u32], table: usize, optional: bool| {
        if column.len() != rows && !(optional && column.is_empty()) {
            return Err(format!("the column {name} has {} values, and there are {rows}", column.len()));
        }
        let known = |&number: &u32| (number as usize) < table || optional && number == NONE;
        match column.iter().position(|number| !known(number)) {
            Some(row) => Err(format!("row {row}: there is no {name} {}, but {table} of them", column[row])),
            None => Ok(()),
        }
    };
    held("benchmark", &columns.benchmark, columns.benchmarks.len(), false)?;
    held("metric", &columns.metric, columns.metrics.len(), false)?;
    held("context", &columns.context, columns.contexts.len(), false)?;
    held("block", &columns.block, columns.blocks.len(), true)?;
    held("process", &columns.process, NONE as usize, true)?;
    let sources: Vec<u32> = columns.contexts.iter().map(|context| context.0).collect();
    if !sources.is_sorted() || sources.iter().any(|&source| source as usize >= columns.sources.len()) {
        return Err("configurations stand in the order of their sources, and each has one".to_owned());
    }
    if columns.weight.len() != rows && !columns.weight.is_empty() {
        return Err(format!("the column weight has {} values, and there are {rows}", columns.weight.len()));
    }
    if let Some(row) = columns.value.iter().position(|value| !value.is_finite()) {
        return Err(format!("row {row}: {} is not a value. Leave the row out", columns.value[row]));
    }
    match columns.weight.iter().position(|weight| !(weight.is_finite() && *weight > 0.0)) {
        Some(row) => Err(format!(
            "row {row}: a value is the mean of one sample or more, not of {}",
            columns.weight[row]
        )),
        None => Ok(()),
    }
}
