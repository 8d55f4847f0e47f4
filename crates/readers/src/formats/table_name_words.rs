//! The words of a column's name, and the statistics that they name.

use super::table_headers::Holds;
use super::table_words::EXTREMES;

/// The words of a name with those as one that name a statistic together: `std. dev.`, `standard error`.
pub(super) fn joined(words: Vec<String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        let word = word.trim_end_matches('.');
        let before = joined.last().map(String::as_str);
        let both = match (before, word) {
            (Some("std" | "standard"), "dev" | "deviation") => "stddev",
            (Some("std" | "standard"), "err" | "error") => "sem",
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

/// The words of a name in lower case: at separators, and where a capital letter follows a small one.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for letter in name.chars() {
        // `MiB` is one word.
        let of_unit = letter == 'B' && words.last().is_some_and(|word| is_binary(word));
        if (!letter.is_alphanumeric() && letter != '.') || (letter.is_uppercase() && small && !of_unit) {
            words.push(String::new());
        }
        small = letter.is_lowercase();
        if letter.is_alphanumeric() || letter == '.' {
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
        "median" | "med" | "percentile" | "quantile" => return Some(Holds::Summary),
        "stddev" | "stdev" | "std" | "sd" | "sigma" | "deviation" => return Some(Holds::Deviation),
        "iqr" | "mad" | "cv" | "ci" | "ci95" | "ci99" | "sem" | "se" | "rme" | "error" | "err"
        | "variance" | "var" => {
            return Some(Holds::Spread);
        }
        "count" | "samples" => return Some(Holds::Count),
        _ if EXTREMES.contains(&word) => return Some(Holds::Summary),
        _ => {}
    }
    let percentile = word.strip_prefix('p').or_else(|| word.strip_suffix("th"));
    let digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    percentile.filter(|rest| digits(rest)).map(|_| Holds::Summary)
}
