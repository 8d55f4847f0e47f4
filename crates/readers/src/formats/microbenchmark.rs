//! The times of R's package `microbenchmark` as CSV, in nanoseconds, in the order of measurement.

use super::prelude::*;

/// The CSV of all times.
pub static FORMAT: Format = Format {
    name: "microbenchmark",
    sign: "a header `\"\",\"expr\",\"time\"`",
    harness: "microbenchmark",
    export: "write.csv(as.data.frame(result), FILE)",
    metrics: &[Meaning::of("time", "time of one evaluation")],
    fits: |head| has_header(head, &[b"expr,time", b",expr,time"]),
    read: Read::Row(row),
    ..Format::CSV
};

/// The table for people, which R breaks where it is wider than the console.
pub static TEXT: Format = Format {
    name: "microbenchmark-text",
    sign: "a line `Unit: ` above one that begins with `expr`",
    harness: "microbenchmark",
    export: "print(result)",
    values: Values::Aggregates,
    metrics: &[
        Meaning::of("time", "time of one evaluation, the mean"),
        Meaning::of("median", "time of one evaluation, the median"),
        Meaning::of("min", "shortest time of an evaluation"),
        Meaning::of("max", "longest time of an evaluation"),
    ],
    printed_by: &["Rscript"],
    words: &["Unit: "],
    fits: |head| {
        let mut lines = head.lines().filter(|line| !line.is_empty()).peekable();
        let mut has_header = false;
        while let Some(line) = lines.next() {
            let mut below = || lines.peek().and_then(|line| columns(std::str::from_utf8(line).ok()?));
            has_header |= line.starts_with(b"Unit: ") && below().is_some_and(|columns| columns[0] == "expr");
        }
        No::unless(has_header, "it has no such lines")
    },
    read: Read::Bytes(read_text),
    ..Format::PLAIN
};

/// The summary, whose unit neither the CSV nor a cell of it states.
pub static SUMMARY: Format = Format {
    name: "microbenchmark-summary",
    sign: "a header `\"expr\",\"min\",\"lq\",\"mean\",\"median\",\"uq\",\"max\",\"neval\"`",
    harness: "microbenchmark",
    values: Values::refused("a summary of microbenchmark", "write.csv(as.data.frame(result), FILE)"),
    fits: |head| has_header(head, &[SUMMARY_HEADER, b",expr,min,lq,mean,median,uq,max,neval"]),
    ..Format::PLAIN
};

const SUMMARY_HEADER: &[u8] = b"expr,min,lq,mean,median,uq,max,neval";

/// Whether the first line is one of these headers, with quotes or without.
fn has_header(head: &Head<'_>, headers: &[&[u8]]) -> Fit {
    let bare: Vec<u8> = head.header_line().iter().copied().filter(|&byte| byte != b'"').collect();
    No::unless(headers.contains(&bare.as_slice()), "its first line is not that header")
}

fn row(sheet: &mut Sheet, row: &Row<'_>) {
    let Some(benchmark) = sheet.need(row.text("expr"), row.line, "expression") else { return };
    let Some(time) = row.number(sheet, "time") else { return };
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let row = Measurement { benchmark: &benchmark, metric, line: row.line, process: Some(0), ..ROW };
    sheet.push(Measurement { value: time / 1e9, ..row });
}

/// The columns that a line names; with the package multcomp the last one has groups.
fn columns(line: &str) -> Option<Vec<&str>> {
    const COLUMNS: [&str; 9] = ["expr", "min", "lq", "mean", "median", "uq", "max", "neval", "cld"];
    let words: Vec<&str> = line.split_whitespace().collect();
    (!words.is_empty() && words.iter().all(|word| COLUMNS.contains(word))).then_some(words)
}

/// The cells of a row with their columns.
type Cells<'t> = Vec<(&'t str, &'t str)>;

/// The lines below a unit.
#[derive(Default)]
struct Table<'t> {
    /// How many of the unit a second has; `None` if it is no time, but a share or a rate.
    in_a_second: Option<f64>,
    columns: Vec<&'t str>,
    /// The expressions with the cells of their columns.
    rows: Vec<(u32, &'t str, Cells<'t>)>,
    /// The row that is next, where the table is broken.
    next: usize,
}

impl<'t> Table<'t> {
    /// Takes a line; false if it ends the table.
    fn line(&mut self, text: &'t str, line: u32) -> bool {
        if let Some(columns) = columns(text) {
            (self.columns, self.next) = (columns, 0);
            return true;
        }
        let names = usize::from(self.columns.first() == Some(&"expr"));
        let mut rest = text.trim_end();
        let mut cells = Vec::new();
        for column in self.columns[names..].iter().rev() {
            let Some((before, cell)) = rest.trim_end().rsplit_once(' ').or(Some(("", rest.trim()))) else {
                return false;
            };
            if *column != "cld" && number(cell).is_none() {
                return false;
            }
            cells.push((*column, cell));
            rest = before;
        }
        if names == 1 {
            self.rows.push((line, rest.trim(), cells));
        } else if let Some(row) = self.rows.get_mut(self.next).filter(|_| rest.trim().is_empty()) {
            row.2.extend(cells);
        } else {
            return false;
        }
        self.next += 1;
        true
    }

    fn end(self, sheet: &mut Sheet) {
        let Some(in_a_second) = self.in_a_second else {
            sheet.dropped(self.rows.len());
            return;
        };
        for (line, benchmark, cells) in self.rows {
            let cell = |name| cells.iter().find(|(column, _)| *column == name);
            let value = |name| cell(name).and_then(|(_, digits)| number(digits));
            for (column, name) in [("mean", "time"), ("median", "median"), ("min", "min"), ("max", "max")] {
                let Some(found) = value(column) else { continue };
                let metric = sheet.metric(name, || Metric {
                    primary: name == "time",
                    ..Metric::new(name, "s", Quantity::Time)
                });
                let aggregate = Some(Aggregate { count: value("neval"), deviation: None });
                let value = found / in_a_second;
                sheet.push(Measurement { benchmark, metric, value, line, aggregate, ..ROW });
            }
        }
    }
}

fn read_text(sheet: &mut Sheet, bytes: &[u8]) {
    let mut table: Option<Table<'_>> = None;
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        if let Some(unit) = text.trim_start().strip_prefix("Unit: ") {
            let in_a_second = match unit.trim() {
                "nanoseconds" | "ns" => Some(1e9),
                "microseconds" | "us" => Some(1e6),
                "milliseconds" | "ms" => Some(1e3),
                "seconds" | "s" => Some(1.0),
                _ => None,
            };
            let next = Table { in_a_second, ..Table::default() };
            if let Some(above) = table.replace(next) {
                above.end(sheet);
            }
            if in_a_second.is_none() {
                sheet.unknown_unit(line, "the table", unit);
            }
            continue;
        }
        let is_within = table.as_mut().is_some_and(|table| {
            !text.trim().is_empty() && (table.line(text, line) || is_broken(sheet, text, line))
        });
        if let Some(above) = table.take_if(|_| !is_within) {
            above.end(sheet);
        }
    }
    if let Some(last) = table {
        last.end(sheet);
    }
}

/// Whether a line has figures, but is no row; then it is a problem.
fn is_broken(sheet: &mut Sheet, text: &str, line: u32) -> bool {
    let is_figure = |word: &&str| number(word).is_some();
    let is_row = text.split_whitespace().filter(is_figure).count() > 1;
    if is_row {
        sheet.no_row(line, text);
    }
    is_row
}
