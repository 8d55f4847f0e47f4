//! Series of one run with and without a warm-up, labelled as two experts would: how often is a warm-up reported?

use statera_weighing::inspection::Defect;

use crate::comparison::inspected;
use crate::labelled::{experts, series};
use crate::noise::Numbers;
use crate::tally::{print, repeated};

/// Values of a series.
const LENGTHS: [usize; 3] = [500, 1000, 3000];
/// How often is a warm-up reported where no expert, one or both see one?
pub fn reported(repetitions: u64) {
    for n in LENGTHS {
        let one = |numbers: &mut Numbers| {
            let (values, end) = series(numbers, n);
            let seen = experts(&values, end);
            let found = inspected(&values).has(Defect::WarmUp);
            let count = |k: usize| [u64::from(seen == k), u64::from(seen == k && found)];
            let [none, one, both] = [count(0), count(1), count(2)];
            [none[0], none[1], one[0], one[1], both[0], both[1]]
        };
        let counts = repeated(repetitions, &format!("warm-up {n}"), one);
        for (row, pair) in ["steady to both", "disputed", "warm-up to both"].iter().zip(counts.chunks(2)) {
            print("warm-up", row, n, "reported", pair[1], pair[0]);
        }
    }
}
