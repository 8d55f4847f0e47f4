//! Regular expressions that take time linear in the length of a name, because names are untrusted.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A regular expression.
#[pyclass(frozen, module = "statera._native")]
pub struct Pattern {
    inner: regex::Regex,
}

#[pymethods]
impl Pattern {
    /// Compiles an expression. Raises `ValueError` if it is invalid or would take too much memory.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let inner = regex::Regex::new(text).map_err(|error| PyValueError::new_err(reason(&error)))?;
        Ok(Self { inner })
    }

    /// Whether a part of the name matches.
    fn search(&self, name: &str) -> bool {
        self.inner.is_match(name)
    }
}

/// The names that resemble a text most, the nearest first.
#[pyfunction]
pub fn nearest(wanted: &str, names: Vec<String>, most: usize) -> Vec<String> {
    statera_readers::nearest::nearest(wanted, &names, most).into_iter().cloned().collect()
}

/// Returns the line of an error message that states the error, without the drawing of its position.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
