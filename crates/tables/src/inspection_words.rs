//! Short sentences on the defects of a benchmark and on what to do about them.

use std::fmt::Write as _;

use statera_readers::Metric;
use statera_weighing::Scale;
use statera_weighing::inspection::{Defect, Inspected, Sampled};

use crate::cells::{self, runs};
use crate::field::Names;
use crate::{names, numbers};

/// Returns the grade, the main defect, what to do about it, and the codes of the other defects.
#[must_use]
pub fn verdict(row: &Inspected, metric: &Metric) -> String {
    let Some(first) = row.list().next() else { return short(row, metric) };
    let advice = advice(first, row);
    let (begin, rest) = advice.split_at(advice.chars().next().map_or(0, char::len_utf8));
    let advice = format!("{}{rest}", begin.to_uppercase());
    let mut text = format!("{}: {}. {advice}", row.grade().code(), what(first, row, metric));
    let others: Vec<String> = row.list().skip(1).map(|defect| cells::words(defect.code())).collect();
    if !others.is_empty() {
        let _ = write!(text, " (also {})", others.join(", "));
    }
    text
}

/// Returns the grade and the main defect, for narrow lines.
#[must_use]
pub fn short(row: &Inspected, metric: &Metric) -> String {
    let word = row.grade().code();
    match row.list().next() {
        // The change that noise hides is in another column.
        Some(Defect::Noisy) => format!("{word}: {}", advice(Defect::Noisy, row)),
        Some(defect) => format!("{word}: {}", what(defect, row, metric)),
        None if row.exact => format!("{word}: exact"),
        None => word.to_owned(),
    }
}

/// Describes a defect.
#[must_use]
pub fn what(defect: Defect, row: &Inspected, metric: &Metric) -> String {
    let level = row.steadiness;
    match defect {
        Defect::TooFew => format!("{} {} too few", units(row), if row.n == 1 { "is" } else { "are" }),
        Defect::Constant => format!("all {} values are equal", row.values),
        Defect::WarmUp if level.runs > 1 => {
            format!("{} of {} runs warm up ({})", level.warming, level.runs, numbers::size(level.relative))
        }
        Defect::WarmUp => format!("warms up ({})", numbers::size(level.relative)),
        Defect::Drift => row.order.drift.map_or_else(
            || "drifts".to_owned(),
            |drift| format!("drifts {}", change(drift.change, row, metric)),
        ),
        Defect::Unsteady => "shifts level during the run".to_owned(),
        Defect::Autocorrelation => "consecutive values are correlated".to_owned(),
        Defect::SeveralModes => format!("{} modes", row.shape.modes),
        Defect::CoarseClock => format!("ticks of {}", amount(row.resolution, metric)),
        Defect::FewDistinct => format!("{} different values of {}", row.distinct, row.values),
        Defect::OneProcess => "one process".to_owned(),
        Defect::FewProcesses => format!("only {}", units(row)),
        Defect::Noisy => format!("cannot detect changes under {}", shows(row, metric).unwrap_or_default()),
        Defect::ByBlock => "one value per block".to_owned(),
        Defect::RunsDiffer => "runs differ".to_owned(),
        Defect::Outliers => format!("{} {}", row.shape.outliers, plural("outlier", row.shape.outliers)),
    }
}

/// Returns what to do about a defect.
#[must_use]
pub fn advice(defect: Defect, row: &Inspected) -> String {
    match defect {
        Defect::TooFew if row.sampled == Sampled::Runs => "make at least 4 runs".to_owned(),
        Defect::TooFew => "measure at least 4".to_owned(),
        Defect::Constant | Defect::CoarseClock | Defect::FewDistinct => "measure longer at a time".to_owned(),
        Defect::WarmUp => {
            let first = row.steadiness.end;
            let of = if row.steadiness.runs > 1 { " of each run" } else { "" };
            if first == 1.0 {
                format!("discard the first value{of}")
            } else {
                format!("discard the first {first:.0}{of}")
            }
        }
        Defect::Drift => "warm up first, and alternate the builds".to_owned(),
        Defect::Unsteady => "look at what else runs, and alternate the builds".to_owned(),
        Defect::Autocorrelation => "use more processes with fewer values each".to_owned(),
        Defect::SeveralModes => "find what tells them apart".to_owned(),
        Defect::OneProcess => "start the program several times".to_owned(),
        Defect::FewProcesses => format!("measure {} or more for a rank test", row.plan.ranks_from),
        Defect::Noisy if !row.plan.for_margin.is_finite() => {
            "the spread is too wide to compute the runs needed".to_owned()
        }
        Defect::Noisy => {
            format!(
                "~{} runs would detect {}%",
                forecast(row.plan.for_margin),
                (row.margin * 1e6).round() / 1e4
            )
        }
        Defect::ByBlock => "compare in pairs".to_owned(),
        Defect::RunsDiffer => "make more runs, not more iterations".to_owned(),
        Defect::Outliers => "look at what else ran".to_owned(),
    }
}

/// Writes a number of runs with two digits, rounded up.
#[must_use]
pub fn forecast(count: f64) -> String {
    let mut text = String::new();
    runs(&mut text, count);
    text
}

fn units(row: &Inspected) -> String {
    let word = match row.sampled {
        Sampled::Values => "value",
        Sampled::Runs => "run",
        Sampled::Blocks => "block",
    };
    format!("{} {}", row.n, plural(word, row.n))
}

fn plural(word: &str, count: u32) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

/// Returns the smallest change that the row's units can detect; `None` if they can detect none.
#[must_use]
pub fn shows(row: &Inspected, metric: &Metric) -> Option<String> {
    let detectable = row.plan.detectable;
    if row.exact {
        return Some("any".to_owned());
    }
    let written =
        || if row.scale == Scale::Ratio { numbers::size(detectable) } else { amount(detectable, metric) };
    detectable.is_finite().then(written)
}

/// Writes a signed change on the row's scale.
fn change(change: f64, row: &Inspected, metric: &Metric) -> String {
    let mut text = String::new();
    if row.scale == Scale::Ratio {
        numbers::percent(&mut text, change);
    } else {
        if change > 0.0 && change.is_finite() {
            text.push('+');
        }
        text.push_str(&amount(change, metric));
    }
    text
}

/// Writes a value with the unit prefix that suits it.
#[must_use]
pub fn amount(value: f64, metric: &Metric) -> String {
    let mut text = String::new();
    let prefix = numbers::prefix(metric.quantity, &metric.unit, value);
    numbers::value(&mut text, value, metric.quantity, &metric.unit, prefix);
    text
}

// The cells of an inspected benchmark in a table.

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
        "detects",
        "the smallest change that a comparison with so many runs per build detects with the power of the policy",
    ),
    (
        "runs for 1 / 2 / 5%",
        "the number of runs per build that would detect such changes: a forecast from the spread",
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
        Some(units_cell(row)),
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
fn units_cell(row: &Inspected) -> String {
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

fn spread(row: &Inspected, metric: &Metric) -> Option<String> {
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
