//! Plain tables: the roles of the columns, and how a row becomes observations. The file types (text, Parquet)
//! supply the cells; nothing here depends on where they come from.

use std::collections::HashSet;
use std::io;

use super::table_units::split_header;
use crate::guard;
use crate::limits::{Limits, within};
use crate::text::{excerpt, listed};
use crate::{Code, Options, Sheet};

/// One cell.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell<'a> {
    /// An empty cell.
    Missing,
    /// Text, which may be a number.
    Text(&'a [u8]),
    /// A number that the file stores as an integer.
    Integer(i128),
    /// A number that the file stores as floating point.
    Float(f64),
}

/// A row that supplies its cells.
pub(super) trait Cells {
    /// Whether the file type cannot distinguish an empty text from a missing one; if so, an empty name is a
    /// name.
    const BLANK_IS_TEXT: bool;

    fn cell(&self, column: usize) -> Cell<'_>;
}

/// Names of the benchmark column; the first one found is used.
pub(super) const BENCHMARK: [&str; 4] = ["benchmark", "name", "bench", "test"];

/// Roles that a caller can assign to a column.
const ROLES: &str = "benchmark, metric, unit, value, block, process, better, variant";

/// Columns whose name fixes their meaning unless a mapping overrides it.
pub(crate) const FIXED: [&str; 15] = [
    "benchmark",
    "metric",
    "unit",
    "variant",
    "value",
    "block",
    "process",
    "order",
    "file",
    "line",
    "better",
    "traits",
    "weight",
    "deviation",
    guard::COLUMN,
];

/// The prefix of a configuration key that shares the name of a fixed column.
pub(crate) const PREFIX: &str = "config.";

/// The name of a configuration key's column. Keys that would be read as a fixed column get a prefix, and so do
/// keys that already have one, so that reading restores every key.
pub(crate) fn column_of_key(key: &str) -> String {
    if FIXED.contains(&bare(key)) { format!("{PREFIX}{key}") } else { key.to_owned() }
}

fn key_of_column(column: &str) -> &str {
    match column.strip_prefix(PREFIX) {
        Some(key) if FIXED.contains(&bare(key)) => key,
        _ => column,
    }
}

fn bare(mut key: &str) -> &str {
    while let Some(rest) = key.strip_prefix(PREFIX) {
        key = rest;
    }
    key
}

/// A column of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValueColumn {
    pub(super) column: usize,
    /// The metric, if no column names it.
    pub(super) metric: String,
    /// The unit from the header, if no column states it.
    pub(super) unit: String,
}

/// The roles of all columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) benchmark: usize,
    pub(super) values: Vec<ValueColumn>,
    /// Each row is one value, so a missing value is a fault; a wide table may have gaps.
    pub(super) tidy: bool,
    pub(super) metric: Option<usize>,
    pub(super) unit: Option<usize>,
    pub(super) block: Option<usize>,
    pub(super) process: Option<usize>,
    pub(super) better: Option<usize>,
    pub(super) traits: Option<usize>,
    pub(super) variant: Option<usize>,
    pub(super) file: Option<usize>,
    /// The number of samples of which a value is the mean or another summary, and their standard deviation.
    pub(super) summary: Option<(usize, usize)>,
    /// Configuration: columns and their keys.
    pub(super) context: Vec<(usize, String)>,
    /// Columns whose name already occurs further left.
    pub(super) repeated: Vec<usize>,
}

impl Plan {
    /// Finds the roles: first from the mapping, then by the well-known names, then, if there is no value
    /// column, by taking every numeric column. `numeric` says whether a column's first cells are numbers.
    pub(super) fn new(
        header: &[String],
        options: &Options,
        numeric: &dyn Fn(usize) -> bool,
    ) -> Result<Self, String> {
        let mut names = HashSet::new();
        let repeated: Vec<usize> = (0..header.len()).filter(|&index| !names.insert(&header[index])).collect();
        let mut taken: HashSet<usize> = repeated.iter().copied().collect();
        // A column without a name holds row numbers, or follows a trailing separator.
        taken.extend((0..header.len()).filter(|&column| header[column].trim().is_empty()));
        let mapped = mapped(header, options, &mut taken)?;
        let given = |role: &str| mapped.iter().find(|(known, _)| *known == role).map(|&(_, column)| column);
        let mut find = |role: &str, names: &[&str]| {
            let column = given(role).or_else(|| {
                let free = |name: &&str| {
                    header.iter().position(|known| known == name).filter(|column| !taken.contains(column))
                };
                names.iter().find_map(free)
            });
            taken.extend(column);
            column
        };
        let benchmark = find("benchmark", &BENCHMARK).ok_or_else(|| {
            format!(
                "has no benchmark column (benchmark, name, bench or test); its columns are {}; choose one \
                 with `benchmark=COLUMN`",
                listed(header)
            )
        })?;
        let mut plan = Self {
            benchmark,
            metric: find("metric", &["metric"]),
            unit: find("unit", &["unit"]),
            block: find("block", &["block"]),
            process: find("process", &["process"]),
            better: find("better", &["better"]),
            traits: find("traits", &["traits"]),
            variant: find("variant", &["variant"]),
            file: find("file", &["file"]),
            ..Self::default()
        };
        // Only together, as an export writes them: either name alone can be anything.
        if ["weight", "deviation"].iter().all(|name| header.iter().any(|known| known == name)) {
            plan.summary = find("weight", &["weight"]).zip(find("deviation", &["deviation"]));
        }
        // The position of a row is not configuration: it would make every row a configuration of its own.
        find("order", &["order"]);
        find("line", &["line"]);
        // Nor is the mark of a guarded table.
        find("guard", &[guard::COLUMN]);
        let value = |column: usize| {
            let (metric, unit) = split_header(&header[column]);
            ValueColumn { column, metric: metric.to_owned(), unit: unit.to_owned() }
        };
        plan.values = mapped.iter().filter(|(role, _)| *role == "value").map(|&(_, at)| value(at)).collect();
        if plan.values.is_empty() {
            let named =
                |&column: &usize| !taken.contains(&column) && split_header(&header[column]).0 == "value";
            plan.values = (0..header.len()).find(named).map(value).into_iter().collect();
        }
        plan.tidy = plan.values.len() == 1;
        if plan.values.is_empty() {
            plan.values = (0..header.len())
                .filter(|column| !taken.contains(column) && numeric(*column))
                .map(value)
                .collect();
        }
        if plan.values.is_empty() {
            return Err(format!(
                "has no column of values; its columns are {}; choose one with `value=COLUMN`",
                listed(header)
            ));
        }
        taken.extend(plan.values.iter().map(|value| value.column));
        plan.context = (0..header.len())
            .filter(|column| !taken.contains(column))
            .map(|column| (column, key_of_column(&header[column]).to_owned()))
            .collect();
        plan.repeated = repeated;
        Ok(plan)
    }
}

