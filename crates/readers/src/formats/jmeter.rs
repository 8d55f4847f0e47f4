//! `JMeter`: the samples of a test, as CSV or as XML.

use super::prelude::*;
use quick_xml::events::{BytesStart, Event};

use super::xml;

/// The samples as CSV.
pub static CSV: Format = Format {
    name: "jmeter",
    sign: "a header with `timeStamp`, `elapsed` and `label`",
    harness: "JMeter",
    export: "jmeter -n -t PLAN -l FILE",
    processes: Processes::Stated,
    keys: KEYS,
    metrics: METRICS,
    fits: |head| head.header_has(&["timeStamp", "elapsed", "label"]),
    read: Read::Sheet(read_csv),
    ..Format::PLAIN
};

/// The samples as XML.
pub static XML: Format = Format {
    name: "jmeter-xml",
    sign: "XML with `<testResults`",
    harness: "JMeter",
    export: "jmeter -n -t PLAN -l FILE -Jjmeter.save.saveservice.output_format=xml",
    processes: Processes::OneAFile,
    keys: KEYS,
    metrics: METRICS,
    words: &["<testResults"],
    fits: |head| head.is_xml_with(&["<testResults"]),
    read: Read::Sheet(read_xml),
    ..Format::PLAIN
};

/// Samples whose columns nobody can know.
pub static BARE: Format = Format {
    name: "jmeter-bare",
    sign: "lines such as `1700000000000,12,LABEL,200,OK,…,true,…`, without a header or with another delimiter",
    harness: "JMeter",
    values: Values::refused(
        "a file of JMeter without the names of its columns, or with another delimiter than the comma",
        "-Jjmeter.save.saveservice.print_field_names=true -Jjmeter.save.saveservice.default_delimiter=,",
    ),
    fits: |head| No::unless(is_bare(head), "it has no such line"),
    ..Format::PLAIN
};

/// The tables of the listeners and the statistics of the dashboard.
pub static REPORT: Format = Format {
    name: "jmeter-report",
    sign: "a header `Label,# Samples,Average,…` in any language, or objects with `transaction`, `sampleCount` and `meanResTime`",
    harness: "JMeter",
    values: Values::refused(
        "a report of JMeter, with whole milliseconds or without the levels of its percentiles",
        "jmeter -n -t PLAN -l FILE",
    ),
    fits: |head| {
        let is_table = is_table(&head.header().collect::<Vec<_>>());
        let total = ["Total.transaction", "Total.sampleCount", "Total.meanResTime"];
        if is_table { Ok(()) } else { head.has_all(&total) }
    },
    ..Format::PLAIN
};

const KEYS: &[&[Key]] = &[&[
    Key::date("start of the first sample, in UTC"),
    Key::of_run("thread", Role::Run, "thread that took the sample"),
]];

const METRICS: &[Meaning] = &[
    Meaning::of("latency", "elapsed time of a sample that succeeded"),
    Meaning::of("latency-failed", "elapsed time of a sample that failed"),
    Meaning::of("failed", "1 for a sample that failed, 0 for another: the mean is their share"),
    Meaning::of("first-byte", "time until the first byte of the answer"),
    Meaning::of("connect", "time until the connection stands, of samples that connect"),
];

const MILLISECONDS: f64 = 1e3;

/// Whether the first line has the fields of a sample without a header, or the header with another delimiter.
fn is_bare(head: &Head<'_>) -> bool {
    let first = head.header_line();
    [b',', b';', b'\t', b'|'].into_iter().any(|mark| {
        let cells: Vec<&[u8]> = first.split(|&byte| byte == mark).collect();
        let is_header = mark != b',' && cells.len() > 3 && cells[..2] == [&b"timeStamp"[..], &b"elapsed"[..]];
        let digits = |cell: &[u8]| !cell.is_empty() && cell.iter().all(u8::is_ascii_digit);
        let is_sample = cells.len() > 7 && cells[0].len() == 13 && digits(cells[0]) && digits(cells[1]);
        is_header || (is_sample && cells.iter().any(|cell| *cell == b"true" || *cell == b"false"))
    })
}

/// Whether these are the columns of a listener in any language: `Label,# Samples,…`, or `Label,Anz. der Proben,…,90% Line,…`.
/// The tables of other harnesses have percentiles in the place of the average.
fn is_table(columns: &[&[u8]]) -> bool {
    let begins_so = |column: &&[u8]| {
        let digits = column.iter().take_while(|&&byte| byte.is_ascii_digit() || byte == b'.').count();
        digits > 0 && column.get(digits) == Some(&b'%')
    };
    let has_levels = columns.get(4..7).is_some_and(|columns| columns.iter().all(begins_so));
    let rate = columns.iter().rposition(|column| column.contains(&b'%')).unwrap_or_default();
    let (counts, average) = match columns {
        [_, count, average, ..] => (count.starts_with(b"# "), !average.contains(&b'%')),
        _ => return false,
    };
    let is_listener = (counts && rate > 4) || (has_levels && rate > 7);
    (10..=14).contains(&columns.len()) && average && is_listener
}

/// A sample; times are in milliseconds.
struct Sample {
    line: u32,
    label: String,
    /// When it began, in milliseconds; unknown where the file has dates of another kind.
    start: Option<i64>,
    thread: String,
    succeeded: bool,
    elapsed: f64,
    first_byte: Option<f64>,
    connect: Option<f64>,
}

