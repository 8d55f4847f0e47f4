//! What the header of a column of numbers says: its unit, and whether the numbers are results, settings or a summary.

use super::header_units::{around_per, is_min_in_brackets, is_statistic_in_brackets, split};
use super::holds::{holds, is_lost, is_result, is_unclear};
use super::name_words::{Holds, is_percent, joined, statistic, words};
use super::words::{
    BOUNDS, COUNTS, EXTREMES, FAILED, HIGHER, LASTED, LOWER, MEMORY, RATES, REPEATS, SPARED, TIMES, UNSPENT,
    WHICH,
};
use crate::formats::units::{is_known, meaning, split_header};
use crate::metric::{Better, Quantity};
use std::borrow::Cow;
use std::collections::HashSet;

/// A header in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::formats) struct Header {
    /// The name without the unit.
    pub(in crate::formats) name: String,
    /// The unit; empty if the header has none that is known and none in brackets.
    pub(in crate::formats) unit: String,
    /// The words of the name in lower case, without the statistic: `latency` of `mean_latency_ms`.
    pub(super) subject: Vec<String>,
    pub(in crate::formats) holds: Holds,
    /// The direction that it states: `(lower is better)`.
    pub(super) stated: Option<Better>,
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
    pub(in crate::formats) fn of(header: &str) -> Self {
        let (header, stated) = without_direction(header);
        let (name, unit) = split(&header);
        let mut words = joined(words(&name));
        if unit.is_empty() && words == ["sample", "size"] {
            words = vec!["samples".to_owned()];
        }
        // The words of a unit are not what was measured: `rows_per_s` says nothing of a number of rows.
        let is_ratio = name.contains('/')
            || around_per(&name).is_some()
            || (name.trim() == header.trim() && unit.contains('/'));
        let of_unit = if is_ratio && unit.contains('/') { self::words(&unit) } else { Vec::new() };
        let is_which = unit.is_empty() && matches!(&words[..], [word] if WHICH.contains(&&**word));
        let mut named: Vec<&String> = words.iter().filter(|word| !of_unit.contains(word)).collect();
        // The 95% of a confidence interval are no percentile.
        if named.iter().any(|word| statistic(word) == Some(Holds::Spread)) {
            named.retain(|word| !is_percent(word));
        }
        if says_failures(&words) {
            named.clear();
        }
        let mut found: Vec<Holds> = named.into_iter().filter_map(|word| statistic(word)).collect();
        let trimmed = name.trim();
        if PLUS_MINUS.iter().any(|sign| trimmed.starts_with(sign) || trimmed.ends_with(sign)) {
            found.push(Holds::Spread);
        }
        let mut subject: Vec<String> =
            words.iter().filter(|word| statistic(word).is_none()).cloned().collect();
        if !of_unit.is_empty() {
            subject.retain(|word| word != "per" && !of_unit.contains(word));
        }
        // What a time is divided by is not what was varied: `time per step (ms)`.
        let whole = name.split('/').next().filter(|_| is_known(&unit) && !unit.contains('/'));
        let whole = whole.map(|whole| around_per(whole).map_or(whole, |(before, _)| before));
        let before = whole.map_or_else(Vec::new, self::words);
        let divided = subject.iter().filter(|word| !is_ratio || before.is_empty() || before.contains(word));
        let divided: Vec<String> = divided.cloned().collect();
        // Beside requests it is the share that failed, beside a mean how far it may be wrong.
        let is_error = words.last().is_some_and(|word| matches!(&**word, "error" | "err"));
        let is_share_of_errors = is_error && (unit == "%" || name.trim_end().ends_with('%'));
        let holds = match holds(&divided, &found, is_known(&unit)) {
            _ if is_which => Holds::Settings,
            // The results at one level of a setting: `query size=8`.
            Holds::Settings if states_level(&name) => Holds::Unknown,
            _ if is_share_of_errors => Holds::Unknown,
            // What comes to one of them was hardly set: `rps_per_core`.
            Holds::Settings if is_ratio => Holds::Unknown,
            Holds::Settings => Holds::Settings,
            _ if is_unclear(&words, &subject, &unit) => Holds::Unknown,
            holds => holds,
        };
        Self { name, unit, subject, holds, stated, repetitions: None }
    }

    /// The headers of a table. Beside other statistics in brackets, `(min)` is one of them and not minutes. Beside a `q2`,
    /// a `q1` is a query and no quartile.
    pub(super) fn all(names: &[String]) -> Vec<Self> {
        let beside = names.iter().any(|name| is_statistic_in_brackets(name));
        let is_quartile = |word: &String| matches!(&**word, "q1" | "q3");
        let is_query = |word: &String| {
            word.strip_prefix('q').is_some_and(|rest| rest.parse::<u32>().is_ok()) && !is_quartile(word)
        };
        let has_queries = names.iter().any(|name| words(name).iter().any(is_query));
        let of = |name: &String| match split_header(name) {
            (before, _) if beside && is_min_in_brackets(name) => {
                Self { name: name.clone(), ..Self::of(&format!("{before} min")) }
            }
            _ if has_queries && words(name).iter().any(is_quartile) => {
                let header = Self::of(name);
                let holds = if header.has_unit() { Holds::Results } else { Holds::Unknown };
                Self { subject: words(&header.name), holds, ..header }
            }
            _ => Self::of(name),
        };
        let mut all: Vec<Self> = names.iter().map(of).collect();
        // `Name (time in ms)` says it of the statistics beside it.
        let unit = names.first().and_then(|name| split_header(name).1.strip_prefix("time in "));
        for header in &mut all[names.len().min(1)..] {
            let is_time = !header.has_unit()
                && header.subject.is_empty()
                && matches!(header.holds, Holds::Mean | Holds::Summary | Holds::Deviation | Holds::Spread);
            if let Some(unit) = unit.filter(|_| is_time) {
                unit.clone_into(&mut header.unit);
            }
        }
        all
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

    /// Whether the header may say how often something was measured: `n`, `n_samples`, `num_runs`, `iterations`.
    pub(super) fn counts_repeats(&self) -> bool {
        let words = words(&self.name);
        let is_number = |word: &String| matches!(&**word, "n" | "num" | "number" | "no" | "of" | "sample");
        let (last, before) =
            words.split_last().map_or((None, &[][..]), |(last, before)| (Some(last), before));
        last.is_some_and(|word| word == "count" || REPEATS.contains(&&**word)) && before.iter().all(is_number)
    }

    /// Whether this is how many of what was done failed: `failed`, `error_rate`. A number of errors has no unit.
    pub(super) fn counts_failures(&self) -> bool {
        !self.has_unit() && says_failures(&words(&self.name))
    }

    /// Whether the header speaks of a duration.
    pub(super) fn is_time(&self) -> bool {
        let word = |word: &String| word != "time" && TIMES.contains(&word.as_str());
        meaning(&self.unit).quantity == Quantity::Time || self.subject.iter().any(word)
    }

    /// Whether the header is the largest or smallest of something that is not known to be a result: `max_tokens`.
    pub(super) fn is_bound(&self) -> bool {
        self.is_extreme()
            && !self.has_unit()
            && !self.subject.is_empty()
            && !self.subject.iter().any(|word| is_result(word))
    }

    /// Whether the header is a bound of an interval, if there is a mean of its unit: `lower_ns`.
    pub(super) fn is_bound_of_interval(&self) -> bool {
        self.has_unit()
            && !self.subject.is_empty()
            && self.subject.iter().all(|word| BOUNDS.contains(&&**word))
    }

    /// Whether the header is the processor time of a process in its own code, if it has this unit: `user_s`.
    pub(super) fn is_user_time(&self) -> bool {
        self.subject == ["user"] && meaning(&self.unit).quantity == Quantity::Time
    }

    /// Whether a column holds numbers although some of its cells are none, such as `OOM`: a unit beside its name tells so,
    /// or a word of results and any number or what resembles one. A bare `time` can be one of the day.
    pub(super) fn has_numbers(&self, any: bool, resembling: bool) -> bool {
        let of_results =
            matches!(self.holds, Holds::Results | Holds::Mean | Holds::Summary | Holds::Deviation);
        // A `(1)` within a name is hardly a unit.
        let says_unit = self.has_unit() && self.name.trim() != self.unit && !COUNTS.contains(&&*self.unit);
        of_results && (any || says_unit || (resembling && !self.is_bare("time")))
    }

    /// Whether the unit alone tells that the numbers were measured.
    pub(in crate::formats) fn has_unit(&self) -> bool {
        is_known(&self.unit)
    }

    /// Whether the values are the smallest or largest of a row's samples.
    pub(super) fn is_extreme(&self) -> bool {
        let of_unit = if self.unit.contains('/') { words(&self.unit) } else { Vec::new() };
        let mut words = joined(words(&self.name)).into_iter();
        words.any(|word| EXTREMES.contains(&word.as_str()) && !of_unit.contains(&word))
    }

    /// Whether they are the most memory that a program took, which is one measurement and no summary: `max_rss`.
    pub(super) fn is_peak(&self) -> bool {
        let of_memory =
            |two: &[String]| matches!(&*two[0], "max" | "maximum") && MEMORY.contains(&two[1].as_str());
        words(&self.name).windows(2).any(of_memory)
    }

    /// Whether more of it is not what more of this quantity usually is: free memory, dropped frames per second, and the
    /// bytes of a throughput.
    pub(in crate::formats) fn is_contrary(&self, quantity: Quantity) -> bool {
        let is_rate = self.subject.last().is_some_and(|word| RATES.contains(&word.as_str()));
        if is_rate && matches!(quantity, Quantity::Time | Quantity::Bytes) {
            return true;
        }
        self.subject.iter().map(String::as_str).any(|word| match quantity {
            Quantity::Throughput => is_lost(word),
            Quantity::Time => UNSPENT.contains(&word) || LASTED.contains(&word),
            _ => SPARED.contains(&word),
        })
    }

    /// The direction that the name tells where the unit tells none.
    pub(in crate::formats) fn better(&self) -> Option<Better> {
        let quantity = meaning(&self.unit).quantity;
        if quantity == Quantity::Time && self.subject.iter().any(|word| LASTED.contains(&&**word)) {
            return self.stated.or(Some(Better::Higher));
        }
        if self.stated.is_some() || self.is_contrary(quantity) {
            return self.stated;
        }
        let last = self.subject.last()?;
        if LOWER.contains(&last.as_str()) {
            return Some(Better::Lower);
        }
        HIGHER.contains(&last.as_str()).then_some(Better::Higher)
    }
}

