//! The summary that siege prints: JSON from version 4.1 on, lines of text before.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "siege",
    sign: "lines such as `\"transaction_rate\": 1649.32` and `\"longest_transaction\": 0.03`, or `Transaction rate:  1649.32 trans/sec`",
    harness: "siege",
    export: "siege URL",
    own_labels: &["Preparing "],
    printed_by: &["siege"],
    keys: &[&[Key::work("clients", "clients at a time, where siege states them")]],
    metrics: &[
        Meaning::of("throughput", "requests a second"),
        Meaning::of("transfer", "bytes received a second"),
        Meaning::of("latency-mean", "mean time of a request, in hundredths of a second"),
        Meaning::of("latency-min", "shortest time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("failed", "requests that failed, also by their status"),
    ],
    words: &["ongest"],
    fits: |head| {
        let has = |word| head.has_line(|line| field(line).is_some_and(|(label, _)| label == word));
        has("transactionrate").and_then(|()| has("longesttransaction"))
    },
    read: Read::Bytes(read),
    ..Format::REPORT
};

/// The labels in lower case, without what stands between their words, with the names of their metrics.
const FIELDS: [(&str, &str); 6] = [
    ("transactionrate", "throughput"),
    ("throughput", "transfer"),
    ("responsetime", "latency-mean"),
    ("shortesttransaction", "latency-min"),
    ("longesttransaction", "latency-max"),
    ("failedtransactions", "failed"),
];

/// The label and the value of a line: `"response_time": 0.01,` or `Response time:  0.01 secs`.
fn field(line: &str) -> Option<(String, &str)> {
    let (label, value) = line.split_once(':')?;
    let label: String = label.chars().filter(char::is_ascii_alphabetic).collect();
    Some((label.to_ascii_lowercase(), value.trim().trim_end_matches(',')))
}

/// The number of clients of `** Preparing 12 concurrent users for battle.`, which a document may indent.
fn preparing(line: &str) -> Option<&str> {
    let (count, _) = line.trim_start().strip_prefix("** Preparing ")?.split_once(' ')?;
    Some(count)
}

/// The value of a metric in its base unit. Versions differ in their units; JSON has none.
fn value_of(name: &str, text: &str) -> Option<f64> {
    let (digits, unit) = text.split_once(|sign: char| sign.is_ascii_whitespace()).unwrap_or((text, ""));
    let kind = name.split_once('-').map_or(name, |(kind, _)| kind);
    let scale = match (kind, unit.trim()) {
        // siege's MB are 1,048,576 bytes.
        ("transfer", "" | "MB/sec") => Scale::Times(1_048_576.0),
        ("latency", "ms") => Scale::Over(1e3),
        ("transfer", "bytes/sec")
        | ("latency", "" | "sec" | "secs")
        | ("throughput", "" | "trans/sec")
        | ("failed", _) => Scale::Times(1.0),
        _ => return None,
    };
    number(digits).map(|value| scale.apply(value))
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut lines: Vec<(u32, &str)> = lines::numbered(bytes).filter(|(_, text)| !text.is_empty()).collect();
    // Below the last key of JSON stands its brace.
    if let Some((line, _)) =
        lines.pop_if(|(_, text)| text.trim_start().starts_with('"') && !text.ends_with(','))
    {
        sheet.cut(line, "the object");
    }
    let mut run = Run::default();
    for &(line, text) in &lines {
        if let Some(count) = preparing(text) {
            run.end(sheet);
            run.state("clients", count);
        }
        let Some((label, value)) = field(text) else { continue };
        if label == "transactions" {
            if !run.figures.is_empty() {
                run.end(sheet);
            }
            run.count = value.split_ascii_whitespace().next().and_then(number);
        }
        let Some((_, name)) = FIELDS.iter().find(|(known, _)| *known == label) else { continue };
        match value_of(name, value) {
            // They have two decimals: 0 is less than 5 ms or 5 KiB a second.
            Some(0.0) if *name == "transfer" || name.starts_with("latency") => sheet.dropped(1),
            Some(value) => run.add("requests", name, value, line),
            None => sheet.unreadable(line, text),
        }
    }
    run.end(sheet);
}
