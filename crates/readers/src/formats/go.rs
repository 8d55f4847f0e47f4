//! The Go benchmark format (`go test -bench`, design 14313): configuration lines, `Unit` lines,
//! result lines; everything else in the stream belongs to the test log.

use super::go_quick::{MOST, Quick};
use super::go_units::{METRICS, Units, WELL_KNOWN, tidy};
use super::headings;
use super::prelude::*;
use crate::context::Contexts;
use crate::limits::{Limits, within};
use crate::sheet::Statement;
use crate::text::fields;
use rayon::prelude::*;

pub static FORMAT: Format = Format {
    name: "go",
    sign: "lines such as `BenchmarkName-8  100  123 ns/op`, `goos:` or `pkg:`",
    harness: "Go",
    export: "go test -bench",
    values: Values::Averages,
    states_direction: true,
    printed_by: &["go"],
    keys: &[&[
        Key::of_work("goos", Role::Environment, "operating system for which the program was built"),
        Key::of_work("goarch", Role::Environment, "architecture for which the program was built"),
        Key::work("pkg", "package of the benchmark"),
        Key::environment("cpu", "processor"),
    ]],
    metrics: METRICS,
    parts: names::of_go,
    words: &["Benchmark", "goos:", "goarch:", "pkg:", "Unit"],
    fits: |head| {
        // A name alone can be a heading of any text: `Benchmarks`.
        let has_more = ["ns/op", "--- ", "\nok ", "\nFAIL", "\nPASS", "panic: "]
            .iter()
            .any(|sign| memchr::memmem::find(head.bytes(), sign.as_bytes()).is_some());
        let holds = head.bytes().split(|&byte| byte == b'\n').any(|line| {
            let mut fields = fields(line);
            match fields.next() {
                Some(b"goos:" | b"goarch:" | b"pkg:") => line.first().is_some_and(u8::is_ascii_lowercase),
                Some(b"Unit") => fields.nth(1).is_some_and(|pair| pair.contains(&b'=')),
                Some(name) => {
                    line.starts_with(b"Benchmark")
                        && name.len() > b"Benchmark".len()
                        && !name.contains(&b',')
                        // Julia's text; a function of Go has no point in its name.
                        && !name.starts_with(b"BenchmarkTools.")
                        && fields.next().map_or(has_more, |count| integer(count).is_some())
                        // Google Benchmark prints the unit there.
                        && fields.next().is_none_or(|value| number(value).is_some())
                }
                None => false,
            }
        });
        No::unless(holds, "it has no such line")?;
        No::unless(!super::benchstat::is_table(head), "it is a table of benchstat")
    },
    read: Read::Sheets(|name, _, content, _| read(name, content)),
    ..Format::PLAIN
};

/// Pieces of this size are parsed in parallel; each is read where it is parsed, so that it stays in the cache.
const PIECE: usize = 2 << 20;

fn read(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let length = content.len();
    let starts: Vec<usize> = (0..length).step_by(PIECE).collect();
    let pieces: io::Result<Vec<Piece>> = starts
        .par_iter()
        .map_init(Vec::new, |buffer, &start| {
            let end = (start + PIECE).min(length);
            let lines = content.lines_in(start, end, buffer)?;
            let behind = Behind { content, from: end };
            let mut piece = parse(name, lines, content.budget.limits.line, &behind)?;
            piece.sheet.count(&content.budget)?;
            Ok(piece)
        })
        .collect();
    settle(pieces?, &content.budget.limits)
}

/// What a value takes at least, with its part of the line.
const BYTES_A_VALUE: usize = 30;

// The lines of Go's format: results, `Unit` lines and configuration. All other lines belong to the log of the
// test.

/// Parses a piece of a file. What is behind it can have the result of its last name.
pub(super) fn parse(name: &str, text: &[u8], longest: u64, behind: &Behind<'_>) -> io::Result<Piece> {
    let mut piece = Piece { sheet: Sheet::new(name), settings: Vec::new() };
    let mut beside = Vec::new();
    piece.sheet.reserve(text.len() / BYTES_A_VALUE);
    let (mut units, mut quick) = (Units::default(), Quick::default());
    let mut rest = text;
    while !rest.is_empty() {
        piece.sheet.lines = piece.sheet.lines.saturating_add(1);
        if let Some(length) = quick.line(&mut piece.sheet, &units, rest, longest as usize) {
            rest = &rest[length..];
            continue;
        }
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
                let found = if is_name { find(line, rest, behind, longest)? } else { Found::Nothing };
                printed_result(&mut piece.sheet, &mut units, line, unfinished, found, fault);
            }
        } else {
            other_line(&mut piece, line);
            beside.extend(headings::text_of(line).map(|text| (piece.sheet.lines, text.to_owned())));
        }
    }
    piece.sheet.beside = Some(beside);
    Ok(piece)
}

