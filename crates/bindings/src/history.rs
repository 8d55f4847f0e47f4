//! Uploads of histories, and the changes of level of their series, for Python.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use statera_history::{self as histories, Chosen, Column, Line, Most, Part, Retiring, Step, Summary};
use statera_readers::{Better, Quantity};
use statera_tables::{moved, numbers};

use crate::change_points::{Detector, dictionary};
use crate::decisions::Word;
use crate::failures::Failure;
use crate::failures::numbered;
use crate::interruption::interruptible;
use crate::observations::{Limits, Observations};
use crate::texts::AnyText;

/// The changes of each line, and what a file beside the uploads should be now.
type Again<'py> = (Vec<Found>, Option<Cow<'py, [u8]>>);

/// A single file of fewer bytes is read at once, without a thread that an interruption could leave behind.
const SMALL: u64 = 1 << 16;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Catalog>()?;
    module.add_class::<Found>()?;
    module.add_class::<Retention>()?;
    module.add_class::<Export>()?;
    module.add_function(wrap_pyfunction!(series_amount, module)?)?;
    module.add_function(wrap_pyfunction!(chart_step, module)?)?;
    module.add_function(wrap_pyfunction!(series_moved, module)?)?;
    module.add_function(wrap_pyfunction!(series_unit, module)?)?;
    module.add_function(wrap_pyfunction!(write_upload, module)?)?;
    module.add_function(wrap_pyfunction!(upload_jobs, module)?)?;
    module.add_function(wrap_pyfunction!(merge_uploads, module)?)?;
    module.add_function(wrap_pyfunction!(upload_samples, module)?)
}

/// Writes the values of a job into an existing file, a row for each series; returns the number of rows.
#[pyfunction]
fn write_upload(
    py: Python<'_>,
    observations: Py<Observations>,
    factors: Vec<Option<String>>,
    jobs: String,
    path: PathBuf,
) -> PyResult<usize> {
    py.detach(|| histories::write(&observations.get().inner, &factors, &jobs, &path)).map_err(numbered)
}

/// Writes a value of a series as tables do; `size` determines the unit's prefix.
#[pyfunction]
fn series_amount(quantity: Word<Quantity>, unit: &str, value: f64, size: f64) -> String {
    let mut text = String::new();
    numbers::value(&mut text, value, quantity.0, unit, numbers::prefix(quantity.0, unit, size));
    text
}

/// The word for a change of a quantity: faster or slower, less or more, lower or higher.
#[pyfunction]
fn series_moved(quantity: Word<Quantity>, better: Option<Word<Better>>, rises: bool) -> &'static str {
    moved(quantity.0, better.map(|way| way.0), rises)
}

/// The unit of an axis with values of a series about so large: what to divide by, and its name.
#[pyfunction]
fn series_unit(quantity: Word<Quantity>, unit: &str, size: f64) -> (f64, String) {
    numbers::unit(quantity.0, unit, size)
}

/// A value in steps from the top of a chart between two values.
#[pyfunction]
fn chart_step(value: f64, low: f64, high: f64) -> i64 {
    histories::step(value, low, high)
}

/// The JSON list of the jobs of each upload; empty where it is none.
#[pyfunction]
fn upload_jobs(py: Python<'_>, paths: Vec<PathBuf>) -> Vec<String> {
    py.detach(|| paths.par_iter().map(|path| histories::jobs(path).unwrap_or_default()).collect())
}

/// A file with the number of its first job in the catalog, and for each job its new number, None where it is left out.
type Merged = (PathBuf, usize, Vec<Option<u32>>);

/// Writes the jobs of several uploads into an existing file; returns the number of rows.
#[pyfunction]
fn merge_uploads(
    py: Python<'_>,
    parts: Vec<Merged>,
    jobs: String,
    path: PathBuf,
    most: (u64, u64),
    retention: &Retention,
) -> PyResult<usize> {
    let parts: Vec<Part> = parts.into_iter().map(|(path, first, jobs)| Part { path, first, jobs }).collect();
    let retiring = Retiring { catalog: &retention.catalog, retention: &retention.inner };
    py.detach(|| histories::merge(&parts, &jobs, &path, limit(most), &retiring)).map_err(numbered)
}

