//! Plain tables: the roles of the columns, and how a row becomes observations. The file types (text, Parquet)
//! supply the cells; nothing here depends on where they come from.

use std::collections::HashSet;
use std::io;

use super::table_headers::{Header, Holds};
use super::table_keys::KEYS;
use super::table_question as question;
use super::table_units::split_header;
use crate::limits::{Limits, within};
use crate::text::{excerpt, listed};
use crate::{Better, Code, Options, Sheet};
use crate::{guard, work};

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
const ROLES: &str = "benchmark, value, metric, unit, block, process, better, variant, setting, ignore";

/// How the names of rows end that summarise others.
const SUMMARY_ROWS: [&str; 6] = ["_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"];

/// Roles that several columns can have.
const OF_MANY: [&str; 4] = ["value", "setting", "ignore", RESULT];

/// The role of a column of numbers that the mapping calls a metric: it adds to the results that the headers tell.
const RESULT: &str = "metric (numbers)";

/// Columns whose name fixes their meaning unless a mapping overrides it.
pub(crate) const FIXED: [&str; 16] = [
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
    work::COLUMN,
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

/// The key of a column of a table that a user wrote: `timeStamp` is `timestamp`, which has a role.
fn key(column: &str) -> &str {
    let known = KEYS.iter().find(|key| key.name.eq_ignore_ascii_case(column));
    known.map_or_else(|| key_of_column(column), |key| key.name)
}

fn bare(mut key: &str) -> &str {
    while let Some(rest) = key.strip_prefix(PREFIX) {
        key = rest;
    }
    key
}

/// A column of values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ValueColumn {
    pub(super) column: usize,
    /// The metric, if no column names it.
    pub(super) metric: String,
    /// The unit from the header, if no column states it.
    pub(super) unit: String,
    /// The direction that the header tells.
    pub(super) better: Option<Better>,
    /// Whether the table's columns of metric, unit, direction and traits describe these values.
    pub(super) described: bool,
    /// Compared only on request.
    pub(super) secondary: bool,
    /// What is known about the samples of which each value is a summary.
    pub(super) summary: Option<Summary>,
}

/// The columns with the number of samples of a summary, and with their standard deviation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Summary {
    pub(super) count: Option<usize>,
    pub(super) deviation: Option<usize>,
}

impl ValueColumn {
    fn of(column: usize, header: &Header) -> Self {
        Self {
            column,
            metric: header.name.clone(),
            unit: header.unit.clone(),
            better: header.better(),
            ..Self::default()
        }
    }
}

/// The beginning of a table.
pub(super) trait Preview {
    /// Whether the first cells of a column are numbers.
    fn is_numeric(&self, column: usize) -> bool;

    /// The first cells of a column as text, for messages.
    fn first(&self, column: usize) -> Vec<String>;
}

/// The roles of all columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) benchmark: usize,
    pub(super) values: Vec<ValueColumn>,
    /// Each row is one value, that of the first column of values, so a missing value is a fault; a wide table may
    /// have gaps.
    pub(super) tidy: bool,
    pub(super) metric: Option<usize>,
    pub(super) unit: Option<usize>,
    pub(super) block: Option<usize>,
    pub(super) process: Option<usize>,
    pub(super) better: Option<usize>,
    pub(super) traits: Option<usize>,
    /// Names the keys of the row that are parameters of its benchmark.
    pub(super) work: Option<usize>,
    pub(super) variant: Option<usize>,
    pub(super) file: Option<usize>,
    /// Configuration: columns and their keys.
    pub(super) context: Vec<(usize, String)>,
    /// Rows named `X_mean`, `X_stddev` and so on summarise the rows named `X`, as Google Benchmark writes them.
    pub(super) with_summary_rows: bool,
    /// Columns whose name already occurs further left.
    pub(super) repeated: Vec<usize>,
}

/// Columns that only a table of statera's own has, all of them. Its other columns are configuration.
const EXPORTED: [&str; 5] = ["metric", "unit", "order", "file", "line"];

