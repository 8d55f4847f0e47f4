//! Resampling against its definition: everything computed again, directly from the formulas, on small inputs.

use crate::common::{Lcg, agree};
use statera_kernels::BootMethod::{Bca, Percentile};
use statera_kernels::BootStatistic::{Mean, Median};
use statera_kernels::special::{norm_cdf, norm_quantile};
use statera_kernels::{
    MaxTRow, Moderation, Relabeling, alpha, block_bootstrap, block_length, bootstrap, bootstrap_difference,
    harrell_davis, prior, quantile_sorted, sd, shift_function, westfall_young_with,
};

/// |t| of two groups, or of differences, before its variance is shrunk: (numerator / unscaled error, variance).
pub fn parts(values: &[f64], second: &[bool], signs: bool) -> (f64, f64) {
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

/// Statistics of all rows for one labeling.
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

/// Step-down maxT by full enumeration, including mirrors. Rows must vary.
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

/// Medians of all n^n equally likely resamples, in order.
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

/// The quantile of a sorted list of equally likely values: type 2 of Hyndman & Fan.
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

#[test]
fn means_are_those_of_all_resamples() {
    let mut lcg = Lcg(23);
    for case in 0..24 {
        let n = 2 + case % 5;
        let mut values = lcg.sample(n, -20, [3, 40, 100_000][case % 3], 1.0);
        values[0] += 0.5;
        let mean = |code: usize| (0..n).map(|i| values[code / n.pow(i as u32) % n]).sum::<f64>() / n as f64;
        let mut all: Vec<f64> = (0..n.pow(n as u32)).map(mean).collect();
        all.sort_by(f64::total_cmp);
        if all[0] == all[all.len() - 1] {
            continue;
        }
        let ours = bootstrap(&values, Mean, Bca, 0.8, 200_000, case as u64).expect("an interval");
        let estimate = values.iter().sum::<f64>() / n as f64;
        let same = |v: f64| (v - estimate).abs() < 1e-9;
        let equal = all.iter().filter(|v| same(**v)).count() as f64;
        let below = all.iter().filter(|v| **v < estimate && !same(**v)).count() as f64;
        let share = (below + 0.5 * equal) / all.len() as f64;
        assert!((norm_cdf(ours.bias_correction) - share).abs() < 0.005, "{values:?}");
        // Simulated levels are accurate to a hundredth of the tail.
        for (end, confidences) in [(ours.low, [0.82, 0.78]), (ours.high, [0.78, 0.82])] {
            let ends = confidences.map(|level| {
                let (_, low, high) = bca_of_all(&all, estimate, ours.acceleration, level);
                if end == ours.low { low } else { high }
            });
            assert!(ends[0] - 1e-9 <= end && end <= ends[1] + 1e-9, "{values:?} {ours:?} {ends:?}");
        }
    }
}

/// Politis & White's rule, written out.
fn block_length_by_definition(series: &[f64]) -> usize {
    let n = series.len() as f64;
    let mean = series.iter().sum::<f64>() / n;
    let covariance = |lag: i64| -> f64 {
        let lag = lag.unsigned_abs() as usize;
        (lag..series.len()).map(|i| (series[i] - mean) * (series[i - lag] - mean)).sum::<f64>() / n
    };
    let run = (n.log10().sqrt().ceil() as i64).max(5);
    let most = n.sqrt().ceil() as i64 + run;
    let lags = (most + run).min(series.len() as i64 - 1);
    let limit = 2.0 * (n.log10() / n).sqrt();
    let small = |lag: i64| lag > lags || (covariance(lag) / covariance(0)).abs() < limit;
    let last = (0..=lags).find(|m| (1..=run).all(|k| small(m + k))).unwrap_or(lags);
    let reach = (2 * last.max(1)).min(most).min(lags);
    let flat_top = |t: f64| if t <= 0.5 { 1.0 } else { 2.0 * (1.0 - t) };
    let weight = |lag: i64| flat_top(lag.abs() as f64 / reach as f64);
    let density: f64 = (-reach..=reach).map(|lag| weight(lag) * covariance(lag)).sum();
    let slope: f64 = (-reach..=reach).map(|lag| weight(lag) * lag.abs() as f64 * covariance(lag)).sum();
    let length = (2.0 * slope * slope / (4.0 / 3.0 * density * density) * n).cbrt();
    (length.min((3.0 * n.sqrt()).min(n / 3.0).ceil()).round() as usize).max(1)
}

/// Series that depend on the preceding value by `memory`.
fn dragging(lcg: &mut Lcg, n: usize, memory: f64) -> Vec<f64> {
    let mut last = 0.0;
    let mut next = || {
        last = memory * last + lcg.below(100_000) as f64 + lcg.below(100_000) as f64;
        last
    };
    (0..n).map(|_| next()).collect()
}

#[test]
fn block_lengths_are_politis_and_whites() {
    let mut lcg = Lcg(24);
    for case in 0..240 {
        let n = [2, 3, 7, 20, 50, 120, 400, 1500][case % 8];
        let series = dragging(&mut lcg, n, [0.0, 0.3, -0.5, 0.8, 0.97][case % 5]);
        assert_eq!(block_length(&series), block_length_by_definition(&series), "{n} {case}");
    }
    let (free, bound) = (dragging(&mut lcg, 1000, 0.0), dragging(&mut lcg, 1000, 0.9));
    assert!(block_length(&free) <= 6 && block_length(&bound) > 15);
}

#[test]
fn a_block_resample_has_the_spread_of_its_blocks() {
    // The variance of a mean of k independent blocks is that of all circular block means, over k.
    let series = dragging(&mut Lcg(25), 120, 0.8);
    for length in [1, 4, 10, 30] {
        let n = series.len();
        let blocks: Vec<f64> = (0..n)
            .map(|start| (0..length).map(|i| series[(start + i) % n]).sum::<f64>() / length as f64)
            .collect();
        let error = (sd(&blocks).powi(2) * (n as f64 - 1.0) / n as f64 * length as f64 / n as f64).sqrt();
        let found = block_bootstrap(&series, Mean, Some(length), 0.6826895, 40_000, 3).expect("an interval");
        let half = 0.5 * (found.high - found.low);
        assert!((half / error - 1.0).abs() < 0.04, "{length}: {half} {error}");
    }
}

#[test]
fn a_shift_that_is_the_same_everywhere_is_found() {
    let mut lcg = Lcg(26);
    let levels = [0.1, 0.25, 0.5, 0.75, 0.9];
    for n in [15, 20, 50, 121] {
        let x = lcg.sample(n, 1000, 5000, 1.0);
        let y: Vec<f64> = x.iter().map(|v| v + 256.0).collect();
        for point in shift_function(&x, &y, true, false, &levels, 0.95, 200, 1).expect("points") {
            let near = |v: f64| (v - 256.0).abs() < 1e-9;
            assert!(near(point.change), "{point:?}");
            assert_eq!(point.supported, n as f64 * point.level.min(1.0 - point.level) >= 4.999_999);
            assert!(!point.supported || (near(point.low) && near(point.high)), "{point:?}");
            assert_eq!(point.low.is_nan(), !point.supported);
        }
        let y: Vec<f64> = x.iter().map(|v| v * 1.25).collect();
        for point in shift_function(&x, &y, true, true, &levels, 0.95, 200, 1).expect("points") {
            let near = |v: f64| (v - 0.25).abs() < 1e-12;
            assert!(near(point.change) && (!point.supported || (near(point.low) && near(point.high))));
        }
    }
}

#[test]
fn a_band_at_one_level_is_the_percentile_interval() {
    // Replicates of Harrell & Davis's median, drawn by another generator.
    let mut lcg = Lcg(27);
    let (x, y) = (lcg.sample(40, 0, 1000, 1.0), lcg.sample(30, 200, 1500, 1.0));
    let estimate = |values: &[f64]| {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        harrell_davis(&sorted, 0.5)
    };
    let draw = |values: &[f64], lcg: &mut Lcg| -> Vec<f64> {
        values.iter().map(|_| values[lcg.below(values.len() as u64) as usize]).collect()
    };
    let mut independent = Vec::new();
    for _ in 0..20_000 {
        let (a, b) = (draw(&x, &mut lcg), draw(&y, &mut lcg));
        independent.push(estimate(&b) - estimate(&a));
    }
    independent.sort_by(f64::total_cmp);
    let found = shift_function(&x, &y, false, false, &[0.5], 0.9, 20_000, 1).expect("points");
    let at = |level: f64| quantile_sorted(&independent, level);
    assert_eq!(found[0].change, estimate(&y) - estimate(&x));
    assert!(at(0.043) < found[0].low && found[0].low < at(0.057), "{found:?}");
    assert!(at(0.943) < found[0].high && found[0].high < at(0.957), "{found:?}");
}
