//! Removes what terminals and the logs of continuous integration add to a text: escape sequences, such as those of colours,
//! and the time at which each line was logged.

use crate::source::MARK;

const ESCAPE: u8 = 0x1B;

/// Whether a file that begins so has such additions.
pub(crate) fn has_additions(head: &[u8]) -> bool {
    has_escapes(head) || is_logged(head)
}

/// Removes them from a text; its first bytes, `head` of them, tell whether it has any. No line is removed or added.
pub(crate) fn without_additions(mut bytes: Vec<u8>, head: usize) -> Vec<u8> {
    let begins = |bytes: &[u8], so: fn(&[u8]) -> bool| so(&bytes[..bytes.len().min(head)]);
    if begins(&bytes, is_logged) {
        bytes = without_times(&bytes);
    }
    if begins(&bytes, has_escapes) {
        bytes = without_escapes(&bytes);
    }
    bytes
}

/// Whether it is a text that was written for a terminal: with escape sequences, some of which end a colour or erase a
/// line. Other content may have these bytes by chance, and a name may hold a single sequence.
fn has_escapes(head: &[u8]) -> bool {
    let is_text = |byte: &u8| !matches!(byte, 0..=6 | 0x0E..=0x1A | 0x1C..=0x1F);
    memchr::memmem::find_iter(head, b"\x1b[").any(|at| is_end(sequence(&head[at..])))
        && head.iter().all(is_text)
}

/// Whether an escape sequence ends a colour or a style, or erases a line.
fn is_end(sequence: &[u8]) -> bool {
    let style = sequence.strip_prefix(b"\x1b[").and_then(|rest| rest.strip_suffix(b"m"));
    let last = style.and_then(|style| style.rsplit(|&byte| byte == b';').next());
    sequence.ends_with(b"K")
        || matches!(last, Some(b"" | b"0" | b"22" | b"23" | b"24" | b"27" | b"29" | b"39" | b"49"))
}

/// The text as a terminal shows it: what a progress bar wrote before it returned to the beginning of its line is gone.
fn without_escapes(bytes: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(bytes.len());
    let (mut line, mut returned, mut at) = (0, false, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            ESCAPE => {
                let sequence = sequence(&bytes[at..]);
                at += sequence.len();
                if sequence == b"\x1b[2K" || returned && matches!(sequence, b"\x1b[K" | b"\x1b[0K") {
                    shown.truncate(line);
                }
                continue;
            }
            b'\r' => returned = true,
            b'\n' => {
                shown.push(byte);
                (line, returned) = (shown.len(), false);
            }
            _ => {
                if std::mem::take(&mut returned) {
                    shown.truncate(line);
                }
                shown.push(byte);
            }
        }
        at += 1;
    }
    shown
}

/// The escape sequence with which the bytes begin. One that does not end on its line is its first byte alone.
fn sequence(bytes: &[u8]) -> &[u8] {
    let until = |ends: fn(&u8) -> bool| bytes.iter().skip(2).position(ends).map(|at| at + 3);
    let length = match bytes.get(1) {
        // A control sequence has parameters, and ends with a letter or a similar character.
        Some(b'[') => until(|byte| !(0x20..0x40).contains(byte)).filter(|&end| bytes[end - 1] >= b'@'),
        // A title or a link ends with a bell, or with an escape sequence of its own.
        Some(b']') => {
            until(|&byte| matches!(byte, 7 | ESCAPE | b'\n')).and_then(|end| match bytes[end - 1] {
                7 => Some(end),
                ESCAPE if bytes.get(end) == Some(&b'\\') => Some(end + 1),
                _ => None,
            })
        }
        Some(b'(' | b')') => Some(3).filter(|&end| end <= bytes.len()),
        Some(0x30..=0x7E) => Some(2),
        _ => None,
    };
    &bytes[..length.unwrap_or(1)]
}

/// Whether every line with content begins with the time at which it was logged. The last line may be cut.
fn is_logged(head: &[u8]) -> bool {
    let mut lines = head.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).peekable();
    let mut any = false;
    while let Some(line) = lines.next() {
        if logged(line).is_some() {
            any = true;
        } else if lines.peek().is_some() || !any {
            return false;
        }
    }
    any
}

fn without_times(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    lines.flat_map(|line| logged(line).unwrap_or(line)).copied().collect()
}

