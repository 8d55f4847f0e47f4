//! k6's summary at the end of a test: the old export, what `handleSummary` gets, and the machine-readable summary.

use std::io;
use std::path::Path;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::{Fit, Head, No};
use super::json::{Document, Value, number_of, stated};
use super::k6_metrics::{Contains, Definition, Kind, built_in};
use super::k6_points::UNNAMED;
use super::outline::{self, Node};
use super::units::Scale;
use crate::metric::Metric;
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::excerpt;
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "k6-summary",
    sign: "an object with `metrics` and `root_group` or the names of k6, or with `results` that hold `metrics` with `contains`",
    harness: "k6",
    export: "k6 run --summary-export FILE",
    files: &["*.json"],
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    keys: &[&[
        Key::of_run("date", Role::Date, "end of the test"),
        Key::new("k6", Role::Environment, "version of k6"),
    ]],
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
    fits,
    read,
    ..Format::PLAIN
};

/// What k6 prints.
pub static TEXT: Format = Format {
    name: "k6-text",
    sign: "lines such as `http_req_duration..: avg=1.2ms min=… med=…` or `iterations...: 6  2.5/s`",
    harness: "k6",
    values: Values::Refused {
        why: "what k6 prints, with rounded figures",
        export: "k6 run --out json=FILE, or its summary: k6 run --summary-export FILE",
    },
    fits: |head| No::unless(head.lines().any(is_text), "it has no such line"),
    ..Format::PLAIN
};

fn is_text(line: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let Some((name, values)) = text.split_once("...:") else { return false };
    let known = name.trim_start_matches(['✓', '✗', ' ']).trim_end_matches('.');
    built_in(known).is_some() && !values.is_empty()
}

fn fits(head: &Head<'_>) -> Fit {
    let is_new = head.has_all(&["results.metrics[].contains", "results.metrics[].values"]).is_ok();
    if is_new || head.json()?.child("metrics").is_some_and(has_metric) {
        return Ok(());
    }
    head.has_all(&["metrics", "root_group"])
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

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let Some(document) = Document::of(&bytes, content, &mut sheet)? else { return Ok(vec![sheet]) };
    if document.get("results").is_some() {
        machine_readable(&document, &mut sheet)?;
        return Ok(vec![sheet]);
    }
    let metrics = document.value("metrics", &mut sheet)?;
    let Some(metrics) = metrics.object() else {
        sheet.problem(Code::MalformedRecord, 0, "`metrics` is not an object", HINT);
        return Ok(vec![sheet]);
    };
    for (name, entry) in metrics.iter() {
        let values = entry.get("values").unwrap_or(entry);
        Summary { name, entry, values, line: metrics.line_of(name), seconds: None }.read(&mut sheet);
    }
    Ok(vec![sheet])
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
        let (name, values) = (entry.get("name").and_then(Value::text), entry.get("values"));
        let (Some(name), Some(values)) = (name, values) else {
            sheet.problem(Code::MalformedRecord, line, "a metric without a name or without values", HINT);
            continue;
        };
        Summary { name, entry, values, line, seconds }.read(sheet);
    }
    Ok(())
}

const HINT: &str = "is it the summary that k6 wrote?";

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
        let Some(definition) = self.definition(name) else {
            let what = format!("{} has no known kind of values", excerpt(self.name.as_bytes()));
            return sheet.problem(Code::MalformedRecord, self.line, what, HINT);
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
        let text = |key: &str| self.entry.get(key).and_then(Value::text);
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
        let row = Measurement { benchmark, metric, line, process: Some(0), ..Measurement::default() };
        super::json::push_scaled(sheet, Measurement { aggregate: Some(aggregate), ..row }, value, scale);
    }

    fn push(&self, sheet: &mut Sheet, value: f64, count: Option<f64>) {
        let made = self.metric();
        let metric = sheet.metric(&made.name.clone(), || made);
        sheet.push(Measurement {
            benchmark: self.benchmark,
            metric,
            value,
            line: self.summary.line,
            process: Some(0),
            aggregate: Some(Aggregate { count, deviation: None }),
            ..Measurement::default()
        });
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
        let keys = || self.summary.values.object().into_iter().flat_map(super::json::Object::iter);
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
    crate::text::number(text.as_bytes())
}
