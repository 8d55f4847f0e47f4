//! Plain tables as text: columns separated by commas, semicolons or tabs, with quotes where needed.

use crate::formats::prelude::*;
use std::sync::Arc;

use super::amounts::{amount, are_spreads, base_of};
use super::cells::{is_missing, is_number, resembles_number};
use super::columns::is_exported;
use super::commas::marks;
use super::finish::finish;
use super::headers::Header;
use super::keys::KEYS;
use super::mapping::{benchmark_at, speaks_for_itself};
use super::name_words::Holds;
use super::preface::{header_at, reader, separator};
use super::preview::Preview;
use super::proposal;
use super::question;
use super::rows::Intake;
use super::text_rows::{Lines, Notation, Table, as_written, bare, has_columns};
use crate::formats::format::PLAIN_TABLE;
use crate::guard;
use csv::ByteRecord;
use rayon::prelude::*;

/// The entry of comma- and semicolon-separated tables in the registry.
pub static CSV: Format = Format {
    name: "csv",
    sign: "columns `benchmark` and `value`, or results with units; others with --column ROLE=COLUMN",
    harness: PLAIN_TABLE,
    export: "statera convert",
    processes: Processes::Stated,
    states_direction: true,
    keys: &[KEYS],
    parts: names::of_table,
    fits: |head| match separator(head.bytes()) {
        Some(byte) if byte != b'\t' => fits(head, byte),
        _ => Err(No::Because("its first line has neither commas nor semicolons")),
    },
    read: Read::Sheets(|name, _path, content, options| {
        read(name, content, options, separator(&content.head).filter(|&byte| byte != b'\t').unwrap_or(b','))
    }),
    files: &["*.csv"],
    ..Format::PLAIN
};

/// The entry of tab-separated tables in the registry.
pub static TSV: Format = Format {
    name: "tsv",
    sign: "the same with tabs between the columns",
    harness: PLAIN_TABLE,
    files: &["*.tsv"],
    processes: Processes::Stated,
    states_direction: true,
    keys: &[KEYS],
    parts: names::of_table,
    fits: |head| {
        No::unless(separator(head.bytes()) == Some(b'\t'), "its first line has no tabs")?;
        fits(head, b'\t')
    },
    read: Read::Sheets(|name, _path, content, options| read(name, content, options, b'\t')),
    ..Format::PLAIN
};

/// Pieces of this size are parsed in parallel.
const PIECE: usize = 2 << 20;

/// What is read of a file to find its format.
const LONGEST_HEADER: usize = 256 << 10;

/// The number of rows examined to decide whether a column is numeric.
const SAMPLE: usize = 20;

/// What a table in columns asks of the user.
pub(super) fn question(kind: &str, head: &[u8], options: &Options) -> Option<String> {
    let is_long = head.len() >= LONGEST_HEADER && memchr::memchr(b'\n', &head[header_at(head)..]).is_none();
    if is_long {
        return Some("has a header line longer than 256 KiB".to_owned());
    }
    let Some(beginning) = Beginning::of(head, separator(head)?) else {
        return Some(question::MAPPING.to_owned());
    };
    Some(proposal::of_plan(kind, &beginning.header, options, &beginning))
}

/// The header and the first rows of a table.
struct Beginning {
    header: Vec<String>,
    notation: Notation,
    /// The position of the header and of the first row.
    start: usize,
    data: usize,
    /// The first rows, and those that have the first cell of a column.
    sample: Vec<ByteRecord>,
    /// Whether rows follow that were not looked at.
    goes_on: bool,
    /// Whether the first line is a row: the table has no header.
    is_headless: bool,
}

