//! The metrics of Gungraun: what it counts with Callgrind, Cachegrind and DHAT, and the labels under which it prints them.

use super::format::Meaning;
use crate::metric::{Better, Metric, Quantity};
use crate::sheet::{Measurement, Sheet};
use crate::text::number;

/// The meanings of the metrics that most files have.
pub(super) const METRICS: &[Meaning] = &[
    Meaning::of("Ir", "instructions"),
    Meaning::of("EstimatedCycles", "cycles that the counts of the cache suggest"),
    Meaning::of("TotalRW", "reads and writes of memory"),
    Meaning::of("RamHits", "accesses that no cache served"),
    Meaning::of("L1hits", "accesses that the first cache served"),
    Meaning::of("LLhits", "accesses that the last cache served"),
];

/// What it prints in words, with the names in the JSON. The words of the caches depend on the version.
const WORDS: [(&str, &str); 16] = [
    ("Instructions", "Ir"),
    ("L1 Hits", "L1hits"),
    ("LL Hits", "LLhits"),
    ("L2 Hits", "LLhits"),
    ("RAM Hits", "RamHits"),
    ("Total read+write", "TotalRW"),
    ("Estimated Cycles", "EstimatedCycles"),
    ("I1 Miss Rate", "I1MissRate"),
    ("D1 Miss Rate", "D1MissRate"),
    ("LLi Miss Rate", "LLiMissRate"),
    ("LLd Miss Rate", "LLdMissRate"),
    ("LL Miss Rate", "LLMissRate"),
    ("L1 Hit Rate", "L1HitRate"),
    ("LL Hit Rate", "LLHitRate"),
    ("RAM Hit Rate", "RamHitRate"),
    ("Ram Hit Rate", "RamHitRate"),
];

/// What it prints of DHAT, with the names in the JSON.
const HEAP: [(&str, &str); 13] = [
    ("Total units", "TotalUnits"),
    ("Total events", "TotalEvents"),
    ("Total bytes", "TotalBytes"),
    ("Total blocks", "TotalBlocks"),
    ("At t-gmax bytes", "AtTGmaxBytes"),
    ("At t-gmax blocks", "AtTGmaxBlocks"),
    ("At t-end bytes", "AtTEndBytes"),
    ("At t-end blocks", "AtTEndBlocks"),
    ("Reads bytes", "ReadsBytes"),
    ("Writes bytes", "WritesBytes"),
    ("Total lifetimes", "TotalLifetimes"),
    ("Maximum bytes", "MaximumBytes"),
    ("Maximum blocks", "MaximumBlocks"),
];

/// The counts that it prints under their names in the JSON.
const NAMES: [&str; 23] = [
    "Dr",
    "Dw",
    "I1mr",
    "D1mr",
    "D1mw",
    "ILmr",
    "DLmr",
    "DLmw",
    "SysCount",
    "SysTime",
    "SysCpuTime",
    "Ge",
    "Bc",
    "Bcm",
    "Bi",
    "Bim",
    "ILdmr",
    "DLdmr",
    "DLdmw",
    "AcCost1",
    "AcCost2",
    "SpLoss1",
    "SpLoss2",
];

/// What counted: a file can have the counts of several tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// Callgrind or Cachegrind.
    Instructions,
    /// DHAT.
    Heap,
}

/// A count that it prints.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count {
    /// The name of the metric.
    pub(super) name: &'static str,
    /// The new count.
    pub(super) value: f64,
    /// The tool that counted.
    pub(super) tool: Tool,
    /// Whether the label is in words, which other programs rarely print before a bar.
    pub(super) in_words: bool,
}

/// Reads `Instructions:   1234|1200   (+2.83333%)`, before version 0.4 `Instructions:   1234 (+2.83333%)`: the label and
/// the new count.
pub(super) fn count(line: &str) -> Option<Count> {
    let (label, rest) = line.split_once(':')?;
    // Version 0.3 has neither bars nor other counts than the first words.
    let of = |labels: &[(&str, &'static str)]| {
        labels.iter().find(|(printed, _)| *printed == label).map(|(_, name)| *name)
    };
    let has_bar = rest.contains('|');
    let bare = || NAMES.iter().find(|name| has_bar && **name == label).copied();
    let (name, tool, in_words) = of(&WORDS)
        .filter(|name| has_bar || !name.ends_with("Rate"))
        .map(|name| (name, Tool::Instructions, true))
        .or_else(|| of(&HEAP).filter(|_| has_bar).map(|name| (name, Tool::Heap, true)))
        .or_else(|| bare().map(|name| (name, Tool::Instructions, false)))?;
    let new = rest.trim_start().split(['|', ' ']).next()?;
    Some(Count { name, value: number(new.as_bytes())?, tool, in_words })
}

/// Adds a count under its name in the JSON.
pub(super) fn push(sheet: &mut Sheet, benchmark: &str, name: &str, value: f64, line: u32) {
    let metric = sheet.metric(name, || metric(name));
    sheet.push(Measurement { benchmark, metric, value, line, ..Measurement::default() });
}

/// A metric by its name.
fn metric(name: &str) -> Metric {
    let primary = matches!(name, "Ir" | "EstimatedCycles");
    let count = Metric { primary, assumed_exact: true, ..Metric::new(name, "1", Quantity::Count) };
    let is_of_heap = HEAP.iter().any(|(_, known)| *known == name);
    match name {
        // More hits of a cache can be better or worse; a rate is no count.
        "L1hits" | "LLhits" => Metric { better: None, ..count },
        // An option decides whether they are nanoseconds, microseconds or milliseconds, and no clock is exact.
        "SysTime" | "SysCpuTime" => {
            let time = Metric::new(name, "", Quantity::Other).secondary();
            Metric { better: Some(Better::Lower), ..time }
        }
        _ if name.ends_with("Rate") => Metric::new(name, "%", Quantity::Other).secondary(),
        _ if is_of_heap && name.ends_with("Bytes") => {
            Metric { assumed_exact: true, ..Metric::new(name, "B", Quantity::Bytes).secondary() }
        }
        _ => count,
    }
}
