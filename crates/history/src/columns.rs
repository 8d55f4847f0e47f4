//! The values of a series as pages and documents have them: lists in JSON, and the dots of drawings.
//!
//! A page has thousands of values; to make an object of each would take longer than everything else.

use std::fmt::Write;
use std::ops::Range;

use crate::found::Found;

/// Steps from the top of a chart to its bottom.
const STEPS: f64 = 10_000.0;
/// A value is drawn at most so many heights of the chart away from it.
const AWAY: f64 = 1e3;

/// A value in steps from the top of a chart between two values; those beyond the chart are beyond its ends.
#[must_use]
pub fn step(value: f64, low: f64, high: f64) -> i64 {
    let at = (high - value) / (high - low);
    (at.clamp(-AWAY, AWAY) * STEPS).round_ties_even() as i64
}

/// Stretches of values, as number of the first and how many.
pub type Stretches<'a> = &'a [(usize, usize)];

impl Found {
    /// The number of the first value of a commit at a position, or behind it.
    #[must_use]
    pub fn since(&self, position: u32) -> usize {
        self.commits.partition_point(|&commit| commit < position)
    }

    /// How many commits have a value.
    #[must_use]
    pub fn measured(&self) -> usize {
        self.commits.chunk_by(|a, b| a == b).count()
    }

    /// The position of one of the commits that have a value, by its number among these.
    #[must_use]
    pub fn commit(&self, number: usize) -> Option<u32> {
        self.commits.chunk_by(|a, b| a == b).nth(number).and_then(|same| same.first().copied())
    }

    /// The median of a stretch of the values; NaN of none.
    #[must_use]
    pub fn median(&self, stretch: Range<usize>) -> f64 {
        let mut values = self.values.get(stretch).unwrap_or_default().to_vec();
        let middle = values.len() / 2;
        let even = values.len().is_multiple_of(2);
        if values.is_empty() {
            return f64::NAN;
        }
        let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
        let Some(lower) = below.iter().copied().max_by(f64::total_cmp).filter(|_| even) else { return upper };
        lower.midpoint(upper)
    }

    /// The least and the largest of the values of a stretch that are so near to a level, without those that stand outside.
    #[must_use]
    pub fn near(
        &self,
        stretch: Range<usize>,
        level: f64,
        far: f64,
        outside: Stretches<'_>,
    ) -> Option<(f64, f64)> {
        let values = self.values.get(stretch.clone())?;
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for (number, &value) in stretch.zip(values) {
            if (value - level).abs() <= far && (value < least || value > most) && !is_within(number, outside)
            {
                (least, most) = (least.min(value), most.max(value));
            }
        }
        (least <= most).then_some((least, most))
    }

    /// The positions of the values beyond a chart, each with whether it is above.
    #[must_use]
    pub fn beyond(&self, low: f64, high: f64) -> Vec<(u32, bool)> {
        let steps = self.values.iter().map(|&value| step(value, low, high));
        self.commits
            .iter()
            .zip(steps)
            .filter(|&(_, step)| !(0..=STEPS as i64).contains(&step))
            .map(|(&commit, step)| (commit, step < 0))
            .collect()
    }

    /// Writes dots as lines without length: their round ends are circles, however the drawing is stretched. They are those
    /// of the values that stand outside, or of all others. Returns where the pen is, which begins at `pen`.
    #[must_use]
    pub fn dots(
        &self,
        (low, high): (f64, f64),
        outside: Stretches<'_>,
        marked: bool,
        pen: (i64, i64),
    ) -> (String, (i64, i64)) {
        if marked && outside.is_empty() {
            return (String::new(), pen);
        }
        let mut text = String::with_capacity(self.values.len() * 12);
        let (mut x, mut y) = pen;
        for (number, (&value, &commit)) in self.values.iter().zip(&self.commits).enumerate() {
            if is_within(number, outside) != marked {
                continue;
            }
            let (right, down) = (i64::from(commit), step(value, low, high));
            text.push('m');
            whole(&mut text, right - x);
            if down >= y {
                text.push(' ');
            }
            whole(&mut text, down - y);
            text.push_str("h0");
            (x, y) = (right, down);
        }
        (text, (x, y))
    }

    /// The steps of the values in a chart.
    #[must_use]
    pub fn steps(&self, low: f64, high: f64) -> String {
        list(&self.values, |to, &value| whole(to, step(value, low, high)))
    }

    /// The values, as Python writes them.
    #[must_use]
    pub fn numbers(&self) -> String {
        list(&self.values, |to, &value| number(to, value))
    }

    /// The positions of their commits.
    #[must_use]
    pub fn positions(&self) -> String {
        list(&self.commits, |to, &commit| whole(to, i64::from(commit)))
    }

    /// Their places on the line; null if every job of it has a value.
    #[must_use]
    pub fn places(&self) -> String {
        if self.places.len() == self.line_length {
            return "null".to_owned();
        }
        list(&self.places, |to, &place| whole(to, i64::from(place)))
    }

    /// A text for each value.
    #[must_use]
    pub fn texts(&self, written: impl Fn(&mut String, f64)) -> String {
        let mut own = String::new();
        list(&self.values, |to, &value| {
            own.clear();
            written(&mut own, value);
            text(to, &own);
        })
    }
}

