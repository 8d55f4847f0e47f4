//! All that a command started, found as descendants of this process: an orphan becomes a child of this process,
//! whatever session it made for itself (`sys::adopt_orphans`).

use std::collections::BTreeSet;
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::sys;

/// A process that lives on after a kill waits for a device; it is given so long.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_micros(100);

/// How many descendants live.
pub fn left() -> usize {
    collect_ended();
    descendants().len()
}

/// Send a signal to all children that did not get it yet.
pub fn ask(signal: i32, asked: &mut BTreeSet<i32>) {
    for child in children(std::process::id() as i32) {
        if asked.insert(child) {
            sys::signal(child, signal);
            // A process that somebody stopped would not see it.
            sys::signal(child, libc::SIGCONT);
        }
    }
}

/// Stop and kill all descendants once; the caller waits for them.
pub fn kill() {
    let mut seen = BTreeSet::new();
    stop(&mut seen, Instant::now() + PATIENCE);
    kill_stopped(&mut seen);
}

/// End all descendants, and those that they start meanwhile; how many there were, and whether none is left.
pub fn clear() -> (usize, bool) {
    let until = Instant::now() + PATIENCE;
    let mut seen = BTreeSet::new();
    while collect_ended() {
        if Instant::now() > until {
            return (seen.len(), false);
        }
        let before = seen.len();
        stop(&mut seen, until);
        kill_stopped(&mut seen);
        if seen.len() == before {
            sleep(PAUSE);
        }
    }
    (seen.len(), true)
}

/// Collect orphans that ended by themselves while the command goes on.
pub fn collect_orphans(command: i32) {
    for child in children(std::process::id() as i32) {
        if child != command {
            let _ = sys::collect(child);
        }
    }
}

/// Collect the children that ended; whether there are others.
pub fn collect_ended() -> bool {
    loop {
        match sys::collect(-1) {
            Err(_) => return false,
            Ok(0) => return true,
            Ok(_) => {}
        }
    }
}

/// Stop them all before any is killed, so that none can start others: until a pass finds none that is new.
fn stop(seen: &mut BTreeSet<i32>, until: Instant) {
    while Instant::now() < until {
        // All of them, and not only until the first that is new.
        if descendants().into_iter().filter(|&process| is_new(process, seen)).count() == 0 {
            return;
        }
    }
}

fn kill_stopped(seen: &mut BTreeSet<i32>) {
    for process in descendants() {
        is_new(process, seen);
        sys::signal(process, libc::SIGKILL);
    }
}

/// Stop a process that was not seen before; whether it lived.
fn is_new(process: i32, seen: &mut BTreeSet<i32>) -> bool {
    if seen.contains(&process) {
        return false;
    }
    sys::signal(process, libc::SIGSTOP);
    !ended(process) && seen.insert(process)
}

/// All processes that the command started and that have not ended, itself included.
pub fn descendants() -> Vec<i32> {
    let mut found = children(std::process::id() as i32);
    let mut next = 0;
    while let Some(&process) = found.get(next) {
        found.extend(children(process));
        next += 1;
    }
    found
}

fn children(process: i32) -> Vec<i32> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|each| each.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// Whether a process is gone, or has ended and only waits to be collected.
fn ended(process: i32) -> bool {
    let line = fs::read(format!("/proc/{process}/stat")).unwrap_or_default();
    // The state follows the name, which may itself contain parentheses.
    let end = line.iter().rposition(|&byte| byte == b')');
    end.and_then(|end| line.get(end + 2)).is_none_or(|state| matches!(state, b'Z' | b'X'))
}
