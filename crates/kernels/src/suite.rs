//! How much the mean change of a suite of benchmarks varies from run to run.

use crate::one_sample::one_sample;
use crate::shift::Shift;
use crate::two_sample::two_sample;

/// One row (benchmark) of a suite, its runs in the order of measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowSample<'a> {
    /// Independent runs of both variants: natural logarithms of the values.
    Independent {
        /// Logs of the baseline's values.
        baseline: &'a [f64],
        /// Logs of the contender's values.
        contender: &'a [f64],
    },
    /// Logs of the ratios contender / baseline, one per pair.
    Paired {
        /// Logs of the ratios.
        log_ratios: &'a [f64],
    },
}

/// The typical change of a suite of benchmarks as a whole, run by run, in logarithms.
///
/// Each run yields one value, the mean over rows of its logs, and these values are compared like those of a
/// single row: by [`two_sample`], or by [`one_sample`] if every row is paired. So an influence shared by all
/// rows of a run, such as a slow machine, counts as variation between runs. If rows differ in their numbers of
/// runs, the smallest number decides, and the runs of a row with more are distributed over it. Rows without
/// values on a side are left out. `None` if the interval cannot attain `confidence`: for 95 %, with fewer than
/// 4 runs per side or 6 pairs.
#[must_use]
pub fn run_by_run(rows: &[RowSample<'_>], confidence: f64) -> Option<Shift> {
    let (mut old, mut new): (Vec<&[f64]>, Vec<&[f64]>) = (Vec::new(), Vec::new());
    for row in rows {
        match *row {
            RowSample::Independent { baseline, contender }
                if !baseline.is_empty() && !contender.is_empty() =>
            {
                old.push(baseline);
                new.push(contender);
            }
            RowSample::Paired { log_ratios } if !log_ratios.is_empty() => new.push(log_ratios),
            _ => {}
        }
    }
    let count = new.len();
    let ascending = |sides: &[&[f64]]| {
        let mut means = means_by_run(sides, count);
        means.sort_unstable_by(f64::total_cmp);
        means
    };
    let contender = ascending(&new);
    let shift = if old.is_empty() {
        one_sample(&contender, confidence)
    } else {
        two_sample(&ascending(&old), &contender, confidence)
    }?
    .shift;
    (shift.interval.level >= confidence - 1e-9).then_some(shift)
}

/// The mean over rows of each run, in the order of measurement: sums over the present sides, divided by the number of all
/// rows. If sides differ in their numbers of runs, the smallest decides, and the runs of a side with more are distributed
/// over it.
#[must_use]
pub fn means_by_run(sides: &[&[f64]], rows: usize) -> Vec<f64> {
    let runs = sides.iter().map(|side| side.len()).min().unwrap_or(0);
    let mut sums = vec![0.0; runs];
    for side in sides {
        for (run, sum) in sums.iter_mut().enumerate() {
            let dealt = side[run..].iter().step_by(runs);
            let count = dealt.len() as f64;
            *sum += dealt.sum::<f64>() / count;
        }
    }
    for sum in &mut sums {
        *sum /= rows as f64;
    }
    sums
}
