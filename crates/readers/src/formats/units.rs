//! Units as people write them, converted to base units.

use crate::metric::{Better, Metric, Quantity};
use crate::word_list::words;

/// How to convert a number from a unit to its base unit, in one operation that rounds once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Scale {
    /// Multiply.
    Times(f64),
    /// Divide: a thousandth is not exact in binary, a thousand is.
    Over(f64),
}

impl Scale {
    pub(crate) fn apply(self, value: f64) -> f64 {
        match self {
            Self::Times(factor) => value * factor,
            Self::Over(factor) => value / factor,
        }
    }
}

/// The meaning of a unit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Meaning {
    pub(crate) base: String,
    pub(crate) quantity: Quantity,
    pub(crate) scale: Scale,
}

/// Returns the meaning of a unit. An unknown unit keeps its name and has no known properties: neither `m` nor
/// `b` nor a missing unit can be guessed.
pub(crate) fn meaning(unit: &str) -> Meaning {
    let (base, quantity, scale) = known(unit).unwrap_or((unit, Quantity::Other, Scale::Times(1.0)));
    Meaning { base: base.to_owned(), quantity, scale }
}

/// Whether a unit has a meaning.
pub(crate) fn is_known(unit: &str) -> bool {
    known(unit).is_some()
}

fn known(unit: &str) -> Known<'_> {
    time(unit).or_else(|| bytes(unit)).or_else(|| throughput(unit)).or_else(|| count(unit))
}

/// The better direction of a metric with this unit, judged by the unit alone.
pub(crate) fn better(unit: &str) -> Option<Better> {
    let meaning = meaning(unit);
    Metric::new("", &meaning.base, meaning.quantity).better
}

type Known<'a> = Option<(&'a str, Quantity, Scale)>;

/// The unit of what one piece of work takes: `ns` of `ns/iter`.
fn of_one<'a>(unit: &'a str, work: &[&str]) -> &'a str {
    unit.split_once('/').filter(|(_, what)| work.contains(what)).map_or(unit, |(unit, _)| unit)
}

fn time(unit: &str) -> Known<'_> {
    let word = of_one(unit, &COUNTED);
    let lower = word.to_lowercase();
    // Words are words in any case; `MS` or `PS` can be something else.
    let scale = match if word.len() > 2 { &lower } else { word } {
        "s" | "sec" | "secs" | "second" | "seconds" => Scale::Times(1.0),
        "ms" | "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" => Scale::Over(1e3),
        // The micro sign and the Greek letter are two characters.
        "us" | "\u{B5}s" | "\u{3BC}s" | "usec" | "usecs" | "micros" | "microsecond" | "microseconds" => {
            Scale::Over(1e6)
        }
        "ns" | "nsec" | "nsecs" | "nanos" | "nanosecond" | "nanoseconds" => Scale::Over(1e9),
        "ps" | "psec" | "picosecond" | "picoseconds" => Scale::Over(1e12),
        "min" | "mins" | "minute" | "minutes" => Scale::Times(60.0),
        "h" | "hr" | "hrs" | "hour" | "hours" => Scale::Times(3600.0),
        _ => return None,
    };
    Some(("s", Quantity::Time, scale))
}

fn size(unit: &str) -> Option<f64> {
    Some(match unit {
        "B" | "byte" | "bytes" => 1.0,
        "kB" | "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "TB" => 1e12,
        "KiB" => 1024.0,
        "MiB" => 1_048_576.0,
        "GiB" => 1_073_741_824.0,
        "TiB" => 1_099_511_627_776.0,
        _ => return None,
    })
}

fn bytes(unit: &str) -> Known<'_> {
    let factor = size(of_one(unit, &["op", "iter", "iteration"]))?;
    Some(("B", Quantity::Bytes, Scale::Times(factor)))
}

fn throughput(unit: &str) -> Known<'_> {
    let (base, times) = rate(unit).or_else(|| is_in_small_letters(unit).then_some((unit, 1.0)))?;
    Some((base, Quantity::Throughput, Scale::Times(times)))
}

/// Whether a rate is in small letters that do not tell bits from bytes or thousandths from millions, so that it keeps its
/// name: `kb/s`, `mbps`, `mops/s`.
fn is_in_small_letters(unit: &str) -> bool {
    let found = unit.split_once('/').or_else(|| Some((unit.strip_suffix("ps")?, "s")));
    found.is_some_and(|(what, per)| {
        let of_millions = what.strip_prefix('m').is_some_and(|what| what.len() > 1 && is_counted(what));
        (of_millions || matches!(what, "kb" | "mb" | "gb" | "tb")) && times_a_second(per).is_some()
    })
}

