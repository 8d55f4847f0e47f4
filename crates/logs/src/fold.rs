//! Folds the events of a table while they are read: one row for each value of a key instead of one for each line.
//!
//! A row has, for each event, its first line with that key: the one with the smallest time, of equal times the one
//! read first. What a host logs again and again becomes a few numbers here, and nobody has to sort it later.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::types::UInt16Type;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Float64Array, Int64Array, RecordBatch, StringArray, UInt16Array,
};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_schema::{ArrowError, Field, Schema};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::columns::{Column, Events, Place};
use crate::plan::{Key, Plan, Type};

/// Times farther than this from 1970, in ns, are in no row: differences of them would overflow.
const FAR: u64 = 1 << 62;
/// No time.
const NEVER: i64 = i64::MAX;
/// The least number of rows for which memory is made.
const LEAST: usize = 1 << 10;
/// The bits of a line in a place; above them stands the file.
const LINE: u32 = 40;

/// The folded events of a table.
pub struct Folded {
    key: Key,
    host: Arc<StringArray>,
    /// The events of the table.
    events: Vec<Of>,
    /// The place of each event of the plan in `events`.
    places: Vec<Option<usize>>,
    /// The rows of keys that were the greatest when they came, as most are: in order, so that they can be bisected.
    ascending: Vec<(i64, u32)>,
    /// Those of the other keys.
    integers: HashMap<i64, u32, FixedState>,
    texts: HashMap<Box<[u8]>, u32, FixedState>,
    /// The keys, in the order in which they came.
    keys: Keys,
    /// The number of lines of each row, and of those whose time is too far away. As all values of rows, these reach
    /// beyond the last row: memory for many rows is made at once.
    lines: Vec<i64>,
    far: Vec<i64>,
    /// By how much, at most, the lines of each row are earlier than the line above in their file; only by time.
    back: Vec<i64>,
    /// File and time of the line above.
    above: Option<(u32, i64)>,
    /// The row of the last line: most lines have the key of the line before.
    last: Option<u32>,
    /// Whether the rows have the values of the row before, too.
    before: bool,
}

enum Keys {
    Integers(Vec<i64>),
    Texts(Vec<Box<[u8]>>),
}

impl Keys {
    fn len(&self) -> usize {
        match self {
            Self::Integers(keys) => keys.len(),
            Self::Texts(keys) => keys.len(),
        }
    }
}

/// What is known of an event, row by row.
struct Of {
    name: String,
    at: Vec<i64>,
    /// File and line.
    place: Vec<i64>,
    /// Row and time of each line that is not the first of its row, if times are counted.
    further: Option<Vec<(u32, i64)>>,
    /// The fields of the first line.
    fields: Vec<Values>,
}

/// The values of a field, row by row.
struct Values {
    name: String,
    /// Number of the column of the table.
    column: usize,
    is_there: Vec<bool>,
    kept: Kept,
}

enum Kept {
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Texts(Vec<Box<[u8]>>),
}

/// A value of a line.
enum Value<'a> {
    Integer(i64),
    Number(f64),
    Text(&'a [u8]),
}

impl Folded {
    /// Creates the fold of a table of a plan; `None` if the table has a row for each line.
    pub fn new(plan: &Plan, table: usize, host: &Arc<StringArray>) -> Option<Self> {
        let of = &plan.tables[table];
        let fold = of.fold.as_ref()?;
        let mut events = Vec::new();
        let mut places = vec![None; plan.events.len()];
        for (number, event) in plan.events.iter().enumerate().filter(|(_, event)| event.table == table) {
            places[number] = Some(events.len());
            let columns = event.fields.iter().map(|field| field.column);
            let fields = columns.filter(|column| fold.key != Key::Column(*column)).map(|column| {
                let (name, kind) = &of.columns[column];
                let name = format!("{}_{name}", event.name);
                Values { name, column, is_there: Vec::new(), kept: Kept::of(*kind) }
            });
            events.push(Of {
                name: event.name.clone(),
                at: Vec::new(),
                place: Vec::new(),
                further: fold.times.contains(&number).then(Vec::new),
                fields: fields.collect(),
            });
        }
        let keys = match fold.key {
            Key::Column(column) if matches!(of.columns[column].1, Type::Text | Type::Hash) => {
                Keys::Texts(Vec::new())
            }
            _ => Keys::Integers(Vec::new()),
        };
        Some(Self {
            key: fold.key,
            host: Arc::clone(host),
            events,
            places,
            ascending: Vec::new(),
            integers: HashMap::default(),
            texts: HashMap::default(),
            keys,
            lines: Vec::new(),
            far: Vec::new(),
            back: Vec::new(),
            above: None,
            last: None,
            before: fold.before,
        })
    }

