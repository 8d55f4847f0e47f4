//! The XML of `PHPBench`: each iteration has the time of its revolutions, in microseconds.

use super::prelude::*;
use quick_xml::events::{BytesStart, Event};

use super::xml;

pub static FORMAT: Format = Format {
    name: "phpbench",
    sign: "XML with `<phpbench`",
    harness: "PHPBench",
    export: "phpbench run --dump-file=FILE",
    files: &["*.xml"],
    values: Values::Averages,
    keys: &[&[
        Key::date("start of the run"),
        Key::setting("tag", "tag of the run"),
        Key::work(SET, "name of the set of parameters, or its number where it has no parameters"),
    ]],
    metrics: &[
        Meaning::of("time", "time of one revolution, the mean over an iteration"),
        Meaning::of("mem-peak", "largest memory of an iteration"),
    ],
    words: &["<phpbench"],
    fits: |head| head.is_xml_with(&["<phpbench"]),
    read: Read::Bytes(|sheet, bytes| {
        let mut report = Report::default();
        xml::each(bytes, sheet, |sheet, event, line| match event {
            Event::Start(tag) => report.opens(sheet, tag, line, false),
            Event::Empty(tag) => report.opens(sheet, tag, line, true),
            Event::Text(text) => report.parameters.text(text),
            Event::CData(text) => report.parameters.text(text),
            Event::End(tag) => report.closes(sheet, tag.name().as_ref()),
            _ => {}
        });
    }),
    ..Format::PLAIN
};

/// The key of the name of a set of parameters.
const SET: &str = "parameter-set";

/// Where in the document the reader is.
#[derive(Default)]
struct Report {
    suite: Context,
    class: String,
    subject: String,
    revolutions: Option<f64>,
    /// The configuration of the variant: that of the suite, and the set of parameters.
    variant: Context,
    /// Whether the sheet does not have it yet.
    is_new: bool,
    /// The number of a set without a name. It says only where the set stands among the others.
    number: Option<String>,
    parameters: Parameters,
}

/// The element of parameters in which the reader is.
#[derive(Default)]
struct Parameters {
    /// Whether it is in a set: an executor has parameters, too.
    in_set: bool,
    /// The names of the collections around it, with dots between them.
    path: String,
    /// How long the path was before each of them.
    ends: Vec<usize>,
    /// The content of the last element, where `PHPBench` writes what is no text.
    content: Option<String>,
}

impl Parameters {
    /// Takes the content of an element.
    fn text(&mut self, text: &str) {
        if let Some(content) = &mut self.content {
            content.push_str(text.trim());
        }
    }

    /// Enters a parameter.
    fn enter(&mut self, name: &str) {
        self.ends.push(self.path.len());
        if self.ends.len() > 1 {
            self.path.push('.');
        }
        self.path.push_str(name);
    }

    /// Leaves a parameter.
    fn leave(&mut self) {
        if let Some(end) = self.ends.pop() {
            self.path.truncate(end);
        }
    }
}

/// A longer path of names is no parameter that somebody wants to compare.
const LONGEST_PATH: usize = 1000;

impl Report {
    fn opens(&mut self, sheet: &mut Sheet, tag: &BytesStart<'_>, line: u32, is_empty: bool) {
        let text = |name: &str| xml::attribute(tag, name).filter(|text| !text.is_empty());
        match tag.name().as_ref() {
            "suite" => {
                let stated = ["date", "tag"].iter().filter_map(|key| Some(((*key).to_owned(), text(key)?)));
                self.suite = stated.collect();
                self.begin(None);
            }
            "benchmark" => self.class = text("class").unwrap_or_default(),
            "subject" => self.subject = text("name").unwrap_or_default(),
            "variant" => {
                self.revolutions = text("revs").and_then(number);
                self.begin(None);
            }
            "parameter-set" => {
                self.begin(text("name"));
                self.parameters.in_set = !is_empty;
            }
            "parameter" if self.parameters.in_set => self.parameter(sheet, tag, line, is_empty),
            "iteration" => self.iteration(sheet, tag, line),
            "error" => {
                sheet.failed(line, self.name(), "");
            }
            _ => {}
        }
    }

