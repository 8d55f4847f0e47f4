//! Procedures of statera.stats for one group, for a grid of equal groups, and for the groups of a table.

use std::sync::{Arc, Mutex};

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::ArrowArrayStreamReader;
use arrow_array::{
    Array, ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchReader, StringArray, make_array,
};
use arrow_data::ArrayData;
use arrow_pyarrow::FromPyArrow;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyCapsule, PyDict, PyList, PyMemoryView};
use statera_kernels as kernels;
use statera_kernels::{BootMethod, Correction, MaxTRow, Moderation, Relabeling};
use statera_stats::{
    Block, Columns, Kind, Options, Procedure, Roles, Sample, Setting, Takes, group, procedure, run,
    run_samples,
};
use statera_weighing::Choice;

use crate::arrow;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(procedure_names, module)?)?;
    module.add_function(wrap_pyfunction!(procedure_warnings, module)?)?;
    module.add_function(wrap_pyfunction!(one, module)?)?;
    module.add_function(wrap_pyfunction!(grid, module)?)?;
    module.add_function(wrap_pyfunction!(batch, module)?)
}

fn made(name: &str, options: &Options) -> PyResult<Box<dyn Procedure>> {
    procedure(name, options).map_err(refused)
}

/// The names of the procedures that run in batches.
#[pyfunction]
fn procedure_names() -> Vec<&'static str> {
    statera_stats::NAMES.to_vec()
}

/// The words of warnings on results.
#[pyfunction]
fn procedure_warnings() -> Vec<&'static str> {
    statera_stats::Warning::ALL.iter().map(|warning| warning.code()).collect()
}

/// Returns the result of one group: its fields by name; absent values are None.
#[pyfunction]
fn one<'py>(
    py: Python<'py>,
    name: &str,
    samples: Vec<Named>,
    settings: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let procedure = made(name, &options(settings)?)?;
    let held = samples.iter().map(|sample| values(py, sample)).collect::<PyResult<Vec<_>>>()?;
    suits(&*procedure, &samples, &held.iter().map(Vec::len).collect::<Vec<_>>())?;
    let offsets: Vec<[usize; 2]> = held.iter().map(|values| [0, values.len()]).collect();
    let samples: Vec<Sample<'_>> =
        held.iter().zip(&offsets).map(|(values, offsets)| Sample { values, offsets }).collect();
    let columns = py.detach(|| run_samples(&*procedure, &samples, 1));
    row(py, &columns)
}

/// Checks the number of samples, and that samples that must match do so.
fn suits(procedure: &dyn Procedure, samples: &[Named], sizes: &[usize]) -> PyResult<()> {
    let takes = procedure.takes();
    if !takes.fits(samples.len()) {
        return Err(refused(format!("the procedure takes {}, not {}", takes.words(), samples.len())));
    }
    match sizes.iter().position(|&size| takes.matched() && size != sizes[0]) {
        None => Ok(()),
        Some(at) => Err(refused(format!(
            "{} has {} values and {} has {}; pairs and blocks need as many of each",
            samples[0].0, sizes[0], samples[at].0, sizes[at]
        ))),
    }
}

fn row<'py>(py: Python<'py>, columns: &Columns) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for column in &columns.columns {
        let name = column.field.name.as_ref();
        let number = column.numbers.first().copied().filter(|number| !number.is_nan());
        match column.field.kind {
            Kind::Number => dict.set_item(name, number)?,
            Kind::Count => dict.set_item(name, number.map(|n| n as i64))?,
            Kind::Flag => dict.set_item(name, number.map(|n| n != 0.0))?,
            Kind::Word(_) => dict.set_item(name, column.word(0))?,
            Kind::Warnings => dict.set_item(name, column.codes(0))?,
        }
    }
    Ok(dict)
}

