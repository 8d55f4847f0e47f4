//! What `CoreMark` prints: the iterations a second of a run, which it checks.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "coremark",
    sign: "lines `CoreMark Size    : 666` and `Iterations/Sec   : 1234.5`",
    harness: "CoreMark",
    export: "./coremark.exe > FILE",
    values: Values::Averages,
    printed_by: &["coremark", "coremark.exe"],
    keys: &[&[
        Key::work("size", "bytes of data of an algorithm"),
        Key::work("seedcrc", "checksum of the seeds and the size"),
        Key::work("threads", "number of threads that run the benchmark"),
        Key::setting("compiler", "compiler that built the program"),
        Key::setting("flags", "flags of the compiler"),
        Key::setting("memory-location", "where the data is: heap, stack or static"),
    ]],
    metrics: &[Meaning::of("throughput", "iterations a second, all threads together")],
    words: &["CoreMark Size "],
    fits: |head| head.has_beginnings(&["CoreMark Size ", "Total ticks "]),
    read: Read::Bytes(read),
    processes: Processes::Stated,
    ..Format::PLAIN
};

/// The labels of what becomes a key.
const KEYS: [(&str, &str); 5] = [
    ("CoreMark Size", "size"),
    ("seedcrc", "seedcrc"),
    ("Compiler version", "compiler"),
    ("Compiler flags", "flags"),
    ("Memory location", "memory-location"),
];

/// A run as far as it is read.
#[derive(Default)]
struct Found<'a> {
    context: Context,
    rate: Option<(&'a str, u32)>,
    /// Why its result does not count.
    fault: Option<&'a str>,
    has_end: bool,
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut found, mut process) = (Found::default(), 0);
    for (line, text) in lines::numbered(bytes).collect::<Vec<_>>() {
        let text = text.trim();
        // What a checksum is wrong of stands above the first line of the result.
        if text.ends_with(" parameters for coremark.")
            || text.starts_with("CoreMark Size") && found.rate.is_some()
        {
            std::mem::take(&mut found).end(sheet, &mut process, line);
        }
        found.line(text, line);
    }
    found.end(sheet, &mut process, 0);
}

impl<'a> Found<'a> {
    fn line(&mut self, text: &'a str, line: u32) {
        if text.contains("ERROR!") {
            self.fault.get_or_insert(text);
        }
        self.has_end |= text.contains("]crcfinal ") || text.starts_with("Correct operation validated");
        let Some((label, value)) = text.split_once(':') else { return };
        let (label, value) = (label.trim_end(), value.trim());
        if label == "Iterations/Sec" {
            self.rate = Some((value, line));
        } else if label.starts_with("Parallel ") {
            self.context.push(("threads".to_owned(), value.to_owned()));
        } else if let Some((_, key)) = KEYS.iter().find(|(known, _)| *known == label)
            && !value.is_empty()
        {
            self.context.push(((*key).to_owned(), value.to_owned()));
        }
    }

    fn end(self, sheet: &mut Sheet, process: &mut u32, line: u32) {
        let Some((digits, place)) = self.rate else { return };
        if let Some(fault) = self.fault {
            let what = format!("the run is not valid: {}", excerpt(fault));
            return sheet.problem(Code::NoResults, place, what, "repeat the run with more iterations");
        }
        if !self.has_end {
            return sheet.cut(line, "the run");
        }
        let Some(value) = number(digits) else { return sheet.unreadable(place, digits) };
        sheet.set_context(&self.context);
        let metric = sheet
            .metric("throughput", || Metric::new("throughput", "1/s", Quantity::Throughput).never_exact());
        let (benchmark, process_of_run) = ("CoreMark", Some(*process));
        let row = Measurement { benchmark, metric, value, line: place, ..ROW };
        sheet.push(Measurement { process: process_of_run, ..row });
        *process += 1;
    }
}
