//! Values that depend on the one before, nothing changed: false alarms in suites of fifty and of one benchmark alone.

use crate::comparison::{DEFAULT, called, compared};
use crate::noise::{Noise, Numbers};
use crate::settings::{CENTRE, SD, SUITE};
use crate::tally::{print, repeated};

const NOISES: [Noise; 7] = [
    Noise::Normal,
    Noise::Autocorrelated(3),
    Noise::Autocorrelated(5),
    Noise::Autocorrelated(7),
    Noise::HalfAutocorrelated(3),
    Noise::HalfAutocorrelated(5),
    Noise::HalfAutocorrelated(7),
];

/// How many benchmarks are called changed, and in how many rows the interval was widened.
fn alarms(noise: Noise, numbers: &mut Numbers, benchmarks: usize, n: usize) -> [u64; 2] {
    let mut drawn = noise.draw(numbers, 2, benchmarks, n);
    for values in drawn.iter_mut().flatten() {
        *values = noise.times(values, CENTRE, SD);
    }
    let rows = compared(&drawn, DEFAULT).rows;
    let any = rows.iter().any(called);
    [u64::from(any), u64::from(rows.iter().any(|row| row.effective_units.is_finite()))]
}

pub fn false_alarms(repetitions: u64) {
    for noise in NOISES {
        for n in [5, 8, 10, 20, 50] {
            let name = noise.name();
            let sizes = [("dependent-suite", SUITE, repetitions), ("dependent-alone", 1, 8 * repetitions)];
            for (table, benchmarks, repetitions) in sizes {
                if benchmarks == 1 && matches!(noise, Noise::HalfAutocorrelated(_)) {
                    continue;
                }
                let one = |numbers: &mut Numbers| alarms(noise, numbers, benchmarks, n);
                let [any, widened] = repeated(repetitions, &format!("{table} {name} {n}"), one);
                print(table, &name, n, "any", any, repetitions);
                print(table, &name, n, "widened", widened, repetitions);
            }
        }
    }
}
