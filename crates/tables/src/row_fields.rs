//! The fields of a comparison's rows.

use std::borrow::Cow;
use std::sync::LazyLock;

use statera_kernels::Method;
use statera_readers::Metric;
use statera_weighing::{Design, Reason, Row, Scale, Verdict, Warning};

use crate::field::Field;

/// The unit of a field that is stated in `change_unit`.
pub(crate) const CHANGE: &str = "`change_unit`";
pub(crate) const PROBABILITY: &str = "probability";
const METHODS: [&str; Method::ALL.len()] = [Method::Exact.code(), Method::Normal.code(), Method::T.code()];

/// The name of the unit of relative changes.
const RATIO: &str = "ratio";

const PLACE: [Field<Row>; 9] = [
    Field::text("group", "the configuration of the row; empty where nothing is split", |row, names| {
        names.group(row.group).into()
    }),
    Field::text("benchmark", "name of the benchmark", |row, names| names.benchmark(row.benchmark).into()),
    Field::text("metric", "name of the metric", |row, names| Cow::Borrowed(&names.metric(row.metric).name)),
    Field::text(
        "unit",
        "the metric's base unit: `s`, `B`, `B/s`, `1/s`, `1`, or the file's own",
        |row, names| Cow::Borrowed(&names.metric(row.metric).unit),
    ),
    Field::text("baseline", "label of the baseline", |row, names| names.label(row.baseline.variant).into()),
    Field::text("contender", "label of the contender", |row, names| {
        names.label(row.contender.variant).into()
    }),
    Field::code("design", &Design::CODES, "what the data is, which decides the test", |row| {
        Some(row.design.code())
    }),
    Field::code("scale", &Scale::CODES, "whether changes are ratios or differences", |row| {
        Some(row.scale.code())
    }),
    Field::text(
        "change_unit",
        "the unit of changes: `ratio` where they are relative (-0.5 is half), else the metric's unit",
        |row, names| change_unit(row.scale, names.metric(row.metric)),
    ),
];

macro_rules! side {
    ($side:literal, $of:ident) => {
        [
            Field::count(
                concat!($side, "_values"),
                "values",
                concat!("values of the ", $side, " that were read"),
                |row| Some(row.$of.values),
            ),
            Field::count(
                concat!($side, "_n"),
                "values, processes or pairs",
                concat!("units of the ", $side, " that were tested"),
                |row| Some(row.$of.units),
            ),
            Field::number(
                concat!($side, "_centre"),
                "`unit`",
                concat!("median of the ", $side, "'s units"),
                |row| row.$of.centre.value,
            ),
            Field::number(concat!($side, "_low"), "`unit`", "lower end of the median's interval", |row| {
                row.$of.centre.low
            }),
            Field::number(concat!($side, "_high"), "`unit`", "upper end of the median's interval", |row| {
                row.$of.centre.high
            }),
            Field::number(
                concat!($side, "_level"),
                PROBABILITY,
                "level that the median's interval attains",
                |row| row.$of.centre.level,
            ),
        ]
    };
}

const BASELINE: [Field<Row>; 6] = side!("baseline", baseline);
const CONTENDER: [Field<Row>; 6] = side!("contender", contender);

const CHANGES: [Field<Row>; 6] = [
    Field::number("change", CHANGE, "the typical change (Hodges-Lehmann)", |row| row.change),
    Field::number(
        "change_low",
        CHANGE,
        "lower end of the change's interval, which inverts the test",
        |row| row.change_low,
    ),
    Field::number("change_high", CHANGE, "upper end of the change's interval", |row| row.change_high),
    Field::number("change_level", PROBABILITY, "level that the change's interval attains", |row| {
        row.change_level
    }),
    Field::flag("change_low_open", "whether the lower end is zero and is rejected", |row| {
        row.change_low_open
    }),
    Field::flag("change_high_open", "whether the upper end is zero and is rejected", |row| {
        row.change_high_open
    }),
];

const TEST: [Field<Row>; 6] = [
    Field::number("superiority", PROBABILITY, "P(contender > baseline) + P(equal) / 2", |row| {
        row.superiority
    }),
    Field::<Row>::code("method", &METHODS, "how p was computed", |row| row.method.map(Method::code))
        .optional(),
    Field::number(
        "statistic",
        "",
        "Mann-Whitney's U of the contender over the baseline, Wilcoxon's V, or t",
        |row| row.statistic,
    ),
    Field::number("p", PROBABILITY, "p-value of the test", |row| row.p.unwrap_or(f64::NAN)),
    Field::number("p_corrected", PROBABILITY, "p-value corrected over all rows of the comparison", |row| {
        row.p_corrected.unwrap_or(f64::NAN)
    }),
    Field::number("least_p", PROBABILITY, "the least p-value that so many units could give", |row| {
        row.least_p
    }),
];

const CONCLUSION: [Field<Row>; 6] = [
    Field::code("verdict", &Verdict::CODES, "what is concluded of the row", |row| Some(row.verdict.code())),
    Field::<Row>::code("reason", &Reason::CODES, "why the row is inconclusive", |row| {
        row.reason.map(Reason::code)
    })
    .optional(),
    Field::number("detectable", CHANGE, "the smallest change that these runs could have shown", |row| {
        row.detectable
    }),
    Field::number("runs_needed", "runs or pairs a side", "how many decide the row at its margin", |row| {
        row.runs_needed
    }),
    Field::count("pairs_dropped", "blocks", "blocks without a partner", |row| Some(row.pairs_dropped)),
    Field::codes("warnings", &Warning::CODES, "what rides on the row", |row| row.warnings),
];

/// Every field of a comparison's row, in the order in which they are written.
pub static ROW_FIELDS: LazyLock<Vec<Field<Row>>> = LazyLock::new(|| {
    PLACE.into_iter().chain(BASELINE).chain(CONTENDER).chain(CHANGES).chain(TEST).chain(CONCLUSION).collect()
});

/// What changes of a row are stated in.
pub(crate) fn change_unit(scale: Scale, metric: &Metric) -> Cow<'_, str> {
    match scale {
        Scale::Ratio => RATIO.into(),
        Scale::Difference => Cow::Borrowed(&metric.unit),
    }
}
