//! What the header of a column of numbers says: its unit, and whether the numbers are results, settings or a summary.

use std::collections::HashSet;

use super::table_name_words::{joined, statistic, words};
use super::table_units::{is_known, meaning, split_header};
use super::table_words::{BOUNDS, COUNTS, EXTREMES, HIGHER, LOWER, MOMENTS, RESULTS, SETTINGS};
use crate::{Better, Quantity};

/// What a column of numbers holds, as far as its header tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Results: a value a row.
    Results,
    /// The mean of the samples that a row summarises.
    Mean,
    /// Another summary of them: a median, a percentile, an extreme.
    Summary,
    /// Their standard deviation.
    Deviation,
    /// Another measure of their spread, or an error.
    Spread,
    /// Their number.
    Count,
    /// What was varied, or which run it was.
    Settings,
    /// The header does not tell.
    Unknown,
}

/// A header in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    /// The name without the unit.
    pub(super) name: String,
    /// The unit; empty if the header has none that is known and none in brackets.
    pub(super) unit: String,
    /// The words of the name in lower case, without the statistic: `latency` of `mean_latency_ms`.
    pub(super) subject: Vec<String>,
    pub(super) holds: Holds,
    /// The direction that it states: `(lower is better)`.
    stated: Option<Better>,
    /// The pattern of the columns that are repetitions of one measurement, of which this is one.
    pub(super) repetitions: Option<String>,
}

/// What a column is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Subject<'a> {
    pub(super) words: Vec<&'a str>,
    pub(super) unit: &'a str,
}

impl Header {
    pub(super) fn of(header: &str) -> Self {
        let (header, stated) = without_direction(header);
        let (name, unit) = split(header);
        let words = joined(words(&name));
        let mut found: Vec<Holds> = words.iter().filter_map(|word| statistic(word)).collect();
        if words.is_empty() && PLUS_MINUS.contains(&name.trim()) {
            found.push(Holds::Spread);
        }
        let subject: Vec<String> = words.into_iter().filter(|word| statistic(word).is_none()).collect();
        let holds = holds(&subject, &found, is_known(&unit));
        Self { name, unit, subject, holds, stated, repetitions: None }
    }

    /// What the column is about: `latency` in `ms` of `mean_latency_ms`, and nothing of `ci_high`.
    pub(super) fn subject(&self) -> Subject<'_> {
        let is_spread = self.holds == Holds::Spread;
        let words = self.subject.iter().map(String::as_str);
        let words = words.filter(|word| !(is_spread && BOUNDS.contains(word))).collect();
        // The unit of a confidence interval or an error may be a percent sign.
        Subject { words, unit: if is_spread { "" } else { &self.unit } }
    }

    /// Whether this is the spread of a column about one of these.
    pub(super) fn is_spread_of_one(&self, subjects: &HashSet<Subject<'_>>) -> bool {
        subjects.contains(&self.subject())
    }

    /// Whether the header is this word alone.
    pub(super) fn is_bare(&self, word: &str) -> bool {
        self.unit.is_empty() && self.name.trim().eq_ignore_ascii_case(word)
    }

    /// Whether the header speaks of a duration.
    pub(super) fn is_time(&self) -> bool {
        let word = |word: &String| ["latency", "elapsed", "duration", "runtime"].contains(&word.as_str());
        meaning(&self.unit).quantity == Quantity::Time || self.subject.iter().any(word)
    }

    /// Whether the unit alone tells that the numbers were measured.
    pub(super) fn has_unit(&self) -> bool {
        is_known(&self.unit)
    }

    /// Whether the values are the smallest or largest of a row's samples.
    pub(super) fn is_extreme(&self) -> bool {
        words(&self.name).iter().any(|word| EXTREMES.contains(&word.as_str()))
    }

    /// The direction that the name tells where the unit tells none.
    pub(super) fn better(&self) -> Option<Better> {
        if self.stated.is_some() {
            return self.stated;
        }
        let last = self.subject.last()?;
        if LOWER.contains(&last.as_str()) {
            return Some(Better::Lower);
        }
        HIGHER.contains(&last.as_str()).then_some(Better::Higher)
    }
}

