//! Plain tables: which columns of results have decimal commas, and which have digits in groups.

use super::amounts::{self, amount, has_several, spread, times, without_about, without_groups};
use super::cells::{
    Mark, can_be_group, digits, has_point, has_thousands, is_decimal_comma, is_in_thousands, is_number,
    spaced,
};
use super::columns::Plan;
use super::durations::seconds;
use super::preview::Preview;
use super::values::{ValueColumn, Written};
use crate::formats::prelude::*;

/// How the numbers of each column are written, as the first rows show; the rest of the columns have points. Only columns of
/// results tell it: a list such as `0,1` in another column is no number.
pub(super) fn marks(plan: &Plan, preview: &dyn Preview, separator: u8) -> Vec<Mark> {
    let summaries = plan.values.iter().filter_map(|value| value.summary);
    let summaries = summaries.flat_map(|summary| [summary.count, summary.deviation]).flatten();
    let columns = plan.values.iter().map(|value| value.column).chain(summaries);
    let sampled: Vec<(usize, Vec<String>)> = columns.map(|column| (column, preview.sample(column))).collect();
    let any =
        |cells: &[String], fits: fn(&[u8]) -> bool| cells.iter().any(|cell| fits(cell.trim().as_bytes()));
    let has = |fits: fn(&[u8]) -> bool| sampled.iter().any(|(_, cells)| any(cells, fits));
    let has_commas = has(is_decimal_comma) && !has(has_point);
    // Whoever draws a table writes all of its numbers in one way.
    let rows = if separator == b'\t' { preview.rows() } else { Vec::new() };
    let numbers = || rows.iter().flatten().map(|cell| amounts::digits(cell));
    let results = || sampled.iter().flat_map(|(_, cells)| cells).map(|cell| amounts::digits(cell));
    let has_thousands = if separator == b'\t' {
        has_thousands(numbers().chain(results()))
    } else {
        has(is_in_thousands) && !has(is_decimal_comma)
    };
    // Where commas separate the cells, a cell in quotes can have some between thousands, and else a point.
    if separator == b',' && !has_thousands {
        return Vec::new();
    }
    let count = sampled.iter().map(|(column, _)| column + 1).max().unwrap_or_default();
    let mut marks = vec![Mark::Point; count];
    for (column, cells) in &sampled {
        marks[*column] = if has_thousands {
            Mark::Thousands
        } else if has_commas && any(cells, is_decimal_comma) {
            Mark::Comma
        } else if has_commas {
            Mark::Either
        } else if separator == b';' && are_in_groups(cells) {
            Mark::Groups
        } else {
            Mark::Point
        };
    }
    marks
}

/// What a cell of results says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Said {
    pub(super) value: f64,
    /// Whether the value summarises samples.
    pub(super) is_summary: bool,
    /// Whether it is in base units already, and not in the unit of its column.
    pub(super) is_base: bool,
}

/// The value in a cell: a number, the seconds of a duration, or an amount in base units. Anything else is a problem.
pub(super) fn value_of(
    sheet: &mut Sheet,
    mark: Mark,
    values: &ValueColumn,
    text: &[u8],
    line: u32,
) -> Option<Said> {
    let as_text = || std::str::from_utf8(text).ok();
    let plain = |value: f64| Said { value, is_summary: false, is_base: false };
    let with_unit = |base: &str| {
        let text = as_text()?;
        let found = if mark == Mark::Thousands { amount(&without_groups(text)) } else { amount(text) };
        let found = found.filter(|found| found.base == base)?;
        Some(Said { value: found.value, is_summary: found.is_summary, is_base: true })
    };
    let found = match values.written {
        Written::Duration => as_text().and_then(seconds).map(plain),
        Written::Amount => with_unit(&values.unit),
        Written::Spread => {
            as_text().and_then(spread).map(|(value, is_summary)| Said { is_summary, ..plain(value) })
        }
        Written::Number => {
            let mut bare = |text: &[u8]| {
                digits(mark, text).and_then(|digits| sheet.number(&digits, line)).or_else(|| spaced(text))
            };
            let found =
                bare(text).or_else(|| as_text().and_then(|text| bare(without_about(text).as_bytes())));
            // The unit of a cell is the one of its number, if the header has one of the same dimension.
            let of_cell = || {
                let of_header = Some(meaning(&values.unit)).filter(|_| is_known(&values.unit))?;
                with_unit(&of_header.base).or_else(|| Some(plain(times(as_text()?, &of_header)?)))
            };
            let is_clear = matches!(mark, Mark::Point | Mark::Thousands);
            found.map(plain).or_else(|| of_cell().filter(|_| is_clear))
        }
    };
    if found.is_none() {
        let cell = text.trim_ascii();
        let ends_in_digit = cell.last().is_some_and(u8::is_ascii_digit) && !cell.contains(&b':');
        let (kind, hint) = if as_text().is_some_and(has_several) {
            ("number", "it has several. Write the one that was measured, or a column for each")
        } else if values.written == Written::Duration {
            ("duration", "the others of its column are such as 0:41.23 or 1m2.5s")
        } else if values.written == Written::Amount {
            ("number with a unit", "the others of its column have one, such as 12.3 ms")
        } else if values.written == Written::Spread {
            ("number with its spread", "the others of its column are such as 12.3 ± 0.2")
        } else if ends_in_digit && is_number(cell) {
            ("number", mark.hint())
        } else {
            ("number", "write the number alone, and its unit into the header: time (ms)")
        };
        sheet.problem(Code::MalformedNumber, line, format!("`{}` is not a {kind}", excerpt(text)), hint);
    }
    found
}

/// Whether numbers look like whole ones with a point between thousands: `987` beside `1.234`.
fn are_in_groups(cells: &[String]) -> bool {
    let digits = |cell: &str| cell.trim().trim_start_matches('-').to_owned();
    let is_short = |cell: &String| {
        let digits = digits(cell);
        matches!(digits.len(), 1..=3) && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_grouped = |cell: &String| can_be_group(cell.trim().as_bytes(), b'.');
    cells.iter().any(is_short)
        && cells.iter().any(is_grouped)
        && cells.iter().all(|cell| is_short(cell) || is_grouped(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_beside_points_before_three_digits_can_be_in_groups() {
        for (cells, are) in [
            (&["1.234", "987", "12.345"][..], true),
            (&["1.234.567", "987"], true),
            (&["1.234", "2.345"], false),
            (&["1.234", "0.987", "5"], false),
            (&["1.234", "987", "1.5"], false),
            (&["1.234", "1987"], false),
            (&["987"], false),
        ] {
            let cells: Vec<String> = cells.iter().map(|&cell| cell.to_owned()).collect();
            assert_eq!(are_in_groups(&cells), are, "{cells:?}");
        }
    }
}