/// What is done or moved per time, where more is better, with the factor to a second; `None` if unknown: fewer
/// errors per second are better.
pub(super) fn rate(unit: &str) -> Option<(&'static str, f64)> {
    // `FLOPs` are rather operations than operations per second.
    let is_amount = unit.ends_with("FLOPs");
    if let Some(times) = prefixed(unit, &|word| SHORT_RATES.contains(&word)).filter(|_| !is_amount) {
        return Some(("1/s", times));
    }
    let Some((what, per)) = unit.split_once('/') else {
        return Some(("B/s", size(unit.strip_suffix("ps")?).or_else(|| bits(unit.strip_suffix("ps")?))?));
    };
    let times = times_a_second(per)?;
    if let Some(factor) = size(what).or_else(|| bits(what).filter(|_| what != "kb")) {
        return Some(("B/s", factor * times));
    }
    prefixed(what, &is_counted).map(|factor| ("1/s", factor * times))
}

/// How often this time is in a second.
fn times_a_second(per: &str) -> Option<f64> {
    Some(match per {
        "s" | "S" | "sec" | "secs" | "second" | "seconds" | "Sec" | "SEC" | "Second" => 1.0,
        "ms" => 1e3,
        "us" | "\u{B5}s" | "\u{3BC}s" => 1e6,
        "ns" => 1e9,
        "min" | "minute" => 1.0 / 60.0,
        "h" | "hour" => 1.0 / 3600.0,
        _ => return None,
    })
}

/// Whether a word in lower case names things of which more a second is better, as singular or plural: `op` and `ops`,
/// `entry` and `entries`, `query` and `queries`.
fn is_counted(word: &str) -> bool {
    let one = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let one = one.as_deref().or_else(|| word.strip_suffix('s')).unwrap_or(word);
    [one, word].iter().any(|word| COUNTED.contains(word))
}

/// The factor of a word that `fits`, in any case, also after a prefix such as `k` or `G`.
fn prefixed(word: &str, fits: &dyn Fn(&str) -> bool) -> Option<f64> {
    if fits(&word.to_ascii_lowercase()) {
        return Some(1.0);
    }
    let factor = match word.as_bytes().first()? {
        b'k' | b'K' => 1e3,
        b'M' => 1e6,
        b'G' => 1e9,
        b'T' => 1e12,
        _ => return None,
    };
    let rest = &word[1..];
    (rest.len() > 1 && fits(&rest.to_ascii_lowercase())).then_some(factor)
}

/// The bytes of a number of bits.
fn bits(unit: &str) -> Option<f64> {
    Some(
        match unit
            .strip_suffix("bits")
            .or_else(|| unit.strip_suffix("bit"))
            .or_else(|| unit.strip_suffix('b'))?
        {
            "" => 0.125,
            "k" | "K" => 125.0,
            "M" => 125e3,
            "G" => 125e6,
            "T" => 125e9,
            _ => return None,
        },
    )
}

/// Rates written as a single word.
const SHORT_RATES: [&str; 8] = ["qps", "rps", "tps", "iops", "fps", "pps", "flops", "ips"];

/// Things counted per second of which more is better.
const COUNTED: [&str; 71] = words!(
    "1 block call cmd command commit conn connection delete doc document edge elem element entry event exec \
     execution file flop flops frame gas get hash hashes image img inference insert invocation it item iter \
     iteration job key line lookup message msg node object op operation packet page pixel point put query \
     read record req request row rpc sample scan step symbol task test tok token transaction tx txn update \
     word write"
);

fn count(unit: &str) -> Known<'_> {
    let base = match unit {
        "1" | "count" | "counts" | "allocs" | "allocs/op" => "1",
        // The unit of what is counted is more informative than `1`.
        "words" | "cycles" | "instructions" => unit,
        _ => return None,
    };
    Some((base, Quantity::Count, Scale::Times(1.0)))
}

