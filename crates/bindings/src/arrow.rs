//! Columns for Python: the Arrow `PyCapsule` interface.

use std::io::{Error, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, RecordBatch, RecordBatchIterator, StringArray, UInt32Array,
};
use arrow_schema::{Field, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use statera_readers::{Observations, arrow as columns, export};
use statera_weighing::{Row, Weighing};

use crate::weighing::words;

/// Hands batches to Python as a stream capsule. Whoever takes it takes the columns as they are.
pub fn stream(
    py: Python<'_>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'_, PyCapsule>> {
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(reader));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// The observations as batches.
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

/// The rows of a comparison as one batch.
pub fn rows(
    observations: &Observations,
    weighing: &Weighing,
    labels: &[String],
    groups: &[String],
) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let rows = &weighing.rows;
    let text = |of: &dyn Fn(&Row) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(rows.iter().map(of)))
    };
    let number = |of: &dyn Fn(&Row) -> f64| -> ArrayRef {
        Arc::new(
            rows.iter().map(|row| Some(of(row)).filter(|value| value.is_finite())).collect::<Float64Array>(),
        )
    };
    let count = |of: &dyn Fn(&Row) -> u32| -> ArrayRef {
        Arc::new(UInt32Array::from_iter_values(rows.iter().map(of)))
    };
    let label = |labels: &[String], index: u32| labels.get(index as usize).cloned().unwrap_or_default();
    let metric = |row: &Row| &observations.metrics[row.metric as usize];
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("group", text(&|row| label(groups, row.group))),
        ("benchmark", text(&|row| observations.benchmarks.get(row.benchmark).to_owned())),
        ("metric", text(&|row| metric(row).name.clone())),
        ("unit", text(&|row| metric(row).unit.clone())),
        ("baseline", text(&|row| label(labels, row.base))),
        ("contender", text(&|row| label(labels, row.contender))),
        ("design", text(&|row| words(row).0.to_owned())),
        ("scale", text(&|row| words(row).1.to_owned())),
        ("old_values", count(&|row| row.old.values)),
        ("new_values", count(&|row| row.new.values)),
        ("old_n", count(&|row| row.old.units)),
        ("new_n", count(&|row| row.new.units)),
        ("old_centre", number(&|row| row.old.centre.value)),
        ("old_low", number(&|row| row.old.centre.low)),
        ("old_high", number(&|row| row.old.centre.high)),
        ("new_centre", number(&|row| row.new.centre.value)),
        ("new_low", number(&|row| row.new.centre.low)),
        ("new_high", number(&|row| row.new.centre.high)),
        ("change", number(&|row| row.change)),
        ("change_low", number(&|row| row.low)),
        ("change_high", number(&|row| row.high)),
        ("low_open", Arc::new(rows.iter().map(|row| Some(row.low_open)).collect::<BooleanArray>())),
        ("high_open", Arc::new(rows.iter().map(|row| Some(row.high_open)).collect::<BooleanArray>())),
        ("level", number(&|row| row.level)),
        ("superiority", number(&|row| row.superiority)),
        (
            "method",
            text(&|row| row.method.map_or(String::new(), |method| format!("{method:?}").to_lowercase())),
        ),
        ("statistic", number(&|row| row.statistic)),
        ("p", number(&|row| row.p.unwrap_or(f64::NAN))),
        ("p_corrected", number(&|row| row.p_corrected.unwrap_or(f64::NAN))),
        ("least_p", number(&|row| row.least_p)),
        ("verdict", text(&|row| words(row).2.to_owned())),
        ("reason", text(&|row| words(row).3.to_owned())),
        ("detectable", number(&|row| row.detectable)),
        ("runs_needed", number(&|row| row.runs_needed)),
        ("pairs_dropped", count(&|row| row.pairs_dropped)),
        ("warnings", text(&|row| statera_tables::row_warnings(row).join(" "))),
    ];
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let schema = Arc::new(Schema::new(fields));
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays)
        .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
    Ok((schema, vec![batch]))
}
