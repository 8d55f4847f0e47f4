//! k6's summary at the end of a test: the old export, what `handleSummary` gets, and the machine-readable summary.

use super::prelude::*;
use std::fmt::Write;

use foldhash::fast::FixedState;

use super::outline::{self, Node};

pub static FORMAT: Format = Format {
    name: "k6-summary",
    sign: "an object with `metrics` and `root_group` or the names of k6, or with `results` that hold `metrics` with `contains`",
    harness: "k6",
    export: "k6 run --summary-export FILE",
    keys: &[&[Key::date("end of the test"), Key::environment("k6", "version of k6")]],
    metrics: &[
        Meaning::of("http_reqs", "requests a second"),
        Meaning::of("iterations", "iterations of the script a second"),
        Meaning::of("data_received", "bytes received a second"),
        Meaning::of("data_sent", "bytes sent a second"),
        Meaning::of("http_req_duration-p50", "median time of a request"),
        Meaning::of("http_req_duration-mean", "mean time of a request"),
        Meaning::of("http_req_duration-max", "longest time of a request"),
        Meaning::of("http_req_failed", "share of the requests that failed"),
        Meaning::of("checks", "share of the checks that succeeded"),
    ],
    fits: |head| {
        let is_new = head.has_all(&["results.metrics[].contains", "results.metrics[].values"]).is_ok();
        if is_new || head.json()?.child("metrics").is_some_and(has_metric) {
            return Ok(());
        }
        head.has_all(&["metrics", "root_group"])
    },
    read: Read::Sheet(read),
    ..Format::JSON_SUMMARY
};

pub static TEXT: Format = Format {
    name: "k6-text",
    sign: "lines such as `http_req_duration..: avg=1.2ms min=… med=…` or `iterations...: 6  2.5/s`",
    harness: "k6",
    printed_by: &["k6"],
    metrics: &[
        Meaning::of("http_reqs", "requests a second"),
        Meaning::of("iterations", "iterations of the script a second"),
        Meaning::of("data_received", "bytes received a second"),
        Meaning::of("http_req_duration-p50", "median time of a request"),
        Meaning::of("http_req_duration-mean", "mean time of a request"),
        Meaning::of("http_req_failed", "share of the requests that failed"),
    ],
    words: &["...:"],
    fits: |head| No::unless(head.lines().any(is_text), "it has no such line"),
    read: Read::Sheet(read_text),
    ..Format::REPORT
};

/// Reads what is printed as the summary with the same figures, a line for each metric.
fn read_text(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let (mut metrics, mut known, mut parent) = (String::new(), BTreeSet::new(), String::new());
    let mut at = 1;
    let end = |sheet: &mut Sheet, metrics: &mut String| {
        sheet.next_run();
        summaries(format!("{{\"metrics\":{{{}}}}}", std::mem::take(metrics)).as_bytes(), content, sheet)
    };
    for (line, text) in lines::numbered(&bytes) {
        let Some((label, values)) = text.split_once("...:").filter(|(_, values)| !values.is_empty()) else {
            continue;
        };
        let label = label.trim_start_matches(['✓', '✗', ' ']).trim_end_matches('.').trim_end();
        // Below a metric are those of a part of its points.
        let tags = label.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        if tags.is_none() {
            label.clone_into(&mut parent);
        }
        let label = tags.map_or(parent.clone(), |tags| format!("{parent}{{{}}}", tags.trim()));
        let Some(values) = printed(&parent, values) else {
            sheet.unreadable(line, text);
            continue;
        };
        if known.contains(&label) {
            // Another run.
            end(sheet, &mut metrics)?;
            (at, known) = (1, BTreeSet::new());
        }
        let comma = if metrics.is_empty() { "" } else { "," };
        let ends = "\n".repeat(line.saturating_sub(at) as usize);
        let _ = write!(metrics, "{ends}{comma}{}:{values}", serde_json::Value::from(&*label));
        known.insert(label);
        at = line;
    }
    end(sheet, &mut metrics)
}

