//! Gatling: the requests in `simulation.log`, and the statistics of the report.

use super::format::Companion;
use super::prelude::*;

/// The log of a run as text.
pub static LOG: Format = Format {
    name: "gatling",
    sign: "lines `RUN<tab>…` and `REQUEST<tab>…`",
    harness: "Gatling",
    export: "simulation.log as text, of versions before 3.13",
    files: &["*.log"],
    keys: &[&[
        Key::date("start of the run, in UTC"),
        Key::setting("simulation", "class of the simulation"),
        Key::setting("version", "version of the harness"),
    ]],
    metrics: &[
        Meaning::of("latency", "response time of a request that succeeded"),
        Meaning::of("latency-failed", "response time of a request that failed"),
        Meaning::of("failed", "1 for a request that failed, 0 for another: the mean is their share"),
        Meaning::of("group-time", "response times of the requests of a group together, which succeeded"),
        Meaning::of("group-time-failed", "the same of a group that failed"),
    ],
    companions: &[Companion {
        files: "files of the report beside simulation.log, except its statistics where the log is binary",
        what: "a file of Gatling's report",
        is: is_companion,
    }],
    words: &["RUN\t"],
    fits: |head| No::unless(is_log(head), "it has no such lines"),
    read: Read::Bytes(read_log),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

/// The log of a run of later versions.
pub static BINARY: Format = Format {
    name: "gatling-binary",
    sign: "a byte `0` and the version of Gatling",
    harness: "Gatling",
    values: Values::refused(
        "the binary simulation.log that later versions of Gatling write",
        "read js/stats.js of the report",
    ),
    fits: |head| No::unless(is_binary(head.bytes()), "it does not begin with such a record"),
    ..Format::PLAIN
};

/// The statistics of the report.
pub static STATS: Format = Format {
    name: "gatling-stats",
    sign: "an object with `numberOfRequests` and `meanNumberOfRequestsPerSecond`, or with `stats` that have them",
    harness: "Gatling",
    export: "js/stats.json of the report",
    metrics: &[
        Meaning::of("throughput", "requests per second over the run"),
        Meaning::of("errors", "requests that failed"),
        Meaning::of("latency-mean", "response time of the requests that succeeded, the mean"),
        Meaning::of("latency-min", "shortest response time"),
        Meaning::of("latency-max", "longest response time"),
        Meaning::of("latency-percentile1", "first percentile of the configuration, by default the median"),
        Meaning::of("latency-percentile2", "second percentile of the configuration, by default the 75th"),
        Meaning::of("latency-percentile3", "third percentile of the configuration, by default the 95th"),
        Meaning::of("latency-percentile4", "fourth percentile of the configuration, by default the 99th"),
    ],
    fits: |head| {
        let keys = ["numberOfRequests.ok", "meanNumberOfRequestsPerSecond.total"];
        let within = ["stats.numberOfRequests.ok", "stats.meanNumberOfRequestsPerSecond.total"];
        head.has_all_of(&[&within, &keys])
    },
    read: Read::Sheet(|sheet, content| read(sheet, &content.all()?, content)),
    ..Format::JSON_SUMMARY
};

/// The statistics of the report as a script; later versions write nothing else.
pub static SCRIPT: Format = Format {
    name: "gatling-script",
    sign: "a script that begins with `var stats = {` and has `numberOfRequests`",
    export: "js/stats.js of the report",
    files: &["*.js"],
    words: &["var stats = {"],
    fits: |head| {
        let begins = head.first_line() == b"var stats = {";
        No::unless(begins && head.has("numberOfRequests"), "it does not begin so")
    },
    read: Read::Sheet(|sheet, content| read(sheet, &document_of(&content.all()?), content)),
    ..STATS
};

/// Whether a log is the text of earlier versions, which has the samples of its statistics.
fn is_text(log: &Path) -> bool {
    let mut begin = [0; 1];
    let file = std::fs::File::open(log).and_then(|mut file| io::Read::read(&mut file, &mut begin));
    file.is_ok_and(|read| read == 1) && begin[0] != 0
}

fn is_companion(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let folders = [path.parent(), path.parent().and_then(Path::parent)].into_iter().flatten();
    // The log alone may lie in a folder of other results.
    let report = folders.into_iter().find(|folder| {
        folder.join("simulation.log").is_file() && folder.join("js").join("stats.js").is_file()
    });
    // Both files of statistics say the same; later versions do not write the first.
    report.is_some_and(|report| match name {
        "simulation.log" => false,
        "stats.json" => is_text(&report.join("simulation.log")),
        "stats.js" => {
            is_text(&report.join("simulation.log")) || report.join("js").join("stats.json").is_file()
        }
        _ => true,
    })
}

fn is_log(head: &Head<'_>) -> bool {
    let fields = |line: &[u8]| line.split(|&byte| byte == b'\t').count();
    let mut lines = head.lines().take(2000);
    lines.any(|line| line.starts_with(b"RUN\t") && fields(line) >= 4)
        && head.lines().any(|line| line.starts_with(b"REQUEST\t") || line.starts_with(b"USER\t"))
}

/// Whether the file begins with the record of a run: a byte 0, and the version as a text with its
/// length in four bytes.
fn is_binary(bytes: &[u8]) -> bool {
    let text = |at: usize| {
        let length = bytes.get(at..at + 4)?;
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let text = bytes.get(at + 4..(at + 4).checked_add(length)?)?;
        (length > 0 && text.iter().all(u8::is_ascii_graphic)).then_some(text)
    };
    let version = text(1).filter(|_| bytes.first() == Some(&0));
    version.is_some_and(|version| version[0].is_ascii_digit() && version.contains(&b'.'))
}

const MILLISECONDS: f64 = 1e3;

fn read_log(sheet: &mut Sheet, bytes: &[u8]) {
    // A line may end in an empty field.
    let all = bytes.split(|&byte| byte == b'\n');
    for (line, text) in (1..).zip(all) {
        let text = lossless(text.strip_suffix(b"\r").unwrap_or(text));
        let fields: Vec<&str> = text.split('\t').collect();
        match fields[0] {
            "RUN" => {
                sheet.next_run();
                set_run(sheet, &fields);
            }
            "REQUEST" => request(sheet, &fields, line),
            "GROUP" => group(sheet, &fields, line),
            // Users, errors and assertions have no times; messages may have several lines.
            _ => {}
        }
    }
}

/// `RUN class id start description version`. Before 3.0 the file has a field more after the class.
fn set_run(sheet: &mut Sheet, fields: &[&str]) {
    let is_start = |field: &&&str| field.len() == 13 && field.bytes().all(|byte| byte.is_ascii_digit());
    let start = fields.iter().find(is_start).map(|start| timestamps::of_unix(start, 1e3));
    let version = fields.last().filter(|version| version.starts_with(|first: char| first.is_ascii_digit()));
    let stated =
        [("date", start.as_deref()), ("simulation", fields.get(1).copied()), ("version", version.copied())];
    let context = stated.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?.to_owned())));
    sheet.set_context(&context.collect::<Vec<_>>());
}

