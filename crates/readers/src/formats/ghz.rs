//! ghz's JSON and CSV: a record for each call.

use super::labelled::{Part, Report};
use super::load_metrics::{push, push_request};
use super::load_run::body;
use super::prelude::*;
use super::records::{Field, Summary};

pub static FORMAT: Format = Format {
    name: "ghz",
    sign: "an object with `endReason`, `latencyDistribution`, and `details` that hold `latency` and `status`",
    harness: "ghz",
    export: "ghz -O json -o FILE",
    keys: &[&[
        Key::date("start of the run"),
        Key::work("concurrency", "calls at a time"),
        Key::work("connections", "open connections"),
        Key::work("rate", "calls per second that are asked for"),
        Key::work("load-schedule", "how the rate changes, where it does"),
        Key::work("concurrency-schedule", "how the concurrency changes, where it does"),
        Key::work("async", "whether calls do not wait for others"),
        Key::work("data", "data of the calls"),
        Key::work("enable-compression", "whether data are compressed"),
        Key::work("insecure", "whether connections are not encrypted"),
        Key::work("stream-interval", "nanoseconds between messages of a stream").detail(),
        Key::work("stream-call-count", "number of messages of a stream").detail(),
        Key::work("stream-call-duration", "nanoseconds that a stream lasts").detail(),
        Key::environment("host", "address of the server"),
    ]],
    metrics: METRICS,
    fits: |head| head.has_all(&["endReason", "rps", "latencyDistribution", "statusCodeDistribution"]),
    read: Read::Document(read),
    ..Format::JSON
};

const METRICS: &[Meaning] = &[
    Meaning::of("latency", "time of a call that succeeded"),
    Meaning::of("latency-failed", "time of a call that failed"),
    Meaning::of("failed", "whether the call failed: 1 or 0"),
    Meaning::of("throughput", "calls a second"),
    Meaning::of("latency-mean", "mean time of a call, where the file has none of the calls"),
    Meaning::of("latency-p99", "99th percentile of the time of a call, likewise"),
];

/// The CSV, with a row for each call.
pub static CSV: Format = Format {
    name: "ghz-csv",
    sign: "a header `duration (ms),status,error`",
    harness: "ghz",
    export: "ghz -O csv -o FILE",
    // Its rows have no summaries.
    metrics: METRICS.split_at(3).0,
    fits: |head| No::unless(head.header_line() == HEADER.as_bytes(), "its first line is not that header"),
    read: Read::Bytes(read_csv),
    ..Format::CSV
};

const HEADER: &str = "duration (ms),status,error";

pub static TEXT: Format = Format {
    name: "ghz-text",
    sign: "a line `Summary:` and below it `Count:`, `Slowest:` with a unit such as `ms`, and `Requests/sec:`",
    harness: "ghz",
    printed_by: &["ghz"],
    hides_settings: true,
    own_labels: &["Error distribution"],
    metrics: &[
        Meaning::of("throughput", "calls a second"),
        Meaning::of("latency-mean", "mean time of a call"),
        Meaning::of("latency-min", "shortest time of a call"),
        Meaning::of("latency-max", "longest time of a call"),
        Meaning::of("latency-p50", "median time of a call"),
        Meaning::of("latency-p99", "99th percentile of the time of a call"),
        Meaning::of("errors", "calls of another status than OK"),
    ],
    words: &["Slowest:"],
    fits: |head| {
        labelled::has_lines(head, &["Summary:", "Count: *", "Total: *", "Slowest: *", "Requests/sec: *"])
    },
    read: Read::Report(&Report {
        benchmark: "calls",
        parts: &[
            Part::run(
                &["Summary:"],
                &[
                    "Count: <count>",
                    "Slowest: <latency-max>",
                    "Fastest: <latency-min>",
                    "Average: <latency-mean>",
                    "Requests/sec: <throughput 1>",
                    "[OK] * responses",
                    "[*] <+errors> responses",
                ],
            ),
            Part::of(&["Latency distribution:"], &["<label> % in <latency-p*>"]),
        ],
        ..Report::PLAIN
    }),
    ..Format::REPORT
};

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    let options = document.value("options", sheet)?;
    let benchmark = options.text_of("call").unwrap_or("calls").to_owned();
    let date = document.value("date", sheet)?;
    let mut context = Vec::new();
    context.extend(date.text().map(|date| ("date".to_owned(), date.to_owned())));
    context.extend(work(&options));
    sheet.set_context(&context);
    let row = Measurement { benchmark: &benchmark, process: Some(0), ..ROW };
    let rate = document.value("rps", sheet)?;
    if let Some(rate) = number_of(sheet, &rate, 1) {
        let aggregate = Some(Aggregate { count: None, deviation: None });
        push(sheet, Measurement { aggregate, line: 1, ..row }, "throughput", rate);
    }
    if !document.get("details").is_some_and(Span::is_list) {
        let parts = ["average", "fastest", "slowest", "latencyDistribution"];
        let mut run = Run { context, ..Run::default() };
        let document = document.only(&parts, sheet)?;
        SUMMARY.take(sheet, &mut run, &benchmark, &document);
        run.end(sheet);
        return Ok(());
    }
    // Without --skipFirst and other options that leave calls out, every call has its details.
    document.each("details", sheet, |sheet, call, line| {
        let status = call.text_of("status");
        let latency = call.get("latency").and_then(|latency| number_of(sheet, latency, line));
        let Some((status, latency)) = sheet.need(status.zip(latency), line, "latency or status") else {
            return;
        };
        push_request(sheet, Measurement { line, ..row }, status == "OK", latency / 1e9);
    })?;
    Ok(())
}

