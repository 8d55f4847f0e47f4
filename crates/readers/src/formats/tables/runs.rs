//! Plain tables: columns that number runs or iterations, and the warm-up among them.

use super::cells::{Cells, part};
use super::columns::{Plan, Preview};
use super::processes::settle;
use super::rows::Intake;
use crate::formats::prelude::*;

/// Keys that number runs, over which values are pooled.
const NUMBERED: [&str; 8] = ["attempt", "iteration", "rep", "repeat", "repetition", "round", "run", "trial"];

/// What cells of such a column say of a row that is no sample, by their letters.
const WARM: [&str; 12] =
    words!("burnin cold coldstart discard discarded dry dryrun preheat rampup warm warming warmup");

/// What such cells say of a row that was computed from the samples above it, by their letters.
const SUMMARIES: [&str; 20] = [
    "average", "avg", "best", "cv", "geomean", "max", "maximum", "mean", "median", "min", "minimum",
    "overall", "sd", "std", "stddev", "stdev", "sum", "total", "variance", "worst",
];

/// A column that numbers runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RunColumn {
    pub(super) column: usize,
    /// Its header, and the key that it is.
    pub(super) name: String,
    key: String,
    /// Whether the user says that it was varied.
    is_said: bool,
    /// Whether rows of a warm-up and summaries are left out: the first cells have numbers, too.
    leaves_out: bool,
}

impl RunColumn {
    /// The columns of a configuration that number runs.
    pub(super) fn all(
        header: &[String],
        context: &[(usize, String)],
        said: &[usize],
        preview: &dyn Preview,
    ) -> Vec<Self> {
        let numbered = context.iter().filter(|(_, key)| NUMBERED.contains(&&**key));
        let of = |(column, key): &(usize, String)| {
            let is_said = said.contains(column);
            let has_numbers = || preview.sample(*column).iter().any(|cell| is_mark(cell) && !is_warm(cell));
            let leaves_out = !is_said && has_numbers();
            Self { column: *column, name: header[*column].clone(), key: key.clone(), is_said, leaves_out }
        };
        numbered.map(of).collect()
    }

    /// Whether a row with this cell is left out.
    fn leaves_out(&self, cell: &str) -> bool {
        self.leaves_out && (is_warm(cell) || SUMMARIES.contains(&&*letters(cell)))
    }
}

/// What a column of runs held so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// Whether a cell is a number or has one.
    has_marks: bool,
    /// The first two different words without digits.
    words: Vec<String>,
    /// The first cell of a warm-up whose row was taken.
    warm: Option<String>,
}

impl Seen {
    pub(super) fn add(&mut self, cell: &str, is_left_out: bool) {
        if is_warm(cell) {
            if !is_left_out && self.warm.is_none() {
                self.warm = Some(cell.to_owned());
            }
        } else {
            self.has_marks |= is_mark(cell);
        }
        if !is_mark(cell) && self.words.len() < 2 && !self.words.iter().any(|word| word == cell) {
            self.words.push(cell.to_owned());
        }
    }

    fn append(&mut self, later: &Self) {
        self.has_marks |= later.has_marks;
        self.warm = self.warm.take().or_else(|| later.warm.clone());
        for word in &later.words {
            if self.words.len() < 2 && !self.words.contains(word) {
                self.words.push(word.clone());
            }
        }
    }
}

impl Intake {
    /// Takes note of what a configuration says of runs.
    pub(super) fn note_runs(&mut self, plan: &Plan, context: u32, cells: &impl Cells) {
        for (nth, run) in plan.runs.iter().enumerate() {
            let Some(cell) = part(cells, Some(run.column)) else { continue };
            let is_left_out = run.leaves_out(&lossless(&cell));
            if let Some(seen) = self.seen.get_mut(nth) {
                seen.add(&lossless(&cell), is_left_out);
            }
            if is_left_out {
                self.warm.insert(context, nth);
            }
        }
    }
}

/// Reports a row that is left out.
pub(super) fn say_left_out(sheet: &mut Sheet, name: &str, cell: &str, line: u32) {
    let (cell, name) = (excerpt(cell), excerpt(name));
    let what = format!("`{cell}` among the numbers of the column `{name}`; its row is no sample");
    let hint = "leave such rows out of the table, or say --column setting=COLUMN to read them";
    sheet.malformed(line, what, hint);
}

