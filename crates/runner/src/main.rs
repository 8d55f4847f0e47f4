//! Starts one command at a time, measures it, and leaves nothing of it behind.
//!
//! It reads requests and writes outcomes, a line of JSON each (`request.rs`, `outcome.rs`), and ends when its standard
//! input ends, with all that it started. It stays small, because Linux takes the size of a starter as the least memory
//! that a command can show.
//!
//! There are two processes. The worker starts commands; the guard only waits for it. If the worker is killed, its
//! orphans become children of the guard, which ends them. If the guard is killed, the worker notices, and ends with
//! all that it started.

mod capture;
mod counters;
mod finish;
mod lookup;
mod memory;
mod outcome;
mod request;
mod resident;
mod service;
mod setting;
mod start;
#[allow(unsafe_code, reason = "calls the system where the standard library cannot")]
mod sys;
mod tree;
mod watch;

use std::io::{BufRead, BufReader, Result, Stdin, Write, pipe, stdin, stdout};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitCode, ExitStatus};
use std::time::Duration;

use outcome::Outcome;
use request::Request;

/// The exit code of a worker that must be replaced, as its priority cannot be taken back.
const WORN: u8 = 3;

fn main() -> ExitCode {
    guarded().unwrap_or_else(|error| {
        eprintln!("statera-runner: {error}");
        ExitCode::FAILURE
    })
}

/// Make workers, each after the last one is worn, and see to it that nothing outlives them.
fn guarded() -> Result<ExitCode> {
    let (lifeline, held) = pipe()?;
    sys::adopt_orphans()?;
    while let Some(worker) = sys::fork()? {
        let code = end_of(worker)?.code();
        if code == Some(0) {
            // What was kept ends with the last worker.
            tree::clear();
            return Ok(ExitCode::SUCCESS);
        }
        if code != Some(WORN.into()) {
            tree::clear();
            memory::remove(worker as u32);
            return Ok(ExitCode::FAILURE);
        }
    }
    drop(held);
    sys::adopt_orphans()?;
    serve(&lifeline.into())
}

/// Wait for the end of the worker. A command may stop it, and would then run without end.
fn end_of(worker: i32) -> Result<ExitStatus> {
    loop {
        let status = ExitStatus::from_raw(sys::wait(worker)?);
        if status.stopped_signal().is_none() {
            return Ok(status);
        }
        sys::signal(worker, libc::SIGCONT);
    }
}

fn serve(lifeline: &OwnedFd) -> Result<ExitCode> {
    let priority = sys::priority();
    let mut input = BufReader::new(stdin());
    let mut line = Vec::new();
    while asked(&mut input, &mut line, lifeline)? {
        let Some(outcome) = answer(&mut line, &mut input, lifeline) else { break };
        let mut output = stdout().lock();
        if output.write_all(outcome.line().as_bytes()).and_then(|()| output.flush()).is_err() {
            break;
        }
        if sys::priority() != priority {
            return Ok(WORN.into());
        }
    }
    tree::clear();
    Ok(ExitCode::SUCCESS)
}

/// Wait for a request; false if there will be none.
fn asked(input: &mut BufReader<Stdin>, line: &mut Vec<u8>, lifeline: &OwnedFd) -> Result<bool> {
    while input.buffer().is_empty() {
        let mut waiting = [watch::readable(0), watch::hangup(lifeline.as_raw_fd())];
        sys::poll(&mut waiting, Duration::from_secs(3600))?;
        if waiting[1].revents != 0 {
            return Ok(false);
        }
        if waiting[0].revents != 0 {
            break;
        }
    }
    Ok(input.read_until(b'\n', line)? > 0)
}

fn answer(line: &mut Vec<u8>, input: &mut BufReader<Stdin>, lifeline: &OwnedFd) -> Option<Outcome> {
    let length = line.len();
    let request = Request::read(line);
    // A long line gives its memory back before the command starts.
    *line = Vec::new();
    match request.and_then(|request| start::start(request, length)) {
        Ok(running) => match running.stop {
            Some(stop) => running.serve(stop, input, lifeline),
            None => running.finish(lifeline),
        },
        Err(failure) => Some(Outcome::refused(failure)),
    }
}
