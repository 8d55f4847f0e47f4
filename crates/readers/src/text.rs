//! Text from strangers: bytes to strings without losing a byte, and to numbers without guessing.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

/// The bytes as text. Bytes that are not UTF-8 are kept visible as `\xNN`, so that two names which
/// differ only there stay two names.
#[must_use]
pub fn lossless(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    Cow::Owned(text)
}

/// A path as text, in which two paths stay two.
#[must_use]
pub fn name_of(path: &Path) -> String {
    lossless(path.as_os_str().as_encoded_bytes()).into_owned()
}

/// A short, printable piece of a line for a message: control characters escaped, at most 60 characters.
#[must_use]
pub fn excerpt(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(400)];
    let text = lossless(head);
    let mut shown: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().count() > 60 || bytes.len() > head.len() {
        shown.push('…');
    }
    shown
}

/// A decimal number, surrounded by nothing; `None` where it is not one. NaN and infinities parse, so
/// that the caller can name them.
#[must_use]
pub fn number(bytes: &[u8]) -> Option<f64> {
    fast_float2::parse(bytes).ok()
}

/// The fields of a line, split at white space.
pub fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty())
}

/// Without white space at both ends.
#[must_use]
pub fn trim(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_text_stay_distinct() {
        assert_eq!(lossless(b"a\xFFb"), "a\\xFFb");
        assert_ne!(lossless(b"a\xFF"), lossless(b"a\xFE"));
        assert_eq!(lossless("µs".as_bytes()), "µs");
    }

    #[test]
    fn an_excerpt_is_short_and_printable() {
        assert_eq!(excerpt(b"\x1b[31mred"), "\\u{1b}[31mred");
        assert!(excerpt(&vec![b'a'; 1_000_000]).chars().count() <= 61);
    }

    #[test]
    fn a_number_is_the_whole_field() {
        assert_eq!(number(b"1e3"), Some(1000.0));
        assert_eq!(number(b"12abc"), None);
        assert_eq!(number(b""), None);
        assert!(number(b"NaN").is_some_and(f64::is_nan));
    }
}