fn other_line(piece: &mut Piece, line: &[u8]) {
    if line.starts_with(b"Unit") && fields(line).next() == Some(b"Unit") {
        unit_line(&mut piece.sheet, line);
    } else if let Some(name) = line.trim_ascii().strip_prefix(b"--- FAIL: Benchmark") {
        let name = name.split(|&byte| byte == b' ').next().unwrap_or_default();
        let (sheet, what) = (&mut piece.sheet, format!("{} has no result: it failed", excerpt(name)));
        sheet.malformed(sheet.lines, what, REPAIR);
    } else if let Some(rest) = line.strip_prefix(b"FAIL\t") {
        // Of what it did not come to there is no line.
        let package = fields(rest).next().unwrap_or_default();
        let what = format!("the package {} failed, and may lack results", excerpt(package));
        piece.sheet.malformed(piece.sheet.lines, what, "repair its tests");
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
        let hint = "does the benchmark print text without a line end? Print one behind it";
        piece.sheet.malformed(piece.sheet.lines, what, hint);
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
        sheet.malformed(number, "a Unit line without a unit", "write: Unit ns/op better=lower");
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
                sheet.malformed(
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
        sheet.malformed(number, "a Unit line that says nothing", "write: Unit ns/op better=lower");
    }
}

/// Why a line with a name has no result.
enum Fault {
    /// It has one only if its words are no text that the benchmark printed: no unit is well known.
    Unsure,
    /// It is the bare name: `go test -v` prints it before the run, and `GoLand` the result in the next line.
    Bare,
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
        // Behind a name whose result follows is a tab.
        return match line.contains(&b'\t') {
            _ if is_prose(name) => Ok(()),
            true => Err(broken(format!("{} has no result", excerpt(name)))),
            false => Err(Fault::Bare),
        };
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
    let mut values = [(0u32, 0f64); MOST];
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
            let hint = "the line was cut. Copy the file again";
            sheet.problem(Code::Truncated, number_of_line, what, hint);
            return Ok(());
        }
        // A line of benchcmp has a value of each build, and how they differ: `140  184  +31.43%`, `0.92x`.
        if found == 0 && is_change(unit) {
            return Err(broken(format!("`{}` is a change between two builds, and no unit", excerpt(unit))));
        }
        let unit = units.find(sheet, unit, found);
        values[found] = (unit.metric, unit.value(parsed));
        found += 1;
    }
    if found == 0 {
        return Err(Fault::Broken(cut, "no value behind the iteration count".to_owned()));
    }
    add(sheet, name, &values[..found], number_of_line);
    Ok(())
}

/// Whether a word is a number with a sign of a share or a factor.
fn is_change(word: &[u8]) -> bool {
    matches!(word.split_last(), Some((b'%' | b'x', digits)) if number(digits).is_some())
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

// Configuration lines in Go's format: a line changes one key, for all results below it.

/// A change of the configuration, at the row where it takes effect.
pub(super) enum Setting {
    Set(String, String),
    Delete(String),
}

pub(super) struct Piece {
    pub(super) sheet: Sheet,
    pub(super) settings: Vec<(usize, Setting)>,
}

/// Sets the configuration of every row, piece after piece.
pub(super) fn settle(pieces: Vec<Piece>, limits: &Limits) -> io::Result<Vec<Sheet>> {
    let mut current = Current::default();
    let mut inherited = 0;
    let mut sheets = Vec::with_capacity(pieces.len());
    for Piece { mut sheet, settings } in pieces {
        let rows = sheet.len();
        let mut context = std::mem::take(&mut sheet.context);
        context.clear();
        let mut pairs = current.numbered(&mut sheet.contexts);
        for (row, setting) in settings {
            // A configuration is stored only if it has results, not for each line of a heading.
            if row > context.len() {
                context.resize(row, settled(&mut sheet, &pairs, &mut inherited, limits)?);
            }
            current.apply(setting, &mut pairs, &mut sheet.contexts);
            within(pairs.len() as u64, limits.keys, "keys", "the results state too many configuration keys")?;
        }
        context.resize(rows, settled(&mut sheet, &pairs, &mut inherited, limits)?);
        sheet.context = context;
        sheets.push(sheet);
    }
    Ok(sheets)
}

/// Returns the number of a configuration. The keys that a new one inherits from the lines above are counted and
/// limited: a line changes one key, and a file of many keys and many changes would grow with their product.
fn settled(sheet: &mut Sheet, pairs: &[(u32, u32)], inherited: &mut u64, limits: &Limits) -> io::Result<u32> {
    let known = sheet.contexts.len();
    let id = sheet.contexts.intern_pairs(pairs);
    if sheet.contexts.len() > known {
        *inherited += pairs.len() as u64;
        let what = "the results take over too many configuration keys from lines above";
        within(*inherited, limits.inherited, "inherited", what)?;
    }
    Ok(id)
}

/// The current configuration. It keeps its texts, because their numbers are valid within one piece only.
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

// Splits a Go result line into words and parses its numbers.

/// The fields of a line, split at blanks; faster than a general split on the short fields of result lines.
pub(super) struct Words<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.0.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let rest = &self.0[start..];
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.0 = &rest[end..];
        Some(&rest[..end])
    }
}

