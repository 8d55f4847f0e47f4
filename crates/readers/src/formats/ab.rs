//! ab, the load generator of the Apache HTTP server: its report, the samples of `-g` and the percentages of `-e`.

use super::prelude::*;

/// The report that ab prints.
pub static REPORT: Format = Format {
    name: "ab",
    sign: "a line with `Requests per second:` and `[#/sec]`",
    harness: "ab",
    processes: Processes::OneAFile,
    printed_by: &["ab", "abs"],
    keys: &[&[
        Key::work("connections", "number of connections at a time"),
        Key::setting("server", "name that the server gives itself"),
        Key::environment("host", "name of the machine"),
        Key::setting("port", "port of the server"),
        Key::setting("document_length", "bytes of the first answer"),
        Key::work("tls", "protocol of encryption and its cipher"),
        Key::work("keep_alive", "1 if connections are kept"),
        Key::work("body", "`sent` if the requests have a body"),
    ]],
    metrics: &[
        Meaning::of("throughput", "requests per second"),
        Meaning::of("transfer", "bytes that are received per second"),
        Meaning::of("errors", "failed requests"),
        Meaning::of("errors-status", "answers whose status is not 2xx"),
        Meaning::of("latency-mean", "time of a request, the mean"),
        Meaning::of("latency-p50", "time of a request, the median"),
        Meaning::of("latency-p99", "time of a request that 99 of 100 do not exceed"),
        Meaning::of("latency-max", "time of the slowest request"),
        Meaning::of("connect-mean", "time until the connection stands, the mean"),
        Meaning::of("processing-mean", "time from the connection to the end of the answer, the mean"),
        Meaning::of("waiting-mean", "time from the request to the first byte of the answer, the mean"),
    ],
    words: &[RATE],
    fits: |head| {
        // People keep the lines that they look at.
        let is_rate = |line: &[u8]| {
            line.starts_with(RATE.as_bytes()) && memchr::memmem::find(line, b"[#/sec]").is_some()
        };
        No::unless(head.lines().any(is_rate), "it has no such line")
    },
    read: Read::Bytes(read),
    export: "standard output",
    values: Values::Aggregates,
    ..Format::PLAIN
};

/// The samples that `-g` writes.
pub static SAMPLES: Format = Format {
    name: "ab-samples",
    sign: "a header `starttime<tab>seconds<tab>ctime<tab>dtime<tab>ttime<tab>wait`",
    harness: "ab",
    export: "ab -g FILE",
    processes: Processes::OneAFile,
    keys: &[&[Key::date("start of the first request")]],
    metrics: &[
        Meaning::of("latency", "time of a request"),
        Meaning::of("connect", "time until the connection stands"),
        Meaning::of("processing", "time from the connection to the end of the answer"),
        Meaning::of("waiting", "time from the request to the first byte of the answer"),
    ],
    fits: |head| No::unless(head.first_line() == SAMPLES_HEADER, "its first line is not that header"),
    read: Read::Bytes(read_samples),
    ..Format::PLAIN
};

const SAMPLES_HEADER: &[u8] = b"starttime\tseconds\tctime\tdtime\tttime\twait";

/// The percentages that `-e` writes.
pub static PERCENTAGES: Format = Format {
    name: "ab-percentages",
    sign: "a header `Percentage served,Time in ms`",
    harness: "ab",
    export: "ab -e FILE",
    files: &["*.csv"],
    metrics: &[
        Meaning::of("latency-p50", "time of a request, the median"),
        Meaning::of("latency-p99", "time of a request that 99 of 100 do not exceed"),
    ],
    fits: |head: &Head<'_>| {
        No::unless(head.header_line() == b"Percentage served,Time in ms", "its first line is not that header")
    },
    read: Read::Sheet(read_percentages),
    ..Format::SUMMARY
};

/// What is measured, where the file does not say it.
pub(super) const BENCHMARK: &str = "requests";

const MILLISECONDS: f64 = 1e3;

