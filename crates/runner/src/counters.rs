//! Counts of perf events, or the reason why there is none. A reason is never a zero.

use std::fs::{self, File};
use std::io::{Error, Read};
use std::os::fd::OwnedFd;

use serde_json::{Map, Value};

use crate::lookup::sentence;
use crate::sys::{self, Part};

const HARDWARE: u32 = 0;
const SOFTWARE: u32 = 1;
const CACHE: u32 = 3;
const RAW: u32 = 4;

/// Name, kind, number, and whether a count in user space alone has a meaning (`perf_event_open(2)`).
const EVENTS: [(&str, u32, u64, bool); 19] = [
    ("cycles", HARDWARE, 0, true),
    ("instructions", HARDWARE, 1, true),
    ("cache-references", HARDWARE, 2, true),
    ("cache-misses", HARDWARE, 3, true),
    ("branches", HARDWARE, 4, true),
    ("branch-misses", HARDWARE, 5, true),
    ("task-clock", SOFTWARE, 1, true),
    ("page-faults", SOFTWARE, 2, true),
    ("context-switches", SOFTWARE, 3, false),
    ("cpu-migrations", SOFTWARE, 4, false),
    ("cpu-cycles", HARDWARE, 0, true),
    ("branch-instructions", HARDWARE, 4, true),
    ("bus-cycles", HARDWARE, 6, true),
    ("stalled-cycles-frontend", HARDWARE, 7, true),
    ("stalled-cycles-backend", HARDWARE, 8, true),
    ("ref-cycles", HARDWARE, 9, true),
    ("cpu-clock", SOFTWARE, 0, true),
    ("alignment-faults", SOFTWARE, 7, true),
    ("emulation-faults", SOFTWARE, 8, true),
];

/// Caches and operations in perf's names, by their numbers in the kernel.
const CACHES: [&str; 7] = ["L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"];
const OPERATIONS: [&str; 3] = ["load", "store", "prefetch"];

/// An event: its kind and number, whether a count in user space alone has a meaning, and where it is counted.
#[derive(Debug, PartialEq, Eq)]
struct Event {
    kind: u32,
    number: u64,
    alone: bool,
    part: Part,
}

impl Event {
    /// The event of perf's name, such as `instructions:u`, `L1-dcache-load-misses` or `r01c4`.
    fn named(name: &str) -> Option<Self> {
        let (name, part) = match name.split_once(':') {
            None => (name, Part::Both),
            Some((name, "u")) => (name, Part::User),
            Some((name, "k")) => (name, Part::Kernel),
            Some((name, "uk" | "ku")) => (name, Part::Both),
            Some(_) => return None,
        };
        let known = EVENTS.iter().find(|(known, ..)| *known == name);
        let (kind, number, alone) = known
            .map(|&(_, kind, number, alone)| (kind, number, alone))
            .or_else(|| Some((CACHE, cache(name)?, true)))
            .or_else(|| Some((RAW, u64::from_str_radix(name.strip_prefix('r')?, 16).ok()?, true)))?;
        Some(Self { kind, number, alone, part })
    }
}

/// The number of an event of a cache: `cache | operation << 8 | result << 16`.
fn cache(name: &str) -> Option<u64> {
    let (cache, rest) =
        (0u64..).zip(CACHES).find_map(|(number, cache)| Some((number, name.strip_prefix(cache)?)))?;
    let rest = rest.strip_prefix('-')?;
    let (operation, rest) =
        (0u64..).zip(OPERATIONS).find_map(|(number, word)| Some((number, rest.strip_prefix(word)?)))?;
    let result = match rest {
        "s" | "es" => 0,
        "-misses" => 1,
        _ => return None,
    };
    Some(cache | operation << 8 | result << 16)
}

/// Counters of the command that starts next.
pub struct Counters {
    counters: Vec<(String, Result<Counter, String>)>,
}

struct Counter {
    events: File,
    user_space_only: bool,
}

impl Counters {
    /// Open a counter for each name.
    pub fn open(names: &[&String]) -> Self {
        Self { counters: names.iter().map(|&name| (name.clone(), Counter::open(name))).collect() }
    }

    /// The counts or reasons, and remarks on counts that need one.
    pub fn read(self) -> (Map<String, Value>, Map<String, Value>) {
        let (mut counts, mut remarks) = (Map::new(), Map::new());
        for (name, counter) in self.counters {
            match counter.and_then(Counter::read) {
                Err(reason) => counts.insert(name, reason.into()),
                Ok((count, remark)) => {
                    if !remark.is_empty() {
                        remarks.insert(name.clone(), remark.into());
                    }
                    counts.insert(name, count.into())
                }
            };
        }
        (counts, remarks)
    }
}

