//! Ranges of sizes that bound or forecast.

use crate::numbers::{ROUNDING, digits};

/// Writes a range of relative sizes, with two digits rounded up, because they bound or forecast: `8.1–40%`.
#[must_use]
pub fn span(least: f64, most: f64) -> String {
    let (low, high) = (rounded_up(least), rounded_up(most));
    match (low == high, low.strip_suffix('%'), high.ends_with('%')) {
        (true, ..) => high,
        (false, Some(bare), true) => format!("{bare}–{high}"),
        _ => format!("{low} to {high}"),
    }
}

/// Writes a relative size with two digits, rounded up.
fn rounded_up(share: f64) -> String {
    let up = |value: f64| {
        let unit = 10f64.powi(value.log10().floor() as i32 - 1);
        (value / unit - ROUNDING.sqrt()).ceil() * unit
    };
    let decimals = |value: f64| (1 - value.log10().floor() as i32).max(0) as usize;
    if share <= ROUNDING {
        "0%".to_owned()
    } else if share < 9.0 {
        let per_cent = up(share * 100.0);
        format!("{per_cent:.0$}%", decimals(per_cent))
    } else {
        let mut text = String::from("×");
        digits(&mut text, up(share + 1.0), 2);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_rounded_up_to_two_digits() {
        let cases = [
            ((0.0807, 0.395), "8.1–40%"),
            ((0.0996, 0.0996), "10%"),
            ((0.12, 0.12), "12%"),
            ((0.0, 0.0042), "0–0.42%"),
            ((0.5, 11.3), "50% to ×13"),
            ((1.21, 1.89), "130–190%"),
        ];
        for ((least, most), text) in cases {
            assert_eq!(span(least, most), text);
        }
    }
}
