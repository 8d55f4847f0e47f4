//! Removes what terminals, logs and quotations add to a text: escape sequences, such as those of colours, the first and
//! last lines of a recording, and what stands before each line.

use crate::encoding::MARK;

const ESCAPE: u8 = 0x1B;

/// How many additions are removed, one after another: a log can quote a log.
const DEEPEST: usize = 6;

/// Whether a file that begins so has such additions.
pub(crate) fn has_additions(head: &[u8]) -> bool {
    has_escapes(head) || is_framed(head) || Beginning::of(head).is_some()
}

/// Removes them from a text; its first bytes, `head` of them, tell whether it has any. No line is removed or added, except
/// that the parts of one become one.
pub(crate) fn without_additions(mut bytes: Vec<u8>, head: usize) -> Vec<u8> {
    for _ in 0..DEEPEST {
        let start = &bytes[..bytes.len().min(head)];
        if let Some(beginning) = Beginning::of(start) {
            bytes = beginning.removed(&bytes);
        } else if is_framed(start) {
            bytes = without_frame(&bytes);
        } else if has_escapes(start) {
            bytes = without_escapes(&bytes);
        } else {
            break;
        }
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

/// Whether an escape sequence ends a colour or a style, erases a line, or shows or hides the cursor.
fn is_end(sequence: &[u8]) -> bool {
    let style = sequence.strip_prefix(b"\x1b[").and_then(|rest| rest.strip_suffix(b"m"));
    let last = style.and_then(|style| style.rsplit(|&byte| byte == b';').next());
    sequence.ends_with(b"K")
        || sequence.starts_with(b"\x1b[?")
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

/// Whether the first line with content is one that `script` or journald writes, and not the program.
fn is_framed(head: &[u8]) -> bool {
    let first = head.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    first.is_some_and(is_frame)
}

fn is_frame(line: &[u8]) -> bool {
    const BEGIN: [&[u8]; 5] = [
        b"Script started on ",
        b"Script done on ",
        b"-- Logs begin at ",
        b"-- Journal begins at ",
        b"-- Boot ",
    ];
    BEGIN.iter().any(|begin| line.starts_with(begin))
}

/// The text with empty lines in their place.
fn without_frame(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    lines.flat_map(|line| if is_frame(line) { &b"\n"[..] } else { line }).copied().collect()
}

// What logs, quotations and comments put before each line of a text: a time, the name of a process or of a
// container, a level, `> `, `// `.

/// The line without its beginning, if it has it.
type Rest = fn(&[u8]) -> Option<&[u8]>;

/// What all lines with content begin with.
#[derive(Clone, Copy)]
pub(crate) struct Beginning {
    rest: Rest,
    /// Whether all lines begin with the same bytes: the first column of a table has different names.
    is_same: bool,
}

const KINDS: [Beginning; 7] = [
    Beginning { rest: of_syslog, is_same: false },
    Beginning { rest: of_ci, is_same: false },
    Beginning { rest: bracketed, is_same: false },
    Beginning { rest: of_container, is_same: true },
    Beginning { rest: of_level, is_same: false },
    Beginning { rest: quoted, is_same: false },
    Beginning { rest: commented, is_same: true },
];

impl Beginning {
    /// What every line with content begins with. The last line may be cut.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.has(head))
    }

    fn has(self, head: &[u8]) -> bool {
        let mut lines =
            head.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).peekable();
        let mut first = None;
        let is_cut = |line: &[u8], first: Option<&[u8]>| {
            !head.ends_with(b"\n") && first.is_some_and(|first| line.len() <= first.len())
        };
        while let Some(line) = lines.next() {
            let before = (self.rest)(line).map(|rest| line[..line.len() - rest.len()].trim_ascii_end());
            let fits = before.is_some_and(|before| !self.is_same || *first.get_or_insert(before) == before);
            if fits {
                first = first.or(before);
            } else if lines.peek().is_some() || !is_cut(line, first) {
                return false;
            }
        }
        first.is_some()
    }

    /// The text without it. A line that a container's log has in parts is one again.
    fn removed(self, bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::with_capacity(bytes.len());
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let rest = (self.rest)(line).unwrap_or(line);
            let is_part = line[..line.len() - rest.len()].ends_with(b" P ");
            text.extend_from_slice(if is_part { rest.strip_suffix(b"\n").unwrap_or(rest) } else { rest });
        }
        text
    }
}

/// `2026-11-20T09:15:04.123Z ` in the logs of GitHub, GitLab, Azure and Jenkins, and
/// `2026-11-20T09:15:04.123456789Z stdout F ` in those of Kubernetes.
fn of_ci(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_prefix(MARK).unwrap_or(line);
    // GitHub's command-line client writes the job and the step before it.
    let mut tabs = memchr::memchr_iter(b'\t', line);
    let after_step = tabs.nth(1).map(|tab| &line[tab + 1..]);
    let line = after_step
        .map(|rest| rest.strip_prefix(MARK).unwrap_or(rest))
        .filter(|rest| Time::of(rest).is_some_and(|time| time.is_of_log()))
        .unwrap_or(line);
    let time = Time::of(line)?;
    if let Some(text) = after_stream(time.rest) {
        return Some(text);
    }
    time.is_of_log().then_some(time.rest)?;
    after(time.rest, b"").map(without_stream)
}

