//! Intervals of means by Student's t (1908): for the mean, the trimmed mean (Tukey & `McLaughlin` 1963, in the
//! form of Yuen 1974) and the geometric mean.

use crate::moments::trimmed_mean;
use crate::quantile::{mean, sd};
use crate::shift::{Interval, alpha};
use crate::special::t_quantile;

/// Student's interval of the mean, in the unit of the data: exact for normal values. `None` for fewer than two
/// values.
#[must_use]
pub fn mean_interval(values: &[f64], confidence: f64) -> Option<Interval> {
    let n = values.len();
    (n >= 2).then(|| about(mean(values), sd(values) / (n as f64).sqrt(), n - 1, confidence))
}

/// Interval of the trimmed mean, with the spread of the winsorised values: ⌊`share` · n⌋ values at each end are
/// replaced by the next one.
///
/// `None` if fewer than two values are left, and for a fraction outside [0, 1/2).
#[must_use]
pub fn trimmed_mean_interval(values: &[f64], share: f64, confidence: f64) -> Option<Interval> {
    let n = values.len();
    let cut = (0.0..0.5).contains(&share).then_some((share * n as f64) as usize)?;
    let left = n.checked_sub(2 * cut).filter(|&left| left >= 2)?;
    let mut drawn_in = values.to_vec();
    drawn_in.sort_unstable_by(f64::total_cmp);
    let ends = (drawn_in[cut], drawn_in[n - 1 - cut]);
    drawn_in[..cut].fill(ends.0);
    drawn_in[n - cut..].fill(ends.1);
    let (size, kept) = (n as f64, left as f64);
    let error = sd(&drawn_in) * ((size - 1.0) / (kept * (kept - 1.0))).sqrt();
    Some(about(trimmed_mean(values, share), error, left - 1, confidence))
}

/// Interval of the geometric mean: that of the mean of the logarithms. `None` for fewer than two values, and if
/// one is not positive.
#[must_use]
pub fn geometric_mean_interval(values: &[f64], confidence: f64) -> Option<Interval> {
    if values.iter().any(|&v| v.is_nan() || v <= 0.0) {
        return None;
    }
    let logs: Vec<f64> = values.iter().map(|v| v.ln()).collect();
    let interval = mean_interval(&logs, confidence)?;
    Some(Interval { low: interval.low.exp(), high: interval.high.exp(), ..interval })
}

fn about(centre: f64, error: f64, df: usize, confidence: f64) -> Interval {
    let half = if error == 0.0 { 0.0 } else { -error * t_quantile(0.5 * alpha(confidence), df as f64) };
    Interval { low: centre - half, high: centre + half, level: confidence }
}

#[cfg(test)]
mod tests {
    use super::{geometric_mean_interval, mean_interval, trimmed_mean_interval};

    #[test]
    fn the_textbook_interval_comes_out() {
        // t with 4 degrees of freedom at 97.5 % is 2.7764451052.
        let found = mean_interval(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.95).expect("five values");
        assert!((found.high - 3.0 - 2.776_445_105_2 * 0.5_f64.sqrt()).abs() < 1e-9);
        assert!((found.low + found.high - 6.0).abs() < 1e-12);
    }

    #[test]
    fn without_trimming_the_trimmed_mean_is_the_mean() {
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0];
        let (plain, trimmed) = (mean_interval(&values, 0.9), trimmed_mean_interval(&values, 0.0, 0.9));
        assert!((plain.expect("six").low - trimmed.expect("six").low).abs() < 1e-12);
    }

    #[test]
    fn a_change_of_unit_scales_the_ends() {
        let values = [3.0, 1.0, 4.0, 1.5, 5.0, 9.0, 2.0, 6.0];
        for unit in [1e-300, 1024.0, 1e290] {
            let scaled: Vec<f64> = values.iter().map(|v| v * unit).collect();
            for interval in [
                |v: &[f64]| trimmed_mean_interval(v, 0.2, 0.95),
                |v: &[f64]| geometric_mean_interval(v, 0.95),
            ] {
                let (one, other) = (interval(&values).expect("eight"), interval(&scaled).expect("eight"));
                assert!((other.low / unit / one.low - 1.0).abs() < 1e-11);
                assert!((other.high / unit / one.high - 1.0).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn what_has_no_interval_gives_none() {
        assert!(mean_interval(&[1.0], 0.95).is_none());
        assert!(trimmed_mean_interval(&[1.0, 2.0, 3.0], 0.4, 0.95).is_none());
        assert!(trimmed_mean_interval(&[1.0, 2.0, 3.0], 0.5, 0.95).is_none());
        assert!(geometric_mean_interval(&[1.0, 0.0], 0.95).is_none());
    }
}
