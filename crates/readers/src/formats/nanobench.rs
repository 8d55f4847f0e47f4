//! nanobench's JSON template (every epoch) and its CSV template (one median per run).
//!
//! Both hold seconds per iteration, not divided by `batch`; only the console table divides. A hardware counter
//! that the kernel withholds from nanobench is written as 0.

use super::prelude::*;

/// The JSON template's entry in the registry.
pub static JSON: Format = Format {
    name: "nanobench-json",
    sign: "an object with `results` that hold `median(elapsed)`",
    harness: "nanobench",
    export: "templates::json()",
    values: Values::Averages,
    keys: &[KEYS, &[Key::work("complexityN", "size of the problem")]],
    metrics: &[
        Meaning::of("elapsed", "time of one iteration, the mean over an epoch"),
        Meaning::of("instructions", "instructions of one iteration"),
        Meaning::of("cpucycles", "processor cycles of one iteration"),
        Meaning::of("contextswitches", "context switches during one iteration"),
        Meaning::of("pagefaults", "page faults of one iteration"),
        Meaning::of("branchinstructions", "branches of one iteration"),
        Meaning::of("branchmisses", "branches of one iteration that were predicted wrongly"),
    ],
    fits: |head| {
        let found = head.json()?.at("results[]").and_then(|result| result.child("median(elapsed)"));
        found.map_or(Err(No::Lacks("results[].median(elapsed)")), |_| Ok(()))
    },
    read: Read::Document(|sheet, document| {
        document.each("results", sheet, |sheet, entry, line| {
            result(sheet, entry, entry.object().map_or(line, |entry| entry.line_of("name")));
        })?;
        Ok(())
    }),
    ..Format::JSON
};

/// The CSV template's entry in the registry.
pub static CSV: Format = Format {
    name: "nanobench-csv",
    sign: "a header `\"title\";\"name\";\"unit\";\"batch\";\"elapsed\";\"error %\";…`",
    harness: "nanobench",
    export: "templates::csv()",
    values: Values::Averages,
    processes: Processes::OneAValue,
    keys: &[KEYS],
    metrics: &[
        Meaning::of("median", "time of one iteration, the median over the epochs of a run"),
        Meaning::of("instructions", "instructions of one iteration"),
        Meaning::of("branches", "branches of one iteration"),
        Meaning::of("branch misses", "branches of one iteration that were predicted wrongly"),
    ],
    fits: |head| No::unless(head.header_line().starts_with(HEADER), "its first line is not that header"),
    read: Read::Bytes(read_csv),
    files: &["*.csv"],
    ..Format::PLAIN
};

/// nanobench's table for people.
pub static TEXT: Format = Format {
    name: "nanobench-text",
    sign: "a table with the columns `ns/op`, `op/s` and `err%` or `MdAPE`",
    harness: "nanobench",
    values: Values::refused(
        "the table that nanobench prints, with rounded medians",
        "bench.render(ankerl::nanobench::templates::json(), stream)",
    ),
    words: &["err%", "MdAPE"],
    fits: |head| {
        // The word for the error is another one before version 3.
        let has_error = |line: &str| line.contains("err%") || line.contains("MdAPE");
        head.has_line(|line| line.starts_with('|') && has_error(line) && line.contains("/s "))
    },
    ..Format::PLAIN
};

const KEYS: &[Key] = &[
    Key::setting("title", "title of the benchmarks"),
    Key::setting("unit", "what one iteration handles"),
    Key::setting("batch", "how many units one iteration handles"),
];

/// The counters of an epoch, per iteration, with their units.
const COUNTERS: [(&str, &str); 6] = [
    ("instructions", "1"),
    ("cpucycles", "cycles"),
    ("contextswitches", "1"),
    ("pagefaults", "1"),
    ("branchinstructions", "1"),
    ("branchmisses", "1"),
];

fn counter(sheet: &mut Sheet, name: &str, unit: &str) -> u32 {
    sheet.metric(name, || Metric::new(name, unit, Quantity::Count).secondary().never_exact())
}

/// The title, unit and batch that differ from nanobench's defaults.
fn context(title: &str, unit: &str, batch: &str) -> Context {
    [("title", title, "benchmark"), ("unit", unit, "op"), ("batch", batch, "1")]
        .into_iter()
        .filter(|(_, value, default)| !value.is_empty() && value != default)
        .map(|(key, value, _)| (key.to_owned(), value.to_owned()))
        .collect()
}

