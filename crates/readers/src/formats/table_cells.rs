//! Cells of plain tables: which say that there is no value, and which are numbers.

use super::table_units::is_known;
use crate::text::number;

/// Whether a cell says that there is no value.
pub(super) fn is_missing(cell: &[u8]) -> bool {
    const MISSING: &[&str] =
        &["na", "n/a", "#n/a", "null", "none", "nil", "-", "--", "\u{2013}", "\u{2014}", "?"];
    MISSING.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(cell))
}

/// Whether a cell is a number, also in a notation that is not read: so that its column is asked about or refused, and
/// never taken for texts.
pub(super) fn is_number(cell: &[u8]) -> bool {
    number(cell).is_some() || std::str::from_utf8(cell).is_ok_and(is_in_other_notation)
}

/// Numbers with decimal commas, groups of digits, a unit or a percent sign: `4,1`, `1 234`, `1.234,5`, `4.1 ms`, `12%`.
fn is_in_other_notation(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+', '~']).unwrap_or(text);
    let end = text.find(|letter: char| !letter.is_ascii_digit() && !SEPARATORS.contains(&letter));
    let (digits, unit) = text.split_at(end.unwrap_or(text.len()));
    let (digits, unit) = (digits.trim_end(), unit.trim());
    let groups: Vec<&str> = digits.split(SEPARATORS).collect();
    let separators: Vec<char> = digits.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    let grouped = match &separators[..] {
        [] | [',' | '.'] => true,
        [one, .., last] if one != last && matches!(last, ',' | '.') => {
            are_thousands(&groups[..groups.len() - 1])
        }
        [one, rest @ ..] => rest.iter().all(|other| other == one) && are_thousands(&groups),
    };
    let digits_only = groups.iter().all(|group| !group.is_empty());
    digits_only && grouped && (unit == "%" || is_known(unit) || (unit.is_empty() && !separators.is_empty()))
}

/// Whether all groups of digits after the first have three.
fn are_thousands(groups: &[&str]) -> bool {
    groups.iter().skip(1).all(|group| group.len() == 3)
}

const SEPARATORS: [char; 7] = [',', '.', '\'', '\u{2019}', ' ', '\u{A0}', '\u{202F}'];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_other_notations_are_numbers() {
        for cell in [
            "4.1",
            "-3e5",
            "4,1",
            "1,234",
            "1 234",
            "1'234.5",
            "1.234,5",
            "1.234.567",
            "4.1 ms",
            "4.1ms",
            "12%",
            "-0,5",
        ] {
            assert!(is_number(cell.as_bytes()), "{cell}");
        }
        for cell in [
            "",
            "a",
            "1.2.3",
            "2024-01-02",
            "12:30:01",
            "1,2,3",
            "v1",
            "4.1 widgets",
            "12 30",
            ",",
            "-",
            "1,",
        ] {
            assert!(!is_number(cell.as_bytes()), "{cell}");
        }
    }
}
