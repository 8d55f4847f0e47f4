//! Protects cells of CSV from being run by spreadsheets. A spreadsheet treats a cell that begins with one of a
//! few signs as a formula, and formulas can load addresses and start programs; a leading quotation mark makes
//! the cell text.

use std::borrow::Cow;

use crate::text::number;

/// The column that marks a table as guarded, so that reading it restores the original texts.
pub const COLUMN: &str = "statera.guard";

/// The prefix of a guarded cell.
pub const MARK: &str = "'";

/// Guards a text for a table that may be opened in a spreadsheet. A text that looks like a guarded one gets one
/// more mark, so that [`unguarded`] restores each of them.
#[must_use]
pub fn guarded(text: &str) -> Cow<'_, str> {
    if acts(text.trim_start_matches(MARK)) && !is_number(text) {
        Cow::Owned(format!("{MARK}{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A text as a cell: guarded, unless `raw`.
#[must_use]
pub fn cell(text: &str, raw: bool) -> Cow<'_, str> {
    if raw { Cow::Borrowed(text) } else { guarded(text) }
}

/// The text of a cell before it was guarded.
#[must_use]
pub fn unguarded(cell: &[u8]) -> &[u8] {
    match cell.strip_prefix(MARK.as_bytes()) {
        Some(text) if acts_within(text) => text,
        _ => cell,
    }
}

/// Whether a spreadsheet would run a text: decided by its first sign, also in its full-width form. Runners of CI execute a
/// line of output that begins with two colons.
fn acts(text: &str) -> bool {
    text.trim_start().starts_with("::")
        || text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

fn acts_within(text: &[u8]) -> bool {
    let marks = text.iter().take_while(|&&byte| byte == MARK.as_bytes()[0]).count();
    text[marks..].utf8_chunks().next().is_some_and(|chunk| acts(chunk.valid()))
}

/// Whether a text is a number as spreadsheets write it, which they read as a number.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') && number(digits).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_would_run_is_text() {
        for text in [
            "=1+1",
            "+x",
            "-x",
            "@sum(a)",
            "\tx",
            "\rx",
            "\nx",
            "-",
            "--1",
            "+-1",
            "-1e",
            "＝1",
            "'=1",
            "-inf",
            "::add-mask::x",
            "  ::x",
        ] {
            assert_eq!(guarded(text), format!("'{text}"));
        }
        for text in ["", "a=b", "'a", "'", "-1.5", "+3", "-2.5e-7", "-.5", "x-y", "''", "µ", "a::b", ":"] {
            assert_eq!(guarded(text), text);
        }
    }

    #[test]
    fn every_text_comes_back() {
        for start in ["", "'", "''", "'''"] {
            for rest in ["", "=1", "-1", "-1.5", "-x", "x", "\t", "＝", "＝a", "漢", "+", "::x", " ::x"] {
                let text = format!("{start}{rest}");
                assert_eq!(unguarded(guarded(&text).as_bytes()), text.as_bytes(), "{text:?}");
            }
        }
        assert_eq!(unguarded(b"'\xFF="), b"'\xFF=");
    }
}
