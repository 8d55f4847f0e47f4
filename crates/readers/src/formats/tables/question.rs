//! What a table's columns of numbers hold, and the questions about a table that cannot be read without the user: its
//! columns with their first values, and the words of the mapping that answer.

use super::amounts::has_several;
use super::cells::is_date;
use super::headers::Header;
use super::preview::Preview;
use super::repetitions::{REPETITION, patterns};
use crate::formats::prelude::*;

/// How many columns a message shows.
pub(super) const SHOWN: usize = 12;

/// Asks what columns of numbers are.
pub(super) fn unclear(
    header: &[String],
    columns: &[usize],
    may_be_variants: bool,
    preview: &dyn Preview,
) -> String {
    let count = columns.len();
    let (subject, each) =
        if count == 1 { ("a column of numbers", "it is") } else { ("columns of numbers", "each is") };
    let asked = |&column: &usize| {
        let name = quoted(&header[column]);
        let count = if Header::of(&header[column]).counts_repeats() {
            format!("--column count={name} (the number of samples), ")
        } else {
            String::new()
        };
        format!(
            "\n  {}: {count}--column metric={name} (a result), --column setting={name} (it was varied) or --column ignore={name}",
            shown(&header[column], &preview.first(column))
        )
    };
    let lines: String = columns.iter().take(SHOWN).map(asked).collect();
    let variants = if may_be_variants && (2..=SHOWN).contains(&count) {
        let each = columns.iter().map(|&column| format!(" --column variant={}", quoted(&header[column])));
        format!("\n  or, if each is a variant:{}", each.collect::<String>())
    } else {
        String::new()
    };
    let patterns = patterns(header, columns);
    let repetitions = if (1..=SHOWN).contains(&patterns.len()) {
        let each = patterns.iter().map(|pattern| format!(" --column {REPETITION}={}", quoted(pattern)));
        format!("\n  or, if the numbers count repetitions:{}", each.collect::<String>())
    } else {
        String::new()
    };
    let more = if count > SHOWN { format!("\n  and {} more", count - SHOWN) } else { String::new() };
    format!(
        "has {subject} that can be results or settings. Say what {each}:{lines}{more}{variants}{repetitions}{}",
        others(header, columns, preview)
    )
}

/// A role, and what it says of a column.
pub(super) type Answer = (&'static str, &'static str);

/// Asks which of several roles a column has, whose name tells one and whose cells can be something else.
pub(super) fn of_role(
    header: &[String],
    column: usize,
    what: &str,
    answers: &[Answer],
    preview: &dyn Preview,
) -> String {
    let name = quoted(&header[column]);
    let answer = |(role, meaning): &Answer| {
        let meaning = if meaning.is_empty() { String::new() } else { format!(" ({meaning})") };
        format!("--column {role}={name}{meaning}")
    };
    let all: Vec<String> = answers.iter().map(answer).collect();
    let (last, before) = all.split_last().map_or(("", &[][..]), |(last, before)| (&**last, before));
    format!(
        "has a column {what}. Say what it is:\n  {}: {} or {last}{}",
        shown(&header[column], &preview.first(column)),
        before.join(", "),
        others(header, &[column], preview)
    )
}

/// What a table asks that says nothing of its columns.
pub(super) const MAPPING: &str =
    "needs a mapping of its columns, for instance --column benchmark=NAME --column value=COLUMN";

/// Asks for the column of the benchmark's name.
pub(super) fn no_benchmark(header: &[String], preview: &dyn Preview) -> String {
    let numbers = header.iter().any(|name| number(name.trim()).is_some());
    let missing = if numbers { " (its first line has numbers: is the header missing?)" } else { "" };
    format!(
        "has no benchmark column (benchmark, name, bench or test). Choose one with --column benchmark=COLUMN{missing}{}",
        others(header, &[], preview)
    )
}

/// Refuses a number of samples of which no column is the summary.
pub(super) fn uncounted(name: &str) -> String {
    let name = quoted(name);
    format!(
        "has no summary whose samples `{name}` could count. Call the column of the means so in its header, such as \
         mean_ms, or give the other column another role: --column setting={name} or --column ignore={name}"
    )
}

/// Refuses a column whose cells have a unit of another dimension than its header.
pub(super) fn contradicted(name: &str, cells: &[String]) -> String {
    let (shown, cell) = (excerpt(name), cells.first().map(excerpt).unwrap_or_default());
    format!(
        "has a column `{shown}` whose cells have another unit than its header: {cell}. Correct the header, or leave the \
         column out with --column ignore={}",
        quoted(name)
    )
}

/// Refuses a table whose header has a result such as those below it.
pub(super) fn headless(cell: &str) -> String {
    format!("has the result {} in its first line. Write a header above it: benchmark,time_ms", excerpt(cell))
}

/// What a table with nothing but a header is told.
pub(super) const NO_CELLS: &str =
    "has no cells below its header. Write the results there, or leave the file out";

/// Whether a table has nothing but a header.
pub(super) fn is_empty(header: &[String], preview: &dyn Preview) -> bool {
    !preview.has_types() && (0..header.len()).all(|column| preview.first(column).is_empty())
}

/// Asks for the columns of values.
pub(super) fn no_values(header: &[String], preview: &dyn Preview) -> String {
    if is_empty(header, preview) {
        return NO_CELLS.to_owned();
    }
    let several = |column: usize| {
        let cells = preview.sample(column);
        let count = cells.iter().filter(|cell| has_several(cell)).count();
        cells.into_iter().find(|cell| has_several(cell)).filter(|cell| count > 1 && !is_date(cell))
    };
    if let Some(cell) = (1..header.len()).find_map(several) {
        return format!(
            "has several numbers in a cell: {}. Write a column for each of them, such as before_ms and after_ms",
            excerpt(cell)
        );
    }
    format!("has no column of values. Choose one with --column value=COLUMN{}", others(header, &[], preview))
}

/// The columns beside these, with their first values.
pub(super) fn others(header: &[String], columns: &[usize], preview: &dyn Preview) -> String {
    let rest = (0..header.len()).filter(|column| !columns.contains(column));
    let known: Vec<String> =
        rest.take(SHOWN).map(|column| shown(&header[column], &preview.first(column))).collect();
    let title = if columns.is_empty() { "The columns" } else { "The other columns" };
    if known.is_empty() { String::new() } else { format!("\n{title}: {}", known.join(", ")) }
}

/// A column with its first values: `depth (1, 2, 3)`.
fn shown(name: &str, first: &[String]) -> String {
    let first: Vec<String> = first.iter().map(excerpt).collect();
    let values = if first.is_empty() { String::new() } else { format!(" ({})", first.join(", ")) };
    format!("{}{values}", excerpt(name))
}

/// A name as a word of a shell, shortened.
pub(super) fn quoted(name: &str) -> String {
    let shown = excerpt(name);
    let is_whole = shown.replace(r"\'", "'").replace("\\\"", "\"").replace(r"\\", r"\") == name;
    let name = if is_whole { name } else { &shown };
    let plain = |letter: char| letter.is_alphanumeric() || "_-./%+:@".contains(letter);
    if name.chars().all(plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_word_of_a_shell() {
        for (name, word) in [("depth", "depth"), ("a b", "'a b'"), ("it's (x)", r"'it'\''s (x)'")] {
            assert_eq!(quoted(name), word);
        }
    }
}
