//! The units of JMH: an operation per time, a time per operation, and those of profilers.

use super::prelude::*;

/// A metric and the scale of its values.
pub(super) struct Unit {
    pub(super) metric: Metric,
    pub(super) scale: Scale,
}

/// The metric of a mode, by its unit: `ops/us` is a throughput, `us/op` a time.
pub(super) fn primary(mode: &str, unit: &str) -> Option<Unit> {
    if let Some(time) = unit.strip_prefix("ops/") {
        let metric = Metric::new(mode, "1/s", Quantity::Throughput);
        return Some(Unit { metric, scale: inverse(seconds(time)?) });
    }
    // Before version 1.0 the time of a single shot is of no operation.
    let scale = seconds(unit.strip_suffix("/op").or_else(|| Some(unit).filter(|_| mode == "ss"))?)?;
    Some(Unit { metric: Metric::new(mode, "s", Quantity::Time), scale })
}

/// The name of a secondary metric as version 1.37 writes it. Earlier ones mark those of profilers with a dot, and put it
/// between a percentile and its method: `·gc.time`, `parse·p0.50`.
pub(super) fn name<'n>(benchmark: &str, stated: &'n str) -> Cow<'n, str> {
    let own = benchmark.rsplit('.').next().unwrap_or_default();
    match stated.split_once('·') {
        Some((method, rest)) if method.is_empty() || method == own => Cow::Borrowed(rest),
        Some((method, rest)) => Cow::Owned(format!("{method}:{rest}")),
        None => Cow::Borrowed(stated),
    }
}

/// The metric of a profiler or of a counter of the user. A rate has no better direction: a faster program allocates
/// more in a second.
#[expect(clippy::unnecessary_wraps, reason = "the signature that primary has")]
pub(super) fn secondary(name: &str, unit: &str) -> Option<Unit> {
    if let Some(time) = unit.strip_prefix("ops/").and_then(seconds) {
        let metric = Metric { better: None, ..Metric::new(name, "1/s", Quantity::Throughput).secondary() };
        return Some(Unit { metric, scale: inverse(time) });
    }
    if let Some(scale) = unit.strip_suffix("/op").and_then(seconds) {
        return Some(Unit { metric: Metric::new(name, "s", Quantity::Time).secondary(), scale });
    }
    if matches!(unit, "counts" | "#/op") {
        let metric = Metric::new(name, "1", Quantity::Count).secondary().never_exact();
        return Some(Unit { metric, scale: Scale::Times(1.0) });
    }
    let known = meaning(match unit {
        // JMH's profilers count units of 1,024.
        "MB/sec" if name.starts_with("gc.") => "MiB/s",
        "KB" if name.starts_with("mempool.") => "KiB",
        stated => stated,
    });
    let metric = Metric::new(name, &known.base, known.quantity).secondary().never_exact();
    let better = metric.better.filter(|_| known.quantity != Quantity::Throughput);
    Some(Unit { metric: Metric { better, ..metric }, scale: known.scale })
}

/// The scale from one of JMH's times to seconds.
fn seconds(unit: &str) -> Option<Scale> {
    Some(match unit {
        "ns" => Scale::Over(1e9),
        "us" => Scale::Over(1e6),
        "ms" => Scale::Over(1e3),
        // kotlinx-benchmark writes the latter.
        "s" | "sec" => Scale::Times(1.0),
        "min" => Scale::Times(60.0),
        "hr" => Scale::Times(3600.0),
        "day" => Scale::Times(86_400.0),
        _ => return None,
    })
}

fn inverse(scale: Scale) -> Scale {
    match scale {
        Scale::Times(factor) => Scale::Over(factor),
        Scale::Over(factor) => Scale::Times(factor),
    }
}
