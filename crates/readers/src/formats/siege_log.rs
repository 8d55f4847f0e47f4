//! The log of siege: a row for each run, which the option `--log` appends to a file.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "siege-log",
    sign: "a header `Date & Time,  Trans,  Elap Time,  Data Trans,  Resp Time,  Trans Rate,…`",
    harness: "siege",
    export: "siege --log=FILE URL",
    files: &["*.log"],
    processes: Processes::Stated,
    keys: &[&[
        Key::date("end of the run, in local time as siege writes it"),
        Key::work("mark", "text of the last mark above the run, which `--mark` writes"),
    ]],
    metrics: &[
        Meaning::of("throughput", "requests a second"),
        Meaning::of("transfer", "bytes received a second"),
        Meaning::of("latency-mean", "mean time of a request, in hundredths of a second"),
        Meaning::of("failed", "requests that failed, also by their status"),
    ],
    fits: |head| {
        let header = std::str::from_utf8(head.first_line()).unwrap_or_default();
        No::unless(is_header(header), "its first line is not that header")
    },
    read: Read::Bytes(read),
    values: Values::Aggregates,
    ..Format::PLAIN
};

/// The columns of results with the names of their metrics and the factor to their base units. siege's MB are 1,048,576
/// bytes.
const COLUMNS: [(&str, &str, f64); 4] = [
    ("Trans Rate", "throughput", 1.0),
    ("Throughput", "transfer", 1_048_576.0),
    ("Resp Time", "latency-mean", 1.0),
    ("Failed", "failed", 1.0),
];

/// The columns that every log has.
const NEEDED: [&str; 4] = ["Trans", "Resp Time", "Trans Rate", "Throughput"];

/// The cells of a row.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(str::trim)
}

fn is_header(line: &str) -> bool {
    cells(line).next() == Some("Date & Time")
        && NEEDED.iter().all(|name| cells(line).any(|cell| cell == *name))
}

/// The text of a mark: `**** cold cache ****`.
fn mark(line: &str) -> Option<&str> {
    let text = line.strip_prefix("****")?.trim();
    Some(text.strip_suffix("****").unwrap_or(text).trim())
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut run, mut header, mut marked) = (Run::default(), Vec::new(), "");
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if is_header(text) {
            // Of joined logs each has marks of its own.
            (header, marked) = (cells(text).collect(), "");
        } else if let Some(text) = mark(text) {
            // siege writes this one below the row of the run, and the others above those that they mark.
            if text.starts_with("siege aborted due to excessive socket failure") {
                aborted(sheet, &mut run, line);
            } else {
                marked = text;
            }
        } else if !text.is_empty() {
            run.end(sheet);
            if !marked.is_empty() {
                run.state("mark", marked);
            }
            row(sheet, &mut run, &header, text, line);
        }
    }
    run.end(sheet);
}

/// Leaves out the run of the last row, which siege ended.
fn aborted(sheet: &mut Sheet, run: &mut Run, line: u32) {
    let line = run.figures.last().map_or(line, |figure| figure.line);
    *run = Run { process: run.process, ..Run::default() };
    let what = "siege aborted this run because too many connections failed; it is left out";
    sheet.malformed(line, what, "look at the server and repeat the run");
}

/// Reads the row of a run.
fn row(sheet: &mut Sheet, run: &mut Run, header: &[&str], text: &str, line: u32) {
    let count = cells(text).count();
    if count != header.len() {
        return sheet.wrong_width(line, count, header.len());
    }
    for (column, cell) in header.iter().zip(cells(text)) {
        match *column {
            "Date & Time" if !cell.is_empty() => run.state("date", cell),
            "Trans" => run.count = number(cell),
            _ => {}
        }
        let Some((_, name, factor)) = COLUMNS.iter().find(|(known, ..)| known == column) else { continue };
        match number(cell) {
            // They have two decimals: 0 is less than 5 ms or 5 KiB a second.
            Some(0.0) if matches!(*name, "transfer" | "latency-mean") => sheet.dropped(1),
            Some(value) => run.add("requests", name, value * factor, line),
            None => sheet.no_number(line, column, "", cell),
        }
    }
}