/// The values of a metric as the summary has them; `None` if a number cannot be read.
fn printed(name: &str, text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let entry = |kind: &str, contains: &str, values: String| {
        Some(format!("{{\"type\":\"{kind}\",\"contains\":\"{contains}\",\"values\":{{{values}}}}}"))
    };
    let plain = |word: &str| number(word);
    if words.iter().all(|word| word.contains('=')) {
        let mut is_time = false;
        let mut found = Vec::new();
        for (key, value) in words.iter().filter_map(|word| word.split_once('=')) {
            let time = go_seconds(value).filter(|_| plain(value).is_none());
            is_time |= time.is_some();
            let value = time.map(|seconds| seconds * 1e3).or_else(|| plain(value).filter(|_| !is_time))?;
            found.push(format!("\"{key}\":{value}"));
        }
        return entry("trend", if is_time { "time" } else { "default" }, found.join(","));
    }
    match words[..] {
        [_, held, "out", "of", all] => {
            entry("rate", "default", format!("\"matches\":{},\"total\":{}", plain(held)?, plain(all)?))
        }
        [_, "✓", held, "✗", failed] => {
            entry("rate", "default", format!("\"passes\":{},\"fails\":{}", plain(held)?, plain(failed)?))
        }
        [count, rate] if rate.ends_with("/s") => {
            let (count, rate) = (plain(count)?, plain(rate.strip_suffix("/s")?)?);
            entry("counter", "default", format!("\"count\":{count},\"rate\":{rate}"))
        }
        [count, unit, rate, per] if per.ends_with("/s") => {
            let bytes = |digits: &str, unit: &str| Some(known(unit)?.scale.apply(plain(digits)?));
            let (count, rate) = (bytes(count, unit)?, bytes(rate, per.strip_suffix("/s")?)?);
            entry("counter", "data", format!("\"count\":{count},\"rate\":{rate}"))
        }
        [value, ..] if built_in(name).is_none_or(|known| known.kind == Kind::Gauge) => {
            entry("gauge", "default", format!("\"value\":{}", plain(value)?))
        }
        _ => None,
    }
}

fn is_text(line: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let Some((name, values)) = text.split_once("...:") else { return false };
    let known = name.trim_start_matches(['✓', '✗', ' ']).trim_end_matches('.');
    built_in(known).is_some() && !values.is_empty()
}

/// Whether one of these metrics is of k6. Above many of them `root_group` is below what detection sees.
fn has_metric(metrics: &Node) -> bool {
    metrics.children().any(|(name, values)| {
        let name = name.find('{').map_or(name, |at| &name[..at]);
        let has = |key: &str| values.child(key).is_some();
        let has_values = values.child("values").is_some_and(|values| values.kind == outline::Kind::Object);
        let has_all = (has("avg") && has("med")) || (has("count") && has("rate")) || has_values;
        has_all && built_in(name).is_some()
    })
}

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    summaries(&content.all()?, content, sheet)
}

/// Reads a document.
fn summaries(bytes: &[u8], content: &Content, sheet: &mut Sheet) -> io::Result<()> {
    let Some(document) = Document::of(bytes, content, sheet)? else { return Ok(()) };
    if document.get("results").is_some() {
        return machine_readable(&document, sheet);
    }
    let metrics = document.value("metrics", sheet)?;
    let Some(metrics) = metrics.object() else {
        sheet.lacks(0, "the file", "object `metrics`");
        return Ok(());
    };
    for (name, entry) in metrics.iter() {
        let values = entry.get("values").unwrap_or(entry);
        Summary { name, entry, values, line: metrics.line_of(name), seconds: None }.read(sheet);
    }
    Ok(())
}

/// The summary that `--new-machine-readable-summary` writes: counters have no rate there, but the duration is stated.
fn machine_readable(document: &Document<'_>, sheet: &mut Sheet) -> io::Result<()> {
    let (config, metadata) = (document.value("config", sheet)?, document.value("metadata", sheet)?);
    sheet.set_context(&stated(&metadata, &[("generated_at", "date"), ("k6_version", "k6")]));
    let seconds = config.get("duration").and_then(|duration| number_of(sheet, duration, 1));
    let results = document.value("results", sheet)?;
    let checks = results.get("checks").and_then(|checks| checks.get("metrics"));
    for entry in [results.get("metrics"), checks].into_iter().flatten().filter_map(Value::list).flatten() {
        let line = entry.object().map_or(1, |entry| entry.line);
        let (name, values) = (entry.text_of("name"), entry.get("values"));
        let Some((name, values)) = sheet.need(name.zip(values), line, "name or values") else {
            continue;
        };
        Summary { name, entry, values, line, seconds }.read(sheet);
    }
    Ok(())
}

