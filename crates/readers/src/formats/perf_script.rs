//! What `perf script` prints, which only a comparison of profiles reads (`profiles/perf_script.rs`): its lines.

use super::format::{Format, OF_PROFILES, Values};
use super::head::No;

pub static FORMAT: Format = Format {
    name: "perf-script",
    sign: "lines `program 4711 12.345: 250000 cpu-clock:`, each followed by frames",
    harness: "a profiler",
    values: Values::refused("a profile of one run as perf script prints it", OF_PROFILES),
    fits: |head| {
        let mut lines = head.lines().filter(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"));
        let mut next = || lines.next().and_then(|line| std::str::from_utf8(line).ok()).unwrap_or_default();
        let first = next();
        let Some(found) = sample(first) else { return No::unless(false, "it begins with no sample") };
        let has_frame = function(found.frame).is_some() || function(next()).is_some();
        No::unless(has_frame, "no frame follows the sample")
    },
    ..Format::PLAIN
};

/// The first line of a sample: its event, and the frame of a recording without stacks.
pub(crate) struct Sample<'a> {
    pub event: &'a str,
    pub frame: &'a str,
}

/// Reads the first line of a sample: `program 4711 [003] 12.345678: 250000 cpu-clock:`.
pub(crate) fn sample(line: &str) -> Option<Sample<'_>> {
    if line.starts_with([' ', '\t']) && !line.trim_start().starts_with(|first: char| first.is_alphabetic()) {
        return None;
    }
    // The name of a program may contain blanks and colons: the time is what has the form of one.
    let mut from = 0;
    while let Some(at) = line[from..].find(": ").map(|at| from + at) {
        let time = line[..at].rsplit([' ', '\t']).next().unwrap_or_default();
        if is_time(time) && at > time.len() {
            return after_time(line[at + 2..].trim_start());
        }
        from = at + 2;
    }
    None
}

fn is_time(word: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    word.split_once('.').is_some_and(|(whole, part)| digits(whole) && digits(part))
}

fn after_time(rest: &str) -> Option<Sample<'_>> {
    let (first, after) = rest.split_once(' ').unwrap_or((rest, ""));
    let is_period = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    let rest = if is_period { after.trim_start() } else { rest };
    let (event, frame) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
    let event = event.strip_suffix(':')?;
    let is_event = !event.is_empty() && !event.contains(['(', ')']);
    is_event.then_some(Sample { event, frame: frame.trim() })
}

/// The function of a frame: `55d0 parse_row+0x11 (/usr/bin/program)`.
pub(crate) fn function(line: &str) -> Option<String> {
    let (address, rest) = line.trim().split_once([' ', '\t'])?;
    if address.is_empty() || !address.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let rest = rest.trim();
    // The path of an object, and the name of a C++ function, may contain parentheses.
    let at =
        [" (/", " ([", " (inlined)", " (//", " (unknown)"].iter().filter_map(|mark| rest.rfind(mark)).max();
    let at = at.or_else(|| rest.rfind(" ("));
    let (name, object) = match at {
        Some(at) => (&rest[..at], rest[at + 2..].strip_suffix(')').unwrap_or(&rest[at + 2..])),
        None => (rest, ""),
    };
    let (bare, offset) = name.rsplit_once("+0x").unwrap_or((name, "0"));
    let bare = if offset.bytes().all(|byte| byte.is_ascii_hexdigit()) { bare } else { name };
    Some(if bare.is_empty() || bare == "[unknown]" { unnamed(object) } else { bare.to_owned() })
}

/// The name of a function that has none: that of its object.
pub(crate) fn unnamed(object: &str) -> String {
    let object = object.trim_end_matches(" (deleted)");
    let name = object.rsplit('/').next().unwrap_or_default().trim_matches(['[', ']', '?']);
    if name.is_empty() || name == "unknown" { "[unknown]".to_owned() } else { format!("[unknown in {name}]") }
}
