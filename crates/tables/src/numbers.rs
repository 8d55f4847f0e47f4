//! Numbers as text.

use std::fmt::Write as _;

use statera_readers::Quantity;
use statera_weighing::{Row, Scale};

/// A unit prefix: what to divide by and what to write.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prefix {
    factor: f64,
    text: &'static str,
}

const TIME: [Prefix; 7] = [
    Prefix { factor: 3600.0, text: " h" },
    Prefix { factor: 60.0, text: " min" },
    Prefix { factor: 1.0, text: " s" },
    Prefix { factor: 1e-3, text: " ms" },
    Prefix { factor: 1e-6, text: " µs" },
    Prefix { factor: 1e-9, text: " ns" },
    Prefix { factor: 1e-12, text: " ps" },
];
const BYTES: [Prefix; 5] = [
    Prefix { factor: 1_099_511_627_776.0, text: " TiB" },
    Prefix { factor: 1_073_741_824.0, text: " GiB" },
    Prefix { factor: 1_048_576.0, text: " MiB" },
    Prefix { factor: 1024.0, text: " KiB" },
    Prefix { factor: 1.0, text: " B" },
];
const COUNT: [Prefix; 5] = [
    Prefix { factor: 1e12, text: " T" },
    Prefix { factor: 1e9, text: " G" },
    Prefix { factor: 1e6, text: " M" },
    Prefix { factor: 1e3, text: " k" },
    Prefix { factor: 1.0, text: "" },
];

/// Returns the unit prefix that suits a value of this quantity.
#[must_use]
pub fn prefix(quantity: Quantity, unit: &str, value: f64) -> Prefix {
    let size = value.abs();
    let table: &[Prefix] = match quantity {
        Quantity::Time => &TIME,
        Quantity::Bytes => &BYTES,
        Quantity::Throughput if is_named(unit) => &COUNT[4..],
        Quantity::Throughput if unit.starts_with('B') => &BYTES,
        _ => &COUNT,
    };
    let plain = table.iter().rfind(|prefix| prefix.factor == 1.0).copied().unwrap_or(table[0]);
    if size == 0.0 || !size.is_finite() {
        return plain;
    }
    // Hours only from three on, minutes from five: "118 min" and "184 s" read better than fractions.
    let reach = |prefix: &Prefix| match prefix.text {
        " h" => 3.0,
        " min" => 5.0,
        _ => 0.9995,
    };
    table
        .iter()
        .find(|prefix| size >= prefix.factor * reach(prefix))
        .or(table.last())
        .copied()
        .unwrap_or(plain)
}

/// Whether a rate has a unit that stands as it is, such as `KiB/s` or the `%` of a core.
fn is_named(unit: &str) -> bool {
    unit.starts_with(['%', '#', 'K', 'M', 'G'])
}

/// What stands behind a value's prefix: `/s` for throughput, the unit's name where it has one of its own.
fn suffix(quantity: Quantity, unit: &str) -> &str {
    match quantity {
        Quantity::Throughput if is_named(unit) => unit,
        Quantity::Throughput => "/s",
        Quantity::Time | Quantity::Bytes => "",
        Quantity::Count | Quantity::Other if unit == "1" || unit == "words" || unit == "cycles" => "",
        _ => unit,
    }
}

/// The unit in which values about so large are written, for an axis that states it once: what to divide by, and its
/// name. It is empty for plain counts.
#[must_use]
pub fn unit(quantity: Quantity, unit: &str, size: f64) -> (f64, String) {
    let prefix = prefix(quantity, unit, size);
    let mut text = prefix.text.trim_start().to_owned();
    let suffix = suffix(quantity, unit);
    if text.is_empty() && suffix == "/s" {
        text.push('1');
    }
    text.push_str(&crate::names::printable(suffix));
    (prefix.factor, text)
}

