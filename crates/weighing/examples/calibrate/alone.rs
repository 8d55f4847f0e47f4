//! One benchmark by itself: false alarms, warnings of dependence, coverage of intervals.

use statera_weighing::{Row, Warning};

use crate::comparison::{called, compared};
use crate::noise::{Noise, Numbers};
use crate::settings::{CENTRE, SD, SIZES, Setting};
use crate::tally::{print, repeated};

/// The change whose interval is looked at.
const CHANGE: f64 = 0.05;
/// Levels are added up as whole numbers, in millionths.
const MILLIONTHS: f64 = 1e6;

/// Weighs two variants, the second slower by `change`.
fn weighed(setting: Setting, numbers: &mut Numbers, n: usize, change: f64) -> Row {
    let mut drawn = setting.noise.draw(numbers, 2, 1, n);
    for (variant, centre) in [(0, CENTRE), (1, CENTRE * (1.0 + change))] {
        drawn[variant][0] = setting.noise.times(&drawn[variant][0], centre, SD);
    }
    compared(&drawn, setting.asked()).rows[0]
}

/// No difference: how often is one called, and how often does a warning of dependence ride on the row?
pub fn false_alarms(repetitions: u64) {
    for setting in Setting::ALL.into_iter().filter(|setting| setting.noise != Noise::Runs) {
        for n in SIZES {
            let name = setting.name();
            let one = |numbers: &mut Numbers| {
                let row = weighed(setting, numbers, n, 0.0);
                let warned = row.warns(Warning::Autocorrelation) || row.warns(Warning::Drift);
                [called(&row), warned, called(&row) && !warned, row.warns(Warning::FewDistinct)]
                    .map(u64::from)
            };
            let counts = repeated(repetitions, &format!("alone {name} {n}"), one);
            for (counted, count) in ["alarms", "warned", "unwarned", "few-distinct"].iter().zip(counts) {
                print("alone", &name, n, counted, count, repetitions);
            }
        }
    }
}

/// A change of 5 %: how often do its interval and the interval of the baseline's median hold the truth?
pub fn coverage(repetitions: u64) {
    for setting in Setting::ALL.into_iter().filter(|s| s.is_continuous() && s.noise != Noise::Runs) {
        let median = CENTRE * (SD * setting.noise.median()).exp();
        for n in SIZES {
            let name = setting.name();
            let one = |numbers: &mut Numbers| {
                let row = weighed(setting, numbers, n, CHANGE);
                let centre = row.baseline.centre;
                let level = if centre.level.is_nan() { 0.0 } else { centre.level };
                [
                    u64::from(row.change_low <= CHANGE && CHANGE <= row.change_high),
                    (row.change_level * MILLIONTHS).round() as u64,
                    u64::from(centre.low <= median && median <= centre.high),
                    (level * MILLIONTHS).round() as u64,
                ]
            };
            let counts = repeated(repetitions, &format!("coverage {name} {n}"), one);
            let [change, level, centre, centre_level] = counts;
            print("coverage", &name, n, "change", change, repetitions);
            print("coverage", &name, n, "median", centre, repetitions);
            let whole = repetitions * MILLIONTHS as u64;
            print("coverage", &name, n, "level", level, whole);
            print("coverage", &name, n, "median level", centre_level, whole);
        }
    }
}
