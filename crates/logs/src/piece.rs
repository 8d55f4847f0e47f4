//! Reads a piece of a log: assigns each line to its class and, if it is an event, to its table.

use std::borrow::Cow;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::columns::{Cell, Events};
use crate::counts::{Counts, TOO_LONG, Unused};
use crate::document::Rule;
use crate::json::{Captures, Kind, PADDING, decoded, scan};
use crate::plan::{Event, Field, Place, Plan, Source, Type};
use crate::shapes::Shapes;
use crate::time::{self, Clock};
use crate::values;

/// Whole lines of one file.
#[derive(Debug, Default)]
pub struct Piece {
    /// The lines, each with its line feed, followed by `PADDING` bytes.
    buffer: Vec<u8>,
    /// The last line had no line feed in the file.
    unfinished: bool,
    /// The piece is the beginning of one line that is too long.
    too_long: bool,
    shapes: Shapes,
}

/// The reusable parts of a piece that was read: its memory, and the shapes of its lines.
#[derive(Debug, Default)]
pub struct Spare {
    /// The memory.
    pub buffer: Vec<u8>,
    shapes: Shapes,
}

impl Piece {
    /// Creates a piece from lines. A last line without a line feed is the unfinished last line of its file.
    #[must_use]
    pub fn new(lines: Vec<u8>) -> Self {
        Self::of(Spare { buffer: lines, shapes: Shapes::default() })
    }

    /// Creates a piece from the lines in the memory of another piece.
    #[must_use]
    pub fn of(spare: Spare) -> Self {
        let Spare { buffer: mut lines, mut shapes } = spare;
        shapes.go_on();
        let unfinished = lines.last().is_some_and(|last| *last != b'\n');
        if unfinished {
            lines.push(b'\n');
        }
        lines.resize(lines.len() + PADDING, 0);
        Self { buffer: lines, unfinished, too_long: false, shapes }
    }

    /// Creates a piece from the beginning of a line that is too long to be read.
    #[must_use]
    pub fn too_long(spare: Spare) -> Self {
        Self { too_long: true, ..Self::of(spare) }
    }

    /// The lines.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.buffer[..self.buffer.len().saturating_sub(PADDING)]
    }

    /// Whether it is the beginning of a line that is too long to be read.
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        self.too_long
    }

    /// The lines and the bytes behind them.
    pub(crate) fn buffer(&self) -> &[u8] {
        &self.buffer
    }

    /// Returns the parts that another piece can reuse.
    #[must_use]
    pub fn into_spare(self) -> Spare {
        Spare { buffer: self.buffer, shapes: self.shapes }
    }
}

/// The content of a piece.
#[derive(Debug)]
pub struct Read {
    /// What became of its lines.
    pub counts: Counts,
    /// Its events, table by table.
    pub tables: Vec<Events>,
    /// The number of its lines, including blank ones.
    pub height: u64,
}

/// Reads a piece.
#[must_use]
pub fn read(plan: &Plan, piece: &mut Piece) -> Read {
    let mut shapes = std::mem::take(&mut piece.shapes);
    let mut reader = Reader {
        plan,
        buffer: &piece.buffer,
        captures: Captures::new(plan.paths.slots()),
        shapes: &mut shapes,
        names: Names::default(),
        clock: Clock::default(),
        unmapped: HashMap::default(),
        counts: Counts::new(plan),
        tables: plan.tables.iter().map(|table| Events::new(table.columns.len())).collect(),
    };
    let text = piece.text();
    // Logs are mostly ASCII, which is faster to check.
    let is_text = text.is_ascii() || std::str::from_utf8(text).is_ok();
    let (mut at, mut line) = (0, 0);
    while at < text.len() {
        line += 1;
        at = if piece.too_long {
            reader.too_long(line)
        } else {
            reader.line(at, line, is_text, piece.unfinished)
        };
    }
    let read = reader.finish(text.len() - usize::from(piece.unfinished), line);
    piece.shapes = shapes;
    read
}

type Names<'a> = HashMap<&'a [u8], Name, FixedState>;

struct Reader<'a> {
    plan: &'a Plan,
    buffer: &'a [u8],
    captures: Captures,
    shapes: &'a mut Shapes,
    names: Names<'a>,
    clock: Clock,
    unmapped: HashMap<(&'a [u8], &'a [u8]), u64, FixedState>,
    counts: Counts,
    tables: Vec<Events>,
}

