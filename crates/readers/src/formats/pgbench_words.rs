//! The words of pgbench's report: names, counts and times.

use crate::text::number;

/// A part of a line of progress: the metric, its unit, the value and its deviation.
pub(super) fn interval(part: &str) -> Option<(&'static str, &'static str, f64, Option<f64>)> {
    let parsed = |digits: &str| number(digits.as_bytes());
    let words: Vec<&str> = part.split(' ').collect();
    Some(match words[..] {
        [digits, "tps"] => ("interval-throughput", "1/s", parsed(digits)?, None),
        [digits, "failed"] => ("interval-errors", "1", parsed(digits)?, None),
        [digits, "skipped"] => ("interval-skipped", "1", parsed(digits)?, None),
        ["lag", digits, "ms"] => ("interval-lag-mean", "s", parsed(digits)? / 1e3, None),
        ["lat", digits, "ms", "stddev", spread] => {
            ("interval-latency-mean", "s", parsed(digits)? / 1e3, parsed(spread).map(|spread| spread / 1e3))
        }
        _ => return None,
    })
}

/// Whether a part of a line of progress is known and not read.
pub(super) fn is_known(part: &str) -> bool {
    part.ends_with(" retried") || part.ends_with(" retries")
}

/// The name of a script: `TPC-B (sort of)` of `<builtin: TPC-B (sort of)>`.
pub(super) fn plain(name: &str) -> &str {
    name.strip_prefix("<builtin: ").and_then(|name| name.strip_suffix('>')).unwrap_or(name)
}

/// The number with which a text begins: `232/684 (33.918%)`.
pub(super) fn leading(text: &str) -> Option<f64> {
    number(text.split(['/', ' ']).next()?.as_bytes())
}

/// A time: `3.906 ms`.
pub(super) fn milliseconds(text: &str) -> Option<f64> {
    let (digits, unit) = text.split_once(' ')?;
    let known = unit == "ms" || unit.starts_with("ms ");
    Some(number(digits.as_bytes()).filter(|_| known)? / 1e3)
}
