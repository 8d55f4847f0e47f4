//! `OpenMetrics`, and the older text that Prometheus reads: what a program exposes at `/metrics`.

use super::prelude::*;
use super::telemetry::{self, BENCHMARK, Point, Points};
use super::units::Meaning;

pub static FORMAT: Format = Format {
    name: "openmetrics",
    sign: "lines such as `# TYPE NAME histogram`, with `counter`, `gauge` or `summary`",
    harness: "OpenMetrics",
    export: "curl -o FILE http://HOST/metrics",
    files: &["*.prom", "*.om"],
    words: &["TYPE"],
    fits: |head: &Head<'_>| No::unless(head.lines().any(is_type), "it has no such line"),
    read: Read::Bytes(read),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

const KINDS: [&str; 9] =
    ["counter", "gauge", "histogram", "gaugehistogram", "summary", "info", "stateset", "unknown", "untyped"];

/// Whether a line states the type of a metric.
fn is_type(line: &[u8]) -> bool {
    std::str::from_utf8(line)
        .is_ok_and(|line| about(line, "TYPE").is_some_and(|(_, kind)| KINDS.contains(&kind)))
}

/// What a line says about a metric: `# TYPE NAME KIND`.
fn about<'a>(line: &'a str, what: &str) -> Option<(&'a str, &'a str)> {
    let rest = line.strip_prefix('#')?.trim_start().strip_prefix(what)?;
    let (name, said) = rest.strip_prefix([' ', '\t'])?.trim().rsplit_once([' ', '\t'])?;
    Some((name.trim().trim_matches('"'), said))
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut page = Page::default();
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if let Some((name, kind)) = about(text, "TYPE") {
            page.kinds.insert(name.to_owned(), kind.to_owned());
        } else if let Some((name, unit)) = about(text, "UNIT") {
            page.units.insert(name.to_owned(), unit.to_owned());
        } else if let Some(found) = sample(text).filter(|_| !text.starts_with('#')) {
            page.sample(sheet, found, line);
        } else if !text.trim().is_empty() && !text.starts_with('#') {
            sheet.no_row(line, text);
        }
    }
    page.fill(sheet);
}

/// The units with which a name can end.
const AT_END: [&str; 8] =
    ["seconds", "milliseconds", "microseconds", "nanoseconds", "bytes", "ms", "us", "ns"];

#[derive(Default)]
struct Page {
    kinds: HashMap<String, String>,
    units: HashMap<String, String>,
    points: Points,
    /// The sums and counts of distributions, in the order of their first appearance, and their places.
    totals: Vec<Total>,
    places: HashMap<String, usize>,
}

/// What a distribution says about all its samples.
struct Total {
    family: String,
    labels: Context,
    line: u32,
    count: Option<f64>,
    sum: Option<f64>,
}

impl Page {
    fn sample(&mut self, sheet: &mut Sheet, found: Line, line: u32) {
        let Some(value) = sheet.number(found.value.as_bytes(), line) else {
            return sheet.no_number(line, found.name, "", found.value);
        };
        let (family, part) = self.family(&found.name);
        let kind = self.kinds.get(&family).map_or("unknown", String::as_str);
        match (kind, part) {
            ("histogram" | "summary", "_count" | "_sum") => {
                self.total(family, found.labels, line, part, value);
            }
            ("summary", "") => self.quantile(sheet, &family, found.labels, line, value),
            ("gauge" | "unknown" | "untyped", "") if !is_moment(&family) && !is_level(&family, kind) => {
                self.reading(sheet, &family, found.labels, line, value);
            }
            // Counters, the buckets of histograms, moments, facts and states.
            _ => sheet.dropped(1),
        }
    }

    /// The name under which the type of a sample is stated, and the rest of its name.
    fn family(&self, name: &str) -> (String, &'static str) {
        if self.kinds.contains_key(name) {
            return (name.to_owned(), "");
        }
        for part in ["_bucket", "_count", "_sum", "_total", "_created", "_info", "_gcount", "_gsum"] {
            if let Some(family) = name.strip_suffix(part).filter(|family| self.kinds.contains_key(*family)) {
                return (family.to_owned(), part);
            }
        }
        (name.to_owned(), "")
    }

