//! Plain tables as JSON: one object per line, or a list of objects, as data frames and databases write them. Their keys
//! are the columns.

use crate::formats::prelude::*;
use std::sync::Arc;

use super::cells::{Cell, Cells};
use super::columns::is_exported;
use super::finish::finish;
use super::keys::KEYS;
use super::mapping::speaks_for_itself;
use super::ndjson_keys::{Columns, say_left_out};
use super::proposal::{self, of_plan};
use super::rows::Intake;
use crate::encoding::MARK;
use crate::formats::format::PLAIN_TABLE;
use crate::formats::json::{FEW, Parser, record};
use foldhash::fast::FixedState;
use rayon::prelude::*;

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "ndjson",
    sign: "a JSON object a line, or a list of objects, with `benchmark` and `value`",
    harness: PLAIN_TABLE,
    export: "statera convert",
    files: &["*.ndjson"],
    processes: Processes::Stated,
    states_direction: true,
    keys: &[KEYS],
    parts: names::of_table,
    fits: |head| {
        No::unless(head.has_all(&["kind", "boot", "process"]).is_err(), "it is the journal of a run")?;
        let columns = beginning(head.bytes());
        let names = columns.names();
        No::unless(!names.is_empty(), "its first line is no JSON object, nor is it a list of objects")?;
        let speaks = speaks_for_itself(&names, &columns);
        No::unless(speaks, "its objects have no `benchmark` with a `value` or with numbers only")
    },
    read: Read::Sheets(read),
    ..Format::PLAIN
};

/// Pieces of this size are parsed in parallel.
const PIECE: usize = 2 << 20;

/// The number of rows examined for keys and numeric columns.
const SAMPLE: usize = 20;

/// Whether the first line is one complete JSON object, or the text is a list of objects.
pub(super) fn has_shape(head: &[u8]) -> bool {
    if is_list(head) {
        return !beginning_of_list(head).names().is_empty();
    }
    sample(head).next().is_some()
}

/// A text without the mark at its beginning.
fn unmarked(text: &[u8]) -> &[u8] {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// Whether a text begins as a list.
fn is_list(bytes: &[u8]) -> bool {
    unmarked(bytes).trim_ascii_start().starts_with(b"[")
}

/// The leading rows, up to the first line that is not an object.
fn sample(head: &[u8]) -> impl Iterator<Item = Box<Object<'_>>> {
    let text = unmarked(head);
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
    if is_list(head) {
        return beginning_of_list(head);
    }
    let mut columns = Columns::default();
    sample(head).for_each(|row| columns.add(&row));
    columns.in_order()
}

/// The keys of the first rows of a list; none if an element is not an object.
fn beginning_of_list(head: &[u8]) -> Columns {
    let mut ignored = Sheet::default();
    let (mut columns, mut rows, mut other) = (Columns::default(), 0, false);
    // The beginning of a file is no complete list: what fails after some rows does not matter.
    let _ = Parser::new(unmarked(head), 1, u64::MAX, &mut ignored).elements(|parser| {
        let value = parser.value()?;
        other |= value.object().is_none();
        rows += 1;
        value.object().into_iter().for_each(|row| columns.add(row));
        if rows < SAMPLE && !other { Ok(()) } else { Err(parser.end()) }
    });
    if other { Columns::default() } else { columns.in_order() }
}

/// Whether statera wrote the table: a single line of it may have the keys that a harness is known by.
pub(crate) fn is_own(head: &Head<'_>) -> bool {
    head.bytes().starts_with(b"{\"benchmark\":") && is_exported(&beginning(head.bytes()).names())
}

/// What a table that no format fits asks of the user.
pub(super) fn question(head: &[u8], options: &Options) -> String {
    let columns = beginning(head);
    of_plan("ndjson", &columns.names(), options, &columns)
}

fn read(name: &str, _path: &Path, content: &Content, options: &Options) -> io::Result<Vec<Sheet>> {
    if is_list(&content.head) {
        return read_list(name, content, options);
    }
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
        take(if start == 0 { unmarked(lines) } else { lines })
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
    let mut plan = proposal::plan(&keys, options, known).map_err(io::Error::other)?;
    let left_out = known.leave_out(&mut plan, options);
    plan.check(&content.budget.limits)?;
    let plan = Arc::new(plan);
    let columns: HashMap<String, usize, FixedState> =
        keys.into_iter().enumerate().map(|(at, key)| (key, at)).collect();
    let pieces = in_pieces(content, |text| {
        let mut piece = Piece::new(Intake::new(name, &plan), &columns, content.budget.limits.line);
        piece.lines(text);
        if !piece.has_other {
            piece.intake.sheet.count(&content.budget)?;
        }
        Ok((!piece.has_other).then_some(piece.intake))
    })?;
    let mut pieces: Option<Vec<Intake>> = pieces.into_iter().collect();
    pieces.iter_mut().flatten().take(1).for_each(|piece| say_left_out(&left_out, &mut piece.sheet));
    Ok(pieces.map(|pieces| finish(pieces, &plan)))
}