/// What follows ` stdout F ` and the like; `P` is the tag of a part of a line.
fn after_stream(rest: &[u8]) -> Option<&[u8]> {
    let rest = rest.strip_prefix(b" stdout ").or_else(|| rest.strip_prefix(b" stderr "))?;
    after(rest.strip_prefix(b"F").or_else(|| rest.strip_prefix(b"P"))?, b"")
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

/// `[2026-11-20T09:15:04.123Z] ` and `[2026-11-20 09:15:04] `.
fn bracketed(line: &[u8]) -> Option<&[u8]> {
    after(Time::of(line.strip_prefix(b"[")?)?.rest, b"]")
}

/// `Nov 20 09:15:04 host bench[123]: ` of syslog and journald, or with the date `2026-11-20T09:15:04+0200`.
fn of_syslog(line: &[u8]) -> Option<&[u8]> {
    let (rest, needs_process) = match short_time(line) {
        Some(rest) => (rest, false),
        None => (Time::of(line)?.rest, true),
    };
    let mut words = rest.strip_prefix(b" ")?.splitn(3, |&byte| byte == b' ');
    let (host, tag) = (words.next()?, words.next()?);
    let name = tag.trim_ascii_end().strip_suffix(b":")?;
    let has_process = name.ends_with(b"]") && name.contains(&b'[');
    let fits = !host.is_empty() && !name.is_empty() && (has_process || !needs_process);
    // Without a text, the end of the line belongs to the last word.
    fits.then(|| words.next().unwrap_or(&tag[name.len() + 1..]))
}

/// What follows `Nov 20 09:15:04` or `Nov  2 09:15:04.123456`.
fn short_time(line: &[u8]) -> Option<&[u8]> {
    let (month, rest) = line.split_at_checked(3)?;
    let is_month = b"JanFebMarAprMayJunJulAugSepOctNovDec".chunks(3).any(|known| known == month);
    let rest = matching(rest, b" 00 00:00:00").or_else(|| matching(rest, b"  0 00:00:00"));
    rest.filter(|_| is_month).map(|rest| fraction(rest).1)
}

/// `bench-1  | ` of docker compose.
fn of_container(line: &[u8]) -> Option<&[u8]> {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    let rest = &line[line.iter().take_while(is_name).count()..];
    let bar = rest.trim_ascii_start();
    (rest.len() < line.len() && bar.len() < rest.len()).then_some(())?;
    after(bar, b"|")
}

/// `[INFO] ` of Maven.
fn of_level(line: &[u8]) -> Option<&[u8]> {
    const LEVELS: [&[u8]; 5] = [b"[INFO]", b"[WARNING]", b"[WARN]", b"[ERROR]", b"[DEBUG]"];
    LEVELS.iter().find_map(|level| after(line, level))
}

/// `> ` of electronic mail and Markdown.
fn quoted(line: &[u8]) -> Option<&[u8]> {
    after(line, b">")
}

/// `// ` and other marks of comments.
fn commented(line: &[u8]) -> Option<&[u8]> {
    const MARKS: [&[u8]; 6] = [b"//!", b"///", b"//", b"#", b" *", b"*"];
    MARKS.iter().find_map(|mark| after(line, mark))
}

/// What follows this and a blank, or the end of the line.
fn after<'a>(line: &'a [u8], beginning: &[u8]) -> Option<&'a [u8]> {
    let rest = line.strip_prefix(beginning)?;
    rest.strip_prefix(b" ").or_else(|| Some(rest).filter(|rest| rest.trim_ascii().is_empty()))
}

/// A date with a time of day at the beginning of a line.
struct Time<'a> {
    rest: &'a [u8],
    /// The number of digits of the fraction of a second.
    digits: usize,
    has_zone: bool,
}

impl<'a> Time<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        let rest =
            matching(line, b"0000-00-00T00:00:00").or_else(|| matching(line, b"0000-00-00 00:00:00"))?;
        let (digits, rest) = fraction(rest);
        let offsets: [&[u8]; 4] = [b"+00:00", b"-00:00", b"+0000", b"-0000"];
        let after =
            rest.strip_prefix(b"Z").or_else(|| offsets.iter().find_map(|offset| matching(rest, offset)));
        Some(Self { rest: after.unwrap_or(rest), digits, has_zone: after.is_some() })
    }

    /// Whether it is as precise as only logs have it, and a table of coarser times does not.
    fn is_of_log(&self) -> bool {
        self.digits >= 3 && self.has_zone
    }
}

