//! Samples of millions of values, from columns of Arrow.

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::ArrowArrayStreamReader;
use arrow_array::types::{Float64Type, UInt16Type};
use arrow_pyarrow::FromPyArrow;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use statera_kernels::LargeSample;

/// Group, number, sum in units of 2^-60, least and largest value.
type Totals = (usize, u64, i128, f64, f64);

/// Values that belong to groups, which are numbered from 0.
#[pyclass(name = "LargeSample", frozen, module = "statera._native")]
pub struct Sample {
    inner: std::sync::Mutex<LargeSample>,
}

#[pymethods]
impl Sample {
    /// Takes a table of two columns that exports Arrow: the group (16 bits), and the value (a double). Rows that lack
    /// one of them are skipped.
    #[new]
    fn new(py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Self> {
        let reader = ArrowArrayStreamReader::from_pyarrow_bound(table)?;
        py.detach(|| {
            let mut sample = LargeSample::default();
            for batch in reader {
                let batch = batch.map_err(|error| PyValueError::new_err(error.to_string()))?;
                let columns = batch.columns();
                let [group, value] = columns else {
                    return Err(PyValueError::new_err("a table of two columns is required"));
                };
                let group = group.as_primitive_opt::<UInt16Type>();
                let value = value.as_primitive_opt::<Float64Type>();
                let (Some(group), Some(value)) = (group, value) else {
                    return Err(PyValueError::new_err("groups must be of 16 bits, values doubles"));
                };
                for pair in group.iter().zip(value) {
                    if let (Some(group), Some(value)) = pair {
                        sample.push(group, value);
                    }
                }
            }
            Ok(Self { inner: std::sync::Mutex::new(sample) })
        })
    }

    /// Returns the totals of every group that has values.
    ///
    /// Raises `OverflowError` if a sum overflows.
    fn totals(&self) -> PyResult<Vec<Totals>> {
        let sample = self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let totals = sample.totals().iter().enumerate().filter(|(_, total)| total.n > 0);
        totals
            .map(|(group, total)| {
                let sum = total.sum.ok_or_else(|| PyOverflowError::new_err("a sum has no room"))?;
                Ok((group, total.n, sum, total.least, total.largest))
            })
            .collect()
    }

    /// Returns quantiles at ascending levels, and the sum of squared deviations from `mean` in parts of `range`, in units of
    /// 2^-60.
    ///
    /// Raises `OverflowError` if that sum overflows.
    fn spread(&self, py: Python<'_>, levels: Vec<f64>, mean: f64, range: f64) -> PyResult<(Vec<f64>, i128)> {
        py.detach(|| {
            let sample = self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let squares = sample.squares(mean, range);
            let squares = squares.ok_or_else(|| PyOverflowError::new_err("a sum has no room"))?;
            Ok((sample.quantiles(&levels), squares))
        })
    }
}
