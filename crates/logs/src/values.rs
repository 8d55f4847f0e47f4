//! Converts values as written in a line to values of a column. A value that does not have the form of the
//! column is missing: it is neither defaulted nor guessed.

use std::borrow::Cow;

use crate::json::decoded;

/// The length of a hash, in hex digits.
pub const HASH: usize = 64;

/// Parses a 64-bit integer. `1.0` and `1e3` are not integers.
#[must_use]
#[inline]
pub fn integer(raw: &[u8]) -> Option<i64> {
    let (negative, digits) = raw.strip_prefix(b"-").map_or((false, raw), |digits| (true, digits));
    if digits.is_empty() || digits.len() > 19 {
        return None;
    }
    let (eights, rest) = digits.as_chunks::<8>();
    let mut sum: u64 = 0;
    for digits in eights {
        sum = sum * 100_000_000 + eight(*digits)?;
    }
    for byte in rest {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        sum = sum * 10 + u64::from(digit);
    }
    if negative { 0_i64.checked_sub_unsigned(sum) } else { i64::try_from(sum).ok() }
}

/// Parses eight digits.
#[inline]
pub(crate) fn eight(digits: [u8; 8]) -> Option<u64> {
    let word = u64::from_le_bytes(digits);
    let halves = 0xf0f0_f0f0_f0f0_f0f0;
    let are_digits = word & word.wrapping_add(0x0606_0606_0606_0606) & halves == 0x3030_3030_3030_3030
        && (word | word.wrapping_add(0x0606_0606_0606_0606)) & halves == 0x3030_3030_3030_3030;
    if !are_digits {
        return None;
    }
    // Neighbours are combined: digits into pairs, pairs into fours, fours into eight.
    let pairs = (word & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(10 << 8 | 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100 << 16 | 1) >> 16 & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(10_000 << 32 | 1) >> 32)
}

/// Parses an integer that is not negative.
#[must_use]
#[inline]
pub fn natural(raw: &[u8]) -> Option<i64> {
    integer(raw).filter(|&value| value >= 0)
}

/// Parses any number; `None` if it is too large for a double.
#[must_use]
pub fn number(raw: &[u8]) -> Option<f64> {
    let is_number = raw.first().is_some_and(|first| *first == b'-' || first.is_ascii_digit());
    let value: f64 = if is_number { fast_float2::parse(raw).ok()? } else { return None };
    value.is_finite().then_some(value)
}

/// Parses the text of a string.
#[must_use]
pub fn text(raw: &[u8]) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    if memchr::memchr(b'\\', inner).is_some() {
        return Some(Cow::Owned(decoded(raw)));
    }
    std::str::from_utf8(inner).ok().map(Cow::Borrowed)
}

/// The first 64 characters of a string if they are hex digits, in the case in which they are written.
#[must_use]
#[inline]
pub fn hash(raw: &[u8]) -> Option<Cow<'_, [u8]>> {
    let inner = raw.strip_prefix(b"\"")?;
    match inner.get(..HASH) {
        Some(digits) if is_hex(digits) => Some(Cow::Borrowed(digits)),
        _ if memchr::memchr(b'\\', inner).is_some() => {
            let text = text(raw)?;
            text.as_bytes()
                .get(..HASH)
                .filter(|digits| is_hex(digits))
                .map(|digits| Cow::Owned(digits.to_vec()))
        }
        _ => None,
    }
}

/// Checks without a branch per digit, because almost all are hex digits.
#[inline]
fn is_hex(digits: &[u8]) -> bool {
    digits.iter().fold(true, |all, digit| all & digit.is_ascii_hexdigit())
}
