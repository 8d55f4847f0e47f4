//! The exceptions of the compiled part.

use std::io;

use pyo3::exceptions::PyOSError;
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

/// Keeps the operating system's error number, if there is one: a full disk must be distinguishable from other errors.
pub(crate) fn numbered(error: io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            // Rust ends its words with the number.
            let words = error.to_string();
            let bare = words.split(" (os error").next().unwrap_or_default();
            PyOSError::new_err((number, bare.to_owned()))
        }
        None => error.into(),
    }
}
