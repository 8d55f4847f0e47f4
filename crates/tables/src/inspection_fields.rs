//! The fields of inspected rows.

use std::borrow::Cow;
use std::sync::LazyLock;

use statera_kernels::{Components, Normality, RobustComponents};
use statera_weighing::Scale;
use statera_weighing::inspection::{Defect, Grade, Inspected, NormalityTest, Sampled, Worth};

use crate::field::Field;
use crate::inspection_words as words;
use crate::row_fields::{CHANGE, PROBABILITY, change_unit};

/// The unit of the numbers of runs to make.
const UNITS: &str = "values, runs or blocks per build";

const PLACE: [Field<Inspected>; 22] = [
    Field::text(
        "group",
        "configuration of the row; empty if the results are not split by configuration",
        |row, names| names.group(row.group).into(),
    ),
    Field::text("benchmark", "name of the benchmark", |row, names| names.benchmark(row.benchmark).into()),
    Field::text("metric", "name of the metric", |row, names| Cow::Borrowed(&names.metric(row.metric).name)),
    Field::text(
        "unit",
        "base unit of the metric: `s`, `B`, `B/s`, `1/s`, `1`, or the unit that the file states",
        |row, names| Cow::Borrowed(&names.metric(row.metric).unit),
    ),
    Field::text("variant", "label of the variant", |row, names| names.label(row.variant).into()),
    Field::code("grade", &Grade::CODES, "grade of the row, which follows from all its defects", |row| {
        Some(row.grade().code())
    }),
    Field::codes("defects", &Defect::CODES, "defects of the row, the worst first", |row| row.defects),
    Field::text("verdict", "grade, main defect and advice in words", |row, names| {
        words::verdict(row, names.metric(row.metric)).into()
    }),
    Field::code(
        "sampled",
        &Sampled::CODES,
        "what `n` counts: values, runs (the median of each) or blocks",
        |row| Some(row.sampled.code()),
    ),
    Field::code("scale", &Scale::CODES, "whether changes are ratios or differences", |row| {
        Some(row.scale.code())
    }),
    Field::text(
        "change_unit",
        "unit of changes: `ratio` if they are relative (-0.5 means half), otherwise the metric's unit",
        |row, names| change_unit(row.scale, names.metric(row.metric)),
    ),
    Field::flag("exact", "whether the metric is deterministic and all values are equal", |row| row.exact),
    Field::count("values", "values", "number of values read", |row| Some(row.values)),
    Field::count("n", "values, runs or blocks", "number of units", |row| Some(row.n)),
    Field::<Inspected>::count(
        "runs",
        "runs",
        "number of processes or runs, if the data states them",
        |row| row.runs.map(|runs| runs.count),
    )
    .optional(),
    Field::number("centre", "`unit`", "median of the units", |row| row.centre.value),
    Field::number("low", "`unit`", "lower end of the median's confidence interval", |row| row.centre.low),
    Field::number("high", "`unit`", "upper end of the median's confidence interval", |row| row.centre.high),
    Field::number("level", PROBABILITY, "confidence level that the interval attains", |row| row.centre.level),
    Field::number("iqr", "`unit`", "interquartile range (quantiles of type 7)", |row| row.iqr),
    Field::number("mad", "`unit`", "median absolute deviation, not scaled", |row| row.mad),
    Field::number(
        "cv",
        "relative",
        "coefficient of variation: standard deviation divided by the mean",
        |row| row.cv,
    ),
];

const SHAPE: [Field<Inspected>; 10] = [
    Field::code(
        "normality_test",
        &NormalityTest::CODES,
        "test of normality: Shapiro-Wilk, or Anderson-Darling above 5,000 values",
        |row| Some(row.shape.test.code()),
    ),
    Field::number("normality", "", "statistic of that test, W or A*", |row| statistic(row.shape.normality)),
    Field::number("normality_p", PROBABILITY, "its p-value", |row| p(row.shape.normality)),
    Field::number("log_normality", "", "statistic of that test for the logarithms", |row| {
        statistic(row.shape.log_normality)
    }),
    Field::number("log_normality_p", PROBABILITY, "its p-value", |row| p(row.shape.log_normality)),
    Field::number("skewness", "", "adjusted Fisher-Pearson coefficient", |row| row.shape.skewness),
    Field::number("dip", "", "statistic of the dip test", |row| {
        row.shape.dip.map_or(f64::NAN, |dip| dip.dip)
    }),
    Field::number("dip_p", PROBABILITY, "its p-value", |row| row.shape.dip.map_or(f64::NAN, |dip| dip.p)),
    Field::count(
        "modes",
        "modes",
        "number of peaks of the density if the dip test finds more than one mode, otherwise 1",
        |row| Some(row.shape.modes),
    ),
    Field::count("outliers", "units", "number of units that the double MAD rule marks as outliers", |row| {
        Some(row.shape.outliers)
    }),
];

