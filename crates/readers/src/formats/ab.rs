//! ab, the load generator of the Apache HTTP server: its report, the samples of `-g` and the percentages of `-e`.

use std::io;
use std::path::Path;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::{Head, No};
use super::{ab_report, csv_rows, headings, lines, load_metrics, scattered};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::{excerpt, number};
use crate::{Code, Options, Sheet};

/// The report that ab prints.
pub static REPORT: Format = Format {
    name: "ab",
    sign: "lines with `Concurrency Level:` and `Requests per second:`",
    harness: "ab",
    export: "standard output",
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    keys: &[
        &[
            Key::of_work("connections", Role::Setting, "number of connections at a time"),
            Key::new("server", Role::Setting, "name that the server gives itself"),
            Key::new("host", Role::Environment, "name of the machine"),
            Key::new("port", Role::Setting, "port of the server"),
            Key::new("document_length", Role::Setting, "bytes of the first answer"),
            Key::of_work("tls", Role::Setting, "protocol of encryption and its cipher"),
            Key::of_work("keep_alive", Role::Setting, "1 if connections are kept"),
            Key::of_work("body", Role::Setting, "`sent` if the requests have a body"),
        ],
        headings::KEYS,
    ],
    metrics: &[
        Meaning::of("throughput", "requests per second"),
        Meaning::of("transfer", "bytes that are received per second"),
        Meaning::of("errors", "failed requests"),
        Meaning::of("errors-status", "answers whose status is not 2xx"),
        Meaning::of("latency-mean", "time of a request, the mean"),
        Meaning::of("latency-p50", "time of a request, the median"),
        Meaning::of("latency-p99", "time of a request that 99 of 100 do not exceed"),
        Meaning::of("latency-max", "time of the slowest request"),
        Meaning::of("connect-mean", "time until the connection stands, the mean"),
        Meaning::of("processing-mean", "time from the connection to the end of the answer, the mean"),
        Meaning::of("waiting-mean", "time from the request to the first byte of the answer, the mean"),
    ],
    fits: |head| {
        let has = |label: &str| head.lines().any(|line| line.starts_with(label.as_bytes()));
        No::unless(has(ab_report::CONNECTIONS) && has(ab_report::RATE), "it has no such lines")
    },
    read: ab_report::read,
    ..Format::PLAIN
};

/// The samples that `-g` writes.
pub static SAMPLES: Format = Format {
    name: "ab-samples",
    sign: "a header `starttime<tab>seconds<tab>ctime<tab>dtime<tab>ttime<tab>wait`",
    harness: "ab",
    export: "ab -g FILE",
    values: Values::Samples,
    processes: Processes::OneAFile,
    keys: &[&[Key::of_run("date", Role::Date, "start of the first request")]],
    metrics: &[
        Meaning::of("latency", "time of a request"),
        Meaning::of("connect", "time until the connection stands"),
        Meaning::of("processing", "time from the connection to the end of the answer"),
        Meaning::of("waiting", "time from the request to the first byte of the answer"),
    ],
    fits: |head| No::unless(head.first_line() == SAMPLES_HEADER, "its first line is not that header"),
    read: read_samples,
    ..Format::PLAIN
};

const SAMPLES_HEADER: &[u8] = b"starttime\tseconds\tctime\tdtime\tttime\twait";

/// The percentages that `-e` writes.
pub static PERCENTAGES: Format = Format {
    name: "ab-percentages",
    sign: "a header `Percentage served,Time in ms`",
    harness: "ab",
    export: "ab -e FILE",
    files: &["*.csv"],
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    metrics: &[
        Meaning::of("latency-p50", "time of a request, the median"),
        Meaning::of("latency-p99", "time of a request that 99 of 100 do not exceed"),
    ],
    fits: |head: &Head<'_>| {
        No::unless(head.header_line() == b"Percentage served,Time in ms", "its first line is not that header")
    },
    read: read_percentages,
    ..Format::PLAIN
};

/// What is measured, where the file does not say it.
pub(super) const BENCHMARK: &str = "requests";

const MILLISECONDS: f64 = 1e3;

/// ab sorts its samples by their time: their order is lost.
fn read_samples(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut samples = Vec::new();
    for (line, text) in lines::numbered(&bytes).skip(1).collect::<Vec<_>>() {
        let cells: Vec<&str> = text.split('\t').collect();
        let numbers: Option<Vec<f64>> = cells.iter().skip(1).map(|cell| number(cell.as_bytes())).collect();
        if let (Some(&[seconds, connect, processing, total, waiting]), [start, ..]) =
            (numbers.as_deref(), &cells[..])
        {
            samples.push(Sample { line, start, seconds, times: [total, connect, processing, waiting] });
        } else if text.as_bytes() == SAMPLES_HEADER {
            write(&mut sheet, &std::mem::take(&mut samples));
            sheet.next_run();
        } else if !text.is_empty() {
            let what = format!("`{}` is not a request", excerpt(text.as_bytes()));
            sheet.problem(Code::MalformedRecord, line, what, "is it the file that ab -g wrote?");
        }
    }
    write(&mut sheet, &samples);
    Ok(vec![sheet])
}

struct Sample<'a> {
    line: u32,
    /// When it began, as text and in seconds.
    start: &'a str,
    seconds: f64,
    times: [f64; 4],
}

/// Adds the samples of a run.
fn write(sheet: &mut Sheet, samples: &[Sample<'_>]) {
    let first = samples.iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let date = first.map(|first| ("date".to_owned(), first.start.to_owned()));
    sheet.set_context(&date.into_iter().collect::<Vec<_>>());
    for place in scattered::places(samples.len()) {
        let Sample { line, times, .. } = samples[place];
        let row = Measurement { benchmark: BENCHMARK, line, process: Some(0), ..Measurement::default() };
        for (name, time) in ["latency", "connect", "processing", "waiting"].into_iter().zip(times) {
            load_metrics::push(sheet, row, name, time / MILLISECONDS);
        }
    }
}

fn read_percentages(
    name: &str,
    _path: &Path,
    content: &Content,
    _options: &Options,
) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    csv_rows::each(&content.all()?, 1, &mut sheet, |sheet, row| {
        let (Some(share), Some(time)) = (row.text("Percentage served"), row.number(sheet, "Time in ms"))
        else {
            return;
        };
        let Some(name) = percentile(&share) else {
            let what = format!("`{}` is not a percentage", excerpt(share.as_bytes()));
            return sheet.problem(Code::MalformedNumber, row.line, what, "");
        };
        let (line, aggregate) = (row.line, Some(Aggregate::default()));
        let row =
            Measurement { benchmark: BENCHMARK, line, process: Some(0), aggregate, ..Measurement::default() };
        load_metrics::push(sheet, row, &name, time / MILLISECONDS);
    })?;
    load_metrics::choose(&mut sheet);
    Ok(vec![sheet])
}

/// The metric of a percentage from 0 to 100.
pub(super) fn percentile(share: &str) -> Option<String> {
    let name = load_metrics::percentile("latency", share)?;
    Some(match &*name {
        "latency-p0" => "latency-min".to_owned(),
        "latency-p100" => "latency-max".to_owned(),
        _ => name,
    })
}
