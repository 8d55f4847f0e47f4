//! The forms of lines: JSON, `key=value`, CSV, and whatever a regular expression describes. Each finds the fields that a
//! mapping asks for; what stands in a field can be a line of its own.

use regex::bytes::{CaptureLocations, Regex, RegexBuilder};
use serde::Deserialize;
use serde_json::Value;

use crate::fields::Fields;
use crate::json::{Captures, Kind, PADDING, scan};
use crate::paths::Paths;
use crate::plan::keys;
use crate::time::{self, Clock, Unit};
use crate::values;

/// A kind of lines, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinesText {
    #[serde(default)]
    pub name: String,
    pub form: String,
    #[serde(default)]
    pub pattern: String,
    #[serde(default)]
    pub columns: Vec<String>,
    pub separator: Option<String>,
    #[serde(default)]
    pub header: bool,
    pub time: Option<String>,
    pub unit: Option<Unit>,
    pub year: Option<i64>,
    pub each: Option<String>,
    #[serde(default)]
    pub whole: bool,
    pub inside: Option<String>,
    pub inner: Option<Box<LinesText>>,
}

/// The values of the fields of one line, as text.
#[derive(Debug, Default)]
pub(crate) struct Values {
    places: Vec<Place>,
    line: u32,
    /// Values that do not stand in the line as they are.
    own: Vec<u8>,
}

/// Where a value stands: in the buffer of the line or in the own memory of the values.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    line: u32,
    is_own: bool,
    start: u32,
    end: u32,
}

impl Values {
    pub fn new(fields: usize) -> Self {
        Self { places: vec![Place::default(); fields], line: 0, own: Vec::new() }
    }

    pub fn begin_line(&mut self) {
        self.own.clear();
        self.line = self.line.wrapping_add(1);
        if self.line == 0 {
            self.places.fill(Place::default());
            self.line = 1;
        }
    }

    /// The value of a field, where the line has it.
    pub fn get<'a>(&'a self, field: u16, buffer: &'a [u8]) -> Option<&'a [u8]> {
        let place = self.places.get(usize::from(field)).filter(|place| place.line == self.line)?;
        let of = if place.is_own { &self.own } else { buffer };
        Some(&of[place.start as usize..place.end as usize])
    }

    fn put(&mut self, field: u16, start: usize, end: usize) {
        self.places[usize::from(field)] =
            Place { line: self.line, is_own: false, start: start as u32, end: end as u32 };
    }

    pub fn put_own(&mut self, field: u16, value: &[u8]) {
        let start = self.own.len() as u32;
        self.own.extend_from_slice(value);
        self.places[usize::from(field)] =
            Place { line: self.line, is_own: true, start, end: self.own.len() as u32 };
    }
}

/// A line, or a text within one: part of a buffer that has `PADDING` bytes behind it.
#[derive(Clone, Copy)]
struct Text<'a> {
    buffer: &'a [u8],
    start: usize,
    end: usize,
    /// The buffer is that of the line itself, so that values can point into it.
    is_line: bool,
}

impl<'a> Text<'a> {
    fn bytes(self) -> &'a [u8] {
        &self.buffer[self.start..self.end]
    }

    /// Stores the part of the text, by positions in its buffer.
    fn put(self, values: &mut Values, field: u16, start: usize, end: usize) {
        if self.is_line {
            values.put(field, start, end);
        } else {
            values.put_own(field, &self.buffer[start..end]);
        }
    }
}

/// How the fields of a line are found.
#[derive(Debug)]
enum Form {
    /// The paths that were asked for, and the field of each slot.
    Json(Paths, Vec<u16>),
    /// A JSON text of which each element of an array is a record: the path to the array.
    Elements(Vec<String>),
    /// The fields by name.
    Logfmt(Vec<(String, u16)>),
    /// The separator, and the field of each column, unless a header names them.
    Csv(u8, Option<Columns>),
    /// The expression, and the number and field of each group.
    Regex(Box<Regex>, Vec<(usize, u16)>),
}

/// The columns of CSV that a mapping names.
#[derive(Debug)]
struct Columns {
    fields: Vec<Option<u16>>,
    /// Others may follow.
    is_open: bool,
}

/// Stands for any number of further columns.
const MORE: &str = "...";

/// The time of a line.
#[derive(Debug)]
struct Timed {
    field: u16,
    unit: Option<Unit>,
    year: Option<i64>,
}

/// A kind of lines.
#[derive(Debug)]
pub(crate) struct Lines {
    pub name: String,
    form: Form,
    time: Option<Timed>,
    /// Whether a file is one text.
    pub whole: bool,
    inside: Option<(u16, Box<Lines>)>,
    fields: Vec<String>,
}

