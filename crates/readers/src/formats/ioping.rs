//! ioping: the latency of each request, from its text or its JSON.

use super::prelude::*;
use crate::encoding::MARK;

/// What ioping prints, once or several times.
pub static TEXT: Format = Format {
    name: "ioping",
    sign: "lines such as `4 KiB <<< . (ext4 /dev/vda 252.0 GiB): request=1 time=116.1 us`, or, with -q and -R, only \
           `min/avg/max/mdev = 1.1 us / 1.5 us / 9.2 us / 1.1 us`",
    harness: "ioping",
    export: "standard output; -J has all digits",
    processes: Processes::OneAFile,
    printed_by: &["ioping"],
    keys: &[KEYS],
    metrics: &[
        LATENCY,
        Meaning::of("latency-mean", "mean time of a request, where the file has none of the requests"),
        Meaning::of("latency-min", "shortest time of a request, likewise"),
        Meaning::of("latency-max", "longest time of a request, likewise"),
        Meaning::of("throughput", "requests per second of the time that they took, likewise"),
        Meaning::of("transfer", "bytes per second of that time, likewise"),
    ],
    words: &["): request=", TIMES],
    fits: |head| head.has_line(|line| request(line).is_some() || has_times(line)),
    read: Read::Bytes(read),
    ..Format::PLAIN
};

/// The JSON of `-J`.
pub static JSON: Format = Format {
    name: "ioping-json",
    sign: "a list of objects with `target`, and `io` that holds `request` and `ignored`",
    harness: "ioping",
    export: "ioping -J",
    keys: &[KEYS],
    metrics: &[LATENCY],
    fits: |head| head.has_all(&["[].target.device", "[].io.request", "[].io.ignored"]),
    read: Read::Sheet(read_json),
    ..Format::JSON
};

const KEYS: &[Key] = &[
    Key::setting("target", "file, directory or device that was read or written"),
    Key::environment("device", "device of the target; the text also has its file system and its size"),
    Key::work("size", "size of a request"),
];

const LATENCY: Meaning =
    Meaning::of("latency", "time of a request; the first ones, for warming up, are left out");

/// A line of a request.
struct Request<'a> {
    size: &'a str,
    /// `read` or `write`; before version 1.0 a line does not say which.
    operation: &'static str,
    target: &'a str,
    device: &'a str,
    number: u64,
    time: &'a str,
    /// Whether ioping itself does not count it: `(warmup)`, `(too fast)`, but not `(slow)`.
    is_ignored: bool,
}

/// The notes of requests that are not counted.
const IGNORED: [&str; 3] = ["warmup", "too fast", "too slow"];

/// Reads `4 KiB <<< . (ext4 /dev/vda 252.0 GiB): request=1 time=116.1 us (warmup)`; with `-I` a date stands before it.
/// Before version 1.0 it is `4 KiB from . (ext4 /dev/sdb1): request=1 time=201 us`, or `4096 bytes from`.
fn request(line: &str) -> Option<Request<'_>> {
    let (before, after) = line.rsplit_once("): request=")?;
    let (number, time) = after.split_once(" time=")?;
    let signs = [(" <<< ", "read"), (" >>> ", "write"), (" from ", REQUESTS)];
    let (size, rest, operation) = signs.into_iter().find_map(|(sign, operation)| {
        let (size, rest) = before.split_once(sign)?;
        let (before, unit) = size.trim_end().rsplit_once(' ')?;
        let number = before.trim_end().rsplit(' ').next()?;
        Some((&size[size.rfind(&format!("{number} {unit}"))?..], rest, operation))
    })?;
    let (target, device) = rest.rsplit_once(" (")?;
    let (time, note) = time.split_once(" (").map_or((time, None), |(time, note)| (time, Some(note)));
    let number = number.trim().parse().ok()?;
    let is_ignored = note.is_some_and(|note| IGNORED.contains(&note.trim_end().trim_end_matches(')')));
    Some(Request { size: size.trim(), operation, target, device, number, time, is_ignored })
}

