//! The Go benchmark format (`go test -bench`, design 14313): configuration lines, `Unit` lines,
//! result lines; everything else in the stream belongs to the test log.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use rayon::prelude::*;

use super::Format;
use super::go_units::{Units, tidy};
use super::go_words::{Words, decimal, integer};
use crate::context::Contexts;
use crate::limits::{Limits, within};
use crate::metric::Better;
use crate::sheet::Statement;
use crate::source::Content;
use crate::text::{excerpt, fields, lossless};
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "go",
    sign: "Go benchmark results: lines such as `BenchmarkName-8  100  123 ns/op`",
    has_results: true,
    fits,
    read,
};

/// Pieces of this size are parsed in parallel; each is read where it is parsed, so that it stays in the cache.
const PIECE: usize = 2 << 20;

fn fits(head: &[u8]) -> bool {
    head.split(|&byte| byte == b'\n').any(|line| {
        let mut fields = fields(line);
        match fields.next() {
            Some(b"goos:" | b"goarch:" | b"pkg:") => line.first().is_some_and(u8::is_ascii_lowercase),
            Some(b"Unit") => fields.nth(1).is_some_and(|pair| pair.contains(&b'=')),
            Some(name) => {
                line.starts_with(b"Benchmark")
                    && name.len() > b"Benchmark".len()
                    && !name.contains(&b',')
                    && fields.next().is_none_or(|count| integer(count).is_some())
            }
            None => false,
        }
    })
}

/// A change of the configuration, at the row where it takes effect.
enum Setting {
    Set(String, String),
    Delete(String),
}

struct Piece {
    sheet: Sheet,
    settings: Vec<(usize, Setting)>,
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let length = content.len();
    let starts: Vec<usize> = (0..length).step_by(PIECE).collect();
    let pieces: io::Result<Vec<Piece>> = starts
        .par_iter()
        .map_init(Vec::new, |buffer, &start| {
            let end = (start + PIECE).min(length);
            let lines = content.lines_in(start, end, buffer)?;
            let mut piece = parse(name, lines, content.budget.limits.line);
            piece.sheet.count(&content.budget)?;
            Ok(piece)
        })
        .collect();
    settle(pieces?, &content.budget.limits)
}

/// Gives every row the configuration that was in force, piece after piece.
fn settle(pieces: Vec<Piece>, limits: &Limits) -> io::Result<Vec<Sheet>> {
    let mut current = Current::default();
    let mut inherited = 0;
    let mut sheets = Vec::with_capacity(pieces.len());
    for Piece { mut sheet, settings } in pieces {
        let rows = sheet.len();
        let mut context = Vec::with_capacity(rows);
        let mut pairs = current.numbered(&mut sheet.contexts);
        for (row, setting) in settings {
            // Only what results were measured under is a configuration: not each line of a heading.
            if row > context.len() {
                context.resize(row, number(&mut sheet, &pairs, &mut inherited, limits)?);
            }
            current.apply(setting, &mut pairs, &mut sheet.contexts);
            within(pairs.len() as u64, limits.keys, "keys", "the results state too many configuration keys")?;
        }
        context.resize(rows, number(&mut sheet, &pairs, &mut inherited, limits)?);
        sheet.context = context;
        sheets.push(sheet);
    }
    Ok(sheets)
}

/// The number of a configuration. What a new one takes over from the lines above is counted: a line changes one
/// key, and a file of many keys and many changes would grow with the product.
fn number(sheet: &mut Sheet, pairs: &[(u32, u32)], inherited: &mut u64, limits: &Limits) -> io::Result<u32> {
    let known = sheet.contexts.len();
    let id = sheet.contexts.intern_pairs(pairs);
    if sheet.contexts.len() > known {
        *inherited += pairs.len() as u64;
        let what = "the results take over too many configuration keys from lines above";
        within(*inherited, limits.inherited, "inherited", what)?;
    }
    Ok(id)
}

/// The configuration in force. Texts have numbers within a piece only, so it keeps its own as well.
#[derive(Default)]
struct Current {
    texts: Vec<(String, String)>,
    places: HashMap<String, usize>,
}