/// What scanning needs besides the line, for reuse.
#[derive(Debug)]
pub(crate) struct Scratch {
    captures: Captures,
    groups: Option<CaptureLocations>,
    inner: Option<Box<Scratch>>,
    text: Vec<u8>,
    clock: Clock,
    /// The time of the last line, as written and as read: many lines share theirs.
    last: (Vec<u8>, Option<i64>),
}

/// What became of the time of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum At {
    /// Nanoseconds since 1970.
    Time(i64),
    /// Lines of this kind have none.
    None,
    /// It is missing, or is no time.
    Unusable,
}

impl Lines {
    /// Compiles a kind of lines; `fields` has all fields that samples ask for.
    pub fn new(text: &LinesText, fields: &mut Fields) -> Result<Self, String> {
        let within = |error: String| format!("the lines {:?}: {error}", text.name);
        let timed = |field: &String| Timed { field: fields.number(field), unit: text.unit, year: text.year };
        let time = text.time.as_ref().map(timed);
        let inside = match (&text.inside, &text.inner) {
            (Some(field), Some(inner)) => {
                Some((fields.number(field), Box::new(Self::new(inner, fields).map_err(within)?)))
            }
            (None, None) => None,
            _ => return Err(within("inside and [lines.inner] go together".to_owned())),
        };
        let form = form(text, fields).map_err(within)?;
        Ok(Self {
            name: text.name.clone(),
            form,
            time,
            whole: text.whole,
            inside,
            fields: fields.names.clone(),
        })
    }

    pub fn has_time(&self) -> bool {
        self.time.is_some() || self.inside.as_ref().is_some_and(|(_, inner)| inner.has_time())
    }

    /// Whether lines of this kind can have a field.
    pub fn can_have(&self, field: u16) -> bool {
        let own = match &self.form {
            Form::Csv(_, Some(columns)) => columns.fields.contains(&Some(field)),
            Form::Regex(_, groups) => groups.iter().any(|(_, group)| *group == field),
            _ => true,
        };
        own || self.inside.as_ref().is_some_and(|(_, inner)| inner.can_have(field))
    }

    /// Whether a record can go on behind a line feed.
    pub fn is_csv(&self) -> bool {
        matches!(self.form, Form::Csv(..))
    }

    /// Whether the first line of a file names the columns.
    pub fn has_header(&self) -> bool {
        matches!(self.form, Form::Csv(_, None))
    }

    /// The fields of the columns that a header names.
    pub fn header(&self, line: &[u8]) -> Vec<Option<u16>> {
        let Form::Csv(separator, _) = self.form else { return Vec::new() };
        let cells = csv_cells(line, separator);
        let named =
            |name: String| self.fields.iter().position(|field| *field == name).map(|field| field as u16);
        cells.into_iter().map(|cell| named(cell.trim().to_owned())).collect()
    }

    pub fn scratch(&self) -> Scratch {
        let (slots, groups) = match &self.form {
            Form::Json(paths, _) => (paths.slots(), None),
            Form::Regex(regex, _) => (0, Some(regex.capture_locations())),
            _ => (0, None),
        };
        Scratch {
            captures: Captures::new(slots),
            groups,
            inner: self.inside.as_ref().map(|(_, inner)| Box::new(inner.scratch())),
            text: Vec::new(),
            clock: Clock::default(),
            last: (Vec::new(), None),
        }
    }

    /// Reads a line, and calls `record` for it, or for each record in it. Returns whether the line is of this kind.
    pub fn read(
        &self,
        buffer: &[u8],
        (start, end): (usize, usize),
        header: &[Option<u16>],
        scratch: &mut Scratch,
        values: &mut Values,
        record: &mut dyn FnMut(&Values, At),
    ) -> bool {
        let text = Text { buffer, start, end, is_line: true };
        if let Form::Elements(path) = &self.form {
            return self.elements(text.bytes(), path, scratch, values, record);
        }
        values.begin_line();
        if !self.find(text, header, scratch, values) || !self.has_its_time(buffer, values) {
            return false;
        }
        let at = self.time(buffer, scratch, values);
        record(values, at);
        true
    }

