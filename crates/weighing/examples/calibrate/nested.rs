//! Iterations inside processes, nothing changed: a test that knows the processes, and one that does not.

use crate::comparison::{Asked, DEFAULT, called, compared};
use crate::noise::{Noise, Numbers};
use crate::settings::{CENTRE, SD};
use crate::tally::{print, repeated};

/// Iterations of each process.
const ITERATIONS: usize = 10;

/// How often is one called whose processes spread by so many times the spread within?
pub fn false_alarms(repetitions: u64) {
    for between in [0.0, 0.25, 1.0] {
        for processes in [2, 3, 5, 10] {
            let side = |numbers: &mut Numbers| {
                let mut values = Vec::new();
                for _ in 0..processes {
                    let process = between * numbers.normal();
                    let drawn: Vec<f64> = (0..ITERATIONS).map(|_| process + numbers.normal()).collect();
                    values.extend(Noise::Normal.times(&drawn, CENTRE, SD));
                }
                vec![values]
            };
            let one = |numbers: &mut Numbers| {
                let values = [side(numbers), side(numbers)];
                let known = Asked { iterations: Some(ITERATIONS), ..DEFAULT };
                [known, DEFAULT].map(|asked| u64::from(called(&compared(&values, asked).rows[0])))
            };
            let row = format!("{between}");
            let [known, unknown] = repeated(repetitions, &format!("nested {row} {processes}"), one);
            print("nested", &row, processes, "known", known, repetitions);
            print("nested", &row, processes, "unknown", unknown, repetitions);
        }
    }
}
