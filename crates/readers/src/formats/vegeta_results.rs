//! vegeta's results, one a request, as `vegeta encode` writes them: as JSON, one object a line, and as CSV.

use super::json::record;
use super::load_metrics::{described, push_status};
use super::prelude::*;

/// The results as JSON.
pub static JSON: Format = Format {
    name: "vegeta-results",
    sign: "lines with `attack`, `seq`, `code`, `latency` and `bytes_in`",
    harness: "vegeta",
    export: "vegeta encode -to json FILE",
    files: &["*.json", "*.ndjson"],
    keys: &[KEYS],
    metrics: METRICS,
    fits: |head| head.record_has_all(&["attack", "seq", "code", "latency", "bytes_in"]),
    read: Read::Sheets(|name, _, content, _| read_json(name, content)),
    processes: Processes::OneAFile,
    ..Format::PLAIN
};

/// The results as CSV.
pub static CSV: Format = Format {
    name: "vegeta-results-csv",
    sign: "lines such as `1700000000000000000,200,3214234,0,6,…`, without a header",
    harness: "vegeta",
    export: "vegeta encode -to csv FILE",
    keys: &[KEYS],
    metrics: METRICS,
    fits: |head| No::unless(is_csv(head), "its first line is not such a line"),
    read: Read::Sheet(|sheet, content| {
        let bytes = content.all()?;
        let mut rows = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let first = rows.find(|row| !row.is_empty()).unwrap_or_default();
        // The rows have no header; a line above them names their columns.
        let header = COLUMNS[..width(first).min(COLUMNS.len())].join(",");
        csv_rows::each(&[header.as_bytes(), b"\n", &bytes].concat(), 0, sheet, row)
    }),
    ..Format::CSV
};

const KEYS: &[Key] = &[
    Key::setting("attack", "name of the attack"),
    Key::work("status", "status of the response; 0 if there was none"),
];

const METRICS: &[Meaning] = &[
    Meaning::of("latency", "latency of a request"),
    Meaning::of(
        "failed",
        "1 for a request that failed by its status, 0 for another: the mean is their share",
    ),
    Meaning::of("bytes-in", "bytes of a response's body"),
    Meaning::of("bytes-out", "bytes of a request's body"),
];

/// The columns of the CSV. Older versions end after `seq`, and `vegeta dump`, which came before `encode`, after `error`.
const COLUMNS: [&str; 12] =
    words!("timestamp code latency bytes_out bytes_in error body attack seq method url headers");

fn is_csv(head: &Head<'_>) -> bool {
    let first = head.first_line();
    let cells: Vec<&[u8]> = first.split(|&byte| byte == b',').collect();
    let is_number = |cell: &&[u8]| !cell.is_empty() && cell.iter().all(u8::is_ascii_digit);
    let begins = cells.len() >= 6
        && cells[..5].iter().all(is_number)
        && cells[0].len() == 19
        && (1..=3).contains(&cells[1].len());
    // `vegeta dump` puts the error into quotes even if there is none.
    begins && (cells.len() >= 9 || (cells[5].starts_with(b"\"") && width(first) == 6))
}

/// The number of fields of a line.
fn width(line: &[u8]) -> usize {
    let mut fields = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
    fields.byte_records().next().and_then(Result::ok).map_or(0, |record| record.len())
}

/// What a result says of its request.
#[derive(Default)]
struct Request {
    method: String,
    url: String,
    status: String,
    attack: String,
}

impl Request {
    /// Adds whether the request failed, sets the configuration of its other values, and returns the benchmark.
    fn apply(&self, sheet: &mut Sheet, line: u32) -> String {
        let benchmark = match (self.method.as_str(), self.url.as_str()) {
            ("", "") => "requests".to_owned(),
            ("", url) => url.to_owned(),
            (method, url) => format!("{method} {url}"),
        };
        let keys = [("attack", &self.attack), ("status", &self.status)];
        let keys = keys.into_iter().filter(|(_, value)| !value.is_empty());
        let mut context: Vec<_> = keys.map(|(key, value)| (key.to_owned(), value.clone())).collect();
        let status = context.pop_if(|(key, _)| key == "status");
        sheet.set_context(&context);
        let request = Measurement { benchmark: &benchmark, line, process: Some(0), ..ROW };
        push_status(sheet, request, &self.status);
        context.extend(status);
        sheet.set_context(&context);
        benchmark
    }
}

/// Adds a value of a request.
fn push(sheet: &mut Sheet, benchmark: &str, field: &str, value: f64, line: u32) {
    let metric = match field {
        "latency" => sheet.metric("latency", || described("latency")),
        other => {
            let name = other.replace('_', "-");
            let made = Metric { better: None, ..Metric::new(&name, "B", Quantity::Bytes) }.secondary();
            sheet.metric(&name, || made)
        }
    };
    let value = if field == "latency" { value / 1e9 } else { value };
    sheet.push(Measurement { benchmark, metric, value, line, process: Some(0), ..ROW });
}

const FIELDS: [&str; 3] = ["latency", "bytes_in", "bytes_out"];

fn read_json(name: &str, content: &Content) -> io::Result<Vec<Sheet>> {
    let limit = content.budget.limits.line;
    lines::pieces(content, |text| {
        let mut sheet = Sheet::new(name);
        for (line, text) in (1..).zip(text.split(|&byte| byte == b'\n')) {
            let text = text.trim_ascii();
            if text.is_empty() {
                continue;
            }
            sheet.lines = line;
            if text.len() as u64 > limit {
                sheet.too_long(line, text);
                continue;
            }
            match record(text, line, &mut sheet) {
                Ok(Some(object)) => result(&mut sheet, &object, line),
                found => {
                    let why = found.err().map_or("it is a value of another kind", |fault| fault.what);
                    sheet.no_object(line, text, why);
                }
            }
        }
        sheet.lines = memchr::memchr_iter(b'\n', text).count() as u32;
        sheet.count(&content.budget)?;
        Ok(sheet)
    })
}

fn result(sheet: &mut Sheet, object: &Object<'_>, line: u32) {
    let text =
        |key: &str| object.get(key).filter(|value| **value != Value::Null).map_or_else(String::new, plain);
    let request =
        Request { method: text("method"), url: text("url"), status: text("code"), attack: text("attack") };
    let benchmark = request.apply(sheet, line);
    for field in FIELDS {
        let value = object.get(field).and_then(|value| number_of(sheet, value, line));
        if let Some(value) = value {
            push(sheet, &benchmark, field, value, line);
        } else {
            sheet.no_number(line, field, "", "");
        }
    }
}

fn row(sheet: &mut Sheet, row: &Row<'_>) {
    let text = |column: &str| row.cell(column).map_or_else(String::new, |cell| lossless(cell).into_owned());
    let request =
        Request { method: text("method"), url: text("url"), status: text("code"), attack: text("attack") };
    let benchmark = request.apply(sheet, row.line);
    for field in FIELDS {
        if let Some(value) = row.number(sheet, field) {
            push(sheet, &benchmark, field, value, row.line);
        }
    }
}
