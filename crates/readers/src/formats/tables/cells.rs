//! Cells of plain tables: which say that there is no value, and which are numbers.

use super::durations::is_duration;
use crate::formats::prelude::*;

/// One cell.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell<'a> {
    /// An empty cell.
    Missing,
    /// Text, which may be a number.
    Text(&'a [u8]),
    /// A number that the file stores as an integer.
    Integer(i128),
    /// A number that the file stores as floating point.
    Float(f64),
}

/// How the numbers of a column are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Mark {
    /// With a decimal point.
    #[default]
    Point,
    /// With a decimal comma.
    Comma,
    /// Other results have decimal commas, and none of this column shows one: that of `12,345` can stand between thousands.
    Either,
    /// In groups: the point of `12.345` can stand between thousands, because other numbers of the column are whole.
    Groups,
    /// In groups: some numbers of the table have more commas than a decimal comma is, such as `1,234,567` or `1,234.5`.
    Thousands,
}

impl Mark {
    /// Whether a number can be another one, too.
    pub(super) fn is_unclear(self, text: &[u8]) -> bool {
        match self {
            Self::Point | Self::Comma | Self::Thousands => false,
            Self::Either => can_be_group(text, b','),
            Self::Groups => can_be_group(text, b'.'),
        }
    }

    /// What to do about a number that is written in another way.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::Point => "numbers have a decimal point and no grouping: 1234.5",
            Self::Comma => "other numbers of the table have a decimal comma: 1234,5",
            Self::Either => {
                "other numbers of the table have a decimal comma, and a mark before three digits can stand between \
                 thousands: write 1234 or 1,2340"
            }
            Self::Thousands => "other numbers of the table have a comma between thousands: 1,234.5",
            Self::Groups => {
                "other numbers of the column are whole, and a point before three digits can stand between thousands: \
                 write 1234 or 1.2340"
            }
        }
    }
}

/// A row that supplies its cells.
pub(super) trait Cells {
    /// Whether the file type cannot distinguish an empty text from a missing one; if so, an empty name is a
    /// name.
    const BLANK_IS_TEXT: bool;

    fn cell(&self, column: usize) -> Cell<'_>;

    /// How the numbers of a column are written.
    fn mark(&self, _column: usize) -> Mark {
        Mark::Point
    }

    /// The bytes of adjacent columns as the file has them, if equal bytes mean equal cells.
    fn span(&self, _first: usize, _last: usize) -> Option<&[u8]> {
        None
    }
}

/// The text of a cell that is not empty.
pub(super) fn text(cell: Cell<'_>) -> Option<Cow<'_, [u8]>> {
    match cell {
        Cell::Missing => None,
        Cell::Text(text) => Some(Cow::Borrowed(text)),
        Cell::Integer(whole) => Some(Cow::Owned(whole.to_string().into_bytes())),
        Cell::Float(float) => Some(Cow::Owned(format!("{float:?}").into_bytes())),
    }
}

/// The cell of a value: words such as `NA` say that there is none.
pub(super) fn value_cell<C: Cells>(cells: &C, column: usize) -> Cell<'_> {
    match cells.cell(column) {
        Cell::Text(text) if is_missing(text.trim_ascii()) => Cell::Missing,
        cell => cell,
    }
}

/// The number in a cell, if it has one.
pub(super) fn amount(cells: &impl Cells, column: usize) -> Option<f64> {
    match cells.cell(column) {
        Cell::Integer(whole) => Some(whole as f64),
        Cell::Float(float) => Some(float),
        Cell::Text(text) => number(&digits(cells.mark(column), text)?),
        Cell::Missing => None,
    }
}

/// The digits of a number as they are read; `None` if its column's notation makes it another number, or perhaps:
/// `1.500` can be 1500.
pub(super) fn digits(mark: Mark, text: &[u8]) -> Option<Cow<'_, [u8]>> {
    let text = text.trim_ascii();
    if mark == Mark::Point || memchr::memchr2(b',', b'.', text).is_none() {
        return Some(Cow::Borrowed(text));
    }
    if mark.is_unclear(text) {
        return None;
    }
    match mark {
        Mark::Thousands if memchr::memchr(b',', text).is_some() => grouped(text).map(Cow::Owned),
        Mark::Groups | Mark::Thousands => Some(Cow::Borrowed(text)),
        _ => with_point(text).map(Cow::Owned),
    }
}

