//! What `perf stat` prints for people. Of several runs (`-r`) only `--table` prints the time of each.

use std::io;
use std::path::Path;

use super::lines;
use super::perf_stat::{Counter, is_part, uncounted, unit_of};
use super::sandmark_perfstat::grouped;
use super::table_units;
use crate::metric::Quantity;
use crate::sheet::Aggregate;
use crate::source::Content;
use crate::text::{decimal, excerpt, number};
use crate::{Code, Options, Sheet};

/// What the heading of a table says.
#[derive(Default)]
struct Block {
    command: String,
    runs: Option<f64>,
    table: Vec<(u32, f64)>,
    in_table: bool,
}

pub(super) fn read(
    name: &str,
    _path: &Path,
    content: &Content,
    _options: &Options,
) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let mut block = Block::default();
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix("Performance counter stats for ") {
            block = heading(rest);
        } else if text.starts_with("# Table of individual measurements") {
            block.in_table = true;
        } else if text.starts_with("# Final result") {
            block.in_table = false;
        } else if !text.is_empty() && !text.starts_with('#') {
            human(&mut sheet, &mut block, text, line);
        }
    }
    Ok(vec![sheet])
}

/// `'seq 1000' (5 runs):`, or `process id '4711':`, whose quotes are kept: they enclose a part of the name.
fn heading(rest: &str) -> Block {
    let end = rest.rfind('\'').map_or(rest.len(), |end| end + usize::from(!rest.starts_with('\'')));
    let (command, after) = rest.split_at(end);
    let after = after.trim_start_matches('\'');
    let runs = after.trim().strip_prefix('(').and_then(|after| number(after.split(' ').next()?.as_bytes()));
    Block { command: command.trim_start_matches('\'').to_owned(), runs, ..Block::default() }
}

/// Reads a line below the heading.
fn human(sheet: &mut Sheet, block: &mut Block, text: &str, line: u32) {
    let percent = text.rsplit_once("( +-").and_then(|(_, rest)| decimal(rest.split('%').next()?.trim()));
    let text = joined(text);
    let words: Vec<&str> =
        text.split_ascii_whitespace().take_while(|word| !word.starts_with(['#', '('])).collect();
    let digits = |word: &str, seconds| grouped(word, seconds).and_then(|digits| number(digits.as_bytes()));
    if block.in_table {
        let time = words.first().filter(|_| words.len() == 1).and_then(|word| digits(word, true));
        if time.is_none() {
            let what = format!("`{}` is not the time of a run", excerpt(text.as_bytes()));
            sheet.problem(Code::MalformedRecord, line, what, "");
        }
        block.table.extend(time.map(|time| (line, time)));
        return;
    }
    let of_part = match words[..] {
        [part, value, ..] if is_part(part) => value == "<not" || digits(value, true).is_some(),
        // Behind the event stands a group of processes, or one of several units of the hardware.
        [value, event, _] if event.starts_with(char::is_alphabetic) => {
            digits(value, false).is_some() && !is_unit(event)
        }
        [value, unit, _, _] => digits(value, false).is_some() && is_unit(unit),
        _ => false,
    };
    if of_part {
        let what = format!("`{}` is a counter of a part of the machine", excerpt(text.as_bytes()));
        let hint = "statera does not read -A, --per-core, --per-thread, -G, --for-each-cgroup and --no-merge";
        return sheet.problem(Code::MalformedRecord, line, what, hint);
    }
    let (value, unit, event) = match words[..] {
        ["<not", why, .., event] => return uncounted(sheet, event, &format!("not {why}"), line),
        [value, "seconds", ref rest @ ..] | [value, "+-", _, "seconds", ref rest @ ..] => {
            (digits(value, true), "seconds", rest.join(" "))
        }
        [value, unit, event] => (digits(value, false), unit, event.to_owned()),
        [value, event] => match unit_of(event, "", value) {
            "" => (digits(value, false), "", event.to_owned()),
            unit => (decimal(value), unit, event.to_owned()),
        },
        _ => (None, "", String::new()),
    };
    // A line of --metric-only has numbers alone.
    let is_event = event.contains(char::is_alphabetic);
    let Some(value) = value.filter(|_| is_event) else {
        // Advice of perf below a table has no number at its beginning.
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            let what = format!("`{}` is not a counter", excerpt(text.as_bytes()));
            let hint = "perf stat prints: 1,234,567  instructions; statera does not read --metric-only";
            sheet.problem(Code::MalformedRecord, line, what, hint);
        }
        return;
    };
    let aggregate = block.runs.filter(|&runs| runs > 1.0).map(|_| of_runs(value, percent, block.runs));
    let benchmark = &*block.command;
    if event == "time elapsed" && !block.table.is_empty() {
        for &(line, value) in &block.table {
            Counter { benchmark, event: &event, unit, value, aggregate: None, line }.push(sheet);
        }
    } else {
        Counter { benchmark, event: &event, unit, value, aggregate, line }.push(sheet);
    }
}

/// The line with other blanks where blanks group the digits of its number: `1 234 567      cycles`.
fn joined(text: &str) -> String {
    let end = text.find(|letter: char| letter != ' ' && !is_of_number(letter)).unwrap_or(text.len());
    let (number, rest) = text.split_at(text[..end].trim_end().len());
    let is_grouped = number.split(' ').skip(1).all(|group| group.len() >= 3);
    (if is_grouped { number.replace(' ', "\u{A0}") } else { number.to_owned() }) + rest
}

fn is_of_number(letter: char) -> bool {
    letter.is_ascii_digit() || matches!(letter, '.' | ',' | '\'' | '’' | '\u{A0}' | '\u{202F}')
}

/// Whether a word between a number and its event is a unit.
fn is_unit(word: &str) -> bool {
    matches!(word, "Joules" | "Watts" | "Bytes" | "C" | "%")
        || !matches!(table_units::meaning(word).quantity, Quantity::Other | Quantity::Count)
}

/// The spread that perf states is the standard error of the mean, in per cent of it.
fn of_runs(value: f64, percent: Option<f64>, runs: Option<f64>) -> Aggregate {
    let deviation = percent.zip(runs).map(|(percent, runs)| percent / 100.0 * value.abs() * runs.sqrt());
    Aggregate { count: runs, deviation }
}
