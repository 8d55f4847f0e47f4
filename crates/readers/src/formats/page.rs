//! What harnesses print for people: tables under a header, and lines about one benchmark after another. A format declares
//! its columns and reads its lines; here are the figures with their units, and what becomes of them.
//!
//! Nothing printed is a sample: every figure is a summary, with the number of samples and, of a mean, their deviation where
//! these are printed, too.

use super::units::{self, Meaning};
use super::units::{is_known, meaning};
use super::{lines, parameters};
use crate::context::Context;
use crate::metric::{Metric, Quantity};
use crate::sheet::{Aggregate, Measurement, ROW, Sheet};
use crate::text::grouped;
use crate::text::{PLUS_MINUS, number};

/// How a harness prints.
pub(crate) struct Print {
    /// The columns of its tables, by their heads in small letters and without a unit. Of the figures, the first that a table
    /// has is compared by default.
    pub(super) columns: &'static [(&'static str, Column)],
    /// What a column with another head is, left of the figures.
    pub(super) other: fn(&str) -> Option<Column>,
    /// The cells of a line.
    pub(super) cells: fn(&str) -> Vec<&str>,
    /// What stands between the parts of a name that are in several columns.
    pub(super) join: &'static str,
    /// Whether other lines stand between the rows of a table.
    pub(super) is_interrupted: bool,
    /// Whether the first cell can have blanks where blanks separate cells.
    pub(super) is_first_wide: bool,
    /// The meaning of a unit.
    pub(super) unit: fn(&str) -> Option<Meaning>,
    /// Reads a line outside of tables.
    pub(super) line: fn(&mut Page<'_>, &str),
}

impl Print {
    /// A description to which a harness adds what it has.
    pub(super) const PLAIN: Self = Self {
        columns: &[],
        other: |_| None,
        cells: |_| Vec::new(),
        join: " ",
        is_interrupted: false,
        is_first_wide: false,
        unit: known,
        line: |_, _| {},
    };
}

