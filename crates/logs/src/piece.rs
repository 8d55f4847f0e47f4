//! Reads a piece of a log: assigns each line to its class and, if it is an event, to its table.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::columns::Events;
use crate::counts::{Counts, TOO_LONG, Unused};
use crate::extract::{Extract, Name};
use crate::json::{Captures, Kind, PADDING, decoded, scan};
use crate::plan::Plan;
use crate::shapes::Shapes;
use crate::time::Clock;

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
