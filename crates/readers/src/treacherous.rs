//! Characters that can move a cursor, hide text or reorder it. No output of the program contains them
//! unescaped, so that names from untrusted files are shown and never interpreted.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character is a control character, changes the direction of text or is invisible: controls,
/// direction marks, what Unicode lets programs ignore, and letters that look blank.
#[must_use]
pub fn is_treacherous(c: char) -> bool {
    c.is_control()
        || matches!(c as u32,
            0x00AD | 0x034F | 0x061C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F
            | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0x2800 | 0x3164 | 0xFE00..=0xFE0F
            | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB | 0x13430..=0x1345F | 0x1BCA0..=0x1BCA3
            | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

/// Escapes treacherous characters in a JSON document; it parses to the same value. Outside strings JSON allows
/// none of them, and in strings the characters below the blank are already escaped.
#[must_use]
pub fn json_safe(document: &str) -> Cow<'_, str> {
    // A runner of CI takes what follows for a command, wherever it stands in a line. Outside of texts it cannot occur.
    if document.contains("##[") {
        return Cow::Owned(json_safe(&document.replace("##[", "##\\u005b")).into_owned());
    }
    let to_escape = |c: char| c >= '\x7f' && is_treacherous(c);
    // Bytes are faster to check than characters, and most documents hold nothing else.
    if document.bytes().all(|byte| byte < b'\x7f') || !document.chars().any(to_escape) {
        return Cow::Borrowed(document);
    }
    let mut text = String::with_capacity(document.len() + 64);
    for c in document.chars() {
        if to_escape(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_its_meaning_and_controls_nothing() {
        let text = "a\x1b\x7f\u{85}\u{9b}31m\u{202e}\u{2028}\u{e0041}µ漢\n";
        let document = format!("{{\n \"x\": {}\n}}\n", serde_json::to_string(text).unwrap());
        let safe = json_safe(&document);
        assert!(safe.chars().all(|c| c == '\n' || !is_treacherous(c)));
        assert!(safe.contains("\\udb40\\udc41") && safe.contains("µ漢"));
        let read: serde_json::Value = serde_json::from_str(&safe).unwrap();
        assert_eq!(read["x"], text);
        assert!(matches!(json_safe("{\"a\": \"µ\"}\n"), Cow::Borrowed(_)));
        assert_eq!(json_safe("\"##[group]x\""), "\"##\\u005bgroup]x\"");
    }
}