const ORDER: [Field<Inspected>; 12] = [
    Field::number("drift_rho", "", "rank correlation of the units with their order of measurement", |row| {
        row.order.drift.map_or(f64::NAN, |drift| drift.rho)
    }),
    Field::number("drift_p", PROBABILITY, "its p-value", |row| {
        row.order.drift.map_or(f64::NAN, |drift| drift.p)
    }),
    Field::number("drift_change", CHANGE, "change from the first to the last unit", |row| {
        row.order.drift.map_or(f64::NAN, |drift| drift.change)
    }),
    Field::number("autocorrelation", "", "correlation of neighbouring units", |row| {
        row.order.autocorrelation.map_or(f64::NAN, |found| found.lag_one)
    }),
    Field::number("autocorrelation_z", "", "that correlation in standard deviations", |row| {
        row.order.autocorrelation.map_or(f64::NAN, |found| found.z)
    }),
    Field::count("series", "runs", "number of runs with eight values or more", |row| {
        Some(row.steadiness.runs)
    }),
    Field::count("series_warming", "runs", "number of those runs that warm up", |row| {
        Some(row.steadiness.warming)
    }),
    Field::count(
        "series_unsteady",
        "runs",
        "number of those runs whose level changes without settling",
        |row| Some(row.steadiness.unsteady),
    ),
    Field::number("warm_up", "values", "number of values before the steady state", |row| row.steadiness.end),
    Field::number(
        "warm_up_change",
        "relative",
        "relative difference of the level before the steady state from it",
        |row| row.steadiness.relative,
    ),
    Field::count("distinct", "values", "number of different values", |row| Some(row.distinct)),
    Field::number("resolution", "`unit`", "step of the grid on which all values lie", |row| row.resolution),
];

const PARTS: [Field<Inspected>; 21] = [
    Field::number("iterations", "values", "number of values per run", |row| part(row, |parts| parts.size)),
    Field::number("within_sd", CHANGE, "standard deviation of the values within runs", |row| {
        part(row, |parts| parts.within.sqrt())
    }),
    Field::number("between_sd", CHANGE, "standard deviation between runs", |row| {
        part(row, |parts| parts.between.sqrt())
    }),
    Field::number(
        "icc",
        "relative",
        "intraclass correlation: share of the variance that lies between runs",
        |row| part(row, |parts| parts.icc),
    ),
    Field::number("icc_low", "relative", "lower end of the confidence interval of `icc`", |row| {
        part(row, |parts| parts.icc_low)
    }),
    Field::number("icc_high", "relative", "upper end of the confidence interval of `icc`", |row| {
        part(row, |parts| parts.icc_high)
    }),
    Field::number("runs_p", PROBABILITY, "p-value of the hypothesis that runs do not differ", |row| {
        part(row, |parts| parts.p)
    }),
    Field::number(
        "robust_within_sd",
        CHANGE,
        "standard deviation within runs by differences of pairs, which slow values do not change",
        |row| robust(row, |parts| parts.within.sqrt()),
    ),
    Field::number("robust_between_sd", CHANGE, "standard deviation between runs by their medians", |row| {
        robust(row, |parts| parts.between.sqrt())
    }),
    Field::number(
        "robust_share",
        "relative",
        "share of the variance that lies between runs by these two, from which the advice on iterations follows",
        |row| robust(row, |parts| parts.share),
    ),
    Field::number(
        "break_even",
        "values",
        "cost of a start, in iterations, from which this many iterations per run are worthwhile",
        |row| row.runs.map_or(f64::NAN, |runs| runs.break_even),
    ),
    Field::number(
        "best_iterations",
        "values",
        "iterations per run that detect a change of `margin` in the least time",
        |row| best(row, |worth| worth.iterations),
    ),
    Field::number(
        "best_runs",
        "runs",
        "runs per build that detect a change of `margin` in the least time",
        |row| best(row, |worth| worth.runs),
    ),
    Field::number("best_seconds", "s", "time that these runs take", |row| best(row, |worth| worth.seconds)),
    Field::number(
        "present_seconds",
        "s",
        "time to detect a change of `margin` with the present number of iterations per run",
        |row| best(row, |worth| worth.seconds_now),
    ),
    Field::number(
        "detectable",
        CHANGE,
        "smallest change that this number of units per build detects with the power of the policy",
        |row| row.plan.detectable,
    ),
    Field::number("runs_for_1", UNITS, "units per build that detect a change of 1 %", |row| {
        row.plan.needed[0]
    }),
    Field::number("runs_for_2", UNITS, "units per build that detect a change of 2 %", |row| {
        row.plan.needed[1]
    }),
    Field::number("runs_for_5", UNITS, "units per build that detect a change of 5 %", |row| {
        row.plan.needed[2]
    }),
    Field::<Inspected>::number("margin", "relative", "margin of the metric", |row| row.margin).always(),
    Field::number("runs_for_margin", UNITS, "units per build that detect a change of `margin`", |row| {
        row.plan.for_margin
    }),
];

fn statistic(found: Option<Normality>) -> f64 {
    found.map_or(f64::NAN, |found| found.statistic)
}

fn p(found: Option<Normality>) -> f64 {
    found.map_or(f64::NAN, |found| found.p)
}

fn part(row: &Inspected, of: fn(&Components) -> f64) -> f64 {
    row.runs.and_then(|runs| runs.components).as_ref().map_or(f64::NAN, of)
}

fn robust(row: &Inspected, of: fn(&RobustComponents) -> f64) -> f64 {
    row.runs.and_then(|runs| runs.robust).as_ref().map_or(f64::NAN, of)
}

fn best(row: &Inspected, of: fn(&Worth) -> f64) -> f64 {
    row.runs.and_then(|runs| runs.worth).as_ref().map_or(f64::NAN, of)
}

/// Every field of an inspected row, in the order in which they are written.
pub static INSPECTED_FIELDS: LazyLock<Vec<Field<Inspected>>> =
    LazyLock::new(|| PLACE.into_iter().chain(SHAPE).chain(ORDER).chain(PARTS).collect());