/// Tags that say how a request ended.
const OUTCOMES: [&str; 4] = ["status:", "error:", "error_code:", "expected_response:"];

/// The summary of one metric.
struct Summary<'a> {
    /// Its name, with the tags of a part of the points: `http_req_duration{status:200}`.
    name: &'a str,
    entry: &'a Value<'a>,
    values: &'a Value<'a>,
    line: u32,
    /// The duration of the test.
    seconds: Option<f64>,
}

impl Summary<'_> {
    fn read(&self, sheet: &mut Sheet) {
        let (name, tags) = self.name.find('{').map_or((self.name, ""), |at| self.name.split_at(at));
        let needed = self.definition(name);
        let Some(definition) = sheet.need_of(needed, self.line, self.name, "known kind of values") else {
            return;
        };
        let benchmark = format!("{UNNAMED}{tags}");
        let each = Each { summary: self, name, benchmark: &benchmark, definition };
        match definition.kind {
            Kind::Trend => each.trend(sheet),
            Kind::Gauge => each.put(sheet, "value", definition.scale(), each.metric(), Aggregate::default()),
            Kind::Rate => each.share(sheet),
            Kind::Counter => each.rate(sheet),
        }
    }

    /// What the metric is: as the file says, as k6 defines it, or as the values show.
    fn definition(&self, name: &str) -> Option<Definition> {
        let text = |key: &str| self.entry.text_of(key);
        if let (Some(kind), Some(contains)) = (text("type"), text("contains")) {
            return Some(Definition::new(name, Kind::of_word(kind)?, Contains::of_word(contains)?));
        }
        let has = |key: &str| self.values.get(key).is_some();
        let kind = match () {
            () if has("rate") && has("count") => Kind::Counter,
            () if has("passes") || has("fails") => Kind::Rate,
            () if has("avg") || has("med") => Kind::Trend,
            () if has("value") => Kind::Gauge,
            () => self
                .values
                .object()?
                .iter()
                .any(|(key, _)| percentile(key).is_some())
                .then_some(Kind::Trend)?,
        };
        Some(
            built_in(name)
                .filter(|known| known.kind == kind)
                .unwrap_or_else(|| Definition::new(name, kind, Contains::Plain)),
        )
    }
}

/// The values of one metric.
struct Each<'a> {
    summary: &'a Summary<'a>,
    name: &'a str,
    benchmark: &'a str,
    definition: Definition,
}

