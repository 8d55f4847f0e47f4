//! The data of `ReBench`: a tab-separated row for each measurement, below comments with the environment and the source.

use super::json::record;
use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "rebench",
    sign: "a header `invocation`, `iteration`, `value`, `unit`, `criterion`, `benchmark`, … with tabs, or rows of these below `# Execution Start: `",
    harness: "ReBench",
    export: "rebench -df FILE CONFIGURATION",
    files: &["*.data"],
    values: Values::Averages,
    processes: Processes::Stated,
    keys: &[&[
        Key::date("start of the run"),
        Key::of_run("commit", Role::Commit, "commit of the configuration's repository"),
        Key::setting("branch", "branch of the repository"),
        Key::environment("hostname", "name of the machine"),
        Key::environment("cpu", "model of the processor"),
        Key::environment("os", "operating system with its version"),
        Key::environment("ram", "memory of the machine"),
        Key::setting("executor", "program that runs the benchmark"),
        Key::work("suite", "name of the suite"),
        Key::setting("tag", "tag of the results"),
        Key::environment("machine", "machine of the configuration"),
    ]],
    metrics: &[Meaning::of("total", "the whole of what the benchmark reports, mostly a time")],
    words: &["criterion\tbenchmark", START],
    fits: |head: &Head<'_>| {
        let is_early = || {
            // The last cells of a row may be empty, so that the blanks at its end count.
            let mut lines = head.bytes().split(|&byte| byte == b'\n');
            let row = lines.find(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"));
            row.is_some_and(is_row) && head.begins_line(START)
        };
        No::unless(head.lines().any(is_header) || is_early(), "it has no such header")
    },
    read: Read::Bytes(read),
    ..Format::PLAIN
};

/// The columns before those of the run.
const FIRST: [&str; 6] = ["invocation", "iteration", "value", "unit", "criterion", "benchmark"];
/// The columns that releases 1.0.0 to 1.1.0 write without a header; those before 1.1.0 have no machine.
const EARLY: [&str; 13] = words!(
    "invocation iteration value unit criterion benchmark executor suite extraArgs cores inputSize varValue \
     machine"
);
/// The comment with the time at which a run began, which all these releases write.
const START: &str = "# Execution Start: ";

fn is_header(line: &[u8]) -> bool {
    let mut cells = line.split(|&byte| byte == b'\t');
    FIRST.iter().all(|column| cells.next() == Some(column.as_bytes()))
}

/// Whether a line is a row without a header above it: so many cells, of which the first three are numbers.
fn is_row(line: &[u8]) -> bool {
    let cells: Vec<&[u8]> = line.split(|&byte| byte == b'\t').collect();
    let is_count = |cell: &[u8]| !cell.is_empty() && cell.iter().all(u8::is_ascii_digit);
    is_early(cells.len()) && is_count(cells[0]) && is_count(cells[1]) && number(cells[2]).is_some()
}

/// Whether a row of a file without a header has so many cells.
fn is_early(cells: usize) -> bool {
    cells == EARLY.len() || cells + 1 == EARLY.len()
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut data = Data::default();
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let text = lossless(text.strip_suffix(b"\r").unwrap_or(text));
        if let Some(comment) = text.strip_prefix('#') {
            data.comment(sheet, comment, line);
        } else if is_header(text.as_bytes()) {
            data.header = text.split('\t').map(str::to_owned).collect();
            data.is_named = true;
        } else if !text.trim().is_empty() {
            data.row(sheet, &text, line);
        }
    }
}

#[derive(Default)]
struct Data {
    header: Vec<String>,
    /// Whether the file itself has a header.
    is_named: bool,
    /// Whether the file says when a run began, as the releases without a header do.
    is_dated: bool,
    /// What the comments of the current run say.
    run: Context,
    /// The numbers of the invocations: each is a process.
    processes: HashMap<String, u32>,
    /// The iterations that warm up each benchmark, and those of each run, by the numbers that the comments give them.
    warm_ups: HashMap<String, f64>,
    of_run: HashMap<String, f64>,
}

impl Data {
    fn comment(&mut self, sheet: &mut Sheet, comment: &str, line: u32) {
        if comment.starts_with('!') {
            // ReBench appends to a file: a command begins a run.
            self.run.clear();
        } else if let Some(date) = comment.strip_prefix(&START[1..]) {
            self.is_dated = true;
            self.run.push(("date".to_owned(), date.trim().to_owned()));
        } else if let Some(object) = comment.strip_prefix(" Environment: ") {
            let fields = [("hostName", "hostname"), ("cpu", "cpu"), ("osType", "os"), ("memory", "ram")];
            self.object(sheet, object, line, &fields);
        } else if let Some(object) = comment.strip_prefix(" Source: ") {
            self.object(sheet, object, line, &[("commitId", "commit"), ("branchOrTag", "branch")]);
        } else if let Some(benchmark) = comment.strip_prefix(" benchmark: ") {
            self.warm_up(sheet, benchmark, line);
        } else if let Some(run) = comment.strip_prefix(" run_id: ") {
            self.run_id(sheet, run, line);
        }
    }

