//! Plain tables: the roles of the columns, and how a row becomes observations. The file types (text, Parquet)
//! supply the cells; nothing here depends on where they come from.

use super::failures::{self, Outcomes};
use super::headers::Header;
use super::holds::is_result;
use super::keys::{ANY_CASE, context};
use super::mapping::{
    RESULT, SAMPLE, all, are_ratios, benchmark_of, check_rows, direction_if_true, given, mapped, numbers_rows,
};
use super::name_words::Holds;
use super::preview::Preview;
use super::question;
use super::repetitions::{self, REPETITION};
use super::roles::{are_processes, check_block, value_column};
use super::runs::RunColumn;
use super::values::{Numbers, Summary, ValueColumn, find_units_in_cells, keep_apart};
use crate::formats::prelude::*;
use crate::limits::{Limits, within};
use crate::text::listed;
use crate::{guard, work};

/// How the names of rows end that summarise others.
const SUMMARY_ROWS: [&str; 6] = ["_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"];

/// The roles of all columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// The names of the benchmarks; all rows are one benchmark if there is none.
    pub(super) benchmark: Option<usize>,
    /// The name of its column, if nothing but the cells says that they are benchmarks.
    pub(super) assumed: Option<String>,
    pub(super) values: Vec<ValueColumn>,
    /// Each row is one value, that of the first column of values, so a missing value is a fault; a wide table may
    /// have gaps.
    pub(super) tidy: bool,
    pub(super) metric: Option<usize>,
    pub(super) unit: Option<usize>,
    pub(super) block: Option<usize>,
    pub(super) process: Option<usize>,
    pub(super) better: Option<usize>,
    /// The direction of a row where its cell of `better` is true.
    pub(super) better_if_true: Option<Better>,
    pub(super) traits: Option<usize>,
    /// Names the keys of the row that are parameters of its benchmark.
    pub(super) work: Option<usize>,
    pub(super) variant: Option<usize>,
    pub(super) file: Option<usize>,
    /// Configuration: columns and their keys.
    pub(super) context: Vec<(usize, String)>,
    /// The columns of it that number runs.
    pub(super) runs: Vec<RunColumn>,
    /// The columns that say whether runs failed.
    pub(super) outcomes: Vec<Outcomes>,
    /// The table is one of statera's own, which states everything.
    pub(super) exported: bool,
    /// Rows named `X_mean`, `X_stddev` and so on summarise the rows named `X`, as Google Benchmark writes them.
    with_summary_rows: bool,
    /// Columns whose name already occurs further left.
    pub(super) repeated: Vec<usize>,
}

/// Columns that only a table of statera's own has, all of them. Its other columns are configuration.
const EXPORTED: [&str; 5] = ["metric", "unit", "order", "file", "line"];

pub(super) fn is_exported(header: &[String]) -> bool {
    EXPORTED.iter().all(|name| header.iter().any(|known| known == name))
}

