//! The unit in the header of a column: `time [ms]`, `time_ms`, `timeMs`, `ops_per_s`, `mb_s`.

use super::name_words::{statistic, words};
use super::words::{COUNTS, MEMORY, TIMES};
use crate::formats::units::{is_known, meaning, rate, split_header};
use crate::metric::Quantity;

/// Splits a header into the name and the unit: `time [ms]`, `time (ms)`, `time_ms`, `timeMs`, `ops_per_s`. A header
/// that is a unit, such as `ns/iter`, `rps` or `(ms)`, is also the name.
pub(super) fn split(header: &str) -> (String, String) {
    if header.contains(" / ") {
        return split(&header.replace(" / ", "/"));
    }
    let (name, unit) = split_header(header);
    if let Some(found) = of_call(header) {
        return found;
    }
    if is_statistic_in_brackets(header) {
        let (name, of_name) = split(name);
        return (format!("{name} ({unit})"), of_name);
    }
    // `(n=10)` and `(0.5)` are no units.
    if unit.contains('=') || (unit != "1" && unit.parse::<f64>().is_ok()) {
        return (header.to_owned(), String::new());
    }
    if !unit.is_empty() {
        let (beside, unit) = statistic_beside_unit(unit);
        let name = name.trim_end_matches(['_', '/', ' ']);
        let name = if beside.is_empty() { name.to_owned() } else { format!("{name} ({beside})") };
        let unit = unit_in_brackets(&name, &unit);
        // `ops/s (total)` says what was counted, and of what.
        let own = if is_known(&unit) { String::new() } else { split(&name).1 };
        let is_rate = !is_known(&unit) && name.ends_with("/s");
        return if is_rate || is_known(&own) { (header.to_owned(), own) } else { (name, unit) };
    }
    if let Some(found) = unit_within(header).or_else(|| unit_after_stroke(header)) {
        return found;
    }
    let trimmed = header.trim();
    if let Some(unit) = unit_with_per(trimmed) {
        return (header.to_owned(), unit);
    }
    let whole = || {
        let is_unit =
            is_known(trimmed) && trimmed.len() > 1 && !is_no_suffix(trimmed) && !COUNTS.contains(&trimmed);
        is_unit.then(|| (header.to_owned(), trimmed.to_owned()))
    };
    let suffixed = || suffix(trimmed).map(|(name, unit)| (name.to_owned(), unit));
    let found = unit_before_statistic(trimmed).or_else(whole).or_else(suffixed);
    let (name, unit) = found.unwrap_or_else(|| (header.to_owned(), String::new()));
    // A rate says what was counted, which `avg` alone does not.
    let is_bare = words(&name).iter().all(|word| statistic(word).is_some());
    if is_bare && meaning(&unit).quantity == Quantity::Throughput {
        return (header.to_owned(), unit);
    }
    (name, unit)
}

/// The name and the unit of a column of a query, where a statistic is computed: `avg(time)` and `ms` of `avg(time_ms)`.
fn of_call(header: &str) -> Option<(String, String)> {
    let (function, of) = header.trim().strip_suffix(')')?.rsplit_once('(')?;
    let of = of.trim_matches(['"', '`', '\'', ' ']);
    let is_joined = function.ends_with(|letter: char| letter.is_alphanumeric() || letter == ')');
    let is_statistic = words(function).first().is_some_and(|word| statistic(word).is_some());
    if !is_joined || !is_statistic || is_known(of) {
        return None;
    }
    let (name, unit) = split(of);
    Some((format!("{function}({name})"), unit))
}

/// The statistics in brackets beside a unit, and the unit: `p99` and `ms` of `p99, in ms`. What is not understood is all
/// unit.
fn statistic_beside_unit(inner: &str) -> (String, String) {
    let ratio = inner.replace(" per ", "/").replace(" / ", "/");
    let joined: String = ratio.split_whitespace().collect();
    if is_known(&joined) {
        return (String::new(), joined);
    }
    let words: Vec<&str> = between_commas(&ratio).filter(|word| !word.eq_ignore_ascii_case("in")).collect();
    let (units, others): (Vec<&str>, Vec<&str>) = words.into_iter().partition(|word| is_known(word));
    match units[..] {
        [unit] if others.iter().all(|word| is_statistic(word)) => (others.join(" "), unit.to_owned()),
        _ => (String::new(), inner.to_owned()),
    }
}

/// Whether what stands in brackets has a unit or a statistic among other words, so that nobody knows what it is of.
pub(super) fn is_mixed(unit: &str) -> bool {
    let is_clear = is_known(unit) || between_commas(unit).nth(1).is_none();
    !is_clear
        && between_commas(unit).any(|word| is_statistic(word) || (is_known(word) && !COUNTS.contains(&word)))
}

