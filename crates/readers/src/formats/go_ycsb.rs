//! What go-ycsb prints at the end of a run, as lines, as a table or as JSON.

use super::prelude::*;
use super::ycsb;

pub static FORMAT: Format = Format {
    name: "go-ycsb",
    sign: "lines such as `READ   - Takes(s): 8.6, Count: 500, OPS: 58.1, Avg(us): 1234, …` below `Run finished, takes 8.6s`",
    harness: "go-ycsb",
    export: "go-ycsb run DB -P WORKLOAD > FILE",
    printed_by: &["go-ycsb"],
    keys: &[ycsb::PROPERTIES, &[Key::work("dotransactions", "false if records are loaded")]],
    metrics: &[
        Meaning::of("throughput", "operations per second"),
        Meaning::of("latency-mean", "time of an operation, the mean over the run"),
        Meaning::of("latency-min", "shortest time of an operation"),
        Meaning::of("latency-max", "longest time of an operation"),
        Meaning::of("latency-p50", "median time of an operation"),
        Meaning::of("latency-p99", "time of an operation, the 99th percentile"),
        Meaning::of("errors", "operations that failed"),
    ],
    words: &["Takes(s)", "TAKES(S)"],
    fits: |head| head.has_line(|line| Layout::of(line).is_some()),
    read: Read::Sheet(read),
    ..Format::REPORT
};

/// The properties that say what the work is.
fn key_of(property: &str) -> Option<&'static str> {
    let name = match property {
        "threadcount" => "threads",
        "target" => "rate",
        other => other,
    };
    FORMAT.keys().map(|key| key.name).find(|key| *key == name)
}

/// What begins on a line.
enum Layout<'a> {
    /// An operation and its pairs.
    Line(&'a str, &'a str),
    /// The header of a table.
    Table(Vec<&'a str>),
    Json,
}

impl<'a> Layout<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let text = line.trim();
        if let Some((operation, rest)) = text.split_once(" - Takes(s): ") {
            let is_one = rest.contains(", OPS: ");
            return is_one.then(|| {
                Self::Line(operation.trim(), &text[text.len() - rest.len() - "Takes(s): ".len()..])
            });
        }
        if text.starts_with("[{\"") {
            let has_all =
                ["\"Operation\":", "\"Takes(s)\":", "\"OPS\":"].iter().all(|key| text.contains(key));
            return has_all.then_some(Self::Json);
        }
        let cells = cells(text)?;
        let is_header = cells.first() == Some(&"OPERATION") && cells.get(1) == Some(&"TAKES(S)");
        is_header.then_some(Self::Table(cells))
    }
}

/// The cells of a line of a table.
fn cells(text: &str) -> Option<Vec<&str>> {
    let inner = text.strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}

/// A run as far as it is read.
#[derive(Default)]
struct Report<'a> {
    run: Run,
    /// The operations that have had their lines.
    operations: HashSet<&'a str>,
    /// The columns of the table that is being read.
    header: Vec<&'a str>,
    /// Whether the line was read that says that the run is over.
    has_end: bool,
}

fn read(sheet: &mut Sheet, content: &Content) -> io::Result<()> {
    let bytes = content.all()?;
    let mut report = Report::default();
    for (line, text) in lines::numbered(&bytes).collect::<Vec<_>>() {
        if text.starts_with("Run finished, takes ") {
            report.settle(sheet);
            report.has_end = true;
        } else if let Some((property, value)) = property(text) {
            if report.has_end {
                report.settle(sheet);
                report.run.context.clear();
            }
            if let Some(key) = key_of(property) {
                report.run.state(key, value);
            }
        } else {
            report.line(sheet, text, line, content)?;
        }
    }
    if !report.has_end {
        let what = "there is no line `Run finished` at the end: what is there is of a part of a run";
        sheet.problem(Code::Truncated, 0, what, "did the run end? Repeat it");
    }
    report.settle(sheet);
    Ok(())
}