impl Beginning {
    fn of(head: &[u8], separator: u8) -> Option<Self> {
        let start = header_at(head);
        let text = &head[start..];
        let mut reader = reader(text, separator);
        let mut record = ByteRecord::new();
        reader.read_byte_record(&mut record).ok().filter(|&read| read)?;
        let guarded = record.iter().any(|name| name == guard::COLUMN.as_bytes());
        let named = |of: &dyn Fn(&[u8]) -> Vec<u8>| -> Vec<String> {
            record.iter().map(|name| lossless(&of(as_written(name, guarded))).into_owned()).collect()
        };
        let mut header = named(&<[u8]>::to_vec);
        let bare = named(&|name| bare(name).to_vec());
        let padded = bare != header && !is_exported(&header);
        if padded {
            header = bare;
        }
        let name = benchmark_at(&header, |_| true);
        let (names, columns) = (record.clone(), record.len());
        let mut data = reader.position().byte() as usize;
        // A record ends at its carriage return; the line feed follows.
        if text.get(data) == Some(&b'\n') {
            data += 1;
        }
        let mut sample: Vec<ByteRecord> = Vec::new();
        let mut blank: Vec<usize> = (0..columns).collect();
        while (sample.len() < SAMPLE || !blank.is_empty()) && reader.read_byte_record(&mut record).ok()? {
            // Another table begins with the same name of its column of benchmarks.
            let again = name.is_some_and(|column| record.get(column) == names.get(column));
            if again && record != names {
                break;
            }
            if has_columns(&record, columns) && record != names {
                let before = blank.len();
                blank.retain(|&column| is_blank(&record[column]));
                if sample.len() < SAMPLE || blank.len() < before {
                    sample.push(record.clone());
                }
            }
        }
        let notation = Notation { guarded, padded };
        let mut found =
            Self { header, notation, start, data: start + data, sample, goes_on: false, is_headless: false };
        if found.has_no_header(&names) {
            found.sample.insert(0, names);
            found.header = found.names_of_columns();
            (found.data, found.is_headless) = (start, true);
        }
        Some(found)
    }

    /// Whether the first line is a row: it has a number with decimals where the others have numbers, and a text where they
    /// have texts, and none of its cells is a word of headers. The names of columns differ from each other.
    fn has_no_header(&self, first: &ByteRecord) -> bool {
        let is_bare = |cell: &[u8]| number(cell.trim_ascii()).is_some();
        let has_unit = |cell: &[u8]| amount(&lossless(cell)).is_some();
        let is_number = |cell: &[u8]| is_bare(cell) || has_unit(cell);
        let (mut has_decimals, mut has_units, mut recurs) = (false, false, false);
        for (column, cell) in first.iter().enumerate() {
            let cell = cell.trim_ascii();
            let are_numbers = self.cells(column).all(is_number);
            if is_blank(cell) || self.cells(column).next().is_none() || are_numbers && !is_number(cell) {
                return false;
            }
            if are_numbers {
                has_decimals |= cell.contains(&b'.');
                has_units |= has_unit(cell);
            } else {
                let header = Header::of(&lossless(cell));
                let is_word = header.holds != Holds::Unknown || header.has_unit();
                if is_word || benchmark_at(&[header.name], |_| true).is_some() {
                    return false;
                }
                recurs |= self.cells(column).any(|other| other == cell);
            }
        }
        // Numbers alone can name columns: 0.5,0.99.
        has_units || first.iter().any(is_bare) && !first.iter().all(is_bare) && (has_decimals || recurs)
    }

    /// Names for the columns of a table without a header. Of a text and a number in each row there is one reading.
    fn names_of_columns(&self) -> Vec<String> {
        let is_number = |column: &usize| {
            self.cells(*column).all(|cell| number(cell).is_some() || amount(&lossless(cell)).is_some())
        };
        let columns = 0..self.header.len();
        let numbers = columns.clone().filter(is_number).count();
        if (columns.len(), numbers) == (2, 1) {
            return columns.map(|at| if is_number(&at) { "value" } else { "benchmark" }.to_owned()).collect();
        }
        columns.map(|at| format!("column{}", at + 1)).collect()
    }