impl Plan {
    /// Finds the roles: first from the mapping, then by the well-known names, then by what the headers say of columns
    /// of numbers. An error is a question.
    pub(super) fn new(header: &[String], options: &Options, preview: &dyn Preview) -> Result<Self, String> {
        let mut names = HashSet::new();
        let (numbered, named): (Vec<usize>, Vec<usize>) =
            (0..header.len()).partition(|&column| numbers_rows(header, column, preview));
        let repeated: Vec<usize> =
            named.into_iter().filter(|&column| !names.insert(&header[column])).collect();
        let mut taken: HashSet<usize> = repeated.iter().chain(&numbered).copied().collect();
        let mapped = mapped(header, options, preview, &mut taken)?;
        let exported = is_exported(header);
        let (benchmark, is_assumed) = benchmark_of(header, &mapped, &taken, preview)?;
        taken.extend(benchmark);
        // The unit of a count is `1`.
        let has_numbers = |column: usize| {
            !exported && preview.is_numeric(column) && preview.first(column).iter().any(|cell| cell != "1")
        };
        let mut find = |role: &str, names: &[&str]| {
            let free = |is: &dyn Fn(&str) -> bool| {
                let mut named =
                    (0..header.len()).filter(|column| is(&header[*column]) && !taken.contains(column));
                // A number of units is no unit.
                named.find(|&column| role != "unit" || !has_numbers(column))
            };
            let exact = || names.iter().find_map(|name| free(&|known| known == *name));
            // Of a table of statera's own, such a column is a configuration key of this name.
            let in_any_case = || {
                let is_one = |known: &str| names.iter().any(|name| name.eq_ignore_ascii_case(known.trim()));
                if exported || ANY_CASE.iter().all(|any| *any != role) { None } else { free(&is_one) }
            };
            let column = given(&mapped, role).or_else(exact).or_else(in_any_case);
            taken.extend(column);
            column
        };
        let mut plan = Self {
            benchmark,
            metric: find("metric", &["metric"]),
            unit: find("unit", if exported { &["unit"] } else { &["unit", "units", "metric_unit"] }),
            block: find("block", &["block"]),
            process: find("process", &["process"]),
            better: find("better", &["better"]),
            traits: find("traits", &["traits"]),
            variant: find("variant", &["variant"]),
            file: find("file", if exported { &["file"] } else { &[] }),
            assumed: benchmark.filter(|_| is_assumed).map(|column| header[column].clone()),
            with_summary_rows: ["real_time", "time_unit"]
                .iter()
                .all(|name| header.iter().any(|known| known == name)),
            repeated,
            ..Self::default()
        };
        let mut summary = None;
        // Only together, as an export writes them: either name alone can be anything.
        if ["weight", "deviation"].iter().all(|name| header.iter().any(|known| known == name)) {
            let columns = (find("weight", &["weight"]), find("deviation", &["deviation"]));
            summary = Some(Summary { count: columns.0, deviation: columns.1 });
        }
        // The position of a row is not configuration: it would make every row a configuration of its own.
        if exported {
            find("order", &["order"]);
            find("line", &["line"]);
        }
        plan.work = find("work", &[work::COLUMN]);
        // Nor is the mark of a guarded table.
        find("guard", &[guard::COLUMN]);
        if let Some(column) = (0..header.len()).find(|&column| direction_if_true(&header[column]).is_some())
            && plan.better.is_none()
            && !exported
            && taken.insert(column)
        {
            (plan.better, plan.better_if_true) = (Some(column), direction_if_true(&header[column]));
        }
        let mut headers = Header::all(header);
        let mut stated = all(&mapped, "value");
        if stated.is_empty() {
            stated.extend(value_column(&headers, &taken, exported, preview));
        }
        taken.extend(&stated);
        plan.values = stated
            .iter()
            .map(|&at| ValueColumn { described: true, summary, ..ValueColumn::of(at, &headers[at]) })
            .collect();
        plan.tidy = plan.values.len() == 1;
        plan.exported = exported;
        if !exported {
            plan.judge(&Known { header, mapped: &mapped, options, preview }, &mut headers, &mut taken)?;
        }
        if plan.values.is_empty() {
            return Err(question::no_values(header, preview));
        }
        keep_apart(&mut plan.values, header);
        let settings = all(&mapped, "setting");
        plan.context = context(header, &taken, &settings, exported);
        if !exported {
            plan.outcomes = failures::find(header, &mut plan.context, &settings, preview);
            plan.runs = RunColumn::all(header, &plan.context, &settings, preview);
        }
        Ok(plan)
    }

    /// Judges the columns of a table that statera did not write: which of numbers hold results, and whether the cells of
    /// others fit their name.
    fn judge(
        &mut self,
        known: &Known<'_>,
        headers: &mut [Header],
        taken: &mut HashSet<usize>,
    ) -> Result<(), String> {
        let &Known { header, mapped, options, preview } = known;
        let is_given = |role: &str| given(mapped, role).is_some();
        if let Some(column) = self.process.filter(|_| !is_given("process"))
            && !are_processes(&preview.sample(column))
        {
            self.process = None;
            taken.remove(&column);
        }
        if let Some(column) = self.block.filter(|_| !is_given("block")) {
            check_block(header, column, preview)?;
        }
        check_rows(header, taken, preview)?;
        // What follows from two results is no configuration: `1.5x faster`.
        let follows = |at: &usize| {
            !preview.has_types()
                && (are_ratios(*at, preview) || header[*at].trim().eq_ignore_ascii_case("winner"))
        };
        let free: Vec<usize> = (0..header.len()).filter(|at| !taken.contains(at)).collect();
        taken.extend(free.into_iter().filter(|at| !preview.is_numeric(*at)).filter(follows));
        // Beside a column of values, other columns are no repetitions unless the user says so.
        let is_free = |at: &usize| self.values.is_empty() && !taken.contains(at) && preview.is_numeric(*at);
        let free: Vec<usize> = (0..header.len()).filter(is_free).collect();
        repetitions::name(header, headers, &all(mapped, REPETITION), &free, options);
        let numbers = Numbers {
            header,
            headers,
            preview,
            results: [all(mapped, RESULT), all(mapped, REPETITION)].concat(),
            samples: all(mapped, SAMPLE),
            counts: all(mapped, "count"),
            keys: &options.keys,
        };
        let found = numbers.values(!self.values.is_empty(), self.variant.is_some(), taken)?;
        self.values.extend(found);
        self.describe(headers, &is_given, preview, taken)?;
        if self.unit.is_some() || self.metric.is_some() {
            return Ok(());
        }
        find_units_in_cells(&mut self.values, header, headers, preview)
    }

