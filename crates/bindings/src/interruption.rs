//! Handles signals while compiled code works, because Python handles them only between its own steps.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;

/// The maximum delay of a signal.
pub const BEAT: Duration = Duration::from_millis(50);

/// Does work that may take long, and abandons it if a signal raises an exception.
///
/// # Errors
/// What the handler of a signal raised, or the operating system's error if no thread can be started.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, mut ended) = channel();
    // After a signal nobody receives the result; the process is about to end.
    std::thread::Builder::new().spawn(move || drop(done.send(catch_unwind(AssertUnwindSafe(work)))))?;
    loop {
        let waiting = &mut ended;
        match py.detach(move || waiting.recv_timeout(BEAT)) {
            Ok(Ok(made)) => return Ok(made),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => unreachable!("the work sends before it ends"),
        }
    }
}
