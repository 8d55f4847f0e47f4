//! Configuration keys of tables that users write, beside those of the harnesses whose results a table can hold.

use super::columns::key_of_column;
use super::failures;
use super::name_words::words;
use crate::formats::prelude::*;

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
