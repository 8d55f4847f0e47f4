//! Celero's CSV: a row for each experiment and problem space, in microseconds over several iterations.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "celero",
    sign: "a header `Group,Experiment,Problem Space,Samples,Iterations,Failure,Baseline,us/Iteration,…`",
    harness: "Celero",
    export: "-t FILE",
    files: &["*.csv"],
    keys: &[&[Key::work("problem_space", "size of the problem")]],
    metrics: &[
        Meaning::of("time", "time of one iteration, the mean over the samples"),
        Meaning::of("fastest", "time of one iteration in the fastest sample"),
    ],
    fits: |head| {
        let is_header = |header: &&[u8]| head.header_line().starts_with(header);
        No::unless(HEADERS.iter().any(is_header), "its first line is not that header")
    },
    read: Read::Row(row),
    ..Format::SUMMARY
};

/// Older versions do not say that an experiment failed.
const HEADERS: [&[u8]; 2] = [
    b"Group,Experiment,Problem Space,Samples,Iterations,Failure,Baseline,us/Iteration,",
    b"Group,Experiment,Problem Space,Samples,Iterations,Baseline,us/Iteration,",
];

fn row(sheet: &mut Sheet, row: &Row<'_>) {
    let needed = row.text("Group").zip(row.text("Experiment"));
    let Some((group, experiment)) = sheet.need(needed, row.line, "group or experiment") else { return };
    let benchmark = format!("{group}/{experiment}");
    if row.cell("Failure").is_some_and(|failed| failed != b"0") {
        return sheet.failed(row.line, benchmark, "");
    }
    let size = row.text("Problem Space").map(|size| ("problem_space".to_owned(), size.into_owned()));
    sheet.set_context(&size.into_iter().collect::<Vec<_>>());
    let count = row.number(sheet, "Samples");
    // The times of a sample are those of all its iterations; older versions have no columns of memory.
    let column = |name: &'static str, older: &'static str| {
        if row.header.iter().any(|known| known == name) { name } else { older }
    };
    let (mean, spread) =
        (column("T Mean (us)", "Mean (us)"), column("T Standard Deviation", "Standard Deviation"));
    let Some(iterations) = row.number(sheet, "Iterations").filter(|count| *count >= 1.0) else {
        return sheet.lacks(row.line, benchmark, "iterations");
    };
    if let Some(mean) = row.number(sheet, mean) {
        let deviation = row.number(sheet, spread).map(|spread| spread / iterations / 1e6);
        push(sheet, row, &benchmark, ("time", mean / iterations), Aggregate { count, deviation });
    }
    if let Some(fastest) = row.number(sheet, "us/Iteration") {
        push(sheet, row, &benchmark, ("fastest", fastest), Aggregate { count, deviation: None });
    }
}

/// Adds a number of microseconds.
fn push(sheet: &mut Sheet, row: &Row<'_>, benchmark: &str, (name, value): (&str, f64), aggregate: Aggregate) {
    let time = || Metric { primary: name == "time", ..Metric::new(name, "s", Quantity::Time) };
    let metric = sheet.metric(name, time);
    let (line, aggregate) = (row.line, Some(aggregate));
    sheet.push(Measurement {
        benchmark,
        metric,
        value: value / 1e6,
        line,
        process: Some(0),
        aggregate,
        ..ROW
    });
}
