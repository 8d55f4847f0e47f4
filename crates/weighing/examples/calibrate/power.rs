//! What is found of true changes: statera beside the rules that people use.

use statera_kernels::{Correction as Flat, adjust};
use statera_weighing::{Correction, Verdict};

use crate::comparison::{Asked, DEFAULT, compared};
use crate::noise::{Noise, Numbers};
use crate::rules::{RULES, calls, welch};
use crate::settings::{CENTRE, SIZES, SUITE};
use crate::tally::{print, repeated};

/// Benchmarks of the suite that became slower.
const SLOWER: usize = 5;

/// Which noise, which standard deviation of each benchmark's logarithms (even on a logarithmic scale from the least to
/// the greatest), how many runs a side, how much slower.
#[derive(Debug, Clone, Copy)]
struct Given {
    noise: Noise,
    sd: (f64, f64),
    n: usize,
    change: f64,
}

impl Given {
    /// Two variants of `benchmarks`, of which the first `slower` are slower in the second.
    fn draw(self, numbers: &mut Numbers, benchmarks: usize, slower: usize) -> Vec<Vec<Vec<f64>>> {
        let mut drawn = self.noise.draw(numbers, 2, benchmarks, self.n);
        let (least, greatest) = self.sd;
        let sds: Vec<f64> =
            (0..benchmarks).map(|_| least * (greatest / least).powf(numbers.uniform())).collect();
        for (side, change) in drawn.iter_mut().zip([0.0, self.change]) {
            for (at, (values, sd)) in side.iter_mut().zip(&sds).enumerate() {
                let change = if at < slower { change } else { 0.0 };
                *values = self.noise.times(values, CENTRE * (1.0 + change), *sd);
            }
        }
        drawn
    }

    /// For statera with a correction: how many of the slower were found, how many of the others were called.
    fn weighed(values: &[Vec<Vec<f64>>], correction: Correction, slower: usize) -> [u64; 2] {
        let rows = compared(values, Asked { correction, ..DEFAULT }).rows;
        let found =
            rows.iter().filter(|row| (row.benchmark as usize) < slower && row.verdict == Verdict::Worse);
        let called = |verdict| matches!(verdict, Verdict::Better | Verdict::Worse);
        let alarms = rows.iter().filter(|row| row.benchmark as usize >= slower && called(row.verdict));
        [found.count() as u64, alarms.count() as u64]
    }

    /// The same for the other rules.
    fn by_rules(values: &[Vec<Vec<f64>>], slower: usize) -> [[u64; 2]; RULES.len()] {
        let mut counts = [[0; 2]; RULES.len()];
        for (at, (old, new)) in values[0].iter().zip(&values[1]).enumerate() {
            for (count, call) in counts.iter_mut().zip(calls(old, new)) {
                count[usize::from(at >= slower)] +=
                    u64::from(if at < slower { call == 1 } else { call != 0 });
            }
        }
        counts
    }

    fn name(self) -> String {
        let (least, greatest) = (self.sd.0 * 100.0, self.sd.1 * 100.0);
        let sd = if least == greatest { format!("{least}") } else { format!("{least}–{greatest}") };
        format!("{} {sd} % {} %", self.noise.name(), self.change * 100.0)
    }
}

/// Counts what is found of `slower` of `benchmarks`, by statera's default and by every rule.
fn counted(table: &str, given: Given, benchmarks: usize, slower: usize, repetitions: u64) {
    let name = given.name();
    let one = |numbers: &mut Numbers| {
        let values = given.draw(numbers, benchmarks, slower);
        let ours = Given::weighed(&values, Correction::Auto, slower);
        let [rank, medians, welch] = Given::by_rules(&values, slower);
        [ours[0], ours[1], rank[0], rank[1], medians[0], medians[1], welch[0], welch[1]]
    };
    let counts = repeated(repetitions, &format!("{table} {name} {}", given.n), one);
    for (rule, count) in ["statera"].iter().chain(&RULES).zip(counts.chunks(2)) {
        print(table, &name, given.n, &format!("{rule}: found"), count[0], repetitions * slower as u64);
        print(table, &name, given.n, &format!("{rule}: alarms"), count[1], repetitions);
    }
}

