//! Artillery's JSON: the summaries of a run of version 2. [`super::artillery_1`] reads that of version 1.

use super::labelled::{Part, Report};
use super::load_run::Figure;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "artillery",
    sign: "an object with `aggregate` that holds `counters` and `rates`",
    harness: "Artillery",
    export: EXPORT,
    keys: &[&[Key::date("start of the run, in UTC")]],
    metrics: &[
        Meaning::of("throughput", "requests a second, the mean of the windows, to a whole number"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-min", "shortest time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("latency-p50", "median time of a request"),
        Meaning::of("latency-p99", "99th percentile of the time of a request"),
        Meaning::of("latency-2xx-p99", "the same of the requests with such a status"),
        Meaning::of("session-p50", "median time of a virtual user, with its pauses"),
        Meaning::of("errors", "errors of all kinds, also of checks in the script"),
        Meaning::of("failed", "virtual users that failed"),
        Meaning::of("skipped", "virtual users that did not begin, because too many ran"),
        Meaning::of("failed-expectations", "expectations of the script that did not hold"),
        Meaning::of("responses-200", "responses with this status"),
    ],
    fits: |head| head.has_all(&["aggregate.counters", "aggregate.rates"]),
    read: Read::Document(read),
    ..Format::JSON_SUMMARY
};

/// The option that exports what can be read.
pub(super) const EXPORT: &str = "artillery run --output FILE SCRIPT";

pub static TEXT: Format = Format {
    name: "artillery-text",
    sign: "a line `Summary report @ …` or `Metrics for period to: …`",
    harness: "Artillery",
    printed_by: &["artillery"],
    own_labels: &[
        "http.",
        "plugins.",
        "vusers.",
        "errors.",
        "Phase ",
        "Request latency",
        "Response time",
        "Scenario ",
        "Codes",
        "Errors",
        "*report @",
    ],
    metrics: &[
        Meaning::of("throughput", "requests a second"),
        Meaning::of("latency-mean", "mean time of a request"),
        Meaning::of("latency-min", "shortest time of a request"),
        Meaning::of("latency-max", "longest time of a request"),
        Meaning::of("latency-p50", "median time of a request"),
        Meaning::of("latency-p99", "99th percentile of the time of a request"),
        Meaning::of("session-p50", "median time of a virtual user, with its pauses"),
        Meaning::of("errors", "errors of all kinds"),
        Meaning::of("failed", "virtual users that failed"),
        Meaning::of("responses-200", "responses with this status"),
    ],
    words: &["ummary report @ ", "Metrics for period to: "],
    fits: |head| {
        let has = |pattern| labelled::has_lines(head, &[pattern]);
        has(WINDOW).or_else(|_| has(SUMMARY)).or_else(|_| has("*Summary report @ *"))
    },
    read: Read::Report(&Report {
        benchmark: REQUESTS,
        parts: &[
            Part::run(
                // Some write the line as a heading of Markdown.
                &[SUMMARY, "#*Summary report @ *"],
                &[
                    "Requests completed: <count>",
                    "http.responses: <count>",
                    "RPS sent: <throughput 1>",
                    "Mean response/sec: <throughput 1>",
                    "http.request_rate: <throughput 1>/sec",
                    "http.codes.<label>: <responses-* 1>",
                    "errors.*: <+errors>",
                    "vusers.failed: <failed 1>",
                ],
            ),
            Part::aside(&["Report @ *", WINDOW], &[]),
            Part::of(
                &["Request latency:", "Response time (msec):", "http.response_time:"],
                &[
                    "min: <latency-min ms>",
                    "max: <latency-max ms>",
                    "mean: <latency-mean ms>",
                    "median: <latency-p50 ms>",
                    "p<label>: <latency-p* ms>",
                ],
            ),
            Part::of(
                &["Scenario duration:", "vusers.session_length:"],
                &[
                    "min: <session-min ms>",
                    "max: <session-max ms>",
                    "mean: <session-mean ms>",
                    "median: <session-p50 ms>",
                    "p<label>: <session-p* ms>",
                ],
            ),
            Part::of(&["Codes:"], &["<label>: <responses-* 1>"]),
            Part::of(&["Errors:"], &["*: <+errors>"]),
            // What else has a title, such as the times of one endpoint. A line without a blank before it ends all of them.
            Part::of(&["*:", "Log file: *", "All VUs finished*"], &[]),
        ],
        ..Report::PLAIN
    }),
    ..Format::REPORT
};

/// The lines above the report of a window, and above that of all.
const WINDOW: &str = "Metrics for period to: *";
const SUMMARY: &str = "Summary report @ *";

/// The requests of all kinds, as other formats name them.
pub(super) const REQUESTS: &str = "requests";

/// The metrics of an endpoint, which a plug-in of Artillery adds.
const BY_ENDPOINT: &str = "plugins.metrics-by-endpoint.";