impl Reader<'_> {
    /// Reads the line that begins at `at`; returns the beginning of the next one.
    fn line(&mut self, at: usize, line: u32, is_text: bool, unfinished: bool) -> usize {
        let mut first = at;
        while matches!(self.buffer[first], b' ' | b'\t' | b'\r' | 0x0b | 0x0c) {
            first += 1;
        }
        if self.buffer[first] == b'\n' {
            return first + 1;
        }
        self.counts.lines += 1;
        let scanned = self.scan(at);
        let feed = match scanned {
            Ok((_, feed)) => feed,
            Err(place) => place + memchr::memchr(b'\n', &self.buffer[place..]).unwrap_or(0),
        };
        let text = &self.buffer[at..feed];
        let kind =
            scanned.ok().map(|(kind, _)| kind).filter(|_| is_text || std::str::from_utf8(text).is_ok());
        match kind {
            Some(Kind::Object) => self.object(line, text),
            None if unfinished && feed + 1 + PADDING == self.buffer.len() => {
                self.counts.cut += 1;
                self.counts.unused(Unused::Cut, line.into(), text);
            }
            None if self.buffer[first] == b'{' => {
                self.counts.broken += 1;
                self.counts.unused(Unused::Broken, line.into(), text);
            }
            _ => self.noise(line, text),
        }
        feed + 1
    }

    /// Counts the only line of a piece that is too long; a line that does not begin like an object is noise at
    /// any length.
    fn too_long(&mut self, line: u32) -> usize {
        let text = &self.buffer[..self.buffer.len() - PADDING];
        self.counts.lines += 1;
        if text.trim_ascii_start().starts_with(b"{") {
            self.counts.others[TOO_LONG] += 1;
            self.counts.unused(Unused::Other, line.into(), text);
        } else {
            self.noise(line, text);
        }
        text.len()
    }

    fn scan(&mut self, at: usize) -> Result<(Kind, usize), usize> {
        if let Some(feed) = self.shapes.find(self.buffer, at, &mut self.captures) {
            return Ok((Kind::Object, feed));
        }
        let scanned = scan(self.buffer, at, &self.plan.paths, &mut self.captures);
        if let Ok((Kind::Object, feed)) = scanned {
            self.shapes.learn(self.buffer, at, feed, &self.captures);
        }
        scanned
    }

    fn noise(&mut self, line: u32, text: &[u8]) {
        self.counts.noise += 1;
        self.counts.unused(Unused::Noise, line.into(), text);
    }

    fn object(&mut self, line: u32, text: &[u8]) {
        let name = self.name();
        let extract = Extract { plan: self.plan, buffer: self.buffer, captures: &self.captures };
        let (at, name) = match (extract.time(&mut self.clock), name, extract.has_data()) {
            (Some(at), Some(name), true) => (at, name),
            (at, name, _) => {
                let reason = if at.is_none() { 0 } else { 1 + usize::from(name.is_some()) };
                self.counts.others[reason] += 1;
                self.counts.unused(Unused::Other, line.into(), text);
                return;
            }
        };
        self.counts.seen_at(at);
        let inner = extract.inner();
        match name {
            Name::Event(event) => self.event(event, inner, at, line, text),
            _ => match extract.kind(inner) {
                Ok(event) => self.event(event, inner, at, line, text),
                Err(kind) => *self.unmapped.entry((extract.raw_name(), kind)).or_default() += 1,
            },
        }
    }

    fn name(&mut self) -> Option<Name> {
        let extract = Extract { plan: self.plan, buffer: self.buffer, captures: &self.captures };
        let raw = extract.raw_name();
        let name = *self.names.entry(raw).or_insert_with(|| extract.name(raw));
        (!matches!(name, Name::Unusable)).then_some(name)
    }

    fn event(&mut self, number: u16, inner: usize, at: i64, line: u32, text: &[u8]) {
        let extract = Extract { plan: self.plan, buffer: self.buffer, captures: &self.captures };
        let event = &self.plan.events[usize::from(number)];
        let events = &mut self.tables[event.table];
        match extract.put(event, inner, events) {
            Ok(()) => {
                events.keep(number, at, line);
                self.counts.analysed[usize::from(number)] += 1;
            }
            Err(reason) => {
                events.take_back();
                self.counts.skipped[usize::from(number)][reason] += 1;
                self.counts.unused(Unused::Skipped, line.into(), text);
            }
        }
    }

    fn finish(mut self, bytes: usize, height: u32) -> Read {
        self.counts.bytes = bytes as u64;
        for ((name, kind), count) in self.unmapped {
            let name = Extract::words(name);
            let kind = if kind.is_empty() { String::new() } else { format!(" ({})", decoded(kind)) };
            *self.counts.unmapped.entry(format!("{name}{kind}")).or_default() += count;
        }
        Read { counts: self.counts, tables: self.tables, height: height.into() }
    }
}

// Extracts the time, the name and the values of the event from the captured values of a line.

/// What is known about a name as written.
#[derive(Clone, Copy)]
pub(crate) enum Name {
    /// It is not a name.
    Unusable,
    /// The name of an event.
    Event(u16),
    /// A name that the mapping does not know.
    Unknown,
}

/// A scanned line.
#[derive(Clone, Copy)]
struct Extract<'p, 'b> {
    pub plan: &'p Plan,
    pub buffer: &'b [u8],
    pub captures: &'p Captures,
}

