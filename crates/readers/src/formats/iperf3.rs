//! iperf3's JSON: the bandwidth of each interval, in order, and what the end states about the whole test.

use super::json::{broken_line, push_scaled, record};
use super::prelude::*;

/// The document of `-J`.
pub static FORMAT: Format = Format {
    name: "iperf3",
    sign: "an object with `start`, `intervals` and `end`, and the version of `iperf`",
    harness: "iperf3",
    export: "iperf3 -J --logfile FILE",
    processes: Processes::Stated,
    keys: &[KEYS, &[Key::new("congestion", Role::Setting, "congestion control of the sender")]],
    metrics: METRICS,
    fits: |head| {
        head.has_all(&["start.version", "intervals", "end"])?;
        says_iperf(head, "start.version")
    },
    read: Read::Sheet(|sheet, content| {
        let bytes = content.all()?;
        // `--logfile` appends, and a server writes a document for each test.
        let mut process = 0;
        for document in Document::all(&bytes, content, sheet)? {
            process += u32::from(read_test(sheet, &document, process)?);
        }
        Ok(())
    }),
    files: &["*.json"],
    ..Format::PLAIN
};

/// The records of `--json-stream`.
pub static STREAM: Format = Format {
    name: "iperf3-stream",
    sign: "records with `event` and `data`, of which the first has the version of `iperf`",
    harness: "iperf3",
    export: "iperf3 --json-stream",
    processes: Processes::Stated,
    keys: &[KEYS],
    metrics: METRICS,
    fits: |head| {
        head.has_all(&["event", "data.version"])?;
        says_iperf(head, "data.version")
    },
    read: Read::Sheets(|name, _, content, _| read_stream(name, content)),
    ..Format::PLAIN
};

/// What iperf3 prints for people.
pub static TEXT: Format = Format {
    name: "iperf3-text",
    sign: "a line with `[ ID]`, `Interval`, `Transfer` and `Bitrate`, or one with `bits/sec` that ends in `receiver`",
    harness: "iperf3",
    printed_by: &["iperf3"],
    metrics: &[
        Meaning::of("transfer-received", "bytes per second that arrive, over the whole test"),
        Meaning::of("retransmits", "segments of TCP that are sent again"),
        Meaning::of("transfer", "bytes per second in an interval, all connections together"),
    ],
    words: &["[ ID]", " receiver"],
    fits: |head| {
        let is_sum = |line: &[u8]| {
            line.starts_with(b"[")
                && line.trim_ascii_end().ends_with(b" receiver")
                && memchr::memmem::find(line, b"bits/sec ").is_some()
        };
        let is_header = |line: &[u8]| {
            let words: Vec<&[u8]> = crate::text::fields(line).collect();
            let has = |word: &str| words.contains(&word.as_bytes());
            line.starts_with(b"[ ID]")
                && has("Interval")
                && has("Transfer")
                && (has("Bitrate") || has("Bandwidth"))
        };
        No::unless(head.lines().any(|line| is_header(line) || is_sum(line)), "it has no such line")?;
        No::unless(!super::iperf2::is_printed(head), "it is of iperf 2")
    },
    read: Read::Bytes(read_text),
    ..Format::REPORT
};