    /// Finds the fields of a text; returns whether it is of this kind.
    fn find(
        &self,
        text: Text<'_>,
        header: &[Option<u16>],
        scratch: &mut Scratch,
        values: &mut Values,
    ) -> bool {
        let found = match &self.form {
            Form::Json(paths, fields) => json(text, paths, fields, &mut scratch.captures, values),
            Form::Logfmt(fields) => logfmt(text, fields, values),
            Form::Csv(separator, columns) => {
                let named = columns.as_ref().map_or(header, |columns| &columns.fields);
                csv(text, *separator, named, values).is_some_and(|cells| match columns {
                    Some(columns) if columns.is_open => cells >= named.len(),
                    _ => cells == named.len(),
                })
            }
            Form::Regex(regex, groups) => match &mut scratch.groups {
                Some(places) => expression(text, regex, groups, places, values),
                None => false,
            },
            Form::Elements(_) => false,
        };
        found && self.find_inside(text, scratch, values)
    }

    /// Finds the fields of the line that stands in a field.
    fn find_inside(&self, text: Text<'_>, scratch: &mut Scratch, values: &mut Values) -> bool {
        let (Some((field, inner)), Some(own)) = (&self.inside, &mut scratch.inner) else { return true };
        let Some(line) = values.get(*field, text.buffer) else { return false };
        let mut copy = std::mem::take(&mut scratch.text);
        copy.clear();
        copy.extend(line.trim_ascii().iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }));
        let end = copy.len();
        copy.push(b'\n');
        copy.resize(copy.len() + PADDING, 0);
        let found = inner.find(Text { buffer: &copy, start: 0, end, is_line: false }, &[], own, values);
        scratch.text = copy;
        found
    }

    /// Whether the field of the time is there: a line without it is of another kind.
    fn has_its_time(&self, buffer: &[u8], values: &Values) -> bool {
        match (&self.time, &self.inside) {
            (Some(timed), _) => values.get(timed.field, buffer).is_some(),
            (None, Some((_, inner))) => inner.has_its_time(buffer, values),
            (None, None) => true,
        }
    }

    fn time(&self, buffer: &[u8], scratch: &mut Scratch, values: &Values) -> At {
        let Some(timed) = &self.time else {
            let inner = self.inside.as_ref().zip(scratch.inner.as_deref_mut());
            return inner.map_or(At::None, |((_, inner), scratch)| inner.time(buffer, scratch, values));
        };
        let Some(text) = values.get(timed.field, buffer) else { return At::Unusable };
        if *text != *scratch.last.0 {
            scratch.last.1 = match timed.unit {
                Some(unit) => time::from_number(text, unit),
                None => scratch.clock.parse(text).or_else(|| time::parse_any(text, timed.year)),
            };
            scratch.last.0.clear();
            scratch.last.0.extend_from_slice(text);
        }
        scratch.last.1.map_or(At::Unusable, At::Time)
    }

    /// Reads each element of an array in a JSON text; what stands around the array belongs to each.
    fn elements(
        &self,
        text: &[u8],
        path: &[String],
        scratch: &mut Scratch,
        values: &mut Values,
        record: &mut dyn FnMut(&Values, At),
    ) -> bool {
        let Ok(document) = serde_json::from_slice::<Value>(text) else { return false };
        if !document.is_object() && !document.is_array() {
            return false;
        }
        let mut outer = Vec::new();
        let mut each = |outer: &[(String, &Value)], element: &Value| {
            values.begin_line();
            for (prefix, value) in outer {
                self.flat(value, prefix, values);
            }
            self.flat(element, "", values);
            let own = Text { buffer: &[], start: 0, end: 0, is_line: false };
            // An element whose inner line has another form still has its own fields.
            self.find_inside(own, scratch, values);
            let at = self.time(&[], scratch, values);
            record(values, at);
        };
        descend(&document, path, &mut String::new(), &mut outer, &mut each);
        true
    }

    /// Stores the fields that stand in a JSON value, by their paths.
    fn flat(&self, value: &Value, path: &str, values: &mut Values) {
        let field = self.fields.iter().position(|field| field == path);
        let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    self.flat(value, &below(key), values);
                }
            }
            // OpenTelemetry: a list of keys, each with a value below the name of its type.
            Value::Array(list) => {
                for one in list {
                    let pair = one.get("key").and_then(Value::as_str).zip(one.get("value"));
                    if let Some((key, value)) = pair {
                        let typed =
                            value.as_object().filter(|it| it.len() == 1).and_then(|it| it.values().next());
                        self.flat(typed.unwrap_or(value), &below(key), values);
                    }
                }
            }
            Value::Null => {}
            Value::String(text) => {
                if let Some(field) = field {
                    values.put_own(field as u16, text.as_bytes());
                }
            }
            Value::Bool(_) | Value::Number(_) => {
                if let Some(field) = field {
                    values.put_own(field as u16, value.to_string().as_bytes());
                }
            }
        }
    }
}

