//! The metrics of load generators and databases: what their names mean, and which of them are compared by default. All of
//! these formats use the same names.

use super::csv_rows::Row;
use crate::metric::{Better, Estimand, Metric, Quantity};
use crate::sheet::{Measurement, ROW, Sheet};
use crate::text::number;

/// The metrics that are compared by default wherever a file has them: single requests, and the rate of all of them. fio
/// states the time from the issue of an operation on as `clat`.
const PRIMARY: [&str; 3] = ["throughput", "latency", "clat"];

/// What the names of summaries of times begin with. The first that has a median or a percentile is compared; a histogram
/// that knows nothing of its values has bare names.
const STEMS: [&str; 3] = ["latency-", "clat-", ""];

/// The metric with this name. Names that are not listed are times. Summaries of times are secondary until [`choose`] has
/// seen which ones the file has.
pub(super) fn described(name: &str) -> Metric {
    let subject = name.trim_start_matches("interval-").trim_start_matches("statement-");
    let made = |unit, quantity| Metric::new(name, unit, quantity).never_exact();
    let count = |better| Metric { better, ..made("1", Quantity::Count) };
    let share = |better| Metric { better: Some(better), ..made("", Quantity::Other) };
    let metric = match subject.split('-').next().unwrap_or_default() {
        _ if subject == "gc-count" => count(Some(Better::Lower)),
        "throughput" => made("1/s", Quantity::Throughput),
        "transfer" => made("B/s", Quantity::Throughput),
        "errors" | "failed" => count(Some(Better::Lower)).of_validity(),
        "late" | "reconnects" | "retransmits" | "retried" | "retries" | "skipped" => {
            count(Some(Better::Lower))
        }
        "transactions" => count(Some(Better::Higher)),
        "responses" if is_failure(subject) => count(Some(Better::Lower)).of_validity(),
        // How many responses had another status is neither better nor worse, nor is how many keys a cache did not have.
        "responses" => count(None),
        "misses" => made("misses/s", Quantity::Other),
        "success" => share(Better::Higher).of_validity(),
        _ => made("s", Quantity::Time),
    };
    Metric { primary: PRIMARY.contains(&name), ..metric }
}

/// Whether responses are of a status that says that the request failed: `responses-404`, `responses-5xx`.
fn is_failure(name: &str) -> bool {
    name.strip_prefix("responses-").is_some_and(|status| status.starts_with(['4', '5']))
}

/// Adds a value of the metric with this name.
pub(super) fn push(sheet: &mut Sheet, row: Measurement<'_>, name: &str, value: f64) {
    let metric = sheet.metric(name, || described(name));
    sheet.push(Measurement { metric, value, ..row });
}

/// Adds the time of a request. Times of requests that failed are a metric of their own.
pub(super) fn push_request(sheet: &mut Sheet, row: Measurement<'_>, succeeded: bool, seconds: f64) {
    push(sheet, row, if succeeded { "latency" } else { "latency-failed" }, seconds);
    push_failed(sheet, row, succeeded);
}

/// Adds whether a request failed by the status of its response; 0 stands for no response. Times of other statuses are other
/// work, so that without this nobody would see that most of it failed.
pub(super) fn push_status(sheet: &mut Sheet, row: Measurement<'_>, status: &str) {
    if !status.is_empty() {
        push_failed(sheet, row, status.starts_with(['1', '2', '3']));
    }
}

/// Adds `failed`, which is 1 or 0: its mean is the share of the requests that failed. A count would be wrong in a file
/// that is cut.
fn push_failed(sheet: &mut Sheet, row: Measurement<'_>, succeeded: bool) {
    let metric = sheet.metric("failed", || Metric { estimand: Estimand::Mean, ..described("failed") });
    sheet.push(Measurement { metric, value: f64::from(u8::from(!succeeded)), ..row });
}

/// Adds the times of a request in seconds, by their columns with the names of their metrics. The status of the response
/// is a key: responses of another status are other work. A time of 0 in a metric of `absent` stands for none, such as that of
/// connecting where the connection was open.
pub(super) fn push_row(
    sheet: &mut Sheet,
    row: &Row<'_>,
    status: &str,
    times: &[(&str, &str)],
    absent: &[&str],
) {
    let status = row.text(status).map(|status| ("status".to_owned(), status.into_owned()));
    let request = Measurement { benchmark: "requests", line: row.line, process: Some(0), ..ROW };
    if let Some((_, status)) = &status {
        sheet.set_context(&[]);
        push_status(sheet, request, status);
    }
    sheet.set_context(status.as_slice());
    for &(column, name) in times {
        let Some(value) = row.number(sheet, column) else { continue };
        if value == 0.0 && absent.contains(&name) {
            sheet.dropped(1);
            continue;
        }
        push(sheet, request, name, value);
    }
}

/// The name of a percentile of `stem` from its digits: `latency-p99.9` for `99.900`.
pub(super) fn percentile(stem: &str, digits: &str) -> Option<String> {
    let level = number(digits).filter(|level| (0.0..=100.0).contains(level))?;
    Some(format!("{stem}-p{level}"))
}

