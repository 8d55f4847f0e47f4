//! fortio's JSON: the summary of a run over HTTP, gRPC, TCP or UDP.

use super::labelled::{Part, Report};
use super::load_run::Figure;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "fortio",
    sign: "an object with `ActualQPS`, `NumThreads`, and `DurationHistogram` that holds `Count`",
    harness: "fortio",
    export: "fortio load -json FILE URL",
    keys: &[&[
        Key::date("start of the run"),
        Key::setting("label", "label that the user gives the run; otherwise the address and the host"),
        Key::setting("version", "version of the harness"),
        Key::work("run-type", "kind of the calls: HTTP, TCP, UDP, or a service of gRPC"),
        Key::work("rate", "calls per second that are asked for, or `max`"),
        Key::work("duration", "how long the run lasts"),
        Key::work("requests", "number of calls, where it is given in place of a duration"),
        Key::work("threads", "number of threads of the load generator, each with a connection"),
        Key::work("streams", "streams of each connection (gRPC)"),
        Key::work("method", "method of the requests, where it is given"),
        Key::work("headers", "type of what is sent"),
        Key::work("body", "what is sent, in base64"),
        Key::work("resolution", "width of the narrowest buckets of the histogram, in seconds"),
        Key::work("options", "switches that are on, such as `H2` or `Jitter`"),
    ]],
    metrics: METRICS,
    fits: |head| head.has_all(&["ActualQPS", "NumThreads", "DurationHistogram.Count"]),
    read: Read::Sheet(|sheet, content| {
        let bytes = content.all()?;
        let root = Span::new(&bytes, 1, content.budget.limits.values).value(sheet)?;
        match root.object() {
            Some(object) => report(sheet, &root, object),
            None if root == Value::Null => {}
            None => {
                sheet.lacks(1, "the file", "object");
            }
        }
        Ok(())
    }),
    ..Format::JSON_SUMMARY
};

pub static TEXT: Format = Format {
    name: "fortio-text",
    sign: "a line `Aggregated Function Time : count … avg … +/- …`",
    harness: "fortio",
    printed_by: &["fortio"],
    own_labels: &["IP addresses", "# Socket"],
    // It has neither times of connecting nor a number of errors.
    metrics: METRICS.split_at(8).0,
    words: &["Aggregated Function Time : count "],
    fits: |head| labelled::has_lines(head, &["Aggregated Function Time : count *"]),
    read: Read::Report(&Report {
        benchmark: "calls",
        parts: &[
            Part::run(
                &["Ended after * calls. qps=*"],
                &["Ended after * : <count> calls. qps=<throughput 1>", "Code <label> : <responses-* 1> (*"],
            ),
            Part::of(
                &["Aggregated Function Time : count *"],
                &[
                    "Aggregated Function Time : count <count> avg <latency-mean s> +/- <sd s> min <latency-min s> max <latency-max s> sum *",
                    "# target <label>% <latency-p* s>",
                ],
            ),
            Part::of(
                &["Error cases : count *"],
                &["Error cases : count * avg <latency-failed-mean s> +/- <sd s> min *"],
            ),
            Part::of(&["# Socket*", "Connection time histogram*"], &[]),
        ],
        ..Report::PLAIN
    }),
    ..Format::REPORT
};

const METRICS: &[Meaning] = &[
    Meaning::of("throughput", "calls a second, with those that failed"),
    Meaning::of("latency-mean", "mean time of a call"),
    Meaning::of("latency-min", "shortest time of a call"),
    Meaning::of("latency-max", "longest time of a call"),
    Meaning::of("latency-p50", "median time of a call"),
    Meaning::of("latency-p99", "99th percentile of the time of a call"),
    Meaning::of("latency-failed-mean", "mean time of a call that failed"),
    Meaning::of("responses-200", "responses with this status"),
    Meaning::of("connect-mean", "mean time of connecting"),
    Meaning::of("errors", "calls that failed: no response, or one of an error"),
];

/// The histograms with the beginnings of the names of their metrics. That of all calls comes first.
const HISTOGRAMS: [(&str, &str); 3] = [
    ("DurationHistogram", "latency"),
    ("ErrorsDurationHistogram", "latency-failed"),
    ("ConnectionStats", "connect"),
];

/// The switches that change the calls or when they begin.
const SWITCHES: [&str; 15] = words!(
    "AllowHalfClose Compression DisableFastClient DisableKeepAlive FollowRedirects H2 HTTP10 Insecure Jitter \
     MTLS NoCatchUp NoResolveEachConn Ping SequentialWarmup Uniform"
);

