//! hyperfine's CSV: the mean and the deviation of each command.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "hyperfine-csv",
    sign: "a header `command,mean,stddev,…` or, from version 2 on, `command,METRIC_unit,METRIC_mean,…`",
    harness: "hyperfine",
    export: "hyperfine --export-csv FILE",
    files: &["*.csv"],
    values: Values::Aggregates,
    keys: &[&[Key::setting(PARAMETER, "value of the only parameter, as hyperfine wrote it before 1.9")]],
    metrics: &[
        Meaning::of("time", "elapsed time of a run of the command, the mean over its runs"),
        Meaning::of("memory", "largest resident memory of a run, the mean over the runs"),
        Meaning::of("user (mean)", "mean processor time in the program"),
        Meaning::of("system (mean)", "mean processor time in the system for the program"),
    ],
    parts: names::command,
    fits: |head| {
        let first = head.header_line();
        let is_new = first.starts_with(b"command,") && memchr::memmem::find(first, b"_unit,").is_some();
        let is_old = HEADERS.iter().any(|header| first.starts_with(header));
        No::unless(is_old || is_new, "its first line is not that header")
    },
    read: Read::Row(row),
    ..Format::PLAIN
};

/// Versions before 1.6 have no median.
const HEADERS: [&[u8]; 2] =
    [b"command,mean,stddev,median,user,system,min,max", b"command,mean,stddev,user,system,min,max"];

/// The column of a parameter that has no name.
const PARAMETER: &str = "parameter";

fn row(sheet: &mut Sheet, row: &Row<'_>) {
    let Some(command) = sheet.need(row.text("command"), row.line, "command") else { return };
    let only = row.text(PARAMETER).map(|value| (PARAMETER.to_owned(), value.into_owned()));
    let mut context: Context = only.into_iter().collect();
    for (column, cell) in row.cells() {
        if let Some(parameter) = column.strip_prefix("parameter_") {
            parameters::add(sheet, &mut context, parameter, lossless(cell).into_owned());
        }
    }
    sheet.set_context(&context);
    for (mean, spread, name) in
        [("mean", "stddev", "time"), ("user", "", "user (mean)"), ("system", "", "system (mean)")]
    {
        push(sheet, row, &command, [mean, spread], name, "s");
    }
    let is_input = |column: &str| matches!(column, "command" | PARAMETER) || column.starts_with("parameter_");
    if row.cells().all(|(column, _)| is_input(column)) {
        let what = format!("{} has no result; did it fail?", excerpt(command.as_bytes()));
        return sheet.problem(Code::NoResults, row.line, what, "");
    }
    for column in row.header {
        let Some(stem) = column.strip_suffix("_unit") else { continue };
        let name = match stem {
            "time_wall_clock" => "time",
            "memory_peak_resident" => "memory",
            other => other.strip_prefix("time_").unwrap_or(other),
        };
        let unit = row.text(column).unwrap_or_default();
        push(sheet, row, &command, [&format!("{stem}_mean"), &format!("{stem}_stddev")], name, &unit);
    }
}

/// Whether the fastest run is the slowest. hyperfine writes the deviation of one run as 0.
fn is_one_run(row: &Row<'_>) -> bool {
    let is_same = |least, most| row.cell(least).is_some_and(|least| row.cell(most) == Some(least));
    is_same("min", "max") || is_same("time_wall_clock_min", "time_wall_clock_max")
}

/// Adds a mean with its deviation. The file does not say how many runs there were.
fn push(sheet: &mut Sheet, row: &Row<'_>, benchmark: &str, columns: [&str; 2], name: &str, unit: &str) {
    let Some(value) = row.number(sheet, columns[0]) else { return };
    let deviation = row.number(sheet, columns[1]).filter(|_| !is_one_run(row));
    let known = if unit.is_empty() { meaning("count") } else { meaning(unit) };
    if known.quantity == Quantity::Other {
        return sheet.unknown_unit(row.line, name, unit);
    }
    let make =
        || Metric { primary: name == "time", ..Metric::new(name, &known.base, known.quantity).never_exact() };
    let metric = sheet.metric(name, make);
    let deviation = deviation.map(|deviation| known.scale.apply(deviation));
    let (value, aggregate) = (known.scale.apply(value), Some(Aggregate { count: None, deviation }));
    sheet.push(Measurement { benchmark, metric, value, line: row.line, aggregate, ..ROW });
}
