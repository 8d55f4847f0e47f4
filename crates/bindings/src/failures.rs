//! The exceptions of the compiled part.

use pyo3::prelude::*;
use statera_readers::Observations;
use statera_weighing::PairingFault;

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

pub fn pairing_failure(read: &Observations, fault: PairingFault) -> PyErr {
    let benchmark = read.benchmarks.get(fault.benchmark).to_owned();
    PairingFailure::new_err((benchmark, read.metrics[fault.metric as usize].name.clone(), fault.why))
}
