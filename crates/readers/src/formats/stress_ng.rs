//! stress-ng: the metrics of each stressor, as it prints them and as YAML.

use std::io;
use std::path::Path;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::No;
use super::{lines, table_units};
use crate::context::Context;
use crate::metric::{Better, Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::{excerpt, number};
use crate::{Code, Options, Sheet};

/// What stress-ng prints.
pub static TEXT: Format = Format {
    name: "stress-ng",
    sign: "a line with `stressor`, `bogo ops`, `real time` and `usr time`",
    harness: "stress-ng",
    export: "stress-ng --metrics-brief",
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    metrics: METRICS,
    fits: |head| {
        let is_header = |line: &[u8]| std::str::from_utf8(line).is_ok_and(is_header);
        No::unless(head.lines().any(is_header), "it has no such line")
    },
    read: read_text,
    ..Format::PLAIN
};

/// The file of `--yaml`.
pub static YAML: Format = Format {
    name: "stress-ng-yaml",
    sign: "a line `stress-ng-version:`, and `metrics:` with `- stressor:`",
    harness: "stress-ng",
    export: "stress-ng --metrics --yaml FILE",
    values: Values::Aggregates,
    processes: Processes::OneAFile,
    keys: &[&[
        Key::of_run("date", Role::Date, "start of the run"),
        Key::new("version", Role::Setting, "version of the harness"),
        Key::new("hostname", Role::Environment, "name of the machine"),
        Key::new("kernel", Role::Environment, "operating system"),
        Key::new("kernel.version", Role::Environment, "version of the kernel"),
        Key::new("arch", Role::Environment, "architecture of the machine"),
        Key::new("num_cpus", Role::Environment, "number of processors"),
    ]],
    metrics: METRICS,
    fits: |head| {
        let has = |label: &str| head.lines().any(|line| line.starts_with(label.as_bytes()));
        No::unless(has("stress-ng-version:") && has("- stressor:"), "it has no such lines")
    },
    read: read_yaml,
    ..Format::PLAIN
};

const METRICS: &[Meaning] = &[
    Meaning::of("throughput", "bogus operations per second of elapsed time"),
    Meaning::of("throughput-cpu", "bogus operations per second of processor time"),
    Meaning::of("bogo-ops", "bogus operations of the run"),
    Meaning::of("time", "elapsed time of the stressor"),
    Meaning::of("user", "processor time in the program"),
    Meaning::of("system", "processor time in the system for the program"),
    Meaning::of("memory", "largest resident memory of a process"),
    Meaning::of("cpu", "share of a processor that an instance takes"),
];

/// The columns of the table, which are those of the YAML: `--metrics-brief` prints the first six.
const COLUMNS: [&str; 8] = [
    "bogo-ops",
    "wall-clock-time",
    "user-time",
    "system-time",
    "bogo-ops-per-second-real-time",
    "bogo-ops-per-second-usr-sys-time",
    "cpu-usage-per-instance",
    "max-rss",
];

/// The metric of a field, and the factor to its base unit. A field that only one stressor has keeps its name.
fn described(field: &str) -> (Metric, f64) {
    let time = |name| (Metric::new(name, "s", Quantity::Time).secondary(), 1.0);
    let rate = |name| Metric::new(name, "1/s", Quantity::Throughput);
    match field {
        "bogo-ops-per-second-real-time" => (rate("throughput"), 1.0),
        "bogo-ops-per-second-usr-sys-time" => (rate("throughput-cpu").secondary(), 1.0),
        "bogo-ops" => {
            let count = Metric::new(field, "1", Quantity::Count).never_exact().secondary();
            (Metric { better: Some(Better::Higher), ..count }, 1.0)
        }
        "wall-clock-time" => time("time"),
        "user-time" => time("user"),
        "system-time" => time("system"),
        "max-rss" => (Metric::new("memory", "B", Quantity::Bytes).never_exact().secondary(), 1024.0),
        "cpu-usage-per-instance" => (Metric::new("cpu", "%", Quantity::Other).secondary(), 1.0),
        other => own(other),
    }
}

/// A metric of one stressor. Where its name says what is counted per second, more of some things is better.
fn own(field: &str) -> (Metric, f64) {
    let counted = field.strip_suffix("-per-sec").or_else(|| field.strip_suffix("-per-second"));
    let unit = counted
        .map_or_else(String::new, |counted| format!("{}/s", counted.rsplit('-').next().unwrap_or(counted)));
    let known = table_units::meaning(&unit);
    let table_units::Scale::Times(factor) = known.scale else {
        return (Metric::new(field, "", Quantity::Other).secondary(), 1.0);
    };
    (Metric::new(field, &known.base, known.quantity).secondary(), factor)
}

fn push(sheet: &mut Sheet, stressor: &str, process: u32, field: &str, digits: &str, line: u32) {
    let Some(value) = sheet.number(digits.as_bytes(), line) else {
        let what = format!(
            "{} of {} is `{}`, not a number",
            excerpt(field.as_bytes()),
            excerpt(stressor.as_bytes()),
            excerpt(digits.as_bytes())
        );
        return sheet.problem(Code::MalformedNumber, line, what, "");
    };
    let (made, factor) = described(field);
    let metric = sheet.metric(&made.name.clone(), || made);
    let (process, aggregate) = (Some(process), Some(Aggregate::default()));
    let row = Measurement { benchmark: stressor, metric, line, process, aggregate, ..Measurement::default() };
    sheet.push(Measurement { value: value * factor, ..row });
}

// What it prints.

fn is_header(line: &str) -> bool {
    let mut rest = line;
    ["stressor", "bogo ops", "real time", "usr time", "sys time"].iter().all(|word| {
        let found = rest.split_once(word).map(|(_, after)| after);
        rest = found.unwrap_or_default();
        found.is_some()
    })
}

/// What follows `stress-ng: metrc: [123]`, and that number of the run.
fn message(text: &str) -> (&str, &str) {
    let after = text.strip_prefix("stress-ng: ").and_then(|rest| rest.split_once('['));
    after.and_then(|(_, rest)| rest.split_once(']')).unwrap_or(("", text))
}

fn read_text(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let (mut in_table, mut in_others, mut process) = (false, false, None::<u32>);
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        let (_, rest) = message(text);
        let rest = rest.trim();
        if is_header(rest) {
            process = Some(process.map_or(0, |process| process + 1));
            (in_table, in_others) = (true, false);
        } else if rest == "miscellaneous metrics:" {
            (in_table, in_others) = (false, true);
        } else if in_table && !rest.starts_with('(') {
            in_table = row(&mut sheet, rest, process.unwrap_or(0), line);
        } else if in_others {
            in_others = other(&mut sheet, rest, process.unwrap_or(0), line);
        }
    }
    Ok(vec![sheet])
}

