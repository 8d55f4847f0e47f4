//! Google Benchmark's CSV: a row for each repetition, with six digits. Its file begins with the context in words.

use super::google_benchmark::{self, Found, Table, time_scale};
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
        sheet.lacks(1, "the file", "header `name,iterations,real_time,…`");
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
    csv_rows::each_or_short(b',', bytes, line, sheet, ends_in_message, |sheet, row| {
        take(&mut table, sheet, row);
    })?;
    table.end(sheet);
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

fn take(table: &mut Table, sheet: &mut Sheet, row: &Row<'_>) {
    let name = &*row.text("name").unwrap_or_default();
    table.last_line = row.line;
    if let Some(code) = left_out(row) {
        return sheet.no_result(code, row.line, name, row.cell(MESSAGE).unwrap_or_default());
    }
    let scale = row.text("time_unit").and_then(|unit| time_scale(&unit));
    let own = own_statistic(&table.found, row, name);
    table.row(sheet, (name, row.line), scale, own, |sheet, scale, is_summary| {
        let mut fields = Vec::new();
        for (column, _) in row.cells().filter(|(column, _)| !TEXTS.contains(column)) {
            let scale = if matches!(column, "real_time" | "cpu_time") { scale } else { Scale::Times(1.0) };
            fields.extend(row.number(sheet, column).map(|value| (column.to_owned(), scale.apply(value))));
        }
        let count = if is_summary { row.number(sheet, "iterations") } else { None };
        (fields, row.text("label").map(Cow::into_owned), count)
    });
}

/// The benchmark of a statistic that the program computes itself (`ComputeStatistics("max", …)`). Its row follows the other
/// summaries of the benchmark, and has the number of repetitions where others have iterations.
fn own_statistic<'n>(found: &Found, row: &Row<'_>, name: &'n str) -> Option<&'n str> {
    let before = found.summaries.last().filter(|before| before.line + 1 == row.line)?;
    let rest = name.strip_prefix(before.benchmark.as_str())?.strip_prefix('_')?;
    let count = before.count?.to_string();
    let same = row.text("iterations").is_some_and(|iterations| iterations == count);
    (same && !rest.is_empty()).then(|| &name[..before.benchmark.len()])
}

const MESSAGE: &str = "error_message";

/// The columns that are no values.
const TEXTS: [&str; 6] = ["name", "iterations", "time_unit", "label", "error_occurred", MESSAGE];
