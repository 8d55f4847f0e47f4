//! Criterion.rs's `sample.json`: the time and the number of iterations of each sample. The folders around it name the
//! benchmark and the baseline: `target/criterion/GROUP/FUNCTION/VALUE/BASELINE/sample.json`.

use super::prelude::*;
use std::fs::File;
use std::io::Read as _;

use super::format::Companion;
use super::names::Part;

pub static FORMAT: Format = Format {
    name: "criterion",
    sign: "an object with `sampling_mode`, `iters` and `times`",
    harness: "Criterion.rs",
    export: "the folder target/criterion",
    files: &["sample.json"],
    values: Values::Averages,
    keys: &[&[
        Key::setting("baseline", "`new`, `base` (the run before it), or the name of a saved baseline"),
        Key::setting("group", "group of the benchmark"),
        Key::setting("function", "function of the benchmark"),
        Key::setting("parameter", "value that the function was called with"),
    ]],
    metrics: &[
        Meaning::of("time", "time of one iteration, the mean over a sample"),
        Meaning::of("throughput", "bytes or elements that are processed per second"),
    ],
    companions: &[Companion {
        files: "files beside sample.json, in the folders change and report, and below the latter; base where it is a copy of new",
        what: "what Criterion.rs computed from its samples",
        is: is_companion,
    }],
    parts,
    fits: |head| head.has_all(&["iters", "times"]),
    read: Read::InPlace(read),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

/// The samples as the oldest versions wrote them: a list of the numbers of iterations and one of the times.
pub static OLD: Format = Format {
    name: "criterion-old",
    sign: "a list of two lists of numbers, of which the first holds multiples of its first number: `[[5.0,10.0,15.0],[…]]`",
    export: "the folder .criterion",
    keys: &[&[Key::setting(
        "baseline",
        "`new`, `base` (the run before it), or the name of a saved baseline",
    )]],
    metrics: &[Meaning::of("time", "time of one iteration, the mean over a sample")],
    companions: &[],
    parts: |name, _| names::path(name, "/"),
    fits: |head| No::unless(is_old(head.bytes()), "it is no such list"),
    read: Read::InPlace(read_old),
    ..FORMAT
};

/// The samples as a table, which Criterion.rs writes with its feature `csv_output`.
pub static RAW: Format = Format {
    name: "criterion-csv",
    sign: "a header `group,function,value,…,iteration_count`",
    export: "the files raw.csv of the feature csv_output",
    files: &["*.csv"],
    companions: &[],
    fits: |head| {
        let begins = head.header().take(3).eq(PARTS.map(|(_, _, column)| column.as_bytes()));
        No::unless(
            begins && head.header().last() == Some(COUNT.as_bytes()),
            "its first line is not that header",
        )
    },
    read: Read::InPlace(read_raw),
    ..FORMAT
};

const COUNT: &str = "iteration_count";

/// Whether a text begins with two lists of numbers, of which the first are d, 2·d, 3·d and so on: Criterion.rs once chose
/// its numbers of iterations so.
fn is_old(text: &[u8]) -> bool {
    let numbers = |list: &[u8]| -> Option<Vec<f64>> {
        list.split(|&byte| byte == b',').map(|digits| number(digits.trim_ascii())).collect()
    };
    let inner = text.trim_ascii_start().strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    let Some((first, rest)) = inner.and_then(|inner| list(inner)) else { return false };
    let second = rest.trim_ascii_start().strip_prefix(b",").map(<[u8]>::trim_ascii_start);
    let is_second = second.is_some_and(|second| {
        let begin = second.strip_prefix(b"[").and_then(|second| second.split(|&byte| byte == b',').next());
        begin.is_some_and(|digits| number(digits.trim_ascii()).is_some())
    });
    let is_multiple =
        |(place, count): (usize, &f64), first: f64| (first * (place as f64 + 1.0) - count).abs() < 0.5;
    is_second
        && numbers(first).is_some_and(|counts| {
            counts.len() > 2
                && counts[0] >= 1.0
                && counts.iter().enumerate().all(|found| is_multiple(found, counts[0]))
        })
}

/// What is in the list with which a text begins, and the rest.
fn list(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = text.strip_prefix(b"[")?;
    let end = memchr::memchr(b']', inner)?;
    Some((&inner[..end], &inner[end + 1..]))
}

/// Whether a file is one of those that Criterion.rs computes: it is beside samples, or in the folder of a change or a
/// report, beside the folder of the last samples.
fn is_companion(path: &Path) -> bool {
    const NAMES: [&str; 4] = ["benchmark.json", "estimates.json", "tukey.json", "raw.csv"];
    let (Some(name), Some(folder)) = (path.file_name().and_then(|name| name.to_str()), path.parent()) else {
        return false;
    };
    let is = |folder: &Path, text: &str| folder.file_name().is_some_and(|name| name == text);
    let beside = |place: &str| folder.join(place).is_file();
    let is_drawing = path.extension().is_some_and(|end| end == "html" || end == "svg");
    (NAMES.contains(&name) && beside("sample.json"))
        || (name == "sample.json" && is(folder, "base") && is_equal(path, &folder.join("../new/sample.json")))
        || (is(folder, "change") && NAMES.contains(&name) && beside("../new/sample.json"))
        || (is_drawing && folder.ancestors().take(2).any(|folder| is(folder, "report")))
}

/// Whether two files have the same bytes: Criterion.rs copies the samples of a run to `base`, for the next run.
fn is_equal(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| {
        std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|about| about.len())
    };
    let bytes = |path: &Path| std::fs::read(path).ok();
    length(one).is_some_and(|count| count <= MOST_COMPARED && length(other) == Some(count))
        && bytes(one).is_some_and(|read| bytes(other) == Some(read))
}