/// What a column has.
#[derive(Clone, Copy)]
pub(super) enum Column {
    /// The name of the benchmark, or a part of it.
    Name,
    /// A key of the configuration.
    Key(&'static str),
    /// A key of the configuration under the head of the column.
    OwnKey,
    /// A parameter of the benchmark, by the head of the column.
    Parameter,
    /// The number of samples.
    Count,
    /// The deviation of the mean.
    Deviation,
    /// The same in per cent of the mean.
    Relative,
    /// The mean: its metric, and its unit where neither the head nor the cell states one.
    Mean(&'static str, &'static str),
    /// Another summary: its metric and unit.
    Figure(&'static str, &'static str),
    /// `(1.2 µs … 3.4 µs)`: the metrics of both.
    Range(&'static str, &'static str),
    /// Why the benchmark has no result, if it says so.
    Failure,
}

/// The meaning of a unit that all write alike.
pub(super) fn known(unit: &str) -> Option<Meaning> {
    is_known(unit).then(|| meaning(unit))
}

/// The same where `KB` and `MB` are 1,024 and 1,048,576 bytes.
pub(super) fn binary(unit: &str) -> Option<Meaning> {
    let unit = match unit {
        "KB" | "kB" | "kb" => "KiB",
        "MB" | "mb" => "MiB",
        "GB" | "gb" => "GiB",
        "b" => "B",
        other => other,
    };
    known(unit)
}

/// The cells of a line that begins with a bar.
pub(super) fn between_bars(line: &str) -> Vec<&str> {
    if line.trim_start().starts_with(['|', '│']) { between_any_bars(line) } else { Vec::new() }
}

/// The cells between bars, also where none stand at the ends; a bar behind a backslash is part of a cell.
pub(super) fn between_any_bars(line: &str) -> Vec<&str> {
    let line = line.trim();
    let Some(bar) = line.chars().find(|sign| matches!(sign, '|' | '│' | '┃' | '║')) else {
        return Vec::new();
    };
    let inner = line.strip_prefix(bar).unwrap_or(line);
    let inner = inner.strip_suffix(bar).filter(|inner| !inner.ends_with('\\')).unwrap_or(inner);
    let mut is_escaped = false;
    let is_end = |sign: char| {
        let is_end = sign == bar && !is_escaped;
        is_escaped = sign == '\\';
        is_end
    };
    inner.split(is_end).map(str::trim).collect()
}

/// The cells between two blanks or more.
pub(super) fn between_blanks(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

/// A figure of the benchmark that is being read.
struct Figure {
    metric: String,
    value: f64,
    meaning: Meaning,
    deviation: Option<f64>,
    is_primary: bool,
    line: u32,
}

/// The header of a table.
struct Header {
    /// The place of each column that is read, what it has, its head and the unit in that.
    columns: Vec<(usize, Column, String, String)>,
    /// The place of the column that is compared by default.
    primary: usize,
    width: usize,
    spacing: Spacing,
}

/// Whether a document left lines empty between those of a table.
#[derive(Clone, Copy, PartialEq)]
enum Spacing {
    /// It did not.
    Dense,
    /// Nothing stands below a header with bars.
    Open,
    /// An empty line stands below the header.
    Wide,
    /// The same, and rows below that.
    WideRows,
}

/// An output that is being read.
pub(super) struct Page<'s> {
    pub(super) sheet: &'s mut Sheet,
    print: &'static Print,
    header: Option<Header>,
    /// The number of the line.
    pub(super) line: u32,
    /// The configuration of what follows.
    pub(super) context: Context,
    /// What stands before the names that follow.
    pub(super) prefix: String,
    /// The benchmark of the figures.
    pub(super) name: String,
    /// The number of samples of the figures.
    pub(super) count: Option<f64>,
    figures: Vec<Figure>,
    /// What a format keeps from line to line.
    pub(super) kept: Vec<(usize, String)>,
    /// The number of benchmarks without a name.
    pub(super) nameless: u32,
}

/// Reads an output, and returns what the format kept.
pub(super) fn read(sheet: &mut Sheet, bytes: &[u8], print: &'static Print) -> Vec<(usize, String)> {
    let mut page = Page::new(sheet, print);
    for (line, text) in lines::numbered(bytes) {
        page.take(line, text);
    }
    // A table or a benchmark can end with the file.
    page.take(page.line.saturating_add(1), "");
    page.ends();
    std::mem::take(&mut page.kept)
}

impl<'s> Page<'s> {
    pub(super) fn new(sheet: &'s mut Sheet, print: &'static Print) -> Self {
        Self {
            sheet,
            print,
            header: None,
            line: 0,
            context: Context::new(),
            prefix: String::new(),
            name: String::new(),
            count: None,
            figures: Vec::new(),
            kept: Vec::new(),
            nameless: 0,
        }
    }

    /// Takes the next line.
    pub(super) fn take(&mut self, line: u32, text: &str) {
        self.line = line;
        let cells = (self.print.cells)(text);
        if let Some(header) = self.header_of(&cells) {
            self.ends();
            (self.print.line)(self, text);
            let has_bars = text.trim_start().starts_with('|');
            let spacing = if has_bars { Spacing::Open } else { Spacing::Dense };
            self.header = Some(Header { spacing, ..header });
            return;
        }
        match self.header.take() {
            Some(mut header) if is_rule(text) => {
                if header.spacing == Spacing::Open {
                    header.spacing = Spacing::Dense;
                }
                // A rule below rows is that of another table.
                self.header = Some(header).filter(|header| header.spacing != Spacing::WideRows);
            }
            Some(mut header) if text.is_empty() && header.spacing != Spacing::Dense => {
                if header.spacing == Spacing::Open {
                    header.spacing = Spacing::Wide;
                }
                (self.print.line)(self, text);
                self.header = Some(header);
            }
            Some(mut header) if cells.len() >= header.width => {
                let more = if self.print.is_first_wide { cells.len() - header.width } else { 0 };
                let mut cells = cells[more..].to_vec();
                if let Some(first) = cells.first_mut().filter(|_| more > 0) {
                    let end = first.as_ptr().addr() + first.len() - text.as_ptr().addr();
                    *first = text[..end].trim_start().split_once(' ').map_or("", |(_, first)| first);
                }
                self.row(&header, &cells);
                let is_wide = matches!(header.spacing, Spacing::Wide | Spacing::WideRows);
                header.spacing = if is_wide { Spacing::WideRows } else { Spacing::Dense };
                self.header = Some(header);
            }
            header => {
                (self.print.line)(self, text);
                self.header = header.filter(|_| self.print.is_interrupted);
            }
        }
    }

