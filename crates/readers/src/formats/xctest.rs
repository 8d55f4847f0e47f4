//! What `XCTest` prints of blocks that it measures: a line for each test and metric, with the value of each iteration.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "xctest",
    sign: "lines such as `Test Case '-[SUITE TEST]' measured [Time, seconds] average: 0.214, …, values: [0.231, …], …`",
    harness: "XCTest",
    export: "standard output of xcodebuild test or swift test",
    processes: Processes::OneAFile,
    states_direction: true,
    own_labels: &["Test Case '", "Test Suite '"],
    printed_by: &["swift", "xcodebuild"],
    metrics: &[
        Meaning::of("Time", "time of an iteration of the block"),
        Meaning::of("Clock Monotonic Time", "time of an iteration of the block"),
        Meaning::of("CPU Time", "time of the processors in an iteration"),
        Meaning::of("CPU Cycles", "cycles of an iteration"),
        Meaning::of("CPU Instructions Retired", "instructions of an iteration"),
        Meaning::of("Memory Peak Physical", "largest physical memory in an iteration"),
        Meaning::of(
            "Memory Physical",
            "growth of the physical memory in an iteration, which can be negative",
        ),
        Meaning::of("Disk Logical Writes", "bytes that an iteration wrote"),
    ],
    parts: names::method,
    words: &["' measured ["],
    fits: |head| {
        head.has_line(|line| Measured::of(line).is_some_and(|measured| measured.rest.contains(VALUES)))
    },
    read: Read::Bytes(read),
    ..Format::PLAIN
};

/// What stands before the values of a line.
const VALUES: &str = ", values: [";

/// The first lines of a process with tests.
const BEGIN: [&str; 2] = ["Test Suite 'All tests' started ", "Test Suite 'Selected tests' started "];

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if BEGIN.iter().any(|begin| text.trim_start().starts_with(begin)) {
            sheet.next_run();
        } else if let Some(measured) = Measured::of(text) {
            measured.read(sheet, line);
        }
    }
}

/// A line with values.
struct Measured<'a> {
    /// The test: `-[Module.Suite test]`, on Linux `Suite.test`.
    test: &'a str,
    metric: &'a str,
    unit: &'a str,
    /// What stands behind the metric.
    rest: &'a str,
}

impl<'a> Measured<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let (before, after) = text.split_once("' measured [")?;
        let (_, test) = before.rsplit_once("Test Case '")?;
        let (what, rest) = after.split_once("] average: ")?;
        let (metric, unit) = what.rsplit_once(", ")?;
        Some(Self { test, metric, unit, rest })
    }

    /// The name of the test with dots: `Module.Suite.test`.
    fn benchmark(&self) -> Cow<'a, str> {
        let inside = self.test.strip_prefix("-[").and_then(|test| test.strip_suffix(']'));
        match inside.and_then(|test| test.rsplit_once(' ')) {
            Some((suite, test)) => Cow::Owned(format!("{suite}.{test}")),
            None => Cow::Borrowed(self.test),
        }
    }

    fn read(&self, sheet: &mut Sheet, line: u32) {
        let benchmark = self.benchmark();
        let values = self.rest.split_once(VALUES).and_then(|(_, rest)| rest.split_once(']'));
        let Some((values, rest)) = values.filter(|(values, _)| !values.trim().is_empty()) else {
            return sheet.lacks(line, &*benchmark, &format!("values of {}", excerpt(self.metric)));
        };
        let (metric, unit) = self.described(rest);
        let metric = sheet.metric_of(metric);
        for digits in values.split(',').map(str::trim) {
            let Some(value) = sheet.number(digits.as_bytes(), line).map(|value| unit.apply(digits, value))
            else {
                sheet.no_number(line, "a value", &*benchmark, digits);
                continue;
            };
            let row = Measurement { benchmark: &benchmark, metric, value, line, ..ROW };
            sheet.push(Measurement { process: Some(0), ..row });
        }
    }

    /// The metric, and the unit of its values. What stands behind the values may say which direction is better.
    fn described(&self, rest: &str) -> (Metric, Unit) {
        let (base, quantity, unit) = match self.unit {
            "kB" => ("B".to_owned(), Quantity::Bytes, Unit::Thousands),
            "kI" => ("instructions".to_owned(), Quantity::Count, Unit::Thousands),
            "kC" => ("cycles".to_owned(), Quantity::Count, Unit::Thousands),
            // The older metrics of memory count units of 1,024.
            "KB" => ("B".to_owned(), Quantity::Bytes, Unit::Scaled(Scale::Times(1024.0))),
            stated => {
                let known = meaning(stated);
                (known.base, known.quantity, Unit::Scaled(known.scale))
            }
        };
        let plain = Metric::new(self.metric, &base, quantity);
        let polarity = rest.rsplit_once(", polarity: ").map(|(_, polarity)| polarity);
        let better = match polarity {
            None => plain.better,
            Some(polarity) if polarity.starts_with("prefers smaller") => Some(Better::Lower),
            Some(polarity) if polarity.starts_with("prefers larger") => Some(Better::Higher),
            Some(_) => None,
        };
        // It is the memory after an iteration without that before it: less than nothing if memory was freed.
        let is_change = self.metric == "Memory Physical" || self.metric.starts_with("Memory Physical (");
        let quantity = if is_change { Quantity::Other } else { quantity };
        let metric = Metric { quantity, better, ..plain }.never_exact();
        (if quantity == Quantity::Time { metric } else { metric.secondary() }, unit)
    }
}

/// How values become those of the base unit.
enum Unit {
    /// By a factor.
    Scaled(Scale),
    /// Times a thousand. Values have six decimals, of which three are left: they are read exactly.
    Thousands,
}

impl Unit {
    fn apply(&self, digits: &str, value: f64) -> f64 {
        match self {
            Self::Scaled(scale) => scale.apply(value),
            Self::Thousands => number(format!("{digits}e3")).unwrap_or(value * 1e3),
        }
    }
}
