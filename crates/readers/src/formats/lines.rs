//! Lines of text formats.

use crate::encoding::MARK;
use crate::source::Content;
use rayon::prelude::*;
use std::io;

/// Pieces of this size are parsed in parallel.
const PIECE: usize = 2 << 20;

/// Goes through a file in pieces of whole lines, so that memory never holds all of them. `read` gets
/// those of a piece.
pub(super) fn pieces<T: Send>(
    content: &Content,
    read: impl Fn(&[u8]) -> io::Result<T> + Sync,
) -> io::Result<Vec<T>> {
    let length = content.len();
    let starts: Vec<usize> = (0..length).step_by(PIECE).collect();
    let each = |buffer: &mut Vec<u8>, &start: &usize| {
        let lines = content.lines_in(start, (start + PIECE).min(length), buffer)?;
        let lines = if start == 0 { lines.strip_prefix(MARK).unwrap_or(lines) } else { lines };
        read(lines)
    };
    starts.par_iter().map_init(Vec::new, each).collect()
}

/// The line without what the terminal shows of an interruption before it: a user ended the program, which then printed its
/// results.
pub(super) fn without_echo(line: &[u8]) -> &[u8] {
    let mut rest = line.trim_ascii_start();
    let begins = |rest: &[u8]| match rest {
        [0x03, ..] => Some(1),
        [b'^', b'C', ..] => Some(2),
        _ => None,
    };
    let Some(_) = begins(rest) else { return line };
    while let Some(length) = begins(rest) {
        rest = &rest[length..];
    }
    rest
}

/// The lines with their numbers, without blanks at their ends, and without those that all of them begin with: a
/// document may quote an output so.
pub(super) fn numbered(bytes: &[u8]) -> impl Iterator<Item = (u32, &str)> {
    let lines = || bytes.split(|&byte| byte == b'\n');
    let indent = indent(lines());
    // Harnesses write UTF-8; a line that is not is no result.
    (1..).zip(lines()).filter_map(move |(number, line)| {
        let line = without_echo(line.strip_prefix(indent).unwrap_or(line));
        Some((number, std::str::from_utf8(line).ok()?.trim_end()))
    })
}

/// The blanks with which all lines begin that have more than blanks.
fn indent<'a>(lines: impl Iterator<Item = &'a [u8]>) -> &'a [u8] {
    let mut lines = lines.filter(|line| !line.trim_ascii().is_empty());
    let first = lines.next().unwrap_or_default();
    let mut indent = &first[..first.len() - first.trim_ascii_start().len()];
    while let Some(line) = Some(indent).filter(|indent| !indent.is_empty()).and_then(|_| lines.next()) {
        let shared = indent.iter().zip(line).take_while(|(a, b)| a == b).count();
        indent = &indent[..shared];
    }
    indent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_that_all_lines_share_are_no_part_of_them() {
        for (text, expected) in [
            ("    a\n      b\n\n    c \n", &["a", "  b", "", "c"][..]),
            ("\ta\n\t\tb\r\n", &["a", "\tb"]),
            ("  a\nb\n", &["  a", "b"]),
            ("  a\n\tb\n", &["  a", "\tb"]),
            ("a\n", &["a"]),
            ("^C  a\n^C^Cb\n  \u{3}c\n^D^C\n", &["  a", "b", "c", "^D^C"]),
            ("  a\n  ^C  b\n", &["a", "  b"]),
            (" \n", &[""]),
            ("", &[""]),
        ] {
            let found: Vec<&str> = numbered(text.as_bytes()).map(|(_, line)| line).collect();
            let lines = found.strip_suffix(&[""]).filter(|_| !text.is_empty()).unwrap_or(&found);
            assert_eq!(lines, expected, "{text:?}");
        }
    }
}
