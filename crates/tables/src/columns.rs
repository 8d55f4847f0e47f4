//! Rows as columns, for data frames.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::{ArrowError, Field as ArrowField, Schema};
use rayon::prelude::*;

use crate::field::{Codes, Field, Names, Of};

/// Returns the rows as one batch with a column for each field.
///
/// # Errors
/// If a row lacks a field that is not optional.
pub fn columns<R: Sync>(
    fields: &[Field<R>],
    rows: &[R],
    names: &Names<'_>,
) -> Result<RecordBatch, ArrowError> {
    let arrays: Vec<ArrayRef> = fields.par_iter().map(|field| array(field, rows, names)).collect();
    let named = fields.iter().zip(&arrays);
    let schema: Vec<ArrowField> = named
        .map(|(field, array)| ArrowField::new(field.name, array.data_type().clone(), field.optional))
        .collect();
    RecordBatch::try_new(Arc::new(Schema::new(schema)), arrays)
}

/// A field of all rows, in one pass with a builder of its type.
fn array<R>(field: &Field<R>, rows: &[R], names: &Names<'_>) -> ArrayRef {
    match field.of {
        Of::Text(of) => Arc::new(StringArray::from_iter_values(rows.iter().map(|row| of(row, names)))),
        Of::Code(of) => Arc::new(rows.iter().map(of).collect::<StringArray>()),
        Of::Codes(of) => Arc::new(codes(rows.iter().map(|row| field.codes_of(of(row))))),
        Of::Number(of) => Arc::new(numbers(rows.iter().map(of).collect())),
        Of::Count(of) => Arc::new(rows.iter().map(of).collect::<UInt32Array>()),
        Of::Flag(of) => {
            Arc::new(BooleanArray::from(BooleanBuffer::collect_bool(rows.len(), |place| of(&rows[place]))))
        }
    }
}

fn codes(rows: impl Iterator<Item = Codes>) -> StringArray {
    let mut texts = StringBuilder::with_capacity(rows.size_hint().0, 0);
    for codes in rows {
        // A builder takes any text.
        let _ = write!(texts, "{codes}");
        texts.append_value("");
    }
    texts.finish()
}

/// A column of numbers; those that are not finite are null.
fn numbers(values: Vec<f64>) -> Float64Array {
    let finite = BooleanBuffer::collect_bool(values.len(), |place| values[place].is_finite());
    Float64Array::new(values.into(), Some(NullBuffer::new(finite)).filter(|nulls| nulls.null_count() > 0))
}
