//! Plain tables: the roles that the user gives to columns, and whether a table needs them.

use super::amounts::base_of;
use super::cells::{is_date, is_number};
use super::failures::{are_outcomes, is_outcome};
use super::headers::Header;
use super::keys::{ANY_CASE, BENCHMARK, is_key, is_value};
use super::name_words::{Holds, statistic, words};
use super::preview::Preview;
use super::question::no_benchmark;
use super::repetitions::{self, REPETITION, matching};
use super::roles::check_test;
use super::words::{BUILDS, STATISTICS, is_pair};
use crate::formats::prelude::*;
use crate::formats::units::split_header;
use crate::text::listed;

/// Roles that a caller can assign to a column.
const ROLES: &str =
    "benchmark, value, metric, unit, block, process, better, variant, repetition, setting, count, ignore";

/// Columns of texts that describe the results of a row.
const DESCRIPTIONS: [&str; 3] = ["metric", "unit", "units"];

/// Roles that several columns can have.
const OF_MANY: [&str; 6] = ["value", "setting", "ignore", REPETITION, RESULT, SAMPLE];

/// The role of a column of numbers that the mapping calls a metric: it adds to the results that the headers tell.
pub(super) const RESULT: &str = "metric (numbers)";

/// The role of a column of numbers that holds the results of a variant, beside others that do.
pub(super) const SAMPLE: &str = "variant (numbers)";

/// The columns that the mapping names, with their roles.
pub(super) fn mapped<'o>(
    header: &[String],
    options: &'o Options,
    preview: &dyn Preview,
    taken: &mut HashSet<usize>,
) -> Result<Vec<(&'o str, usize)>, String> {
    let mut mapped: Vec<(&str, usize)> = Vec::new();
    let variants = options.columns.iter().filter(|(role, _)| role == "variant").count();
    let (patterns, exact): (Vec<_>, Vec<_>) =
        options.columns.iter().partition(|(role, _)| role == REPETITION);
    let has_number = |column: usize| preview.first(column).iter().any(|cell| is_number(cell.as_bytes()));
    for (role, name) in exact {
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
        let role = match role.as_str() {
            "metric" if preview.is_numeric(column) || has_number(column) => RESULT,
            "variant" if variants > 1 && preview.is_numeric(column) => SAMPLE,
            role => role,
        };
        if !OF_MANY.contains(&role) && mapped.iter().any(|(known, _)| *known == role) {
            return Err(format!("cannot give the role `{role}` to two columns"));
        }
        taken.insert(column);
        mapped.push((role, column));
    }
    for (role, pattern) in patterns {
        let columns: Vec<usize> =
            matching(header, pattern)?.into_iter().filter(|at| !taken.contains(at)).collect();
        if columns.is_empty() {
            let known = listed(header);
            return Err(format!("has no columns `{pattern}` with numbers for `*`; its columns are {known}"));
        }
        taken.extend(&columns);
        mapped.extend(columns.into_iter().map(|column| (role.as_str(), column)));
    }
    Ok(mapped)
}

/// The column to which the user gives a role.
pub(super) fn given(mapped: &[(&str, usize)], role: &str) -> Option<usize> {
    mapped.iter().find(|(known, _)| *known == role).map(|&(_, column)| column)
}

/// The columns to which the user gives a role.
pub(super) fn all(mapped: &[(&str, usize)], role: &str) -> Vec<usize> {
    mapped.iter().filter(|(known, _)| *known == role).map(|&(_, column)| column).collect()
}