/// `REQUEST groups name start end OK message`. Before 3.4 the user comes first, before 3.0 the scenario and the user.
fn request(sheet: &mut Sheet, fields: &[&str], line: u32) {
    let whole = |place: usize| fields[place].parse::<i64>().ok();
    let found = (5..=7.min(fields.len().saturating_sub(1))).find_map(|place| {
        let succeeded = state(fields[place])?;
        Some((fields[place - 4], fields[place - 3], whole(place - 2)?, whole(place - 1)?, succeeded))
    });
    let Some((groups, name, start, end, succeeded)) = found else { return broken(sheet, fields, line) };
    let benchmark = if groups.is_empty() { name.to_owned() } else { format!("{} / {name}", path(groups)) };
    // An answer that no request expected has no end.
    if end == i64::MIN {
        return sheet.dropped(1);
    }
    let row = Measurement { benchmark: &benchmark, line, process: Some(0), ..ROW };
    let time = i128::from(end) - i128::from(start);
    load_metrics::push_request(sheet, row, succeeded, time as f64 / MILLISECONDS);
}

/// `GROUP groups start end time OK`, with the same fields before; the time is that of its requests together.
fn group(sheet: &mut Sheet, fields: &[&str], line: u32) {
    let &[_, .., groups, _, _, time, status] = fields else { return broken(sheet, fields, line) };
    let Some((succeeded, time)) = state(status).zip(time.parse::<i64>().ok()) else {
        return broken(sheet, fields, line);
    };
    let benchmark = path(groups);
    let row = Measurement { benchmark: &benchmark, line, process: Some(0), ..ROW };
    let name = if succeeded { "group-time" } else { "group-time-failed" };
    load_metrics::push(sheet, row, name, time as f64 / MILLISECONDS);
}

/// The names of nested groups, as Gatling's report writes them.
fn path(groups: &str) -> String {
    groups.replace(',', " / ")
}

