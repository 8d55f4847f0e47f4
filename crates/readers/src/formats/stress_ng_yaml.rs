//! stress-ng's YAML: the metrics of each stressor, and the machine. It is read line by line, as stress-ng writes it.

use std::io;
use std::path::Path;

use super::format::{Format, Key, Processes, Role, Values};
use super::head::{Head, No};
use super::lines;
use super::stress_ng::{METRICS, Names, push};
use crate::context::Context;
use crate::source::Content;
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
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
    fits: |head| No::unless(is_yaml(head), "it has no such lines"),
    read,
    ..Format::PLAIN
};

/// Whether a file has the YAML, alone or within what stress-ng prints.
pub(super) fn is_yaml(head: &Head<'_>) -> bool {
    let has = |label: &str| head.lines().any(|line| line.starts_with(label.as_bytes()));
    has("stress-ng-version:") && has("- stressor:")
}

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
    /// The metrics of the stressor that came.
    names: Names,
    /// The number of the document, from 1.
    documents: u32,
    /// Whether the document has its end.
    is_whole: bool,
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut yaml = Yaml::default();
    for (line, text) in lines::numbered(&bytes).collect::<Vec<_>>() {
        yaml.line(&mut sheet, text, line);
    }
    if !yaml.is_whole {
        let what = "the file has no end: stressors may be missing";
        sheet.problem(Code::Truncated, 0, what, "copy the file again or repeat the run");
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
        self.is_whole |= text == "...";
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
            self.names = Names::default();
            sheet.set_context(&self.context);
        } else if !self.stressor.is_empty() {
            let name = self.names.next(&self.stressor, key);
            push(sheet, &self.stressor, self.documents.saturating_sub(1), (key, &name), value, line);
        }
    }
}
