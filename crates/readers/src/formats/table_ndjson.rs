//! Plain tables as newline-delimited JSON: one object a line, its keys the columns.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::{Map, Value};

use super::Format;
use super::table_columns::{BENCHMARK, Cell, Cells, Plan, speaks_for_itself};
use super::table_rows::{Intake, settle};
use crate::source::Content;
use crate::text::{excerpt, number};
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "ndjson",
    sign: "a JSON object a line with `benchmark` and `value`",
    has_results: true,
    fits,
    read,
};

/// Pieces of this size are parsed in parallel.
const PIECE: usize = 2 << 20;

/// How many rows tell which keys there are and which of them hold numbers.
const SAMPLE: usize = 20;

/// A line longer than this is no row.
const LONGEST_LINE: usize = 16 << 20;

/// Whether the first line is one whole JSON object.
pub(super) fn has_shape(head: &[u8]) -> bool {
    sample(head).next().is_some()
}

/// The first rows, until one is none.
fn sample(head: &[u8]) -> impl Iterator<Item = Map<String, Value>> {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    lines.map_while(object).take(SAMPLE)
}

fn object(line: &[u8]) -> Option<Map<String, Value>> {
    if line.first() != Some(&b'{') || line.last() != Some(&b'}') {
        return None;
    }
    serde_json::from_slice(&as_json(line)).ok()
}

/// The keys of the first rows, that of the benchmark first.
fn keys(rows: &[Map<String, Value>]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for key in rows.iter().flat_map(Map::keys) {
        if !keys.contains(key) {
            keys.push(key.clone());
        }
    }
    if let Some(at) = BENCHMARK.iter().find_map(|name| keys.iter().position(|key| key == name)) {
        keys[..=at].rotate_right(1);
    }
    keys
}

fn is_numeric(rows: &[Map<String, Value>], key: &str) -> bool {
    let mut cells = rows.iter().filter_map(|row| row.get(key)).filter(|value| !value.is_null()).peekable();
    cells.peek().is_some()
        && cells.all(|value| match value {
            Value::Number(_) => true,
            Value::String(text) => number(text.trim().as_bytes()).is_some(),
            _ => false,
        })
}

fn fits(head: &[u8]) -> bool {
    let rows: Vec<_> = sample(head).collect();
    let keys = keys(&rows);
    !keys.is_empty() && speaks_for_itself(&keys, &|column| is_numeric(&rows, &keys[column]))
}

fn read(name: &str, _path: &Path, content: &Content, options: &Options) -> io::Result<Vec<Sheet>> {
    let rows: Vec<_> = sample(&content.head).collect();
    let keys = keys(&rows);
    let plan =
        Plan::new(&keys, options, &|column| is_numeric(&rows, &keys[column])).map_err(io::Error::other)?;
    let plan = Arc::new(plan);
    let columns: HashMap<String, usize> = keys.into_iter().enumerate().map(|(at, key)| (key, at)).collect();
    let length = content.len();
    let starts: Vec<usize> = (0..length).step_by(PIECE).collect();
    let pieces: io::Result<Vec<Intake>> = starts
        .par_iter()
        .map_init(Vec::new, |buffer, &start| {
            let lines = content.lines_in(start, (start + PIECE).min(length), buffer)?;
            let mut piece = Piece { intake: Intake::new(name, &plan), columns: columns.clone() };
            let text = if start == 0 { lines.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(lines) } else { lines };
            piece.lines(text);
            Ok(piece.intake)
        })
        .collect();
    Ok(settle(pieces?))
}

struct Piece {
    intake: Intake,
    columns: HashMap<String, usize>,
}

impl Piece {
    fn lines(&mut self, text: &[u8]) {
        let mut rest = text;
        while !rest.is_empty() {
            self.intake.sheet.lines = self.intake.sheet.lines.saturating_add(1);
            let end = memchr::memchr(b'\n', rest);
            let line = rest[..end.unwrap_or(rest.len())].trim_ascii();
            rest = end.map_or(&[][..], |at| &rest[at + 1..]);
            if !line.is_empty() {
                self.line(line, end.is_none());
            }
        }
    }

    fn line(&mut self, line: &[u8], unfinished: bool) {
        let sheet = &mut self.intake.sheet;
        let nth = sheet.lines;
        if line.len() > LONGEST_LINE {
            let hint = "is this one JSON document instead of one object a line?";
            return sheet.problem(Code::LineTooLong, nth, format!("a line of {} bytes", line.len()), hint);
        }
        match serde_json::from_slice::<Map<String, Value>>(&as_json(line)) {
            Ok(object) => self.object(&object, nth),
            Err(error) => {
                let code = if unfinished && error.is_eof() { Code::Truncated } else { Code::MalformedRecord };
                let what = format!("`{}` is no JSON object: {error}", excerpt(line));
                sheet.problem(
                    code,
                    nth,
                    what,
                    "every line is one object, such as {\"benchmark\":…,\"value\":…}",
                );
            }
        }
    }

    fn object(&mut self, object: &Map<String, Value>, line: u32) {
        let mut row = Row { cells: vec![None; self.columns.len()] };
        let mut owned: Vec<(usize, String)> = Vec::new();
        for (key, value) in object {
            let column = self.columns.get(key).copied().unwrap_or_else(|| {
                let column = self.columns.len();
                self.columns.insert(key.clone(), column);
                Arc::make_mut(&mut self.intake.plan).add_context(column, key);
                column
            });
            row.cells.resize(row.cells.len().max(column + 1), None);
            match value {
                // A list or an object within a row is configuration like any other; as text it can be compared.
                Value::Array(_) | Value::Object(_) => owned.push((column, value.to_string())),
                Value::Null => {}
                Value::Bool(true) => row.cells[column] = Some(Cell::Text(b"true")),
                Value::Bool(false) => row.cells[column] = Some(Cell::Text(b"false")),
                Value::String(text) => row.cells[column] = Some(Cell::Text(text.as_bytes())),
                Value::Number(number) => {
                    let whole = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
                    let float = || Cell::Float(number.as_f64().unwrap_or(f64::NAN));
                    row.cells[column] = Some(whole.map_or_else(float, Cell::Integer));
                }
            }
        }
        for (column, text) in &owned {
            row.cells[*column] = Some(Cell::Text(text.as_bytes()));
        }
        self.intake.row(&row, line);
    }
}

/// JSON is UTF-8; a byte that is not is kept visible, as everywhere, as `\xNN`.
fn as_json(line: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    if std::str::from_utf8(line).is_ok() {
        return line.into();
    }
    let mut text = String::with_capacity(line.len() + 8);
    for chunk in line.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\\\x{byte:02X}");
        }
    }
    text.into_bytes().into()
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
