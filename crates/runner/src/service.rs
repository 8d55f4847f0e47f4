//! A service: a command that runs until it is stopped. Its start is announced by a line of its own, `{"process": 17}`;
//! a further line of the input stops it, and the outcome follows when it and all that it started have ended.
//!
//! A command that ends with exit code 0 and leaves processes behind is a server that went into the background: then these
//! are the service.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Result, Stdin, Write, stdout};
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::ExitStatus;
use std::time::Duration;

use crate::finish::name;
use crate::outcome::{Failure, Outcome};
use crate::request::Stop;
use crate::start::{Running, starter};
use crate::watch::{hangup, readable};
use crate::{sys, tree};

/// So often it is looked whether processes live that are no children of this one.
const PAUSE: Duration = Duration::from_millis(5);
const TICK: Duration = Duration::from_secs(1);

/// What happened to a service.
struct Life {
    /// Readable when its first process has ended; None after that.
    first: Option<OwnedFd>,
    status: Option<ExitStatus>,
    /// When it is killed; None as long as nobody stops it.
    until: Option<Duration>,
    asked: BTreeSet<i32>,
}

/// What comes next.
enum Next {
    Wait,
    Ended,
    Killed,
    /// Nobody waits for the answer.
    Abandoned,
}

impl Running {
    /// Let it run until it ends, or is stopped; None if nobody waits for the answer.
    pub fn serve(self, stop: Stop, input: &mut BufReader<Stdin>, lifeline: &OwnedFd) -> Option<Outcome> {
        let mut outcome = Outcome { started: self.started, ..Outcome::default() };
        let mut life = Life { first: None, status: None, until: None, asked: BTreeSet::new() };
        let next = match self.announced() {
            Ok(first) => {
                life.first = Some(first);
                self.lived(&mut life, &mut outcome, stop, input, lifeline)
            }
            Err(_) => Next::Abandoned,
        };
        outcome.time = sys::clock().saturating_sub(self.started);
        if !matches!(next, Next::Ended) {
            tree::kill();
        }
        if let Some(first) = &life.first {
            // After a kill the end takes a moment.
            let mut waiting = [readable(first.as_raw_fd())];
            let _ = sys::poll(&mut waiting, TICK);
            life.status = self.collect(&mut outcome);
        }
        let (left_over, clear) = tree::clear();
        outcome.left_over = left_over;
        outcome.failure = match next {
            Next::Abandoned => return None,
            _ if !clear => Some(starter(&std::io::Error::other("a process of the service cannot be ended"))),
            Next::Killed => Some(ignored(stop)),
            _ if life.until.is_some() => None,
            _ => self.complaint(life.status),
        };
        Some(outcome)
    }

    fn announced(&self) -> Result<OwnedFd> {
        let mut output = stdout().lock();
        writeln!(output, "{{\"process\":{}}}", self.process)?;
        output.flush()?;
        sys::process_descriptor(self.process)
    }

    fn lived(
        &self,
        life: &mut Life,
        outcome: &mut Outcome,
        stop: Stop,
        input: &mut BufReader<Stdin>,
        lifeline: &OwnedFd,
    ) -> Next {
        loop {
            let next = self.step(life, outcome, stop, input, lifeline).unwrap_or(Next::Abandoned);
            if !matches!(next, Next::Wait) {
                return next;
            }
        }
    }

    fn step(
        &self,
        life: &mut Life,
        outcome: &mut Outcome,
        stop: Stop,
        input: &mut BufReader<Stdin>,
        lifeline: &OwnedFd,
    ) -> Result<Next> {
        let first = life.first.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        let mut waiting = [readable(first), readable(0), hangup(lifeline.as_raw_fd())];
        if life.until.is_some() {
            waiting[1] = hangup(0);
        }
        let pending = life.until.is_none() && !input.buffer().is_empty();
        let watched = life.first.is_some() && life.until.is_none();
        let at_most = if watched { TICK } else { PAUSE };
        sys::poll(&mut waiting, if pending { Duration::ZERO } else { at_most })?;
        let [ended, spoken, orphaned] = waiting.map(|each| each.revents != 0);
        if orphaned || (life.until.is_some() && spoken) {
            return Ok(Next::Abandoned);
        }
        if ended {
            life.first = None;
            life.status = self.collect(outcome);
        } else if life.first.is_some() {
            tree::collect_orphans(self.process);
        }
        if life.first.is_none() {
            let failed = life.until.is_none() && life.status.is_none_or(|status| !status.success());
            if failed || !tree::collect_ended() {
                return Ok(Next::Ended);
            }
        }
        if pending || (life.until.is_none() && spoken) {
            if input.read_until(b'\n', &mut Vec::new())? == 0 {
                return Ok(Next::Abandoned);
            }
            life.until = Some(sys::clock() + stop.patience);
        }
        let Some(until) = life.until else { return Ok(Next::Wait) };
        tree::ask(stop.signal, &mut life.asked);
        Ok(if sys::clock() > until { Next::Killed } else { Next::Wait })
    }
}

fn ignored(stop: Stop) -> Failure {
    let (signal, seconds) = (stop.signal, stop.patience.as_secs_f64());
    let message =
        format!("it did not end within {seconds} s after signal {signal}{} and was killed", name(signal));
    Failure::new("timeout", message)
}