impl Current {
    fn numbered(&self, contexts: &mut Contexts) -> Vec<(u32, u32)> {
        self.texts.iter().map(|(key, value)| (contexts.text(key), contexts.text(value))).collect()
    }

    fn apply(&mut self, setting: Setting, pairs: &mut Vec<(u32, u32)>, contexts: &mut Contexts) {
        match setting {
            Setting::Delete(key) => {
                let Some(place) = self.places.remove(&key) else { return };
                self.texts.remove(place);
                pairs.remove(place);
                self.places.values_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
            }
            Setting::Set(key, value) => {
                let pair = (contexts.text(&key), contexts.text(&value));
                if let Some(&place) = self.places.get(&key) {
                    (self.texts[place].1, pairs[place]) = (value, pair);
                } else {
                    self.places.insert(key.clone(), self.texts.len());
                    self.texts.push((key, value));
                    pairs.push(pair);
                }
            }
        }
    }
}

fn parse(name: &str, text: &[u8], longest: u64) -> Piece {
    let mut piece = Piece { sheet: Sheet::new(name), settings: Vec::new() };
    let mut units = Units::default();
    let mut rest = text;
    while !rest.is_empty() {
        piece.sheet.lines = piece.sheet.lines.saturating_add(1);
        let end = memchr::memchr(b'\n', rest);
        let line = &rest[..end.unwrap_or(rest.len())];
        rest = end.map_or(&[][..], |at| &rest[at + 1..]);
        if line.len() as u64 > longest {
            let number = piece.sheet.lines;
            piece.sheet.problem(
                Code::LineTooLong,
                number,
                format!("a line of {} bytes", line.len()),
                "no harness writes such a line; is the file damaged?",
            );
        } else if line.starts_with(b"Benchmark") {
            result_line(&mut piece.sheet, &mut units, line, end.is_none());
        } else {
            other_line(&mut piece, line);
        }
    }
    piece
}

fn other_line(piece: &mut Piece, line: &[u8]) {
    if line.starts_with(b"Unit") && fields(line).next() == Some(b"Unit") {
        unit_line(&mut piece.sheet, line);
    } else if let Some((key, value)) = setting(line) {
        let key = lossless(key).into_owned();
        let setting = if value.is_empty() {
            Setting::Delete(key)
        } else {
            Setting::Set(key, lossless(value).into_owned())
        };
        piece.settings.push((piece.sheet.len(), setting));
    }
}

/// `key: value`: the key begins with a lower-case letter and has neither spaces nor upper-case letters;
/// blanks stand after the colon, or nothing at all (which deletes the key).
fn setting(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', line)?;
    let (key, value) = (&line[..colon], &line[colon + 1..]);
    let text = std::str::from_utf8(key).ok()?;
    if !text.chars().next()?.is_lowercase() || text.chars().any(|c| c.is_whitespace() || c.is_uppercase()) {
        return None;
    }
    let value = value.strip_suffix(b"\r").unwrap_or(value);
    if !value.is_empty() && !matches!(value[0], b' ' | b'\t') {
        return None;
    }
    Some((key, value.trim_ascii()))
}

/// `Unit name key=value …`
fn unit_line(sheet: &mut Sheet, line: &[u8]) {
    let number = sheet.lines;
    let mut words = fields(line).skip(1);
    let Some(unit) = words.next() else {
        sheet.problem(
            Code::MalformedRecord,
            number,
            "a Unit line without a unit",
            "write: Unit ns/op better=lower",
        );
        return;
    };
    let mut statement = Statement { metric: tidy(unit).0, better: None, exact: None, line: number };
    let mut any = false;
    for word in words {
        any = true;
        match word {
            b"better=lower" => statement.better = Some(Better::Lower),
            b"better=higher" => statement.better = Some(Better::Higher),
            b"assume=nothing" => statement.exact = Some(false),
            b"assume=exact" => statement.exact = Some(true),
            _ => {
                let what = format!("`{}` says nothing that is known about a unit", excerpt(word));
                sheet.problem(
                    Code::MalformedRecord,
                    number,
                    what,
                    "known: better=lower, better=higher, assume=nothing, assume=exact",
                );
            }
        }
    }
    if any {
        sheet.statements.push(statement);
    } else {
        sheet.problem(
            Code::MalformedRecord,
            number,
            "a Unit line that says nothing",
            "write: Unit ns/op better=lower",
        );
    }
}

