//! JMH's JSON: `primaryMetric.rawData[fork][iteration]`, in sample mode `rawDataHistogram[fork][iteration]`, which
//! counts every operation by its time.

use super::jmh_units::{self, Unit};
use super::json::push_scaled;
use super::package_benchmark;
use super::prelude::*;
use crate::limits::Exceeded;

pub static FORMAT: Format = Format {
    name: "jmh",
    sign: "a list of objects with `benchmark`, `mode` and `primaryMetric`",
    harness: "JMH",
    export: "-rf json -rff FILE",
    values: Values::Averages,
    processes: Processes::Stated,
    keys: &[KEYS],
    metrics: METRICS,
    parts: names::method,
    fits: |head| {
        head.has_all(&["[].benchmark", "[].mode", "[].primaryMetric"])?;
        No::unless(!package_benchmark::is_jmh(head), "package-benchmark wrote it")
    },
    read: Read::Sheet(read),
    files: &["*.json"],
    ..Format::PLAIN
};

/// What a profiler counts in one mode is not what it counts in another.
pub(super) const MODE: Key = Key::work("benchmarkMode", "mode: thrpt, avgt, sample or ss").detail();

pub(super) const KEYS: &[Key] = &[
    Key::work("threads", "number of threads that run the benchmark"),
    MODE,
    Key::work("measurementBatchSize", "calls of one operation, where it is not 1"),
    Key::setting("jmhVersion", "version of JMH"),
    Key::setting("jvm", "program that ran the benchmark"),
    Key::setting("jvmArgs", "options of the virtual machine"),
    Key::setting("jdkVersion", "version of the JDK"),
    Key::setting("vmName", "name of the virtual machine"),
    Key::setting("vmVersion", "version of the virtual machine"),
];

pub(super) const METRICS: &[Meaning] = &[
    Meaning::of("thrpt", "operations per second in an iteration (mode thrpt)"),
    Meaning::of("avgt", "time of one operation, the mean over an iteration (mode avgt)"),
    Meaning::of("sample", "time of one operation (mode sample)"),
    Meaning::of("ss", "time of an iteration of one operation or batch (mode ss)"),
];

const FIELDS: [(&str, &str); 6] = [
    ("threads", "threads"),
    ("jmhVersion", "jmhVersion"),
    ("jvm", "jvm"),
    ("jdkVersion", "jdkVersion"),
    ("vmName", "vmName"),
    ("vmVersion", "vmVersion"),
];

/// Histograms of a file that count more samples than this are refused: they take memory by their counts, not by their
/// length. JMH counts some 100,000 samples a second.
const MOST_SAMPLES: usize = 1 << 24;

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let limit = content.budget.limits.values;
    let (mut processes, mut samples) = (0, 0);
    let most = MOST_SAMPLES.min(usize::try_from(limit).unwrap_or(usize::MAX));
    Span::new(&bytes, 1, limit).each_of_all(sheet, |sheet, entry, line| {
        let mut result = Result { entry, line, processes, left: most.saturating_sub(samples) };
        let before = sheet.len();
        processes += result.read(sheet);
        samples += sheet.len() - before;
    })?;
    if sheet.len() as u64 > limit {
        let what = "the results have too many values";
        return Err(Exceeded { what, setting: "values", limit, together: true }.into());
    }
    Ok(())
}

/// A benchmark with one mode and one set of parameters.
struct Result<'e, 'a> {
    entry: &'e Value<'a>,
    line: u32,
    /// The processes of the results before it: each fork is a process.
    processes: u32,
    /// How many samples of histograms may still be read.
    left: usize,
}

impl Result<'_, '_> {
    /// Reads the values and returns the number of forks.
    fn read(&mut self, sheet: &mut Sheet) -> u32 {
        let text = |key: &str| self.entry.text_of(key);
        let needed = text("benchmark").zip(text("mode"));
        let Some((benchmark, mode)) = sheet.need(needed, self.line, "`benchmark` or `mode`") else {
            return 0;
        };
        let context = self.context(sheet, mode);
        sheet.set_context(&context);
        let primary = self.entry.get("primaryMetric").unwrap_or(&Value::Null);
        let forks = self.metric(sheet, benchmark, mode, primary, jmh_units::primary);
        let others = self.entry.object_of("secondaryMetrics");
        for (name, metric) in others.into_iter().flat_map(Object::iter) {
            let name = jmh_units::name(benchmark, name);
            self.metric(sheet, benchmark, &name, metric, jmh_units::secondary);
        }
        forks
    }

