//! Samples and tables from Python: buffers of 64-bit floats, and columns of Arrow.

use std::sync::Arc;

use arrow_array::ffi_stream::ArrowArrayStreamReader;
use arrow_array::{
    Array, ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchReader, StringArray, make_array,
};
use arrow_data::ArrayData;
use arrow_pyarrow::FromPyArrow;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList};
use statera_stats::{Options, Setting};

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

fn arrow(error: &ArrowError) -> PyErr {
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
    RecordBatch::try_from_iter(named).map_err(|error| arrow(&error))
}

fn column(name: &str, given: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    if given.hasattr("__arrow_c_array__")? {
        return Ok(make_array(ArrayData::from_pyarrow_bound(given)?));
    }
    if given.hasattr("__arrow_c_stream__")? {
        // The only column of a table, in pieces.
        let reader = ArrowArrayStreamReader::from_pyarrow_bound(given)?;
        let pieces: Vec<RecordBatch> = reader.collect::<Result<_, _>>().map_err(|error| arrow(&error))?;
        let pieces: Vec<&dyn Array> = pieces.iter().map(|piece| piece.column(0).as_ref()).collect();
        return arrow_select::concat::concat(&pieces).map_err(|error| arrow(&error));
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