/// Whether a table can be read without a mapping, or needs one only for some columns: tidy, or its first column is the
/// benchmark (or any is called so) and a unit or only numbers tell that others are results.
pub(super) fn speaks_for_itself(header: &[String], preview: &dyn Preview) -> bool {
    let is_benchmark = |known: &String| BENCHMARK.iter().any(|name| name.eq_ignore_ascii_case(known));
    if header.iter().any(is_benchmark) && header.iter().any(|name| is_value(split_header(name).0)) {
        return true;
    }
    let Some(first) = (0..header.len()).find(|&column| !numbers_rows(header, column, preview)) else {
        return false;
    };
    let numeric = |column| preview.is_numeric(column);
    let has_unit = |column: usize| {
        Header::of(&header[column]).has_unit()
            || preview.may_be_text(column) && base_of(&preview.sample(column)).is_some()
    };
    let measured = |column: usize| numeric(column) && has_unit(column);
    let is =
        |column: usize, names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(&header[column]));
    let mut rest = first + 1..header.len();
    let named = is(first, &BENCHMARK) || rest.clone().any(|column| is(column, &["benchmark", "bench"]));
    let only_numbers = || {
        let only = |names: &[&str]| rest.clone().all(|column| numeric(column) || is(column, names));
        let is_clear =
            |column: usize| is(column, &DESCRIPTIONS) || Header::of(&header[column]).holds != Holds::Unknown;
        let is_result = |column: usize| {
            matches!(Header::of(&header[column]).holds, Holds::Results | Holds::Mean | Holds::Summary)
        };
        let has_results = rest.clone().any(is_result);
        (BENCHMARK.contains(&header[first].as_str()) && !rest.is_empty() && only(&[]))
            || (is(first, &BENCHMARK) && has_results && only(&DESCRIPTIONS) && rest.clone().all(is_clear))
    };
    only_numbers()
        || (named && (is_described(header, first, preview) || rest.any(measured) || measured(first)))
        || is_clear_without_names(header, preview)
            && ((0..header.len()).any(measured) || has_repetitions(header))
}

/// Whether the only column of texts names the benchmarks, or there is none and all rows are of one benchmark, with
/// something that was varied.
fn is_clear_without_names(header: &[String], preview: &dyn Preview) -> bool {
    let is_varied = |name: &String| Header::of(name).holds == Holds::Settings || is_key(name.trim());
    only_text(header, &HashSet::new(), preview).is_some()
        || is_of_one_benchmark(header, &[], preview) && header.iter().any(is_varied)
}

/// Whether columns are repetitions of one measurement by their headers: `run1,run2,run3`.
fn has_repetitions(header: &[String]) -> bool {
    let mut headers = Header::all(header);
    let columns: Vec<usize> = (0..header.len()).collect();
    repetitions::name(header, &mut headers, &[], &columns, &Options::default());
    headers.iter().any(|header| header.repetitions.is_some())
}

/// Whether columns `metric` and `unit` describe the columns of numbers, and these are two samples, repetitions or a summary.
fn is_described(header: &[String], first: usize, preview: &dyn Preview) -> bool {
    let find = |names: &[&str]| {
        (0..header.len())
            .find(|&column| names.iter().any(|name| name.eq_ignore_ascii_case(header[column].trim())))
    };
    let (Some(_), Some(unit)) = (find(&["metric"]), find(&["unit", "units"])) else { return false };
    let units = preview.sample(unit);
    if units.is_empty() || !units.iter().all(|unit| is_known(unit.trim())) {
        return false;
    }
    let numbers: Vec<usize> =
        (0..header.len()).filter(|&column| column != first && preview.is_numeric(column)).collect();
    let mut headers = Header::all(header);
    repetitions::name(header, &mut headers, &[], &numbers, &Options::default());
    let pair: Vec<usize> = numbers
        .windows(2)
        .filter(|two| is_pair(&headers[two[0]].subject, &headers[two[1]].subject))
        .flatten()
        .copied()
        .collect();
    let holds = |column: &usize| if pair.contains(column) { Holds::Results } else { headers[*column].holds };
    let is_result = |column: &usize| matches!(holds(column), Holds::Results | Holds::Mean | Holds::Summary);
    numbers.iter().any(is_result) && numbers.iter().all(|column| holds(column) != Holds::Unknown)
}

/// The column of the benchmark's name, among those that are free. Capitals do not change which it is.
pub(super) fn benchmark_at(header: &[String], free: impl Fn(usize) -> bool) -> Option<usize> {
    let find =
        |is: &dyn Fn(&str) -> bool| (0..header.len()).find(|&column| free(column) && is(&header[column]));
    BENCHMARK.iter().find_map(|name| {
        find(&|known| known == *name).or_else(|| find(&|known| name.eq_ignore_ascii_case(known)))
    })
}

