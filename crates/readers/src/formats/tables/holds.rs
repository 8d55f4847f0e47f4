//! Whether the words of a column's name and its unit make its numbers results, settings or a summary.

use super::header_units::is_mixed;
use super::name_words::{Holds, is_beginning, is_moment, is_percent};
use super::words::{
    BOUNDS, DERIVED, EVENTS, HIGHER, INSTANTS, LABELS, LOWER, MEMORY, OF_RESULTS, PERCENTILES, PRODUCED,
    RATES, RESULTS, SETTINGS, TIMES,
};
use crate::formats::units::{Meaning, meaning};
use crate::metric::Quantity;
use crate::word_list::words;

/// The one statistic of these words: an error of a deviation is a spread, and others contradict each other.
fn agreed(found: &[Holds]) -> Option<Holds> {
    let one = found.iter().max_by_key(|holds| **holds == Holds::Spread).copied()?;
    let fits = |other: &Holds| *other == one || (one == Holds::Spread && *other == Holds::Deviation);
    Some(if found.iter().all(fits) { one } else { Holds::Unknown })
}

/// What a column holds by the words of its name without statistics, by the statistics, and by whether its unit is known.
pub(super) fn holds(subject: &[String], found: &[Holds], measured: bool) -> Holds {
    // A `start time` is a moment, or what the start takes.
    let is_end =
        subject.first().is_some_and(|word| word == "end") && subject.get(1).is_none_or(|word| word != "to");
    let of_moment = is_end || (is_moment(subject) && !(measured && is_beginning(subject)));
    if of_moment && (subject.len() > 1 || found.is_empty()) {
        return Holds::Unknown;
    }
    let statistic = agreed(found);
    let is_event = EVENTS.iter().any(|event| subject == *event);
    // `timeStamp` is one word.
    let joined = is_setting(&subject.concat());
    let setting = !is_event && (joined || subject.iter().any(|word| is_setting(word)));
    let result = is_event || subject.iter().any(|word| is_result(word));
    // The last word of a name is what it is: a `run time` is a time, a `time step` a step, and nobody knows of a
    // `queue wait`.
    let is_of_result = is_event || (!joined && subject.last().is_some_and(|word| is_result(word)));
    let is_of_setting =
        joined || subject.iter().rev().find(|word| !is_label(word)).is_some_and(|word| is_setting(word));
    // The size of a binary was measured or varied, and `cpu_user` is no number of users.
    let has = |known: &str| subject.iter().any(|word| word == known);
    let is_produced = subject.iter().any(|word| PRODUCED.contains(&&**word)) || (has("cpu") && has("user"));
    // Of `n_times` nobody knows whether it counts, and `time_steps` are no times.
    let counts = subject.last().is_some_and(|word| word == "times")
        && subject.iter().any(|word| matches!(&**word, "n" | "num" | "number" | "repeat"));
    let of_result = subject.len() > 1 && subject.last().is_some_and(|word| OF_RESULTS.contains(&&**word));
    match statistic {
        Some(_) if setting && !is_of_result => Holds::Unknown,
        Some(statistic) => statistic,
        None if counts || (!measured && of_result && result && !setting) => Holds::Unknown,
        None if is_of_result => Holds::Results,
        None if setting && is_produced => Holds::Unknown,
        None if setting && (measured || !is_of_setting || (result && !joined)) => Holds::Unknown,
        None if setting => Holds::Settings,
        None if measured || result => Holds::Results,
        None => Holds::Unknown,
    }
}

fn is_setting(word: &str) -> bool {
    SETTINGS.contains(&word)
}

/// Whether a word only tells one setting from another, or that it is a number or a name: `thread_id`, `dim_2`.
fn is_label(word: &str) -> bool {
    LABELS.contains(&word)
        || word.bytes().all(|byte| byte.is_ascii_digit())
        || (word.len() == 1 && !is_setting(word))
}

/// Whether a word names results.
pub(super) fn is_result(word: &str) -> bool {
    [LOWER, HIGHER, RESULTS].iter().any(|words| words.contains(&word))
}