/// The sheets of a file that was read in pieces. A column that should number runs and has only words, of which there are
/// several, says what was varied; one in which words of a warm-up were read beside numbers is a problem.
pub(super) fn finish(pieces: Vec<Intake>, plan: &Plan) -> Vec<Sheet> {
    let seen: Vec<Seen> = (0..plan.runs.len())
        .map(|nth| {
            pieces.iter().filter_map(|piece| piece.seen.get(nth)).fold(Seen::default(), |mut all, seen| {
                all.append(seen);
                all
            })
        })
        .collect();
    let mut sheets = settle(pieces);
    if let (Some(name), Some(sheet)) = (&plan.assumed, sheets.first_mut()) {
        let name = excerpt(name);
        let what = format!("the column `{name}` names the benchmarks: it is the only one of texts");
        sheet.problem(Code::Assumed, 0, what, "--column setting=COLUMN says that it was varied instead");
    }
    if let Some(sheet) = sheets.first_mut() {
        say_derived(sheet);
    }
    for (run, seen) in plan.runs.iter().zip(seen) {
        if !seen.has_marks && seen.words.len() > 1 {
            for sheet in &mut sheets {
                sheet.parameters.insert(run.key.clone());
            }
        }
        let warm = seen.warm.filter(|_| seen.has_marks && !run.is_said);
        if let (Some(cell), Some(sheet)) = (warm, sheets.first_mut()) {
            let what = format!(
                "`{}` among the numbers of the column `{}` was read as a run like the others",
                excerpt(cell),
                excerpt(&run.name)
            );
            sheet.problem(Code::Contradiction, 0, what, "leave the rows of a warm-up out of the table");
        }
    }
    sheets
}

/// The names of rows that people compute from those above them, with what they compute.
const DERIVED_ROWS: [(&str, Derived); 8] = [
    ("average", Derived::Mean),
    ("avg", Derived::Mean),
    ("mean", Derived::Mean),
    ("geomean", Derived::Geometric),
    ("geometric mean", Derived::Geometric),
    ("gmean", Derived::Geometric),
    ("sum", Derived::Sum),
    ("total", Derived::Sum),
];

#[derive(Clone, Copy, PartialEq)]
enum Derived {
    Mean,
    Geometric,
    Sum,
}

impl Derived {
    fn of(self, values: &[f64]) -> f64 {
        let count = values.len() as f64;
        match self {
            Self::Mean => values.iter().sum::<f64>() / count,
            Self::Geometric => (values.iter().map(|value| value.ln()).sum::<f64>() / count).exp(),
            Self::Sum => values.iter().sum(),
        }
    }
}

/// Says of a row that is the mean or the sum of those above it, to the digits that people write, that it is no result of its
/// own.
fn say_derived(sheet: &mut Sheet) {
    let known: Vec<(u32, Derived)> = (0..sheet.benchmarks.len() as u32)
        .filter_map(|at| {
            let name = sheet.benchmarks.get(at).trim().to_lowercase();
            Some((at, DERIVED_ROWS.iter().find(|(word, _)| *word == name)?.1))
        })
        .collect();
    for (benchmark, derived) in known {
        let Some(row) = sheet.benchmark.iter().position(|&at| at == benchmark) else { continue };
        let is_above =
            |at: &usize| sheet.metric[*at] == sheet.metric[row] && sheet.context[*at] == sheet.context[row];
        let above: Vec<f64> = (0..row).filter(is_above).map(|at| sheet.value[at]).collect();
        if above.len() < 2 || (derived.of(&above) / sheet.value[row] - 1.0).abs() > 0.005 {
            continue;
        }
        let name = excerpt(sheet.benchmarks.get(benchmark));
        let what =
            format!("the row `{name}` follows from the rows above it; it is compared like a benchmark");
        sheet.problem(
            Code::Assumed,
            sheet.line[row],
            what,
            "delete the row, because its change is counted twice",
        );
    }
}

/// Whether a cell is a number, has one, or is a single letter.
fn is_mark(cell: &str) -> bool {
    !is_word_of_warm_up(cell)
        && (cell.trim().chars().count() == 1 || cell.bytes().any(|byte| byte.is_ascii_digit()))
}

/// Whether a cell says that its row is no sample: `warm-up`, `cold 1`, `-1`.
fn is_warm(cell: &str) -> bool {
    is_word_of_warm_up(cell) || number(cell.trim()).is_some_and(|number| number < 0.0)
}

fn is_word_of_warm_up(cell: &str) -> bool {
    WARM.contains(&&*letters(cell))
}

fn letters(cell: &str) -> String {
    cell.chars().filter(|letter| letter.is_alphabetic()).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warm_up_is_known_by_its_letters() {
        for cell in ["warmup", "Warm-up", "warm_up 2", "cold", "dry run", "-1", " -2 "] {
            assert!(is_warm(cell), "{cell}");
        }
        for cell in ["1", "0", "baseline", "hot", "measured", "", "-", "warmest"] {
            assert!(!is_warm(cell), "{cell}");
        }
        assert!(
            is_mark("7") && is_mark("a") && is_mark("run-3") && !is_mark("warmup-1") && !is_mark("first")
        );
    }
}
