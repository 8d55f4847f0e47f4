//! Cells of CSV that no spreadsheet runs. A spreadsheet takes a cell that begins with one of a few signs for a
//! formula, and formulas load addresses and start programs; a quotation mark in front makes it text.

use std::borrow::Cow;

use crate::text::number;

/// The column by which a table says that its cells are guarded, so that they are read back as they were.
pub const COLUMN: &str = "statera.guard";

/// What stands in front of a guarded cell.
pub const MARK: &str = "'";

/// A text as the cell of a table that people may open in a spreadsheet. A text that could be a guarded one gets
/// a mark more, so that [`unguarded`] gives each back.
#[must_use]
pub fn guarded(text: &str) -> Cow<'_, str> {
    if acts(text.trim_start_matches(MARK)) && !is_number(text) {
        Cow::Owned(format!("{MARK}{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A text as a cell: guarded, unless it is wanted `raw`.
#[must_use]
pub fn cell(text: &str, raw: bool) -> Cow<'_, str> {
    if raw { Cow::Borrowed(text) } else { guarded(text) }
}

/// The text that a cell was before it was guarded.
#[must_use]
pub fn unguarded(cell: &[u8]) -> &[u8] {
    match cell.strip_prefix(MARK.as_bytes()) {
        Some(text) if acts_within(text) => text,
        _ => cell,
    }
}

/// Whether a spreadsheet would run a text: by its first sign, also in the width of East Asian ones.
fn acts(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

fn acts_within(text: &[u8]) -> bool {
    let marks = text.iter().take_while(|&&byte| byte == MARK.as_bytes()[0]).count();
    let head = &text[marks..(marks + 4).min(text.len())];
    // A character that the four bytes cut is none of the signs.
    head.utf8_chunks().next().is_some_and(|chunk| acts(chunk.valid()))
}

/// Whether a text is a number as spreadsheets write it, which they take for just that.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') && number(digits.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_would_run_is_text() {
        for text in [
            "=1+1", "+x", "-x", "@sum(a)", "\tx", "\rx", "\nx", "-", "--1", "+-1", "-1e", "＝1", "'=1",
            "-inf",
        ] {
            assert_eq!(guarded(text), format!("'{text}"));
        }
        for text in ["", "a=b", "'a", "'", "-1.5", "+3", "-2.5e-7", "-.5", "x-y", "''", "µ"] {
            assert_eq!(guarded(text), text);
        }
    }

    #[test]
    fn every_text_comes_back() {
        for start in ["", "'", "''", "'''"] {
            for rest in ["", "=1", "-1", "-1.5", "-x", "x", "\t", "＝", "＝a", "漢", "+"] {
                let text = format!("{start}{rest}");
                assert_eq!(unguarded(guarded(&text).as_bytes()), text.as_bytes(), "{text:?}");
            }
        }
        assert_eq!(unguarded(b"'\xFF="), b"'\xFF=");
    }
}
