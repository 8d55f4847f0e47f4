//! Google Benchmark's CSV: a row for each repetition, with six digits. Its file begins with the context in words.

use super::google_benchmark::{self, Found, Summary, is_fit, settle, summarized, take_named, time_scale};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "google-benchmark-csv",
    sign: "a header `name,iterations,real_time,cpu_time,time_unit,…`",
    export: "--benchmark_out=FILE --benchmark_out_format=csv",
    files: &["*.csv"],
    words: &["cpu_time,"],
    fits: |head| No::unless(header(head.bytes()).is_some(), "it has no such header"),
    read: Read::Sheet(read),
    ..google_benchmark::PRINTED
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

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let Some((start, line)) = header(&bytes) else {
        sheet.malformed(1, "there is no header `name,iterations,real_time,…`", "");
        return Ok(());
    };
    let (mut bytes, mut line) = (&bytes[start..], line);
    while !bytes.is_empty() {
        let (run, rest) = bytes.split_at(run(bytes));
        read_run(sheet, &run[..rows(run, rest)], line)?;
        sheet.next_run();
        line = line.saturating_add(memchr::memchr_iter(b'\n', run).count() as u32);
        bytes = rest;
    }
    Ok(())
}

/// The length of the run that begins with a header: up to the header of another run that was appended.
fn run(bytes: &[u8]) -> usize {
    let mut places = memchr::memmem::find_iter(bytes, HEADER).skip(1);
    places.find(|&at| bytes[at - 1] == b'\n').unwrap_or(bytes.len())
}

/// The length of a run without what the next run says of its machine above its header. A row begins with a quote.
fn rows(run: &[u8], rest: &[u8]) -> usize {
    if rest.is_empty() {
        return run.len();
    }
    let last = memchr::memmem::rfind(run, b"\n\"").map_or(0, |at| at + 1);
    last + memchr::memchr(b'\n', &run[last..]).map_or(0, |end| end + 1)
}

fn read_run(sheet: &mut Sheet, bytes: &[u8], line: u32) -> io::Result<()> {
    let mut table = Table::default();
    csv_rows::each_or_short(b',', bytes, line, sheet, ends_in_message, |sheet, row| table.row(sheet, row))?;
    for row in take_named(&mut table.found.summaries, table.last_line) {
        let benchmark = format!("{}_{}", row.benchmark, row.kind);
        table.found.repetition(sheet, &benchmark, &row);
    }
    // Before version 1.5 the iterations of a summary are those of one repetition, of which there can be millions. Nothing
    // states the version; from 1.6 on a coefficient of variation is among the summaries.
    if !table.has_variation {
        table.found.summaries.iter_mut().for_each(|row| row.count = None);
    }
    settle(sheet, &table.found);
    Ok(())
}

/// Whether a row is that of a benchmark that failed or was skipped: the columns of the counters, which are the last, are
/// missing.
fn ends_in_message(row: &Row<'_>) -> bool {
    left_out(row).is_some()
        && row.header.get(..row.len()).and_then(<[_]>::last).is_some_and(|column| column == MESSAGE)
}

/// Why the benchmark of a row has no values: it failed or was skipped. The column is empty in other rows.
fn left_out(row: &Row<'_>) -> Option<Code> {
    match row.cell("error_occurred")? {
        b"true" => Some(Code::MalformedRecord),
        b"false" => Some(Code::NoResults),
        _ => None,
    }
}

#[derive(Default)]
struct Table {
    found: Found,
    /// Whether a summary is a coefficient of variation.
    has_variation: bool,
    last_line: u32,
}

impl Table {
    fn row(&mut self, sheet: &mut Sheet, row: &Row<'_>) {
        let (line, name) = (row.line, row.text("name").unwrap_or_default());
        self.last_line = line;
        let shown = excerpt(name.as_bytes());
        if let Some(code) = left_out(row) {
            let why = excerpt(row.cell(MESSAGE).unwrap_or_default());
            let what = format!("{shown} has no result: {why}");
            let is_skipped = matches!(code, Code::NoResults);
            let hint = if is_skipped { "run it where it is not skipped" } else { "repair the benchmark" };
            return sheet.problem(code, line, what, hint);
        }
        // The row of a summary looks like that of a repetition; only its name tells.
        let is_one = |whole: &&str| self.found.is_summarized(whole, &name);
        let summary = summarized(&name).filter(is_one);
        let summary = summary.or_else(|| self.own_statistic(row, &name));
        self.has_variation |= summary.is_some() && name.ends_with("_cv");
        let Some(scale) = row.text("time_unit").and_then(|unit| time_scale(&unit)) else {
            // The fit of a complexity has no unit of time.
            return if summary.is_none() && !is_fit(&name) {
                let what = format!("{shown} has no known time_unit");
                sheet.malformed(line, what, "was the file cut or edited?");
            };
        };
        let label = row.text("label").map(|label| ("label".to_owned(), label.into_owned()));
        let context: Context = label.into_iter().collect();
        let mut fields = Vec::new();
        for (column, _) in row.cells().filter(|(column, _)| !TEXTS.contains(column)) {
            let scale = if matches!(column, "real_time" | "cpu_time") { scale } else { Scale::Times(1.0) };
            if let Some(value) = row.number(sheet, column) {
                fields.push((column.to_owned(), scale.apply(value)));
            }
        }
        let (kind, count) = match summary {
            Some(whole) => (name[whole.len() + 1..].to_owned(), row.number(sheet, "iterations")),
            None => (String::new(), None),
        };
        let benchmark = summary.unwrap_or(&name).to_owned();
        let row = Summary { benchmark, kind, count, context, line, fields };
        if summary.is_some() {
            self.found.add_summary(row);
        } else {
            self.found.repetition(sheet, &name, &row);
        }
    }

    /// The benchmark of a statistic that the program computes itself (`ComputeStatistics("max", …)`). Its row follows the
    /// other summaries of the benchmark, and has the number of repetitions where others have iterations.
    fn own_statistic<'n>(&self, row: &Row<'_>, name: &'n str) -> Option<&'n str> {
        let before = self.found.summaries.last().filter(|before| before.line + 1 == row.line)?;
        let rest = name.strip_prefix(before.benchmark.as_str())?.strip_prefix('_')?;
        let count = before.count?.to_string();
        let same = row.text("iterations").is_some_and(|iterations| iterations == count);
        (same && !rest.is_empty()).then(|| &name[..before.benchmark.len()])
    }
}

const MESSAGE: &str = "error_message";

/// The columns that are no values.
const TEXTS: [&str; 6] = ["name", "iterations", "time_unit", "label", "error_occurred", MESSAGE];
