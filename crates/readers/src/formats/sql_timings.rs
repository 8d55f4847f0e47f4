//! The times that the shells `psql` and `sqlite3` print below each statement.

use std::io;

use super::format::{Format, Key, Meaning, Processes, Role, Values};
use super::head::{Fit, Head, No};
use super::lines;
use crate::metric::{Metric, Quantity};
use crate::sheet::Measurement;
use crate::source::Content;
use crate::text::number;
use crate::{Code, Sheet};

/// psql with `\timing on`: `Time: 1205.691 ms (00:01.206)`.
pub static PSQL: Format = Format {
    name: "psql-timing",
    sign: "lines such as `Time: 47.306 ms`, with three decimals",
    harness: "psql",
    export: "psql with \\timing on",
    values: Values::Samples,
    processes: Processes::Unknown,
    keys: &[KEYS],
    metrics: &[Meaning::of("time", "elapsed time of a statement as the client sees it")],
    fits: |head| has_line(head, |line| psql(line).is_some()),
    read: |name, _, content, _| {
        read(
            name,
            content,
            |text| Some(vec![("time", psql(text)?)]),
            |text| {
                let message = text
                    .strip_prefix("psql:")
                    .map_or(text, |rest| rest.split_once(": ").unwrap_or_default().1);
                message.starts_with("ERROR:  ") || message.starts_with("FATAL:  ")
            },
        )
    },
    ..Format::PLAIN
};

/// sqlite3 with `.timer on`: `Run Time: real 0.047 user 0.006074 sys 0.003986`.
pub static SQLITE: Format = Format {
    name: "sqlite-timer",
    sign: "lines such as `Run Time: real 0.047 user 0.006074 sys 0.003986`, of DuckDB with `Run Time (s): `",
    harness: "sqlite3",
    export: "sqlite3 or duckdb with .timer on",
    values: Values::Samples,
    processes: Processes::Unknown,
    keys: &[KEYS],
    metrics: &[
        Meaning::of("time", "elapsed time of a statement"),
        Meaning::of("user", "processor time of a statement in the program"),
        Meaning::of("system", "processor time of a statement in the system for the program"),
    ],
    fits: |head| has_line(head, |line| sqlite(line).is_some()),
    read: |name, _, content, _| {
        read(name, content, sqlite, |text| {
            ["Parse error", "Runtime error", "Error: ", "Error near line "]
                .iter()
                .any(|start| text.starts_with(start))
        })
    },
    ..Format::PLAIN
};

const KEYS: &[Key] =
    &[Key::of_work("statement", Role::Setting, "place of the statement in the session, from 1 on")];

fn has_line(head: &Head<'_>, is_one: impl Fn(&str) -> bool) -> Fit {
    let is_one = |line: &[u8]| std::str::from_utf8(line).is_ok_and(&is_one);
    No::unless(head.lines().any(is_one), "it has no such line")
}

/// The seconds of psql's line, which has milliseconds with three decimals, and minutes again where it is long.
fn psql(line: &str) -> Option<f64> {
    let (digits, rest) = line.strip_prefix("Time: ")?.split_once(" ms")?;
    let decimals = digits.split_once('.')?.1;
    let repeated = rest.strip_prefix(" (").and_then(|rest| rest.strip_suffix(')'));
    let sound = decimals.len() == 3 && (rest.is_empty() || repeated.is_some_and(|text| text.contains(':')));
    Some(number(digits.as_bytes()).filter(|_| sound)? / 1e3)
}

/// The three times of sqlite3's line, in seconds.
fn sqlite(line: &str) -> Option<Vec<(&'static str, f64)>> {
    let times = line.strip_prefix("Run Time: ").or_else(|| line.strip_prefix("Run Time (s): "))?;
    let words: Vec<&str> = times.split(' ').collect();
    let ["real", real, "user", user, "sys", system] = words[..] else { return None };
    let seconds = |digits: &str| number(digits.as_bytes());
    Some(vec![("time", seconds(real)?), ("user", seconds(user)?), ("system", seconds(system)?)])
}

fn read(
    name: &str,
    content: &Content,
    parse: impl Fn(&str) -> Option<Vec<(&'static str, f64)>>,
    is_error: impl Fn(&str) -> bool,
) -> io::Result<Vec<Sheet>> {
    let mut sheet = Sheet::new(name);
    let bytes = content.all()?;
    let (mut place, mut has_failed) = (0, false);
    for (line, text) in lines::numbered(&bytes, &mut sheet).collect::<Vec<_>>() {
        has_failed |= is_error(text);
        let Some(times) = parse(text) else { continue };
        place += 1;
        if std::mem::take(&mut has_failed) {
            let what = format!("statement {place} failed: its time is not that of its work");
            sheet.problem(Code::MalformedRecord, line, what, "repair the statement");
            continue;
        }
        sheet.set_context(&[("statement".to_owned(), place.to_string())]);
        for (metric, value) in times {
            let metric = sheet.metric(metric, || Metric {
                primary: metric == "time",
                ..Metric::new(metric, "s", Quantity::Time)
            });
            sheet.push(Measurement { benchmark: "statement", metric, value, line, ..Measurement::default() });
        }
    }
    sheet.count(&content.budget)?;
    Ok(vec![sheet])
}
