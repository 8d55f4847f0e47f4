//! Durations in the cells of plain tables: `0:41.23`, `1:02:03.5`, `1m2.3s`.

use crate::formats::prelude::*;

/// Whether cells are durations. At least one is clear, or the header speaks of durations, of which `0:01:23` is one and no
/// time of the day. Beside numbers without a unit they are not.
pub(super) fn are_durations(cells: &[String], is_timed: bool) -> bool {
    let is_clear = |cell: &String| {
        is_duration(cell.trim()) || (is_timed && cell.contains(':') && seconds(cell).is_some())
    };
    cells.iter().any(is_clear) && !cells.iter().any(|cell| number(cell.trim()).is_some())
}

/// Whether a text is a duration, and neither a time of the day (`10:22:33`, `10:22`) nor a number with a unit (`4.1s`).
pub(super) fn is_duration(text: &str) -> bool {
    let is_one = if text.contains(':') {
        text.matches(':').count() == 1
    } else {
        let before = |two: (char, char)| two.0.is_ascii_digit() && matches!(two.1, 'h' | 'm' | 's');
        text.chars().zip(text.chars().skip(1)).filter(|&two| before(two)).count() > 1
    };
    is_one && seconds(text).is_some()
}

/// The seconds of a duration; `None` for anything else, such as `10:22`, which can be minutes or hours.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    if text.contains(':') {
        return of_clock(text);
    }
    if !text.ends_with(|last: char| last.is_alphabetic()) {
        return None;
    }
    of_letters(text).or_else(|| go_seconds(text))
}

/// The seconds of `0:41.23` and `1:02:03`.
fn of_clock(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.split(':').collect();
    let (hours, minutes, last) = match parts[..] {
        [minutes, last] if last.contains('.') => ("0", minutes, last),
        [hours, minutes, last] if minutes.len() == 2 && whole(minutes)? < 60 => (hours, minutes, last),
        _ => return None,
    };
    let digits = last.split('.').next().unwrap_or(last);
    (digits.len() == 2 && whole(digits)? < 60).then_some(())?;
    sum(hours, minutes, last)
}

/// The seconds of `1h2m3.5s` and `0m1.234s`.
fn of_letters(text: &str) -> Option<f64> {
    let (hours, rest) = text.split_once('h').unwrap_or(("0", text));
    let (minutes, rest) = rest.split_once('m').unwrap_or(("0", rest));
    sum(hours, minutes, rest.strip_suffix('s')?)
}

/// Hours, minutes and seconds in seconds, rounded once.
fn sum(hours: &str, minutes: &str, seconds: &str) -> Option<f64> {
    let (digits, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let all = whole(hours)? * 3600 + whole(minutes)? * 60 + whole(digits)?;
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    is_fraction.then(|| number(format!("{all}.{fraction}"))).flatten()
}

/// A number of a few digits.
fn whole(digits: &str) -> Option<u64> {
    let is_one = matches!(digits.len(), 1..=9) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_one.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_of_durations_has_a_clear_one_and_no_numbers() {
        for (cells, is_timed, are) in [
            (&["0:41.2", "12:00", "killed"][..], false, true),
            (&["0:01:23", "0:01:24"], true, true),
            (&["10:22:33", "10:22:34"], false, false),
            (&["1m2.5s", "59.1s"], false, true),
            (&["59.1s", "350ms"], true, false),
            (&["0:41.2", "41.2"], true, false),
            (&[], true, false),
        ] {
            let cells: Vec<String> = cells.iter().map(|&cell| cell.to_owned()).collect();
            assert_eq!(are_durations(&cells, is_timed), are, "{cells:?}");
        }
    }

    #[test]
    fn a_duration_is_read_exactly() {
        for (text, value, is_clear) in [
            ("0:40.20", Some(40.2), true),
            ("61:02.5", Some(3662.5), true),
            ("1:02:03", Some(3723.0), false),
            ("1:02:03.25", Some(3723.25), false),
            ("0m1.234s", Some(1.234), true),
            ("1h2m3.5s", Some(3723.5), true),
            ("1m30s", Some(90.0), true),
            ("59.1s", Some(59.1), false),
            ("350ms", Some(0.35), false),
            ("10:22", None, false),
            ("0:60.1", None, false),
            ("1:60:00", None, false),
            ("0:4.1", None, false),
            ("0", None, false),
            ("-1m2s", None, false),
            ("1m", Some(60.0), false),
            ("1:2:3:4", None, false),
            ("", None, false),
        ] {
            assert_eq!((seconds(text), is_duration(text)), (value, is_clear), "{text}");
        }
    }
}
