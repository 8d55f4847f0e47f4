//! Signals while compiled code works: Python learns of them between its own steps, and here it takes none.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;

/// How long a signal waits, at most.
pub const BEAT: Duration = Duration::from_millis(50);

/// Does work that may take long, and leaves it where it is when a signal raises.
///
/// # Errors
/// What the handler of a signal raised, and the operating system's where it gives no thread.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, mut ended) = channel();
    // Nobody listens any more where a signal came; the process is about to end.
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
