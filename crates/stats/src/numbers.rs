//! Columns of any number type as 64-bit floats.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

/// Calls `take` with each value of a column in order, `None` for null. The error describes an unsupported type.
pub fn each(column: &ArrayRef, take: impl FnMut(Option<f64>)) -> Result<(), String> {
    match column.data_type() {
        DataType::Float64 => primitive::<Float64Type>(column, |v| v, take),
        DataType::Float32 => primitive::<Float32Type>(column, f64::from, take),
        DataType::Int64 => primitive::<Int64Type>(column, |v| v as f64, take),
        DataType::Int32 => primitive::<Int32Type>(column, f64::from, take),
        DataType::Int16 => primitive::<Int16Type>(column, f64::from, take),
        DataType::Int8 => primitive::<Int8Type>(column, f64::from, take),
        DataType::UInt64 => primitive::<UInt64Type>(column, |v| v as f64, take),
        DataType::UInt32 => primitive::<UInt32Type>(column, f64::from, take),
        DataType::UInt16 => primitive::<UInt16Type>(column, f64::from, take),
        DataType::UInt8 => primitive::<UInt8Type>(column, f64::from, take),
        other => return Err(format!("holds {other}, not numbers; cast it to 64-bit floats")),
    }
    Ok(())
}

fn primitive<T: ArrowPrimitiveType>(
    column: &ArrayRef,
    float: impl Fn(T::Native) -> f64,
    mut take: impl FnMut(Option<f64>),
) {
    let column = column.as_primitive::<T>();
    if column.null_count() == 0 {
        column.values().iter().for_each(|&value| take(Some(float(value))));
    } else {
        column.iter().for_each(|value| take(value.map(&float)));
    }
}
