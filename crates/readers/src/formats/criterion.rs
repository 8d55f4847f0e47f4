//! Criterion.rs's `sample.json`: the time and the number of iterations of each sample. The folders around it name the
//! benchmark and the baseline: `target/criterion/GROUP/FUNCTION/VALUE/BASELINE/sample.json`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::format::{Companion, Format, Key, Meaning, Processes, Role, Values};
use super::json::{Document, Span, Value, number_of, stated};
use super::names::{self, Part};
use crate::context::Context;
use crate::metric::{Metric, Quantity};
use crate::sheet::Measurement;
use crate::source::Content;
use crate::text::{excerpt, lossless};
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "criterion",
    sign: "an object with `sampling_mode`, `iters` and `times`",
    harness: "Criterion.rs",
    export: "the folder target/criterion",
    files: &["sample.json"],
    values: Values::Averages,
    processes: Processes::OneAFile,
    keys: &[&[
        Key::new(
            "baseline",
            Role::Setting,
            "`new`, `base` (the run before it), or the name of a saved baseline",
        ),
        Key::new("group", Role::Setting, "group of the benchmark"),
        Key::new("function", Role::Setting, "function of the benchmark"),
        Key::new("parameter", Role::Setting, "value that the function was called with"),
    ]],
    metrics: &[
        Meaning::of("time", "time of one iteration, the mean over a sample"),
        Meaning::of("throughput", "bytes or elements that are processed per second"),
    ],
    companions: &[Companion {
        files: "files beside sample.json, in the folders change and report, and below the latter",
        what: "what Criterion.rs computed from its samples",
        is: is_companion,
    }],
    parts,
    fits: |head| head.has_all(&["iters", "times"]),
    read,
    ..Format::PLAIN
};

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
        || (is(folder, "change") && NAMES.contains(&name) && beside("../new/sample.json"))
        || (is_drawing && folder.ancestors().take(2).any(|folder| is(folder, "report")))
}

fn read(name: &str, path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let Some(document) = Document::of(&bytes, content, &mut sheet)? else { return Ok(vec![sheet]) };
    let about = About::of(path);
    let baseline = about.baseline.iter().map(|name| ("baseline".to_owned(), name.clone()));
    sheet.set_context(&baseline.chain(about.parts.clone()).collect::<Context>());
    let (iterations, times) = (document.value("iters", &mut sheet)?, document.value("times", &mut sheet)?);
    let (Some(iterations), Some(times)) = (iterations.list(), times.list()) else {
        sheet.problem(Code::MalformedRecord, 1, "there are no lists `iters` and `times`", HINT);
        return Ok(vec![sheet]);
    };
    if iterations.len() != times.len() {
        let what = format!("{} numbers of iterations but {} times", iterations.len(), times.len());
        sheet.problem(Code::Contradiction, 1, what, HINT);
        return Ok(vec![sheet]);
    }
    let time = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let throughput = about.work.map(|(work, unit)| {
        let make = || Metric::new("throughput", unit, Quantity::Throughput).secondary();
        (work, sheet.metric("throughput", make))
    });
    for (count, total) in iterations.iter().zip(times) {
        let (count, total) = (number_of(&mut sheet, count, 1), number_of(&mut sheet, total, 1));
        let (Some(count), Some(total)) = (count.filter(|&count| count > 0.0), total) else {
            let shown = excerpt(about.name.as_bytes());
            let what = format!("a sample of {shown} has no time or no iterations");
            sheet.problem(Code::MalformedNumber, 1, what, "repeat the run");
            continue;
        };
        let value = total / count / 1e9;
        let row = Measurement {
            benchmark: &about.name,
            metric: time,
            value,
            line: 1,
            process: Some(0),
            ..Measurement::default()
        };
        sheet.push(row);
        if let Some((work, metric)) = throughput.filter(|_| value > 0.0) {
            sheet.push(Measurement { metric, value: work / value, ..row });
        }
    }
    Ok(vec![sheet])
}

const HINT: &str = "is it the file sample.json that Criterion.rs wrote?";

/// The fields of `benchmark.json` of which a name consists, in this order.
const PARTS: [(&str, &str); 3] =
    [("group_id", "group"), ("function_id", "function"), ("value_str", "parameter")];

/// The stated parts, if the name consists of them.
fn parts(name: &str, keys: &[(&str, &str)]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut end = 0;
    for (_, key) in PARTS {
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
    /// The bytes or elements that an iteration processes, and the unit of the throughput.
    work: Option<(f64, &'static str)>,
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
        let above = folders.iter().rposition(|folder| folder == "criterion").map_or(0, |at| at + 1);
        let end = folders.len().saturating_sub(1);
        let mut about = Self {
            name: folders[above.min(end)..end].join("/"),
            baseline,
            parts: Context::new(),
            work: None,
        };
        about.read(&path.with_file_name("benchmark.json"));
        if about.name.is_empty() {
            "benchmark".clone_into(&mut about.name);
        }
        about
    }

    fn read(&mut self, path: &Path) {
        let mut bytes = Vec::new();
        let is_file = std::fs::metadata(path).is_ok_and(|about| about.is_file());
        if !is_file || File::open(path).and_then(|file| file.take(1 << 20).read_to_end(&mut bytes)).is_err() {
            return;
        }
        let mut ignored = Sheet::default();
        let Ok(value) = Span::new(&bytes, 1, 10_000).value(&mut ignored) else { return };
        if let Some(name) = value.get("full_id").and_then(Value::text) {
            name.clone_into(&mut self.name);
            self.parts = stated(&value, &PARTS);
        }
        let throughput = value.get("throughput").and_then(Value::object);
        self.work = throughput.and_then(|work| work.iter().next()).and_then(|(kind, work)| {
            let unit = match kind {
                "Bytes" | "BytesDecimal" => "B/s",
                "Elements" => "1/s",
                _ => return None,
            };
            Some((number_of(&mut ignored, work, 1)?, unit))
        });
    }
}
