//! From what is asked to a command that runs. Everything that can be done before the clock is read, is.

use std::env::set_current_dir;
use std::fs::{self, File};
use std::io::Error;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use crate::capture::Captures;
use crate::counters::Counters;
use crate::lookup::{self, no_pipe, sentence};
use crate::memory::{Group, PEAK};
use crate::outcome::Failure;
use crate::request::{Request, Stop, latin};
use crate::setting::Setting;
use crate::sys::Recipe;

/// A longer request makes this process grow, and with it the least memory that its command can show.
const LONG: usize = 1 << 16;

/// A command that runs.
pub struct Running {
    pub started: Duration,
    pub process: i32,
    pub captures: Captures,
    pub counters: Counters,
    pub group: Option<Group>,
    /// Whether the peak of the group is asked for, or why there is no group; None if nobody asks.
    pub peak: Option<Result<(), String>>,
    pub timeout: Option<Duration>,
    pub keep: bool,
    pub stop: Option<Stop>,
}

/// Start a command whose request had so many bytes. What cannot be done as asked is a failure, and nothing starts.
pub fn start(request: Request, length: usize) -> Result<Running, Failure> {
    enter(&request.directory)?;
    let program = lookup::program(&request.arguments[0], &request.environment)?;
    let input = input(request.input.as_deref())?;
    let null = File::options().write(true).open("/dev/null").map_err(|error| starter(&error))?;
    let (captures, writers) = Captures::of(&request)?;
    let output = writers[0].as_ref().map_or(null.as_raw_fd(), AsRawFd::as_raw_fd);
    let shared = request.errors.as_ref().map_or(null.as_raw_fd(), |_| output);
    let errors = writers[1].as_ref().map_or(shared, AsRawFd::as_raw_fd);
    let (of_group, counted): (Vec<_>, Vec<_>) = request.counters.iter().partition(|name| *name == PEAK);
    let counters = Counters::open(&counted);
    let mut group = request.memory.map(|limit| Group::new(Some(limit))).transpose()?;
    let mut peak = (!of_group.is_empty()).then_some(Ok(()));
    if group.is_none() && peak.is_some() {
        match Group::new(None) {
            Ok(made) => group = Some(made),
            Err(failure) => peak = Some(Err(failure.message)),
        }
    }
    let setting = Setting::of(&request)?;
    let streams = [input.as_raw_fd(), output, errors];
    let recipe = Recipe { program, arguments: request.arguments, environment: request.environment, streams };
    if length > LONG {
        // Forget the peak of this process while it read the request.
        let _ = fs::write("/proc/self/clear_refs", "5");
    }
    let inside = group.as_ref().map(Group::enter).transpose()?;
    let (started, process) = recipe.start(request.at);
    drop((inside, setting, writers));
    let process = process.map_err(|error| refused(&recipe, &error))?;
    let (timeout, keep, stop) = (request.timeout, request.keep, request.stop);
    Ok(Running { started, process, captures, counters, group, peak, timeout, keep, stop })
}

/// An error of this program's own work.
pub fn starter(error: &Error) -> Failure {
    Failure::new("starter", format!("statera-runner: {}", sentence(error)))
}

fn enter(directory: &Path) -> Result<(), Failure> {
    let shown = latin(directory.as_os_str().as_bytes());
    let failed = |error| Failure::new("cannot-start", format!("the directory {shown}: {}", sentence(&error)));
    set_current_dir(directory).map_err(failed)
}

fn input(path: Option<&Path>) -> Result<File, Failure> {
    let path = path.unwrap_or(Path::new("/dev/null"));
    let shown = latin(path.as_os_str().as_bytes());
    let failed = |error| Failure::new("cannot-start", format!("its input {shown}: {}", sentence(&error)));
    no_pipe(path).and_then(|()| File::open(path)).map_err(failed)
}

fn refused(recipe: &Recipe, error: &Error) -> Failure {
    let program = latin(recipe.program.to_bytes());
    let (kind, message) = match error.raw_os_error() {
        Some(libc::ENOENT) => {
            ("cannot-start", format!("the interpreter that {program} names does not exist"))
        }
        Some(libc::ENOEXEC) => (
            "cannot-start",
            format!("{program} is not a program; a script needs a first line such as #!/bin/sh"),
        ),
        Some(libc::E2BIG) => {
            let bytes = recipe.bytes();
            ("cannot-start", format!("arguments and environment are too long for the system: {bytes} bytes"))
        }
        Some(libc::EACCES | libc::EPERM) => {
            ("not-permitted", format!("the system refuses to execute {program} ({})", sentence(error)))
        }
        _ => ("cannot-start", format!("{program}: {}", sentence(error))),
    };
    Failure::new(kind, message)
}

impl Recipe {
    fn bytes(&self) -> usize {
        self.arguments.iter().chain(&self.environment).map(|text| text.as_bytes_with_nul().len()).sum()
    }
}
