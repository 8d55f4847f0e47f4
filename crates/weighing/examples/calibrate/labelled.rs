//! Series of one run, with and without a warm-up, as two experts would label them.

use statera_kernels as kernels;

use super::noise::Numbers;

/// The steady level, in seconds.
const CENTRE: f64 = 1e-3;
/// The first expert looks for a level that is higher by this share.
const HIGHER: f64 = 0.05;
/// The second one looks for an effect of this size, Cliff's delta (Romano et al. 2006: large).
const LARGE: f64 = 0.474;

/// A series, with the number of values that the warm-up takes if it has one.
pub fn series(numbers: &mut Numbers, n: usize) -> (Vec<f64>, usize) {
    let between = |numbers: &mut Numbers, low: f64, high: f64| low * (high / low).powf(numbers.uniform());
    let sd = between(numbers, 0.002, 0.05);
    let correlation = [0.0, 0.3, 0.5, 0.7][(4.0 * numbers.uniform()) as usize];
    let mut values = autocorrelated(numbers, n, correlation);
    if numbers.uniform() < 0.3 {
        let (size, slow) = (0.3 + 1.2 * numbers.uniform(), autocorrelated(numbers, n, 0.99));
        values.iter_mut().zip(slow).for_each(|(value, slow)| *value += size * slow);
    }
    if numbers.uniform() < 0.3 {
        let size = 6.0 * (numbers.uniform() - 0.5);
        let at = n / 3 + (numbers.uniform() * n as f64 * 2.0 / 3.0) as usize;
        values[at..].iter_mut().for_each(|value| *value += size);
    }
    if numbers.uniform() < 0.2 {
        let size = 3.0 * (numbers.uniform() - 0.5);
        values.iter_mut().enumerate().for_each(|(i, value)| *value += size * i as f64 / n as f64);
    }
    let end = ((n as f64 * between(numbers, 0.003, 0.3)) as usize).max(2);
    let size = if numbers.uniform() < 0.1 { 0.0 } else { between(numbers, 0.001, 3.0) };
    let shape = (3.0 * numbers.uniform()) as usize;
    let first = |i: usize| match shape {
        0 => {
            if i < end {
                size
            } else {
                0.0
            }
        }
        1 => size * (-2.0 * i as f64 / end as f64).exp(),
        _ => {
            if 2 * i < end {
                size
            } else if i < end {
                size / 3.0
            } else {
                0.0
            }
        }
    };
    let spikes = if numbers.uniform() < 0.5 { 0.01 } else { 0.0 };
    let mut spike = || if numbers.uniform() < spikes { 1.0 - 0.5 * numbers.uniform().ln() } else { 1.0 };
    let times = values.iter().enumerate().map(|(i, e)| CENTRE * (1.0 + sd * e) * (1.0 + first(i)) * spike());
    (times.collect(), end)
}

fn autocorrelated(numbers: &mut Numbers, n: usize, correlation: f64) -> Vec<f64> {
    let mut before = numbers.normal();
    let new = (1.0 - correlation * correlation).sqrt();
    let mut next = || {
        before = correlation * before + new * numbers.normal();
        before
    };
    (0..n).map(|_| next()).collect()
}

/// How many experts see a warm-up in the first values.
pub fn experts(series: &[f64], end: usize) -> usize {
    let (first, rest) = series.split_at(end);
    let higher = kernels::median(first) >= (1.0 + HIGHER) * kernels::median(rest);
    let mut sorted = rest.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let below = |value: &f64| sorted.partition_point(|other| other < value) as f64 / sorted.len() as f64;
    let superiority = first.iter().map(below).sum::<f64>() / first.len() as f64;
    usize::from(higher) + usize::from(2.0 * superiority - 1.0 >= LARGE)
}
