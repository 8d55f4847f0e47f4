//! iai: the counts of each benchmark, as it prints them.

use super::cargo_programs;
use super::cargo_programs::Programs;
use super::gungraun;
use super::prelude::*;

/// What iai prints. Gungraun, its successor, prints other labels.
pub static FORMAT: Format = Format {
    name: "iai",
    sign: "lines such as `  L1 Accesses:  2365` below `  Instructions:  1738`",
    harness: "iai",
    export: "cargo bench",
    processes: Processes::OneAValue,
    printed_by: &["cargo"],
    keys: &[cargo_programs::KEYS],
    metrics: &[
        Meaning::of("Ir", "instructions"),
        Meaning::of("EstimatedCycles", "cycles that the counts of the cache suggest"),
        Meaning::of("RamHits", "accesses that no cache served"),
        Meaning::of("L1hits", "accesses that the first cache served"),
        Meaning::of("LLhits", "accesses that the last cache served"),
    ],
    parts: |name, _| names::path(name, "::"),
    words: &["L1 Accesses"],
    fits: |head| head.has_line(|line| count(line).is_some_and(|(label, _)| label == "L1 Accesses")),
    read: Read::Bytes(read),
    ..Format::PLAIN
};

/// The labels with the names that Gungraun gives in its JSON.
const LABELS: [(&str, &str); 5] = [
    ("Instructions", "Ir"),
    ("L1 Accesses", "L1hits"),
    ("L2 Accesses", "LLhits"),
    ("RAM Accesses", "RamHits"),
    ("Estimated Cycles", "EstimatedCycles"),
];

/// The label and the digits of `  Instructions:                1738 (No change)`.
fn count(line: &str) -> Option<(&str, &str)> {
    let (label, rest) = line.trim_start().split_once(':')?;
    let digits = rest.split_whitespace().next()?;
    LABELS.iter().any(|(known, _)| *known == label).then_some((label, digits))
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut programs, mut benchmark, mut results) = (Programs::default(), "", Vec::new());
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if let Some((label, digits)) = count(text) {
            results.push((programs.now, benchmark, label, digits, line));
        } else if !programs.line(text) && !text.is_empty() && !text.starts_with(' ') {
            benchmark = text;
        }
    }
    let shared = cargo_programs::shared(results.iter().map(|found| (found.0, found.1)));
    for (program, benchmark, label, digits, line) in results {
        let metric = LABELS.iter().find(|(known, _)| *known == label).map_or(label, |(_, name)| name);
        let Some(value) = sheet.need_number(number(digits), line, label, "", digits) else { continue };
        sheet.set_context(&cargo_programs::context(&shared, program, benchmark));
        gungraun::push(sheet, benchmark, metric, value, line);
    }
}
