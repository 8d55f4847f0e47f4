//! Procedures for many groups at once: buffers in, buffers out.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use statera_kernels as kernels;

/// Statistics and p-values as the bytes of 64-bit floats, the least p that these sizes could give, and
/// whether the null distribution was exact.
type Tests<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, f64, bool);

/// The Mann-Whitney test of each row of `x` against the same row of `y`; both are two-dimensional.
#[pyfunction]
pub fn mann_whitney_rows(py: Python<'_>, x: PyBuffer<f64>, y: PyBuffer<f64>) -> PyResult<Tests<'_>> {
    let (groups, m) = shape(&x)?;
    let (others, n) = shape(&y)?;
    if groups != others {
        return Err(PyValueError::new_err(format!("x has {groups} groups and y has {others}")));
    }
    let (x, y) = (x.to_vec(py)?, y.to_vec(py)?);
    if x.iter().chain(&y).any(|value| !value.is_finite()) {
        return Err(PyValueError::new_err("values must be finite numbers"));
    }
    let offsets = |width: usize| -> Vec<usize> { (0..=groups).map(|group| group * width).collect() };
    let tests = py.detach(|| kernels::mann_whitney_batch(&x, &offsets(m), &y, &offsets(n)));
    let bytes = |of: &dyn Fn(&kernels::Test) -> f64| -> Vec<u8> {
        tests.iter().flat_map(|test| test.as_ref().map_or(f64::NAN, of).to_ne_bytes()).collect()
    };
    let first = tests.iter().flatten().next();
    Ok((
        PyBytes::new(py, &bytes(&|test| test.statistic)),
        PyBytes::new(py, &bytes(&|test| test.p)),
        first.map_or(f64::NAN, |test| test.least_p),
        first.is_some_and(|test| test.method == kernels::Method::Exact),
    ))
}

fn shape(buffer: &PyBuffer<f64>) -> PyResult<(usize, usize)> {
    match buffer.shape() {
        [groups, width] => Ok((*groups, *width)),
        [width] => Ok((1, *width)),
        _ => Err(PyValueError::new_err("values must have one dimension, or two: groups and values")),
    }
}