    /// Remembers how many iterations of a benchmark are warm-up, from `0={"runDetails":{"warmup":2,…},…}`.
    fn warm_up(&mut self, sheet: &mut Sheet, text: &str, line: u32) {
        let Some((number, object)) = text.split_once('=') else { return };
        let Ok(Some(object)) = record(object.as_bytes(), line, sheet) else { return };
        let warm_up = object.get("runDetails").and_then(|details| details.get("warmup"));
        if let Some(warm_up) = warm_up.and_then(|warm_up| number_of(sheet, warm_up, line)) {
            self.warm_ups.insert(number.to_owned(), warm_up);
        }
    }

    /// Remembers the same of a run, from `3={"benchmark_id":0,…}`.
    fn run_id(&mut self, sheet: &mut Sheet, text: &str, line: u32) {
        let Some((number, object)) = text.split_once('=') else { return };
        let Ok(Some(object)) = record(object.as_bytes(), line, sheet) else { return };
        let benchmark = object.get("benchmark_id").map(plain).unwrap_or_default();
        self.of_run.insert(number.to_owned(), self.warm_ups.get(&benchmark).copied().unwrap_or_default());
    }

    /// Whether `ReBench` counts a row as warm-up: it writes those, too.
    fn is_warm_up(&self, cells: &[&str]) -> bool {
        let run = self.header.iter().position(|column| column == "runId").map(|place| cells[place]);
        let warm_up = run.and_then(|run| self.of_run.get(run)).copied().unwrap_or_default();
        number(cells[1]).is_some_and(|iteration| iteration <= warm_up)
    }

    fn object(&mut self, sheet: &mut Sheet, text: &str, line: u32, fields: &[(&str, &str)]) {
        if let Ok(Some(object)) = record(text.as_bytes(), line, sheet) {
            self.run.extend(stated(&Value::Object(object), fields));
        }
    }

    fn row(&mut self, sheet: &mut Sheet, text: &str, line: u32) {
        let cells: Vec<&str> = text.split('\t').collect();
        let is_early = self.is_dated && !self.is_named && is_early(cells.len());
        if is_early && self.header.len() != cells.len() {
            self.header = EARLY[..cells.len()].iter().map(|&column| column.to_owned()).collect();
        }
        if self.header.is_empty() || cells.len() != self.header.len() {
            return sheet.wrong_width(line, cells.len(), self.header.len().max(12));
        }
        if self.is_warm_up(&cells) {
            return sheet.dropped(1);
        }
        let (value, unit, criterion, benchmark) = (cells[2], cells[3], cells[4], cells[5]);
        let Some(value) = sheet.number(value.as_bytes(), line) else {
            return sheet.no_number(line, criterion, "", value);
        };
        self.configure(sheet, &cells);
        let (metric, scale) = metric(sheet, criterion, unit);
        let process = Some(self.process(&cells));
        let value = scale.apply(value);
        sheet.push(Measurement { benchmark, metric, value, line, process, ..ROW });
    }

    /// Sets the configuration of a row: what is varied is different work, but for the executor.
    fn configure(&self, sheet: &mut Sheet, cells: &[&str]) {
        let mut context = self.run.clone();
        let columns = self.header.iter().zip(cells).skip(FIRST.len());
        for (column, &cell) in columns.filter(|(column, cell)| !cell.is_empty() && *column != "runId") {
            match &**column {
                "executor" | "suite" | "tag" | "machine" => context.push((column.clone(), cell.to_owned())),
                column => parameters::add(sheet, &mut context, column, cell.to_owned()),
            }
        }
        sheet.set_context(&context);
    }

    /// The number of the invocation within its run.
    fn process(&mut self, cells: &[&str]) -> u32 {
        let next = self.processes.len() as u32;
        let key = format!("{}\t{}", cells[0], cells[FIRST.len() - 1..].join("\t"));
        *self.processes.entry(key).or_insert(next)
    }
}

/// The metric of a criterion, which can have several units, and their scale. The largest resident memory comes from
/// `time -f %M`, which counts units of 1,024 bytes.
fn metric(sheet: &mut Sheet, criterion: &str, unit: &str) -> (u32, Scale) {
    let is_resident = criterion == "MaxRSS" && unit.eq_ignore_ascii_case("kb");
    let (metric, scale) = tracked::metric(criterion, if is_resident { "KiB" } else { unit });
    (sheet.metric_of(Metric { primary: criterion == "total", ..metric }), scale)
}