fn between_commas(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', ' ']).filter(|word| !word.is_empty())
}

fn is_statistic(text: &str) -> bool {
    let words = words(text);
    !words.is_empty() && words.iter().all(|word| statistic(word).is_some())
}

/// The unit after a stroke, as physicists write it: `ms` of `time / ms`.
fn unit_after_stroke(header: &str) -> Option<(String, String)> {
    let (name, unit) = header.split_once('/').map(|(name, unit)| (name.trim_end(), unit.trim()))?;
    let last = words(name).pop()?;
    let fits = match meaning(unit).quantity {
        Quantity::Time => TIMES.contains(&&*last),
        Quantity::Bytes => MEMORY.contains(&&*last),
        _ => false,
    } || (is_statistic(name) && is_known(unit) && !is_known(header.trim()));
    fits.then(|| (name.to_owned(), unit.to_owned()))
}

/// Whether a header ends in statistics in brackets, and in no unit: `latency (p99)`.
pub(super) fn is_statistic_in_brackets(header: &str) -> bool {
    let (_, inner) = split_header(header);
    is_statistic(inner) && !is_known(inner)
}

/// Whether a header ends in `(min)`: minutes, or the smallest.
pub(super) fn is_min_in_brackets(header: &str) -> bool {
    split_header(header).1.eq_ignore_ascii_case("min")
}

/// What stands before and after the word `per`: in `ops_per_s`, `Requests Per Second` and `opsPerSec`.
pub(super) fn around_per(header: &str) -> Option<(&str, &str)> {
    let around = |at: usize| {
        let (before, rest) = (header.get(..at)?, header.get(at + 3..)?);
        let word = &header[at..at + 3];
        let apart =
            word.eq_ignore_ascii_case("per") && before.ends_with(SEPARATORS) && rest.starts_with(SEPARATORS);
        let joined = word == "Per"
            && before.ends_with(char::is_alphanumeric)
            && rest.starts_with(|letter: char| letter.is_ascii_uppercase());
        (apart || joined).then(|| (before.trim_end_matches(SEPARATORS), rest.trim_start_matches(SEPARATORS)))
    };
    (0..header.len()).rev().find_map(around).filter(|(before, rest)| !before.is_empty() && !rest.is_empty())
}

/// The unit of a header with `per`. It is empty if nobody knows it: what a second is divided by is no time. `None` if
/// another word follows, which can be the unit: `time_per_op_ns`.
fn unit_with_per(header: &str) -> Option<String> {
    let (before, rest) = around_per(header)?;
    let mut after = words(rest).into_iter();
    let per = after.next()?;
    if let Some(unit) = size_after_time(rest, &per) {
        return Some(unit);
    }
    let what = before.rsplit(SEPARATORS).next().unwrap_or(before);
    let known = tails(what).find_map(|what| {
        let unit = format!("{}/{per}", size_in_small_letters(what).unwrap_or(what));
        is_known(&unit).then_some(unit)
    });
    if known.is_some() || rest.contains('/') {
        return Some(known.filter(|_| !rest.contains('/')).unwrap_or_default());
    }
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    if after.any(|word| statistic(&word).is_none() && !is_number(&word)) {
        return None;
    }
    let is_unit = meaning(&per).quantity == Quantity::Time || is_known(what);
    Some(if is_unit && around_per(before).is_none() { format!("{what}/{per}") } else { String::new() })
}

