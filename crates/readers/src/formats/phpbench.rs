//! The XML of `PHPBench`: each iteration has the time of its revolutions, in microseconds.

use std::io;
use std::path::Path;

use quick_xml::events::{BytesStart, Event};

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::No;
use super::xml;
use crate::context::Context;
use crate::metric::{Metric, Quantity};
use crate::sheet::Measurement;
use crate::source::Content;
use crate::text::{excerpt, number};
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "phpbench",
    sign: "XML with `<phpbench`",
    harness: "PHPBench",
    export: "phpbench run --dump-file=FILE",
    files: &["*.xml"],
    values: Values::Averages,
    processes: Processes::Unknown,
    keys: &[&[
        Key::of_run("date", Role::Date, "start of the run"),
        Key::new("tag", Role::Setting, "tag of the run"),
        Key::of_work("parameter-set", Role::Setting, "name of the set of parameters"),
    ]],
    metrics: &[
        Meaning::of("time", "time of one revolution, the mean over an iteration"),
        Meaning::of("mem-peak", "largest memory of an iteration"),
    ],
    fits: |head| {
        No::unless(head.first_line().starts_with(b"<"), "it is no XML")?;
        No::unless(memchr::memmem::find(head.bytes(), b"<phpbench").is_some(), "it has no element `phpbench`")
    },
    read,
    ..Format::PLAIN
};

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut report = Report::default();
    xml::each(&bytes, &mut sheet, |sheet, event, line| {
        if let Event::Start(tag) | Event::Empty(tag) = event {
            report.opens(sheet, tag, line);
        }
    });
    Ok(vec![sheet])
}

/// Where in the document the reader is.
#[derive(Default)]
struct Report {
    suite: Context,
    class: String,
    subject: String,
    revolutions: Option<f64>,
    set: Option<String>,
}

impl Report {
    fn opens(&mut self, sheet: &mut Sheet, tag: &BytesStart<'_>, line: u32) {
        let text = |name: &str| xml::attribute(tag, name).filter(|text| !text.is_empty());
        match tag.name().as_ref() {
            "suite" => {
                let stated = ["date", "tag"].iter().filter_map(|key| Some(((*key).to_owned(), text(key)?)));
                self.suite = stated.collect();
            }
            "benchmark" => self.class = text("class").unwrap_or_default(),
            "subject" => self.subject = text("name").unwrap_or_default(),
            "variant" => {
                self.revolutions = text("revs").and_then(|revs| number(revs.as_bytes()));
                self.set = None;
            }
            "parameter-set" => self.set = text("name"),
            "iteration" => self.iteration(sheet, tag, line),
            "error" => {
                let what = format!("{} ended with an error", excerpt(self.name().as_bytes()));
                sheet.problem(Code::MalformedRecord, line, what, "repair the benchmark");
            }
            _ => {}
        }
    }

    fn name(&self) -> String {
        let class = self.class.trim_start_matches('\\');
        if class.is_empty() { self.subject.clone() } else { format!("{class}::{}", self.subject) }
    }

    fn iteration(&self, sheet: &mut Sheet, tag: &BytesStart<'_>, line: u32) {
        let figure = |name: &str| xml::attribute(tag, name).and_then(|text| number(text.as_bytes()));
        let name = self.name();
        let revolutions = figure("time-revs").or(self.revolutions).filter(|&revs| revs > 0.0);
        let (Some(net), Some(revolutions)) = (figure("time-net"), revolutions) else {
            let what = format!("an iteration of {} has no time or no revolutions", excerpt(name.as_bytes()));
            return sheet.problem(
                Code::MalformedRecord,
                line,
                what,
                "is it the file that --dump-file wrote?",
            );
        };
        let mut context = self.suite.clone();
        context.extend(self.set.iter().map(|set| ("parameter-set".to_owned(), set.clone())));
        sheet.set_context(&context);
        let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
        let row = Measurement { benchmark: &name, metric, line, ..Measurement::default() };
        sheet.push(Measurement { value: net / revolutions / 1e6, ..row });
        if let Some(value) = figure("mem-peak") {
            let make = || Metric::new("mem-peak", "B", Quantity::Bytes).secondary().never_exact();
            let metric = sheet.metric("mem-peak", make);
            sheet.push(Measurement { metric, value, ..row });
        }
    }
}