/// The one statistic of these words: an error of a deviation is a spread, and others contradict each other.
fn agreed(found: &[Holds]) -> Option<Holds> {
    let one = found.iter().max_by_key(|holds| **holds == Holds::Spread).copied()?;
    let fits = |other: &Holds| *other == one || (one == Holds::Spread && *other == Holds::Deviation);
    Some(if found.iter().all(fits) { one } else { Holds::Unknown })
}

fn holds(subject: &[String], found: &[Holds], measured: bool) -> Holds {
    // A `start time` is a moment, or what the start takes.
    if subject.len() > 1 && subject.iter().any(|word| MOMENTS.contains(&word.as_str())) {
        return Holds::Unknown;
    }
    let statistic = agreed(found);
    let is_result =
        |word: &String| [LOWER, HIGHER, RESULTS].iter().any(|words| words.contains(&word.as_str()));
    let is_setting = |word: &str| SETTINGS.contains(&word);
    // `timeStamp` is one word.
    let joined = is_setting(&subject.concat());
    let setting = joined || subject.iter().any(|word| is_setting(word));
    let result = subject.iter().any(is_result);
    // The last word of a name is what it is: a `run time` is a time, and a `time step` is a step.
    let is_of_result = !joined && subject.last().is_some_and(is_result);
    match statistic {
        Some(_) if setting && !is_of_result => Holds::Unknown,
        Some(statistic) => statistic,
        None if is_of_result => Holds::Results,
        None if setting && (measured || (result && !joined)) => Holds::Unknown,
        None if setting => Holds::Settings,
        None if measured || result => Holds::Results,
        None => Holds::Unknown,
    }
}

/// A header without what it states of the direction, as in `time (ms) [lower is better]`.
fn without_direction(header: &str) -> (&str, Option<Better>) {
    let (name, said) = split_header(header);
    let better = match said.to_lowercase().strip_suffix(" is better") {
        Some("lower" | "less" | "smaller" | "fewer") => Better::Lower,
        Some("higher" | "more" | "larger" | "bigger" | "greater") => Better::Higher,
        _ => return (header, None),
    };
    (name, Some(better))
}

/// Splits a header into the name and the unit: `time [ms]`, `time (ms)`, `time_ms`, `timeMs`, `ops_per_s`. A header
/// that is a unit, such as `ns/iter`, `rps` or `(ms)`, is also the name.
fn split(header: &str) -> (String, String) {
    let (name, unit) = split_header(header);
    if !unit.is_empty() {
        return (name.to_owned(), unit_in_brackets(name, unit));
    }
    if let Some(found) = unit_within(header) {
        return found;
    }
    let trimmed = header.trim();
    if let Some((name, unit)) = unit_before_statistic(trimmed) {
        return (name, unit);
    }
    if is_known(trimmed) && trimmed.len() > 1 && trimmed != "min" && !COUNTS.contains(&trimmed) {
        return (header.to_owned(), trimmed.to_owned());
    }
    let per = ["_per_", " per ", "-per-"].into_iter().find_map(|word| trimmed.rsplit_once(word));
    if let Some((what, per)) = per {
        let unit = format!("{}/{per}", what.rsplit(SEPARATORS).next().unwrap_or(what));
        if is_known(&unit) {
            return (header.to_owned(), unit);
        }
    }
    suffix(trimmed).map_or_else(|| (header.to_owned(), String::new()), |(name, unit)| (name.to_owned(), unit))
}