/// Longer files are not compared: samples of Criterion.rs have a few kilobytes.
const MOST_COMPARED: u64 = 1 << 24;

fn read(sheet: &mut Sheet, path: &Path, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let Some(document) = Document::of(&bytes, content, sheet)? else { return Ok(()) };
    let (iterations, times) = (document.value("iters", sheet)?, document.value("times", sheet)?);
    let (Some(iterations), Some(times)) = (iterations.list(), times.list()) else {
        sheet.lacks(1, "the file", "lists `iters` and `times`");
        return Ok(());
    };
    take(sheet, path, iterations, times);
    Ok(())
}

fn read_old(sheet: &mut Sheet, path: &Path, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let found = Span::new(&bytes, 1, content.budget.limits.values).value(sheet)?;
    match found.list() {
        Some([iterations, times]) if iterations.list().is_some() && times.list().is_some() => {
            take(sheet, path, iterations.list().unwrap_or(&[]), times.list().unwrap_or(&[]));
        }
        _ => sheet.lacks(1, "the file", "two lists"),
    }
    Ok(())
}

/// Takes the samples of a file.
fn take(sheet: &mut Sheet, path: &Path, iterations: &[Value<'_>], times: &[Value<'_>]) {
    let about = About::of(path);
    let baseline = about.baseline.iter().map(|name| ("baseline".to_owned(), name.clone()));
    sheet.set_context(&baseline.chain(about.parts.clone()).collect::<Context>());
    if iterations.len() != times.len() {
        let what = format!("{} numbers of iterations but {} times", iterations.len(), times.len());
        return sheet.problem(Code::Contradiction, 1, what, HINT);
    }
    let samples: Vec<_> = iterations
        .iter()
        .zip(times)
        .map(|(count, total)| (number_of(sheet, count, 1), number_of(sheet, total, 1)))
        .collect();
    let Some(Beside { unit, factor }) = Beside::of(path, &samples) else {
        let what = "the unit of the samples is unknown: raw.csv beside them has a unit, but other samples";
        let hint = "delete raw.csv if it is of an earlier run in nanoseconds";
        return sheet.problem(Code::Contradiction, 1, what, hint);
    };
    let (metric, scale) = measured(&unit);
    let work = if metric.quantity == Quantity::Time { &*about.work } else { &[] };
    let metric = sheet.metric_of(metric);
    let rates: Vec<_> = work.iter().map(|&(work, unit)| (work, rate(sheet, unit))).collect();
    for (count, total) in samples {
        let needed = count.filter(|&count| count > 0.0).zip(total);
        let Some((count, total)) = sheet.need_number(needed, 1, "a sample", &about.name, "") else {
            continue;
        };
        let value = scale.apply(total * factor / count);
        let row = Measurement { benchmark: &about.name, metric, value, line: 1, process: Some(0), ..ROW };
        sheet.push(row);
        for &(work, metric) in rates.iter().filter(|_| value > 0.0) {
            sheet.push(Measurement { metric, value: work / value, ..row });
        }
    }
}

fn read_raw(sheet: &mut Sheet, path: &Path, content: &Content) -> io::Result<()> {
    // A pattern of the shell names all files of a folder.
    if path.with_file_name("sample.json").is_file() {
        sheet.problem(Code::Companion, 0, "sample.json beside it has the same samples", "");
        return Ok(());
    }
    let baseline = About::of(path).baseline;
    csv_rows::each(&content.all()?, 1, sheet, |sheet, row| raw_row(sheet, row, baseline.as_deref()))
}

