//! Resampling against its definition: everything computed anew, straight from the formulas, on small inputs.

mod common;

use common::{Lcg, agree};
use statera_kernels::BootMethod::{Bca, Percentile};
use statera_kernels::BootStatistic::Median;
use statera_kernels::special::{norm_cdf, norm_quantile};
use statera_kernels::{
    MaxTRow, Moderation, Relabeling, alpha, bootstrap, bootstrap_difference, prior, westfall_young_with,
};

/// |t| of two groups, or of differences, before its variance is shrunk: (numerator / unscaled error, variance).
fn parts(values: &[f64], second: &[bool], signs: bool) -> (f64, f64) {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let squares = |v: &[f64]| {
        let centre = if v.iter().all(|a| *a == v[0]) { v[0] } else { mean(v) };
        v.iter().map(|a| (a - centre).powi(2)).sum::<f64>()
    };
    if signs {
        let flipped: Vec<f64> = values.iter().zip(second).map(|(&v, &f)| if f { -v } else { v }).collect();
        let n = values.len() as f64;
        return (mean(&flipped).abs() * n.sqrt(), squares(&flipped) / (n - 1.0));
    }
    let group = |side: bool| -> Vec<f64> {
        values.iter().zip(second).filter(|(_, s)| **s == side).map(|(&v, _)| v).collect()
    };
    let (x, y) = (group(false), group(true));
    let error = (1.0 / x.len() as f64 + 1.0 / y.len() as f64).sqrt();
    ((mean(&y) - mean(&x)).abs() / error, (squares(&x) + squares(&y)) / (values.len() as f64 - 2.0))
}

