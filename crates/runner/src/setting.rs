//! Cores, personality and priority that a command inherits: set on this process before the start, and taken back after it, so
//! that no wrapper such as taskset or setarch costs the command time.

use std::ffi::c_ulong;
use std::fmt::Write;

use crate::lookup::sentence;
use crate::outcome::Failure;
use crate::request::Request;
use crate::sys;

/// What this process had before; dropping it takes the settings back.
pub struct Setting {
    cores: Option<sys::Cores>,
    personality: Option<c_ulong>,
    priority: Option<i32>,
}

impl Setting {
    /// Set what the request asks for. What the system refuses is a failure, and nothing is started.
    pub fn of(request: &Request) -> Result<Self, Failure> {
        let mut before = Self { cores: None, personality: None, priority: None };
        if !request.cpus.is_empty() {
            before.cores = Some(pin(&request.cpus)?);
        }
        if !request.aslr {
            before.personality = Some(fixed_addresses()?);
        }
        if let Some(nice) = request.nice {
            before.priority = Some(prioritized(nice)?);
        }
        Ok(before)
    }
}

impl Drop for Setting {
    fn drop(&mut self) {
        if let Some(cores) = &self.cores {
            let _ = sys::use_cores(cores);
        }
        if let Some(personality) = self.personality {
            let _ = sys::personality(Some(personality));
        }
        if let Some(priority) = self.priority {
            // Without a right to it a lower priority cannot be taken back: the guard makes another worker.
            let _ = sys::set_priority(priority);
        }
    }
}

fn pin(cpus: &[usize]) -> Result<sys::Cores, Failure> {
    let names = cpus.iter().fold(String::new(), |mut names, cpu| {
        let _ = write!(names, "{}{cpu}", if names.is_empty() { "" } else { "," });
        names
    });
    let refused = |why: &str| {
        Failure::new("cannot-start", format!("cores {names}: {why}. See `nproc` and `taskset -p $$`"))
    };
    let wanted = sys::core_set(cpus).ok_or_else(|| refused("there are not so many"))?;
    let before = sys::cores().map_err(|error| refused(&sentence(&error)))?;
    sys::use_cores(&wanted).map_err(|_| refused("none of them may be used here"))?;
    // The system leaves out the cores that it does not permit, and says nothing.
    if sys::cores().is_ok_and(|now| sys::same_cores(&now, &wanted)) {
        return Ok(before);
    }
    let _ = sys::use_cores(&before);
    Err(refused("some of them may not be used here"))
}

fn fixed_addresses() -> Result<c_ulong, Failure> {
    let refused = |error: std::io::Error| {
        let why = sentence(&error);
        Failure::new(
            "not-permitted",
            format!("addresses stay random: the system refuses ADDR_NO_RANDOMIZE ({why})"),
        )
    };
    let before = sys::personality(None).map_err(refused)?;
    sys::personality(Some(before | libc::ADDR_NO_RANDOMIZE as c_ulong)).map_err(refused)?;
    Ok(before)
}

fn prioritized(nice: i32) -> Result<i32, Failure> {
    let before = sys::priority();
    let refused = |error| {
        let why = sentence(&error);
        Failure::new(
            "not-permitted",
            format!("nice {nice} is not permitted ({why}); `ulimit -e` shows what is"),
        )
    };
    sys::set_priority(nice).map_err(refused)?;
    Ok(before)
}
