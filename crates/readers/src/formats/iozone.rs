//! What iozone prints: a table with a rate of each test for each size of the file and of the records, or a rate of each
//! test with several processes.

use super::console::scan;
use super::prelude::*;
use super::units::Meaning as Unit;

pub static FORMAT: Format = Format {
    name: "iozone",
    sign: "a header `kB reclen write rewrite read reread …`, or lines such as `Children see throughput for 4 readers = …`",
    harness: "iozone",
    export: "standard output",
    processes: Processes::OneAFile,
    keys: &[&[
        Key::work("size", "size of the file"),
        Key::work("record_size", "size of the records"),
        Key::work("threads", "number of processes"),
    ]],
    metrics: &[
        Meaning::of("transfer", "bytes per second"),
        Meaning::of("throughput", "operations per second, with -O"),
        Meaning::of("latency", "time of one operation, with -N"),
    ],
    words: &["reclen", "Children see throughput for"],
    fits: |head| head.has_line(is_header).or_else(|_| console::has(head, CHILDREN)),
    read: Read::Bytes(read),
    printed_by: &["iozone"],
    ..Format::PLAIN
};

const CHILDREN: &str = "Children see throughput for {#} {} = {#} {w}";

/// The tests in the order of their columns. The header names some of them alike.
const TESTS: [&str; 13] = [
    "write",
    "rewrite",
    "read",
    "reread",
    "random read",
    "random write",
    "backward read",
    "record rewrite",
    "stride read",
    "fwrite",
    "frewrite",
    "fread",
    "freread",
];

/// How far from the end of its header a number ends at most.
const FARTHEST: usize = 4;

fn is_header(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|word| word.eq_ignore_ascii_case("kB"))
        && ["reclen", "write", "rewrite", "read", "reread"].iter().all(|word| words.next() == Some(word))
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    // The place behind the size of the file, below the header.
    let (mut base, mut stated) = (None, None);
    for (line, text) in lines::numbered(bytes) {
        if text.trim_start().starts_with("Iozone: Performance Test") {
            (base, stated) = (None, None);
            sheet.next_run();
        } else if let Some(unit) = scan(text, "Output is in {}") {
            stated = Some(unit[0]);
        } else if is_header(text) {
            base = Some(ends(text));
        } else if let Some(found) = scan(text, CHILDREN) {
            children(sheet, &found, line);
        } else if let Some(base) = &base {
            let is_row = text.trim_start().starts_with(|first: char| first.is_ascii_digit());
            if is_row && row(sheet, text, base, stated, line).is_none() {
                sheet.no_row(line, text.trim());
            }
        }
    }
}

/// The metric of a rate in the words of iozone.
fn metric_of(unit: &str) -> Option<(&'static str, Unit)> {
    Some(match unit {
        "kBytes/sec" | "Kbytes/sec" | "kB/sec" => ("transfer", meaning("KiB/s")),
        "ops/sec" => ("throughput", meaning("ops/s")),
        "microseconds/op" | "microseconds per operation" | "usec/op" => ("latency", meaning("us")),
        _ => return None,
    })
}

/// Where the words of a line end.
fn ends(line: &str) -> Vec<usize> {
    line.split_whitespace().map(|word| word.as_ptr() as usize - line.as_ptr() as usize + word.len()).collect()
}

/// Adds the values of a row; `None` if it has other columns.
fn row(sheet: &mut Sheet, text: &str, base: &[usize], stated: Option<&str>, line: u32) -> Option<()> {
    let (mut sizes, mut cells) = (Vec::new(), vec![""; TESTS.len()]);
    for (word, end) in text.split_whitespace().zip(ends(text)) {
        // The header is not quite above the numbers: the column of a word is the nearest one.
        let (nth, at) = base.iter().enumerate().min_by_key(|(_, at)| at.abs_diff(end))?;
        let is_near = at.abs_diff(end) <= FARTHEST && number(word).is_some();
        match nth.checked_sub(2) {
            None if is_near && word.bytes().all(|byte| byte.is_ascii_digit()) => sizes.push(word),
            Some(nth) if is_near && cells.get(nth) == Some(&"") => cells[nth] = word,
            _ => return None,
        }
    }
    let [size, record] = sizes[..] else { return None };
    let Some((name, unit)) = stated.and_then(metric_of) else {
        sheet.malformed(line, "the output does not state its unit", "was its beginning cut?");
        return Some(());
    };
    let context =
        [("size", size), ("record_size", record)].map(|(key, kb)| (key.to_owned(), format!("{kb} kB")));
    sheet.set_context(&context);
    for (test, digits) in TESTS.iter().zip(cells).filter(|(_, digits)| !digits.is_empty()) {
        push(sheet, test, name, &unit, digits, line);
    }
    Some(())
}

/// Adds the rate that all processes reach together.
fn children(sheet: &mut Sheet, found: &[&str], line: u32) {
    let Some((name, unit)) = metric_of(found[3]) else {
        return sheet.unknown_unit(line, found[1], found[3]);
    };
    sheet.set_context(&[("threads".to_owned(), found[0].to_owned())]);
    push(sheet, found[1], name, &unit, found[2], line);
}

fn push(sheet: &mut Sheet, benchmark: &str, name: &str, unit: &Unit, digits: &str, line: u32) {
    let metric = sheet.metric(name, || Metric::new(name, &unit.base, unit.quantity).never_exact());
    match sheet.number(digits.as_bytes(), line) {
        Some(0.0) => sheet.dropped(1),
        Some(value) => {
            let value = unit.scale.apply(value);
            let process = Some(0);
            sheet.push(Measurement { benchmark, metric, value, line, process, ..ROW });
        }
        None => {
            sheet.no_number(line, name, benchmark, digits);
        }
    }
}
