//! Numbers as text.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

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
const DECIMAL_BYTES: [Prefix; 5] = [
    Prefix { factor: 1e12, text: " TB" },
    Prefix { factor: 1e9, text: " GB" },
    Prefix { factor: 1e6, text: " MB" },
    Prefix { factor: 1e3, text: " kB" },
    Prefix { factor: 1.0, text: " B" },
];
const COUNT: [Prefix; 5] = [
    Prefix { factor: 1e12, text: " T" },
    Prefix { factor: 1e9, text: " G" },
    Prefix { factor: 1e6, text: " M" },
    Prefix { factor: 1e3, text: " k" },
    Prefix { factor: 1.0, text: "" },
];

/// Whether bytes are written as kB, MB, … of a thousand each. It is the wish of whoever reads the outputs of a process,
/// and no value, row or document depends on it.
static DECIMAL: AtomicBool = AtomicBool::new(false);

/// Lets this process write bytes as kB, MB, … of a thousand each, instead of KiB, MiB, ….
pub fn write_decimal_bytes(decimal: bool) {
    DECIMAL.store(decimal, Ordering::Relaxed);
}

fn bytes() -> &'static [Prefix] {
    if DECIMAL.load(Ordering::Relaxed) { &DECIMAL_BYTES } else { &BYTES }
}

