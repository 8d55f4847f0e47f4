//! Recognises lines that look like earlier lines.
//!
//! Logs consist of a few kinds of lines. A shape is the fixed text of a valid line around its numbers and
//! around its texts with digits. A line that repeats all the fixed text with other numbers and texts in between
//! is valid too, and its values are at the same places: three comparisons replace thirty steps. A line that
//! fits no shape is scanned.

use crate::json::{Captures, number_end, string_end};

/// Maximum number of shapes.
const MOST: usize = 32;

/// A position in a line, as an offset from the beginning of a fixed part.
type Place = (u16, u16);

#[derive(Debug)]
struct Shape {
    /// The number of the first fixed part: most shapes share it.
    head: usize,
    /// The fixed parts after the head; a value precedes each of them.
    fixed: Vec<Box<[u8]>>,
    /// Slots of the captures, and where their values begin and end.
    values: Vec<(u16, Place, Place)>,
}

/// The shapes seen so far.
#[derive(Debug)]
pub struct Shapes {
    known: Vec<Shape>,
    heads: Vec<Box<[u8]>>,
    /// The shape of the last line with each hint.
    hints: [u8; HINTS],
    starts: Vec<usize>,
    hits: u32,
    misses: u32,
}

impl Default for Shapes {
    fn default() -> Self {
        Self {
            known: Vec::new(),
            heads: Vec::new(),
            hints: [0; HINTS],
            starts: Vec::new(),
            hits: 0,
            misses: 0,
        }
    }
}

impl Shapes {
    /// Starts another piece. Its lines may have other shapes, so the shapes are kept only if they fitted most
    /// lines.
    pub fn go_on(&mut self) {
        if self.misses > self.hits / 8 {
            *self = Self::default();
        }
        (self.hits, self.misses) = (0, 0);
    }

    /// Tries to match the line that begins at `at`; returns the position of its line feed if it has a known
    /// shape.
    pub fn find(&mut self, buffer: &[u8], at: usize, captures: &mut Captures) -> Option<usize> {
        // If all lines differ, looking for their shapes only costs time.
        if self.misses > 200 + 2 * self.hits {
            return None;
        }
        let (mut tried, mut end) = (0, value_behind(self.heads.first()?, buffer, at));
        let hint = end.and_then(|end| hint(buffer, end));
        let guess = hint.map_or(0, |hint| usize::from(self.hints[hint]));
        let others = (0..self.known.len()).filter(|other| *other != guess);
        for number in std::iter::once(guess).chain(others) {
            let Some(shape) = self.known.get(number) else { break };
            if shape.head != tried {
                tried = shape.head;
                end = value_behind(&self.heads[tried], buffer, at);
            }
            let Some(end) = end else { continue };
            if let Some(feed) = fits(shape, buffer, at, end, &mut self.starts) {
                captures.begin_line();
                for (slot, start, end) in &shape.values {
                    let place = |place: &Place| self.starts[usize::from(place.0)] + usize::from(place.1);
                    captures.set(*slot, place(start), place(end));
                }
                if let Some(hint) = hint {
                    self.hints[hint] = number as u8;
                }
                self.hits += 1;
                return Some(feed);
            }
        }
        self.misses += 1;
        None
    }

    /// Remembers the shape of the valid line that was just scanned.
    pub fn learn(&mut self, buffer: &[u8], at: usize, feed: usize, captures: &Captures) {
        if self.known.len() == MOST || feed - at > usize::from(u16::MAX) {
            return;
        }
        let (mut fixed, mut starts, mut from) = (Vec::<Box<[u8]>>::new(), Vec::new(), at);
        for (start, end) in captures.scalars() {
            let (start, end) = (*start as usize, *end as usize);
            let raw = &buffer[start..end];
            if !raw.iter().any(u8::is_ascii_digit) || raw.contains(&b'\\') {
                continue;
            }
            // The quotes of a text belong to the fixed part.
            let quote = usize::from(raw[0] == b'"');
            fixed.push(Box::from(&buffer[from..start + quote]));
            starts.push(from);
            from = end - quote;
        }
        fixed.push(Box::from(&buffer[from..feed]));
        starts.push(from);
        // A line without a varying value would be a shape of one line only.
        if fixed.len() == 1 {
            return;
        }
        let head = fixed.remove(0);
        let head = self.heads.iter().position(|known| *known == head).unwrap_or_else(|| {
            self.heads.push(head);
            self.heads.len() - 1
        });
        let place = |position: u32| {
            let position = position as usize;
            let part = starts.partition_point(|start| *start <= position) - 1;
            (part as u16, (position - starts[part]) as u16)
        };
        let values = captures.all().map(|(slot, span)| (slot, place(span.start), place(span.end))).collect();
        self.known.push(Shape { head, fixed, values });
    }
}

const HINTS: usize = 256;

/// A number that lines of one shape mostly share: computed from the bytes shortly after the first value, where
/// most lines have their name. It only decides where to look first.
#[inline]
fn hint(buffer: &[u8], end: usize) -> Option<usize> {
    let words = buffer.get(end + 16..end + 40)?;
    let mixed = words.as_chunks::<8>().0.iter().fold(0_u64, |mixed, word| {
        (mixed ^ u64::from_le_bytes(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    });
    Some((mixed >> 56) as usize % HINTS)
}

/// The ends of a fixed part and of the value after it, if both are found at `at`.
#[inline]
fn value_behind(part: &[u8], buffer: &[u8], at: usize) -> Option<usize> {
    if !buffer[at..].starts_with(part) {
        return None;
    }
    let at = at + part.len();
    if part.ends_with(b"\"") {
        string_end(buffer, at).ok().filter(|(_, escaped)| !escaped).map(|(quote, _)| quote)
    } else {
        number_end(buffer, at).ok()
    }
}

/// The position of the line feed if the line has the shape; `starts` then holds the positions of the fixed
/// parts. The line begins at `start`, and its first value ends at `at`.
#[inline]
fn fits(shape: &Shape, buffer: &[u8], start: usize, mut at: usize, starts: &mut Vec<usize>) -> Option<usize> {
    starts.clear();
    starts.push(start);
    let (last, parts) = shape.fixed.split_last()?;
    for part in parts {
        starts.push(at);
        at = value_behind(part, buffer, at)?;
    }
    starts.push(at);
    let feed = at + last.len();
    (buffer[at..].starts_with(last) && buffer[feed] == b'\n').then_some(feed)
}
