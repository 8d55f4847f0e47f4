//! The ends of strings and numbers in JSON text.

/// The place of the quote that ends the string whose content begins at `at`.
pub(super) fn end_of_string(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// The bytes that end the plain part of a string: quotes, backslashes and control characters.
const ENDS_PLAIN: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        ends[byte] = true;
        byte += 1;
    }
    ends[b'"' as usize] = true;
    ends[b'\\' as usize] = true;
    ends
};

/// How many bytes of a string's content stand for themselves.
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| ENDS_PLAIN[byte as usize]).unwrap_or(bytes.len())
}

/// A bit that equal keys share, and different ones rarely.
pub(super) fn mark_of(key: &[u8]) -> u64 {
    let of = |at: usize| key.get(at).map_or(0, |&byte| u32::from(byte));
    let length = key.len();
    let mixed = length as u32 * 7 + of(0) * 3 + of(length / 2) * 5 + of(length.wrapping_sub(1));
    1 << (mixed % 64)
}

/// Like [`crate::text::lossless`], with the backslash escaped as in JSON.
pub(super) fn escaped(bytes: &[u8]) -> String {
    bytes.utf8_chunks().fold(String::with_capacity(bytes.len() + 16), |mut text, chunk| {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\\\x{byte:02X}")));
        text
    })
}

/// The length of the number at the beginning of these bytes by JSON's grammar, and whether it is an integer.
pub(super) fn number_at(bytes: &[u8]) -> Option<(usize, bool)> {
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = usize::from(bytes.first() == Some(&b'-'));
    let mut at = start + digits(start);
    if at == start || (bytes[start] == b'0' && at > start + 1) {
        return None;
    }
    let integer = at;
    if bytes.get(at) == Some(&b'.') {
        let decimals = digits(at + 1);
        at += 1 + decimals;
        (decimals > 0).then_some(())?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let signed = usize::from(matches!(bytes.get(at + 1), Some(b'-' | b'+')));
        let exponent = digits(at + 1 + signed);
        at += 1 + signed + exponent;
        (exponent > 0).then_some(())?;
    }
    let ends = !matches!(bytes.get(at), Some(b'-' | b'+' | b'.' | b'e' | b'E'));
    ends.then_some((at, at == integer))
}
