//! The measurements of `BenchmarkDotNet` as CSV: a row for each iteration of each stage.

use super::benchmarkdotnet::{JOB, add_parameters};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "benchmarkdotnet-measurements",
    sign: "a header with `Measurement_Nanoseconds` and `Measurement_Operations`",
    harness: "BenchmarkDotNet",
    export: "--exporters csvmeasurements",
    values: Values::Averages,
    processes: Processes::Stated,
    keys: &[&[JOB]],
    metrics: &[
        Meaning::of(
            "time",
            "time of one operation, the mean over an iteration, without the overhead of the loop",
        ),
        Meaning::of("allocated", "bytes that one operation allocates"),
    ],
    parts: names::method,
    fits: |head| No::unless(separator(head.header_line()).is_some(), "it has no such header"),
    read: Read::Sheet(|sheet, content| {
        let bytes = content.all()?;
        let (header, _) = csv_rows::below_comments(&bytes, 1);
        let separator =
            separator(header.split(|&byte| byte == b'\n').next().unwrap_or_default()).unwrap_or(b',');
        let mut reader = Reader::default();
        csv_rows::each_between(separator, &bytes, 1, sheet, |sheet, row| reader.row(sheet, row))?;
        reader.ends(sheet);
        Ok(())
    }),
    files: &["*.csv"],
    ..Format::PLAIN
};

/// The separator of the cells, which follows the language of the machine.
fn separator(header: &[u8]) -> Option<u8> {
    let has = |separator: u8, column: &str| {
        let mut cells = header.split(|byte| *byte == separator);
        cells.any(|cell| cell.trim_ascii() == column.as_bytes())
    };
    b",;\t".iter().copied().find(|&separator| has(separator, TIME) && has(separator, OPERATIONS))
}

const TIME: &str = "Measurement_Nanoseconds";
const OPERATIONS: &str = "Measurement_Operations";

/// The columns of which each combination is a benchmark with its parameters and its job.
const CASE: [&str; 7] =
    ["Target", "Target_Namespace", "Target_Type", "Target_Method", "Job_Id", "Job_Display", "Params"];

#[derive(Default)]
struct Reader {
    case: Option<Case>,
    names: Numbered,
    /// The number of the run, of those that were appended to the file, and its processes so far.
    run: u32,
    processes: u32,
}

/// A benchmark with its parameters and its job, whose rows follow one another.
struct Case {
    name: String,
    line: u32,
    cells: [Vec<u8>; CASE.len()],
    /// The launch and the number of the last result.
    last: Option<[f64; 2]>,
}

impl Reader {
    fn row(&mut self, sheet: &mut Sheet, row: &Row<'_>) {
        if self.run != row.run {
            self.ends(sheet);
            self.names.clear();
            (self.run, self.processes) = (row.run, 0);
        }
        let has = |column: &str, word: &str| row.cell(column) == Some(word.as_bytes());
        // Before 0.11 the stage was part of the mode.
        let is_result = has("Measurement_IterationMode", "Result")
            || (has("Measurement_IterationMode", "Workload") && has("Measurement_IterationStage", "Result"));
        let place = |column: &str| row.cell(column).and_then(number).unwrap_or(f64::NAN);
        let place = [place("Measurement_LaunchIndex"), place("Measurement_IterationIndex")];
        let case = self.case.as_ref().filter(|case| {
            let is_same = CASE.iter().zip(&case.cells).all(|(column, cell)| cell_of(row, column) == cell);
            // Results are numbered within a launch: where the numbers begin again, another case looks the same.
            is_same && !(is_result && case.last.is_some_and(|last| place <= last))
        });
        if case.is_none() && !self.begins(sheet, row) {
            return;
        }
        let Some(case) = self.case.as_mut().filter(|_| is_result) else { return };
        if case.last.is_none_or(|last| last[0].to_bits() != place[0].to_bits()) {
            self.processes = self.processes.saturating_add(1);
        }
        case.last = Some(place);
        let figure =
            |sheet: &mut Sheet, column: &str| row.number_in(sheet, column, &pointed(row.cell(column)?));
        let (time, count) = (figure(sheet, TIME), figure(sheet, OPERATIONS));
        let needed = time.zip(count.filter(|&count| count > 0.0));
        let Some((time, count)) = sheet.need_number(needed, row.line, "a result", &case.name, "") else {
            return;
        };
        let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
        let (value, process) = (time / count / 1e9, Some(self.processes - 1));
        sheet.push(Measurement { benchmark: &case.name, metric, value, line: row.line, process, ..ROW });
    }

