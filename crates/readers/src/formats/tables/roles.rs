//! Plain tables: columns whose name fixes a role, although their cells can say something else.

use super::headers::Header;
use super::keys::is_value;
use super::name_words::Holds;
use super::preview::Preview;
use super::question::{Answer, of_role};
use crate::formats::prelude::*;

/// Whether the cells of a column tell processes apart, which measured the same: they are numbers, or have digits (`m1`), or
/// are single letters. Other words, such as `nginx`, are names of what was measured.
pub(super) fn are_processes(cells: &[String]) -> bool {
    let is_mark =
        |cell: &String| cell.trim().chars().count() == 1 || cell.bytes().any(|byte| byte.is_ascii_digit());
    cells.iter().all(is_mark)
}

/// Asks about a column of blocks whose cells can be sizes, such as those of a file system or of a grid.
pub(super) fn check_block(header: &[String], column: usize, preview: &dyn Preview) -> Result<(), String> {
    let cells = preview.sample(column);
    if !are_sizes(&cells) {
        return Ok(());
    }
    let answers: [Answer; 3] =
        [("block", "values with the same one are a pair"), ("setting", "it was varied"), ("ignore", "")];
    Err(of_role(header, column, "that can number what was paired, or be a size", &answers, preview))
}

/// Whether cells can be sizes: with a suffix (`4k`), or several powers of two from 16 on.
fn are_sizes(cells: &[String]) -> bool {
    let has_suffix = |cell: &String| {
        let cell = cell.trim().to_lowercase();
        let digits = cell.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let suffix =
            cell[digits.len()..].trim_end_matches("bytes").trim_end_matches('b').trim_end_matches('i');
        let is_size = matches!(suffix, "" | "k" | "m" | "g" | "t") && digits.len() < cell.len();
        is_size && number(digits.trim_end()).is_some()
    };
    let is_power = |cell: &String| {
        cell.trim().parse::<u64>().is_ok_and(|number| number >= 16 && number.is_power_of_two())
    };
    let levels: HashSet<&str> = cells.iter().map(|cell| cell.trim()).collect();
    !cells.is_empty() && (cells.iter().all(has_suffix) || (levels.len() > 1 && cells.iter().all(is_power)))
}

/// Asks about a column `test` that counts its rows: it can number the runs of one benchmark.
pub(super) fn check_test(header: &[String], column: usize, preview: &dyn Preview) -> Result<(), String> {
    let cells = preview.sample(column);
    let numbers: Vec<Option<u64>> = cells.iter().map(|cell| cell.trim().parse().ok()).collect();
    let begins = matches!(numbers.first(), Some(Some(0 | 1)));
    let counts =
        numbers.windows(2).all(|two| two[0].is_some() && two[0].and_then(|one| one.checked_add(1)) == two[1]);
    if !header[column].trim().eq_ignore_ascii_case("test") || numbers.len() < 3 || !begins || !counts {
        return Ok(());
    }
    let answers: [Answer; 2] =
        [("benchmark", "it names the benchmarks"), ("ignore", "it numbers the runs of one")];
    Err(of_role(header, column, "that can name benchmarks or count runs", &answers, preview))
}

/// The column of the values of a tidy table. The size of a value is not the value of a row that has other results.
pub(super) fn value_column(
    headers: &[Header],
    taken: &HashSet<usize>,
    exported: bool,
    preview: &dyn Preview,
) -> Option<usize> {
    let is_result = |other: &usize| {
        preview.is_numeric(*other)
            && matches!(headers[*other].holds, Holds::Results | Holds::Mean | Holds::Summary)
    };
    let is_size = |column: usize| {
        headers[column].is_size_of_work()
            && (0..headers.len()).any(|other| other != column && is_result(&other))
    };
    let free =
        || (0..headers.len()).filter(|&column| !taken.contains(&column) && (exported || !is_size(column)));
    let exact = free().find(|&column| headers[column].name == "value");
    exact.or_else(|| free().find(|&column| !exported && is_value(&headers[column].name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|&cell| cell.to_owned()).collect()
    }

    #[test]
    fn processes_have_digits_or_one_letter() {
        for (found, are) in [
            (&["m1", "p2"][..], true),
            (&["p", "q"], true),
            (&["7", "8"], true),
            (&["proc-3", "9f-ab"], true),
            (&["nginx", "postgres"], false),
            (&["python3", "nginx"], false),
        ] {
            assert_eq!(are_processes(&cells(found)), are, "{found:?}");
        }
    }

    #[test]
    fn sizes_are_hardly_blocks() {
        for (found, are) in [
            (&["4k", "16k"][..], true),
            (&["4 KiB", "1MB"], true),
            (&["512b"], true),
            (&["32", "64", "32"], true),
            (&["16", "16"], false),
            (&["1", "2", "4"], false),
            (&["b1", "b2"], false),
            (&["b"], false),
            (&["1", "16"], false),
            (&[], false),
        ] {
            assert_eq!(are_sizes(&cells(found)), are, "{found:?}");
        }
    }
}