/// Reads the lines on the whole test. Of several connections those of their sum are read: that of one is a part of it.
fn read_text(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut run, mut ids) = (Run::default(), BTreeSet::new());
    // The connections, or their sum, whose summary was read, with the direction of each.
    let mut received = BTreeSet::new();
    let mut found = Vec::new();
    // The rates of the intervals, of which none begins before the one above ends.
    let mut intervals: Vec<Interval> = Vec::new();
    // Where the last one of each connection ends.
    let mut ends: HashMap<String, f64> = HashMap::new();
    let end = |sheet: &mut Sheet,
               run: &mut Run,
               ids: &mut BTreeSet<String>,
               found: &mut Vec<(String, &'static str, f64, u32)>,
               intervals: &mut Vec<Interval>| {
        let rates = std::mem::take(intervals);
        let are_several = |first: &&Interval| rates.iter().filter(|other| other.id == first.id).count() > 1;
        if let Some(first) = rates.first().filter(are_several) {
            if found.is_empty() {
                let hint = "its intervals are read. Repeat the run if you need its totals";
                sheet.problem(Code::Truncated, first.line, "the test has no line on the whole of it", hint);
            }
            // What is left at the end of a test is an interval, too.
            let whole = rates.iter().filter(|interval| interval.length > first.length / 2.0);
            found.extend(
                whole.map(|interval| (interval.id.clone(), "transfer", interval.rate, interval.line)),
            );
        }
        let wanted = if ids.len() > 1 { "SUM" } else { "" };
        let lacks_sum = !wanted.is_empty() && found.iter().all(|(id, ..)| id != wanted);
        if let Some(&(_, _, _, line)) = found.first().filter(|_| lacks_sum) {
            sheet.lacks(line, "a run of several connections", "line with their sum");
        }
        for (id, name, value, line) in found.drain(..) {
            if wanted.is_empty() || id == wanted {
                run.add("network", name, value, line);
            }
        }
        ids.clear();
        run.end(sheet);
    };
    for (line, text) in lines::numbered(bytes) {
        // People leave out the first lines. After its summary no test has a header, a stream that connects, or a line of a
        // connection whose summary stands above.
        let is_first =
            ["Connecting to host ", "Accepted connection from "].iter().any(|begin| text.starts_with(begin));
        let id = text.rfind(']').map_or("", |end| &text[..end]);
        let is_over = !received.is_empty() && text.starts_with('[');
        let is_stream = || text.contains(" local ") && text.contains(" connected to ");
        if is_first || is_over && (id.starts_with("[ ID") || is_stream() || received.contains(id)) {
            end(sheet, &mut run, &mut ids, &mut found, &mut intervals);
            received.clear();
            ends.clear();
        }
        if text.starts_with('[') && text.ends_with(" receiver") {
            received.insert(id.to_owned());
        }
        let Some((id, rest)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) else { continue };
        let id = id.trim().to_owned();
        let words: Vec<&str> = rest.split_whitespace().collect();
        let value = |digits: &str| number(digits);
        let read = match words[..] {
            [_, "sec", _, _, rate, unit, .., "receiver"] => {
                value(rate).zip(known(unit)).map(|(rate, unit)| ("transfer-received", unit.scale.apply(rate)))
            }
            [_, "sec", _, _, _, _, retransmitted, "sender"] => {
                value(retransmitted).map(|count| ("retransmits", count))
            }
            [.., "sender" | "(omitted)"] => Some(("", 0.0)),
            [times, "sec", _, _, rate, unit, ..] => {
                let of_line = || Interval::of(&id, times, value(rate)?, unit, line);
                if let Some(next) = of_line() {
                    let begins_again = ends.get(&id).is_some_and(|end| next.start < *end);
                    // Old versions print the rate over the whole test without a word.
                    let is_whole = begins_again && next.length > 1.5 * intervals[0].length;
                    if begins_again && !is_whole {
                        end(sheet, &mut run, &mut ids, &mut found, &mut intervals);
                        ends.clear();
                    }
                    if !is_whole {
                        ends.insert(id.clone(), next.end);
                        intervals.push(next);
                    }
                }
                Some(("", 0.0))
            }
            _ => Some(("", 0.0)),
        };
        if id.bytes().all(|byte| byte.is_ascii_digit()) {
            ids.insert(id.clone());
        }
        match read {
            Some(("", _)) => {}
            Some((name, value)) => found.push((id, name, value, line)),
            None => sheet.unreadable(line, text),
        }
    }
    end(sheet, &mut run, &mut ids, &mut found, &mut intervals);
    let is_whole = sheet.metrics.iter().any(|metric| metric.name == "transfer-received");
    for metric in &mut sheet.metrics {
        metric.primary |= metric.name == if is_whole { "transfer-received" } else { "transfer" };
    }
}

/// The rate of a connection, or of their sum, in an interval. Times are seconds since the start of the test.
struct Interval {
    id: String,
    start: f64,
    end: f64,
    length: f64,
    rate: f64,
    line: u32,
}