impl Plan {
    /// Reports the columns that are left out because their name already occurs further left.
    pub(super) fn say_repeated(&self, header: &[String], sheet: &mut Sheet, line: u32) {
        for &column in self.repeated.iter().take(20) {
            let what = format!("a second column `{}`", excerpt(header[column].as_bytes()));
            let hint = "the first one is read; rename the other";
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
            self.variant,
            self.file,
        ];
        let values = self.values.iter().map(|value| value.column);
        let summary = self.summary.into_iter().flat_map(|(weight, deviation)| [weight, deviation]);
        roles.into_iter().flatten().chain([self.benchmark]).chain(summary).chain(values)
    }

    /// Fails if there are more columns than the limits allow.
    pub(super) fn check(&self, limits: &Limits) -> io::Result<()> {
        let (keys, metrics) = (self.context.len() as u64, self.values.len() as u64);
        within(keys, limits.keys, "keys", "the table has too many columns of configuration")?;
        within(metrics, limits.metrics, "metrics", "the table has too many columns of values")
    }

    /// Adds a column that only later rows have, as configuration.
    pub(super) fn add_context(&mut self, column: usize, name: &str) {
        self.context.push((column, key_of_column(name).to_owned()));
    }
}

/// The columns that the mapping names, with their roles.
fn mapped<'o>(
    header: &[String],
    options: &'o Options,
    taken: &mut HashSet<usize>,
) -> Result<Vec<(&'o str, usize)>, String> {
    let mut mapped: Vec<(&str, usize)> = Vec::new();
    for (role, name) in &options.columns {
        if !ROLES.split(", ").any(|known| known == role) {
            return Err(format!("cannot be read with a role `{role}`; the roles are {ROLES}"));
        }
        let Some(column) = header.iter().position(|known| known == name) else {
            return Err(format!("has no column `{name}`; its columns are {}", listed(header)));
        };
        if taken.contains(&column) {
            return Err(format!("cannot give the column `{name}` two roles"));
        }
        if role != "value" && mapped.iter().any(|(known, _)| known == role) {
            return Err(format!("cannot give the role `{role}` to two columns"));
        }
        taken.insert(column);
        mapped.push((role, column));
    }
    Ok(mapped)
}

/// Column names of summaries: a table of these holds numbers but no measurements.
const SUMMARIES: [&str; 18] = [
    "mean",
    "average",
    "avg",
    "median",
    "min",
    "max",
    "stddev",
    "std",
    "stdev",
    "iqr",
    "p50",
    "p95",
    "p99",
    "count",
    "evals",
    "rounds",
    "iterations",
    "total",
];

/// Whether a table can be read without a mapping: tidy, or wide with measurements only.
pub(super) fn speaks_for_itself(header: &[String], numeric: &dyn Fn(usize) -> bool) -> bool {
    let Ok(plan) = Plan::new(header, &Options::default(), numeric) else { return false };
    plan.tidy
        || (BENCHMARK.contains(&header[0].as_str())
            && (1..header.len()).all(numeric)
            && !plan.values.iter().any(|value| {
                SUMMARIES.contains(&value.metric.to_ascii_lowercase().as_str()) || value.metric == "time_secs"
            }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(header: &str, columns: &[(&str, &str)]) -> Result<Plan, String> {
        let header: Vec<String> = header.split(',').map(str::to_owned).collect();
        let columns = columns.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        let options = Options { columns, ..Options::default() };
        Plan::new(&header, &options, &|column| column >= 2)
    }

    #[test]
    fn well_known_names_play_their_role() {
        let plan = plan("name,compiler,value [ms],block,order,benchmark,config.unit,config.x", &[]).unwrap();
        assert_eq!((plan.benchmark, plan.block, plan.tidy), (5, Some(3), true));
        assert_eq!(plan.values, [ValueColumn { column: 2, metric: "value".into(), unit: "ms".into() }]);
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
            (&[][..], "no benchmark column"),
        ] {
            let error = plan("case,n,a", columns).unwrap_err();
            assert!(error.contains(why) || error.contains("a role `bench`"), "{error}");
        }
    }

    #[test]
    fn keys_with_fixed_names_come_back() {
        for key in ["unit", "config.unit", "config.config.value", "config.x", "goos", "config."] {
            let column = column_of_key(key);
            assert!(!FIXED.contains(&column.as_str()));
            assert_eq!(key_of_column(&column), key);
        }
    }
}
