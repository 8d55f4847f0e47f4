//! The lines of Go's format: results, `Unit` lines and configuration. All other lines belong to the log of the test.

use super::go_settings::{Piece, Setting};
use super::go_units::{Units, tidy};
use super::go_words::{Words, decimal, integer};
use crate::metric::Better;
use crate::sheet::Statement;
use crate::text::{excerpt, fields, lossless};
use crate::{Code, Sheet};

pub(super) fn parse(name: &str, text: &[u8], longest: u64) -> Piece {
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
    } else if let Some(name) = line.trim_ascii().strip_prefix(b"--- FAIL: Benchmark") {
        let name = name.split(|&byte| byte == b' ').next().unwrap_or_default();
        let (sheet, what) = (&mut piece.sheet, format!("{} has no result: it failed", excerpt(name)));
        sheet.problem(Code::MalformedRecord, sheet.lines, what, "repair the benchmark");
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
/// the colon is followed by blanks, or by nothing (which deletes the key).
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
        // Up to 15 digits are exact.
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
const WELL_KNOWN: [&[u8]; 9] =
    [b"ns/op", b"B/op", b"allocs/op", b"MB/s", b"s/op", b"ms/op", b"us/op", b"KB/op", b"MB/op"];
