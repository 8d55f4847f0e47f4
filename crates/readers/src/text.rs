//! Converts untrusted bytes: to strings without losing a byte, and to numbers without guessing.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

/// The bytes as text. Bytes that are not UTF-8 stay visible as `\xNN`, so that two names that differ only there
/// remain different.
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

/// A path as text; different paths give different texts.
#[must_use]
pub fn name_of(path: &Path) -> String {
    lossless(path.as_os_str().as_encoded_bytes()).into_owned()
}

/// A short, printable excerpt of a line for a message: control characters escaped, at most 60 characters.
#[must_use]
pub fn excerpt(text: impl AsRef<[u8]>) -> String {
    let bytes = text.as_ref();
    let head = &bytes[..bytes.len().min(400)];
    let text = lossless(head);
    let mut shown = String::new();
    for sign in text.chars().take(60) {
        match sign {
            // Quotation marks harm nothing in a message.
            '"' | '\'' => shown.push(sign),
            _ => shown.extend(sign.escape_debug()),
        }
    }
    if text.chars().count() > 60 || bytes.len() > head.len() {
        shown.push('…');
    }
    shown
}

/// Parses a decimal number without surrounding space; `None` if it is not one. NaN and infinities parse, so
/// that the caller can report them.
#[must_use]
pub fn number(text: impl AsRef<[u8]>) -> Option<f64> {
    fast_float2::parse(text).ok()
}

/// Parses a number that is printed with decimals: the last point or comma is the decimal mark, and the other of the two
/// groups digits.
#[must_use]
pub fn decimal(text: &str) -> Option<f64> {
    let Some((whole, decimals)) = text.rsplit_once(['.', ',']) else { return number(text.as_bytes()) };
    let grouping = if text[whole.len()..].starts_with(',') { "." } else { "," };
    number(format!("{}.{decimals}", whole.replace(grouping, "")).as_bytes())
}

/// The number without the commas between each three of its digits: `4247.89` of `4,247.89`. People group what a program
/// prints without groups.
#[must_use]
pub fn ungrouped(digits: &str) -> Cow<'_, str> {
    let whole = digits.split_once('.').map_or(digits, |(whole, _)| whole);
    let mut groups = whole.split(',');
    let is_first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()));
    if !is_first || !groups.clone().all(|group| group.len() == 3) || groups.next().is_none() {
        return Cow::Borrowed(digits);
    }
    Cow::Owned(digits.replacen(',', "", whole.len()))
}

/// The sign `±`, and what it becomes where a console of Windows takes its UTF-8 for the code page 437 or 850 (also 852 and
/// 866), 1252 (also 1250), 1251, 936 or 932.
pub const PLUS_MINUS: [&str; 6] = ["±", "┬▒", "Â±", "В±", "卤", "ﾂｱ"];

/// The signs of a millionth, `μ` and `µ`, and what they become in the code pages 437, 850, 1252, 936 and 932.
pub const MICRO: [&str; 12] = ["μ", "µ", "u", "╬╝", "┬╡", "┬Á", "Î¼", "Âµ", "渭", "碌", "ﾎｼ", "ﾂｵ"];

/// Whether these digits of an integer differ from the value that they parse to. Few values are so large that
/// the comparison is made.
#[must_use]
#[inline]
pub fn is_rounded(digits: &[u8], value: f64) -> bool {
    const EXACT: f64 = (1u64 << 53) as f64;
    value.abs() >= EXACT && value.is_finite() && differs(digits, value)
}

fn differs(digits: &[u8], value: f64) -> bool {
    let digits = digits.strip_prefix(b"-").or_else(|| digits.strip_prefix(b"+")).unwrap_or(digits);
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.iter().all(u8::is_ascii_digit) && digits[zeros..] != *format!("{:.0}", value.abs()).as_bytes()
}

/// A text for a message, cut where it would fill the screen.
#[must_use]
pub fn shortened(mut text: String) -> String {
    const MOST: usize = 2000;
    if text.len() > MOST {
        let end = (0..=MOST).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Lists names in a message: the first ones, and how many more there are.
#[must_use]
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| excerpt(name.as_ref().as_bytes())).collect();
    let more = names.len().saturating_sub(SHOWN);
    shown.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}

/// The fields of a line, split at white space.
pub fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty())
}

/// The text without white space at both ends.
#[must_use]
pub fn trim(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii()
}

/// A number whose groups of three digits are separated by commas, as in English.
pub(crate) fn grouped(text: &str) -> Option<f64> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, decimals) = text.split_once('.').map_or((text, ""), |(whole, decimals)| (whole, decimals));
    let mut groups = whole.split(',');
    let first = groups.next()?;
    let sound = (1..=3).contains(&first.len()) || !whole.contains(',');
    if !sound || !groups.all(|group| group.len() == 3) || !digits(&whole.replace(',', "")) {
        return None;
    }
    let text = if decimals.is_empty() {
        whole.replace(',', "")
    } else {
        format!("{}.{decimals}", whole.replace(',', ""))
    };
    (decimals.is_empty() || digits(decimals)).then(|| number(text.as_bytes())).flatten()
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
        assert!(excerpt(vec![b'a'; 1_000_000]).chars().count() <= 61);
    }

    #[test]
    fn a_number_is_the_whole_field() {
        assert_eq!(number(b"1e3"), Some(1000.0));
        assert_eq!(number(b"12abc"), None);
        assert_eq!(number(b""), None);
        assert!(number(b"NaN").is_some_and(f64::is_nan));
    }

    #[test]
    fn commas_between_three_digits_each_group() {
        for (text, bare) in [
            ("4,247.89", "4247.89"),
            ("1,080,500", "1080500"),
            ("127,410", "127410"),
            ("4.25", "4.25"),
            ("12,5", "12,5"),
            ("1234,567", "1234,567"),
            ("1.234,567", "1.234,567"),
            (",123", ",123"),
            ("", ""),
        ] {
            assert_eq!(ungrouped(text), bare, "{text}");
        }
    }

    #[test]
    fn the_last_mark_is_the_decimal_mark() {
        for (text, value) in [
            ("0.119", Some(0.119)),
            ("0,119", Some(0.119)),
            ("1,084.321", Some(1084.321)),
            ("1.084,321", Some(1084.321)),
            ("12", Some(12.0)),
            ("1,084,321", None),
            ("a,5", None),
            ("", None),
        ] {
            assert_eq!(decimal(text), value, "{text}");
        }
    }

    #[test]
    fn a_whole_number_that_a_double_cannot_hold_is_rounded() {
        let power = format!("{}", 1u128 << 100);
        for (digits, rounded) in [
            ("9007199254740992", false),
            ("9007199254740993", true),
            ("-9007199254740993", true),
            ("+09007199254740994", false),
            ("18446744073709551615", true),
            ("18446744073709551616", false),
            (&power, false),
            ("100000000000000000000000000000000000001", true),
            ("1e300", false),
            ("9007199254740993.0", false),
        ] {
            assert_eq!(
                is_rounded(digits.as_bytes(), number(digits.as_bytes()).unwrap()),
                rounded,
                "{digits}"
            );
        }
    }
}
