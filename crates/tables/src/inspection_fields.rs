//! The fields of inspected rows.

use std::sync::LazyLock;

use statera_kernels::{Components, Normality};
use statera_weighing::Scale;
use statera_weighing::inspection::{Grade, Inspected, NormalityTest, Sampled, Trouble, Worth};

use crate::field::{Field, Value};
use crate::inspection_words as words;
use crate::row_fields::{CHANGE, PROBABILITY, change_unit};

/// What runs to be made are counted in.
const UNITS: &str = "values, runs or blocks a side";

const PLACE: [Field<Inspected>; 22] = [
    Field::text("group", "the configuration of the row; empty where nothing is split", |row, names| {
        Value::text(names.group(row.group))
    }),
    Field::text("benchmark", "name of the benchmark", |row, names| {
        Value::text(names.benchmark(row.benchmark))
    }),
    Field::text("metric", "name of the metric", |row, names| Value::text(&names.metric(row.metric).name)),
    Field::text(
        "unit",
        "the metric's base unit: `s`, `B`, `B/s`, `1/s`, `1`, or the file's own",
        |row, names| Value::text(&names.metric(row.metric).unit),
    ),
    Field::text("variant", "label of the variant", |row, names| Value::text(names.label(row.variant))),
    Field::code("grade", &Grade::CODES, "what all troubles together make of the row", |row, _| {
        Value::text(row.grade().code())
    }),
    Field::codes("troubles", &Trouble::CODES, "what is wrong, the worst first", |row, _| {
        Value::Codes(row.list().map(Trouble::code).collect())
    }),
    Field::text("verdict", "grade, trouble and advice in words", |row, names| {
        Value::Text(words::verdict(row, names.metric(row.metric)).into())
    }),
    Field::code(
        "sampled",
        &Sampled::CODES,
        "what `n` counts: values, runs (each with the median of its values) or blocks",
        |row, _| Value::text(row.sampled.code()),
    ),
    Field::code("scale", &Scale::CODES, "whether changes are ratios or differences", |row, _| {
        Value::text(row.scale.code())
    }),
    Field::text(
        "change_unit",
        "the unit of changes: `ratio` where they are relative (-0.5 is half), else the metric's unit",
        |row, names| change_unit(row.scale, names.metric(row.metric)),
    ),
    Field::flag("exact", "whether it is deterministic, and all values are equal", |row, _| {
        Value::Flag(row.exact)
    }),
    Field::count("values", "values", "values that were read", |row, _| Value::Count(row.values)),
    Field::count("n", "values, runs or blocks", "units", |row, _| Value::Count(row.n)),
    Field::<Inspected>::count("runs", "runs", "processes or runs, where the data states them", |row, _| {
        Value::known(row.runs, |runs| Value::Count(runs.count))
    })
    .optional(),
    Field::number("centre", "`unit`", "median of the units", |row, _| Value::number(row.centre.value)),
    Field::number("low", "`unit`", "lower end of the median's interval", |row, _| {
        Value::number(row.centre.low)
    }),
    Field::number("high", "`unit`", "upper end of the median's interval", |row, _| {
        Value::number(row.centre.high)
    }),
    Field::number("level", PROBABILITY, "level that the interval attains", |row, _| {
        Value::number(row.centre.level)
    }),
    Field::number("iqr", "`unit`", "distance between the quartiles (type 7)", |row, _| {
        Value::number(row.iqr)
    }),
    Field::number("mad", "`unit`", "median absolute deviation, not scaled", |row, _| Value::number(row.mad)),
    Field::number("cv", "relative", "standard deviation over mean", |row, _| Value::number(row.cv)),
];

const SHAPE: [Field<Inspected>; 10] = [
    Field::code(
        "normality_test",
        &NormalityTest::CODES,
        "the test of normality: Shapiro-Wilk, above 5,000 values Anderson-Darling",
        |row, _| Value::text(row.shape.test.code()),
    ),
    Field::number("normality", "", "the statistic of that test, W or A*", |row, _| {
        Value::number(statistic(row.shape.normality))
    }),
    Field::number("normality_p", PROBABILITY, "its p-value", |row, _| Value::number(p(row.shape.normality))),
    Field::number("log_normality", "", "the statistic for the logarithms", |row, _| {
        Value::number(statistic(row.shape.log_normality))
    }),
    Field::number("log_normality_p", PROBABILITY, "its p-value", |row, _| {
        Value::number(p(row.shape.log_normality))
    }),
    Field::number("skewness", "", "adjusted Fisher-Pearson coefficient", |row, _| {
        Value::number(row.shape.skewness)
    }),
    Field::number("dip", "", "the statistic of the dip test", |row, _| {
        Value::number(row.shape.dip.map_or(f64::NAN, |dip| dip.dip))
    }),
    Field::number("dip_p", PROBABILITY, "its p-value", |row, _| {
        Value::number(row.shape.dip.map_or(f64::NAN, |dip| dip.p))
    }),
    Field::count(
        "modes",
        "modes",
        "peaks of the density where the dip test finds more than one mode, else 1",
        |row, _| Value::Count(row.shape.modes),
    ),
    Field::count("outliers", "units", "units far outside (double MAD)", |row, _| {
        Value::Count(row.shape.outliers)
    }),
];