/// A number with commas between thousands, such as `1,234` or `1,234.5`, without them.
pub(super) fn grouped(text: &[u8]) -> Option<Vec<u8>> {
    let whole = text.split(|&byte| byte == b'.').next().unwrap_or(text);
    let bare: Vec<u8> = text.iter().copied().filter(|&byte| byte != b',').collect();
    (can_be_group(whole, b',') && !text[whole.len()..].contains(&b',') && number(&bare).is_some())
        .then_some(bare)
}

/// A number with blanks or apostrophes between thousands, which stand nowhere else in a number: `1 234`, `1'234.5`.
pub(super) fn spaced(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text.trim_ascii()).ok()?;
    let whole = text.split('.').next().unwrap_or(text);
    let groups: Vec<&str> = whole.split(['\'', '\u{2019}', ' ', '\u{A0}', '\u{202F}']).collect();
    let first = groups[0].trim_start_matches('-');
    let are_digits = first.bytes().chain(groups[1..].concat().bytes()).all(|sign| sign.is_ascii_digit());
    let is_grouped = groups.len() > 1 && matches!(first.len(), 1..=3) && are_digits && are_thousands(&groups);
    number(format!("{}{}", groups.concat(), &text[whole.len()..])).filter(|_| is_grouped)
}

/// A number with a decimal comma, such as `4,1` or `1.234,5`, with a point instead.
fn with_point(text: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text.trim_ascii()).ok()?;
    let (whole, rest) = text.split_once(',')?;
    let groups: Vec<&str> = whole.split(['.', ' ', '\u{A0}', '\u{202F}']).collect();
    let first = groups[0].trim_start_matches(['-', '+']);
    let grouped = groups.len() == 1 || (matches!(first.len(), 1..=3) && are_thousands(&groups));
    let written = format!("{}.{rest}", groups.concat());
    let is_bare = !rest.contains(['.', ',']) && rest.starts_with(|digit: char| digit.is_ascii_digit());
    (grouped && is_bare && number(&written).is_some()).then(|| written.into_bytes())
}

/// Whether the comma of a number is a decimal comma: that of `12,345` can also stand between thousands.
pub(super) fn is_decimal_comma(cell: &[u8]) -> bool {
    let has_comma = memchr::memchr(b',', cell).is_some();
    has_comma && !can_be_group(cell.trim_ascii(), b',') && with_point(cell).is_some()
}

/// Whether all these marks in a number can stand between thousands: those of `12,345` and `1,234,567`.
pub(super) fn can_be_group(cell: &[u8], mark: u8) -> bool {
    let digits = cell.strip_prefix(b"-").unwrap_or(cell);
    let mut groups = digits.split(|&byte| byte == mark);
    let first = groups.next().unwrap_or_default();
    let are_digits = |group: &[u8]| group.iter().all(u8::is_ascii_digit);
    let mut rest = groups.peekable();
    rest.peek().is_some()
        && matches!(first.len(), 1..=3)
        && first[0] != b'0'
        && are_digits(first)
        && rest.all(|group| group.len() == 3 && are_digits(group))
}

pub(super) fn part(cells: &impl Cells, column: Option<usize>) -> Option<Cow<'_, [u8]>> {
    column.and_then(|column| text(cells.cell(column)))
}

/// Whether a cell says that there is no value.
pub(super) fn is_missing(cell: &[u8]) -> bool {
    const MISSING: &[&str] =
        &["na", "n/a", "#n/a", "null", "none", "nil", "-", "--", "\u{2013}", "\u{2014}", "?"];
    // Most cells are numbers.
    !cell.first().is_some_and(u8::is_ascii_digit)
        && MISSING.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(cell))
}

