//! The shape of one sample: every statistic against its definition, on all small inputs where possible.

use crate::common::shape::{mean, multisets, normal, rejected, samples, varies};
use crate::common::{Lcg, agree};
use statera_kernels::{
    HarrellDavisWeights, anderson_darling, bandwidth_sj, density, excess_kurtosis, iqr, median_interval,
    quantile_interval, sd, shapiro_wilk, skewness, special, trimmed_mean,
};

/// Median times of 31 runs of a benchmark, in seconds.
const MEDIANS: [f64; 31] = [
    0.105365, 0.104299, 0.104204, 0.105975, 0.104341, 0.104816, 0.105007, 0.103584, 0.105413, 0.104574,
    0.102562, 0.10503, 0.103509, 0.103931, 0.103208, 0.105849, 0.103483, 0.10428, 0.103518, 0.105337,
    0.104715, 0.104478, 0.104768, 0.104409, 0.104408, 0.103675, 0.103173, 0.10542, 0.104945, 0.104831,
    0.104183,
];
/// Average times of the same runs.
const AVERAGES: [f64; 31] = [
    0.105425, 0.104261, 0.104037, 0.105828, 0.105, 0.104818, 0.104783, 0.103715, 0.105536, 0.104669,
    0.102922, 0.104794, 0.103905, 0.103786, 0.103384, 0.10609, 0.103992, 0.103972, 0.103376, 0.105407,
    0.104759, 0.10439, 0.104793, 0.104618, 0.104424, 0.103737, 0.103227, 0.106144, 0.105001, 0.104828,
    0.104324,
];

#[test]
fn two_samples_of_31_benchmark_times() {
    // W and p as published for these samples.
    for (values, w, p) in [(MEDIANS, "0.9825", "0.878"), (AVERAGES, "0.97904", "0.7854")] {
        let test = shapiro_wilk(&values).expect("a test");
        let digits = |text: &str| text.len() - 2;
        assert_eq!(format!("{:.*}", digits(w), test.statistic), w);
        assert_eq!(format!("{:.*}", digits(p), test.p), p);
    }
}

/// Royston's scores of n values in ascending order, with squares that sum to 1.
fn royston(n: usize) -> Vec<f64> {
    if n == 3 {
        return vec![-(0.5_f64.sqrt()), 0.0, 0.5_f64.sqrt()];
    }
    let m: Vec<f64> =
        (0..n).map(|i| special::norm_quantile((i as f64 + 0.625) / (n as f64 + 0.25))).collect();
    let (norm, u) = (m.iter().map(|v| v * v).sum::<f64>(), (n as f64).powf(-0.5));
    let polynomial = |c: [f64; 5]| (1..).zip(c).map(|(power, c)| c * u.powi(power)).sum::<f64>();
    let last = m[n - 1] / norm.sqrt() + polynomial([0.221157, -0.147981, -2.07119, 4.434685, -2.706056]);
    let next = m[n - 2] / norm.sqrt() + polynomial([0.042981, -0.293762, -1.752461, 5.682633, -3.582633]);
    let outer = if n > 5 { vec![last, next] } else { vec![last] };
    let rest: f64 = m[outer.len()..n - outer.len()].iter().map(|v| v * v).sum();
    let scale = (rest / (1.0 - 2.0 * outer.iter().map(|a| a * a).sum::<f64>())).sqrt();
    let mut scores: Vec<f64> = m.iter().map(|v| v / scale).collect();
    for (i, a) in outer.into_iter().enumerate() {
        (scores[i], scores[n - 1 - i]) = (-a, a);
    }
    scores
}

#[test]
fn w_is_the_squared_correlation_with_the_scores() {
    for values in samples(3).into_iter().filter(|v| varies(v)) {
        let scores = royston(values.len());
        let centre = mean(&values);
        let product: f64 = values.iter().zip(&scores).map(|(v, a)| v * a).sum();
        let squares: f64 = values.iter().map(|v| (v - centre).powi(2)).sum();
        let test = shapiro_wilk(&values).expect("a test");
        agree(test.statistic, product * product / squares, 1e-12, &values);
        assert!((0.0..=1.0).contains(&test.p), "{values:?} {test:?}");
    }
}

#[test]
fn three_values_have_an_exact_p() {
    for values in multisets(3, 30).into_iter().filter(|v| varies(v)) {
        let test = shapiro_wilk(&values).expect("a test");
        let arcs = test.statistic.sqrt().asin() - 0.75_f64.sqrt().asin();
        assert!((test.p - 6.0 / core::f64::consts::PI * arcs).abs() < 1e-7, "{values:?} {test:?}");
    }
}

