//! The format of a file, by its content; for content of no format, the nearest formats and why each does not fit.

use std::path::Path;

use crate::failure::Failure;
use crate::formats::FORMATS;
use crate::formats::format::{Companion, Format, PlugIns, Values};
use crate::formats::head::{Head, No};
use crate::formats::shell_time;
use crate::formats::tables::ndjson;
use crate::possible::possible;

/// How many formats are named if none fits.
const NEAREST: usize = 3;
/// How many lines of a file of no format are examined as the beginning of one.
const MOST_PLACES: usize = 30;

/// Why a file has no format.
#[derive(Debug)]
pub struct Undetected {
    /// The nearest formats with the reason of each, or the formats that fit.
    pub why: String,
    /// The plug-ins that could not be asked, and why.
    pub failed: Vec<String>,
    /// The formats that fit.
    pub fitting: Vec<&'static Format>,
}

impl std::fmt::Display for Undetected {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.why)?;
        self.failed.iter().try_for_each(|why| write!(formatter, "\n{why}"))
    }
}

/// Returns the format with this name.
///
/// # Errors
/// [`Failure::NoSuchFormat`].
pub fn by_name(name: &str) -> Result<&'static Format, Failure> {
    FORMATS
        .iter()
        .copied()
        .find(|format| format.name == name)
        .ok_or_else(|| Failure::NoSuchFormat(name.to_owned()))
}

/// The companion of some format's files that a path names, if it names one.
pub(crate) fn companion(path: &Path) -> Option<&'static Companion> {
    FORMATS.iter().flat_map(|format| format.companions).find(|companion| (companion.is)(path))
}

/// Returns the only format of this crate that fits the beginning of a file ([`detect_among`]).
///
/// # Errors
/// As in [`detect_among`].
pub fn detect(head: &[u8], path: &Path) -> Result<&'static Format, String> {
    detect_among(head, path, &PlugIns::default()).map_err(|error| error.why)
}

/// Returns the only format that fits the beginning of a file. Plug-ins are asked if no format of this crate fits. The path
/// serves only to order the formats of a message.
///
/// # Errors
/// A message that names the nearest formats with the reason of each, or the formats that fit.
pub fn detect_among(head: &[u8], path: &Path, plug_ins: &PlugIns) -> Result<&'static Format, Undetected> {
    let head = Head::new(head);
    let mut fitting = fitting(&head);
    let (mut known, mut failed, mut reasons) = (FORMATS.to_vec(), Vec::new(), Vec::new());
    if fitting.is_empty() {
        let (added, broken) = plug_ins.all();
        failed = broken;
        for &format in &added {
            match format.fit(&head) {
                Ok(()) => fitting.push(format),
                Err(No::Failed(why)) => failed.push(why),
                Err(no) => reasons.push((format, no)),
            }
        }
        known.extend(added);
    }
    let names = || fitting.iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
    let why = match fitting[..] {
        [format] => return Ok(format),
        [] => unknown(reasons, &head, path, &known),
        _ => format!("the content fits several formats ({}). Name one with --format", names()),
    };
    Err(Undetected { why, failed, fitting })
}

