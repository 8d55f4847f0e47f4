//! What trackers of results have in common: values whose unit is a text of the user, and dates as numbers.

use super::table_headers::Header;
use super::table_units::{self, Meaning, Scale};
use crate::metric::{Better, Metric, Quantity};

/// The metric of values in a unit, and how they become base units. The unit names the metric: a tracker does not say what
/// was measured. A stated direction that the unit does not have is a part of the name.
pub(super) fn described(unit: &str, stated: Option<Better>) -> (Metric, Scale) {
    let (metric, scale) = metric("", unit);
    let name = match (metric.quantity, &*metric.unit) {
        (Quantity::Time, _) => "time".to_owned(),
        (Quantity::Bytes, _) => "bytes".to_owned(),
        (Quantity::Throughput, "B/s") => "transfer".to_owned(),
        (Quantity::Throughput, _) => "throughput".to_owned(),
        (_, "") => "value".to_owned(),
        _ => format!("value ({unit})"),
    };
    if stated.is_none() || metric.better == stated {
        return (Metric { name, ..metric }, scale);
    }
    let way = stated.map(Better::word).unwrap_or_default();
    (Metric { name: format!("{name}, {way} is better"), better: stated, ..metric }, scale)
}

/// The metric of this name with values in this unit, and how they become base units. A plain count can be of errors or of
/// successes.
pub(super) fn metric(name: &str, unit: &str) -> (Metric, Scale) {
    let Meaning { base, quantity, scale } = table_units::meaning(unit);
    let metric = Metric::new(name, &base, quantity).never_exact();
    let better = if matches!(unit, "1" | "count" | "counts") { None } else { metric.better };
    (Metric { better, ..metric }, scale)
}

/// The metric of a name that may end in its unit, such as `p99_latency_ms`, and how its values become base units. Without a
/// unit, words such as `latency` and `throughput` tell the direction, as in tables.
pub(super) fn named(name: &str) -> (Metric, Scale) {
    let header = Header::of(name);
    let (metric, scale) = metric(name, if header.has_unit() { &header.unit } else { "" });
    (Metric { better: metric.better.or_else(|| header.better()), ..metric }, scale)
}

/// A moment in UTC, from the seconds since 1970: `2024-05-01T12:00:00Z`. `None` if it is no date that anybody can mean.
pub(super) fn moment(seconds: f64) -> Option<String> {
    const DAY: i64 = 86_400;
    if !(0.0..253_402_300_800.0).contains(&seconds) {
        return None;
    }
    let seconds = seconds as i64;
    let (year, month, day) = date(seconds / DAY);
    let time = seconds % DAY;
    Some(format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", time / 3600, time / 60 % 60, time % 60))
}

/// The date that is this many days after 1970-01-01, counted from 0000-03-01: leap days are then the last of a year.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + later, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dates_in_utc() {
        for (seconds, wanted) in [
            (0.0, "1970-01-01T00:00:00Z"),
            (951_782_400.0, "2000-02-29T00:00:00Z"),
            (1_573_312_140.323, "2019-11-09T15:09:00Z"),
            (4_107_542_399.0, "2100-02-28T23:59:59Z"),
            (4_107_542_400.0, "2100-03-01T00:00:00Z"),
            (253_402_300_799.0, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(moment(seconds).as_deref(), Some(wanted));
        }
        assert!([-1.0, 1e12, f64::NAN, f64::INFINITY].iter().all(|&seconds| moment(seconds).is_none()));
    }

    #[test]
    fn a_unit_decides_the_metric_unless_the_file_states_the_direction() {
        for (unit, stated, name, better) in [
            ("ns/iter", None, "time", Some(Better::Lower)),
            ("iter/sec", None, "throughput", Some(Better::Higher)),
            ("MB/s", Some(Better::Higher), "transfer", Some(Better::Higher)),
            ("ms", Some(Better::Higher), "time, higher is better", Some(Better::Higher)),
            ("%", None, "value (%)", None),
            ("%", Some(Better::Lower), "value (%), lower is better", Some(Better::Lower)),
            ("", Some(Better::Higher), "value, higher is better", Some(Better::Higher)),
            ("count", None, "value (count)", None),
            ("allocs/op", None, "value (allocs/op)", Some(Better::Lower)),
        ] {
            let (metric, _) = described(unit, stated);
            assert_eq!((&*metric.name, metric.better), (name, better), "{unit}");
        }
    }
}
