//! Scans one line of JSON: is it valid, and where are the values that were asked for?
//!
//! The whole line is checked against the grammar (RFC 8259), because its class depends on it; but nothing is
//! decoded, and values stay in place. A line feed cannot occur inside a JSON text of one line, not even in a
//! string, so the scanner needs no end: the buffer must hold a line feed at or after the start, and `PADDING`
//! bytes after the last one.

use crate::paths::{NOWHERE, Paths, ROOT};

/// Number of bytes that must follow the last line feed of a buffer.
pub const PADDING: usize = 16;

/// The position of a value in the buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// The position of its first byte.
    pub start: u32,
    /// The position after its last byte.
    pub end: u32,
    line: u32,
}

impl Span {
    /// The value itself, as written.
    #[must_use]
    pub fn of(self, buffer: &[u8]) -> &[u8] {
        &buffer[self.start as usize..self.end as usize]
    }
}

/// An open container. `target` is a slot of the captures, `node` a node of the paths.
#[derive(Clone, Copy, Debug)]
struct Open {
    start: u32,
    target: u16,
    node: u16,
}

/// Marks an array in `Open::node`: elements of arrays cannot be asked for.
const ARRAY: u16 = NOWHERE - 1;

/// The values of one line that were asked for, and the memory that scanning needs.
#[derive(Debug)]
pub struct Captures {
    spans: Vec<Span>,
    line: u32,
    open: Vec<Open>,
    /// The positions of its texts and numbers, including those not asked for; keys do not count.
    scalars: Vec<(u32, u32)>,
}

/// The kind of a valid line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{…}`
    Object,
    /// Any other value.
    Other,
}

impl Captures {
    /// Creates room for this many values.
    #[must_use]
    pub fn new(slots: usize) -> Self {
        Self {
            spans: vec![Span::default(); slots],
            line: 0,
            open: Vec::with_capacity(16),
            scalars: Vec::new(),
        }
    }

    /// The position of a slot's value in the line scanned last.
    #[must_use]
    #[inline]
    pub fn get(&self, slot: u16) -> Option<Span> {
        self.spans.get(usize::from(slot)).copied().filter(|span| span.line == self.line)
    }

    /// All values of the line, with their slots.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u16, Span)> {
        (0..self.spans.len() as u16).filter_map(|slot| self.get(slot).map(|span| (slot, span)))
    }

    pub(crate) fn scalars(&self) -> &[(u32, u32)] {
        &self.scalars
    }

    #[inline]
    pub(crate) fn set(&mut self, slot: u16, start: usize, end: usize) {
        if slot != NOWHERE {
            self.spans[usize::from(slot)] = Span { start: start as u32, end: end as u32, line: self.line };
        }
    }

    /// Closes the innermost container at `at` and returns the position after it.
    #[inline]
    fn close(&mut self, at: usize) -> usize {
        if let Some(open) = self.open.pop() {
            self.set(open.target, open.start as usize, at + 1);
        }
        at + 1
    }

    pub(crate) fn begin_line(&mut self) {
        self.open.clear();
        self.scalars.clear();
        self.line = self.line.wrapping_add(1);
        if self.line == 0 {
            // After four billion lines the marks of the first ones could be mistaken for this one's.
            self.spans.fill(Span::default());
            self.line = 1;
        }
    }
}

/// Scans the line that begins at `at`. Returns its kind and the position of its line feed.
///
/// # Errors
/// If the line is not valid JSON: the position, at or before its line feed, where the fault was found.
pub fn scan(
    buffer: &[u8],
    at: usize,
    paths: &Paths,
    captures: &mut Captures,
) -> Result<(Kind, usize), usize> {
    captures.begin_line();
    let mut at = skip_blank(buffer, at);
    let kind = if buffer[at] == b'{' { Kind::Object } else { Kind::Other };
    let (mut target, mut node) = (NOWHERE, ROOT);
    loop {
        // A value begins at `at`.
        match buffer[at] {
            b'"' => {
                let (quote, _) = string_end(buffer, at + 1)?;
                captures.set(target, at, quote + 1);
                captures.scalars.push((at as u32, quote as u32 + 1));
                at = quote + 1;
            }
            b'{' => {
                captures.open.push(Open { start: at as u32, target, node });
                at = skip_blank(buffer, at + 1);
                if buffer[at] != b'}' {
                    (at, target, node) = member(buffer, at, node, paths)?;
                    continue;
                }
                at = captures.close(at);
            }
            b'[' => {
                captures.open.push(Open { start: at as u32, target, node: ARRAY });
                at = skip_blank(buffer, at + 1);
                if buffer[at] != b']' {
                    (target, node) = (NOWHERE, NOWHERE);
                    continue;
                }
                at = captures.close(at);
            }
            first => {
                let end = if first == b'-' || first.is_ascii_digit() {
                    let end = number_end(buffer, at)?;
                    captures.scalars.push((at as u32, end as u32));
                    end
                } else {
                    literal_end(buffer, at)?
                };
                captures.set(target, at, end);
                at = end;
            }
        }
        // A value has ended before `at`.
        loop {
            at = skip_blank(buffer, at);
            let Some(open) = captures.open.last() else {
                return if buffer[at] == b'\n' { Ok((kind, at)) } else { Err(at) };
            };
            match (buffer[at], open.node) {
                (b']', ARRAY) => at = captures.close(at),
                (b',', ARRAY) => {
                    at = skip_blank(buffer, at + 1);
                    (target, node) = (NOWHERE, NOWHERE);
                    break;
                }
                (b'}', inside) if inside != ARRAY => at = captures.close(at),
                (b',', inside) => {
                    at = skip_blank(buffer, at + 1);
                    (at, target, node) = member(buffer, at, inside, paths)?;
                    break;
                }
                _ => return Err(at),
            }
        }
    }
}

