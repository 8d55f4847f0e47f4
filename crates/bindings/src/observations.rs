//! Reading, and the observations that were read.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyCapsule, PyDict, PyString};
use statera_readers::metric::Role;
use statera_readers::renaming::Unfit;
use statera_readers::{Better, Failure as ReadFailure, Options};

use crate::failures::{Failure, numbered};
use crate::plug_ins::registered;
use crate::{arrow, interruption};

/// The observations of some files.
#[pyclass(frozen, module = "statera._native")]
pub struct Observations {
    pub(crate) inner: statera_readers::Observations,
}

/// The limits on reading, by the names of the settings.
#[derive(FromPyObject)]
pub struct Limits {
    files: u64,
    bytes: u64,
    expansion: u64,
    line: u64,
    values: u64,
    keys: u64,
    contexts: u64,
    inherited: u64,
    metrics: u64,
}

impl From<Limits> for statera_readers::Limits {
    fn from(limits: Limits) -> Self {
        let Limits { files, bytes, expansion, line, values, keys, contexts, inherited, metrics } = limits;
        Self { files, bytes, expansion, line, values, keys, contexts, inherited, metrics }
    }
}

/// How files are read: `statera.observations.Reading`. `variants` has for each argument the number of its variant;
/// `plug_ins` gives the formats of plug-ins when it is asked.
#[derive(FromPyObject)]
pub struct Reading {
    format: Option<String>,
    columns: Vec<(String, String)>,
    keys: Vec<String>,
    variants: Vec<usize>,
    limits: Limits,
    plug_ins: Py<PyAny>,
}

/// Reads files, folders, patterns or `-`.
#[pyfunction]
pub fn read(py: Python<'_>, arguments: Vec<PathBuf>, how: Reading) -> PyResult<Observations> {
    let Reading { format, columns, keys, variants, limits, plug_ins } = how;
    let plug_ins = registered(plug_ins);
    let limits = limits.into();
    let options = Options { format, columns, keys, variants, limits, plug_ins, ..Options::default() };
    // Standard input may never end.
    let read = interruption::interruptible(py, move || statera_readers::read(&arguments, &options))?;
    let inner = read.map_err(|failure| match failure {
        ReadFailure::Missing { name, why } => Failure::new_err(("missing-file", name, why)),
        ReadFailure::Unusable { name, why } => Failure::new_err(("unusable-file", name, why)),
        ReadFailure::TooMuch { name, why } => Failure::new_err(("too-much", name, why)),
        ReadFailure::NoSuchFormat(name) => Failure::new_err(("no-such-format", name, String::new())),
    })?;
    Ok(Observations { inner })
}

/// A metric: `statera.observations.Metric`.
#[derive(IntoPyObject)]
struct Metric<'a> {
    name: &'a str,
    unit: &'a str,
    quantity: &'static str,
    better: Option<&'static str>,
    assumed_exact: bool,
    may_be_exact: bool,
    primary: bool,
    role: &'static str,
}

/// A file that was read: `statera.observations.Source`.
#[derive(IntoPyObject)]
struct Source<'a> {
    name: &'a str,
    argument: usize,
    format: &'static str,
    values: usize,
}

/// A problem of the input: `statera.errors.Problem`.
#[derive(IntoPyObject)]
struct Problem<'a> {
    code: &'static str,
    source: &'a str,
    line: u32,
    what: &'a str,
    hint: &'static str,
}

/// The number of problems with a code.
#[derive(IntoPyObject)]
struct ProblemCount {
    code: &'static str,
    count: u64,
    loses_data: bool,
    loses_file: bool,
    is_remark: bool,
}

/// A configuration: number of the file, number of values, keys and values, with the keys of parts that stay in the names.
type ContextTuple<'py> = (u32, usize, Bound<'py, PyDict>, Bound<'py, PyDict>);