/// Statistics of all rows under one labeling.
fn statistics(rows: &[MaxTRow<'_>], second: &[bool], signs: bool, moderation: Moderation) -> Vec<f64> {
    let df = second.len() as f64 - if signs { 1.0 } else { 2.0 };
    let found: Vec<(f64, f64)> = rows.iter().map(|row| parts(row.values, second, signs)).collect();
    rows.iter()
        .zip(&found)
        .map(|(row, (top, variance))| {
            let pool: Vec<f64> =
                rows.iter().zip(&found).filter(|(r, _)| r.pool == row.pool).map(|(_, f)| f.1).collect();
            let shrunk = match moderation {
                Moderation::Pooled => prior(&pool, df).shrink(*variance, df),
                Moderation::None => *variance,
            };
            top / shrunk.sqrt()
        })
        .collect()
}

/// Step-down maxT by full enumeration, mirrors and all. Rows must vary.
fn by_definition(rows: &[MaxTRow<'_>], relabeling: Relabeling, moderation: Moderation) -> Vec<f64> {
    let (count, chosen, signs) = match relabeling {
        Relabeling::TwoSample { m, n } => (m + n, Some(n as u32), false),
        Relabeling::Signs { n } => (n, None, true),
    };
    let first = match relabeling {
        Relabeling::TwoSample { m, .. } => m,
        Relabeling::Signs { n } => n,
    };
    let observed: Vec<bool> = (0..count).map(|i| i >= first).collect();
    let seen = statistics(rows, &observed, signs, moderation);
    let all: Vec<Vec<f64>> = (0..1_u32 << count)
        .filter(|mask| chosen.is_none_or(|k| mask.count_ones() == k))
        .map(|mask| {
            let second: Vec<bool> = (0..count).map(|i| mask >> i & 1 == 1).collect();
            statistics(rows, &second, signs, moderation)
        })
        .collect();
    let raw = |row: usize| {
        let reached = |statistics: &&Vec<f64>| {
            let rivals = (0..rows.len()).filter(|&other| seen[other] <= seen[row]);
            rivals.map(|other| statistics[other]).fold(0.0, f64::max) >= seen[row] * (1.0 - 1e-9)
        };
        all.iter().filter(reached).count() as f64 / all.len() as f64
    };
    let raw: Vec<f64> = (0..rows.len()).map(raw).collect();
    (0..rows.len())
        .map(|row| (0..rows.len()).filter(|&o| seen[o] >= seen[row]).map(|o| raw[o]).fold(0.0, f64::max))
        .collect()
}

#[test]
fn max_t_is_the_enumeration() {
    let mut lcg = Lcg(11);
    for case in 0..160 {
        let relabeling = match case % 4 {
            0 => Relabeling::Signs { n: 2 + lcg.below(7) as usize },
            1 => {
                let m = 2 + lcg.below(3) as usize;
                Relabeling::TwoSample { m, n: m }
            }
            _ => Relabeling::TwoSample { m: 1 + lcg.below(5) as usize, n: 2 + lcg.below(4) as usize },
        };
        let count = match relabeling {
            Relabeling::TwoSample { m, n } => m + n,
            Relabeling::Signs { n } => n,
        };
        let height = 1 + lcg.below(9) as usize;
        let span = [3, 30, 100_000][lcg.below(3) as usize];
        let values: Vec<Vec<f64>> = (0..height)
            .map(|_| {
                let spread = [1.0, 1.0, 7.0][lcg.below(3) as usize];
                let push = lcg.below(2) as f64 * span as f64 * spread;
                let low = -(span as i64) / 3;
                let mut row = lcg.sample(count, low, span, spread);
                row.iter_mut().skip(count / 2).for_each(|v| *v += push);
                row[0] += 1e-3;
                row
            })
            .collect();
        let rows: Vec<MaxTRow> =
            values.iter().enumerate().map(|(i, values)| MaxTRow { values, pool: 7 * (i % 2) }).collect();
        for moderation in [Moderation::Pooled, Moderation::None] {
            let ours = westfall_young_with(&rows, relabeling, moderation, 100_000, 1).expect("a result");
            assert!(ours.exact);
            for (a, b) in ours.p.iter().zip(by_definition(&rows, relabeling, moderation)) {
                agree(*a, b, 1e-12, &(relabeling, moderation, &values));
            }
        }
    }
}

/// Median of all n^n resamples, each as likely as the others, in order.
fn medians_of_all_resamples(values: &[f64]) -> Vec<f64> {
    let n = values.len();
    let median = |code: usize| {
        let mut drawn: Vec<f64> = (0..n).map(|i| values[code / n.pow(i as u32) % n]).collect();
        drawn.sort_by(f64::total_cmp);
        f64::midpoint(drawn[(n - 1) / 2], drawn[n / 2])
    };
    let mut medians: Vec<f64> = (0..n.pow(n as u32)).map(median).collect();
    medians.sort_by(f64::total_cmp);
    medians
}

/// The quantile of a list in order whose values are all as likely: type 2 of Hyndman & Fan.
fn quantile_of_all(all: &[f64], level: f64) -> f64 {
    let at = all.len() as f64 * level;
    let step = at.round();
    if (at - step).abs() <= 1e-9 * at.min(all.len() as f64 - at) {
        let step = step as usize;
        return f64::midpoint(all[step.max(1) - 1], all[step.min(all.len() - 1)]);
    }
    all[(at.ceil() as usize).clamp(1, all.len()) - 1]
}

/// z0 and the ends of a `BCa` interval by the formula.
fn bca_of_all(all: &[f64], estimate: f64, acceleration: f64, confidence: f64) -> (f64, f64, f64) {
    let count = |f: &dyn Fn(&&f64) -> bool| all.iter().filter(f).count() as f64;
    let share = (count(&|v| **v < estimate) + 0.5 * count(&|v| **v == estimate)) / all.len() as f64;
    let z0 = norm_quantile(share);
    let level = |z: f64| norm_cdf(z0 + (z0 + z) / (1.0 - acceleration * (z0 + z)));
    let z = norm_quantile(0.5 * alpha(confidence));
    (z0, quantile_of_all(all, level(z)), quantile_of_all(all, level(-z)))
}

#[test]
fn the_median_is_that_of_all_resamples() {
    let mut lcg = Lcg(21);
    for case in 0..120 {
        let n = 2 + lcg.below(5) as usize;
        let mut values = lcg.sample(n, -20, [4, 40, 100_000][case % 3], 1.0);
        values[0] += 0.5;
        if values.iter().all(|v| *v == values[0]) {
            continue;
        }
        let all = medians_of_all_resamples(&values);
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let estimate = f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]);
        for confidence in [0.5, 0.8, 0.95] {
            let plain = bootstrap(&values, Median, Percentile, confidence, 0, 0).expect("an interval");
            let tail = 0.5 * alpha(confidence);
            assert_eq!(plain.estimate, estimate);
            assert_eq!(plain.low, quantile_of_all(&all, tail), "{values:?}");
            assert_eq!(plain.high, quantile_of_all(&all, 1.0 - tail), "{values:?}");
            let moved = bootstrap(&values, Median, Bca, confidence, 0, 0).expect("an interval");
            let (z0, low, high) = bca_of_all(&all, estimate, moved.acceleration, confidence);
            assert!((moved.bias_correction - z0).abs() < 1e-12);
            assert_eq!((moved.low, moved.high), (low, high), "{values:?}");
        }
    }
}

#[test]
fn the_difference_of_medians_is_that_of_all_resamples() {
    let mut lcg = Lcg(22);
    for case in 0..120 {
        let mut draw = |n: usize| lcg.sample(n, -20, [4, 40, 100_000][case % 3], 1.0);
        let (x, mut y) = (draw(2 + case % 3), draw(2 + case % 4));
        y[0] += 0.5;
        if y.iter().all(|v| *v == y[0]) && x.iter().all(|v| *v == x[0]) {
            continue;
        }
        let (first, second) = (medians_of_all_resamples(&x), medians_of_all_resamples(&y));
        let mut all: Vec<f64> = second.iter().flat_map(|b| first.iter().map(move |a| b - a)).collect();
        all.sort_by(f64::total_cmp);
        for confidence in [0.5, 0.8, 0.95] {
            let ask = |method| bootstrap_difference(&x, &y, Median, method, confidence, 0, 0);
            let plain = ask(Percentile).expect("an interval");
            let tail = 0.5 * alpha(confidence);
            assert_eq!(plain.low, quantile_of_all(&all, tail), "{x:?} {y:?}");
            assert_eq!(plain.high, quantile_of_all(&all, 1.0 - tail), "{x:?} {y:?}");
            let moved = ask(Bca).expect("an interval");
            let (z0, low, high) = bca_of_all(&all, plain.estimate, moved.acceleration, confidence);
            assert!((moved.bias_correction - z0).abs() < 1e-12);
            assert_eq!((moved.low, moved.high), (low, high), "{x:?} {y:?}");
        }
    }
}
