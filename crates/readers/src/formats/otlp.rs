//! OTLP metrics as JSON: what OpenTelemetry exports, one request, or one a line.

use super::prelude::*;
use super::telemetry::{self, BENCHMARK, Point, Points};
use super::units::Meaning;

pub static FORMAT: Format = Format {
    name: "otlp",
    sign: "an object with `resourceMetrics` that hold `scopeMetrics` with `metrics`",
    harness: "OpenTelemetry",
    export: "the exporter file of the collector, or OTLP over HTTP as JSON",
    files: &["*.json", "*.jsonl", "*.ndjson"],
    processes: Processes::Stated,
    keys: &[&[
        Key::environment("hostname", "name of the machine"),
        Key::environment("arch", "architecture of the machine"),
        Key::environment("os", "operating system with its version"),
        Key::setting("service.version", "version of the service"),
        Key::setting("service.name", "name of the service"),
    ]],
    fits: |head| head.record_has_all(&["resourceMetrics[].scopeMetrics[].metrics[].name"]),
    read: Read::Sheet(read),
    ..Format::PLAIN
};

/// What the console exporters of the SDKs print: the names of the fields are those of the language.
pub static CONSOLE: Format = Format {
    name: "otlp-console",
    sign: "an object with `resource_metrics` that hold `scope_metrics`",
    harness: "OpenTelemetry",
    values: Values::refused(
        "what an exporter of OpenTelemetry prints on the console",
        "an OTLP exporter, to the exporter file of the collector",
    ),
    fits: |head| head.record_has_all(&["resource_metrics[].scope_metrics"]),
    ..Format::PLAIN
};

/// The attributes of a resource that are keys. Others, such as the number of the process, differ from run to run.
const RESOURCE: [(&str, &str); 5] = [
    ("service.name", "service.name"),
    ("service.version", "service.version"),
    ("host.name", "hostname"),
    ("host.arch", "arch"),
    ("os.description", "os"),
];

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let mut export = Export::default();
    let all = Span::new(&bytes, 1, content.budget.limits.values);
    all.each_value(sheet, |sheet, value, line| export.request(sheet, value, line))?;
    export.points.fill(sheet);
    Ok(())
}

#[derive(Default)]
struct Export {
    points: Points,
    /// The numbers of the resources: each is a process.
    resources: HashMap<String, u32>,
}

/// The metric to which points belong.
struct Series<'e> {
    resource: &'e Context,
    process: u32,
    benchmark: &'e str,
    name: &'e str,
    unit: Meaning,
    line: u32,
}

impl Export {
    fn request(&mut self, sheet: &mut Sheet, request: &Value<'_>, line: u32) {
        for resource in request.elements("resourceMetrics") {
            let attributes = resource.get("resource").map(attributes).unwrap_or_default();
            let next = self.resources.len() as u32;
            let process = *self.resources.entry(format!("{attributes:?}")).or_insert(next);
            let key = |name: &str| RESOURCE.iter().find(|(known, _)| *known == name).map(|(_, key)| *key);
            let known =
                attributes.into_iter().filter_map(|(name, value)| Some((key(&name)?.to_owned(), value)));
            let context: Context = known.collect();
            for scope in resource.elements("scopeMetrics") {
                let benchmark = scope.get("scope").and_then(|scope| scope.get("name")).and_then(Value::text);
                let benchmark = benchmark.filter(|name| !name.is_empty()).unwrap_or(BENCHMARK);
                for metric in scope.elements("metrics") {
                    let line = metric.object().map_or(line, |metric| metric.line);
                    let unit = metric.text_of("unit").unwrap_or_default();
                    let Some(name) = sheet.need(metric.text_of("name"), line, "name") else {
                        continue;
                    };
                    let unit = telemetry::ucum(unit);
                    self.metric(
                        sheet,
                        &Series { resource: &context, process, benchmark, name, unit, line },
                        metric,
                    );
                }
            }
        }
    }

    fn metric(&mut self, sheet: &mut Sheet, series: &Series<'_>, metric: &Value<'_>) {
        let found = ["gauge", "sum", "histogram", "exponentialHistogram", "summary"]
            .iter()
            .find_map(|kind| Some((*kind, metric.get(kind)?)));
        let Some((kind, data)) = found else {
            return sheet.lacks(series.line, series.name, "data of a known kind");
        };
        let is_monotonic = data.get("isMonotonic") == Some(&Value::Bool(true));
        for point in data.elements("dataPoints") {
            match kind {
                // A counter is a level, or counts in an interval whose length it does not choose.
                "sum" if is_monotonic => sheet.dropped(1),
                "gauge" | "sum" => self.reading(sheet, series, point),
                _ => self.distribution(sheet, series, point, is_delta(data)),
            }
        }
    }

