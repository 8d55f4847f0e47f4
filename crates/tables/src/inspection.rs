//! Inspected rows as text: every field once, for tables, CSV, JSON and Python alike.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use statera_readers::Observations;
use statera_readers::treacherous::json_safe;
use statera_weighing::inspection::{Grade, Inspected, NormalityTest, Sampled};

use crate::{cells, comma, inspection_words as words};

/// What inspected rows are made of.
#[derive(Debug, Clone, Copy)]
pub struct InspectionSubject<'a> {
    /// Names, metrics.
    pub observations: &'a Observations,
    /// The variants' labels.
    pub labels: &'a [String],
    /// The groups' labels.
    pub groups: &'a [String],
}

/// A field of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// Text.
    Text(String),
    /// A number; NaN and infinity stand for none.
    Number(f64),
    /// A count.
    Count(u32),
    /// A count that may be unknown.
    Known(Option<u32>),
    /// Yes or no.
    Flag(bool),
    /// Names.
    Names(Vec<&'static str>),
}

impl Field {
    fn json(&self) -> Value {
        match self {
            Self::Text(text) => json!(text),
            Self::Number(number) if number.is_finite() => json!(number),
            Self::Number(_) => Value::Null,
            Self::Count(count) => json!(count),
            Self::Known(count) => json!(count),
            Self::Flag(flag) => json!(flag),
            Self::Names(names) => json!(names),
        }
    }

    fn comma(&self, to: &mut String, raw: bool) {
        let _ = match self {
            Self::Text(text) => {
                comma::cell(to, text, raw);
                Ok(())
            }
            Self::Number(number) if number.is_finite() => write!(to, "{number}"),
            Self::Number(_) | Self::Known(None) => Ok(()),
            Self::Count(count) | Self::Known(Some(count)) => write!(to, "{count}"),
            Self::Flag(flag) => write!(to, "{flag}"),
            Self::Names(names) => write!(to, "{}", names.join(" ")),
        };
    }
}

/// The name of a grade.
#[must_use]
pub fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::Fit => "fit",
        Grade::Noisy => "noisy",
        Grade::Doubtful => "doubtful",
        Grade::Unfit => "unfit",
    }
}

fn sampled(sampled: Sampled) -> &'static str {
    match sampled {
        Sampled::Values => "values",
        Sampled::Runs => "runs",
        Sampled::Blocks => "blocks",
    }
}

fn test(test: NormalityTest) -> &'static str {
    match test {
        NormalityTest::ShapiroWilk => "shapiro-wilk",
        NormalityTest::AndersonDarling => "anderson-darling",
    }
}

/// Every field of a row with its name.
#[must_use]
pub fn fields(row: &Inspected, subject: &InspectionSubject<'_>) -> Vec<(&'static str, Field)> {
    let metric = &subject.observations.metrics[row.metric as usize];
    let label = |labels: &[String], index: u32| labels.get(index as usize).cloned().unwrap_or_default();
    let mut found = vec![
        ("group", Field::Text(label(subject.groups, row.group))),
        ("benchmark", Field::Text(subject.observations.benchmarks.get(row.benchmark).to_owned())),
        ("metric", Field::Text(metric.name.clone())),
        ("unit", Field::Text(metric.unit.clone())),
        ("variant", Field::Text(label(subject.labels, row.variant))),
        ("grade", Field::Text(grade(row.grade()).to_owned())),
        ("troubles", Field::Names(row.list().map(statera_weighing::inspection::Trouble::name).collect())),
        ("verdict", Field::Text(words::verdict(row, metric))),
        ("sampled", Field::Text(sampled(row.sampled).to_owned())),
        ("scale", Field::Text(cells::scale(row.scale).to_owned())),
        ("exact", Field::Flag(row.exact)),
        ("values", Field::Count(row.values)),
        ("n", Field::Count(row.n)),
        ("runs", Field::Known(row.runs.map(|runs| runs.count))),
        ("centre", Field::Number(row.centre.value)),
        ("low", Field::Number(row.centre.low)),
        ("high", Field::Number(row.centre.high)),
        ("level", Field::Number(row.centre.level)),
        ("iqr", Field::Number(row.iqr)),
        ("mad", Field::Number(row.mad)),
        ("cv", Field::Number(row.cv)),
    ];
    shape(&mut found, row);
    order(&mut found, row);
    parts(&mut found, row);
    found
}

