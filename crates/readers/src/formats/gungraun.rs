//! Gungraun's (formerly iai-callgrind's) counts: JSON of `--output-format=json` or `summary.json`, and what it prints.
//! Valgrind counts; a count is exact.

use std::io;
use std::path::Path;

use super::format::{Format, Meaning, Processes, Values};
use super::head::No;
use super::json::{Span, Value, broken, number_of, stop_at_limit};
use super::{lines, names};
use crate::metric::{Metric, Quantity};
use crate::sheet::Measurement;
use crate::source::Content;
use crate::text::excerpt;
use crate::{Code, Options, Sheet};

/// The JSON of version 0.17 and later.
pub static JSON: Format = Format {
    name: "gungraun",
    sign: "objects with `module_path`, `function_name` and `profiles`",
    harness: "Gungraun",
    export: "cargo bench -- --output-format=json",
    values: Values::Samples,
    processes: Processes::OneAValue,
    metrics: METRICS,
    parts: |name, _| names::path(name, "::"),
    fits: |head| head.record_has_all(&["module_path", "function_name"]),
    read: read_json,
    ..Format::PLAIN
};

/// What it prints.
pub static TEXT: Format = Format {
    name: "gungraun-text",
    sign: "lines such as `  Instructions:  1234|N/A` below `module::group::function`",
    harness: "Gungraun",
    export: "cargo bench",
    values: Values::Samples,
    processes: Processes::OneAValue,
    metrics: METRICS,
    parts: |name, _| names::path(name, "::"),
    fits: |head| {
        let is_count = |line: &[u8]| std::str::from_utf8(line).is_ok_and(|line| count(line).is_some());
        No::unless(head.lines().any(is_count), "it has no such line")
    },
    read: read_text,
    ..Format::PLAIN
};

const METRICS: &[Meaning] = &[
    Meaning::of("Ir", "instructions"),
    Meaning::of("EstimatedCycles", "cycles that the counts of the cache suggest"),
    Meaning::of("TotalRW", "reads and writes of memory"),
    Meaning::of("RamHits", "accesses that no cache served"),
    Meaning::of("L1hits", "accesses that the first cache served"),
    Meaning::of("LLhits", "accesses that the last cache served"),
];

/// The names in the printed form with those in the JSON.
const NAMES: [(&str, &str); 7] = [
    ("Instructions", "Ir"),
    ("L1 Hits", "L1hits"),
    ("LL Hits", "LLhits"),
    ("L2 Hits", "LLhits"),
    ("RAM Hits", "RamHits"),
    ("Total read+write", "TotalRW"),
    ("Estimated Cycles", "EstimatedCycles"),
];

pub(super) fn push(sheet: &mut Sheet, benchmark: &str, name: &str, value: f64, line: u32) {
    let metric = sheet.metric(name, || {
        let primary = matches!(name, "Ir" | "EstimatedCycles");
        let count = Metric { primary, assumed_exact: true, ..Metric::new(name, "1", Quantity::Count) };
        match name {
            // More hits of a cache can be better or worse; a rate is no count.
            "L1hits" | "LLhits" => Metric { better: None, ..count },
            _ if name.ends_with("Rate") => Metric::new(name, "%", Quantity::Other).secondary(),
            _ => count,
        }
    });
    sheet.push(Measurement { benchmark, metric, value, line, ..Measurement::default() });
}

// JSON.

fn read_json(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut parser = Span::new(&bytes, 1, content.budget.limits.values).parser(&mut sheet);
    while let Some((line, value)) = parser.next() {
        match value {
            Ok(value) => summary(parser.sheet(), &value, line),
            Err(fault) => {
                stop_at_limit(&fault, content)?;
                broken(parser.sheet(), &fault);
                break;
            }
        }
    }
    Ok(vec![sheet])
}

fn summary(sheet: &mut Sheet, value: &Value<'_>, line: u32) {
    let text = |key: &str| value.get(key).and_then(Value::text).filter(|text| !text.is_empty());
    let Some(path) = text("module_path") else {
        return sheet.problem(Code::MalformedRecord, line, "an object without `module_path`", HINT);
    };
    let name = text("id").map_or_else(|| path.to_owned(), |id| format!("{path} {id}"));
    let profiles = value.get("profiles").and_then(Value::list).unwrap_or(&[]);
    let counted = |profile: &&Value<'_>| {
        matches!(profile.get("tool").and_then(Value::text), Some("Callgrind" | "Cachegrind"))
    };
    let metrics =
        profiles.iter().find(counted).and_then(|profile| profile.get("data")?.get("total")?.get("metrics"));
    let Some(metrics) = metrics.and_then(Value::object) else {
        let what = format!("{} has no counts of Callgrind or Cachegrind", excerpt(name.as_bytes()));
        return sheet.problem(Code::MalformedRecord, line, what, HINT);
    };
    for (metric, found) in metrics.iter() {
        let new = found.get("values").and_then(|values| values.get("new"));
        if let Some(new) = new.and_then(|new| number_of(sheet, new, line)) {
            push(sheet, &name, metric, new, line);
        }
    }
}

const HINT: &str = "is it what Gungraun wrote with --output-format=json?";

// Text.

/// `  Instructions:   1234|1200   (+2.83333%)`: the name and the new count.
fn count(line: &str) -> Option<(&str, f64)> {
    let (label, rest) = line.trim().split_once(':')?;
    let name = NAMES.iter().find(|(printed, _)| *printed == label)?.1;
    let (new, _) = rest.trim().split_once('|')?;
    Some((name, crate::text::number(new.as_bytes())?))
}

fn read_text(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut benchmark = String::new();
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        if !text.starts_with(' ') && text.contains("::") {
            // The arguments follow the identifier: `fold short:(10)`.
            text.split_once(":(").map_or(text, |(name, _)| name).trim().clone_into(&mut benchmark);
        } else if let Some((metric, value)) = count(text).filter(|_| !benchmark.is_empty()) {
            push(&mut sheet, &benchmark, metric, value, line);
        }
    }
    Ok(vec![sheet])
}