    /// Begins another benchmark.
    pub(super) fn begin(&mut self, name: &str) {
        self.ends();
        self.name = format!("{}{}", self.prefix, name.trim());
    }

    /// Adds the mean, which is compared by default, with its deviation.
    pub(super) fn mean(&mut self, metric: &str, text: &str, deviation: Option<&str>) {
        self.mean_of(metric, text, deviation, true);
    }

    /// Adds a mean with its deviation.
    pub(super) fn mean_of(&mut self, metric: &str, text: &str, deviation: Option<&str>, is_primary: bool) {
        let Some((value, meaning)) = self.amount(text, "") else { return self.unreadable(text) };
        let deviation =
            deviation.map(|text| self.amount(text, "").filter(|found| found.1.base == meaning.base));
        let deviation = match deviation {
            Some(None) => return self.unreadable(text),
            found => found.flatten().map(|(deviation, _)| deviation),
        };
        self.add(metric, value, meaning, deviation, is_primary);
    }

    /// Adds another figure.
    pub(super) fn figure(&mut self, metric: &str, text: &str) {
        match self.amount(text, "") {
            Some((value, meaning)) => self.add(metric, value, meaning, None, false),
            None => self.unreadable(text),
        }
    }

    /// The deviation of the mean, which follows it.
    pub(super) fn deviation(&mut self, text: &str) {
        let Some((value, _)) = self.amount(text, "") else { return self.unreadable(text) };
        if let Some(mean) = self.figures.iter_mut().find(|figure| figure.is_primary) {
            mean.deviation = Some(value);
        }
    }

    /// Adds a figure in base units.
    pub(super) fn add(
        &mut self,
        metric: &str,
        value: f64,
        meaning: Meaning,
        deviation: Option<f64>,
        is_primary: bool,
    ) {
        let (metric, line) = (metric.to_owned(), self.line);
        self.figures.push(Figure { metric, value, meaning, deviation, is_primary, line });
    }

    /// Whether the benchmark has figures.
    pub(super) fn has_figures(&self) -> bool {
        !self.figures.is_empty()
    }

    /// Leaves out the benchmark.
    pub(super) fn fails(&mut self, name: &str, why: &str) {
        self.sheet.failed(self.line, name, why);
        self.figures.clear();
    }

    /// Records that a figure cannot be read.
    pub(super) fn unreadable(&mut self, text: &str) {
        self.sheet.no_number(self.line, &self.name, "", text.trim());
    }

    /// Adds the figures of the benchmark to the sheet.
    pub(super) fn ends(&mut self) {
        let count = self.count.take().filter(|&count| count > 1.0);
        if self.figures.is_empty() {
            return;
        }
        self.sheet.set_context(&self.context);
        for figure in std::mem::take(&mut self.figures) {
            let Meaning { base, quantity, .. } = &figure.meaning;
            let metric = Metric::new(&figure.metric, base, *quantity).never_exact();
            // Times are printed with few digits: 0 is less than they can show.
            if figure.value == 0.0 && *quantity == Quantity::Time {
                self.sheet.dropped(1);
                continue;
            }
            let metric = self.sheet.metric_of(Metric { primary: figure.is_primary, ..metric });
            // One sample has no deviation, and harnesses print 0.
            let deviation = figure.deviation.filter(|&deviation| deviation > 0.0);
            let (line, aggregate) = (figure.line, Some(Aggregate { count, deviation }));
            let row = Measurement { benchmark: &self.name, metric, line, aggregate, ..ROW };
            self.sheet.push(Measurement { value: figure.value, ..row });
        }
    }

