//! Reads many hosts at once.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::host::{self, Job, Outcome, Shared};
use crate::plan::Plan;

/// Reads hosts, several at a time, and calls `finished` with the number of each completed host.
///
/// # Errors
/// The first failure: the tables cannot be written, `stop` was set, or `finished` returned an error.
pub fn read_hosts(
    plan: &Plan,
    jobs: &[Job],
    stop: &AtomicBool,
    finished: &(dyn Fn(usize, &Outcome) -> io::Result<()> + Sync),
) -> io::Result<()> {
    let threads = rayon::current_num_threads().max(1);
    let workers = threads.min(jobs.len());
    let shared = Shared { plan, threads, active: AtomicUsize::new(workers), stop };
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<io::Error>> = Mutex::new(None);
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number) else { break };
            let outcome = host::read(job, &shared).and_then(|outcome| finished(number, &outcome));
            if let Err(error) = outcome {
                // Recorded before the others are stopped: their errors would hide the reason.
                failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
            }
        }
        // From now on the others may use this thread's share.
        shared.active.fetch_sub(1, Ordering::Relaxed);
    };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    match failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error),
        None if stop.load(Ordering::Relaxed) => Err(io::ErrorKind::Interrupted.into()),
        None => Ok(()),
    }
}
