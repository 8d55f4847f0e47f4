//! The values of some jobs → observations, which are compared like any others.

use std::io;
use std::path::PathBuf;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type};
use arrow_array::{Array, RecordBatch};
use statera_readers::columns::Columns;
use statera_readers::context::Context;
use statera_readers::pool::Pool;
use statera_readers::{Better, Limits, Metric, NONE, Observations, Quantity};

use crate::catalog::{Catalog, Numbers, Series, Texts, summaries};
use crate::file::{Most, open};
use crate::table::{self, BLOCK, DEVIATION, JOB, PROCESS, VALUE, WEIGHT};

/// A job to read.
#[derive(Debug)]
pub struct Chosen {
    /// The file of its upload.
    pub path: PathBuf,
    /// Its number in that file.
    pub job: u32,
    /// Its number in the catalog.
    pub number: u32,
    /// What messages call it.
    pub name: String,
    /// The number of the argument that it belongs to.
    pub argument: usize,
    /// The keys that all its values share.
    pub keys: Context,
}

/// Reads the values of jobs, under the names that the catalog has for their benchmarks. Where the values of a job were
/// retired, their median stands for them, as a summary of so many samples.
///
/// # Errors
/// Which file cannot be read, and why; or what exceeds a limit.
pub fn samples(
    catalog: &Catalog,
    chosen: &[Chosen],
    limits: &Limits,
    most: Most,
) -> io::Result<Observations> {
    let mut taking = Taking::default();
    let mut names = Names { catalog, numbers: catalog.numbers() };
    let schema = table::schema();
    let columns: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    for job in chosen {
        taking.begin(job);
        let read = open(&job.path, &columns, most)
            .and_then(|reading| reading.each(|batch| taking.take(batch, job, &mut names)));
        read.map_err(|why| io::Error::other(format!("{}: {why}", job.path.display())))?;
    }
    let Taking { columns, parameters, weight, deviation, summarised, .. } = taking;
    let mut made = Observations::of_columns(columns, limits)?;
    made.parameters = parameters.iter().map(str::to_owned).collect();
    if summarised {
        (made.weight, made.deviation) = (weight, deviation);
    } else if weight.iter().any(|&weight| weight != 1.0) {
        made.weight = weight;
    }
    Ok(made)
}

/// The names that a catalog has for benchmarks, and how it judges metrics.
struct Names<'a> {
    catalog: &'a Catalog,
    numbers: Numbers,
}

impl<'a> Names<'a> {
    /// What a row counts as; None if it is left out.
    fn of<'b>(&mut self, texts: [Option<&'b str>; 7], job: &Chosen) -> Option<[Option<&'b str>; 7]>
    where
        'a: 'b,
    {
        let number = self.numbers.of(texts);
        // A row that the catalog does not have came after it was read.
        if number >= self.catalog.series.len() {
            return Some(texts);
        }
        self.catalog.counted(job.number, number).map(Series::texts)
    }
}

#[derive(Default)]
struct Taking {
    columns: Columns,
    weight: Vec<f64>,
    deviation: Vec<f64>,
    /// Whether some value stands for samples that are not there.
    summarised: bool,
    benchmarks: Pool,
    blocks: Pool,
    parameters: Pool,
    metrics: Vec<(String, Metric)>,
    /// The configurations of the job that is being read, by the text of their factors.
    contexts: Vec<(String, u32)>,
    /// The first number of the job's processes, and the first that is free.
    processes: (u32, u32),
}

impl Taking {
    fn begin(&mut self, job: &Chosen) {
        self.columns.sources.push((job.name.clone(), job.argument));
        self.contexts.clear();
        self.processes.0 = self.processes.1;
    }

