//! What asv prints while it runs: a result behind each name, or a table of the parameters below it.

use super::page::{Page, Print};
use super::prelude::*;
use super::printed::SUMMARIES;
use crate::text::PLUS_MINUS;

pub static FORMAT: Format = Format {
    name: "asv-text",
    harness: "asv",
    sign: "lines such as `[50.00%] ··· NAME  14.4±0μs`",
    metrics: &[
        Meaning::of("time", "time of one call, the median over the samples"),
        Meaning::of("memory", "size of an object, or largest memory of a process"),
        Meaning::of("value", "value that a benchmark tracks"),
    ],
    parts: names::method,
    words: &[RESULT],
    fits: |head| head.has_line(|line| line.starts_with('[') && line.contains(RESULT)),
    read: Read::Page(&Print {
        unit: |unit| match unit {
            "" => Some(meaning("")),
            "k" => known("kB"),
            "M" => known("MB"),
            "G" => known("GB"),
            "m" => known("min"),
            other => known(other),
        },
        line,
        ..Print::PLAIN
    }),
    printed_by: &["asv"],
    ..SUMMARIES
};

/// What stands before the name of a benchmark and its result.
const RESULT: &str = "%] ··· ";

/// Reads a line. Those of a table are kept until it ends: its columns are as wide as the parts of its first line.
fn line(page: &mut Page<'_>, text: &str) {
    let found = text.split_once(RESULT).filter(|_| text.starts_with('['));
    if let Some((_, rest)) = found.filter(|(_, rest)| rest.starts_with("==")) {
        // The lines below it are indented by as much.
        let indent = text.chars().count() - rest.chars().count();
        page.kept = vec![(0, format!("{}{rest}", " ".repeat(indent)))];
    } else if !page.kept.is_empty() && found.is_none() && !text.is_empty() {
        page.kept.push((page.line as usize, text.to_owned()));
    } else {
        table(page);
    }
    let Some((_, rest)) = found.filter(|(_, rest)| !rest.starts_with("==")) else { return };
    let (name, result) = rest.split_once(' ').unwrap_or((rest, ""));
    page.begin(name);
    if !matches!(result.trim(), "" | "ok") {
        take(page, result.trim());
    }
    page.ends();
}

/// Adds a result: `14.4±0μs`, whose unit stands behind half of an interval of the median.
fn take(page: &mut Page<'_>, result: &str) {
    let name = page.name.clone();
    if matches!(result, "failed" | "n/a" | "skipped" | "") || result.contains("failed") {
        return page.fails(&name, result);
    }
    let parts = PLUS_MINUS.iter().find_map(|sign| result.split_once(sign));
    let (value, spread) = parts.unwrap_or((result, ""));
    let unit = spread.trim_start_matches(|sign: char| sign.is_ascii_digit() || ".e-+".contains(sign));
    let own = name.rsplit('.').next().unwrap_or(&name);
    let metric = match own.split('_').next().unwrap_or_default() {
        "track" => "value",
        "mem" | "peakmem" => "memory",
        _ => "time",
    };
    page.mean(metric, &format!("{value}{unit}"), None);
}

/// The cells of a line below the parts of the first one.
fn cells(rule: &str, text: &str) -> Vec<String> {
    let (rule, text): (Vec<char>, Vec<char>) = (rule.chars().collect(), text.chars().collect());
    let mut found = Vec::new();
    let mut start = None;
    for at in 0..=rule.len() {
        let is_part = rule.get(at) == Some(&'=');
        match start {
            None if is_part => start = Some(at),
            Some(begin) if !is_part => {
                let cell = text.get(begin..at.min(text.len())).unwrap_or(&[]);
                found.push(cell.iter().collect::<String>().trim().to_owned());
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Adds the results of the table that was kept. The values of the last parameters can be heads of columns.
fn table(page: &mut Page<'_>) {
    let kept = std::mem::take(&mut page.kept);
    let Some(((_, rule), lines)) = kept.split_first() else { return };
    let is_rule = |text: &str| text.chars().all(|sign| "=- ".contains(sign));
    let rows: Vec<(usize, Vec<String>)> = lines
        .iter()
        .filter(|(_, text)| !is_rule(text))
        .map(|(line, text)| (*line, cells(rule, text)))
        .collect();
    let is_wide = lines.first().is_some_and(|(_, text)| text.trim_start().starts_with("--"));
    let (first, heads, rows) = match rows.as_slice() {
        [_, (_, heads), rows @ ..] if is_wide => {
            let last = lines[0].1.trim().trim_start_matches('-').trim();
            (Some(last), heads, rows)
        }
        [(_, heads), rows @ ..] => (None, heads, rows),
        [] => return,
    };
    let keys = match lines.get(1) {
        Some((_, dashed)) if is_wide => columns_before(rule, dashed),
        _ => heads.iter().filter(|head| !head.is_empty()).count(),
    };
    let shared = page.context.clone();
    for (line, row) in rows {
        page.line = *line as u32;
        let own: Vec<(&String, &String)> = heads.iter().zip(row).take(keys).collect();
        for (head, result) in heads.iter().zip(row).skip(keys) {
            for (key, value) in &own {
                parameters::add(page.sheet, &mut page.context, key, (*value).clone());
            }
            // Several parameters can share the columns: `a / b` above `1 / 2`.
            let (names, values) = (first.unwrap_or_default().split(" / "), head.split(" / "));
            for (key, value) in names.zip(values).filter(|(key, _)| !key.is_empty()) {
                parameters::add(page.sheet, &mut page.context, key, value.to_owned());
            }
            let name = page.name.clone();
            take(page, result);
            page.ends();
            page.name = name;
            page.context.clone_from(&shared);
        }
    }
}

/// The number of columns before the values of the last parameter, which share the last part of the dashed line below it.
fn columns_before(rule: &str, dashed: &str) -> usize {
    let starts = |text: &str, sign: char| {
        let signs: Vec<char> = text.chars().collect();
        let is_start = |&at: &usize| signs[at] == sign && (at == 0 || signs[at - 1] != sign);
        (0..signs.len()).filter(is_start).collect::<Vec<usize>>()
    };
    let last = starts(dashed, '-').last().copied().unwrap_or_default();
    starts(rule, '=').iter().filter(|&&start| start < last).count()
}
