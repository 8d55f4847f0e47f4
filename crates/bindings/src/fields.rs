//! The fields of rows, for Python.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use statera_tables::field::{Field, Names, Value};
use statera_tables::{INSPECTED_FIELDS, ROW_FIELDS};

/// Name, kind, whether a row may lack it, unit, meaning and codes of a field.
type Described = (&'static str, &'static str, bool, &'static str, &'static str, Vec<&'static str>);

/// The fields of a comparison's rows.
#[pyfunction]
pub fn row_fields() -> Vec<Described> {
    described(&ROW_FIELDS)
}

/// The fields of inspected rows.
#[pyfunction]
pub fn inspected_fields() -> Vec<Described> {
    described(&INSPECTED_FIELDS)
}

fn described<R>(fields: &[Field<R>]) -> Vec<Described> {
    let one = |field: &Field<R>| {
        let codes = field.kind.codes().to_vec();
        (field.name, field.kind.name(), field.optional, field.unit, field.meaning, codes)
    };
    fields.iter().map(one).collect()
}

/// Returns a row as a dictionary; absent values are None.
pub fn dictionary<'py, R>(
    py: Python<'py>,
    fields: &[Field<R>],
    row: &R,
    names: &Names<'_>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for field in fields {
        match field.value(row, names) {
            Value::Absent => dict.set_item(field.name, py.None())?,
            Value::Text(text) => dict.set_item(field.name, text)?,
            Value::Number(number) => dict.set_item(field.name, number)?,
            Value::Count(count) => dict.set_item(field.name, count)?,
            Value::Flag(flag) => dict.set_item(field.name, flag)?,
            Value::Codes(codes) => {
                let codes: Vec<&str> = codes.iter().collect();
                dict.set_item(field.name, PyTuple::new(py, codes)?)?;
            }
        }
    }
    Ok(dict)
}
