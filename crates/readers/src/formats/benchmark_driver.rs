//! What `benchmark_driver` prints: a line for each benchmark, with a value for each Ruby.

use super::prelude::*;

pub static FORMAT: Format = Format {
    name: "benchmark-driver",
    sign: "lines such as `NAME  72.387k  75.046k i/s -  215.049k times in 2.970833s 2.865581s`, or `benchmark results (i/s):`",
    harness: "benchmark_driver",
    export: "standard output",
    values: Values::Averages,
    keys: &[&[Key::setting(RUBY, "name of the Ruby, where several are compared")]],
    metrics: &[
        Meaning::of("rate", "iterations per second"),
        Meaning::of("time", "time of all iterations (--runner time)"),
        Meaning::of("memory", "largest resident memory (--runner memory)"),
    ],
    words: &[" times", "benchmark results ("],
    fits: |head| head.has_line(|line| rest_of(line).is_some() || simple(line).is_some()),
    read: Read::Bytes(read),
    printed_by: &["benchmark-driver", "ruby"],
    own_labels: &["Comparison", "Warming up", "Calculating", "benchmark results"],
    ..Format::PLAIN
};

const RUBY: &str = "ruby";

/// The beginning of a line with results, and how many Rubies have a time behind them: `…  72.387k i/s -  215k times in 2.9s`.
fn rest_of(line: &str) -> Option<(&str, Option<usize>)> {
    let (before, after) = line.rsplit_once(" - ")?;
    let (count, after) = after.trim_start().split_once(" times")?;
    scaled(count)?;
    let before = before.trim_end();
    let is_unit = before.rsplit(' ').next().is_some_and(|unit| unit.contains(char::is_alphabetic));
    let times = after.strip_prefix(" in ").map(|times| times.split(" (").next().unwrap_or(times));
    let of_ruby = |time: &str| time.strip_suffix('s').and_then(number).is_some();
    let are_times = times.is_none_or(|times| times.split_whitespace().all(of_ruby));
    let is_end = after.trim().is_empty() || times.is_some() && are_times;
    (is_unit && is_end).then(|| (before, times.map(|times| times.split_whitespace().count())))
}

/// The unit in `benchmark results (i/s):`.
fn simple(line: &str) -> Option<&str> {
    line.trim().trim_end_matches(':').strip_prefix("benchmark results (")?.strip_suffix(')')
}

/// A number with the letter of a power of 1,000.
fn scaled(text: &str) -> Option<f64> {
    const LETTERS: [char; 5] = ['k', 'M', 'G', 'T', 'Q'];
    let digits = text.trim_end_matches(LETTERS);
    let letter = text.chars().last().and_then(|last| LETTERS.iter().position(|letter| *letter == last));
    number(format!("{digits}e{}", letter.map_or(0, |place| 3 * (place + 1))))
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part<'a> {
    /// Above the results, or among what they are compared by.
    Aside,
    /// Results with their unit in each line.
    Lines,
    /// Results of this unit.
    Table(&'a str),
}

fn read(sheet: &mut Sheet, bytes: &[u8]) {
    let (mut part, mut rubies, mut name) = (Part::Aside, Vec::new(), None::<&str>);
    for (line, text) in lines::numbered(bytes) {
        if let Some(unit) = simple(text) {
            (part, rubies, name) = (Part::Table(unit), Vec::new(), None);
            continue;
        }
        if text.starts_with("Calculating ---") || text.starts_with("Warming up ---") {
            let is_result = text.starts_with("Calculating");
            (part, rubies, name) = (if is_result { Part::Lines } else { Part::Aside }, Vec::new(), None);
            continue;
        }
        let row = match part {
            Part::Aside => continue,
            Part::Lines => rest_of(text).and_then(|(before, count)| {
                let (values, unit) = before.rsplit_once(' ')?;
                Some((values, unit, count))
            }),
            Part::Table(unit) => Some((text, unit, None)),
        };
        let count = |count: Option<usize>| count.unwrap_or(rubies.len().max(1));
        match row.and_then(|(values, unit, times)| Some((parted(values, count(times))?, unit))) {
            Some(((before, values), unit)) => {
                // A name of more than 20 letters is on the line above.
                let above = name.take().filter(|_| before.is_empty());
                let benchmark = above.unwrap_or(before);
                for (at, value) in values.into_iter().enumerate() {
                    let ruby = rubies.get(at).map(|ruby: &String| (RUBY.to_owned(), ruby.clone()));
                    sheet.set_context(&ruby.into_iter().collect::<Context>());
                    push(sheet, benchmark, unit, value, line);
                }
            }
            None if text.trim().is_empty() => part = Part::Aside,
            None if rubies.is_empty() && name.is_none() && text.starts_with("   ") => {
                rubies = text.split_whitespace().map(str::to_owned).collect();
            }
            None if text.contains(" times") => sheet.no_row(line, text),
            None => name = Some(text.trim()),
        }
    }
}

/// The name and so many values behind it.
fn parted(text: &str, count: usize) -> Option<(&str, Vec<f64>)> {
    let (mut rest, mut values) = (text.trim_end(), Vec::new());
    for _ in 0..count {
        let (before, value) = rest.rsplit_once(' ').unwrap_or(("", rest));
        values.push(scaled(value)?);
        rest = before.trim_end();
    }
    values.reverse();
    Some((rest.trim_start(), values))
}

fn push(sheet: &mut Sheet, benchmark: &str, unit: &str, value: f64, line: u32) {
    let (metric, factor) = match unit {
        "i/s" => (Metric::new("rate", "1/s", Quantity::Throughput), 1.0),
        "s" => (Metric::new("time", "s", Quantity::Time), 1.0),
        "bytes" => (Metric::new("memory", "B", Quantity::Bytes), 1.0),
        stated => {
            let known = meaning(stated);
            (Metric::new(stated, &known.base, known.quantity), known.scale.apply(1.0))
        }
    };
    // Of a Ruby that cannot run a benchmark 0 is printed.
    if value == 0.0 || benchmark.is_empty() {
        return sheet.failed(line, benchmark, "");
    }
    let metric = sheet.metric_of(metric);
    sheet.push(Measurement { benchmark, metric, value: value * factor, line, ..ROW });
}