/// Whether a cell is a number, also in a notation that is not read, or a duration: so that its column is asked about or
/// refused, and never taken for texts.
pub(super) fn is_number(cell: &[u8]) -> bool {
    number(cell).is_some()
        || std::str::from_utf8(cell).is_ok_and(|text| is_in_other_notation(text) || is_duration(text))
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

/// Whether a cell that is no number is a notation of one or two: `1.2 ± 0.1`, `100M`, `0:41.23`, `1m2.3s`, `PT1.5S`, `<1`,
/// `2.00x`. In a column of results it is no text.
pub(super) fn resembles_number(cell: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(cell) else { return false };
    let text =
        text.trim_start_matches(['<', '>', '~', '$', '\u{2248}', '\u{2264}', '\u{2265}', '-', '+', ' ']);
    let text = text.strip_prefix("PT").unwrap_or(text).replace("+/-", "\u{B1}").replace("+-", "\u{B1}");
    let is_word = |word: &str| is_known(word) || NOTATIONS.contains(&word);
    let between = |letter: char| letter.is_ascii_digit() || " .,:'\u{B1}()".contains(letter);
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.split(between).filter(|word| !word.is_empty()).all(is_word)
}

/// Words of notations that are no units.
const NOTATIONS: [&str; 16] =
    ["d", "day", "days", "m", "H", "M", "S", "k", "K", "G", "T", "x", "e", "E", "\u{D7}", "KB"];

/// Whether all groups of digits after the first have three.
fn are_thousands(groups: &[&str]) -> bool {
    groups.iter().skip(1).all(|group| group.len() == 3)
}

const SEPARATORS: [char; 7] = [',', '.', '\'', '\u{2019}', ' ', '\u{A0}', '\u{202F}'];

/// Whether the commas of a number can only stand between thousands: `1,234,567`, `1,234.5`.
pub(super) fn is_in_thousands(cell: &[u8]) -> bool {
    let (whole, decimals) = cell.split_at(cell.iter().position(|&byte| byte == b'.').unwrap_or(cell.len()));
    let commas = memchr::memchr_iter(b',', whole).count();
    can_be_group(whole, b',') && (commas > 1 || !decimals.is_empty()) && grouped(cell).is_some()
}

/// Whether commas stand between thousands in any of these numbers: beside a decimal point they can stand nowhere else.
pub(super) fn has_thousands<'a>(numbers: impl Iterator<Item = &'a str>) -> bool {
    let (mut has_points, mut can_be) = (false, false);
    for number in numbers {
        let number = number.as_bytes();
        if is_decimal_comma(number) {
            return false;
        }
        can_be |= can_be_group(number, b',');
        has_points |= has_point(number);
        (can_be, has_points) = if is_in_thousands(number) { (true, true) } else { (can_be, has_points) };
    }
    can_be && has_points
}

/// Whether a number has a decimal point: that of `1.500` can also stand between thousands.
pub(super) fn has_point(cell: &[u8]) -> bool {
    let (_, rest) = cell.split_at(cell.iter().position(|&byte| byte == b'.').unwrap_or(cell.len()));
    !rest.is_empty()
        && number(cell).is_some()
        && (rest.len() != 4 || cell.starts_with(b"0") || !rest[1..].iter().all(u8::is_ascii_digit))
}

/// Whether a cell begins with a date: `2026-11-20`.
pub(super) fn is_date(cell: &str) -> bool {
    let digits: Vec<bool> = cell.trim().bytes().take(10).map(|byte| byte.is_ascii_digit()).collect();
    digits == [true, true, true, true, false, true, true, false, true, true]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_comma_becomes_a_point() {
        for (cell, number) in [
            ("4,1", Some("4.1")),
            ("-0,5", Some("-0.5")),
            ("1,5e3", Some("1.5e3")),
            ("1.234,5", Some("1234.5")),
            ("1 234,5", Some("1234.5")),
            ("1234,5", Some("1234.5")),
            ("1.23,5", None),
            ("1,234,5", None),
            ("1,2.3", None),
            ("1.5", None),
            ("1,", None),
            ("a,5", None),
        ] {
            assert_eq!(with_point(cell.as_bytes()).as_deref(), number.map(str::as_bytes), "{cell}");
        }
    }

    #[test]
    fn blanks_stand_between_thousands() {
        for (cell, number) in [
            ("1 234", Some(1234.0)),
            ("-12 345 678.5", Some(-12_345_678.5)),
            ("1'234.5", Some(1234.5)),
            ("1\u{A0}234", Some(1234.0)),
            ("12 34", None),
            ("1234 567", None),
            ("1 234,5", None),
            ("1234", None),
        ] {
            assert_eq!(spaced(cell.as_bytes()), number, "{cell}");
        }
    }

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

    #[test]
    fn what_resembles_a_number_is_no_text() {
        for cell in [
            "1.2 \u{B1} 0.1",
            "1.2 +/- 0.1",
            "1.2 (0.1)",
            "100M",
            "1.5G",
            "0:41.23",
            "00:01:23",
            "1m2.3s",
            "PT1M2.5S",
            "0 days 00:00:01",
            "1.00x",
            "<1",
        ] {
            assert!(resembles_number(cell.as_bytes()), "{cell}");
        }
        for cell in ["", "OOM", "2024-01-02", "200 OK", "v1", "16 threads", "PT", "1/2", "3rd"] {
            assert!(!resembles_number(cell.as_bytes()), "{cell}");
        }
    }
}
