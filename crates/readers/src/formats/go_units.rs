//! The units of Go results: normalised to base units, and what they reveal about a metric.

use std::collections::HashMap;

use super::format;
use super::units::{Meaning, Scale, meaning, rate};
use crate::metric::{Better, Metric, Quantity};
use crate::sheet::Sheet;
use crate::text::lossless;

/// The metrics that Go itself prints.
pub(super) const METRICS: &[format::Meaning] = &[
    format::Meaning::of("sec/op", "time of one operation, the mean over the iterations of a run"),
    format::Meaning::of("B/op", "bytes allocated by one operation"),
    format::Meaning::of("allocs/op", "allocations by one operation"),
    format::Meaning::of("B/s", "bytes processed a second"),
];

/// The units of a piece and their meanings.
#[derive(Default)]
pub(super) struct Units {
    known: Vec<(Vec<u8>, u32, f64)>,
    numbers: HashMap<Vec<u8>, usize>,
}

impl Units {
    /// Returns the metric's number and the factor to its base unit. `guess` is the position to try first: most
    /// result lines have the same units as the first one.
    pub(super) fn find(&mut self, sheet: &mut Sheet, unit: &[u8], guess: usize) -> (u32, f64) {
        if let Some((known, metric, factor)) = self.known.get(guess)
            && known == unit
        {
            return (*metric, *factor);
        }
        if let Some(&number) = self.numbers.get(unit) {
            let (_, metric, factor) = self.known[number];
            return (metric, factor);
        }
        let (name, factor) = tidy(unit);
        let metric = sheet.metric(&name, || describe(&name));
        self.numbers.insert(unit.to_vec(), self.known.len());
        self.known.push((unit.to_vec(), metric, factor));
        (metric, factor)
    }

    /// Whether an earlier line had this unit.
    pub(super) fn knows(&self, unit: &[u8]) -> bool {
        self.numbers.contains_key(unit)
    }
}

/// Converts nanoseconds and megabytes to base units and returns the factor. Only the part before the first `/`
/// is converted: `ns/MB` is time per megabyte. Other units of time and size, which Go itself does not write, keep their
/// name: `ms/op` beside `ns/op` is another metric, whose values are seconds too.
pub(super) fn tidy(unit: &[u8]) -> (String, f64) {
    let unit = lossless(unit);
    let (numerator, denominator) = match unit.find('/') {
        Some(slash) => unit.split_at(slash),
        None => (&*unit, ""),
    };
    let mut factor = 1.0;
    let tokens: Vec<&str> = numerator
        .split('-')
        .map(|token| match token {
            "ns" => {
                factor *= 1e-9;
                "sec"
            }
            "MB" => {
                factor *= 1e6;
                "B"
            }
            other => other,
        })
        .collect();
    if let Some(known) = other(&unit) {
        factor = match known.scale {
            Scale::Times(factor) => factor,
            Scale::Over(divisor) => 1.0 / divisor,
        };
    }
    (format!("{}{denominator}", tokens.join("-")), factor)
}

/// The meaning of a unit of time or size that Go itself does not write: the last word before the first `/`.
fn other(unit: &str) -> Option<Meaning> {
    const OTHERS: [&str; 11] =
        ["s", "ms", "us", "\u{B5}s", "\u{3BC}s", "KB", "kB", "GB", "KiB", "MiB", "GiB"];
    let (last, rated) = last(unit);
    (OTHERS.contains(&last) && rate(&rated).is_none()).then(|| meaning(last))
}

/// The last word before the first `/`, also with what follows the `/`.
fn last(unit: &str) -> (&str, String) {
    let (numerator, denominator) = unit.split_once('/').unwrap_or((unit, ""));
    let last = numerator.rsplit('-').next().unwrap_or(numerator);
    let rated = if denominator.is_empty() { last.to_owned() } else { format!("{last}/{denominator}") };
    (last, rated)
}

/// Describes a metric by its normalised unit: `sec/op` is time, `B/s` and `qps` are throughput, `allocs/op` is
/// a count.
pub(super) fn describe(name: &str) -> Metric {
    let (last, rated) = last(name);
    if let Some((unit, factor)) = rate(&rated) {
        // Go's values are in the file's own unit, so naming a base unit would be wrong for others.
        let plain = factor == 1.0;
        let (unit, quantity) = if plain { (unit, Quantity::Throughput) } else { ("", Quantity::Other) };
        return Metric { better: Some(Better::Higher), ..Metric::new(name, unit, quantity) };
    }
    if let Some(known) = other(name) {
        return Metric::new(name, &known.base, known.quantity);
    }
    match last {
        "sec" => Metric::new(name, "s", Quantity::Time),
        "B" | "bytes" => Metric::new(name, "B", Quantity::Bytes),
        "allocs" => Metric::new(name, "1", Quantity::Count),
        _ => Metric::new(name, "", Quantity::Other),
    }
}