/// Adds the samples of a process in the order in which they began.
fn write(sheet: &mut Sheet, mut samples: Vec<Sample>) {
    if samples.iter().all(|sample| sample.start.is_some()) {
        samples.sort_by_key(|sample| sample.start);
    }
    let start = samples.first().and_then(|sample| sample.start);
    let date = start.map(|start| ("date".to_owned(), timestamps::of_unix(&start.to_string(), MILLISECONDS)));
    for sample in &samples {
        let thread = Some(("thread".to_owned(), sample.thread.clone())).filter(|(_, name)| !name.is_empty());
        sheet.set_context(&date.clone().into_iter().chain(thread).collect::<Vec<_>>());
        let row = Measurement { benchmark: &sample.label, line: sample.line, process: Some(0), ..ROW };
        load_metrics::push_request(sheet, row, sample.succeeded, sample.elapsed / MILLISECONDS);
        for (name, time) in [("first-byte", sample.first_byte), ("connect", sample.connect)] {
            match time.filter(|_| sample.succeeded) {
                // It was not measured, or the connection stood already.
                Some(0.0) => sheet.dropped(1),
                Some(time) => load_metrics::push(sheet, row, name, time / MILLISECONDS),
                None => {}
            }
        }
    }
}

fn read_csv(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let (mut samples, mut run) = (Vec::new(), 0);
    let bytes = content.all()?;
    if !Head::new(&bytes).header().any(|cell| cell == b"success") {
        let what = "there is no column `success`: failed samples cannot be told from the others";
        sheet.malformed(1, what, "add -Jjmeter.save.saveservice.successful=true");
        return Ok(());
    }
    csv_rows::each(&bytes, 1, sheet, |sheet, row| {
        // Files that were joined repeat the header. Where `-l` appends to a file, nothing marks the next run.
        if row.run > run {
            run = row.run;
            write(sheet, std::mem::take(&mut samples));
            sheet.next_run();
        }
        samples.extend(of_row(sheet, row));
    })?;
    write(sheet, samples);
    Ok(())
}

/// The sample of a row; `None`, with a problem, if it has none.
fn of_row(sheet: &mut Sheet, row: &Row<'_>) -> Option<Sample> {
    let text = |column: &str| row.text(column).unwrap_or_default();
    // A column of which a row may sum up several samples.
    let together = row.text("SampleCount").filter(|count| *count != "1");
    let succeeded = state(&text("success")).filter(|_| together.is_none());
    let Some((succeeded, label)) = succeeded.zip(row.text("label")) else {
        not_a_sample(sheet, row.line, &text("label"), together.as_deref());
        return None;
    };
    let elapsed = row.number(sheet, "elapsed")?;
    Some(Sample {
        line: row.line,
        label: label.into_owned(),
        start: text("timeStamp").parse().ok(),
        thread: text("threadName").into_owned(),
        succeeded,
        elapsed,
        first_byte: row.number(sheet, "Latency"),
        connect: row.number(sheet, "Connect"),
    })
}

fn state(text: &str) -> Option<bool> {
    match text {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn not_a_sample(sheet: &mut Sheet, line: u32, label: &str, together: Option<&str>) {
    let shown = excerpt(label);
    let (what, hint) = match together {
        Some(count) => {
            let what = format!("`{shown}` is {} samples together", excerpt(count));
            (what, "run with -Jmode=Standard, which writes each sample")
        }
        None => (
            format!("`{shown}` is not a sample with a label, a time and a success"),
            "was the file cut or edited?",
        ),
    };
    sheet.malformed(line, what, hint);
}

fn read_xml(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let mut samples = Vec::new();
    xml::each(&content.all()?, sheet, |sheet, event, line| {
        if let Event::Start(tag) | Event::Empty(tag) = event {
            match tag.name().as_ref() {
                "testResults" => {
                    write(sheet, std::mem::take(&mut samples));
                    sheet.next_run();
                }
                "httpSample" | "sample" | "statSample" => samples.extend(of_element(sheet, tag, line)),
                // A sampler of a plug-in can name its element by the class of its results.
                _ if ["t", "s", "lb", "ts"].iter().all(|name| xml::attribute(tag, name).is_some()) => {
                    samples.extend(of_element(sheet, tag, line));
                }
                _ => {}
            }
        }
    });
    write(sheet, samples);
    Ok(())
}

/// The sample of an element. A sample within another one is a sample of its own label.
fn of_element(sheet: &mut Sheet, tag: &BytesStart<'_>, line: u32) -> Option<Sample> {
    let text = |name: &str| xml::attribute(tag, name).map_or(Cow::Borrowed(""), Cow::Owned);
    let time = |name: &str| number(text(name).as_bytes());
    let label = text("lb");
    let count = match text("sc") {
        count if count.is_empty() && tag.name().as_ref() == "statSample" => Cow::Borrowed("several"),
        count => count,
    };
    let together = Some(count).filter(|count| !matches!(&**count, "" | "1"));
    let found = state(&text("s")).zip(time("t")).filter(|_| !label.is_empty() && together.is_none());
    let Some((succeeded, elapsed)) = found else {
        not_a_sample(sheet, line, &label, together.as_deref());
        return None;
    };
    Some(Sample {
        line,
        start: text("ts").parse().ok(),
        thread: text("tn").into_owned(),
        succeeded,
        elapsed,
        first_byte: time("lt"),
        connect: time("ct"),
        label: label.into_owned(),
    })
}
