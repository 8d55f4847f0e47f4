//! Plain tables: columns that number runs or iterations, and the warm-up among them.

use super::preview::Preview;
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
    pub(super) key: String,
    /// Whether the user says that it was varied.
    pub(super) is_said: bool,
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
    pub(super) fn leaves_out(&self, cell: &str) -> bool {
        self.leaves_out && (is_warm(cell) || SUMMARIES.contains(&&*letters(cell)))
    }
}

/// What a column of runs held so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// Whether a cell is a number or has one.
    pub(super) has_marks: bool,
    /// The first two different words without digits.
    pub(super) words: Vec<String>,
    /// The first cell of a warm-up whose row was taken.
    pub(super) warm: Option<String>,
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

    pub(super) fn append(&mut self, later: &Self) {
        self.has_marks |= later.has_marks;
        self.warm = self.warm.take().or_else(|| later.warm.clone());
        for word in &later.words {
            if self.words.len() < 2 && !self.words.contains(word) {
                self.words.push(word.clone());
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