/// The unit of a rate whose size follows the time: `MB/sec` of `transfer_per_sec_mb`. It is empty if nobody knows it: a
/// `k` can multiply, and a `b` can be a bit.
fn size_after_time(rest: &str, per: &str) -> Option<String> {
    if meaning(per).quantity != Quantity::Time {
        return None;
    }
    let is_beside = |word: &&str| {
        statistic(&word.to_lowercase()).is_some() || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let last = rest.split(SEPARATORS).rev().find(|word| !is_beside(word))?;
    tails(last).find_map(|word| {
        let lower = word.to_lowercase();
        if MULTIPLES.contains(&&*lower) || NUMBERS.contains(&&*lower) {
            return Some(String::new());
        }
        let size = match &*lower {
            "byte" | "bytes" => &*lower,
            _ => size_in_small_letters(word).or_else(|| bits(&lower)).unwrap_or(word),
        };
        let is_size = rate(&format!("{size}/s")).is_some_and(|(base, _)| base == "B/s");
        let unit = format!("{size}/{per}");
        is_size.then(|| if is_known(&unit) { unit } else { String::new() })
    })
}

/// A word, and its ends that begin with a capital letter after a small one: `MiB` of `ioMiB`.
fn tails(word: &str) -> impl Iterator<Item = &str> {
    let begins = word.char_indices().zip(word.chars().skip(1)).filter_map(|((at, before), letter)| {
        let is_end = before.is_ascii_lowercase() || before.is_ascii_digit();
        (letter.is_ascii_uppercase() && is_end).then_some(at + 1)
    });
    [0].into_iter().chain(begins).map(|at| &word[at..])
}

/// The unit in the brackets after a name: that of `transfer/sec (KB)` is `KB/s`. In brackets it may be in capitals or end
/// with a full stop.
fn unit_in_brackets(name: &str, unit: &str) -> String {
    let known = |unit: &str| is_known(unit).then(|| unit.to_owned());
    let short = unit.trim_end_matches('.');
    let unit = known(unit)
        .or_else(|| known(short))
        .or_else(|| known(&short.to_lowercase()).filter(|unit| meaning(unit).quantity == Quantity::Time))
        .unwrap_or_else(|| unit.to_owned());
    let lower = name.to_lowercase();
    let is_rate = PER_SECOND.iter().any(|ending| lower.ends_with(ending));
    // Of other times, too: `transfer/min (MB)`.
    let is_pair = |name: &str| words(name).last().is_some_and(|word| statistic(word).is_some());
    let around = around_per(name).or_else(|| name.rsplit_once('/').filter(|(before, _)| !is_pair(before)));
    let per = around.map(|(_, per)| per.trim()).filter(|per| !is_rate && is_known(&format!("B/{per}")));
    let rate = format!("{unit}/{}", per.unwrap_or("s"));
    let is_rate = is_rate || per.is_some();
    if is_rate && !unit.contains('/') && meaning(&rate).quantity == Quantity::Throughput {
        rate
    } else {
        unit
    }
}

/// The name and the known unit of a header whose unit stands in brackets within it: `latency (ms) p99`.
fn unit_within(header: &str) -> Option<(String, String)> {
    let (before, rest) = header.split_once(['(', '['])?;
    let (unit, after) = rest.split_once([')', ']'])?;
    let unit = Some(unit_in_brackets(before.trim(), unit.trim())).filter(|unit| is_known(unit))?;
    let name = format!("{} {}", before.trim(), after.trim());
    let name = if name.trim().is_empty() { &unit } else { name.trim() };
    Some((name.to_owned(), unit))
}

/// The name and unit of a header whose statistic or number follows the unit: `latency_us_p99`, `time_ms.1`.
fn unit_before_statistic(header: &str) -> Option<(String, String)> {
    let at = header.rfind(SEPARATORS)?;
    let (before, after) = (&header[..at], &header[at + 1..]);
    let is_number = !after.is_empty() && after.bytes().all(|byte| byte.is_ascii_digit());
    statistic(&after.to_lowercase()).map(|_| ()).or(is_number.then_some(()))?;
    let (name, unit) = suffix(before).or_else(|| Some(("", unit_of_suffix(before)?)))?;
    let joint = if name.is_empty() { "" } else { &header[at..=at] };
    Some((format!("{name}{joint}{after}"), unit))
}

/// The unit at the end of a name: after a separator, or with a capital letter after a small one.
fn suffix<'a>(header: &'a str) -> Option<(&'a str, String)> {
    let at = header.rfind(SEPARATORS);
    let name = at.map(|at| header[..at].trim_end_matches(SEPARATORS));
    // `time, ms` and `time in ms`.
    let before_in =
        |name: &'a str| name.strip_suffix(" in").or_else(|| name.strip_suffix("_in")).unwrap_or(name);
    let name = name.map(|name| before_in(name).trim_end_matches([',', ':', ' ']));
    let apart = at.zip(name).and_then(|(at, name)| Some((name, unit_of_suffix(&header[at + 1..])?)));
    let camel = || {
        // The `B/s` of `rxkB/s` is less than its unit.
        let ends = tails(header).skip(1).filter(|unit| unit.len() > 1 && !unit.starts_with("B/"));
        let mut units = ends
            .map(|unit| (unit, unit_of_suffix(unit).or_else(|| unit_of_suffix(&unit.to_ascii_lowercase()))));
        units.find_map(|(end, unit)| Some((&header[..header.len() - end.len()], unit?)))
    };
    let (name, unit) = apart.or_else(camel).filter(|(name, _)| !name.is_empty())?;
    let rate = per_second(header, name, &unit).or_else(|| multiplied(header, name, &unit));
    Some(rate.unwrap_or((name, unit)))
}