impl Interval {
    fn of(id: &str, times: &str, rate: f64, unit: &str, line: u32) -> Option<Self> {
        let (start, end) = times.split_once('-')?;
        let (start, end, unit) = (number(start)?, number(end)?, known(unit)?);
        let rate = unit.scale.apply(rate);
        Some(Self { id: id.to_owned(), start, end, length: end - start, rate, line })
    }
}

const KEYS: &[Key] = &[
    Key::of_run("date", Role::Date, "start of the run"),
    Key::new("version", Role::Setting, "version of the harness"),
    Key::new("host", Role::Environment, "name of the machine"),
    Key::of_work("connections", Role::Setting, "number of connections at a time"),
    Key::of_work("duration", Role::Setting, "seconds that the test takes"),
    Key::of_work("bytes", Role::Setting, "number of bytes after which the test ends"),
    Key::of_work("blocks", Role::Setting, "number of blocks after which the test ends"),
    Key::of_work("size", Role::Setting, "bytes of a block"),
    Key::of_work("rate", Role::Setting, "bits per second of a connection that are asked for"),
    Key::of_work("fqrate", Role::Setting, "bits per second at which the system paces a connection"),
    Key::of_work("sock_bufsize", Role::Setting, "bytes of the buffers of a socket that are asked for"),
    Key::of_work("tcp_mss", Role::Setting, "bytes of a segment of TCP that are asked for"),
    Key::of_work("tos", Role::Setting, "type of service of the packets"),
];

const METRICS: &[Meaning] = &[
    Meaning::of("transfer", "bytes per second in an interval, all connections together"),
    Meaning::of("transfer-received", "bytes per second that arrive, over the whole test"),
    Meaning::of("retransmits", "segments of TCP that are sent again"),
    Meaning::of("jitter", "variation of the time that packets take"),
    Meaning::of("lost", "share of the packets that are lost"),
    Meaning::of("cpu-local", "share of a processor that this side takes"),
    Meaning::of("cpu-remote", "share of a processor that the other side takes"),
];

fn says_iperf(head: &Head<'_>, path: &'static str) -> Fit {
    let version = head.json()?.at(path).map(|node| &*node.text).unwrap_or_default();
    No::unless(version.starts_with("iperf"), "its version is not that of iperf")
}

/// Reads a test; false if it failed.
fn read_test(sheet: &mut Sheet, document: &Document<'_>, process: u32) -> io::Result<bool> {
    let failure = document.value("error", sheet)?;
    let line = document.get("error").map_or(0, |failure| failure.line);
    let was_interrupted = is_interruption(&failure);
    if failure != Value::Null && !was_interrupted {
        failed(sheet, &failure, line);
        return Ok(false);
    }
    let end = document.value("end", sheet)?;
    // iperf3 repeats keys of buffers for each connection; none of them is read.
    let start = document.value("start", &mut Sheet::new(&sheet.source))?;
    let mut test = Test::of(sheet, &start, &end, process);
    document.each("intervals", sheet, |sheet, interval, _| test.interval(sheet, interval))?;
    if was_interrupted {
        ended_early(sheet, &failure, line, &test);
        return Ok(test.first.is_some());
    }
    test.end(sheet, &end);
    Ok(true)
}

/// Whether a test ended because somebody stopped the program, here or on the other side. Its intervals are sound.
fn is_interruption(failure: &Value<'_>) -> bool {
    let starts = ["interrupt - ", "the client has terminated", "the server has terminated"];
    failure.text().is_some_and(|text| starts.iter().any(|start| text.starts_with(start)))
}

/// Reports a test that was stopped. Its end is not read: the sides did not exchange their sums, and a server divides
/// them by the time of the last interval that it knows.
fn ended_early(sheet: &mut Sheet, failure: &Value<'_>, line: u32, test: &Test) {
    if test.first.is_none() {
        return failed(sheet, failure, line);
    }
    let what = format!("the test was ended early: {}", excerpt(plain(failure)));
    let hint = "its intervals are read. Repeat the run if you need its totals";
    sheet.problem(Code::Truncated, line, what, hint);
}