#[test]
fn normal_samples_fail_the_tests_of_normality_once_in_twenty() {
    let mut lcg = Lcg(2);
    for n in [3, 4, 8, 11, 12, 20, 100] {
        let share = rejected(10_000, || shapiro_wilk(&normal(&mut lcg, n)).expect("a test").p);
        assert!((share - 0.05).abs() < 0.008, "Shapiro-Wilk, {n}: {share}");
    }
    for n in [8, 20, 100] {
        let share = rejected(10_000, || anderson_darling(&normal(&mut lcg, n)).expect("a test").p);
        assert!((share - 0.05).abs() < 0.008, "Anderson-Darling, {n}: {share}");
    }
}

/// n ∫ (F − Φ)² / (Φ (1 − Φ)) dΦ, piece by piece between the values.
fn anderson_darling_by_definition(sorted: &[f64]) -> f64 {
    let n = sorted.len() as f64;
    let centre = mean(sorted);
    let sd = (sorted.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    let u: Vec<f64> = sorted.iter().map(|v| special::norm_cdf((v - centre) / sd)).collect();
    // Antiderivative of (f − u)² / (u (1 − u)); at the ends of (0, 1) only its finite parts occur.
    let upto = |f: f64, u: f64| {
        let low = if f == 0.0 { 0.0 } else { f * f * u.ln() };
        let high = if f == 1.0 { 0.0 } else { (1.0 - f).powi(2) * (1.0 - u).ln() };
        low - high - u
    };
    let mut area = 0.0;
    for i in 0..=u.len() {
        let (from, to) = (if i == 0 { 0.0 } else { u[i - 1] }, if i == u.len() { 1.0 } else { u[i] });
        area += upto(i as f64 / n, to) - upto(i as f64 / n, from);
    }
    n * area
}

#[test]
fn anderson_darling_is_the_integral() {
    let mut lcg = Lcg(3);
    for k in 0..300 {
        let values = if k % 2 == 0 { normal(&mut lcg, 8 + k / 4) } else { lcg.sample(8 + k / 4, 0, 7, 1.0) };
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        if varies(&sorted) {
            let test = anderson_darling(&values).expect("a test");
            agree(test.statistic, anderson_darling_by_definition(&sorted), 1e-9, &values);
        }
    }
}

#[test]
fn harrell_davis_is_the_mean_over_chances_of_order_statistics() {
    // If (n + 1)p is an integer, the beta distribution function is a sum of binomial probabilities.
    let choose = |n: usize, k: usize| (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>();
    for n in 1..=40 {
        let values: Vec<f64> = (1..=n).map(|i| (i * i) as f64).collect();
        for a in 1..=n {
            let at_least = |x: f64| {
                (a..=n).map(|k| choose(n, k) * x.powi(k as i32) * (1.0 - x).powi((n - k) as i32)).sum::<f64>()
            };
            let at = |i: usize| at_least(i as f64 / n as f64);
            let expected: f64 = values.iter().enumerate().map(|(i, v)| v * (at(i + 1) - at(i))).sum();
            let p = a as f64 / (n + 1) as f64;
            agree(HarrellDavisWeights::of(n, &[p]).apply(&values)[0], expected, 1e-12, &(n, a));
        }
    }
}

/// P(B ≤ k), B binomial, by summation.
fn binomial(n: usize, p: f64, k: usize) -> f64 {
    let mut term = (1.0 - p).powi(n as i32);
    let mut sum = 0.0;
    for j in 0..=k.min(n) {
        sum += term;
        term *= (n - j) as f64 / (j + 1) as f64 * p / (1.0 - p);
    }
    sum
}

#[test]
fn the_quantile_interval_is_the_narrowest_by_its_rule() {
    for n in 1..=60 {
        let values: Vec<f64> = (0..n).map(|i| i as f64).collect();
        for p in [0.03, 0.1, 0.28, 0.5, 0.77, 0.95] {
            for confidence in [0.5, 0.8, 0.95, 0.99] {
                // Probabilities that the quantile is below value i, and above it.
                let below = |i: usize| binomial(n, p, i);
                let above = |i: usize| 1.0 - binomial(n, p, i);
                let alpha = 1.0 - confidence;
                let context = (n, p, confidence);
                let Some(ours) = quantile_interval(&values, p, confidence) else {
                    assert!(below(0) + above(n - 1) > alpha - 1e-12, "{context:?}");
                    continue;
                };
                let (low, high) = (ours.low as usize, ours.high as usize);
                assert!(
                    (ours.level - (1.0 - below(low) - above(high))).abs() < 1e-12,
                    "{context:?} {ours:?}"
                );
                assert!(ours.level > confidence - 1e-12, "{context:?} {ours:?}");
                // Either end one further in would miss too often: on its side alone, or together if the sides
                // differ.
                let equal = below(0) <= 0.5 * alpha && above(n - 1) <= 0.5 * alpha;
                let limit = |other: f64| if equal { 0.5 * alpha } else { alpha - other };
                if low + 1 < n && (equal || below(0) <= 0.5 * alpha) {
                    assert!(below(low + 1) > limit(above(high)) - 1e-12, "{context:?} {ours:?}");
                }
                if high > 0 && (equal || above(n - 1) <= 0.5 * alpha) {
                    assert!(above(high - 1) > limit(below(low)) - 1e-12, "{context:?} {ours:?}");
                }
                if p == 0.5 {
                    assert_eq!(Some(ours), median_interval(&values, confidence));
                }
            }
        }
    }
}

#[test]
fn the_density_is_the_mean_of_the_kernels() {
    let mut lcg = Lcg(8);
    for k in 0..120 {
        let values = lcg.sample(1 + k * 3, -500, 1000, 1.0);
        let h = [0.01, 3.0, 40.0, 900.0][k % 4];
        for (from, to, points) in [(-700.0, 650.0, 200), (650.0, -700.0, 33), (10.0, 10.0, 2), (3.0, 9.0, 1)]
        {
            for (i, ours) in density(&values, h, from, to, points).into_iter().enumerate() {
                let at = from + (to - from) * (i as f64 / (points - 1).max(1) as f64);
                let kernel = |v: &f64| {
                    (-0.5 * ((at - v) / h).powi(2)).exp() / (h * (2.0 * core::f64::consts::PI).sqrt())
                };
                let expected = mean(&values.iter().map(kernel).collect::<Vec<f64>>());
                // Below this the definition itself has no digits left.
                let near = (ours - expected).abs() <= 1e-11 * expected + 1e-280;
                assert!(near, "{k} {points} {at}: {ours:e} {expected:e}");
            }
        }
    }
}

#[test]
fn the_bandwidth_solves_the_equation() {
    // Without bins, so it agrees only to the width of a bin. Functionals of the density by kernels on all
    // pairs.
    let functional = |values: &[f64], h: f64, term: fn(f64) -> f64, power: i32| {
        let pairs = values.iter().flat_map(|a| values.iter().map(move |b| ((a - b) / h).powi(2)));
        let sum: f64 = pairs.map(|d| (-0.5 * d).exp() * term(d)).sum();
        let n = values.len() as f64;
        sum / (n * (n - 1.0) * h.powi(power) * (2.0 * core::f64::consts::PI).sqrt())
    };
    let fourth = |d: f64| d * d - 6.0 * d + 3.0;
    let sixth = |d: f64| d * d * d - 15.0 * d * d + 45.0 * d - 15.0;
    let mut lcg = Lcg(12);
    for k in 0..60 {
        let values = normal(&mut lcg, 12 + 3 * k);
        let n = values.len() as f64;
        let spread = sd(&values).min(iqr(&values) / 1.349);
        let second = functional(&values, 1.24 * spread * n.powf(-1.0 / 7.0), fourth, 5);
        let third = -functional(&values, 1.23 * spread * n.powf(-1.0 / 9.0), sixth, 7);
        let h = bandwidth_sj(&values).expect("a bandwidth");
        let pilot = 1.357 * (second / third).powf(1.0 / 7.0) * h.powf(5.0 / 7.0);
        let roughness = 1.0 / (2.0 * core::f64::consts::PI.sqrt() * n);
        agree((roughness / functional(&values, pilot, fourth, 5)).powf(0.2), h, 0.01, &(k, h));
    }
}

#[test]
fn moments_are_their_sums() {
    for values in samples(4).into_iter().filter(|v| varies(v)) {
        let n = values.len() as f64;
        let centre = mean(&values);
        let sum = |power: i32| values.iter().map(|v| (v - centre).powi(power)).sum::<f64>();
        // By the unbiased cumulants: k3 / k2^1.5 and k4 / k2².
        let k2 = sum(2) / (n - 1.0);
        let k3 = n * sum(3) / ((n - 1.0) * (n - 2.0));
        let k4 =
            (n * (n + 1.0) * sum(4) - 3.0 * (n - 1.0) * sum(2).powi(2)) / ((n - 1.0) * (n - 2.0) * (n - 3.0));
        assert!((skewness(&values) - k3 / k2.powf(1.5)).abs() < 1e-12 * n, "{values:?}");
        assert!((excess_kurtosis(&values) - k4 / k2.powi(2)).abs() < 1e-11 * n, "{values:?}");
        let cut = values.len() / 5;
        agree(trimmed_mean(&values, 0.2), mean(&values[cut..values.len() - cut]), 1e-14, &values);
    }
    assert_eq!(trimmed_mean(&[1.0, 2.0, 9.0], 1.0 / 3.0), 2.0);
}