/// Returns the results of equal groups; samples have two dimensions, with one group per row.
#[pyfunction]
fn grid(py: Python<'_>, name: &str, samples: Vec<Named>, settings: &Bound<'_, PyDict>) -> PyResult<Table> {
    let procedure = made(name, &options(settings)?)?;
    let shapes = samples.iter().map(shape).collect::<PyResult<Vec<_>>>()?;
    let widths: Vec<usize> = shapes.iter().map(|shape| shape.1).collect();
    suits(&*procedure, &samples, &widths)?;
    let groups = shapes.first().map_or(0, |shape| shape.0);
    for ((name, _), shape) in samples.iter().zip(&shapes) {
        if shape.0 != groups {
            let (first, other) = (&samples[0].0, shape.0);
            return Err(refused(format!("{first} has {groups} groups and {name} has {other}")));
        }
    }
    let results = run(&*procedure, samples.len(), groups, |start, end, work| {
        let parts = samples.iter().zip(&widths);
        let parts = parts
            .map(|(sample, &width)| part(py, sample, start * width, end * width))
            .collect::<PyResult<Vec<_>>>()?;
        let offsets: Vec<Vec<usize>> =
            widths.iter().map(|width| (0..=end - start).map(|group| group * width).collect()).collect();
        let samples: Vec<Sample<'_>> =
            parts.iter().zip(&offsets).map(|(values, offsets)| Sample { values, offsets }).collect();
        py.detach(|| work(&Block { samples: &samples, groups: end - start }));
        Ok::<(), PyErr>(())
    })?;
    Ok(Table { keys: vec![], results })
}

/// Returns the number of groups and of values per group.
fn shape((name, buffer): &Named) -> PyResult<(usize, usize)> {
    match buffer.shape() {
        [groups, width] => Ok((*groups, *width)),
        other => Err(refused(format!(
            "{name} has {} dimensions. Give two (groups and values) in every sample",
            other.len()
        ))),
    }
}

/// Copies the values of some groups, because Python may change its own meanwhile.
fn part(py: Python<'_>, (name, buffer): &Named, start: usize, end: usize) -> PyResult<Vec<f64>> {
    let values = match buffer.as_slice(py) {
        Some(cells) => cells[start..end].iter().map(pyo3::buffer::ReadOnlyCell::get).collect(),
        None => buffer.to_vec(py)?[start..end].to_vec(),
    };
    finite(name, &values, start)?;
    Ok(values)
}

/// Returns the results of the groups of a table: the columns of their keys, then those of the results.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a column or a choice that the caller names")]
fn batch(
    py: Python<'_>,
    name: &str,
    given: &Bound<'_, PyAny>,
    value: &str,
    keys: Vec<String>,
    sample: Option<&str>,
    samples: Vec<String>,
    settings: &Bound<'_, PyDict>,
) -> PyResult<Table> {
    let procedure = made(name, &options(settings)?)?;
    let input = table(given)?;
    let own = procedure.takes() == Takes::Runs;
    let roles = Roles { value, keys: &keys, sample, samples: &samples, own };
    let (columns, results) = py
        .detach(|| {
            let grouped = group(&input.schema, input.batches, roles)?;
            grouped.suits(procedure.takes())?;
            let results = run_samples(&*procedure, &grouped.samples(), grouped.groups);
            Ok((grouped.keys, results))
        })
        .map_err(|why: String| refused(why))?;
    let taken = keys.iter().find(|key| results.column(key).is_some());
    if let Some(key) = taken {
        return Err(refused(format!("a result is named {key:?}, as a key is. Rename the key's column")));
    }
    Ok(Table { keys: keys.into_iter().zip(columns).collect(), results })
}

// Samples and tables from Python: buffers of 64-bit floats, and columns of Arrow.

/// A sample with its name in messages.
pub type Named = (String, PyBuffer<f64>);

pub fn refused(why: impl Into<String>) -> PyErr {
    PyValueError::new_err(why.into())
}

/// Options from keywords; None is absent.
pub fn options(given: &Bound<'_, PyDict>) -> PyResult<Options> {
    let mut settings = Vec::new();
    for (name, value) in given {
        if value.is_none() {
            continue;
        }
        let name: String = name.extract()?;
        let setting = if let Ok(flag) = value.cast::<PyBool>() {
            Setting::Flag(flag.is_true())
        } else if let Ok(whole) = value.extract::<u64>() {
            Setting::Whole(whole)
        } else if let Ok(number) = value.extract::<f64>() {
            Setting::Number(number)
        } else if let Ok(word) = value.extract::<String>() {
            Setting::Word(word)
        } else if let Ok(numbers) = value.extract::<Vec<f64>>() {
            Setting::Numbers(numbers)
        } else {
            return Err(refused(format!("{name} is neither a number nor a word")));
        };
        settings.push((name, setting));
    }
    Ok(Options::new(settings))
}

/// The values of a sample of one dimension.
pub fn values(py: Python<'_>, (name, buffer): &Named) -> PyResult<Vec<f64>> {
    if buffer.dimensions() != 1 {
        let found = buffer.dimensions();
        return Err(refused(format!("{name} must have one dimension, and has {found}")));
    }
    let values = buffer.to_vec(py)?;
    finite(name, &values, 0)?;
    Ok(values)
}

