//! JMH's CSV: a mean for each benchmark, with the number of iterations.

use std::io;
use std::path::Path;

use super::csv_rows::{self, Row};
use super::format::{Format, Key, Processes, Role, Values};
use super::head::No;
use super::jmh::{METRICS, MODE};
use super::{jmh_units, names, parameters};
use crate::formats::format::Options;
use crate::problem::Code;
use crate::sheet::{Aggregate, Measurement, Sheet};
use crate::source::Content;
use crate::text::excerpt;

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "jmh-csv",
    sign: "a header `\"Benchmark\",\"Mode\",\"Threads\",\"Samples\",\"Score\",…`",
    harness: "JMH",
    export: "-rf csv -rff FILE",
    files: &["*.csv"],
    values: Values::Aggregates,
    processes: Processes::Unknown,
    keys: &[&[Key::of_work("threads", Role::Setting, "number of threads that run the benchmark"), MODE]],
    metrics: METRICS,
    parts: names::method,
    fits: |head| No::unless(head.header_line().starts_with(HEADER), "its first line is not that header"),
    read,
    ..Format::PLAIN
};

const HEADER: &[u8] = br#""Benchmark","Mode","Threads","Samples","Score","#;

/// What JMH prints for people.
pub static TEXT: Format = Format {
    name: "jmh-text",
    sign: "a line with `# JMH version:`, or a table with `Mode`, `Cnt`, `Score` and `Units`, or a header `\"Benchmark\";\"Mode\";…`",
    harness: "JMH",
    values: Values::Refused {
        why: "what JMH prints for people or with semicolons",
        export: "-rf json -rff FILE",
    },
    fits: |head| {
        let is_table = |line: &[u8]| {
            line.starts_with(b"Benchmark ")
                && ["Mode", "Score", "Units"]
                    .iter()
                    .all(|word| crate::text::fields(line).any(|field| field == word.as_bytes()))
        };
        let is_text = |line: &[u8]| {
            line.starts_with(b"# JMH version:")
                || line.starts_with(br#""Benchmark";"Mode";"#)
                || is_table(line)
        };
        No::unless(head.lines().any(is_text), "it has no such line")
    },
    ..Format::PLAIN
};

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    csv_rows::each(&content.all()?, 1, &mut sheet, row)?;
    Ok(vec![sheet])
}

/// The score. JMH writes numbers and the level of the error as the language of the machine does, and groups no digits.
fn score(sheet: &mut Sheet, row: &Row<'_>) -> Option<f64> {
    let cell = row.cell("Score")?;
    if row.header.iter().any(|column| column.starts_with("Score Error (") && column.contains(',')) {
        let point: Vec<u8> = cell.iter().map(|&byte| if byte == b',' { b'.' } else { byte }).collect();
        return row.number_in(sheet, "Score", &point);
    }
    row.number_in(sheet, "Score", cell)
}

fn row(sheet: &mut Sheet, row: &Row<'_>) {
    let (Some(name), Some(mode)) = (row.text("Benchmark"), row.text("Mode")) else {
        return sheet.problem(Code::MalformedRecord, row.line, "a row without a benchmark or a mode", "");
    };
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
        let what = format!("{} has the unknown unit {}", excerpt(name.as_bytes()), excerpt(unit.as_bytes()));
        return sheet.problem(Code::MalformedRecord, row.line, what, "");
    };
    if row.cell("Score") == Some(b"NaN") && !known.metric.primary {
        return;
    }
    let Some(score) = score(sheet, row) else { return };
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
            parameters::add(sheet, &mut context, parameter, crate::text::lossless(cell).into_owned());
        }
    }
    sheet.set_context(&context);
    // Of a percentile JMH states one sample, whatever their number.
    let count = row.number(sheet, "Samples").filter(|&count| count > 1.0);
    let metric = sheet.metric_of(known.metric);
    sheet.push(Measurement {
        benchmark,
        metric,
        value: known.scale.apply(score),
        line: row.line,
        aggregate: Some(Aggregate { count, deviation: None }),
        ..Measurement::default()
    });
}
