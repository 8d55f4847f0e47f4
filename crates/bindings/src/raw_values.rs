//! The raw values of the rows, as buffers of numbers.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use statera_tables::numbers;

use crate::decisions::Assignment;
use crate::observations::Observations;

/// Returns the values that an assignment selects, as little-endian columns by name.
#[pyfunction]
pub fn raw_values(
    py: Python<'_>,
    observations: Py<Observations>,
    assignment: Assignment,
) -> PyResult<Bound<'_, PyDict>> {
    let assignment = assignment.into();
    let read = &observations.get().inner;
    let columns = py.detach(|| {
        let found = statera_weighing::raw_values(read, &assignment);
        [
            ("benchmark", bytes(&found.benchmark, u32::to_le_bytes)),
            ("metric", bytes(&found.metric, u32::to_le_bytes)),
            ("group", bytes(&found.group, u32::to_le_bytes)),
            ("variant", bytes(&found.variant, u32::to_le_bytes)),
            ("order", bytes(&found.order, u32::to_le_bytes)),
            ("value", bytes(&found.value, f64::to_le_bytes)),
            ("block", bytes(&found.block, i64::to_le_bytes)),
            ("run", bytes(&found.run, i64::to_le_bytes)),
        ]
    });
    let dict = PyDict::new(py);
    for (name, column) in columns {
        dict.set_item(name, PyBytes::new(py, &column))?;
    }
    Ok(dict)
}

fn bytes<T: Copy, const N: usize>(numbers: &[T], to_bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    numbers.iter().flat_map(|&number| to_bytes(number)).collect()
}

/// Returns the names of the blocks, by number.
#[pyfunction]
pub fn block_names(observations: PyRef<'_, Observations>) -> Vec<String> {
    let blocks = &observations.inner.blocks;
    (0..blocks.len() as u32).map(|number| blocks.get(number).to_owned()).collect()
}

/// Returns the unit for values of this size: the divisor, and the name (`ms`, `MiB/s`, `k`).
#[pyfunction]
pub fn unit(observations: PyRef<'_, Observations>, metric: usize, size: f64) -> PyResult<(f64, String)> {
    let metric =
        observations.inner.metrics.get(metric).ok_or_else(|| PyIndexError::new_err("no such metric"))?;
    Ok(numbers::unit(metric.quantity, &metric.unit, size))
}