/// Writes a value with four significant digits and its unit.
pub fn value(to: &mut String, value: f64, quantity: Quantity, unit: &str, prefix: Prefix) {
    if value.is_nan() {
        to.push('-');
        return;
    }
    // With a prefix chosen for another value, this value may overflow.
    let fits = (value / prefix.factor).is_finite();
    let prefix = if fits { prefix } else { self::prefix(quantity, unit, value) };
    let scaled = value / prefix.factor;
    if quantity == Quantity::Time && scaled != 0.0 {
        // A time that happens to be whole is no more exact than others.
        four(to, scaled);
    } else {
        digits(to, scaled, 4);
    }
    to.push_str(prefix.text);
    let suffix = suffix(quantity, unit);
    if !suffix.is_empty() {
        if prefix.text.is_empty() && !suffix.starts_with('/') {
            to.push(' ');
        }
        to.push_str(&crate::names::printable(suffix));
    }
}

/// Writes a number with this many significant digits, and with an exponent only if it is very large or small. Whole
/// numbers stay whole.
pub fn digits(to: &mut String, value: f64, significant: i32) {
    let size = value.abs();
    if value.is_nan() {
        to.push('-');
    } else if size.is_infinite() {
        // Beyond the range of floating-point numbers.
        to.push_str(if value > 0.0 { ">10^308" } else { "<-10^308" });
    } else if size == 0.0 {
        to.push('0');
    } else if !(1e-6..1e9).contains(&size) {
        let _ = write!(to, "{value:.*e}", (significant - 1).max(0) as usize);
    } else if size < 10f64.powi(significant) && value == value.trunc() {
        let _ = write!(to, "{value:.0}");
    } else {
        rounded(to, value, significant);
    }
}

fn four(to: &mut String, value: f64) {
    if (1e-6..1e9).contains(&value.abs()) { rounded(to, value, 4) } else { digits(to, value, 4) }
}

fn rounded(to: &mut String, value: f64, significant: i32) {
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = (significant - 1 - magnitude).max(0) as usize;
    let _ = write!(to, "{value:.decimals$}");
}

/// Writes a relative change: `-53.9%`, `+1.23%`, or `×29.3` from tenfold on.
pub fn percent(to: &mut String, change: f64) {
    let per_cent = change * 100.0;
    if change.is_nan() {
        to.push('-');
    } else if change >= 9.0 {
        to.push('×');
        digits(to, change + 1.0, 3);
    } else if per_cent <= -99.95 && change > -1.0 {
        // Rounded to -100 %, a thousandfold gain would look like a value of zero.
        to.push('÷');
        digits(to, 1.0 / (1.0 + change), 3);
    } else if per_cent.abs() >= 1e9 {
        digits(to, per_cent, 3);
        to.push('%');
    } else if per_cent == 0.0 {
        to.push_str("0%");
    } else {
        let decimals = match per_cent.abs() {
            size if size < 9.995 => 2,
            size if size < 99.95 => 1,
            _ => 0,
        };
        let _ = write!(to, "{per_cent:+.decimals$}%");
    }
}

/// Writes a relative size: a change without its plus sign.
#[must_use]
pub fn size(share: f64) -> String {
    let mut text = String::new();
    percent(&mut text, share);
    text.strip_prefix('+').map_or_else(|| text.clone(), str::to_owned)
}

/// Smaller p-values are written as `<0.001`.
const LEAST_P: f64 = 0.001;

/// Writes a p-value with three decimals, or `<0.001`.
pub fn p_value(to: &mut String, p: f64) {
    if p.is_nan() {
        to.push('-');
    } else if p < LEAST_P {
        to.push_str("<0.001");
    } else {
        let _ = write!(to, "{p:.3}");
    }
}

/// Writes a p-value for a sentence: `p = 0.031`, `p <0.001`.
#[must_use]
pub fn p_equals(p: f64) -> String {
    let mut text = String::from(if p < LEAST_P { "p " } else { "p = " });
    p_value(&mut text, p);
    text
}

