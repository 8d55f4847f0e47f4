//! Extracts the time, the name and the values of the event from the captured values of a line.

use std::borrow::Cow;

use crate::columns::{Cell, Events};
use crate::document::Rule;
use crate::json::Captures;
use crate::plan::{Event, Field, Place, Plan, Source, Type};
use crate::time::Clock;
use crate::{time, values};

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
pub(crate) struct Extract<'p, 'b> {
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
