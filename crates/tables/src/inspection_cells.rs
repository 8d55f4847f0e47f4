//! The cells of an inspected benchmark in a table.

use statera_weighing::Scale;
use statera_weighing::inspection::{Inspected, Sampled};

use crate::field::Names;
use crate::inspection_words::{amount, forecast, short, shows, verdict};
use crate::{cells, names, numbers};

/// The headings of the columns of [`inspection_cells`], and what each column means.
pub const INSPECTION_COLUMNS: [(&str, &str); 13] = [
    ("benchmark", "the name of the benchmark; the heading is the metric"),
    ("variant", "the label of the variant, if there are several"),
    ("n", "the number of units; `4×10` is 4 runs of 10 values"),
    ("median", "the median with its order-statistic interval, as in a comparison"),
    ("IQR", "distance between the quartiles, relative to the median"),
    (
        "normal p",
        "p of the Shapiro-Wilk test on the untransformed values; above 5,000 values, of the Anderson-Darling test",
    ),
    ("skew", "skewness"),
    ("modes", "the number of peaks of the density if the dip test finds more than one mode"),
    ("ICC", "if runs are known: the share of the variance that is between runs"),
    (
        "shows",
        "the smallest change that a comparison with this number of units a side finds, with the power of the policy",
    ),
    (
        "runs for 1 / 2 / 5%",
        "the number of units a side that would show such changes: a forecast from the spread",
    ),
    ("verdict", "the grade, the main defect, what to do about it, and other defects"),
    ("short verdict", "the grade and the main defect, where a line has no room for more"),
];

/// Returns one text per column; `None` for an empty cell.
#[must_use]
pub fn inspection_cells(row: &Inspected, names: &Names<'_>) -> [Option<String>; 13] {
    let metric = names.metric(row.metric);
    let normal = row.shape.normality.map(|found| {
        let mut text = String::new();
        numbers::p_value(&mut text, found.p);
        text
    });
    let mut median = amount(row.centre.value, metric);
    if !row.exact && row.centre.value != 0.0 {
        cells::half_width(&mut median, &row.centre);
    }
    let skewness = row.shape.skewness;
    [
        Some(names::printable(names.benchmark(row.benchmark)).into_owned()),
        Some(names::printable(names.label(row.variant)).into_owned()),
        Some(units(row)),
        Some(median),
        spread(row, metric),
        normal,
        skewness.is_finite().then(|| format!("{skewness:+.2}")),
        (!row.exact && row.n >= 4).then(|| row.shape.modes.to_string()),
        between(row),
        shows(row, metric),
        needed(row),
        Some(verdict(row, metric)),
        Some(short(row, metric)),
    ]
}

/// The number of units: `20`, or runs × iterations.
fn units(row: &Inspected) -> String {
    let components = row.runs.and_then(|runs| runs.components);
    match components.filter(|_| row.sampled == Sampled::Runs) {
        Some(parts) => format!("{}×{:.0}", row.n, parts.size),
        None => row.n.to_string(),
    }
}

/// The share of the variance that lies between runs.
fn between(row: &Inspected) -> Option<String> {
    let icc = row.runs?.components?.icc;
    icc.is_finite().then(|| format!("{:.0}%", 100.0 * icc))
}

fn spread(row: &Inspected, metric: &statera_readers::Metric) -> Option<String> {
    if row.n < 2 {
        return None;
    }
    if row.scale == Scale::Difference {
        return Some(amount(row.iqr, metric));
    }
    Some(numbers::size(row.iqr / row.centre.value))
}

fn needed(row: &Inspected) -> Option<String> {
    let known = !row.exact && row.plan.needed.iter().any(|count| count.is_finite());
    known.then(|| row.plan.needed.map(forecast).join(" / "))
}