    fn take(&mut self, batch: &RecordBatch, job: &Chosen, names: &mut Names<'_>) -> Result<(), String> {
        let column =
            |name: &str| batch.column_by_name(name).ok_or_else(|| format!("it has no column {name}"));
        let (texts, summary) = (Texts::of(batch)?, summaries(batch)?);
        let number = column(JOB)?.as_primitive::<UInt32Type>();
        let list = |name: &str| Ok::<_, String>(column(name)?.as_list::<i32>().clone());
        let (value, weight, deviation) = (list(VALUE)?, list(WEIGHT)?, list(DEVIATION)?);
        let (process, block) = (list(PROCESS)?, list(BLOCK)?);
        for row in (0..batch.num_rows()).filter(|&row| number.value(row) == job.job) {
            let Some(texts) = names.of(texts.row(row), job) else { continue };
            let context = self.context(texts[6].unwrap_or_default(), job)?;
            let metric = self.metric(texts)?;
            let benchmark = self.benchmarks.intern(texts[0].unwrap_or_default());
            self.summarised |= value.is_null(row) || deviation.is_valid(row);
            if value.is_null(row) {
                let summary = summary(row);
                self.value((benchmark, metric, context), summary.median, f64::from(summary.n), f64::NAN);
                self.origin(None, None);
                continue;
            }
            let held = value.value(row);
            let held = held.as_primitive::<Float64Type>();
            let floats = |list: &arrow_array::ListArray, at: usize| {
                if list.is_null(row) {
                    return None;
                }
                let inner = list.value(row);
                let inner = inner.as_primitive::<Float64Type>();
                (at < inner.len() && inner.is_valid(at)).then(|| inner.value(at))
            };
            for at in 0..held.len() {
                // Without a weight a value is one sample; a weight that is null is one that nobody knows.
                let weighed = floats(&weight, at).unwrap_or(if weight.is_null(row) { 1.0 } else { f64::NAN });
                let spread = floats(&deviation, at).unwrap_or(f64::NAN);
                self.value((benchmark, metric, context), held.value(at), weighed, spread);
                let of_process = process.is_valid(row).then(|| process.value(row)).and_then(|inner| {
                    let inner = inner.as_primitive::<UInt32Type>();
                    (at < inner.len() && inner.is_valid(at)).then(|| inner.value(at))
                });
                let of_block = block.is_valid(row).then(|| block.value(row)).and_then(|inner| {
                    let inner = inner.as_string::<i32>();
                    (at < inner.len() && inner.is_valid(at)).then(|| inner.value(at).to_owned())
                });
                self.origin(of_process, of_block.as_deref());
            }
        }
        self.columns.benchmarks = self.benchmarks.iter().map(str::to_owned).collect();
        self.columns.metrics = self.metrics.iter().map(|(_, metric)| metric.clone()).collect();
        self.columns.blocks = self.blocks.iter().map(str::to_owned).collect();
        Ok(())
    }

    fn value(
        &mut self,
        (benchmark, metric, context): (u32, u32, u32),
        value: f64,
        weight: f64,
        deviation: f64,
    ) {
        self.columns.benchmark.push(benchmark);
        self.columns.metric.push(metric);
        self.columns.context.push(context);
        self.columns.value.push(value);
        self.weight.push(weight);
        self.deviation.push(deviation);
    }

    fn origin(&mut self, process: Option<u32>, block: Option<&str>) {
        let process = process.and_then(|process| self.processes.0.checked_add(process));
        if let Some(process) = process.filter(|&process| process != NONE) {
            self.processes.1 = self.processes.1.max(process.saturating_add(1));
        }
        self.columns.process.push(process.unwrap_or(NONE));
        self.columns.block.push(block.map_or(NONE, |block| self.blocks.intern(block)));
    }

    fn context(&mut self, text: &str, job: &Chosen) -> Result<u32, String> {
        if let Some((_, number)) = self.contexts.iter().find(|(known, _)| known == text) {
            return Ok(*number);
        }
        let own = factors(text).ok_or("the factors of a series are not a JSON object of texts")?;
        for (key, _) in &own {
            self.parameters.intern(key);
        }
        let number = self.columns.contexts.len() as u32;
        let source = self.columns.sources.len() as u32 - 1;
        let keys = job.keys.iter().chain(&own).cloned().collect();
        self.columns.contexts.push((source, keys));
        self.contexts.push((text.to_owned(), number));
        Ok(number)
    }

    fn metric(&mut self, texts: [Option<&str>; 7]) -> Result<u32, String> {
        let [_, name, unit, quantity, better, traits, _] = texts.map(Option::unwrap_or_default);
        let key = [name, unit, quantity, better, traits].join("\u{0}");
        if let Some(at) = self.metrics.iter().position(|(known, _)| *known == key) {
            return Ok(at as u32);
        }
        let quantity = Quantity::of_word(quantity).ok_or("a quantity that statera does not know")?;
        let plain = Metric::new(name, unit, quantity);
        let better = Better::of_word(better.as_bytes());
        self.metrics
            .push((key, Metric { better: better.or(plain.better), ..plain }.with_traits(traits.as_bytes())));
        Ok(self.metrics.len() as u32 - 1)
    }
}

/// The keys and values of a JSON object of texts.
fn factors(text: &str) -> Option<Context> {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
    object.into_iter().map(|(key, value)| Some((key, value.as_str()?.to_owned()))).collect()
}
