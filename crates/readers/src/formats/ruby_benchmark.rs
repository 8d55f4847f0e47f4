//! The tables of Ruby's library `benchmark`: one run of each block, with its user, system, total and elapsed time.

use std::io;
use std::path::Path;

use super::format::{Format, Meaning, Processes, Values};
use super::head::No;
use super::lines;
use crate::metric::{Metric, Quantity};
use crate::sheet::Measurement;
use crate::source::Content;
use crate::text::{excerpt, number};
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "ruby-benchmark",
    sign: "a header `user system total real`",
    harness: "Ruby Benchmark",
    export: "standard output of Benchmark.bm or Benchmark.bmbm",
    values: Values::Samples,
    processes: Processes::Unknown,
    metrics: &[
        Meaning::of("real", "elapsed time of one run of the block"),
        Meaning::of("user", "processor time in the program"),
        Meaning::of("system", "processor time in the system for the program"),
        Meaning::of("total", "processor time in all, with that of child processes"),
    ],
    fits: |head| {
        let is_header = |line: &[u8]| std::str::from_utf8(line).is_ok_and(is_header);
        No::unless(head.lines().any(is_header), "it has no such line")
    },
    read,
    ..Format::PLAIN
};

fn is_header(line: &str) -> bool {
    line.split_whitespace().eq(["user", "system", "total", "real"])
}

/// A line of a table: the label, and the times in their order.
fn times(line: &str) -> Option<(&str, [f64; 4])> {
    let (before, real) = line.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let mut rest = before.trim_end();
    let mut last = || {
        let (before, word) = rest.rsplit_once(char::is_whitespace).unwrap_or(("", rest));
        rest = before.trim_end();
        number(word.as_bytes())
    };
    let (total, system, user) = (last()?, last()?, last()?);
    Some((rest.trim_start(), [number(real.trim().as_bytes())?, user, system, total]))
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut within = false;
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        // A rehearsal has another header, and is no measurement.
        if is_header(text) {
            within = true;
        } else if text.trim().is_empty() || text.trim_start().starts_with("Rehearsal -") {
            within = false;
        } else if within {
            row(&mut sheet, text, line);
        }
    }
    Ok(vec![sheet])
}

fn row(sheet: &mut Sheet, text: &str, line: u32) {
    let Some((label, times)) = times(text) else {
        // Programs print between the measurements.
        let last = text.strip_suffix(')').and_then(|text| text.rsplit_once('('));
        if last.is_some_and(|(_, real)| number(real.trim().as_bytes()).is_some()) {
            let what = format!("`{}` has no four times", excerpt(text.as_bytes()));
            sheet.problem(Code::MalformedRecord, line, what, "did the program print into the table?");
        }
        return;
    };
    let benchmark = if label.is_empty() { "benchmark" } else { label };
    for (name, value) in ["real", "user", "system", "total"].into_iter().zip(times) {
        let metric = sheet.metric(name, || {
            let time = Metric::new(name, "s", Quantity::Time);
            if name == "real" { time } else { time.secondary() }
        });
        sheet.push(Measurement { benchmark, metric, value, line, ..Measurement::default() });
    }
}
