//! Otava's CSV: a row for each run of a test, with its time, its commit and its metrics.

use super::otava_json;
use super::prelude::*;
use super::tables::keys::BENCHMARK;
use super::tables::{headers::Header, name_words::Holds};

pub static FORMAT: Format = Format {
    name: "otava-csv",
    sign: "a header that begins with `time` and has `commit` and no name of a benchmark",
    harness: "Otava",
    export: "the file of a test of type csv",
    files: &["*.csv"],
    processes: Processes::Stated,
    keys: otava_json::KEYS,
    fits: |head| {
        let line = head.header_line();
        let columns = || line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
        No::unless(
            columns().next() == Some(b"time") && columns().any(|column| column == b"commit"),
            "it has no such header",
        )?;
        let names_benchmarks =
            |column: &[u8]| BENCHMARK.iter().any(|name| column.eq_ignore_ascii_case(name.as_bytes()));
        No::unless(!columns().any(names_benchmarks), "a column names the benchmark")?;
        let below = head.lines().skip_while(|other| *other != line).nth(1).unwrap_or_default();
        let first = below.split(|&byte| byte == b',').next().unwrap_or_default().trim_ascii();
        // Seconds since 1970, or a date in any notation; other numbers are times that were measured.
        let is_date = |cell: &[u8]| cell.contains(&b':') || cell.contains(&b'-');
        let is_moment = |cell: &[u8]| is_date(cell) || number(cell).is_some_and(|seconds| seconds >= 1e8);
        No::unless(first.is_empty() || is_moment(first), "its times are no moments")
    },
    read: Read::Sheet(|sheet, content| {
        let mut table = Table::default();
        csv_rows::each(&content.all()?, 1, sheet, |sheet, row| table.row(sheet, row))
    }),
    values: Values::Aggregates,
    ..Format::PLAIN
};

#[derive(Default)]
struct Table {
    /// The number of the current run.
    run: u32,
    /// The columns of which it was said that they are unclear.
    unclear: Vec<String>,
}

impl Table {
    fn row(&mut self, sheet: &mut Sheet, row: &Row<'_>) {
        let mut context = Context::new();
        let mut results = Vec::new();
        for (column, cell) in row.cells() {
            let header = Header::of(column);
            match (column, header.holds) {
                ("time", _) => context.push(("date".to_owned(), lossless(cell).into_owned())),
                ("commit" | "branch" | "version", _) => {
                    context.push((column.to_owned(), lossless(cell).into_owned()));
                }
                (_, Holds::Results | Holds::Mean | Holds::Summary) => results.push((column, cell)),
                (_, Holds::Deviation | Holds::Spread | Holds::Count) => sheet.dropped(1),
                (_, Holds::Unknown) if number(cell).is_some() => {
                    self.ask(sheet, column, row.line);
                }
                _ => parameters::add(sheet, &mut context, column, lossless(cell).into_owned()),
            }
        }
        sheet.set_context(&context);
        for (column, cell) in results {
            push(sheet, row, column, cell, self.run);
        }
        self.run += 1;
    }

    /// Says once of a column that nobody knows whether it holds results: only Otava's configuration tells.
    fn ask(&mut self, sheet: &mut Sheet, column: &str, line: u32) {
        if self.unclear.iter().any(|known| known == column) {
            return;
        }
        self.unclear.push(column.to_owned());
        let what = format!("the column {} holds results or settings; it was left out", excerpt(column));
        let hint = "rename it so that it ends in the unit of its results, such as `_ms`";
        sheet.malformed(line, what, hint);
    }
}

fn push(sheet: &mut Sheet, row: &Row<'_>, column: &str, cell: &[u8], process: u32) {
    let Some(value) = row.number_in(sheet, column, cell) else { return };
    let (metric, scale) = tracked::named(column);
    let metric = sheet.metric(column, || metric);
    let (value, aggregate) = (scale.apply(value), Some(Aggregate::default()));
    let row = Measurement { benchmark: otava_json::BENCHMARK, metric, value, line: row.line, ..ROW };
    sheet.push(Measurement { process: Some(process), aggregate, ..row });
}
