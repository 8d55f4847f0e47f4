//! The fields of a comparison's rows.

use std::borrow::Cow;
use std::sync::LazyLock;

use statera_kernels::Method;
use statera_readers::Metric;
use statera_weighing::{Design, Reason, Row, Scale, Verdict, Warning};

use crate::field::Field;

/// The unit of a field whose values are in the unit that `change_unit` states.
pub(crate) const CHANGE: &str = "`change_unit`";
pub(crate) const PROBABILITY: &str = "probability";
const METHODS: [&str; Method::ALL.len()] =
    [Method::Exact.code(), Method::Normal.code(), Method::T.code(), Method::Prediction.code()];

/// The name of the unit of relative changes.
const RATIO: &str = "ratio";

const PLACE: [Field<Row>; 9] = [
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
    Field::text("baseline", "label of the baseline", |row, names| names.label(row.baseline.variant).into()),
    Field::text("contender", "label of the contender", |row, names| {
        names.label(row.contender.variant).into()
    }),
    Field::code("design", &Design::CODES, "design of the data, which determines the test", |row| {
        Some(row.design.code())
    }),
    Field::code("scale", &Scale::CODES, "whether changes are ratios or differences", |row| {
        Some(row.scale.code())
    }),
    Field::text(
        "change_unit",
        "unit of changes: `ratio` if they are relative (-0.5 means half), otherwise the metric's unit",
        |row, names| change_unit(row.scale, names.metric(row.metric)),
    ),
];

macro_rules! side {
    ($side:literal, $of:ident) => {
        [
            Field::count(
                concat!($side, "_values"),
                "values",
                concat!("number of values read for the ", $side),
                |row| Some(row.$of.values),
            ),
            Field::count(
                concat!($side, "_n"),
                "values, processes or pairs",
                concat!("number of units of the ", $side, " in the test"),
                |row| Some(row.$of.units),
            ),
            Field::number(
                concat!($side, "_centre"),
                "`unit`",
                concat!("median of the ", $side, "'s units"),
                |row| row.$of.centre.value,
            ),
            Field::number(
                concat!($side, "_low"),
                "`unit`",
                "lower end of the median's confidence interval",
                |row| row.$of.centre.low,
            ),
            Field::number(
                concat!($side, "_high"),
                "`unit`",
                "upper end of the median's confidence interval",
                |row| row.$of.centre.high,
            ),
            Field::number(
                concat!($side, "_level"),
                PROBABILITY,
                "confidence level that the median's interval attains",
                |row| row.$of.centre.level,
            ),
        ]
    };
}

const BASELINE: [Field<Row>; 6] = side!("baseline", baseline);
const CONTENDER: [Field<Row>; 6] = side!("contender", contender);

const CHANGES: [Field<Row>; 6] = [
    Field::number("change", CHANGE, "typical change (Hodges-Lehmann)", |row| row.change),
    Field::number(
        "change_low",
        CHANGE,
        "lower end of the change's confidence interval, which inverts the test",
        |row| row.change_low,
    ),
    Field::number("change_high", CHANGE, "upper end of the change's confidence interval", |row| {
        row.change_high
    }),
    Field::number(
        "change_level",
        PROBABILITY,
        "confidence level that the change's interval attains",
        |row| row.change_level,
    ),
    Field::flag(
        "change_low_open",
        "whether the lower end is zero and excluded, because the test rejects it",
        |row| row.change_low_open,
    ),
    Field::flag(
        "change_high_open",
        "whether the upper end is zero and excluded, because the test rejects it",
        |row| row.change_high_open,
    ),
];

const TEST: [Field<Row>; 9] = [
    Field::number("superiority", PROBABILITY, "P(contender > baseline) + P(equal) / 2", |row| {
        row.superiority
    }),
    Field::<Row>::code("method", &METHODS, "method by which `p` was computed", |row| {
        row.method.map(Method::code)
    })
    .optional(),
    Field::number(
        "statistic",
        "",
        "statistic of the test: Mann-Whitney U of the contender over the baseline, Wilcoxon V, or t",
        |row| row.statistic,
    ),
    Field::number(
        "p",
        PROBABILITY,
        "p-value of the test, divided by the share of alpha of its look",
        |row| row.p.unwrap_or(f64::NAN),
    ),
    Field::number(
        "p_corrected",
        PROBABILITY,
        "p-value corrected for multiple comparisons over all rows of the comparison",
        |row| row.p_corrected.unwrap_or(f64::NAN),
    ),
    Field::number(
        "p_apart",
        PROBABILITY,
        "corrected p-value apart from what all rows have in common, or that of the common change if it is smaller; nothing \
         where nothing is common",
        |row| row.p_apart.unwrap_or(f64::NAN),
    ),
    Field::number("least_p", PROBABILITY, "smallest p-value that this number of units can give", |row| {
        row.least_p
    }),
    Field::number(
        "session",
        "",
        "standard deviation of a session, relative, that interval and verdict allow for; otherwise 0",
        |row| row.session,
    ),
    Field::number(
        "effective_units",
        "values, processes or pairs",
        "how many independent runs per build the runs are worth, if consecutive ones are correlated",
        |row| row.effective_units,
    ),
];

