//! What stands above the header of a table as text: blank lines, comments, and the line in which a spreadsheet states the
//! separator.

use super::cells::is_number;
use crate::encoding::MARK;
use csv::{Reader, ReaderBuilder};

/// Where the header of a table begins. The last comment is the header if a row of numbers follows it:
/// `# benchmark,time_ms`.
pub(super) fn header_at(text: &[u8]) -> usize {
    let start = if text.starts_with(MARK) { MARK.len() } else { 0 };
    let (mut at, mut comment) = (start, None);
    while at < text.len() {
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
        let line = &text[at..end];
        if line.starts_with(b"#") {
            comment = Some(at + line.iter().take_while(|byte| matches!(byte, b'#' | b' ')).count());
        } else if !line.trim_ascii().is_empty() && !states_separator(line) {
            let header = comment.filter(|&comment| heads(&text[comment..at], line));
            return header.unwrap_or(at);
        }
        at = end;
    }
    start
}

/// A reader of the rows of a text, in which quotes may stand.
pub(super) fn reader(bytes: &[u8], separator: u8) -> Reader<&[u8]> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .buffer_capacity(64 << 10)
        .from_reader(bytes)
}

/// The separator after the first column's name: a tab, a comma or a semicolon. Later names may contain any of
/// them, so counting would let an unusual name decide.
pub(super) fn separator(head: &[u8]) -> Option<u8> {
    separator_of(&head[header_at(head)..])
}

fn separator_of(head: &[u8]) -> Option<u8> {
    if matches!(head.trim_ascii_start().first(), Some(b'{' | b'[' | b'<')) {
        return None;
    }
    // A source file is none, though its remarks have commas.
    if ["//", "/*"].iter().any(|mark| head.trim_ascii_start().starts_with(mark.as_bytes())) {
        return None;
    }
    // Nor is a list below a sentence, in which commas group digits: `- Run 1: 15,237.8 TPS`.
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    if lines.next().is_some_and(|first| first.ends_with(b":")) && lines.next().is_some_and(is_of_list) {
        return None;
    }
    let mut quoted = false;
    for &byte in head {
        match byte {
            b'"' => quoted = !quoted,
            b'\t' | b',' | b';' if !quoted => return Some(byte),
            b'\n' if !quoted => return None,
            0 => return None,
            _ => {}
        }
    }
    None
}

/// Whether a line is of a list in Markdown.
fn is_of_list(line: &[u8]) -> bool {
    line.starts_with(b"- ") || line.starts_with(b"* ")
}

/// Whether a line is a comment: those between rows are no results.
pub(super) fn is_comment(first: &[u8]) -> bool {
    first.starts_with(b"#")
}

/// Whether a line is `sep=;`, as spreadsheets write it.
fn states_separator(line: &[u8]) -> bool {
    matches!(line.trim_ascii(), [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', b',' | b';'])
        || without_end(line).eq_ignore_ascii_case(b"sep=\t")
}

/// Whether a comment is the header of a row: as many names as the row has cells, and no numbers.
fn heads(comment: &[u8], row: &[u8]) -> bool {
    let Some(separator) = separator_of(row) else { return false };
    let cells = |line: &[u8]| {
        let mut record = csv::ByteRecord::new();
        let read = reader(line, separator).read_byte_record(&mut record);
        read.ok().filter(|&read| read).map(|_| record)
    };
    let has_numbers = |record: &csv::ByteRecord| record.iter().any(|cell| is_number(cell.trim_ascii()));
    let (Some(names), Some(row)) = (cells(comment), cells(row)) else { return false };
    names.len() == row.len() && !has_numbers(&names) && has_numbers(&row)
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_begins_after_what_stands_above_it() {
        for (text, header) in [
            ("benchmark,ms\nx,1\n", "benchmark,ms"),
            ("\u{FEFF}benchmark,ms\nx,1\n", "benchmark,ms"),
            ("\n\r\nbenchmark,ms\nx,1\n", "benchmark,ms"),
            ("# host: a, b\n#\nbenchmark,ms\nx,1\n", "benchmark,ms"),
            ("# benchmark,ms\nx,1\n", "benchmark,ms"),
            ("# on 2024-01-02\n#benchmark,ms\nx,1\n", "benchmark,ms"),
            ("#,benchmark,ms\n1,x,1\n", ",benchmark,ms"),
            ("sep=;\r\nbenchmark;ms\nx;1\n", "benchmark;ms"),
            ("SEP=\t\nbenchmark\tms\n", "benchmark\tms"),
            ("separator,ms\nx,1\n", "separator,ms"),
            ("# only a comment\n", "# only a comment"),
            ("", ""),
        ] {
            let rest = &text[header_at(text.as_bytes())..];
            assert_eq!(rest.lines().next().unwrap_or_default(), header, "{text:?}");
        }
    }
}
