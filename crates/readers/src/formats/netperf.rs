//! What netperf prints: the rate of a test, as a table or, with `-- -o`, as CSV.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "netperf",
    sign: "a line such as `MIGRATED TCP STREAM TEST from … to …`",
    harness: "netperf",
    export: "standard output, best with -- -o throughput,throughput_units,…",
    keys: &[&[
        Key::work("message_size", "bytes of a message"),
        Key::work("request_size", "bytes of a request"),
        Key::work("response_size", "bytes of a response"),
    ]],
    metrics: &[
        Meaning::of("transfer", "bytes per second; of UDP those that were received"),
        Meaning::of("transfer-sent", "bytes per second that were sent by UDP"),
        Meaning::of("throughput", "transactions per second"),
        Meaning::of("latency-mean", "mean latency"),
        Meaning::of("latency-min", "shortest latency"),
        Meaning::of("latency-p50", "latency that 50 % of the operations do not exceed"),
        Meaning::of("latency-p90", "latency that 90 % of the operations do not exceed"),
        Meaning::of("latency-p99", "latency that 99 % of the operations do not exceed"),
        Meaning::of("latency-max", "longest latency"),
    ],
    words: &[" TEST from "],
    fits: |head| head.has_line(|line| test(line).is_some()),
    read: Read::Bytes(read),
    own_labels: &["*TEST from "],
    printed_by: &["netperf"],
    ..Format::SUMMARY
};

/// The columns of `-- -o` that are read.
const LATENCIES: [(&str, &str); 6] = [
    ("Mean Latency Microseconds", "latency-mean"),
    ("Minimum Latency Microseconds", "latency-min"),
    ("50th Percentile Latency Microseconds", "latency-p50"),
    ("90th Percentile Latency Microseconds", "latency-p90"),
    ("99th Percentile Latency Microseconds", "latency-p99"),
    ("Maximum Latency Microseconds", "latency-max"),
];

/// The units that netperf writes, with those of the values. Its prefixes of bytes are powers of 1024.
const UNITS: [(&str, &str, &str); 9] = [
    ("10^3bits/s", "transfer", "kbit/s"),
    ("10^6bits/s", "transfer", "Mbit/s"),
    ("10^9bits/s", "transfer", "Gbit/s"),
    ("Bytes/s", "transfer", "B/s"),
    ("KBytes/s", "transfer", "KiB/s"),
    ("MBytes/s", "transfer", "MiB/s"),
    ("GBytes/s", "transfer", "GiB/s"),
    ("Trans/s", "throughput", "transactions/s"),
    ("per sec", "throughput", "transactions/s"),
];

/// The test of the line with which an output begins.
fn test(line: &str) -> Option<&str> {
    let (test, rest) = line.split_once(" TEST from ")?;
    let test = test.strip_prefix("MIGRATED ").unwrap_or(test);
    let is_test = test.bytes().all(|byte| byte.is_ascii_uppercase() || b" /_6".contains(&byte))
        || test.starts_with("OMNI");
    ((rest.contains(" to ")
        || rest.ends_with(" to")
        || rest.ends_with(" AF_INET")
        || rest.ends_with(" AF_INET6"))
        && is_test
        && !test.is_empty())
    .then_some(test)
}

/// The metric and the unit that a text ends in.
fn unit_of(text: &str) -> Option<(&'static str, &'static str)> {
    let text = text.trim_end();
    let text = text.strip_suffix("ec").filter(|text| text.ends_with("/s")).unwrap_or(text);
    let last = text.rsplit("  ").next().unwrap_or(text).trim();
    let word = if last.ends_with("per sec") { "per sec" } else { last.rsplit(' ').next().unwrap_or(last) };
    let is_in = |unit: &str| {
        word == unit
            || text.ends_with("us/KB") && text.split(' ').any(|word| word.trim_end_matches("ec") == unit)
    };
    UNITS.iter().find(|(unit, ..)| is_in(unit)).map(|&(_, metric, unit)| (metric, unit))
}

/// An output as far as it was read.
#[derive(Default)]
struct Output<'a> {
    test: &'a str,
    /// The metric and the unit of the last column of the table.
    unit: Option<(&'static str, &'static str)>,
    /// The columns of a CSV.
    columns: Vec<&'a str>,
    /// How many rows of numbers there were.
    rows: usize,
    process: u32,
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut output = Output::default();
    for (line, text) in lines::numbered(bytes) {
        if let Some(test) = test(text.trim()) {
            output = Output {
                test,
                process: output.process + u32::from(!output.test.is_empty()),
                ..Output::default()
            };
        } else if !output.test.is_empty() {
            output.line(sheet, text, line);
        }
    }
    load_metrics::choose(sheet);
}

