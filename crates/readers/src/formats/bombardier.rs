//! bombardier's JSON: the summary of a run.

use super::load_run::body;
use super::prelude::*;
use super::records::{Field, Summary};
use super::wrk;

pub static FORMAT: Format = Format {
    name: "bombardier",
    sign: "an object with `spec` that holds `numberOfConnections`, and with `result` that holds `timeTakenSeconds`",
    harness: "bombardier",
    export: "bombardier -l -p r -o json URL > FILE",
    files: &["*.json"],
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    keys: &[&[
        Key::of_work("method", Role::Setting, "method of the requests"),
        Key::of_work("connections", Role::Setting, "open connections"),
        Key::of_work("requests", Role::Setting, "number of requests"),
        Key::of_work("duration", Role::Setting, "how long the run lasts"),
        Key::of_work("rate", Role::Setting, "requests per second that are asked for"),
        Key::of_work("body", Role::Setting, "body of the requests, or the file that it is in"),
        Key::of_work("stream", Role::Setting, "whether bodies are sent in chunks"),
        Key::of_work("headers", Role::Setting, "headers that change what is sent and received"),
        Key::new("client", Role::Setting, "client library"),
    ]],
    // It states no rate of bytes.
    metrics: METRICS.split_at(7).0,
    fits: |head| {
        head.has_all(&["spec.numberOfConnections", "result.timeTakenSeconds", "result.latency", "result.rps"])
    },
    read: Read::Document(read),
    ..Format::PLAIN
};

pub static TEXT: Format = Format {
    name: "bombardier-text",
    sign: "a line `Statistics  Avg  Stdev  Max` and below it `Reqs/sec` and `Latency`",
    harness: "bombardier",
    export: "standard output",
    values: Values::Aggregates,
    processes: Processes::Stated,
    printed_by: &["bombardier"],
    keys: &[&[
        Key::of_work("connections", Role::Setting, "open connections"),
        Key::of_work("requests", Role::Setting, "number of requests"),
        Key::of_work("duration", Role::Setting, "how long the run lasts"),
    ]],
    metrics: METRICS,
    words: &["Reqs/sec "],
    fits: |head| {
        let header = [&b"Statistics"[..], b"Avg", b"Stdev", b"Max"];
        let has = head.lines().any(|line| crate::text::fields(line).eq(header));
        let has_rate = head.lines().any(|line| line.trim_ascii_start().starts_with(b"Reqs/sec "));
        No::unless(has && has_rate, "it has no such lines")
    },
    read: Read::Bytes(read_text),
    ..Format::PLAIN
};

const METRICS: &[Meaning] = &[
    Meaning::of("throughput", "mean of the rates of requests that bombardier sampled"),
    Meaning::of("latency-mean", "mean time of a request"),
    Meaning::of("latency-max", "longest time of a request"),
    Meaning::of("latency-p50", "median time of a request"),
    Meaning::of("latency-p99", "99th percentile of the time of a request"),
    Meaning::of("errors", "requests without a response"),
    Meaning::of("responses-2xx", "responses with such a status"),
    Meaning::of("transfer", "bytes sent and received a second"),
];

fn read_text(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut run, mut url) = (Run::default(), "requests");
    let mut is_open = false;
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        let text = text.trim();
        if let Some(about) = text.strip_prefix("Bombarding ") {
            end(&mut run, sheet);
            is_open = false;
            url = about.split(' ').next().unwrap_or_default();
            about_run(&mut run, about);
        } else if text.starts_with("Statistics ") {
            if !run.figures.is_empty() {
                end(&mut run, sheet);
                url = "requests";
            }
            is_open = true;
        } else if is_open && printed(&mut run, url, text, line).is_none() {
            let what = format!("`{}` has no number with a known unit", excerpt(text.as_bytes()));
            sheet.problem(Code::MalformedNumber, line, what, "did another program write into the output?");
        }
        // The last line of a report.
        is_open &= !text.starts_with("Throughput:");
    }
    end(&mut run, sheet);
}

/// Ends a run. Without a response there are neither times nor a rate.
fn end(run: &mut Run, sheet: &mut Sheet) {
    let mut responses = run.figures.iter().filter(|figure| figure.name.starts_with("responses-")).peekable();
    if let Some(line) = responses.peek().map(|figure| figure.line)
        && responses.all(|figure| figure.value == 0.0)
    {
        run.figures.retain(|figure| figure.name.starts_with("responses-") || figure.name == "errors");
        sheet.problem(Code::NoResults, line, "no request got a response", "does the server run?");
    }
    run.end(sheet);
}

