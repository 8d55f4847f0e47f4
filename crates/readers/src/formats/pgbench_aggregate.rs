//! The log of pgbench with sums over intervals, from which means and deviations follow.

use super::load_run::summary;
use super::pgbench_log::{TIMES, has_lines, not_such, whole};
use super::prelude::*;
use crate::text::fields;

pub static FORMAT: Format = Format {
    name: "pgbench-aggregate",
    sign: "lines such as `1649114136 5815 27552565 177846919143 1078 21716`: start, number, sum, sum of squares, least, most",
    harness: "pgbench",
    export: "pgbench --log --aggregate-interval=SECONDS",
    files: &["pgbench_log.*"],
    metrics: &[
        Meaning::of("latency-mean", "time of a transaction, the mean over an interval"),
        Meaning::of("latency-min", "shortest time of a transaction in an interval"),
        Meaning::of("latency-max", "longest time of a transaction in an interval"),
        Meaning::of("transactions", "number of transactions in an interval"),
        Meaning::of("errors", "transactions that failed in an interval"),
        Meaning::of("skipped", "transactions not started in an interval"),
    ],
    fits: |head| has_lines(head, |line| Interval::of(line).is_some()),
    read: Read::Sheet(read),
    ..Format::SUMMARY
};

/// A line of the log with sums; times are in microseconds.
struct Interval {
    count: f64,
    sum: f64,
    squares: f64,
    least: f64,
    most: f64,
    errors: Option<f64>,
    skipped: Option<f64>,
}

impl Interval {
    /// A line has 6 numbers; 10 with a rate, 11 with a limit of latency; 15 since version 15, 16 since version 19.
    fn of(line: &[u8]) -> Option<Self> {
        let numbers: Option<Vec<u64>> = fields(line).map(whole).collect();
        let numbers = numbers?;
        let start = *numbers.first().filter(|start| TIMES.contains(start))?;
        let at = |place: usize| numbers.get(place).map(|&number| number as f64);
        let (errors, all) = match numbers.len() {
            6 | 10 => (None, at(1)?),
            // Before version 15 the number includes what was skipped.
            11 => (None, at(1)? - at(10)?),
            15 => (Some(at(13)? + at(14)?), at(1)?),
            16 => (Some(at(13)? + at(14)? + at(15)?), at(1)?),
            _ => return None,
        };
        let one = Self {
            count: all,
            sum: at(2)?,
            squares: at(3)?,
            least: at(4)?,
            most: at(5)?,
            errors,
            skipped: at(10),
        };
        (start > 0 && one.is_sound()).then_some(one)
    }

    /// Sums lie between what the least and the most allow; the sum of squares is at least that of equal values. Each
    /// number was rounded on its own.
    fn is_sound(&self) -> bool {
        let Self { count: n, sum, squares, least, most, .. } = *self;
        let near = |a: f64, b: f64| a <= b * (1.0 + 1e-9) + n + 1.0;
        if n <= 0.0 {
            return n == 0.0 && sum == 0.0 && squares == 0.0;
        }
        least <= most
            && near(n * least, sum)
            && near(sum, n * most)
            && sum * sum <= squares * n * (1.0 + 1e-6) + n * n
            && near(squares, sum * (most + 1.0))
    }

    /// The standard deviation of the times.
    fn deviation(&self) -> Option<f64> {
        let rest = (self.squares - self.sum * self.sum / self.count).max(0.0);
        (self.count > 1.0).then(|| (rest / (self.count - 1.0)).sqrt() / 1e6)
    }
}

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let mut intervals = Vec::new();
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        match Interval::of(text) {
            Some(interval) => intervals.push((line, interval)),
            None if text.trim_ascii().is_empty() => {}
            None => not_such(sheet, text, line),
        }
    }
    // Without --failures-detailed pgbench writes zeros, whatever failed.
    let counts_errors = intervals.iter().any(|(_, one)| one.errors.is_some_and(|errors| errors > 0.0));
    for (line, mut interval) in intervals {
        let unknown = interval.errors.take_if(|_| !counts_errors);
        sheet.dropped(usize::from(unknown.is_some()));
        push(sheet, &interval, line);
    }
    load_metrics::choose(sheet);
    sheet.count(&content.budget)
}

fn push(sheet: &mut Sheet, interval: &Interval, line: u32) {
    let count = Some(interval.count);
    let none = Aggregate { count, deviation: None };
    let mean = Aggregate { count, deviation: interval.deviation() };
    let times = [
        ("latency-mean", interval.sum / interval.count, mean),
        ("latency-min", interval.least, none),
        ("latency-max", interval.most, none),
    ];
    let counts =
        [("transactions", Some(interval.count)), ("errors", interval.errors), ("skipped", interval.skipped)];
    let times = times.into_iter().map(|(name, value, summary)| (name, "s", value / 1e6, summary));
    let counts =
        counts.into_iter().filter_map(|(name, value)| Some((name, "1", value?, Aggregate::default())));
    for (name, unit, value, aggregate) in times.chain(counts) {
        if unit == "s" && interval.count == 0.0 {
            sheet.dropped(1);
            continue;
        }
        let row = Measurement { benchmark: "transactions", line, process: Some(0), ..ROW };
        let aggregate = Some(summary(aggregate));
        load_metrics::push(sheet, Measurement { aggregate, ..row }, name, value);
    }
}
