//! The times of R's package `microbenchmark` as CSV, in nanoseconds, in the order of measurement.

use std::io;

use super::csv_rows::{self, Row};
use super::format::{Format, Meaning, Processes, Values};
use super::head::{Fit, Head, No};
use crate::metric::{Metric, Quantity};
use crate::problem::Code;
use crate::sheet::{Measurement, Sheet};
use crate::source::Content;

/// The CSV of all times.
pub static FORMAT: Format = Format {
    name: "microbenchmark",
    sign: "a header `\"\",\"expr\",\"time\"`",
    harness: "microbenchmark",
    export: "write.csv(as.data.frame(result), FILE)",
    files: &["*.csv"],
    values: Values::Samples,
    processes: Processes::OneAFile,
    metrics: &[Meaning::of("time", "time of one evaluation")],
    fits: |head| has_header(head, &[b"expr,time", b",expr,time"]),
    read: |name, _, content, _| read(name, content),
    ..Format::PLAIN
};

/// The summary, whose unit neither the CSV nor a cell of it states, and the table for people.
pub static SUMMARY: Format = Format {
    name: "microbenchmark-summary",
    sign: "a header `\"expr\",\"min\",\"lq\",\"mean\",\"median\",\"uq\",\"max\",\"neval\"`, or `Unit: ` above such words",
    harness: "microbenchmark",
    values: Values::Refused {
        why: "a summary of microbenchmark",
        export: "write.csv(as.data.frame(result), FILE)",
    },
    fits: |head| {
        has_header(head, &[SUMMARY_HEADER, b",expr,min,lq,mean,median,uq,max,neval"]).or_else(|no| {
            let is_header = |line: &[u8]| {
                let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
                // With the package multcomp a column of groups follows.
                words.filter(|word| *word != b"cld").collect::<Vec<_>>().join(&b","[..]) == SUMMARY_HEADER
            };
            if head.first_line().starts_with(b"Unit: ") && head.lines().any(is_header) {
                Ok(())
            } else {
                Err(no)
            }
        })
    },
    ..Format::PLAIN
};

const SUMMARY_HEADER: &[u8] = b"expr,min,lq,mean,median,uq,max,neval";

/// Whether the first line is one of these headers, with quotes or without.
fn has_header(head: &Head<'_>, headers: &[&[u8]]) -> Fit {
    let bare: Vec<u8> = head.header_line().iter().copied().filter(|&byte| byte != b'"').collect();
    No::unless(headers.contains(&bare.as_slice()), "its first line is not that header")
}

fn read(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    csv_rows::each(&content.all()?, 1, &mut sheet, row)?;
    Ok(vec![sheet])
}

fn row(sheet: &mut Sheet, row: &Row<'_>) {
    let Some(benchmark) = row.text("expr") else {
        return sheet.problem(Code::MalformedRecord, row.line, "a row without an expression", "");
    };
    let Some(time) = row.number(sheet, "time") else { return };
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    sheet.push(Measurement {
        benchmark: &benchmark,
        metric,
        value: time / 1e9,
        line: row.line,
        process: Some(0),
        ..Measurement::default()
    });
}