/// The column of the benchmark's name, which the user may have given, and whether it is only assumed; none if all rows are
/// of one benchmark.
pub(super) fn benchmark_of(
    header: &[String],
    mapped: &[(&str, usize)],
    taken: &HashSet<usize>,
    preview: &dyn Preview,
) -> Result<(Option<usize>, bool), String> {
    let given = given(mapped, "benchmark");
    let named = given.or_else(|| benchmark_at(header, |column| !taken.contains(&column)));
    let is_one = || is_of_one_benchmark(header, mapped, preview);
    if named.is_none() {
        statistics_in_rows(header, taken, preview)?;
    }
    let found = named.or_else(|| only_text(header, taken, preview).filter(|_| !is_one()));
    if found.is_none() && !is_one() {
        return Err(no_benchmark(header, preview));
    }
    if let Some(column) = found.filter(|_| given.is_none()) {
        check_test(header, column, preview)?;
    }
    let are_statistics = |&column: &usize| preview.first(column) == ["count", "mean", "std"];
    if let Some(column) = found.filter(|_| given.is_none()).filter(are_statistics) {
        let name = &header[column];
        return Err(format!(
            "has statistics in its rows (count, mean, std), as data frames describe themselves. Write a row for each \
             benchmark and a column for each statistic, or say that they are benchmarks with --column benchmark={name}"
        ));
    }
    Ok((found, found.is_some() && named.is_none()))
}

/// The only column of texts, which can be nothing but the names of benchmarks: no word of its header says that it is a
/// setting, and it does not describe the results, the machine or the time of a row.
fn only_text(header: &[String], taken: &HashSet<usize>, preview: &dyn Preview) -> Option<usize> {
    let is_text = |column: &usize| {
        !taken.contains(column) && !preview.is_numeric(*column) && !preview.first(*column).is_empty()
    };
    let describes = |column: usize| {
        let name = header[column].trim();
        ANY_CASE.iter().chain(&DESCRIPTIONS).any(|role| role.eq_ignore_ascii_case(name))
            || Header::of(name).holds == Holds::Settings
            || is_of_build(name)
            || is_key(name)
            || is_outcome(name)
            || are_outcomes(&preview.sample(column))
            || direction_if_true(name).is_some()
            || preview.sample(column).iter().all(|cell| is_date(cell))
            || are_ratios(column, preview)
    };
    let mut texts = (0..header.len()).filter(is_text).filter(|&column| !describes(column));
    texts.next().filter(|_| texts.next().is_none())
}

/// Whether the cells of a column are ratios of other cells, such as `1.5x`, `1.5x faster` or `±0.3%`.
pub(super) fn are_ratios(column: usize, preview: &dyn Preview) -> bool {
    let is_ratio = |cell: &String| {
        let cell = cell.trim().trim_start_matches(['±', '~', '+', '−']);
        let (digits, rest) = cell.split_at(cell.find(['x', 'X', '×', '%']).unwrap_or_default());
        let mut words = rest.split_whitespace().skip(1);
        // `1920×1080` is a size.
        let is_size = rest.chars().nth(1).is_some_and(|after| after.is_ascii_digit());
        number(digits.trim_end()).is_some()
            && !is_size
            && words.all(|word| matches!(word, "faster" | "slower" | "smaller" | "larger" | "(baseline)"))
    };
    let cells = preview.sample(column);
    // The baseline differs from itself by nothing.
    let is_zero = |cell: &String| cell.trim() == "0";
    cells.iter().any(is_ratio) && cells.iter().all(|cell| is_ratio(cell) || is_zero(cell))
}

/// Whether a column says along what builds or machines differ: its texts may name the variants.
pub(super) fn is_of_build(header: &str) -> bool {
    words(header).iter().any(|word| BUILDS.contains(&&**word))
}

/// The direction that the truth of a cell says, if the header asks for one: `lower_is_better`.
pub(super) fn direction_if_true(header: &str) -> Option<Better> {
    match &*words(header).join("_") {
        "lower_is_better" | "less_is_better" | "smaller_is_better" => Some(Better::Lower),
        "higher_is_better" | "more_is_better" | "bigger_is_better" | "larger_is_better" => {
            Some(Better::Higher)
        }
        _ => None,
    }
}