impl<'b> Extract<'_, 'b> {
    #[inline]
    fn raw(&self, slot: u16) -> Option<&'b [u8]> {
        self.captures.get(slot).map(|span| span.of(self.buffer))
    }

    pub fn time(&self, clock: &mut Clock) -> Option<i64> {
        let raw = self.raw(self.plan.time)?;
        if let Some(unit) = self.plan.unit {
            return time::from_number(raw, unit);
        }
        let inner = raw.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        clock.parse(inner).or_else(|| time::parse(values::text(raw)?.as_bytes()))
    }

    pub fn has_data(&self) -> bool {
        let Some(slot) = self.plan.data else { return true };
        self.raw(slot).is_some_and(|raw| raw.starts_with(b"{"))
    }

    /// Which object holds the data: 0 the outer, 1 the inner one.
    pub fn inner(&self) -> usize {
        let is_object = self.raw(self.plan.inner).is_some_and(|raw| raw.starts_with(b"{"));
        usize::from(is_object && self.captures.get(self.plan.kind[1]).is_some())
    }

    /// The name as written; empty if there is none.
    pub fn raw_name(&self) -> &'b [u8] {
        self.raw(self.plan.name).unwrap_or(b"")
    }

    /// Looks up a name in the mapping.
    pub fn name(&self, raw: &'b [u8]) -> Name {
        let Some(words) = joined(raw) else { return Name::Unusable };
        let bare = words.as_bytes().strip_prefix(&*self.plan.strip).unwrap_or(words.as_bytes());
        self.plan.names.get(bare).map_or(Name::Unknown, |event| Name::Event(*event))
    }

    /// The event of the data's kind, or the kind as written if the mapping does not know it.
    pub fn kind(&self, inner: usize) -> Result<u16, &'b [u8]> {
        let raw = self.raw(self.plan.kind[inner]).unwrap_or(b"");
        let Some(text) = values::text(raw) else { return Err(b"") };
        let bare = text.as_bytes().strip_prefix(&*self.plan.strip).unwrap_or(text.as_bytes());
        self.plan.kinds.get(bare).copied().ok_or(raw)
    }

    /// A name as text.
    pub fn words(raw: &[u8]) -> String {
        joined(raw).map_or_else(String::new, Cow::into_owned)
    }

    /// Puts the values of an event into its table, or returns the number of the reason for skipping it.
    pub fn put(&self, event: &Event, inner: usize, events: &mut Events) -> Result<(), usize> {
        for (place, rule, reason) in &event.skips {
            let raw = self.raw(place[inner]);
            let holds = match rule {
                Rule::True => raw == Some(b"true"),
                Rule::False => raw == Some(b"false"),
                Rule::Present => raw.is_some(),
            };
            if holds {
                return Err(*reason);
            }
        }
        let mut is_empty = true;
        for field in &event.fields {
            match (self.cell(field, inner), field.required) {
                (None, Some(reason)) => return Err(reason),
                (None, None) => {}
                (Some(cell), _) => {
                    events.put(field.column, &cell);
                    is_empty = false;
                }
            }
        }
        match event.any {
            Some(reason) if is_empty => Err(reason),
            _ => Ok(()),
        }
    }

    fn cell(&self, field: &Field, inner: usize) -> Option<Cell<'b>> {
        let mut there = false;
        for source in &field.sources {
            let cell = match source {
                Source::Field(place) => {
                    let Some(raw) = self.raw(place[inner]) else { continue };
                    there = true;
                    cell(field.kind, raw)
                }
                Source::Difference(place, minus) => self.difference(*place, *minus, inner),
            };
            if cell.is_some() {
                return cell;
            }
        }
        field.absent.filter(|_| !there).map(Cell::Integer)
    }

    fn difference(&self, place: Place, minus: Place, inner: usize) -> Option<Cell<'b>> {
        let of = |place: Place| self.raw(place[inner]).and_then(values::integer);
        of(place)?.checked_sub(of(minus)?).map(Cell::Integer)
    }
}

fn cell(kind: Type, raw: &[u8]) -> Option<Cell<'_>> {
    match kind {
        Type::Natural => values::natural(raw).map(Cell::Integer),
        Type::Integer => values::integer(raw).map(Cell::Integer),
        Type::Number => values::number(raw).map(Cell::Number),
        Type::Text => values::text(raw).map(Cell::Text),
        Type::Hash => values::hash(raw).map(Cell::Hash),
    }
}

/// A string, or the strings of a non-empty array of strings, joined with dots.
fn joined(raw: &[u8]) -> Option<Cow<'_, str>> {
    if raw.starts_with(b"\"") {
        return values::text(raw);
    }
    let mut rest = raw.strip_prefix(b"[")?.strip_suffix(b"]")?.trim_ascii();
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let (part, behind) = rest.split_at(string_length(rest)?);
        parts.push(values::text(part)?);
        rest = behind.trim_ascii_start();
        rest = rest.strip_prefix(b",").unwrap_or(rest).trim_ascii_start();
    }
    (!parts.is_empty()).then(|| Cow::Owned(parts.join(".")))
}

/// The length of the string at the beginning of a valid text, quotes included.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    text.first().filter(|first| **first == b'"')?;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}