type Fields = Vec<(&'static str, Field)>;

fn shape(to: &mut Fields, row: &Inspected) {
    let shape = row.shape;
    let w = |found: Option<statera_kernels::Normality>| found.map_or(f64::NAN, |found| found.statistic);
    let p = |found: Option<statera_kernels::Normality>| found.map_or(f64::NAN, |found| found.p);
    to.extend([
        ("normality_test", Field::Text(test(shape.test).to_owned())),
        ("normality", Field::Number(w(shape.normality))),
        ("normality_p", Field::Number(p(shape.normality))),
        ("log_normality", Field::Number(w(shape.log_normality))),
        ("log_normality_p", Field::Number(p(shape.log_normality))),
        ("skewness", Field::Number(shape.skewness)),
        ("dip", Field::Number(shape.dip.map_or(f64::NAN, |dip| dip.dip))),
        ("dip_p", Field::Number(shape.dip.map_or(f64::NAN, |dip| dip.p))),
        ("modes", Field::Count(shape.modes)),
        ("outliers", Field::Count(shape.outliers)),
    ]);
}

fn order(to: &mut Fields, row: &Inspected) {
    let drift = row.order.drift;
    let lag = row.order.autocorrelation;
    let steadiness = row.steadiness;
    to.extend([
        ("drift_rho", Field::Number(drift.map_or(f64::NAN, |drift| drift.rho))),
        ("drift_p", Field::Number(drift.map_or(f64::NAN, |drift| drift.p))),
        ("drift_change", Field::Number(drift.map_or(f64::NAN, |drift| drift.change))),
        ("autocorrelation", Field::Number(lag.map_or(f64::NAN, |found| found.lag_one))),
        ("autocorrelation_z", Field::Number(lag.map_or(f64::NAN, |found| found.z))),
        ("series", Field::Count(steadiness.runs)),
        ("series_warming", Field::Count(steadiness.warming)),
        ("series_unsteady", Field::Count(steadiness.unsteady)),
        ("warm_up", Field::Number(steadiness.end)),
        ("warm_up_change", Field::Number(steadiness.relative)),
        ("distinct", Field::Count(row.distinct)),
        ("resolution", Field::Number(row.resolution)),
    ]);
}

fn parts(to: &mut Fields, row: &Inspected) {
    let components = row.runs.and_then(|runs| runs.components);
    let worth = row.runs.and_then(|runs| runs.worth);
    let part = |of: fn(&statera_kernels::Components) -> f64| components.as_ref().map_or(f64::NAN, of);
    let best = |of: fn(&statera_weighing::inspection::Worth) -> f64| worth.as_ref().map_or(f64::NAN, of);
    to.extend([
        ("iterations", Field::Number(part(|parts| parts.size))),
        ("within_sd", Field::Number(part(|parts| parts.within.sqrt()))),
        ("between_sd", Field::Number(part(|parts| parts.between.sqrt()))),
        ("icc", Field::Number(part(|parts| parts.icc))),
        ("icc_low", Field::Number(part(|parts| parts.icc_low))),
        ("icc_high", Field::Number(part(|parts| parts.icc_high))),
        ("runs_p", Field::Number(part(|parts| parts.p))),
        ("break_even", Field::Number(row.runs.map_or(f64::NAN, |runs| runs.break_even))),
        ("best_iterations", Field::Number(best(|worth| worth.iterations))),
        ("best_runs", Field::Number(best(|worth| worth.runs))),
        ("best_seconds", Field::Number(best(|worth| worth.seconds))),
        ("present_seconds", Field::Number(best(|worth| worth.seconds_now))),
        ("detectable", Field::Number(row.plan.detectable)),
        ("runs_for_1", Field::Number(row.plan.needed[0])),
        ("runs_for_2", Field::Number(row.plan.needed[1])),
        ("runs_for_5", Field::Number(row.plan.needed[2])),
        ("margin", Field::Number(row.margin)),
        ("runs_for_margin", Field::Number(row.plan.for_margin)),
    ]);
}

/// Rows as comma-separated values with their header; formulas are guarded, unless texts are wanted `raw`.
#[must_use]
pub fn comma_separated(rows: &[&Inspected], subject: &InspectionSubject<'_>, raw: bool) -> String {
    let mut text = String::new();
    for (place, row) in rows.iter().enumerate() {
        let fields = fields(row, subject);
        if place == 0 {
            let names: Vec<&str> = fields.iter().map(|field| field.0).collect();
            let _ = writeln!(text, "{}", names.join(","));
        }
        for (column, (_, field)) in fields.iter().enumerate() {
            if column > 0 {
                text.push(',');
            }
            field.comma(&mut text, raw);
        }
        text.push('\n');
    }
    text
}

/// Rows as a JSON array, one object a row; absent numbers are null.
#[must_use]
pub fn json_rows(rows: &[&Inspected], subject: &InspectionSubject<'_>) -> String {
    let object = |row: &&Inspected| {
        let named = fields(row, subject).into_iter().map(|(name, field)| (name.to_owned(), field.json()));
        json_safe(&Value::Object(named.collect::<Map<String, Value>>()).to_string()).into_owned()
    };
    let lines: Vec<String> = rows.iter().map(object).collect();
    format!("[\n{}\n]", lines.join(",\n"))
}