/// ab sorts its samples by their time: their order is lost.
fn read_samples(sheet: &mut Sheet, bytes: &[u8]) {
    let mut samples = Vec::new();
    for (line, text) in lines::numbered(bytes).skip(1).collect::<Vec<_>>() {
        let cells: Vec<&str> = text.split('\t').collect();
        let numbers: Option<Vec<f64>> = cells.iter().skip(1).map(number).collect();
        if let (Some(&[seconds, connect, processing, total, waiting]), [start, ..]) =
            (numbers.as_deref(), &cells[..])
        {
            samples.push(Sample { line, start, seconds, times: [total, connect, processing, waiting] });
        } else if text.as_bytes() == SAMPLES_HEADER {
            write(sheet, &std::mem::take(&mut samples));
            sheet.next_run();
        } else if !text.is_empty() {
            sheet.no_row(line, text);
        }
    }
    write(sheet, &samples);
}

struct Sample<'a> {
    line: u32,
    /// When it began, as text and in seconds.
    start: &'a str,
    seconds: f64,
    times: [f64; 4],
}

/// Adds the samples of a run.
fn write(sheet: &mut Sheet, samples: &[Sample<'_>]) {
    let first = samples.iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let date = first.map(|first| ("date".to_owned(), first.start.to_owned()));
    sheet.set_context(&date.into_iter().collect::<Vec<_>>());
    for place in scattered::places(samples.len()) {
        let Sample { line, times, .. } = samples[place];
        let row = Measurement { benchmark: BENCHMARK, line, process: Some(0), ..ROW };
        for (name, time) in ["latency", "connect", "processing", "waiting"].into_iter().zip(times) {
            load_metrics::push(sheet, row, name, time / MILLISECONDS);
        }
    }
}

fn read_percentages(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    csv_rows::each(&content.all()?, 1, sheet, |sheet, row| {
        let (Some(share), Some(time)) = (row.text("Percentage served"), row.number(sheet, "Time in ms"))
        else {
            return;
        };
        let Some(name) = percentile(&share) else {
            return sheet.unreadable(row.line, share.as_bytes());
        };
        let (line, aggregate) = (row.line, Some(Aggregate::default()));
        let row = Measurement { benchmark: BENCHMARK, line, process: Some(0), aggregate, ..ROW };
        load_metrics::push(sheet, row, &name, time / MILLISECONDS);
    })?;
    load_metrics::choose(sheet);
    Ok(())
}

/// The metric of a percentage from 0 to 100.
pub(super) fn percentile(share: &str) -> Option<String> {
    let name = load_metrics::percentile("latency", share)?;
    Some(match &*name {
        "latency-p0" => "latency-min".to_owned(),
        "latency-p100" => "latency-max".to_owned(),
        _ => name,
    })
}

// The report that ab prints. A file may hold several, one after the other.

/// The label of the number of connections.
const CONNECTIONS: &str = "Concurrency Level:";
/// The label of the throughput.
pub(super) const RATE: &str = "Requests per second:";
const SERVER: &str = "Server Software:";
const PATH: &str = "Document Path:";

/// What stands before the address when ab begins to send.
const START: &str = "Benchmarking ";

/// The labels in the order in which a report has them. One that stands before the latest begins another report.
const ORDER: [&str; 19] = [
    "This is ApacheBench",
    START,
    SERVER,
    "Server Hostname:",
    "Server Port:",
    PATH,
    "Document Length:",
    CONNECTIONS,
    "Time taken for tests:",
    "Complete requests:",
    "Failed requests:",
    "Total transferred:",
    "HTML transferred:",
    RATE,
    "Transfer rate:",
    "Connect:",
    "Processing:",
    "Waiting:",
    "Total:",
];

/// The labels that become keys.
const KEYS: [(&str, &str); 6] = [
    (CONNECTIONS, "connections"),
    (SERVER, "server"),
    ("Server Hostname:", "host"),
    ("Server Port:", "port"),
    ("Document Length:", "document_length"),
    ("SSL/TLS Protocol:", "tls"),
];

/// The labels that are there only if an option was given.
const OPTIONS: [(&str, &str, &str); 4] = [
    ("Keep-Alive requests:", "keep_alive", "1"),
    ("Total body sent:", "body", "sent"),
    ("Total POSTed:", "body", "sent"),
    ("Total PUT:", "body", "sent"),
];

/// The labels that become metrics, with the factor to the base unit. ab divides bytes by 1024.
const METRICS: [(&str, &str, f64); 5] = [
    (RATE, "throughput", 1.0),
    ("Transfer rate:", "transfer", 1024.0),
    ("Failed requests:", "errors", 1.0),
    ("Non-2xx responses:", "errors-status", 1.0),
    ("Write errors:", "errors-write", 1.0),
];

const PHASES: [(&str, &str); 4] =
    [("Connect:", "connect"), ("Processing:", "processing"), ("Waiting:", "waiting"), ("Total:", "latency")];

/// What the heading of the connection times begins with. The first versions have three `n`.
const TIMES: [&str; 2] = ["Connection Times", "Connnection Times"];
/// What the heading of the percentages begins with.
const SHARES: &str = "Percentage of the requests served within";

/// Reads all reports of a file; each is a process.
pub(super) fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let all: Vec<(u32, &str)> = lines::numbered(bytes).collect();
    // In a document the reports can be indented differently.
    let trimmed: Vec<(u32, &str)> = all.iter().map(|(line, text)| (*line, text.trim())).collect();
    let mut process = 0;
    for lines in reports(&trimmed) {
        let report = Report { lines, process };
        process += u32::from(report.write(sheet));
    }
    load_metrics::choose(sheet);
}

