//! Removes what terminals, logs and quotations add to a text: escape sequences, such as those of colours, the first and
//! last lines of a recording, and what stands before each line.

use crate::encoding::MARK;

const ESCAPE: u8 = 0x1B;

/// How many additions are removed, one after another: a log can quote a log.
const DEEPEST: usize = 6;

/// Whether a file that begins so has such additions.
pub(crate) fn has_additions(head: &[u8]) -> bool {
    has_escapes(head) || has_returns(head) || is_framed(head) || Beginning::of(head).is_some()
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
        } else if has_escapes(start) || has_returns(start) {
            let returns = are_progress(start);
            bytes = without_escapes(&bytes, returns);
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

/// Whether progress bars return to the beginning of their line, and nothing else does.
fn has_returns(head: &[u8]) -> bool {
    memchr::memchr(b'\r', head).is_some() && memchr::memchr(b'\0', head).is_none() && {
        let lines = || lines(head).map(<[u8]>::trim_ascii);
        let returning = lines().filter(|line| memchr::memchr(b'\r', line).is_some()).count();
        let all = lines().filter(|line| !line.is_empty()).count();
        returning > 0 && 2 * returning <= all && are_progress(head)
    }
}

/// Whether all lines that return show progress, or erase themselves. The readers of other programs know what their returns
/// mean; between quotation marks a return belongs to a cell.
fn are_progress(head: &[u8]) -> bool {
    const MARKS: [&[u8]; 8] = [b"%", b"[=", b"[#", b"[>", b"ETA", b"\x1b[K", b"\x1b[0K", b"\x1b[2K"];
    let has = |text: &[u8], mark: &[u8]| memchr::memmem::find(text, mark).is_some();
    lines(head).map(<[u8]>::trim_ascii).all(|line| match memchr::memrchr(b'\r', line) {
        Some(last) => {
            !has(line, b"\"") && (MARKS.iter().any(|mark| has(line, mark)) || line[last + 1] == ESCAPE)
        }
        None => true,
    })
}

/// The text as a terminal shows it: what a progress bar wrote before it returned to the beginning of its line is gone.
fn without_escapes(bytes: &[u8], returns: bool) -> Vec<u8> {
    let mut shown = Vec::with_capacity(bytes.len());
    let (mut line, mut returned, mut at) = (0, false, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            ESCAPE => {
                let sequence = sequence(&bytes[at..]);
                at += sequence.len();
                if sequence.ends_with(b"J") || sequence.ends_with(b"H") {
                    // What follows replaces what stood before, of which only a reader knows the beginning.
                    shown.extend_from_slice(sequence);
                } else if sequence == b"\x1b[2K" || returned && matches!(sequence, b"\x1b[K" | b"\x1b[0K") {
                    shown.truncate(line);
                }
                continue;
            }
            b'\r' if returns => returned = true,
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
    let first = lines(head).find(|line| !line.trim_ascii().is_empty());
    first.is_some_and(is_frame)
}

/// The lines, and what stands behind the last line end.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text).chain([text.len()]);
    ends.map(move |end| &text[std::mem::replace(&mut start, end + 1)..end])
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

/// Whether a line opens or closes a block in a document or a comment, or names the interpreter of a script: it does not begin as the lines of the block do.
fn is_around(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.starts_with(b"#!")
        || line.starts_with(b"```")
        || line.starts_with(b"~~~")
        || matches!(line, b"/*" | b"/**" | b"*/")
}

/// The line without its beginning, if it has it.
type Rest = fn(&[u8]) -> Option<&[u8]>;

/// What the lines of a log or of a quotation begin with.
#[derive(Clone, Copy)]
pub(crate) struct Beginning {
    rest: Rest,
    lines: Lines,
    /// Whether the first column of a table can look so: then texts follow it, and not only numbers.
    is_said: bool,
}

/// Which lines begin so.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// All that have content; the last one may be cut.
    All,
    /// All, with the same bytes: the first column of a table has different names.
    Same,
    /// At least one of so many. Nothing but a log begins its lines so, and the program wrote the others in one piece
    /// with the line above.
    OneOf(usize),
    /// At least one of four, and all that begin with a time, with the same host after it.
    OfHost,
    /// At least two of three, with the same bytes or with names of containers as wide as each other. The others have no
    /// bar, as the rows of a table have.
    Containers,
}

const KINDS: [Beginning; 12] = [
    Beginning { rest: of_avocado, lines: Lines::OneOf(2), is_said: false },
    Beginning { rest: of_syslog, lines: Lines::OfHost, is_said: false },
    Beginning { rest: of_ci, lines: Lines::All, is_said: false },
    Beginning { rest: of_ci, lines: Lines::OneOf(4), is_said: true },
    Beginning { rest: bracketed, lines: Lines::OneOf(2), is_said: false },
    Beginning { rest: of_pod, lines: Lines::OneOf(2), is_said: false },
    Beginning { rest: of_container, lines: Lines::Containers, is_said: false },
    Beginning { rest: of_level, lines: Lines::All, is_said: false },
    Beginning { rest: quoted, lines: Lines::All, is_said: false },
    Beginning { rest: commented, lines: Lines::Same, is_said: false },
    Beginning { rest: stamped, lines: Lines::OneOf(2), is_said: true },
    Beginning { rest: clocked, lines: Lines::OneOf(2), is_said: true },
];

impl Beginning {
    /// What the lines begin with.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.has(head))
    }

    fn has(self, head: &[u8]) -> bool {
        let lines = || lines(head).filter(|line| !line.trim_ascii().is_empty());
        match self.lines {
            Lines::All => self.has_all(head, lines(), false),
            Lines::Same => self.has_all(head, lines(), true),
            Lines::OneOf(share) => self.begins(share, &lines()),
            Lines::OfHost => {
                let host = |line: &'_ [u8]| {
                    short_time(line).map(|rest| rest.split(|&byte| byte == b' ').nth(1).map(<[u8]>::to_vec))
                };
                let mut hosts = lines().filter_map(host);
                let first = hosts.next();
                let is_syslog = |line: &[u8]| short_time(line).is_none() || of_syslog(line).is_some();
                self.begins(4, &lines()) && hosts.all(|host| Some(host) == first) && lines().all(is_syslog)
            }
            Lines::Containers => self.begins(2, &lines()) && self.has_containers(lines()),
        }
    }

    /// Whether at least one line of so many begins so.
    fn begins<'a>(self, share: usize, lines: &(impl Iterator<Item = &'a [u8]> + Clone)) -> bool {
        // Most texts have no such line, which their first lines show.
        if !lines.clone().take(100).any(|line| self.before(line).is_some()) {
            return false;
        }
        let (mut all, mut found, mut said) = (0, 0, 0);
        for line in lines.clone() {
            all += 1;
            if let Some(rest) = (self.rest)(line) {
                found += 1;
                said += usize::from(is_said(rest));
            }
        }
        found * share >= all && (!self.is_said || 2 * said >= found)
    }

    /// What a line begins with.
    fn before(self, line: &[u8]) -> Option<&[u8]> {
        (self.rest)(line).map(|rest| line[..line.len() - rest.len()].trim_ascii_end())
    }

    fn has_all<'a>(self, head: &[u8], lines: impl Iterator<Item = &'a [u8]>, is_same: bool) -> bool {
        let mut lines = lines.filter(|line| !is_around(line)).peekable();
        let mut first = None;
        let is_cut = |line: &[u8], first: Option<&[u8]>| {
            !head.ends_with(b"\n") && first.is_some_and(|first| line.len() <= first.len())
        };
        while let Some(line) = lines.next() {
            let before = self.before(line);
            let fits = before.is_some_and(|before| !is_same || *first.get_or_insert(before) == before);
            if fits {
                first = first.or(before);
            } else if lines.peek().is_some() || !is_cut(line, first) {
                return false;
            }
        }
        first.is_some()
    }

    fn has_containers<'a>(self, lines: impl Iterator<Item = &'a [u8]>) -> bool {
        let is_numbered = |before: &[u8]| {
            let name = before.strip_suffix(b"|").unwrap_or_default().trim_ascii_end();
            let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            digits > 0 && matches!(name[..name.len() - digits], [.., b'-' | b'_'])
        };
        let (mut first, mut are_same, mut are_containers) = (None::<&[u8]>, true, true);
        let (mut found, mut others) = (0_usize, 0_usize);
        for line in lines {
            let Some(before) = self.before(line) else {
                if memchr::memchr(b'|', line).is_some() {
                    return false;
                }
                others += 1;
                continue;
            };
            let first = *first.get_or_insert(before);
            are_same &= first == before;
            are_containers &= first.len() == before.len() && is_numbered(before);
            if !are_same && !are_containers {
                return false;
            }
            found += 1;
        }
        found > 0 && found >= 2 * others && (others == 0 || found > 1)
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
    let fits =
        !host.is_empty() && !host.ends_with(b":") && !name.is_empty() && (has_process || !needs_process);
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

/// `[pod/bench-7f9c/main] ` of `kubectl logs --prefix`.
fn of_pod(line: &[u8]) -> Option<&[u8]> {
    let inner = line.strip_prefix(b"[pod/")?;
    let end = memchr::memchr(b']', inner)?;
    let is_place = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-/".contains(byte);
    inner[..end].iter().all(is_place).then(|| after(&inner[end..], b"]"))?
}

/// `2026-11-20 09:15:04 ` and `Nov 20 09:15:04 ` of `ts`.
fn stamped(line: &[u8]) -> Option<&[u8]> {
    let rest = short_time(line).or_else(|| Some(Time::of(line)?.rest))?;
    after(rest, b"")
}

/// `2026-11-20 09:15:04,123 process          L0658 DEBUG| [stdout] ` of Avocado: the time, the module, its line, the level;
/// in older versions `09:15:04 DEBUG| [stdout] `.
fn of_avocado(line: &[u8]) -> Option<&[u8]> {
    let bar = memchr::memchr(b'|', line).filter(|&bar| bar < 100)?;
    let (before, rest) = (&line[..bar], &line[bar + 1..]);
    let level = matching(before, b"00:00:00 ").or_else(|| {
        let mut words = crate::text::fields(Time::of(before)?.rest.strip_prefix(b" ")?);
        let (_, place, level) = (words.next()?, words.next()?, words.next()?);
        let is_place = place.strip_prefix(b"L").is_some_and(|line| line.iter().all(u8::is_ascii_digit));
        (is_place && words.next().is_none()).then_some(level)
    });
    let is_level = |level: &[u8]| !level.is_empty() && level.iter().all(u8::is_ascii_uppercase);
    let text = after(rest, b"").filter(|_| level.is_some_and(is_level))?;
    let of_stream = |name: &[u8]| after(text.strip_prefix(name)?, b"");
    Some(of_stream(b"[stdout]").or_else(|| of_stream(b"[stderr]")).unwrap_or(text))
}

/// `00:00:05 ` and `09:15:04.123456 ` of `ts -s` and `ts %H:%M:%.S`.
fn clocked(line: &[u8]) -> Option<&[u8]> {
    let rest = fraction(matching(line, b"00:00:00")?).1;
    after(rest, b"")
}

/// Whether a text is more than the cells of a table, which can have a time in its first column.
fn is_said(text: &[u8]) -> bool {
    let is_number = |word: &[u8]| crate::text::number(word.strip_suffix(b",").unwrap_or(word)).is_some();
    text.trim_ascii().is_empty() || !crate::text::fields(text).all(is_number)
}

/// `bench-1  | ` of docker compose.
fn of_container(line: &[u8]) -> Option<&[u8]> {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    let rest = &line[line.iter().take_while(is_name).count()..];
    let bar = rest.trim_ascii_start();
    (rest.len() < line.len() && bar.len() < rest.len()).then_some(())?;
    after(bar, b"|")
}

/// `[INFO] ` of Maven, `[info] ` of sbt.
fn of_level(line: &[u8]) -> Option<&[u8]> {
    const LEVELS: [&[u8]; 10] = [
        b"[INFO]",
        b"[WARNING]",
        b"[WARN]",
        b"[ERROR]",
        b"[DEBUG]",
        b"[info]",
        b"[warning]",
        b"[warn]",
        b"[error]",
        b"[debug]",
    ];
    LEVELS.iter().find_map(|level| after(line, level))
}

/// `> ` of electronic mail and Markdown, and `>> ` of a reply in it.
fn quoted(line: &[u8]) -> Option<&[u8]> {
    let deeper = line.iter().skip(1).take_while(|&&byte| byte == b'>').count();
    after(line.get(deeper..)?, b">")
}

/// `// ` and other marks of comments.
fn commented(line: &[u8]) -> Option<&[u8]> {
    const MARKS: [&[u8]; 8] = [b"//!", b"///", b"//", b"##", b"#", b"--", b" *", b"*"];
    MARKS.iter().find_map(|mark| after(line, mark)).map(without_break)
}

/// The line of a comment without the `<br>` that begins it, where the comment becomes HTML.
pub(crate) fn without_break(line: &[u8]) -> &[u8] {
    ["<br>", "<br/>", "<br />"].iter().find_map(|tag| line.strip_prefix(tag.as_bytes())).unwrap_or(line)
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
            ("busy 10%\rbusy 90%\rdone\r\nnext\n", "done\nnext\n"),
            ("\x1b]8;;https://x/\x1b\\name\x1b]8;;\x07 \x1b(B\x1b[m\x1b7\x1b[1G1\n", "name 1\n"),
            ("\x1b[mcut\x1b[3\n\x1b]0;title\n\x1b", "cut[3\n]0;title\n"),
        ] {
            assert_eq!(plain(text), shown, "{text:?}");
        }
        for text in [
            "a\rb\rc\n",
            "a,\"b\rc\"\n1,2\n",
            "\x1bc\n",
            "a\x1b[31m 1\n",
            "a\x1b[2J 1\n",
            "\0\x1b[0m\n",
            "PAR1\x15\x1b[0m",
        ] {
            assert_eq!(plain(text), text, "{text:?}");
        }
    }

    #[test]
    fn what_opens_and_closes_a_block_has_no_beginning() {
        for (text, shown) in [
            ("/**\n * a 1\n *\n * b 2\n */\n", "/**\na 1\n\nb 2\n */\n"),
            ("```text\n[info] a 1\n[info]   b 2\n```\n", "```text\na 1\n  b 2\n```\n"),
            ("#!/bin/sh\n# a 1\n# b 2\n", "#!/bin/sh\na 1\nb 2\n"),
            ("```\n## a 1\n##   b 2\n```\n", "```\na 1\n  b 2\n```\n"),
            ("-- a 1\n-- b 2\n", "a 1\nb 2\n"),
            ("```\n# a 1\nb 2\n```\n", "```\n# a 1\nb 2\n```\n"),
            ("```\n```\n", "```\n```\n"),
            (" * <br>a 1\n * <br>b 2\n", "a 1\nb 2\n"),
        ] {
            assert_eq!(plain(text), shown, "{text:?}");
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
            "[info] ",
            "[\u{1b}[1;34mINFO\u{1b}[m] ",
            "> ",
            "> > ",
            "2026-11-20T09:15:04.1234567Z bench-1  | [INFO] ",
            "[pod/bench-7f9c/main] ",
            "2026-11-20 09:15:04 ",
            "2026-11-20T09:15:04.123456 ",
            "Nov 20 09:15:04 ",
            "09:15:04.123456 ",
            "09:15:04 DEBUG| [stdout] ",
            "00:00:05 ",
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
            "2026-11-20 09:15:04 1\n2026-11-20 09:15:05 2\n",
            "09:15:04 1 2.5\n",
            "a b: 1\nb c: 2\n2026-11-20 09:15:04 c d: 3\n",
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
    fn a_line_without_the_beginning_stays_as_it_is() {
        for (text, shown) in [
            (
                "2026-11-20T09:15:04.123Z a 1\nof many lines\n2026-11-20T09:15:04.123Z b 2\n",
                "a 1\nof many lines\nb 2\n",
            ),
            ("Nov 20 09:15:04 h x[1]: a\n  b\nNov 20 09:15:04 h x[1]: c\n", "a\n  b\nc\n"),
            ("Attaching to bench-1\nbench-1  | a 1\nbench-1  | b 2\n", "Attaching to bench-1\na 1\nb 2\n"),
            ("bench-1  | a 1\ndb-12    | ready\nbench-1  | b 2\n", "a 1\nready\nb 2\n"),
            ("09:15:04 a 1\nb\n09:15:05 c 2\n", "a 1\nb\nc 2\n"),
        ] {
            assert_eq!(plain(text), shown, "{text:?}");
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