/// Reads all rows of a list.
fn read_list(name: &str, content: &Content, options: &Options) -> io::Result<Vec<Sheet>> {
    let bytes = content.all()?;
    let all = Span::new(unmarked(&bytes), 1, content.budget.limits.values);
    let mut columns = Columns::default();
    all.each(&mut Sheet::default(), |_, row, _| row.object().into_iter().for_each(|row| columns.add(row)))?;
    let columns = columns.in_order();
    columns.check(&content.budget.limits)?;
    let keys = columns.names();
    let mut plan = proposal::plan(&keys, options, &columns).map_err(io::Error::other)?;
    let left_out = columns.leave_out(&mut plan, options);
    plan.check(&content.budget.limits)?;
    let plan = Arc::new(plan);
    let places = keys.into_iter().enumerate().map(|(at, key)| (key, at)).collect();
    let mut piece = Piece::new(Intake::new(name, &plan), &places, content.budget.limits.line);
    let mut faults = Sheet::new(name);
    all.each(&mut faults, |faults, row, line| {
        if let Some(object) = row.object() {
            return piece.object(object, line);
        }
        let what = format!("`{}` is not a JSON object", excerpt(row.to_string()));
        faults.malformed(line, what, "each element of the list is a row");
    })?;
    let mut intake = piece.intake;
    intake.sheet.problems.append(&mut faults.problems);
    say_left_out(&left_out, &mut intake.sheet);
    intake.sheet.count(&content.budget)?;
    Ok(finish(vec![intake], &plan))
}

/// A part of the rows, and what is read of them.
struct Piece<'a> {
    intake: Intake,
    columns: &'a HashMap<String, usize, FixedState>,
    longest: u64,
    /// Whether a row has a key without a column.
    has_other: bool,
    /// The keys of the row before and, for each column, the place of its key: most rows have the same keys.
    keys: Vec<String>,
    places: Vec<Option<usize>>,
    values: Vec<Value<'a>>,
}

impl<'a> Piece<'a> {
    fn new(intake: Intake, columns: &'a HashMap<String, usize, FixedState>, longest: u64) -> Self {
        let (keys, places, values) = Default::default();
        Self { intake, columns, longest, has_other: false, keys, places, values }
    }

    fn lines(&mut self, text: &'a [u8]) {
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

    fn line(&mut self, line: &'a [u8], unfinished: bool) {
        let nth = self.intake.sheet.lines;
        if line.len() as u64 > self.longest {
            let hint = "is this one JSON document instead of one object a line?";
            let what = format!("a line of {} bytes", line.len());
            return self.intake.sheet.problem(Code::LineTooLong, nth, what, hint);
        }
        if self.usual(line, nth) {
            return;
        }
        let why = match record(line, nth, &mut self.intake.sheet) {
            Ok(Some(object)) => return self.object(&object, nth),
            Ok(None) => (false, "it is a value of another kind"),
            Err(fault) => (fault.ends, fault.what),
        };
        let code = if unfinished && why.0 { Code::Truncated } else { Code::MalformedRecord };
        let what = format!("`{}` is not a JSON object: {}", excerpt(line), why.1);
        let hint = "write one object per line, such as {\"benchmark\":…,\"value\":…}";
        self.intake.sheet.problem(code, nth, what, hint);
    }

    /// Reads a row with the keys of the row before; false if it has others.
    fn usual(&mut self, line: &'a [u8], nth: u32) -> bool {
        if self.keys.is_empty() {
            return false;
        }
        self.values.clear();
        let mut parser = Parser::new(line, nth, u64::MAX, &mut self.intake.sheet);
        let found = parser.simple_values(&self.keys, &mut self.values);
        if found.is_some() {
            self.intake.row(&Row { values: &self.values, places: &self.places, texts: &[] }, nth);
        }
        found.is_some()
    }

    fn object(&mut self, object: &Object<'_>, line: u32) {
        let columns: Option<Vec<usize>> =
            object.iter().map(|(key, _)| self.columns.get(key).copied()).collect();
        let Some(columns) = columns else {
            self.has_other = true;
            return;
        };
        let mut places = vec![None; self.columns.len()];
        let mut values = Vec::with_capacity(columns.len());
        let mut texts = Vec::new();
        for (nth, ((_, value), &column)) in object.iter().zip(&columns).enumerate() {
            places[column] = Some(nth);
            // A list or an object that was varied is compared as text.
            if matches!(value, Value::List(_) | Value::Object(_)) {
                texts.push((column, value.to_string()));
            }
            values.push(value.clone());
        }
        self.intake.row(&Row { values: &values, places: &places, texts: &texts }, line);
        self.remember(object);
    }

    /// Keeps the keys of a row in the order of the file, which an object of many keys does not have.
    fn remember(&mut self, object: &Object<'_>) {
        self.keys.clear();
        if object.unordered().nth(FEW).is_some() {
            return;
        }
        self.keys.extend(object.unordered().map(|(key, _)| key.to_owned()));
        self.places.clear();
        self.places.resize(self.columns.len(), None);
        for (nth, key) in self.keys.iter().enumerate() {
            self.places[self.columns[key]] = Some(nth);
        }
    }
}

struct Row<'r, 'a> {
    values: &'r [Value<'a>],
    /// For each column, the place of its value.
    places: &'r [Option<usize>],
    /// The text of lists and objects, by column.
    texts: &'r [(usize, String)],
}

