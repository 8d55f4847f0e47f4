//! One benchmark by itself, nothing changed: how often does a warning ride on its row?

use statera_weighing::Warning;

use crate::comparison::{DEFAULT, compared};
use crate::noise::{Noise, Numbers};
use crate::settings::{CENTRE, SD};
use crate::tally::{print, repeated};

/// Runs a side.
const SIZES: [usize; 5] = [8, 9, 10, 20, 50];
/// Standard deviation, and step of the timer, that are small beside the margin.
const FINE: f64 = 0.001;
/// The warnings that are counted.
const COUNTED: [Warning; 3] = [Warning::Outliers, Warning::MediansDisagree, Warning::FewDistinct];

/// Nothing changed: how often does each of these warnings ride on the row?
pub fn on_unchanged(repetitions: u64) {
    for (name, noise, sd) in [
        ("normal", Noise::Normal, SD),
        ("lognormal", Noise::Lognormal, SD),
        ("bimodal", Noise::Bimodal, SD),
        ("heavy-tailed", Noise::HeavyTailed, SD),
        ("timer in steps of 0.1 %", Noise::Quantised, FINE),
        ("timer in steps of 10 %", Noise::Quantised, SD),
    ] {
        for n in SIZES {
            let one = |numbers: &mut Numbers| {
                let mut drawn = noise.draw(numbers, 2, 1, n);
                for side in &mut drawn {
                    side[0] = noise.times(&side[0], CENTRE, sd);
                }
                let row = compared(&drawn, DEFAULT).rows[0];
                COUNTED.map(|warning| u64::from(row.warns(warning)))
            };
            let counts = repeated(repetitions, &format!("warnings {name} {n}"), one);
            for (counted, count) in COUNTED.iter().zip(counts) {
                print("warnings", name, n, counted.code(), count, repetitions);
            }
        }
    }
}
