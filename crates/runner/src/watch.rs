//! Waits for the end of a command, and meanwhile takes what it prints.

use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::time::Duration;

use crate::capture::{Capture, Captures};
use crate::outcome::Failure;
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
    ) -> (Duration, Cause) {
        loop {
            let pipe = |capture: &Option<Capture>| capture.as_ref().map_or(-1, Capture::descriptor);
            let descriptors = [self.descriptor.as_raw_fd(), pipe(&captures.output), pipe(&captures.errors)];
            let mut waiting = [
                readable(descriptors[0]),
                readable(descriptors[1]),
                readable(descriptors[2]),
                hangup(0),
                hangup(self.lifeline.as_raw_fd()),
            ];
            let left = timeout.map(|timeout| (started + timeout).saturating_sub(sys::clock()));
            let polled = sys::poll(&mut waiting, left.unwrap_or(TICK).min(TICK));
            let now = sys::clock();
            let happened = waiting.map(|each| each.revents != 0);
            if let Err(error) = polled {
                return (now, Cause::Failed(crate::start::starter(&error)));
            }
            if happened[0] {
                return (now, Cause::Itself);
            }
            if happened[3] || happened[4] {
                return (now, Cause::Abandoned);
            }
            if let (Some(timeout), Some(Duration::ZERO)) = (timeout, left) {
                return (now, Cause::Failed(too_long(timeout)));
            }
            if (happened[1] || happened[2])
                && let Err(failure) = captures.each().try_for_each(|capture| capture.take().map(drop))
            {
                return (now, Cause::Failed(failure));
            }
            if !happened.contains(&true) {
                tree::collect_orphans(self.process);
            }
        }
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

fn too_long(timeout: Duration) -> Failure {
    Failure::new("timeout", format!("it ran longer than {} s and was ended", timeout.as_secs_f64()))
}

/// Wait until it can be read.
pub fn readable(descriptor: RawFd) -> Waiting {
    Waiting { fd: descriptor, events: libc::POLLIN, revents: 0 }
}

/// Wait until its other end is closed.
pub fn hangup(descriptor: RawFd) -> Waiting {
    Waiting { fd: descriptor, events: 0, revents: 0 }
}