fn failed(sheet: &mut Sheet, failure: &Value<'_>, line: u32) {
    let what = format!("the test failed: {}", excerpt(plain(failure)));
    sheet.problem(Code::NoResults, line, what, "repeat the run");
}

fn read_stream(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let (mut test, mut process) = (None::<Test>, 0);
    // The end of a test that was stopped comes before its error: it is read when it is certain that there is none.
    let mut end = None::<Value<'_>>;
    let whole = bytes.split(|&byte| byte == b'\n');
    for (line, text) in (1..).zip(whole).filter(|(_, text)| !text.trim_ascii().is_empty()) {
        // As in a document, keys of the start may be repeated.
        let object = match record(text, line, &mut Sheet::new(name)) {
            Ok(Some(object)) => object,
            Ok(None) => continue,
            Err(fault) => {
                broken_line(&mut sheet, &fault);
                continue;
            }
        };
        let Some(data) = object.get("data") else { continue };
        match (object.text_of("event"), &mut test) {
            (Some("start"), before) => {
                if let Some((before, end)) = before.as_ref().zip(end.take()) {
                    before.end(&mut sheet, &end);
                }
                *before = Some(Test::of(&mut sheet, data, &Value::Null, process));
                process += 1;
            }
            (Some("interval"), Some(test)) => test.interval(&mut sheet, data),
            (Some("end"), Some(test)) if !test.was_interrupted => end = Some(data.clone()),
            (Some("error"), Some(test)) if is_interruption(data) => {
                test.was_interrupted = true;
                end = None;
                ended_early(&mut sheet, data, line, test);
            }
            (Some("error"), _) => failed(&mut sheet, data, line),
            _ => {}
        }
    }
    if let Some((test, end)) = test.zip(end) {
        test.end(&mut sheet, &end);
    }
    Ok(vec![sheet])
}

/// What the start says.
struct Test {
    /// The protocol and, if the server sends, `reverse`.
    benchmark: String,
    /// The number of tests before it in the file.
    process: u32,
    /// The seconds of the first interval.
    first: Option<f64>,
    /// Start, end and bytes of the last interval, and whether it is omitted: a server that is left alone repeats it.
    last: [Option<String>; 4],
    /// Whether a stream has said that the test was ended early.
    was_interrupted: bool,
}

impl Test {
    /// Sets the configuration.
    fn of(sheet: &mut Sheet, start: &Value<'_>, end: &Value<'_>, process: u32) -> Self {
        let part = |key: &str| start.get(key).unwrap_or(&Value::Null);
        let test = part("test_start");
        let mut context: Context = stated(start, &[("version", "version")]);
        context.extend(stated(part("timestamp"), &[("time", "date")]));
        context.extend(stated(part("connecting_to"), &[("host", "host")]));
        context.extend(stated(end, &[("sender_tcp_congestion", "congestion")]));
        let work = [
            ("num_streams", "connections"),
            ("duration", "duration"),
            ("bytes", "bytes"),
            ("blocks", "blocks"),
            ("blksize", "size"),
            ("target_bitrate", "rate"),
            ("fqrate", "fqrate"),
            ("tos", "tos"),
        ];
        let sockets = stated(start, &["sock_bufsize", "tcp_mss"].map(|key| (key, key)));
        // What is no limit is 0.
        let all = stated(test, &work).into_iter().chain(sockets);
        context.extend(all.filter(|(_, value)| value != "0"));
        sheet.set_context(&context);
        let protocol = test.get("protocol").map_or_else(|| "test".to_owned(), plain);
        let reverse = test.get("reverse").is_some_and(|reverse| !reverse.is_zero());
        let benchmark = if reverse { format!("{protocol} reverse") } else { protocol };
        Self { benchmark, process, first: None, last: [const { None }; 4], was_interrupted: false }
    }