/// Reads the report of a run.
fn report(sheet: &mut Sheet, root: &Value<'_>, object: &Object<'_>) {
    let text = |key: &str| object.text_of(key).filter(|text| !text.is_empty());
    let benchmark = text("URL").or_else(|| text("Destination")).unwrap_or("requests");
    let mut run = Run { context: work(root), ..Run::default() };
    let counts = HISTOGRAMS.map(|(field, _)| count(sheet, object, field));
    let [calls, failed, _] = counts;
    let is_failure = object.get("error") == Some(&Value::Bool(true));
    if is_failure || calls.is_some_and(|calls| calls <= 0.0) {
        // A run that did not begin has a histogram of nothing, or one of times that fortio makes up.
        let mut what = "no call was made".to_owned();
        for reason in ["message", "exception"].into_iter().filter_map(text) {
            what.extend([": ", &*excerpt(reason)]);
        }
        return sheet.problem(Code::NoResults, object.line, what, "did the run begin?");
    }
    interruption(sheet, object);
    let errors = errors(sheet, object, failed);
    if let Some((errors, line)) = errors {
        run.add(benchmark, "errors", errors, line);
    }
    responses(sheet, &mut run, benchmark, object);
    if calls.is_none() {
        let what = "the number of calls is not known: neither their times nor their rate are read";
        sheet.problem(
            Code::NoResults,
            object.line_of("DurationHistogram"),
            what,
            "was the file cut or edited?",
        );
    } else if errors.map(|(errors, _)| errors) >= calls {
        // A call that fails at once would be a fast one.
        sheet.unanswered(object.line);
    } else {
        if let Some(rate) = number(sheet, object, "ActualQPS", object.line_of("ActualQPS")) {
            run.add(benchmark, "throughput", rate, object.line_of("ActualQPS"));
        }
        for ((field, stem), count) in HISTOGRAMS.into_iter().zip(counts) {
            if let Some(histogram) = object.object_of(field) {
                times(sheet, &mut run, benchmark, histogram, (stem, count));
            }
        }
    }
    run.end(sheet);
}

/// The number of times in a histogram; a problem if it is there and is none.
fn count(sheet: &mut Sheet, object: &Object<'_>, field: &str) -> Option<f64> {
    let value = object.get(field).filter(|value| **value != Value::Null)?;
    let Some(histogram) = value.object() else {
        sheet.no_number(object.line_of(field), field, "", plain(value));
        return None;
    };
    let line = histogram.line_of("Count");
    let count = histogram.get("Count")?;
    let found = number_of(sheet, count, line).filter(|count| *count >= 0.0);
    if found.is_none() {
        sheet.no_number(line, "Count", field, plain(count));
    }
    found
}

/// Reports a run that made fewer calls than were asked for. fortio says so only where their number was given.
fn interruption(sheet: &mut Sheet, object: &Object<'_>) {
    let asked = object.text_of("RequestedDuration").unwrap_or_default();
    if asked.contains(", interrupted after ") {
        let what = format!("the run was ended early: {}", excerpt(asked));
        let hint = "the calls that it made are read. Repeat the run if you need all";
        sheet.problem(Code::Truncated, object.line_of("RequestedDuration"), what, hint);
    }
}

/// What was asked of fortio. Credentials and headers are not kept.
fn work(root: &Value<'_>) -> Context {
    let fields = [
        ("StartTime", "date"),
        ("Labels", "label"),
        ("Version", "version"),
        ("RunType", "run-type"),
        ("RequestedQPS", "rate"),
        ("NumThreads", "threads"),
        ("Streams", "streams"),
        ("MethodOverride", "method"),
        ("ContentType", "headers"),
        ("Payload", "body"),
        ("Resolution", "resolution"),
    ];
    let mut found = stated(root, &fields);
    for (key, value) in &mut found {
        match &**key {
            "headers" => value.insert_str(0, "content-type: "),
            "body" => shorten(value),
            _ => {}
        }
    }
    let exactly = root.get("Exactly").filter(|count| !count.is_zero()).map(plain);
    match exactly {
        Some(count) => found.push(("requests".to_owned(), count)),
        None => found.extend(stated(root, &[("RequestedDuration", "duration")])),
    }
    let is_on = |switch: &&&str| root.get(switch) == Some(&Value::Bool(true));
    let mut on: Vec<String> = SWITCHES.iter().filter(is_on).map(|&switch| switch.to_owned()).collect();
    let reuse = root.elements("ConnReuseRange");
    if !reuse.iter().all(Value::is_zero) {
        let reuse: Vec<String> = reuse.iter().map(plain).collect();
        on.push(format!("ConnReuse={}", reuse.join(":")));
    }
    let offset = root.get("Offset").filter(|offset| offset.is_simple() && !offset.is_zero());
    on.extend(offset.map(|offset| format!("Offset={} ns", plain(offset))));
    found.extend((!on.is_empty()).then(|| ("options".to_owned(), on.join(", "))));
    found
}

