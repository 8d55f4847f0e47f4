//! Differences that are equal in the file stay equal.
//!
//! Turning microseconds to seconds, taking logarithms and subtracting round; differences that tie in the
//! file would then differ in their last bits, zeros would not be zeros, and the exact null distribution,
//! which is conditional on ties, would be another one in another unit.

use crate::row::Scale;

/// The maximum number of roundings of a difference: two conversions, two logarithms, one subtraction.
const ROUNDINGS: f64 = 6.0;

/// Makes differences equal that differ in size only by rounding; `baseline` and `contender` are the values on the scale
/// on which they were subtracted.
pub fn settle(differences: &mut [f64], baseline: &[f64], contender: &[f64], scale: Scale) {
    let resolution = |i: usize| {
        let size = baseline[i].abs().max(contender[i].abs());
        // The logarithm of a value that is off by one part in 2^53 is off by as much, whatever its size.
        let size = if scale == Scale::Ratio { size + 1.0 } else { size };
        ROUNDINGS * f64::EPSILON * size
    };
    let mut order: Vec<usize> = (0..differences.len()).collect();
    order.sort_unstable_by(|&a, &b| differences[a].abs().total_cmp(&differences[b].abs()));
    let mut first = 0.0;
    for i in order {
        let size = differences[i].abs();
        if size - first > resolution(i) {
            first = size;
        }
        differences[i] = first.copysign(differences[i]);
        if first == 0.0 {
            differences[i] = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_that_tie_in_microseconds_tie_in_seconds() {
        let baseline: Vec<f64> = [1000.0, 1014.0, 1029.0, 977.0].map(|us| us / 1e6).to_vec();
        let contender: Vec<f64> = [1004.0, 1010.0, 1033.0, 977.0].map(|us| us / 1e6).to_vec();
        let mut differences: Vec<f64> =
            baseline.iter().zip(&contender).map(|(baseline, contender)| contender - baseline).collect();
        settle(&mut differences, &baseline, &contender, Scale::Difference);
        assert_eq!(differences[0], differences[2]);
        assert_eq!(differences[0], -differences[1]);
        assert_eq!(differences[3], 0.0);
    }

    #[test]
    fn ratios_that_tie_tie_as_logarithms() {
        let baseline: Vec<f64> = [1.0, 3.0, 7e-6, 6.0, 5.0f64].map(f64::ln).to_vec();
        let contender: Vec<f64> = [2.0, 6.0, 14e-6, 3.0, 5.0f64].map(f64::ln).to_vec();
        let mut differences: Vec<f64> =
            baseline.iter().zip(&contender).map(|(baseline, contender)| contender - baseline).collect();
        settle(&mut differences, &baseline, &contender, Scale::Ratio);
        assert!(differences[..3].iter().all(|&difference| difference == differences[0]));
        assert_eq!(differences[3], -differences[0]);
        assert_eq!(differences[4], 0.0);
    }

    #[test]
    fn differences_that_differ_stay_apart() {
        let (baseline, contender) = ([1.0, 1.0, 1.0], [1.5, 1.500_000_000_001, 2.0]);
        let mut differences = [0.5, 0.500_000_000_001, 1.0];
        settle(&mut differences, &baseline, &contender, Scale::Difference);
        assert_eq!(differences, [0.5, 0.500_000_000_001, 1.0]);
    }
}
