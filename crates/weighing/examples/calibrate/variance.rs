//! The components of the variance where the truth is known: the analysis of variance, and the robust estimate.

use statera_kernels as kernels;

use crate::noise::Numbers;
use crate::tally::{print, repeated};

/// Runs, and iterations of each.
const RUNS: usize = 20;
const ITERATIONS: usize = 20;
/// An estimate counts as near if it is at most so far from the true share of the variance that lies between runs.
const NEAR: f64 = 0.15;

/// The iterations of one run about 0, in standard deviations of the bulk.
#[derive(Debug, Clone, Copy)]
enum Within {
    Normal,
    /// Student's t with 2 degrees of freedom.
    HeavyTailed,
    /// One in fifty iterations is fifty standard deviations slower.
    Slow,
}

impl Within {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Normal, "normal"), (Self::HeavyTailed, "t, 2"), (Self::Slow, "2 % slow")];

    fn value(self, numbers: &mut Numbers) -> f64 {
        let normal = numbers.normal();
        match self {
            Self::Normal => normal,
            // Scaled so that the quartiles of t are those of the normal distribution.
            Self::HeavyTailed => 0.826 * normal / (-numbers.uniform().ln()).sqrt(),
            Self::Slow => normal + if numbers.uniform() < 0.02 { 50.0 } else { 0.0 },
        }
    }
}

/// Runs that spread by so many standard deviations of their iterations: how often is either estimate near the truth?
pub fn components(repetitions: u64) {
    for (within, name) in Within::ALL {
        for spread in [0, 1, 2] {
            let spread_of = f64::from(spread);
            let truth = spread_of * spread_of / (spread_of * spread_of + 1.0);
            let near = |share: f64| u64::from((share - truth).abs() <= NEAR);
            let one = |numbers: &mut Numbers| {
                let mut run = |_| {
                    let start = spread_of * numbers.normal();
                    (0..ITERATIONS).map(|_| start + within.value(numbers)).collect()
                };
                let runs: Vec<Vec<f64>> = (0..RUNS).map(&mut run).collect();
                let groups: Vec<&[f64]> = runs.iter().map(Vec::as_slice).collect();
                let plain = kernels::variance_components(&groups, 0.95).map_or(f64::NAN, |parts| parts.icc);
                let robust = kernels::robust_components(&groups).map_or(f64::NAN, |parts| parts.share);
                [near(plain), near(robust)]
            };
            let [plain, robust] = repeated(repetitions, &format!("variance {name} {spread}"), one);
            print("variance", name, spread, "analysis of variance", plain, repetitions);
            print("variance", name, spread, "robust", robust, repetitions);
        }
    }
}
