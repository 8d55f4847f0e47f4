//! cargo-criterion's messages: a JSON object a line, with the time and the number of iterations of each sample.

use super::criterion;
use super::format::Companion;
use super::json::record;
use super::prelude::*;
use super::repeats::Repeats;

pub static FORMAT: Format = Format {
    name: "cargo-criterion",
    sign: "lines with the `reason` `benchmark-complete`, `iteration_count` and `measured_values`",
    harness: "cargo-criterion",
    export: "cargo criterion --message-format=json > FILE",
    files: &["*.json", "*.ndjson"],
    values: Values::Averages,
    metrics: &[
        Meaning::of("time", "time of one iteration, the mean over a sample"),
        Meaning::of("throughput", "bytes or elements that are processed per second"),
    ],
    companions: &[Companion {
        files: "the folders data and reports beside those of the groups",
        what: "what cargo-criterion keeps of its runs",
        is: is_companion,
    }],
    // Other lines can stand before the messages, where both streams of the program are in one file.
    words: &["\"benchmark-complete\""],
    fits: |head| {
        let begin = "{\"reason\":\"benchmark-complete\"";
        head.has_line(|line| line.starts_with(begin) && line.contains("\"iteration_count\":"))
    },
    processes: Processes::Stated,
    read: Read::Bytes(read),
    ..Format::PLAIN
};

/// Whether a file is in one of the folders that cargo-criterion makes in `target/criterion`.
fn is_companion(path: &Path) -> bool {
    let folders: Vec<_> = path.iter().filter_map(|part| part.to_str()).collect();
    let is_kept = folders.windows(2).any(|two| two[0] == "criterion" && matches!(two[1], "data" | "reports"));
    is_kept && path.extension().is_some_and(|end| ["cbor", "html", "svg"].iter().any(|known| end == *known))
}

const HINT: &str = "is it what cargo-criterion wrote with --message-format=json?";

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut benchmarks = Repeats::default();
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        // What the benchmarks print stands between the messages.
        if !text.starts_with('{') {
            continue;
        }
        match record(text.as_bytes(), line, sheet) {
            Ok(Some(message)) => one(sheet, &mut benchmarks, &message, line),
            Ok(None) => {}
            Err(fault) => sheet.no_object(line, text.as_bytes(), fault.what),
        }
    }
}

/// Reads a message; those that are not of a finished benchmark say nothing of results.
fn one(sheet: &mut Sheet, benchmarks: &mut Repeats, message: &Object<'_>, line: u32) {
    if message.text_of("reason") != Some("benchmark-complete") {
        return;
    }
    let text = |key: &str| message.text_of(key);
    let list = |key: &str| message.list_of(key);
    let (Some(benchmark), Some(unit), Some(counts), Some(totals)) =
        (text("id"), text("unit"), list("iteration_count"), list("measured_values"))
    else {
        return sheet.lacks(line, "a benchmark", "samples");
    };
    if counts.len() != totals.len() {
        let what = format!("{} numbers of iterations but {} values", counts.len(), totals.len());
        return sheet.problem(Code::Contradiction, line, what, HINT);
    }
    if benchmarks.begins(benchmark) {
        sheet.next_run();
    }
    let (metric, scale) = criterion::measured(unit);
    let is_time = metric.quantity == Quantity::Time;
    let metric = sheet.metric_of(metric);
    let rates = if is_time { rates(sheet, message, line) } else { Vec::new() };
    for (count, total) in counts.iter().zip(totals) {
        let (count, total) = (number_of(sheet, count, line), number_of(sheet, total, line));
        let needed = count.filter(|&count| count > 0.0).zip(total);
        let Some((count, total)) = sheet.need_number(needed, line, "a sample", benchmark, "") else {
            continue;
        };
        let value = scale.apply(total / count);
        let process = Some(0);
        let row = Measurement { benchmark, metric, value, line, process, ..ROW };
        sheet.push(row);
        for &(metric, work) in rates.iter().filter(|_| value > 0.0) {
            sheet.push(Measurement { metric, value: work / value, ..row });
        }
    }
}

/// The metrics of the work that an iteration does, with its amount.
fn rates(sheet: &mut Sheet, message: &Object<'_>, line: u32) -> Vec<(u32, f64)> {
    let mut rates = Vec::new();
    for work in message.elements("throughput") {
        let unit = match work.text_of("unit") {
            Some("bytes") => "B/s",
            Some("elements") => "1/s",
            _ => continue,
        };
        let amount = work.get("per_iteration").and_then(|amount| number_of(sheet, amount, line));
        rates.extend(amount.map(|amount| (criterion::rate(sheet, unit), amount)));
    }
    rates
}