/// The seconds of `116.1 us`.
pub(super) fn seconds(time: &str) -> Option<f64> {
    let (digits, unit) = time.trim().split_once(' ')?;
    let value = number(digits)?;
    match unit {
        "ns" => Some(value / 1e9),
        "us" => Some(value / 1e6),
        "ms" => Some(value / 1e3),
        "s" => Some(value),
        "min" => Some(value * 60.0),
        "hour" => Some(value * 3600.0),
        _ => None,
    }
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut process, mut last) = (0, 0);
    // Whether the requests of a run are there, so that its summary is not needed.
    let (mut has_requests, mut only) = (false, None::<Summary>);
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if let Some(named) = title(text).filter(|_| !std::mem::take(&mut has_requests)) {
            process += u32::from(last > 0);
            // The next request is of another run.
            last = u64::MAX;
            only = Some(Summary::of(named, process));
        }
        if only.as_mut().is_some_and(|only| only.line(sheet, text, line)) {
            only = None;
        }
        let Some(found) = request(text) else { continue };
        has_requests = true;
        // Each run counts its requests anew.
        process += u32::from(found.number <= last);
        last = found.number;
        if found.is_ignored {
            sheet.dropped(1);
            continue;
        }
        let Some(value) = sheet.need_number(seconds(found.time), line, "the time", "", found.time) else {
            continue;
        };
        let keys = [("target", found.target), ("device", found.device), ("size", found.size)];
        sheet.set_context(&keys.map(|(key, value)| (key.to_owned(), value.to_owned())));
        push(sheet, found.operation, value, process, line);
    }
}

fn push(sheet: &mut Sheet, benchmark: &str, value: f64, process: u32, line: u32) {
    let metric = sheet.metric("latency", || Metric::new("latency", "s", Quantity::Time));
    let process = Some(process);
    sheet.push(Measurement { benchmark, metric, value, line, process, ..ROW });
}

fn read_json(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let text = bytes.strip_prefix(MARK).unwrap_or(&bytes);
    let all = Span::new(text, 1, content.budget.limits.values);
    let mut parsing = Sheet::new(&sheet.source);
    all.each(&mut parsing, |_, row, line| {
        let io = row.get("io").filter(|io| io.object().is_some());
        if let Some(io) = io {
            one(sheet, row, io, line);
        }
    })?;
    sheet.take_problems(&mut parsing);
    sheet.count(&content.budget)
}

/// Adds the request of an object. The last one has the statistics of the run instead.
fn one(sheet: &mut Sheet, row: &Value<'_>, io: &Value<'_>, line: u32) {
    if matches!(io.get("ignored"), Some(Value::Bool(true))) {
        return sheet.dropped(1);
    }
    let time = io.get("time").unwrap_or(&Value::Null);
    let Some(nanoseconds) = number_of(sheet, time, line) else { return };
    let of = |key: &str| row.get("target").and_then(|target| target.get(key)).map(plain).unwrap_or_default();
    let mut keys: Context = vec![("target".to_owned(), of("path"))];
    keys.push(("device".to_owned(), of("device")));
    keys.push(("size".to_owned(), io.get("size").map(plain).map(binary).unwrap_or_default()));
    sheet.set_context(&keys);
    let operation = io.get("operation").map(plain).unwrap_or_default();
    push(sheet, &operation, nanoseconds / 1e9, 0, line);
}