fn read(sheet: &mut Sheet, document: &Document<'_>) -> io::Result<()> {
    // Beside it are the windows of the same run.
    let aggregate = document.value("aggregate", sheet)?;
    let part = |key: &str| aggregate.object_of(key);
    let (Some(counters), Some(rates)) = (part("counters"), part("rates")) else {
        sheet.lacks(1, "`aggregate`", "`counters` and `rates`");
        return Ok(());
    };
    let mut run = Run::default();
    if let Some(start) = aggregate.get("firstMetricAt").filter(|start| start.is_simple()) {
        let date = timestamps::of_unix(&plain(start), 1e3);
        if date.ends_with('Z') {
            run.state("date", &date);
        } else {
            let line = aggregate.object().map_or(1, |aggregate| aggregate.line_of("firstMetricAt"));
            sheet.no_number(line, "firstMetricAt", "", plain(start));
        }
    }
    // Early versions 2 have only one of the two, and later ones the same in both.
    let summaries = part("summaries").or_else(|| part("histograms"));
    counts(sheet, &mut run, counters, summaries);
    let has = |name: &str| counters.get(name).is_some_and(|count| !count.is_zero());
    let is_unanswered = has("http.requests") && !has("http.responses");
    if is_unanswered {
        sheet.unanswered(counters.line);
    }
    for (name, value) in rates.iter().filter(|(name, _)| !(is_unanswered && *name == "http.request_rate")) {
        rate(sheet, &mut run, name, value, rates.line_of(name));
    }
    for (name, values, line) in summaries.into_iter().flat_map(entries) {
        summary(sheet, &mut run, name, Subject::of(name), (values, line));
    }
    run.end(sheet);
    Ok(())
}

/// The entries of an object with their lines.
pub(super) fn entries<'a, 'b>(
    object: &'b Object<'a>,
) -> impl Iterator<Item = (&'b str, &'b Value<'a>, u32)> + use<'a, 'b> {
    object.iter().map(|(name, value)| (name, value, object.line_of(name)))
}

/// The name of an endpoint that a summary of times is of.
fn timed_endpoint(name: &str) -> Option<&str> {
    let endpoint = name.strip_prefix(BY_ENDPOINT).and_then(|rest| rest.strip_prefix("response_time."));
    endpoint.filter(|endpoint| !endpoint.is_empty())
}

/// The counters that are results: errors, and responses of each status. Others say how much was done.
fn counts(sheet: &mut Sheet, run: &mut Run, counters: &Object<'_>, summaries: Option<&Object<'_>>) {
    // A counter of nothing is left out of the file.
    let mut errors = BTreeMap::from([(REQUESTS, (Some(0.0), counters.line))]);
    for (name, _, line) in summaries.into_iter().flat_map(entries) {
        if let Some(endpoint) = timed_endpoint(name) {
            errors.insert(endpoint, (Some(0.0), line));
        }
    }
    let absent = [
        ("vusers.created", "vusers.failed", "vusers", "failed"),
        ("vusers.created", "vusers.skipped", "vusers", "skipped"),
        ("plugins.expect.ok", "plugins.expect.failed", REQUESTS, "failed-expectations"),
    ];
    for (sign, counter, benchmark, metric) in absent {
        if counters.has(sign) && !counters.has(counter) {
            run.add(benchmark, metric, 0.0, counters.line_of(sign));
        }
    }
    for (name, value, line) in entries(counters) {
        let endpoint = name.strip_prefix(BY_ENDPOINT);
        let of_endpoint = |part: &str| endpoint.and_then(|rest| rest.rsplit_once(part));
        let is_status = |status: &str| status.bytes().all(|byte| byte.is_ascii_digit());
        let is_error = name.strip_prefix("errors.").map(|_| REQUESTS);
        let (benchmark, metric) = if let Some(status) = name.strip_prefix("http.codes.") {
            (REQUESTS, format!("responses-{status}"))
        } else if let Some((benchmark, status)) =
            of_endpoint(".codes.").filter(|(_, status)| is_status(status))
        {
            if !benchmark.is_empty() {
                errors.entry(benchmark).or_insert((Some(0.0), line));
            }
            (benchmark, format!("responses-{status}"))
        } else if let Some(benchmark) = is_error.or_else(|| of_endpoint(".errors.").map(|(name, _)| name)) {
            if benchmark.is_empty() {
                nameless(sheet, name, line);
                continue;
            }
            let count = named_number(sheet, name, value, line);
            let (all, _) = errors.entry(benchmark).or_insert((Some(0.0), line));
            // A part of their sum would be too little.
            *all = all.zip(count).map(|(all, count)| all + count);
            continue;
        } else {
            match name {
                "vusers.failed" => ("vusers", "failed".to_owned()),
                "vusers.skipped" => ("vusers", "skipped".to_owned()),
                "plugins.expect.failed" => (REQUESTS, "failed-expectations".to_owned()),
                _ => continue,
            }
        };
        if benchmark.is_empty() || metric.ends_with('-') {
            nameless(sheet, name, line);
        } else if let Some(count) = named_number(sheet, name, value, line) {
            run.add(benchmark, &metric, count, line);
        }
    }
    for (benchmark, (all, line)) in errors {
        if let Some(all) = all {
            run.add(benchmark, "errors", all, line);
        }
    }
}

