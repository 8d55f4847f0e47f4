//! Splits a Go result line into words and parses its numbers.

use crate::text::number;

/// The fields of a line, split at blanks; faster than a general split on the short fields of result lines.
pub(super) struct Words<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.0.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let rest = &self.0[start..];
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.0 = &rest[end..];
        Some(&rest[..end])
    }
}

/// An integer of at most 19 digits.
pub(super) fn integer(bytes: &[u8]) -> Option<u64> {
    let digits = bytes.strip_prefix(b"+").unwrap_or(bytes);
    if digits.is_empty() || digits.len() > 19 {
        return None;
    }
    digits.iter().try_fold(0u64, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u64::from(byte - b'0')))
}

/// A decimal number. Plain digits below 2^53 with at most 22 decimals are exact in one division.
pub(super) fn decimal(bytes: &[u8]) -> Option<f64> {
    const POWERS: [f64; 9] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
    if bytes.len() > 15 {
        return number(bytes);
    }
    let (mut mantissa, mut decimals, mut point) = (0u64, 0usize, false);
    for &byte in bytes {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa * 10 + u64::from(byte - b'0');
                decimals += usize::from(point);
            }
            b'.' if !point => point = true,
            _ => return number(bytes),
        }
    }
    if decimals >= POWERS.len() || bytes.len() == usize::from(point) {
        return number(bytes);
    }
    Some(mantissa as f64 / POWERS[decimals])
}