/// The unit in the brackets after a name: that of `transfer/sec (KB)` is `KB/s`. In brackets it may be in capitals or end
/// with a full stop.
fn unit_in_brackets(name: &str, unit: &str) -> String {
    let known = |unit: &str| is_known(unit).then(|| unit.to_owned());
    let short = unit.trim_end_matches('.');
    let unit = known(unit)
        .or_else(|| known(short))
        .or_else(|| known(&short.to_lowercase()).filter(|unit| meaning(unit).quantity == Quantity::Time))
        .unwrap_or_else(|| unit.to_owned());
    let lower = name.to_lowercase();
    let is_rate = PER_SECOND.iter().any(|ending| lower.ends_with(ending));
    let rate = format!("{unit}/s");
    if is_rate && !unit.contains('/') && meaning(&rate).quantity == Quantity::Throughput {
        rate
    } else {
        unit
    }
}

/// The name and the known unit of a header whose unit stands in brackets within it: `latency (ms) p99`.
fn unit_within(header: &str) -> Option<(String, String)> {
    let (before, rest) = header.split_once(['(', '['])?;
    let (unit, after) = rest.split_once([')', ']'])?;
    let unit = Some(unit_in_brackets(before.trim(), unit.trim())).filter(|unit| is_known(unit))?;
    let name = format!("{} {}", before.trim(), after.trim());
    let name = if name.trim().is_empty() { &unit } else { name.trim() };
    Some((name.to_owned(), unit))
}

/// The name and unit of a header whose statistic or number follows the unit: `latency_us_p99`, `time_ms.1`.
fn unit_before_statistic(header: &str) -> Option<(String, String)> {
    let at = header.rfind(SEPARATORS)?;
    let (before, after) = (&header[..at], &header[at + 1..]);
    let is_number = !after.is_empty() && after.bytes().all(|byte| byte.is_ascii_digit());
    statistic(&after.to_lowercase()).map(|_| ()).or(is_number.then_some(()))?;
    let (name, unit) = suffix(before).or_else(|| Some(("", unit_of_suffix(before)?)))?;
    let joint = if name.is_empty() { "" } else { &header[at..=at] };
    Some((format!("{name}{joint}{after}"), unit))
}

/// The unit at the end of a name: after a separator, or with a capital letter after a small one.
fn suffix(header: &str) -> Option<(&str, String)> {
    let at = header.rfind(SEPARATORS);
    let name = at.map(|at| header[..at].trim_end_matches(SEPARATORS));
    // `time, ms` and `time in ms`.
    let name = name.map(|name| name.strip_suffix(" in").unwrap_or(name).trim_end_matches([',', ':', ' ']));
    let apart = at.zip(name).and_then(|(at, name)| Some((name, unit_of_suffix(&header[at + 1..])?)));
    let camel = || {
        let at = header.char_indices().rfind(|(_, letter)| letter.is_ascii_uppercase())?.0;
        let (name, unit) = header.split_at(at);
        let small = name.ends_with(|letter: char| letter.is_ascii_lowercase());
        (small && unit.len() > 1).then_some((name, unit_of_suffix(&unit.to_ascii_lowercase())?))
    };
    apart.or_else(camel).filter(|(name, _)| !name.is_empty())
}

/// The unit that a suffix means: only times, sizes and rates, because `_count` or `_words` can be a setting.
fn unit_of_suffix(word: &str) -> Option<String> {
    let unit = match word {
        "kb" => "kB",
        "mb" => "MB",
        "gb" => "GB",
        "kib" => "KiB",
        "mib" => "MiB",
        "gib" => "GiB",
        // These are also words or letters of names.
        "min" | "h" | "B" | "b" | "1" => return None,
        _ => word,
    };
    (is_known(unit) && !COUNTS.contains(&unit)).then(|| unit.to_owned())
}

/// How the names of rates end whose unit has no time.
const PER_SECOND: [&str; 8] =
    ["/s", "/sec", "/second", " per s", " per sec", " per second", "_per_sec", "_per_second"];

/// How the column of a spread is called that stands beside the mean.
const PLUS_MINUS: [&str; 3] = ["\u{B1}", "+/-", "+-"];