const ORDER: [Field<Inspected>; 12] = [
    Field::number("drift_rho", "", "rank correlation of the units with their order", |row, _| {
        Value::number(row.order.drift.map_or(f64::NAN, |drift| drift.rho))
    }),
    Field::number("drift_p", PROBABILITY, "its p-value", |row, _| {
        Value::number(row.order.drift.map_or(f64::NAN, |drift| drift.p))
    }),
    Field::number("drift_change", CHANGE, "change from the first to the last unit", |row, _| {
        Value::number(row.order.drift.map_or(f64::NAN, |drift| drift.change))
    }),
    Field::number("autocorrelation", "", "correlation of neighbouring units", |row, _| {
        Value::number(row.order.autocorrelation.map_or(f64::NAN, |found| found.lag_one))
    }),
    Field::number("autocorrelation_z", "", "the same in standard deviations", |row, _| {
        Value::number(row.order.autocorrelation.map_or(f64::NAN, |found| found.z))
    }),
    Field::count("series", "runs", "runs of eight values or more", |row, _| {
        Value::Count(row.steadiness.runs)
    }),
    Field::count("series_warming", "runs", "those that warm up", |row, _| {
        Value::Count(row.steadiness.warming)
    }),
    Field::count("series_unsteady", "runs", "those whose level changes without settling", |row, _| {
        Value::Count(row.steadiness.unsteady)
    }),
    Field::number("warm_up", "values", "values until the steady state", |row, _| {
        Value::number(row.steadiness.end)
    }),
    Field::number("warm_up_change", "relative", "the level before the steady state, against it", |row, _| {
        Value::number(row.steadiness.relative)
    }),
    Field::count("distinct", "values", "number of different values", |row, _| Value::Count(row.distinct)),
    Field::number("resolution", "`unit`", "the step on which all values lie", |row, _| {
        Value::number(row.resolution)
    }),
];

const PARTS: [Field<Inspected>; 18] = [
    Field::number("iterations", "values", "values a run", |row, _| {
        Value::number(part(row, |parts| parts.size))
    }),
    Field::number("within_sd", CHANGE, "standard deviation of the values within runs", |row, _| {
        Value::number(part(row, |parts| parts.within.sqrt()))
    }),
    Field::number("between_sd", CHANGE, "standard deviation between runs", |row, _| {
        Value::number(part(row, |parts| parts.between.sqrt()))
    }),
    Field::number("icc", "relative", "share of the variance that lies between runs", |row, _| {
        Value::number(part(row, |parts| parts.icc))
    }),
    Field::number("icc_low", "relative", "lower end of that share's interval", |row, _| {
        Value::number(part(row, |parts| parts.icc_low))
    }),
    Field::number("icc_high", "relative", "upper end of that share's interval", |row, _| {
        Value::number(part(row, |parts| parts.icc_high))
    }),
    Field::number("runs_p", PROBABILITY, "p-value of no difference between runs", |row, _| {
        Value::number(part(row, |parts| parts.p))
    }),
    Field::number(
        "break_even",
        "values",
        "iterations that a start must cost for so many iterations a run to be worth it",
        |row, _| Value::number(row.runs.map_or(f64::NAN, |runs| runs.break_even)),
    ),
    Field::number(
        "best_iterations",
        "values",
        "iterations a run that show the margin in the least time",
        |row, _| Value::number(best(row, |worth| worth.iterations)),
    ),
    Field::number("best_runs", "runs", "runs a side that show the margin in the least time", |row, _| {
        Value::number(best(row, |worth| worth.runs))
    }),
    Field::number("best_seconds", "s", "the time that these take", |row, _| {
        Value::number(best(row, |worth| worth.seconds))
    }),
    Field::number(
        "present_seconds",
        "s",
        "the time to show the margin with as many iterations a run as there are",
        |row, _| Value::number(best(row, |worth| worth.seconds_now)),
    ),
    Field::number(
        "detectable",
        CHANGE,
        "the smallest change that as many units a side show with the power of the policy",
        |row, _| Value::number(row.plan.detectable),
    ),
    Field::number("runs_for_1", UNITS, "units a side that show 1 %", |row, _| {
        Value::number(row.plan.needed[0])
    }),
    Field::number("runs_for_2", UNITS, "units a side that show 2 %", |row, _| {
        Value::number(row.plan.needed[1])
    }),
    Field::number("runs_for_5", UNITS, "units a side that show 5 %", |row, _| {
        Value::number(row.plan.needed[2])
    }),
    Field::<Inspected>::number("margin", "relative", "margin of the metric", |row, _| {
        Value::number(row.margin)
    })
    .always(),
    Field::number("runs_for_margin", UNITS, "units a side that show `margin`", |row, _| {
        Value::number(row.plan.for_margin)
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

fn best(row: &Inspected, of: fn(&Worth) -> f64) -> f64 {
    row.runs.and_then(|runs| runs.worth).as_ref().map_or(f64::NAN, of)
}

/// Every field of an inspected row, in the order in which they are written.
pub static INSPECTED_FIELDS: LazyLock<Vec<Field<Inspected>>> =
    LazyLock::new(|| PLACE.into_iter().chain(SHAPE).chain(ORDER).chain(PARTS).collect());