impl Each<'_> {
    fn number(&self, sheet: &mut Sheet, key: &str) -> Option<f64> {
        number_of(sheet, self.summary.values.get(key)?, self.summary.line)
    }

    /// Adds the number of a key, if the file has it.
    fn put(&self, sheet: &mut Sheet, key: &str, scale: Scale, made: Metric, aggregate: Aggregate) {
        let Some(value) = self.summary.values.get(key) else { return };
        // A statistic for which nobody asked.
        if *value == Value::Null {
            return sheet.dropped(1);
        }
        let metric = sheet.metric(&made.name.clone(), || made);
        let (benchmark, line) = (self.benchmark, self.summary.line);
        let row = Measurement { benchmark, metric, line, process: Some(0), ..ROW };
        json::push_scaled(sheet, Measurement { aggregate: Some(aggregate), ..row }, value, scale);
    }

    fn push(&self, sheet: &mut Sheet, value: f64, count: Option<f64>) {
        let made = self.metric();
        let metric = sheet.metric(&made.name.clone(), || made);
        let (line, aggregate) = (self.summary.line, Some(Aggregate { count, deviation: None }));
        let row = Measurement { benchmark: self.benchmark, metric, value, line, aggregate, ..ROW };
        sheet.push(Measurement { process: Some(0), ..row });
    }

    /// More requests are better, but not those of a status or an error: their rate is a metric of its own.
    fn metric(&self) -> Metric {
        let tags = &self.benchmark[UNNAMED.len()..];
        let is_of_outcome = OUTCOMES
            .iter()
            .any(|tag| tags.trim_start_matches('{').split(',').any(|one| one.trim_start().starts_with(tag)));
        if self.definition.kind == Kind::Counter && is_of_outcome {
            let made = self.definition.metric(self.name, "-by-outcome");
            return Metric { better: None, ..made }.secondary();
        }
        self.definition.metric(self.name, "")
    }

    /// The median and the highest percentile below 99.9 are compared by default; without a median, the mean.
    fn trend(&self, sheet: &mut Sheet) {
        let count = self.number(sheet, "count");
        // A metric with a threshold is there even if nothing was measured, and so are the times of requests that got no
        // connection. Nothing takes no time.
        let is_time = self.definition.contains == Contains::Time;
        if count == Some(0.0) || (is_time && self.number(sheet, "max") == Some(0.0)) {
            return sheet.dropped(1);
        }
        let aggregate = Aggregate { count, deviation: None };
        let keys = || self.summary.values.iter();
        let levels = keys().filter_map(|(key, _)| percentile(key)).filter_map(level);
        let highest = levels.filter(|&level| level < 99.9).fold(0.0, f64::max);
        let center = if self.summary.values.get("med").is_some() { "med" } else { "avg" };
        for (key, _) in keys() {
            let suffix = match (key, percentile(key)) {
                ("avg", _) => "-mean".to_owned(),
                ("med", _) => "-p50".to_owned(),
                ("min" | "max", _) => format!("-{key}"),
                // The same as the median.
                (_, Some("50")) if center == "med" => continue,
                (_, Some(level)) => format!("-p{level}"),
                _ => continue,
            };
            let made = self.definition.metric(self.name, &suffix);
            let asked = key == center || percentile(key).and_then(level) == Some(highest);
            let made = Metric { primary: made.primary && asked, ..made };
            self.put(sheet, key, self.definition.scale(), made, aggregate);
        }
    }

    fn share(&self, sheet: &mut Sheet) {
        // The old export has the share as `value`, which some versions of k6 write as 0.
        let fails = self.number(sheet, "fails");
        let held = self.number(sheet, "passes").zip(fails).map(|(passes, fails)| (passes, passes + fails));
        let held = held.or_else(|| self.number(sheet, "matches").zip(self.number(sheet, "total")));
        match held {
            Some((_, 0.0)) => sheet.dropped(1),
            Some((held, all)) => self.push(sheet, held / all, Some(all)),
            None => {
                let key = if self.summary.values.get("rate").is_some() { "rate" } else { "value" };
                self.put(sheet, key, Scale::Times(1.0), self.metric(), Aggregate::default());
            }
        }
    }

    fn rate(&self, sheet: &mut Sheet) {
        if self.summary.values.get("rate").is_some() {
            return self.put(sheet, "rate", Scale::Times(1.0), self.metric(), Aggregate::default());
        }
        match self.number(sheet, "count").zip(self.summary.seconds) {
            Some((count, seconds)) if seconds > 0.0 => self.push(sheet, count / seconds, None),
            _ => sheet.dropped(1),
        }
    }
}

/// The level of a percentile: `95` of `p(95)` and of `p95`.
fn percentile(key: &str) -> Option<&str> {
    let text = key.strip_prefix('p')?;
    let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    level(text).filter(|level| (0.0..=100.0).contains(level)).map(|_| text)
}

fn level(text: &str) -> Option<f64> {
    number(text)
}

// k6's metrics: what a metric of a script is, and what statera makes of it.

/// What a metric collects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Samples, of which summaries state the mean and percentiles.
    Trend,
    /// A sum.
    Counter,
    /// The latest value.
    Gauge,
    /// The share of values that are not 0.
    Rate,
}

impl Kind {
    pub(super) fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "trend" => Self::Trend,
            "counter" => Self::Counter,
            "gauge" => Self::Gauge,
            "rate" => Self::Rate,
            _ => return None,
        })
    }
}