/// Whether a name ends with the level of a setting: `size=8`.
fn states_level(name: &str) -> bool {
    name.trim()
        .rsplit_once('=')
        .is_some_and(|(before, level)| !before.is_empty() && level.trim().parse::<f64>().is_ok())
}

/// Whether words are those of a number or a share of failures.
fn says_failures(words: &[String]) -> bool {
    let is_share = |two: &[String]| {
        matches!(&*two[0], "error" | "err" | "failure" | "fail")
            && matches!(&*two[1], "rate" | "count" | "ratio" | "pct" | "percent")
    };
    words.last().is_some_and(|word| FAILED.contains(&&**word)) || words.windows(2).any(is_share)
}

/// A header without what it states of the direction, as in `time (ms) [lower is better]` and `time (ms, lower is better)`.
fn without_direction(header: &str) -> (Cow<'_, str>, Option<Better>) {
    let (name, said) = split_header(header);
    let (unit, said) = said.rsplit_once([',', ';']).unwrap_or(("", said));
    let lower = said.trim().to_lowercase();
    let better = match lower.strip_suffix("better").map(|word| word.trim_end().trim_end_matches(" is")) {
        Some("lower" | "low" | "less" | "smaller" | "small" | "fewer" | "-" | "\u{2212}") => Better::Lower,
        Some("higher" | "high" | "more" | "larger" | "large" | "bigger" | "big" | "greater" | "+") => {
            Better::Higher
        }
        _ => return (Cow::Borrowed(header), None),
    };
    let name = if unit.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(format!("{name} ({unit})")) };
    (name, Some(better))
}

