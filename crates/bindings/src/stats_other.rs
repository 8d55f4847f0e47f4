//! The procedures of statera.stats whose result is not a row of numbers: curves, families of p-values, series,
//! statistics written in Python.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use statera_kernels::{self as kernels, BootMethod, Correction, MaxTRow, Moderation, Relabeling};
use statera_weighing::Choice;

use crate::stats_input::{Named, refused, values};

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(density, module)?)?;
    module.add_function(wrap_pyfunction!(adjust, module)?)?;
    module.add_function(wrap_pyfunction!(westfall_young, module)?)?;
    module.add_function(wrap_pyfunction!(segments, module)?)?;
    module.add_function(wrap_pyfunction!(bootstrap_with, module)?)?;
    module.add_function(wrap_pyfunction!(detectable, module)?)?;
    module.add_function(wrap_pyfunction!(runs_for, module)?)?;
    module.add_function(wrap_pyfunction!(least_runs, module)?)
}

/// Kernel density at equidistant places.
#[pyfunction]
fn density(
    py: Python<'_>,
    sample: Named,
    bandwidth: f64,
    from: f64,
    to: f64,
    points: usize,
) -> PyResult<Vec<f64>> {
    let values = values(py, &sample)?;
    Ok(py.detach(|| kernels::density(&values, bandwidth, from, to, points)))
}

/// Corrected p-values; None stays None.
#[pyfunction]
fn adjust(p: Vec<Option<f64>>, correction: &str) -> PyResult<Vec<Option<f64>>> {
    let how = Correction::of(correction).map_err(|unknown| refused(unknown.to_string()))?;
    let p: Vec<f64> = p.into_iter().map(|p| p.unwrap_or(f64::NAN)).collect();
    let adjusted = kernels::adjust(&p, how);
    Ok(adjusted.into_iter().map(|p| (!p.is_nan()).then_some(p)).collect())
}

/// Step-down maxT of rows of values; `m` is the size of the first group, None for paired differences.
#[pyfunction]
fn westfall_young(
    py: Python<'_>,
    rows: Vec<Named>,
    pools: Vec<usize>,
    m: Option<usize>,
    moderated: bool,
    relabelings: usize,
    seed: u64,
) -> PyResult<Option<Bound<'_, PyDict>>> {
    let held = rows.iter().map(|row| values(py, row)).collect::<PyResult<Vec<_>>>()?;
    let n = held.first().map_or(0, Vec::len);
    let design = match m {
        Some(m) => Relabeling::TwoSample { m, n: n.saturating_sub(m) },
        None => Relabeling::Signs { n },
    };
    let moderation = if moderated { Moderation::Pooled } else { Moderation::None };
    let rows: Vec<MaxTRow<'_>> =
        held.iter().zip(&pools).map(|(values, &pool)| MaxTRow { values, pool }).collect();
    let found = py.detach(|| kernels::westfall_young_with(&rows, design, moderation, relabelings, seed));
    found
        .map(|found| {
            let dict = PyDict::new(py);
            let p: Vec<Option<f64>> = found.p.iter().map(|&p| (!p.is_nan()).then_some(p)).collect();
            dict.set_item("p", p)?;
            dict.set_item("relabelings", found.relabelings)?;
            dict.set_item("exact", found.exact)?;
            dict.set_item("least_p", found.least_p)?;
            Ok(dict)
        })
        .transpose()
}

/// Starts of new segments of a series, and the mean of every segment.
#[pyfunction]
fn segments(
    py: Python<'_>,
    sample: Named,
    penalty: Option<f64>,
    least: usize,
) -> PyResult<(Vec<usize>, Vec<f64>)> {
    let values = values(py, &sample)?;
    Ok(py.detach(|| {
        let changes = kernels::pelt(&values, penalty, least);
        let means = kernels::segment_means(&values, &changes);
        (changes, means)
    }))
}

/// Bootstrap of a statistic written in Python, which is given the bytes of 64-bit floats.
#[pyfunction]
fn bootstrap_with(
    py: Python<'_>,
    sample: Named,
    statistic: Py<PyAny>,
    percentile: bool,
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> PyResult<Option<Bound<'_, PyDict>>> {
    let values = values(py, &sample)?;
    let failure: Mutex<Option<PyErr>> = Mutex::new(None);
    let of = |resample: &[f64]| -> f64 {
        if failure.lock().is_ok_and(|failure| failure.is_some()) {
            return f64::NAN;
        }
        let found = Python::attach(|py| {
            let bytes: Vec<u8> = resample.iter().flat_map(|value| value.to_ne_bytes()).collect();
            statistic.call1(py, (PyBytes::new(py, &bytes),))?.extract::<f64>(py)
        });
        found.unwrap_or_else(|error| {
            if let Ok(mut failure) = failure.lock() {
                failure.get_or_insert(error);
            }
            f64::NAN
        })
    };
    let method = if percentile { BootMethod::Percentile } else { BootMethod::Bca };
    let found = py.detach(|| kernels::bootstrap_general(&values, &of, method, confidence, resamples, seed));
    if let Ok(Some(error)) = failure.into_inner() {
        return Err(error);
    }
    found
        .map(|found| {
            let dict = PyDict::new(py);
            dict.set_item("estimate", found.estimate)?;
            dict.set_item("low", found.low)?;
            dict.set_item("high", found.high)?;
            dict.set_item("resamples", found.resamples)?;
            dict.set_item("bias_correction", found.bias_correction)?;
            dict.set_item("acceleration", found.acceleration)?;
            Ok(dict)
        })
        .transpose()
}

/// Returns the smallest shift that the rank test of m and n values detects; None if no outcome is significant.
#[pyfunction]
fn detectable(sd: f64, m: usize, n: usize, confidence: f64, power: f64) -> Option<f64> {
    Some(kernels::detectable_two_sample(sd, m, n, confidence, power)).filter(|shift| shift.is_finite())
}

/// Returns the number of runs per side that detect a change; None if no number does.
#[pyfunction]
fn runs_for(sd: f64, change: f64, confidence: f64, power: f64) -> Option<f64> {
    Some(kernels::runs_for_change(sd, change, confidence, power)).filter(|runs| runs.is_finite())
}

/// Returns the minimum number of runs per side (or of pairs) with which any of the rows can be significant; None for more
/// than `most`.
#[pyfunction]
fn least_runs(alpha: f64, rows: usize, most: usize, paired: bool) -> Option<usize> {
    if paired { kernels::least_pairs(alpha, rows, most) } else { kernels::least_runs(alpha, rows, most) }
}