    /// The first cells of a column that are not empty.
    fn cells(&self, column: usize) -> impl Iterator<Item = &[u8]> {
        self.sample.iter().map(move |row| row[column].trim_ascii()).filter(|cell| !is_blank(cell))
    }
}

impl Preview for Beginning {
    fn is_numeric(&self, column: usize) -> bool {
        // Of a column that is empty so far only the header can tell.
        if self.cells(column).next().is_none() {
            return self.goes_on;
        }
        let any = self.cells(column).any(is_number);
        let resembling = || self.cells(column).any(resembles_number);
        any && self.cells(column).all(is_number)
            || base_of(&Preview::sample(self, column)).is_some()
            || are_spreads(&Preview::sample(self, column))
            || Header::of(&self.header[column]).has_numbers(any, resembling())
    }

    fn first(&self, column: usize) -> Vec<String> {
        self.cells(column).take(3).map(|cell| lossless(cell).into_owned()).collect()
    }

    fn sample(&self, column: usize) -> Vec<String> {
        self.cells(column).map(|cell| lossless(cell).into_owned()).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let text = |cell: &[u8]| {
            if is_blank(cell) { String::new() } else { lossless(cell.trim_ascii()).into_owned() }
        };
        self.sample.iter().map(|row| row.iter().map(text).collect()).collect()
    }
}

fn say_headless(sheet: &mut Sheet, line: u32) {
    let what =
        "the first line is a row: the table has no header; its columns are called column1, column2 and so on";
    sheet.problem(Code::Assumed, line, what, "write a header above it: benchmark,time_ms");
}

fn is_blank(cell: &[u8]) -> bool {
    let cell = cell.trim_ascii();
    cell.is_empty() || is_missing(cell)
}

/// Whether any column of a table separated by tabs has numbers.
pub(super) fn has_numbers(text: &[u8]) -> bool {
    Beginning::of(text, b'\t')
        .is_some_and(|beginning| (0..beginning.header.len()).any(|column| beginning.is_numeric(column)))
}

pub(super) fn fits(head: &Head<'_>, separator: u8) -> Fit {
    let speaks = Beginning::of(head.bytes(), separator).is_some_and(|beginning| {
        beginning.header.len() > 1 && speaks_for_itself(&beginning.header, &beginning)
    });
    No::unless(speaks, "its columns are not `benchmark` and `value`, nor `benchmark` and results with units")
}

pub(super) fn read(
    name: &str,
    content: &Content,
    options: &Options,
    separator: u8,
) -> io::Result<Vec<Sheet>> {
    let Some(mut beginning) = Beginning::of(&content.head, separator) else {
        return Err(io::Error::other("has no header line"));
    };
    beginning.goes_on = content.len() > content.head.len();
    let (length, data) = (content.len(), beginning.data);
    if data >= content.head.len() && length > content.head.len() {
        return Err(io::Error::other("has a header line longer than 256 KiB"));
    }
    let plan = proposal::plan(&beginning.header, options, &beginning);
    let plan = Arc::new(plan.map_err(io::Error::other)?);
    plan.check(&content.budget.limits)?;
    let lines = memchr::memchr_iter(b'\n', &content.head[..data]).count() as u32;
    let Beginning { header, notation, .. } = &beginning;
    let longest = content.budget.limits.line;
    let marks = marks(&plan, &beginning, separator);
    let table = Table { name, separator, header, longest, notation: *notation, marks: &marks, plan: &plan };
    let starts: Vec<usize> = (data..length).step_by(PIECE).collect();
    // Without quotes every line end ends a row, so pieces can be read in parallel. With quotes, only reading
    // from the beginning of the file shows what lies inside them.
    let whole_lines = content.head[..data].ends_with(b"\n");
    let pieces: Option<io::Result<Vec<Intake>>> = starts
        .par_iter()
        .map_init(Vec::new, |buffer, &start| {
            let rows = match content.lines_in(start, (start + PIECE).min(length), buffer) {
                Ok(rows) => rows,
                Err(error) => return Some(Err(error)),
            };
            let shape = Lines::of(rows);
            (whole_lines && shape != Lines::Quoted).then(|| {
                let mut piece = table.rows(rows, shape, if start == data { lines } else { 0 });
                piece.sheet.count(&content.budget)?;
                Ok(piece)
            })
        })
        .collect();
    let mut pieces = if let Some(pieces) = pieces {
        pieces?
    } else {
        let all = content.all()?;
        vec![table.rows(&all[data..], Lines::of(&all[data..]), lines)]
    };
    if let Some(last) = pieces.iter().position(|piece| piece.ended) {
        pieces.truncate(last + 1);
    }
    if pieces.is_empty() {
        pieces.push(Intake::new(name, &plan));
    }
    let above = memchr::memchr_iter(b'\n', &content.head[..beginning.start]).count() as u32;
    plan.say_repeated(&beginning.header, &mut pieces[0].sheet, above + 1);
    if beginning.is_headless {
        say_headless(&mut pieces[0].sheet, above + 1);
    }
    Ok(finish(pieces, &plan))
}