/// The percentile that shows the tail: the one nearest to the 99th, below the 99.9th, of which a run has few samples.
pub(super) fn tail<T>(levels: impl Iterator<Item = (f64, T)>) -> Option<T> {
    let eligible = levels.filter(|(level, _)| *level > 50.0 && *level < 99.9);
    eligible.min_by(|a, b| (a.0 - 99.0).abs().total_cmp(&(b.0 - 99.0).abs())).map(|(_, which)| which)
}

/// Decides which summaries of a file are compared by default.
pub(super) fn choose(sheet: &mut Sheet) {
    let names: Vec<String> = sheet.metrics.iter().map(|metric| metric.name.clone()).collect();
    choose_among(sheet, &names.iter().map(|name| &**name).collect::<Vec<_>>());
}

/// Decides which summaries of a run are compared by default, from the names of its metrics: the median, or else the mean,
/// and the tail, unless it has the single times; and the rates of kinds of operations if it has none of all operations.
pub(super) fn choose_among(sheet: &mut Sheet, names: &[&str]) {
    let has_single = names.iter().any(|name| matches!(*name, "latency" | "clat"));
    let has_rate = names.contains(&"throughput");
    // What is sent is no result, and what one thread reaches is a part of it.
    let is_kind = |name: &str| {
        name.starts_with("throughput-") && !name.ends_with("-sent") && !name.ends_with("-thread")
    };
    let rates = names.iter().filter(|name| !has_rate && is_kind(name));
    let tail_of = |stem: &&str| tail(levels(names, stem));
    let times = [centre(names), STEMS.iter().find_map(tail_of)];
    let times = times.iter().flatten().filter(|_| !has_single);
    for name in rates.chain(times) {
        let metric = sheet.metric(name, || described(name));
        sheet.metrics[metric as usize].primary = true;
    }
}

/// The median, or else the mean.
fn centre<'a>(names: &[&'a str]) -> Option<&'a str> {
    let median = |stem: &&str| levels(names, stem).find(|(level, _)| *level == 50.0).map(|(_, name)| name);
    let mean = |stem: &&str| names.iter().copied().find(|name| name.strip_prefix(stem) == Some("mean"));
    STEMS.iter().find_map(median).or_else(|| STEMS.iter().find_map(mean))
}

/// The percentiles of this stem.
fn levels<'a>(names: &[&'a str], stem: &str) -> impl Iterator<Item = (f64, &'a str)> {
    names.iter().filter_map(move |name| Some((level(name.strip_prefix(stem)?)?, *name)))
}

/// The level of a percentile: 99 of `p99`. Gatling numbers its four, which are these unless its configuration has others.
fn level(name: &str) -> Option<f64> {
    match name {
        "percentile1" => Some(50.0),
        "percentile2" => Some(75.0),
        "percentile3" => Some(95.0),
        "percentile4" => Some(99.0),
        _ => number(name.strip_prefix('p')?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that are compared by default of a file with these.
    fn chosen(names: &[&'static str]) -> Vec<String> {
        let mut sheet = Sheet::new("x");
        for name in names {
            sheet.metric(name, || described(name));
        }
        choose(&mut sheet);
        sheet.metrics.into_iter().filter(|metric| metric.primary).map(|metric| metric.name).collect()
    }

    #[test]
    fn a_rate_a_centre_and_a_tail_are_compared() {
        for (names, wanted) in [
            (
                &["throughput", "latency-mean", "latency-p50", "latency-p95", "latency-p99", "latency-p99.9"]
                    [..],
                &["throughput", "latency-p50", "latency-p99"][..],
            ),
            (&["latency-mean", "latency-p95", "latency-p99.9"], &["latency-mean", "latency-p95"]),
            (&["latency", "latency-p50", "latency-p99"], &["latency"]),
            (&["latency-mean", "clat-mean", "clat-p50", "clat-p99"], &["clat-p50", "clat-p99"]),
            (&["throughput-read", "throughput-write"], &["throughput-read", "throughput-write"]),
            (&["throughput-sent"], &[]),
            (&["throughput", "throughput-read", "transfer", "errors"], &["throughput"]),
            (&["p50", "p90", "p99.0625", "p99.902", "max"], &["p50", "p99.0625"]),
            (
                &["latency-percentile1", "latency-percentile4"],
                &["latency-percentile1", "latency-percentile4"],
            ),
            (&["first-byte-p50", "latency-failed-mean", "interval-throughput"], &[]),
        ] {
            assert_eq!(chosen(names), wanted, "{names:?}");
        }
    }

    #[test]
    fn a_percentile_has_one_name() {
        for (digits, name) in [("99.900", "x-p99.9"), ("50", "x-p50"), ("50.0", "x-p50"), ("100", "x-p100")] {
            assert_eq!(percentile("x", digits).as_deref(), Some(name));
        }
        assert!(["", "101", "-1", "NaN", "p50"].iter().all(|digits| percentile("x", digits).is_none()));
    }
}
