//! What is answered: a line of JSON, with the fields of `Outcome` in `src/statera/experiment/launcher.py`.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::sys::Usage;

/// Why a command is not a measurement: its kind, one of `Failure` in Python, and a sentence.
#[derive(Debug)]
pub struct Failure {
    pub kind: &'static str,
    /// Bytes as `request.rs` writes them.
    pub message: String,
}

impl Failure {
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

/// What became of a command.
#[derive(Default)]
pub struct Outcome {
    pub started: Duration,
    pub time: Duration,
    /// The largest memory of several processes at once that was seen, in bytes.
    pub together: u64,
    /// None if it never began.
    pub usage: Option<Usage>,
    pub exit: Option<i32>,
    pub signal: Option<i32>,
    pub failure: Option<Failure>,
    pub left_over: usize,
    pub output_bytes: u64,
    pub output_cut: bool,
    pub counters: Map<String, Value>,
    pub remarks: Map<String, Value>,
}

impl Outcome {
    /// It never began.
    pub fn refused(failure: Failure) -> Self {
        Self { started: crate::sys::clock(), failure: Some(failure), ..Self::default() }
    }

    /// The line that answers.
    pub fn line(self) -> String {
        let used = |value: fn(&Usage) -> i64| self.usage.as_ref().map_or(0, value);
        let seconds =
            |value: fn(&Usage) -> libc::timeval| self.usage.as_ref().map_or(0.0, |usage| span(value(usage)));
        let mut line = json!({
            "started": self.started.as_secs_f64(),
            "time": self.time.as_secs_f64(),
            "user": seconds(|usage| usage.ru_utime),
            "system": seconds(|usage| usage.ru_stime),
            "memory": (used(|usage| usage.ru_maxrss) as u64 * 1024).max(self.together),
            "together": self.together,
            "minor_faults": used(|usage| usage.ru_minflt),
            "major_faults": used(|usage| usage.ru_majflt),
            "voluntary_switches": used(|usage| usage.ru_nvcsw),
            "involuntary_switches": used(|usage| usage.ru_nivcsw),
            "exit": self.exit,
            "signal": self.signal,
            "failure": self.failure.as_ref().map(|failure| failure.kind),
            "message": self.failure.as_ref().map_or("", |failure| &failure.message),
            "left_over": self.left_over,
            "output_bytes": self.output_bytes,
            "output_cut": self.output_cut,
            "counters": self.counters,
            "remarks": self.remarks,
        })
        .to_string();
        line.push('\n');
        line
    }
}

fn span(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}