/// The unit of a metric's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contains {
    /// Milliseconds.
    Time,
    /// Bytes.
    Data,
    /// Numbers without a known unit.
    Plain,
}

impl Contains {
    pub(super) fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "time" => Self::Time,
            "data" => Self::Data,
            "default" => Self::Plain,
            _ => return None,
        })
    }
}

/// What a metric is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) kind: Kind,
    pub(super) contains: Contains,
    /// The script defines it, not k6.
    own: bool,
}

impl Definition {
    /// The definition of a metric that a file describes.
    pub(super) fn new(name: &str, kind: Kind, contains: Contains) -> Self {
        Self { kind, contains, own: built_in(name).is_none() }
    }

    /// How to convert a value.
    pub(super) fn scale(self) -> Scale {
        if self.contains == Contains::Time { Scale::Over(1e3) } else { Scale::Times(1.0) }
    }

    /// The metric of its values, of their rate, or of a summary of them, whose name ends in `suffix`.
    pub(super) fn metric(self, name: &str, suffix: &str) -> Metric {
        let whole = format!("{name}{suffix}");
        match self.kind {
            Kind::Trend => self.trend(name, &whole),
            Kind::Counter => {
                let unit = if self.contains == Contains::Data { "B/s" } else { "1/s" };
                let better = match name {
                    "dropped_iterations" => Some(Better::Lower),
                    _ => (!self.own).then_some(Better::Higher),
                };
                let primary = matches!(name, "http_reqs" | "iterations");
                let made = Metric { better, primary, ..Metric::new(&whole, unit, Quantity::Throughput) };
                if name == "dropped_iterations" { made.of_validity() } else { made }
            }
            Kind::Gauge => Metric { better: None, ..self.plain(&whole) }.secondary(),
            Kind::Rate => {
                let better = match name {
                    "http_req_failed" | "browser_http_req_failed" | "checks_failed" => Some(Better::Lower),
                    "checks" | "checks_succeeded" => Some(Better::Higher),
                    _ => None,
                };
                let made = Metric { better, ..Metric::new(&whole, "", Quantity::Other) }.secondary();
                if better.is_some() { made.of_validity() } else { made }
            }
        }
    }

    fn trend(self, name: &str, whole: &str) -> Metric {
        let made = self.plain(whole);
        let is_time = self.contains == Contains::Time;
        let is_result = matches!(name, "http_req_duration" | "grpc_req_duration")
            || name.starts_with("browser_web_vital_");
        let primary = is_time && (self.own || is_result);
        let better = if is_time { made.better } else { None };
        Metric { better, primary, ..made }
    }

    fn plain(self, name: &str) -> Metric {
        match self.contains {
            Contains::Time => Metric::new(name, "s", Quantity::Time),
            Contains::Data => Metric::new(name, "B", Quantity::Bytes).never_exact(),
            Contains::Plain => Metric::new(name, "", Quantity::Other),
        }
    }
}

/// The metrics that k6 itself defines: every file means the same by them.
pub(super) fn built_in(name: &str) -> Option<Definition> {
    let (kind, contains) = match name {
        "http_reqs"
        | "iterations"
        | "dropped_iterations"
        | "ws_sessions"
        | "ws_msgs_sent"
        | "ws_msgs_received"
        | "grpc_streams"
        | "grpc_streams_msgs_sent"
        | "grpc_streams_msgs_received"
        | "checks_total" => (Kind::Counter, Contains::Plain),
        "data_sent" | "data_received" | "browser_data_sent" | "browser_data_received" => {
            (Kind::Counter, Contains::Data)
        }
        "http_req_duration"
        | "http_req_blocked"
        | "http_req_connecting"
        | "http_req_tls_handshaking"
        | "http_req_sending"
        | "http_req_waiting"
        | "http_req_receiving"
        | "iteration_duration"
        | "group_duration"
        | "ws_connecting"
        | "ws_session_duration"
        | "ws_ping"
        | "grpc_req_duration"
        | "browser_http_req_duration"
        | "browser_web_vital_fcp"
        | "browser_web_vital_fid"
        | "browser_web_vital_inp"
        | "browser_web_vital_lcp"
        | "browser_web_vital_ttfb" => (Kind::Trend, Contains::Time),
        // A shift of the layout has no unit.
        "browser_web_vital_cls" => (Kind::Trend, Contains::Plain),
        "vus" | "vus_max" => (Kind::Gauge, Contains::Plain),
        "checks" | "checks_failed" | "checks_succeeded" | "http_req_failed" | "browser_http_req_failed" => {
            (Kind::Rate, Contains::Plain)
        }
        _ => return None,
    };
    Some(Definition { kind, contains, own: false })
}

