//! Plain tables as newline-delimited JSON: one object per line, whose keys are the columns.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::format::{Format, Processes, Values};
use super::head::{Fit, Head, No};
use super::json::{Object, Value, record};
use super::table_columns::{Cell, Cells, Plan};
use super::table_keys::KEYS;
use super::table_mapping::speaks_for_itself;
use super::table_ndjson_keys::Columns;
use super::table_rows::{Intake, settle};
use crate::source::{Content, MARK};
use crate::text::excerpt;
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
    block: None,
    variants: None,
    states_direction: true,
    keys: &[KEYS],
    metrics: &[],
    companions: &[],
    fits,
    read,
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
    let text = head.strip_prefix(MARK).unwrap_or(head);
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    lines.map_while(object).take(SAMPLE)
}

fn object(line: &[u8]) -> Option<Box<Object<'_>>> {
    if line.first() != Some(&b'{') || line.last() != Some(&b'}') {
        return None;
    }
    record(line, 0, &mut Sheet::default()).ok().flatten()
}

fn beginning(head: &[u8]) -> Columns {
    let mut columns = Columns::default();
    sample(head).for_each(|row| columns.add(&row));
    columns.in_order()
}

fn fits(head: &Head<'_>) -> Fit {
    No::unless(head.has_all(&["kind", "boot", "process"]).is_err(), "it is the journal of a run")?;
    let columns = beginning(head.bytes());
    let names = columns.names();
    No::unless(!names.is_empty(), "its first line is no JSON object")?;
    let speaks = speaks_for_itself(&names, &columns);
    No::unless(speaks, "its objects have no `benchmark` with a `value` or with numbers only")
}

/// What a table asks of the user, if it asks.
pub(super) fn question(head: &[u8], options: &Options) -> Option<String> {
    let columns = beginning(head);
    Plan::new(&columns.names(), options, &columns).err()
}

fn read(name: &str, _path: &Path, content: &Content, options: &Options) -> io::Result<Vec<Sheet>> {
    let first = beginning(&content.head);
    let is_known = |(_, column): &(String, String)| first.has(column);
    if options.columns.iter().all(is_known)
        && let Some(sheets) = read_rows(name, content, options, &first)?
    {
        return Ok(sheets);
    }
    // A later row has another key: what its column is follows from all rows.
    let pieces: io::Result<Vec<Columns>> = in_pieces(content, |text| {
        let mut columns = Columns::default();
        for line in text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
            if let Some(row) = object(line) {
                columns.add(&row);
                columns.check(&content.budget.limits)?;
            }
        }
        Ok(columns)
    });
    let mut all = first;
    pieces?.into_iter().for_each(|piece| all.append(piece));
    all.check(&content.budget.limits)?;
    let sheets = read_rows(name, content, options, &all.in_order())?;
    sheets.ok_or_else(|| io::Error::other("has keys that cannot be read twice alike"))
}

/// Applies a function to the pieces of the text, without the mark at its beginning.
fn in_pieces<T: Send>(content: &Content, take: impl Fn(&[u8]) -> io::Result<T> + Sync) -> io::Result<Vec<T>> {
    let length = content.len();
    let starts: Vec<usize> = (0..length).step_by(PIECE).collect();
    let pieces = starts.par_iter().map_init(Vec::new, |buffer, &start| {
        let lines = content.lines_in(start, (start + PIECE).min(length), buffer)?;
        take(if start == 0 { lines.strip_prefix(MARK).unwrap_or(lines) } else { lines })
    });
    pieces.collect()
}

/// Reads the rows; `None` if a row has a key that is not among these.
fn read_rows(
    name: &str,
    content: &Content,
    options: &Options,
    known: &Columns,
) -> io::Result<Option<Vec<Sheet>>> {
    let keys = known.names();
    let plan = Plan::new(&keys, options, known).map_err(io::Error::other)?;
    plan.check(&content.budget.limits)?;
    let plan = Arc::new(plan);
    let columns: HashMap<String, usize, FixedState> =
        keys.into_iter().enumerate().map(|(at, key)| (key, at)).collect();
    let pieces = in_pieces(content, |text| {
        let mut piece = Piece {
            intake: Intake::new(name, &plan),
            columns: &columns,
            longest: content.budget.limits.line,
            has_other: false,
        };
        piece.lines(text);
        if !piece.has_other {
            piece.intake.sheet.count(&content.budget)?;
        }
        Ok((!piece.has_other).then_some(piece.intake))
    })?;
    let pieces: Option<Vec<Intake>> = pieces.into_iter().collect();
    Ok(pieces.map(settle))
}

struct Piece<'a> {
    intake: Intake,
    columns: &'a HashMap<String, usize, FixedState>,
    longest: u64,
    /// Whether a row has a key without a column.
    has_other: bool,
}

impl Piece<'_> {
    fn lines(&mut self, text: &[u8]) {
        let mut rest = text;
        while !rest.is_empty() && !self.has_other {
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
        if line.len() as u64 > self.longest {
            let hint = "is this one JSON document instead of one object a line?";
            sheet.problem(Code::LineTooLong, nth, format!("a line of {} bytes", line.len()), hint);
            return;
        }
        let why = match record(line, nth, sheet) {
            Ok(Some(object)) => return self.object(&object, nth),
            Ok(None) => (false, "it is a value of another kind"),
            Err(fault) => (fault.ends, fault.what),
        };
        let code = if unfinished && why.0 { Code::Truncated } else { Code::MalformedRecord };
        let what = format!("`{}` is not a JSON object: {}", excerpt(line), why.1);
        sheet.problem(code, nth, what, "write one object per line, such as {\"benchmark\":…,\"value\":…}");
    }

    fn object(&mut self, object: &Object<'_>, line: u32) {
        let columns: Option<Vec<usize>> =
            object.iter().map(|(key, _)| self.columns.get(key).copied()).collect();
        let Some(columns) = columns else {
            self.has_other = true;
            return;
        };
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
