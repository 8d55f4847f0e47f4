//! ioping: the latency of each request, from its text or its JSON.

use std::io;
use std::path::Path;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::No;
use super::ioping_summary::{self as summary, Summary};
use super::json::{Span, Value, number_of, plain};
use super::lines;
use crate::context::Context;
use crate::metric::{Metric, Quantity};
use crate::sheet::Measurement;
use crate::source::{Content, MARK};
use crate::text::{excerpt, number};
use crate::{Code, Options, Sheet};

/// What ioping prints, once or several times.
pub static TEXT: Format = Format {
    name: "ioping",
    sign: "lines such as `4 KiB <<< . (ext4 /dev/vda 252.0 GiB): request=1 time=116.1 us`, or, with -q and -R, only \
           `min/avg/max/mdev = 1.1 us / 1.5 us / 9.2 us / 1.1 us`",
    harness: "ioping",
    export: "standard output; -J has all digits",
    values: Values::Samples,
    processes: Processes::OneAFile,
    keys: &[KEYS],
    metrics: &[
        LATENCY,
        Meaning::of("latency-mean", "mean time of a request, where the file has none of the requests"),
        Meaning::of("latency-min", "shortest time of a request, likewise"),
        Meaning::of("latency-max", "longest time of a request, likewise"),
        Meaning::of("throughput", "requests per second of the time that they took, likewise"),
        Meaning::of("transfer", "bytes per second of that time, likewise"),
    ],
    fits: |head| {
        let is_sign = |line: &str| request(line).is_some() || summary::has_times(line);
        let is_request = |line: &[u8]| std::str::from_utf8(line).is_ok_and(is_sign);
        No::unless(head.lines().any(is_request), "it has no such line")
    },
    read,
    ..Format::PLAIN
};

/// The JSON of `-J`.
pub static JSON: Format = Format {
    name: "ioping-json",
    sign: "a list of objects with `target`, and `io` that holds `request` and `ignored`",
    harness: "ioping",
    export: "ioping -J",
    files: &["*.json"],
    values: Values::Samples,
    processes: Processes::OneAFile,
    keys: &[KEYS],
    metrics: &[LATENCY],
    fits: |head| head.has_all(&["[].target.device", "[].io.request", "[].io.ignored"]),
    read: read_json,
    ..Format::PLAIN
};

const KEYS: &[Key] = &[
    Key::new("target", Role::Setting, "file, directory or device that was read or written"),
    Key::new(
        "device",
        Role::Environment,
        "device of the target; the text also has its file system and its size",
    ),
    Key::of_work("size", Role::Setting, "size of a request"),
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
    let signs = [(" <<< ", "read"), (" >>> ", "write"), (" from ", summary::REQUESTS)];
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
    let value = number(digits.as_bytes())?;
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

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let (mut process, mut last) = (0, 0);
    // Whether the requests of a run are there, so that its summary is not needed.
    let (mut has_requests, mut only) = (false, None::<Summary>);
    for (line, text) in lines::numbered(&bytes).collect::<Vec<_>>() {
        if let Some(named) = summary::title(text).filter(|_| !std::mem::take(&mut has_requests)) {
            process += u32::from(last > 0);
            // The next request is of another run.
            last = u64::MAX;
            only = Some(Summary::of(named, process));
        }
        if only.as_mut().is_some_and(|only| only.line(&mut sheet, text, line)) {
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
        let Some(value) = seconds(found.time) else {
            let what = format!("the time is `{}`, not a time", excerpt(found.time.as_bytes()));
            sheet.problem(Code::MalformedNumber, line, what, "was the file cut or edited?");
            continue;
        };
        let keys = [("target", found.target), ("device", found.device), ("size", found.size)];
        sheet.set_context(&keys.map(|(key, value)| (key.to_owned(), value.to_owned())));
        push(&mut sheet, found.operation, value, process, line);
    }
    sheet.count(&content.budget)?;
    Ok(vec![sheet])
}

fn push(sheet: &mut Sheet, benchmark: &str, value: f64, process: u32, line: u32) {
    let metric = sheet.metric("latency", || Metric::new("latency", "s", Quantity::Time));
    let process = Some(process);
    sheet.push(Measurement { benchmark, metric, value, line, process, ..Measurement::default() });
}

fn read_json(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let text = bytes.strip_prefix(MARK).unwrap_or(&bytes);
    let all = Span::new(text, 1, content.budget.limits.values);
    let mut parsing = Sheet::new(name);
    all.each(&mut parsing, |_, row, line| {
        let io = row.get("io").filter(|io| io.object().is_some());
        if let Some(io) = io {
            one(&mut sheet, row, io, line);
        }
    })?;
    sheet.take_problems(&mut parsing);
    sheet.count(&content.budget)?;
    Ok(vec![sheet])
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
