//! The lists of codes, for Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use statera_kernels::Method;
use statera_weighing::inspection::{Defect, Grade, InspectionSort, Sampled};
use statera_weighing::{Design, Facts, Reason, Scale, Sort, TABLE, Verdict, Warning};

/// Returns every list of codes by its name.
#[pyfunction]
pub fn codes() -> std::collections::BTreeMap<&'static str, Vec<&'static str>> {
    let problems = statera_readers::Code::ALL.iter().map(|code| code.name()).collect();
    [
        ("problems", problems),
        ("verdicts", Verdict::CODES.to_vec()),
        ("reasons", Reason::CODES.to_vec()),
        ("warnings", Warning::CODES.to_vec()),
        ("designs", Design::CODES.to_vec()),
        ("scales", Scale::CODES.to_vec()),
        ("methods", Method::ALL.map(Method::code).to_vec()),
        ("sorts", Sort::CODES.to_vec()),
        ("grades", Grade::CODES.to_vec()),
        ("defects", Defect::CODES.to_vec()),
        ("sampled", Sampled::CODES.to_vec()),
        ("inspection_sorts", InspectionSort::CODES.to_vec()),
    ]
    .into()
}

/// Returns the table of verdicts, the worst first.
#[pyfunction]
pub fn verdicts(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let one = |facts: &Facts| {
        let found = PyDict::new(py);
        found.set_item("code", facts.verdict.code())?;
        found.set_item("harm", facts.harm.code())?;
        found.set_item("part", facts.part.code())?;
        found.set_item("asks", facts.asks)?;
        found.set_item("is_settled", facts.is_settled)?;
        found.set_item("gate", facts.gate)?;
        found.set_item("tone", facts.tone)?;
        found.set_item("ansi", facts.ansi)?;
        found.set_item("shape", facts.shape)?;
        found.set_item("word", facts.word)?;
        Ok(found)
    };
    TABLE.iter().map(one).collect()
}

/// Returns the value that a word names.
///
/// Raises `ValueError` for an unknown word.
pub fn known<T>(found: Option<T>, what: &str, word: &str) -> PyResult<T> {
    found.ok_or_else(|| PyValueError::new_err(format!("no {what} is named {word:?}")))
}