/// Reads one benchmark. A file is one process, so all its epochs belong to process 0.
fn result(sheet: &mut Sheet, entry: &Value<'_>, line: u32) {
    let epochs = entry.elements("measurements");
    let Some(benchmark) = sheet.need(entry.text_of("name"), line, "name") else {
        return;
    };
    if epochs.is_empty() {
        return sheet.lacks(line, benchmark, "measurements");
    }
    let text = |key: &str| entry.get(key).map(plain).unwrap_or_default();
    let mut context = context(&text("title"), &text("unit"), &text("batch"));
    // It is -1 where the program sets none.
    let size = Some(text("complexityN")).filter(|text| number(text).is_some_and(|size| size > 0.0));
    context.extend(size.map(|size| ("complexityN".to_owned(), size)));
    sheet.set_context(&context);
    let elapsed = sheet.metric("elapsed", || Metric::new("elapsed", "s", Quantity::Time));
    // A counter that is 0 in every epoch was not available, so it is left out.
    let is_held = |key: &str| epochs.iter().any(|epoch| epoch.get(key).is_some_and(|value| !value.is_zero()));
    let mut counters: Vec<(&str, u32)> = Vec::new();
    for (key, unit) in COUNTERS {
        if is_held(key) {
            counters.push((key, counter(sheet, key, unit)));
        } else {
            sheet.dropped(epochs.iter().filter(|epoch| epoch.get(key).is_some()).count());
        }
    }
    for epoch in epochs {
        let line = epoch.object().map_or(line, |epoch| epoch.line_of("elapsed"));
        let row = |metric| Measurement { benchmark, metric, line, process: Some(0), ..ROW };
        if let Some(value) = epoch.get("elapsed") {
            push_value(sheet, row(elapsed), value, 1.0);
        } else {
            sheet.lacks(line, benchmark, "elapsed of an epoch");
        }
        for &(key, metric) in &counters {
            if let Some(value) = epoch.get(key) {
                push_value(sheet, row(metric), value, 1.0);
            }
        }
    }
}

/// The beginning of the CSV template's header.
const HEADER: &[u8] = br#""title";"name";"unit";"batch";"elapsed";"#;

/// The numeric columns after title, name and unit.
const COLUMNS: [&str; 7] =
    ["batch", "elapsed", "error %", "instructions", "branches", "branch misses", "total"];

struct CsvRow<'a> {
    line: u32,
    head: [&'a [u8]; 3],
    numbers: [&'a [u8]; 7],
}

fn read_csv(sheet: &mut Sheet, bytes: &[u8]) {
    let mut rows = Vec::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        sheet.lines = sheet.lines.saturating_add(1);
        let number = sheet.lines;
        let code = if line.ends_with(b"\n") { Code::MalformedRecord } else { Code::Truncated };
        let line = line.trim_ascii();
        if matches!(line, [] | [b'#', ..]) || line.starts_with(HEADER) {
            continue;
        }
        if let Some(row) = csv_row(line, number) {
            rows.push(row);
            continue;
        }
        let what = format!("`{}` is not a row of ten fields", excerpt(line));
        sheet.problem(code, number, what, "a row reads: \"title\";\"name\";\"unit\";1;1e-9;0.01;0;0;0;0.1");
    }
    csv_values(sheet, &rows);
}

/// nanobench does not escape names, so the numbers are taken from the right; the rest is three quoted texts.
fn csv_row(line: &[u8], number: u32) -> Option<CsvRow<'_>> {
    let mut numbers = [&b""[..]; 7];
    let mut rest = line;
    for slot in numbers.iter_mut().rev() {
        let at = memchr::memrchr(b';', rest)?;
        *slot = rest[at + 1..].trim_ascii();
        rest = &rest[..at];
    }
    let inner = rest.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    let (inner, between) = inner.map_or((rest, &b";"[..]), |inner| (inner, &b"\";\""[..]));
    let cuts: Vec<usize> = memchr::memmem::find_iter(inner, between).collect();
    let [first, second] = cuts[..] else { return None };
    let head = [&inner[..first], &inner[first + between.len()..second], &inner[second + between.len()..]];
    Some(CsvRow { line: number, head, numbers })
}

fn csv_values(sheet: &mut Sheet, rows: &[CsvRow<'_>]) {
    let median = sheet.metric("median", || Metric::new("median", "s", Quantity::Time));
    let is_held =
        |column: usize| rows.iter().any(|row| number(row.numbers[column]).is_none_or(|value| value != 0.0));
    let mut counters: Vec<(usize, u32)> = Vec::new();
    for (column, name) in COLUMNS.into_iter().enumerate().take(6).skip(3) {
        if is_held(column) {
            counters.push((column, counter(sheet, name, "1")));
        } else {
            sheet.dropped(rows.len());
        }
    }
    for row in rows {
        let [title, benchmark, unit] = row.head.map(lossless);
        sheet.set_context(&context(&title, &unit, &lossless(row.numbers[0])));
        for &(column, metric) in [(1, median)].iter().chain(&counters) {
            let Some(value) = sheet.number(row.numbers[column], row.line) else {
                sheet.no_number(row.line, COLUMNS[column], &*benchmark, row.numbers[column]);
                continue;
            };
            sheet.push(Measurement { benchmark: &benchmark, metric, value, line: row.line, ..ROW });
        }
    }
}