    /// Folds the events of a piece; each has a value of the key, which a plan requires.
    pub fn add(&mut self, events: &Events, place: Place) {
        let mut cursors = vec![0; events.columns.len()];
        for (line, at) in events.at.iter().enumerate() {
            for (cursor, column) in cursors.iter_mut().zip(&events.columns) {
                *cursor += usize::from(column.row(*cursor).is_some_and(|row| (row as usize) < line));
            }
            let value = |column: usize| value(&events.columns[column], cursors[column], line);
            let row = match self.key {
                Key::Time => self.row_of_integer(*at),
                Key::Column(column) => match value(column) {
                    Some(Value::Text(text)) => self.row_of_text(text),
                    Some(Value::Integer(number)) => self.row_of_integer(number),
                    _ => continue,
                },
            };
            self.last = Some(row);
            let row = row as usize;
            self.lines[row] += 1;
            if at.unsigned_abs() >= FAR {
                self.far[row] += 1;
                continue;
            }
            if self.key == Key::Time {
                let above = self.above.replace((place.file, *at)).filter(|(file, _)| *file == place.file);
                self.back[row] = self.back[row].max(above.map_or(0, |(_, above)| above - at));
            }
            let Some(of) = self.places[usize::from(events.event[line])] else { continue };
            let place = (i64::from(place.file) << LINE)
                + (place.before_in_file + u64::from(events.line[line])) as i64;
            self.events[of].add(row, *at, place, &value);
        }
    }

    fn row_of_integer(&mut self, key: i64) -> u32 {
        let Keys::Integers(keys) = &mut self.keys else { return 0 };
        if let Some(last) = self.last.filter(|last| keys[*last as usize] == key) {
            return last;
        }
        let next = keys.len() as u32;
        let row = if self.ascending.last().is_none_or(|(greatest, _)| key > *greatest) {
            self.ascending.push((key, next));
            next
        } else if let Ok(at) = self.ascending.binary_search_by_key(&key, |known| known.0) {
            self.ascending[at].1
        } else {
            *self.integers.entry(key).or_insert(next)
        };
        if row == next {
            keys.push(key);
            self.grow(row as usize);
        }
        row
    }

    fn row_of_text(&mut self, key: &[u8]) -> u32 {
        let Keys::Texts(keys) = &mut self.keys else { return 0 };
        if let Some(last) = self.last.filter(|last| *keys[*last as usize] == *key) {
            return last;
        }
        if let Some(row) = self.texts.get(key) {
            return *row;
        }
        let row = keys.len() as u32;
        keys.push(key.into());
        self.texts.insert(key.into(), row);
        self.grow(row as usize);
        row
    }

    /// Makes room for a row, and for as many more as there are.
    #[inline]
    fn grow(&mut self, row: usize) {
        if row == self.lines.len() {
            self.resize((2 * row).max(LEAST));
        }
    }

    fn resize(&mut self, rows: usize) {
        for counts in [&mut self.lines, &mut self.far, &mut self.back] {
            counts.resize(rows, 0);
        }
        for of in &mut self.events {
            of.at.resize(rows, NEVER);
            of.place.resize(rows, 0);
            of.fields.iter_mut().for_each(|field| field.resize(rows));
        }
    }