#[cfg(test)]
mod tests {
    use super::super::columns::Plan;
    use super::*;

    #[test]
    fn rows_of_several_kinds_of_line_ends_are_told_apart() {
        for (text, lines) in [
            ("", Lines::Plain),
            ("a,1\r\nb,2\r\nc,3", Lines::Returned),
            ("a,1\r\nb,2\n", Lines::Mixed),
            ("a,1\nb,2\r\n", Lines::Mixed),
            ("a,1\r\nb,2\r", Lines::Mixed),
            ("a,1\rb,2\n", Lines::Mixed),
            ("a,1\r\n\"b\",2\r\n", Lines::Quoted),
        ] {
            assert_eq!(Lines::of(text.as_bytes()), lines, "{text:?}");
        }
    }

    #[test]
    fn rows_without_quotes_are_read_as_by_the_general_reader() {
        let header: Vec<String> = ["benchmark", "key", "value"].map(str::to_owned).into();
        let (notation, sample) = (Notation::default(), Vec::new());
        let beginning =
            Beginning { header, notation, start: 0, data: 0, sample, goes_on: false, is_headless: false };
        let plan = Arc::new(Plan::new(&beginning.header, &Options::default(), &beginning).unwrap());
        let header = &beginning.header;
        let (name, separator) = ("t", b',');
        let table = Table { name, separator, header, longest: 20, notation, marks: &[], plan: &plan };
        let words =
            ["a", "b,", ",", ",", "\n", "\n", " ", "\t", "1", "2.5", "a,k,1\n", "a,,7\n", "é", "12345678901"];
        let mut state = 1u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..9 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                text.push_str(words[(state >> 33) as usize % words.len()]);
            }
            let returned = text.replace('\n', "\r\n");
            let expected = if text.contains('\n') { Lines::Returned } else { Lines::Plain };
            assert_eq!(
                (Lines::of(text.as_bytes()), Lines::of(returned.as_bytes())),
                (Lines::Plain, expected)
            );
            for text in [&text, &returned] {
                let plain = table.rows(text.as_bytes(), Lines::of(text.as_bytes()), 5);
                let quoted = table.rows(text.as_bytes(), Lines::Quoted, 5);
                let shown = |intake: &Intake| {
                    let Sheet { value, line, benchmarks, context, contexts, problems, lines, .. } =
                        &intake.sheet;
                    let contexts: Vec<_> = (0..contexts.len()).map(|at| contexts.to_context(at)).collect();
                    format!("{value:?} {line:?} {benchmarks:?} {context:?} {contexts:?} {problems:?} {lines}")
                };
                assert_eq!(shown(&plain), shown(&quoted), "{text:?}");
            }
        }
    }
}
