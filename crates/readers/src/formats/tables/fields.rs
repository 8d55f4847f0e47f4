//! Where the fields of a text without quotes end: every separator and every line end, found in one pass.

/// The bytes that are looked at together.
const CHUNK: usize = 64;

/// The positions of the separators and line ends of a text, in order.
pub(super) struct Ends<'a> {
    chunks: std::slice::Iter<'a, [u8; CHUNK]>,
    /// What follows the last whole chunk, until it is looked at.
    rest: Option<&'a [u8]>,
    separator: u8,
    /// Where the chunk begins that comes after the current one.
    next: usize,
    /// A bit for each byte of the current chunk: whether a field ends there, and was not given yet.
    found: u64,
}

impl<'a> Ends<'a> {
    pub(super) fn of(text: &'a [u8], separator: u8) -> Self {
        let (chunks, rest) = text.as_chunks();
        Self { chunks: chunks.iter(), rest: Some(rest), separator, next: 0, found: 0 }
    }

    /// Looks at the next chunk; false at the end of the text.
    fn advance(&mut self) -> bool {
        if let Some(chunk) = self.chunks.next() {
            self.found = ends(chunk, self.separator);
        } else if let Some(rest) = self.rest.take() {
            let mut chunk = [0; CHUNK];
            chunk[..rest.len()].copy_from_slice(rest);
            self.found = ends(&chunk, self.separator) & ((1 << rest.len()) - 1);
        } else {
            return false;
        }
        self.next += CHUNK;
        true
    }
}

impl Iterator for Ends<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.found == 0 {
            if !self.advance() {
                return None;
            }
        }
        let place = self.found.trailing_zeros() as usize;
        self.found &= self.found - 1;
        Some(self.next - CHUNK + place)
    }
}

/// A bit for each byte of a chunk: whether it ends a field. Both loops are such that the compiler makes them
/// instructions for many bytes at once.
#[inline]
fn ends(chunk: &[u8; CHUNK], separator: u8) -> u64 {
    let mut are = [0; CHUNK];
    for (is, &byte) in are.iter_mut().zip(chunk) {
        *is = u8::from(byte == separator) | u8::from(byte == b'\n');
    }
    let mut bits = 0;
    for (place, eight) in are.as_chunks::<8>().0.iter().enumerate() {
        bits |= gathered(u64::from_le_bytes(*eight)) << (8 * place);
    }
    bits
}

/// The lowest bits of eight bytes that are 0 or 1, as one byte: the product moves each to a place of its own at the top.
#[inline]
fn gathered(eight: u64) -> u64 {
    eight.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// A row of a text, and where its fields stand in it.
pub(super) struct Plain<'a> {
    pub(super) text: &'a [u8],
    /// Where each field begins, and at the end where one more would: each stands before a byte that ends it.
    pub(super) begins: &'a [usize],
}

impl Plain<'_> {
    /// The bytes of adjacent fields, with the separators between them; empty if there is none.
    #[inline]
    pub(super) fn span(&self, first: usize, last: usize) -> &[u8] {
        match (self.begins.get(first), self.begins.get(last + 1)) {
            (Some(&begin), Some(&end)) => &self.text[begin..end - 1],
            _ => &[],
        }
    }

    pub(super) fn columns(&self) -> usize {
        self.begins.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_separator_and_line_end_is_found() {
        let mut state = 1u64;
        for length in 0..300 {
            let text: Vec<u8> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    b",\nab\0;\xFF-"[(state >> 61) as usize]
                })
                .collect();
            for separator in [b',', b';', b'-'] {
                let is = |at: &usize| text[*at] == separator || text[*at] == b'\n';
                let expected: Vec<usize> = (0..length).filter(is).collect();
                assert_eq!(Ends::of(&text, separator).collect::<Vec<_>>(), expected, "{text:?}");
            }
        }
    }

    #[test]
    fn a_field_stands_between_its_neighbours() {
        let text = b"x\nab,,c\n";
        let row = Plain { text, begins: &[2, 5, 6, 8] };
        let fields: Vec<&[u8]> = (0..4).map(|column| row.span(column, column)).collect();
        assert_eq!(fields, [&b"ab"[..], b"", b"c", b""]);
        assert_eq!((row.columns(), row.span(0, 1), row.span(1, 2)), (3, &b"ab,"[..], &b",c"[..]));
    }
}
