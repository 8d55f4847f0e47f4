//! Lines that look like lines before them.
//!
//! Logs consist of a few kinds of lines. A shape is what a valid line had around its numbers and around its texts with
//! digits. A line that repeats all of it, with other numbers and texts in between, is valid too, and its values stand
//! at the same places: three comparisons take the place of thirty steps. Whatever fits no shape is scanned.

use crate::json::{Captures, number_end, string_end};

/// So many shapes are remembered.
const MOST: usize = 32;

/// A place in a line: so many bytes behind the beginning of a fixed part.
type Place = (u16, u16);

#[derive(Debug)]
struct Shape {
    /// What stands fixed; between two of them is a value.
    fixed: Vec<Box<[u8]>>,
    /// Slots of the captures, and where their values begin and end.
    values: Vec<(u16, Place, Place)>,
    /// The shape of the line that came behind the last of this shape.
    next: usize,
}

/// The shapes seen so far.
#[derive(Debug, Default)]
pub struct Shapes {
    known: Vec<Shape>,
    last: usize,
    starts: Vec<usize>,
    hits: u32,
    misses: u32,
}

impl Shapes {
    /// Tries the line that begins at `at`; gives where its line feed stands if it has a known shape.
    pub fn find(&mut self, buffer: &[u8], at: usize, captures: &mut Captures) -> Option<usize> {
        // Where lines are all different, looking for their shapes only costs time.
        if self.misses > 200 + 2 * self.hits {
            return None;
        }
        let guess = self.known.get(self.last).map_or(0, |shape| shape.next);
        let others = (0..self.known.len()).filter(|other| *other != guess);
        for number in std::iter::once(guess).chain(others) {
            let Some(shape) = self.known.get(number) else { break };
            if let Some(feed) = fits(shape, buffer, at, &mut self.starts) {
                captures.begin_line();
                for (slot, start, end) in &shape.values {
                    let place = |place: &Place| self.starts[usize::from(place.0)] + usize::from(place.1);
                    captures.set(*slot, place(start), place(end));
                }
                self.follows(number);
                self.hits += 1;
                return Some(feed);
            }
        }
        self.misses += 1;
        None
    }

    fn follows(&mut self, number: usize) {
        if let Some(last) = self.known.get_mut(self.last) {
            last.next = number;
        }
        self.last = number;
    }

    /// Remembers the shape of a valid line that was just scanned.
    pub fn learn(&mut self, buffer: &[u8], at: usize, feed: usize, captures: &Captures) {
        if self.known.len() == MOST || feed - at > usize::from(u16::MAX) {
            return;
        }
        let (mut fixed, mut starts, mut from) = (Vec::new(), Vec::new(), at);
        for (start, end) in captures.scalars() {
            let (start, end) = (*start as usize, *end as usize);
            let raw = &buffer[start..end];
            if !raw.iter().any(u8::is_ascii_digit) || raw.contains(&b'\\') {
                continue;
            }
            // The quotes of a text belong to what is fixed.
            let quote = usize::from(raw[0] == b'"');
            fixed.push(buffer[from..start + quote].into());
            starts.push(from);
            from = end - quote;
        }
        fixed.push(buffer[from..feed].into());
        starts.push(from);
        let place = |position: u32| {
            let position = position as usize;
            let part = starts.partition_point(|start| *start <= position) - 1;
            (part as u16, (position - starts[part]) as u16)
        };
        let values = captures.all().map(|(slot, span)| (slot, place(span.start), place(span.end))).collect();
        self.follows(self.known.len());
        self.known.push(Shape { fixed, values, next: 0 });
    }
}

/// Where the line feed stands if the line has the shape; `starts` are then the places of the fixed parts.
fn fits(shape: &Shape, buffer: &[u8], mut at: usize, starts: &mut Vec<usize>) -> Option<usize> {
    starts.clear();
    let (last, parts) = shape.fixed.split_last()?;
    for part in parts {
        if !buffer[at..].starts_with(part) {
            return None;
        }
        starts.push(at);
        at += part.len();
        at = if part.ends_with(b"\"") {
            let (quote, escaped) = string_end(buffer, at).ok()?;
            if escaped {
                return None;
            }
            quote
        } else {
            number_end(buffer, at).ok()?
        };
    }
    starts.push(at);
    let feed = at + last.len();
    (buffer[at..].starts_with(last) && buffer[feed] == b'\n').then_some(feed)
}