    /// Begins a case; false, with a problem, if the row does not name one.
    fn begins(&mut self, sheet: &mut Sheet, row: &Row<'_>) -> bool {
        self.ends(sheet);
        let Some(method) = sheet.need(row.text("Target_Method"), row.line, "method") else {
            return false;
        };
        let parts = [row.text("Target_Namespace"), row.text("Target_Type"), Some(method)];
        let mut name = parts.into_iter().flatten().collect::<Vec<_>>().join(".");
        let mut context = Context::new();
        if let Some(job) = row.text("Job_Display").or_else(|| row.text("Job_Id")) {
            context.push((JOB.name.to_owned(), job.into_owned()));
        }
        if let Some(given) = row.text("Params") {
            add_parameters(sheet, &mut context, &mut name, &given);
        }
        // Long parameters are shortened, and types of a generic class are left out: cases can look the same.
        let cells = CASE.map(|column| cell_of(row, column).to_owned());
        let shown = cells.iter().map(|cell| String::from_utf8_lossy(cell)).collect::<Vec<_>>().join("\0");
        if let Some((_, number)) = self.names.name(shown.clone()).split_at_checked(shown.len()) {
            name.push_str(number);
        }
        sheet.set_context(&context);
        // `?` stands for what was not measured.
        if let Some(bytes) = row.cell("Allocated_Bytes").filter(|cell| *cell != b"?")
            && let Some(value) = row.number_in(sheet, "Allocated_Bytes", &pointed(bytes))
        {
            let metric =
                sheet.metric("allocated", || Metric::new("allocated", "B", Quantity::Bytes).secondary());
            let aggregate = Some(Aggregate::default());
            let row = Measurement { benchmark: &name, metric, value, line: row.line, ..ROW };
            sheet.push(Measurement { aggregate, ..row });
        }
        self.case = Some(Case { name, line: row.line, cells, last: None });
        true
    }

    /// Ends a case.
    fn ends(&mut self, sheet: &mut Sheet) {
        if let Some(case) = self.case.take().filter(|case| case.last.is_none()) {
            sheet.failed(case.line, case.name, "");
        }
    }
}

/// The cell of a column; empty if there is none.
fn cell_of<'r>(row: &'r Row<'_>, column: &str) -> &'r [u8] {
    row.cell(column).unwrap_or_default()
}

/// A number with a decimal point. `BenchmarkDotNet` writes up to two decimals, behind the mark of the language that the
/// configuration names, and does not group digits.
fn pointed(cell: &[u8]) -> Cow<'_, [u8]> {
    let decimals = cell.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    match cell.len().checked_sub(decimals + 1).filter(|&at| cell[at] == b',' && decimals <= 2) {
        Some(at) => Cow::Owned([&cell[..at], b".", &cell[at + 1..]].concat()),
        None => Cow::Borrowed(cell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_before_two_decimals_is_a_decimal_mark() {
        for (cell, expected) in [
            ("4000", "4000"),
            ("4000.25", "4000.25"),
            ("4000,2", "4000.2"),
            ("4000,25", "4000.25"),
            ("4,000", "4,000"),
            (",", "."),
            ("", ""),
        ] {
            assert_eq!(&*pointed(cell.as_bytes()), expected.as_bytes());
        }
    }
}
