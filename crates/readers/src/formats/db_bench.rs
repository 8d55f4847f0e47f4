//! `db_bench` of `RocksDB`, `LevelDB` and their kin: a line for each benchmark, and histograms of its operations.

use super::prelude::*;

/// What `db_bench` prints, once or several times.
pub static FORMAT: Format = Format {
    name: "db-bench",
    sign: "lines such as `fillseq : 3.283 micros/op 304587 ops/sec 3.283 seconds 1000000 operations; 33.7 MB/s` or \
           `fillseq : 1.765 micros/op; 62.7 MB/s`",
    harness: "db_bench",
    export: "db_bench --benchmarks=… > FILE 2>&1",
    values: Values::Averages,
    printed_by: &["db_bench"],
    keys: &[&[
        Key::setting("database", "name of the database"),
        Key::setting("version", "version of the database"),
        Key::date("start of the run, in local time as db_bench writes it"),
        Key::environment("cpu", "number and model of the processors"),
        Key::work("key_size", "bytes of a key"),
        Key::work("value_size", "bytes of a value"),
        Key::work("entries", "number of entries of the database"),
        Key::setting("compression", "compression of the blocks"),
        Key::setting("memtable", "structure of the table in memory"),
    ]],
    metrics: &[
        Meaning::of("time", "mean time of an operation"),
        Meaning::of("throughput", "operations per second of elapsed time, of all threads together"),
        Meaning::of("transfer", "bytes of keys and values per second of elapsed time"),
    ],
    words: &[" bytes each", " micros/op"],
    fits: |head| {
        let text = |line| std::str::from_utf8(line).unwrap_or("");
        let begins = |label: &str| head.lines().any(|line| text(line).starts_with(label));
        let is_header =
            head.lines().any(|line| text(line).starts_with("Keys:") && text(line).contains(" bytes each"))
                && begins("Entries:")
                && (begins("RawSize:") || begins("Raw Size:"));
        No::unless(
            is_header || head.lines().any(|line| result(shown(text(line))).is_some()),
            "it has no such line",
        )
    },
    read: Read::Bytes(|sheet, bytes| {
        let mut bench = Bench::default();
        for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
            bench.line(sheet, shown(text), line);
        }
    }),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

/// Microseconds in a second.
const MICROSECONDS: f64 = 1e6;

/// The databases whose `db_bench` writes these lines, as their headers name them.
const DATABASES: [&str; 5] = ["RocksDB", "LevelDB", "SQLite", "Kyoto Cabinet", "Speedb"];

/// The lines of the header that become keys, beside the one with the version.
const HEADER: [(&str, &str); 7] = [
    ("Date", "date"),
    ("CPU", "cpu"),
    ("Keys", "key_size"),
    ("Values", "value_size"),
    ("Entries", "entries"),
    ("Compression", "compression"),
    ("Memtablerep", "memtable"),
];

/// What a terminal shows of a line: each part that follows a carriage return replaces the one before.
fn shown(line: &str) -> &str {
    line.rsplit('\r').next().unwrap_or(line).trim()
}

/// A line of a benchmark: its name and its numbers as text.
struct Found<'a> {
    name: &'a str,
    micros: &'a str,
    rate: Option<&'a str>,
    megabytes: Option<&'a str>,
}

/// Reads `fillseq : 3.283 micros/op 304587 ops/sec 3.283 seconds 1000000 operations; 33.7 MB/s`.
fn result(line: &str) -> Option<Found<'_>> {
    let (before, after) = line.split_once(" micros/op")?;
    let (name, micros) = before.rsplit_once(':')?;
    // Where the carriage return is lost, the progress stands before the name.
    let name = name.split_whitespace().next_back()?;
    let (rates, message) = after.split_once(';')?;
    let micros = Some(micros.trim()).filter(|text| number(text).is_some())?;
    let rate = rates.split_once(" ops/sec").map(|(digits, _)| digits.trim());
    let megabytes = message.split_once(" MB/s").and_then(|(before, _)| before.split_whitespace().next_back());
    Some(Found { name, micros, rate, megabytes })
}

/// Whether a label is that of a percentile: `P99.9`.
fn is_level(label: &str) -> bool {
    label.strip_prefix('P').is_some_and(|text| number(text).is_some_and(|level| level <= 100.0))
}

/// The state between two lines.
#[derive(Default)]
struct Bench {
    header: Context,
    has_results: bool,
    process: Option<u32>,
    /// How often each name came in this run.
    seen: Numbered,
    /// How many of the next results warm up.
    warming: u32,
    /// How many of the next results repeat one benchmark.
    repeated: u32,
    /// The benchmark of the last result, empty after one that warms up.
    name: String,
    /// The operation whose histogram is being read.
    operation: String,
}

