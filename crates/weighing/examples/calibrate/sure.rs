//! What a sure answer needs: suites of fifty where nothing changed under every noise that once raised alarms, and changes
//! that one slow run, or slow runs of the whole suite, must not hide. Beside what is found stands what a rule finds that
//! knows the noise.

use statera_kernels::special::norm_sf;
use statera_kernels::{Correction as Flat, adjust};
use statera_weighing::{Row, Verdict};

use crate::comparison::{DEFAULT, compared};
use crate::noise::{Noise, Numbers};
use crate::settings::{CENTRE, SUITE};
use crate::tally::{print, repeated};

/// Spreads of the benchmarks where nothing changed, evenly distributed by their logarithms.
const SPREADS: (f64, f64) = (0.05, 0.2);
const ALPHA: f64 = 0.05;

/// What disturbs a suite.
#[derive(Debug, Clone, Copy)]
enum Disturbed {
    /// The values of every benchmark by themselves.
    By(Noise),
    /// Gamma-distributed times: skewed the more, the wider.
    Gamma,
    /// Three values of a hundred take 1.5 to 10 times as long.
    Spikes,
    /// The new build is so many times as noisy.
    Noisier(u8),
    /// Half of the variance is a state of the machine that all benchmarks share, AR(1) with 0.8 from run to run.
    State,
}

const NOISES: [(Disturbed, &[usize]); 18] = {
    const ALL: &[usize] = &[3, 5, 8, 10, 20, 50];
    const SOME: &[usize] = &[5, 8, 10, 20];
    use Disturbed::{By, Gamma, Noisier, Spikes, State};
    [
        (By(Noise::Normal), ALL),
        (By(Noise::HeavyTailed), ALL),
        (By(Noise::Lognormal), ALL),
        (By(Noise::Bimodal), ALL),
        (Spikes, ALL),
        (Gamma, ALL),
        (By(Noise::Quantised), ALL),
        (By(Noise::Runs), ALL),
        (Noisier(2), SOME),
        (Noisier(3), SOME),
        (By(Noise::Autocorrelated(3)), SOME),
        (By(Noise::Autocorrelated(5)), SOME),
        (By(Noise::Autocorrelated(7)), SOME),
        (By(Noise::HalfAutocorrelated(3)), SOME),
        (By(Noise::HalfAutocorrelated(5)), SOME),
        (By(Noise::HalfAutocorrelated(7)), SOME),
        (State, SOME),
        (By(Noise::Rounds), SOME),
    ]
};

impl Disturbed {
    fn name(self) -> String {
        match self {
            Self::By(noise) => noise.name(),
            Self::Gamma => "gamma".to_owned(),
            Self::Spikes => "spikes in 3 %".to_owned(),
            Self::Noisier(times) => format!("new build {times} times as noisy"),
            Self::State => "state of the machine in common, AR(1) 0.8".to_owned(),
        }
    }

    /// Times of both builds, of which none changed.
    fn draw(self, numbers: &mut Numbers, [old, new]: [usize; 2]) -> Vec<Vec<Vec<f64>>> {
        let runs = old.max(new);
        let noise = match self {
            Self::By(noise) => noise,
            _ => Noise::Normal,
        };
        let mut drawn = noise.draw(numbers, 2, SUITE, runs);
        let states: Vec<Vec<f64>> = (0..2).map(|_| state(numbers, runs)).collect();
        let spreads: Vec<f64> = (0..SUITE).map(|_| spread(SPREADS, numbers)).collect();
        for (build, side) in drawn.iter_mut().enumerate() {
            for (values, &sd) in side.iter_mut().zip(&spreads) {
                let half = 0.5_f64.sqrt();
                match self {
                    Self::State => {
                        values.iter_mut().zip(&states[build]).for_each(|(e, s)| *e = half * (*e + s));
                    }
                    Self::Noisier(times) if build == 1 => {
                        for e in values.iter_mut() {
                            *e *= f64::from(times);
                        }
                    }
                    Self::Spikes => values.iter_mut().for_each(|e| {
                        let spike =
                            if numbers.uniform() < 0.03 { 1.5 + 8.5 * numbers.uniform() } else { 1.0 };
                        *e = 0.3 * *e + spike.ln() / sd;
                    }),
                    Self::Gamma => {
                        for e in values.iter_mut() {
                            *e = gamma(1.0 / (sd * sd), numbers).ln() / sd;
                        }
                    }
                    _ => {}
                }
                *values = noise.times(values, CENTRE, sd);
                values.truncate([old, new][build]);
            }
        }
        drawn
    }
}

/// A spread between two, evenly distributed by its logarithm.
fn spread((least, most): (f64, f64), numbers: &mut Numbers) -> f64 {
    least * (most / least).powf(numbers.uniform())
}

fn state(numbers: &mut Numbers, runs: usize) -> Vec<f64> {
    let mut state = numbers.normal();
    let next = |_| {
        state = 0.8 * state + 0.6 * numbers.normal();
        state
    };
    (0..runs).map(next).collect()
}

/// A gamma-distributed number with mean 1 (Marsaglia & Tsang 2000).
fn gamma(shape: f64, numbers: &mut Numbers) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let z = numbers.normal();
        let v = (1.0 + c * z).powi(3);
        if v > 0.0 && numbers.uniform().ln() < 0.5 * z * z + d - d * v + d * v.ln() {
            return d * v / shape;
        }
    }
}

