//! Benchmarks of which a file of Google Benchmark has only the mean and the deviation of the repetitions.

use std::collections::HashSet;

use super::google_benchmark::described;
use crate::context::Context;
use crate::sheet::{Aggregate, Measurement};
use crate::text::excerpt;
use crate::{Code, Sheet};

/// A row that summarizes: its values in base units by their fields.
pub(super) struct Summary {
    pub(super) benchmark: String,
    /// `mean`, `stddev` or another.
    pub(super) kind: String,
    pub(super) count: Option<f64>,
    pub(super) context: Context,
    pub(super) line: u32,
    pub(super) fields: Vec<(String, f64)>,
}

/// The benchmarks of a file as far as it is read.
#[derive(Default)]
pub(super) struct Found {
    /// The benchmarks whose repetitions the file has.
    pub(super) repeated: HashSet<String>,
    pub(super) summaries: Vec<Summary>,
    /// The benchmarks of the summaries.
    summarized: HashSet<String>,
}

impl Found {
    /// Whether a row with the name of a summary is one: its repetitions or other summaries precede it, or it is the mean,
    /// which comes first.
    pub(super) fn is_summarized(&self, whole: &str, name: &str) -> bool {
        name.ends_with("_mean") || self.repeated.contains(whole) || self.summarized.contains(whole)
    }

    pub(super) fn add_summary(&mut self, summary: Summary) {
        add(&mut self.summarized, &summary.benchmark);
        self.summaries.push(summary);
    }

    /// Adds a benchmark to those whose repetitions the file has.
    pub(super) fn add_repeated(&mut self, benchmark: &str) {
        add(&mut self.repeated, benchmark);
    }

    /// Adds the values of a repetition.
    pub(super) fn repetition(&mut self, sheet: &mut Sheet, benchmark: &str, row: &Summary) {
        self.add_repeated(benchmark);
        sheet.set_context(&row.context);
        for (column, value) in &row.fields {
            let metric = sheet.metric(column, || described(column));
            let (value, line, process) = (*value, row.line, Some(0));
            sheet.push(Measurement { benchmark, metric, value, line, process, ..Measurement::default() });
        }
    }
}

fn add(names: &mut HashSet<String>, name: &str) {
    if !names.contains(name) {
        names.insert(name.to_owned());
    }
}

/// Whether a row is the fit of a complexity, which has no time.
pub(super) fn is_fit(name: &str) -> bool {
    name.ends_with("_BigO") || name.ends_with("_RMS")
}

/// The other summaries of the repetitions that a mean summarizes: they follow it. Two benchmarks can have one name.
fn others(summaries: &[Summary], mean: usize) -> impl Iterator<Item = &Summary> {
    let benchmark = &summaries[mean].benchmark;
    let rest = summaries[mean + 1..].iter();
    rest.take_while(move |other| other.benchmark == *benchmark && other.kind != "mean")
}

/// Takes out the rows that only their names, such as `arithmetic_mean`, make means: rows follow, but no other summary.
/// Behind the last row the file may be cut.
pub(super) fn take_named(summaries: &mut Vec<Summary>, last_line: u32) -> Vec<Summary> {
    let is_named = |place: usize| {
        let mean = &summaries[place];
        mean.kind == "mean" && mean.line < last_line && others(summaries, place).next().is_none()
    };
    let named: Vec<bool> = (0..summaries.len()).map(is_named).collect();
    let mut place = named.into_iter();
    summaries.extract_if(.., |_| place.next().unwrap_or(false)).collect()
}

const REPETITIONS: &str =
    "run it with --benchmark_report_aggregates_only=false, which writes the repetitions";

/// Adds the means of the benchmarks without repetitions, each with the deviation.
pub(super) fn settle(sheet: &mut Sheet, Found { summaries, repeated, .. }: &Found) {
    let means = summaries.iter().filter(|summary| summary.kind == "mean");
    let mut known: HashSet<&str> = means.map(|mean| &*mean.benchmark).collect();
    for Summary { benchmark, kind, line, .. } in summaries {
        if !repeated.contains(benchmark) && known.insert(benchmark) {
            let (benchmark, kind) = (excerpt(benchmark.as_bytes()), excerpt(kind.as_bytes()));
            let what =
                format!("{benchmark} has aggregates such as its {kind}, but neither repetitions nor a mean");
            sheet.problem(Code::NoSamples, *line, what, REPETITIONS);
        }
    }
    for (place, mean) in summaries.iter().enumerate() {
        if mean.kind != "mean" || repeated.contains(&mean.benchmark) {
            continue;
        }
        let spread = others(summaries, place).find(|other| other.kind == "stddev");
        let spread = spread.map_or(&[][..], |summary| &summary.fields);
        sheet.set_context(&mean.context);
        for (field, value) in &mean.fields {
            let deviation = spread.iter().find(|(known, _)| known == field).map(|(_, deviation)| *deviation);
            let metric = sheet.metric(field, || described(field));
            sheet.push(Measurement {
                benchmark: &mean.benchmark,
                metric,
                value: *value,
                line: mean.line,
                process: Some(0),
                aggregate: Some(Aggregate { count: mean.count, deviation }),
                ..Measurement::default()
            });
        }
    }
}
