//! What the formats of telemetry have in common: readings that come repeatedly, distributions without samples, labels.

use super::prelude::*;
use super::units::Meaning;

/// The benchmark where the file names none.
pub(super) const BENCHMARK: &str = "metrics";

/// Values that were read at one time with the same labels.
pub(super) struct Point {
    pub(super) benchmark: String,
    pub(super) context: Context,
    /// The labels of the values: different work.
    pub(super) labels: Context,
    pub(super) process: u32,
    pub(super) line: u32,
    /// Metric, value, and what is known about the samples of a summary.
    pub(super) values: Vec<(u32, f64, Option<Aggregate>)>,
}

/// The points of a file, in their order.
#[derive(Default)]
pub(super) struct Points {
    points: Vec<Point>,
    /// The place of the last point of each series that counts from its start.
    last: HashMap<String, usize>,
}

impl Points {
    /// Adds a reading of its own.
    pub(super) fn add(&mut self, point: Point) {
        self.points.push(point);
    }

    /// Adds a point of a series that counts from its start: it contains the points before it, which it replaces.
    pub(super) fn add_cumulative(&mut self, sheet: &mut Sheet, series: String, point: Point) {
        if let Some(&place) = self.last.get(&series) {
            sheet.dropped(self.points[place].values.len());
            self.points[place] = point;
        } else {
            self.last.insert(series, self.points.len());
            self.points.push(point);
        }
    }

    /// Fills the sheet.
    pub(super) fn fill(self, sheet: &mut Sheet) {
        for point in self.points {
            let mut context = point.context;
            for (name, value) in point.labels {
                parameters::add(sheet, &mut context, &name, value);
            }
            sheet.set_context(&context);
            for (metric, value, aggregate) in point.values {
                let (benchmark, line, process) = (&*point.benchmark, point.line, Some(point.process));
                sheet.push(Measurement { benchmark, metric, value, line, process, aggregate, ..ROW });
            }
        }
    }
}

/// The metric of a reading. Nobody knows which direction of it is better, and it may be negative.
pub(super) fn reading(sheet: &mut Sheet, name: &str, unit: &Meaning, primary: bool) -> u32 {
    sheet.metric_of(Metric { primary, ..Metric::new(name, &unit.base, Quantity::Other) })
}

/// The metric of a statistic of a distribution, such as `mean` or `p99`. Of times less is better.
pub(super) fn statistic(
    sheet: &mut Sheet,
    name: &str,
    statistic: &str,
    unit: &Meaning,
    primary: bool,
) -> u32 {
    let quantity = if unit.quantity == Quantity::Time { Quantity::Time } else { Quantity::Other };
    let name = format!("{name}-{statistic}");
    sheet.metric_of(Metric {
        primary: primary && matches!(statistic, "mean" | "p50" | "p99"),
        ..Metric::new(&name, &unit.base, quantity)
    })
}

/// The word for a quantile: `p50`, `p99.9`, `min`, `max`. `None` if it is none.
pub(super) fn quantile(level: f64) -> Option<String> {
    if !(0.0..=1.0).contains(&level) {
        return None;
    }
    // 0.999 * 100 is not 99.9.
    let percent = (level * 1e11).round() / 1e9;
    Some(match percent {
        0.0 => "min".to_owned(),
        100.0 => "max".to_owned(),
        percent => format!("p{percent}"),
    })
}

/// The unit as UCUM writes it, which OpenTelemetry uses: `ms`, `By`, `MiBy/s`. What stands in braces is a remark.
pub(super) fn ucum(unit: &str) -> Meaning {
    let bare: String = unit
        .split('{')
        .enumerate()
        .map(|(nth, part)| if nth == 0 { part } else { after_brace(part) })
        .collect();
    let (what, per) = bare.split_once('/').map_or((&*bare, None), |(what, per)| (what, Some(per)));
    let what = what.strip_suffix("By").map_or_else(|| in_letters(what), |prefix| format!("{prefix}B"));
    let known = match per {
        None if ["s", "ms", "us", "ns", "min", "h"].contains(&&*what) || what.ends_with('B') => what,
        Some(per) if in_letters(per) == "s" && what.ends_with('B') => format!("{what}/s"),
        None | Some(_) => return unknown(unit),
    };
    let meaning = meaning(&known);
    if meaning.quantity == Quantity::Other { unknown(unit) } else { meaning }
}

/// The letters of a unit that is a word, which instruments have against the advice of UCUM: `ms` for `Milliseconds`.
fn in_letters(unit: &str) -> String {
    let word = unit.to_lowercase();
    let letters = match word.strip_suffix('s').filter(|one| one.len() > 2).unwrap_or(&word) {
        "second" | "sec" => "s",
        "millisecond" | "milli" | "msec" => "ms",
        "microsecond" | "micro" | "usec" => "us",
        "nanosecond" | "nano" | "nsec" => "ns",
        "minute" => "min",
        "hour" => "h",
        "byte" => "B",
        // The micro sign and the Greek letter are two characters.
        _ if matches!(unit, "\u{B5}s" | "\u{3BC}s") => "us",
        _ => unit,
    };
    letters.to_owned()
}

fn after_brace(part: &str) -> &str {
    part.split_once('}').map_or("", |(_, rest)| rest)
}

/// A unit that keeps its name.
pub(super) fn unknown(unit: &str) -> Meaning {
    let base = unit.replace(['{', '}'], "");
    Meaning { base, quantity: Quantity::Other, scale: Scale::Times(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_have_the_words_of_percentiles() {
        for (level, wanted) in [
            (0.5, Some("p50")),
            (0.999, Some("p99.9")),
            (0.99999, Some("p99.999")),
            (0.29, Some("p29")),
            (0.0, Some("min")),
            (1.0, Some("max")),
            (1.5, None),
            (f64::NAN, None),
        ] {
            assert_eq!(quantile(level).as_deref(), wanted);
        }
    }

    #[test]
    fn units_of_ucum_become_base_units() {
        for (unit, value, base, wanted) in [
            ("ms", 2.0, "s", 0.002),
            ("By", 2.0, "B", 2.0),
            ("MiBy", 2.0, "B", 2_097_152.0),
            ("kBy/s", 2.0, "B/s", 2000.0),
            ("{request}", 2.0, "request", 2.0),
            ("{request}/s", 2.0, "request/s", 2.0),
            ("1", 2.0, "1", 2.0),
            ("%", 2.0, "%", 2.0),
            ("milliseconds", 2.0, "s", 0.002),
            ("Second", 2.0, "s", 2.0),
            ("\u{B5}s", 2.0, "s", 2e-6),
            ("\u{3BC}s", 2.0, "s", 2e-6),
            ("minutes", 2.0, "s", 120.0),
            ("Bytes", 2.0, "B", 2.0),
            ("bytes/second", 2.0, "B/s", 2.0),
            ("MS", 2.0, "MS", 2.0),
            ("m", 2.0, "m", 2.0),
            ("", 2.0, "", 2.0),
        ] {
            let meaning = ucum(unit);
            assert_eq!((&*meaning.base, meaning.scale.apply(value)), (base, wanted), "{unit}");
        }
    }
}
