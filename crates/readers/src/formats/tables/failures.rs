//! A column that says of each row whether its run failed: `success`, `status`, `error`. What fails early is not faster.

use super::cells::{Cells, part};
use super::name_words::words;
use super::preview::Preview;

/// The key of such a column: its texts are told, and keep no values apart.
pub(super) const KEY: &str = "outcome";

/// A column of outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outcomes {
    pub(super) column: usize,
    says: Says,
}

/// What the cells of a column say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// Whether the run succeeded.
    Success,
    /// Whether it failed.
    Failure,
    /// Why it failed; nothing if it did not.
    Why,
    /// How it ended, in a word.
    End,
}

/// The names of the columns. What some of them say is no failure of the run: an input can be `sorted`.
const NAMES: [(&[&str], Option<Says>); 5] = [
    (
        &["success", "succeeded", "successful", "ok", "passed", "pass", "valid", "completed"],
        Some(Says::Success),
    ),
    (
        &["failed", "failure", "fail", "timedout", "timeout", "crashed", "aborted", "iserror"],
        Some(Says::Failure),
    ),
    (&["error", "errors", "exception", "errormessage", "failurereason"], Some(Says::Why)),
    (&["status", "state", "outcome", "result", "exitstatus"], Some(Says::End)),
    (&["correct", "invariants", "reliable", "skipped", "solved", "sorted", "verified"], None),
];

const TRUE: [&str; 4] = ["true", "yes", "y", "t"];
const FALSE: [&str; 4] = ["false", "no", "n", "f"];
const NOTHING: [&str; 8] = ["", "none", "null", "nil", "-", "n/a", "no", "false"];
const GOOD: [&str; 14] = [
    "ok",
    "okay",
    "success",
    "successful",
    "succeeded",
    "pass",
    "passed",
    "done",
    "complete",
    "completed",
    "finished",
    "valid",
    "good",
    "normal",
];
const BAD: [&str; 25] = [
    "error",
    "errored",
    "err",
    "fail",
    "failed",
    "failure",
    "timeout",
    "timedout",
    "timed out",
    "timed-out",
    "timed_out",
    "tle",
    "oom",
    "out of memory",
    "memout",
    "mle",
    "crash",
    "crashed",
    "killed",
    "aborted",
    "abort",
    "exception",
    "panic",
    "invalid",
    "cancelled",
];

/// The columns of configuration whose name and cells say whether runs failed; those that the user calls settings are none.
/// The words of one of them remain configuration: why runs failed, if a column says that, otherwise how they ended.
pub(super) fn find(
    header: &[String],
    context: &mut Vec<(usize, String)>,
    settings: &[usize],
    preview: &dyn Preview,
) -> Vec<Outcomes> {
    let free = context.iter().map(|&(column, _)| column).filter(|at| !settings.contains(at));
    let found: Vec<Outcomes> = free
        .filter(|&at| !preview.is_numeric(at))
        .filter_map(|column| {
            let name = words(&header[column]).concat();
            let says = NAMES.iter().find(|(names, _)| names.contains(&&*name))?.1?;
            let cells = preview.sample(column);
            let fits = cells.iter().all(|cell| says.fits(&plain(cell.as_bytes())));
            fits.then_some(Outcomes { column, says })
        })
        .collect();
    let of_kind = |says: Says| found.iter().find(|one| one.says == says).map(|one| one.column);
    let told = of_kind(Says::Why).or_else(|| of_kind(Says::End));
    context.retain(|(column, _)| Some(*column) == told || found.iter().all(|one| one.column != *column));
    for (_, key) in context.iter_mut().filter(|(column, _)| Some(*column) == told) {
        KEY.clone_into(key);
    }
    found
}

/// Whether the name of a column says how runs ended: `ok`, `test_passed`. A state, a result and what was completed can be
/// anything.
pub(super) fn is_outcome(header: &str) -> bool {
    let word = words(header).pop().unwrap_or_default();
    !matches!(&*word, "state" | "result" | "completed")
        && NAMES.iter().any(|(names, _)| names.contains(&&*word))
}

/// Whether cells have nothing but words for how a run ended. They name no benchmark.
pub(super) fn are_outcomes(cells: &[String]) -> bool {
    let lists: [&[&str]; 5] =
        [&TRUE, &FALSE, &GOOD, &BAD, &["correct", "skipped", "solved", "tbd", "verified"]];
    let is_word = |cell: &String| {
        let cell = plain(cell.as_bytes());
        lists.iter().any(|list| list.contains(&&*cell))
    };
    !cells.is_empty() && cells.iter().all(is_word)
}

/// Whether the run of a row failed, as any of the columns says; none if none says anything.
pub(super) fn failed(columns: &[Outcomes], cells: &impl Cells) -> Option<bool> {
    let said = columns.iter().filter_map(|one| one.failed(part(cells, Some(one.column)).as_deref()));
    said.reduce(|one, other| one || other)
}

impl Outcomes {
    /// What the cell of a row says; a missing one says something only where the cells are errors.
    fn failed(self, cell: Option<&[u8]>) -> Option<bool> {
        match (self.says, cell.map(plain)) {
            (Says::Why, None) => Some(false),
            (_, None) => None,
            (says, Some(cell)) => Some(says.failed(&cell)),
        }
    }
}

impl Says {
    /// Whether a cell is of this kind. Why something failed is said in any words, but not by numbers.
    fn fits(self, cell: &str) -> bool {
        let is_bool = || TRUE.contains(&cell) || FALSE.contains(&cell);
        match self {
            Self::Success | Self::Failure => is_bool(),
            Self::Why => cell.parse::<f64>().is_err(),
            Self::End => GOOD.contains(&cell) || BAD.contains(&cell),
        }
    }

    /// Whether a cell says that a run failed. A word that nobody knows is no success.
    fn failed(self, cell: &str) -> bool {
        match self {
            Self::Success => !TRUE.contains(&cell),
            Self::Failure => !FALSE.contains(&cell),
            Self::Why => !NOTHING.contains(&cell) && !GOOD.contains(&cell),
            Self::End => !GOOD.contains(&cell),
        }
    }
}

fn plain(cell: &[u8]) -> String {
    String::from_utf8_lossy(cell.trim_ascii()).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_say_what_failed() {
        for (says, cell, failed) in [
            (Says::Success, "TRUE", false),
            (Says::Success, "no", true),
            (Says::Failure, "False", false),
            (Says::Why, "", false),
            (Says::Why, "connection reset", true),
            (Says::End, " Passed ", false),
            (Says::End, "TIMEOUT", true),
            (Says::End, "flaky", true),
        ] {
            let found = Outcomes { column: 0, says }.failed(Some(cell.as_bytes()));
            assert_eq!(found, Some(failed), "{cell}");
        }
    }
}