/// The settings in `http://HOST/ with 400 request(s) using 4 connection(s)` and `http://HOST/ for 10s using 4 connection(s)`.
fn about_run(run: &mut Run, about: &str) {
    let words: Vec<&str> = about.split_whitespace().collect();
    for pair in words.windows(2) {
        match pair {
            [number, "request(s)" | "requests" | "request"] => run.state("requests", number),
            [number, "connection(s)" | "connections" | "connection"] => run.state("connections", number),
            ["for", duration] => run.state("duration", duration),
            _ => {}
        }
    }
}

/// Takes a line below the header; `None` if its number cannot be read.
fn printed(run: &mut Run, url: &str, text: &str, line: u32) -> Option<()> {
    let plain = |text: &str| number(crate::text::ungrouped(text).as_bytes());
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["Reqs/sec", mean, _, _] => run.add(url, "throughput", plain(mean)?, line),
        ["Latency", mean, deviation, most] => {
            run.add_mean(url, "latency-mean", wrk::time(mean)?, Some(wrk::time(deviation)?), line);
            run.add(url, "latency-max", wrk::time(most)?, line);
        }
        [rank, value] if rank.ends_with('%') => {
            let name = percentile("latency", rank.trim_end_matches('%'))?;
            run.add(url, &name, wrk::time(value)?, line);
        }
        ["others", "-", count] => {
            let count = plain(count)?;
            run.add(url, "errors", count, line);
            run.count = Some(run.count.unwrap_or_default() + count);
        }
        ["Throughput:", rate] => {
            run.add(url, "transfer", wrk::bytes(rate.strip_suffix("/s")?)?, line);
        }
        [class, "-", ..] if CLASSES.contains(&class) => {
            for (class, count) in text.split(", ").filter_map(|part| part.split_once(" - ")) {
                let count = plain(count)?;
                run.add(url, &format!("responses-{}", class.trim()), count, line);
                run.count = Some(run.count.unwrap_or_default() + count);
            }
        }
        _ => {}
    }
    Some(())
}

const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// The figures of a run.
const SUMMARY: Summary = Summary {
    fields: &[
        Field::of("responses-*xx", "result.req*xx", "1"),
        Field::of("errors", "result.others", "1"),
        Field::of("throughput", "result.rps.mean", "1/s"),
        Field::of("latency-mean", "result.latency.mean", "us").summary("result.latency.stddev", ""),
        Field::of("latency-max", "result.latency.max", "us"),
        Field::of("latency-p*", "result.latency.percentiles.*", "us"),
    ],
    ..Summary::PLAIN
};

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    let document = document.only(&["spec", "result"], sheet)?;
    let spec = document.get("spec").unwrap_or(&Value::Null);
    let text = |key: &str| spec.get(key).and_then(Value::text);
    let mut run = Run::default();
    for key in ["method", "client"] {
        if let Some(value) = text(key) {
            run.state(key, value);
        }
    }
    run.context.extend(work(spec));
    if document.get("result").and_then(Value::object).is_none() {
        sheet.problem(Code::MalformedRecord, 1, "there is no object `result`", "repeat the run");
        return Ok(());
    }
    SUMMARY.take(sheet, &mut run, text("url").unwrap_or("requests"), &document);
    // The times are those of all requests, also of those that got no response.
    run.count = Some(run.sum("responses-") + run.sum("errors"));
    end(&mut run, sheet);
    Ok(())
}

/// What the requests are; their headers may hold secrets, of which none is kept.
fn work(spec: &Value<'_>) -> Context {
    let fields = [
        ("numberOfConnections", "connections"),
        ("numberOfRequests", "requests"),
        ("testDurationSeconds", "duration"),
        ("rate", "rate"),
        ("bodyFilePath", "body"),
        ("body", "body"),
        ("stream", "stream"),
    ];
    let mut found = stated(spec, &fields);
    found.retain(|(_, value)| !matches!(&**value, "0" | "false"));
    for (key, value) in &mut found {
        match &**key {
            "duration" => value.push_str(" s"),
            "body" => *value = body(value),
            _ => {}
        }
    }
    let text =
        |header: &Value<'_>, part| header.get(part).and_then(Value::text).unwrap_or_default().to_lowercase();
    let headers = spec.get("headers").and_then(Value::list).unwrap_or_default().iter();
    let named = headers.map(|header| (text(header, "key"), text(header, "value")));
    let mut kept: Vec<String> = named
        .filter(|(name, _)| HEADERS.contains(&&**name))
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    kept.sort();
    found.extend((!kept.is_empty()).then(|| ("headers".to_owned(), kept.join(", "))));
    found
}

const HEADERS: [&str; 4] = ["accept", "accept-encoding", "connection", "content-type"];
