//! The tables of Ruby's library `benchmark`: one run of each block, with its user, system, total and elapsed time.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "ruby-benchmark",
    sign: "a header `user system total real`",
    harness: "Ruby Benchmark",
    export: "standard output of Benchmark.bm or Benchmark.bmbm",
    metrics: &[
        Meaning::of("real", "elapsed time of one run of the block"),
        Meaning::of("user", "processor time in the program"),
        Meaning::of("system", "processor time in the system for the program"),
        Meaning::of("total", "processor time in all, with that of child processes"),
    ],
    words: &["system"],
    fits: |head| head.has_line(is_header),
    read: Read::Bytes(read),
    printed_by: &["ruby"],
    ..Format::PLAIN
};

fn is_header(line: &str) -> bool {
    line.split_whitespace().eq(["user", "system", "total", "real"])
}

/// A line of a table.
struct Line<'a> {
    label: &'a str,
    /// In the order of the metrics.
    times: [f64; 4],
    /// Whether the end of a label stands before the user time without a blank between them, as it does from 100 s on.
    touches: bool,
}

/// Reads a line of a table.
fn parsed(line: &str) -> Option<Line<'_>> {
    let (before, real) = line.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let mut rest = before.trim_end();
    let mut last = || {
        let (before, word) = rest.rsplit_once(char::is_whitespace).unwrap_or(("", rest));
        rest = before.trim_end();
        Some((word, number(word)?))
    };
    let ((_, total), (_, system), (written, user)) = (last()?, last()?, last()?);
    let times = [number(real.trim())?, user, system, total];
    // Ruby fills a time up with blanks to ten characters. Digits of a label raise the time above the total by hundreds of
    // seconds; its zeros and signs do not.
    let begins_as_time = written.starts_with(|first: char| ('1'..='9').contains(&first));
    let touches = written.len() > 10 && (user > total + 1.0 || !begins_as_time);
    Some(Line { label: rest.trim_start(), times, touches })
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut place = Place::Before;
    let mut tables = Tables::default();
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        // A rehearsal has another header, and is no measurement.
        let next = match place {
            _ if is_header(text) => Place::Table,
            _ if text.trim_start().starts_with("Rehearsal -") => Place::Rehearsal,
            Place::Table if text.trim().is_empty() => Place::After,
            _ => {
                row(sheet, &mut tables, text, line, place);
                continue;
            }
        };
        if next != Place::After && place != Place::Rehearsal {
            tables.begin();
        }
        place = next;
    }
    tables.begin();
    tables.push(sheet);
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Before,
    Rehearsal,
    Table,
    After,
}

/// A row of a table.
struct Row<'a> {
    label: &'a str,
    times: [f64; 4],
    line: u32,
}

/// A row with the name of its benchmark.
struct Run {
    benchmark: String,
    times: [f64; 4],
    line: u32,
}

/// The tables as far as they are read.
#[derive(Default)]
struct Tables<'a> {
    runs: Vec<Run>,
    /// The rows of the current table.
    rows: Vec<Row<'a>>,
}

impl Tables<'_> {
    /// Ends the current table and begins another. Without labels, each row is a benchmark of its own: the blocks do different
    /// work.
    fn begin(&mut self) {
        let several = self.rows.iter().filter(|row| row.label.is_empty()).count() > 1;
        let mut unlabelled = 0;
        for Row { label, times, line } in self.rows.drain(..) {
            unlabelled += u32::from(label.is_empty());
            let benchmark = match label {
                "" if several => format!("benchmark {unlabelled}"),
                "" => "benchmark".to_owned(),
                label => label.to_owned(),
            };
            self.runs.push(Run { benchmark, times, line });
        }
    }

    /// Takes the runs.
    fn push(&self, sheet: &mut Sheet) {
        for Run { benchmark, times, line } in &self.runs {
            for (name, &value) in ["real", "user", "system", "total"].into_iter().zip(times) {
                let metric = sheet.metric(name, || {
                    let time = Metric::new(name, "s", Quantity::Time);
                    if name == "real" { time } else { time.secondary() }
                });
                sheet.push(Measurement { benchmark, metric, value, line: *line, ..ROW });
            }
        }
    }
}

/// Reads a line between headers.
fn row<'a>(sheet: &mut Sheet, tables: &mut Tables<'a>, text: &'a str, line: u32, place: Place) {
    let found = parsed(text);
    // Programs print between the measurements, too. A time has decimals.
    let real = text.strip_suffix(')').and_then(|text| text.rsplit_once('(')).map(|(_, real)| real.trim());
    let is_time = real.is_some_and(|real| real.contains('.') && number(real).is_some());
    let is_broken = place == Place::Table && found.is_none() && is_time;
    match (found, place) {
        // A label that is longer than the width given to Benchmark.bm touches the user time.
        (Some(Line { label, times, touches: false }), Place::Table) => {
            tables.rows.push(Row { label, times, line });
        }
        (Some(_), Place::Table | Place::After) => sheet.no_row(line, text),
        _ if is_broken => sheet.no_row(line, text),
        _ => {}
    }
}
