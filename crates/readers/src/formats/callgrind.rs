//! Profiles of Callgrind and Cachegrind: the counts of a whole program.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "callgrind",
    sign: "lines `cmd: …`, `events: Ir …` and `summary: …` or `totals: …`, as profiles begin and end",
    harness: "Callgrind",
    export: "valgrind --tool=callgrind COMMAND, or --tool=cachegrind",
    processes: Processes::OneAFile,
    metrics: &[
        Meaning::of("Ir", "instructions"),
        Meaning::of("Dr", "reads of memory"),
        Meaning::of("Dw", "writes of memory"),
        Meaning::of("I1mr", "reads of instructions that the first cache did not serve"),
        Meaning::of("D1mr", "reads of memory that the first cache did not serve"),
        Meaning::of("D1mw", "writes of memory that the first cache did not serve"),
        Meaning::of("ILmr", "reads of instructions that no cache served"),
        Meaning::of("DLmr", "reads of memory that no cache served"),
        Meaning::of("DLmw", "writes of memory that no cache served"),
        Meaning::of("Bc", "conditional branches"),
        Meaning::of("Bcm", "conditional branches that were not predicted"),
        Meaning::of("Bi", "indirect branches"),
        Meaning::of("Bim", "indirect branches that were not predicted"),
    ],
    parts: names::command,
    words: &["events:"],
    fits: |head| {
        let has = |begin| head.begins_line(begin);
        No::unless(has("cmd:") && has("events:"), "it has no lines `cmd:` and `events:`")?;
        No::unless(has("fn=") || has("fl=") || has("fn("), "it has no costs of functions")
    },
    read: Read::Bytes(read),
    printed_by: &["valgrind"],
    ..Format::PLAIN
};

/// A profile as far as it was read.
#[derive(Default)]
struct Profile<'a> {
    line: u32,
    command: &'a str,
    events: Vec<&'a str>,
    /// The counts of all functions, with the line. Callgrind writes them at the end, and the sum of its summary can differ;
    /// Cachegrind has a summary alone.
    totals: Option<(u32, &'a str)>,
    summary: Option<(u32, &'a str)>,
    parts: usize,
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut profile = Profile::default();
    for (line, text) in lines::numbered(bytes) {
        let Some((key, value)) = text.split_once(':').filter(|(key, _)| KEYS.contains(key)) else { continue };
        let value = value.trim();
        match key {
            "cmd" => {
                settle(sheet, &std::mem::take(&mut profile));
                (profile.command, profile.line) = (value, line);
            }
            "part" => profile.parts += 1,
            "events" => profile.events = value.split_whitespace().collect(),
            "totals" => profile.totals = Some((line, value)),
            _ => profile.summary = Some((line, value)),
        }
    }
    settle(sheet, &profile);
}

const KEYS: [&str; 5] = ["cmd", "part", "events", "totals", "summary"];

fn settle(sheet: &mut Sheet, profile: &Profile<'_>) {
    if profile.command.is_empty() && profile.events.is_empty() {
        return;
    }

    let counts = if profile.parts == 0 { profile.summary } else { profile.totals };
    let Some((line, counts)) = counts.filter(|_| profile.parts < 2) else {
        // A dump of a part of the run has none, or those of several parts.
        return sheet.cut(profile.line, profile.command);
    };
    sheet.next_run();
    let counts: Vec<&str> = counts.split_whitespace().collect();
    if counts.len() > profile.events.len() {
        return sheet.wrong_width(line, counts.len(), profile.events.len());
    }
    // Zeros at the end are left out.
    for (nth, &event) in profile.events.iter().enumerate() {
        let digits = counts.get(nth).copied().unwrap_or("0");
        let Some(value) = sheet.number(digits.as_bytes(), line) else {
            sheet.no_number(line, event, "", digits);
            continue;
        };
        let metric = sheet.metric(event, || {
            let count = Metric::new(event, "1", Quantity::Count);
            if event == "Ir" { count } else { count.secondary() }
        });
        let (benchmark, process) = (profile.command, Some(0));
        sheet.push(Measurement { benchmark, metric, value, line, process, ..ROW });
    }
}
