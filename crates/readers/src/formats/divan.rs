//! What divan prints: a tree of benchmarks with their fastest, slowest, median and mean sample.

use super::cargo_programs;
use super::cargo_programs::{Program, Programs};
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "divan",
    sign: "a line with `fastest`, `slowest`, `median`, `mean`, `samples` and `iters`",
    harness: "divan",
    export: "standard output of cargo bench",
    printed_by: &["cargo"],
    keys: &[cargo_programs::KEYS],
    metrics: &[
        Meaning::of("median", "time of one iteration, the median over the samples"),
        Meaning::of("mean", "time of one iteration, the mean over all iterations"),
        Meaning::of("fastest", "time of one iteration in the fastest sample"),
        Meaning::of("alloc count", "allocations of one iteration, the median over the samples"),
        Meaning::of("alloc bytes", "bytes that they allocate"),
        Meaning::of("max alloc count", "allocations that exist at once, at most"),
        Meaning::of("max alloc bytes", "bytes that are allocated at once, at most"),
    ],
    parts: |name, _| names::path(name, "::"),
    words: &["slowest"],
    fits: |head| head.has_line(|line| header(line).is_some()),
    read: Read::Bytes(read),
    ..Format::REPORT
};

/// The name of the program in the line above a tree.
fn header(line: &str) -> Option<&str> {
    let cells: Vec<&str> = line.split('│').map(str::trim).collect();
    let [first, "slowest", "median", "mean", "samples", "iters"] = cells[..] else { return None };
    first.strip_suffix("fastest").map(str::trim)
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut programs, mut tree) = (Programs::default(), Tree::default());
    let lines: Vec<(u32, &str)> = lines::numbered(bytes).collect();
    for &(line, text) in &lines {
        if programs.line(text) {
            tree.leave(sheet);
            tree.path.clear();
        } else if let Some(program) = header(text) {
            tree.leave(sheet);
            tree.path = vec![program.to_owned()];
            tree.indent = text.chars().take_while(|c| c.is_whitespace()).count();
        } else if let Some((branches, rest)) = text.split_once("─ ").filter(|_| !tree.path.is_empty()) {
            tree.leave(sheet);
            tree.branch(programs.now, branches, rest, line);
        } else if let Some(cells) = last_cells(text) {
            tree.cells(programs.now, cells, line);
        }
    }
    tree.leave(sheet);
    let results = tree.results;
    let shared = cargo_programs::shared(results.iter().map(|found| (found.program, &*found.benchmark)));
    for found in &results {
        sheet.set_context(&cargo_programs::context(&shared, found.program, &found.benchmark));
        values(sheet, found);
        found.allocations.iter().for_each(|row| allocated(sheet, found, row));
    }
}

/// The tree of a program as far as it is read.
#[derive(Default)]
struct Tree<'a> {
    /// The name at each depth.
    path: Vec<String>,
    /// By how much the whole tree is indented.
    indent: usize,
    /// The line of a name whose result is not there yet, and whether the benchmark printed text behind the name.
    open: Option<(u32, bool)>,
    /// Whether the last name has a result, to which rows can add.
    is_result: bool,
    /// The next row of the allocations.
    allocations: Option<(&'static str, &'static str)>,
    results: Vec<Found<'a>>,
}

impl<'a> Tree<'a> {
    /// Reads a line with a name.
    fn branch(&mut self, program: Program<'a>, branches: &str, rest: &'a str, line: u32) {
        // Each depth takes three characters.
        let depth = branches.chars().count().saturating_sub(self.indent) / 3 + 1;
        let cells: Vec<&str> = rest.split('│').map(str::trim).collect();
        let is_result = cells.len() == 6 && !cells[1].is_empty();
        let (name, time) = if is_result {
            // Names may contain blanks, the first time is two words before the first bar.
            fastest(cells[0])
        } else if cells.len() == 6 {
            (cells[0], None)
        } else {
            // The benchmark prints, from where the first time would stand.
            let (name, printed) = rest.split_once("  ").unwrap_or((rest, ""));
            self.open = Some((line, !printed.trim().is_empty()));
            (name, None)
        };
        self.path.truncate(depth);
        self.path.push(name.trim().to_owned());
        if let Some(time) = time {
            self.add(program, time, cells, line);
        }
    }

    /// Reads a line without a name: the result of one that printed, or rows that add to a result.
    fn cells(&mut self, program: Program<'a>, cells: Vec<&'a str>, line: u32) {
        let (is_more, is_number) = (cells[5].is_empty(), number(cells[5]).is_some());
        if let (Some(_), true, (_, Some(time))) = (self.open, is_number, fastest(cells[0])) {
            self.open = None;
            self.add(program, time, cells, line);
        } else if let Some(label) = allocation(cells[0]).filter(|_| is_more) {
            self.allocations = Some((label, "count"));
        } else if let (Some((label, kind)), Some(found)) = (self.allocations, self.results.last_mut())
            && self.is_result
            && is_more
        {
            found.allocations.push((label, kind, cells[2], line));
            self.allocations = (kind == "count").then_some((label, "bytes"));
        }
    }

