//! One process a side, or one new run against several, nothing changed.

use statera_weighing::Verdict;

use crate::comparison::{Asked, DEFAULT, called, compared};
use crate::noise::{Noise, Numbers};
use crate::settings::{CENTRE, SD, SUITE};
use crate::tally::{print, repeated};

/// How often does a row differ, and how often is it better or worse, whose processes spread by so many times the spread
/// within?
pub fn single(repetitions: u64) {
    for between in [0.0, 0.25, 1.0] {
        for iterations in [10, 100, 1000] {
            let side = |numbers: &mut Numbers| {
                let process = between * numbers.normal();
                let drawn: Vec<f64> = (0..iterations).map(|_| process + numbers.normal()).collect();
                vec![Noise::Normal.times(&drawn, CENTRE, SD)]
            };
            let one = |numbers: &mut Numbers| {
                let asked = Asked { iterations: Some(iterations), ..DEFAULT };
                let row = compared(&[side(numbers), side(numbers)], asked).rows[0];
                let differs = row.verdict == Verdict::Differs;
                [differs, called(&row) && !differs].map(u64::from)
            };
            let row = format!("{between}");
            let [differs, alarms] = repeated(repetitions, &format!("processes {row} {iterations}"), one);
            print("processes", &row, iterations, "differs", differs, repetitions);
            print("processes", &row, iterations, "called", alarms, repetitions);
        }
    }
}

/// How often is one new run called changed, by the spread between so many runs of the other side? By itself, and in any of
/// fifty metrics of a tenth as many comparisons.
pub fn predicted(repetitions: u64) {
    predictions("prediction", 1, repetitions);
    predictions("prediction-suite", SUITE, (repetitions / 10).max(1));
}

fn predictions(table: &str, metrics: usize, repetitions: u64) {
    for noise in [Noise::Normal, Noise::HeavyTailed, Noise::Lognormal, Noise::Bimodal] {
        for runs in [2, 3, 5, 10, 20] {
            let side = |numbers: &mut Numbers, runs: usize| {
                let mut metric = || {
                    let drawn: Vec<f64> = (0..runs).map(|_| noise.value(numbers)).collect();
                    noise.times(&drawn, CENTRE, SD)
                };
                (0..metrics).map(|_| metric()).collect::<Vec<_>>()
            };
            let one = |numbers: &mut Numbers| {
                let asked = Asked { iterations: Some(1), means: true, ..DEFAULT };
                let rows = compared(&[side(numbers, runs), side(numbers, 1)], asked).rows;
                [u64::from(rows.iter().any(called))]
            };
            let [alarms] = repeated(repetitions, &format!("{table} {} {runs}", noise.name()), one);
            print(table, &noise.name(), runs, "alarms", alarms, repetitions);
        }
    }
}
