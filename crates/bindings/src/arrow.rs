//! Columns for Python: the Arrow `PyCapsule` interface.

use std::io::{Error, ErrorKind};
use std::path::Path;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use statera_readers::{Observations, arrow as columns, export};

/// Passes batches to Python as a stream capsule, without copying the columns.
pub fn stream(
    py: Python<'_>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'_, PyCapsule>> {
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(reader));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// Returns the observations as batches.
pub fn observations(inner: &Observations) -> (SchemaRef, Vec<RecordBatch>) {
    columns::to_batches(inner, &|_| None)
}

/// Writes the observations.
pub fn write(
    inner: &Observations,
    path: &Path,
    kind: &str,
    labels: &[Option<String>],
) -> std::io::Result<()> {
    let kind = export::Kind::of_word(kind)
        .ok_or_else(|| Error::new(ErrorKind::InvalidInput, format!("no kind of table is named {kind:?}")))?;
    export::write(inner, &|context| labels.get(context).and_then(Option::as_deref), path, kind)
}