fn result_line(sheet: &mut Sheet, units: &mut Units, line: &[u8], unfinished: bool) {
    let number_of_line = sheet.lines;
    let mut words = Words(line);
    let name = words.next().unwrap_or_default();
    let Some(count) = words.next() else {
        // `go test -v` prints the bare name before the run.
        return;
    };
    if integer(count).is_none() {
        if name == b"Benchmark" {
            return;
        }
        let what = format!("`{}` is not an iteration count", excerpt(count));
        return sheet.problem(Code::MalformedRecord, number_of_line, what, HINT);
    }
    let mut values = [(0u32, 0f64); 32];
    let mut found = 0;
    while let Some(value) = words.next() {
        // Of up to 15 digits none is lost.
        let parsed = if value.len() > 15 { sheet.number(value, number_of_line) } else { decimal(value) };
        let Some(parsed) = parsed else {
            let what = format!("`{}` is not a number", excerpt(value));
            return sheet.problem(Code::MalformedNumber, number_of_line, what, HINT);
        };
        let Some(unit) = words.next() else {
            let code = if unfinished { Code::Truncated } else { Code::MalformedRecord };
            return sheet.problem(code, number_of_line, format!("no unit behind `{}`", excerpt(value)), HINT);
        };
        if found == values.len() {
            return sheet.problem(
                Code::MalformedRecord,
                number_of_line,
                "more than 32 values on one line",
                HINT,
            );
        }
        if unfinished && words.0.trim_ascii().is_empty() && !units.knows(unit) && !WELL_KNOWN.contains(&unit)
        {
            let what =
                format!("the file ends in mid-line, with a unit seen nowhere else (`{}`)", excerpt(unit));
            return sheet.problem(
                Code::Truncated,
                number_of_line,
                what,
                "the line was cut; copy the file again",
            );
        }
        let (metric, factor) = units.find(sheet, unit, found);
        // Dividing by a power of ten rounds once; multiplying by its inverse would round twice.
        values[found] =
            (metric, if factor < 1.0 { parsed / (1.0 / factor).round() } else { parsed * factor });
        found += 1;
    }
    if found == 0 {
        let code = if unfinished { Code::Truncated } else { Code::MalformedRecord };
        return sheet.problem(code, number_of_line, "no value behind the iteration count", HINT);
    }
    let name = &name[b"Benchmark".len()..];
    let values = &values[..found];
    let fine = values.iter().all(|&(metric, value)| {
        value.is_finite() && (value >= 0.0 || sheet.metrics[metric as usize].may_be_negative())
    });
    if !fine {
        let shown = lossless(name).into_owned();
        let broken: Vec<_> = values
            .iter()
            .filter(|&&(metric, value)| !sheet.can_be(metric, value, number_of_line, &shown))
            .copied()
            .collect();
        let benchmark = sheet.benchmarks.intern_bytes(name);
        for &(metric, value) in values.iter().filter(|pair| !broken.iter().any(|b| b.0 == pair.0)) {
            sheet.push_ids(benchmark, metric, value, number_of_line);
        }
        return;
    }
    let benchmark = sheet.benchmarks.intern_bytes(name);
    for &(metric, value) in values {
        sheet.push_ids(benchmark, metric, value, number_of_line);
    }
}

const HINT: &str = "a result line reads: BenchmarkName-8  100  123 ns/op";
const WELL_KNOWN: [&[u8]; 4] = [b"ns/op", b"B/op", b"allocs/op", b"MB/s"];

#[cfg(test)]
mod tests {
    use super::*;

    fn sheets(text: &str) -> Vec<Sheet> {
        read("file", Path::new("file"), &Content::from_bytes(text.as_bytes()).unwrap(), &Options::default())
            .unwrap()
    }