/// Returns the unit prefix that suits a value of this quantity.
#[must_use]
pub fn prefix(quantity: Quantity, unit: &str, value: f64) -> Prefix {
    let size = value.abs();
    let table: &[Prefix] = match quantity {
        Quantity::Time => &TIME,
        Quantity::Bytes => bytes(),
        Quantity::Throughput if is_named(unit) => &COUNT[4..],
        Quantity::Throughput if unit.starts_with('B') => bytes(),
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

/// Whether a rate has a unit that stands as it is, such as `KiB/s`, the `%` of a core, or `kb/s`, of which nobody knows
/// whether it is bits.
fn is_named(unit: &str) -> bool {
    unit.starts_with(['%', '#', 'K', 'M', 'G', 'k', 'm', 'g']) || unit.starts_with("tb")
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
    value_to(to, value, quantity, unit, prefix, 4);
}

/// Writes a value with so many significant digits and its unit.
pub fn value_to(
    to: &mut String,
    value: f64,
    quantity: Quantity,
    unit: &str,
    prefix: Prefix,
    significant: i32,
) {
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
        fractional(to, scaled, significant);
    } else {
        digits(to, scaled, significant);
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
        return;
    }
    if size.is_infinite() {
        // Beyond the range of floating-point numbers.
        to.push_str(if value > 0.0 { ">10^308" } else { "<−10^308" });
        return;
    }
    minus(to, value);
    if size == 0.0 {
        to.push('0');
    } else if !(1e-6..1e9).contains(&size) {
        let _ = write!(to, "{size:.*e}", (significant - 1).max(0) as usize);
    } else if size < 10f64.powi(significant) && size == size.trunc() {
        let _ = write!(to, "{size:.0}");
    } else {
        rounded(to, size, significant);
    }
}

/// Writes the sign of a negative number, as wide as a plus; zero has none.
fn minus(to: &mut String, value: f64) {
    if value < 0.0 {
        to.push(MINUS);
    }
}

/// The sign of negative numbers wherever people read them.
pub const MINUS: char = '−';

fn fractional(to: &mut String, value: f64, significant: i32) {
    if (1e-6..1e9).contains(&value.abs()) {
        minus(to, value);
        rounded(to, value.abs(), significant);
    } else {
        digits(to, value, significant);
    }
}

fn rounded(to: &mut String, value: f64, significant: i32) {
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = (significant - 1 - magnitude).max(0) as usize;
    if !quickly(to, value, decimals) {
        let _ = write!(to, "{value:.decimals$}");
    }
}

/// Writes a positive number with so many decimals as a whole number of the last one, in a fraction of the time that the
/// standard library needs; returns whether it can. It cannot near the middle of two numbers, where digits beyond those of
/// the product decide.
fn quickly(to: &mut String, value: f64, decimals: usize) -> bool {
    let scaled = 10_f64.powi(decimals as i32) * value;
    if decimals > QUICK_DECIMALS || scaled >= QUICK || (scaled.fract() - 0.5).abs() < NEAR {
        return false;
    }
    let mut digits = [b'0'; 20];
    let mut rest = scaled.round() as u64;
    let mut begin = digits.len();
    let point = begin - decimals;
    while rest > 0 || begin >= point {
        begin -= 1;
        digits[begin] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let text = str::from_utf8(&digits[begin..]).unwrap_or_default();
    let (whole, fraction) = text.split_at(text.len() - decimals);
    to.push_str(whole);
    if decimals > 0 {
        to.push('.');
        to.push_str(fraction);
    }
    true
}

/// So many decimals, and numbers of the last one, are written quickly: powers of ten are exact, and products err by less
/// than a millionth.
const QUICK_DECIMALS: usize = 12;
const QUICK: f64 = 1e9;
const NEAR: f64 = 1e-6;

/// Writes a relative change: `−53.9%`, `+1.23%`, or `×29.3` from tenfold on.
pub fn percent(to: &mut String, change: f64) {
    percent_to(to, change, 0);
}

/// Writes a relative change with so many more digits than usual.
fn percent_to(to: &mut String, change: f64, more: usize) {
    let significant = 3 + more as i32;
    let per_cent = change * 100.0;
    if change.is_nan() {
        to.push('-');
    } else if change >= 9.0 {
        to.push('×');
        digits(to, change + 1.0, significant);
    } else if per_cent <= -99.95 && change > -1.0 {
        // Rounded to -100 %, a thousandfold gain would look like a value of zero.
        to.push('÷');
        digits(to, 1.0 / (1.0 + change), significant);
    } else if per_cent.abs() >= 1e9 {
        digits(to, per_cent, significant);
        to.push('%');
    } else if change.abs() < ROUNDING {
        to.push_str("0%");
    } else {
        let usual = match per_cent.abs() {
            // One digit at least is not zero.
            size if size < 0.005 => 1.0_f64.max(-size.log10().floor()) as usize,
            size if size < 9.995 => 2,
            size if size < 99.95 => 1,
            _ => 0,
        };
        let decimals = usual + more;
        to.push(if per_cent < 0.0 { MINUS } else { '+' });
        let _ = write!(to, "{:.decimals$}%", per_cent.abs());
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

/// The most digits by which the ends of an interval are written longer than usual.
const MORE: usize = 12;
/// Relative changes that differ by less, and other numbers that differ by less relative to their size, differ by
/// rounding errors.
const ROUNDING: f64 = 1e-12;

/// Whether the ends of an interval are one number.
#[must_use]
pub fn is_one(low: f64, high: f64, scale: Scale) -> bool {
    let least = if scale == Scale::Ratio { 1.0 } else { 0.0 };
    high == low || (high - low).abs() <= ROUNDING * low.abs().max(high.abs()).max(least)
}

/// Writes the ends of an interval, with more digits than usual if they would look equal and are not.
fn ends(low: f64, high: f64, scale: Scale, write: impl Fn(&mut String, f64, usize)) -> [String; 2] {
    let both = |more| {
        [low, high].map(|end| {
            let mut text = String::new();
            write(&mut text, end, more);
            text
        })
    };
    if is_one(low, high, scale) {
        return both(0);
    }
    (0..MORE).map(both).find(|[low, high]| low != high).unwrap_or_else(|| both(MORE))
}

/// Writes the ends of an interval of relative changes.
#[must_use]
pub fn percent_ends(low: f64, high: f64) -> [String; 2] {
    ends(low, high, Scale::Ratio, percent_to)
}

/// Writes the ends of an interval of changes on the row's scale.
#[must_use]
pub fn change_ends(row: &Row, quantity: Quantity, unit: &str) -> [String; 2] {
    let write = |to: &mut String, end: f64, more: usize| change_to(to, row, end, quantity, unit, more);
    ends(row.change_low, row.change_high, row.scale, write)
}

/// Writes a change on the row's scale.
pub fn change(to: &mut String, row: &Row, change: f64, quantity: Quantity, unit: &str) {
    change_to(to, row, change, quantity, unit, 0);
}

fn change_to(to: &mut String, row: &Row, change: f64, quantity: Quantity, unit: &str, more: usize) {
    match row.scale {
        Scale::Ratio => percent_to(to, change, more),
        Scale::Difference if change.is_nan() => to.push('-'),
        Scale::Difference => {
            if change > 0.0 && change.is_finite() {
                to.push('+');
            }
            let significant = 4 + more as i32;
            value_to(to, change, quantity, unit, prefix(quantity, unit, change), significant);
        }
    }
}

// Ranges of sizes that bound or forecast.

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

    fn shown(number: f64, quantity: Quantity, unit: &str) -> String {
        let mut text = String::new();
        value(&mut text, number, quantity, unit, prefix(quantity, unit, number));
        text
    }

    #[test]
    fn numbers_that_are_written_quickly_are_those_of_the_standard_library() {
        let mut state = 1_u64;
        let mut written = 0;
        for number in 0..60_000_u64 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let decimals = (number % 14) as usize;
            // Of all sizes; every third has few digits, so that middles of two numbers are among them.
            let fraction = (state >> 11) as f64 / (1_u64 << 53) as f64;
            let value = if number % 3 == 0 {
                (fraction * 4000.0).floor() / 8.0
            } else {
                fraction * 10f64.powi((state % 14) as i32 - 5)
            };
            let mut text = String::new();
            if quickly(&mut text, value, decimals) {
                assert_eq!(text, format!("{value:.decimals$}"));
                written += 1;
            }
        }
        assert!(written > 30_000);
        assert!(!quickly(&mut String::new(), 0.125, 2));
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
        assert_eq!(shown(1234.0, Quantity::Throughput, "kb/s"), "1234 kb/s");
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
        assert_eq!(shown, ["−53.9%", "+1.23%", "0%", "+250%", "×29.2", "×>10^308", "−99.0%", "÷10000", "-"]);
        assert_eq!([-1e300, f64::NEG_INFINITY].map(show), ["−1.00e302%", "<−10^308%"]);
    }

    #[test]
    fn the_ends_of_an_interval_look_equal_only_if_they_are() {
        let mut state = 1_u64;
        let mut uniform = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for _ in 0..20_000 {
            let low = 10_f64.powf(24.0 * uniform() - 12.0) * if uniform() < 0.5 { 1.0 } else { -1.0 };
            let low = if low < -1.0 { 1.0 / low } else { low };
            let high = low + low.abs().max(1e-15) * 10_f64.powf(11.0 * uniform() - 10.5);
            let [first, second] = percent_ends(low, high);
            assert!(first != second || is_one(low, high, Scale::Ratio), "{low} {high}: {first} {second}");
            let write = |to: &mut String, end: f64, more: usize| {
                let prefix = prefix(Quantity::Time, "s", end);
                value_to(to, end, Quantity::Time, "s", prefix, 4 + more as i32);
            };
            let [first, second] = ends(low, high, Scale::Difference, write);
            assert!(
                first != second || is_one(low, high, Scale::Difference),
                "{low} {high}: {first} {second}"
            );
        }
        assert_eq!(percent_ends(0.000_029, 0.000_031), ["+0.0029%", "+0.0031%"]);
        assert_eq!(percent_ends(0.01, 0.02), ["+1.00%", "+2.00%"]);
        assert_eq!(percent_ends(0.003, 0.003), ["+0.30%", "+0.30%"]);
    }

    #[test]
    fn no_value_is_written_as_infinite() {
        let mut text = String::new();
        value(&mut text, 1e308, Quantity::Time, "s", prefix(Quantity::Time, "s", 1e-9));
        assert_eq!(text, "2.778e304 h");
        assert_eq!(shown(f64::INFINITY, Quantity::Other, "widgets"), ">10^308 widgets");
        assert_eq!(shown(f64::NEG_INFINITY, Quantity::Time, "s"), "<−10^308 s");
        assert_eq!(shown(5e-324, Quantity::Time, "s"), "4.941e-312 ps");
    }

    #[test]
    fn a_p_value_in_a_sentence_is_a_number_or_below_the_least() {
        assert_eq!([p_equals(0.0312), p_equals(0.0002)], ["p = 0.031", "p <0.001"]);
    }

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
