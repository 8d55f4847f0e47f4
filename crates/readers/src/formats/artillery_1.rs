//! The JSON of Artillery 1: the summary of a run, and the time of each response in the windows of the run.

use super::artillery::{EXPORT, REQUESTS, Subject, entries, summary};
use super::load_metrics::push;
use super::prelude::*;
use super::records::{Field, Summary};

pub static FORMAT: Format = Format {
    name: "artillery-1",
    sign: "an object with `aggregate` that holds `scenariosCreated`, `requestsCompleted` and `latency`",
    harness: "Artillery",
    export: EXPORT,
    keys: &[&[
        Key::date("end of the run"),
        Key::work("phases", "how long new virtual users come, and how many a second"),
    ]],
    metrics: &[
        Meaning::of("latency", "time of a request"),
        Meaning::of("throughput", "requests a second"),
        Meaning::of("latency-p50", "median time of a request, where the file has not all single times"),
        Meaning::of("latency-p99", "99th percentile of the time of a request, likewise"),
        Meaning::of("session-p50", "median time of a virtual user, with its pauses"),
        Meaning::of("errors", "errors of all kinds"),
        Meaning::of("skipped", "virtual users that did not begin, because too many ran"),
        Meaning::of("responses-200", "responses with this status"),
    ],
    fits: |head| {
        head.has_all(&["aggregate.scenariosCreated", "aggregate.requestsCompleted", "aggregate.latency"])
    },
    read: Read::Document(read),
    ..Format::JSON
};

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    let aggregate = document.value("aggregate", sheet)?;
    let Some(object) = aggregate.object() else {
        sheet.lacks(1, "the file", "object `aggregate`");
        return Ok(());
    };
    let mut run = Run::default();
    if let Some(end) = object.text_of("timestamp") {
        run.state("date", end);
    }
    if let Some(phases) = object.list_of("phases").filter(|phases| !phases.is_empty()) {
        run.state("phases", &phases.iter().map(phase).collect::<Vec<_>>().join(", "));
    }
    COUNTS.take(sheet, &mut run, REQUESTS, &aggregate);
    SKIPPED.take(sheet, &mut run, "vusers", &aggregate);
    let line = object.line_of("requestsCompleted");
    let completed = object
        .get("requestsCompleted")
        .and_then(|count| named_number(sheet, "requestsCompleted", count, line));
    if completed == Some(0.0) {
        sheet.unanswered(line);
    } else {
        rate(sheet, &mut run, object);
        times(document, object, completed, sheet, &mut run)?;
    }
    let custom = object.object_of("customStats");
    for (name, values, line) in custom.into_iter().flat_map(entries) {
        summary(sheet, &mut run, name, Subject::of_script(name), (values, line));
    }
    run.end(sheet);
    Ok(())
}

/// A phase of the load in a few words: `6 s at 10/s`.
fn phase(phase: &Value<'_>) -> String {
    let stated = |field: &str| phase.get(field).filter(|value| value.is_simple()).map(plain);
    // A duration with a unit is a text.
    let time = |field: &str| {
        let is_text = phase.text_of(field).is_some_and(|text| text.parse::<f64>().is_err());
        stated(field).map(|time| if is_text { time } else { format!("{time} s") })
    };
    if let Some(pause) = time("pause") {
        return format!("pause of {pause}");
    }
    let Some(mut text) = time("duration") else { return plain(phase) };
    for (field, before, after) in [
        ("arrivalRate", " at ", "/s"),
        ("rampTo", " to ", "/s"),
        ("arrivalCount", " with ", " users"),
        ("maxVusers", " (at most ", " at a time)"),
    ] {
        if let Some(value) = stated(field) {
            text.extend([before, &value, after]);
        }
    }
    text
}