    fn closes(&mut self, sheet: &mut Sheet, tag: &str) {
        match tag {
            "parameter" if self.parameters.in_set => {
                if let Some(content) = self.parameters.content.take() {
                    self.add(sheet, content);
                }
                self.parameters.leave();
            }
            "parameter-set" => self.parameters.in_set = false,
            _ => {}
        }
    }

    /// Begins a configuration with the name of a set. `PHPBench` numbers those without a name, also of several providers:
    /// `0,2`.
    fn begin(&mut self, set: Option<String>) {
        let is_number = |name: &String| name.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
        self.variant = self.suite.clone();
        self.is_new = true;
        self.parameters = Parameters::default();
        self.number = set.clone().filter(is_number);
        self.variant.extend(set.filter(|name| !is_number(name)).map(|name| (SET.to_owned(), name)));
    }

    /// Reads a parameter: a value, nothing (`xsi:nil`), a collection of further ones, or content that is no text.
    fn parameter(&mut self, sheet: &mut Sheet, tag: &BytesStart<'_>, line: u32, is_empty: bool) {
        let name = xml::attribute(tag, "name").unwrap_or_default();
        self.parameters.enter(&name);
        self.parameters.content = None;
        let is_collection = xml::attribute(tag, "type").as_deref() == Some("collection");
        let value = match xml::attribute(tag, "value") {
            Some(value) => Some(value),
            None if xml::attribute(tag, "xsi:nil").as_deref() == Some("true") => Some("null".to_owned()),
            None if is_collection => is_empty.then(|| "[]".to_owned()),
            None if is_empty => Some(String::new()),
            None => {
                self.parameters.content = Some(String::new());
                None
            }
        };
        if self.parameters.path.len() > LONGEST_PATH {
            let what = format!("a parameter of {} has a name that is too long", excerpt(self.name()));
            sheet.malformed(line, what, "was the file edited?");
            self.parameters.in_set = false;
        } else if let Some(value) = value {
            self.add(sheet, value);
        }
        if is_empty {
            self.parameters.leave();
        }
    }

    /// Adds the parameter in which the reader is. `PHPBench` writes `false` as an empty text.
    fn add(&mut self, sheet: &mut Sheet, value: String) {
        let value = if value.is_empty() { "\"\"".to_owned() } else { value };
        parameters::add(sheet, &mut self.variant, &self.parameters.path, value);
        // The values say what the number stands for.
        self.number = None;
    }

    fn name(&self) -> String {
        let class = self.class.trim_start_matches('\\');
        if class.is_empty() { self.subject.clone() } else { format!("{class}::{}", self.subject) }
    }

    fn iteration(&mut self, sheet: &mut Sheet, tag: &BytesStart<'_>, line: u32) {
        let figure = |name: &str| xml::attribute(tag, name).and_then(number);
        let name = self.name();
        let revolutions = figure("time-revs").or(self.revolutions).filter(|&revs| revs > 0.0);
        let needed = figure("time-net").zip(revolutions);
        let Some((net, revolutions)) =
            sheet.need_of(needed, line, &name, "time or revolutions of an iteration")
        else {
            return;
        };
        if std::mem::take(&mut self.is_new) {
            self.variant.extend(self.number.take().map(|number| (SET.to_owned(), number)));
            sheet.set_context(&self.variant);
        }
        let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
        let row = Measurement { benchmark: &name, metric, line, ..ROW };
        sheet.push(Measurement { value: net / revolutions / 1e6, ..row });
        if let Some(value) = figure("mem-peak") {
            let make = || Metric::new("mem-peak", "B", Quantity::Bytes).secondary().never_exact();
            let metric = sheet.metric("mem-peak", make);
            sheet.push(Measurement { metric, value, ..row });
        }
    }
}