fn is_within(number: usize, stretches: Stretches<'_>) -> bool {
    stretches.iter().any(|&(first, count)| number >= first && number - first < count)
}

fn list<T>(all: &[T], mut each: impl FnMut(&mut String, &T)) -> String {
    let mut text = String::with_capacity(all.len() * 20);
    text.push('[');
    for (number, one) in all.iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        each(&mut text, one);
    }
    text.push(']');
    text
}

/// Appends a whole number: the way of the standard library takes several times as long.
fn whole(to: &mut String, number: i64) {
    let mut digits = [b'0'; 20];
    let (mut begin, mut rest) = (digits.len() - 1, number.unsigned_abs());
    loop {
        digits[begin] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
        begin -= 1;
    }
    if number < 0 {
        to.push('-');
    }
    to.push_str(str::from_utf8(&digits[begin..]).unwrap_or_default());
}

/// Appends a finite number as Python writes it: the exponent has two digits at least, and a sign.
fn number(to: &mut String, value: f64) {
    let size = value.abs();
    if size == 0.0 || (1e-4..1e16).contains(&size) {
        to.push_str(zmij::Buffer::new().format_finite(value));
        return;
    }
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, power) = exponent.strip_prefix('-').map_or(('+', exponent), |power| ('-', power));
    let _ = write!(to, "{digits}e{sign}{power:0>2}");
}

/// Appends a text of JSON in ASCII.
fn text(to: &mut String, own: &str) {
    to.push('"');
    let plain = own.bytes().take_while(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'));
    let (plain, rest) = own.split_at(plain.count());
    to.push_str(plain);
    for character in rest.chars() {
        match character {
            '"' => to.push_str("\\\""),
            '\\' => to.push_str("\\\\"),
            ' '..='~' => to.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let _ = write!(to, "\\u{unit:04x}");
                }
            }
        }
    }
    to.push('"');
}

#[cfg(test)]
mod tests {
    use statera_kernels::change_points::Changes;

    use super::*;

    fn found(values: &[f64]) -> Found {
        Found {
            line: 0,
            series: 0,
            jobs: (0..values.len() as u32).collect(),
            commits: (0..values.len() as u32).map(|at| 2 * at).collect(),
            places: (0..values.len() as u32).collect(),
            line_length: values.len(),
            values: values.to_vec(),
            left_out: 0,
            exact: false,
            changes: Changes::default(),
            corrected: f64::NAN,
        }
    }

    #[test]
    fn numbers_are_those_of_python() {
        for at in 0..1000 {
            let value = f64::from(at).exp2() * 1.1e-4 % 9e15 + f64::from(at);
            assert_eq!(found(&[value, -value]).numbers(), format!("[{value:?},{:?}]", -value));
        }
        let values = [1.0, -0.0, 1e16, 123_456.789, 1e-4, 9.5e-5, 1.5e-300, 1e15, -2e22];
        let expected = "[1.0,-0.0,1e+16,123456.789,0.0001,9.5e-05,1.5e-300,1000000000000000.0,-2e+22]";
        assert_eq!(found(&values).numbers(), expected);
    }

    #[test]
    fn whole_numbers_have_all_digits() {
        for number in [0, 7, -10, 12345, i64::MAX, i64::MIN] {
            let mut text = String::new();
            whole(&mut text, number);
            assert_eq!(text, number.to_string());
        }
    }

    #[test]
    fn texts_are_ascii() {
        let texts = found(&[1.0]).texts(|to, _| to.push_str("\"1 µs\\\u{1f600}\n"));
        assert_eq!(texts, r#"["\"1 \u00b5s\\\ud83d\ude00\u000a"]"#);
    }

    #[test]
    fn medians_stand_also_where_sums_overflow() {
        let of = found(&[3.0, 1.0, 2.0, 10.0]);
        assert_eq!((of.median(0..3), of.median(0..4), of.median(3..3).is_nan()), (2.0, 2.5, true));
        assert_eq!(found(&[f64::MAX, f64::MAX]).median(0..2), f64::MAX);
        assert_eq!((of.since(0), of.since(3), of.since(4), of.since(9)), (0, 2, 2, 4));
        let twice = Found { commits: vec![3, 3, 5, 9], ..of };
        assert_eq!((twice.measured(), twice.commit(0), twice.commit(1)), (3, Some(3), Some(5)));
        assert_eq!((twice.commit(2), twice.commit(3)), (Some(9), None));
    }

    #[test]
    fn dots_are_of_values_outside_or_of_the_others() {
        let of = found(&[1.0, 0.0, 5.0, 0.5]);
        let (plain, pen) = of.dots((0.0, 1.0), &[(2, 1)], false, (0, 0));
        assert_eq!((plain.as_str(), pen), ("m0 0h0m2 10000h0m4-5000h0", (6, 5000)));
        assert_eq!(of.dots((0.0, 1.0), &[(2, 1)], true, (1, 1)).0, "m3-40001h0");
        assert_eq!(of.beyond(0.0, 1.0), [(4, true)]);
        assert_eq!(of.near(0..4, 1.0, 0.5, &[(2, 1)]), Some((0.5, 1.0)));
        assert_eq!((of.steps(0.0, 1.0).as_str(), of.places().as_str()), ("[0,10000,-40000,5000]", "null"));
        assert_eq!(of.positions(), "[0,2,4,6]");
    }
}
