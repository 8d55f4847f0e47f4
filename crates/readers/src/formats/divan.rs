//! What divan prints: a tree of benchmarks with their fastest, slowest, median and mean sample.

use std::io;
use std::path::Path;

use super::cargo_programs::{self, Program, Programs};
use super::format::{Format, Meaning, Processes, Values};
use super::head::No;
use super::{lines, names, table_units};
use crate::metric::{Metric, Quantity};
use crate::sheet::{Aggregate, Measurement};
use crate::source::Content;
use crate::text::{excerpt, number};
use crate::{Code, Options, Sheet};

/// The format's entry in the registry.
pub static FORMAT: Format = Format {
    name: "divan",
    sign: "a line with `fastest`, `slowest`, `median`, `mean`, `samples` and `iters`",
    harness: "divan",
    export: "standard output of cargo bench",
    values: Values::Aggregates,
    processes: Processes::Stated,
    keys: &[cargo_programs::KEYS],
    metrics: &[
        Meaning::of("median", "time of one iteration, the median over the samples"),
        Meaning::of("mean", "time of one iteration, the mean over all iterations"),
        Meaning::of("fastest", "time of one iteration in the fastest sample"),
    ],
    parts: |name, _| names::path(name, "::"),
    fits: |head| {
        let is_header = |line: &[u8]| std::str::from_utf8(line).is_ok_and(|line| header(line).is_some());
        No::unless(head.lines().any(is_header), "it has no such line")
    },
    read,
    ..Format::PLAIN
};

/// The name of the program in the line above a tree.
fn header(line: &str) -> Option<&str> {
    let cells: Vec<&str> = line.split('│').map(str::trim).collect();
    let [first, "slowest", "median", "mean", "samples", "iters"] = cells[..] else { return None };
    first.strip_suffix("fastest").map(str::trim)
}

fn read(name: &str, _path: &Path, content: &Content, _options: &Options) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    // The name at each depth of the tree, and by how much the whole tree is indented.
    let (mut path, mut indent): (Vec<String>, usize) = (Vec::new(), 0);
    let (mut programs, mut results) = (Programs::default(), Vec::new());
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        if programs.line(text) {
            path.clear();
        } else if let Some(program) = header(text) {
            path = vec![program.to_owned()];
            indent = text.chars().take_while(|c| c.is_whitespace()).count();
        } else if let Some((branches, rest)) = text.split_once("─ ").filter(|_| !path.is_empty()) {
            // Each depth takes three characters.
            let depth = branches.chars().count().saturating_sub(indent) / 3 + 1;
            // Names may contain blanks, the first time is two words before the first bar.
            let cells: Vec<&str> = rest.split('│').map(str::trim).collect();
            let mut words = cells[0].rsplitn(3, char::is_whitespace);
            let time = [words.next(), words.next()];
            let is_result = cells.len() == 6 && !cells[1].is_empty();
            let name = if is_result { words.next().unwrap_or_default() } else { cells[0] };
            path.truncate(depth);
            path.push(name.trim().to_owned());
            if let ([Some(unit), Some(digits)], true) = (time, is_result) {
                let fastest = format!("{digits} {unit}");
                results.push(Found {
                    program: programs.now,
                    benchmark: path.join("::"),
                    fastest,
                    cells,
                    line,
                });
            }
        }
    }
    let shared = cargo_programs::shared(results.iter().map(|found| (found.program, &*found.benchmark)));
    for found in &results {
        sheet.set_context(&cargo_programs::context(&shared, found.program, &found.benchmark));
        values(&mut sheet, found);
    }
    Ok(vec![sheet])
}

/// A line with a result.
struct Found<'a> {
    program: Program<'a>,
    benchmark: String,
    fastest: String,
    cells: Vec<&'a str>,
    line: u32,
}

fn values(sheet: &mut Sheet, found: &Found<'_>) {
    let Found { program, benchmark, fastest, cells, line } = found;
    let (count, line, process) = (number(cells[4].as_bytes()), *line, program.process);
    for (name, cell) in [("median", cells[2]), ("mean", cells[3]), ("fastest", fastest)] {
        let parsed = cell.split_once(' ').and_then(|(digits, unit)| {
            // Of 60 s, `m` are minutes.
            let (unit, times) = match unit.trim() {
                "m" => ("min", 1.0),
                "d" => ("h", 24.0),
                unit => (unit, 1.0),
            };
            let unit = table_units::meaning(unit);
            (unit.quantity == Quantity::Time).then_some(unit.scale.apply(number(digits.as_bytes())? * times))
        });
        let Some(value) = parsed else {
            let what = format!(
                "{name} of {} is `{}`, not a time",
                excerpt(benchmark.as_bytes()),
                excerpt(cell.as_bytes())
            );
            sheet.problem(Code::MalformedNumber, line, what, "");
            continue;
        };
        let metric = sheet.metric(name, || {
            let time = Metric::new(name, "s", Quantity::Time);
            if name == "median" { time } else { time.secondary() }
        });
        let aggregate = Some(Aggregate { count, deviation: None });
        let row = Measurement { benchmark, metric, value, line, aggregate, ..Measurement::default() };
        sheet.push(Measurement { process, ..row });
    }
}
