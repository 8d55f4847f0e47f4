//! Output of a harness that somebody pasted into comments of a source file, or that a mail quotes below lines of its own:
//! only some lines have the mark of a comment. They are read without it if they alone have a format and the other lines
//! have none. Where all lines have the mark, it is an addition like the time of a log.

use crate::additions::without_break;
use crate::detection;
use crate::formats::head::Head;
use crate::source::{Content, HEAD};

/// The marks, the longest of those that begin alike first.
const MARKS: [&[u8]; 8] = [b"//!", b"///", b"//", b"##", b"#", b"--", b"*", b"%"];

/// How many kinds of comments a file has at most.
const MOST_KINDS: usize = 6;

/// A line: how long its blanks with the mark are, and what follows. No mark if it has none.
#[derive(Clone, Copy)]
struct Line<'a> {
    whole: &'a [u8],
    before: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Line<'a> {
    fn of(whole: &'a [u8]) -> Self {
        let none = Self { whole, before: b"", rest: whole };
        let text = whole.trim_ascii_start();
        let quotes = text.iter().take_while(|&&byte| byte == b'>').count();
        let mark = MARKS.iter().find(|mark| text.starts_with(mark)).map_or(quotes, |mark| mark.len());
        let (before, rest) = whole.split_at(whole.len() - text.len() + mark);
        let rest = match rest {
            _ if mark == 0 => return none,
            [b' ' | b'\t', rest @ ..] => without_break(rest),
            [] | [b'\r'] => rest,
            // Lines that were commented out have no blank there, and a rule or an operator is no comment.
            [first, ..] if before.ends_with(b"//") && first.is_ascii_alphabetic() => rest,
            [b'=', ..] if before.ends_with(b"#") => rest,
            _ => return none,
        };
        Self { whole, before, rest }
    }
}

/// The content without the marks of comments, if a harness's output stands in some of its comments.
pub(crate) fn uncommented(content: &Content) -> Option<Content> {
    // A source file or a mail is small, and an object or a list has no comments.
    if content.len() > HEAD
        || matches!(content.head.trim_ascii_start().first(), None | Some(b'{' | b'[' | b'<'))
    {
        return None;
    }
    let lines: Vec<Line<'_>> = content.head.split(|&byte| byte == b'\n').map(Line::of).collect();
    // A heading and a remark are single lines.
    let is_in_run = |at: usize| {
        let is_alike = |other: Option<&Line<'_>>| other.is_some_and(|other| other.before == lines[at].before);
        is_alike(lines.get(at + 1)) || at > 0 && is_alike(lines.get(at - 1))
    };
    let mut kinds: Vec<&[u8]> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if !line.before.is_empty() && !kinds.contains(&line.before) && is_in_run(at) {
            kinds.push(line.before);
        }
    }
    kinds.into_iter().take(MOST_KINDS).find_map(|kind| {
        let is_comment: Vec<bool> =
            (0..lines.len()).map(|at| lines[at].before == kind && is_in_run(at)).collect();
        let text = |comments: bool, others: bool| {
            let shown = lines.iter().zip(&is_comment).map(|(line, &is_comment)| match is_comment {
                true if comments => line.rest,
                false if others => line.whole,
                _ => b"",
            });
            shown.collect::<Vec<_>>().join(&b'\n')
        };
        (has_format(&text(true, false)) && !has_format(&text(false, true)))
            .then(|| content.part(&text(true, true), 1))
    })
}

/// Whether a text is the output of a harness.
fn has_format(text: &[u8]) -> bool {
    let fitting = detection::fitting(&Head::new(text));
    fitting.iter().any(|format| !format.is_plain_table())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(text: &str) -> Option<String> {
        let found = uncommented(&Content::from_bytes(text.as_bytes()).unwrap())?;
        Some(String::from_utf8(found.head).unwrap())
    }

    #[test]
    fn output_in_some_comments_is_read_without_their_marks() {
        for (text, expected) in [
            (
                "x = 1\n\n  // goos: linux\n  // BenchmarkA-8 100 5.5 ns/op\n\nfunc f()\n",
                "x = 1\n\ngoos: linux\nBenchmarkA-8 100 5.5 ns/op\n\nfunc f()\n",
            ),
            (
                "run()\n# real\t0m1.5s\n# user\t0m1.0s\n# sys\t0m0.1s\n# ----\n",
                "run()\nreal\t0m1.5s\nuser\t0m1.0s\nsys\t0m0.1s\n----\n",
            ),
            (
                " * <p>Times:\n * <br>goos: linux\n * <br>BenchmarkA-8 100 5.5 ns/op\n",
                "<p>Times:\ngoos: linux\nBenchmarkA-8 100 5.5 ns/op\n",
            ),
            (
                "he wrote:\n>> goos: linux\n>> BenchmarkA-8 100 5.5 ns/op\n> So?\n",
                "he wrote:\ngoos: linux\nBenchmarkA-8 100 5.5 ns/op\n> So?\n",
            ),
            (
                "f()\n#===== DaCapo 9.12 fop starting =====\n#===== DaCapo 9.12 fop PASSED in 242 msec =====\n",
                "f()\n===== DaCapo 9.12 fop starting =====\n===== DaCapo 9.12 fop PASSED in 242 msec =====\n",
            ),
            (
                "//goos: linux\n//BenchmarkA-8 100 5.5 ns/op\n\nfunc f()\n",
                "goos: linux\nBenchmarkA-8 100 5.5 ns/op\n\nfunc f()\n",
            ),
        ] {
            assert_eq!(bare(text).as_deref(), Some(expected), "{text:?}");
        }
    }

    #[test]
    fn other_comments_stay() {
        for text in [
            // Results that somebody left out.
            "goos: linux\nBenchmarkA-8 100 5.5 ns/op\n# goos: linux\n# BenchmarkB-8 100 5.5 ns/op\n",
            "# Title\nBenchmarkA-8 100 5.5 ns/op\n",
            "# Title\n# Words\nx = 1\n",
            "x--\n---- goos: linux\n---- BenchmarkB-8 100 5.5 ns/op\n",
            "[1,\n// BenchmarkB-8 100 5.5 ns/op\n// BenchmarkB-8 100 5.5 ns/op\n2]\n",
            "",
        ] {
            assert_eq!(bare(text), None, "{text:?}");
        }
    }
}
