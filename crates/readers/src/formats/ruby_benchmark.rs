//! The tables of Ruby's library `benchmark`: one run of each block, with its user, system, total and elapsed time.

use std::io;
use std::path::Path;

use super::format::{Format, Meaning, Processes, Values};
use super::head::No;
use super::lines;
use crate::metric::{Metric, Quantity};
use crate::sheet::Measurement;
use crate::source::Content;
use crate::text::{excerpt, number};
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "ruby-benchmark",
    sign: "a header `user system total real`",
    harness: "Ruby Benchmark",
    export: "standard output of Benchmark.bm or Benchmark.bmbm",
    values: Values::Samples,
    processes: Processes::Unknown,
    metrics: &[
        Meaning::of("real", "elapsed time of one run of the block"),
        Meaning::of("user", "processor time in the program"),
        Meaning::of("system", "processor time in the system for the program"),
        Meaning::of("total", "processor time in all, with that of child processes"),
    ],
    fits: |head| {
        let is_header = |line: &[u8]| std::str::from_utf8(line).is_ok_and(is_header);
        No::unless(head.lines().any(is_header), "it has no such line")
    },
    read,
    ..Format::PLAIN
};

fn is_header(line: &str) -> bool {
    line.split_whitespace().eq(["user", "system", "total", "real"])
}

/// A line of a table: the label, and the times in their order.
fn times(line: &str) -> Option<(&str, [f64; 4])> {
    let (before, real) = line.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let mut rest = before.trim_end();
    let mut last = || {
        let (before, word) = rest.rsplit_once(char::is_whitespace).unwrap_or(("", rest));
        rest = before.trim_end();
        number(word.as_bytes())
    };
    let (total, system, user) = (last()?, last()?, last()?);
    Some((rest.trim_start(), [number(real.trim().as_bytes())?, user, system, total]))
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut place = Place::Before;
    let mut rows = Vec::new();
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        // A rehearsal has another header, and is no measurement.
        let next = match place {
            _ if is_header(text) => Place::Table,
            _ if text.trim_start().starts_with("Rehearsal -") => Place::Rehearsal,
            Place::Table if text.trim().is_empty() => Place::After,
            _ => {
                row(&mut sheet, &mut rows, text, line, &place);
                continue;
            }
        };
        fill(&mut sheet, &mut rows);
        place = next;
    }
    fill(&mut sheet, &mut rows);
    Ok(vec![sheet])
}

/// Where a line stands.
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

/// Reads a line between headers.
fn row<'a>(sheet: &mut Sheet, rows: &mut Vec<Row<'a>>, text: &'a str, line: u32, place: &Place) {
    match (times(text), place) {
        (Some((label, times)), Place::Table) => rows.push(Row { label, times, line }),
        (Some(_), Place::After) => {
            let what =
                format!("`{}` stands below an empty line, outside of a table", excerpt(text.as_bytes()));
            sheet.problem(Code::MalformedRecord, line, what, "did the program print into the table?");
        }
        (None, Place::Table) => {
            // Programs print between the measurements.
            let last = text.strip_suffix(')').and_then(|text| text.rsplit_once('('));
            if last.is_some_and(|(_, real)| number(real.trim().as_bytes()).is_some()) {
                let what = format!("`{}` has no four times", excerpt(text.as_bytes()));
                sheet.problem(Code::MalformedRecord, line, what, "did the program print into the table?");
            }
        }
        _ => {}
    }
}

/// Takes the rows of a table. Without labels, each is a benchmark of its own: the blocks do different work.
fn fill(sheet: &mut Sheet, rows: &mut Vec<Row<'_>>) {
    let several = rows.iter().filter(|row| row.label.is_empty()).count() > 1;
    let mut unlabelled = 0;
    for Row { label, times, line } in rows.drain(..) {
        unlabelled += u32::from(label.is_empty());
        let benchmark = match label {
            "" if several => format!("benchmark {unlabelled}"),
            "" => "benchmark".to_owned(),
            label => label.to_owned(),
        };
        for (name, value) in ["real", "user", "system", "total"].into_iter().zip(times) {
            let metric = sheet.metric(name, || {
                let time = Metric::new(name, "s", Quantity::Time);
                if name == "real" { time } else { time.secondary() }
            });
            sheet.push(Measurement { benchmark: &benchmark, metric, value, line, ..Measurement::default() });
        }
    }
}
