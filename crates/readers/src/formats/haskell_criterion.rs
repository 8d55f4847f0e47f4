//! Haskell's criterion: the measurements in its JSON, and the means in its CSV. miniterion, which has its interface, writes
//! the same files with other units, and tasty-bench's CSV is similar.

use super::prelude::*;

/// The JSON: `["criterion", VERSION, [REPORT, …]]`.
pub static JSON: Format = Format {
    name: "haskell-criterion",
    sign: "a list of `\"criterion\"`, a version and objects with `reportName` and `reportMeasured`",
    harness: "criterion for Haskell",
    export: "--json FILE",
    values: Values::Averages,
    keys: &[&[Key::setting("library_version", "version of the library")]],
    metrics: &[
        Meaning::of("time", "time of one iteration, the mean over a measurement of 30 ms or more"),
        Meaning::of("cpuTime", "processor time of one iteration, the mean over such a measurement"),
    ],
    fits: |head| head.has_all(&["[][].reportName", "[][].reportMeasured"]),
    read: Read::Sheet(read_json),
    ..Format::JSON
};

/// The CSV of the means.
pub static CSV: Format = Format {
    name: "haskell-criterion-csv",
    sign: "a header `Name,Mean,MeanLB,MeanUB,Stddev,StddevLB,StddevUB`",
    harness: "criterion for Haskell",
    export: "--csv FILE",
    files: &["*.csv"],
    values: Values::Aggregates,
    metrics: TASTY_BENCH.metrics,
    fits: |head| {
        let rest = head.header_line().strip_prefix(HEADER.as_bytes());
        No::unless(
            rest.is_some_and(|rest| rest.is_empty() || rest == MEMORY),
            "its first line is not that header",
        )
    },
    read: Read::Sheet(read_means),
    ..Format::PLAIN
};

const HEADER: &str = "Name,Mean,MeanLB,MeanUB,Stddev,StddevLB,StddevUB";

/// The columns that miniterion adds if the program collects statistics of its memory.
const MEMORY: &[u8] = b",Allocated,Copied,Peak Memory";

/// The CSV of tasty-bench, in picoseconds, with twice the deviation.
pub static TASTY_BENCH: Format = Format {
    name: "tasty-bench",
    sign: "a header `Name,Mean (ps),2*Stdev (ps)`",
    harness: "tasty-bench",
    export: "--csv FILE",
    files: &["*.csv"],
    values: Values::Aggregates,
    metrics: &[
        Meaning::of("time", "time of one iteration, the mean over the measurements"),
        Meaning::of("allocated", "bytes that one iteration allocates"),
        Meaning::of("copied", "bytes that the garbage collections of one iteration copy"),
        Meaning::of("peak_memory", "largest memory of the process until then"),
    ],
    fits: |head| {
        let is_header = head.header_line().starts_with(b"Name,Mean (ps),2*Stdev (ps)");
        No::unless(is_header, "its first line is not that header")
    },
    read: Read::Row(|sheet, row| picoseconds(sheet, row, "Mean (ps)", "2*Stdev (ps)")),
    ..Format::PLAIN
};

/// Shorter measurements are warm-up: criterion's own mean is without them.
const LONG_ENOUGH: f64 = 0.03;

fn read_json(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let parts = Span::new(&bytes, 1, content.budget.limits.values).spans(sheet)?;
    let [_, version, reports] = parts[..] else {
        if sheet.problems.is_empty() {
            sheet.lacks(1, "the file", "list of three elements");
        }
        return Ok(());
    };
    let version = plain(&version.value(sheet)?);
    sheet.set_context(&[("library_version".to_owned(), version)]);
    reports.each(sheet, report)
}

fn report(sheet: &mut Sheet, report: &Value<'_>, line: u32) {
    let line = report.object().map_or(line, |report| report.line);
    let Some(benchmark) = sheet.need(report.text_of("reportName"), line, "name") else {
        return;
    };
    let keys = report.elements("reportKeys");
    let place = |name: &str| keys.iter().position(|key| key.text() == Some(name));
    let needed = place("time").zip(place("iters"));
    let Some((time, iterations)) = sheet.need_of(needed, line, benchmark, "times or iterations") else {
        return;
    };
    let places = [("time", Some(time)), ("cpuTime", place("cpuTime"))];
    let mut found = false;
    for measured in report.elements("reportMeasured") {
        let mut number = |place: usize| {
            measured.list().and_then(|list| list.get(place)).and_then(|value| number_of(sheet, value, line))
        };
        let both = number(time).zip(number(iterations));
        let Some((long, count)) = sheet.need_of(both, line, benchmark, "time of a measurement") else {
            continue;
        };
        if long >= LONG_ENOUGH && count >= 1.0 {
            found = true;
            push_all(sheet, benchmark, measured, &places, count, line);
        }
    }
    if !found {
        let what = format!("no measurement of {} is as long as 30 ms", excerpt(benchmark));
        sheet.problem(
            Code::NoResults,
            line,
            what,
            "criterion needs such for its mean too. Measure longer: -L 5",
        );
    }
}