/// Reads a sample of `raw.csv`. Its first columns have the parts of the name.
fn raw_row(sheet: &mut Sheet, row: &Row<'_>, baseline: Option<&str>) {
    let parts: Vec<(&str, String)> =
        PARTS.iter().filter_map(|(_, key, column)| Some((*key, row.text(column)?.into_owned()))).collect();
    let name = parts.iter().map(|(_, part)| &**part).collect::<Vec<_>>().join("/");
    let baseline = baseline.map(|name| ("baseline".to_owned(), name.to_owned()));
    let stated = parts.into_iter().map(|(key, part)| (key.to_owned(), part));
    sheet.set_context(&baseline.into_iter().chain(stated).collect::<Context>());
    // The first versions with such a file measured nothing but nanoseconds.
    let total =
        ["sample_measured_value", "sample_time_nanos"].iter().find_map(|column| row.number(sheet, column));
    let (metric, scale) = measured(&row.text("unit").unwrap_or("ns".into()));
    let is_time = metric.quantity == Quantity::Time;
    let metric = sheet.metric_of(metric);
    let (Some(count), Some(total)) = (row.number(sheet, COUNT).filter(|&count| count > 0.0), total) else {
        return sheet.no_number(row.line, "a sample", name, "");
    };
    let value = scale.apply(total / count);
    let found = Measurement { benchmark: &name, metric, value, line: row.line, process: Some(0), ..ROW };
    sheet.push(found);
    // Of two kinds of work, both numbers and both names stand in a cell.
    let (kinds, work) = (row.text("throughput_type"), row.text("throughput_num"));
    let (kinds, work) = (kinds.unwrap_or_default(), work.unwrap_or_default());
    for (kind, work) in kinds.split('/').zip(work.split('/')).filter(|_| is_time && value > 0.0) {
        let (of_unit, unit) = match kind {
            "bytes" => (1.0, "B/s"),
            "bits" => (8.0, "B/s"),
            "elements" => (1.0, "1/s"),
            _ => continue,
        };
        if let Some(work) = row.number_in(sheet, "throughput_num", work.as_bytes()) {
            let metric = rate(sheet, unit);
            sheet.push(Measurement { metric, value: work / of_unit / value, ..found });
        }
    }
}

/// What samples in this unit measure, and how they become base units. A unit that is not of time is that of a measurement
/// that a user defined.
pub(super) fn measured(unit: &str) -> (Metric, Scale) {
    let (metric, scale) = tracked::described(unit, None);
    let is_time = metric.quantity == Quantity::Time;
    (if is_time { Metric::new("time", "s", Quantity::Time) } else { metric }, scale)
}

/// The metric of the work that an iteration does, in this unit.
pub(super) fn rate(sheet: &mut Sheet, unit: &'static str) -> u32 {
    sheet.metric(unit, || Metric::new("throughput", unit, Quantity::Throughput).secondary())
}

const HINT: &str = "is it the file sample.json that Criterion.rs wrote?";

/// The fields of `benchmark.json` of which a name consists, in this order, their keys and their columns in `raw.csv`.
const PARTS: [(&str, &str, &str); 3] = [
    ("group_id", "group", "group"),
    ("function_id", "function", "function"),
    ("value_str", "parameter", "value"),
];

/// The stated parts, if the name consists of them.
fn parts(name: &str, keys: &[(&str, &str)]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut end = 0;
    for (_, key, _) in PARTS {
        let Some((_, value)) = keys.iter().find(|(known, _)| *known == key) else { continue };
        let start = end + usize::from(end > 0);
        if name.get(start..).is_none_or(|rest| !rest.starts_with(value)) {
            return names::path(name, "/");
        }
        end = start + value.len();
        parts.push(Part::new(key, *value, start.saturating_sub(1)..end));
    }
    if let Some(first) = parts.first_mut() {
        first.range.end += usize::from(first.range.end < name.len());
    }
    if end == name.len() { parts } else { names::path(name, "/") }
}

