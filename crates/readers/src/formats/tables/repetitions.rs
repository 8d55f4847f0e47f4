//! Plain tables: columns that hold repetitions of one measurement, side by side: `run1,run2,run3`.

use super::header_units::SEPARATORS;
use super::headers::Header;
use super::holds::is_result;
use super::name_words::Holds;
use crate::formats::prelude::*;

/// The role of columns whose headers differ only in the number of the repetition.
pub(super) const REPETITION: &str = "repetition";

/// Words of a repetition, before its number.
const WORDS: [&str; 13] =
    words!("attempt iter iteration measurement rep repeat repetition replicate round run sample trial try");

/// From so many columns on, such a word alone tells that they are repetitions. Two can also be two variants.
const CLEAR: usize = 3;

/// The metric of repetitions whose headers name none, as of two columns `old` and `new`.
const UNNAMED: &str = "value";

/// A header with a number in it: `run1 (ms)`.
#[derive(Debug, PartialEq, Eq)]
struct Numbered<'a> {
    before: &'a str,
    number: Option<u64>,
    after: &'a str,
}

impl<'a> Numbered<'a> {
    /// The number that follows a word of a repetition, otherwise the last one.
    fn of(header: &'a str) -> Option<Self> {
        let is_digit = |at: usize| header.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        let begins = (0..header.len()).filter(|&at| is_digit(at) && (at == 0 || !is_digit(at - 1)));
        let split = |begin: usize| {
            let (before, rest) = header.split_at(begin);
            let after = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
            Self { before, number: rest[..rest.len() - after.len()].parse().ok(), after }
        };
        let mut last = None;
        for found in begins.map(split) {
            if found.word().is_some() {
                return Some(found);
            }
            last = Some(found);
        }
        last
    }

    /// The number that stands for `*` in a pattern.
    fn by(header: &'a str, pattern: &str) -> Option<Self> {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        pattern.match_indices('*').find_map(|(at, _)| {
            let number = header.strip_prefix(&pattern[..at])?.strip_suffix(&pattern[at + 1..])?;
            let (before, after) = (&header[..at], &header[at + number.len()..]);
            digits(number).then(|| Self { before, number: number.parse().ok(), after })
        })
    }

    fn pattern(&self) -> String {
        format!("{}*{}", self.before, self.after)
    }

    /// What stands before the word of a repetition, if one stands before the number.
    fn word(&self) -> Option<&'a str> {
        let before = self.before.trim_end_matches(SEPARATORS);
        let bare = |word: &&str| {
            let at = before.len().checked_sub(word.len())?;
            let (rest, last) = (before.get(..at)?, before.get(at..)?);
            let begins_with_capital = last.starts_with(|letter: char| letter.is_ascii_uppercase());
            let continues = rest.ends_with(|letter: char| {
                letter.is_uppercase() || (letter.is_alphanumeric() && !begins_with_capital)
            });
            (last.eq_ignore_ascii_case(word) && !continues).then_some(rest)
        };
        WORDS.iter().find_map(bare)
    }

    /// The header of the metric: without the number and the word.
    fn header(&self) -> Header {
        let before = self.word().unwrap_or(self.before);
        let (front, back) = (before.trim_end_matches(SEPARATORS), self.after.trim_start_matches(SEPARATORS));
        let joints = [before.strip_prefix(front), self.after.strip_suffix(back)];
        let joint = joints.into_iter().flatten().find_map(|joint| joint.chars().next()).unwrap_or('_');
        let is_unit = |text: &str| text.trim_start().starts_with(['(', '[']);
        let is_unnamed = front.trim().is_empty() && (back.is_empty() || is_unit(back));
        let mut header = match (front, back) {
            _ if is_unnamed => Header::of(&format!("{UNNAMED} {back}")),
            ("", text) | (text, "") => Header::of(text),
            (front, back) if is_unit(back) => Header::of(&format!("{front} {back}")),
            (front, back) => Header::of(&format!("{front}{joint}{back}")),
        };
        if is_unnamed || header.name.trim() == header.unit {
            (header.name, header.holds) = (UNNAMED.to_owned(), Holds::Results);
        }
        header.repetitions = Some(self.pattern());
        header
    }
}

/// The columns of a pattern such as `run*`, in which `*` is a number.
pub(super) fn matching(header: &[String], pattern: &str) -> Result<Vec<usize>, String> {
    if !pattern.contains('*') {
        return Err(format!(
            "cannot give the role `{REPETITION}` to `{pattern}`. Write `*` for the numbers of the columns: {REPETITION}=run*"
        ));
    }
    Ok((0..header.len()).filter(|&at| Numbered::by(&header[at], pattern).is_some()).collect())
}

/// Whether a header has the number of a repetition behind a word for one: `Run 1`.
pub(super) fn is_worded(header: &str) -> bool {
    Numbered::of(header).is_some_and(|found| found.word().is_some())
}