/// Any verdict of a change in a suite of fifty where nothing changed.
pub fn false_alarms(repetitions: u64) {
    for (noise, sizes) in NOISES {
        for &n in sizes {
            count("sure", noise, [n, n], n.to_string(), repetitions);
        }
    }
    for times in [1, 2, 3] {
        for [old, new] in [[20, 5], [10, 5], [5, 20]] {
            let noise = Disturbed::Noisier(times);
            count("sure-unequal", noise, [old, new], format!("{old} + {new}"), repetitions);
        }
    }
}

fn count(table: &str, noise: Disturbed, sizes: [usize; 2], column: String, repetitions: u64) {
    let name = noise.name();
    let one = |numbers: &mut Numbers| {
        let rows = compared(&noise.draw(numbers, sizes), DEFAULT).rows;
        // Where a build is noisier, its spread did change.
        let right =
            |row: &Row| matches!(noise, Disturbed::Noisier(2..)) && row.verdict == Verdict::ShapeChanged;
        [u64::from(rows.iter().any(|row| row.verdict.is_change() && !right(row)))]
    };
    let [any] = repeated(repetitions, &format!("{table} {name} {column}"), one);
    print(table, &name, column, "any", any, repetitions);
}

/// Changes that must be found.
#[derive(Debug, Clone, Copy)]
struct Hidden {
    name: &'static str,
    benchmarks: usize,
    changed: usize,
    change: f64,
    spreads: (f64, f64),
    /// One old run of the first benchmark takes 1.5 times as long.
    one_slow: bool,
    /// The share of the runs in which all benchmarks take 1.5 times as long.
    slow: f64,
}

const HIDDEN: [Hidden; 3] = [
    Hidden {
        name: "1 of 100 by 10 %, sd 5 %",
        benchmarks: 100,
        changed: 1,
        change: 0.10,
        spreads: (0.05, 0.05),
        one_slow: false,
        slow: 0.0,
    },
    Hidden {
        name: "1 of 50 by 15 %, sd 1 %, one old run ×1.5",
        benchmarks: 50,
        changed: 1,
        change: 0.15,
        spreads: (0.01, 0.01),
        one_slow: true,
        slow: 0.0,
    },
    Hidden {
        name: "3 of 50 by 15 %, sd 0.9 to 3 %, one run in ten ×1.5 for all",
        benchmarks: 50,
        changed: 3,
        change: 0.15,
        spreads: (0.009, 0.03),
        one_slow: false,
        slow: 0.1,
    },
];

/// What is found of changes among slow runs, and what a rule finds that knows the slow runs and the spreads.
pub fn found(repetitions: u64) {
    for hidden in HIDDEN {
        for n in [5, 8, 10, 14, 20] {
            let one = |numbers: &mut Numbers| hidden.once(n, numbers);
            let counts = repeated(repetitions, &format!("hidden {} {n}", hidden.name), one);
            let all = repetitions * hidden.changed as u64;
            print("sure-found", hidden.name, n, "found", counts[0], all);
            print("sure-found", hidden.name, n, "perfect", counts[1], all);
        }
    }
}

impl Hidden {
    /// How many of the changed are found, and how many by the perfect rule.
    fn once(self, n: usize, numbers: &mut Numbers) -> [u64; 2] {
        let slow: Vec<Vec<bool>> =
            (0..2).map(|_| (0..n).map(|_| numbers.uniform() < self.slow).collect()).collect();
        let spreads: Vec<f64> = (0..self.benchmarks).map(|_| spread(self.spreads, numbers)).collect();
        let drawn = Noise::Normal.draw(numbers, 2, self.benchmarks, n);
        let change = |at: usize| match at {
            _ if at >= self.changed => 0.0,
            // Every second one is faster.
            _ if at % 2 == 1 => -self.change.ln_1p(),
            _ => self.change.ln_1p(),
        };
        let is_slow = |build: usize, at: usize, run: usize| {
            slow[build][run] || self.one_slow && (build, at, run) == (0, 0, 0)
        };
        let times = |build: usize, at: usize, run: usize| {
            let late = if is_slow(build, at, run) { 1.5 } else { 1.0 };
            let own = if build == 1 { change(at) } else { 0.0 };
            CENTRE * late * (own + spreads[at] * drawn[build][at][run]).exp()
        };
        let values: Vec<Vec<Vec<f64>>> = (0..2)
            .map(|build| {
                (0..self.benchmarks).map(|at| (0..n).map(|run| times(build, at, run)).collect()).collect()
            })
            .collect();
        let perfect: Vec<f64> = (0..self.benchmarks)
            .map(|at| {
                let of = |build: usize| {
                    let kept = (0..n).filter(|&run| !is_slow(build, at, run));
                    let logs: Vec<f64> = kept.map(|run| values[build][at][run].ln()).collect();
                    (logs.iter().sum::<f64>() / logs.len() as f64, logs.len() as f64)
                };
                let ((old, m), (new, k)) = (of(0), of(1));
                let z = (new - old).abs() / (spreads[at] * (1.0 / m + 1.0 / k).sqrt());
                if z.is_nan() { 1.0 } else { 2.0 * norm_sf(z) }
            })
            .collect();
        let ideal = adjust(&perfect, Flat::BenjaminiHochberg);
        let rows = compared(&values, DEFAULT).rows;
        let right = |at: usize| {
            let wanted = if change(at) > 0.0 { Verdict::Worse } else { Verdict::Better };
            rows.iter().any(|row| row.benchmark as usize == at && row.verdict == wanted)
        };
        [
            (0..self.changed).filter(|&at| right(at)).count() as u64,
            ideal[..self.changed].iter().filter(|&&p| p <= ALPHA).count() as u64,
        ]
    }
}