    /// The sums of the directions of an interval or of the end, each with its benchmark: `--bidir` has two.
    fn sums<'v>(&self, object: &'v Value<'v>, key: &str) -> Vec<(String, &'v Object<'v>)> {
        let found = |key: &str| object.object_of(key);
        let forth = found(key).map(|sum| (self.benchmark.clone(), sum));
        let back =
            found(&format!("{key}_bidir_reverse")).map(|sum| (format!("{} reverse", self.benchmark), sum));
        forth.into_iter().chain(back).collect()
    }

    fn interval(&mut self, sheet: &mut Sheet, interval: &Value<'_>) {
        let sum = interval.get("sum");
        let last =
            ["start", "end", "bytes", "omitted"].map(|key| sum.and_then(|sum| sum.get(key)).map(plain));
        let is_repeated = last[0].is_some() && last == self.last;
        self.last = last;
        if is_repeated {
            return sheet.dropped(1);
        }
        for (benchmark, sum) in self.sums(interval, "sum") {
            let seconds = sum.get("seconds").and_then(|seconds| number_of(sheet, seconds, sum.line));
            // What is left at the end of a test is an interval, too: a few hundredths of a second, with a rate of their own.
            let is_rest = self.first.zip(seconds).is_some_and(|(first, seconds)| seconds < first / 2.0);
            self.first = self.first.or(seconds);
            if is_rest || sum.get("omitted") == Some(&Value::Bool(true)) {
                sheet.dropped(1);
            } else {
                self.push(sheet, &benchmark, sum, "bits_per_second", "transfer");
            }
        }
    }

    fn end(&self, sheet: &mut Sheet, end: &Value<'_>) {
        for (benchmark, sum) in self.sums(end, "sum_received") {
            self.push(sheet, &benchmark, sum, "bits_per_second", "transfer-received");
            self.packets(sheet, &benchmark, sum);
        }
        for (benchmark, sum) in self.sums(end, "sum_sent") {
            self.push(sheet, &benchmark, sum, "retransmits", "retransmits");
        }
        // Versions before 3.7 have one sum for UDP.
        if end.get("sum_received").is_none() {
            for (benchmark, sum) in self.sums(end, "sum") {
                self.packets(sheet, &benchmark, sum);
            }
        }
        let shares = end.object_of("cpu_utilization_percent");
        for (key, name) in [("host_total", "cpu-local"), ("remote_total", "cpu-remote")] {
            if let Some(shares) = shares {
                self.push(sheet, &self.benchmark, shares, key, name);
            }
        }
    }

    /// Adds what is known of packets that arrived. A server that sends does not learn of them, and counts 0.
    fn packets(&self, sheet: &mut Sheet, benchmark: &str, sum: &Object<'_>) {
        for (key, name) in [("jitter_ms", "jitter"), ("lost_percent", "lost")] {
            if sum.get("packets").is_some_and(Value::is_zero) {
                sheet.dropped(1);
            } else {
                self.push(sheet, benchmark, sum, key, name);
            }
        }
    }

    /// Adds a field of an object, where it has it.
    fn push(&self, sheet: &mut Sheet, benchmark: &str, object: &Object<'_>, key: &str, name: &str) {
        let Some(value) = object.get(key) else { return };
        let line = object.line_of(key);
        // What a side does not measure is 0.
        if matches!(name, "transfer-received" | "cpu-remote") && value.is_zero() {
            return sheet.dropped(1);
        }
        let share =
            |name: &str| Metric { better: Some(Better::Lower), ..Metric::new(name, "%", Quantity::Other) };
        let (made, scale) = match name {
            "transfer" => (Metric::new(name, "B/s", Quantity::Throughput), Scale::Over(8.0)),
            "transfer-received" => {
                (Metric::new(name, "B/s", Quantity::Throughput).secondary(), Scale::Over(8.0))
            }
            "jitter" => (Metric::new(name, "s", Quantity::Time), Scale::Over(1e3)),
            "lost" => (share(name), Scale::Times(1.0)),
            "retransmits" => (load_metrics::described(name), Scale::Times(1.0)),
            _ => (share(name).secondary(), Scale::Times(1.0)),
        };
        let metric = sheet.metric(name, || made);
        let is_single = matches!(name, "transfer" | "lost" | "retransmits");
        let aggregate = (!is_single).then(Aggregate::default);
        let process = Some(self.process);
        let row = Measurement { benchmark, metric, line, process, aggregate, ..ROW };
        push_scaled(sheet, row, value, scale);
    }
}
