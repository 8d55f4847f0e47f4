//! Observations of one job → the file of its upload.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use statera_readers::{Better, Metric, NONE, Observations};

use crate::file::Writing;
use crate::summary::Summary;
use crate::table::{Row, Rows, Samples};

/// Writes the values of a job, a row for each series, and returns the number of rows.
///
/// `factors` has for each configuration a JSON object of the keys and values that make its values a series of their own,
/// or None where its values belong to another job. `jobs` is the JSON list with the one job.
///
/// # Errors
/// Any error of the operating system.
pub fn write(
    observations: &Observations,
    factors: &[Option<String>],
    jobs: &str,
    path: &Path,
) -> io::Result<usize> {
    let metrics: Vec<Words> = observations.metrics.iter().map(Words::of).collect();
    let mut rows = Rows::default();
    for (benchmark, metric, factors, values) in groups(observations, factors) {
        let column = |column: &[u32]| -> Vec<u32> {
            values.iter().filter_map(|&row| column.get(row).copied()).collect()
        };
        let process = column(&observations.process);
        let value: Vec<f64> = values.iter().map(|&row| observations.value[row]).collect();
        rows.push(Row {
            job: 0,
            texts: metrics[metric as usize].row(observations.benchmarks.get(benchmark), factors),
            summary: Summary::of(&value, &process),
            samples: Some(Samples {
                value,
                weight: numbers(&values, &observations.weight),
                deviation: numbers(&values, &observations.deviation),
                process: process
                    .iter()
                    .map(|&process| Some(process).filter(|&process| process != NONE))
                    .collect(),
                block: column(&observations.block)
                    .iter()
                    .map(|&block| (block != NONE).then(|| observations.blocks.get(block)))
                    .collect(),
            }),
        });
    }
    let written = rows.len();
    let mut file = Writing::open(path, jobs)?;
    file.write(&rows.batch().map_err(io::Error::other)?)?;
    file.close()?;
    Ok(written)
}

/// A number for each value, None where it is unknown; empty where the column is.
fn numbers(values: &[usize], column: &[f64]) -> Vec<Option<f64>> {
    let of = |&row: &usize| column.get(row).map(|&number| Some(number).filter(|number| !number.is_nan()));
    values.iter().filter_map(of).collect()
}

/// What the columns of texts say of a metric.
struct Words<'a> {
    metric: &'a Metric,
    traits: Option<String>,
}

impl<'a> Words<'a> {
    fn of(metric: &'a Metric) -> Self {
        Self { metric, traits: metric.traits(metric.quantity) }
    }

    fn row<'b>(&'b self, benchmark: &'b str, factors: &'b str) -> [Option<&'b str>; 7] {
        [
            Some(benchmark),
            Some(&self.metric.name),
            Some(&self.metric.unit),
            Some(self.metric.quantity.word()),
            self.metric.better.map(Better::word),
            self.traits.as_deref(),
            Some(factors),
        ]
    }
}

/// The values of each series: numbers of its benchmark and metric, its factors, and its rows, in the order of the first.
fn groups<'a>(
    observations: &Observations,
    factors: &'a [Option<String>],
) -> Vec<(u32, u32, &'a str, Vec<usize>)> {
    let mut found: Vec<(u32, u32, &str, Vec<usize>)> = Vec::new();
    let mut known: HashMap<(u32, u32, &str), usize> = HashMap::new();
    for row in 0..observations.len() {
        let Some(Some(factors)) = factors.get(observations.context[row] as usize) else { continue };
        let key = (observations.benchmark[row], observations.metric[row], factors.as_str());
        let at = *known.entry(key).or_insert_with(|| {
            found.push((key.0, key.1, key.2, Vec::new()));
            found.len() - 1
        });
        found[at].3.push(row);
    }
    found
}
