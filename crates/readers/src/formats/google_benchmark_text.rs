//! The table that Google Benchmark prints: a row for each repetition, with three digits.

use super::google_benchmark::{self, Found, Summary, is_fit, settle, summarized, take_named, time_scale};
use super::prelude::*;
use crate::text::fields;

pub static FORMAT: Format = Format {
    name: "google-benchmark-text",
    sign: "a line with `Benchmark`, `Time`, `CPU` and `Iterations`",
    export: "standard output",
    words: &["Iterations"],
    fits: |head| No::unless(head.lines().any(is_header), "it has no such line"),
    read: Read::Bytes(read),
    ..google_benchmark::PRINTED
};

fn is_header(line: &[u8]) -> bool {
    let mut words = fields(line);
    ["Benchmark", "Time", "CPU", "Iterations"].iter().all(|word| words.next() == Some(word.as_bytes()))
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let mut table: Option<Table> = None;
    for (line, text) in lines::numbered(bytes) {
        if is_header(text.as_bytes()) {
            let has_own_columns =
                text.split_whitespace().nth(4).is_some_and(|word| word != "UserCounters...");
            ends(sheet, table.replace(Table { last_line: line, has_own_columns, ..Table::default() }));
            sheet.next_run();
        } else if let Some(table) = &mut table {
            table.row(sheet, text, line);
        }
    }
    ends(sheet, table);
}

/// The rows below a header.
#[derive(Default)]
struct Table {
    found: Found,
    last_line: u32,
    /// Whether a reporter of the program adds columns, of which nothing is known.
    has_own_columns: bool,
    /// Whether a summary is a coefficient of variation, as from version 1.6 on.
    has_variation: bool,
}

/// Settles a table, as that of the CSV file.
fn ends(sheet: &mut Sheet, table: Option<Table>) {
    let Some(mut table) = table else { return };
    for row in take_named(&mut table.found.summaries, table.last_line) {
        let benchmark = format!("{}_{}", row.benchmark, row.kind);
        table.found.repetition(sheet, &benchmark, &row);
    }
    if !table.has_variation {
        // Before version 1.5 these are the iterations of one repetition.
        table.found.summaries.iter_mut().for_each(|row| row.count = None);
    }
    settle(sheet, &table.found);
}

impl Table {
    fn row(&mut self, sheet: &mut Sheet, text: &str, line: u32) {
        for (word, code) in [(" ERROR OCCURRED: ", Code::MalformedRecord), (" SKIPPED: ", Code::NoResults)] {
            if let Some((name, why)) = text.split_once(word) {
                let what = format!("{} has no result: {}", excerpt(name.trim()), excerpt(why));
                return sheet.problem(code, line, what, "repair the benchmark");
            }
        }
        let Some(row) = Row::of(text) else { return };
        self.last_line = line;
        let is_one = |whole: &&str| self.found.is_summarized(whole, row.name);
        let summary = summarized(row.name).filter(is_one);
        self.has_variation |= summary.is_some() && row.name.ends_with("_cv");
        // The coefficient of variation is a share, and the fit of a complexity no time.
        let scale = time_scale(row.units[0]).filter(|_| row.units[0] == row.units[1]);
        let Some(scale) = scale else {
            if summary.is_none() && !is_fit(row.name) {
                let what = format!("{} has no known unit of time", excerpt(row.name));
                sheet.malformed(line, what, "was the file cut or edited?");
            }
            return;
        };
        let mut values = vec![
            ("real_time".to_owned(), scale.apply(row.times[0])),
            ("cpu_time".to_owned(), scale.apply(row.times[1])),
        ];
        let mut label = Vec::new();
        for word in row.rest {
            match word.split_once('=').and_then(|(name, value)| Some((name, counter(name, value)?))) {
                // What a letter multiplies in a counter of the program is unknown.
                Some((_, value)) if value.is_nan() => sheet.dropped(1),
                Some((name, value)) => values.push((name.to_owned(), value)),
                None => label.push(word),
            }
        }
        if self.has_own_columns && !label.is_empty() {
            sheet.dropped(1);
            label.clear();
        }
        let label = (!label.is_empty()).then(|| ("label".to_owned(), label.join(" ")));
        let context: Context = label.into_iter().collect();
        let (kind, count) = match summary {
            Some(whole) => (row.name[whole.len() + 1..].to_owned(), Some(row.iterations)),
            None => (String::new(), None),
        };
        let benchmark = summary.unwrap_or(row.name).to_owned();
        let found = Summary { benchmark, kind, count, context, line, fields: values };
        if summary.is_some() {
            self.found.add_summary(found);
        } else {
            self.found.repetition(sheet, row.name, &found);
        }
    }
}

/// A row: `NAME  3.10 ns  3.07 ns  469117 bytes_per_second=19.3888G/s LABEL`.
struct Row<'t> {
    name: &'t str,
    times: [f64; 2],
    units: [&'t str; 2],
    iterations: f64,
    rest: Vec<&'t str>,
}

impl<'t> Row<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        // Digits are never grouped, and the language of a machine can write a comma.
        let value = |at: usize| number(words.get(at)?.replacen(',', ".", 1));
        // A name can have blanks.
        let is_unit = |at: usize| {
            words.get(at).is_some_and(|unit| matches!(*unit, "ns" | "us" | "µs" | "μs" | "ms" | "s" | "%"))
        };
        let at = (1..words.len()).find(|&at| {
            value(at).is_some()
                && is_unit(at + 1)
                && value(at + 2).is_some()
                && is_unit(at + 3)
                && value(at + 4).is_some()
        })?;
        let end = words[at - 1].as_ptr().addr() + words[at - 1].len() - text.as_ptr().addr();
        Some(Self {
            name: text[..end].trim_start(),
            times: [value(at)?, value(at + 2)?],
            units: [words[at + 1], words[at + 3]],
            iterations: value(at + 4)?,
            rest: words[at + 5..].to_vec(),
        })
    }
}

/// The value of a counter: NaN if a letter multiplies it by an unknown factor. Bytes are multiples of 1,024, items of
/// 1,000. `None` if it is no counter.
fn counter(name: &str, text: &str) -> Option<f64> {
    let bare = text.strip_suffix("/s").unwrap_or(text);
    if let Some(value) = number(bare).filter(|value| value.is_finite()) {
        return Some(value);
    }
    let end = bare.find(|sign: char| sign.is_ascii_alphabetic() || sign == '%')?;
    let (digits, letters) = bare.split_at(end);
    let value = number(digits)?;
    let power = match letters.trim_end_matches('i') {
        "k" | "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Some(f64::NAN),
    };
    let base: f64 = match name {
        "bytes_per_second" => 1024.0,
        "items_per_second" => 1000.0,
        _ if letters.ends_with('i') => 1024.0,
        _ => f64::NAN,
    };
    Some(value * base.powi(power))
}