/// The place of a line's label among those of a report.
fn place(text: &str) -> Option<usize> {
    ORDER.iter().position(|label| text.starts_with(label))
}

/// The lines of each report. The first labels of one may be cut off.
fn reports<'a, 'b>(lines: &'b [(u32, &'a str)]) -> impl Iterator<Item = &'b [(u32, &'a str)]> {
    let mut latest = None;
    let mut begins = move |text: &str| {
        let Some(place) = place(text) else { return false };
        let earlier = latest.replace(place);
        earlier.is_some_and(|earlier| place <= earlier)
    };
    lines.chunk_by(move |_, (_, next)| !begins(next))
}

struct Report<'a> {
    lines: &'a [(u32, &'a str)],
    process: u32,
}

impl<'a> Report<'a> {
    /// What follows a label.
    fn get(&self, label: &str) -> Option<(u32, &'a str)> {
        self.lines.iter().find_map(|(line, text)| Some((*line, text.strip_prefix(label)?.trim())))
    }

    /// Adds the values of the report; says whether there is one.
    fn write(&self, sheet: &mut Sheet) -> bool {
        if self.get(RATE).is_none() {
            self.incomplete(sheet);
            return false;
        }
        sheet.set_context(&self.context());
        let benchmark = match self.get(PATH) {
            Some((_, "")) => "/",
            Some((_, path)) => path,
            None => BENCHMARK,
        };
        let row = Measurement { benchmark, process: Some(self.process), ..ROW };
        for (label, name, factor) in METRICS {
            let Some((line, text)) = self.get(label) else { continue };
            let row = Measurement { line, aggregate: Some(Aggregate::default()), ..row };
            if let Some(value) = first_number(sheet, line, text) {
                load_metrics::push(sheet, row, name, value * factor);
            }
        }
        let count = self.get("Complete requests:").and_then(|(_, text)| number(text));
        let row = Measurement { aggregate: Some(Aggregate { count, deviation: None }), ..row };
        let has_percentages = self.percentages(sheet, row);
        let is_heading = |text: &str| TIMES.iter().any(|heading| text.starts_with(heading));
        let heading = self.lines.iter().find(|(_, text)| is_heading(text));
        if let Some(a_second) = heading.map_or(Some(1e3), |&(line, text)| in_a_second(sheet, line, text)) {
            for (label, phase) in PHASES {
                self.phase(sheet, row, (label, phase), a_second, has_percentages);
            }
        }
        true
    }

    /// Says that a report has no results, if it is one.
    fn incomplete(&self, sheet: &mut Sheet) {
        let is_start = |text: &str| text.starts_with(START) && text.contains("(be patient)");
        // The last line of a run that an error ended. The banner alone says nothing of a run.
        let is_end = |text: &str| text.starts_with("Total of ") && text.ends_with(" requests completed");
        let begun = || self.lines.iter().find(|(_, text)| is_start(text) || is_end(text)).copied();
        if let Some((line, _)) = self.get(CONNECTIONS).or_else(|| self.get(PATH)) {
            sheet.cut(line, "the report");
        } else if let Some((line, _)) = begun() {
            sheet.cut(line, "the run");
        }
    }

