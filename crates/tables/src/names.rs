//! Names are untrusted text: characters that could move a cursor, hide or reorder text are written as escapes.

use std::borrow::Cow;
use std::fmt::Write as _;

use statera_readers::treacherous::is_treacherous;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The maximum number of combining marks on a letter; more would cover the lines around it.
const MOST_MARKS: usize = 4;

/// Makes a name printable: control, bidirectional and invisible characters become `\u{…}`, as do combining marks
/// beyond [`MOST_MARKS`] on one letter, and what runners of CI take for a command in the output of a step.
#[must_use]
pub fn printable(name: &str) -> Cow<'_, str> {
    match visible(name) {
        Cow::Borrowed(name) => without_commands(name),
        Cow::Owned(name) => Cow::Owned(without_commands(&name).into_owned()),
    }
}

/// Breaks `::name::` at the beginning of a line, or where a line can be folded, and `##[name]` anywhere.
fn without_commands(text: &str) -> Cow<'_, str> {
    if !text.contains("##[") && command_at(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut broken = text.replace("##[", "#\\u{23}[");
    while let Some(at) = command_at(&broken) {
        broken.replace_range(at..=at, "\\u{3a}");
    }
    Cow::Owned(broken)
}

/// The place of two colons that begin the text or follow white space.
fn command_at(text: &str) -> Option<usize> {
    let begins = |at: usize| text[..at].chars().next_back().is_none_or(char::is_whitespace);
    text.match_indices("::").map(|(at, _)| at).find(|&at| begins(at))
}

fn visible(name: &str) -> Cow<'_, str> {
    if name.is_ascii() && !name.bytes().any(|byte| byte.is_ascii_control()) {
        return Cow::Borrowed(name);
    }
    if !name.chars().any(|c| is_treacherous(c) || is_mark(c)) {
        return Cow::Borrowed(name);
    }
    let mut text = String::with_capacity(name.len() + 16);
    let mut marks = 0;
    for c in name.chars() {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        match c {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            c if is_treacherous(c) || marks > MOST_MARKS => {
                let _ = write!(text, "\\u{{{:x}}}", c as u32);
            }
            c => text.push(c),
        }
    }
    Cow::Owned(text)
}

/// Makes a text of several lines printable; ends of lines are kept.
#[must_use]
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_control() && byte != b'\n') {
        return Cow::Borrowed(text);
    }
    let lines: Vec<Cow<'_, str>> = text.split('\n').map(printable).collect();
    Cow::Owned(lines.join("\n"))
}

fn is_mark(c: char) -> bool {
    c.width() == Some(0) && !is_treacherous(c)
}

/// Returns the width of a text in columns of a terminal.
#[must_use]
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// Shortens a text to at most `most` columns. The middle is removed, because names differ at both ends.
#[must_use]
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    if width(text) <= most {
        return Cow::Borrowed(text);
    }
    let room = most.saturating_sub(1);
    let head = take(text.chars(), room.div_ceil(2));
    let tail: String = take(text.chars().rev(), room / 2).chars().rev().collect();
    Cow::Owned(format!("{head}…{tail}"))
}

fn take(chars: impl Iterator<Item = char>, room: usize) -> String {
    let mut used = 0;
    chars
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= room
        })
        .collect()
}

/// Decodes a text of Python (UTF-32, little-endian); units that are not characters become escapes. `byte` is the
/// prefix of the digits of a byte.
#[must_use]
pub fn with_escapes(units: &[u8], byte: &str) -> String {
    let codes = units.chunks_exact(4).map(|unit| u32::from_le_bytes([unit[0], unit[1], unit[2], unit[3]]));
    let shown = |code: u32| match (char::from_u32(code), code) {
        (Some(letter), _) => letter.to_string(),
        // Python represents a byte that it cannot decode as this half of a surrogate pair.
        (None, 0xDC80..=0xDCFF) => format!("{byte}{:02X}", code - 0xDC00),
        (None, _) => format!("\\u{code:04x}"),
    };
    codes.map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_shown_not_obeyed() {
        assert_eq!(printable("a\x1b[31mb"), "a\\u{1b}[31mb");
        assert_eq!(printable("a\nb\tc"), "a\\nb\\tc");
        assert_eq!(printable("evil\u{202e}txt"), "evil\\u{202e}txt");
        assert_eq!(printable("µs/größe"), "µs/größe");
    }

    #[test]
    fn runners_of_ci_find_no_command() {
        assert_eq!(printable("::set-output name=x::y"), "\\u{3a}:set-output name=x::y");
        assert_eq!(printable("a ::add-mask::b"), "a \\u{3a}:add-mask::b");
        assert_eq!(printable("x##[group]"), "x#\\u{23}[group]");
        assert_eq!(printable("crate::module::bench"), "crate::module::bench");
    }

    #[test]
    fn marks_flood_nothing() {
        assert_eq!(printable("e\u{301}\u{323}x"), "e\u{301}\u{323}x");
        let flood = format!("e{}x", "\u{301}".repeat(6));
        assert_eq!(printable(&flood), format!("e{}\\u{{301}}\\u{{301}}x", "\u{301}".repeat(4)));
    }

    #[test]
    fn a_text_for_a_terminal_keeps_its_lines() {
        assert_eq!(for_terminal("a\tb\r\n\x1b[1m\u{9b}\n\nµ\n"), "a\\tb\\r\n\\u{1b}[1m\\u{9b}\n\nµ\n");
        assert!(matches!(for_terminal("a,b\n1,2\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shortened("BenchmarkSomethingLong/size=1048576", 16), "Benchmar…1048576");
        assert!(width(&shortened("漢字漢字漢字漢字", 7)) <= 7);
        assert_eq!(shortened("short", 16), "short");
        assert_eq!(shortened("abc", 1), "…");
    }

    #[test]
    fn what_is_no_character_becomes_an_escape() {
        let units: Vec<u8> =
            [0x61, 0xDCFF, 0xD800, 0x1F600].iter().flat_map(|code: &u32| code.to_le_bytes()).collect();
        assert_eq!(with_escapes(&units, "\\x"), "a\\xFF\\ud800😀");
    }
}