    fn add(&mut self, program: Program<'a>, fastest: String, cells: Vec<&'a str>, line: u32) {
        let benchmark = self.path.join("::");
        self.results.push(Found { program, benchmark, fastest, cells, allocations: Vec::new(), line });
        self.is_result = true;
    }

    /// Leaves a name. If the benchmark printed, its result was to follow.
    fn leave(&mut self, sheet: &mut Sheet) {
        if let Some((line, true)) = self.open.take() {
            sheet.failed(line, self.path.join("::"), "");
        }
        (self.is_result, self.allocations) = (false, None);
    }
}

/// A cell without the two words of a time at its end, and the time.
fn fastest(cell: &str) -> (&str, Option<String>) {
    let mut words = cell.rsplitn(3, char::is_whitespace);
    let (unit, digits) = (words.next(), words.next());
    let time = digits.zip(unit).map(|(digits, unit)| format!("{digits} {unit}"));
    (words.next().unwrap_or_default(), time)
}

/// The last six cells of a line without a name, from `fastest` on. Branches of the tree can stand before them.
fn last_cells(text: &str) -> Option<Vec<&str>> {
    let mut cells: Vec<&str> = text.rsplitn(7, '│').take(6).map(str::trim).collect();
    cells.reverse();
    (cells.len() == 6).then_some(cells)
}

/// What the rows below a label of the allocations tell.
fn allocation(label: &str) -> Option<&'static str> {
    let known = ["max alloc", "alloc", "dealloc", "grow", "shrink"];
    known.into_iter().find(|known| label.strip_suffix(':') == Some(known))
}

/// A line with a result.
struct Found<'a> {
    program: Program<'a>,
    benchmark: String,
    fastest: String,
    cells: Vec<&'a str>,
    /// Of each row of the allocations the label, `count` or `bytes`, the median and the line.
    allocations: Vec<(&'static str, &'static str, &'a str, u32)>,
    line: u32,
}

fn values(sheet: &mut Sheet, found: &Found<'_>) {
    let Found { program, benchmark, fastest, cells, line, .. } = found;
    let (count, line, process) = (number(cells[4]), *line, program.process);
    for (name, cell) in [("median", cells[2]), ("mean", cells[3]), ("fastest", fastest)] {
        let parsed = cell.split_once(' ').and_then(|(digits, unit)| {
            // Of 60 s, `m` are minutes.
            let (unit, times) = match unit.trim() {
                "m" => ("min", 1.0),
                "d" => ("h", 24.0),
                unit => (unit, 1.0),
            };
            let unit = meaning(unit);
            (unit.quantity == Quantity::Time).then_some(unit.scale.apply(number(digits)? * times))
        });
        let Some(value) = sheet.need_number(parsed, line, name, benchmark, cell) else { continue };
        let metric = sheet.metric(name, || {
            let time = Metric::new(name, "s", Quantity::Time);
            if name == "median" { time } else { time.secondary() }
        });
        let aggregate = Some(Aggregate { count, deviation: None });
        let row = Measurement { benchmark, metric, value, line, aggregate, ..ROW };
        sheet.push(Measurement { process, ..row });
    }
}

/// Adds the median of a row of the allocations.
fn allocated(sheet: &mut Sheet, found: &Found<'_>, row: &(&'static str, &'static str, &str, u32)) {
    let (benchmark, (label, kind, cell, line)) = (&*found.benchmark, *row);
    let (digits, unit) = cell.split_once(' ').unwrap_or((cell, ""));
    let quantity = if kind == "bytes" { Quantity::Bytes } else { Quantity::Count };
    let meaning = meaning(unit.trim());
    let is_so = if kind == "bytes" { meaning.quantity == quantity } else { unit.is_empty() };
    let needed = number(digits).filter(|_| is_so);
    let Some(value) = sheet.need_number(needed, line, label, benchmark, cell) else { return };
    let name = format!("{label} {kind}");
    let metric = sheet.metric(&name, || {
        let unit = if kind == "bytes" { "B" } else { "1" };
        // Four digits are printed.
        Metric::new(&name, unit, quantity).secondary().never_exact()
    });
    let aggregate = Some(Aggregate { count: number(found.cells[4]), deviation: None });
    let (value, process) =
        (if kind == "bytes" { meaning.scale.apply(value) } else { value }, found.program.process);
    sheet.push(Measurement { benchmark, metric, value, line, process, aggregate, ..ROW });
}