/// Refuses values that are not finite; `start` is the number of the first.
pub fn finite(name: &str, values: &[f64], start: usize) -> PyResult<()> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(at) => {
            let (value, place) = (values[at], start + at);
            Err(refused(format!(
                "{name} holds {value} at place {place}; values must be finite: leave it out"
            )))
        }
    }
}

fn of_arrow(error: &ArrowError) -> PyErr {
    refused(error.to_string())
}

/// A table that is read batch by batch.
pub struct Input {
    pub schema: SchemaRef,
    pub batches: Box<dyn Iterator<Item = Result<RecordBatch, String>> + Send>,
}

/// A table from anything that exports Arrow, or from columns by name.
pub fn table(given: &Bound<'_, PyAny>) -> PyResult<Input> {
    if let Ok(columns) = given.cast::<PyDict>() {
        let batch = joined(columns)?;
        return Ok(Input { schema: batch.schema(), batches: Box::new(std::iter::once(Ok(batch))) });
    }
    if given.hasattr("__arrow_c_stream__")? {
        let reader = ArrowArrayStreamReader::from_pyarrow_bound(given)?;
        let schema = reader.schema();
        let batches = reader.map(|batch| batch.map_err(|error| error.to_string()));
        return Ok(Input { schema, batches: Box::new(batches) });
    }
    if given.hasattr("__arrow_c_array__")? {
        let batch = RecordBatch::from_pyarrow_bound(given)?;
        return Ok(Input { schema: batch.schema(), batches: Box::new(std::iter::once(Ok(batch))) });
    }
    Err(refused(
        "the table must export Arrow (a polars, pyarrow or pandas table, a DuckDB relation) or be a dict of \
         columns by name",
    ))
}

/// Columns of one length as a batch.
fn joined(columns: &Bound<'_, PyDict>) -> PyResult<RecordBatch> {
    let mut named: Vec<(String, ArrayRef)> = Vec::new();
    for (name, given) in columns {
        let name: String = name.extract()?;
        let column = column(&name, &given)?;
        if let Some((first, other)) = named.first()
            && other.len() != column.len()
        {
            let (n, m) = (other.len(), column.len());
            return Err(refused(format!("column {first:?} has {n} rows and column {name:?} has {m}")));
        }
        named.push((name, column));
    }
    RecordBatch::try_from_iter(named).map_err(|error| of_arrow(&error))
}

fn column(name: &str, given: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    if given.hasattr("__arrow_c_array__")? {
        return Ok(make_array(ArrayData::from_pyarrow_bound(given)?));
    }
    if given.hasattr("__arrow_c_stream__")? {
        // The only column of a table, in pieces.
        let reader = ArrowArrayStreamReader::from_pyarrow_bound(given)?;
        let pieces: Vec<RecordBatch> = reader.collect::<Result<_, _>>().map_err(|error| of_arrow(&error))?;
        let pieces: Vec<&dyn Array> = pieces.iter().map(|piece| piece.column(0).as_ref()).collect();
        return arrow_select::concat::concat(&pieces).map_err(|error| of_arrow(&error));
    }
    if let Ok(buffer) = given.extract::<PyBuffer<f64>>() {
        return Ok(Arc::new(Float64Array::from(buffer.to_vec(given.py())?)));
    }
    let list = given.cast::<PyList>()?;
    if let Ok(texts) = list.extract::<Vec<Option<String>>>() {
        return Ok(Arc::new(StringArray::from(texts)));
    }
    if let Ok(whole) = list.extract::<Vec<Option<i64>>>() {
        return Ok(Arc::new(Int64Array::from(whole)));
    }
    if let Ok(numbers) = list.extract::<Vec<Option<f64>>>() {
        return Ok(Arc::new(Float64Array::from(numbers)));
    }
    Err(refused(format!("column {name:?} must hold numbers alone or texts alone")))
}

// Results of many groups as a table.

/// Results of many groups, one row per group.
#[pyclass(frozen, module = "statera._native")]
pub struct Table {
    pub keys: Vec<(String, ArrayRef)>,
    pub results: Columns,
}

#[pymethods]
impl Table {
    fn __len__(&self) -> usize {
        self.results.groups
    }