type Outer<'v> = Vec<(String, &'v Value)>;
type Each<'e, 'v> = &'e mut dyn FnMut(&[(String, &'v Value)], &'v Value);

/// Goes down to the elements of an array; `outer` has what stands beside the way, by its path.
fn descend<'v>(
    value: &'v Value,
    path: &[String],
    above: &mut String,
    outer: &mut Outer<'v>,
    each: Each<'_, 'v>,
) {
    if let Value::Array(list) = value {
        for one in list {
            if path.is_empty() {
                each(outer, one);
            } else {
                descend(one, path, above, outer, each);
            }
        }
        return;
    }
    let (Some((key, rest)), Value::Object(members)) = (path.split_first(), value) else { return };
    let (kept, length) = (outer.len(), above.len());
    for (name, beside) in members.iter().filter(|(name, _)| *name != key) {
        outer.push((format!("{above}{name}"), beside));
    }
    above.push_str(key);
    above.push('.');
    if let Some(below) = members.get(key) {
        descend(below, rest, above, outer, each);
    }
    above.truncate(length);
    outer.truncate(kept);
}

fn form(text: &LinesText, fields: &mut Fields) -> Result<Form, String> {
    match text.form.as_str() {
        "json" => match &text.each {
            Some(path) if path.is_empty() => Ok(Form::Elements(Vec::new())),
            Some(path) => Ok(Form::Elements(keys(path))),
            None => asked(fields),
        },
        "logfmt" => {
            let named = fields.names.iter().cloned().enumerate().map(|(number, name)| (name, number as u16));
            Ok(Form::Logfmt(named.collect()))
        }
        "csv" => {
            let separator = text.separator.as_deref().unwrap_or(",").as_bytes();
            let [separator] = separator else {
                return Err("separator takes one character, such as \",\" or \"\\t\"".to_owned());
            };
            let columns = (!text.header).then(|| {
                let (last, before) = text.columns.split_last().unzip();
                let is_open = last.is_some_and(|name| name == MORE);
                let columns = if is_open { before.unwrap_or_default() } else { &text.columns };
                let named = |name: &String| fields.names.iter().position(|field| field == name);
                let fields = columns.iter().map(|name| named(name).map(|field| field as u16)).collect();
                Columns { fields, is_open }
            });
            Ok(Form::Csv(*separator, columns))
        }
        "regex" => {
            let regex = RegexBuilder::new(&text.pattern).unicode(false).build();
            let regex = regex.map_err(|error| format!("the pattern is no regular expression: {error}"))?;
            let named = regex.capture_names().enumerate().filter_map(|(number, name)| Some((number, name?)));
            let groups: Vec<_> = named
                .filter_map(|(number, name)| {
                    let field = fields.names.iter().position(|field| field == name)?;
                    Some((number, field as u16))
                })
                .collect();
            Ok(Form::Regex(Box::new(regex), groups))
        }
        other => Err(format!("{other:?} is no form of lines. The forms are json, logfmt, csv and regex")),
    }
}

/// JSON: a field is found below keys that are separated by dots, and under its whole name.
fn asked(fields: &Fields) -> Result<Form, String> {
    let (mut paths, mut of_slots) = (Paths::default(), Vec::new());
    for (number, name) in fields.names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let below = keys(name);
        let nested: Vec<&str> = below.iter().map(String::as_str).collect();
        for path in [nested.as_slice(), &[name.as_str()]] {
            let slot = usize::from(paths.ask(path)?);
            if slot >= of_slots.len() {
                of_slots.resize(slot + 1, number as u16);
            }
        }
    }
    Ok(Form::Json(paths, of_slots))
}

fn json(text: Text<'_>, paths: &Paths, fields: &[u16], captures: &mut Captures, values: &mut Values) -> bool {
    if !matches!(scan(text.buffer, text.start, paths, captures), Ok((Kind::Object, _))) {
        return false;
    }
    for (slot, span) in captures.all() {
        let (start, end) = (span.start as usize, span.end as usize);
        let (raw, field) = (&text.buffer[start..end], fields[usize::from(slot)]);
        match raw {
            b"null" => {}
            [b'"', inner @ .., b'"'] if memchr::memchr(b'\\', inner).is_none() => {
                text.put(values, field, start + 1, end - 1);
            }
            [b'"', ..] => {
                if let Some(decoded) = values::text(raw) {
                    values.put_own(field, decoded.as_bytes());
                }
            }
            _ => text.put(values, field, start, end),
        }
    }
    true
}

