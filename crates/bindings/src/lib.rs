//! The border to Python: converts, releases the interpreter lock, maps errors. No logic.

mod arrow;
mod decisions;
mod factorial;
mod inspection;
mod large_sample;
mod logs;
mod observations;
mod samples;
mod self_test;
mod stats;
mod stats_input;
mod stats_other;
mod stats_table;
mod weighing;

use pyo3::prelude::*;

pyo3::create_exception!(
    _native,
    Failure,
    pyo3::exceptions::PyException,
    "Nothing could be read: kind, name, why."
);
pyo3::create_exception!(
    _native,
    PairingFailure,
    pyo3::exceptions::PyException,
    "A pairing does not hold: benchmark, metric, why."
);

fn pairing_failure(read: &statera_readers::Observations, fault: statera_weighing::PairingFault) -> PyErr {
    let benchmark = read.benchmarks.get(fault.benchmark).to_owned();
    PairingFailure::new_err((benchmark, read.metrics[fault.metric as usize].name.clone(), fault.why))
}

/// How many threads everything that follows may use; 0 is all cores.
#[pyfunction]
fn set_jobs(jobs: usize) {
    // A second call finds the pool made: the first one stands.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global();
}

/// The formats: name, sign, and whether files of the kind carry results.
#[pyfunction]
fn formats() -> Vec<(&'static str, &'static str, bool)> {
    statera_readers::FORMATS.iter().map(|format| (format.name, format.sign, format.has_results)).collect()
}

/// The codes of problems and of warnings.
#[pyfunction]
fn codes() -> (Vec<&'static str>, Vec<&'static str>) {
    let problems = statera_readers::Code::ALL.iter().map(|code| code.name()).collect();
    let warnings = statera_weighing::Warning::ALL.iter().map(|warning| warning.name()).collect();
    (problems, warnings)
}

/// A name as it can be printed: control, bidirectional and invisible characters escaped.
#[pyfunction]
fn printable(name: &str) -> String {
    statera_tables::names::printable(name).into_owned()
}

/// A name in at most so many columns of a terminal; what is too long loses its middle.
#[pyfunction]
fn shortened(name: &str, most: usize) -> String {
    statera_tables::names::shortened(name, most).into_owned()
}

/// How many columns of a terminal a text takes.
#[pyfunction]
fn columns(text: &str) -> usize {
    statera_tables::names::width(text)
}

/// A name as a Markdown code span.
#[pyfunction]
fn code_span(name: &str) -> String {
    statera_tables::markdown::code(name)
}

/// A relative change as it is written everywhere.
#[pyfunction]
fn percent(change: f64) -> String {
    let mut text = String::new();
    statera_tables::numbers::percent(&mut text, change);
    text
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Failure", module.py().get_type::<Failure>())?;
    module.add("PairingFailure", module.py().get_type::<PairingFailure>())?;
    module.add_class::<observations::Observations>()?;
    module.add_class::<weighing::Weighing>()?;
    module.add_function(wrap_pyfunction!(observations::read, module)?)?;
    module.add_function(wrap_pyfunction!(weighing::weigh, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::family, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::omnibus, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::interactions, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::quantiles, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::shift_functions, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::amount, module)?)?;
    module.add_function(wrap_pyfunction!(factorial::p_value, module)?)?;
    module.add_class::<stats_table::Table>()?;
    stats::register(module)?;
    stats_other::register(module)?;
    module.add_class::<inspection::Inspection>()?;
    module.add_function(wrap_pyfunction!(inspection::inspect, module)?)?;
    module.add_function(wrap_pyfunction!(inspection::quantity, module)?)?;
    module.add_function(wrap_pyfunction!(inspection::forecast, module)?)?;
    module.add_function(wrap_pyfunction!(inspection::trouble_codes, module)?)?;
    module.add_function(wrap_pyfunction!(self_test::self_test, module)?)?;
    module.add_class::<large_sample::Sample>()?;
    module.add_function(wrap_pyfunction!(logs::log_time, module)?)?;
    module.add_function(wrap_pyfunction!(logs::log_digest, module)?)?;
    module.add_function(wrap_pyfunction!(logs::read_logs, module)?)?;
    module.add_function(wrap_pyfunction!(samples::samples, module)?)?;
    module.add_function(wrap_pyfunction!(samples::block_names, module)?)?;
    module.add_function(wrap_pyfunction!(samples::unit, module)?)?;
    module.add_function(wrap_pyfunction!(set_jobs, module)?)?;
    module.add_function(wrap_pyfunction!(formats, module)?)?;
    module.add_function(wrap_pyfunction!(codes, module)?)?;
    module.add_function(wrap_pyfunction!(printable, module)?)?;
    module.add_function(wrap_pyfunction!(shortened, module)?)?;
    module.add_function(wrap_pyfunction!(columns, module)?)?;
    module.add_function(wrap_pyfunction!(code_span, module)?)?;
    module.add_function(wrap_pyfunction!(percent, module)?)?;
    Ok(())
}