impl Cells for Row<'_, '_> {
    const BLANK_IS_TEXT: bool = false;

    fn cell(&self, column: usize) -> Cell<'_> {
        let Some(place) = self.places.get(column).copied().flatten() else { return Cell::Missing };
        match &self.values[place] {
            Value::Null => Cell::Missing,
            Value::Bool(true) => Cell::Text(b"true"),
            Value::Bool(false) => Cell::Text(b"false"),
            Value::Text(text) => Cell::Text(text.as_bytes()),
            Value::Digits(digits) => Cell::Text(digits.as_bytes()),
            Value::Whole(whole) => Cell::Integer(i128::from(*whole)),
            Value::Float(float) => Cell::Float(*float),
            Value::List(_) | Value::Object(_) => {
                let text = self.texts.iter().find(|(known, _)| *known == column);
                text.map_or(Cell::Missing, |(_, text)| Cell::Text(text.as_bytes()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<String> {
        let content = Content::from_bytes(text.as_bytes()).unwrap();
        let sheets = read("t", Path::new("t"), &content, &Options::default()).unwrap();
        let sheet = &sheets[0];
        let context = |row: usize| sheet.contexts.to_context(sheet.context[row] as usize);
        let name = |row: usize| sheet.benchmarks.get(sheet.benchmark[row]);
        let problems = sheet.problems.iter().map(|problem| problem.what.clone());
        let values =
            (0..sheet.len()).map(|row| format!("{} {:?} {:?}", name(row), sheet.value[row], context(row)));
        values.chain(problems).collect()
    }

    #[test]
    fn a_row_is_read_in_the_same_way_after_any_other() {
        let lines = [
            r#"{"benchmark": "a", "value": 1, "k": "x"}"#,
            r#"{"benchmark": "a", "value": 2.5, "k": null}"#,
            r#"{"benchmark": "a", "value": "3", "k": true}"#,
            r#"{"benchmark": "a", "k": "x", "value": 4}"#,
            r#"{"benchmark": "a", "value": 5, "k": {"l": 1, "l": 2}}"#,
            r#"{"benchmark": "a", "value": 6, "k": "x", "new": "n"}"#,
            r#"{"benchmark": "a", "value": 7}"#,
            r#"{"benchmark": "a", "value": 8, "k": "x", "k": "y"}"#,
            r#"{"benchmark": "a", "value": 9, "k": "x" "y"}"#,
            r#"{"benchmark": "a", "value": 10, "k": "x"} y"#,
            r#"{"value": 11, "k": "\u00e9\n", "benchmark": "a"}"#,
            r#"{"benchmark": "a", "value": -1e999, "k": 99999999999999999999}"#,
        ];
        let first = r#"{"benchmark": "first", "value": 0, "k": "z"}"#;
        for one in lines {
            for other in lines {
                let [whole, alone, before] = [
                    format!("{first}\n{one}\n{other}\n"),
                    format!("{first}\n{other}\n"),
                    format!("{first}\n{one}\n"),
                ]
                .map(|text| rows(&text));
                let mut parts: Vec<String> = before.into_iter().chain(alone.into_iter().skip(1)).collect();
                let mut whole = whole;
                parts.sort();
                whole.sort();
                assert_eq!(whole, parts, "{one} {other}");
            }
        }
    }

    fn values_and_problems(text: &str) -> (Vec<f64>, Vec<String>) {
        let content = Content::from_bytes(text.as_bytes()).unwrap();
        let sheet = read("t", Path::new("t"), &content, &Options::default()).unwrap().remove(0);
        (sheet.value, sheet.problems.into_iter().map(|problem| problem.what).collect())
    }

    #[test]
    fn a_list_is_read_like_its_rows_one_a_line() {
        let text = "[\n {\"benchmark\": \"a\", \"ms\": 1500},\n {\"ms\": 500, \"benchmark\": \"b\", \"l\": [1]}\n]\n";
        assert_eq!(
            values_and_problems(text),
            (vec![1.5, 0.5], vec!["the key `l` holds lists or objects; it is left out".into()])
        );
        assert!(is_list(text.as_bytes()) && !beginning(text.as_bytes()).names().is_empty());
        assert!(beginning(b"[1, {\"benchmark\": \"a\"}]").names().is_empty());
    }

    #[test]
    fn what_is_no_row_and_a_list_that_was_cut_are_problems() {
        let (read, problems) =
            values_and_problems("[{\"benchmark\": \"a\", \"ms\": 1000}, 7, {\"benchmark\": \"a\", \"ms\": 2");
        assert_eq!((read, problems.len()), (vec![1.0], 2), "{problems:?}");
    }
}