    /// A number with its unit, in base units: `1,234.5 µs`, `2.4K`, `10.2 (1.04)`.
    pub(super) fn amount(&self, text: &str, unit: &str) -> Option<(f64, Meaning)> {
        let text = text.trim().trim_matches('`').trim();
        // Some harnesses write a comparison behind a figure.
        let text = [" (", " - "].iter().find_map(|mark| text.split_once(mark)).map_or(text, |(text, _)| text);
        let digits = text.trim_end_matches(|sign: char| !sign.is_ascii_digit() && sign != '.');
        let stated = text[digits.len()..].trim();
        let value = grouped(digits).or_else(|| number(digits))?;
        let meaning = (self.print.unit)(if stated.is_empty() { unit } else { stated })?;
        Some((meaning.scale.apply(value), meaning))
    }

    fn header_of(&self, cells: &[&str]) -> Option<Header> {
        let mut columns = Vec::new();
        let is_figure =
            |column: &Column| matches!(column, Column::Mean(..) | Column::Figure(..) | Column::Range(..));
        let mut has_figure = false;
        for (place, cell) in cells.iter().enumerate() {
            let (head, unit) = parted(cell);
            let known = self.print.columns.iter().find(|(known, _)| is_head(&head, known));
            let other = || (self.print.other)(cell).filter(|_| !has_figure);
            if let Some(column) = known.map(|(_, column)| *column).or_else(other) {
                has_figure |= is_figure(&column);
                columns.push((place, column, (*cell).to_owned(), unit));
            }
        }
        // The head of the names can state the unit of all figures.
        let shared =
            columns.iter().find(|column| matches!(column.1, Column::Name)).map(|column| column.3.clone());
        for column in columns.iter_mut().filter(|column| column.3.is_empty()) {
            column.3 = shared.clone().unwrap_or_default();
        }
        let heads = columns.iter().map(|column| (column.0, parted(&column.2).0));
        let heads: Vec<(usize, String)> = heads.collect();
        let mut declared = self.print.columns.iter().filter(|(_, column)| is_figure(column));
        let primary = declared.find_map(|(known, _)| heads.iter().find(|(_, head)| is_head(head, known)))?.0;
        shared.is_some().then_some(Header { columns, primary, width: cells.len(), spacing: Spacing::Dense })
    }

    fn row(&mut self, header: &Header, cells: &[&str]) {
        self.ends();
        let names = header.columns.iter().filter(|column| matches!(column.1, Column::Name));
        let names: Vec<&str> =
            names.map(|column| unquoted(cells[column.0])).filter(|name| !name.is_empty()).collect();
        self.name = format!("{}{}", self.prefix, names.join(self.print.join).replace("\\|", "|"));
        let failure = header.columns.iter().find(|column| matches!(column.1, Column::Failure));
        if let Some(why) = failure.map(|column| unquoted(cells[column.0])).filter(|why| !why.is_empty()) {
            return self.fails(&self.name.clone(), why);
        }
        let shared = self.context.clone();
        let (mut spread, mut mean) = (None, None);
        for (place, column, head, unit) in &header.columns {
            let cell = unquoted(cells[*place]);
            // Such signs stand for what was not measured.
            if matches!(cell, "" | "-" | "?" | "N/A" | "NA") {
                if *place == header.primary {
                    self.fails(&self.name.clone(), "its cell is empty");
                    self.context = shared;
                    return;
                }
                continue;
            }
            match *column {
                Column::Name | Column::Failure => {}
                Column::Key(key) => self.context.push((key.to_owned(), cell.to_owned())),
                Column::OwnKey => self.context.push((head.clone(), cell.to_owned())),
                Column::Parameter => parameters::add(self.sheet, &mut self.context, head, cell.to_owned()),
                Column::Count => self.count = grouped(cell),
                Column::Deviation => spread = self.amount(cell, unit).map(|(deviation, _)| (deviation, 1.0)),
                Column::Relative => spread = percent(cell).map(|share| (share / 100.0, f64::NAN)),
                Column::Mean(metric, usual) | Column::Figure(metric, usual) => {
                    let unit = if unit.is_empty() { usual } else { unit };
                    mean = mean.or_else(|| matches!(column, Column::Mean(..)).then_some(self.figures.len()));
                    self.cell(
                        metric,
                        cell,
                        unit,
                        *place == header.primary,
                        matches!(column, Column::Mean(..)),
                    );
                }
                Column::Range(least, most) => self.range([least, most], cell),
            }
        }
        if let (Some((spread, factor)), Some(mean)) =
            (spread, mean.and_then(|mean| self.figures.get_mut(mean)))
        {
            mean.deviation = Some(if factor.is_nan() { spread * mean.value } else { spread });
        }
        self.ends();
        self.context = shared;
    }