/// A rate: `http.request_rate`, or that of another protocol or of the script.
fn rate(sheet: &mut Sheet, run: &mut Run, name: &str, value: &Value<'_>, line: u32) {
    let (benchmark, metric) = match name.strip_suffix("_rate").and_then(|rest| rest.rsplit_once('.')) {
        Some(("http", "request")) => (REQUESTS, "throughput".to_owned()),
        Some(("", _) | (_, "")) => return nameless(sheet, name, line),
        Some((kind, what)) => (kind, format!("throughput-{what}")),
        None if matches!(name, "" | "_rate") => return nameless(sheet, name, line),
        None => (REQUESTS, format!("throughput-{name}")),
    };
    // It is a whole number: 0 is less than a half.
    if *value == Value::Null || value.is_zero() {
        return sheet.dropped(1);
    }
    if let Some(value) = named_number(sheet, name, value, line) {
        run.add(benchmark, &metric, value, line);
    }
}

/// What a summary is of.
pub(super) struct Subject<'a> {
    /// The benchmark: an endpoint, a protocol, the virtual users, or all requests.
    pub(super) benchmark: &'a str,
    /// The beginning of the names of its metrics.
    pub(super) stem: String,
    /// Whether its values are milliseconds. Those of the script have no known unit.
    pub(super) is_time: bool,
    /// How many values it is of, where it does not state that itself.
    pub(super) count: Option<f64>,
}

impl<'a> Subject<'a> {
    /// The subject of a summary with this name; `None` if it lacks a part.
    fn of(name: &'a str) -> Option<Self> {
        let time = |benchmark: &'a str, stem: &str| {
            let benchmark = if benchmark == "http" { REQUESTS } else { benchmark };
            let is_named = !benchmark.is_empty() && !stem.ends_with('-');
            is_named.then(|| Self { benchmark, stem: stem.to_owned(), is_time: true, count: None })
        };
        if let Some(benchmark) = timed_endpoint(name) {
            Some(Self { benchmark, stem: "latency".to_owned(), is_time: true, count: None })
        } else if name == "vusers.session_length" {
            time("vusers", "session")
        } else if let Some(kind) = name.strip_suffix(".response_time") {
            time(kind, "latency")
        } else if let Some((kind, part)) = name.split_once(".response_time.") {
            time(kind, &format!("latency-{part}"))
        } else {
            Self::of_script(name)
        }
    }

    /// A summary that the script or a plug-in of Artillery adds; `None` if it has no name.
    pub(super) fn of_script(name: &str) -> Option<Self> {
        let stem = format!("custom-{name}");
        (!name.is_empty()).then_some(Self { benchmark: REQUESTS, stem, is_time: false, count: None })
    }

    /// Adds the statistics of a summary.
    pub(super) fn summary(&self, sheet: &mut Sheet, run: &mut Run, values: &Object<'_>) {
        let line_of = |field: &str| values.line_of(field);
        let stated =
            values.get("count").and_then(|count| named_number(sheet, "count", count, line_of("count")));
        let count = stated.or(self.count);
        for (field, value) in values.iter() {
            let statistic = match field {
                "mean" | "min" | "max" => Some(format!("{}-{field}", self.stem)),
                "median" if values.has("p50") => None,
                "median" => Some(format!("{}-p50", self.stem)),
                "p999" => Some(format!("{}-p99.9", self.stem)),
                _ => field.strip_prefix('p').and_then(|level| percentile(&self.stem, level)),
            };
            let Some(name) = statistic else {
                // Others are the count, and what is stated twice.
                if field.starts_with('p') {
                    sheet.no_number(line_of(field), &self.stem, "", field);
                }
                continue;
            };
            // Nothing was measured, or less than half of a unit: times of version 2 are whole milliseconds.
            if *value == Value::Null || (self.is_time && value.is_zero()) {
                sheet.dropped(1);
                continue;
            }
            let Some(value) = named_number(sheet, &name, value, line_of(field)) else { continue };
            let (benchmark, line) = (self.benchmark.to_owned(), line_of(field));
            let value = if self.is_time { value / 1e3 } else { value };
            if !self.is_time {
                sheet.metric(&name, || Metric::new(&name, "", Quantity::Other).secondary());
            }
            let aggregate = Aggregate { count, deviation: None };
            run.figures.push(Figure { benchmark, name, value, line, aggregate });
        }
    }
}

/// Adds a summary with this name; a problem if it is none.
pub(super) fn summary(
    sheet: &mut Sheet,
    run: &mut Run,
    name: &str,
    subject: Option<Subject<'_>>,
    (values, line): (&Value<'_>, u32),
) {
    match (subject, values.object()) {
        (None, _) => nameless(sheet, name, line),
        (Some(subject), Some(values)) => subject.summary(sheet, run, values),
        (Some(_), None) => sheet.no_number(line, name, "", plain(values)),
    }
}

/// Records a result whose name lacks a part.
fn nameless(sheet: &mut Sheet, name: &str, line: u32) {
    sheet.lacks(line, name, "benchmark or metric in its name");
}
