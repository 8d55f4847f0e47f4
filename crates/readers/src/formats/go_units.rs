//! The units of Go results: normalised to base units, and what they reveal about a metric.

use super::format;
use super::prelude::*;
use super::units::{Meaning, rate};

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
    known: Vec<Unit>,
    numbers: HashMap<Vec<u8>, usize>,
}

/// A unit that was seen, and how its values become those of its metric.
pub(super) struct Unit {
    text: Vec<u8>,
    pub(super) metric: u32,
    /// A value is multiplied by this and divided by that; one of them is 1. Dividing by a power of ten rounds once;
    /// multiplying by its inverse would round twice.
    pub(super) factor: f64,
    pub(super) divisor: f64,
    /// The bytes of a short unit, the first as the lowest, and which bits they take. No other text fits a longer unit.
    pub(super) word: u128,
    pub(super) mask: u128,
    pub(super) length: usize,
    pub(super) is_well_known: bool,
}

impl Unit {
    fn new(text: &[u8], metric: u32, factor: f64) -> Self {
        let mut word = [0; 16];
        let is_short = text.len() < word.len();
        word[..text.len().min(16)].copy_from_slice(&text[..text.len().min(16)]);
        Self {
            text: text.to_vec(),
            metric,
            factor: if factor < 1.0 { 1.0 } else { factor },
            divisor: if factor < 1.0 { (1.0 / factor).round() } else { 1.0 },
            word: if is_short { u128::from_le_bytes(word) } else { 0 },
            mask: if is_short { (1 << (8 * text.len())) - 1 } else { u128::MAX },
            length: text.len(),
            is_well_known: WELL_KNOWN.contains(&text),
        }
    }

    /// The value of the metric.
    pub(super) fn value(&self, number: f64) -> f64 {
        number * self.factor / self.divisor
    }
}

/// The units that Go writes, and those of time and size that programs write instead.
pub(super) const WELL_KNOWN: [&[u8]; 9] =
    [b"ns/op", b"B/op", b"allocs/op", b"MB/s", b"s/op", b"ms/op", b"us/op", b"KB/op", b"MB/op"];

impl Units {
    /// Returns a unit. `guess` is the position to try first: most result lines have the same units as the first one.
    pub(super) fn find(&mut self, sheet: &mut Sheet, unit: &[u8], guess: usize) -> &Unit {
        let known = |at: &usize| self.known.get(*at).is_some_and(|known| known.text == unit);
        let at = Some(guess).filter(known).or_else(|| self.numbers.get(unit).copied()).unwrap_or_else(|| {
            let (name, factor) = tidy(unit);
            let metric = sheet.metric(&name, || describe(&name));
            self.numbers.insert(unit.to_vec(), self.known.len());
            self.known.push(Unit::new(unit, metric, factor));
            self.known.len() - 1
        });
        &self.known[at]
    }

    /// The unit at this position, if there is one.
    #[inline]
    pub(super) fn guessed(&self, guess: usize) -> Option<&Unit> {
        self.known.get(guess)
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