/// Writes a change on the row's scale.
pub fn change(to: &mut String, row: &Row, change: f64, quantity: Quantity, unit: &str) {
    match row.scale {
        Scale::Ratio => percent(to, change),
        Scale::Difference if change.is_nan() => to.push('-'),
        Scale::Difference => {
            if change > 0.0 && change.is_finite() {
                to.push('+');
            }
            value(to, change, quantity, unit, prefix(quantity, unit, change));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(number: f64, quantity: Quantity, unit: &str) -> String {
        let mut text = String::new();
        value(&mut text, number, quantity, unit, prefix(quantity, unit, number));
        text
    }

    #[test]
    fn values_carry_the_prefix_that_reads_best() {
        assert_eq!(shown(2.397e-4, Quantity::Time, "s"), "239.7 µs");
        assert_eq!(shown(3.011e-9, Quantity::Time, "s"), "3.011 ns");
        assert_eq!(shown(0.0, Quantity::Time, "s"), "0 s");
        assert_eq!(shown(4e-6, Quantity::Time, "s"), "4.000 µs");
        assert_eq!(shown(552.0, Quantity::Time, "s"), "9.200 min");
        assert_eq!(shown(80.0, Quantity::Bytes, "B"), "80 B");
        assert_eq!(shown(6_167_242.0, Quantity::Bytes, "B"), "5.882 MiB");
        assert_eq!(shown(133_896.0, Quantity::Count, "1"), "133.9 k");
        assert_eq!(shown(2.5e6, Quantity::Throughput, "B/s"), "2.384 MiB/s");
        assert_eq!(shown(1234.0, Quantity::Throughput, "1/s"), "1.234 k/s");
        assert_eq!(shown(1234.0, Quantity::Throughput, "KiB/s"), "1234 KiB/s");
        assert_eq!(shown(21.424, Quantity::Throughput, "%"), "21.42 %");
        assert_eq!(shown(17.0, Quantity::Other, "widgets"), "17 widgets");
        assert_eq!(shown(f64::NAN, Quantity::Time, "s"), "-");
    }

    #[test]
    fn an_axis_states_its_unit_as_tables_do() {
        let of = |size, quantity, name| unit(quantity, name, size);
        assert_eq!(of(2.397e-4, Quantity::Time, "s"), (1e-6, "µs".to_owned()));
        assert_eq!(of(6_167_242.0, Quantity::Bytes, "B"), (1_048_576.0, "MiB".to_owned()));
        assert_eq!(of(2.5e6, Quantity::Throughput, "B/s"), (1_048_576.0, "MiB/s".to_owned()));
        assert_eq!(of(12.0, Quantity::Throughput, "1/s"), (1.0, "1/s".to_owned()));
        assert_eq!(of(133_896.0, Quantity::Count, "1"), (1e3, "k".to_owned()));
        assert_eq!(of(17.0, Quantity::Other, "widgets"), (1.0, "widgets".to_owned()));
    }

    #[test]
    fn changes_are_signed_and_short() {
        let show = |change| {
            let mut text = String::new();
            percent(&mut text, change);
            text
        };
        let shown = [-0.5392, 0.0123, 0.0, 2.5, 28.25, f64::INFINITY, -0.99, -0.9999, f64::NAN].map(show);
        assert_eq!(shown, ["-53.9%", "+1.23%", "0%", "+250%", "×29.2", "×>10^308", "-99.0%", "÷10000", "-"]);
        assert_eq!([-1e300, f64::NEG_INFINITY].map(show), ["-1.00e302%", "<-10^308%"]);
    }

    #[test]
    fn no_value_is_written_as_infinite() {
        let mut text = String::new();
        value(&mut text, 1e308, Quantity::Time, "s", prefix(Quantity::Time, "s", 1e-9));
        assert_eq!(text, "2.778e304 h");
        assert_eq!(shown(f64::INFINITY, Quantity::Other, "widgets"), ">10^308 widgets");
        assert_eq!(shown(f64::NEG_INFINITY, Quantity::Time, "s"), "<-10^308 s");
        assert_eq!(shown(5e-324, Quantity::Time, "s"), "4.941e-312 ps");
    }

    #[test]
    fn a_p_value_in_a_sentence_is_a_number_or_below_the_least() {
        assert_eq!([p_equals(0.0312), p_equals(0.0002)], ["p = 0.031", "p <0.001"]);
    }
}
