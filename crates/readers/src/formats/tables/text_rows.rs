//! The rows of plain tables as text: with quotes by a general reader, without them by a faster one.

use std::sync::Arc;

use csv::ByteRecord;

use super::cells::{Cell, Cells, Mark, is_missing};
use super::columns::Plan;
use super::fields::{Ends, Plain};
use super::preface::{is_comment, reader};
use super::rows::Intake;
use crate::guard;
use crate::problem::Code;

/// How the cells of a table are written.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Notation {
    /// Whether the texts are guarded.
    pub(super) guarded: bool,
    /// Whether blanks stand around the names of columns, and so around the cells.
    pub(super) padded: bool,
}

/// What the rows of a table have in common.
pub(super) struct Table<'a> {
    pub(super) name: &'a str,
    pub(super) separator: u8,
    pub(super) header: &'a [String],
    pub(super) longest: u64,
    pub(super) notation: Notation,
    /// How the numbers of the columns are written.
    pub(super) marks: &'a [Mark],
    pub(super) plan: &'a Arc<Plan>,
}

impl Table<'_> {
    /// Reads rows; `before` lines precede them.
    pub(super) fn rows(&self, text: &[u8], lines: Lines, before: u32) -> Intake {
        let mut intake = Intake::new(self.name, self.plan);
        match lines {
            Lines::Plain => self.plain_rows(&mut intake, text, 0, before),
            Lines::Returned => self.plain_rows(&mut intake, text, 1, before),
            Lines::Mixed | Lines::Quoted => self.quoted_rows(&mut intake, text, before),
        }
        intake
    }

    fn quoted_rows(&self, intake: &mut Intake, text: &[u8], lines: u32) {
        intake.sheet.lines = lines.saturating_add(memchr::memchr_iter(b'\n', text).count() as u32);
        let mut reader = reader(text, self.separator);
        let mut record = ByteRecord::new();
        while let Ok(true) = reader.read_byte_record(&mut record) {
            let line = lines.saturating_add(line_of(&record, text));
            let last = reader.position().byte() as usize >= text.len();
            let row = self.fields(&record);
            self.row(intake, &row, line, last && !text.ends_with(b"\n"));
        }
    }

    /// The same where every line is a row, because there are no quotes. So many bytes before each line feed belong to the
    /// end of the line.
    fn plain_rows(&self, intake: &mut Intake, text: &[u8], returns: usize, mut line: u32) {
        let mut begins = vec![0];
        let mut row = |begins: &mut [usize], line: u32, finished: bool| {
            let last = begins.len() - 1;
            begins[last] -= if finished { returns } else { 0 };
            if begins[last] > begins[0] + 1 {
                let row = Plain { text, begins };
                self.row(intake, &self.fields(&row), line, !finished);
            }
        };
        for end in Ends::of(text, self.separator) {
            begins.push(end + 1);
            if text[end] == b'\n' {
                line = line.saturating_add(1);
                row(&mut begins, line, true);
                begins.clear();
                begins.push(end + 1);
            }
        }
        if begins[0] < text.len() {
            begins.push(text.len() + 1);
            row(&mut begins, line.saturating_add(1), false);
        }
        intake.sheet.lines = line;
    }

    fn fields<'r, R: Row>(&'r self, row: &'r R) -> Fields<'r, R> {
        Fields { row, notation: self.notation, marks: self.marks }
    }

    fn row<R: Row>(&self, intake: &mut Intake, fields: &Fields<'_, R>, line: u32, unfinished: bool) {
        let row = fields.row;
        if intake.ended {
            return;
        }
        if row.size() as u64 > self.longest {
            let what = format!("a row of {} bytes", row.size());
            intake.sheet.problem(Code::LineTooLong, line, what, "is a quote open, or the file damaged?");
        } else if has_columns(row, self.header.len()) {
            if row.size() > 0 && !self.is_heading(intake, row, line) {
                intake.row_by(self.plan, fields, line);
            }
        } else if !is_comment(row.field(0))
            && (0..row.columns()).any(|column| !row.field(column).trim_ascii().is_empty())
        {
            // A row of several lines that has other columns: an open quote has swallowed the lines.
            let is_open = || (0..row.columns()).any(|column| row.field(column).contains(&b'\n'));
            let code = match unfinished {
                true => Code::Truncated,
                false if is_open() => Code::BrokenFile,
                false => Code::MalformedRecord,
            };
            let what = format!("{} columns where the header has {}", row.columns(), self.header.len());
            let hint = "every row has the columns of the header; is a quote open, or the file cut?";
            intake.sheet.problem(code, line, what, hint);
        }
    }

    /// Whether a row is the header again, as in files that were joined, or that of another table, with which the reading
    /// ends.
    fn is_heading(&self, intake: &mut Intake, row: &impl Row, line: u32) -> bool {
        let is_name = |column: usize| {
            let field = row.field(column);
            (if self.notation.padded { bare(field) } else { field }) == self.header[column].as_bytes()
        };
        if !self.plan.benchmark.is_some_and(is_name) {
            return false;
        }
        if (0..self.header.len()).all(is_name) {
            return true;
        }
        let is_word = |cell: &[u8]| cell.first().is_some_and(u8::is_ascii_alphabetic) && !is_missing(cell);
        intake.ended = self.plan.values.iter().all(|value| is_word(row.field(value.column).trim_ascii()));
        if intake.ended {
            let hint = "write each table into a file of its own";
            intake.sheet.problem(Code::BrokenFile, line, "another table begins here; it is not read", hint);
        }
        intake.ended
    }
}