    /// Columns `metric` and `unit` describe the one result of a row. Beside several, a `metric` without a role from the
    /// user is a setting, such as the metric of a distance, and which results have the unit is asked. Statistics alone are
    /// those of the metric that a row names.
    fn describe(
        &mut self,
        headers: &[Header],
        is_given: &dyn Fn(&str) -> bool,
        preview: &dyn Preview,
        taken: &mut HashSet<usize>,
    ) -> Result<(), String> {
        let described = || self.values.iter().filter(|value| value.described);
        let metrics: HashSet<&str> = described().map(|value| &*value.metric).collect();
        let bare: Vec<&ValueColumn> =
            described().filter(|value| value.unit.is_empty() && value.variant.is_none()).collect();
        let subjects: HashSet<&[String]> = bare.iter().map(|value| &*headers[value.column].subject).collect();
        if self.unit.is_some() && subjects.len() > 1 && !is_given("unit") && !is_given("value") {
            let names: Vec<String> = bare.iter().map(|value| value.metric.clone()).collect();
            return Err(format!(
                "has a column of units beside several results without a unit ({}). Say which have it with --column \
                 value=COLUMN, or write the units into the headers: time (ms)",
                listed(&names)
            ));
        }
        if metrics.len() < 2 {
            return Ok(());
        }
        let is_statistic = |value: &ValueColumn| {
            let header = &headers[value.column];
            let is_one = matches!(header.holds, Holds::Mean | Holds::Summary) && header.subject.is_empty();
            is_one && !header.has_unit() && value.variant.is_none()
        };
        let are_statistics = described().all(is_statistic);
        let names_results = |column: usize| preview.sample(column).iter().all(|cell| is_name_of_result(cell));
        let is_named = self.metric.is_some_and(|column| is_given("metric") || names_results(column));
        if are_statistics && is_named {
            let of_row =
                |value: &&mut ValueColumn| value.described && headers[value.column].holds != Holds::Mean;
            for value in self.values.iter_mut().filter(of_row) {
                value.statistic = Some(value.metric.trim().to_owned());
            }
        } else if !is_given("metric") {
            self.metric.take().iter().for_each(|column| _ = taken.remove(column));
        }
        Ok(())
    }

    /// Whether the unit of a row contradicts that of a column's header. Beside several columns, it is the unit of those
    /// without one, or of those of its quantity.
    pub(super) fn is_contradicted(&self, column: &ValueColumn, unit: &str) -> bool {
        let (own, stated) = (meaning(&column.unit), meaning(unit));
        let described = || self.values.iter().filter(|value| value.described);
        !unit.is_empty()
            && own != stated
            && described().all(|value| is_known(&value.unit))
            && (own.base == stated.base || described().all(|value| meaning(&value.unit).base != stated.base))
    }

    /// The first and last column of configuration, if they stand beside each other and alone make a configuration.
    pub(super) fn span(&self) -> Option<(usize, usize)> {
        let columns = || self.variant.iter().copied().chain(self.context.iter().map(|&(column, _)| column));
        let (first, last) = (columns().min()?, columns().max()?);
        let is_alone = self.values.iter().all(|value| value.variant.is_none());
        (is_alone && columns().count() == last - first + 1).then_some((first, last))
    }

    /// The direction that a cell states, in lower case.
    pub(super) fn direction(&self, cell: &[u8]) -> Option<Better> {
        let Some(if_true) = self.better_if_true else { return Better::of_word(cell) };
        match cell {
            b"true" | b"1" | b"yes" | b"y" | b"t" => Some(if_true),
            b"false" | b"0" | b"no" | b"n" | b"f" => Some(if_true.opposite()),
            _ => None,
        }
    }

    /// Whether a row of this benchmark summarises others.
    pub(super) fn is_summary_row(&self, name: &[u8]) -> bool {
        self.with_summary_rows && SUMMARY_ROWS.iter().any(|ending| name.ends_with(ending.as_bytes()))
    }

    /// Whether no column tells the metric of a row: then all rows have those of the header.
    pub(super) fn says_nothing_of_metrics(&self) -> bool {
        [self.metric, self.unit, self.better, self.traits].iter().all(Option::is_none)
    }

