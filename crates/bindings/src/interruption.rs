//! Handles signals while compiled code works, because Python handles them only between its own steps.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
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

/// How long the end of the process waits for a plug-in.
const PATIENCE: Duration = Duration::from_secs(5);

/// The calls of Python by work that may have been abandoned. Python aborts a process at whose end they are under way.
struct Gate {
    under_way: usize,
    is_closed: bool,
}

static GATE: Mutex<Gate> = Mutex::new(Gate { under_way: 0, is_closed: false });
static LEFT: Condvar = Condvar::new();

fn gate() -> MutexGuard<'static, Gate> {
    GATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls Python from work that an interruption may have abandoned. The result is `None` once the process ends.
pub fn attached<T>(call: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    struct UnderWay;
    impl Drop for UnderWay {
        fn drop(&mut self) {
            gate().under_way -= 1;
            LEFT.notify_all();
        }
    }
    let mut gate = gate();
    if gate.is_closed {
        return None;
    }
    gate.under_way += 1;
    drop(gate);
    let _under_way = UnderWay;
    Some(Python::attach(call))
}

/// Lets no more calls begin, and waits until those that are under way have ended.
#[pyfunction]
fn close(py: Python<'_>) {
    py.detach(|| {
        let mut gate = gate();
        gate.is_closed = true;
        drop(LEFT.wait_timeout_while(gate, PATIENCE, |gate| gate.under_way > 0));
    });
}

/// Has the calls of abandoned work ended before Python ends.
///
/// # Errors
/// If Python refuses it.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let close = wrap_pyfunction!(close, module)?;
    module.py().import("atexit")?.call_method1("register", (close,)).map(drop)
}
