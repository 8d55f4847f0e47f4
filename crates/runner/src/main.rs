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
mod setting;
mod start;
#[allow(unsafe_code, reason = "calls the system where the standard library cannot")]
mod sys;
mod tree;
mod watch;

use std::io::{BufRead, BufReader, Result, Stdin, Write, pipe, stdin, stdout};
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::ExitCode;
use std::time::Duration;

use outcome::{Failure, Outcome};
use request::Request;

fn main() -> ExitCode {
    match guarded() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("statera-runner: {error}");
            ExitCode::FAILURE
        }
    }
}

fn guarded() -> Result<()> {
    let (lifeline, held) = pipe()?;
    sys::adopt_orphans()?;
    if let Some(worker) = sys::fork()? {
        drop(lifeline);
        let (status, _) = sys::wait(worker)?;
        if status != 0 {
            tree::clear();
            memory::remove(worker as u32);
        }
        return Ok(());
    }
    drop(held);
    sys::adopt_orphans()?;
    serve(&lifeline.into())
}

fn serve(lifeline: &OwnedFd) -> Result<()> {
    let mut input = BufReader::new(stdin());
    let mut line = Vec::new();
    while asked(&mut input, &mut line, lifeline)? {
        let Some(outcome) = answer(&mut line, lifeline) else { break };
        let mut output = stdout().lock();
        output.write_all(outcome.line().as_bytes())?;
        output.flush()?;
    }
    Ok(())
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

fn answer(line: &mut Vec<u8>, lifeline: &OwnedFd) -> Option<Outcome> {
    let length = line.len();
    let request = Request::read(line).map_err(|what| Failure::new("starter", what));
    // A long line gives its memory back before the command starts.
    *line = Vec::new();
    match request.and_then(|request| start::start(request, length)) {
        Ok(running) => running.finish(lifeline),
        Err(failure) => Some(Outcome::refused(failure)),
    }
}
