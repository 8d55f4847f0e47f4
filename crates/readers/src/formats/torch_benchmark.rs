//! What `torch.utils.benchmark` prints: a measurement, or the table of `Compare`.

use super::console::scan;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "torch-benchmark",
    sign: "a line `<torch.utils.benchmark.utils.common.Measurement object at …>`, or `Times are in microseconds (us).`",
    harness: "torch.utils.benchmark",
    export: "print of a Measurement, or of Compare",
    values: Values::Aggregates,
    keys: &[&[
        Key::setting("description", "description of the timer: the column of a table"),
        Key::work("threads", "number of threads that compute"),
    ]],
    metrics: &[Meaning::of("time", "time of one execution, the median over the measurements")],
    words: &["Measurement object at", "Times are in"],
    fits: |head| console::has(head, OBJECT).or_else(|_| console::has(head, UNIT)),
    read: Read::Bytes(|sheet, bytes| {
        let mut reading = Reading::default();
        for (line, text) in lines::numbered(bytes) {
            reading.line(sheet, text, line);
        }
        reading.cut(sheet);
    }),
    printed_by: &["python", "python3"],
    ..Format::PLAIN
};

const OBJECT: &str = "<torch.utils.benchmark.utils.common.Measurement object at {w}>";
const UNIT: &str = "Times are in {w} ({w}).";

/// What a line of a measurement says of its time.
const TIMES: [&str; 2] = ["Median: {#} {w}", "{#} {w}"];

/// What it says of its samples: their number, and that of the threads.
const SAMPLES: [&str; 2] =
    ["{#} measurements, {#} runs per measurement, {#} {w}", "{#} measurement, {#} runs , {#} {w}"];

/// A value that waits for what follows it.
struct Found<'a> {
    line: u32,
    benchmark: String,
    description: &'a str,
    threads: &'a str,
    digits: &'a str,
    unit: &'a str,
    count: Option<f64>,
}

/// What is open while a file is read.
#[derive(Default)]
struct Reading<'a> {
    /// The lines of a measurement so far.
    measurement: Option<(u32, Vec<&'a str>)>,
    /// The label of a table, its columns, the threads of its rows, and its values.
    label: &'a str,
    columns: Vec<&'a str>,
    threads: &'a str,
    rows: Vec<Found<'a>>,
}

impl<'a> Reading<'a> {
    fn line(&mut self, sheet: &mut Sheet, text: &'a str, line: u32) {
        if scan(text, OBJECT).is_some() {
            self.cut(sheet);
            self.measurement = Some((line, Vec::new()));
        } else if let Some((_, lines)) = &mut self.measurement {
            lines.push(text);
            if let Some(samples) = SAMPLES.iter().find_map(|form| scan(text, form)) {
                self.settle(sheet, samples[0], samples[2]);
            }
        } else if let Some(label) = text.trim().strip_prefix("[-").and_then(|text| text.strip_suffix("-]")) {
            self.cut(sheet);
            self.label = label.trim_matches('-').trim();
            self.columns.clear();
        } else if let Some(unit) = scan(text, UNIT) {
            for found in self.rows.drain(..) {
                push(sheet, &Found { unit: unit[1], ..found });
            }
        } else if let Some(found) = scan(text, "{#} threads: {}") {
            self.threads = found[0];
        } else if text.contains('|') && !self.label.is_empty() {
            self.row(sheet, text, line);
        }
    }

    /// Takes the header or a row of a table.
    fn row(&mut self, sheet: &mut Sheet, text: &'a str, line: u32) {
        let mut cells = text.split('|').map(str::trim);
        let name = cells.next().unwrap_or_default();
        let cells: Vec<&str> = cells.collect();
        if self.columns.is_empty() && name.is_empty() {
            self.columns = cells;
        } else if cells.len() == self.columns.len() {
            let benchmark =
                if name.is_empty() { self.label.to_owned() } else { format!("{}: {name}", self.label) };
            let filled = self.columns.iter().zip(cells).filter(|(_, digits)| !digits.is_empty());
            self.rows.extend(filled.map(|(description, digits)| Found {
                line,
                benchmark: benchmark.clone(),
                description,
                threads: self.threads,
                digits,
                unit: "",
                count: None,
            }));
        } else {
            sheet.wrong_width(line, cells.len(), self.columns.len());
        }
    }

    /// Takes a measurement whose last line was read.
    fn settle(&mut self, sheet: &mut Sheet, count: &'a str, threads: &'a str) {
        let Some((line, lines)) = self.measurement.take() else { return };
        let title = lines.first().map_or("", |title| title.trim());
        let second = lines.get(1).map_or("", |second| second.trim());
        let is_time = |text: &str| TIMES.iter().any(|form| scan(text, form).is_some());
        let is_description = !second.is_empty() && !second.starts_with("setup:") && !is_time(second);
        let time = lines.iter().rev().find_map(|text| TIMES.iter().find_map(|form| scan(text, form)));
        let Some(time) = sheet.need_of(time.filter(|_| !title.is_empty()), line, title, "time") else {
            return;
        };
        push(
            sheet,
            &Found {
                line,
                benchmark: title.to_owned(),
                description: if is_description { second } else { "" },
                threads,
                digits: time[0],
                unit: time[1],
                // The only measurement is still the mean of its runs.
                count: number(count).filter(|&count| count > 1.0),
            },
        );
    }

    /// Reports what has no end.
    fn cut(&mut self, sheet: &mut Sheet) {
        if let Some((line, _)) = self.measurement.take() {
            sheet.cut(line, "the measurement");
        }
        if let Some(first) = self.rows.first() {
            sheet.cut(first.line, "the table");
            self.rows.clear();
        }
    }
}

fn push(sheet: &mut Sheet, found: &Found<'_>) {
    let Found { line, description, threads, digits, .. } = *found;
    let keys = [("description", description), ("threads", threads)].into_iter();
    let context =
        keys.filter(|(_, value)| !value.is_empty()).map(|(key, value)| (key.to_owned(), value.to_owned()));
    sheet.set_context(&context.collect::<Vec<_>>());
    let meaning = meaning(found.unit);
    let value = sheet.number(digits.as_bytes(), line).filter(|_| meaning.quantity == Quantity::Time);
    let Some(value) = value else {
        return sheet.no_number(line, "the time", "", format!("{digits} {}", found.unit));
    };
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let aggregate = Some(Aggregate { count: found.count, deviation: None });
    let row = Measurement { benchmark: &found.benchmark, metric, line, aggregate, ..ROW };
    sheet.push(Measurement { value: meaning.scale.apply(value), ..row });
}
