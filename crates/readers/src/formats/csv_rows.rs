//! CSV files with a header, as harnesses write them.

use super::lines;
use crate::encoding::MARK;
use crate::sheet::Sheet;
use crate::text::lossless;
use csv::{ByteRecord, ReaderBuilder};
use std::borrow::Cow;
use std::io;

/// A row under its header.
pub(crate) struct Row<'a> {
    pub(super) header: &'a [String],
    record: &'a ByteRecord,
    pub(super) line: u32,
    /// How many times another header stands between the first one and it.
    pub(super) run: u32,
}

impl Row<'_> {
    /// The number of cells.
    pub(super) fn len(&self) -> usize {
        self.record.len()
    }

    /// The cell of a column; `None` if it is empty or there is no such column.
    pub(super) fn cell(&self, column: &str) -> Option<&[u8]> {
        let place = self.header.iter().position(|known| known == column)?;
        self.record.get(place).filter(|cell| !cell.is_empty())
    }

    /// The same as text.
    pub(super) fn text(&self, column: &str) -> Option<Cow<'_, str>> {
        self.cell(column).map(lossless)
    }

    /// The number in a column. A cell that is not a number is a problem.
    pub(super) fn number(&self, sheet: &mut Sheet, column: &str) -> Option<f64> {
        self.number_in(sheet, column, self.cell(column)?)
    }

    /// The same for a cell that was already found.
    pub(super) fn number_in(&self, sheet: &mut Sheet, column: &str, cell: &[u8]) -> Option<f64> {
        let value = sheet.number(cell, self.line);
        if value.is_none() {
            sheet.no_number(self.line, column, "", cell);
        }
        value
    }

    /// The columns with their cells that are not empty.
    pub(super) fn cells(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let cells = self.header.iter().map(String::as_str).zip(self.record);
        cells.filter(|(_, cell)| !cell.is_empty())
    }
}

/// The bytes below the comments that a script wrote above the header, and the line on which they begin.
pub(super) fn below_comments(bytes: &[u8], first: u32) -> (&[u8], u32) {
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    let is_above = |line: &&[u8]| matches!(lines::without_echo(line).trim_ascii_start(), [] | [b'#', ..]);
    let above = bytes.split_inclusive(|&byte| byte == b'\n').take_while(is_above);
    let (length, count) = above.fold((0, 0), |(length, count), line| (length + line.len(), count + 1));
    (lines::without_echo(&bytes[length..]), first.saturating_add(count))
}

/// Whether a record is the header of another run. Harnesses have the same first columns in every file; those after them
/// depend on the parameters and the options of the run.
fn is_header(record: &ByteRecord, names: &ByteRecord) -> bool {
    record == names || (names.len() > 1 && record.len() > 1 && record.iter().take(2).eq(names.iter().take(2)))
}

/// Goes through the rows under the header, with which these bytes begin on this line. Where another header follows, the
/// output of another run was appended, which has its own columns.
pub(super) fn each(
    bytes: &[u8],
    first: u32,
    sheet: &mut Sheet,
    take: impl FnMut(&mut Sheet, &Row<'_>),
) -> io::Result<()> {
    each_between(b',', bytes, first, sheet, take)
}

/// The same with another separator of cells.
pub(super) fn each_between(
    separator: u8,
    bytes: &[u8],
    first: u32,
    sheet: &mut Sheet,
    take: impl FnMut(&mut Sheet, &Row<'_>),
) -> io::Result<()> {
    each_or_short(separator, bytes, first, sheet, |_| false, take)
}

/// The same where the harness leaves out the last cells of some rows: `is_short` says which rows are such.
pub(super) fn each_or_short(
    separator: u8,
    bytes: &[u8],
    first: u32,
    sheet: &mut Sheet,
    is_short: impl Fn(&Row<'_>) -> bool,
    mut take: impl FnMut(&mut Sheet, &Row<'_>),
) -> io::Result<()> {
    let (bytes, first) = below_comments(bytes, first);
    let mut builder = ReaderBuilder::new();
    let mut reader = builder.has_headers(false).flexible(true).delimiter(separator).from_reader(bytes);
    let (mut header, mut names, mut record) = (Vec::new(), ByteRecord::new(), ByteRecord::new());
    let (mut line, mut counted, mut run) = (first, 0, 0);
    while reader.read_byte_record(&mut record).map_err(io::Error::other)? {
        // The reader itself counts a line that ends in CR and LF too late.
        let start = record.position().map_or(0, |place| place.byte() as usize);
        let start = start + bytes[start..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        line = line.saturating_add(memchr::memchr_iter(b'\n', &bytes[counted..start]).count() as u32);
        counted = start;
        if header.is_empty() || is_header(&record, &names) {
            if !header.is_empty() {
                run += 1;
                sheet.next_run();
            }
            header = record.iter().map(|column| lossless(column).into_owned()).collect();
            names.clone_from(&record);
            continue;
        }
        let row = Row { header: &header, record: &record, line, run };
        if record.len() == header.len() || record.len() < header.len() && is_short(&row) {
            take(sheet, &row);
        } else {
            sheet.wrong_width(line, record.len(), header.len());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_above_the_header_are_passed_over() {
        for (text, rest, line) in [
            ("a,b\n1,2\n", "a,b\n1,2\n", 1),
            ("# x\n\r\n  # y\na,b\n#1,2\n", "a,b\n#1,2\n", 4),
            ("\u{FEFF}# x\na,b\n", "a,b\n", 2),
            ("# x\n", "", 2),
            ("^C\n\u{3}^Ca,b\n1,2\n", "a,b\n1,2\n", 2),
            ("", "", 1),
        ] {
            assert_eq!(below_comments(text.as_bytes(), 1), (rest.as_bytes(), line), "{text:?}");
        }
    }
}
