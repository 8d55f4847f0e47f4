//! Numbers with a unit behind them, and durations as Go prints them.

use super::units::meaning;
use crate::text::number;

/// Splits `1.23ms` into the number and the unit.
pub(crate) fn with_unit(text: &str) -> Option<(f64, &str)> {
    let digits = text.trim_end_matches(|letter: char| letter.is_alphabetic() || letter == '%');
    Some((number(digits.trim_end())?, &text[digits.len()..]))
}

/// The seconds of a duration of Go: `1h2m3.5s`, `145.08ms`.
pub(crate) fn go_seconds(text: &str) -> Option<f64> {
    if text == "0" {
        return Some(0.0);
    }
    let (mut rest, mut sum) = (text, 0.0);
    while !rest.is_empty() {
        let (digits, after) = rest.split_at(rest.find(|letter: char| letter.is_alphabetic())?);
        let end = after.find(|letter: char| letter.is_ascii_digit()).unwrap_or(after.len());
        let (unit, next) = after.split_at(end);
        if !matches!(unit, "h" | "m" | "s" | "ms" | "\u{B5}s" | "\u{3BC}s" | "us" | "ns") {
            return None;
        }
        let scale = meaning(if unit == "m" { "min" } else { unit }).scale;
        sum += scale.apply(number(digits).filter(|value| *value >= 0.0)?);
        rest = next;
    }
    (!text.is_empty()).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::go_seconds;

    #[test]
    fn parts_of_a_duration_are_added() {
        for (text, value) in [
            ("1h2m3.5s", 3723.5),
            ("145.25ms", 0.14525),
            ("7µs", 7e-6),
            ("90ns", 9e-8),
            ("0", 0.0),
            ("0s", 0.0),
        ] {
            assert_eq!(go_seconds(text), Some(value), "{text}");
        }
        for text in ["", "5", "ms", "5 ms", "-5s", "5d", "5s6", "1.2.3s", "NaNs"] {
            assert_eq!(go_seconds(text), None, "{text}");
        }
    }
}