    fn rows(text: &str) -> Vec<(String, String, f64)> {
        let mut rows = Vec::new();
        for sheet in sheets(text) {
            for i in 0..sheet.len() {
                let name = sheet.benchmarks.get(sheet.benchmark[i]).to_owned();
                rows.push((name, sheet.metrics[sheet.metric[i] as usize].name.clone(), sheet.value[i]));
            }
        }
        rows
    }

    #[test]
    fn a_result_line_gives_a_value_a_unit() {
        let got = rows("BenchmarkA/b=1-8 \t 100 1234.5 ns/op  12 B/op 3 allocs/op 5 p99-ns/op 2.5 MB/s\r\n");
        let want =
            [("sec/op", 1234.5e-9), ("B/op", 12.0), ("allocs/op", 3.0), ("p99-sec/op", 5e-9), ("B/s", 2.5e6)];
        assert_eq!(got, want.map(|(unit, value)| ("A/b=1-8".to_owned(), unit.to_owned(), value)));
    }

    #[test]
    fn configuration_is_set_changed_and_deleted() {
        let sheets = sheets(
            "goos: linux\nBenchmarkA 1 1 ns/op\ngoos: plan9\nnote:  x y \nBenchmarkA 1 1 ns/op\ngoos:\nnot:config\nKey: no\nBenchmarkA 1 1 ns/op\n",
        );
        let contexts: Vec<_> =
            sheets[0].context.iter().map(|&id| sheets[0].contexts.to_context(id as usize)).collect();
        let pair = |k: &str, v: &str| (k.to_owned(), v.to_owned());
        assert_eq!(
            contexts,
            [
                vec![pair("goos", "linux")],
                vec![pair("goos", "plan9"), pair("note", "x y")],
                vec![pair("note", "x y")]
            ]
        );
    }

    #[test]
    fn what_is_broken_is_named_and_the_rest_is_read() {
        let sheets = sheets(
            "BenchmarkA x 1 ns/op\nBenchmarkB 1\nBenchmarkC 1 z ns/op\nBenchmarkD 1 5\nBenchmarkE 1 NaN ns/op 7 B/op\nBenchmarkF 1 -3 ns/op\nBenchmarkName\nPASS\nBenchmarkG 1 1e3 ns/op\n",
        );
        let sheet = &sheets[0];
        let lines: Vec<(u32, Code)> = sheet.problems.iter().map(|p| (p.line, p.code)).collect();
        let malformed = Code::MalformedRecord;
        assert_eq!(
            lines,
            [
                (1, malformed),
                (2, malformed),
                (3, Code::MalformedNumber),
                (4, malformed),
                (5, Code::NotFinite),
                (6, Code::Negative)
            ]
        );
        assert_eq!(sheet.value, [7.0, 1e3 / 1e9]);
    }

    #[test]
    fn a_line_cut_in_its_unit_is_not_a_new_unit() {
        let whole = "BenchmarkA 1 5 ns/op 6 widgets/op\nBenchmarkA 1 5 ns/op 6 widg";
        let sheets = sheets(whole);
        assert_eq!(sheets[0].problems[0].code, Code::Truncated);
        assert_eq!(sheets[0].len(), 2);
    }

    #[test]
    fn large_files_read_the_same_in_pieces() {
        let mut text = String::from("goos: linux\n");
        let mut i = 0;
        while text.len() < 3 * PIECE {
            use std::fmt::Write as _;
            let _ = writeln!(text, "BenchmarkName{}-8 \t 100 \t {}.5 ns/op \t 16 B/op", i % 1000, i);
            i += 1;
        }
        text.push_str("goos: plan9\nBenchmarkLast 1 1 ns/op\nBenchmarkBad 1\n");
        let sheets = sheets(&text);
        assert!(sheets.len() > 2);
        assert_eq!(sheets.iter().map(Sheet::len).sum::<usize>(), 2 * i + 1);
        let last = sheets.last().unwrap();
        assert_eq!(last.contexts.to_context(*last.context.last().unwrap() as usize)[0].1, "plan9");
        let lines: u32 = sheets.iter().map(|sheet| sheet.lines).sum();
        assert_eq!(lines as usize, i + 4);
    }
}