impl Bench {
    fn line(&mut self, sheet: &mut Sheet, text: &str, line: u32) {
        let times = |text: &str| text.strip_suffix(" times").and_then(|count| count.parse().ok());
        if let Some(found) = result(text) {
            self.result(sheet, &found, line);
        } else if text.contains(" micros/op") {
            sheet.no_row(line, text);
        } else if let Some(count) = text.strip_prefix("Warming up benchmark by running ").and_then(times) {
            self.warming = count;
        } else if let Some(count) = text.strip_prefix("Running benchmark for ").and_then(times) {
            (self.warming, self.repeated) = (0, count);
            self.name.clear();
        } else if let Some(operation) = text.strip_prefix("Microseconds per ") {
            self.operation = operation.trim_end_matches(':').replace(' ', "-");
        } else if text.starts_with("---") {
            self.operation.clear();
        } else if self.operation.is_empty() {
            self.header(text);
        } else if !self.name.is_empty() {
            self.histogram(sheet, text, line);
        }
    }

    /// Reads a line of the header. The first one after results begins another run.
    fn header(&mut self, text: &str) {
        let Some((label, value)) = text.split_once(':') else { return };
        let version = value.rsplit_once("version ").map(|(_, version)| version.trim());
        let version = version.filter(|_| DATABASES.contains(&label));
        if self.has_results && (version.is_some() || (label == "Keys" && value.contains(" bytes each"))) {
            *self = Self { process: self.process, ..Self::default() };
        }
        if self.has_results {
            return;
        }
        let mut state = |key, value| context::state(&mut self.header, key, value);
        if let Some(version) = version {
            state("database", label);
            state("version", version);
        } else if let Some((_, key)) = HEADER.iter().find(|(known, _)| *known == label) {
            let value = value.trim();
            state(key, if key.ends_with("_size") { value.split(' ').next().unwrap_or(value) } else { value });
        }
    }

    fn result(&mut self, sheet: &mut Sheet, found: &Found<'_>, line: u32) {
        self.operation.clear();
        if !self.has_results {
            self.has_results = true;
            self.process = Some(self.process.map_or(0, |process| process + 1));
            sheet.set_context(&self.header);
        }
        if self.warming > 0 {
            self.warming -= 1;
            self.name.clear();
            return sheet.dropped(1);
        }
        // A benchmark that comes again finds another database: it is other work, except where db_bench repeats it.
        let is_named = |name: &str| name.split(" #").next() == Some(found.name);
        let again = self.repeated > 0 && is_named(&self.name);
        self.repeated = self.repeated.saturating_sub(1);
        if !again {
            self.name = self.seen.name(found.name.to_owned());
        }
        let throughput = |name, unit| Metric::new(name, unit, Quantity::Throughput).secondary();
        self.push(
            sheet,
            Metric::new("time", "s", Quantity::Time),
            found.micros,
            Scale::Over(MICROSECONDS),
            line,
        );
        if let Some(rate) = found.rate {
            self.push(sheet, throughput("throughput", "1/s"), rate, Scale::Times(1.0), line);
        }
        if let Some(megabytes) = found.megabytes {
            self.push(sheet, throughput("transfer", "B/s"), megabytes, Scale::Times(1_048_576.0), line);
        }
    }

    fn push(&self, sheet: &mut Sheet, made: Metric, digits: &str, scale: Scale, line: u32) {
        match number(digits) {
            // It is less than the last digit that is printed.
            Some(0.0) => sheet.dropped(1),
            Some(value) => self.add(sheet, made, scale.apply(value), None, line),
            None => sheet.no_number(line, made.name, "", digits),
        }
    }

    fn add(&self, sheet: &mut Sheet, made: Metric, value: f64, aggregate: Option<Aggregate>, line: u32) {
        let metric = sheet.metric(&made.name.clone(), || made);
        let (benchmark, process) = (&*self.name, self.process);
        sheet.push(Measurement { benchmark, metric, value, line, process, aggregate, ..ROW });
    }

    /// Reads a line of a histogram: `Count: 20000 Average: 7.9104 StdDev: 101.41`, `Min: 2 Median: 5.1311 Max: 7855` or
    /// `Percentiles: P50: 5.13 P75: 5.86`.
    fn histogram(&self, sheet: &mut Sheet, text: &str, line: u32) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let labelled = || words.windows(2).filter_map(|pair| Some((pair[0].strip_suffix(':')?, pair[1])));
        let stated = |label: &str| {
            labelled().find(|(known, _)| *known == label).and_then(|(_, digits)| number(digits))
        };
        let deviation = stated("StdDev").map(|deviation| deviation / MICROSECONDS);
        let mean = Aggregate { count: stated("Count"), deviation };
        for (label, digits) in labelled() {
            let (name, aggregate) = match label {
                "Average" => ("mean".to_owned(), mean),
                // `Percentiles` states the median again, with fewer digits.
                "Median" => ("p50".to_owned(), Aggregate::default()),
                "Max" => ("max".to_owned(), Aggregate::default()),
                level if level != "P50" && is_level(level) => (level.to_lowercase(), Aggregate::default()),
                _ => continue,
            };
            let name = format!("{}-{name}", self.operation);
            match number(digits) {
                // It is less than the first step of the clock.
                Some(0.0) => sheet.dropped(1),
                Some(value) => {
                    let made = Metric::new(&name, "s", Quantity::Time).secondary();
                    self.add(sheet, made, value / MICROSECONDS, Some(aggregate), line);
                }
                None => sheet.no_number(line, name, "", digits),
            }
        }
    }
}