/// Whether a row has so many columns, perhaps with a separator at its end.
pub(super) fn has_columns(row: &impl Row, columns: usize) -> bool {
    row.columns() == columns || (row.columns() == columns + 1 && row.field(columns).trim_ascii().is_empty())
}

/// The fields of a row.
pub(super) trait Row {
    fn columns(&self) -> usize;
    /// The number of bytes of all fields.
    fn size(&self) -> usize;
    /// A field; empty if there is none.
    fn field(&self, column: usize) -> &[u8];
    /// The bytes of adjacent fields, if they stand beside each other.
    fn span(&self, _first: usize, _last: usize) -> Option<&[u8]> {
        None
    }
}

impl Row for ByteRecord {
    fn columns(&self) -> usize {
        self.len()
    }

    fn size(&self) -> usize {
        self.as_slice().len()
    }

    fn field(&self, column: usize) -> &[u8] {
        self.get(column).unwrap_or_default()
    }
}

impl Row for Plain<'_> {
    fn columns(&self) -> usize {
        Plain::columns(self)
    }

    fn size(&self) -> usize {
        self.span(0, self.columns() - 1).len() + 1 - self.columns()
    }

    fn field(&self, column: usize) -> &[u8] {
        self.span(column, column)
    }

    fn span(&self, first: usize, last: usize) -> Option<&[u8]> {
        Some(Plain::span(self, first, last))
    }
}

/// What tells the rows of a text apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// Each line feed ends a row.
    Plain,
    /// The same, and a carriage return stands before each of them and nowhere else.
    Returned,
    /// Line ends of several kinds.
    Mixed,
    /// A row may go on after the end of its line.
    Quoted,
}

impl Lines {
    pub(super) fn of(text: &[u8]) -> Self {
        let Some(first) = memchr::memchr2(b'"', b'\r', text) else { return Self::Plain };
        let rest = &text[first..];
        if memchr::memchr(b'"', rest).is_some() {
            return Self::Quoted;
        }
        let count = |byte| memchr::memchr_iter(byte, text).count();
        let in_order = memchr::memchr_iter(b'\r', rest).all(|at| rest.get(at + 1) == Some(&b'\n'));
        if in_order && count(b'\r') == count(b'\n') { Self::Returned } else { Self::Mixed }
    }
}

/// The line on which a record begins. Its position is the end of the preceding record: before blank lines, and
/// before the line feed after a carriage return.
fn line_of(record: &ByteRecord, text: &[u8]) -> u32 {
    let Some(position) = record.position() else { return 0 };
    let before = text.get(position.byte() as usize..).unwrap_or_default();
    let blank = before.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    (position.line() as usize + blank.filter(|&&byte| byte == b'\n').count()) as u32
}

/// A cell as it was before it was guarded.
pub(super) fn as_written(cell: &[u8], guarded: bool) -> &[u8] {
    if guarded { guard::unguarded(cell) } else { cell }
}

/// A cell without blanks around it, and without quotes, which a blank before them keeps in the cell.
pub(super) fn bare(cell: &[u8]) -> &[u8] {
    let cell = cell.trim_ascii();
    cell.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(cell)
}

/// A row, and how its cells are written.
struct Fields<'a, R> {
    row: &'a R,
    notation: Notation,
    marks: &'a [Mark],
}

impl<R: Row> Cells for Fields<'_, R> {
    const BLANK_IS_TEXT: bool = true;

    fn cell(&self, column: usize) -> Cell<'_> {
        let field = self.row.field(column);
        match if self.notation.padded { bare(field) } else { field } {
            b"" => Cell::Missing,
            cell => Cell::Text(as_written(cell, self.notation.guarded)),
        }
    }

    fn span(&self, first: usize, last: usize) -> Option<&[u8]> {
        self.row.span(first, last)
    }

    fn mark(&self, column: usize) -> Mark {
        self.marks.get(column).copied().unwrap_or_default()
    }
}
