//! The words of a column's name, and the statistics that they name.

use super::words::{EXTREMES, MOMENTS, STARTED};

/// What a column of numbers holds, as far as its header tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::formats) enum Holds {
    /// Results: a value a row.
    Results,
    /// The mean of the samples that a row summarises.
    Mean,
    /// Another summary of them: a median, a percentile, an extreme.
    Summary,
    /// Their standard deviation.
    Deviation,
    /// Another measure of their spread, or an error.
    Spread,
    /// Their number.
    Count,
    /// What was varied, or which run it was.
    Settings,
    /// The header does not tell.
    Unknown,
}

/// The words of a name with those as one that name a statistic together: `std. dev.`, `standard error`.
pub(super) fn joined(words: Vec<String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        let word = word.trim_end_matches('.');
        let before = joined.last().map(String::as_str);
        let both = match (before, word) {
            // Of queries: `stddev_samp`, `var_pop`, `count_star()`.
            (Some("std" | "standard"), "dev" | "deviation") | (Some("stddev"), "samp" | "pop") => "stddev",
            (Some("std" | "standard"), "err" | "error") => "sem",
            (Some("var"), "samp" | "pop") => "var",
            (Some("count"), "star") => "count",
            (Some("core"), "mark") => "coremark",
            // A case is a workload.
            (Some("best"), "case") => "bestcase",
            (Some("worst"), "case") => "worstcase",
            (Some("p"), number) if is_number(number) => {
                joined.pop();
                joined.push(format!("p{number}"));
                continue;
            }
            _ => {
                joined.push(word.to_owned());
                continue;
            }
        };
        joined.pop();
        joined.push(both.to_owned());
    }
    joined
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Whether a word is a share, as of samples that are below a value: `99%`.
pub(super) fn is_percent(word: &str) -> bool {
    word.strip_suffix('%').is_some_and(is_number)
}

/// The words of a name in lower case: at separators, and where a capital letter follows a small one or a digit. A full stop
/// separates unless it is in a number; a single small letter before a capital one is a part of the word: `kWh`, `mAP`.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    let letters: Vec<char> = name.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        // `MiB` is one word.
        let of_unit = letter == 'B' && words.last().is_some_and(|word| is_binary(word));
        let is_digit =
            |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
        let is_point = letter == '.' && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
        let is_percent = letter == '%' && is_digit(at.checked_sub(1));
        let is_part = letter.is_alphanumeric() || is_point || is_percent;
        if !is_part || (letter.is_uppercase() && small && !of_unit) {
            words.push(String::new());
        }
        let is_first = words.last().is_some_and(String::is_empty);
        small = (letter.is_lowercase() && !is_first) || letter.is_numeric();
        if is_part {
            words.last_mut().expect("there is a word").extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a word is the prefix of a unit such as `MiB`.
fn is_binary(word: &str) -> bool {
    matches!(word, "ki" | "mi" | "gi" | "ti")
}

/// The statistic that a word names.
pub(super) fn statistic(word: &str) -> Option<Holds> {
    match word {
        "mean" | "avg" | "average" => return Some(Holds::Mean),
        "median" | "med" | "percentile" | "quantile" | "geomean" | "gmean" | "q1" | "q3" => {
            return Some(Holds::Summary);
        }
        "stddev" | "stdev" | "std" | "sd" | "sigma" | "deviation" => return Some(Holds::Deviation),
        "iqr" | "mad" | "cv" | "ci" | "ci95" | "ci99" | "sem" | "se" | "rme" | "error" | "err" | "stderr"
        | "variance" | "var" | "range" => {
            return Some(Holds::Spread);
        }
        "count" | "samples" => return Some(Holds::Count),
        _ if EXTREMES.contains(&word) => return Some(Holds::Summary),
        _ => {}
    }
    // A `tp8` is a degree of parallelism.
    let top = word.strip_prefix("tp").filter(|rest| rest.starts_with('9') || *rest == "50");
    let percentile =
        word.strip_prefix('p').or_else(|| word.strip_suffix("th")).or_else(|| word.strip_suffix('%'));
    top.or(percentile).filter(|rest| is_number(rest)).map(|_| Holds::Summary)
}

/// Whether a word is of what happens at a moment.
pub(super) fn is_moment(subject: &[String]) -> bool {
    subject.iter().any(|word| MOMENTS.contains(&word.as_str()))
}

/// Whether a start or stop is what takes time: `cold_start`, `start-up`, `time to start`, `stop the world`.
pub(super) fn is_beginning(subject: &[String]) -> bool {
    let pairs = |two: &[String]| match (&*two[0], &*two[1]) {
        (before, "start" | "stop") => STARTED.contains(&before),
        ("start", "up") | ("stop", "the") => true,
        _ => false,
    };
    subject.windows(2).any(pairs)
}
