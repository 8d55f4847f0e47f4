//! What `perf stat` prints for people. Of several runs (`-r`) only `--table` prints the time of each.

use std::io;
use std::path::Path;

use super::lines;
use super::perf_stat::{COMMAND, Counter, is_part, uncounted, unit_of};
use super::sandmark_perfstat::grouped;
use super::units;
use crate::metric::Quantity;
use crate::sheet::Aggregate;
use crate::source::Content;
use crate::text::{decimal, excerpt, number};
use crate::{Code, Options, Sheet};

/// The beginning of a heading.
const OPENING: &str = "Performance counter stats for ";

/// What perf prints of one command.
#[derive(Default)]
struct Block {
    /// The text of the heading as far as it is read.
    heading: String,
    /// The line of the heading.
    line: u32,
    command: String,
    runs: Option<f64>,
    table: Vec<(u32, f64)>,
    /// The times below the elapsed time that are still to come.
    footer: Vec<&'static str>,
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Where perf prints nothing: programs do, and a number there is no counter.
    Outside,
    /// Within a heading whose command has line breaks.
    Heading,
    /// Between a heading and the elapsed time.
    Counters,
    /// Within the times of each run.
    Table,
    /// Below the elapsed time.
    Footer,
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
    let mut place = Place::Outside;
    let mut lines = lines::numbered(&bytes).collect::<Vec<_>>().into_iter().peekable();
    while let Some((line, text)) = lines.next() {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix(OPENING) {
            unfinished(&mut sheet, &block, place);
            block = Block { heading: rest.to_owned(), line, ..Block::default() };
            // The quote before the command closes nothing.
            let is_whole = is_end_of_heading(rest.strip_prefix('\'').unwrap_or(rest));
            place = if is_whole { block.open() } else { Place::Heading };
        } else if place == Place::Heading {
            block.heading.push(' ');
            block.heading.push_str(text);
            // A line of a command can end so, too; below a heading perf leaves a line empty.
            let is_above_empty = lines.peek().is_none_or(|(_, next)| next.trim().is_empty());
            if is_above_empty && is_end_of_heading(text) {
                place = block.open();
            }
        } else {
            place = within(&mut sheet, &mut block, place, text, line);
        }
    }
    unfinished(&mut sheet, &block, place);
    Ok(vec![sheet])
}

/// Reads a line that is no heading, and says where the next one stands.
fn within(sheet: &mut Sheet, block: &mut Block, place: Place, text: &str, line: u32) -> Place {
    let is_number = text.starts_with(|first: char| first.is_ascii_digit());
    let is_elapsed = is_number && text.contains(" seconds time elapsed");
    match place {
        Place::Outside | Place::Footer if is_elapsed => {
            let what = format!("`{}` stands below no heading", excerpt(text.as_bytes()));
            let hint = "perf stat prints: Performance counter stats for 'COMMAND':";
            sheet.problem(Code::MalformedRecord, line, what, hint);
            place
        }
        Place::Footer if is_number => {
            let time = text.split('(').next().unwrap_or(text).trim_end();
            if let Some(at) = block.footer.iter().position(|name| time.ends_with(name)) {
                block.footer.swap_remove(at);
                human(sheet, block, text, line, false);
            }
            place
        }
        Place::Counters | Place::Table if text.starts_with("# Table of individual measurements") => {
            Place::Table
        }
        Place::Counters | Place::Table if text.starts_with("# Final result") => Place::Counters,
        Place::Counters | Place::Table if !text.is_empty() && !text.starts_with('#') => {
            human(sheet, block, text, line, place == Place::Table && !is_elapsed);
            if is_elapsed { Place::Footer } else { place }
        }
        _ => place,
    }
}

/// Records a heading that ends nowhere: what stands below it could belong to its command.
fn unfinished(sheet: &mut Sheet, block: &Block, place: Place) {
    if place == Place::Heading {
        let what = format!("the heading of {} has no end such as `':`", excerpt(block.heading.as_bytes()));
        sheet.problem(Code::Truncated, block.line, what, "was the run ended early, or the file cut?");
    }
}

/// Whether the last line of a heading ends here: with `':` or `' (5 runs):`.
fn is_end_of_heading(text: &str) -> bool {
    let Some(text) = text.strip_suffix(':') else { return false };
    let before_runs = text.strip_suffix(" runs)").and_then(|text| text.rsplit_once(" ("));
    let is_number = |text: &str| number(text.as_bytes()).is_some();
    before_runs.filter(|(_, runs)| is_number(runs)).map_or(text, |(before, _)| before).ends_with('\'')
}

impl Block {
    /// Takes the command and the number of runs from a heading such as `'seq 1000' (5 runs):`, or
    /// `process id '4711':`, whose quotes are kept: they enclose a part of the name.
    fn open(&mut self) -> Place {
        let heading = &*self.heading;
        let end =
            heading.rfind('\'').map_or(heading.len(), |end| end + usize::from(!heading.starts_with('\'')));
        let (command, after) = heading.split_at(end);
        let after = after.trim_start_matches('\'').trim();
        let runs = after.strip_prefix('(').and_then(|after| number(after.split(' ').next()?.as_bytes()));
        let command = command.trim_start_matches('\'').trim();
        let command = if command.is_empty() { COMMAND } else { command }.to_owned();
        let footer = vec![" seconds user", " seconds sys"];
        *self = Self { command, runs, footer, line: self.line, ..Self::default() };
        Place::Counters
    }
}

/// Reads a counter, or in a table the time of a run.
fn human(sheet: &mut Sheet, block: &mut Block, text: &str, line: u32, in_table: bool) {
    let percent = text.rsplit_once("( +-").and_then(|(_, rest)| decimal(rest.split('%').next()?.trim()));
    let text = joined(text);
    let words: Vec<&str> =
        text.split_ascii_whitespace().take_while(|word| !word.starts_with(['#', '('])).collect();
    let digits = |word: &str, seconds| grouped(word, seconds).and_then(|digits| number(digits.as_bytes()));
    if in_table {
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
        || !matches!(units::meaning(word).quantity, Quantity::Other | Quantity::Count)
}

/// The spread that perf states is the standard error of the mean, in per cent of it.
fn of_runs(value: f64, percent: Option<f64>, runs: Option<f64>) -> Aggregate {
    let deviation = percent.zip(runs).map(|(percent, runs)| percent / 100.0 * value.abs() * runs.sqrt());
    Aggregate { count: runs, deviation }
}