/// Which values are retired.
#[pyclass(frozen, module = "statera._native")]
struct Retention {
    catalog: std::sync::Arc<histories::Catalog>,
    inner: histories::Retention,
}

#[pymethods]
impl Retention {
    /// Retires the values that are neither among the last of their series nor around a change of it.
    #[new]
    fn new(catalog: &Catalog, found: Vec<Py<Found>>, samples: usize, around: usize) -> Self {
        let found: Vec<&histories::Found> = found.iter().map(|found| &found.get().inner).collect();
        let inner = histories::Retention::new(&catalog.inner, &found, samples, around);
        Self { catalog: catalog.inner.clone(), inner }
    }
}

/// A job to read: file, number in it, number in the catalog, name, number of the argument, keys and values.
type Job = (PathBuf, u32, u32, AnyText, usize, Vec<(AnyText, AnyText)>);

/// Reads the values of jobs, under the names that the catalog has for their benchmarks.
#[pyfunction]
fn upload_samples(
    catalog: &Catalog,
    jobs: Vec<Job>,
    limits: Limits,
    most: (u64, u64),
) -> PyResult<Observations> {
    let chosen: Vec<Chosen> = jobs
        .into_iter()
        .map(|(path, job, number, name, argument, keys)| Chosen {
            path,
            job,
            number,
            name: name.0,
            argument,
            keys: keys.into_iter().map(|(key, value)| (key.0, value.0)).collect(),
        })
        .collect();
    let inner = histories::samples(&catalog.inner, &chosen, &limits.into(), limit(most));
    let inner =
        inner.map_err(|error| Failure::new_err(("unusable-file", String::new(), error.to_string())))?;
    Ok(Observations { inner })
}

fn limit((bytes, rows): (u64, u64)) -> Most {
    Most { bytes, rows }
}

/// A series: `statera.history.track.Series`, field by field.
type SeriesTuple<'a> = (&'a str, &'a str, &'a str, &'a str, Option<&'a str>, Option<&'a str>, &'a str);

/// The same, owned, with a summary: number of values, median, mad, least and largest.
type Row =
    ((String, String, String, String, Option<String>, Option<String>, String), (u32, f64, f64, f64, f64));

/// All series of all jobs, without their values.
#[pyclass(frozen, module = "statera._native")]
struct Catalog {
    inner: std::sync::Arc<histories::Catalog>,
}

#[pymethods]
impl Catalog {
    /// Reads uploads; `most` has the most bytes and rows of a file.
    #[staticmethod]
    fn read(py: Python<'_>, paths: Vec<PathBuf>, most: (u64, u64)) -> PyResult<Self> {
        let inner = if paths.len() == 1 && paths[0].metadata().is_ok_and(|file| file.len() < SMALL) {
            // Nobody wants to interrupt what takes a millisecond.
            py.detach(|| histories::Catalog::read(&paths, limit(most)))
        } else {
            interruptible(py, move || histories::Catalog::read(&paths, limit(most)))?
        };
        Ok(Self { inner: inner.into() })
    }

    /// Reads uploads with what a file beside them knows, which `version` wrote; returns also what this file should be now,
    /// None if it need not be written.
    #[staticmethod]
    fn read_again(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        most: (u64, u64),
        beside: PathBuf,
        version: String,
    ) -> PyResult<(Self, Option<Cow<'_, [u8]>>)> {
        let (inner, after) = interruptible(py, move || {
            histories::Catalog::read_again(&paths, limit(most), &beside, &version)
        })?;
        Ok((Self { inner: inner.into() }, after.map(Cow::Owned)))
    }

    /// Takes jobs whose summaries stand in a database: for each the JSON list with the job, and its rows.
    #[staticmethod]
    fn of_rows(jobs: Vec<(String, Vec<Row>)>) -> Self {
        let jobs = jobs.into_iter().map(|(job, rows)| (job, rows.into_iter().map(row)));
        Self { inner: histories::Catalog::of_rows(jobs).into() }
    }

