//! Regular expressions whose time is linear in the name: names are from strangers.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A regular expression.
#[pyclass(frozen, module = "statera._native")]
pub struct Pattern {
    inner: regex::Regex,
}

#[pymethods]
impl Pattern {
    /// Reads an expression; one that is none, or would take too much memory, is a `ValueError`.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let inner = regex::Regex::new(text).map_err(|error| PyValueError::new_err(reason(&error)))?;
        Ok(Self { inner })
    }

    /// Whether a part of the name fits.
    fn search(&self, name: &str) -> bool {
        self.inner.is_match(name)
    }
}

/// The line that says what is wrong, without the drawing of the place.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
