//! The results of benchmarks that print. Go writes the name, then the benchmark runs, then Go writes the result: what the
//! benchmark prints stands between the two.

use std::borrow::Cow;
use std::io;

use super::go_words::{Words, decimal, integer};
use crate::source::Content;

/// The units that Go writes, and those of time and size that programs write instead.
pub(super) const WELL_KNOWN: [&[u8]; 9] =
    [b"ns/op", b"B/op", b"allocs/op", b"MB/s", b"s/op", b"ms/op", b"us/op", b"KB/op", b"MB/op"];

/// What Go writes before the name of a benchmark, or of a test, that failed.
const FAILURE: &[u8] = b"--- FAIL: ";
/// Go writes the iteration count with at least so many characters.
const COUNT: usize = 8;
/// The lines behind a piece are read in steps of so many bytes.
const STEP: usize = 64 << 10;

/// What the lines below a name without a result have.
pub(super) enum Found<'a> {
    /// Its result.
    Result(Continuation<'a>),
    /// The statement that the benchmark failed.
    Failure,
    /// Another name, or no further line.
    Nothing,
    /// So many lines that tell nothing. More follow.
    Open(u32),
}

/// A line with a result, from the iteration count on.
pub(super) struct Continuation<'a> {
    pub(super) result: Cow<'a, [u8]>,
    /// By how many lines it follows the name.
    pub(super) distance: u32,
    /// Whether the file ends in it.
    pub(super) unfinished: bool,
}

/// The text behind a piece of a file.
pub(super) struct Behind<'a> {
    pub(super) content: &'a Content,
    pub(super) from: usize,
}

impl Behind<'_> {
    /// Goes on with a search that ended, after so many lines, with the piece. Only the last name of a piece needs it.
    fn search(&self, name: &[u8], longest: u64, mut passed: u32) -> io::Result<Found<'static>> {
        let (mut buffer, mut at) = (Vec::new(), self.from);
        while at < self.content.len() {
            let end = (at + STEP).min(self.content.len());
            match search(self.content.lines_in(at, end, &mut buffer)?, name, longest, passed) {
                Found::Open(lines) => passed = lines,
                Found::Failure => return Ok(Found::Failure),
                Found::Nothing => return Ok(Found::Nothing),
                Found::Result(Continuation { result, distance, unfinished }) => {
                    let result = Cow::Owned(result.into_owned());
                    return Ok(Found::Result(Continuation { result, distance, unfinished }));
                }
            }
            at = end;
        }
        Ok(Found::Nothing)
    }
}

/// Looks for the result of a name: in its own line, behind what the benchmark printed, and in the lines below, in which
/// Go does not repeat the name.
pub(super) fn find<'a>(
    line: &'a [u8],
    below: &'a [u8],
    behind: &Behind<'_>,
    longest: u64,
) -> io::Result<Found<'a>> {
    if let Some(result) = at_end(line) {
        let (result, distance, unfinished) = (Cow::Borrowed(result), 0, false);
        return Ok(Found::Result(Continuation { result, distance, unfinished }));
    }
    let name = Words(line).next().unwrap_or_default();
    if memchr::memmem::find(line, FAILURE).and_then(|at| failed(&line[at..])) == Some(name) {
        return Ok(Found::Failure);
    }
    match search(below, name, longest, 0) {
        Found::Open(passed) => behind.search(name, longest, passed),
        found => Ok(found),
    }
}

/// The name in the line of a benchmark that failed.
fn failed(line: &[u8]) -> Option<&[u8]> {
    Words(line.strip_prefix(FAILURE)?).next()
}

/// Looks for a result in lines, up to the next name.
fn search<'a>(text: &'a [u8], name: &[u8], longest: u64, mut passed: u32) -> Found<'a> {
    let mut rest = text;
    while !rest.is_empty() {
        passed = passed.saturating_add(1);
        let end = memchr::memchr(b'\n', rest);
        let line = &rest[..end.unwrap_or(rest.len())];
        rest = end.map_or(&[][..], |at| &rest[at + 1..]);
        if line.len() as u64 > longest {
            continue;
        }
        if begins_with_name(line) || name_within(line).is_some() {
            return Found::Nothing;
        }
        if let Some(failed) = failed(line) {
            return if failed == name { Found::Failure } else { Found::Nothing };
        }
        if let Some(result) = alone(line).or_else(|| at_end(line)) {
            let (result, distance, unfinished) = (Cow::Borrowed(result), passed, end.is_none());
            return Found::Result(Continuation { result, distance, unfinished });
        }
    }
    Found::Open(passed)
}

