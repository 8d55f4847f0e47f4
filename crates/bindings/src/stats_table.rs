//! Results of many groups as a table.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyList, PyMemoryView};
use statera_stats::{Columns, Kind};

use crate::arrow;
use crate::stats_input::refused;

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
                "a key of type {other} has no list; take the whole table with polars, pyarrow or pandas"
            )));
        }
    };
    Ok(list?.into_any())
}
