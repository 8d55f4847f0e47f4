//! The values of a run of a load generator, and which of them are compared first. All figures of a run are collected
//! before they become values: its report states parts of the configuration late.

use std::collections::HashMap;

use crate::context::Context;
use crate::metric::{Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::text::number;
use crate::{Code, Sheet};

/// A number of a report.
pub(super) struct Figure {
    pub(super) benchmark: String,
    /// The name of the metric.
    pub(super) name: String,
    /// The base unit: `s`, `1/s`, `B/s`, or `1` for what is counted.
    pub(super) unit: &'static str,
    pub(super) value: f64,
    pub(super) line: u32,
    pub(super) aggregate: Aggregate,
}

/// A run whose report is being read.
#[derive(Default)]
pub(super) struct Run {
    pub(super) context: Context,
    pub(super) figures: Vec<Figure>,
    /// The number of runs before it in the file.
    pub(super) process: u32,
}

impl Run {
    /// Adds a figure that summarises an unknown number of samples.
    pub(super) fn add(&mut self, benchmark: &str, name: &str, unit: &'static str, value: f64, line: u32) {
        let (benchmark, name) = (benchmark.to_owned(), name.to_owned());
        self.figures.push(Figure { benchmark, name, unit, value, line, aggregate: Aggregate::default() });
    }

    /// States a key of the configuration; a later statement takes the place of an earlier one.
    pub(super) fn state(&mut self, key: &str, value: &str) {
        self.context.retain(|(known, _)| known != key);
        self.context.push((key.to_owned(), value.to_owned()));
    }

    /// Adds what was collected to the sheet; the next run begins.
    pub(super) fn end(&mut self, sheet: &mut Sheet) {
        let primaries = Primaries::of(&self.figures);
        sheet.set_context(&self.context);
        for figure in &self.figures {
            let primary = primaries.has(&figure.name);
            let metric = sheet.metric(&figure.name, || described(&figure.name, figure.unit, primary));
            sheet.push(Measurement {
                benchmark: &figure.benchmark,
                metric,
                value: figure.value,
                line: figure.line,
                process: Some(self.process),
                aggregate: Some(summary(figure.aggregate)),
                ..Measurement::default()
            });
        }
        self.process += u32::from(!self.figures.is_empty());
        self.figures.clear();
        self.context.clear();
    }
}

/// What is known of a summary. If it says that it has one sample, its value is still no sample.
pub(super) fn summary(stated: Aggregate) -> Aggregate {
    Aggregate { count: stated.count.filter(|&count| count > 1.0), ..stated }
}

/// A metric by its name and base unit.
pub(super) fn described(name: &str, unit: &str, primary: bool) -> Metric {
    let quantity = match unit {
        "s" => Quantity::Time,
        "1/s" | "B/s" => Quantity::Throughput,
        "1" => Quantity::Count,
        _ => Quantity::Other,
    };
    Metric { primary, ..Metric::new(name, unit, quantity).never_exact() }
}

/// The metrics of a report that are compared without being asked for: throughput, a centre and a tail.
struct Primaries {
    /// Whether a throughput of all operations is stated; otherwise those of their kinds are compared.
    whole: bool,
    centre: &'static str,
    tail: String,
}

impl Primaries {
    /// Chooses among the metrics: the median or else the mean, and the percentile nearest to the 99th.
    fn of(figures: &[Figure]) -> Self {
        let has = |name: &str| figures.iter().any(|figure| figure.name == name);
        let tails = figures.iter().filter_map(|figure| {
            let rank = number(figure.name.strip_prefix("latency-p")?.as_bytes())?;
            (rank > 50.0 && rank < 99.9).then_some(((rank - 99.0).abs(), &figure.name))
        });
        Self {
            whole: has("throughput"),
            centre: if has("latency-p50") { "latency-p50" } else { "latency-mean" },
            tail: tails.min_by(|a, b| a.0.total_cmp(&b.0)).map_or_else(String::new, |(_, name)| name.clone()),
        }
    }

    fn has(&self, name: &str) -> bool {
        let throughput = if self.whole { name == "throughput" } else { name.starts_with("throughput-") };
        throughput || name == self.centre || name == self.tail
    }
}

/// Different names for equal ones: `SELECT 1;`, then `SELECT 1; #2`.
#[derive(Default)]
pub(super) struct Unique(HashMap<String, u32>);

impl Unique {
    pub(super) fn name(&mut self, name: String) -> String {
        let count = self.0.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { name } else { format!("{name} #{count}") }
    }
}

/// Records a line of a report whose number cannot be read.
pub(super) fn unreadable(sheet: &mut Sheet, text: &str, line: u32) {
    let what = format!("`{}` has no readable number", crate::text::excerpt(text.as_bytes()));
    sheet.problem(Code::MalformedNumber, line, what, "was the file cut or edited?");
}
