//! Calls of the system that the standard library does not offer. This is the only file with unsafe code.

use std::ffi::{CString, c_char, c_int, c_long, c_short, c_ulong};
use std::io::{Error, Result};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr::{null, null_mut};
use std::time::Duration;

/// The resources that an ended process used.
pub type Usage = libc::rusage;

/// A set of cores, one bit each.
pub type Cores = libc::cpu_set_t;

fn checked(answer: c_int) -> Result<c_int> {
    if answer < 0 { Err(Error::last_os_error()) } else { Ok(answer) }
}

/// The monotonic clock.
pub fn clock() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is a timespec that the call fills; this clock always exists.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Sleep until the monotonic clock shows this time.
pub fn sleep_until(time: Duration) {
    let until = libc::timespec { tv_sec: time.as_secs() as i64, tv_nsec: c_long::from(time.subsec_nanos()) };
    // SAFETY: `until` is a valid time; no remainder is asked for.
    while unsafe {
        libc::clock_nanosleep(libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME, &raw const until, null_mut())
    } == libc::EINTR
    {}
}

/// Fork: the process number of the child, or None in the child. The caller has a single thread.
pub fn fork() -> Result<Option<i32>> {
    // SAFETY: the process has one thread, so that the child's memory and locks are in order.
    let child = checked(unsafe { libc::fork() })?;
    Ok((child != 0).then_some(child))
}

/// Make this process the parent of descendants whose own parent ended.
pub fn adopt_orphans() -> Result<()> {
    // SAFETY: sets an attribute of this process; no memory is involved.
    checked(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1 as c_ulong, 0, 0, 0) }).map(drop)
}

/// A file descriptor that becomes readable when a child ends.
pub fn process_descriptor(process: i32) -> Result<OwnedFd> {
    // SAFETY: takes two numbers; the answer is checked.
    let descriptor = checked(unsafe { libc::syscall(libc::SYS_pidfd_open, process, 0) } as c_int)?;
    // SAFETY: the descriptor is new, and nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

/// Wait for a child to end, or to be stopped: its status.
pub fn wait(process: i32) -> Result<c_int> {
    waited(process, libc::WUNTRACED).map(|(_, status, _)| status)
}

/// The status of a child that has ended and what it used; None if it has not ended.
pub fn wait_if_ended(process: i32) -> Result<Option<(c_int, Usage)>> {
    waited(process, libc::WNOHANG).map(|(ended, status, usage)| (ended != 0).then_some((status, usage)))
}

fn waited(process: i32, options: c_int) -> Result<(i32, c_int, Usage)> {
    let mut status = 0;
    // SAFETY: a structure of numbers, for which zeros are valid.
    let mut usage: Usage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both places belong to this function and outlive the call.
        match checked(unsafe { libc::wait4(process, &raw mut status, options, &raw mut usage) }) {
            Err(error) if error.raw_os_error() == Some(libc::EINTR) => {}
            Err(error) => return Err(error),
            Ok(ended) => return Ok((ended, status, usage)),
        }
    }
}

/// Collect a child that has ended, any if -1: its number, 0 if none has ended. An error if there is no child.
pub fn collect(process: i32) -> Result<i32> {
    // SAFETY: no status is asked for.
    checked(unsafe { libc::waitpid(process, null_mut(), libc::WNOHANG) })
}

/// Send a signal; a process that is gone is not an error.
pub fn signal(process: i32, number: c_int) {
    // SAFETY: takes two numbers. The caller passes the numbers of descendants, never 0 or less.
    unsafe { libc::kill(process, number) };
}

/// Descriptors to wait for, and what happened to them.
pub type Waiting = libc::pollfd;