    /// The same, with the values of renamed benchmarks under their new names: pairs of an old and a new name.
    fn renamed(&self, names: Vec<(String, String)>) -> Self {
        let mut inner = (*self.inner).clone();
        for (from, to) in &names {
            inner.rename(from, to);
        }
        Self { inner: inner.into() }
    }

    /// What renamings left out, in order: job and series, for values under an old name in a job that has the new one.
    #[getter]
    fn doubled(&self) -> Vec<(u32, usize)> {
        let mut found: Vec<_> = self.inner.doubled.iter().copied().collect();
        found.sort_unstable();
        found
    }

    /// For each series the number of the one that has its summaries.
    #[getter]
    fn held_by(&self) -> Vec<usize> {
        (0..self.inner.series.len()).map(|number| self.inner.held_by(number)).collect()
    }

    /// For each file the JSON list of its jobs; empty where it was refused.
    #[getter]
    fn jobs(&self) -> Vec<&str> {
        self.inner.jobs.iter().map(String::as_str).collect()
    }

    /// The files that could not be read: number and reason.
    #[getter]
    fn refused(&self) -> Vec<(usize, &str)> {
        self.inner.refused.iter().map(|refused| (refused.file, refused.why.as_str())).collect()
    }

    /// The series.
    #[getter]
    fn series(&self) -> Vec<SeriesTuple<'_>> {
        self.inner
            .series
            .iter()
            .map(|series| {
                (
                    series.benchmark.as_str(),
                    series.metric.as_str(),
                    series.unit.as_str(),
                    series.quantity.as_str(),
                    series.better.as_deref(),
                    series.traits.as_deref(),
                    series.factors.as_str(),
                )
            })
            .collect()
    }

    /// The summaries of a series: job, number of values, median, mad, least, largest.
    fn summaries(&self, series: usize) -> Vec<(u32, u32, f64, f64, f64, f64)> {
        let entries = self.inner.entries.get(series).map(Vec::as_slice).unwrap_or_default();
        let tuple = |entry: &histories::Entry| {
            let Summary { n, median, mad, least, largest } = entry.summary;
            (entry.job, n, median, mad, least, largest)
        };
        entries.iter().map(tuple).collect()
    }

    /// Finds the changes of every series on every line: jobs with the positions of their commits, in order.
    fn detect(
        &self,
        py: Python<'_>,
        lines: Vec<Vec<(u32, u32)>>,
        detector: Detector,
    ) -> PyResult<Vec<Found>> {
        let (inner, lines, detector) = (self.inner.clone(), steps(lines), detector.into());
        let found = interruptible(py, move || histories::detect(&inner, &lines, &detector))?;
        Ok(found.into_iter().map(|inner| Found { inner }).collect())
    }

    /// The same with what a file beside the uploads knows, which `version` wrote; returns also what this file should be
    /// now, None if it need not be written.
    fn detect_again<'py>(
        &self,
        py: Python<'py>,
        lines: Vec<Vec<(u32, u32)>>,
        detector: Detector,
        beside: PathBuf,
        version: String,
    ) -> PyResult<Again<'py>> {
        let (inner, lines, detector) = (self.inner.clone(), steps(lines), detector.into());
        let (found, after) =
            interruptible(py, move || histories::detect_again(&inner, &lines, &detector, &beside, &version))?;
        Ok((found.into_iter().map(|inner| Found { inner }).collect(), after.map(Cow::Owned)))
    }
}

fn steps(lines: Vec<Vec<(u32, u32)>>) -> Vec<Line> {
    let step = |(job, commit)| Step { job, commit };
    lines.into_iter().map(|line| line.into_iter().map(step).collect()).collect()
}

fn row((texts, (n, median, mad, least, largest)): Row) -> (histories::Series, Summary) {
    let (benchmark, metric, unit, quantity, better, traits, factors) = texts;
    let series = histories::Series { benchmark, metric, unit, quantity, better, traits, factors };
    (series, Summary { n, median, mad, least, largest })
}

