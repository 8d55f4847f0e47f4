//! The runs that a pilot asks for: how often do that many runs find a change of the margin?

use statera_kernels::{Forecast, Pilot};
use statera_weighing::{Row, Verdict};

use crate::comparison::{DEFAULT, MARGIN, compared};
use crate::noise::{Noise, Numbers};
use crate::settings::{CENTRE, SUITE};
use crate::tally::{print, repeated};

/// Runs a side of the pilot.
const PILOTS: [usize; 6] = [3, 4, 5, 8, 10, 20];
/// Standard deviation of the logarithms: as large as the margin.
const SD: f64 = 0.02;
const ALPHA: f64 = 0.05;
const POWER: f64 = 0.8;

/// Weighs a suite whose first benchmark became slower.
fn first(noise: Noise, numbers: &mut Numbers, benchmarks: usize, n: usize, change: f64) -> Row {
    let mut drawn = noise.draw(numbers, 2, benchmarks, n);
    for (side, slower) in drawn.iter_mut().zip([0.0, change]) {
        for (benchmark, values) in side.iter_mut().enumerate() {
            let change = if benchmark == 0 { slower } else { 0.0 };
            *values = noise.times(values, CENTRE * (1.0 + change), SD);
        }
    }
    compared(&drawn, DEFAULT).rows[0]
}

/// A pilot in which nothing changed, and then the runs that it asks for, with one benchmark slower by the margin.
pub fn runs_needed(repetitions: u64) {
    for noise in [Noise::Normal, Noise::Lognormal, Noise::HeavyTailed] {
        for benchmarks in [1, SUITE] {
            let known = Forecast::new(ALPHA / benchmarks as f64, POWER);
            let spread = Pilot { spread: SD, df: usize::MAX, paired: false };
            let truth = known.needed(&spread, MARGIN.ln_1p(), 2).runs;
            for n in PILOTS {
                let row = format!("{} {benchmarks}", noise.name());
                let one = |numbers: &mut Numbers| {
                    let pilot = first(noise, numbers, benchmarks, n, 0.0);
                    if !pilot.runs_needed.is_finite() {
                        // By chance its builds differ in shape, and nothing is forecast.
                        return [0, 0, 0];
                    }
                    let runs = pilot.runs_needed as usize;
                    let fresh = first(noise, numbers, benchmarks, runs, MARGIN);
                    let held = pilot.runs_needed_low <= truth && truth <= pilot.runs_needed_high;
                    [u64::from(fresh.verdict == Verdict::Worse), u64::from(held), runs as u64]
                };
                let [found, held, runs] = repeated(repetitions, &format!("advice {row} {n}"), one);
                print("advice", &row, n, "found", found, repetitions);
                print("advice", &row, n, "range", held, repetitions);
                print("advice", &row, n, "runs", runs, repetitions);
            }
        }
    }
}
