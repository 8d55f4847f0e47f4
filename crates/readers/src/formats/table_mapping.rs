//! Plain tables: the roles that the user gives to columns, and whether a table needs them.

use std::collections::HashSet;

use super::table_columns::{BENCHMARK, Preview, is_value};
use super::table_headers::Header;
use super::table_repetitions::{REPETITION, matching};
use super::table_units::split_header;
use crate::Options;
use crate::text::listed;

/// Roles that a caller can assign to a column.
const ROLES: &str =
    "benchmark, value, metric, unit, block, process, better, variant, repetition, setting, count, ignore";

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
            "metric" if preview.is_numeric(column) => RESULT,
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

/// Whether a table can be read without a mapping, or needs one only for some columns: tidy, or its first column is the
/// benchmark (or any is called so) and a unit or only numbers tell that others are results.
pub(super) fn speaks_for_itself(header: &[String], preview: &dyn Preview) -> bool {
    let is_benchmark = |known: &String| BENCHMARK.iter().any(|name| name.eq_ignore_ascii_case(known));
    if header.iter().any(is_benchmark) && header.iter().any(|name| is_value(split_header(name).0)) {
        return true;
    }
    let Some(first) = header.iter().position(|name| !is_row_number(name)) else { return false };
    let numeric = |column| preview.is_numeric(column);
    let measured = |column: usize| numeric(column) && Header::of(&header[column]).has_unit();
    let is =
        |column: usize, names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(&header[column]));
    let mut rest = first + 1..header.len();
    let named = is(first, &BENCHMARK) || rest.clone().any(|column| is(column, &["benchmark", "bench"]));
    (BENCHMARK.contains(&header[first].as_str()) && !rest.is_empty() && rest.clone().all(numeric))
        || (named && (rest.any(measured) || measured(first)))
}

/// Whether a column holds the numbers of rows, as data frames write them, or follows a separator at the end.
pub(super) fn is_row_number(header: &str) -> bool {
    let name = header.trim();
    name.is_empty() || name.strip_prefix("Unnamed: ").is_some_and(|number| number.parse::<u32>().is_ok())
}
