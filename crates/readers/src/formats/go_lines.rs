//! The lines of Go's format: results, `Unit` lines and configuration. All other lines belong to the log of the test.

use std::io;

use super::go_printed::{
    self, Behind, Found, WELL_KNOWN, begins_with_name, has_known, is_prose, name_within,
};
use super::go_settings::{Piece, Setting};
use super::go_units::{Units, tidy};
use super::go_words::{Words, decimal, integer};
use crate::metric::Better;
use crate::sheet::Statement;
use crate::text::{excerpt, fields, lossless, number};
use crate::{Code, Sheet};

/// Parses a piece of a file. What is behind it can have the result of its last name.
pub(super) fn parse(name: &str, text: &[u8], longest: u64, behind: &Behind<'_>) -> io::Result<Piece> {
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
            let unfinished = end.is_none();
            if let Err(fault) = result_line(&mut piece.sheet, &mut units, line, unfinished, false) {
                let is_name = begins_with_name(line);
                let found =
                    if is_name { go_printed::find(line, rest, behind, longest)? } else { Found::Nothing };
                printed_result(&mut piece.sheet, &mut units, line, unfinished, found, fault);
            }
        } else {
            other_line(&mut piece, line);
        }
    }
    Ok(piece)
}

fn other_line(piece: &mut Piece, line: &[u8]) {
    if line.starts_with(b"Unit") && fields(line).next() == Some(b"Unit") {
        unit_line(&mut piece.sheet, line);
    } else if let Some(name) = line.trim_ascii().strip_prefix(b"--- FAIL: Benchmark") {
        let name = name.split(|&byte| byte == b' ').next().unwrap_or_default();
        let (sheet, what) = (&mut piece.sheet, format!("{} has no result: it failed", excerpt(name)));
        sheet.problem(Code::MalformedRecord, sheet.lines, what, REPAIR);
    } else if let Some((key, value)) = setting(line) {
        let key = lossless(key).into_owned();
        let setting = if value.is_empty() {
            Setting::Delete(key)
        } else {
            Setting::Set(key, lossless(value).into_owned())
        };
        piece.settings.push((piece.sheet.len(), setting));
    } else if let Some(name) = name_within(line) {
        let what = format!("the line of {} begins with other text", excerpt(name));
        let hint = "does the benchmark print text without a line end? print one behind it";
        piece.sheet.problem(Code::MalformedRecord, piece.sheet.lines, what, hint);
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

/// Why a line with a name has no result.
enum Fault {
    /// It has one only if its words are no text that the benchmark printed: no unit is well known.
    Unsure,
    /// It has no result.
    Broken(Code, String),
}

/// A fault of a line whose words are wrong.
fn broken(what: impl Into<String>) -> Fault {
    Fault::Broken(Code::MalformedRecord, what.into())
}

/// Reads a line that begins with a name. `sure` says that an unknown unit is one in any case.
fn result_line(
    sheet: &mut Sheet,
    units: &mut Units,
    line: &[u8],
    unfinished: bool,
    sure: bool,
) -> Result<(), Fault> {
    let mut words = Words(line);
    let name = &words.next().unwrap_or_default()[b"Benchmark".len()..];
    let Some(count) = words.next() else {
        // `go test -v` prints the bare name before the run. Behind a name whose result follows is a tab.
        let has_tab = line.contains(&b'\t') && !is_prose(name);
        return if has_tab { Err(broken(format!("{} has no result", excerpt(name)))) } else { Ok(()) };
    };
    if integer(count).is_none() {
        return if is_prose(name) {
            Ok(())
        } else {
            Err(broken(format!("`{}` is not an iteration count", excerpt(count))))
        };
    }
    let line = sheet.lines;
    values(sheet, units, name, words, Place { line, unfinished, sure: sure || is_prose(name) })
}

/// Reads the result of a name from where it was found, or records why there is none.
fn printed_result(
    sheet: &mut Sheet,
    units: &mut Units,
    line: &[u8],
    unfinished: bool,
    found: Found<'_>,
    fault: Fault,
) {
    let number = sheet.lines;
    let hint = if matches!(found, Found::Failure) { REPAIR } else { HINT };
    let (fault, number) = match (found, fault) {
        (Found::Result(found), _) => {
            let name = Words(line).next().unwrap_or_default().get(b"Benchmark".len()..).unwrap_or_default();
            let mut words = Words(&found.result);
            words.next();
            let place = Place {
                line: number.saturating_add(found.distance),
                unfinished: found.unfinished || unfinished && found.distance == 0,
                sure: true,
            };
            (values(sheet, units, name, words, place).err(), place.line)
        }
        // Only its words, or the line that says so, tell that it failed.
        (Found::Failure, _) => (failure(line), number),
        (_, Fault::Unsure) if is_text(line) => {
            (Some(broken("text behind the name, and no result below")), number)
        }
        (_, Fault::Unsure) => (result_line(sheet, units, line, unfinished, true).err(), number),
        (_, fault) => (Some(fault), number),
    };
    if let Some(Fault::Broken(code, what)) = fault {
        sheet.problem(code, number, what, hint);
    }
}

/// Whether words behind a name are no result: Go writes a tab before each value as well as behind the name.
fn is_text(line: &[u8]) -> bool {
    let mut words = Words(line);
    let mut has_tab_before_next = || {
        words.next();
        words.0.iter().take_while(|byte| byte.is_ascii_whitespace()).any(|&byte| byte == b'\t')
    };
    has_tab_before_next() && !has_tab_before_next()
}

/// A fault if the line with the name says that the benchmark failed; otherwise a line below says it.
fn failure(line: &[u8]) -> Option<Fault> {
    let at = memchr::memmem::find(line, b"--- FAIL: Benchmark")?;
    let name = Words(&line[at + b"--- FAIL: Benchmark".len()..]).next().unwrap_or_default();
    Some(broken(format!("{} has no result: it failed", excerpt(name))))
}

/// Where a result stands.
#[derive(Clone, Copy)]
struct Place {
    line: u32,
    /// Whether the file ends in its line.
    unfinished: bool,
    /// Whether an unknown unit is one in any case.
    sure: bool,
}

/// Reads the values and units behind an iteration count.
fn values(
    sheet: &mut Sheet,
    units: &mut Units,
    name: &[u8],
    mut words: Words<'_>,
    place: Place,
) -> Result<(), Fault> {
    let Place { line: number_of_line, unfinished, sure } = place;
    let cut = if unfinished { Code::Truncated } else { Code::MalformedRecord };
    let mut values = [(0u32, 0f64); 32];
    let mut found = 0;
    while let Some(value) = words.next() {
        let unit = words.next();
        // Most results begin with the first unit.
        let is_unsure = |unit: &[u8]| {
            unit != b"ns/op"
                && !WELL_KNOWN.contains(&unit)
                && !has_known(Words(words.0))
                && number(value).is_some()
        };
        if found == 0 && !sure && unit.is_some_and(is_unsure) {
            return Err(Fault::Unsure);
        }
        // Up to 15 digits are exact.
        let parsed = if value.len() > 15 { sheet.number(value, number_of_line) } else { decimal(value) };
        let Some(parsed) = parsed else {
            let what = format!("`{}` is not a number", excerpt(value));
            return Err(Fault::Broken(Code::MalformedNumber, what));
        };
        let Some(unit) = unit else {
            return Err(Fault::Broken(cut, format!("no unit behind `{}`", excerpt(value))));
        };
        if found == values.len() {
            return Err(broken("more than 32 values on one line"));
        }
        if unfinished && words.0.trim_ascii().is_empty() && !units.knows(unit) && !WELL_KNOWN.contains(&unit)
        {
            let what =
                format!("the file ends in mid-line, with a unit seen nowhere else (`{}`)", excerpt(unit));
            let hint = "the line was cut; copy the file again";
            sheet.problem(Code::Truncated, number_of_line, what, hint);
            return Ok(());
        }
        let (metric, factor) = units.find(sheet, unit, found);
        // Dividing by a power of ten rounds once; multiplying by its inverse would round twice.
        values[found] =
            (metric, if factor < 1.0 { parsed / (1.0 / factor).round() } else { parsed * factor });
        found += 1;
    }
    if found == 0 {
        return Err(Fault::Broken(cut, "no value behind the iteration count".to_owned()));
    }
    add(sheet, name, &values[..found], number_of_line);
    Ok(())
}

/// Adds the values of a benchmark. One that cannot be is left out.
fn add(sheet: &mut Sheet, name: &[u8], values: &[(u32, f64)], line: u32) {
    let fine = values.iter().all(|&(metric, value)| {
        value.is_finite() && (value >= 0.0 || sheet.metrics[metric as usize].may_be_negative())
    });
    if !fine {
        let shown = lossless(name).into_owned();
        let broken: Vec<_> = values
            .iter()
            .filter(|&&(metric, value)| !sheet.can_be(metric, value, line, &shown))
            .copied()
            .collect();
        let benchmark = sheet.benchmarks.intern_bytes(name);
        for &(metric, value) in values.iter().filter(|pair| !broken.iter().any(|b| b.0 == pair.0)) {
            sheet.push_ids(benchmark, metric, value, line);
        }
        return;
    }
    let benchmark = sheet.benchmarks.intern_bytes(name);
    for &(metric, value) in values {
        sheet.push_ids(benchmark, metric, value, line);
    }
}

const REPAIR: &str = "repair the benchmark";
const HINT: &str = "a result line reads: BenchmarkName-8  100  123 ns/op";
