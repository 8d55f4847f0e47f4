//! autocannon's JSON: the summary of a run.

use super::labelled::{Part, Report, Take, What};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "autocannon",
    sign: "an object with `pipelining`, `non2xx`, and `latency`, `requests` and `throughput` with `p97_5`, or before version 3 with `latency` that has `p999`",
    harness: "autocannon",
    export: "autocannon --json URL > FILE",
    files: &["*.json"],
    values: Values::Aggregates,
    processes: Processes::Stated,
    keys: &[&[
        Key::of_run("date", Role::Date, "start of the run"),
        Key::of_work("connections", Role::Setting, "open connections"),
        Key::of_work("pipelining", Role::Setting, "requests in flight on each connection"),
        Key::of_work("workers", Role::Setting, "number of threads of the load generator, where asked for"),
    ]],
    metrics: &[
        Meaning::of("throughput", "requests a second, the mean over the intervals of the run"),
        Meaning::of("transfer", "bytes received a second, the mean over the intervals of the run"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("latency-p50", "median time of a request, in whole milliseconds"),
        Meaning::of("latency-p99", "99th percentile of the time of a request"),
        Meaning::of("errors", "errors of connections, with requests that took too long"),
        Meaning::of("errors-status", "responses with another status than 2xx"),
        Meaning::of("responses-200", "responses with this status"),
    ],
    fits: |head| {
        let is_old =
            head.has_all(&["pipelining", "non2xx", "latency.p999", "requests.sent", "throughput.total"]);
        is_old.or_else(|_| {
            head.has_all(&["pipelining", "non2xx", "latency.p97_5", "requests.p97_5", "throughput.p97_5"])
        })
    },
    read: Read::Sheet(read),
    ..Format::PLAIN
};

pub static TEXT: Format = Format {
    name: "autocannon-text",
    sign: "a table with `Stat`, `2.5%`, `50%`, `97.5%` and a row `Latency`, or with `Stat` and a row `Latency (ms)`",
    harness: "autocannon",
    printed_by: &["autocannon"],
    keys: &[&[Key::of_work("connections", Role::Setting, "open connections")]],
    metrics: &[
        Meaning::of("throughput", "requests a second, the mean over the intervals of the run"),
        Meaning::of("transfer", "bytes received a second, the mean over the intervals of the run"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("latency-p50", "median time of a request, in whole milliseconds"),
        Meaning::of("latency-p99", "99th percentile of the time of a request"),
    ],
    words: &["2.5%", "Latency (ms)"],
    fits: |head| No::unless(has_table(head), "it has no such table"),
    read: Read::Report(&Report {
        parts: &[Part {
            // People leave the lines above the table out.
            begins: &[
                "Running * test @ *",
                "│ Stat │ 2.5% │ 50% │ 97.5% │ 99% │ Avg │ Stdev │ Max │",
                "Stat Avg Stdev Max",
            ],
            what: What::Run,
            lines: &[
                ("* connections", &[Take::Key("connections")]),
                (
                    "│ Latency │ * │ * │ * │ * │ * │ * │ * │",
                    &[
                        Take::Figure("latency-p2.5", ""),
                        Take::Figure("latency-p50", ""),
                        Take::Figure("latency-p97.5", ""),
                        Take::Figure("latency-p99", ""),
                        Take::Figure("latency-mean", ""),
                        Take::Deviation(""),
                        Take::Figure("latency-max", ""),
                    ],
                ),
                (
                    "│ Req/Sec │ * │ * │ * │ * │ * │ * │ * │",
                    &[
                        Take::Skip,
                        Take::Skip,
                        Take::Skip,
                        Take::Skip,
                        Take::Figure("throughput", "1"),
                        Take::Skip,
                        Take::Skip,
                    ],
                ),
                (
                    "│ Bytes/Sec │ * │ * │ * │ * │ * │ * │ * │",
                    &[
                        Take::Skip,
                        Take::Skip,
                        Take::Skip,
                        Take::Skip,
                        Take::Figure("transfer", ""),
                        Take::Skip,
                        Take::Skip,
                    ],
                ),
                // Before version 2 the table had no lines.
                (
                    "Latency (ms) * * *",
                    &[
                        Take::Figure("latency-mean", "ms"),
                        Take::Deviation("ms"),
                        Take::Figure("latency-max", "ms"),
                    ],
                ),
                ("Req/Sec * * *", &[Take::Figure("throughput", "1"), Take::Skip, Take::Skip]),
                ("Bytes/Sec * *B *", &[Take::Skip, Take::Skip, Take::Skip]),
            ],
            ..Part::PLAIN
        }],
        ..Report::PLAIN
    }),
    ..REPORT
};

/// Whether there is a table of latencies.
fn has_table(head: &Head<'_>) -> bool {
    let row = |line: &[u8], words: &[&str]| {
        let text = String::from_utf8_lossy(line);
        let mut cells = text.split('\u{2502}').map(str::trim).filter(|cell| !cell.is_empty());
        words.iter().all(|word| cells.next() == Some(*word))
    };
    let has = |words: &[&str]| head.lines().any(|line| row(line, words));
    let has_begin = |begin: &[u8]| head.lines().any(|line| line.starts_with(begin));
    // Before version 2 it had no lines.
    has(&["Stat", "2.5%", "50%", "97.5%"]) && has(&["Latency"])
        || has_begin(b"Stat  ") && has_begin(b"Latency (ms)")
}

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let documents = Document::all(&bytes, content, sheet)?;
    let mut run = Run::default();
    for (nth, document) in documents.iter().enumerate() {
        // `--warmup` writes two documents; the second has the first once more.
        if documents.get(nth + 1).is_some_and(|next| next.get("warmup").is_some()) {
            sheet.dropped(1);
        } else {
            read_run(sheet, &mut run, document)?;
        }
    }
    Ok(())
}