/// Whether a line, or text, begins with the name of a benchmark. `Benchmarking …` is a sentence.
pub(super) fn begins_with_name(line: &[u8]) -> bool {
    line.strip_prefix(b"Benchmark").is_some_and(|rest| !is_prose(rest))
}

/// Whether what follows `Benchmark` shows that it is the beginning of a sentence.
pub(super) fn is_prose(rest: &[u8]) -> bool {
    rest.first().is_none_or(|first| first.is_ascii_lowercase() || first.is_ascii_whitespace())
}

/// The name that Go writes, with a tab, behind text that has no line end. In `ok  <tab>module/Benchmark<tab>0.1s` the text
/// before has a tab.
pub(super) fn name_within(line: &[u8]) -> Option<&[u8]> {
    let at = memchr::memmem::find(line, b"Benchmark").filter(|&at| at > 0)?;
    memchr::memchr(b'\t', &line[..at]).is_none().then_some(())?;
    let name = Words(&line[at..]).next().filter(|name| begins_with_name(name))?;
    let behind = &line[at + name.len()..];
    let blanks = behind.len() - behind.trim_ascii_start().len();
    behind[..blanks].contains(&b'\t').then(|| &name[b"Benchmark".len()..])
}

/// A line that has only a result: an integer, and values with their units.
fn alone(line: &[u8]) -> Option<&[u8]> {
    let result = line.trim_ascii_start();
    // Most lines of a log fail here.
    result.first().filter(|first| first.is_ascii_digit())?;
    let mut words = Words(result);
    integer(words.next()?)?;
    decimal(Words(words.0).next()?)?;
    has_known(words).then_some(result)
}

/// Whether one of the units of a result is well known. `words` begin with a value.
pub(super) fn has_known(mut words: Words<'_>) -> bool {
    while words.next().is_some() {
        if words.next().is_some_and(|unit| WELL_KNOWN.contains(&unit)) {
            return true;
        }
    }
    false
}

/// The result at the end of a line, behind other text: the count is written in eight characters, and a tab stands before
/// each value.
fn at_end(line: &[u8]) -> Option<&[u8]> {
    let (mut end, mut known) = (line.len(), false);
    while let Some(tab) = memchr::memrchr(b'\t', &line[..end]) {
        let mut words = Words(&line[tab + 1..end]);
        let (Some(value), Some(unit), None) = (words.next(), words.next(), words.next()) else { break };
        if decimal(value).is_none() {
            break;
        }
        known |= WELL_KNOWN.contains(&unit);
        end = tab;
    }
    let from = end.checked_sub(COUNT).filter(|_| known)?;
    integer(line[from..end].trim_ascii_start())?;
    Some(&line[from..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_found_behind_text() {
        let at = |line: &'static str| {
            alone(line.as_bytes()).or_else(|| at_end(line.as_bytes())).map(<[u8]>::trim_ascii_start)
        };
        let whole = "100\t      12.5 ns/op\t       0 B/op";
        for before in ["     ", "...     ", "rows: 7     ", "  \t     "] {
            let line: &'static str = Box::leak(format!("{before}{whole}").into_boxed_str());
            assert_eq!(at(line), Some(whole.as_bytes()), "{before}");
        }
        for line in ["size 100\t12.5 ns/op", "     100\t12.5 forks/op", "100 rows", "     100\tx ns/op", ""] {
            assert_eq!(at(line), None, "{line}");
        }
    }

    #[test]
    fn a_name_within_a_line_has_a_tab() {
        assert_eq!(name_within(b"...BenchmarkDots-2  \t   50"), Some(&b"Dots-2"[..]));
        for line in [
            &b"BenchmarkDots-2 \t"[..],
            b"--- BENCH: BenchmarkDots-2",
            b"a Benchmark \t",
            b"xBenchmarking\t",
            b"ok  \tm/BenchmarkGame\t1s",
        ] {
            assert_eq!(name_within(line), None);
        }
    }
}
