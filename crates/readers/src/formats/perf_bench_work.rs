//! What perf bench says of the work of a benchmark, above its numbers.

use super::format::{Key, Role};
use crate::text::number;

pub(super) const KEYS: &[Key] = &[
    Key::of_work("mode", Role::Setting, "`process` or `threaded`"),
    Key::of_work("groups", Role::Setting, "number of groups of senders and receivers"),
    Key::of_work("processes", Role::Setting, "number of processes"),
    Key::of_work("threads", Role::Setting, "number of threads"),
    Key::of_work("size", Role::Setting, "bytes to copy or to set"),
    Key::of_work("futexes", Role::Setting, "number of futexes of a thread"),
    Key::of_work("sharing", Role::Setting, "whether futexes are `private` or `shared`"),
    Key::of_work("at_a_time", Role::Setting, "number of threads that are woken or requeued at a time"),
    Key::of_work("file_descriptors", Role::Setting, "number of file descriptors"),
    Key::of_work("events", Role::Setting, "number of events"),
    Key::of_work("breakpoints", Role::Setting, "number of breakpoints"),
    Key::of_work("parallelism", Role::Setting, "number of threads that create others"),
    Key::of_work("passive_threads", Role::Setting, "number of threads that wait"),
    Key::of_work("active_threads", Role::Setting, "number of threads that run"),
    Key::of_work("waking_threads", Role::Setting, "number of threads that wake others"),
    Key::of_work("pi", Role::Setting, "`yes` if the target of a requeue inherits priorities"),
    Key::of_work("oneshot", Role::Setting, "`yes` if epoll disables a file descriptor after each event"),
    Key::of_work("bits", Role::Setting, "number of bits to search"),
    Key::of_work("set_bits", Role::Setting, "number of bits that are set"),
];

/// The keys, by the word behind their number.
const WORDS: [(&str, &str); 12] = [
    ("groups", "groups"),
    ("processes", "processes"),
    ("threads", "threads"),
    ("futexes", "futexes"),
    ("at", "at_a_time"),
    ("file-descriptors", "file_descriptors"),
    ("fds", "file_descriptors"),
    ("events", "events"),
    ("breakpoints", "breakpoints"),
    ("parallelism", "parallelism"),
    ("passive", "passive_threads"),
    ("active", "active_threads"),
];

fn key(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, key)| *key)
}

/// The keys of a line such as `# 10 groups == 400 processes run`. How often the benchmark repeats its operation, and for
/// how long, is no work of its own.
pub(super) fn stated(text: &str) -> Vec<(&'static str, String)> {
    let text = text.trim();
    if let Some(size) = text.strip_prefix("# Copying ").and_then(|rest| rest.split(' ').next()) {
        return vec![("size", size.to_owned())];
    }
    // `Number of events:  1 (2 fds)` has its word before the number.
    if let Some((subject, rest)) = text.strip_prefix("Number of ").and_then(|rest| rest.split_once(':')) {
        let (digits, others) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let word = subject.rsplit(' ').next().unwrap_or(subject);
        return key(word).map(|key| (key, digits.to_owned())).into_iter().chain(counts(others)).collect();
    }
    if let Some(found) = bits(text) {
        return found;
    }
    let summary = || text.strip_prefix("Run summary [PID ")?.split_once("]: ").map(|(_, rest)| rest);
    text.strip_prefix("# ").or_else(summary).map(counts).unwrap_or_default()
}

/// The sizes in `100000 operations 2 bits set of 8 bits`.
fn bits(text: &str) -> Option<Vec<(&'static str, String)>> {
    let (set, rest) = text.split_once(" operations ")?.1.split_once(" bits set of ")?;
    let bits = rest.strip_suffix(" bits")?;
    Some(vec![("set_bits", set.to_owned()), ("bits", bits.to_owned())])
}

/// The seconds in `2 threads doing epoll_ctl ops 64 file-descriptors for 8 secs.`
pub(super) fn seconds(text: &str) -> Option<f64> {
    let (_, rest) = text.strip_prefix("Run summary [PID ")?.split_once(" for ")?;
    number(rest.split_once(" secs")?.0.as_bytes()).filter(|&seconds| seconds > 0.0)
}

/// The numbers with a known word behind them: `2 threads, each operating on 1024 [private] futexes for 1 secs.`
fn counts(text: &str) -> Vec<(&'static str, String)> {
    let (bracketed, words): (Vec<&str>, Vec<&str>) =
        text.split_ascii_whitespace().partition(|word| word.starts_with('['));
    let mut found = Vec::new();
    for (at, pair) in words.windows(2).enumerate() {
        let [digits, word] = [pair[0], pair[1]].map(|word| word.trim_matches(['(', ')', ',', '.']));
        if !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && let Some(key) = key(word)
        {
            // `blocking on 8 threads (at [private] futex 0x5581a0), 2 threads waking up 4 at a time`.
            let wakes = word == "threads" && words.get(at + 2) == Some(&"waking");
            let key = if wakes { "waking_threads" } else { key };
            found.push((key, digits.to_owned()));
        }
    }
    let sharing = bracketed.first().map(|word| ("sharing", word.trim_matches(['[', ']']).to_owned()));
    let modes = [("between two processes", "process"), ("between two threads", "threaded")];
    let mode = modes.iter().find(|(end, _)| text.ends_with(end));
    let traits = [(" to PI ", "pi"), ("(EPOLLONESHOT semantics)", "oneshot")];
    let stated = traits.iter().filter(|(words, _)| text.contains(words));
    found.extend(stated.map(|(_, key)| (*key, "yes".to_owned())));
    found.extend(sharing);
    found.extend(mode.map(|(_, mode)| ("mode", (*mode).to_owned())));
    found
}