/// Returns the formats of this crate that fit the beginning of a file; a content of one format has one. A table is plain if
/// no harness is known to write it.
#[must_use]
pub fn fitting(head: &Head<'_>) -> Vec<&'static Format> {
    if ndjson::is_own(head) {
        return vec![&ndjson::FORMAT];
    }
    let (tables, harnesses): (Vec<_>, Vec<_>) =
        possible(head).into_iter().partition(|format| format.is_plain_table());
    let fit = |formats: Vec<&'static Format>| formats.into_iter().filter(|format| format.fit(head).is_ok());
    let mut found: Vec<_> = fit(harnesses).collect();
    // The shell times a harness, too, and commands that print a table.
    let is_wrapped = |format: &&Format| format.name == shell_time::FORMAT.name && !shell_time::is_alone(head);
    if found.len() > 1 {
        found.retain(|format| !is_wrapped(format));
    }
    if found.iter().all(is_wrapped) {
        let tables: Vec<_> = fit(tables).collect();
        return if tables.is_empty() { found } else { tables };
    }
    found
}

fn unknown(
    of_plug_ins: Vec<(&'static Format, No)>,
    head: &Head<'_>,
    path: &Path,
    known: &[&'static Format],
) -> String {
    let own = FORMATS.iter().filter_map(|format| Some((*format, format.fit(head).err()?)));
    let (tables, mut reasons): (Vec<_>, Vec<_>) = own.partition(|(format, _)| format.is_plain_table());
    reasons.extend(tables.into_iter().chain(of_plug_ins));
    reasons.retain(|(format, _)| format.has_results());
    reasons.sort_by(|a, b| {
        let nearness = |(format, no): &(&Format, No)| nearness(format, no, head, path);
        nearness(b).total_cmp(&nearness(a))
    });
    let said = |(format, no): &(&Format, No)| {
        format!("\n  {} ({}): {}, but {no}", format.name, format.written_by(), format.sign)
    };
    let nearest: String = reasons.iter().take(NEAREST).map(said).collect();
    let known = known.iter().filter(|format| !matches!(format.values, Values::Absent)).count();
    if let Some((line, format)) = after_text(head.bytes()) {
        return format!(
            "the content is of none of the {known} known formats, because of the text above line {line}: what begins there is \
             of {} ({}). Remove the lines above it",
            format.name,
            format.written_by()
        );
    }
    format!(
        "the content is of none of the {known} known formats. The nearest:{nearest}\nName it with --format if it is one of \
         these; `statera formats` lists all. Write the results of another program as a table: `benchmark,time (ms)`, and a \
         line for each value"
    )
}

/// The line after the first from which on the content has a format: scripts print before the results, into the same file.
fn after_text(bytes: &[u8]) -> Option<(usize, &'static Format)> {
    let first = |rest: &[u8]| rest.iter().copied().find(|byte| !matches!(byte, b' ' | b'\t'));
    let begins = |rest: &[u8]| matches!(first(rest), Some(b'{' | b'[' | b'<' | b'"'));
    let starts = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1);
    let mut places = (2..).zip(starts).filter(|&(_, start)| begins(&bytes[start..])).take(MOST_PLACES);
    places.find_map(|(line, start)| match fitting(&Head::new(&bytes[start..]))[..] {
        [format] if !format.is_plain_table() && format.has_results() => Some((line, format)),
        _ => None,
    })
}

/// How near a format is to a file: the share of the words between backticks in its sign that the content has, plus the
/// share of the file's name that the format spells, plus a half if both are JSON.
fn nearness(format: &Format, no: &No, head: &Head<'_>, path: &Path) -> f64 {
    let words: Vec<&str> = format.sign.split('`').skip(1).step_by(2).collect();
    let found = words.iter().filter(|word| memchr::memmem::find(head.bytes(), word.as_bytes()).is_some());
    let shared = found.count() as f64 / words.len().max(1) as f64;
    let is_json = matches!(no, No::Lacks(_) | No::Has(_)) && head.json().is_ok();
    // Any text can be called `x.txt`; it is seldom a table.
    let is_any = format.is_plain_table() && path.extension().is_some_and(|end| end == "txt");
    let spelled = if is_any { 0.0 } else { spelled(format, path) };
    shared + spelled + if is_json { 0.5 } else { 0.0 }
}

/// The share of a file's name that a pattern of the format spells: nearly all of `run_config.json`, little of `*.json`.
fn spelled(format: &Format, path: &Path) -> f64 {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return 0.0 };
    let matches = |text: &&&str| glob::Pattern::new(text).is_ok_and(|pattern| pattern.matches(name));
    let letters = |text: &str| text.bytes().filter(|byte| *byte != b'*').count() as f64;
    let shares = format.files.iter().filter(matches).map(|text| letters(text) / name.len() as f64);
    shares.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the formats that a message calls nearest, and the reasons.
    fn nearest(text: &str, file: &str) -> Vec<(String, String)> {
        let message = detect(text.as_bytes(), Path::new(file)).unwrap_err();
        let lines = message.lines().filter_map(|line| line.strip_prefix("  "));
        lines
            .map(|line| {
                let (name, rest) = line.split_once(' ').unwrap();
                (name.to_owned(), rest.rsplit_once(", but ").unwrap().1.to_owned())
            })
            .collect()
    }

    #[test]
    fn unknown_content_gets_three_candidates_with_reasons() {
        let near = nearest(r#"{"wrappers": 1, "results": [{"name": "a", "median": 3}]}"#, "x.json");
        assert_eq!(near.len(), NEAREST);
        let why = "it has no `results[].median(elapsed)`".to_owned();
        assert!(near.contains(&("nanobench-json".to_owned(), why)), "{near:?}");
        for text in ["just words\n", "", "<html></html>", "[1, 2]", "\0\0\0"] {
            let near = nearest(text, "x.txt");
            assert!(near.len() == NEAREST && near.iter().all(|(_, why)| !why.is_empty()), "{text}: {near:?}");
        }
    }

    #[test]
    fn the_name_of_a_file_orders_the_candidates() {
        let first = |file: &str| nearest("nothing\n", file)[0].0.clone();
        assert_eq!(first("ledger-ops-cost-x.csv"), "ledger-ops");
        assert_eq!(first("x.tsv"), "tsv");
    }

    #[test]
    fn every_format_describes_itself() {
        for format in FORMATS {
            let texts = [format.name, format.sign, format.harness];
            assert!(texts.iter().all(|text| !text.is_empty()), "{format:?}");
            assert!(format.sign.contains('`') || format.is_plain_table(), "{format:?}");
            assert!((format.fits)(&Head::new(b"")).is_err(), "{format:?} fits an empty file");
        }
    }
}
