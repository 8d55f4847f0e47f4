//! Texts of Python, also those that are not Unicode.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use statera_tables::names;

/// A string of Python. A byte of a name that is not UTF-8 is shown as `\xFF`, half of a character as `\ud800`.
pub struct AnyText(pub String);

/// A JSON document of Python; its texts are treated like [`AnyText`].
pub struct AnyDocument(pub String);

impl<'py> FromPyObject<'_, 'py> for AnyText {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        any_text(object, "\\x").map(Self)
    }
}

impl<'py> FromPyObject<'_, 'py> for AnyDocument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        // `\ud800` is an escape of JSON; `\xFF` is none, and its backslash becomes one.
        any_text(object, "\\\\x").map(Self)
    }
}

/// Decodes a string of Python; units that are not characters become escapes. `byte` is the prefix of the digits of a
/// byte.
fn any_text(object: Borrowed<'_, '_, PyAny>, byte: &str) -> PyResult<String> {
    let string = object.cast::<PyString>()?;
    if let Ok(text) = string.to_cow() {
        return Ok(text.into_owned());
    }
    let units = string.call_method1("encode", ("utf-32-le", "surrogatepass"))?;
    Ok(names::with_escapes(units.cast::<PyBytes>()?.as_bytes(), byte))
}