/// What a series shows on a line.
#[pyclass(frozen, module = "statera._native")]
struct Found {
    inner: histories::Found,
}

#[pymethods]
impl Found {
    #[getter]
    fn line(&self) -> usize {
        self.inner.line
    }

    #[getter]
    fn series(&self) -> usize {
        self.inner.series
    }

    /// The jobs of its values, in order.
    #[getter]
    fn jobs(&self) -> Vec<u32> {
        self.inner.jobs.clone()
    }

    /// Its values: the medians of the jobs.
    #[getter]
    fn values(&self) -> Vec<f64> {
        self.inner.values.clone()
    }

    /// The job of its last value; None without values.
    #[getter]
    fn newest(&self) -> Option<u32> {
        self.inner.jobs.last().copied()
    }

    /// The job of a value.
    fn job(&self, value: usize) -> PyResult<u32> {
        self.inner.jobs.get(value).copied().ok_or_else(|| PyIndexError::new_err(value))
    }

    /// The position of the commit of each value.
    #[getter]
    fn positions(&self) -> Vec<u32> {
        self.inner.commits.clone()
    }

    /// The position of the commit of a value.
    fn position(&self, value: usize) -> PyResult<u32> {
        self.inner.commits.get(value).copied().ok_or_else(|| PyIndexError::new_err(value))
    }

    /// How many commits have a value.
    #[getter]
    fn measured(&self) -> usize {
        self.inner.measured()
    }

    /// The position of one of these commits, by its number among them.
    fn commit(&self, number: usize) -> PyResult<u32> {
        self.inner.commit(number).ok_or_else(|| PyIndexError::new_err(number))
    }

    /// The positions of the commits of the newest values, so many at most.
    fn newest_positions(&self, most: usize) -> Vec<u32> {
        let commits = &self.inner.commits;
        commits[commits.len().saturating_sub(most)..].to_vec()
    }

    /// The position of the commit of the first value; None without values.
    #[getter]
    fn first(&self) -> Option<u32> {
        self.inner.commits.first().copied()
    }

    /// The position of the commit of the last value; None without values.
    #[getter]
    fn last(&self) -> Option<u32> {
        self.inner.commits.last().copied()
    }

    /// The number of the first value at a position or behind it.
    fn since(&self, position: u32) -> usize {
        self.inner.since(position)
    }

    /// The median of the values from one to before another; NaN of none.
    fn median(&self, begin: usize, end: usize) -> f64 {
        self.inner.median(begin..end)
    }

    /// The steps from the top of a chart of the medians of groups of so many values.
    fn median_steps(&self, group: usize, low: f64, high: f64) -> Vec<i64> {
        let count = self.inner.values.len();
        let median = |begin: usize| self.inner.median(begin..count.min(begin + group));
        (0..count).step_by(group.max(1)).map(|begin| histories::step(median(begin), low, high)).collect()
    }

    /// The least and the largest of the values from one to before another that are at most so far from a level, without
    /// those outside: numbers of first ones, and how many; None if there are none.
    fn near(
        &self,
        begin: usize,
        end: usize,
        level: f64,
        far: f64,
        outside: Vec<(usize, usize)>,
    ) -> Option<(f64, f64)> {
        self.inner.near(begin..end, level, far, &outside)
    }

    /// The positions of values beyond a chart, each with whether it is above.
    fn beyond(&self, low: f64, high: f64) -> Vec<(u32, bool)> {
        self.inner.beyond(low, high)
    }

    /// The dots of the values outside, or of the others, as a path, and where the pen is, which begins at `pen`.
    fn dots(
        &self,
        low: f64,
        high: f64,
        outside: Vec<(usize, usize)>,
        marked: bool,
        pen: (i64, i64),
    ) -> (String, (i64, i64)) {
        self.inner.dots((low, high), &outside, marked, pen)
    }

    /// The steps of the values from the top of a chart, as JSON.
    fn json_steps(&self, low: f64, high: f64) -> String {
        self.inner.steps(low, high)
    }

