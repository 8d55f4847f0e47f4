//! What YCSB prints, `[READ], AverageLatency(us), 123.4`, and the same as JSON.

use super::load_metrics::{described, push};
use super::load_run::Figure;
use super::prelude::*;
use super::repeats::Repeats;

pub static TEXT: Format = Format {
    name: "ycsb",
    sign: "lines such as `[OVERALL], Throughput(ops/sec), 1234.5` and `[READ], AverageLatency(us), 123.4`",
    harness: "YCSB",
    export: "standard output, or -p exportfile=FILE",
    own_labels: &["Command"],
    printed_by: &["ycsb", "ycsb.sh"],
    keys: &[KEYS, PROPERTIES],
    metrics: METRICS,
    words: &["[OVERALL], "],
    fits: |head| {
        No::unless(!head.lines().any(is_header), "it has raw times")?;
        No::unless(head.lines().any(is_overall), "it has no such line")
    },
    read: Read::Bytes(read_text),
    ..Format::SUMMARY
};

/// What its exporters of JSON write.
pub static JSON: Format = Format {
    name: "ycsb-json",
    sign: "objects with `metric`, `measurement` and `value`",
    harness: "YCSB",
    export: "-p exporter=site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter -p exportfile=FILE",
    metrics: METRICS,
    fits: |head| {
        let root = head.json()?;
        let record = root.element().unwrap_or(root);
        let lacks = ["metric", "measurement", "value"].into_iter().find(|key| record.child(key).is_none());
        lacks.map_or(Ok(()), |key| Err(No::Lacks(key)))
    },
    read: Read::Sheet(read_json),
    ..Format::SUMMARY
};

const METRICS: &[Meaning] = &[
    Meaning::of("throughput", "operations per second"),
    Meaning::of("latency-mean", "time of an operation, the mean over the run"),
    Meaning::of("latency-min", "shortest time of an operation"),
    Meaning::of("latency-max", "longest time of an operation"),
    Meaning::of("latency-p95", "time of an operation, the 95th percentile"),
    Meaning::of("latency-p99", "time of an operation, the 99th percentile"),
    Meaning::of("run-time", "duration of the run"),
    Meaning::of("gc-count", "collections of Java's garbage"),
    Meaning::of("gc-time", "time of these collections"),
];

/// The properties of a workload, which YCSB and its port to Go share.
pub(super) const PROPERTIES: &[Key] = &[
    Key::work("threads", "number of threads of the load generator"),
    Key::work("recordcount", "number of records in the database"),
    Key::work("operationcount", "number of operations"),
    Key::work("rate", "operations a second that are asked for"),
    Key::work("requestdistribution", "how records are chosen"),
    Key::work("fieldlength", "bytes of a field"),
    Key::work("fieldcount", "number of fields of a record"),
    Key::work("readproportion", "share of reads"),
    Key::work("updateproportion", "share of updates"),
    Key::work("insertproportion", "share of insertions"),
    Key::work("scanproportion", "share of scans"),
    Key::work("readmodifywriteproportion", "share of reads with an update"),
];

/// What a command line states beside properties.
pub(super) const KEYS: &[Key] = &[
    Key::work("phase", "load, or run"),
    Key::work("workload", "names of the files of properties"),
    Key::setting("binding", "class of the database"),
];

/// What follows the words of a line with a command: `-t -db site.ycsb.BasicDB -P workloads/workloada -threads 8`.
pub(super) fn arguments(line: &str) -> Option<&str> {
    line.strip_prefix("Command line:")
}

