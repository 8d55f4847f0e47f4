//! Reads result lines just as Go writes them, eight bytes at a time. All other lines are left to `go.rs`, also each of which
//! anything is unusual: both give the same values.

use super::go_units::Units;
use crate::sheet::Sheet;

/// The last benchmark: Go repeats names one below the other.
#[derive(Default)]
pub(super) struct Quick<'a> {
    name: &'a [u8],
    benchmark: u32,
}

impl<'a> Quick<'a> {
    /// Reads the line with which the text begins, and returns its length and that of its end; `None`, and no value, if it
    /// is no line as Go writes it, or one of a unit that is not known yet at this place.
    #[inline]
    pub(super) fn line(
        &mut self,
        sheet: &mut Sheet,
        units: &Units,
        text: &'a [u8],
        longest: usize,
    ) -> Option<usize> {
        let rest = text.strip_prefix(b"Benchmark")?;
        let is_again = !self.name.is_empty()
            && rest.get(self.name.len()).is_some_and(|&byte| is_blank(byte))
            && rest.starts_with(self.name);
        let length = if is_again { self.name.len() } else { memchr::memchr3(b' ', b'\t', b'\n', rest)? };
        let name = &rest[..length];
        let is_name = is_again || length > 0 && !name.iter().any(u8::is_ascii_whitespace);
        let before = sheet.value.len();
        let end =
            values(sheet, units, rest, length).filter(|&end| is_name && b"Benchmark".len() + end <= longest);
        let Some(end) = end else {
            sheet.value.truncate(before);
            sheet.metric.truncate(before);
            return None;
        };
        if !is_again {
            (self.name, self.benchmark) = (name, sheet.benchmarks.intern_bytes(name));
        }
        sheet.complete(self.benchmark, sheet.lines);
        Some(text.len() - rest.len() + end)
    }
}

/// More values on a line are a fault.
pub(super) const MOST: usize = 32;

/// Adds the values of a line from behind its name, and returns where it ends.
#[inline]
fn values(sheet: &mut Sheet, units: &Units, text: &[u8], mut at: usize) -> Option<usize> {
    at = behind_blanks(text, at)?;
    at = behind_digits(text, at)?;
    for guess in 0..MOST {
        at = behind_blanks(text, at)?;
        let (number, end) = decimal(text, at)?;
        at = behind_blanks(text, end)?;
        let unit = units.guessed(guess).filter(|unit| guess > 0 || unit.is_well_known)?;
        let word: [u8; 16] = text.get(at..at + 16)?.try_into().ok()?;
        if (u128::from_le_bytes(word) ^ unit.word) & unit.mask != 0 {
            return None;
        }
        sheet.metric.push(unit.metric);
        sheet.value.push(number * unit.factor / unit.divisor);
        at += unit.length;
        match text[at] {
            b'\n' => return Some(at + 1),
            b'\r' if text.get(at + 1) == Some(&b'\n') => return Some(at + 2),
            _ => {}
        }
    }
    None
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Eight bytes of a text, the first as the lowest; `None` if fewer are left.
#[inline]
fn eight(text: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(text.get(at..at + 8)?.try_into().ok()?))
}

/// A number of eight equal bytes.
const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Where blanks end; `None` if there is none.
#[inline]
fn behind_blanks(text: &[u8], mut at: usize) -> Option<usize> {
    let begin = at;
    loop {
        let bytes = eight(text, at)?;
        let differs = |byte: u8| {
            let bits = bytes ^ all(byte);
            ((bits & all(0x7F)) + all(0x7F)) | bits
        };
        let count = ((differs(b' ') & differs(b'\t') & all(0x80)).trailing_zeros() / 8) as usize;
        at += count;
        if count < 8 {
            return (at > begin).then_some(at);
        }
    }
}

