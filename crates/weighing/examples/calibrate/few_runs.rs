//! Two and three runs a side, nothing changed: how often does any row differ by the t-test?

use statera_weighing::Verdict;

use crate::comparison::{DEFAULT, compared};
use crate::noise::{Noise, Numbers};
use crate::settings::{CENTRE, SD, SUITE};
use crate::tally::{print, repeated};

const NOISES: [Noise; 6] =
    [Noise::Normal, Noise::Lognormal, Noise::HeavyTailed, Noise::Spiky, Noise::Bimodal, Noise::Runs];

fn differs(noise: Noise, numbers: &mut Numbers, benchmarks: usize, n: usize) -> bool {
    let mut drawn = noise.draw(numbers, 2, benchmarks, n);
    for values in drawn.iter_mut().flatten() {
        *values = noise.times(values, CENTRE, SD);
    }
    compared(&drawn, DEFAULT).rows.iter().any(|row| row.verdict == Verdict::Differs)
}

pub fn false_alarms(repetitions: u64) {
    for noise in NOISES {
        for n in [2, 3] {
            let name = noise.name();
            for (row, benchmarks) in [("alone", 1), ("of fifty", SUITE)] {
                let one = |numbers: &mut Numbers| [u64::from(differs(noise, numbers, benchmarks, n))];
                let [any] = repeated(repetitions, &format!("few {row} {name} {n}"), one);
                print("few-runs", &name, n, row, any, repetitions);
            }
        }
    }
}