    /// The unit that is stated, or with which the name ends: also before the word for a statistic of several samples, as
    /// in Micrometer's `…_seconds_max`.
    fn unit(&self, family: &str) -> Meaning {
        const STATISTICS: [&str; 4] = ["max", "min", "avg", "mean"];
        let mut words = family.rsplit(['_', '.']).skip_while(|word| STATISTICS.contains(word));
        let last = words.next().unwrap_or_default();
        let stated = self.units.get(family).map(String::as_str);
        match stated.or_else(|| AT_END.contains(&last).then_some(last)) {
            Some(unit) if AT_END.contains(&unit) => meaning(unit),
            unit => telemetry::unknown(unit.unwrap_or_default()),
        }
    }

    fn reading(&mut self, sheet: &mut Sheet, family: &str, labels: Context, line: u32, value: f64) {
        let unit = self.unit(family);
        let metric = telemetry::reading(sheet, family, &unit, !is_of_the_runtime(family));
        let values = vec![(metric, unit.scale.apply(value), None)];
        self.points.add(point(labels, line, values));
    }

    fn quantile(&mut self, sheet: &mut Sheet, family: &str, mut labels: Context, line: u32, value: f64) {
        let place = labels.iter().position(|(label, _)| label == "quantile");
        let level = place.map(|place| labels.remove(place).1);
        let level = level.and_then(number);
        let needed = level.and_then(telemetry::quantile);
        let Some(level) = sheet.need_of(needed, line, family, "known quantile") else { return };
        if value.is_nan() {
            // No sample in the window of the summary.
            return sheet.dropped(1);
        }
        let unit = self.unit(family);
        let metric = telemetry::statistic(sheet, family, &level, &unit, !is_of_the_runtime(family));
        let series = format!("{family}\n{level}\n{labels:?}");
        let values = vec![(metric, unit.scale.apply(value), Some(Aggregate::default()))];
        self.points.add_cumulative(sheet, series, point(labels, line, values));
    }

    fn total(&mut self, family: String, labels: Context, line: u32, part: &str, value: f64) {
        let place = *self.places.entry(format!("{family}\n{labels:?}")).or_insert_with(|| {
            self.totals.push(Total { family, labels, line, count: None, sum: None });
            self.totals.len() - 1
        });
        let total = &mut self.totals[place];
        *(if part == "_sum" { &mut total.sum } else { &mut total.count }) = Some(value);
    }

    fn fill(mut self, sheet: &mut Sheet) {
        for Total { family, labels, line, count, sum } in std::mem::take(&mut self.totals) {
            let (Some(count), Some(sum), true) = (count, sum, count != Some(0.0)) else {
                sheet.dropped(1);
                continue;
            };
            let unit = self.unit(&family);
            let metric = telemetry::statistic(sheet, &family, "mean", &unit, !is_of_the_runtime(&family));
            let aggregate = Some(Aggregate { count: Some(count), deviation: None });
            self.points.add(point(labels, line, vec![(metric, unit.scale.apply(sum / count), aggregate)]));
        }
        self.points.fill(sheet);
    }
}

fn point(labels: Context, line: u32, values: Vec<(u32, f64, Option<Aggregate>)>) -> Point {
    Point { benchmark: BENCHMARK.to_owned(), context: Context::new(), labels, process: 0, line, values }
}

/// Whether a reading is a moment and not a result.
fn is_moment(family: &str) -> bool {
    // The first two are of the Pushgateway, the others of the exporter for machines.
    const NAMES: [&str; 4] =
        ["push_time_seconds", "push_failure_time_seconds", "node_time_seconds", "node_boot_time_seconds"];
    let bare = AT_END.iter().find_map(|unit| family.strip_suffix(unit)?.strip_suffix('_')).unwrap_or(family);
    let is_moment = ["_created", "_timestamp", "_unixtime"].iter().any(|end| bare.ends_with(end));
    is_moment || family.ends_with("_start_time_seconds") || NAMES.contains(&family)
}