/// The line without the time before it, as the logs of GitHub, GitLab, Azure and Jenkins have it: `2026-11-20T09:15:04.123Z `.
fn logged(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_prefix(MARK).unwrap_or(line);
    // GitHub's command-line client writes the job and the step before it.
    let mut tabs = memchr::memchr_iter(b'\t', line);
    let after_step = tabs.nth(1).map(|tab| &line[tab + 1..]);
    let line = after_step
        .map(|rest| rest.strip_prefix(MARK).unwrap_or(rest))
        .filter(|rest| time(rest).is_some())
        .unwrap_or(line);
    let (line, is_bracketed) = line.strip_prefix(b"[").map_or((line, false), |line| (line, true));
    let rest = time(line)?;
    let rest = if is_bracketed { rest.strip_prefix(b"]")? } else { rest };
    match rest.strip_prefix(b" ") {
        Some(text) => Some(without_stream(text)),
        None => Some(rest).filter(|rest| rest.trim_ascii().is_empty()),
    }
}

/// The line without what GitLab writes after the time: the number of the stream, and which of the two outputs it is.
fn without_stream(line: &[u8]) -> &[u8] {
    match line {
        [high, low, b'O' | b'E', text @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
            match text {
                [b' ' | b'+', text @ ..] => text,
                [] | [b'\r' | b'\n', ..] => text,
                _ => line,
            }
        }
        _ => line,
    }
}

/// What follows the time at the beginning of a line: to at least a thousandth of a second, in UTC.
fn time(line: &[u8]) -> Option<&[u8]> {
    const PATTERN: &[u8] = b"0000-00-00T00:00:00.000";
    let (time, rest) = line.split_at_checked(PATTERN.len())?;
    let fits = |(&byte, &sign): (&u8, &u8)| if sign == b'0' { byte.is_ascii_digit() } else { byte == sign };
    if !time.iter().zip(PATTERN).all(fits) {
        return None;
    }
    let digits = rest.iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
    rest[digits..].strip_prefix(b"Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        let bytes = if has_additions(text.as_bytes()) {
            without_additions(text.as_bytes().to_vec(), usize::MAX)
        } else {
            text.as_bytes().to_vec()
        };
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_text_with_escape_sequences_reads_as_a_terminal_shows_it() {
        for (text, shown) in [
            ("\x1b[1m\x1b[32ma\x1b[0m 1 \x1b[38;5;208mms\x1b[39m\r\n\x1b[?25l\n", "a 1 ms\n\n"),
            ("busy 10%\rbusy 90%\r\x1b[Kdone\nnext\n", "done\nnext\n"),
            ("busy\x1b[2K\rdone\n", "done\n"),
            ("done\r\x1b[0m\n", "done\n"),
            ("\x1b]8;;https://x/\x1b\\name\x1b]8;;\x07 \x1b(B\x1b[m\x1b7\x1b[1G1\n", "name 1\n"),
            ("\x1b[mcut\x1b[3\n\x1b]0;title\n\x1b", "cut[3\n]0;title\n"),
        ] {
            assert_eq!(plain(text), shown, "{text:?}");
        }
        for text in ["a\rb\n", "\x1bc\n", "a\x1b[31m 1\n", "a\x1b[2J 1\n", "\0\x1b[0m\n", "PAR1\x15\x1b[0m"] {
            assert_eq!(plain(text), text, "{text:?}");
        }
    }

    #[test]
    fn the_times_of_a_log_go() {
        let text = "a: 1\n\n  b\u{1b}[0m 2\n";
        let shown = "a: 1\n\n  b 2\n";
        for before in [
            "2026-11-20T09:15:04.1234567Z ",
            "2026-11-20T09:15:04.123Z 00O ",
            "[2026-11-20T09:15:04.123Z] ",
            "bench\tRun it\t2026-11-20T09:15:04.1234567Z ",
            "bench\tRun it\t\u{FEFF}2026-11-20T09:15:04.1234567Z ",
        ] {
            let all: String = text.split_inclusive('\n').flat_map(|line| [before, line]).collect();
            assert_eq!(plain(&all), shown, "{before}");
            let trimmed: String = all.lines().flat_map(|line| [line.trim_end(), "\r\n"]).collect();
            assert_eq!(plain(&trimmed).replace('\r', ""), shown, "{before}");
            let cut = &all[..all.len() - 8];
            assert_eq!(plain(cut), shown[..shown.len() - 4], "{before}");
        }
        for text in
            ["2026-11-20T09:15:04Z 1\n", "2026-11-20T09:15:04.123Z,1\n", "2026-11-20T09:15:04.123Z 1\nx\ny\n"]
        {
            assert_eq!(plain(text), text);
        }
    }
}