#[pymethods]
impl Observations {
    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// The files.
    #[getter]
    fn sources(&self) -> Vec<Source<'_>> {
        let sources = self.inner.sources.iter();
        sources
            .map(|source| Source {
                name: &source.name,
                argument: source.argument,
                format: source.format,
                values: source.values,
            })
            .collect()
    }

    /// How many records of each file that could have held results were left out; no entry for values in memory.
    #[getter]
    fn lost(&self) -> Vec<u64> {
        self.inner.lost.clone()
    }

    /// The problems of the input.
    #[getter]
    fn problems(&self) -> Vec<Problem<'_>> {
        let problems = self.inner.problems.iter();
        problems
            .map(|problem| Problem {
                code: problem.code.name(),
                source: &problem.source,
                line: problem.line,
                what: &problem.what,
                hint: problem.hint,
            })
            .collect()
    }

    /// For each code the number of problems, whether they lost results, and whether they are notes on results that were
    /// kept.
    #[getter]
    fn problem_counts(&self) -> Vec<ProblemCount> {
        let counts = self.inner.counts.iter();
        counts
            .map(|(code, &count)| ProblemCount {
                code: code.name(),
                count,
                loses_data: code.loses_data(),
                loses_file: code.loses_file(),
                is_remark: code.is_remark(),
            })
            .collect()
    }

    /// The metrics.
    #[getter]
    fn metrics(&self) -> Vec<Metric<'_>> {
        let metrics = self.inner.metrics.iter();
        metrics
            .map(|metric| Metric {
                name: &metric.name,
                unit: &metric.unit,
                quantity: metric.quantity.word(),
                better: metric.better.map(Better::word),
                assumed_exact: metric.assumed_exact,
                may_be_exact: metric.may_be_exact,
                primary: metric.primary,
                role: if metric.role == Role::Validity { "validity" } else { "result" },
            })
            .collect()
    }

    /// The names of the benchmarks.
    #[getter]
    fn benchmarks(&self) -> Vec<&str> {
        self.inner.benchmarks.iter().collect()
    }

    /// The configurations: number of the file, number of values, keys and values.
    #[getter]
    fn contexts<'py>(&self, py: Python<'py>) -> PyResult<Vec<ContextTuple<'py>>> {
        let contexts = &self.inner.contexts;
        let mut values = vec![0; contexts.len()];
        for &context in &self.inner.context {
            values[context as usize] += 1;
        }
        // Each text becomes one Python string, shared by all configurations.
        let texts: Vec<Bound<'py, PyString>> =
            contexts.texts().iter().map(|text| PyString::new(py, text)).collect();
        let keys = |number: usize| -> PyResult<Bound<'py, PyDict>> {
            let keys = PyDict::new(py);
            for &(key, value) in contexts.pairs_of(number) {
                keys.set_item(&texts[key as usize], &texts[value as usize])?;
            }
            Ok(keys)
        };
        let aside = |number: usize| -> PyResult<Bound<'py, PyDict>> {
            let keys = PyDict::new(py);
            for (key, value) in self.inner.aside.get(number).into_iter().flatten() {
                keys.set_item(key, value)?;
            }
            Ok(keys)
        };
        let sources = self.inner.context_source.iter().zip(values).enumerate();
        sources
            .map(|(number, (&source, values))| Ok((source, values, keys(number)?, aside(number)?)))
            .collect()
    }

    /// The keys that parts of names state.
    fn keys_of_names(&self) -> Vec<String> {
        self.inner.keys_of_names()
    }

    /// Makes configuration keys of parts of names. Those of `taken` leave the names, those of `aside` stay.
    fn with_names_split(&self, py: Python<'_>, taken: Vec<String>, aside: Vec<String>) -> Self {
        Self { inner: py.detach(|| self.inner.with_names_split(&taken, &aside)) }
    }

    /// Renames benchmarks by words `OLD=NEW`.
    ///
    /// Raises `ValueError` with what is wrong with a word.
    fn renamed(&self, py: Python<'_>, words: Vec<String>) -> PyResult<Self> {
        let inner = py.detach(|| self.inner.renamed(&words)).map_err(|unfit| {
            PyValueError::new_err(match unfit {
                Unfit::Unknown(word) => ("unknown", word, String::new(), String::new()),
                Unfit::Ambiguous(word) => ("ambiguous", word, String::new(), String::new()),
                Unfit::Both(old, new, file) => ("both", old, new, file),
            })
        })?;
        Ok(Self { inner })
    }

    /// The numbers of files that repeat an earlier file, and of that one.
    fn copies(&self, py: Python<'_>) -> Vec<(u32, u32)> {
        py.detach(|| self.inner.copies())
    }

    /// The pairs of variants of which the second repeats the values of the first.
    #[expect(clippy::needless_pass_by_value, reason = "Python hands lists over")]
    fn repeats(
        &self,
        py: Python<'_>,
        variant_of: Vec<Option<u32>>,
        group_of: Vec<u32>,
        pairs: Vec<(u32, u32)>,
    ) -> Vec<(u32, u32)> {
        py.detach(|| self.inner.repeats(&variant_of, &group_of, &pairs))
    }

    /// The sets of several configurations under which the same benchmark was measured.
    fn contexts_of_one_benchmark(&self) -> Vec<Vec<u32>> {
        let pairs = self.contexts_of_benchmarks();
        let of_one = pairs.chunk_by(|a, b| a.0 == b.0).filter(|pairs| pairs.len() > 1);
        let mut sets: Vec<Vec<u32>> = of_one.map(|pairs| pairs.iter().map(|pair| pair.1).collect()).collect();
        sets.sort_unstable();
        sets.dedup();
        sets
    }

    /// Every benchmark with every configuration of its values, once each, in ascending order.
    fn contexts_of_benchmarks(&self) -> Vec<(u32, u32)> {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut last = (u32::MAX, u32::MAX);
        for pair in self.inner.benchmark.iter().copied().zip(self.inner.context.iter().copied()) {
            if pair != last {
                pairs.push(pair);
                last = pair;
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The configuration keys that are parameters of benchmarks.
    #[getter]
    fn parameters(&self) -> Vec<&str> {
        self.inner.parameters.iter().map(String::as_str).collect()
    }

    /// Whether the values carry pairing keys of their own.
    #[getter]
    fn has_blocks(&self) -> bool {
        !self.inner.block.is_empty()
    }

    /// The number of values that summarise samples which the files do not have.
    #[getter]
    fn summaries(&self) -> usize {
        self.inner.summaries()
    }

    /// Writes the observations into an existing file: `csv`, `raw-csv`, `ndjson` or `parquet`. `labels` has a variant for
    /// each configuration, or None.
    fn write(&self, py: Python<'_>, path: PathBuf, kind: &str, labels: Vec<Option<String>>) -> PyResult<()> {
        py.detach(|| arrow::write(&self.inner, &path, kind, &labels)).map_err(numbered)
    }

    /// The Arrow `PyCapsule` stream of the observations.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore a requested schema.
        let _ = requested_schema;
        let (schema, batches) = py.detach(|| arrow::observations(&self.inner));
        arrow::stream(py, schema, batches)
    }

    fn __repr__(&self) -> String {
        let (values, benchmarks) = (self.inner.len(), self.inner.benchmarks.len());
        format!(
            "Observations({values} values of {benchmarks} benchmarks from {} files)",
            self.inner.sources.len()
        )
    }
}