/// Wait for one of the descriptors, at most so long.
pub fn poll(waiting: &mut [Waiting], at_most: Duration) -> Result<()> {
    let time =
        libc::timespec { tv_sec: at_most.as_secs() as i64, tv_nsec: c_long::from(at_most.subsec_nanos()) };
    // SAFETY: the slice is as long as stated; the signal mask stays as it is.
    let answer = unsafe { libc::ppoll(waiting.as_mut_ptr(), waiting.len() as _, &raw const time, null()) };
    match checked(answer) {
        Err(error) if error.raw_os_error() != Some(libc::EINTR) => Err(error),
        _ => Ok(()),
    }
}

/// Let a pipe hold more, as far as the system allows, and never block its reader.
pub fn widen(pipe: &impl AsRawFd, bytes: c_int) {
    // SAFETY: takes a descriptor and numbers; a refusal leaves the pipe as it was.
    unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETPIPE_SZ, bytes) };
}

/// Reads return at once, with an error if there is nothing.
pub fn never_block(pipe: &impl AsRawFd) -> Result<()> {
    // SAFETY: takes a descriptor and a flag.
    checked(unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) }).map(drop)
}

/// The cores that this process may use.
pub fn cores() -> Result<Cores> {
    // SAFETY: a set of bits, for which zeros are valid.
    let mut set: Cores = unsafe { std::mem::zeroed() };
    // SAFETY: the set has the stated size.
    checked(unsafe { libc::sched_getaffinity(0, size_of::<Cores>(), &raw mut set) })?;
    Ok(set)
}

/// Use only these cores.
pub fn use_cores(set: &Cores) -> Result<()> {
    // SAFETY: the set has the stated size.
    checked(unsafe { libc::sched_setaffinity(0, size_of::<Cores>(), set) }).map(drop)
}

/// The set of these cores; None if a number is too large.
pub fn core_set(numbers: &[usize]) -> Option<Cores> {
    // SAFETY: a set of bits, for which zeros are valid.
    let mut set: Cores = unsafe { std::mem::zeroed() };
    for &number in numbers {
        if number >= libc::CPU_SETSIZE as usize {
            return None;
        }
        // SAFETY: the number was checked to be within the set.
        unsafe { libc::CPU_SET(number, &mut set) };
    }
    Some(set)
}

/// The personality of this process, after it was changed if one is given.
pub fn personality(new: Option<c_ulong>) -> Result<c_ulong> {
    // SAFETY: takes a number; 0xffffffff only asks.
    checked(unsafe { libc::personality(new.unwrap_or(0xffff_ffff)) }).map(|old| old as c_ulong)
}

/// The priority of this process.
pub fn priority() -> i32 {
    // SAFETY: takes two numbers. This process exists, so that -1 is a priority.
    unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) }
}

/// Set the priority of this process.
pub fn set_priority(nice: i32) -> Result<()> {
    // SAFETY: takes numbers.
    checked(unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) }).map(drop)
}

/// Bytes of a page of memory.
pub fn page_size() -> u64 {
    // SAFETY: the call only reads a constant of the system.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as u64 }
}

/// Where an event is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Both,
    User,
    Kernel,
}

