//! vegeta's reports: the summary of an attack as JSON and as text.

use super::prelude::*;

/// The report as JSON.
pub static JSON: Format = Format {
    name: "vegeta",
    sign: "an object with `latencies`, `throughput`, `success` and `status_codes`",
    harness: "vegeta",
    export: "vegeta report -type=json",
    files: &["*.json"],
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    keys: &[&[Key::of_run("date", Role::Date, "start of the attack")]],
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
    ..Format::PLAIN
};

/// The report as text.
pub static TEXT: Format = Format {
    name: "vegeta-text",
    sign: "lines such as `Requests  [total, rate, throughput]  100, 50.5, 50.2` and `Latencies  [min, mean, 50, …]  …`",
    harness: "vegeta",
    export: "vegeta report",
    values: Values::Aggregates,
    processes: Processes::Stated,
    metrics: METRICS,
    own_labels: &["Error Set"],
    printed_by: &["vegeta"],
    words: &["Latencies"],
    fits: |head| {
        let has = |label: &str| {
            let mut lines = head.lines().filter_map(|line| std::str::from_utf8(line).ok());
            lines.any(|line| cells(shown(line).0).is_some_and(|(known, ..)| known == label))
        };
        No::unless(has("Requests") && has("Latencies"), "it has no such lines")
    },
    read: Read::Bytes(read_text),
    ..Format::PLAIN
};

/// The histogram that vegeta prints.
pub static HISTOGRAM: Format = Format {
    name: "vegeta-histogram",
    sign: "a header `Bucket  #  %  Histogram`",
    harness: "vegeta",
    values: Values::Refused {
        why: "vegeta's histogram",
        export: "vegeta encode, or vegeta report -type=json",
    },
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
    values: Values::Refused { why: "the binary output of vegeta attack", export: "vegeta encode FILE" },
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

/// The benchmark of a report, which names no target.
const REQUESTS: &str = "requests";

fn report(sheet: &mut Sheet, run: &mut Run, document: &Document<'_>) -> io::Result<()> {
    let mut all = Vec::new();
    for field in ["requests", "rate", "throughput", "success", "latencies", "status_codes", "earliest"] {
        all.push(document.value(field, sheet)?);
    }
    let [requests, rate, throughput, success, latencies, statuses, earliest] = &all[..] else {
        return Ok(());
    };
    run.count = number_of(sheet, requests, 1);
    // The year 1 is Go's time of nothing.
    if let Some(date) = earliest.text().filter(|date| !date.starts_with("0001-")) {
        run.state("date", date);
    }
    for (name, value) in [("throughput", throughput), ("throughput-sent", rate), ("success-rate", success)] {
        put(sheet, run, name, value, 1.0, 1);
    }
    for (field, value) in latencies.object().into_iter().flat_map(Object::iter) {
        let line = latencies.object().map_or(1, |object| object.line_of(field));
        match (field, field.strip_suffix("th")) {
            ("mean" | "min" | "max", _) => {
                put(sheet, run, &format!("latency-{field}"), value, 1e9, line);
            }
            (_, Some(level)) => {
                if let Some(name) = percentile("latency", level) {
                    put(sheet, run, &name, value, 1e9, line);
                }
            }
            _ => {}
        }
    }
    for (status, value) in statuses.object().into_iter().flat_map(Object::iter) {
        let line = statuses.object().map_or(1, |object| object.line_of(status));
        put(sheet, run, &format!("responses-{status}"), value, 1.0, line);
    }
    settle(sheet, run);
    Ok(())
}

/// Adds what was collected to the sheet. Of no requests, vegeta writes the times and the share of successes as 0.
fn settle(sheet: &mut Sheet, run: &mut Run) {
    if run.count == Some(0.0) {
        let known = run.figures.len();
        run.figures.retain(|figure| !figure.name.starts_with("latency-") && figure.name != "success-rate");
        sheet.dropped(known - run.figures.len());
    }
    run.end(sheet);
}

fn put(sheet: &mut Sheet, run: &mut Run, name: &str, value: &Value<'_>, divisor: f64, line: u32) {
    if *value == Value::Null {
        return;
    }
    match number_of(sheet, value, line) {
        Some(value) => run.add(REQUESTS, name, value / divisor, line),
        None => sheet.problem(Code::MalformedNumber, line, format!("{name} is not a number"), JSON.export),
    }
}

/// The label, the names and the values of a line such as `Bytes In  [total, mean]  3714690, 3095.57`.
fn cells(line: &str) -> Option<(&str, Vec<&str>, Vec<&str>)> {
    // Versions before 9 separate the columns by tabs.
    let (label, rest) = line.split_once('[')?;
    let (names, values) = rest.split_once(']')?;
    let label = label.trim();
    let is_known = ["Requests", "Duration", "Latencies", "Bytes In", "Bytes Out", "Success", "Status Codes"];
    is_known.contains(&label).then(|| (label, listed(names), listed(values)))
}

fn listed(text: &str) -> Vec<&str> {
    text.trim().split(", ").collect()
}

/// What a terminal shows of a line, and whether it begins a report of `vegeta report -every` on the requests until then,
/// whose place the next report takes.
fn shown(line: &str) -> (&str, bool) {
    line.strip_prefix("\u{1b}[2J\u{1b}[0;0H").map_or((line, false), |rest| (rest, true))
}

fn read_text(sheet: &mut Sheet, bytes: &[u8]) {
    let lines: Vec<(u32, &str)> = lines::numbered(bytes).collect();
    let (mut run, mut was_interim) = (Run::default(), false);
    for &(line, text) in &lines {
        let (text, is_interim) = shown(text);
        let Some((label, names, values)) = cells(text) else { continue };
        if label == "Requests" {
            if std::mem::replace(&mut was_interim, is_interim) {
                run.figures.clear();
            }
            settle(sheet, &mut run);
            run.count = values.first().and_then(|total| number(total.as_bytes()));
        }
        if report_line(&mut run, label, names.iter().copied().zip(values.iter().copied()), line).is_none() {
            let what = format!("`{}` has a figure that is not a number", excerpt(text.as_bytes()));
            sheet.problem(Code::MalformedNumber, line, what, TEXT.export);
        }
    }
    settle(sheet, &mut run);
}

/// Reads a line of a report; `None` if a figure cannot be read.
fn report_line<'a>(
    run: &mut Run,
    label: &str,
    mut figures: impl Iterator<Item = (&'a str, &'a str)>,
    line: u32,
) -> Option<()> {
    let figure = |text: &str| number(text.as_bytes());
    match label {
        "Requests" => {
            for (name, value) in figures {
                let known = match name {
                    "rate" => "throughput-sent",
                    "throughput" => "throughput",
                    _ => continue,
                };
                run.add(REQUESTS, known, figure(value)?, line);
            }
        }
        "Latencies" => {
            for (name, value) in figures {
                let name = match name {
                    "min" | "mean" | "max" => format!("latency-{name}"),
                    level => percentile("latency", level)?,
                };
                run.add(REQUESTS, &name, go_seconds(value)?, line);
            }
        }
        "Success" => {
            let share = figure(figures.next()?.1.strip_suffix('%')?)? / 100.0;
            run.add(REQUESTS, "success-rate", share, line);
        }
        "Status Codes" => {
            for pair in figures.next()?.1.split_ascii_whitespace() {
                let (status, count) = pair.split_once(':')?;
                run.add(REQUESTS, &format!("responses-{status}"), figure(count)?, line);
            }
        }
        _ => {}
    }
    Some(())
}
