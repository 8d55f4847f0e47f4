//! What a table's columns of numbers hold, and the questions about a table that cannot be read without the user: its
//! columns with their first values, and the words of the mapping that answer.

use super::table_columns::Preview;
use super::table_headers::{Header, Holds};
use crate::text::excerpt;

/// How many columns a message shows.
const SHOWN: usize = 12;

/// What each of these columns holds. Words such as `stddev` and `count` speak of a row's summary only if it has one.
pub(super) fn kinds(columns: &[usize], headers: &[Header], has_values: bool) -> Vec<Holds> {
    let holds = |column: &usize| headers[*column].holds;
    let summarised = columns.iter().any(|column| matches!(holds(column), Holds::Mean | Holds::Summary));
    let kind = |column: &usize| match holds(column) {
        // Beside values it can also be the time at which they were measured.
        Holds::Results
            if has_values && headers[*column].name == "time" && headers[*column].unit.is_empty() =>
        {
            Holds::Unknown
        }
        Holds::Settings if summarised && headers[*column].name == "n" => Holds::Count,
        Holds::Deviation | Holds::Spread | Holds::Count if !summarised => Holds::Unknown,
        known => known,
    };
    columns.iter().map(kind).collect()
}

/// Asks what columns of numbers are.
pub(super) fn unclear(header: &[String], columns: &[usize], preview: &dyn Preview) -> String {
    let count = columns.len();
    let (subject, each) =
        if count == 1 { ("a column of numbers", "it is") } else { ("columns of numbers", "each is") };
    let asked = |&column: &usize| {
        let name = quoted(&header[column]);
        format!(
            "\n  {}: --column metric={name} (a result), --column setting={name} (it was varied) or --column ignore={name}",
            shown(&header[column], &preview.first(column))
        )
    };
    let lines: String = columns.iter().take(SHOWN).map(asked).collect();
    let more = if count > SHOWN { format!("\n  and {} more", count - SHOWN) } else { String::new() };
    format!(
        "has {subject} that can be results or settings; say what {each}:{lines}{more}{}",
        others(header, columns, preview)
    )
}

/// Asks for the column of the benchmark's name.
pub(super) fn no_benchmark(header: &[String], preview: &dyn Preview) -> String {
    format!(
        "has no benchmark column (benchmark, name, bench or test); choose one with --column benchmark=COLUMN{}",
        others(header, &[], preview)
    )
}

/// Asks for the columns of values.
pub(super) fn no_values(header: &[String], preview: &dyn Preview) -> String {
    format!("has no column of values; choose one with --column value=COLUMN{}", others(header, &[], preview))
}

/// The columns beside these, with their first values.
fn others(header: &[String], columns: &[usize], preview: &dyn Preview) -> String {
    let rest = (0..header.len()).filter(|column| !columns.contains(column));
    let known: Vec<String> =
        rest.take(SHOWN).map(|column| shown(&header[column], &preview.first(column))).collect();
    let title = if columns.is_empty() { "The columns" } else { "The other columns" };
    if known.is_empty() { String::new() } else { format!("\n{title}: {}", known.join(", ")) }
}

/// A column with its first values: `depth (1, 2, 3)`.
fn shown(name: &str, first: &[String]) -> String {
    let first: Vec<String> = first.iter().map(|cell| excerpt(cell.as_bytes())).collect();
    let values = if first.is_empty() { String::new() } else { format!(" ({})", first.join(", ")) };
    format!("{}{values}", excerpt(name.as_bytes()))
}

/// A name as a word of a shell.
fn quoted(name: &str) -> String {
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