fn state(field: &str) -> Option<bool> {
    match field {
        "OK" => Some(true),
        "KO" => Some(false),
        _ => None,
    }
}

fn broken(sheet: &mut Sheet, fields: &[&str], line: u32) {
    sheet.no_row(line, fields.join("\t"));
}

// The statistics of Gatling's report: `stats.json`, a tree of groups and requests, and `global_stats.json`.

/// Times of requests, in milliseconds. What the percentiles are is configured and not in the file.
const TIMES: [(&str, &str); 7] = [
    ("meanResponseTime", "mean"),
    ("minResponseTime", "min"),
    ("maxResponseTime", "max"),
    ("percentiles1", "percentile1"),
    ("percentiles2", "percentile2"),
    ("percentiles3", "percentile3"),
    ("percentiles4", "percentile4"),
];

/// The object of a script as JSON: some keys stand without quotes at the beginning of a line, and functions follow.
fn document_of(script: &[u8]) -> Vec<u8> {
    let object = script.trim_ascii_start().strip_prefix(b"var stats = ").unwrap_or(script);
    let end = memchr::memmem::find(object, b"\nfunction ").unwrap_or(object.len());
    let mut document = Vec::with_capacity(end + end / 8);
    for line in object[..end].split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii_start();
        let letters = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if letters > 0 && text.get(letters) == Some(&b':') {
            document.extend([b"\"", &text[..letters], b"\"", &text[letters..]].concat());
        } else {
            document.extend(line);
        }
    }
    document
}

fn read(sheet: &mut Sheet, bytes: &[u8], content: &Content) -> io::Result<()> {
    let root = Span::new(bytes, 1, content.budget.limits.values).value(sheet)?;
    let mut left = vec![&root];
    while let Some(node) = left.pop() {
        let inner = node.object_of("contents");
        // The statistics of all requests repeat those of each.
        if inner.is_none() || !std::ptr::eq(node, &raw const root) {
            entry(sheet, node);
        }
        let below: Vec<&Value<'_>> = inner.into_iter().flat_map(Object::iter).map(|(_, node)| node).collect();
        left.extend(below.into_iter().rev());
    }
    load_metrics::choose(sheet);
    Ok(())
}

/// A request, a group, or the whole of `global_stats.json`.
fn entry(sheet: &mut Sheet, node: &Value<'_>) {
    let stats = node.get("stats").unwrap_or(node);
    let text = |key: &str| node.text_of(key).filter(|text| !text.is_empty());
    let needed = text("path").or_else(|| text("name")).zip(stats.object());
    let Some((benchmark, object)) = sheet.need(needed, 0, "name") else { return };
    let is_group = text("type") == Some("GROUP");
    let number = |sheet: &mut Sheet, key: &str, part: &str| {
        let value = object.get(key)?.get(part)?;
        // No request has this state.
        if value.text() == Some("-") {
            sheet.dropped(1);
            return None;
        }
        let line = object.line_of(key);
        let parsed = number_of(sheet, value, line);
        if parsed.is_none() {
            sheet.no_number(line, key, benchmark, plain(value));
        }
        parsed
    };
    let row = Measurement {
        benchmark,
        process: Some(0),
        line: object.line,
        aggregate: Some(Aggregate::default()),
        ..ROW
    };
    let shared =
        [("throughput", "meanNumberOfRequestsPerSecond", "total"), ("errors", "numberOfRequests", "ko")];
    for (name, key, part) in shared.into_iter().filter(|_| !is_group) {
        if let Some(value) = number(sheet, key, part) {
            load_metrics::push(sheet, Measurement { line: object.line_of(key), ..row }, name, value);
        }
    }
    let prefix = if is_group { "group-time" } else { "latency" };
    for (part, prefix) in [("ok", prefix.to_owned()), ("ko", format!("{prefix}-failed"))] {
        let count = number(sheet, "numberOfRequests", part);
        if count.is_none_or(|count| count == 0.0) {
            continue;
        }
        let spread = number(sheet, "standardDeviation", part).map(|time| time / MILLISECONDS);
        for (key, name) in TIMES {
            let Some(time) = number(sheet, key, part) else { continue };
            let deviation = spread.filter(|_| name == "mean");
            let aggregate = Some(Aggregate { count, deviation });
            let row = Measurement { line: object.line_of(key), aggregate, ..row };
            load_metrics::push(sheet, row, &format!("{prefix}-{name}"), time / MILLISECONDS);
        }
    }
}