/// The number of digits of a fraction such as `.123`, and what follows.
fn fraction(rest: &[u8]) -> (usize, &[u8]) {
    let Some(decimals) = rest.strip_prefix(b".").or_else(|| rest.strip_prefix(b",")) else {
        return (0, rest);
    };
    let digits = decimals.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { (0, rest) } else { (digits, &decimals[digits..]) }
}

/// What follows a beginning that has a digit wherever the pattern has `0`, and its other characters.
fn matching<'a>(line: &'a [u8], pattern: &[u8]) -> Option<&'a [u8]> {
    let (beginning, rest) = line.split_at_checked(pattern.len())?;
    let fits = |(&byte, &sign): (&u8, &u8)| if sign == b'0' { byte.is_ascii_digit() } else { byte == sign };
    beginning.iter().zip(pattern).all(fits).then_some(rest)
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
    fn what_stands_before_each_line_goes() {
        let text = "a: 1\n\n  b\u{1b}[0m 2\n";
        let shown = "a: 1\n\n  b 2\n";
        for before in [
            "2026-11-20T09:15:04.1234567Z ",
            "2026-11-20T09:15:04.123Z 00O ",
            "2026-11-20T09:15:04.123456+02:00 ",
            "2026-11-20T09:15:04.123456789Z stdout F ",
            "2026-11-20T09:15:04+01:00 stderr F ",
            "[2026-11-20T09:15:04.123Z] ",
            "[2026-11-20 09:15:04] ",
            "bench\tRun it\t2026-11-20T09:15:04.1234567Z ",
            "bench\tRun it\t\u{FEFF}2026-11-20T09:15:04.1234567Z ",
            "Nov 20 09:15:04 host-1 bench[123]: ",
            "Nov  2 09:15:04 host-1 bench: ",
            "2026-11-20T09:15:04+0100 host-1 bench[123]: ",
            "bench-1  | ",
            "bench_1 | ",
            "\u{1b}[36mbench-1  | \u{1b}[0m",
            "[INFO] ",
            "[\u{1b}[1;34mINFO\u{1b}[m] ",
            "> ",
            "> > ",
            "2026-11-20T09:15:04.1234567Z bench-1  | [INFO] ",
        ] {
            let all: String = text.split_inclusive('\n').flat_map(|line| [before, line]).collect();
            assert_eq!(plain(&all), shown, "{before}");
            let trimmed: String = all.lines().flat_map(|line| [line.trim_end(), "\r\n"]).collect();
            assert_eq!(plain(&trimmed).replace('\r', ""), shown, "{before}");
            let cut = &all[..all.len() - 8];
            assert_eq!(plain(cut), shown[..shown.len() - 4], "{before}");
        }
    }

    #[test]
    fn what_only_resembles_such_a_beginning_stays() {
        for text in [
            "2026-11-20T09:15:04Z 1\n",
            "2026-11-20T09:15:04.123Z,1\n",
            "2026-11-20T09:15:04.123Z 1\nx\ny\n",
            "2026-11-20 09:15:04 a b: 1\n",
            "[2026-11-20 09:15:04],1\n",
            "parse | 1\nwrite | 2\n",
            "parse | 1\nwrite | 2",
            "[INFO] 1\n2\n",
            "name | ns\n-----|---\n",
            "> a\nb\nc\n",
            ">a\n",
            "[INFO],1\n",
            "level\n[INFO] 1\n[INFO] 2\n",
            "May 1 2\n",
            "| a | b |\n",
        ] {
            assert_eq!(plain(text), text);
        }
    }

    #[test]
    fn a_line_in_parts_is_one_and_a_recording_has_no_frame() {
        for (text, shown) in [
            (
                "2026-11-20T09:15:04.1Z stdout P {\"a\":\n2026-11-20T09:15:04.1Z stdout F  1}\n",
                "{\"a\": 1}\n",
            ),
            (
                "Script started on 2026-11-20 09:15:04+00:00 [<not executed on terminal>]\na\nb\n\n\
                 Script done on 2026-11-20 09:15:05+00:00 [COMMAND_EXIT_CODE=\"0\"]\n",
                "\na\nb\n\n\n",
            ),
            (
                "-- Journal begins at Fri 2026-11-20 09:15:04 UTC. --\nNov 20 09:15:04 h x[1]: a\n\
                 Nov 20 09:15:04 h x[1]: b\n",
                "\na\nb\n",
            ),
            (
                "section_start:1790000000:run\r\u{1b}[0K\u{1b}[0Kheading\u{1b}[0;m\na\n\
                 section_end:1790000001:run\r\u{1b}[0K\nb\n",
                "heading\na\n\nb\n",
            ),
            ("\u{1b}[?25la\u{1b}[?25h\n", "a\n"),
        ] {
            assert_eq!(plain(text), shown);
        }
    }
}