fn push_all(
    sheet: &mut Sheet,
    benchmark: &str,
    measured: &Value<'_>,
    places: &[(&str, Option<usize>)],
    count: f64,
    line: u32,
) {
    for (name, place) in places {
        let value = place.and_then(|place| measured.list()?.get(place));
        let Some(total) = value.and_then(|value| number_of(sheet, value, line)) else { continue };
        let time = || Metric { primary: *name == "time", ..Metric::new(name, "s", Quantity::Time) };
        let metric = sheet.metric(name, time);
        let value = total / count;
        sheet.push(Measurement { benchmark, metric, value, line, process: Some(0), ..ROW });
    }
}

/// The columns that show who wrote a file: criterion writes fractions of seconds, which always have a point, an exponent or
/// a word; miniterion writes whole picoseconds.
const TOLD_BY: [&str; 2] = ["Mean", "Stddev"];

fn read_means(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let (mut some_whole, mut some_fraction) = (false, false);
    // The rows are read again below, with their problems.
    csv_rows::each(&bytes, 1, &mut Sheet::new(&sheet.source), |_, row| {
        for cell in TOLD_BY.into_iter().filter_map(|column| row.cell(column)) {
            some_whole |= is_whole(cell);
            some_fraction |= !is_whole(cell) && number(cell).is_some();
        }
    })?;
    let is_miniterion = some_whole && !some_fraction;
    csv_rows::each(&bytes, 1, sheet, |sheet, row| {
        if is_miniterion {
            picoseconds(sheet, row, "Mean", "Stddev");
        } else {
            seconds(sheet, row);
        }
    })
}

/// Whether a cell consists of digits alone.
fn is_whole(cell: &[u8]) -> bool {
    cell.iter().all(u8::is_ascii_digit)
}

/// Reads a row of criterion.
fn seconds(sheet: &mut Sheet, row: &Row<'_>) {
    let whole = TOLD_BY.into_iter().find(|column| row.cell(column).is_some_and(is_whole));
    if let Some(column) = whole {
        let what = format!("{column} is a whole number, but other rows have fractions");
        let hint =
            "criterion writes seconds such as 1.0e-3, miniterion whole picoseconds: do not join their files";
        return sheet.malformed(row.line, what, hint);
    }
    let deviation = row.number(sheet, "Stddev");
    push_mean(sheet, row, ["Mean", "time", "s"], Aggregate { count: None, deviation }, 1.0);
}

/// Reads a row of tasty-bench or miniterion: picoseconds, and twice the deviation.
fn picoseconds(sheet: &mut Sheet, row: &Row<'_>, mean: &str, twice: &str) {
    let deviation = row.number(sheet, twice).map(|twice| twice / 2.0 / 1e12);
    push_mean(sheet, row, [mean, "time", "s"], Aggregate { count: None, deviation }, 1e12);
    for column in
        [["Allocated", "allocated", "B"], ["Copied", "copied", "B"], ["Peak Memory", "peak_memory", "B"]]
    {
        push_mean(sheet, row, column, Aggregate::default(), 1.0);
    }
}

/// Adds the number of a column, under the name of a metric with this unit.
fn push_mean(
    sheet: &mut Sheet,
    row: &Row<'_>,
    [column, name, unit]: [&str; 3],
    aggregate: Aggregate,
    divisor: f64,
) {
    let Some(benchmark) = sheet.need(row.text("Name"), row.line, "name") else { return };
    let Some(value) = row.number(sheet, column) else { return };
    let metric = sheet.metric(name, || match unit {
        "B" if name == "allocated" => Metric::new(name, unit, Quantity::Bytes),
        "B" => Metric::new(name, unit, Quantity::Bytes).never_exact().secondary(),
        _ => Metric::new(name, unit, Quantity::Time),
    });
    let (value, aggregate) = (value / divisor, Some(aggregate));
    sheet.push(Measurement { benchmark: &benchmark, metric, value, line: row.line, aggregate, ..ROW });
}