/// Whether a metric counts from the start of the program or states a fact, though its type does not say so.
fn is_level(family: &str, kind: &str) -> bool {
    let counts = ["_total", "_count", "_sum", "_bucket"].iter().any(|end| family.ends_with(end));
    family.ends_with("_info") || (kind != "gauge" && counts)
}

/// Whether a client library measures it in every program.
fn is_of_the_runtime(family: &str) -> bool {
    ["process_", "go_", "python_", "jvm_", "promhttp_", "scrape_"]
        .iter()
        .any(|start| family.starts_with(start))
}

// The lines of the text that Prometheus reads: `name{label="value"} 1.5 timestamp`.

/// A sample: the name, the labels and the number as text.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) labels: Vec<(String, String)>,
    pub(super) value: String,
}

/// Reads a line; `None` if it is no sample.
pub(super) fn sample(line: &str) -> Option<Line> {
    let line = line.trim();
    let end = line.find(['{', ' ', '\t']).filter(|&end| end > 0 || line.starts_with('{'))?;
    let (name, rest) = line.split_at(end);
    let (mut name, mut labels) = (name.to_owned(), Vec::new());
    let rest = match rest.trim_start().strip_prefix('{') {
        Some(rest) => braces(rest, &mut name, &mut labels)?,
        None => rest,
    };
    let value = rest.split_ascii_whitespace().next()?.to_owned();
    (!name.is_empty()).then_some(Line { name, labels, value })
}

/// Reads what stands between braces and returns the rest. A text without a label is the name: `{"my.name", a="b"}`.
fn braces<'a>(text: &'a str, name: &mut String, labels: &mut Vec<(String, String)>) -> Option<&'a str> {
    let mut rest = text.trim_start();
    loop {
        if let Some(rest) = rest.strip_prefix('}') {
            return Some(rest);
        }
        let (key, after) = if let Some(quoted) = rest.strip_prefix('"') {
            quoted_text(quoted)?
        } else {
            let end = rest.find(['=', ',', '}', ' '])?;
            (rest[..end].to_owned(), &rest[end..])
        };
        let after = after.trim_start();
        rest = if let Some(after) = after.strip_prefix('=') {
            let (value, after) = quoted_text(after.trim_start().strip_prefix('"')?)?;
            labels.push((key, value));
            after
        } else if name.is_empty() {
            *name = key;
            after
        } else {
            return None;
        };
        rest = rest.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
}

/// The text up to the closing quote, and the rest.
fn quoted_text(text: &str) -> Option<(String, &str)> {
    let mut found = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((found, &text[at + 1..])),
            '\\' => match letters.next()?.1 {
                'n' => found.push('\n'),
                other => found.push(other),
            },
            other => found.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(String, Vec<String>, String)> {
        let Line { name, labels, value } = sample(line)?;
        Some((name, labels.into_iter().map(|(key, value)| format!("{key}={value}")).collect(), value))
    }

    #[test]
    fn samples_have_names_labels_and_values() {
        for (line, name, labels, value) in [
            ("a 1", "a", vec![], "1"),
            ("a{b=\"c\"} 1.5 1700000000", "a", vec!["b=c"], "1.5"),
            ("a { b = \"c d\" , e=\"\" , } +Inf # {x=\"y\"} 2", "a", vec!["b=c d", "e="], "+Inf"),
            ("a{b=\"} \\\"\\\\\\n\"} NaN", "a", vec!["b=} \"\\\n"], "NaN"),
            ("{\"my.name\",\"my label\"=\"é\"} 2", "my.name", vec!["my label=é"], "2"),
        ] {
            let wanted =
                (name.to_owned(), labels.iter().map(ToString::to_string).collect(), value.to_owned());
            assert_eq!(read(line), Some(wanted), "{line}");
        }
        for line in ["", "a", "{} 1", "a{b=\"c} 1", "a{b} 1", "a{b=c} 1", "a{", "a{b=\"c\"}", "a{b=\"\\"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