/// A number of bytes as the text of ioping has it: `4 KiB`.
pub(super) fn binary(bytes: String) -> String {
    let Ok(mut size) = bytes.parse::<u64>() else { return bytes };
    let mut units = ["B", "KiB", "MiB", "GiB"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    while size > 0 && size.is_multiple_of(1024) {
        let Some(larger) = units.next() else { break };
        (size, unit) = (size / 1024, larger);
    }
    format!("{size} {unit}")
}

// The summary of ioping, which is all that it prints with `-q` and `-R`.

/// The end of the first line of a summary.
const TITLE: &str = " ioping statistics ---";
/// The begin of the last one.
const TIMES: &str = "min/avg/max/mdev = ";

/// The benchmark of requests that are not said to be reads or writes.
pub(super) const REQUESTS: &str = "requests";

/// Whether a line has the times of a summary, each with its unit.
pub(super) fn has_times(line: &str) -> bool {
    line.strip_prefix(TIMES).is_some_and(|times| times.split(" / ").count() == 4)
}

/// The target and the device of `--- . (ext4 /dev/vda 252.0 GiB) ioping statistics ---`.
pub(super) fn title(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("--- ")?.strip_suffix(TITLE)?.strip_suffix(')')?.rsplit_once(" (")
}

/// A run of which there is only a summary.
pub(super) struct Summary {
    run: Run,
    benchmark: &'static str,
}

impl Summary {
    pub(super) fn of((target, device): (&str, &str), process: u32) -> Self {
        let mut run = Run { process, ..Run::default() };
        run.state("target", target);
        run.state("device", device);
        Self { run, benchmark: REQUESTS }
    }

    /// Reads a line; true if the summary is over.
    pub(super) fn line(&mut self, sheet: &mut Sheet, text: &str, line: u32) -> bool {
        if let Some((requests, rest)) = text.split_once(" requests completed in ") {
            self.rates(requests, rest, line).unwrap_or_else(|| sheet.unreadable(line, text));
            // Without requests there are no times.
            return self.run.count == Some(0.0);
        }
        let Some(times) = text.strip_prefix(TIMES) else { return false };
        self.times(times, line).unwrap_or_else(|| sheet.unreadable(line, text));
        self.run.end(sheet);
        true
    }

    /// Reads `6.33 ms, 36 KiB read, 1.42 k iops, 5.55 MiB/s`; before version 1.0 it does not say what was moved.
    fn rates(&mut self, requests: &str, rest: &str, line: u32) -> Option<()> {
        let count = thousands(requests)?;
        self.run.count = Some(count);
        if count == 0.0 {
            return Some(());
        }
        let (moved, rate, transfer) = match rest.split(", ").collect::<Vec<_>>()[..] {
            [_, moved, rate, transfer] => (Some(moved), rate, transfer),
            [_, rate, transfer] => (None, rate, transfer),
            _ => return None,
        };
        if let Some(moved) = moved {
            self.moved(moved, count)?;
        }
        self.run.add(self.benchmark, "throughput", thousands(rate.strip_suffix(" iops")?)?, line);
        self.run.add(self.benchmark, "transfer", bytes(transfer.strip_suffix("/s")?)?, line);
        Some(())
    }

    /// Reads `36 KiB read` of so many requests.
    fn moved(&mut self, moved: &str, count: f64) -> Option<()> {
        let (amount, verb) = moved.rsplit_once(' ')?;
        self.benchmark = if verb == "written" { "write" } else { "read" };
        // The amount has three digits, and the size of a request is a power of two in most cases.
        let size = bytes(amount)? / count;
        let power = size.log2().round().exp2();
        if (size / power - 1.0).abs() < 0.02 {
            self.run.state("size", &binary(power.to_string()));
        }
        Some(())
    }

    /// Reads `570.6 us / 703.4 us / 831.0 us / 89.8 us`.
    fn times(&mut self, times: &str, line: u32) -> Option<()> {
        let times: Option<Vec<f64>> = times.split(" / ").map(seconds).collect();
        let [least, mean, most, deviation] = times?[..] else { return None };
        self.run.add(self.benchmark, "latency-min", least, line);
        self.run.add_mean(self.benchmark, "latency-mean", mean, Some(deviation), line);
        self.run.add(self.benchmark, "latency-max", most, line);
        Some(())
    }
}

/// A number whose prefix stands behind a blank: `1.42 k`.
fn thousands(text: &str) -> Option<f64> {
    let (digits, prefix) = text.split_once(' ').unwrap_or((text, ""));
    let factor = match prefix {
        "" => 1.0,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => return None,
    };
    Some(number(digits)? * factor)
}

/// The bytes of `36 KiB`.
fn bytes(text: &str) -> Option<f64> {
    let (digits, unit) = text.split_once(' ')?;
    let known = meaning(unit);
    (known.quantity == Quantity::Bytes).then_some(known.scale.apply(number(digits)?))
}
