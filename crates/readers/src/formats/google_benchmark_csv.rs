//! Google Benchmark's CSV: a row for each repetition, with six digits. Its file begins with the context in words.

use std::io;
use std::path::Path;

use csv::{ByteRecord, ReaderBuilder};

use super::format::{Format, Key, Processes, Role, Values};
use super::google_benchmark::{METRICS, NO_REPETITIONS, described, summarized, time_scale};
use super::head::No;
use super::lines;
use super::table_units::Scale;
use crate::context::Context;
use crate::sheet::Measurement;
use crate::source::Content;
use crate::text::{excerpt, lossless};
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "google-benchmark-csv",
    sign: "a header `name,iterations,real_time,cpu_time,time_unit,…`",
    harness: "Google Benchmark",
    export: "--benchmark_out=FILE --benchmark_out_format=csv",
    files: &["*.csv"],
    values: Values::Averages,
    processes: Processes::OneAFile,
    keys: &[&[Key::new("label", Role::Setting, "label that the benchmark sets")]],
    metrics: METRICS,
    fits: |head| No::unless(header(head.bytes()).is_some(), "it has no such header"),
    read,
    ..Format::PLAIN
};

const HEADER: &[u8] = b"name,iterations,real_time,cpu_time,time_unit,";

/// The place of the header and its line.
fn header(bytes: &[u8]) -> Option<(usize, u32)> {
    let mut at = 0;
    // The context has some twenty lines at most.
    for (line, text) in (1..100).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        if text.starts_with(HEADER) {
            return Some((at, line));
        }
        at += text.len();
    }
    None
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let all = content.all()?;
    let bytes = lines::whole(&all, &mut sheet);
    let Some((start, line)) = header(bytes) else {
        sheet.problem(Code::MalformedRecord, 1, "there is no header `name,iterations,real_time,…`", "");
        return Ok(vec![sheet]);
    };
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&bytes[start..]);
    let mut table = Table { columns: Vec::new(), repeated: Vec::new() };
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(io::Error::other)? {
        let at = record.position().map_or(0, |place| place.line() as u32 - 1) + line;
        if at == line {
            table.columns = record.iter().map(|column| lossless(column).into_owned()).collect();
        } else if record.len() == table.columns.len() {
            table.row(&mut sheet, &record, at);
        } else {
            let what = format!("a row of {} fields under a header of {}", record.len(), table.columns.len());
            sheet.problem(Code::MalformedRecord, at, what, "was the file cut or edited?");
        }
    }
    Ok(vec![sheet])
}

struct Table {
    columns: Vec<String>,
    /// The benchmarks whose repetitions the file has.
    repeated: Vec<String>,
}

impl Table {
    fn row(&mut self, sheet: &mut Sheet, record: &ByteRecord, line: u32) {
        let cell = |column: &str| {
            let place = self.columns.iter().position(|known| known == column)?;
            record.get(place).filter(|cell| !cell.is_empty())
        };
        let name = lossless(&record[0]);
        let shown = excerpt(&record[0]);
        if cell("error_occurred").is_some_and(|failed| failed == b"true") {
            let why = excerpt(cell("error_message").unwrap_or_default());
            let what = format!("{shown} has no result: {why}");
            return sheet.problem(Code::MalformedRecord, line, what, "repair the benchmark");
        }
        // The row of a summary looks like that of a repetition; only its name tells.
        if let Some(whole) = summarized(&name).filter(|whole| self.is_summarized(whole, &name)) {
            if !self.repeated.iter().any(|known| known == whole) {
                let what = format!("{} has only summaries of its repetitions", excerpt(whole.as_bytes()));
                sheet.problem(Code::MalformedRecord, line, what, NO_REPETITIONS);
                self.repeated.push(whole.to_owned());
            }
            return;
        }
        let unit = cell("time_unit").map(lossless).unwrap_or_default();
        let Some(scale) = time_scale(&unit) else {
            let what = format!("{shown} has no known time_unit");
            return sheet.problem(Code::MalformedRecord, line, what, "was the file cut or edited?");
        };
        if self.repeated.last().is_none_or(|last| *last != name) {
            self.repeated.push(name.clone().into_owned());
        }
        let label = cell("label").map(|label| ("label".to_owned(), lossless(label).into_owned()));
        sheet.set_context(&label.into_iter().collect::<Context>());
        for (column, cell) in self.columns.iter().zip(record).skip(2).filter(|(_, cell)| !cell.is_empty()) {
            let scale = match &**column {
                "real_time" | "cpu_time" => scale,
                "time_unit" | "label" | "error_occurred" | "error_message" => continue,
                _ => Scale::Times(1.0),
            };
            let metric = sheet.metric(column, || described(column));
            let Some(value) = sheet.number(cell, line) else {
                let what = format!("{column} of {shown} is `{}`, not a number", excerpt(cell));
                sheet.problem(Code::MalformedNumber, line, what, "repeat the run");
                continue;
            };
            let value = scale.apply(value);
            sheet.push(Measurement {
                benchmark: &name,
                metric,
                value,
                line,
                process: Some(0),
                ..Measurement::default()
            });
        }
    }

    /// Whether a row with the name of a summary is one: its repetitions or other summaries precede it, or it is the
    /// mean, which comes first.
    fn is_summarized(&self, whole: &str, name: &str) -> bool {
        name.ends_with("_mean") || self.repeated.iter().any(|known| known == whole)
    }
}