/// How many of the bytes are digits before the first that is none, and their number. They are fewer than nine.
#[inline]
fn digits(bytes: u64) -> (usize, u64) {
    let values = bytes ^ all(b'0');
    let is_none = ((values & all(0x7F)) + all(0x76)) | values;
    let count = (is_none & all(0x80)).trailing_zeros() / 8;
    if count == 0 {
        return (0, 0);
    }
    // As if zeros stood before them: pairs of digits become numbers below 100, pairs of these below 10⁴, and these below 10⁸.
    let ones = values << (64 - 8 * count);
    let tens = (ones.wrapping_mul(10) + (ones >> 8)) & 0x00FF_00FF_00FF_00FF;
    let hundreds = (tens.wrapping_mul(100) + (tens >> 16)) & 0x0000_FFFF_0000_FFFF;
    (count as usize, (hundreds.wrapping_mul(10_000) + (hundreds >> 32)) & 0xFFFF_FFFF)
}

/// Where an integer of at most 19 digits ends; `None` if there is none.
#[inline]
fn behind_digits(text: &[u8], begin: usize) -> Option<usize> {
    let mut at = begin;
    loop {
        let (count, _) = digits(eight(text, at)?);
        at += count;
        if count < 8 {
            return (1..20).contains(&(at - begin)).then_some(at);
        }
    }
}

/// A decimal number of at most 15 digits without an exponent, and where it ends: it is exact in one division.
#[inline]
fn decimal(text: &[u8], at: usize) -> Option<(f64, usize)> {
    let (whole, mut end) = up_to_15(text, at, 0, at)?;
    if end == at {
        return None;
    }
    if text[end] != b'.' {
        return Some((whole as f64, end));
    }
    let point = end;
    let (all, behind) = up_to_15(text, point + 1, whole, at + 1)?;
    end = behind;
    Some((all as f64 / POWERS[end - point - 1], end))
}

/// Adds digits behind a number. With those before, from `first` on, they are at most 15.
#[inline]
fn up_to_15(text: &[u8], begin: usize, before: u64, first: usize) -> Option<(u64, usize)> {
    let (mut at, mut number) = (begin, before);
    loop {
        let (count, more) = digits(eight(text, at)?);
        at += count;
        if at - first > 15 {
            return None;
        }
        number = number * WHOLE_POWERS[count] + more;
        if count < 8 {
            return Some((number, at));
        }
    }
}

const WHOLE_POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
const POWERS: [f64; 16] =
    [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(f64, usize)> {
        decimal(format!("{text} unit/op").as_bytes(), 0)
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            // A linear congruential generator (Knuth), of which the high bits are random enough.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..200_000 {
            let count = 1 + random(15) as usize;
            let mut text: String = (0..count).map(|_| char::from(b'0' + random(10) as u8)).collect();
            if random(2) == 1 {
                text.insert(1 + random(count as u64) as usize, '.');
            }
            let (value, end) = read(&text).unwrap();
            assert_eq!(
                (value.to_bits(), end),
                (text.parse::<f64>().unwrap().to_bits(), text.len()),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_plain_number_is_left_to_others() {
        for text in ["", ".", "-1", "+1", "x", "NaN", ".5", "1234567890123456", "12345678.12345678"] {
            assert_eq!(read(text), None, "{text}");
        }
        // What follows is no blank.
        for (text, end) in [("1e3", 1), ("1.2.3", 3), ("1,5", 1), ("1/", 1), ("1:", 1), ("1\u{B5}", 1)] {
            assert_eq!(read(text).map(|found| found.1), Some(end), "{text}");
        }
        assert_eq!(digits(u64::from_le_bytes(*b"12345678")), (8, 12_345_678));
        assert_eq!(digits(u64::from_le_bytes(*b"0\xB1234567")), (1, 0));
        for (text, end) in [
            (" \t  x       ", Some(4)),
            ("x          ", None),
            ("          x       ", Some(10)),
            (" \n       ", Some(1)),
        ] {
            assert_eq!(behind_blanks(text.as_bytes(), 0), end, "{text:?}");
        }
    }
}