/// `key=value key="a value"`; words without `=` are passed over. A line without any pair is of another kind.
fn logfmt(text: Text<'_>, fields: &[(String, u16)], values: &mut Values) -> bool {
    let (line, mut at, mut pairs) = (text.bytes(), 0, 0);
    while at < line.len() {
        let length =
            line[at..].iter().position(|byte| matches!(byte, b' ' | b'\t' | b'=')).unwrap_or(line.len() - at);
        let (key, equals) = (&line[at..at + length], at + length);
        if line.get(equals) != Some(&b'=') || key.is_empty() {
            at = equals + 1;
            continue;
        }
        let field = fields.iter().find(|(name, _)| name.as_bytes() == key).map(|(_, field)| *field);
        let start = equals + 1;
        let end = if line.get(start) == Some(&b'"') {
            let Some(quote) = closing_quote(line, start + 1) else { return false };
            if let Some(field) = field {
                let raw = &line[start..=quote];
                match values::text(raw).filter(|_| raw.contains(&b'\\')) {
                    Some(decoded) => values.put_own(field, decoded.as_bytes()),
                    None => text.put(values, field, text.start + start + 1, text.start + quote),
                }
            }
            quote + 1
        } else {
            let length = line[start..].iter().position(|byte| matches!(byte, b' ' | b'\t'));
            let end = length.map_or(line.len(), |length| start + length);
            if let Some(field) = field {
                text.put(values, field, text.start + start, text.start + end);
            }
            end
        };
        pairs += 1;
        at = end;
    }
    pairs > 0
}

fn closing_quote(line: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match line.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The cells of a record of CSV; returns how many there are, `None` if it is no record.
fn csv(text: Text<'_>, separator: u8, columns: &[Option<u16>], values: &mut Values) -> Option<usize> {
    let (line, mut at, mut column) = (text.bytes(), 0, 0);
    loop {
        let field = columns.get(column).copied().flatten();
        let end = if line.get(at) == Some(&b'"') {
            let (end, is_doubled) = cell_end(line, at + 1)?;
            if let Some(field) = field {
                if is_doubled {
                    let whole = String::from_utf8_lossy(&line[at + 1..end]).replace("\"\"", "\"");
                    values.put_own(field, whole.as_bytes());
                } else {
                    text.put(values, field, text.start + at + 1, text.start + end);
                }
            }
            end + 1
        } else {
            let end = memchr::memchr(separator, &line[at..]).map_or(line.len(), |length| at + length);
            // An empty cell is no value.
            if let Some(field) = field.filter(|_| end > at) {
                text.put(values, field, text.start + at, text.start + end);
            }
            end
        };
        column += 1;
        match line.get(end) {
            None => return Some(column),
            Some(byte) if *byte == separator => at = end + 1,
            Some(_) => return None,
        }
    }
}

/// The end of a cell in quotes, and whether a quote in it is doubled.
fn cell_end(line: &[u8], mut at: usize) -> Option<(usize, bool)> {
    let mut is_doubled = false;
    loop {
        at += memchr::memchr(b'"', &line[at..])?;
        if line.get(at + 1) != Some(&b'"') {
            return Some((at, is_doubled));
        }
        is_doubled = true;
        at += 2;
        if at > line.len() {
            return None;
        }
    }
}

fn csv_cells(line: &[u8], separator: u8) -> Vec<String> {
    let mut cells = Vec::new();
    for cell in line.trim_ascii_end().split(|byte| *byte == separator) {
        cells.push(String::from_utf8_lossy(cell).trim_matches('"').to_owned());
    }
    cells
}

/// The end of the record that begins at `at`: behind a line feed that stands in no quotes.
pub(crate) fn record_end(buffer: &[u8], at: usize) -> usize {
    let mut inside = false;
    for place in memchr::memchr2_iter(b'"', b'\n', &buffer[at..]) {
        match buffer[at + place] {
            b'"' => inside = !inside,
            _ if !inside => return at + place,
            _ => {}
        }
    }
    buffer.len()
}

fn expression(
    text: Text<'_>,
    regex: &Regex,
    groups: &[(usize, u16)],
    places: &mut CaptureLocations,
    values: &mut Values,
) -> bool {
    if regex.captures_read(places, text.bytes()).is_none() {
        return false;
    }
    for (group, field) in groups {
        // A group that matched nothing is no value.
        if let Some((start, end)) = places.get(*group).filter(|(start, end)| end > start) {
            text.put(values, *field, text.start + start, text.start + end);
        }
    }
    true
}