/// What is asked of ghz.
fn work(options: &Value<'_>) -> Context {
    let same = |key| (key, key);
    let fields = [
        same("concurrency"),
        same("connections"),
        ("rps", "rate"),
        same("async"),
        same("enable-compression"),
        same("insecure"),
        same("stream-interval"),
        same("stream-call-count"),
        same("stream-call-duration"),
        same("host"),
    ];
    let mut found = stated(options, &fields);
    found.retain(|(_, value)| !matches!(&**value, "0" | "false"));
    let data = options.get("data").filter(|data| **data != Value::Null).map(plain);
    found.extend(data.map(|data| ("data".to_owned(), body(&data))));
    for stem in ["load", "concurrency"] {
        let key = format!("{stem}-schedule");
        let kind = options.text_of(&key).filter(|kind| *kind != "const");
        let part = |part: &str| Some((part.to_owned(), plain(options.get(&format!("{stem}-{part}"))?)));
        let parts = ["start", "end", "step", "step-duration", "max-duration"].into_iter().filter_map(part);
        let parts = parts.filter(|(_, value)| value != "0").map(|(part, value)| format!("{part} {value}"));
        found.extend(kind.map(|kind| {
            let all: Vec<String> = std::iter::once(kind.to_owned()).chain(parts).collect();
            (key.clone(), all.join(", "))
        }));
    }
    found
}

/// What the file says of all calls, which may be all that is left of it. A time of 0 is that of no call.
const SUMMARY: Summary = Summary {
    fields: &[
        Field::of("latency-mean", "average", "ns").zero_is_none(),
        Field::of("latency-min", "fastest", "ns").zero_is_none(),
        Field::of("latency-max", "slowest", "ns").zero_is_none(),
        Field::of("latency-p*", "latencyDistribution.[percentage].latency", "ns").zero_is_none(),
    ],
    null_is_none: true,
    ..Summary::PLAIN
};

fn read_csv(sheet: &mut Sheet, bytes: &[u8]) {
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if text == HEADER {
            sheet.next_run();
        }
        if text.is_empty() || text.starts_with('#') || text == HEADER {
            continue;
        }
        // ghz puts no quotes around an error, which may have commas.
        let mut cells = text.splitn(3, ',');
        let (time, status) = (cells.next().unwrap_or_default(), cells.next());
        let (Some(time), Some(status)) = (number(time), status) else {
            sheet.unreadable(line, text);
            continue;
        };
        let row = Measurement { benchmark: "calls", line, process: Some(0), ..ROW };
        push_request(sheet, row, status == "OK", time / 1e3);
    }
}
