//! What trackers of results have in common: values whose unit is a text of the user.

use super::tables::headers::Header;
use super::units::{self, Meaning, Scale};
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
    let Meaning { base, quantity, scale } = units::meaning(unit);
    let metric = Metric::new(name, &base, quantity).never_exact();
    let better = if matches!(unit, "1" | "count" | "counts") { None } else { metric.better };
    (Metric { better, ..metric }, scale)
}

/// The metric of a name that may end in its unit, such as `p99_latency_ms`, and how its values become base units. Without a
/// unit, words such as `latency` and `throughput` tell the direction, as in tables.
pub(super) fn named(name: &str) -> (Metric, Scale) {
    let header = Header::of(name);
    let (metric, scale) = metric(name, if header.has_unit() { &header.unit } else { "" });
    let of_unit = metric.better.filter(|_| !header.is_contrary(metric.quantity));
    (Metric { better: of_unit.or_else(|| header.better()), ..metric }, scale)
}

#[cfg(test)]
mod tests {
    use super::*;

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
