//! vegeta's reports: the summary of an attack as JSON and as text.

use super::labelled::{Part, Report};
use super::prelude::*;
use super::records::{Field, Summary};

/// The report as JSON.
pub static JSON: Format = Format {
    name: "vegeta",
    sign: "an object with `latencies`, `throughput`, `success` and `status_codes`",
    harness: "vegeta",
    export: "vegeta report -type=json",
    keys: &[&[Key::date("start of the attack")]],
    metrics: METRICS,
    fits: |head| head.has_all(&["latencies.mean", "bytes_in.total", "duration", "success", "status_codes"]),
    read: Read::Sheet(|sheet, content| {
        let bytes = content.all()?;
        let mut run = Run::default();
        // Scripts append the reports of several runs to one file: each is a process.
        for document in Document::all(&bytes, content, sheet)? {
            report(sheet, &mut run, &document)?;
        }
        Ok(())
    }),
    ..Format::JSON_SUMMARY
};

/// The report as text.
pub static TEXT: Format = Format {
    name: "vegeta-text",
    sign: "lines such as `Requests  [total, rate, throughput]  100, 50.5, 50.2` and `Latencies  [min, mean, 50, …]  …`",
    harness: "vegeta",
    export: "vegeta report",
    metrics: METRICS,
    own_labels: &["Error Set"],
    printed_by: &["vegeta"],
    hides_settings: true,
    words: &["Latencies"],
    fits: |head| {
        let has = |requests| labelled::has_lines(head, &[requests, "Latencies [*] *"]);
        has("Requests [*] *").or_else(|_| has(INTERIM))
    },
    read: Read::Report(&Report {
        parts: &[Part::run(
            &["Requests [*", INTERIM],
            &[
                "Requests [total, rate, throughput] <count>, <throughput-sent 1>, <throughput 1>",
                "*HRequests [total, rate, throughput] <count>, <throughput-sent 1>, <throughput 1>",
                "Requests [total, rate] <count>, <throughput-sent 1>",
                "Latencies [min, mean, 50, 90, 95, 99, max] <latency-min>, <latency-mean>, <latency-p50>, <latency-p90>, <latency-p95>, \
             <latency-p99>, <latency-max>",
                "Latencies [mean, 50, 95, 99, max] <latency-mean>, <latency-p50>, <latency-p95>, <latency-p99>, <latency-max>",
                // Those of no known version.
                "Latencies [*] <latency-mean>",
                "Success [ratio] <success-rate %>%",
                "Success [ratio] <success-rate %>",
            ],
        )],

        line,
        ends,
        ..Report::PLAIN
    }),
    ..Format::REPORT
};

/// The histogram that vegeta prints.
pub static HISTOGRAM: Format = Format {
    name: "vegeta-histogram",
    sign: "a header `Bucket  #  %  Histogram`",
    harness: "vegeta",
    values: Values::refused("vegeta's histogram", "vegeta encode, or vegeta report -type=json"),
    fits: |head| {
        let is_header = crate::text::fields(head.first_line()).eq([&b"Bucket"[..], b"#", b"%", b"Histogram"]);
        No::unless(is_header, "its first line is not that header")
    },
    ..Format::PLAIN
};

/// The results that `vegeta attack` writes.
pub static BINARY: Format = Format {
    name: "vegeta-binary",
    sign: "Go's encoding of a `Result` with `Attack`, `Seq`, `Code` and `Latency`",
    harness: "vegeta",
    values: Values::refused("the binary output of vegeta attack", "vegeta encode FILE"),
    fits: |head| {
        let begin = &head.bytes()[..head.bytes().len().min(400)];
        let has = |word: &[u8]| memchr::memmem::find(begin, word).is_some();
        let words: [&[u8]; 5] =
            [b"\x06Result\x01", b"\x06Attack\x01", b"\x03Seq\x01", b"\x04Code\x01", b"\x07Latency\x01"];
        No::unless(words.into_iter().all(has), "it does not begin with such a type")
    },
    ..Format::PLAIN
};

const METRICS: &[Meaning] = &[
    Meaning::of("throughput", "successful requests a second"),
    Meaning::of("throughput-sent", "requests sent a second"),
    Meaning::of("success-rate", "share of the requests with a status from 200 to 399"),
    Meaning::of("latency-mean", "mean latency of a request"),
    Meaning::of("latency-min", "lowest latency of a request"),
    Meaning::of("latency-max", "highest latency of a request"),
    Meaning::of("latency-p50", "median latency of a request"),
    Meaning::of("latency-p90", "90th percentile of the latency"),
    Meaning::of("latency-p95", "95th percentile of the latency"),
    Meaning::of("latency-p99", "99th percentile of the latency"),
    Meaning::of("responses-200", "responses with this status; 0 stands for none"),
];

/// The summary of an attack.
const SUMMARY: Summary = Summary {
    fields: &[
        Field::of("throughput", "throughput", "1/s"),
        Field::of("throughput-sent", "rate", "1/s"),
        Field::of("success-rate", "success", ""),
        Field::of("latency-p*", "latencies.*th", "ns"),
        Field::of("latency-max", "latencies.max", "ns"),
        Field::of("latency-mean", "latencies.mean", "ns"),
        Field::of("latency-min", "latencies.min", "ns"),
        Field::of("responses-*", "status_codes.*", "1"),
    ],
    ..Summary::PLAIN
};

fn report(sheet: &mut Sheet, run: &mut Run, document: &Document<'_>) -> io::Result<()> {
    let parts = ["requests", "rate", "throughput", "success", "latencies", "status_codes", "earliest"];
    let document = document.only(&parts, sheet)?;
    run.count = document.get("requests").and_then(|requests| number_of(sheet, requests, 1));
    // The year 1 is Go's time of nothing.
    let date = document.text_of("earliest");
    if let Some(date) = date.filter(|date| !date.starts_with("0001-")) {
        run.state("date", date);
    }
    SUMMARY.take(sheet, run, "requests", &document);
    complete(sheet, run);
    run.end(sheet);
    Ok(())
}

/// Of no requests, vegeta writes the times and the share of successes as 0.
fn complete(sheet: &mut Sheet, run: &mut Run) {
    if run.count == Some(0.0) {
        let known = run.figures.len();
        run.figures.retain(|figure| !figure.name.starts_with("latency-") && figure.name != "success-rate");
        sheet.dropped(known - run.figures.len());
    }
}

/// What a terminal shows of a line that begins a report of `vegeta report -every` on the requests until then, whose place the
/// next report takes.
const INTERIM: &str = "\u{1b}[2J\u{1b}[0;0HRequests [*";

/// Marks a report as such a one.
const MARK: &str = "interim";

/// Reads the statuses and their numbers: `Status Codes [code:count] 200:15 404:15`.
fn line(run: &mut Run, text: &str, line: u32) -> Option<()> {
    if text.starts_with('\u{1b}') {
        run.state(MARK, "");
    }
    let statuses = text.strip_prefix("Status Codes [code:count] ").unwrap_or_default();
    for pair in statuses.split(' ').filter(|pair| !pair.is_empty()) {
        let (status, count) = pair.split_once(':')?;
        run.add("requests", &format!("responses-{status}"), number(count)?, line);
    }
    Some(())
}

fn ends(sheet: &mut Sheet, run: &mut Run, next: u32) {
    let known = run.context.len();
    run.context.retain(|(key, _)| key != MARK);
    if next > 0 && run.context.len() < known {
        run.figures.clear();
    }
    complete(sheet, run);
}
