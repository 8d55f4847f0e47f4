//! The cells of an inspected benchmark's line.

use statera_weighing::Scale;
use statera_weighing::inspection::{Inspected, Sampled};

use crate::inspection::InspectionSubject;
use crate::inspection_words::{amount, forecast, short, shows, verdict};
use crate::{cells, names, numbers};

/// The headings of [`inspection_cells`].
pub const INSPECTION_COLUMNS: [&str; 13] = [
    "benchmark",
    "variant",
    "n",
    "median",
    "IQR",
    "normal p",
    "skew",
    "modes",
    "ICC",
    "shows",
    "runs for 1 / 2 / 5%",
    "verdict",
    "short verdict",
];

/// One text a column.
#[must_use]
pub fn inspection_cells(row: &Inspected, subject: &InspectionSubject<'_>) -> [String; 13] {
    let metric = &subject.observations.metrics[row.metric as usize];
    let label = subject.labels.get(row.variant as usize).map_or("", String::as_str);
    let mut normal = String::new();
    numbers::p_value(&mut normal, row.shape.normality.map_or(f64::NAN, |found| found.p));
    let mut median = amount(row.centre.value, metric);
    if !row.exact && row.centre.value != 0.0 {
        cells::half_width(&mut median, &row.centre);
    }
    let skew =
        if row.shape.skewness.is_finite() { format!("{:+.2}", row.shape.skewness) } else { "-".to_owned() };
    let modes = if row.exact || row.n < 4 { "-".to_owned() } else { row.shape.modes.to_string() };
    [
        names::printable(subject.observations.benchmarks.get(row.benchmark)).into_owned(),
        names::printable(label).into_owned(),
        units(row),
        median,
        spread(row, metric),
        normal,
        skew,
        modes,
        between(row),
        shows(row, metric),
        needed(row),
        verdict(row, metric),
        short(row, metric),
    ]
}

/// `20`, or runs × iterations.
fn units(row: &Inspected) -> String {
    let components = row.runs.and_then(|runs| runs.components);
    match components.filter(|_| row.sampled == Sampled::Runs) {
        Some(parts) => format!("{}×{:.0}", row.n, parts.size),
        None => row.n.to_string(),
    }
}

/// The share of the variance that lies between runs.
fn between(row: &Inspected) -> String {
    match row.runs.and_then(|runs| runs.components) {
        Some(parts) if parts.icc.is_finite() => format!("{:.0}%", 100.0 * parts.icc),
        _ => "-".to_owned(),
    }
}

fn spread(row: &Inspected, metric: &statera_readers::Metric) -> String {
    if row.n < 2 {
        return "-".to_owned();
    }
    if row.scale == Scale::Difference {
        return amount(row.iqr, metric);
    }
    let mut text = String::new();
    numbers::percent(&mut text, row.iqr / row.centre.value);
    text.trim_start_matches('+').to_owned()
}

fn needed(row: &Inspected) -> String {
    if row.exact || row.plan.needed.iter().all(|count| !count.is_finite()) {
        return "-".to_owned();
    }
    row.plan.needed.map(forecast).join(" / ")
}