    fn reading(&mut self, sheet: &mut Sheet, series: &Series<'_>, point: &Value<'_>) {
        let Some(value) = ["asDouble", "asInt"].iter().find_map(|key| point.get(key)) else {
            // A point that states that it has no value.
            return sheet.dropped(1);
        };
        let line = line_of(point, series.line);
        let Some(value) = number_of(sheet, value, line) else { return not_a_number(sheet, series, line) };
        let metric = telemetry::reading(sheet, series.name, &series.unit, true);
        self.points.add(series.point(point, vec![(metric, series.unit.scale.apply(value), None)]));
    }

    fn distribution(&mut self, sheet: &mut Sheet, series: &Series<'_>, point: &Value<'_>, delta: bool) {
        let line = line_of(point, series.line);
        let mut number = |key: &str| point.get(key).map(|value| number_of(sheet, value, line));
        let (count, sum, max) = (number("count"), number("sum"), number("max"));
        if [count, sum, max].contains(&Some(None)) {
            return not_a_number(sheet, series, line);
        }
        let (count, sum, max) = (count.flatten().filter(|&count| count > 0.0), sum.flatten(), max.flatten());
        sheet.dropped(point.elements("bucketCounts").len());
        for side in ["positive", "negative"].iter().filter_map(|side| point.get(side)) {
            sheet.dropped(side.elements("bucketCounts").len());
        }
        let mut values = Vec::new();
        let mut add = |sheet: &mut Sheet, word: &str, value: f64| {
            let metric = telemetry::statistic(sheet, series.name, word, &series.unit, true);
            values.push((metric, series.unit.scale.apply(value), Some(Aggregate { count, deviation: None })));
        };
        let Some(samples) = count else { return sheet.dropped(1) };
        if let Some(sum) = sum {
            add(sheet, "mean", sum / samples);
        }
        if let Some(max) = max {
            add(sheet, "max", max);
        }
        for entry in point.elements("quantileValues") {
            let level = entry.get("quantile").map_or(Some(0.0), |level| number_of(sheet, level, line));
            let value = entry.get("value").map_or(Some(0.0), |value| number_of(sheet, value, line));
            match (level.and_then(telemetry::quantile), value) {
                (Some(level), Some(value)) if !value.is_nan() => add(sheet, &level, value),
                (Some(_), Some(_)) => sheet.dropped(1),
                _ => not_a_number(sheet, series, line),
            }
        }
        let found = series.point(point, values);
        if delta {
            return self.points.add(found);
        }
        let start = point.get("startTimeUnixNano").map(plain);
        let key = format!(
            "{:?}\n{}\n{}\n{start:?}\n{:?}",
            series.process, series.benchmark, series.name, found.labels
        );
        self.points.add_cumulative(sheet, key, found);
    }
}

impl Series<'_> {
    fn point(&self, point: &Value<'_>, values: Vec<(u32, f64, Option<Aggregate>)>) -> Point {
        Point {
            benchmark: self.benchmark.to_owned(),
            context: self.resource.clone(),
            labels: attributes(point),
            process: self.process,
            line: line_of(point, self.line),
            values,
        }
    }
}

fn line_of(point: &Value<'_>, or: u32) -> u32 {
    point.object().map_or(or, |point| point.line)
}

fn not_a_number(sheet: &mut Sheet, series: &Series<'_>, line: u32) {
    sheet.no_number(line, "a point", series.name, "");
}

/// Whether each point counts from the one before it; the number or the name of the kind says so.
fn is_delta(data: &Value<'_>) -> bool {
    match data.get("aggregationTemporality") {
        Some(Value::Whole(kind)) => *kind == 1,
        Some(Value::Text(kind)) => kind.ends_with("DELTA"),
        _ => false,
    }
}

/// The attributes of a resource or of a point: a list of keys with values of a stated type.
fn attributes(of: &Value<'_>) -> Context {
    let attribute = |entry: &Value<'_>| {
        let value = entry.get("value")?.object()?.iter().next()?.1;
        Some((entry.get("key")?.text()?.to_owned(), plain(value)))
    };
    of.elements("attributes").iter().filter_map(attribute).collect()
}
