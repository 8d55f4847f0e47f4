//! Few changed benchmarks among many: what the corrections find at every number of runs, and whether a run, a row or a
//! variant more changes the verdict of another row.

use statera_kernels::Correction as Flat;
use statera_weighing::{Correction, Row, Verdict, Weighing};

use crate::comparison::{Asked, DEFAULT, called, compared};
use crate::noise::{Noise, Numbers};
use crate::settings::CENTRE;
use crate::tally::{print, repeated};

/// How many benchmarks, how many of them slower, by how much, and the standard deviation.
#[derive(Debug, Clone, Copy)]
struct Suite {
    benchmarks: usize,
    slower: usize,
    change: f64,
    sd: f64,
}

const SUITES: [Suite; 3] = [
    Suite { benchmarks: 100, slower: 1, change: 0.10, sd: 0.05 },
    Suite { benchmarks: 50, slower: 5, change: 0.05, sd: 0.03 },
    Suite { benchmarks: 100, slower: 30, change: 0.05, sd: 0.03 },
];

const RUNS: [usize; 10] = [4, 5, 6, 7, 8, 10, 14, 20, 30, 50];

const WAYS: [(&str, Correction); 3] = [
    ("default", Correction::Auto),
    ("Westfall-Young", Correction::WestfallYoung),
    ("rank tests, Benjamini-Hochberg", Correction::Flat(Flat::BenjaminiHochberg)),
];

impl Suite {
    /// Times of all variants, of which the second is slower in the first benchmarks; spreads are equal, or differ from a
    /// third to three times as much.
    fn draw(
        self,
        noise: Noise,
        equal: bool,
        variants: usize,
        n: usize,
        numbers: &mut Numbers,
    ) -> Vec<Vec<Vec<f64>>> {
        let mut drawn = noise.draw(numbers, variants, self.benchmarks, n);
        let sds: Vec<f64> = (0..self.benchmarks)
            .map(|_| if equal { self.sd } else { self.sd * 9_f64.powf(numbers.uniform() - 0.5) })
            .collect();
        for (variant, side) in drawn.iter_mut().enumerate() {
            for (at, (values, sd)) in side.iter_mut().zip(&sds).enumerate() {
                let change = if variant == 1 && at < self.slower { self.change } else { 0.0 };
                *values = noise.times(values, CENTRE * (1.0 + change), *sd);
            }
        }
        drawn
    }

    fn name(self) -> String {
        format!(
            "{} of {} by {} %, sd {} %",
            self.slower,
            self.benchmarks,
            100.0 * self.change,
            100.0 * self.sd
        )
    }
}

/// Found among the slower; called among the others.
fn counts(weighing: &Weighing, slower: usize) -> [u64; 2] {
    let is_slower = |row: &&Row| (row.benchmark as usize) < slower;
    let found = weighing.rows.iter().filter(is_slower).filter(|row| row.verdict == Verdict::Worse);
    let alarms = weighing.rows.iter().filter(|row| !is_slower(row)).filter(|row| called(row));
    [found.count() as u64, alarms.count() as u64]
}

/// The power of the corrections at every number of runs.
pub fn power(repetitions: u64) {
    for suite in SUITES {
        for (noise, equal) in [
            (Noise::Normal, true),
            (Noise::Normal, false),
            (Noise::HeavyTailed, true),
            (Noise::Bimodal, true),
            (Noise::Spiky, true),
        ] {
            let spread = if equal { "" } else { ", unequal spreads" };
            let row = format!("{}, {}{spread}", suite.name(), noise.name());
            for n in RUNS {
                let one = |numbers: &mut Numbers| {
                    let values = suite.draw(noise, equal, 2, n, numbers);
                    let all = WAYS.map(|(_, correction)| {
                        counts(&compared(&values, Asked { correction, ..DEFAULT }), suite.slower)
                    });
                    std::array::from_fn::<u64, 6, _>(|k| all[k / 2][k % 2])
                };
                let found = repeated(repetitions, &format!("among many {row} {n}"), one);
                for ((name, _), both) in WAYS.iter().zip(found.chunks(2)) {
                    let label = format!("{row} | {name}");
                    print("among-many", &label, n, "found", both[0], repetitions * suite.slower as u64);
                    print("among-many", &label, n, "false", both[1], (both[0] + both[1]).max(1));
                }
            }
        }
    }
}

/// The benchmarks of the first pair of variants that are called worse.
fn worse(values: &[Vec<Vec<f64>>]) -> Vec<u32> {
    let rows = compared(values, DEFAULT).rows.into_iter();
    let first = rows.filter(|row| row.baseline.variant == 0 && row.contender.variant == 1);
    first.filter(|row| row.verdict == Verdict::Worse).map(|row| row.benchmark).collect()
}

/// How often another row's verdict changes if a run of the last benchmark is missing, if the last benchmark is missing,
/// and if a third, unchanged variant is added.
pub fn neighbours(repetitions: u64) {
    for suite in SUITES {
        for n in [5, 8, 10, 20] {
            let name = suite.name();
            let one = |numbers: &mut Numbers| {
                let three = suite.draw(Noise::Normal, true, 3, n, numbers);
                let all = worse(&three[..2]);
                let last = suite.benchmarks - 1;
                let others = |list: &[u32]| -> Vec<u32> {
                    list.iter().copied().filter(|&b| b != last as u32).collect()
                };
                let mut ragged = three[..2].to_vec();
                ragged[1][last].pop();
                let mut fewer = three[..2].to_vec();
                for side in &mut fewer {
                    side.truncate(last);
                }
                let kept: Vec<u32> = all.iter().copied().filter(|&b| (b as usize) < suite.slower).collect();
                let with_third: Vec<u32> =
                    worse(&three).into_iter().filter(|&b| (b as usize) < suite.slower).collect();
                [
                    u64::from(others(&worse(&ragged)) != others(&all)),
                    u64::from(others(&worse(&fewer)) != others(&all)),
                    (kept.len() as u64).saturating_sub(with_third.len() as u64),
                    kept.len() as u64,
                ]
            };
            let [run, row, lost, found] = repeated(repetitions, &format!("neighbours {name} {n}"), one);
            print("neighbours", &name, n, "run", run, repetitions);
            print("neighbours", &name, n, "row", row, repetitions);
            print("neighbours", &name, n, "variant", lost, found.max(1));
        }
    }
}