/// The configuration that a command line states. Of an option that is given twice, the last one counts.
pub(super) fn configuration(arguments: &str) -> Context {
    let mut stated = Context::new();
    let mut state = |key: &str, value: &str| {
        stated.retain(|(known, _)| known != key);
        if !value.is_empty() {
            stated.push((key.to_owned(), value.to_owned()));
        }
    };
    let mut workloads: Vec<&str> = Vec::new();
    let mut words = arguments.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "-load" => state("phase", "load"),
            "-t" => state("phase", "run"),
            "-P" => workloads.extend(words.next().and_then(|path| path.rsplit(['/', '\\']).next())),
            "-threads" => state("threads", words.next().unwrap_or_default()),
            "-target" => state("rate", words.next().unwrap_or_default()),
            "-db" => state("binding", words.next().unwrap_or_default()),
            "-p" => {
                let (property, value) =
                    words.next().and_then(|pair| pair.split_once('=')).unwrap_or_default();
                match property {
                    "dotransactions" => state("phase", if value == "false" { "load" } else { "run" }),
                    "threadcount" => state("threads", value),
                    "target" => state("rate", value),
                    "db" => state("binding", value),
                    "phase" | "threads" | "rate" | "binding" | "workload" => {}
                    other if KEYS.iter().chain(PROPERTIES).any(|key| key.name == other) => {
                        state(other, value);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    if !workloads.is_empty() {
        state("workload", &workloads.join(" and "));
    }
    stated
}

fn is_overall(line: &[u8]) -> bool {
    line.starts_with(b"[OVERALL], ")
}

/// The figures of a run, and what is known of each section.
#[derive(Default)]
struct Report {
    run: Run,
    counts: HashMap<String, f64>,
    deviations: HashMap<String, f64>,
}

impl Report {
    /// Takes a measurement; false if its name or unit is unknown. The rows of a histogram are whole numbers ([`is_whole`]),
    /// which are left out; those of a series are not.
    fn take(&mut self, section: &str, name: &str, value: f64, whole: bool, line: u32) -> bool {
        let (what, unit) =
            name.split_once('(').map_or((name, ""), |(what, unit)| (what, unit.trim_end_matches(')')));
        let known = meaning(unit);
        let time = (known.quantity == Quantity::Time).then(|| known.scale.apply(value));
        let is_gc_share = section.starts_with("TOTAL_GC_TIME_%");
        let metric = match what {
            "Throughput" if unit == "ops/sec" => {
                self.run.add(section, "throughput", value, line);
                return true;
            }
            "Count" if section.starts_with("TOTAL_GC") => {
                self.run.add(section, "gc-count", value, line);
                return true;
            }
            "Operations" | "Total Operations" => {
                self.counts.insert(section.to_owned(), value);
                return true;
            }
            "LatencyVariance" if unit == "us" => {
                self.deviations.insert(section.to_owned(), value.max(0.0).sqrt() / 1e6);
                return true;
            }
            "Time" if is_gc_share => return true,
            "Time" => "gc-time".to_owned(),
            "RunTime" => "run-time".to_owned(),
            "AverageLatency" => "latency-mean".to_owned(),
            "MinLatency" => "latency-min".to_owned(),
            "MaxLatency" => "latency-max".to_owned(),
            _ => match what.strip_suffix("PercentileLatency") {
                Some(rank) => {
                    let rank = rank.trim_end_matches(|end: char| end.is_ascii_alphabetic());
                    let Some(name) = percentile("latency", rank) else { return false };
                    name
                }
                None => return self.other(section, name, value, whole, line),
            },
        };
        let Some(time) = time else { return false };
        self.run.add(section, &metric, time, line);
        true
    }

    /// Returned codes, the summaries of raw times, and the rows of series and histograms.
    fn other(&mut self, section: &str, name: &str, value: f64, whole: bool, line: u32) -> bool {
        if let Some(code) = name.strip_prefix("Return=") {
            // Before version 0.2 a code is a number, and 0 is success. YCSB-C has an empty one.
            // What a binding collects for a later call is no error either.
            if !matches!(code, "OK" | "BATCHED_OK" | "0" | "") {
                self.run.add(section, &format!("errors-{code}"), value, line);
            }
            return true;
        }
        if let Some(metric) = of_raw(name) {
            self.run.add(section, &metric, value / 1e6, line);
            return true;
        }
        if number(name.trim_start_matches('>')).is_none() {
            return false;
        }
        if !whole {
            // The mean of an interval that begins so many milliseconds after the start.
            self.run.add(section, "interval-latency-mean", value / 1e6, line);
        }
        true
    }

    /// Ends a run, if this measurement is the first of another one that was appended. Some exporters write the throughput
    /// before the duration.
    fn begin(&mut self, section: &str, name: &str, sheet: &mut Sheet) {
        let beside = match name.split('(').next() {
            Some("RunTime") => "throughput",
            Some("Throughput") => "run-time",
            _ => return,
        };
        let is_beside = |figure: &Figure| figure.benchmark == section && figure.name == beside;
        if section == "OVERALL" && !self.run.figures.iter().all(is_beside) {
            self.next(sheet);
        }
    }

    /// Ends the run above a command line, which describes the next one.
    fn command(&mut self, arguments: &str, sheet: &mut Sheet) {
        if !self.run.figures.is_empty() {
            self.next(sheet);
        }
        self.run.context = configuration(arguments);
    }

    /// Ends a run and begins another one.
    fn next(&mut self, sheet: &mut Sheet) {
        let process = self.run.process + 1;
        std::mem::take(self).end(sheet);
        self.run.process = process;
    }

    fn end(mut self, sheet: &mut Sheet) {
        // Of a section without operations it prints NaN or 0.
        let before = self.run.figures.len();
        self.run.figures.retain(|figure| {
            !figure.name.starts_with("latency") || self.counts.get(&figure.benchmark) != Some(&0.0)
        });
        sheet.dropped(before - self.run.figures.len());
        for figure in self.run.figures.iter_mut().filter(|figure| figure.name == "latency-mean") {
            let count = self.counts.get(&figure.benchmark).copied();
            let deviation = self.deviations.get(&figure.benchmark).copied();
            figure.aggregate = Aggregate { count, deviation };
        }
        self.run.end(sheet);
    }
}

/// The metric of a summary of `measurementtype=raw`, which is in microseconds: `Average`, `p99.9`.
fn of_raw(name: &str) -> Option<String> {
    match name {
        "Average" => Some("latency-mean".to_owned()),
        "Min" => Some("latency-min".to_owned()),
        "Max" => Some("latency-max".to_owned()),
        _ => percentile("latency", name.strip_prefix('p')?),
    }
}

/// A line `[SECTION], NAME, VALUE`.
pub(super) fn parts(text: &str) -> Option<(&str, &str, &str)> {
    let (section, rest) = text.strip_prefix('[')?.split_once("], ")?;
    let (name, value) = rest.rsplit_once(", ")?;
    Some((section, name, value))
}

/// Whether a number is written as a count. YCSB-C writes six decimals; Java writes one zero at most.
fn is_whole(digits: &str) -> bool {
    digits.split_once('.').is_none_or(|(_, decimals)| decimals == "000000")
}

fn read_text(sheet: &mut Sheet, bytes: &[u8]) {
    let mut report = Report::default();
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        // In a document the runs are indented, and the text between them is not.
        let text = text.trim_start();
        if let Some(arguments) = arguments(text) {
            report.command(arguments, sheet);
        }
        let Some((section, name, value)) = parts(text) else { continue };
        report.begin(section, name, sheet);
        let whole = is_whole(value);
        match number(value) {
            Some(_) if is_of_java(section) => sheet.dropped(1),
            Some(value) if report.take(section, name, value, whole, line) => {}
            Some(_) => unknown(sheet, section, name, line),
            None => sheet.unreadable(line, text),
        }
    }
    report.end(sheet);
}

/// Whether a section has what `measurement.trackjvm` saw of memory, threads and load: `MAX_MEM_USED`.
fn is_of_java(section: &str) -> bool {
    section.starts_with("MAX_") || section.starts_with("MIN_")
}

fn unknown(sheet: &mut Sheet, section: &str, name: &str, line: u32) {
    sheet.lacks(line, section, &format!("known measurement {}", excerpt(name)));
}

fn read_json(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let mut report = Report::default();
    if bytes.trim_ascii_start().starts_with(b"[") {
        for list in Span::all(&bytes, content, sheet)? {
            list.each(sheet, |sheet, record, line| measured(sheet, &mut report, record, line))?;
        }
    } else {
        let all = Span::new(&bytes, 1, content.budget.limits.values);
        all.each_value(sheet, |sheet, record, line| measured(sheet, &mut report, record, line))?;
    }
    report.end(sheet);
    Ok(())
}

fn measured(sheet: &mut Sheet, report: &mut Report, record: &Value<'_>, line: u32) {
    let text = |key: &str| record.text_of(key);
    let (Some(section), Some(name), Some(value)) = (text("metric"), text("measurement"), record.get("value"))
    else {
        return sheet.lacks(line, "a record", "`metric`, `measurement` or `value`");
    };
    report.begin(section, name, sheet);
    let whole = matches!(value, Value::Whole(_));
    // JSON has no NaN, which is a text then.
    let stated = value.text().and_then(number).filter(|stated| stated.is_nan());
    match stated.or_else(|| number_of(sheet, value, line)) {
        Some(_) if is_of_java(section) => sheet.dropped(1),
        Some(value) if report.take(section, name, value, whole, line) => {}
        Some(_) => unknown(sheet, section, name, line),
        None => sheet.unreadable(line, name),
    }
}

// The times of single operations that YCSB writes with `measurementtype=raw`.

pub static RAW: Format = Format {
    name: "ycsb-raw",
    sign: "a line such as `READ latency raw data: op, timestamp(ms), latency(us)`",
    harness: "YCSB",
    export: "-p measurementtype=raw",
    processes: Processes::OneAFile,
    own_labels: &["Command"],
    printed_by: &["ycsb", "ycsb.sh"],
    keys: &[KEYS, PROPERTIES],
    metrics: &[
        Meaning::of("latency", "time of one operation"),
        Meaning::of("throughput", "operations per second"),
    ],
    words: &[" latency raw data: op,"],
    fits: |head| No::unless(head.lines().any(is_header), "it has no such line"),
    read: Read::Bytes(read_raw),
    ..Format::PLAIN
};

/// Whether a line stands above raw times.
pub(super) fn is_header(line: &[u8]) -> bool {
    line.ends_with(b" latency raw data: op, timestamp(ms), latency(us)")
}

/// Reads the time of each operation, and the throughput of the run where it is stated. The summaries of the same
/// operations are no further values.
fn read_raw(sheet: &mut Sheet, bytes: &[u8]) {
    let mut operations = Vec::new();
    let mut current = "";
    // Each run has every part once, and no order of them is sure.
    let mut parts_of_run = Repeats::default();
    let mut begin = |part, sheet: &mut Sheet, operations: &mut Vec<_>| {
        if parts_of_run.begins(part) {
            write(sheet, std::mem::take(operations));
            sheet.next_run();
            sheet.set_context(&[]);
        }
    };
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if let Some(arguments) = arguments(text) {
            // What follows is another run, also if the one before has other operations.
            begin("command line", sheet, &mut operations);
            write(sheet, std::mem::take(&mut operations));
            sheet.set_context(&configuration(arguments));
        } else if let Some(operation) = text.strip_suffix(" latency raw data: op, timestamp(ms), latency(us)")
        {
            current = operation;
            begin(operation, sheet, &mut operations);
        } else if let Some(row) =
            text.strip_prefix(current).filter(|row| !current.is_empty() && row.starts_with(','))
        {
            match row[1..].split_once(',').map(|(at, time)| (number(at), number(time))) {
                Some((Some(at), Some(time))) => operations.push((at, current, time / 1e6, line)),
                _ => sheet.unreadable(line, text),
            }
        } else if let Some(("OVERALL", "RunTime(ms)", _)) = parts(text) {
            begin("OVERALL", sheet, &mut operations);
        } else if let Some(("OVERALL", "Throughput(ops/sec)", value)) = parts(text) {
            let aggregate = Some(Aggregate::default());
            let row = Measurement { benchmark: "OVERALL", line, process: Some(0), ..ROW };
            let value = sheet.number(value.as_bytes(), line).unwrap_or(f64::NAN);
            push(sheet, Measurement { aggregate, ..row }, "throughput", value);
        }
    }
    write(sheet, operations);
}

/// Adds the operations of a run in the order of their times.
fn write(sheet: &mut Sheet, mut operations: Vec<(f64, &str, f64, u32)>) {
    let metric = sheet.metric("latency", || described("latency"));
    operations.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, benchmark, value, line) in operations {
        let row = Measurement { benchmark, metric, value, line, ..ROW };
        sheet.push(Measurement { process: Some(0), ..row });
    }
}