const NOISES: [Noise; 3] = [Noise::Normal, Noise::Lognormal, Noise::HeavyTailed];

/// A change of 2 % and of 5 % in a benchmark by itself.
pub fn alone(repetitions: u64) {
    for noise in NOISES {
        for sd in [0.01, 0.02, 0.05] {
            for change in [0.02, 0.05] {
                for n in SIZES {
                    let given = Given { noise, sd: (sd, sd), n, change };
                    counted("power-alone", given, 1, 1, repetitions);
                }
            }
        }
    }
}

/// A change of 5 % in a benchmark by itself, twenty runs a side, in noise in which none finds it always.
pub fn beside_welch(repetitions: u64) {
    for noise in [Noise::Normal, Noise::Lognormal, Noise::Bimodal, Noise::HeavyTailed] {
        for sd in [0.05, 0.06, 0.08] {
            let given = Given { noise, sd: (sd, sd), n: 20, change: 0.05 };
            counted("beside-welch", given, 1, 1, 4 * repetitions);
        }
    }
}

/// The same in one of fifty benchmarks, Welch's p-values being corrected as statera's are.
pub fn beside_welch_in_suites(repetitions: u64) {
    for noise in [Noise::Normal, Noise::Lognormal, Noise::Bimodal, Noise::HeavyTailed] {
        for sd in [0.03, 0.04] {
            let given = Given { noise, sd: (sd, sd), n: 20, change: 0.05 };
            let one = |numbers: &mut Numbers| {
                let values = given.draw(numbers, SUITE, 1);
                let [ours, _] = Given::weighed(&values, Correction::Auto, 1);
                let p: Vec<f64> =
                    values[0].iter().zip(&values[1]).map(|(old, new)| welch(old, new).0).collect();
                [ours, u64::from(adjust(&p, Flat::BenjaminiHochberg)[0] <= 0.05)]
            };
            let name = given.name();
            let [ours, theirs] = repeated(repetitions, &format!("beside Welch in suites {name}"), one);
            print("beside-welch-in-suites", &name, given.n, "statera: found", ours, repetitions);
            print("beside-welch-in-suites", &name, given.n, "Welch: found", theirs, repetitions);
        }
    }
}

/// A change of 2 % and of 5 % in five of fifty.
pub fn in_suites(repetitions: u64) {
    for noise in NOISES {
        for sd in [0.01, 0.02, 0.05] {
            for change in [0.02, 0.05] {
                for n in [5, 10, 20] {
                    let given = Given { noise, sd: (sd, sd), n, change };
                    counted("power-in-suites", given, SUITE, SLOWER, repetitions);
                }
            }
        }
    }
}

/// Five of fifty slower by 5 %, each benchmark with its own spread from 1 % to 5 %: what the corrections make of it.
pub fn corrections(repetitions: u64) {
    let ways = [
        ("default", Correction::Auto),
        ("rank tests, Benjamini-Hochberg", Correction::Flat(Flat::BenjaminiHochberg)),
        ("Westfall-Young", Correction::WestfallYoung),
        ("rank tests, uncorrected", Correction::Flat(Flat::None)),
    ];
    for n in [5, 6, 8, 10, 20] {
        let given = Given { noise: Noise::Normal, sd: (0.01, 0.05), n, change: 0.05 };
        let one = |numbers: &mut Numbers| {
            let values = given.draw(numbers, SUITE, SLOWER);
            let all = ways.map(|(_, correction)| Given::weighed(&values, correction, SLOWER));
            std::array::from_fn::<u64, 12, _>(|k| {
                let [found, alarms] = all[k / 3];
                [found, alarms, u64::from(alarms > 0)][k % 3]
            })
        };
        let counts = repeated(repetitions, &format!("corrections {n}"), one);
        for ((name, _), count) in ways.iter().zip(counts.chunks(3)) {
            print("corrections", name, n, "found", count[0], repetitions * SLOWER as u64);
            print("corrections", name, n, "alarms", count[1], repetitions);
            print("corrections", name, n, "any", count[2], repetitions);
        }
    }
}
