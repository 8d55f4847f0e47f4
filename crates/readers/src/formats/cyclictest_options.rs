//! The work of cyclictest, from its command line.

use std::iter::Peekable;
use std::str::SplitWhitespace;

use super::format::{Key, Role};
use crate::context::Context;

pub(super) const KEYS: &[Key] = &[
    Key::of_work("threads", Role::Setting, "number of threads"),
    Key::of_work(
        "interval",
        Role::Setting,
        "microseconds from one wake-up to the next, where they are not 1000",
    ),
    Key::of_work("distance", Role::Setting, "microseconds by which the interval of a thread is longer"),
    Key::of_work("priority", Role::Setting, "priority of the first thread"),
    Key::of_work("policy", Role::Setting, "policy of the scheduler"),
    Key::of_work("affinity", Role::Setting, "processors of the threads; `all` without a list"),
    Key::of_work("clock", Role::Setting, "clock that is read"),
    Key::of_work("mlockall", Role::Setting, "whether the memory is locked"),
    Key::of_work("relative", Role::Setting, "whether timers are relative"),
    Key::of_work("system", Role::Setting, "whether another timer of the system is used"),
];

/// The options that are keys: letter, name, key.
const OPTIONS: [(char, &str, &str); 10] = [
    ('i', "interval", "interval"),
    ('d', "distance", "distance"),
    ('p', "priority", "priority"),
    ('y', "policy", "policy"),
    ('a', "affinity", "affinity"),
    ('S', "smp", "affinity"),
    ('c', "clock", "clock"),
    ('m', "mlockall", "mlockall"),
    ('r', "relative", "relative"),
    ('s', "system", "system"),
];

/// The letters of all options with a value, and of those whose value may be left out.
const VALUED: &str = "bcdDFhHilopy";
const OPTIONAL: &str = "aAt";

/// The keys that a command line states.
pub(super) fn stated(command: &str) -> Context {
    let mut words = command.split_whitespace().peekable();
    let mut found = Context::new();
    while let Some(word) = words.next() {
        if let Some(long) = word.strip_prefix("--") {
            let (name, value) = long.split_once('=').unwrap_or((long, ""));
            // A name may be shortened.
            let known = OPTIONS.iter().find(|(_, known, _)| name.len() > 2 && known.starts_with(name));
            if let Some((letter, ..)) = known {
                state(&mut found, *letter, value, &mut words);
            }
        } else if let Some(short) = word.strip_prefix('-') {
            for (at, letter) in short.char_indices() {
                let has_value = VALUED.contains(letter) || OPTIONAL.contains(letter);
                let value = if has_value { &short[at + letter.len_utf8()..] } else { "" };
                state(&mut found, letter, value, &mut words);
                if has_value {
                    break;
                }
            }
        }
    }
    // What is the default is as if it were not stated.
    found.retain(|(key, value)| (&**key, &**value) != ("interval", "1000") && value != "0");
    found
}

/// States an option, whose value may be the next word.
fn state(found: &mut Context, letter: char, value: &str, words: &mut Peekable<SplitWhitespace<'_>>) {
    let has_value = VALUED.contains(letter) || OPTIONAL.contains(letter);
    let next = words.next_if(|next| has_value && value.is_empty() && !next.starts_with('-'));
    let value = next.unwrap_or(value);
    let Some((.., key)) = OPTIONS.iter().find(|(known, ..)| *known == letter) else { return };
    let value = match (value, *key) {
        ("", "affinity") => "all",
        ("", _) => "yes",
        _ => value,
    };
    found.retain(|(known, _)| known != key);
    found.push(((*key).to_owned(), value.to_owned()));
}

#[cfg(test)]
mod tests {
    use super::stated;

    #[test]
    fn options_have_their_values() {
        for (command, keys) in [
            ("cyclictest -l 500 -i 200 -q --json=x.json", "interval=200"),
            ("cyclictest -qmp80 -i1000 -t 2 -a 0-1 -D 10", "mlockall=yes priority=80 affinity=0-1"),
            (
                "cyclictest --prio=80 --mlockall --interval 250 -S",
                "priority=80 mlockall=yes interval=250 affinity=all",
            ),
            ("cyclictest -t -a -h 100 -p 0", "affinity=all"),
            ("cyclictest -i", "interval=yes"),
            ("", ""),
        ] {
            let pairs: Vec<String> =
                stated(command).iter().map(|(key, value)| format!("{key}={value}")).collect();
            assert_eq!(pairs.join(" "), keys, "{command}");
        }
    }
}