    /// The columns, in the order of the keys where these are numbers.
    ///
    /// # Errors
    /// Never, as all columns have one length.
    pub fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let rows = self.keys.len();
        self.resize(rows);
        let mut made = Made { order: None, before: self.before, fields: Vec::new(), columns: Vec::new() };
        let host =
            DictionaryArray::<UInt16Type>::try_new(UInt16Array::from(vec![0; rows]), self.host as ArrayRef)?;
        made.push("host", Arc::new(host));
        match self.keys {
            Keys::Integers(keys) => {
                if !keys.is_sorted() {
                    let mut order: Vec<usize> = (0..rows).collect();
                    order.sort_unstable_by_key(|row| keys[*row]);
                    made.order = Some(order);
                }
                let name = if self.key == Key::Time { "at" } else { "key" };
                made.integers(name, keys, None);
            }
            Keys::Texts(keys) => made.texts("key", &keys, None),
        }
        made.counts("lines", self.lines);
        made.counts("far", self.far);
        if self.key == Key::Time {
            made.counts("back", self.back);
        }
        for of in self.events {
            of.columns(self.key, &mut made);
        }
        RecordBatch::try_new(Arc::new(Schema::new(made.fields)), made.columns)
    }
}

impl Of {
    #[inline]
    fn add<'a>(&mut self, row: usize, at: i64, place: i64, value: &impl Fn(usize) -> Option<Value<'a>>) {
        if let Some(further) = self.further.as_mut().filter(|_| ![NEVER, at].contains(&self.at[row])) {
            further.push((row as u32, self.at[row].max(at)));
        }
        if at < self.at[row] {
            self.at[row] = at;
            self.place[row] = place;
            for field in &mut self.fields {
                field.set(row, value(field.column));
            }
        }
    }

    /// The number of different times, row by row.
    fn times(&self, mut further: Vec<(u32, i64)>) -> Vec<i64> {
        let mut times: Vec<i64> = self.at.iter().map(|at| i64::from(*at != NEVER)).collect();
        further.retain(|(row, at)| self.at[*row as usize] != *at);
        further.sort_unstable();
        further.dedup();
        for (row, _) in further {
            times[row as usize] += 1;
        }
        times
    }

    fn columns(mut self, key: Key, made: &mut Made) {
        if let Some(further) = self.further.take() {
            made.counts(&format!("{}_times", self.name), self.times(further));
        }
        let is_there: Vec<bool> = self.at.iter().map(|at| *at != NEVER).collect();
        if key != Key::Time {
            made.integers(&format!("{}_at", self.name), self.at, Some(&is_there));
        }
        made.places(&format!("{}_place", self.name), self.place, &is_there);
        for Values { name, is_there, kept, .. } in self.fields {
            match kept {
                Kept::Integers(values) => made.integers(&name, values, Some(&is_there)),
                Kept::Numbers(values) => {
                    let nulls = made.nulls(Some(&is_there));
                    let values = made.ordered(values);
                    made.push(&name, Arc::new(Float64Array::new(values.into(), nulls)));
                }
                Kept::Texts(values) => made.texts(&name, &values, Some(&is_there)),
            }
        }
    }
}

impl Kept {
    fn of(kind: Type) -> Self {
        match kind {
            Type::Natural | Type::Integer => Self::Integers(Vec::new()),
            Type::Number => Self::Numbers(Vec::new()),
            Type::Text | Type::Hash => Self::Texts(Vec::new()),
        }
    }
}

impl Values {
    fn resize(&mut self, rows: usize) {
        self.is_there.resize(rows, false);
        match &mut self.kept {
            Kept::Integers(values) => values.resize(rows, 0),
            Kept::Numbers(values) => values.resize(rows, 0.0),
            Kept::Texts(values) => values.resize(rows, Box::default()),
        }
    }

