//! Suites of fifty, and three variants at once, nothing changed: any false alarm, warnings, the interval of the mean.

use statera_weighing::{Warning, Weighing};

use crate::comparison::{Asked, called, compared};
use crate::noise::{Noise, Numbers};
use crate::settings::{CENTRE, SD, SIZES, SUITE, Setting};
use crate::tally::{print, repeated};

/// How large a comparison is.
#[derive(Debug, Clone, Copy)]
struct Size {
    variants: usize,
    benchmarks: usize,
    runs: usize,
}

/// Weighs variants of which none changed. Each benchmark has its own size and its own spread, from half of [`SD`] to
/// twice as much.
fn weighed(noise: Noise, asked: Asked, numbers: &mut Numbers, size: Size) -> Weighing {
    let mut drawn = noise.draw(numbers, size.variants, size.benchmarks, size.runs);
    let kinds: Vec<(f64, f64)> = (0..size.benchmarks)
        .map(|_| (CENTRE * numbers.normal().exp(), SD * 4_f64.powf(numbers.uniform() - 0.5)))
        .collect();
    for side in &mut drawn {
        for (values, (centre, sd)) in side.iter_mut().zip(&kinds) {
            *values = noise.times(values, *centre, *sd);
        }
    }
    compared(&drawn, asked)
}

fn count_alarms(table: &str, setting: Setting, size: Size, repetitions: u64) {
    let name = setting.name();
    let one = |numbers: &mut Numbers| {
        let rows = weighed(setting.noise, setting.asked(), numbers, size).rows;
        let alarms = rows.iter().filter(|row| called(row)).count();
        let warned = rows.iter().any(|row| row.warns(Warning::Autocorrelation) || row.warns(Warning::Drift));
        [u64::from(alarms > 0), alarms as u64, u64::from(warned)]
    };
    let counts = repeated(repetitions, &format!("{table} {name} {}", size.runs), one);
    for (counted, count) in ["any", "all", "warned"].iter().zip(counts) {
        print(table, &name, size.runs, counted, count, repetitions);
    }
}

/// Two variants of fifty benchmarks, nothing changed: how often is any called?
pub fn false_alarms(repetitions: u64) {
    for setting in Setting::ALL {
        for n in SIZES {
            count_alarms("suite", setting, Size { variants: 2, benchmarks: SUITE, runs: n }, repetitions);
        }
    }
}

/// Three variants, nothing changed: how often is any pair called?
pub fn three_variants(repetitions: u64) {
    let settings = [
        Setting::unpaired(Noise::Normal),
        Setting::unpaired(Noise::HeavyTailed),
        Setting::paired(Noise::Rounds),
        Setting::unpaired(Noise::Runs),
    ];
    for setting in settings {
        for n in SIZES {
            let alone = Size { variants: 3, benchmarks: 1, runs: n };
            count_alarms("three", setting, alone, 8 * repetitions);
            count_alarms("three-of-fifty", setting, Size { benchmarks: SUITE, ..alone }, repetitions);
        }
    }
}

/// The interval of the suite's mean change, nothing changed: how often does it hold 1?
pub fn means(repetitions: u64) {
    for setting in Setting::ALL.into_iter().filter(|setting| setting.is_continuous()) {
        for n in [3, 4, 5, 6, 10, 20] {
            let name = setting.name();
            let one = |numbers: &mut Numbers| {
                let size = Size { variants: 2, benchmarks: SUITE, runs: n };
                let mean = weighed(setting.noise, setting.asked(), numbers, size).summaries[0].mean;
                let found = mean.filter(|mean| !mean.low.is_nan());
                [
                    u64::from(found.is_some_and(|mean| mean.low <= 1.0 && 1.0 <= mean.high)),
                    u64::from(found.is_some()),
                ]
            };
            let [held, found] = repeated(repetitions, &format!("mean {name} {n}"), one);
            print("mean", &name, n, "held", held, found);
        }
    }
}