/// Shortens a long text to its beginning and its length.
fn shorten(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(60) {
        *text = format!("{}… ({} characters)", &text[..end], text.len());
    }
}

/// The number of calls that failed, and its line: fortio counts them, and old versions have only the results of all calls.
fn errors(sheet: &mut Sheet, object: &Object<'_>, failed: Option<f64>) -> Option<(f64, u32)> {
    if let Some(histogram) = object.object_of("ErrorsDurationHistogram") {
        return failed.map(|count| (count, histogram.line_of("Count")));
    }
    let results = object.object_of("RetCodes")?;
    let failed = results.iter().filter(|(result, _)| !is_success(result));
    let counts = failed.map(|(result, _)| number(sheet, results, result, results.line_of(result)));
    // A part of their sum would be too little. `sum` of nothing is -0.0.
    let all = counts.sum::<Option<f64>>()? + 0.0;
    Some((all, results.line))
}

/// Whether a call with this result succeeded. fortio counts 418 among them, with which a server can answer that it is there.
fn is_success(result: &str) -> bool {
    match result.parse::<u32>() {
        Ok(status) => (200..300).contains(&status) || status == 418,
        Err(_) => matches!(result, "SERVING" | "OK"),
    }
}

/// The number of responses of each status. What is below 0 is no response, and other protocols have texts.
fn responses(sheet: &mut Sheet, run: &mut Run, benchmark: &str, object: &Object<'_>) {
    let Some(results) = object.object_of("RetCodes") else { return };
    for (result, _) in results.iter().filter(|(result, _)| result.parse::<u32>().is_ok()) {
        let line = results.line_of(result);
        if let Some(count) = number(sheet, results, result, line) {
            run.add(benchmark, &format!("responses-{result}"), count, line);
        }
    }
}

/// The figures of a histogram, in seconds, by the beginning of their names and the number of times. All are 0 in one of
/// nothing.
fn times(
    sheet: &mut Sheet,
    run: &mut Run,
    benchmark: &str,
    histogram: &Object<'_>,
    (stem, count): (&str, Option<f64>),
) {
    if count.is_none_or(|count| count <= 0.0) {
        return;
    }
    // The deviation of a single call is 0, which says nothing.
    let deviation = number(sheet, histogram, "StdDev", histogram.line_of("StdDev"));
    let deviation = deviation.filter(|deviation| *deviation > 0.0);
    let mut add = |name: String, value: f64, line: u32, deviation: Option<f64>| {
        let aggregate = Aggregate { count, deviation };
        run.figures.push(Figure { benchmark: benchmark.to_owned(), name, value, line, aggregate });
    };
    for (field, statistic) in [("Avg", "mean"), ("Min", "min"), ("Max", "max")] {
        let line = histogram.line_of(field);
        if let Some(value) = number(sheet, histogram, field, line) {
            add(format!("{stem}-{statistic}"), value, line, deviation.filter(|_| field == "Avg"));
        }
    }
    let levels = histogram.elements("Percentiles");
    for level in levels {
        let line = level.object().map_or(histogram.line_of("Percentiles"), |level| level.line_of("Value"));
        let stated = level.get("Percentile");
        match stated.and_then(|digits| percentile(stem, &plain(digits))) {
            Some(name) => match level.get("Value").and_then(|value| number_of(sheet, value, line)) {
                Some(value) => add(name, value, line, None),
                None => sheet.no_number(line, name, "", shown(level.get("Value"))),
            },
            None => sheet.no_number(line, "Percentile", "", shown(stated)),
        }
    }
}

/// A value in a message.
fn shown(value: Option<&Value<'_>>) -> String {
    value.map_or_else(|| "nothing".to_owned(), plain)
}

/// The number of a field; a problem if it is there and is none.
fn number(sheet: &mut Sheet, object: &Object<'_>, field: &str, line: u32) -> Option<f64> {
    named_number(sheet, field, object.get(field)?, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_calls_are_successes_or_not() {
        for result in ["200", "204", "418", "SERVING", "OK"] {
            assert!(is_success(result), "{result}");
        }
        for result in ["-1", "301", "404", "503", "ERROR", "NOT_SERVING", "read timeout", ""] {
            assert!(!is_success(result), "{result}");
        }
    }
}
