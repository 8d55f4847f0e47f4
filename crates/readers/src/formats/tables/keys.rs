//! The names that columns have: those of roles, and configuration keys of tables that users write, beside those of the harnesses whose results a table can hold.

use super::failures;
use super::name_words::words;
use crate::formats::prelude::*;
use crate::{guard, work};

/// Names of the benchmark column; the first one found is used.
pub(in crate::formats) const BENCHMARK: [&str; 4] = ["benchmark", "name", "bench", "test"];

/// Roles whose columns may have capitals: `Unit`. Other words, such as `File`, are also names of parameters.
pub(super) const ANY_CASE: [&str; 7] = ["metric", "unit", "block", "process", "better", "traits", "variant"];

/// Whether a column of this name holds the values of a tidy table.
pub(super) fn is_value(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case("value")
}

/// Columns whose name fixes their meaning unless a mapping overrides it.
const FIXED: [&str; 16] = [
    "benchmark",
    "metric",
    "unit",
    "variant",
    "value",
    "block",
    "process",
    "order",
    "file",
    "line",
    "better",
    "traits",
    "weight",
    "deviation",
    guard::COLUMN,
    work::COLUMN,
];

/// The prefix of a configuration key that shares the name of a fixed column.
pub(crate) const PREFIX: &str = "config.";

/// The name of a configuration key's column. Keys that would be read as a fixed column get a prefix, and so do
/// keys that already have one, so that reading restores every key.
pub(crate) fn column_of_key(key: &str) -> String {
    if FIXED.contains(&bare(key)) { format!("{PREFIX}{key}") } else { key.to_owned() }
}

/// The key of a column that may have the prefix.
pub(super) fn key_of_column(column: &str) -> &str {
    match column.strip_prefix(PREFIX) {
        Some(key) if FIXED.contains(&bare(key)) => key,
        _ => column,
    }
}

fn bare(mut key: &str) -> &str {
    while let Some(rest) = key.strip_prefix(PREFIX) {
        key = rest;
    }
    key
}

pub(super) const KEYS: &[Key] = &[
    Key::setting("variant", "variant that was measured"),
    Key::of_run("run", Role::Run, "which run it was"),
    Key::of_run("run_id", Role::Run, "which run it was"),
    Key::of_run("trial", Role::Run, "which trial it was"),
    Key::of_run("repetition", Role::Run, "which repetition it was"),
    Key::of_run("repeat", Role::Run, "which repetition it was"),
    Key::of_run("rep", Role::Run, "which repetition it was"),
    Key::of_run("attempt", Role::Run, "which attempt it was"),
    Key::of_run("pid", Role::Run, "process identifier of the run"),
    Key::of_run("iteration", Role::Run, "which iteration it was"),
    Key::of_run("round", Role::Run, "which round of runs it was"),
    Key::of_run("seed", Role::Run, "seed of the run's random numbers"),
    Key::of_run("alpha_share", Role::Outcome, "share of alpha of the look that decided").detail(),
    Key::date("when it was measured"),
    Key::of_run("time", Role::Date, "when it was measured"),
    Key::of_run("timestamp", Role::Date, "when it was measured"),
    Key::of_run("commit", Role::Commit, "commit of the program"),
    Key::of_run("note", Role::Outcome, "remark on the run"),
    Key::of_run(
        failures::KEY,
        Role::Outcome,
        "how the run ended, as a column such as `status` or `success` says",
    ),
];

/// The columns of configuration, those without another role, and their keys.
pub(super) fn context(
    header: &[String],
    taken: &HashSet<usize>,
    settings: &[usize],
    exported: bool,
) -> Vec<(usize, String)> {
    let named = |at: usize| if exported { key_of_column(&header[at]) } else { key(&header[at]) };
    let free = (0..header.len()).filter(|at| !taken.contains(at));
    let mut context: Vec<_> =
        free.chain(settings.iter().copied()).map(|at| (at, named(at).to_owned())).collect();
    context.sort_unstable();
    context
}

/// The key of a column of a table that a user wrote: `timeStamp` is `timestamp`, which has a role, and `Run ID` is
/// `run_id`.
fn key(column: &str) -> &str {
    let plain = words(column).concat();
    let known = KEYS.iter().find(|key| words(key.name).concat() == plain);
    known.map(|key| key.name).or_else(|| of_run(column)).unwrap_or_else(|| key_of_column(column))
}

/// Whether a column of this name is a key with a role.
pub(super) fn is_key(column: &str) -> bool {
    let plain = words(column).concat();
    KEYS.iter().any(|key| words(key.name).concat() == plain)
}

/// Whether a column of this name numbers runs.
pub(super) fn numbers_runs(column: &str) -> bool {
    let named = key(column);
    KEYS.iter().any(|key| key.name == named && key.role == Role::Run)
}

/// The key of a column that numbers runs in other words: `trial_num`, `runNo`, `iter`.
fn of_run(column: &str) -> Option<&'static str> {
    const WORDS: [(&str, &str); 10] = [
        ("attempt", "attempt"),
        ("iter", "iteration"),
        ("iteration", "iteration"),
        ("rep", "rep"),
        ("repeat", "repeat"),
        ("repetition", "repetition"),
        ("replicate", "repetition"),
        ("round", "round"),
        ("run", "run"),
        ("trial", "trial"),
    ];
    let is_number =
        |word: &String| matches!(&**word, "num" | "number" | "no" | "nr" | "idx" | "index" | "id");
    let words = words(column);
    let (_, rest): (Vec<_>, Vec<_>) = words.iter().partition(|word| is_number(word));
    let [word] = rest[..] else { return None };
    WORDS.iter().find(|(known, _)| known == word).map(|&(_, key)| key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_with_fixed_names_come_back() {
        for key in ["unit", "config.unit", "config.config.value", "config.x", "goos", "config."] {
            let column = column_of_key(key);
            assert!(!FIXED.contains(&column.as_str()));
            assert_eq!(key_of_column(&column), key);
        }
    }
}
