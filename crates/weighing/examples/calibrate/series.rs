//! Change points of one series: how often are they found where the level is steady, and where it steps?

use statera_kernels::pelt;

use crate::noise::Numbers;
use crate::tally::{print, repeated};

/// Values of a series.
const SIZES: [usize; 4] = [50, 200, 500, 2000];
/// Correlation of a value with the one before it.
const DEPENDENCE: [f64; 5] = [0.0, 0.3, 0.5, 0.7, 0.9];
/// Steps in the middle, in standard deviations of a value.
const STEPS: [f64; 3] = [0.0, 2.0, 3.0];
/// A change point this near to the step has found it.
const NEAR: usize = 3;

fn series(numbers: &mut Numbers, dependence: f64, n: usize) -> Vec<f64> {
    let fresh = (1.0 - dependence * dependence).sqrt();
    let mut before = numbers.normal();
    let mut next = || {
        before = dependence * before + fresh * numbers.normal();
        100.0 + before
    };
    (0..n).map(|_| next()).collect()
}

/// How often does a series show any change point, and how often is a step found?
pub fn change_points(repetitions: u64) {
    for dependence in DEPENDENCE {
        let name = if dependence > 0.0 { format!("AR(1) {dependence}") } else { "independent".to_owned() };
        for n in SIZES {
            for step in STEPS {
                let one = |numbers: &mut Numbers| {
                    let mut values = series(numbers, dependence, n);
                    values[n / 2..].iter_mut().for_each(|value| *value += step);
                    let found = pelt(&values, None, 2);
                    [u64::from(found.iter().any(|at| step == 0.0 || at.abs_diff(n / 2) <= NEAR))]
                };
                let [count] = repeated(repetitions, &format!("changes {name} {n} {step}"), one);
                print("change-points", &name, n, &format!("{step}"), count, repetitions);
            }
        }
    }
}
