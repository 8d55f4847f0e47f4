//! The beginning that the names of all benchmarks share. A narrow table leaves it out, because its heading states it once.

use std::collections::BTreeSet;

use statera_readers::Observations;
use statera_weighing::Row;

use crate::names;

/// A shorter prefix saves too little room to be worth a line.
const LEAST: usize = 8;

/// Every name keeps so many columns, so that it can be recognized.
const LEAST_LEFT: usize = 3;

/// Returns the common prefix of the names of all benchmarks, empty if it is short, and the width of the widest name.
#[must_use]
pub fn common(rows: &[Row], observations: &Observations) -> (String, usize) {
    let used: BTreeSet<u32> = rows.iter().map(|row| row.benchmark).collect();
    let printable = |&index: &u32| names::printable(observations.benchmarks.get(index));
    let all: Vec<_> = used.iter().map(printable).collect();
    let widest = all.iter().map(|name| names::width(name)).max().unwrap_or(0);
    let texts: Vec<&str> = all.iter().map(AsRef::as_ref).collect();
    (of(&texts).to_owned(), widest)
}

/// Returns the longest prefix that ends where a word of all names ends.
fn of<'a>(all: &[&'a str]) -> &'a str {
    let [first, others @ ..] = all else { return "" };
    let same = |other: &&str| {
        let pairs = first.char_indices().zip(other.chars());
        pairs.take_while(|((_, a), b)| a == b).last().map_or(0, |((at, a), _)| at + a.len_utf8())
    };
    let shared = others.iter().map(same).min().unwrap_or(0);
    let left = all.iter().map(|name| names::width(name)).min().unwrap_or(0);
    let fits =
        |end: &usize| (LEAST..=left.saturating_sub(LEAST_LEFT)).contains(&names::width(&first[..*end]));
    let ends = first[..shared].char_indices().map(|(at, letter)| at + letter.len_utf8()).rev();
    let end = ends.filter(fits).find(|&end| all.iter().all(|name| is_boundary(name, end)));
    &first[..end.unwrap_or(0)]
}

/// Whether a word ends here: after a separator, or before the capital letter of the next word.
fn is_boundary(name: &str, end: usize) -> bool {
    let before = name[..end].chars().next_back();
    let capital = name[end..].chars().next().is_some_and(char::is_uppercase);
    match before {
        Some('/' | '.' | ':' | '|' | '_' | ' ') => true,
        Some(letter) => letter.is_lowercase() && capital,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_ends_where_a_word_ends() {
        let names = ["github.com/x/y.BenchmarkDecimalAdd", "github.com/x/y.BenchmarkDecimalAnd"];
        assert_eq!(of(&names), "github.com/x/y.BenchmarkDecimal");
        assert_eq!(of(&["library/encode/a-long", "library/encode/a-wide"]), "library/encode/");
        assert_eq!(of(&["encodes_a", "encodings"]), "");
    }

    #[test]
    fn every_name_keeps_something() {
        assert_eq!(of(&["library/encode/", "library/encode/long"]), "library/");
        assert_eq!(of(&["library/encode/long"]), "");
        assert_eq!(of(&["short/a", "short/b"]), "");
        assert_eq!(of(&[]), "");
    }

    #[test]
    fn a_prefix_never_ends_within_a_letter_or_an_escape() {
        assert_eq!(of(&["größeröße/é1", "größeröße/è1"]), "");
        assert_eq!(of(&["größeröße/é12", "größeröße/è12"]), "größeröße/");
        assert_eq!(of(&["library\\u{1b}[31m", "library\\u{1b}[32m"]), "");
    }
}
