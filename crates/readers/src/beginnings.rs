//! What logs, quotations and comments put before each line of a text: a time, the name of a process or of a container, a
//! level, `> `, `// `.

use crate::source::MARK;

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
    pub(crate) fn removed(self, bytes: &[u8]) -> Vec<u8> {
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
