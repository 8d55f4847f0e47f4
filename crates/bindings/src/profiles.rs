//! Profiles of single runs.

use std::path::PathBuf;

use pyo3::prelude::*;
use statera_readers::profiles;

use crate::observations::Limits;

/// A profile: see `statera_readers::profiles::Profile`.
#[pyclass(frozen, module = "statera._native")]
pub struct Profile {
    inner: profiles::Profile,
}

#[pymethods]
impl Profile {
    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.kind
    }

    #[getter]
    fn event(&self) -> &str {
        &self.inner.event
    }

    #[getter]
    fn command(&self) -> &str {
        &self.inner.command
    }

    #[getter]
    fn exact(&self) -> bool {
        self.inner.exact
    }

    #[getter]
    fn stacks(&self) -> bool {
        self.inner.stacks
    }

    #[getter]
    fn whole(&self) -> u64 {
        self.inner.whole()
    }

    #[getter]
    fn unnamed(&self) -> u64 {
        self.inner.unnamed
    }

    #[getter]
    fn odd(&self) -> (usize, u32) {
        self.inner.odd
    }

    #[getter]
    fn other_events(&self) -> Vec<String> {
        self.inner.other_events.clone()
    }

    /// The names of the functions.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.inner.names.clone()
    }

    /// Of each function its own cost, and that with what it called.
    #[getter]
    fn costs(&self) -> Vec<(u64, u64)> {
        self.inner.costs.iter().map(|cost| (cost.own, cost.total)).collect()
    }

    /// Of each frame the number of the one that called it, that of its function, and its own cost.
    #[getter]
    fn frames(&self) -> Vec<(Option<u32>, u32, u64)> {
        let parent = |frame: &profiles::Frame| (frame.parent != profiles::NONE).then_some(frame.parent);
        self.inner.frames.iter().map(|frame| (parent(frame), frame.function, frame.cost)).collect()
    }

    /// Writes it as folded stacks.
    fn folded(&self) -> String {
        self.inner.folded()
    }
}

/// Reads a profile; `None` if the file is none.
#[pyfunction]
pub fn read_profile(
    py: Python<'_>,
    path: PathBuf,
    format: Option<String>,
    limits: Limits,
) -> PyResult<Option<Profile>> {
    let read = py.detach(|| profiles::read(&path, format.as_deref(), limits.into()))?;
    Ok(read.map(|inner| Profile { inner }))
}

/// Returns the p-value of each pair of counts: whether two Poisson processes of one length have different rates.
#[pyfunction]
pub fn two_counts(pairs: Vec<(u64, u64)>) -> Vec<f64> {
    pairs.into_iter().map(|(one, other)| statera_kernels::two_counts::two_counts(one, other)).collect()
}