/// Splits a header such as `time [ms]` or `time (ms)` into the name and the unit.
pub(super) fn split_header(header: &str) -> (&str, &str) {
    let trimmed = header.trim_end();
    let opening = match trimmed.as_bytes().last() {
        Some(b']') => '[',
        Some(b')') => '(',
        _ => return (header, ""),
    };
    match trimmed[..trimmed.len() - 1].rsplit_once(opening) {
        Some((name, unit)) if !name.trim().is_empty() => (name.trim(), unit.trim()),
        _ => (header, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_become_base_units_in_one_rounding() {
        for (unit, value, base, want) in [
            ("ns", 123.0, "s", 123e-9),
            ("µs", 3.0, "s", 3e-6),
            ("Seconds", 3.0, "s", 3.0),
            ("MSEC", 3.0, "s", 3e-3),
            ("MS", 3.0, "MS", 3.0),
            ("OPS/S", 3.0, "1/s", 3.0),
            ("tok/s", 3.0, "1/s", 3.0),
            ("μs", 3.0, "s", 3e-6),
            ("ms", 0.1, "s", 0.0001),
            ("ms/op", 7.0, "s", 0.007),
            ("min", 2.0, "s", 120.0),
            ("KiB", 2.0, "B", 2048.0),
            ("kB", 2.0, "B", 2000.0),
            ("MB/s", 1.5, "B/s", 1.5e6),
            ("ops/ms", 2.0, "1/s", 2000.0),
            ("qps", 2.0, "1/s", 2.0),
            ("TPS", 2.0, "1/s", 2.0),
            ("Req/s", 2.0, "1/s", 2.0),
            ("queries/sec", 2.0, "1/s", 2.0),
            ("ns/iter", 2.0, "s", 2e-9),
            ("GFLOPs", 2.0, "GFLOPs", 2.0),
            ("GFLOPS", 2.0, "1/s", 2e9),
            ("Mops/s", 2.0, "1/s", 2e6),
            ("krps", 2.0, "1/s", 2e3),
            ("MBps", 2.0, "B/s", 2e6),
            ("Mb/s", 8.0, "B/s", 1e6),
            ("kb/s", 2.0, "kb/s", 2.0),
            ("mbps", 2.0, "mbps", 2.0),
            ("mgas/s", 2.0, "mgas/s", 2.0),
            ("Mgas/s", 2.0, "1/s", 2e6),
            ("Mbit/s", 8.0, "B/s", 1e6),
            ("errors/s", 2.0, "errors/s", 2.0),
            ("cache-misses/s", 2.0, "cache-misses/s", 2.0),
            ("1/s", 2.0, "1/s", 2.0),
            ("count", 2.0, "1", 2.0),
            ("words", 2.0, "words", 2.0),
            ("furlongs", 2.0, "furlongs", 2.0),
            ("", -2.0, "", -2.0),
        ] {
            let meaning = meaning(unit);
            assert_eq!((meaning.base.as_str(), meaning.scale.apply(value)), (base, want), "{unit}");
        }
    }

    #[test]
    fn base_units_mean_themselves() {
        for unit in ["s", "B", "B/s", "1/s", "1", "words", "cycles", ""] {
            let first = meaning(unit);
            assert_eq!(first.base, unit);
            assert_eq!(first.scale, Scale::Times(1.0));
        }
    }

    #[test]
    fn more_is_better_of_what_is_done_in_a_time_and_nobody_knows_of_the_rest() {
        for unit in words!(
            "qps rps tps iops req/s reqs/s ops/s op/s requests/s request/sec items/s tx/s txs/s txn/s \
             transactions/s entries/s messages/ms hashes/s MB/s B/s KiB/s 1/s FLOPS GFLOP/s kops/s Gbps kb/s \
             mgas/s requests/min"
        ) {
            assert_eq!(better(unit), Some(Better::Higher), "{unit}");
        }
        for unit in
            ["errors/s", "faults/s", "misses/s", "timeouts/s", "m/s", "J/s", "/s", "s/s", "y/s", "widgets"]
        {
            assert_eq!(better(unit), None, "{unit}");
        }
    }

    #[test]
    fn a_unit_in_brackets_leaves_the_name() {
        assert_eq!(split_header("time [ms]"), ("time", "ms"));
        assert_eq!(split_header("wall time (µs) "), ("wall time", "µs"));
        assert_eq!(split_header("f(x) [s]"), ("f(x)", "s"));
        assert_eq!(split_header("[ms]"), ("[ms]", ""));
        assert_eq!(split_header("time"), ("time", ""));
    }
}
