//! Rows as columns, for data frames.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{ArrowError, Field as ArrowField, Schema};

use crate::field::{Field, Kind, Names, Value};

/// The rows as one batch, a column a field.
///
/// # Errors
/// When the columns make no batch, which does not happen.
pub fn columns<R>(fields: &[Field<R>], rows: &[R], names: &Names<'_>) -> Result<RecordBatch, ArrowError> {
    let arrays: Vec<ArrayRef> = fields.iter().map(|field| array(field, rows, names)).collect();
    let named = fields.iter().zip(&arrays);
    let schema: Vec<ArrowField> = named
        .map(|(field, array)| ArrowField::new(field.name, array.data_type().clone(), field.optional))
        .collect();
    RecordBatch::try_new(Arc::new(Schema::new(schema)), arrays)
}

fn array<R>(field: &Field<R>, rows: &[R], names: &Names<'_>) -> ArrayRef {
    let values = rows.iter().map(|row| (field.of)(row, names));
    match field.kind {
        Kind::Text | Kind::Code(_) | Kind::Codes(_) => Arc::new(values.map(text).collect::<StringArray>()),
        Kind::Number => Arc::new(values.map(|value| number(&value)).collect::<Float64Array>()),
        Kind::Count => Arc::new(values.map(|value| count(&value)).collect::<UInt32Array>()),
        Kind::Flag => {
            Arc::new(values.map(|value| Some(value == Value::Flag(true))).collect::<BooleanArray>())
        }
    }
}

fn text(value: Value<'_>) -> Option<Cow<'_, str>> {
    match value {
        Value::Text(text) => Some(text),
        Value::Codes(codes) => Some(codes.join(" ").into()),
        _ => None,
    }
}

fn number(value: &Value<'_>) -> Option<f64> {
    if let Value::Number(number) = value { Some(*number) } else { None }
}

fn count(value: &Value<'_>) -> Option<u32> {
    if let Value::Count(count) = value { Some(*count) } else { None }
}
