//! Bootstrap intervals and the bands of the shift function: how often they hold the truth.

use statera_kernels::{
    BootMethod, BootStatistic, Bootstrap, block_bootstrap, bootstrap, bootstrap_difference, shift_function,
    trimmed_mean,
};

use crate::noise::{Noise, Numbers};
use crate::tally::{print, repeated};

/// Values a sample.
const SIZES: [usize; 9] = [5, 8, 10, 15, 20, 30, 50, 100, 200];
/// Values a series.
const LENGTHS: [usize; 6] = [20, 50, 100, 200, 500, 1000];
/// Cut off at each end by a trimmed mean.
const TRIMMED: f64 = 0.2;
const NOISES: [Noise; 4] = [Noise::Normal, Noise::Lognormal, Noise::Bimodal, Noise::HeavyTailed];
/// Those drawn for a mean; medians need none.
const RESAMPLES: usize = 999;
const LEVELS: [f64; 11] = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

fn sample(noise: Noise, numbers: &mut Numbers, n: usize) -> Vec<f64> {
    (0..n).map(|_| noise.value(numbers)).collect()
}

/// Whether an interval is there and holds the truth.
fn holds(found: Option<Bootstrap>, truth: f64) -> u64 {
    u64::from(found.is_some_and(|found| found.low <= truth && truth <= found.high))
}

/// The mean of the middle 60 % of so many values that its error is no part of what is counted.
fn trimmed_mean_of(noise: Noise) -> f64 {
    trimmed_mean(&sample(noise, &mut Numbers::new(1, 0), 4_000_000), TRIMMED)
}

/// Intervals of means and the median of a sample, and of the difference between two.
pub fn intervals(repetitions: u64) {
    for noise in NOISES {
        let statistics = [
            ("mean", BootStatistic::Mean, 0.0),
            ("trimmed mean", BootStatistic::TrimmedMean(TRIMMED), trimmed_mean_of(noise)),
            ("median", BootStatistic::Median, noise.median()),
        ];
        for n in SIZES {
            for (word, statistic, truth) in statistics {
                let one = |numbers: &mut Numbers| {
                    let (x, y) = (sample(noise, numbers, n), sample(noise, numbers, n));
                    let seed = numbers.bits();
                    let both = |method| {
                        let alone = bootstrap(&x, statistic, method, 0.95, RESAMPLES, seed);
                        let pair = bootstrap_difference(&x, &y, statistic, method, 0.95, RESAMPLES, seed);
                        [holds(alone, truth), holds(pair, 0.0)]
                    };
                    let ([a, b], [c, d]) = (both(BootMethod::Percentile), both(BootMethod::Bca));
                    [a, b, c, d]
                };
                let counts = repeated(repetitions, &format!("bootstrap {noise:?} {word} {n}"), one);
                let difference = format!("difference of {word}s");
                let words =
                    [word, &difference].map(|word| ["percentile", "BCa"].map(|way| format!("{word}, {way}")));
                for (counted, count) in
                    words.iter().flatten().zip([counts[0], counts[2], counts[1], counts[3]])
                {
                    print("bootstrap", &noise.name(), n, counted, count, repetitions);
                }
            }
        }
    }
}

/// Intervals by blocks of the mean and the median of a series whose values depend on those before them.
pub fn series(repetitions: u64) {
    let noise = Noise::Autocorrelated(5);
    for n in LENGTHS {
        for (word, statistic) in [("mean", BootStatistic::Mean), ("median", BootStatistic::Median)] {
            let one = |numbers: &mut Numbers| {
                let values = noise.draw(numbers, 1, 1, n).remove(0).remove(0);
                let found = block_bootstrap(&values, statistic, None, 0.95, RESAMPLES, numbers.bits());
                [u64::from(found.is_some_and(|found| found.low <= 0.0 && 0.0 <= found.high))]
            };
            let [held] = repeated(repetitions, &format!("series {word} {n}"), one);
            print("series", &noise.name(), n, word, held, repetitions);
        }
    }
}

/// Deciles, 5 % and 95 %: how often does the whole band, where the sizes support it, hold the truth?
pub fn bands(repetitions: u64) {
    for noise in NOISES {
        for n in SIZES.into_iter().filter(|n| (15..=100).contains(n)) {
            let one = |numbers: &mut Numbers| {
                let (x, y) = (sample(noise, numbers, n), sample(noise, numbers, n));
                let common = sample(noise, numbers, n);
                let with =
                    |own: &[f64]| -> Vec<f64> { own.iter().zip(&common).map(|(a, b)| a + b).collect() };
                let seed = numbers.bits();
                let held = |x: &[f64], y: &[f64], paired: bool| {
                    let points = shift_function(x, y, paired, false, &LEVELS, 0.95, RESAMPLES, seed);
                    let points = points.expect("samples of one size");
                    let mut bands = points.iter().filter(|point| point.supported);
                    u64::from(bands.all(|point| point.low <= 0.0 && 0.0 <= point.high))
                };
                [held(&x, &y, false), held(&with(&x), &with(&y), true)]
            };
            let [independent, paired] = repeated(repetitions, &format!("bands {noise:?} {n}"), one);
            print("bands", &noise.name(), n, "independent", independent, repetitions);
            print("bands", &noise.name(), n, "paired", paired, repetitions);
        }
    }
}