    /// Whether a column has times or rates: beside them failures say that less was done.
    pub(super) fn has_speed(&self) -> bool {
        let quantity = |value: &ValueColumn| meaning(&value.unit).quantity;
        self.values.iter().any(|value| matches!(quantity(value), Quantity::Time | Quantity::Throughput))
    }

    /// Reports the columns that are left out because their name already occurs further left.
    pub(super) fn say_repeated(&self, header: &[String], sheet: &mut Sheet, line: u32) {
        for &column in self.repeated.iter().take(20) {
            let what = format!("a second column `{}`", excerpt(&header[column]));
            let hint = "the first one is read. Rename the other";
            sheet.problem(Code::Contradiction, line, what, hint);
        }
    }

    /// The columns without which a row cannot be read.
    pub(super) fn needed(&self) -> impl Iterator<Item = usize> {
        let roles = [
            self.metric,
            self.unit,
            self.block,
            self.process,
            self.better,
            self.traits,
            self.work,
            self.variant,
            self.file,
        ];
        let values = self.values.iter().map(|value| value.column);
        let summaries = self.values.iter().filter_map(|value| value.summary);
        let summaries = summaries.flat_map(|summary| [summary.count, summary.deviation]).flatten();
        let outcomes = self.outcomes.iter().map(|outcome| outcome.column);
        roles.into_iter().flatten().chain(self.benchmark).chain(summaries).chain(values).chain(outcomes)
    }

    /// Fails if there are more columns than the limits allow.
    pub(super) fn check(&self, limits: &Limits) -> io::Result<()> {
        let (keys, metrics) = (self.context.len() as u64, self.values.len() as u64);
        within(keys, limits.keys, "keys", "the table has too many columns of configuration")?;
        within(metrics, limits.metrics, "metrics", "the table has too many columns of values")
    }
}

/// Whether a cell names results as a header does: by a unit or by its last word.
fn is_name_of_result(cell: &str) -> bool {
    let header = Header::of(cell);
    header.has_unit() || header.subject.last().is_some_and(|word| is_result(word))
}

/// The header of a table, what the user says of it, and its beginning.
struct Known<'a> {
    header: &'a [String],
    mapped: &'a [(&'a str, usize)],
    options: &'a Options,
    preview: &'a dyn Preview,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(header: &str, columns: &[(&str, &str)]) -> Result<Plan, String> {
        let header: Vec<String> = header.split(',').map(str::to_owned).collect();
        let columns = columns.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        let options = Options { columns, ..Options::default() };
        Plan::new(&header, &options, &FromThird)
    }

    /// A table whose columns are numbers from the third on.
    struct FromThird;

    impl Preview for FromThird {
        fn is_numeric(&self, column: usize) -> bool {
            column >= 2
        }

        fn first(&self, _column: usize) -> Vec<String> {
            vec!["7".to_owned()]
        }
    }

    #[test]
    fn well_known_names_play_their_role() {
        let plan = plan("name,compiler,value [ms],block,benchmark,config.unit,config.x", &[]).unwrap();
        assert_eq!((plan.benchmark, plan.block, plan.tidy), (Some(4), Some(3), true));
        let values: Vec<_> =
            plan.values.iter().map(|v| (v.column, v.metric.as_str(), v.unit.as_str())).collect();
        assert_eq!(values, [(2, "value", "ms")]);
        let keys: Vec<&str> = plan.context.iter().map(|(_, key)| key.as_str()).collect();
        assert_eq!(keys, ["name", "compiler", "unit", "config.x"]);
    }

    #[test]
    fn a_mapping_overrides_and_its_errors_are_named() {
        let wide =
            plan("case,n,a [s],b", &[("benchmark", "case"), ("value", "b"), ("value", "a [s]")]).unwrap();
        assert!(!wide.tidy);
        assert_eq!(wide.values.iter().map(|v| v.metric.as_str()).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(wide.context, [(1, "n".to_owned())]);
        for (columns, why) in [
            (&[("benchmark", "nix")][..], "no column `nix`"),
            (&[("bench", "case")][..], "no role"),
            (&[("benchmark", "case"), ("variant", "case")][..], "two roles"),
            (&[("benchmark", "case"), ("benchmark", "n")][..], "two columns"),
            (&[][..], "can be results or settings"),
        ] {
            let error = plan("case,n,a", columns).unwrap_err();
            assert!(error.contains(why) || error.contains("a role `bench`"), "{error}");
        }
    }
}
