//! The results that libtest (`cargo bench`) prints: `test name ... bench:  1,234 ns/iter (+/- 56)`.

use super::cargo_programs;
use super::cargo_programs::Programs;
use super::prelude::*;
use super::text_results::{Found, push_all};

pub static FORMAT: Format = Format {
    name: "libtest",
    sign: "lines such as `test NAME ... bench: 1,234 ns/iter (+/- 56)`",
    harness: "libtest",
    export: "cargo bench",
    own_labels: &["failures"],
    printed_by: &["cargo"],
    keys: &[cargo_programs::KEYS],
    metrics: &[Meaning::of("time", "time of one iteration, the median over the samples")],
    parts: |name, _| names::path(name, "::"),
    words: &["/iter (+/- "],
    fits: |head| {
        let mut run = Run::default();
        let mut lines = head.lines().filter_map(|line| std::str::from_utf8(line).ok());
        let is_time = |said: Said<'_>| matches!(said, Said::Time(name, _) if !name.is_empty());
        No::unless(lines.any(|text| is_time(run.line(text, 0))), "it has no such line")
    },
    read: Read::Bytes(read),
    ..Format::REPORT
};

/// What a line says of a benchmark.
enum Said<'a> {
    /// The time of an iteration in seconds.
    Time(&'a str, f64),
    /// It failed.
    Failed(&'a str),
    /// It has a result of another unit.
    Other,
    /// Nothing that counts.
    Nothing,
}

/// An output as far as it is read.
#[derive(Default)]
struct Run<'a> {
    /// The benchmark whose name has no result yet, and its line. On one thread libtest prints the name before it runs the
    /// benchmark: what this prints stands between the name and the result.
    waiting: Option<(&'a str, u32)>,
    /// The benchmarks that had no result when the next name came.
    lost: Vec<(&'a str, u32)>,
}

impl<'a> Run<'a> {
    /// Reads a line.
    fn line(&mut self, text: &'a str, line: u32) -> Said<'a> {
        let text = text.trim();
        // People leave the first word out.
        let bare = || text.contains(" ... bench: ").then_some(text);
        let Some(rest) = text.strip_prefix("test ").or_else(bare) else {
            let row = row(text).filter(|_| self.waiting.is_none());
            return row.map_or_else(|| self.further(text), |(name, time)| Said::Time(name, time / 1e9));
        };
        let named = rest.split_once(" ... ").or_else(|| Some((rest.strip_suffix(" ...")?, "")));
        let Some((name, rest)) = named else {
            // The line `test result: ok. …` ends a program.
            if rest.starts_with("result: ") {
                self.end();
            }
            return Said::Nothing;
        };
        self.end();
        self.waiting = Some((name.trim(), line));
        self.further(rest)
    }

    /// Reads what stands below or behind the name of a benchmark.
    fn further(&mut self, text: &'a str) -> Said<'a> {
        let name = self.waiting.map_or("", |(name, _)| name);
        let said = match text.rsplit_once("bench:") {
            Some((_, rest)) if rest.contains("/iter (+/- ") => {
                let time = rest.split_once("ns/iter (+/- ").and_then(|(time, _)| grouped(time.trim()));
                time.map_or(Said::Other, |time| Said::Time(name, time / 1e9))
            }
            _ => match status(text) {
                Some("FAILED" | "failed") if self.waiting.is_some() => Said::Failed(name),
                // A test, which has no time.
                Some(_) => Said::Nothing,
                None => return Said::Nothing,
            },
        };
        self.waiting = None;
        said
    }

    /// Notes that no result of a benchmark can follow.
    fn end(&mut self) {
        self.lost.extend(self.waiting.take());
    }
}

/// A row of which people left out all words: `anchored_literal   1,234 ns/iter (+/- 5)`.
fn row(text: &str) -> Option<(&str, f64)> {
    let (before, _) = text.strip_suffix(')')?.split_once(" ns/iter (+/- ")?;
    let (name, time) = before.rsplit_once("  ").filter(|_| !text.contains("bench:"))?;
    Some((name.trim(), grouped(time.trim())?)).filter(|(name, _)| !name.is_empty())
}

/// The word with which libtest ends the line of what has no time: `ok`, `ignored, REASON`, `FAILED`.
fn status(text: &str) -> Option<&str> {
    let word = text.split([' ', ',']).next()?;
    let rest = &text[word.len()..];
    let is_end = rest.is_empty() || [", ", " (", " <"].iter().any(|begin| rest.starts_with(begin));
    (is_end && matches!(word, "ok" | "ignored" | "FAILED" | "failed")).then_some(word)
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut programs, mut run, mut results) = (Programs::default(), Run::default(), Vec::new());
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if programs.line(text) {
            run.end();
        }

        match run.line(text, line) {
            Said::Time("", _) | Said::Other => sheet.no_row(line, text.trim()),
            Said::Time(benchmark, value) => {
                let aggregate = Aggregate::default();
                results.push((programs.now, line, Found { benchmark, metric: "time", value, aggregate }));
            }
            Said::Failed(benchmark) => {
                sheet.failed(line, benchmark, "");
            }

            Said::Nothing => {}
        }
    }
    run.end();
    for (benchmark, line) in run.lost {
        sheet.failed(line, benchmark, "");
    }
    push_all(sheet, results);
}