/// An event counter of the command that starts next, and of all that it starts.
pub fn event(kind: u32, event: u64, part: Part) -> Result<OwnedFd> {
    const TIMES: u64 = 1 | 2;
    const DISABLED: u64 = 1;
    const INHERITED: u64 = 1 << 1;
    const NO_USER: u64 = 1 << 4;
    const NO_KERNEL: u64 = 1 << 5;
    const NO_HYPERVISOR: u64 = 1 << 6;
    const STARTS_ON_EXEC: u64 = 1 << 12;
    const CLOSE_ON_EXEC: c_ulong = 1 << 3;
    /// `struct perf_event_attr` of the kernel, in its first published size.
    #[repr(C)]
    struct Attributes {
        kind: u32,
        size: u32,
        event: u64,
        period: u64,
        samples: u64,
        read_format: u64,
        flags: u64,
        wakeup: u32,
        breakpoint: u32,
        address: u64,
    }
    let left_out = match part {
        Part::Both => 0,
        Part::User => NO_KERNEL | NO_HYPERVISOR,
        Part::Kernel => NO_USER | NO_HYPERVISOR,
    };
    let attributes = Attributes {
        kind,
        size: size_of::<Attributes>() as u32,
        event,
        period: 0,
        samples: 0,
        read_format: TIMES,
        flags: DISABLED | INHERITED | STARTS_ON_EXEC | left_out,
        wakeup: 0,
        breakpoint: 0,
        address: 0,
    };
    // SAFETY: the structure is as long as it says. This process, any core, no group.
    let answer =
        unsafe { libc::syscall(libc::SYS_perf_event_open, &raw const attributes, 0, -1, -1, CLOSE_ON_EXEC) };
    let descriptor = checked(answer as c_int)?;
    // SAFETY: the descriptor is new, and nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

/// A command that is ready to start. Its three standard streams are open until then.
pub struct Recipe {
    pub program: CString,
    pub arguments: Vec<CString>,
    pub environment: Vec<CString>,
    pub streams: [RawFd; 3],
}

fn pointers(texts: &[CString]) -> Vec<*mut c_char> {
    texts.iter().map(|text| text.as_ptr().cast_mut()).chain([null_mut()]).collect()
}

impl Recipe {
    /// Start it in a process group of its own, with default signals: when, and the process. A session of its own would
    /// be a new group for the scheduler too (`sched_autogroup_enabled`), which lengthens short commands under load.
    pub fn start(&self, at: Option<Duration>) -> (Duration, Result<i32>) {
        let arguments = pointers(&self.arguments);
        let environment = pointers(&self.environment);
        let mut process = 0;
        // SAFETY: structures that the next calls fill before they are used, and destroy at the end. The arrays end
        // with a null pointer, and their texts live as long as `self`.
        unsafe {
            let mut streams: libc::posix_spawn_file_actions_t = std::mem::zeroed();
            let mut attributes: libc::posix_spawnattr_t = std::mem::zeroed();
            let mut signals: libc::sigset_t = std::mem::zeroed();
            libc::posix_spawn_file_actions_init(&raw mut streams);
            for (target, &stream) in self.streams.iter().enumerate() {
                libc::posix_spawn_file_actions_adddup2(&raw mut streams, stream, target as c_int);
            }
            libc::posix_spawnattr_init(&raw mut attributes);
            let flags = libc::POSIX_SPAWN_SETPGROUP as c_short
                | libc::POSIX_SPAWN_SETSIGDEF as c_short
                | libc::POSIX_SPAWN_SETSIGMASK as c_short;
            libc::posix_spawnattr_setflags(&raw mut attributes, flags);
            libc::sigemptyset(&raw mut signals);
            libc::posix_spawnattr_setsigmask(&raw mut attributes, &raw const signals);
            libc::sigfillset(&raw mut signals);
            libc::posix_spawnattr_setsigdefault(&raw mut attributes, &raw const signals);
            if let Some(at) = at {
                sleep_until(at);
            }
            let started = clock();
            let error = libc::posix_spawn(
                &raw mut process,
                self.program.as_ptr(),
                &raw const streams,
                &raw const attributes,
                arguments.as_ptr(),
                environment.as_ptr(),
            );
            libc::posix_spawnattr_destroy(&raw mut attributes);
            libc::posix_spawn_file_actions_destroy(&raw mut streams);
            (started, if error == 0 { Ok(process) } else { Err(Error::from_raw_os_error(error)) })
        }
    }
}

/// Whether two sets of cores are the same.
pub fn same_cores(one: &Cores, other: &Cores) -> bool {
    // SAFETY: both are sets of the same size.
    unsafe { libc::CPU_EQUAL(one, other) }
}

/// Whether this process may execute the file, as `exec` would see it.
pub fn executable(path: &std::ffi::CStr) -> Result<()> {
    // SAFETY: the path ends with a zero byte.
    checked(unsafe { libc::faccessat(libc::AT_FDCWD, path.as_ptr(), libc::X_OK, libc::AT_EACCESS) }).map(drop)
}
