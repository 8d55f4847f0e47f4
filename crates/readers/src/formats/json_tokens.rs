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