    /// Adds the figure of a cell. Of a mean the deviation can stand behind it: `12.3 ± 0.2`. A spread in per cent is another
    /// one.
    fn cell(&mut self, metric: &str, cell: &str, unit: &str, is_primary: bool, is_mean: bool) {
        let parts = PLUS_MINUS.iter().find_map(|sign| cell.split_once(sign));
        let (value, spread) = parts.map_or((cell, None), |(value, spread)| (value, Some(spread)));
        let Some((value, meaning)) = self.amount(value, unit) else { return self.unreadable(cell) };
        let spread = spread.filter(|spread| is_mean && !spread.contains('%'));
        let deviation = spread.and_then(|spread| self.amount(spread, unit)).map(|(deviation, _)| deviation);
        // Some harnesses print the memory in a table of the same columns.
        let metric = if metric == "time" && meaning.quantity == Quantity::Bytes { "memory" } else { metric };
        self.add(metric, value, meaning, deviation, is_primary);
    }

    /// Adds the figures of `(1.2 µs … 3.4 µs)`.
    pub(super) fn range(&mut self, metrics: [&str; 2], cell: &str) {
        let inner = cell.trim().trim_start_matches('(').trim_end_matches(')');
        match inner.split_once('…').or_else(|| inner.split_once("...")) {
            Some((least, most)) => {
                self.figure(metrics[0], least);
                self.figure(metrics[1], most);
            }
            None => self.unreadable(cell),
        }
    }
}

/// A share in per cent: `±12.88%`.
fn percent(cell: &str) -> Option<f64> {
    let cell = PLUS_MINUS.iter().find_map(|sign| cell.strip_prefix(sign)).unwrap_or(cell);
    grouped(cell.strip_suffix('%')?.trim())
}

/// A head in small letters, and the unit in it.
fn parted(cell: &str) -> (String, String) {
    let (head, unit) = units::split_header(cell);
    let unit = unit.strip_prefix("time in ").unwrap_or(unit);
    let (head, unit) = if is_known(unit) { (head, unit) } else { (cell, "") };
    (head.to_lowercase(), unit.to_owned())
}

/// Whether a head is this one. R cuts heads and puts an ellipsis behind them.
fn is_head(head: &str, known: &str) -> bool {
    head == known
        || head.split_once('…').is_some_and(|(begin, _)| !begin.is_empty() && known.starts_with(begin))
}

/// The content of a cell without the quotes and the signs of code around it.
fn unquoted(cell: &str) -> &str {
    let cell = cell.trim();
    // BenchmarkDotNet prints the first row of a group bold.
    let bold = cell.strip_prefix("**").and_then(|cell| cell.strip_suffix("**"));
    let cell = bold.unwrap_or(cell);
    // Its Markdown has quotes as references.
    let referred = cell.strip_prefix("&#39;").and_then(|cell| cell.strip_suffix("&#39;"));
    let cell = referred.unwrap_or(cell);
    let inner = ['`', '\'', '"', '='].iter().find_map(|&sign| cell.strip_prefix(sign)?.strip_suffix(sign));
    inner.unwrap_or(cell).trim()
}

/// Whether a line stands between rows.
fn is_rule(line: &str) -> bool {
    // R writes the types of the columns below their heads.
    let is_drawn = !line.is_empty() && line.chars().all(|sign| "-=:+|│┌┬┐├┼┤└┴┘─═ ".contains(sign));
    is_drawn || line.trim_start().starts_with("<bch:expr>")
}
