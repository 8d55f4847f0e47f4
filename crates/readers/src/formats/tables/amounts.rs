//! Cells of plain tables that are numbers with their unit: `12.3 ms`, `1.2GB/s`, `12.3 ± 0.2 ms`.

use super::cells::{grouped, has_thousands};
use crate::formats::units::{Meaning, Scale, is_known, meaning};
use crate::metric::Quantity;
use crate::text::{PLUS_MINUS, number};

/// A number with a unit, in base units.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    pub(super) value: f64,
    pub(super) base: String,
    /// Whether a second number tells how far the first one varies: the first is a summary of samples.
    pub(super) is_summary: bool,
}

/// The amount in a cell; `None` if it has no known unit.
pub(super) fn amount(cell: &str) -> Option<Amount> {
    let (cell, range) = without_remark(without_about(cell));
    let (first, spread) = halves(cell).map_or((cell, None), |(first, spread)| (first, Some(spread)));
    let (digits, unit) = parts(first)?;
    let unit = match spread {
        None => unit,
        Some(spread) => {
            let (_, of_spread) = parts(spread.trim_end_matches(')'))?;
            let of_spread = if of_spread == "%" { "" } else { of_spread };
            match (unit, of_spread) {
                ("", unit) | (unit, "") => unit,
                (unit, other) if unit == other => unit,
                _ => return None,
            }
        }
    };
    // `11 M ops/sec`
    let joined = unit.split_once(' ').filter(|(prefix, _)| matches!(*prefix, "k" | "K" | "M" | "G"));
    let joined = joined.map(|(prefix, rest)| format!("{prefix}{rest}"));
    let unit = joined.as_deref().unwrap_or(unit);
    is_known(unit).then(|| {
        let known = meaning(unit);
        Some(Amount {
            value: known.scale.apply(number(digits)?),
            base: known.base,
            is_summary: spread.is_some() || range,
        })
    })?
}

/// A cell without the remark in brackets behind its amount, and whether that is the range of samples:
/// `12 ms/iter (10 … 14)`, `1,225 ops/sec ±3% (74 runs sampled)`.
fn without_remark(cell: &str) -> (&str, bool) {
    let inner = cell.strip_suffix(')').and_then(|cell| cell.rsplit_once(" ("));
    match inner.filter(|(_, remark)| !remark.contains(')') && halves(remark).is_none()) {
        Some((cell, remark)) => (cell, remark.contains('\u{2026}')),
        None => (cell, false),
    }
}

/// The signs between a number and how far it varies.
fn halves(cell: &str) -> Option<(&str, &str)> {
    PLUS_MINUS.iter().copied().chain(["+/-", "+-"]).find_map(|sign| cell.split_once(sign))
}

/// A number without a unit, and whether a second number tells how far it varies: `12.3 ± 0.2`, `12.3 (± 2%)`.
pub(super) fn spread(cell: &str) -> Option<(f64, bool)> {
    let Some((first, rest)) = halves(cell) else {
        return number(cell.trim()).map(|value| (value, false));
    };
    let is_around = |sign: char| "()% ".contains(sign);
    number(rest.trim_matches(is_around))?;
    number(first.trim_matches(is_around)).map(|value| (value, true))
}

/// Whether cells are numbers without a unit, and a second number tells of any how far it varies.
pub(super) fn are_spreads(cells: &[String]) -> bool {
    let found: Option<Vec<(f64, bool)>> = cells.iter().map(|cell| spread(cell)).collect();
    found.is_some_and(|found| found.iter().any(|(_, is_summary)| *is_summary))
}

/// The base unit of a column whose cells are amounts of it. Few of them may be a range such as `7-13 ms`, or have a
/// footnote; and a bound such as `<0.01 ms` says nothing of the others.
pub(super) fn base_of(cells: &[String]) -> Option<String> {
    let (base, odd) = base_of_most(cells)?;
    let ends_in_amount = |cell: &&String| {
        let cell = cell.trim_end_matches(['*', '\u{2020}', '\u{2021}', '\\']);
        let last = cell.rsplit(['-', '\u{2013}', '\u{2026}']).next().unwrap_or(cell);
        starts_with_digit(cell) && amount(last).is_some_and(|amount| amount.base == base)
    };
    odd.iter().all(ends_in_amount).then_some(base)
}

/// The base unit of which most cells are amounts, none being one of another, and the cells that are none.
pub(super) fn base_of_most(cells: &[String]) -> Option<(String, Vec<&String>)> {
    let has_thousands = has_thousands(cells.iter().map(|cell| digits(cell)));
    let of = |cell: &String| if has_thousands { amount(&without_groups(cell)) } else { amount(cell) };
    let measured = cells.iter().filter(|cell| bounded(cell).and_then(amount).is_none());
    let (mut base, mut count, mut odd) = (None, 0, Vec::new());
    for cell in measured {
        match of(cell) {
            Some(found) if *base.get_or_insert_with(|| found.base.clone()) == found.base => count += 1,
            Some(_) => return None,
            None => odd.push(cell),
        }
    }
    base.filter(|_| odd.len() < count).map(|base| (base, odd))
}

