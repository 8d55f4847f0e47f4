//! Plain tables as newline-delimited JSON: one object per line, whose keys are the columns.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::Arc;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::format::{Format, Processes, Values};
use super::head::{Fit, Head, No};
use super::json::{Object, Value, record};
use super::names;
use super::table_columns::{BENCHMARK, Cell, Cells, Plan, Preview, speaks_for_itself};
use super::table_keys::KEYS;
use super::table_rows::{Intake, settle};
use crate::limits::Limits;
use crate::source::Content;
use crate::text::{excerpt, number};
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "ndjson",
    sign: "a JSON object a line with `benchmark` and `value`",
    harness: "a table of your own",
    export: "statera convert",
    files: &["*.ndjson"],
    values: Values::Samples,
    processes: Processes::Stated,
    states_direction: true,
    keys: &[KEYS],
    parts: names::of_table,
    fits,
    read,
    ..Format::PLAIN
};

/// Pieces of this size are parsed in parallel.
const PIECE: usize = 2 << 20;

/// The number of rows examined for keys and numeric columns.
const SAMPLE: usize = 20;

/// Whether the first line is one complete JSON object.
pub(super) fn has_shape(head: &[u8]) -> bool {
    sample(head).next().is_some()
}

/// The leading rows, up to the first line that is not an object.
fn sample(head: &[u8]) -> impl Iterator<Item = Box<Object<'_>>> {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    lines.map_while(object).take(SAMPLE)
}

fn object(line: &[u8]) -> Option<Box<Object<'_>>> {
    if line.first() != Some(&b'{') || line.last() != Some(&b'}') {
        return None;
    }
    record(line, 0, &mut Sheet::default()).ok().flatten()
}

/// The keys of the first rows, the benchmark's first.
fn keys(rows: &[Box<Object<'_>>]) -> Vec<String> {
    let mut known = HashSet::new();
    let mut keys: Vec<String> = Vec::new();
    for (key, _) in rows.iter().flat_map(|row| row.iter()) {
        if known.insert(key) {
            keys.push(key.to_owned());
        }
    }
    if let Some(at) = BENCHMARK.iter().find_map(|name| keys.iter().position(|key| key == name)) {
        keys[..=at].rotate_right(1);
    }
    keys
}

/// The first rows, and their keys.
struct Beginning<'a> {
    rows: &'a [Box<Object<'a>>],
    keys: &'a [String],
}

impl Beginning<'_> {
    fn cells(&self, column: usize) -> impl Iterator<Item = &Value<'_>> {
        self.rows
            .iter()
            .filter_map(move |row| row.get(&self.keys[column]))
            .filter(|value| **value != Value::Null)
    }
}

impl Preview for Beginning<'_> {
    fn is_numeric(&self, column: usize) -> bool {
        let mut cells = self.cells(column).peekable();
        cells.peek().is_some()
            && cells.all(|value| match value {
                Value::Whole(_) | Value::Float(_) | Value::Digits(_) => true,
                Value::Text(text) => number(text.trim().as_bytes()).is_some(),
                _ => false,
            })
    }

    fn first(&self, column: usize) -> Vec<String> {
        let text = |value: &Value<'_>| match value {
            Value::Text(text) => text.to_string(),
            other => other.to_string(),
        };
        self.cells(column).take(3).map(text).collect()
    }
}

fn fits(head: &Head<'_>) -> Fit {
    No::unless(head.has_all(&["kind", "boot", "process"]).is_err(), "it is the journal of a run")?;
    let rows: Vec<_> = sample(head.bytes()).collect();
    let keys = keys(&rows);
    No::unless(!keys.is_empty(), "its first line is no JSON object")?;
    let speaks = speaks_for_itself(&keys, &Beginning { rows: &rows, keys: &keys });
    No::unless(speaks, "its objects have no `benchmark` with a `value` or with numbers only")
}

/// What a table asks of the user, if it asks.
pub(super) fn question(head: &[u8], options: &Options) -> Option<String> {
    let rows: Vec<_> = sample(head).collect();
    let keys = keys(&rows);
    Plan::new(&keys, options, &Beginning { rows: &rows, keys: &keys }).err()
}