/// Whether a column can hold something else than results although its name or its unit speaks of them.
pub(super) fn is_unclear(words: &[String], subject: &[String], unit: &str) -> bool {
    let Meaning { base, quantity, .. } = meaning(unit);
    let has = |known: &[&str]| subject.iter().any(|word| known.contains(&&**word));
    let is_last = |known: &[&str]| subject.last().is_some_and(|word| known.contains(&&**word));
    // What was asked of the program: `load_rps`.
    let is_offered =
        quantity == Quantity::Throughput && (has(&["load"]) || (subject == ["rate"] && base != "B/s"));
    // Of a `throughput_kb` the time is missing.
    let is_amount =
        matches!(quantity, Quantity::Time | Quantity::Bytes) && !unit.contains('/') && is_last(RATES);
    // `50% reads` are no percentile, and `latency_99` can be one.
    let is_share = words.iter().any(|word| is_percent(word))
        && !subject.iter().all(|word| is_result(word) || BOUNDS.contains(&&**word));
    let is_percentile = matches!(subject, [.., time, last]
        if TIMES.contains(&&**time) && PERCENTILES.contains(&&**last));
    // The time of an epoch, or the time since the epoch.
    let is_epoch = subject.starts_with(&["epoch".to_owned(), "time".to_owned()]);
    let is_instant = quantity == Quantity::Time
        && (has(&["since"]) || (is_last(INSTANTS) && !has(TIMES) && !has(&["to"])));
    // What the machine has, or what a program may take.
    let is_given = quantity == Quantity::Bytes
        && (has(&["ram", "xms", "xmx"]) || (has(&["system", "total"]) && has(MEMORY)));
    is_instant
        || is_given
        || is_offered
        || is_amount
        || is_share
        || is_percentile
        || is_epoch
        || is_chosen(subject, unit)
        || has(DERIVED)
        || is_mixed(unit)
}

/// Words of what lasts as long as it was made, whatever is measured with it.
const MEDIA: &[&str] =
    &words!("audio clip film footage media movie playback recording song speech track utterance video");

/// Words of a time that passes in a model, or that a program waits because it was told to.
const CHOSEN: &[&str] = &["ramp", "rampdown", "rampup", "sim", "simulated", "simulation", "think", "virtual"];

/// Whether a name in a unit of time or of a rate is rather of what was chosen: `think_time_ms`, `video_duration_s`,
/// `bitrate_kbps`.
pub(super) fn is_chosen(subject: &[String], unit: &str) -> bool {
    let Meaning { quantity, .. } = meaning(unit);
    let is_time = |word: &String| TIMES.contains(&&**word) || word == "length";
    let end = subject.iter().rposition(|word| !is_time(word)).map_or(0, |last| last + 1);
    let (what, time) = subject.split_at(end);
    let is_last = |known: &[&str]| what.last().is_some_and(|word| known.contains(&&**word));
    // A `ramp up` ends in another word.
    let ramps = what.iter().any(|word| word == "ramp");
    let is_of_media = is_last(MEDIA) && (what.len() == 1 || time.iter().any(|word| word != "time"));
    match quantity {
        Quantity::Time => is_last(CHOSEN) || ramps || is_of_media,
        Quantity::Throughput => {
            subject.iter().any(|word| word == "bitrate")
                || subject.windows(2).any(|two| two == ["bit", "rate"])
        }
        _ => false,
    }
}

/// The beginnings of words of what went wrong or was used up.
const STEMS: &[&str] = &[
    "abort", "alloc", "cancel", "conflict", "deadlock", "discard", "drop", "error", "evict", "fail",
    "garbage", "los", "loss", "miss", "reject", "retr", "retrans", "rollback", "throttl", "timeout", "wast",
];

/// What follows the beginning of such a word: `ed` of `aborted`.
const ENDINGS: &[&str] = &[
    "", "s", "es", "d", "ed", "ped", "led", "ted", "ing", "ping", "ling", "ion", "ions", "lation", "lations",
    "ation", "ations", "ated", "al", "als", "e", "er", "ure", "ures", "y", "ies", "ied", "mit", "mits",
    "mitted", "mission", "missions", "t",
];

/// Whether a word is of what went wrong or was used up, of which more in a second is not better: `aborted`, `retries`.
pub(super) fn is_lost(word: &str) -> bool {
    STEMS.iter().any(|stem| word.strip_prefix(stem).is_some_and(|rest| ENDINGS.contains(&rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_a_loss_are_known() {
        for word in words!(
            "aborted abort rollback rollbacks loss lost drop dropped canceled cancelled cancellations wasted \
             miss missed misses retransmit retransmissions retries rejected failure failed evicted evictions \
             timeouts errors allocated garbage"
        ) {
            assert!(is_lost(word), "{word}");
        }
        for word in ["read", "served", "retrieved", "committed", "failover"] {
            assert!(!is_lost(word), "{word}");
        }
    }
}
