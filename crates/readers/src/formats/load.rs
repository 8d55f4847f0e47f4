//! The metrics of load generators, under the same names for all of them.

use crate::metric::{Better, Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::{Sheet, text};

/// A run of a load generator, whose summary has no samples.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) benchmark: &'a str,
    /// Its number within the file.
    pub(super) process: u32,
    /// The metrics that are compared by default.
    pub(super) primary: &'a [&'a str],
    /// The number of requests.
    pub(super) count: Option<f64>,
}

impl Run<'_> {
    /// Adds a value. The mean of a latency has a deviation if the file states it.
    pub(super) fn put(self, sheet: &mut Sheet, name: &str, value: f64, deviation: Option<f64>, line: u32) {
        let primary = self.primary.contains(&name);
        let metric = sheet.metric(name, || Metric { primary, ..described(name) });
        let count = self.count.filter(|_| name.contains("latency"));
        sheet.push(Measurement {
            benchmark: self.benchmark,
            metric,
            value,
            line,
            process: Some(self.process),
            aggregate: Some(Aggregate { count, deviation }),
            ..Measurement::default()
        });
    }
}

/// What the primary metrics are if the file has the median and the 99th percentile.
pub(super) const PRIMARY: &[&str] = &["throughput", "latency-p50", "latency-p99"];

/// The metric of this name.
pub(super) fn described(name: &str) -> Metric {
    let plain = |better| Metric { better, ..Metric::new(name, "", Quantity::Other) };
    match name {
        "throughput" => Metric::new(name, "1/s", Quantity::Throughput),
        "transfer" => Metric::new(name, "B/s", Quantity::Throughput).secondary(),
        "errors" => Metric::new(name, "1", Quantity::Count).never_exact().secondary(),
        "error-rate" => plain(Some(Better::Lower)).secondary(),
        "success-rate" => plain(Some(Better::Higher)).secondary(),
        // How many responses had a status is neither better nor worse.
        _ if name.starts_with("responses-") => {
            Metric { better: None, ..Metric::new(name, "1", Quantity::Count) }.never_exact().secondary()
        }
        _ if name.starts_with("throughput-") => Metric::new(name, "1/s", Quantity::Throughput).secondary(),
        _ => Metric::new(name, "s", Quantity::Time),
    }
}

/// The name of a percentile of `stem` from its digits: `latency-p99.9` for `99.900`.
pub(super) fn percentile(stem: &str, digits: &str) -> Option<String> {
    text::number(digits.as_bytes()).filter(|level| (0.0..=100.0).contains(level))?;
    let short =
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    Some(format!("{stem}-p{short}"))
}

/// Splits `1.23ms` into the number and the unit.
pub(super) fn with_unit(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|letter: char| letter.is_alphabetic() || letter == '%').unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    Some((text::number(digits.trim_end().as_bytes())?, unit))
}