    /// The names of the columns: the keys of the groups, then the results.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let keys = self.keys.iter().map(|(name, _)| name.clone());
        keys.chain(self.results.columns.iter().map(|column| column.field.name.to_string())).collect()
    }

    /// A column. Numbers are a memoryview of 64-bit floats, NaN if absent; all other columns are lists.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        if let Some((_, key)) = self.keys.iter().find(|(known, _)| known == name) {
            return texts(py, key);
        }
        let Some(column) = self.results.column(name) else {
            let known = self.columns().join(", ");
            return Err(PyKeyError::new_err(format!("there is no column {name:?}; there are {known}")));
        };
        match column.field.kind {
            Kind::Number | Kind::Count => {
                let bytes =
                    column.numbers.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<u8>>();
                PyMemoryView::from(&PyBytes::new(py, &bytes))?.call_method1("cast", ("d",))
            }
            Kind::Flag => {
                let flags = column.numbers.iter().map(|&n| (!n.is_nan()).then_some(n != 0.0));
                Ok(PyList::new(py, flags.collect::<Vec<_>>())?.into_any())
            }
            Kind::Word(_) | Kind::Warnings => texts(py, &column.array()),
        }
    }

    /// The Arrow `PyCapsule` stream of the table.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore a requested schema.
        let _ = requested_schema;
        let results = self.results.columns.iter().map(|c| (c.field.name.to_string(), c.array()));
        let columns: Vec<(String, ArrayRef)> = self.keys.iter().cloned().chain(results).collect();
        let fields = columns.iter().map(|(name, array)| Field::new(name, array.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(|e| refused(e.to_string()))?;
        arrow::stream(py, schema, vec![batch])
    }

    fn __repr__(&self) -> String {
        format!("Table({} groups: {})", self.results.groups, self.columns().join(", "))
    }
}

/// A column of texts as a list.
fn texts<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Bound<'py, PyAny>> {
    let list = match column.data_type() {
        DataType::Utf8 => PyList::new(py, column.as_string::<i32>().iter().collect::<Vec<_>>()),
        DataType::LargeUtf8 => PyList::new(py, column.as_string::<i64>().iter().collect::<Vec<_>>()),
        DataType::Utf8View => PyList::new(py, column.as_string_view().iter().collect::<Vec<_>>()),
        DataType::Int64 => {
            let column = column.as_primitive::<arrow_array::types::Int64Type>();
            PyList::new(py, column.iter().collect::<Vec<_>>())
        }
        other => {
            return Err(refused(format!(
                "a key of type {other} has no list. Take the whole table with polars, pyarrow or pandas"
            )));
        }
    };
    Ok(list?.into_any())
}

// The procedures of statera.stats whose result is not a row of numbers: curves, families of p-values, series,
// statistics written in Python.

pub fn register_others(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(density, module)?)?;
    module.add_function(wrap_pyfunction!(adjust, module)?)?;
    module.add_function(wrap_pyfunction!(westfall_young, module)?)?;
    module.add_function(wrap_pyfunction!(segments, module)?)?;
    module.add_function(wrap_pyfunction!(bootstrap_with, module)?)?;
    module.add_function(wrap_pyfunction!(detectable, module)?)?;
    module.add_function(wrap_pyfunction!(runs_for, module)?)?;
    module.add_function(wrap_pyfunction!(least_runs, module)?)
}

/// Kernel density at equidistant places.
#[pyfunction]
fn density(
    py: Python<'_>,
    sample: Named,
    bandwidth: f64,
    from: f64,
    to: f64,
    points: usize,
) -> PyResult<Vec<f64>> {
    let values = values(py, &sample)?;
    Ok(py.detach(|| kernels::density(&values, bandwidth, from, to, points)))
}

/// Corrected p-values; None stays None.
#[pyfunction]
fn adjust(p: Vec<Option<f64>>, correction: &str) -> PyResult<Vec<Option<f64>>> {
    let how = Correction::of(correction).map_err(|unknown| refused(unknown.to_string()))?;
    let p: Vec<f64> = p.into_iter().map(|p| p.unwrap_or(f64::NAN)).collect();
    let adjusted = kernels::adjust(&p, how);
    Ok(adjusted.into_iter().map(|p| (!p.is_nan()).then_some(p)).collect())
}