const TAIL: [Field<Row>; 19] = [
    Field::<Row>::count(
        "baseline_slow",
        "values, processes or pairs",
        "units of the baseline, or values within its runs, beyond the fence in the bad direction (in both without a direction)",
        |row| row.tail.map(|tail| tail.slow[0]),
    )
    .optional(),
    Field::<Row>::count("contender_slow", "values, processes or pairs", "the same of the contender", |row| {
        row.tail.map(|tail| tail.slow[1])
    })
    .optional(),
    Field::number("tail_p", PROBABILITY, "p-value of their difference (Fisher; pairs: sign test; values within runs: Mann-Whitney of the shares)", |row| {
        row.tail.map_or(f64::NAN, |tail| tail.p)
    }),
    Field::number(
        "tail_p_corrected",
        PROBABILITY,
        "`tail_p` corrected over the tails of all rows, for their share of alpha",
        |row| row.tail.map_or(f64::NAN, |tail| tail.p_corrected),
    ),
    Field::number("tail_level", PROBABILITY, "outermost quantile that the units support", |row| {
        row.tail_shift.map_or(f64::NAN, |shift| shift.level)
    }),
    Field::number("tail_change", CHANGE, "change of this quantile (Harrell-Davis)", |row| {
        row.tail_shift.map_or(f64::NAN, |shift| shift.change)
    }),
    Field::number("tail_change_low", CHANGE, "lower end of its bootstrap band", |row| {
        row.tail_shift.map_or(f64::NAN, |shift| shift.low)
    }),
    Field::number("tail_change_high", CHANGE, "upper end of its bootstrap band", |row| {
        row.tail_shift.map_or(f64::NAN, |shift| shift.high)
    }),
    Field::number("baseline_spread", CHANGE, "scaled median absolute deviation of the baseline", |row| {
        row.spread.map_or(f64::NAN, |spread| spread.sizes[0])
    }),
    Field::number("contender_spread", CHANGE, "scaled median absolute deviation of the contender", |row| {
        row.spread.map_or(f64::NAN, |spread| spread.sizes[1])
    }),
    Field::number(
        "spread_p",
        PROBABILITY,
        "p-value of the difference of the spreads (Mann-Whitney)",
        |row| row.spread.map_or(f64::NAN, |spread| spread.p),
    ),
    Field::number(
        "spread_p_corrected",
        PROBABILITY,
        "`spread_p` corrected over the spreads of all rows, for their share of alpha",
        |row| row.spread.map_or(f64::NAN, |spread| spread.p_corrected),
    ),
    Field::<Row>::code(
        "level_change_of",
        &["baseline", "contender"],
        "build that changed its level between its runs (of pairs, `contender`)",
        |row| row.level_change.map(|level| if level.contender { "contender" } else { "baseline" }),
    )
    .optional(),
    Field::<Row>::count(
        "level_change_first",
        "place of a unit, from 1",
        "first unit on the other level",
        |row| row.level_change.map(|level| level.first),
    )
    .optional(),
    Field::<Row>::count(
        "level_change_last",
        "place of a unit, from 1",
        "last unit on the other level",
        |row| row.level_change.map(|level| level.last),
    )
    .optional(),
    Field::number(
        "level_change",
        CHANGE,
        "median of these units against that of the build's other units",
        |row| row.level_change.map_or(f64::NAN, |level| level.change),
    ),
    Field::number("mean_change", CHANGE, "change of the mean, relative to the baseline's mean", |row| {
        row.mean.map_or(f64::NAN, |mean| mean.change)
    }),
    Field::number("mean_change_low", CHANGE, "lower end of its t interval", |row| {
        row.mean.map_or(f64::NAN, |mean| mean.low)
    }),
    Field::number("mean_change_high", CHANGE, "upper end of its t interval", |row| {
        row.mean.map_or(f64::NAN, |mean| mean.high)
    }),
];

/// The unit of the numbers of runs needed.
const RUNS: &str = "runs or pairs per build";

const CONCLUSION: [Field<Row>; 8] = [
    Field::code("verdict", &Verdict::CODES, "conclusion about the row", |row| Some(row.verdict.code())),
    Field::<Row>::code(
        "reason",
        &Reason::CODES,
        "why there is no clear change of the typical value, or why the row is missing or new at this level only",
        |row| row.reason.map(Reason::code),
    )
    .optional(),
    Field::number(
        "detectable",
        CHANGE,
        "smallest change that these runs could have detected after the correction; nothing if they can show none",
        |row| row.detectable,
    ),
    Field::number(
        "runs_needed",
        RUNS,
        "number that would find a change of the margin with the power asked for, after the correction",
        |row| row.runs_needed,
    ),
    Field::number(
        "runs_needed_low",
        RUNS,
        "lower end of the range in which this number lies, in 8 of 10 pilots: the spread is uncertain",
        |row| row.runs_needed_low,
    ),
    Field::number("runs_needed_high", RUNS, "upper end of this range", |row| row.runs_needed_high),
    Field::count("pairs_dropped", "blocks", "blocks that only one build has", |row| Some(row.pairs_dropped)),
    Field::codes("warnings", &Warning::CODES, "warnings about the row", |row| row.warnings),
];

/// Every field of a comparison's row, in the order in which they are written.
pub static ROW_FIELDS: LazyLock<Vec<Field<Row>>> = LazyLock::new(|| {
    let told = PLACE.into_iter().chain(BASELINE).chain(CONTENDER).chain(CHANGES).chain(TEST);
    told.chain(CONCLUSION).chain(TAIL).collect()
});

/// The unit of a row's changes.
pub(crate) fn change_unit(scale: Scale, metric: &Metric) -> Cow<'_, str> {
    match scale {
        Scale::Ratio => RATIO.into(),
        Scale::Difference => Cow::Borrowed(&metric.unit),
    }
}
