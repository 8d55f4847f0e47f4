//! benchstat's CSV: the centre of each benchmark under each column. A unit has a table of its own.

use super::prelude::*;
use crate::text::fields;
use csv::{ByteRecord, ReaderBuilder};

use super::go_units::{METRICS, describe, tidy};

pub static FORMAT: Format = Format {
    name: "benchstat",
    sign: "a line such as `,sec/op,CI` below the names of the columns",
    harness: "benchstat",
    export: "benchstat -format csv",
    files: &["*.csv"],
    values: Values::Aggregates,
    keys: &[&[Key::setting("variant", "column of the table: the file or the label")]],
    metrics: METRICS,
    parts: names::of_go,
    words: &[",CI"],
    fits: |head| No::unless(head.lines().any(is_units), "it has no such line"),
    read: Read::Sheet(read),
    printed_by: &["benchstat"],
    ..Format::PLAIN
};

/// Whether a line names a unit for each column: `,sec/op,CI,sec/op,CI,vs base,P`.
fn is_units(line: &[u8]) -> bool {
    let mut cells = line.split(|&byte| byte == b',');
    cells.next() == Some(b"")
        && cells.next().is_some_and(|unit| !unit.is_empty())
        && cells.next() == Some(b"CI")
}

/// Whether a line is a warning about a cell, such as `B7: need >= 6 samples …`, which benchstat writes to standard error.
/// Names of benchmarks have no blanks, and keys begin with small letters.
fn is_warning(line: &[u8]) -> bool {
    let letters = line.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let digits = line[letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    letters > 0 && digits > 0 && line[letters + digits..].starts_with(b": ")
}

/// What benchstat prints for people.
pub static TEXT: Format = Format {
    name: "benchstat-text",
    sign: "a table with `│ sec/op │` or `old time/op  new time/op  delta`",
    harness: "benchstat",
    values: Values::refused(
        "a table of benchstat with rounded medians",
        "read the files of `go test -bench` themselves",
    ),
    words: &["│", ",±", "delta"],
    fits: |head| No::unless(head.lines().any(is_text) && is_table(head), "it has no such table"),
    ..Format::PLAIN
};

/// Whether a line is the header of a table for people, of this or of an older version.
fn is_text(line: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(line) else { return false };
    (text.contains('│') && text.contains("vs base"))
        || is_only_column(text.trim())
        || (text.starts_with("name,") && text.contains(",±"))
        || (text.starts_with("name ") && text.contains("old ") && text.trim_end().ends_with("delta"))
}

/// Whether a line has the unit of each column between bars, as `│    sec/op    │`: nothing is compared.
fn is_only_column(line: &str) -> bool {
    let inner = line.strip_prefix('│').and_then(|line| line.strip_suffix('│'));
    let is_unit = |cell: &str| cell.contains('/') && !cell.trim().contains(' ');
    inner.is_some_and(|inner| inner.split('│').all(is_unit))
}

/// Whether the text is a table of benchstat, which repeats some lines of Go's results, without the results themselves.
pub(super) fn is_table(head: &Head<'_>) -> bool {
    head.lines().any(|line| is_units(line) || is_text(line)) && !head.lines().any(is_result)
}

/// Whether a line is a result of Go: `BenchmarkName-8  100  123 ns/op`. benchstat takes the first word off the name.
fn is_result(line: &[u8]) -> bool {
    let mut words = fields(line);
    words.next().is_some_and(|name| name.starts_with(b"Benchmark"))
        && words.next().is_some_and(|count| count.iter().all(u8::is_ascii_digit))
        && words.next().is_some_and(|value| number(value).is_some())
        && words.next().is_some_and(|unit| unit.contains(&b'/'))
}

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let mut table = Table::default();
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if is_warning(text) {
            continue;
        }
        let mut cells = ByteRecord::new();
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
        if text.is_empty() || !reader.read_byte_record(&mut cells).map_err(io::Error::other)? {
            table.units.clear();
            table.labels.clear();
        } else if is_units(text) {
            table.units = cells.iter().map(|cell| lossless(cell).into_owned()).collect();
        } else if cells[0].is_empty() && table.units.is_empty() {
            table.name_columns(&cells);
        } else if cells.len() == 1 && table.units.is_empty() {
            table.configure(&lossless(&cells[0]));
        } else if !table.units.is_empty() && &cells[0] != b"geomean" {
            table.row(sheet, &cells, line);
        }
    }
    Ok(())
}

#[derive(Default)]
struct Table {
    /// The keys that all results have in common, as `goos: linux`.
    context: Context,
    /// The names of the columns; several lines of them are joined.
    labels: Vec<String>,
    units: Vec<String>,
}

impl Table {
    fn configure(&mut self, text: &str) {
        if let Some((key, value)) = text.split_once(": ") {
            self.context.retain(|(known, _)| known != key);
            // A result without the key has an empty value.
            if !value.is_empty() {
                self.context.push((key.to_owned(), value.to_owned()));
            }
        }
    }

    /// A name stands above the first of its columns.
    fn name_columns(&mut self, cells: &ByteRecord) {
        self.labels.resize(cells.len().max(self.labels.len()), String::new());
        for (label, cell) in self.labels.iter_mut().zip(cells) {
            let cell = lossless(cell);
            if !label.is_empty() && !cell.is_empty() {
                label.push(' ');
            }
            label.push_str(&cell);
        }
    }

    fn row(&self, sheet: &mut Sheet, cells: &ByteRecord, line: u32) {
        let name = lossless(&cells[0]);
        for (place, cell) in cells.iter().enumerate().skip(1).filter(|(_, cell)| !cell.is_empty()) {
            // A centre is the column before its interval.
            if self.units.get(place + 1).is_none_or(|unit| unit != "CI") {
                continue;
            }
            let Some(value) = sheet.number(cell, line) else {
                sheet.unreadable(line, cell);
                continue;
            };
            let (unit, factor) = tidy(self.units[place].as_bytes());
            let metric = sheet.metric(&unit, || describe(&unit));
            let mut context = self.context.clone();
            context.extend(self.labels.get(place).map(|label| ("variant".to_owned(), label.clone())));
            sheet.set_context(&context);
            let (value, aggregate) = (value * factor, Some(Aggregate::default()));
            sheet.push(Measurement { benchmark: &name, metric, value, line, aggregate, ..ROW });
        }
    }
}