/// The patterns of columns that differ only in a consecutive number.
pub(super) fn patterns(header: &[String], columns: &[usize]) -> Vec<String> {
    let every = series(header, columns).into_iter();
    every.filter(|(_, numbers)| is_consecutive(numbers)).map(|(pattern, _)| pattern).collect()
}

/// Gives the columns that the user calls repetitions the header of their metric, and so those that say it themselves. If
/// only some of what tells it is there, the header tells nothing, so that the user is asked.
pub(super) fn name(
    header: &[String],
    headers: &mut [Header],
    said: &[usize],
    free: &[usize],
    options: &Options,
) {
    let stated: Vec<&String> =
        options.columns.iter().filter(|(role, _)| role == REPETITION).map(|(_, pattern)| pattern).collect();
    for &at in said {
        let found = stated.iter().find_map(|pattern| Numbered::by(&header[at], pattern));
        if let Some(found) = found {
            headers[at] = found.header();
        }
    }
    let worded = |at: &usize| is_worded(&header[*at]);
    let (worded, others): (Vec<usize>, Vec<usize>) = free.iter().copied().partition(worded);
    // `time1,time2` can be repetitions or phases; the number in `phase1_ms` belongs to a name.
    for (_, at) in series(header, &others).into_values().filter(|numbers| is_consecutive(numbers)).flatten() {
        let names_results = |found: Numbered<'_>| found.header().subject.iter().all(|word| is_result(word));
        if headers[at].holds == Holds::Results && Numbered::of(&header[at]).is_some_and(names_results) {
            headers[at].holds = Holds::Unknown;
        }
    }
    for numbers in series(header, &worded).into_values().filter(|numbers| numbers.len() > 1) {
        let begins = numbers.iter().any(|(number, _)| matches!(number, Some(0 | 1)));
        let is_clear = numbers.len() >= CLEAR && begins && is_consecutive(&numbers);
        for (_, at) in numbers {
            let Some(head) = Numbered::of(&header[at]).map(|found| found.header()) else { continue };
            match head.holds {
                Holds::Results | Holds::Unknown if is_clear => headers[at] = head,
                Holds::Results | Holds::Unknown => headers[at].holds = Holds::Unknown,
                _ => {}
            }
        }
    }
}

/// Columns by their header without its number, each with the number.
type Series = BTreeMap<String, Vec<(Option<u64>, usize)>>;

fn series(header: &[String], columns: &[usize]) -> Series {
    let mut series = Series::new();
    for &at in columns {
        if let Some(found) = Numbered::of(&header[at]) {
            series.entry(found.pattern()).or_default().push((found.number, at));
        }
    }
    series
}

fn is_consecutive(numbers: &[(Option<u64>, usize)]) -> bool {
    let mut sorted: Vec<Option<u64>> = numbers.iter().map(|&(number, _)| number).collect();
    sorted.sort_unstable();
    sorted.len() > 1
        && sorted
            .windows(2)
            .all(|two| two[0].is_some() && two[0].and_then(|one| one.checked_add(1)) == two[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_of_a_repetition_is_that_of_its_metric() {
        for (header, name, unit, pattern) in [
            ("run1", "value", "", "run*"),
            ("Run 12", "value", "", "Run *"),
            ("rep_03", "value", "", "rep_*"),
            ("run1 (ms)", "value", "ms", "run* (ms)"),
            ("sample_1_ms", "value", "ms", "sample_*_ms"),
            ("iteration 1 (ms)", "value", "ms", "iteration * (ms)"),
            ("wall_run1_ms", "wall", "ms", "wall_run*_ms"),
            ("run1_wall_ms", "wall", "ms", "run*_wall_ms"),
            ("timeRun2", "time", "", "timeRun*"),
            ("p50_run3", "p50", "", "p50_run*"),
            ("time1 (ms)", "time", "ms", "time* (ms)"),
            ("time1_ms", "time", "ms", "time*_ms"),
            ("time_ms.1", "time", "ms", "time_ms.*"),
            ("t5", "t", "", "t*"),
            ("1", "value", "", "*"),
            ("prune1", "prune", "", "prune*"),
            ("\u{17f}run1", "\u{17f}run", "", "\u{17f}run*"),
        ] {
            let found = Numbered::of(header).unwrap();
            let head = found.header();
            assert_eq!((&*head.name, &*head.unit, &*found.pattern()), (name, unit, pattern), "{header}");
            assert_eq!(Numbered::by(header, pattern).unwrap(), found);
        }
        assert_eq!(Numbered::of("run"), None);
    }

    #[test]
    fn in_a_pattern_a_star_is_a_number_or_itself() {
        for (header, pattern, before) in [
            ("t*1", "t**", Some("t*")),
            ("run1", "run*", Some("run")),
            ("run", "run*", None),
            ("run1b", "run*", None),
            ("run1.5", "run*", None),
            ("1", "**", None),
            ("", "*", None),
            ("\u{e9}1\u{e9}", "\u{e9}*\u{e9}", Some("\u{e9}")),
        ] {
            assert_eq!(Numbered::by(header, pattern).map(|found| found.before), before, "{header} {pattern}");
        }
    }
}
