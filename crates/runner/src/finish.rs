//! From a command that runs to its outcome. Nothing that it started is left.

use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use crate::capture::Capture;
use crate::memory::{Group, PEAK};
use crate::outcome::{Failure, Outcome};
use crate::resident::Resident;
use crate::start::{Running, starter};
use crate::watch::{Cause, Watch};
use crate::{sys, tree};

impl Running {
    /// Wait for its end, end what is left of it, and say what became of it; None if nobody waits for the answer.
    pub fn finish(mut self, lifeline: &OwnedFd) -> Option<Outcome> {
        let mut resident = Resident::new(self.started);
        let (ended, cause) = self.end(lifeline, &mut resident);
        let mut outcome = Outcome {
            started: self.started,
            time: ended.saturating_sub(self.started),
            together: resident.peak,
            ..Outcome::default()
        };
        let status = self.collect(&mut outcome);
        if let Some(group) = &self.group {
            group.kill();
        }
        // After a failure nothing is kept.
        let kept = self.keep && matches!(cause, Cause::Itself);
        let (left_over, clear) = if kept { (tree::left(), true) } else { tree::clear() };
        let drained = self.captures.each().try_for_each(Capture::drain);
        outcome.failure = match cause {
            Cause::Abandoned => return None,
            _ if !clear => Some(Failure::new(
                "starter",
                "a process that it started cannot be ended; it waits for a device",
            )),
            Cause::Failed(failure) => Some(failure),
            Cause::Itself => {
                outcome.left_over = left_over;
                drained.err().or_else(|| self.complaint(status))
            }
        };
        outcome.output_bytes = self.captures.output.as_ref().map_or(0, |output| output.bytes);
        outcome.output_cut = self.captures.each().any(|capture| capture.cut());
        let peak = self.peak.map(|asked| asked.and_then(|()| self.group.as_ref().map_or(Ok(0), Group::peak)));
        (outcome.counters, outcome.remarks) = self.counters.read();
        if let Some(peak) = peak {
            outcome.counters.insert(PEAK.to_owned(), peak.map_or_else(Into::into, Into::into));
        }
        Some(outcome)
    }

    fn end(&mut self, lifeline: &OwnedFd, resident: &mut Resident) -> (Duration, Cause) {
        let descriptor = match sys::process_descriptor(self.process) {
            Ok(descriptor) => descriptor,
            Err(error) => {
                tree::kill();
                return (sys::clock(), Cause::Failed(starter(&error)));
            }
        };
        let watch = Watch { process: self.process, descriptor, lifeline };
        let (ended, cause) = watch.until_end(&mut self.captures, self.started, self.timeout, resident);
        if matches!(cause, Cause::Itself) {
            return (ended, cause);
        }
        tree::kill();
        (watch.after_kill(), cause)
    }

    /// Take its status and what it used, unless it still waits for a device.
    pub fn collect(&self, outcome: &mut Outcome) -> Option<ExitStatus> {
        let (status, usage) = sys::wait_if_ended(self.process).ok()??;
        let status = ExitStatus::from_raw(status);
        (outcome.exit, outcome.signal, outcome.usage) = (status.code(), status.signal(), Some(usage));
        Some(status)
    }

    /// What is wrong with a command that ended by itself.
    pub fn complaint(&self, status: Option<ExitStatus>) -> Option<Failure> {
        let status = status.filter(|status| !status.success())?;
        let memory = self.group.as_ref().and_then(Group::exceeded);
        let Some(signal) = status.signal() else {
            let message = format!("it ended with exit code {}", status.code().unwrap_or_default());
            return Some(Failure::new("exit", memory.unwrap_or(message)));
        };
        let message = format!("signal {signal}{} ended it", name(signal));
        Some(Failure::new("signal", memory.unwrap_or(message)))
    }
}

/// The name of a signal, in parentheses.
pub fn name(signal: i32) -> &'static str {
    match signal {
        libc::SIGHUP => " (SIGHUP)",
        libc::SIGINT => " (SIGINT)",
        libc::SIGILL => " (SIGILL)",
        libc::SIGTRAP => " (SIGTRAP)",
        libc::SIGABRT => " (SIGABRT)",
        libc::SIGBUS => " (SIGBUS)",
        libc::SIGFPE => " (SIGFPE)",
        libc::SIGKILL => " (SIGKILL; the system may have lacked memory)",
        libc::SIGSEGV => " (SIGSEGV)",
        libc::SIGPIPE => " (SIGPIPE)",
        libc::SIGTERM => " (SIGTERM)",
        libc::SIGXCPU => " (SIGXCPU)",
        libc::SIGXFSZ => " (SIGXFSZ)",
        libc::SIGSYS => " (SIGSYS)",
        _ => "",
    }
}