    fn context(&self, sheet: &mut Sheet, mode: &str) -> Context {
        let mut context = stated(self.entry, &FIELDS);
        context.push((MODE.name.to_owned(), mode.to_owned()));
        let options = self.entry.elements("jvmArgs");
        if !options.is_empty() {
            let options: Vec<String> = options.iter().map(plain).collect();
            context.push(("jvmArgs".to_owned(), options.join(" ")));
        }
        let batch = stated(self.entry, &[("measurementBatchSize", "measurementBatchSize")]);
        context.extend(batch.into_iter().filter(|(_, size)| !matches!(&**size, "1" | "-1")));
        if let Some(values) = self.entry.get("params") {
            parameters::add_all(sheet, &mut context, values);
        }
        context
    }

    /// Reads a metric and returns the number of its forks.
    fn metric(
        &mut self,
        sheet: &mut Sheet,
        benchmark: &str,
        name: &str,
        metric: &Value<'_>,
        describe: fn(&str, &str) -> Option<Unit>,
    ) -> u32 {
        let forks =
            ["rawData", "rawDataHistogram"].iter().find_map(|key| Some((*key, metric.get(key)?.list()?)));
        let unit = metric.text_of("scoreUnit").unwrap_or_default();
        let (Some((kind, forks)), Some(unit)) = (forks, describe(name, unit)) else {
            sheet.lacks(self.line, benchmark, &format!("known unit or raw data of {}", excerpt(name)));
            return 0;
        };
        // A profiler reports what it could not measure as NaN.
        let optional = !unit.metric.primary;
        let id = sheet.metric_of(unit.metric.clone());
        // With -Djmh.json.rawData=false there is only the score.
        let is_empty = |fork: &Value<'_>| fork.list().is_none_or(<[_]>::is_empty);
        if let Some(score) = metric.get("score").filter(|_| forks.iter().all(is_empty)) {
            let aggregate = Some(Aggregate::default());
            let row = Measurement { benchmark, metric: id, line: self.line, aggregate, ..ROW };
            if optional && score.text() == Some("NaN") {
                sheet.dropped(1);
            } else {
                push_scaled(sheet, row, score, unit.scale);
            }
            return 0;
        }
        for (fork, iterations) in (self.processes..).zip(forks) {
            let row = Measurement { benchmark, metric: id, line: self.line, process: Some(fork), ..ROW };
            for iteration in iterations.list().unwrap_or(&[]) {
                if kind == "rawDataHistogram" {
                    self.histogram(sheet, row, iteration, &unit);
                } else if optional && iteration.text() == Some("NaN") {
                    sheet.dropped(1);
                } else {
                    push_scaled(sheet, row, iteration, unit.scale);
                }
            }
        }
        forks.len() as u32
    }

    /// Reads `[[time, count], …]`, in an order without trend: the histogram does not have the real one.
    fn histogram(&mut self, sheet: &mut Sheet, row: Measurement<'_>, iteration: &Value<'_>, unit: &Unit) {
        let mut values = Vec::new();
        for bin in iteration.list().unwrap_or(&[]) {
            let Some([time, Value::Whole(count)]) = bin.list() else {
                return sheet.lacks(self.line, row.benchmark, "`[time, count]` in a bin");
            };
            let (time, count) = (number_of(sheet, time, self.line), usize::try_from(*count).unwrap_or(0));
            let Some(left) = self.left.checked_sub(count) else {
                let what = format!("{} has too many samples in its histograms", excerpt(row.benchmark));
                return sheet.malformed(self.line, what, "measure for a shorter time");
            };
            self.left = left;
            values.extend(std::iter::repeat_n(time.unwrap_or(f64::NAN), count));
        }
        for place in scattered::places(values.len()) {
            sheet.push(Measurement { value: unit.scale.apply(values[place]), ..row });
        }
    }
}