/// What was done in a second if a word before it multiplies it: `MB/s` of `MB read/s`, `Mrows/s` of `M rows/s`. No unit if
/// nobody knows it: of `ops_ms` that may be the time, or what was done in it. `throughput_ops_ms` is clear.
fn multiplied<'a>(header: &'a str, name: &str, unit: &str) -> Option<(&'a str, String)> {
    let word = name.rsplit(SEPARATORS).next().unwrap_or(name);
    let Some((_, per)) = unit.split_once('/') else {
        let is_plural =
            word.to_ascii_lowercase().strip_suffix('s').is_some_and(|one| ABBREVIATED.contains(&one));
        let is_throughput = words(name).iter().any(|word| word == "throughput");
        return (is_plural && meaning(unit).quantity == Quantity::Time)
            .then(|| (header, if is_throughput { format!("{word}/{unit}") } else { String::new() }));
    };
    if meaning(unit).quantity != Quantity::Throughput {
        return None;
    }
    let of_bytes = format!("{}/{per}", size_in_small_letters(word).unwrap_or(word));
    if word.len() > 1 && rate(&of_bytes).is_some_and(|(base, _)| base == "B/s") {
        return Some((header, of_bytes));
    }
    let is_prefix = matches!(word, "k" | "K" | "M" | "G" | "T");
    let is_number = NUMBERS.iter().any(|number| word.eq_ignore_ascii_case(number));
    (is_prefix || is_number)
        .then(|| (header, if is_prefix { format!("{word}{unit}") } else { String::new() }))
}

/// What was done or moved in a second: `MB/s` of `throughput_mb_s`, `reqs/s` of `reqs_s`. A singular is what took the
/// seconds: `read_s`.
fn per_second<'a>(header: &'a str, name: &'a str, unit: &str) -> Option<(&'a str, String)> {
    if !matches!(unit, "s" | "sec" | "second") {
        return None;
    }
    let (rest, word) = name.rsplit_once(SEPARATORS).unwrap_or(("", name));
    let lower = word.to_ascii_lowercase();
    let unit = format!("{}/s", size_in_small_letters(word).or_else(|| bits(&lower)).unwrap_or(word));
    let (base, _) = rate(&unit).filter(|_| word.len() > 1)?;
    match base {
        "B/s" if rest.is_empty() => Some((header, unit)),
        "B/s" => Some((rest, unit)),
        // Nobody calls a phase so.
        _ if lower.ends_with('s') || ABBREVIATED.contains(&&*lower) => Some((header, unit)),
        _ => None,
    }
}

/// The unit that a suffix means: only times, sizes and rates, because `_count` or `_words` can be a setting.
fn unit_of_suffix(word: &str) -> Option<String> {
    if is_no_suffix(word) || word.len() == 1 && matches!(word, "h" | "B" | "b" | "1") {
        return None;
    }
    let unit = size_in_small_letters(word).unwrap_or(word);
    (is_known(unit) && !COUNTS.contains(&unit)).then(|| unit.to_owned())
}

/// Whether a word is rather one of a name: the smallest, and what comes first in `time_to_first_byte`.
fn is_no_suffix(word: &str) -> bool {
    ["min", "byte", "hour", "minute"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// The unit of sizes that a word in small letters means.
fn size_in_small_letters(word: &str) -> Option<&'static str> {
    Some(match word {
        "kb" => "kB",
        "mb" => "MB",
        "gb" => "GB",
        "kib" => "KiB",
        "mib" => "MiB",
        "gib" => "GiB",
        _ => return None,
    })
}

/// The unit of bits that a word in small letters means, before what stands for a second.
fn bits(word: &str) -> Option<&'static str> {
    Some(match word.trim_end_matches('s') {
        "kbit" => "kbit",
        "mbit" => "Mbit",
        "gbit" => "Gbit",
        _ => return None,
    })
}

/// Short words for what is done in a second.
const ABBREVIATED: [&str; 8] = ["op", "req", "tok", "msg", "tx", "txn", "img", "it"];

/// Words that multiply what follows.
const NUMBERS: [&str; 6] = ["thousand", "thousands", "million", "millions", "billion", "billions"];

/// Letters and words after a time that multiply what was done in it, or are sizes that may be bits.
const MULTIPLES: [&str; 7] = ["k", "m", "g", "t", "b", "tb", "tib"];

/// How the names of rates end whose unit has no time.
const PER_SECOND: [&str; 8] =
    ["/s", "/sec", "/second", " per s", " per sec", " per second", "_per_sec", "_per_second"];

pub(super) const SEPARATORS: [char; 4] = ['_', '-', ' ', '.'];