/// How the column of a spread is called that stands beside the mean.
const PLUS_MINUS: [&str; 3] = ["\u{B1}", "+/-", "+-"];

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(header: &str) -> (String, String, Holds) {
        let found = Header::of(header);
        (found.name, found.unit, found.holds)
    }

    #[test]
    fn a_share_of_errors_is_asked_about() {
        for header in ["Error %", "Error (%)", "Err %"] {
            assert_eq!(Header::of(header).holds, Holds::Unknown, "{header}");
        }
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
            ("ops/s (total)", "ops/s (total)", "ops/s", Holds::Results),
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
            ("throughput_mb_s", "throughput", "MB/s", Holds::Results),
            ("reqs_s", "reqs_s", "reqs/s", Holds::Results),
            ("a_s", "a", "s", Holds::Results),
            ("rows/s", "rows/s", "rows/s", Holds::Results),
            ("opsPerSec", "opsPerSec", "ops/sec", Holds::Results),
            ("Requests Per Second", "Requests Per Second", "Requests/second", Holds::Results),
            ("ioMiBPerSec", "ioMiBPerSec", "MiB/sec", Holds::Results),
            ("mb_per_sec", "mb_per_sec", "MB/sec", Holds::Results),
            ("tasks_per_hour", "tasks_per_hour", "tasks/hour", Holds::Results),
            ("requests_per_sec_p99", "requests_per_sec_p99", "requests/sec", Holds::Summary),
            ("errors_per_sec", "errors_per_sec", "errors/sec", Holds::Unknown),
            ("errors_per_sec_mean", "errors_per_sec_mean", "errors/sec", Holds::Mean),
            ("ns_per_byte", "ns_per_byte", "ns/byte", Holds::Unknown),
            ("ns_per_day", "ns_per_day", "ns/day", Holds::Unknown),
            ("ns_per_op", "ns_per_op", "ns/op", Holds::Results),
            ("time_per_op_ns", "time_per_op", "ns", Holds::Results),
            ("timePerOpNs", "timePerOp", "ns", Holds::Results),
            ("ops_per_thread_per_sec", "ops_per_thread_per_sec", "", Holds::Unknown),
            ("rps_per_core", "rps_per_core", "rps/core", Holds::Unknown),
            ("ops/s/thread", "ops/s/thread", "", Holds::Unknown),
            ("target_rps", "target", "rps", Holds::Unknown),
            ("target_ops_per_s", "target_ops_per_s", "ops/s", Holds::Unknown),
            ("BW_MiBs", "BW_MiBs", "", Holds::Unknown),
            ("heapUsedMB", "heapUsed", "MB", Holds::Results),
            ("fps_avg", "fps_avg", "fps", Holds::Mean),
            ("avg_fps", "avg_fps", "fps", Holds::Mean),
            ("Latency (avg)", "Latency (avg)", "", Holds::Mean),
            ("Latency_ms (p99)", "Latency (p99)", "ms", Holds::Summary),
            ("Latency (min)", "Latency", "min", Holds::Results),
            ("start_ns", "start", "ns", Holds::Unknown),
            ("end_ns", "end", "ns", Holds::Unknown),
            ("end_to_end_ms", "end_to_end", "ms", Holds::Results),
            ("cold_start_ms", "cold_start", "ms", Holds::Results),
            ("Min", "Min", "", Holds::Summary),
            ("Time Min", "Time Min", "", Holds::Summary),
            ("time_to_first_byte", "time_to_first_byte", "", Holds::Results),
            ("percentile", "percentile", "", Holds::Settings),
            ("tok_s", "tok_s", "tok/s", Holds::Results),
            ("gbit_s", "gbit_s", "Gbit/s", Holds::Results),
            ("rows_s", "rows_s", "rows/s", Holds::Results),
            ("samples/s", "samples/s", "samples/s", Holds::Results),
            ("ops/min", "ops/min", "ops/min", Holds::Results),
            ("latency.p99_ms", "latency.p99", "ms", Holds::Summary),
            ("p50Ms", "p50", "ms", Holds::Summary),
            ("stderr_ns", "stderr", "ns", Holds::Spread),
            ("mAP", "mAP", "", Holds::Unknown),
            ("time per step (ms)", "time per step", "ms", Holds::Results),
            ("window_s", "window", "s", Holds::Unknown),
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
            ("score (+ is better)", Some(Better::Higher)),
            ("time [Smaller is better]", Some(Better::Lower)),
            ("available_memory", None),
            ("free (lower is better)", Some(Better::Lower)),
        ] {
            assert_eq!(Header::of(header).better(), better, "{header}");
        }
    }
}