/// An integer of at most 19 digits.
pub(super) fn integer(bytes: &[u8]) -> Option<u64> {
    let digits = bytes.strip_prefix(b"+").unwrap_or(bytes);
    if digits.is_empty() || digits.len() > 19 {
        return None;
    }
    digits.iter().try_fold(0u64, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u64::from(byte - b'0')))
}

/// A decimal number. Plain digits below 2^53 with at most 22 decimals are exact in one division.
pub(super) fn decimal(bytes: &[u8]) -> Option<f64> {
    const POWERS: [f64; 9] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
    if bytes.len() > 15 {
        return number(bytes);
    }
    let (mut mantissa, mut decimals, mut point) = (0u64, 0usize, false);
    for &byte in bytes {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa * 10 + u64::from(byte - b'0');
                decimals += usize::from(point);
            }
            b'.' if !point => point = true,
            _ => return number(bytes),
        }
    }
    if decimals >= POWERS.len() || bytes.len() == usize::from(point) {
        return number(bytes);
    }
    Some(mantissa as f64 / POWERS[decimals])
}

// The results of benchmarks that print. Go writes the name, then the benchmark runs, then Go writes the
// result: what the benchmark prints stands between the two.

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
fn begins_with_name(line: &[u8]) -> bool {
    line.strip_prefix(b"Benchmark").is_some_and(|rest| !is_prose(rest))
}

/// Whether what follows `Benchmark` shows that it is the beginning of a sentence.
fn is_prose(rest: &[u8]) -> bool {
    rest.first().is_none_or(|first| first.is_ascii_lowercase() || first.is_ascii_whitespace())
}

/// The name that Go writes, with a tab, behind text that has no line end. In `ok  <tab>module/Benchmark<tab>0.1s` the text
/// before has a tab.
fn name_within(line: &[u8]) -> Option<&[u8]> {
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
fn has_known(mut words: Words<'_>) -> bool {
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

    fn sheets(text: &str) -> Vec<Sheet> {
        read("file", &Content::from_bytes(text.as_bytes()).unwrap()).unwrap()
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
    fn a_result_is_found_behind_the_end_of_a_piece() {
        let log = "opening the ledger 7 times\n";
        // The border of the first piece is within the log, within the result, and between them.
        for rows in
            [(PIECE - 60) / log.len(), PIECE / log.len() - 1, PIECE / log.len(), 3 * PIECE / log.len()]
        {
            for padding in 0..=log.len() {
                let text = format!(
                    "goos: {}\nBenchmarkPrints-2 \t{}      50\t      12.5 ns/op\nBenchmarkNext-2 \t      50\t 7 ns/op\n",
                    "x".repeat(padding),
                    log.repeat(rows)
                );
                let expected = [("Prints-2", 12.5e-9), ("Next-2", 7e-9)];
                let found = rows_of(&text);
                assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value)), "{rows} {padding}");
                if rows > 2 * PIECE / log.len() {
                    break;
                }
            }
        }
    }

    fn rows_of(text: &str) -> Vec<(String, f64)> {
        let found = sheets(text);
        assert!(found.iter().all(|sheet| sheet.problems.is_empty()));
        rows(text).into_iter().map(|(name, _, value)| (name, value)).collect()
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

    #[test]
    fn headings_tell_runs_apart_in_any_piece() {
        let rows = "BenchmarkLoop-8 \t 100 \t 5.5 ns/op\n".repeat(PIECE / 30);
        let run = |heading: &str| format!("=== {heading} ===\n{rows}");
        let content = Content::from_bytes((run("small") + &run("large")).as_bytes()).unwrap();
        let path = Path::new("runs");
        let sheets = FORMAT.sheets("runs", path, &content, &Options::default()).unwrap();
        assert!(sheets.len() > 2);
        let told =
            |sheet: &Sheet, row: usize| sheet.contexts.to_context(sheet.context[row] as usize)[0].1.clone();
        assert_eq!(told(&sheets[0], 0), "small");
        let last = sheets.last().unwrap();
        assert_eq!(told(last, last.len() - 1), "large");
    }

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
