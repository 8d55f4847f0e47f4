//! Catch2's XML: the mean and the deviation of each benchmark, in nanoseconds.

use super::prelude::*;
use quick_xml::events::{BytesStart, Event};

use super::xml;

pub static FORMAT: Format = Format {
    name: "catch2",
    sign: "XML with `<BenchmarkResults`, in `<Catch` or `<Catch2TestRun`",
    harness: "Catch2",
    export: "--reporter xml",
    files: &["*.xml"],
    metrics: &[Meaning::of("time", "time of one iteration, the mean over the samples")],
    parts: |name, _| names::path(name, " / "),
    words: &["<Catch"],
    fits: |head| head.is_xml_with(&["<Catch"]),
    read: Read::Bytes(read),
    ..Format::SUMMARY
};

/// The JSON of Catch2, which has no benchmarks.
pub static JSON: Format = Format {
    name: "catch2-json",
    sign: "an object with `metadata` that holds `catch2-version`",
    harness: "Catch2",
    values: Values::refused(
        "the JSON of Catch2, which has no benchmarks and no times",
        "--reporter xml --out FILE",
    ),
    fits: |head| head.has_all(&["metadata.catch2-version"]),
    ..Format::PLAIN
};

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut report = Report::default();
    xml::each(bytes, sheet, |sheet, event, line| match event {
        Event::Start(tag) => {
            // Each run writes a document.
            if tag.name().as_ref().starts_with("Catch") {
                sheet.next_run();
                report.names.clear();
            }
            report.opens(tag, line, false);
        }
        Event::Empty(tag) => report.opens(tag, line, true),
        Event::End(tag) => report.closes(sheet, tag.name().as_ref()),
        _ => {}
    });
}

/// A benchmark whose element is open.
#[derive(Default)]
struct Current {
    name: String,
    line: u32,
    count: Option<f64>,
    mean: Option<f64>,
    deviation: Option<f64>,
}

#[derive(Default)]
struct Report {
    /// The names of the test case and its sections.
    path: Vec<String>,
    /// The names of this run: under `GENERATE` or in a loop a benchmark comes several times.
    names: Numbered,
    current: Option<Current>,
}

impl Report {
    fn opens(&mut self, tag: &BytesStart<'_>, line: u32, empty: bool) {
        let figure = |name: &str| xml::attribute(tag, name).and_then(number);
        match tag.name().as_ref() {
            "TestCase" | "Section" if !empty => {
                self.path.push(xml::attribute(tag, "name").unwrap_or_default());
            }
            "BenchmarkResults" if !empty => {
                let own = xml::attribute(tag, "name").unwrap_or_default();
                let name = self.path.iter().chain([&own]).cloned().collect::<Vec<_>>().join(" / ");
                let name = self.names.name(name);
                self.current = Some(Current { name, line, count: figure("samples"), ..Current::default() });
            }
            "mean" => {
                if let Some(current) = &mut self.current {
                    current.mean = figure("value");
                }
            }
            "standardDeviation" => {
                if let Some(current) = &mut self.current {
                    // With --benchmark-no-analysis there is none, and zeros stand for it.
                    current.deviation = figure("value").filter(|_| figure("ci") != Some(0.0));
                }
            }
            _ => {}
        }
    }

    fn closes(&mut self, sheet: &mut Sheet, name: &str) {
        match name {
            "TestCase" | "Section" => {
                self.path.pop();
            }
            "BenchmarkResults" => {
                if let Some(current) = self.current.take() {
                    settle(sheet, &current);
                }
            }
            _ => {}
        }
    }
}

fn settle(sheet: &mut Sheet, current: &Current) {
    let Some(mean) = sheet.need_of(current.mean, current.line, &current.name, "mean") else { return };
    let metric = sheet.metric("time", || Metric::new("time", "s", Quantity::Time));
    let deviation = current.deviation.map(|deviation| deviation / 1e9);
    let aggregate = Some(Aggregate { count: current.count, deviation });
    let row = Measurement { benchmark: &current.name, metric, line: current.line, aggregate, ..ROW };
    sheet.push(Measurement { value: mean / 1e9, process: Some(0), ..row });
}
