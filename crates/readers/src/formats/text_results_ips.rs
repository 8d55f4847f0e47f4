//! The lines that benchmark-ips prints: results, its Ruby, and the headings that users print above its blocks.

use std::collections::HashSet;

use super::text_results::{Found, Lines, has_time, has_words, is_fence};
use crate::sheet::Aggregate;
use crate::text::{MICRO, PLUS_MINUS, number};

/// The suffixes of rates, each for another factor of 1000.
const SUFFIXES: [char; 5] = ['k', 'M', 'B', 'T', 'Q'];

/// The result in a line. The spread in brackets is a deviation or, with the bootstrap of benchmark-ips, an error: it is not
/// used. A name of more than 20 characters is on the line above.
pub(super) fn result(line: &str) -> Option<Found<'_>> {
    let spread = |(at, _)| {
        let rest = &line[at + 1..];
        Some((&line[..at], PLUS_MINUS.iter().find_map(|sign| rest.strip_prefix(sign))?))
    };
    let (before, after) = line.rmatch_indices('(').find_map(spread)?;
    let (_, after) = after.split_once("%) i/s")?;
    let before = before.trim_end();
    let (name, rate) = before.rsplit_once(char::is_whitespace).unwrap_or(("", before));
    let digits = rate.trim_end_matches(SUFFIXES);
    let suffix = rate.chars().last().and_then(|last| SUFFIXES.iter().position(|suffix| *suffix == last));
    let power = suffix.map_or(0, |place| 3 * (place + 1));
    let printed = number(format!("{digits}e{power}").as_bytes())?;
    let factor = 10_f64.powi(power as i32);
    let value = from_time(digits, factor, printed, after).unwrap_or(printed);
    Some(Found { benchmark: name.trim(), metric: "rate", value, aggregate: Aggregate::default() })
}

/// The rate from the time of one iteration behind it, `(51.47 s/i)`, if this time has more digits than the rate, and both
/// agree.
fn from_time(digits: &str, factor: f64, printed: f64, after: &str) -> Option<f64> {
    let (time, _) = after.trim_start().strip_prefix('(')?.split_once("/i)")?;
    let (time, unit) = time.trim().split_once(' ')?;
    let in_second = match unit.trim().strip_suffix('s')? {
        "" => 1.0,
        "m" => 1e3,
        "n" => 1e9,
        micro if MICRO.contains(&micro) => 1e6,
        _ => return None,
    };
    let is_finer = significant(time) > significant(digits);
    let rate = in_second / number(time.as_bytes()).filter(|_| is_finer)?;
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(9));
    let last_digit = factor / 10_f64.powi(decimals as i32);
    ((rate - printed).abs() <= last_digit).then_some(rate)
}

/// The number of significant digits of a number.
fn significant(number: &str) -> usize {
    number.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count()
}

/// Whether a line is the description that a Ruby gives of itself: `ruby 3.3.0 (2023-12-25 revision 5124f9ac75) [x86_64-linux]`.
pub(super) fn is_ruby(line: &str) -> bool {
    const NAMES: [&str; 4] = ["ruby ", "jruby ", "truffleruby ", "rubinius "];
    let line = line.trim();
    let version = NAMES.iter().find_map(|name| line.strip_prefix(name));
    let is_version = |version: &str| version.starts_with(|first: char| first.is_ascii_digit());
    version.is_some_and(is_version) && line.contains(" [") && line.ends_with(']')
}

/// The lines that are headings because they stand right above a block. Where nothing stands above the first block, lines
/// above the others are no headings: they end what was printed before, as the times of a shell do.
pub(super) fn plain_headings<'a>(lines: Lines<'_, 'a>) -> HashSet<&'a str> {
    let mut found = HashSet::new();
    let (mut above, mut is_first, mut is_comparison) = (None, true, false);
    for &(_, text) in lines {
        if is_begin(text) {
            if is_first && above.is_none() {
                break;
            }
            found.extend(above.take());
            (is_first, is_comparison) = (false, false);
        } else if is_fence(text) {
            above = None;
        } else if !has_words(text) {
            is_comparison &= !text.is_empty();
        } else if text.trim() == "Comparison:" {
            (above, is_comparison) = (None, true);
        } else if !is_ruby(text) && !has_time(text) {
            above = Some(text).filter(|text| !is_comparison && !is_own(text));
        }
    }
    found
}

/// Whether a line begins a block or, below the warm-up, its results.
fn is_begin(line: &str) -> bool {
    line.starts_with("Warming up ---") || line.starts_with("Calculating ---")
}

/// Whether a line is of the harness: a result, one of a comparison or of the warm-up, or a name, which blanks precede. The
/// last is what it says where it continues in another process.
fn is_own(line: &str) -> bool {
    let is_result = || line.contains(" i/s") || line.contains(" i/100ms");
    line.starts_with(char::is_whitespace) || is_result() || line.starts_with("Pausing here")
}

#[cfg(test)]
mod tests {
    use super::{is_ruby, result};

    #[test]
    fn a_time_with_more_digits_than_the_rate_is_the_value() {
        for (line, name, value) in [
            ("a  0.019 (± 0.0%) i/s    (51.40 s/i) -      1.000 in  51.402765s", "a", 1.0 / 51.40),
            ("a  0.000 (± 0.0%) i/s  (2521.40 s/i) -      1.000", "a", 1.0 / 2521.40),
            ("a  5.511M (± 0.9%) i/s  (181.46 ns/i) -     27.703M", "a", 1e9 / 181.46),
            ("a  3.100k (┬▒ 1.1%) i/s  (322.58 ╬╝s/i) -     15.500k", "a", 1e6 / 322.58),
            ("a (±) 11.223M (Â± 1.2%) i/s   (89.10 ns/i) -     56.304M", "a (±)", 11_223_000.0),
            // The time contradicts the rate, has an unknown unit, or is 0.
            ("a  3.200k (± 1.1%) i/s  (322.58 μs/i) -     15.500k", "a", 3200.0),
            ("a  3.200k (± 1.1%) i/s  (322.58 xs/i) -     15.500k", "a", 3200.0),
            ("a  0.000 (± 1.1%) i/s  (0.00 s/i)", "a", 0.0),
            ("  4.12  (± 0.0%) i/s -     21.000  in   5.049667s", "", 4.12),
        ] {
            let found = result(line).map(|found| (found.benchmark, found.value));
            assert!(
                found.is_some_and(
                    |(benchmark, rate)| benchmark == name && (rate - value).abs() <= value * 1e-12
                ),
                "{line}: {found:?}"
            );
        }
        assert!(["a ± 1 i/s", "a 1 (±", "(± 1%) i/s", ""].iter().all(|line| result(line).is_none()));
    }

    #[test]
    fn a_ruby_describes_itself() {
        for (line, expected) in [
            ("ruby 2.6.0p0 (2018-12-25 revision 66547) +JIT [x86_64-linux]", true),
            (
                "jruby 9.4.5.0 (3.1.4) 2023-11-02 1abae2700f OpenJDK 64-Bit Server VM 17.0.9+9 +jit [x86_64-linux]",
                true,
            ),
            ("truffleruby 23.1.1, like ruby 3.2.2, Oracle GraalVM Native [aarch64-darwin]", true),
            ("ruby bench.rb [a]", false),
            ("ruby 3 is fast", false),
        ] {
            assert_eq!(is_ruby(line), expected, "{line}");
        }
    }
}