impl<'a> Report<'a> {
    /// Adds the figures of a run that is over. Before, they are those of a part of it.
    fn settle(&mut self, sheet: &mut Sheet) {
        if self.has_end {
            self.run.end_within(sheet);
        } else {
            sheet.dropped(self.run.figures.len());
            self.run.figures.clear();
        }
        (self.has_end, self.header) = (false, Vec::new());
        self.operations.clear();
    }

    fn line(&mut self, sheet: &mut Sheet, text: &'a str, line: u32, content: &Content) -> io::Result<()> {
        let layout = Layout::of(text);
        let has_it = match &layout {
            Some(Layout::Line(operation, _)) => self.operations.contains(operation),
            Some(_) => !self.run.figures.is_empty(),
            None => false,
        };
        if has_it {
            self.settle(sheet);
        }
        match layout {
            Some(Layout::Line(operation, pairs)) => {
                self.operations.insert(operation);
                let pairs = pairs.split(", ").filter_map(|pair| pair.split_once(": "));
                row(sheet, &mut self.run, operation, pairs, line);
            }
            Some(Layout::Table(names)) => self.header = names,
            Some(Layout::Json) => json(sheet, &mut self.run, text, line, content)?,
            None => {
                let cells = cells(text.trim()).unwrap_or_default();
                if !self.header.is_empty() && cells.len() == self.header.len() {
                    let pairs = self.header.iter().copied().zip(cells.iter().copied()).skip(1);
                    row(sheet, &mut self.run, cells[0], pairs, line);
                }
            }
        }
        Ok(())
    }
}

/// The name and the value of `"threadcount"="8"`.
fn property(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('"')?.strip_suffix('"')?.split_once("\"=\"")
}

fn json(sheet: &mut Sheet, run: &mut Run, text: &str, line: u32, content: &Content) -> io::Result<()> {
    Span::new(text.as_bytes(), line, content.budget.limits.values).each(sheet, |sheet, record, _| {
        let pairs: Vec<(String, String)> = record
            .object()
            .into_iter()
            .flat_map(Object::iter)
            .map(|(key, value)| (key.to_owned(), plain(value)))
            .collect();
        let operation = record.text_of("Operation").unwrap_or_default();
        let pairs =
            pairs.iter().map(|(key, value)| (&**key, &**value)).filter(|(key, _)| *key != "Operation");
        row(sheet, run, operation, pairs, line);
    })
}

/// Adds the figures of an operation. Those that failed have a row of their own, of which only the number is a result.
fn row<'a>(
    sheet: &mut Sheet,
    run: &mut Run,
    operation: &str,
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
    line: u32,
) {
    let failed = operation.strip_suffix("_ERROR");
    let first = run.figures.len();
    let mut count = None;
    for (label, digits) in pairs {
        let Some(value) = sheet.need_number(number(digits), line, label, operation, digits) else { continue };
        let name = name_of(&label.to_ascii_lowercase());
        if label.eq_ignore_ascii_case("count") {
            count = Some(value);
        }
        match (failed, name.as_deref()) {
            (Some(operation), _) if label.eq_ignore_ascii_case("count") => {
                run.add(operation, "errors", value, line);
            }
            (Some(_), _) | (_, None) => {}
            (None, Some("throughput")) => run.add(operation, "throughput", value, line),
            // Times are whole microseconds.
            (None, Some(_)) if value == 0.0 => sheet.dropped(1),
            (None, Some(name)) => run.add(operation, name, value / 1e6, line),
        }
    }
    let times = run.figures[first..].iter_mut().filter(|figure| figure.name.starts_with("latency"));
    times.for_each(|figure| figure.aggregate.count = count);
}

/// The metric of a column.
fn name_of(label: &str) -> Option<String> {
    match label {
        "ops" => Some("throughput".to_owned()),
        "avg(us)" => Some("latency-mean".to_owned()),
        "min(us)" => Some("latency-min".to_owned()),
        "max(us)" => Some("latency-max".to_owned()),
        _ => percentile("latency", label.strip_suffix("th(us)")?),
    }
}