/// Whether all rows are of one benchmark: the columns are numbers, and some of them results, or so says the user. Another
/// column names the variants, or has a role from the user.
fn is_of_one_benchmark(header: &[String], mapped: &[(&str, usize)], preview: &dyn Preview) -> bool {
    let is_result =
        |name: &String| matches!(Header::of(name).holds, Holds::Results | Holds::Mean | Holds::Summary);
    let said = mapped.iter().any(|(role, _)| matches!(*role, "value" | REPETITION | RESULT | SAMPLE));
    let has_role = |column: usize| {
        let name = header[column].trim();
        name.eq_ignore_ascii_case("variant")
            || is_key(name)
            || is_outcome(name) && are_outcomes(&preview.sample(column))
            || preview.sample(column).iter().all(|cell| is_date(cell))
            || mapped.iter().any(|&(_, at)| at == column)
    };
    (said || header.iter().any(is_result))
        && (0..header.len()).all(|column| preview.is_numeric(column) || has_role(column))
}

/// Whether a column holds the numbers of rows, as data frames write them, or follows a separator at the end. The names of
/// rows stand in such a column, too.
pub(super) fn numbers_rows(header: &[String], column: usize, preview: &dyn Preview) -> bool {
    let has_names = || column == 0 && !preview.is_numeric(column) && !preview.first(column).is_empty();
    is_row_number(&header[column]) && !has_names()
}

fn is_row_number(header: &str) -> bool {
    let name = header.trim();
    let is_number = |rest: Option<&str>| rest.is_some_and(|number| number.parse::<u32>().is_ok());
    let level = name.strip_prefix("__index_level_").and_then(|rest| rest.strip_suffix("__"));
    name.is_empty() || is_number(name.strip_prefix("Unnamed: ")) || is_number(level)
}

/// Refuses a table whose rows have something else than results.
pub(super) fn check_rows(
    header: &[String],
    taken: &HashSet<usize>,
    preview: &dyn Preview,
) -> Result<(), String> {
    units_below(header, taken, preview)?;
    statistics_in_rows(header, taken, preview)
}

/// Refuses a table in which a column of texts says which statistic the number of a row is: a summary is no sample.
fn statistics_in_rows(
    header: &[String],
    taken: &HashSet<usize>,
    preview: &dyn Preview,
) -> Result<(), String> {
    let is_one = |&column: &usize| {
        STATISTICS.iter().any(|name| name.eq_ignore_ascii_case(header[column].trim()))
            && preview.first(column).iter().any(|cell| statistic(&cell.to_lowercase()).is_some())
    };
    let Some(column) = (0..header.len()).filter(|column| !taken.contains(column)).find(is_one) else {
        return Ok(());
    };
    let (name, cells) = (&header[column], listed(&preview.first(column)));
    Err(format!(
        "has a column `{name}` of statistics ({cells}), which are no samples. Write a column for each of them, such as \
         mean_ms, or say that each row is a sample with --column setting={name}"
    ))
}

/// Refuses a table whose second line holds the units, or the statistics of data frames.
fn units_below(header: &[String], taken: &HashSet<usize>, preview: &dyn Preview) -> Result<(), String> {
    let of_header = |column: &usize| match &preview.first(*column)[..] {
        [first, rest @ ..] => {
            let first = first.trim_matches(['(', ')', '[', ']']);
            (is_known(first) || statistic(&first.to_lowercase()).is_some())
                && number(first).is_none()
                && !rest.is_empty()
                && rest.iter().all(|text| number(text).is_some())
        }
        [] => false,
    };
    if preview.has_types() {
        return Ok(());
    }
    let Some(column) = (0..header.len()).filter(|column| !taken.contains(column)).find(of_header) else {
        return Ok(());
    };
    let (name, word) = (excerpt(&header[column]), excerpt(&preview.first(column)[0]));
    let word = word.trim_matches(['(', ')', '[', ']']);
    let what = if is_known(word) { "units" } else { "statistics" };
    Err(format!(
        "has {what} below its header. Write them into the header and leave the line out: {name} ({word})"
    ))
}
