//! bombardier's JSON: the summary of a run.

use super::labelled::{Part, Report};
use super::load_run::body;
use super::prelude::*;
use super::records::{Field, Summary};

pub static FORMAT: Format = Format {
    name: "bombardier",
    sign: "an object with `spec` that holds `numberOfConnections`, and with `result` that holds `timeTakenSeconds`",
    harness: "bombardier",
    export: "bombardier -l -p r -o json URL > FILE",
    keys: &[&[
        Key::work("method", "method of the requests"),
        Key::work("connections", "open connections"),
        Key::work("requests", "number of requests"),
        Key::work("duration", "how long the run lasts"),
        Key::work("rate", "requests per second that are asked for"),
        Key::work("body", "body of the requests, or the file that it is in"),
        Key::work("stream", "whether bodies are sent in chunks"),
        Key::work("headers", "headers that change what is sent and received"),
        Key::setting("client", "client library"),
    ]],
    // It states no rate of bytes.
    metrics: METRICS.split_at(7).0,
    fits: |head| {
        head.has_all(&["spec.numberOfConnections", "result.timeTakenSeconds", "result.latency", "result.rps"])
    },
    read: Read::Document(read),
    ..Format::JSON_SUMMARY
};

pub static TEXT: Format = Format {
    name: "bombardier-text",
    sign: "a line `Statistics  Avg  Stdev  Max` and below it `Reqs/sec` and `Latency`",
    harness: "bombardier",
    printed_by: &["bombardier"],
    keys: &[&[
        Key::work("connections", "open connections"),
        Key::work("requests", "number of requests"),
        Key::work("duration", "how long the run lasts"),
    ]],
    metrics: METRICS,
    words: &["Reqs/sec "],
    fits: |head| {
        let header = [&b"Statistics"[..], b"Avg", b"Stdev", b"Max"];
        let has = head.lines().any(|line| crate::text::fields(line).eq(header));
        let has_rate = head.lines().any(|line| line.trim_ascii_start().starts_with(b"Reqs/sec "));
        No::unless(has && has_rate, "it has no such lines")
    },
    read: Read::Report(&Report {
        parts: &[
            Part::run(
                &["Bombarding *", "Statistics Avg Stdev Max"],
                &[
                    "Bombarding <benchmark> with <=requests> request* using <=connections> connection*",
                    "Bombarding <benchmark> for <=duration> using <=connections> connection*",
                    // Of no request there is no rate.
                    "Reqs/sec nan * *",
                    "Reqs/sec <throughput 1> * *",
                    "Latency <latency-mean> <sd> <latency-max>",
                    "others - <errors 1>",
                    "1xx - <responses-1xx 1>, 2xx - <responses-2xx 1>, 3xx - <responses-3xx 1>, \
                     4xx - <responses-4xx 1>, 5xx - <responses-5xx 1>",
                ],
            ),
            Part::of(&["Latency Distribution"], &["<label>% <latency-p*>"]),
            Part::of(&["HTTP codes:"], &[]),
            Part::aside(&["Throughput: *"], &["Throughput: <transfer>/s"]),
        ],
        is_binary: true,

        ends: |sheet, run, _| complete(sheet, run),
        ..Report::PLAIN
    }),
    ..Format::REPORT
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

/// Completes a run. The times are those of all requests, also of those that got no response. Without a response there are
/// neither times nor a rate.
fn complete(sheet: &mut Sheet, run: &mut Run) {
    run.count = Some(run.sum("responses-") + run.sum("errors"));
    let mut responses = run.figures.iter().filter(|figure| figure.name.starts_with("responses-")).peekable();
    if let Some(line) = responses.peek().map(|figure| figure.line)
        && responses.all(|figure| figure.value == 0.0)
    {
        run.figures.retain(|figure| figure.name.starts_with("responses-") || figure.name == "errors");
        sheet.unanswered(line);
    }
}

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
    let text = |key: &str| spec.text_of(key);
    let mut run = Run::default();
    for key in ["method", "client"] {
        if let Some(value) = text(key) {
            run.state(key, value);
        }
    }
    run.context.extend(work(spec));
    if document.object_of("result").is_none() {
        sheet.lacks(1, "the file", "object `result`");
        return Ok(());
    }
    SUMMARY.take(sheet, &mut run, text("url").unwrap_or("requests"), &document);
    complete(sheet, &mut run);
    run.end(sheet);
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
    let text = |header: &Value<'_>, part| header.text_of(part).unwrap_or_default().to_lowercase();
    let headers = spec.elements("headers").iter();
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
