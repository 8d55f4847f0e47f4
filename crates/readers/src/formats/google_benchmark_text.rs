//! The table that Google Benchmark prints: a row for each repetition, with three digits.

use super::google_benchmark::{self, Table, time_scale};
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
    let (mut table, mut has_own_columns) = (None::<Table>, false);
    for (line, text) in lines::numbered(bytes) {
        if is_header(text.as_bytes()) {
            // A reporter of the program adds columns, of which nothing is known.
            has_own_columns = text.split_whitespace().nth(4).is_some_and(|word| word != "UserCounters...");
            if let Some(table) = table.replace(Table::below(line)) {
                table.end(sheet);
            }
            sheet.next_run();
        } else if let Some(table) = &mut table {
            take(table, sheet, text, line, has_own_columns);
        }
    }
    if let Some(table) = table {
        table.end(sheet);
    }
}

fn take(table: &mut Table, sheet: &mut Sheet, text: &str, line: u32, has_own_columns: bool) {
    for (word, code) in [(" ERROR OCCURRED: ", Code::MalformedRecord), (" SKIPPED: ", Code::NoResults)] {
        if let Some((name, why)) = text.split_once(word) {
            return sheet.no_result(code, line, name.trim(), why);
        }
    }
    let Some(row) = Row::of(text) else { return };
    table.last_line = line;
    let scale = time_scale(row.units[0]).filter(|_| row.units[0] == row.units[1]);
    table.row(sheet, (row.name, line), scale, None, |sheet, scale, _| {
        let times = ["real_time", "cpu_time"].into_iter().zip(row.times);
        let mut values: Vec<_> = times.map(|(column, time)| (column.to_owned(), scale.apply(time))).collect();
        let mut label = Vec::new();
        let rest = if row.rest.iter().any(|word| word.contains('=')) {
            &row.rest
        } else {
            unnamed(&row.rest, &mut values)
        };
        for &word in rest {
            match word.split_once('=').and_then(|(name, value)| Some((name, counter(name, value)?))) {
                // What a letter multiplies in a counter of the program is unknown.
                Some((_, value)) if value.is_nan() => sheet.dropped(1),
                Some((name, value)) => values.push((name.to_owned(), value)),
                None => label.push(word),
            }
        }
        if has_own_columns && !label.is_empty() {
            sheet.dropped(1);
            label.clear();
        }
        (values, (!label.is_empty()).then(|| label.join(" ")), Some(row.iterations))
    });
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

/// Takes the rates with which a row of versions before 1.5 begins, `211.4MB/s 2.3M items/s`, and leaves the label. Letters are
/// multiples of 1,024, also those of items.
fn unnamed<'r, 't>(words: &'r [&'t str], values: &mut Vec<(String, f64)>) -> &'r [&'t str] {
    let value = |text: &str| {
        let end = text.find(|sign: char| sign.is_ascii_alphabetic()).unwrap_or(text.len());
        let (digits, letter) = text.split_at(end);
        let power = ["", "k", "M", "G", "T", "P", "E"].iter().position(|known| *known == letter)?;
        Some(number(digits)? * 1024_f64.powi(power as i32))
    };
    let mut rest = words;
    if let [rate, after @ ..] = rest
        && let Some(value) = rate.strip_suffix("B/s").and_then(value)
    {
        values.push(("bytes_per_second".to_owned(), value));
        rest = after;
    }
    if let [rate, "items/s", after @ ..] = rest
        && let Some(value) = value(rate)
    {
        values.push(("items_per_second".to_owned(), value));
        rest = after;
    }
    rest
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
