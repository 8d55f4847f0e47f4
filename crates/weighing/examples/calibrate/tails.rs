//! Tails and spreads: false alarms if nothing changed, and what is said of slow runs.

use statera_weighing::{Reason, Row, Verdict, Warning};

use crate::comparison::{DEFAULT, compared};
use crate::noise::{Noise, Numbers};
use crate::settings::{CENTRE, SUITE};
use crate::tally::{print, repeated};

/// Standard deviation of the logarithms: small enough that rows can be equivalent.
const SD: f64 = 0.01;
/// Runs a side.
const SIZES: [usize; 3] = [10, 20, 40];
/// Runs of a burst.
const BURST: usize = 3;

/// Values of one benchmark on one side.
#[derive(Debug, Clone, Copy)]
enum Values {
    /// Noise without slow runs.
    Plain(Noise),
    /// Normal noise, and this share of the runs takes so many times as long.
    Slow(f64, f64),
    /// Normal noise, and this share of the runs takes twice as long, in bursts.
    Bursts(f64),
    /// Normal noise so many times as wide.
    Wide(f64),
}

impl Values {
    const UNCHANGED: [(&'static str, Self); 8] = [
        ("normal", Self::Plain(Noise::Normal)),
        ("lognormal", Self::Plain(Noise::Lognormal)),
        ("heavy-tailed", Self::Plain(Noise::HeavyTailed)),
        ("bimodal", Self::Plain(Noise::Bimodal)),
        ("AR(1) 0.5", Self::Plain(Noise::Autocorrelated(5))),
        ("spiky: 5 % at ×1.1", Self::Slow(0.05, 1.1)),
        ("spiky: 2 % at ×2", Self::Slow(0.02, 2.0)),
        ("bursty: 10 % at ×2", Self::Bursts(0.1)),
    ];

    fn times(self, numbers: &mut Numbers, sd: f64, runs: usize) -> Vec<f64> {
        let mut left = 0;
        let mut slow = |numbers: &mut Numbers| match self {
            Self::Slow(share, times) if numbers.uniform() < share => times,
            Self::Bursts(share) => {
                if left == 0 && numbers.uniform() < share / BURST as f64 / (1.0 - share) {
                    left = BURST;
                }
                let now = left > 0;
                left = left.saturating_sub(1);
                if now { 2.0 } else { 1.0 }
            }
            _ => 1.0,
        };
        let noise = if let Self::Plain(noise) = self { noise } else { Noise::Normal };
        let sd = if let Self::Wide(times) = self { sd * times } else { sd };
        let drawn = noise.draw(numbers, 1, 1, runs).remove(0).remove(0);
        noise.times(&drawn, CENTRE, sd).into_iter().map(|time| time * slow(numbers)).collect()
    }
}

/// Whether tail or spread are called changed.
fn speaks(row: &Row) -> bool {
    matches!(row.verdict, Verdict::TailWorse | Verdict::TailBetter | Verdict::ShapeChanged)
}

fn called(row: &Row) -> bool {
    speaks(row) || matches!(row.verdict, Verdict::Better | Verdict::Worse | Verdict::Changed)
}

fn rows(numbers: &mut Numbers, sides: [Values; 2], benchmarks: usize, runs: usize) -> Vec<Row> {
    let mut drawn = vec![Vec::new(), Vec::new()];
    for _ in 0..benchmarks {
        // A fifth to twice the usual spread.
        let sd = if benchmarks == 1 { SD } else { SD * 10_f64.powf(numbers.uniform() - 0.7) };
        for (side, values) in drawn.iter_mut().zip(sides) {
            side.push(values.times(numbers, sd, runs));
        }
    }
    compared(&drawn, DEFAULT).rows
}

/// Suites of fifty of which nothing changed: any tail or spread called changed, any verdict at all; and by row whether it
/// is undecided because of its tail, and the warnings.
pub fn false_alarms(repetitions: u64) {
    for (name, values) in Values::UNCHANGED {
        for n in SIZES {
            let one = |numbers: &mut Numbers| {
                let rows = rows(numbers, [values, values], SUITE, n);
                let undecided = rows.iter().filter(|row| row.reason == Some(Reason::TailUndecided)).count();
                let warned = |warning| rows.iter().filter(|row| row.warns(warning)).count() as u64;
                [
                    u64::from(rows.iter().any(speaks)),
                    u64::from(rows.iter().any(called)),
                    undecided as u64,
                    warned(Warning::SeveralModes),
                    warned(Warning::WarmUp),
                ]
            };
            let counts = repeated(repetitions, &format!("tails {name} {n}"), one);
            let names = ["tail or spread", "any", "undecided", "several modes", "warm-up"];
            for (place, (counted, count)) in names.iter().zip(counts).enumerate() {
                let of = if place < 2 { repetitions } else { repetitions * SUITE as u64 };
                print("tails", name, n, counted, count, of);
            }
        }
    }
}

/// One benchmark whose tail or spread changed: what is said of it.
pub fn found(repetitions: u64) {
    let usual = Values::Slow(0.0, 1.0);
    let changes = [
        ("unchanged", usual, usual),
        ("15 % at ×2, before none", usual, Values::Slow(0.15, 2.0)),
        ("15 % at ×2, before 5 %", Values::Slow(0.05, 2.0), Values::Slow(0.15, 2.0)),
        ("27 % at ×2, before 3 %", Values::Slow(0.03, 2.0), Values::Slow(0.27, 2.0)),
        ("27 % at ×1.1, before 3 %", Values::Slow(0.03, 1.1), Values::Slow(0.27, 1.1)),
        ("spread three times as wide", usual, Values::Wide(3.0)),
    ];
    for (name, old, new) in changes {
        for n in SIZES {
            let one = |numbers: &mut Numbers| {
                let row = rows(numbers, [old, new], 1, n)[0];
                [
                    u64::from(row.verdict == Verdict::Equivalent),
                    u64::from(row.reason == Some(Reason::TailUndecided)),
                    u64::from(row.verdict == Verdict::TailWorse),
                    u64::from(row.verdict == Verdict::ShapeChanged),
                ]
            };
            let counts = repeated(repetitions, &format!("tails-found {name} {n}"), one);
            let names = ["equivalent", "undecided", "tail worse", "shape changed"];
            for (counted, count) in names.iter().zip(counts) {
                print("tails-found", name, n, counted, count, repetitions);
            }
        }
    }
}