impl Plan {
    /// Finds the roles: first from the mapping, then by the well-known names, then by what the headers say of columns
    /// of numbers.
    ///
    /// # Errors
    /// If no column names the benchmark or holds values, or if a column of numbers may be results or settings: a message
    /// with the words for the mapping.
    pub(super) fn new(header: &[String], options: &Options, preview: &dyn Preview) -> Result<Self, String> {
        let mut names = HashSet::new();
        let repeated: Vec<usize> = (0..header.len()).filter(|&index| !names.insert(&header[index])).collect();
        let mut taken: HashSet<usize> = repeated.iter().copied().collect();
        // A column without a name holds row numbers, or follows a trailing separator.
        taken.extend((0..header.len()).filter(|&column| header[column].trim().is_empty()));
        let mapped = mapped(header, options, preview, &mut taken)?;
        let given = |role: &str| mapped.iter().find(|(known, _)| *known == role).map(|&(_, column)| column);
        let all = |role: &str| -> Vec<usize> {
            mapped.iter().filter(|(known, _)| *known == role).map(|&(_, column)| column).collect()
        };
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
        let capital =
            |column: &usize| BENCHMARK.iter().any(|name| name.eq_ignore_ascii_case(&header[*column]));
        let benchmark = find("benchmark", &BENCHMARK)
            .or_else(|| {
                (0..header.len()).filter(|column| !mapped.iter().any(|(_, at)| at == column)).find(capital)
            })
            .ok_or_else(|| question::no_benchmark(header, preview))?;
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
        find("order", &["order"]);
        find("line", &["line"]);
        plan.work = find("work", &[work::COLUMN]);
        // Nor is the mark of a guarded table.
        find("guard", &[guard::COLUMN]);
        taken.insert(benchmark);
        let headers: Vec<Header> = header.iter().map(|name| Header::of(name)).collect();
        let mut stated = all("value");
        if stated.is_empty() {
            let named = |column: &usize| !taken.contains(column) && headers[*column].name == "value";
            stated = (0..header.len()).find(named).into_iter().collect();
        }
        taken.extend(&stated);
        plan.values = stated
            .iter()
            .map(|&at| ValueColumn { described: true, summary, ..ValueColumn::of(at, &headers[at]) })
            .collect();
        plan.tidy = plan.values.len() == 1;
        let exported = EXPORTED.iter().all(|name| header.iter().any(|known| known == name));
        if !exported {
            plan.take_numbers(header, &headers, &all(RESULT), preview, &mut taken)?;
        }
        if plan.values.is_empty() {
            return Err(question::no_values(header, preview));
        }
        plan.context = (0..header.len())
            .filter(|column| !taken.contains(column))
            .chain(all("setting"))
            .map(|column| {
                (
                    column,
                    if exported { key_of_column(&header[column]) } else { key(&header[column]) }.to_owned(),
                )
            })
            .collect();
        plan.context.sort_unstable();
        Ok(plan)
    }

