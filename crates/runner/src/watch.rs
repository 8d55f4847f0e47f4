//! Waits for the end of a command, and meanwhile takes what it prints.

use std::io::Result;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::time::Duration;

use crate::capture::{Capture, Captures};
use crate::outcome::Failure;
use crate::resident::Resident;
use crate::start::starter;
use crate::sys::{self, Waiting};
use crate::tree;

/// So often orphans that ended are collected.
const TICK: Duration = Duration::from_secs(1);
/// A killed process that lives on waits for a device; it is given so long.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why a command ended, or must.
pub enum Cause {
    Itself,
    Failed(Failure),
    /// Nobody waits for the answer.
    Abandoned,
}

/// A command that is watched.
pub struct Watch<'a> {
    pub process: i32,
    /// Readable when it has ended.
    pub descriptor: OwnedFd,
    /// Hangs up when the guard ends.
    pub lifeline: &'a OwnedFd,
}

impl Watch<'_> {
    /// Wait for the end of the command: when it was, or must be, and why.
    pub fn until_end(
        &self,
        captures: &mut Captures,
        started: Duration,
        timeout: Option<Duration>,
        resident: &mut Resident,
    ) -> (Duration, Cause) {
        let mut collected = started;
        loop {
            let left = timeout.map(|timeout| (started + timeout).saturating_sub(sys::clock()));
            let happened = self.wait(captures, left.unwrap_or(TICK).min(resident.wait()));
            // The clock comes first: what follows takes time.
            let now = sys::clock();
            let cause = match happened {
                Err(error) => Some(Cause::Failed(starter(&error))),
                Ok([true, ..]) => Some(Cause::Itself),
                Ok([_, true, _]) => Some(Cause::Abandoned),
                Ok(_) if left == Some(Duration::ZERO) => timeout.map(too_long),
                Ok([.., true]) => taken(captures).err().map(Cause::Failed),
                Ok(_) => None,
            };
            if let Some(cause) = cause {
                return (now, cause);
            }
            resident.look();
            if now.saturating_sub(collected) >= TICK {
                tree::collect_orphans(self.process);
                collected = now;
            }
        }
    }

    /// Wait until something happens: the command ended, nobody waits for it any more, it printed something.
    fn wait(&self, captures: &Captures, at_most: Duration) -> Result<[bool; 3]> {
        let pipe = |capture: &Option<Capture>| capture.as_ref().map_or(-1, Capture::descriptor);
        let mut waiting = [
            readable(self.descriptor.as_raw_fd()),
            hangup(0),
            hangup(self.lifeline.as_raw_fd()),
            readable(pipe(&captures.output)),
            readable(pipe(&captures.errors)),
        ];
        sys::poll(&mut waiting, at_most)?;
        let [ended, statera, guard, output, errors] = waiting.map(|each| each.revents != 0);
        Ok([ended, statera || guard, output || errors])
    }

    /// Wait for the end of a command that was killed: when.
    pub fn after_kill(&self) -> Duration {
        let mut waiting = [readable(self.descriptor.as_raw_fd())];
        let until = sys::clock() + PATIENCE;
        while waiting[0].revents == 0 && sys::clock() < until {
            if sys::poll(&mut waiting, until.saturating_sub(sys::clock())).is_err() {
                break;
            }
        }
        sys::clock()
    }
}

fn too_long(timeout: Duration) -> Cause {
    let message = format!("it ran longer than {} s and was ended", timeout.as_secs_f64());
    Cause::Failed(Failure::new("timeout", message))
}

/// Take a piece of each.
fn taken(captures: &mut Captures) -> std::result::Result<(), Failure> {
    captures.each().try_for_each(|capture| capture.take().map(drop))
}

/// Wait until it can be read.
pub fn readable(descriptor: RawFd) -> Waiting {
    Waiting { fd: descriptor, events: libc::POLLIN, revents: 0 }
}

/// Wait until its other end is closed.
pub fn hangup(descriptor: RawFd) -> Waiting {
    Waiting { fd: descriptor, events: 0, revents: 0 }
}
