//! The events of a piece of a log, column by column.

use std::borrow::Cow;

use arrow_buffer::{BooleanBufferBuilder, NullBuffer};

/// A value on its way into a column.
#[derive(Clone, Debug)]
pub enum Cell<'a> {
    /// No value.
    Nothing,
    /// An integer.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(Cow<'a, str>),
    /// A hash; its letters may be capitals.
    Hash(Cow<'a, [u8]>),
}

/// The values of a column. Rows without a value are made up for when the next value comes, or at the end: an event
/// pays for its own fields only.
#[derive(Debug, Default)]
pub struct Column {
    /// Integers, in an integer column.
    pub integers: Vec<i64>,
    /// Numbers, in a column of numbers.
    pub numbers: Vec<f64>,
    /// Ends of the texts in `text`, in a column of texts.
    pub ends: Vec<i32>,
    /// The texts one behind the other.
    pub text: Vec<u8>,
    valid: Validity,
}

#[derive(Debug)]
struct Validity(BooleanBufferBuilder);

impl Default for Validity {
    fn default() -> Self {
        Self(BooleanBufferBuilder::new(0))
    }
}

impl Column {
    fn push(&mut self, row: usize, room: usize, cell: &Cell<'_>) {
        let valid = &mut self.valid.0;
        if matches!(cell, Cell::Nothing) {
            return;
        }
        valid.append_n(row - valid.len(), false);
        valid.append(true);
        match cell {
            Cell::Nothing => {}
            Cell::Integer(value) => {
                self.integers.reserve(room - self.integers.len().min(room));
                self.integers.resize(row, 0);
                self.integers.push(*value);
            }
            Cell::Number(value) => {
                self.numbers.resize(row, 0.0);
                self.numbers.push(*value);
            }
            Cell::Text(text) => self.push_text(row, text.as_bytes()),
            Cell::Hash(digits) => {
                self.push_text(row, digits);
                let start = self.text.len() - digits.len();
                self.text[start..].make_ascii_lowercase();
            }
        }
    }

    fn push_text(&mut self, row: usize, text: &[u8]) {
        self.ends.resize(row, self.text.len() as i32);
        self.text.extend_from_slice(text);
        self.ends.push(self.text.len() as i32);
    }

    /// Which rows have a value, of so many.
    pub fn finish(&mut self, rows: usize) -> NullBuffer {
        let valid = &mut self.valid.0;
        valid.append_n(rows - valid.len(), false);
        NullBuffer::new(valid.finish())
    }
}

/// So many events a piece has, more or less.
const ROOM: usize = 4096;

/// Events of one table, in the order of their lines.
#[derive(Debug)]
pub struct Events {
    /// Number of the event.
    pub event: Vec<u16>,
    /// Nanoseconds since the Unix epoch.
    pub at: Vec<i64>,
    /// Line within the piece, counted from 1.
    pub line: Vec<u32>,
    /// The columns of the mapping.
    pub columns: Vec<Column>,
}

impl Events {
    pub(crate) fn new(columns: usize) -> Self {
        let columns = (0..columns).map(|_| Column::default()).collect();
        Self { event: Vec::new(), at: Vec::new(), line: Vec::new(), columns }
    }

    pub(crate) fn push(&mut self, event: u16, at: i64, line: u32, cells: &[(usize, Cell<'_>)]) {
        if self.at.is_empty() {
            self.event.reserve(ROOM);
            self.at.reserve(ROOM);
            self.line.reserve(ROOM);
        }
        let (row, room) = (self.at.len(), self.at.capacity());
        self.event.push(event);
        self.at.push(at);
        self.line.push(line);
        for (column, cell) in cells {
            self.columns[*column].push(row, room, cell);
        }
    }
}
