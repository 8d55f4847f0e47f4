//! The figures of a run of a load generator, which are summaries without their samples. They are collected before they
//! become values, because a report states parts of the configuration late.

use super::json::{Value, number_of, plain};
use super::load_metrics;
use crate::context::{self, Context};
use crate::sheet::{Aggregate, Measurement, ROW, Sheet};

/// A number of a report.
pub(super) struct Figure {
    pub(super) benchmark: String,
    /// The name of the metric.
    pub(super) name: String,
    /// The value in the base unit of the metric.
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
    /// The number of requests that the latencies summarise, where no figure has its own.
    pub(super) count: Option<f64>,
}

impl Run {
    /// Adds a figure.
    pub(super) fn add(&mut self, benchmark: &str, name: &str, value: f64, line: u32) {
        self.add_mean(benchmark, name, value, None, line);
    }

    /// Adds a mean, with its deviation where it is stated.
    pub(super) fn add_mean(
        &mut self,
        benchmark: &str,
        name: &str,
        value: f64,
        deviation: Option<f64>,
        line: u32,
    ) {
        let (benchmark, name) = (benchmark.to_owned(), name.to_owned());
        let aggregate = Aggregate { count: None, deviation };
        self.figures.push(Figure { benchmark, name, value, line, aggregate });
    }

    /// States a key of the configuration; a later statement takes the place of an earlier one.
    pub(super) fn state(&mut self, key: &str, value: &str) {
        context::state(&mut self.context, key, value);
    }

    /// Whether the run has this figure already: a report can state it under two labels.
    pub(super) fn has(&self, name: &str, value: f64) -> bool {
        self.figures.iter().any(|figure| figure.name == name && figure.value.to_bits() == value.to_bits())
    }

    /// Adds to a key that is a number.
    pub(super) fn count_more(&mut self, key: &str, more: u32) {
        let known = self.context.iter().find(|(known, _)| known == key);
        let before: u32 = known.and_then(|(_, count)| count.parse().ok()).unwrap_or(0);
        self.state(key, &before.saturating_add(more).to_string());
    }

    /// The sum of the figures whose names begin with this.
    pub(super) fn sum(&self, stem: &str) -> f64 {
        let found = self.figures.iter().filter(|figure| figure.name.starts_with(stem));
        // `sum` of nothing is -0.0.
        found.fold(0.0, |sum, figure| sum + figure.value)
    }

    /// Adds what was collected to the sheet; the next run begins.
    pub(super) fn end(&mut self, sheet: &mut Sheet) {
        sheet.set_context(&self.context);
        for Figure { benchmark, name, value, line, aggregate } in &self.figures {
            let of_run = self.count.filter(|_| name.contains("latency"));
            let aggregate = Aggregate { count: aggregate.count.or(of_run), ..*aggregate };
            let (process, aggregate) = (Some(self.process), Some(summary(aggregate)));
            let row = Measurement { benchmark, line: *line, process, aggregate, ..ROW };
            load_metrics::push(sheet, row, name, *value);
        }
        let names: Vec<&str> = self.figures.iter().map(|figure| &*figure.name).collect();
        load_metrics::choose_among(sheet, &names);
        let process = self.process + u32::from(!self.figures.is_empty());
        *self = Self { process, ..Self::default() };
    }

    /// The same where the next run has the same configuration.
    pub(super) fn end_within(&mut self, sheet: &mut Sheet) {
        let context = self.context.clone();
        self.end(sheet);
        self.context = context;
    }
}

/// What is known of a summary. If it says that it has one sample, its value is still no sample.
pub(super) fn summary(stated: Aggregate) -> Aggregate {
    Aggregate { count: stated.count.filter(|&count| count > 1.0), ..stated }
}

/// The body of requests as the value of a key: of a long one its beginning and its length.
pub(super) fn body(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

/// The number of a JSON value with this name; a problem if it is none.
pub(super) fn named_number(sheet: &mut Sheet, name: &str, value: &Value<'_>, line: u32) -> Option<f64> {
    let found = number_of(sheet, value, line);
    if found.is_none() {
        sheet.no_number(line, name, "", plain(value));
    }
    found
}