/// A number with a multiplier and no unit: `38.05k`, `~438 K`, `5.56M`.
fn multiple(cell: &str) -> Option<f64> {
    let (digits, letter) = parts(without_about(cell))?;
    let power = match letter {
        "k" | "K" => 3,
        "M" => 6,
        "G" => 9,
        _ => return None,
    };
    number(format!("{digits}e{power}"))
}

/// The number of a cell such as `38.05k`, if its column has a unit that is no multiple. The `k` of bytes can be 1024, and
/// the `M` of times a minute.
pub(super) fn times(cell: &str, unit: &Meaning) -> Option<f64> {
    let is_clear = match unit.quantity {
        Quantity::Time => !cell.contains('M'),
        _ => unit.scale == Scale::Times(1.0) && !unit.base.starts_with('B'),
    };
    multiple(cell).filter(|_| is_clear)
}

/// Whether a cell has several numbers, of which none is its value: `7-13 ms`, `299ms -> 203ms`, `100/200`.
pub(super) fn has_several(cell: &str) -> bool {
    let is_between = |sign: char| "-\u{2013}\u{2026}/\u{2192}>".contains(sign);
    cell.split(is_between).filter(|part| starts_with_digit(part)).count() > 1
}

fn starts_with_digit(text: &str) -> bool {
    without_about(text).starts_with(|first: char| first.is_ascii_digit())
}

/// A cell without the sign that its number is rounded: about so much is the number that somebody wrote.
pub(super) fn without_about(cell: &str) -> &str {
    cell.trim().trim_start_matches(['~', '\u{2248}']).trim_start()
}

/// What a bound bounds: the `0.01 ms` of `<0.01 ms`.
fn bounded(cell: &str) -> Option<&str> {
    cell.trim().strip_prefix(['<', '>', '\u{2264}', '\u{2265}'])
}

/// The digits and marks at the beginning of a cell.
pub(super) fn digits(cell: &str) -> &str {
    let cell = without_about(cell);
    let end = cell.find(|sign: char| !(sign.is_ascii_digit() || "-.,".contains(sign))).unwrap_or(cell.len());
    &cell[..end]
}

/// An amount without the commas between the thousands of its number.
pub(super) fn without_groups(cell: &str) -> String {
    let digits = digits(cell);
    match grouped(digits.as_bytes()).and_then(|bare| String::from_utf8(bare).ok()) {
        Some(bare) => cell.replacen(digits, &bare, 1),
        None => cell.to_owned(),
    }
}

/// The number at the beginning of a text, and what follows it.
fn parts(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let is_of_number = |sign: char| sign.is_ascii_digit() || "+-.eE".contains(sign);
    let most = text.find(|sign| !is_of_number(sign)).unwrap_or(text.len());
    let end = (1..=most).rev().find(|&end| number(&text.as_bytes()[..end]).is_some())?;
    Some((&text[..end], text[end..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_has_a_number_and_a_known_unit() {
        for (cell, value, base, is_summary) in [
            ("12.3 ms", 0.0123, "s", false),
            ("1.5GB/s", 1.5e9, "B/s", false),
            ("12.5 MiB/s", 12.5 * 1_048_576.0, "B/s", false),
            ("1e3 ns", 1e-6, "s", false),
            ("11M ops/sec", 11e6, "1/s", false),
            ("1.5 k ops/s", 1500.0, "1/s", false),
            ("12.5 ± 0.2 ms", 0.0125, "s", true),
            ("12.5ms ± 0.2ms", 0.0125, "s", true),
            ("12.5 ms +/- 3%", 0.0125, "s", true),
            ("12.5 ms ±3% (74 runs sampled)", 0.0125, "s", true),
            ("12.5 ms (11.0 \u{2026} 14.0)", 0.0125, "s", true),
            ("12.5 ms (2x)", 0.0125, "s", false),
        ] {
            let wanted = Amount { value, base: base.to_owned(), is_summary };
            assert_eq!(amount(cell), Some(wanted), "{cell}");
        }
        for cell in ["", "ms", "12.3", "12.3 widgets", "4.1 ± x ms", "12 ms ± 3 s", "1,5 ms", "12 ± 3"] {
            assert_eq!(amount(cell), None, "{cell}");
        }
        for (cell, found) in [
            ("12.5 ± 0.2", Some((12.5, true))),
            ("12.5 (± 2%)", Some((12.5, true))),
            ("12.5+/-0.2", Some((12.5, true))),
            ("12.5", Some((12.5, false))),
            ("12.5 ± x", None),
            ("± 2", None),
            ("12.5 ms ± 2", None),
        ] {
            assert_eq!(spread(cell), found, "{cell}");
        }
    }
}
