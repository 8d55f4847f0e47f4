//! The descriptions of the formats.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use statera_readers::source::Content;
use statera_readers::{Limits, Role, formats as readers};

/// A format: see `statera_readers::Format`.
#[pyclass(frozen, module = "statera._native")]
pub struct Format {
    #[pyo3(get)]
    name: &'static str,
    #[pyo3(get)]
    sign: &'static str,
    #[pyo3(get)]
    harness: &'static str,
    #[pyo3(get)]
    written_by: String,
    #[pyo3(get)]
    export: &'static str,
    #[pyo3(get)]
    files: Vec<&'static str>,
    #[pyo3(get)]
    has_results: bool,
    #[pyo3(get)]
    values: &'static str,
    #[pyo3(get)]
    processes: &'static str,
    #[pyo3(get)]
    block: Option<&'static str>,
    #[pyo3(get)]
    variants: Option<&'static str>,
    #[pyo3(get)]
    states: Vec<&'static str>,
    #[pyo3(get)]
    keys: Vec<Key>,
    #[pyo3(get)]
    meanings: BTreeMap<&'static str, &'static str>,
    #[pyo3(get)]
    companions: Vec<(&'static str, &'static str)>,
    #[pyo3(get)]
    refused: Option<&'static str>,
    inner: &'static readers::Format,
}

impl Format {
    /// The format, if a plug-in describes it.
    pub fn of_plug_in(&self) -> Option<&'static readers::Format> {
        Some(self.inner).filter(|format| format.plug_in.is_some())
    }
}

/// A configuration key that a format gives.
#[pyclass(frozen, get_all, from_py_object, module = "statera._native")]
#[derive(Clone)]
pub struct Key {
    name: &'static str,
    role: &'static str,
    pooling: &'static str,
    meaning: &'static str,
    detail: bool,
}

/// Returns the formats, in the order in which error messages list them.
#[pyfunction]
pub fn formats() -> Vec<Format> {
    readers::FORMATS.iter().map(|format| described(format)).collect()
}

/// The most that is decompressed to recognise a format: the beginning says which it is.
const RECOGNISED: Limits = Limits { bytes: 64 << 20, expansion: 100, ..Limits::NONE };

/// Returns the names of the formats that fit the beginning of a file; a content of one format has one.
#[pyfunction]
pub fn fitting_formats(content: &[u8]) -> PyResult<Vec<&'static str>> {
    let content = Content::limited(content, RECOGNISED)?;
    let head = readers::Head::new(&content.head);
    Ok(statera_readers::detection::fitting(&head).into_iter().map(|format| format.name).collect())
}

/// Describes a format to Python.
pub fn described(format: &'static readers::Format) -> Format {
    let key = |key: &readers::Key| Key {
        name: key.name,
        role: key.role.word(),
        pooling: key.pooling.word(),
        meaning: key.meaning,
        detail: key.detail,
    };
    Format {
        name: format.name,
        sign: format.sign,
        harness: format.harness,
        written_by: format.written_by(),
        export: format.export(),
        files: format.files.to_vec(),
        has_results: format.has_results(),
        values: format.values.word(),
        processes: format.processes.word(),
        block: format.block,
        variants: format.variants,
        states: states(format),
        keys: format.keys().map(key).collect(),
        meanings: format.metrics.iter().map(|metric| (metric.metric, metric.means)).collect(),
        companions: format.companions.iter().map(|each| (each.files, each.what)).collect(),
        refused: if let readers::Values::Refused { why, .. } = format.values { Some(why) } else { None },
        inner: format,
    }
}

/// What a file can say of its values beside them.
fn states(format: &readers::Format) -> Vec<&'static str> {
    let direction = format.states_direction.then_some("direction");
    let roles =
        [Role::Environment, Role::Commit, Role::Date].into_iter().filter(|&role| format.carries(role));
    direction.into_iter().chain(roles.map(Role::word)).collect()
}