/// The requests a second, which are not a number where none was sent.
fn rate(sheet: &mut Sheet, run: &mut Run, aggregate: &Object<'_>) {
    let line = aggregate.line_of("rps");
    match aggregate.get("rps").and_then(|rps| rps.get("mean")) {
        Some(Value::Null) => sheet.dropped(1),
        Some(rate) => {
            if let Some(rate) = named_number(sheet, "rps", rate, line) {
                run.add(REQUESTS, "throughput", rate, line);
            }
        }
        None => {}
    }
}

/// Errors and statuses.
const COUNTS: Summary = Summary {
    fields: &[Field::of("errors", "errors.*", "1").sum(|_| true), Field::of("responses-*", "codes.*", "1")],
    ..Summary::PLAIN
};

/// Virtual users that did not begin.
const SKIPPED: Summary =
    Summary { fields: &[Field::of("skipped", "scenariosAvoided", "1")], ..Summary::PLAIN };

/// The times of the requests, or else their summary; and the summary of those of the virtual users.
fn times(
    document: &Document<'_>,
    aggregate: &Object<'_>,
    completed: Option<f64>,
    sheet: &mut Sheet,
    run: &mut Run,
) -> io::Result<()> {
    run.count = completed;
    let (samples, all) = samples(document, sheet)?;
    let are_all = all == samples.len() && completed == Some(all as f64);
    if are_all {
        sheet.set_context(&run.context);
        for &(seconds, line) in &samples {
            let row = Measurement { benchmark: REQUESTS, line, process: Some(0), ..ROW };
            push(sheet, row, "latency", seconds);
        }
    } else if !samples.is_empty() {
        let of = completed.map(|completed| format!(" of {completed}")).unwrap_or_default();
        let what = format!("the windows have the times of {}{of} requests", samples.len());
        sheet.problem(Code::Contradiction, samples[0].1, format!("{what}: the summaries are read"), "");
    }
    let parts = [("latency", REQUESTS, "latency"), ("scenarioDuration", "vusers", "session")];
    for (field, benchmark, stem) in parts.into_iter().filter(|part| !(are_all && part.0 == "latency")) {
        if let Some(values) = aggregate.object_of(field) {
            let ended = aggregate.get("scenariosCompleted").filter(|_| benchmark == "vusers");
            let line = aggregate.line_of("scenariosCompleted");
            let count = ended.and_then(|ended| named_number(sheet, "scenariosCompleted", ended, line));
            let stem = stem.to_owned();
            Subject { benchmark, stem, is_time: true, count }.summary(sheet, run, values);
        } else if let Some(value) = aggregate.get(field) {
            sheet.no_number(aggregate.line_of(field), field, "", plain(value));
        }
    }
    Ok(())
}

/// The time of each request with its line, from all windows of the run, and how many the windows have with those that
/// cannot be read. The summaries of a window are none of the run.
fn samples(document: &Document<'_>, sheet: &mut Sheet) -> io::Result<(Vec<(f64, u32)>, usize)> {
    let (mut found, mut all) = (Vec::new(), 0);
    if let Some(windows) = document.get("intermediate").filter(|windows: &Span<'_>| windows.is_list()) {
        windows.each(sheet, |sheet, window, line| {
            let line = window.object().map_or(line, |window| window.line_of("latencies"));
            let latencies = window.get("latencies");
            let entries = latencies.and_then(Value::list).unwrap_or_default();
            if let Some(other) = latencies.filter(|latencies| latencies.list().is_none()) {
                sheet.no_number(line, "latencies", "", plain(other));
            }
            all += entries.len();
            for entry in entries {
                // Early versions have a list: the moment, the request, the time, and the status.
                let nanoseconds = entry.list().map_or(Some(entry), |parts| parts.get(2));
                match nanoseconds.and_then(|time| number_of(sheet, time, line)) {
                    Some(time) => found.push((time / 1e9, line)),
                    None => sheet.no_number(line, "latencies", "", plain(entry)),
                }
            }
        })?;
    }
    Ok((found, all))
}