    /// The values as tables write them, with a prefix that suits `like`, as JSON.
    fn json_texts(&self, quantity: Word<Quantity>, unit: &str, like: f64) -> String {
        let prefix = numbers::prefix(quantity.0, unit, like);
        self.inner.texts(|to, value| numbers::value(to, value, quantity.0, unit, prefix))
    }

    /// The values as JSON.
    fn json_values(&self) -> String {
        self.inner.numbers()
    }

    /// The positions of the commits of the values, as JSON.
    fn json_positions(&self) -> String {
        self.inner.positions()
    }

    /// The places of the values on the line, as JSON: null if every job of it has one.
    fn json_places(&self) -> String {
        self.inner.places()
    }

    /// How many jobs have a value that is not finite.
    #[getter]
    fn left_out(&self) -> usize {
        self.inner.left_out
    }

    /// Whether the metric is exact.
    #[getter]
    fn exact(&self) -> bool {
        self.inner.exact
    }

    /// The least p of the points, corrected over all series; None without one.
    #[getter]
    fn corrected(&self) -> Option<f64> {
        Some(self.inner.corrected).filter(|p| !p.is_nan())
    }

    /// Standard deviation of a value around its level; None if unknown.
    #[getter]
    fn noise(&self) -> Option<f64> {
        Some(self.inner.changes.noise).filter(|noise| !noise.is_nan())
    }

    /// Whether sizes and noise are shares of the level.
    #[getter]
    fn ratio(&self) -> bool {
        self.inner.changes.ratio
    }

    /// Whether there is an alarm, a point, a spike or a suspect.
    #[getter]
    fn shows(&self) -> bool {
        let changes = &self.inner.changes;
        !changes.alarms.is_empty()
            || !changes.points.is_empty()
            || !changes.spikes.is_empty()
            || changes.suspect.is_some()
    }

    /// The changes, as `statera._native.change_points` returns them; positions count the values.
    #[getter]
    fn changes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &self.inner.changes)
    }

    fn __len__(&self) -> usize {
        self.inner.values.len()
    }
}

/// A column of an exported table: texts, whole numbers or numbers, by the kind that its table has for it.
fn column(kind: char, values: &Bound<'_, PyAny>) -> PyResult<Column> {
    Ok(match kind {
        't' => Column::Text(values.extract()?),
        'w' => Column::Whole(values.extract()?),
        _ => Column::Number(values.extract()?),
    })
}

/// A Parquet file that is being written.
#[pyclass(frozen, module = "statera._native")]
struct Export {
    kinds: Vec<char>,
    // A writer is for one thread at a time.
    inner: Mutex<Option<histories::Export>>,
}

#[pymethods]
impl Export {
    /// Opens an existing file; each column has a name and a kind: t for texts, w for whole numbers, n for numbers.
    #[new]
    fn new(path: PathBuf, columns: Vec<(String, char)>) -> PyResult<Self> {
        let kinds = columns.iter().map(|&(_, kind)| kind).collect();
        let example = |kind| match kind {
            't' => Column::Text(Vec::new()),
            'w' => Column::Whole(Vec::new()),
            _ => Column::Number(Vec::new()),
        };
        let examples = columns.into_iter().map(|(name, kind)| (name, example(kind))).collect();
        let inner = histories::Export::open(&path, examples).map_err(numbered)?;
        Ok(Self { kinds, inner: Mutex::new(Some(inner)) })
    }

    /// Appends rows, column by column.
    fn write(&self, columns: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        let columns = self
            .kinds
            .iter()
            .zip(&columns)
            .map(|(&kind, values)| column(kind, values))
            .collect::<PyResult<Vec<_>>>()?;
        self.held().as_mut().map_or(Ok(()), |inner| inner.write(columns)).map_err(numbered)
    }

    /// Ends the file.
    fn close(&self) -> PyResult<()> {
        self.held().take().map_or(Ok(()), histories::Export::close).map_err(numbered)
    }
}

impl Export {
    fn held(&self) -> MutexGuard<'_, Option<histories::Export>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