fn read(name: &str, _path: &Path, content: &Content, options: &Options) -> io::Result<Vec<Sheet>> {
    let rows: Vec<_> = sample(&content.head).collect();
    let keys = keys(&rows);
    let plan =
        Plan::new(&keys, options, &Beginning { rows: &rows, keys: &keys }).map_err(io::Error::other)?;
    plan.check(&content.budget.limits)?;
    let plan = Arc::new(plan);
    let columns: HashMap<String, usize, FixedState> =
        keys.into_iter().enumerate().map(|(at, key)| (key, at)).collect();
    let length = content.len();
    let starts: Vec<usize> = (0..length).step_by(PIECE).collect();
    let pieces: io::Result<Vec<Intake>> = starts
        .par_iter()
        .map_init(Vec::new, |buffer, &start| {
            let lines = content.lines_in(start, (start + PIECE).min(length), buffer)?;
            let limits = content.budget.limits;
            let mut piece = Piece { intake: Intake::new(name, &plan), columns: columns.clone(), limits };
            let text = if start == 0 { lines.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(lines) } else { lines };
            piece.lines(text)?;
            piece.intake.sheet.count(&content.budget)?;
            Ok(piece.intake)
        })
        .collect();
    Ok(settle(pieces?))
}

struct Piece {
    intake: Intake,
    columns: HashMap<String, usize, FixedState>,
    limits: Limits,
}

impl Piece {
    fn lines(&mut self, text: &[u8]) -> io::Result<()> {
        let mut rest = text;
        while !rest.is_empty() {
            self.intake.sheet.lines = self.intake.sheet.lines.saturating_add(1);
            let end = memchr::memchr(b'\n', rest);
            let line = rest[..end.unwrap_or(rest.len())].trim_ascii();
            rest = end.map_or(&[][..], |at| &rest[at + 1..]);
            if !line.is_empty() {
                self.line(line, end.is_none())?;
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8], unfinished: bool) -> io::Result<()> {
        let sheet = &mut self.intake.sheet;
        let nth = sheet.lines;
        if line.len() as u64 > self.limits.line {
            let hint = "is this one JSON document instead of one object a line?";
            sheet.problem(Code::LineTooLong, nth, format!("a line of {} bytes", line.len()), hint);
            return Ok(());
        }
        let why = match record(line, nth, sheet) {
            Ok(Some(object)) => return self.object(&object, nth),
            Ok(None) => (false, "it is a value of another kind"),
            Err(fault) => (fault.ends, fault.what),
        };
        let code = if unfinished && why.0 { Code::Truncated } else { Code::MalformedRecord };
        let what = format!("`{}` is not a JSON object: {}", excerpt(line), why.1);
        sheet.problem(code, nth, what, "write one object per line, such as {\"benchmark\":…,\"value\":…}");
        Ok(())
    }

    fn object(&mut self, object: &Object<'_>, line: u32) -> io::Result<()> {
        let columns: Vec<usize> = object.iter().map(|(key, _)| self.column(key)).collect();
        self.intake.plan.check(&self.limits)?;
        let mut row = Row { cells: vec![None; self.columns.len()] };
        let mut owned: Vec<(usize, String)> = Vec::new();
        for ((_, value), &column) in object.iter().zip(&columns) {
            row.cells[column] = match value {
                Value::Null => None,
                Value::Bool(true) => Some(Cell::Text(b"true")),
                Value::Bool(false) => Some(Cell::Text(b"false")),
                Value::Text(text) => Some(Cell::Text(text.as_bytes())),
                Value::Digits(digits) => Some(Cell::Text(digits.as_bytes())),
                Value::Whole(whole) => Some(Cell::Integer(i128::from(*whole))),
                Value::Float(float) => Some(Cell::Float(*float)),
                // A list or an object within a row is configuration like any other; it is compared as text.
                Value::List(_) | Value::Object(_) => {
                    owned.push((column, value.to_string()));
                    None
                }
            };
        }
        for (column, text) in &owned {
            row.cells[*column] = Some(Cell::Text(text.as_bytes()));
        }
        self.intake.row(&row, line);
        Ok(())
    }

    /// The column of a key; a key that first occurs in a later row adds a column.
    fn column(&mut self, key: &str) -> usize {
        if let Some(&column) = self.columns.get(key) {
            return column;
        }
        let column = self.columns.len();
        self.columns.insert(key.to_owned(), column);
        Arc::make_mut(&mut self.intake.plan).add_context(column, key);
        column
    }
}

struct Row<'a> {
    cells: Vec<Option<Cell<'a>>>,
}

impl Cells for Row<'_> {
    const BLANK_IS_TEXT: bool = false;

    fn cell(&self, column: usize) -> Cell<'_> {
        self.cells.get(column).copied().flatten().unwrap_or(Cell::Missing)
    }
}