impl Counter {
    fn open(name: &str) -> Result<Self, String> {
        let Event { kind, number, alone, part } = Event::named(name).ok_or("there is no such event")?;
        let new = |events: OwnedFd, user_space_only| Self { events: events.into(), user_space_only };
        match sys::event(kind, number, part) {
            Ok(events) => Ok(new(events, false)),
            // Where the system permits only a process's own counts, the part in user space can be had.
            Err(error) if alone && part == Part::Both && error.raw_os_error() == Some(libc::EACCES) => {
                sys::event(kind, number, Part::User)
                    .map(|events| new(events, true))
                    .map_err(|_| reason(kind, &error))
            }
            Err(error) => Err(reason(kind, &error)),
        }
    }

    fn read(mut self) -> Result<(u64, String), String> {
        let mut bytes = [0; 24];
        self.events.read_exact(&mut bytes).map_err(|error| sentence(&error))?;
        let number = |at: usize| u64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap_or_default());
        let (count, share) = scaled(number(0), number(8), number(16))?;
        let mut remarks = Vec::new();
        if self.user_space_only {
            remarks.push(format!("in user space alone: perf_event_paranoid is {}", paranoid()));
        }
        if share < 1.0 {
            remarks
                .push(format!("counted during {:.0} % of the time and scaled to all of it", 100.0 * share));
        }
        Ok((count, remarks.join("; ")))
    }
}

/// The count over the whole time, and the share of the time in which it was counted: the processor has few counters,
/// and the kernel lets events take turns.
fn scaled(count: u64, enabled: u64, running: u64) -> Result<(u64, f64), String> {
    if running == 0 {
        return Err("not counted: the processor's counters were in use all the time".to_owned());
    }
    if running >= enabled {
        return Ok((count, 1.0));
    }
    let share = running as f64 / enabled as f64;
    Ok(((count as f64 / share).round() as u64, share))
}

fn reason(kind: u32, error: &Error) -> String {
    match error.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => format!(
            "not permitted: perf_event_paranoid is {}; 1 permits it, if no container forbids it",
            paranoid()
        ),
        Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV) if kind != SOFTWARE => {
            let virtual_machine =
                fs::read_to_string("/proc/cpuinfo").is_ok_and(|text| text.contains(" hypervisor"));
            let machine = if virtual_machine {
                "no PMU in this virtual machine"
            } else {
                "not an event of this processor"
            };
            machine.to_owned()
        }
        Some(libc::ENOSYS) => "this kernel has no perf events".to_owned(),
        _ => format!("not available: {}", sentence(error)),
    }
}

fn paranoid() -> String {
    let text = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid");
    text.map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{CACHE, EVENTS, Event, HARDWARE, Part, RAW, SOFTWARE, scaled};

    #[test]
    fn names_of_perf_are_events() {
        let of = |name| Event::named(name).map(|event| (event.kind, event.number, event.part));
        assert_eq!(of("instructions:u"), Some((HARDWARE, 1, Part::User)));
        assert_eq!(of("cycles:k"), Some((HARDWARE, 0, Part::Kernel)));
        assert_eq!(of("L1-dcache-loads"), Some((CACHE, 0, Part::Both)));
        assert_eq!(of("LLC-store-misses"), Some((CACHE, 0x1_01_02, Part::Both)));
        assert_eq!(of("L1-icache-prefetches"), Some((CACHE, 0x2_01, Part::Both)));
        assert_eq!(of("r01c4"), Some((RAW, 0x1c4, Part::Both)));
        assert_eq!(of("page-faults"), Some((SOFTWARE, 2, Part::Both)));
        for wrong in ["", "r", "rxyz", "L1-dcache", "L1-dcache-loadx", "cycles:x", "luck"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        assert!(EVENTS.iter().all(|(name, ..)| Event::named(name).is_some()));
    }

    #[test]
    fn a_count_of_a_part_of_the_time_is_scaled_to_all_of_it() {
        assert_eq!(scaled(100, 1000, 500), Ok((200, 0.5)));
        assert_eq!(scaled((1 << 60) + 1, 1000, 1000), Ok(((1 << 60) + 1, 1.0)));
        assert_eq!(scaled(0, 1000, 1000), Ok((0, 1.0)));
    }

    #[test]
    fn an_event_that_never_had_its_turn_is_no_zero() {
        assert!(scaled(0, 1000, 0).is_err());
    }
}