/// The keys of points.
pub(super) const KEYS: &[Key] = &[
    Key::work("scenario", "scenario of the script"),
    Key::setting("group", "group of the script, with those around it"),
    Key::work("status", "status of the response; 0 if there was none"),
    Key::work("error_code", "k6's number of the error"),
    Key::setting("proto", "version of HTTP"),
    Key::setting("tls_version", "version of TLS"),
    Key::of_run("testid", Role::Run, "name that the user gives the run"),
];

/// The metrics of points.
pub(super) const METRICS: &[Meaning] = &[
    Meaning::of("http_req_duration", "time of a request, from its first byte sent to the last byte received"),
    Meaning::of("http_req_blocked", "time before a request could begin to connect"),
    Meaning::of("http_req_connecting", "time of connecting, where a request did"),
    Meaning::of("http_req_tls_handshaking", "time of the handshake of TLS, where there was one"),
    Meaning::of("http_req_sending", "time of sending a request"),
    Meaning::of("http_req_waiting", "time from the request sent to the first byte received"),
    Meaning::of("http_req_receiving", "time of receiving a response"),
    Meaning::of("http_req_failed", "share of the requests of a second that failed"),
    Meaning::of("http_reqs", "requests of a whole second"),
    Meaning::of("iterations", "iterations of the script in a whole second"),
    Meaning::of("data_received", "bytes received in a whole second"),
    Meaning::of("data_sent", "bytes sent in a whole second"),
    Meaning::of("iteration_duration", "time of an iteration of the script, with its pauses"),
    Meaning::of("group_duration", "time of a group of the script"),
    Meaning::of("checks", "share of the checks of a second that succeeded"),
    Meaning::of("vus", "number of virtual users"),
];

// k6's points: a value of a metric with its tags. Values of trends and gauges are samples; counters and rates
// are added up over each whole second.

/// The benchmark of points that no tag names.
pub(super) const UNNAMED: &str = "requests";

/// The tags of a point as numbers of a sheet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tags {
    benchmark: u32,
    context: u32,
    /// The configuration without the outcome of a request: a share of failures is one over all outcomes.
    work: u32,
}

/// A metric of a sheet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    metric: u32,
    definition: Definition,
    /// Whether 0 stands for what did not take place.
    zero_is_none: bool,
}

/// The sum and the number of the points of a metric and a configuration in a second, and the line of the first.
#[derive(Debug, Clone, Copy, Default)]
struct Total {
    sum: f64,
    count: u32,
    line: u32,
}

/// The most seconds of a series. Real tests last hours; wrong times can be centuries apart.
const LONGEST: i64 = 1_000_000;

/// The points of a file, or of a piece of it.
pub(super) struct Intake {
    pub(super) sheet: Sheet,
    /// By the number of definitions before them, metric, benchmark, configuration and second.
    totals: HashMap<(u32, u32, u32, u32, i64), Total, FixedState>,
    /// The names that were defined so far. Until it is known which of them begin a run, their number stands for it.
    defined: Vec<String>,
    definitions: Vec<Definition>,
    /// The metrics without a definition.
    unknown: BTreeSet<String>,
}

impl Intake {
    pub(super) fn new(name: &str) -> Self {
        Self {
            sheet: Sheet::new(name),
            totals: HashMap::default(),
            defined: Vec::new(),
            definitions: Vec::new(),
            unknown: BTreeSet::new(),
        }
    }

    /// Takes a definition, of which each run has one. If it is the second, another run was appended.
    pub(super) fn define(&mut self, name: &str) {
        self.defined.push(name.to_owned());
    }