    #[inline]
    fn set(&mut self, row: usize, value: Option<Value<'_>>) {
        self.is_there[row] = value.is_some();
        match (&mut self.kept, value) {
            (Kept::Integers(values), Some(Value::Integer(value))) => values[row] = value,
            (Kept::Numbers(values), Some(Value::Number(value))) => values[row] = value,
            (Kept::Texts(values), Some(Value::Text(value))) => values[row] = value.into(),
            _ => self.is_there[row] = false,
        }
    }
}

/// The value of a line in a column whose value at `cursor` is the next one.
#[inline]
fn value(column: &Column, cursor: usize, line: usize) -> Option<Value<'_>> {
    column.row(cursor).filter(|row| *row as usize == line)?;
    if let Some(integer) = column.integers.get(cursor) {
        return Some(Value::Integer(*integer));
    }
    if let Some(number) = column.numbers.get(cursor) {
        return Some(Value::Number(*number));
    }
    let end = *column.ends.get(cursor)? as usize;
    let start = cursor.checked_sub(1).map_or(0, |before| column.ends[before] as usize);
    Some(Value::Text(&column.text[start..end]))
}

/// A column moved down by a row: the first row has no value.
fn moved_down(column: &Int64Array) -> Int64Array {
    let above = column.len().saturating_sub(1);
    let mut values = Vec::with_capacity(column.len());
    let mut is_there = BooleanBufferBuilder::new(column.len());
    if !column.is_empty() {
        values.push(0);
        is_there.append(false);
    }
    values.extend_from_slice(&column.values()[..above]);
    match column.nulls() {
        Some(nulls) => is_there.append_buffer(&nulls.inner().slice(0, above)),
        None => is_there.append_n(above, true),
    }
    Int64Array::new(values.into(), Some(NullBuffer::new(is_there.finish())))
}

/// The columns of a table that is being made.
struct Made {
    /// The rows in the order in which they are written, if they are not in order.
    order: Option<Vec<usize>>,
    /// Whether columns of values are there a second time, moved down by a row.
    before: bool,
    fields: Vec<Field>,
    columns: Vec<ArrayRef>,
}

impl Made {
    fn push(&mut self, name: &str, column: ArrayRef) {
        self.fields.push(Field::new(name, column.data_type().clone(), true));
        self.columns.push(column);
    }

    fn ordered<T: Copy>(&self, values: Vec<T>) -> Vec<T> {
        match &self.order {
            Some(order) => order.iter().map(|row| values[*row]).collect(),
            None => values,
        }
    }

    fn nulls(&self, is_there: Option<&[bool]>) -> Option<NullBuffer> {
        let is_there = is_there.filter(|is_there| is_there.contains(&false))?;
        Some(NullBuffer::from(self.ordered(is_there.to_vec())))
    }

    fn integers(&mut self, name: &str, values: Vec<i64>, is_there: Option<&[bool]>) {
        let column = Int64Array::new(self.ordered(values).into(), self.nulls(is_there));
        if self.before {
            self.push(&format!("{name}_before"), Arc::new(moved_down(&column)));
        }
        self.push(name, Arc::new(column));
    }

    fn counts(&mut self, name: &str, values: Vec<i64>) {
        let column = Int64Array::from(self.ordered(values));
        self.push(name, Arc::new(column));
    }

    fn places(&mut self, name: &str, values: Vec<i64>, is_there: &[bool]) {
        let column = Int64Array::new(self.ordered(values).into(), self.nulls(Some(is_there)));
        self.push(name, Arc::new(column));
    }

    fn texts(&mut self, name: &str, values: &[Box<[u8]>], is_there: Option<&[bool]>) {
        let mut column = StringBuilder::new();
        for row in 0..values.len() {
            let row = self.order.as_ref().map_or(row, |order| order[row]);
            let text =
                is_there.is_none_or(|is_there| is_there[row]).then(|| String::from_utf8_lossy(&values[row]));
            column.append_option(text);
        }
        self.push(name, Arc::new(column.finish()));
    }
}