    /// Gives a role to each column of numbers that has none yet.
    fn take_numbers(
        &mut self,
        header: &[String],
        headers: &[Header],
        results: &[usize],
        preview: &dyn Preview,
        taken: &mut HashSet<usize>,
    ) -> Result<(), String> {
        let free: Vec<usize> = (0..header.len())
            .filter(|at| results.contains(at) || (!taken.contains(at) && preview.is_numeric(*at)))
            .filter(|at| !header[*at].starts_with(PREFIX))
            .collect();
        let mut holds = question::kinds(&free, headers, !self.values.is_empty());
        for (holds, _) in holds.iter_mut().zip(&free).filter(|(_, at)| results.contains(at)) {
            *holds = Holds::Results;
        }
        let unclear: Vec<usize> = free
            .iter()
            .zip(&holds)
            .filter(|(_, holds)| **holds == Holds::Unknown)
            .map(|(&at, _)| at)
            .collect();
        if !unclear.is_empty() {
            return Err(question::unclear(header, &unclear, preview));
        }
        let stated = !self.values.is_empty();
        let of = |kind: Holds| {
            free.iter().zip(&holds).filter(move |(_, holds)| **holds == kind).map(|(&at, _)| at)
        };
        let count = of(Holds::Count).next();
        let centred = of(Holds::Mean).next().is_some() || of(Holds::Results).next().is_some();
        for (&column, holds) in free.iter().zip(&holds) {
            let head = &headers[column];
            let summary = match holds {
                Holds::Results => None,
                Holds::Mean => {
                    let fits = |at: &usize| {
                        let other = &headers[*at];
                        other.subject == head.subject && (other.unit.is_empty() || other.unit == head.unit)
                    };
                    Some(Summary { count, deviation: of(Holds::Deviation).find(fits) })
                }
                Holds::Summary => Some(Summary { count, deviation: None }),
                Holds::Settings => continue,
                Holds::Deviation | Holds::Spread | Holds::Count | Holds::Unknown => {
                    taken.insert(column);
                    continue;
                }
            };
            taken.insert(column);
            self.values.push(ValueColumn {
                described: !stated,
                secondary: stated || (centred && head.is_extreme()),
                summary,
                ..ValueColumn::of(column, head)
            });
        }
        Ok(())
    }
}

impl Plan {
    /// Whether a row of this benchmark summarises others.
    pub(super) fn is_summary_row(&self, name: &[u8]) -> bool {
        self.with_summary_rows && SUMMARY_ROWS.iter().any(|ending| name.ends_with(ending.as_bytes()))
    }

    /// Whether no column tells the metric of a row: then all rows have those of the header.
    pub(super) fn says_nothing_of_metrics(&self) -> bool {
        [self.metric, self.unit, self.better, self.traits].iter().all(Option::is_none)
    }

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
            self.work,
            self.variant,
            self.file,
        ];
        let values = self.values.iter().map(|value| value.column);
        let summaries = self.values.iter().filter_map(|value| value.summary);
        let summaries = summaries.flat_map(|summary| [summary.count, summary.deviation]).flatten();
        roles.into_iter().flatten().chain([self.benchmark]).chain(summaries).chain(values)
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
    preview: &dyn Preview,
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
        // A column of numbers is a result; a column of texts names the metric of each row.
        let role = if role == "metric" && preview.is_numeric(column) { RESULT } else { role };
        if !OF_MANY.contains(&role) && mapped.iter().any(|(known, _)| *known == role) {
            return Err(format!("cannot give the role `{role}` to two columns"));
        }
        taken.insert(column);
        mapped.push((role, column));
    }
    Ok(mapped)
}

/// Whether a table can be read without a mapping, or needs one only for some columns: tidy, or its first column is the
/// benchmark and a unit or only numbers tell that others are results.
pub(super) fn speaks_for_itself(header: &[String], preview: &dyn Preview) -> bool {
    let has = |name: &str| header.iter().any(|known| known == name);
    if BENCHMARK.iter().any(|name| has(name)) && header.iter().any(|name| split_header(name).0 == "value") {
        return true;
    }
    // Harnesses with formats of their own write these.
    if has("time_unit")
        || has("time_secs")
        || has("2*Stdev (ps)")
        || super::redis_benchmark::has_columns(header.iter().map(String::as_str))
    {
        return false;
    }
    let numeric = |column| preview.is_numeric(column);
    let measured = |column: usize| numeric(column) && Header::of(&header[column]).has_unit();
    let first = |name: &&str| name.eq_ignore_ascii_case(&header[0]);
    (BENCHMARK.contains(&header[0].as_str()) && header.len() > 1 && (1..header.len()).all(numeric))
        || (BENCHMARK.iter().any(first) && (1..header.len()).any(measured))
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
        let plan = plan("name,compiler,value [ms],block,order,benchmark,config.unit,config.x", &[]).unwrap();
        assert_eq!((plan.benchmark, plan.block, plan.tidy), (5, Some(3), true));
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