impl<'a> Output<'a> {
    fn line(&mut self, sheet: &mut Sheet, text: &'a str, line: u32) {
        if !self.columns.is_empty() {
            let cells: Vec<&str> = text.split(',').map(str::trim).collect();
            if cells.len() == self.columns.len() {
                self.csv(sheet, &cells, line);
            } else if !text.trim().is_empty() {
                sheet.wrong_width(line, cells.len(), self.columns.len());
            }
            return;
        }
        let columns: Vec<&str> = text.split(',').map(str::trim).collect();
        if columns.contains(&"Throughput") && columns.len() > 1 {
            self.columns = columns;
            return;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        if !words.is_empty() && words.iter().all(|text| number(text).is_some()) {
            self.rows += 1;
            if self.row(sheet, &words, line).is_none() {
                sheet.no_row(line, text.trim());
            }
        } else if self.rows == 0 {
            self.unit = unit_of(text).or(self.unit);
        }
    }

    /// Takes a row of the table; `None` if it has other columns.
    fn row(&self, sheet: &mut Sheet, words: &[&str], line: u32) -> Option<()> {
        let stream = self.test.starts_with("TCP") && !self.test.contains("REQUEST");
        let (metric, unit) = self.unit?;
        let (rate, keys, metric): (_, &[(&str, usize)], _) = match (words.len(), self.rows) {
            // With -c -C the load of the processors follows.
            (5 | 9, 1) if stream => (4, &[("message_size", 2)], metric),
            (6, 1) if self.test.contains("REQUEST") => {
                (5, &[("request_size", 2), ("response_size", 3)], metric)
            }
            // What was received is in the second row.
            (6, 1) if self.test.starts_with("UDP") => (5, &[("message_size", 1)], "transfer-sent"),
            (4, 2) if self.test.starts_with("UDP STREAM") => (3, &[], metric),
            (2, 2) if self.test.contains("REQUEST") => return Some(()),
            _ => return None,
        };
        let context: Context = keys.iter().map(|&(key, at)| (key.to_owned(), words[at].to_owned())).collect();
        if !context.is_empty() {
            sheet.set_context(&context);
        }
        self.push(sheet, metric, unit, words[rate], line);
        Some(())
    }

    fn csv(&self, sheet: &mut Sheet, cells: &[&str], line: u32) {
        let cell = |name: &str| Some(cells[self.columns.iter().position(|column| *column == name)?]);
        let sizes = [("Request Size Bytes", "request_size"), ("Response Size Bytes", "response_size")];
        let sizes = sizes.into_iter().chain([("Local Send Size", "message_size")]);
        let context = sizes.filter_map(|(column, key)| Some((key.to_owned(), cell(column)?.to_owned())));
        sheet.set_context(&context.filter(|(_, size)| !size.is_empty() && size != "-1").collect::<Vec<_>>());
        if let Some((metric, unit)) = cell("Throughput Units").and_then(unit_of) {
            self.push(sheet, metric, unit, cell("Throughput").unwrap_or_default(), line);
        } else {
            sheet.lacks(line, "the row", "column `Throughput Units`");
        }
        for (column, metric) in LATENCIES {
            if let Some(digits) = cell(column).filter(|digits| !digits.is_empty() && *digits != "-1") {
                self.push(sheet, metric, "us", digits, line);
            }
        }
    }

    fn push(&self, sheet: &mut Sheet, name: &str, unit: &str, digits: &str, line: u32) {
        let Some(value) = sheet.number(digits.as_bytes(), line) else {
            return sheet.no_number(line, name, self.test, digits);
        };
        let aggregate = Some(Aggregate::default());
        let (benchmark, process) = (self.test, Some(self.process));
        let row = Measurement { benchmark, line, process, aggregate, ..ROW };
        let metric = sheet.metric(name, || {
            let metric = load_metrics::described(name);
            Metric { primary: metric.primary || name == "transfer", ..metric }
        });
        sheet.push(Measurement { metric, value: meaning(unit).scale.apply(value), ..row });
    }
}
