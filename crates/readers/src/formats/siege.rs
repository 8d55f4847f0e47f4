//! The summary that siege prints: JSON from version 4.1 on, lines of text before.

use std::io;
use std::path::Path;

use super::format::{Format, Meaning, Processes, Values};
use super::head::No;
use super::lines;
use super::load_run::{Run, unreadable};
use crate::source::Content;
use crate::text::number;
use crate::{Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "siege",
    sign: "lines such as `\"transaction_rate\": 1649.32` and `\"longest_transaction\": 0.03`, or `Transaction rate:  1649.32 trans/sec`",
    harness: "siege",
    export: "siege URL",
    values: Values::Aggregates,
    processes: Processes::Stated,
    metrics: &[
        Meaning::of("throughput", "requests a second"),
        Meaning::of("transfer", "bytes received a second"),
        Meaning::of("latency-mean", "mean time of a request, in hundredths of a second"),
        Meaning::of("latency-min", "shortest time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("failed", "requests that failed, also by their status"),
    ],
    fits: |head| {
        let has = |word: &str| {
            let mut lines = head.lines().filter_map(|line| std::str::from_utf8(line).ok());
            lines.any(|line| field(line).is_some_and(|(label, _)| label == word))
        };
        No::unless(has("transactionrate") && has("longesttransaction"), "it has no such lines")
    },
    read,
    ..Format::PLAIN
};

/// The labels in lower case, without what stands between their words, with the names of their metrics and the factors to
/// base units: siege's MB are 1,048,576 bytes.
const FIELDS: [(&str, &str, f64); 6] = [
    ("transactionrate", "throughput", 1.0),
    ("throughput", "transfer", 1_048_576.0),
    ("responsetime", "latency-mean", 1.0),
    ("shortesttransaction", "latency-min", 1.0),
    ("longesttransaction", "latency-max", 1.0),
    ("failedtransactions", "failed", 1.0),
];

/// The label and the value of a line: `"response_time": 0.01,` or `Response time:  0.01 secs`.
fn field(line: &str) -> Option<(String, &str)> {
    let (label, value) = line.split_once(':')?;
    let label: String = label.chars().filter(char::is_ascii_alphabetic).collect();
    Some((label.to_ascii_lowercase(), value.split_ascii_whitespace().next()?.trim_end_matches(',')))
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut run = Run::default();
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        let Some((label, digits)) = field(text) else { continue };
        if label == "transactions" {
            run.end(&mut sheet);
            run.count = number(digits.as_bytes());
        }
        let Some((_, name, factor)) = FIELDS.iter().find(|(known, ..)| *known == label) else { continue };
        match number(digits.as_bytes()) {
            // They have two decimals: 0 is less than 5 ms or 5 KiB a second.
            Some(0.0) if *name == "transfer" || name.starts_with("latency") => sheet.dropped(1),
            Some(value) => run.add("requests", name, value * factor, line),
            None => unreadable(&mut sheet, text, line),
        }
    }
    run.end(&mut sheet);
    Ok(vec![sheet])
}