pub(super) const SEPARATORS: [char; 4] = ['_', '-', ' ', '.'];

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(header: &str) -> (String, String, Holds) {
        let found = Header::of(header);
        (found.name, found.unit, found.holds)
    }

    #[test]
    fn a_header_gives_name_unit_and_kind() {
        for (header, name, unit, holds) in [
            ("time (ms)", "time", "ms", Holds::Results),
            ("mean_us", "mean", "us", Holds::Mean),
            ("avg_latency_ms", "avg_latency", "ms", Holds::Mean),
            ("p99 (µs)", "p99", "µs", Holds::Summary),
            ("p99.9_ns", "p99.9", "ns", Holds::Summary),
            ("ns/iter", "ns/iter", "ns/iter", Holds::Results),
            ("rps", "rps", "rps", Holds::Results),
            ("MB/s", "MB/s", "MB/s", Holds::Results),
            ("ops_per_sec", "ops_per_sec", "ops/sec", Holds::Results),
            ("(ms)", "ms", "ms", Holds::Results),
            ("heap_kb", "heap", "kB", Holds::Results),
            ("rss_bytes", "rss", "bytes", Holds::Results),
            ("wall_s", "wall", "s", Holds::Results),
            ("elapsedMs", "elapsed", "ms", Holds::Results),
            ("parse_ns", "parse", "ns", Holds::Results),
            ("stddev_us", "stddev", "us", Holds::Deviation),
            ("Latency", "Latency", "", Holds::Results),
            ("cpu_time", "cpu_time", "", Holds::Results),
            ("run time", "run time", "", Holds::Results),
            ("threads", "threads", "", Holds::Settings),
            ("run", "run", "", Holds::Settings),
            ("seed", "seed", "", Holds::Settings),
            ("input_size", "input_size", "", Holds::Settings),
            ("timeStamp", "timeStamp", "", Holds::Settings),
            ("size_kb", "size", "kB", Holds::Unknown),
            ("size (bytes)", "size", "bytes", Holds::Unknown),
            ("timeout_ms", "timeout", "ms", Holds::Unknown),
            ("max_threads", "max_threads", "", Holds::Unknown),
            ("time step", "time step", "", Holds::Unknown),
            ("foo", "foo", "", Holds::Unknown),
            ("foo (widgets)", "foo", "widgets", Holds::Unknown),
            ("ops", "ops", "", Holds::Unknown),
            ("count", "count", "", Holds::Count),
            ("Time (MS)", "Time", "ms", Holds::Results),
            ("time (sec.)", "time", "sec", Holds::Results),
            ("time, ms", "time", "ms", Holds::Results),
            ("time in ms", "time", "ms", Holds::Results),
            ("latency (ms) p50", "latency p50", "ms", Holds::Summary),
            ("time_ms.1", "time.1", "ms", Holds::Results),
            ("transfer/sec (KB)", "transfer/sec", "KB/s", Holds::Results),
            ("time (ms) [lower is better]", "time", "ms", Holds::Results),
            ("f(x) in (0, 1)", "f(x) in", "0, 1", Holds::Unknown),
            ("Std Dev (ms)", "Std Dev", "ms", Holds::Deviation),
            ("std. dev.", "std. dev.", "", Holds::Deviation),
            ("Standard Error", "Standard Error", "", Holds::Spread),
            ("\u{B1} (ms)", "\u{B1}", "ms", Holds::Spread),
            ("", "", "", Holds::Unknown),
        ] {
            assert_eq!(parts(header), (name.to_owned(), unit.to_owned(), holds), "{header:?}");
        }
    }

    #[test]
    fn a_name_tells_a_direction_only_by_its_last_word() {
        for (header, better) in [
            ("Latency", Some(Better::Lower)),
            ("mean_time", Some(Better::Lower)),
            ("throughput", Some(Better::Higher)),
            ("score", None),
            ("mean", None),
            ("score (higher is better)", Some(Better::Higher)),
            ("time [Smaller is better]", Some(Better::Lower)),
        ] {
            assert_eq!(Header::of(header).better(), better, "{header}");
        }
    }
}