/// Step-down maxT of rows of values; `m` is the size of the first group, None for paired differences.
#[pyfunction]
fn westfall_young(
    py: Python<'_>,
    rows: Vec<Named>,
    pools: Vec<usize>,
    m: Option<usize>,
    moderated: bool,
    relabelings: usize,
    seed: u64,
) -> PyResult<Option<Bound<'_, PyDict>>> {
    let held = rows.iter().map(|row| values(py, row)).collect::<PyResult<Vec<_>>>()?;
    let n = held.first().map_or(0, Vec::len);
    let design = match m {
        Some(m) => Relabeling::TwoSample { m, n: n.saturating_sub(m) },
        None => Relabeling::Signs { n },
    };
    let moderation = if moderated { Moderation::Pooled } else { Moderation::None };
    let rows: Vec<MaxTRow<'_>> =
        held.iter().zip(&pools).map(|(values, &pool)| MaxTRow { values, pool }).collect();
    let found = py.detach(|| kernels::westfall_young_with(&rows, design, moderation, relabelings, seed));
    found
        .map(|found| {
            let dict = PyDict::new(py);
            let p: Vec<Option<f64>> = found.p.iter().map(|&p| (!p.is_nan()).then_some(p)).collect();
            dict.set_item("p", p)?;
            dict.set_item("relabelings", found.relabelings)?;
            dict.set_item("exact", found.exact)?;
            dict.set_item("least_p", found.least_p)?;
            Ok(dict)
        })
        .transpose()
}

/// Starts of new segments of a series, and the mean of every segment.
#[pyfunction]
fn segments(
    py: Python<'_>,
    sample: Named,
    penalty: Option<f64>,
    least: usize,
) -> PyResult<(Vec<usize>, Vec<f64>)> {
    let values = values(py, &sample)?;
    Ok(py.detach(|| {
        let changes = kernels::pelt(&values, penalty, least);
        let means = kernels::segment_means(&values, &changes);
        (changes, means)
    }))
}

/// Bootstrap of a statistic written in Python, which is given the bytes of 64-bit floats.
#[pyfunction]
fn bootstrap_with(
    py: Python<'_>,
    sample: Named,
    statistic: Py<PyAny>,
    percentile: bool,
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> PyResult<Option<Bound<'_, PyDict>>> {
    let values = values(py, &sample)?;
    let failure: Mutex<Option<PyErr>> = Mutex::new(None);
    let of = |resample: &[f64]| -> f64 {
        if failure.lock().is_ok_and(|failure| failure.is_some()) {
            return f64::NAN;
        }
        let found = Python::attach(|py| {
            let bytes: Vec<u8> = resample.iter().flat_map(|value| value.to_ne_bytes()).collect();
            statistic.call1(py, (PyBytes::new(py, &bytes),))?.extract::<f64>(py)
        });
        found.unwrap_or_else(|error| {
            if let Ok(mut failure) = failure.lock() {
                failure.get_or_insert(error);
            }
            f64::NAN
        })
    };
    let method = if percentile { BootMethod::Percentile } else { BootMethod::Bca };
    let found = py.detach(|| kernels::bootstrap_general(&values, &of, method, confidence, resamples, seed));
    if let Ok(Some(error)) = failure.into_inner() {
        return Err(error);
    }
    found
        .map(|found| {
            let dict = PyDict::new(py);
            dict.set_item("estimate", found.estimate)?;
            dict.set_item("low", found.low)?;
            dict.set_item("high", found.high)?;
            dict.set_item("resamples", found.resamples)?;
            dict.set_item("bias_correction", found.bias_correction)?;
            dict.set_item("acceleration", found.acceleration)?;
            Ok(dict)
        })
        .transpose()
}

/// Returns the smallest shift that the rank test of m and n values detects; None if no outcome is significant.
#[pyfunction]
fn detectable(sd: f64, m: usize, n: usize, confidence: f64, power: f64) -> Option<f64> {
    Some(kernels::detectable_two_sample(sd, m, n, confidence, power)).filter(|shift| shift.is_finite())
}

/// Returns the number of runs per side that detect a change; None if no number does.
#[pyfunction]
fn runs_for(sd: f64, change: f64, confidence: f64, power: f64) -> Option<f64> {
    Some(kernels::runs_for_change(sd, change, confidence, power)).filter(|runs| runs.is_finite())
}

/// Returns the minimum number of runs per side (or of pairs) with which any of the rows can be significant; None for more
/// than `most`.
#[pyfunction]
fn least_runs(alpha: f64, rows: usize, most: usize, paired: bool) -> Option<usize> {
    if paired { kernels::least_pairs(alpha, rows, most) } else { kernels::least_runs(alpha, rows, most) }
}