fn read_run(sheet: &mut Sheet, run: &mut Run, document: &Document<'_>) -> io::Result<()> {
    let mut all = Vec::new();
    for field in ["title", "url", "start", "latency", "requests", "throughput", "statusCodeStats"] {
        all.push(document.value(field, sheet)?);
    }
    let [title, url, start, latency, requests, bytes_in, statuses] = &all[..] else { return Ok(()) };
    let benchmark = title.text().or(url.text()).unwrap_or("requests");
    let line = document.get("requests").map_or(0, |requests| requests.line);
    if let Some(date) = start.text() {
        run.state("date", date);
    }
    for key in ["connections", "pipelining", "workers"] {
        let value = plain(&document.value(key, sheet)?);
        if key != "workers" || !matches!(&*value, "0" | "null") {
            run.state(key, &value);
        }
    }
    // Both are counted in intervals of `sampleInt` milliseconds; old versions had none but a second.
    let interval = document.value("sampleInt", sheet)?;
    let interval = number_of(sheet, &interval, line).filter(|&interval| interval > 0.0).unwrap_or(1e3);
    for (object, name) in [(requests, "throughput"), (bytes_in, "transfer")] {
        if let Some(count) = object.get("average").and_then(|count| number_of(sheet, count, line)) {
            run.add(benchmark, name, count / (interval / 1e3), line);
        }
    }
    for (field, name) in [("errors", "errors"), ("non2xx", "errors-status")] {
        let value = document.value(field, sheet)?;
        let count = number_of(sheet, &value, line);
        if let Some(count) = count {
            run.add(benchmark, name, count, line);
        }
    }
    for (status, found) in statuses.object().into_iter().flat_map(Object::iter) {
        if let Some(count) = found.get("count").and_then(|count| number_of(sheet, count, line)) {
            run.add(benchmark, &format!("responses-{status}"), count, line);
        }
    }
    if let Some(latency) = latency.object() {
        times(sheet, run, benchmark, latency);
    }
    run.end(sheet);
    Ok(())
}

/// The latencies, in milliseconds.
fn times(sheet: &mut Sheet, run: &mut Run, benchmark: &str, latency: &Object<'_>) {
    let number =
        |field: &str, sheet: &mut Sheet| latency.get(field).and_then(|value| number_of(sheet, value, 1));
    run.count = number("totalCount", sheet);
    let deviation = number("stddev", sheet).map(|deviation| deviation / 1e3);
    for (field, value) in latency.iter() {
        let line = latency.line_of(field);
        let name = match field.strip_prefix('p') {
            _ if matches!(field, "average" | "min" | "max") => {
                format!("latency-{}", field.replace("average", "mean"))
            }
            Some(digits) => {
                let Some(name) = level(digits).and_then(|level| percentile("latency", &level)) else {
                    let what = format!("`{}` of the latency is not a percentile", excerpt(field.as_bytes()));
                    sheet.problem(Code::MalformedRecord, line, what, FORMAT.export);
                    continue;
                };
                name
            }
            None => continue,
        };
        let Some(value) = number_of(sheet, value, line) else { continue };
        // Only the mean has fractions of a millisecond.
        if value == 0.0 {
            sheet.dropped(1);
            continue;
        }
        let deviation = deviation.filter(|_| field == "average");
        run.add_mean(benchmark, &name, value / 1e3, deviation, line);
    }
}

/// The level of a percentile from its digits: `97_5` is 97.5. Before version 3 they have no point: `999` is 99.9.
fn level(digits: &str) -> Option<String> {
    match digits.strip_prefix("99") {
        Some(decimals) if !decimals.is_empty() && decimals.bytes().all(|digit| digit == b'9') => {
            Some(format!("99.{decimals}"))
        }
        _ if digits.starts_with(|first: char| first.is_ascii_digit()) => Some(digits.replace('_', ".")),
        _ => None,
    }
}