    /// The metric with this name.
    pub(super) fn slot(&mut self, name: &str, definition: Definition) -> Slot {
        let metric = self.sheet.metric(name, || definition.metric(name, ""));
        self.definitions.resize(self.sheet.metrics.len(), definition);
        // A request on a connection that was open makes none.
        let zero_is_none = matches!(name, "http_req_connecting" | "http_req_tls_handshaking");
        Slot { metric, definition, zero_is_none }
    }

    /// Notes a metric that is not defined, once.
    pub(super) fn undefined(&mut self, name: &str, line: u32, hint: &'static str) {
        if self.unknown.len() < 1000 && self.unknown.insert(name.to_owned()) {
            let what = format!("nothing says what the metric {} is", excerpt(name));
            self.sheet.problem(Code::NoSamples, line, what, hint);
        }
    }

    /// The numbers of a point's tags.
    pub(super) fn tags(&mut self, tags: &[(&str, &str)]) -> Tags {
        let get = |name: &str| tags.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| *value);
        let (name, method) = (get("name"), get("method"));
        let named = [get("check"), get("scenario"), UNNAMED];
        let named = named.iter().find(|text| !text.is_empty()).copied().unwrap_or(UNNAMED);
        let benchmark = match (name, method) {
            ("", _) => named.to_owned(),
            (name, "") => name.to_owned(),
            (name, method) => format!("{method} {name}"),
        };
        let (mut context, mut work) = (Context::new(), Context::new());
        for &(key, value) in tags.iter().filter(|(key, value)| !value.is_empty() && !is_left_out(key)) {
            let before = context.len();
            if KEYS.iter().any(|known| known.name == key) {
                context.push((key.to_owned(), value.to_owned()));
            } else {
                parameters::add(&mut self.sheet, &mut context, key, value.to_owned());
            }
            if !matches!(key, "status" | "error_code") {
                work.extend_from_slice(&context[before..]);
            }
        }
        let benchmark = self.sheet.benchmarks.intern(&benchmark);
        let (context, work) = (self.sheet.contexts.intern(&context), self.sheet.contexts.intern(&work));
        Tags { benchmark, context, work }
    }

    /// Takes a point.
    pub(super) fn point(&mut self, slot: Slot, tags: Tags, value: f64, time: Option<i64>, line: u32) {
        let Slot { metric, definition, zero_is_none } = slot;
        if value == 0.0 && zero_is_none {
            return self.sheet.dropped(1);
        }
        if matches!(definition.kind, Kind::Trend | Kind::Gauge) {
            return self.sample(metric, tags, definition.scale().apply(value), line);
        }
        let Some(time) = self.sheet.need(time, line, "time that can be read") else { return };
        let second = time.div_euclid(1_000_000_000);
        let defined = self.defined.len() as u32;
        let total = self.totals.entry((defined, metric, tags.benchmark, tags.work, second)).or_default();
        total.line = if total.line == 0 { line } else { total.line };
        total.count += 1;
        // k6 counts every value but 0 as a success.
        let is_rate = definition.kind == Kind::Rate;
        total.sum += if is_rate { f64::from(u8::from(value != 0.0)) } else { value };
    }

    fn sample(&mut self, metric: u32, tags: Tags, value: f64, line: u32) {
        let sheet = &mut self.sheet;
        let is_sound =
            value.is_finite() && (value >= 0.0 || sheet.metrics[metric as usize].may_be_negative());
        if !is_sound {
            let benchmark = sheet.benchmarks.get(tags.benchmark).to_owned();
            if !sheet.can_be(metric, value, line, &benchmark) {
                return;
            }
        }
        sheet.push_ids(tags.benchmark, metric, value, line);
        sheet.process.push(self.defined.len() as u32);
        if let Some(last) = sheet.context.last_mut() {
            *last = tags.context;
        }
    }
}

/// Whether a tag says nothing of what was measured: it is in the benchmark's name, or differs from request to request.
fn is_left_out(key: &str) -> bool {
    matches!(key, "name" | "method" | "check" | "url" | "expected_response" | "error" | "vu" | "iter" | "ip")
}