    fn context(&self) -> Context {
        let stated = KEYS.iter().filter_map(|(label, key)| Some((*key, self.get(label)?.1)));
        let words = stated.map(|(key, text)| (key.to_owned(), text.trim_end_matches(" bytes").to_owned()));
        let given = OPTIONS.iter().filter(|(label, ..)| self.get(label).is_some());
        let given = given.map(|(_, key, value)| ((*key).to_owned(), (*value).to_owned()));
        words.filter(|(_, text)| !text.is_empty()).chain(given).collect()
    }

    /// The lines such as `50%      4` below their heading.
    fn percentages(&self, sheet: &mut Sheet, row: Measurement<'_>) -> bool {
        let (mut found, mut unit) = (false, None);
        for &(line, text) in self.lines {
            if text.starts_with(SHARES) {
                unit = in_a_second(sheet, line, text);
            } else if place(text).is_some() {
                unit = None;
            }
            let (Some(a_second), Some((name, time))) = (unit, share(text)) else { continue };
            // The longest request is the last line. What a document has below it is of no request.
            if name == "latency-max" {
                unit = None;
            }
            if let Some(time) = first_number(sheet, line, time) {
                load_metrics::push(sheet, Measurement { line, ..row }, &name, time / a_second);
                found = true;
            }
        }
        found
    }

    /// A row of the connection times: minimum, mean, deviation, median and maximum; with `-S` without deviation and
    /// median.
    fn phase(
        &self,
        sheet: &mut Sheet,
        row: Measurement<'_>,
        (label, phase): (&str, &str),
        a_second: f64,
        has_percentages: bool,
    ) {
        let Some((line, text)) = self.get(label) else { return };
        let numbers: Option<Vec<f64>> = text.split_whitespace().map(number).collect();
        let (least, mean, deviation, median, most) = match numbers.as_deref() {
            Some(&[least, mean, deviation, median, most]) => {
                (least, mean, Some(deviation), Some(median), most)
            }
            Some(&[least, mean, most]) => (least, mean, None, None, most),
            _ => return sheet.no_row(line, text),
        };
        let row = Measurement { line, ..row };
        let count = row.aggregate.and_then(|aggregate| aggregate.count);
        let aggregate = Some(Aggregate { count, deviation: deviation.map(|time| time / a_second) });
        let mean_row = Measurement { aggregate, ..row };
        load_metrics::push(sheet, mean_row, &format!("{phase}-mean"), mean / a_second);
        load_metrics::push(sheet, row, &format!("{phase}-min"), least / a_second);
        // The percentages have the other two of the total.
        if phase == "latency" && has_percentages {
            return;
        }
        load_metrics::push(sheet, row, &format!("{phase}-max"), most / a_second);
        if let Some(median) = median {
            load_metrics::push(sheet, row, &format!("{phase}-p50"), median / a_second);
        }
    }
}

/// How many units of the times below a heading are a second. ab writes milliseconds; a fork of it writes microseconds.
fn in_a_second(sheet: &mut Sheet, line: u32, heading: &str) -> Option<f64> {
    let unit = heading.split_once('(').and_then(|(_, rest)| rest.split(')').next());
    match unit {
        None | Some("ms") => Some(1e3),
        Some("us") => Some(1e6),
        Some(unit) => {
            sheet.unknown_unit(line, "the times", unit);
            None
        }
    }
}

/// The metric of a line such as `100%     31 (longest request)` and what follows its share. Another sentence that begins
/// with a percentage is no such line.
fn share(text: &str) -> Option<(String, &str)> {
    let (share, rest) = text.split_once('%')?;
    let rest = rest.trim();
    let word = rest.split_whitespace().next().unwrap_or_default();
    let is_time = word == rest || rest.ends_with("(longest request)") || number(word).is_some();
    Some((percentile(share)?, rest)).filter(|_| is_time)
}

/// The number at the beginning of a text.
fn first_number(sheet: &mut Sheet, line: u32, text: &str) -> Option<f64> {
    let word = text.split_whitespace().next().unwrap_or_default();
    let value = sheet.number(crate::text::ungrouped(word).as_bytes(), line);
    if value.is_none() {
        sheet.unreadable(line, text);
    }
    value
}