/// Reads a key and its colon. Returns the position of the value, its slot and its node in the paths.
#[inline]
fn member(buffer: &[u8], at: usize, node: u16, paths: &Paths) -> Result<(usize, u16, u16), usize> {
    if buffer[at] != b'"' {
        return Err(at);
    }
    let (quote, escaped) = string_end(buffer, at + 1)?;
    let (target, inner) = if node == NOWHERE {
        (NOWHERE, NOWHERE)
    } else if escaped {
        paths.child(node, decoded(&buffer[at..=quote]).as_bytes())
    } else {
        paths.child_at(node, buffer, at + 1, quote)
    };
    let colon = skip_blank(buffer, quote + 1);
    if buffer[colon] != b':' {
        return Err(colon);
    }
    Ok((skip_blank(buffer, colon + 1), target, inner))
}

#[inline]
fn skip_blank(buffer: &[u8], mut at: usize) -> usize {
    // Logs are usually written without blanks.
    while buffer[at] <= b' ' && matches!(buffer[at], b' ' | b'\t' | b'\r') {
        at += 1;
    }
    at
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Marks the high bits of bytes that are a quote, a backslash or a control character. Only the lowest mark is
/// reliable.
#[inline]
fn special(word: u64) -> u64 {
    // Flipping the second bit turns a quote, 0x22, into 0x20 and leaves control characters below it; no other
    // byte ends up there.
    let turned = word ^ (ONES * 0x02);
    let backslash = word ^ (ONES * u64::from(b'\\'));
    ((turned.wrapping_sub(ONES * 0x21) & !turned) | (backslash.wrapping_sub(ONES) & !backslash)) & HIGH
}

/// Finds a string's closing quote and whether the string contains escapes. `at` is after the opening quote.
#[inline]
pub(crate) fn string_end(buffer: &[u8], mut at: usize) -> Result<(usize, bool), usize> {
    let mut escaped = false;
    loop {
        let Some(bytes) = buffer[at..].first_chunk::<8>() else { return Err(at) };
        let found = special(u64::from_le_bytes(*bytes));
        if found == 0 {
            at += 8;
            continue;
        }
        at += (found.trailing_zeros() / 8) as usize;
        match buffer[at] {
            b'"' => return Ok((at, escaped)),
            b'\\' => {
                escaped = true;
                at = escape_end(buffer, at)?;
            }
            _ => return Err(at),
        }
    }
}

fn escape_end(buffer: &[u8], at: usize) -> Result<usize, usize> {
    match buffer[at + 1] {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(at + 2),
        b'u' => match buffer.get(at + 2..at + 6) {
            Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => Ok(at + 6),
            _ => Err(at),
        },
        _ => Err(at),
    }
}

#[inline]
fn digits_end(buffer: &[u8], mut at: usize) -> Result<usize, usize> {
    let start = at;
    loop {
        let Some(bytes) = buffer[at..].first_chunk::<8>() else { return Err(at) };
        let digits = digits_of(u64::from_le_bytes(*bytes));
        at += digits;
        if digits < 8 {
            return if at == start { Err(at) } else { Ok(at) };
        }
    }
}

/// The number of digits at the beginning of a word.
#[inline]
fn digits_of(word: u64) -> usize {
    // Digits are the bytes 0x30 to 0x39: their high half is 3, and remains 3 when 6 is added. A carry affects
    // only later bytes.
    let halves = ONES * 0xf0;
    let threes = ONES * 0x30;
    let others = ((word & halves) ^ threes) | ((word.wrapping_add(ONES * 0x06) & halves) ^ threes);
    (others.trailing_zeros() / 8) as usize
}

#[inline]
pub(crate) fn number_end(buffer: &[u8], mut at: usize) -> Result<usize, usize> {
    if buffer[at] == b'-' {
        at += 1;
    }
    at = if buffer[at] == b'0' { at + 1 } else { digits_end(buffer, at)? };
    if buffer[at] == b'.' {
        at = digits_end(buffer, at + 1)?;
    }
    if matches!(buffer[at], b'e' | b'E') {
        at += 1;
        if matches!(buffer[at], b'+' | b'-') {
            at += 1;
        }
        at = digits_end(buffer, at)?;
    }
    Ok(at)
}

fn literal_end(buffer: &[u8], at: usize) -> Result<usize, usize> {
    let rest = &buffer[at..];
    let found = [&b"true"[..], b"false", b"null"].into_iter().find(|word| rest.starts_with(word));
    found.map(|word| at + word.len()).ok_or(at)
}

/// Decodes a valid string, quotes included. An unpaired surrogate becomes U+FFFD.
#[must_use]
pub fn decoded(string: &[u8]) -> String {
    serde_json::from_slice(string).unwrap_or_else(|_| with_lone_surrogates(string))
}

fn with_lone_surrogates(string: &[u8]) -> String {
    let text = String::from_utf8_lossy(string);
    let mut whole = String::with_capacity(text.len());
    let mut rest = text.trim_matches('"');
    while let Some(at) = rest.find('\\') {
        whole.push_str(&rest[..at]);
        let length = if rest[at..].starts_with("\\u") { 6 } else { 2 };
        let (escape, behind) = rest[at..].split_at(length.min(rest.len() - at));
        let one: Result<String, _> = serde_json::from_str(&format!("\"{escape}\""));
        whole.push_str(one.as_deref().unwrap_or("\u{fffd}"));
        rest = behind;
    }
    whole.push_str(rest);
    whole
}