/// Reads `cpu   440  2.02  0.25  0.00  217.73  1713.36`; says whether it is such a row.
fn row(sheet: &mut Sheet, text: &str, process: u32, line: u32) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some((stressor, cells)) = words.split_first() else { return false };
    let sound = matches!(cells.len(), 6 | 8) && cells.iter().all(|cell| number(cell.as_bytes()).is_some());
    if !sound {
        // The table ends where a message begins; a row that begins with a number is a row.
        if cells.first().is_some_and(|cell| number(cell.as_bytes()).is_some()) {
            let what = format!("`{}` is not a row of six or eight numbers", excerpt(text.as_bytes()));
            sheet.problem(Code::MalformedRecord, line, what, "use --yaml FILE, which names its numbers");
            return true;
        }
        return false;
    }
    for (field, cell) in COLUMNS.iter().zip(cells) {
        push(sheet, stressor, process, field, cell, line);
    }
    true
}

/// Reads `matrix   288315.50 add matrix ops per sec (geometric mean of 1 instances)`.
fn other(sheet: &mut Sheet, text: &str, process: u32, line: u32) -> bool {
    let Some((stressor, rest)) = text.split_once(char::is_whitespace) else { return false };
    let Some((digits, words)) =
        rest.trim_start().split_once(' ').filter(|(digits, _)| number(digits.as_bytes()).is_some())
    else {
        return false;
    };
    let words = words.split(" (").next().unwrap_or(words);
    let field = words.to_lowercase().replace(' ', "-");
    push(sheet, stressor, process, &field, digits, line);
    true
}

// YAML.

/// The fields of `system-info` that become keys.
const SYSTEM: [(&str, &str); 6] = [
    ("stress-ng-version", "version"),
    ("hostname", "hostname"),
    ("sysname", "kernel"),
    ("release", "kernel.version"),
    ("machine", "arch"),
    ("cpus", "num_cpus"),
];

#[derive(Default)]
struct Yaml {
    section: String,
    context: Context,
    stressor: String,
    /// The number of the document, from 1.
    documents: u32,
}

fn read_yaml(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut yaml = Yaml::default();
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        yaml.line(&mut sheet, text, line);
    }
    Ok(vec![sheet])
}

impl Yaml {
    fn line(&mut self, sheet: &mut Sheet, text: &str, line: u32) {
        if text == "---" {
            let documents = self.documents + 1;
            *self = Self { documents, ..Self::default() };
            return;
        }
        let Some((key, value)) = text.split_once(':') else { return };
        let (key, value) = (key.trim_start(), value.trim().trim_matches('\''));
        if !text.starts_with(' ') {
            key.clone_into(&mut self.section);
            self.stressor.clear();
        } else if self.section == "system-info" {
            self.system(key, value);
        } else if self.section == "metrics" {
            self.metric(sheet, key, value, line);
        }
    }

    fn system(&mut self, key: &str, value: &str) {
        if let Some((_, known)) = SYSTEM.iter().find(|(field, _)| *field == key) {
            self.context.push(((*known).to_owned(), value.to_owned()));
        } else if key == "date-yyyy-mm-dd" {
            self.context.push(("date".to_owned(), value.replace(':', "-")));
        } else if key == "time-hh-mm-ss"
            && let Some((_, date)) = self.context.iter_mut().find(|(known, _)| known == "date")
        {
            *date = format!("{date} {value}");
        }
    }

    fn metric(&mut self, sheet: &mut Sheet, key: &str, value: &str, line: u32) {
        if key == "- stressor" {
            value.clone_into(&mut self.stressor);
            sheet.set_context(&self.context);
        } else if !self.stressor.is_empty() {
            push(sheet, &self.stressor, self.documents.saturating_sub(1), key, value, line);
        }
    }
}