/// Joins the pieces of a file, and adds the rates and shares of each whole second to the first. The first and the last
/// second of a series are not whole.
pub(super) fn settle(pieces: Vec<Intake>, content: &Content) -> io::Result<Vec<Sheet>> {
    let runs = runs(&pieces);
    let all = joined(&pieces, &runs);
    let mut sheets: Vec<Sheet> = of_runs(pieces, &runs);
    let Some(sheet) = sheets.first_mut() else { return Ok(sheets) };
    for (series, (definition, seconds)) in all {
        series.push(sheet, definition, &seconds);
        sheet.count(&content.budget)?;
    }
    Ok(sheets)
}

/// A run, a metric, a benchmark and a configuration, by their names: their numbers differ from piece to piece.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Series {
    run: u32,
    name: String,
    benchmark: String,
    context: Context,
}

type Seconds = BTreeMap<i64, Total>;

impl Series {
    /// Adds a value a second. In a second without points nothing was done, which is no share.
    fn push(self, sheet: &mut Sheet, definition: Definition, seconds: &Seconds) {
        let (Some((&first, start)), Some((&last, end))) =
            (seconds.first_key_value(), seconds.last_key_value())
        else {
            return;
        };
        if last.saturating_sub(first) > LONGEST {
            return sheet.dropped(seconds.values().map(|total| total.count as usize).sum());
        }
        sheet.dropped(start.count as usize + if last > first { end.count as usize } else { 0 });
        let metric = sheet.metric(&self.name, || definition.metric(&self.name, ""));
        sheet.set_context(&self.context);
        let is_rate = definition.kind == Kind::Rate;
        let mut line = start.line;
        for second in first + 1..last {
            let Some(total) = seconds.get(&second).copied().or((!is_rate).then_some(Total::default())) else {
                continue;
            };
            let count = f64::from(total.count);
            line = if total.line == 0 { line } else { total.line };
            let value = if is_rate { total.sum / count } else { total.sum };
            let aggregate = Some(Aggregate { count: is_rate.then_some(count), deviation: None });
            let row = Measurement { benchmark: &self.benchmark, metric, value, line, aggregate, ..ROW };
            sheet.push(Measurement { process: Some(self.run), ..row });
        }
    }
}

/// The run after each number of definitions.
fn runs(pieces: &[Intake]) -> Vec<u32> {
    let (mut runs, mut run, mut known) = (vec![0], 0, HashSet::new());
    for name in pieces.iter().flat_map(|piece| &piece.defined) {
        if !known.insert(name) {
            known = HashSet::from([name]);
            run += 1;
        }
        runs.push(run);
    }
    runs
}

/// The sheets, with runs in the place of definitions.
fn of_runs(pieces: Vec<Intake>, mut runs: &[u32]) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    for mut piece in pieces {
        for process in &mut piece.sheet.process {
            *process = runs[*process as usize];
        }
        runs = &runs[piece.defined.len()..];
        sheets.push(piece.sheet);
    }
    sheets
}

/// The totals of all pieces, with the lines of the file.
fn joined(pieces: &[Intake], mut runs: &[u32]) -> BTreeMap<Series, (Definition, Seconds)> {
    let mut all: BTreeMap<Series, (Definition, Seconds)> = BTreeMap::new();
    let mut lines = 0_u32;
    for piece in pieces {
        let sheet = &piece.sheet;
        for (&(defined, metric, benchmark, context, second), total) in &piece.totals {
            let series = Series {
                run: runs[defined as usize],
                name: sheet.metrics[metric as usize].name.clone(),
                benchmark: sheet.benchmarks.get(benchmark).to_owned(),
                context: sheet.contexts.to_context(context as usize),
            };
            let definition = piece.definitions[metric as usize];
            let line = lines.saturating_add(total.line);
            let (_, seconds) = all.entry(series).or_insert((definition, Seconds::new()));
            let known = seconds.entry(second).or_insert(Total { line, ..Total::default() });
            known.line = known.line.min(line);
            (known.sum, known.count) = (known.sum + total.sum, known.count.saturating_add(total.count));
        }
        runs = &runs[piece.defined.len()..];
        lines = lines.saturating_add(sheet.lines);
    }
    all
}
