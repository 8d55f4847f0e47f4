//! The rules that people use, on the same values.

use statera_kernels as kernels;

/// Names of the rules.
pub const RULES: [&str; 3] = ["benchstat", "±5 %", "Welch"];

/// Which way each rule calls a benchmark changed: 1 slower, −1 faster, 0 not.
///
/// benchstat: Mann-Whitney p < 0.05; ±5 %: the medians' ratio; Welch: t on the times themselves, p < 0.05. None of them
/// corrects for the number of benchmarks.
pub fn calls(old: &[f64], new: &[f64]) -> [i8; 3] {
    let change = kernels::median(new) / kernels::median(old) - 1.0;
    let sign = |called: bool, change: f64| if called { change.signum() as i8 } else { 0 };
    let rank = kernels::mann_whitney(old, new).is_some_and(|test| test.p < 0.05);
    let (p, slower) = welch(old, new);
    [sign(rank, change), sign(change.abs() > 0.05, change), sign(p < 0.05, slower)]
}

/// p of Welch's t, and the difference of the means.
pub fn welch(old: &[f64], new: &[f64]) -> (f64, f64) {
    kernels::welch(old, new, 0.95).map_or((1.0, 0.0), |found| (found.test.p, found.shift.estimate))
}
