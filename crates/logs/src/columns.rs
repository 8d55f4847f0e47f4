//! The events of a piece of a log, stored column by column.

use std::borrow::Cow;

use arrow_buffer::{BooleanBufferBuilder, NullBuffer};

/// A value to be put into a column.
#[derive(Clone, Debug)]
pub enum Cell<'a> {
    /// An integer.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(Cow<'a, str>),
    /// A hash, in lower- or upper-case hex digits.
    Hash(Cow<'a, [u8]>),
}

/// The values of a column. An event takes space only for its own fields; rows without a value are filled in at
/// the end.
#[derive(Debug, Default)]
pub struct Column {
    /// Which rows have a value.
    rows: Vec<u32>,
    /// Integers, in an integer column.
    pub integers: Vec<i64>,
    /// Numbers, in a column of numbers.
    pub numbers: Vec<f64>,
    /// Ends of the texts in `text`, in a column of texts.
    pub ends: Vec<i32>,
    /// The concatenated texts.
    pub text: Vec<u8>,
}

impl Column {
    #[inline]
    fn push(&mut self, row: u32, room: usize, cell: &Cell<'_>) {
        if self.rows.is_empty() {
            self.rows.reserve(room);
        }
        self.rows.push(row);
        match cell {
            Cell::Integer(value) => {
                if self.integers.is_empty() {
                    self.integers.reserve(room);
                }
                self.integers.push(*value);
            }
            Cell::Number(value) => self.numbers.push(*value),
            Cell::Text(text) => self.push_text(text.as_bytes()),
            Cell::Hash(digits) => {
                self.push_text(digits);
                let start = self.text.len() - digits.len();
                self.text[start..].make_ascii_lowercase();
            }
        }
    }

    /// The row of a value, by its place among the values.
    #[inline]
    pub(crate) fn row(&self, place: usize) -> Option<u32> {
        self.rows.get(place).copied()
    }

    fn push_text(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        self.ends.push(self.text.len() as i32);
    }

    /// Removes the value of a row if it is the last one.
    fn take_back(&mut self, row: u32) {
        if self.rows.last() != Some(&row) {
            return;
        }
        self.rows.pop();
        let values = self.rows.len();
        self.integers.truncate(values);
        self.numbers.truncate(values);
        self.ends.truncate(values);
        self.text.truncate(self.ends.last().map_or(0, |end| *end as usize));
    }

    /// The validity mask of the given number of rows; `None` if every row has a value.
    #[must_use]
    pub fn valid(&self, rows: usize) -> Option<NullBuffer> {
        if self.rows.len() == rows {
            return None;
        }
        let mut valid = BooleanBufferBuilder::new(rows);
        valid.append_n(rows, false);
        self.rows.iter().for_each(|row| valid.set_bit(*row as usize, true));
        Some(NullBuffer::new(valid.finish()))
    }

    /// Takes the integers of the given number of rows; 0 where a row has none.
    pub fn take_integers(&mut self, rows: usize) -> Vec<i64> {
        spread(std::mem::take(&mut self.integers), &self.rows, rows)
    }

    /// Takes the numbers of the given number of rows; 0 where a row has none.
    pub fn take_numbers(&mut self, rows: usize) -> Vec<f64> {
        spread(std::mem::take(&mut self.numbers), &self.rows, rows)
    }

    /// The offsets of the texts of the given number of rows; a row without a text has an empty one.
    #[must_use]
    pub fn offsets(&self, rows: usize) -> Vec<i32> {
        let mut offsets = Vec::with_capacity(rows + 1);
        let mut end = 0;
        for (row, next) in self.rows.iter().zip(&self.ends) {
            offsets.resize(*row as usize + 1, end);
            end = *next;
        }
        offsets.resize(rows + 1, end);
        offsets
    }
}

/// Moves values to their rows.
fn spread<T: Copy + Default>(values: Vec<T>, rows: &[u32], count: usize) -> Vec<T> {
    if values.len() == count {
        return values;
    }
    let mut all = vec![T::default(); count];
    rows.iter().zip(&values).for_each(|(row, value)| all[*row as usize] = *value);
    all
}

/// The position of a piece's lines.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Number of the file.
    pub file: u32,
    /// Number of lines of the file before the piece.
    pub before_in_file: u64,
    /// Number of lines of the host before the piece.
    pub before_in_host: u64,
}

/// The approximate number of events in a piece.
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

    /// Puts a value into the next row. Once all values are there, the row is kept or discarded.
    #[inline]
    pub(crate) fn put(&mut self, column: usize, cell: &Cell<'_>) {
        self.columns[column].push(self.at.len() as u32, self.at.capacity().max(ROOM), cell);
    }

    /// Keeps the row whose values were put.
    #[inline]
    pub(crate) fn keep(&mut self, event: u16, at: i64, line: u32) {
        if self.at.is_empty() {
            self.event.reserve(ROOM);
            self.at.reserve(ROOM);
            self.line.reserve(ROOM);
        }
        self.event.push(event);
        self.at.push(at);
        self.line.push(line);
    }

    /// Discards the values that were put.
    pub(crate) fn take_back(&mut self) {
        let row = self.at.len() as u32;
        self.columns.iter_mut().for_each(|column| column.take_back(row));
    }
}