/// What lies around a file of samples.
struct About {
    name: String,
    baseline: Option<String>,
    /// Group, function and parameter, of which the name consists.
    parts: Context,
    /// The bytes and the elements that an iteration processes, and the units of their throughputs.
    work: Vec<(f64, &'static str)>,
}

impl About {
    /// Reads `benchmark.json` beside the file; without it the folders give the name.
    fn of(path: &Path) -> Self {
        let folders: Vec<String> = path
            .parent()
            .into_iter()
            .flat_map(Path::iter)
            .map(|part| lossless(part.as_encoded_bytes()).into_owned())
            .collect();
        let baseline = folders.last().cloned();
        let above = folders
            .iter()
            .rposition(|folder| matches!(&**folder, "criterion" | ".criterion"))
            .map_or(0, |at| at + 1);
        let end = folders.len().saturating_sub(1);
        let mut about = Self {
            name: folders[above.min(end)..end].join("/"),
            baseline,
            parts: Context::new(),
            work: Vec::new(),
        };
        about.read(&path.with_file_name("benchmark.json"));
        if about.name.is_empty() {
            "benchmark".clone_into(&mut about.name);
        }
        about
    }

    fn read(&mut self, path: &Path) {
        let Some(bytes) = small_file(path) else { return };
        let mut ignored = Sheet::default();
        let Ok(value) = Span::new(&bytes, 1, 10_000).value(&mut ignored) else { return };
        if let Some(name) = value.text_of("full_id") {
            name.clone_into(&mut self.name);
            self.parts = stated(&value, &PARTS.map(|(field, key, _)| (field, key)));
        }
        let Some(work) = value.object_of("throughput") else { return };
        for (kind, work) in work.iter() {
            let part = |key: &str| work.get(key).unwrap_or(work);
            let amounts = match kind {
                "Bytes" | "BytesDecimal" => vec![(work, 1.0, "B/s")],
                "Bits" => vec![(work, 8.0, "B/s")],
                "Elements" => vec![(work, 1.0, "1/s")],
                "ElementsAndBytes" => vec![(part("elements"), 1.0, "1/s"), (part("bytes"), 1.0, "B/s")],
                _ => continue,
            };
            for (amount, of_unit, unit) in amounts {
                let amount = number_of(&mut ignored, amount, 1);
                self.work.extend(amount.map(|amount| (amount / of_unit, unit)));
            }
        }
    }
}

/// The unit of the samples, and the factor from their numbers to it. Only `raw.csv` has it, which Criterion.rs writes
/// beside them with its feature `csv_output`; nearly all measure wall-clock time, in nanoseconds.
struct Beside {
    unit: String,
    factor: f64,
}

impl Beside {
    /// `None` if the file has another unit than nanoseconds and other samples, as one that an earlier run left behind.
    fn of(path: &Path, samples: &[(Option<f64>, Option<f64>)]) -> Option<Self> {
        let nanoseconds = Self { unit: "ns".to_owned(), factor: 1.0 };
        let rows = small_file(&path.with_file_name("raw.csv")).and_then(|bytes| raw(&bytes));
        let Some(rows) = rows.filter(|rows| rows.iter().any(|row| row.unit != "ns")) else {
            return Some(nanoseconds);
        };
        let first = rows.first()?;
        let total = samples.first()?.1.filter(|&total| total != 0.0);
        let factor = total.map_or(1.0, |total| first.value / total);
        let agree = |row: &Raw, &(count, total): &(Option<f64>, Option<f64>)| {
            let near = |total: f64| (total * factor - row.value).abs() <= 1e-9 * row.value.abs();
            row.unit == first.unit && count == Some(row.count) && total.is_some_and(near)
        };
        let all =
            rows.len() == samples.len() && rows.iter().zip(samples).all(|(row, sample)| agree(row, sample));
        (all && factor > 0.0).then(|| Self { unit: first.unit.clone(), factor })
    }
}

/// A row of `raw.csv`.
struct Raw {
    value: f64,
    unit: String,
    count: f64,
}

/// The rows of `raw.csv`; `None` if it is another file.
fn raw(bytes: &[u8]) -> Option<Vec<Raw>> {
    let mut reader = csv::Reader::from_reader(bytes);
    let headers = reader.headers().ok()?.clone();
    let column = |name: &str| headers.iter().position(|header| header == name);
    let (value, unit, count) =
        (column("sample_measured_value")?, column("unit")?, column("iteration_count")?);
    let row = |record: csv::StringRecord| {
        let number = |column: usize| record.get(column)?.parse().ok();
        Some(Raw { value: number(value)?, unit: record.get(unit)?.to_owned(), count: number(count)? })
    };
    reader.into_records().map(|record| row(record.ok()?)).collect()
}

/// The beginning of a file, if it can be read; pipes and devices are not.
fn small_file(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let is_file = std::fs::metadata(path).is_ok_and(|about| about.is_file());
    let mut read = || File::open(path).and_then(|file| file.take(1 << 20).read_to_end(&mut bytes));
    (is_file && read().is_ok()).then_some(bytes)
}
