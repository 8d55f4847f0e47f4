//! JMH's CSV: a mean for each benchmark, with its error and the number of iterations.

use super::jmh::{METRICS, MODE};
use super::prelude::*;
use super::{jmh_units, student};

pub static FORMAT: Format = Format {
    name: "jmh-csv",
    sign: "a header `\"Benchmark\",\"Mode\",\"Threads\",\"Samples\",\"Score\",…`, or with semicolons",
    harness: "JMH",
    export: "-rf csv -rff FILE",
    files: &["*.csv"],
    values: Values::Aggregates,
    keys: &[&[Key::work("threads", "number of threads that run the benchmark"), MODE]],
    metrics: METRICS,
    parts: names::method,
    fits: |head| No::unless(separator(head.header_line()).is_some(), "its first line is not that header"),
    read: Read::Sheet(|sheet, content| {
        let bytes = content.all()?;
        let (header, _) = csv_rows::below_comments(&bytes, 1);
        let separator =
            separator(header.split(|&byte| byte == b'\n').next().unwrap_or_default()).unwrap_or(b',');
        csv_rows::each_between(separator, &bytes, 1, sheet, row)
    }),
    ..Format::PLAIN
};

const HEADER: [&str; 5] = ["Benchmark", "Mode", "Threads", "Samples", "Score"];

/// The separator of the cells: a comma of `-rf csv`, a semicolon of `-rf scsv`.
fn separator(header: &[u8]) -> Option<u8> {
    let begins = |separator: &u8| {
        let cells = header.split(|byte| byte == separator).take(HEADER.len());
        cells.eq(HEADER.map(|column| format!("\"{column}\"").into_bytes()))
    };
    b",;".iter().copied().find(begins)
}

/// A number. JMH writes numbers and the level of the error as the language of the machine does, and groups no digits.
fn figure(sheet: &mut Sheet, row: &Row<'_>, column: &str) -> Option<f64> {
    let cell = row.cell(column)?;
    if row.header.iter().any(|column| column.starts_with(ERROR) && column.contains(',')) {
        let point: Vec<u8> = cell.iter().map(|&byte| if byte == b',' { b'.' } else { byte }).collect();
        return row.number_in(sheet, column, &point);
    }
    row.number_in(sheet, column, cell)
}

/// What the name of the column of errors begins with. The level is 99.9 %.
const ERROR: &str = "Score Error (";

fn row(sheet: &mut Sheet, row: &Row<'_>) {
    let needed = row.text("Benchmark").zip(row.text("Mode"));
    let Some((name, mode)) = sheet.need(needed, row.line, "benchmark or mode") else { return };
    let unit = row.text("Unit").unwrap_or_default();
    // The metrics of profilers and the percentiles follow the name.
    let (benchmark, known) = match name.split_once(':') {
        Some((benchmark, metric)) => {
            let metric = jmh_units::name(benchmark, metric);
            (benchmark, jmh_units::secondary(&metric, &unit))
        }
        None => (&*name, jmh_units::primary(&mode, &unit)),
    };
    let Some(known) = known else {
        return sheet.unknown_unit(row.line, name.as_bytes(), unit.as_bytes());
    };
    if row.cell("Score") == Some(b"NaN") && !known.metric.primary {
        return;
    }
    let Some(score) = figure(sheet, row, "Score") else { return };
    if score == 0.0 && matches!(&*unit, "ms/op" | "s/op" | "min/op" | "hr/op" | "day/op") {
        let what =
            format!("{} is 0 {unit}: JMH writes six decimals, which were too few", excerpt(name.as_bytes()));
        return sheet.problem(
            Code::MalformedNumber,
            row.line,
            what,
            "write JSON (-rf json), or measure with -tu ns",
        );
    }
    let mut context = vec![(MODE.name.to_owned(), mode.into_owned())];
    context.extend(row.text("Threads").map(|threads| ("threads".to_owned(), threads.into_owned())));
    for (column, cell) in row.cells() {
        if let Some(parameter) = column.strip_prefix("Param: ") {
            parameters::add(sheet, &mut context, parameter, lossless(cell).into_owned());
        }
    }
    sheet.set_context(&context);
    // Of a percentile JMH states one sample, whatever their number.
    let count = row.number(sheet, "Samples").filter(|&count| count > 1.0);
    let column = row.header.iter().find(|column| column.starts_with(ERROR));
    let error = column.and_then(|column| figure(sheet, row, column));
    let deviation = error.zip(count).and_then(|(error, count)| student::deviation(error, count));
    let deviation = deviation.map(|deviation| known.scale.apply(deviation));
    let metric = sheet.metric_of(known.metric);
    let (value, aggregate) = (known.scale.apply(score), Some(Aggregate { count, deviation }));
    sheet.push(Measurement { benchmark, metric, value, line: row.line, aggregate, ..ROW });
}
