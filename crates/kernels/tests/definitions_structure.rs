//! Change points, equivalence, variance components, resolution and power against their definitions.

use crate::common::shape::normal;
use crate::common::{Lcg, agree, doubled_ranks, subsets};
use statera_kernels::{
    Forecast, Needed, Pilot, batch_means, detectable_two_sample, effective_size, mann_whitney, median,
    nested_components, one_sample, outliers, pelt, pooled_spread, repetitions, robust_components, runs_for,
    runs_for_change, segment_means, student, timer_resolution, tost_paired, tost_rank, tost_signed_rank,
    tost_welch, two_sample, variance_components, warm_up, weighted_mean, worth,
};

/// Integers as noise on levels, each for its length.
fn steps(seed: u64, levels: &[(usize, f64)]) -> Vec<f64> {
    let mut lcg = Lcg(seed);
    levels
        .iter()
        .flat_map(|&(n, level)| {
            lcg.sample(n, 0, 1001, 1e-3).into_iter().map(move |v| v + level).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn steps_are_found_where_they_are() {
    for seed in 1..40 {
        let values = steps(seed, &[(30, 100.0), (50, 103.0), (20, 101.0)]);
        assert_eq!(pelt(&values, None, 2), [30, 80]);
        let means = segment_means(&values, &[30, 80]);
        assert!(
            (means[0] - 100.5).abs() < 0.3
                && (means[1] - 103.5).abs() < 0.3
                && (means[2] - 101.5).abs() < 0.3
        );
        let found = warm_up(&steps(seed, &[(12, 9.0), (60, 2.0)])).expect("a warm-up");
        assert_eq!(found.end, 12);
        assert!((found.relative - (9.5 / 2.5 - 1.0)).abs() < 0.4, "{found:?}");
        assert_eq!(warm_up(&steps(seed, &[(80, 9.0)])), None);
        // A change after the middle leaves no steady state.
        assert_eq!(warm_up(&steps(seed, &[(50, 9.0), (30, 2.0)])), None);
    }
}

#[test]
fn a_detour_to_another_level_is_part_of_the_warm_up() {
    let found = warm_up(&steps(5, &[(10, 9.0), (10, 2.0), (10, 5.0), (60, 2.0)])).expect("a warm-up");
    assert_eq!(found.end, 30);
}

#[test]
fn outliers_are_counted_by_their_definition() {
    let mut lcg = Lcg(17);
    for round in 0..2000 {
        let n = 1 + lcg.below(40) as usize;
        let mut values = lcg.sample(n, 0, [3, 8, 1000][round % 3], 1.0);
        if round % 2 == 0 {
            values.push(40.0 * lcg.below(100) as f64 - 2000.0);
        }
        let centre = median(&values);
        let limit = (100.0 * values.len() as f64).log2() * (1.0 + 3.0 / values.len() as f64);
        let all: Vec<f64> = values.iter().map(|v| (v - centre).abs()).collect();
        let count = |sign: f64| {
            let mut side: Vec<f64> = values.iter().map(|v| sign * (v - centre)).collect();
            side.sort_by(f64::total_cmp);
            let side = &side[side.len().div_ceil(2)..];
            let unit = if side.is_empty() { 0.0 } else { median(&all).max(median(side)) };
            if median(&all) > 0.0 { side.iter().filter(|&&v| v > limit * unit).count() } else { 0 }
        };
        assert_eq!(outliers(&values), count(1.0) + count(-1.0), "{values:?}");
    }
}

#[test]
fn neighbours_that_depend_on_each_other_are_no_steps() {
    let mut lcg = Lcg(23);
    for (phi, n, series) in [(0.0, 50, 400), (0.5, 50, 400), (0.7, 100, 200), (0.9, 50, 400), (0.9, 500, 60)]
    {
        let mut one = |step: f64| {
            let fresh = normal(&mut lcg, n + 1);
            let mut before = fresh[n];
            let values = fresh[..n].iter().enumerate().map(|(i, e)| {
                before = phi * before + (1.0_f64 - phi * phi).sqrt() * e;
                100.0 + before + if i < n / 2 { 0.0 } else { step }
            });
            pelt(&values.collect::<Vec<f64>>(), None, 2)
        };
        let shown = (0..series).filter(|_| !one(0.0).is_empty()).count();
        assert!(shown * 20 <= series, "{shown} of {series} series of {n} values with {phi}");
        let found = (0..series).filter(|_| one(6.0).iter().any(|at| at.abs_diff(n / 2) <= 3)).count();
        assert!(found * 10 >= series * 9, "{found} of {series} steps in {n} values with {phi}");
    }
}

#[test]
fn outliers_are_no_steps() {
    let mut values = steps(3, &[(100, 10.0)]);
    values[40] = 1000.0;
    values[41] = 900.0;
    values[77] = -500.0;
    assert_eq!(pelt(&values, None, 2), [0_usize; 0]);
}

#[test]
fn rank_equivalence_is_two_one_sided_tests() {
    let mut lcg = Lcg(41);
    for _ in 0..400 {
        let span = [4, 20, 100_000][lcg.below(3) as usize];
        let (m, n) = (1 + lcg.below(14) as usize, 1 + lcg.below(14) as usize);
        let (x, y) = (lcg.sample(m, 0, span, 1.0), lcg.sample(n, 0, span, 1.0));
        let high = (1 + lcg.below(span)) as f64;
        let ours = tost_rank(&x, &y, -high, high, 0.95).expect("a test");
        let shift = two_sample(&x, &y, 0.9).expect("a comparison").shift;
        assert_eq!((ours.low, ours.high), (shift.interval.low, shift.interval.high));
        assert_eq!(ours.equivalent, ours.p <= 0.05 && -high <= ours.low && ours.high <= high);
        let paired = tost_signed_rank(&y, -high, high, 0.95).expect("a test");
        let shift = one_sample(&y, 0.9).expect("a comparison").shift;
        assert_eq!((paired.low, paired.high), (shift.interval.low, shift.interval.high));
        if m + n <= 14 {
            check_rank(&x, &y, -high, high);
            check_signed_rank(&y, -high, high);
        }
    }
}

/// P(S ≥ s) of the rank sum of the last `count` values over all choices of that many.
fn rank_sum_at_least(pooled: &[f64], count: usize) -> f64 {
    let ranks = doubled_ranks(pooled);
    let seen: i64 = ranks[ranks.len() - count..].iter().sum();
    let sum = |mask: u32| (0..ranks.len()).filter(|i| mask >> i & 1 == 1).map(|i| ranks[i]).sum::<i64>();
    let sums: Vec<i64> = subsets(ranks.len(), count as u32).map(sum).collect();
    sums.iter().filter(|&&sum| sum >= seen).count() as f64 / sums.len() as f64
}

/// P(V ≥ v) over all signs, zeros dropped.
fn signed_rank_at_least(d: &[f64]) -> f64 {
    let kept: Vec<f64> = d.iter().copied().filter(|&v| v != 0.0).collect();
    let ranks = doubled_ranks(&kept.iter().map(|v| v.abs()).collect::<Vec<_>>());
    let seen: i64 = ranks.iter().zip(&kept).filter(|(_, v)| **v > 0.0).map(|(rank, _)| rank).sum();
    let sum = |mask: u32| (0..ranks.len()).filter(|i| mask >> i & 1 == 1).map(|i| ranks[i]).sum::<i64>();
    let masks = 0..1_u32 << ranks.len();
    masks.clone().filter(|&mask| sum(mask) >= seen).count() as f64 / masks.len() as f64
}

fn check_rank(x: &[f64], y: &[f64], low: f64, high: f64) {
    let ours = tost_rank(x, y, low, high, 0.95).expect("a test");
    let pooled = |first: &[f64], second: &[f64], by: f64| -> Vec<f64> {
        first.iter().copied().chain(second.iter().map(|v| v - by)).collect()
    };
    agree(ours.p_low, rank_sum_at_least(&pooled(x, y, low), y.len()), 1e-13, &(x, y, low));
    agree(ours.p_high, rank_sum_at_least(&pooled(y, x, -high), x.len()), 1e-13, &(x, y, high));
}

fn check_signed_rank(d: &[f64], low: f64, high: f64) {
    let ours = tost_signed_rank(d, low, high, 0.95).expect("a test");
    let less = |end: f64, sign: f64| d.iter().map(|v| sign * (v - end)).collect::<Vec<_>>();
    agree(ours.p_low, signed_rank_at_least(&less(low, 1.0)), 1e-13, &(d, low));
    agree(ours.p_high, signed_rank_at_least(&less(high, -1.0)), 1e-13, &(d, high));
}

/// All lists of `n` values of {0, …, span − 1}.
fn lists(n: u32, span: u32) -> impl Iterator<Item = Vec<f64>> {
    (0..span.pow(n)).map(move |code| (0..n).map(|i| f64::from(code / span.pow(i) % span)).collect())
}

/// With ties the two tails of the rank sum are unequal: neither is half of the two-sided p.
#[test]
fn one_sided_rank_tests_are_their_enumerations() {
    for (m, n) in [(1, 1), (1, 3), (2, 2), (2, 3), (3, 2), (4, 2), (3, 4), (2, 6)] {
        for both in lists(m + n, 3) {
            for margin in [0.0, 0.5, 1.0, 3.0] {
                check_rank(&both[..m as usize], &both[m as usize..], -margin, margin + 1.0);
            }
        }
    }
    for n in 1..=6 {
        lists(n, 4).for_each(|d| check_signed_rank(&d, -1.0, 2.0));
    }
    let found = tost_rank(&[2.0, 1.0, 0.0, 2.0], &[0.0, 3.0, 3.0, 5.0, 2.0, 0.0], -3.0, 3.0, 0.95);
    agree(found.expect("a test").p, 14.0 / 210.0, 1e-13, &"the example");
}

#[test]
fn one_sided_tests_of_means() {
    // The ends of the interval at 1 − 2α are the margins at which α is just reached.
    let mut lcg = Lcg(43);
    for _ in 0..200 {
        let (m, n) = (2 + lcg.below(9) as usize, 2 + lcg.below(9) as usize);
        let (x, y) = (lcg.sample(m, 0, 1000, 1.0), lcg.sample(n, 30, 1000, 1.0));
        let wide = tost_welch(&x, &y, -1e9, 1e9, 0.95).expect("a test");
        assert!(wide.equivalent && wide.p < 0.01);
        let exact = tost_welch(&x, &y, wide.low, wide.high, 0.95).expect("a test");
        agree(exact.p_low, 0.05, 1e-9, &(&x, &y));
        agree(exact.p_high, 0.05, 1e-9, &(&x, &y));
        let single = tost_paired(&x, -1e9, 1e9, 0.9).expect("a test");
        agree(tost_paired(&x, single.low, single.high, 0.9).expect("a test").p_low, 0.1, 1e-9, &x);
    }
}

#[test]
fn components_by_their_sums() {
    let mut lcg = Lcg(47);
    for _ in 0..300 {
        let runs: Vec<Vec<f64>> = (0..2 + lcg.below(6))
            .map(|_| {
                let (n, level) = (2 + lcg.below(5) as usize, lcg.below(200) as i64);
                lcg.sample(n, level, 100, 1.0)
            })
            .collect();
        let groups: Vec<&[f64]> = runs.iter().map(Vec::as_slice).collect();
        let ours = variance_components(&groups, 0.95).expect("components");
        let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
        let all: Vec<f64> = runs.concat();
        let (n, k) = (all.len() as f64, runs.len() as f64);
        let between: f64 =
            runs.iter().map(|r| r.len() as f64 * (mean(r) - mean(&all)).powi(2)).sum::<f64>() / (k - 1.0);
        let within: f64 = runs
            .iter()
            .flatten()
            .zip(runs.iter().flat_map(|r| r.iter().map(|_| mean(r))))
            .map(|(v, m)| (v - m).powi(2))
            .sum::<f64>()
            / (n - k);
        let size = (n - runs.iter().map(|r| (r.len() as f64).powi(2)).sum::<f64>() / n) / (k - 1.0);
        agree(ours.within, within, 1e-12, &runs);
        agree(ours.size, size, 1e-13, &runs);
        agree(ours.f, between / within, 1e-11, &runs);
        assert!(
            (ours.between - ((between - within) / size).max(0.0)).abs() <= 1e-11 * (between + within),
            "{runs:?}"
        );
        assert!(ours.icc_low <= ours.icc && ours.icc <= ours.icc_high && ours.icc_high <= 1.0, "{ours:?}");
        assert_eq!((ours.n, ours.groups), (all.len(), runs.len()));
    }
}

#[test]
fn two_levels_of_one_size_are_the_one_way_analysis() {
    let mut lcg = Lcg(53);
    for _ in 0..100 {
        let (size, runs) = (2 + lcg.below(6) as usize, 2 + lcg.below(6) as usize);
        let values = lcg.sample(size * runs, 0, 1000, 1.0);
        let groups: Vec<&[f64]> = values.chunks(size).collect();
        let one_way = variance_components(&groups, 0.95).expect("components");
        let nested = nested_components(&values, &[size, runs]).expect("components");
        agree(nested[0], one_way.within, 1e-12, &values);
        assert!((nested[1] - one_way.between).abs() <= 1e-12 * (one_way.between + one_way.within));
    }
}

#[test]
fn costs() {
    let groups: [&[f64]; 3] = [&[1.0, 2.0, 3.0], &[3.0, 4.0, 5.0], &[2.0, 3.0, 4.0]];
    let found = variance_components(&groups, 0.95).expect("components");
    agree(found.within, 1.0, 1e-14, &found);
    agree(found.between, 2.0 / 3.0, 1e-14, &found);
    // √(10/0.1 · 1.5)
    agree(worth(&found, 10.0, 0.1), 150_f64.sqrt(), 1e-14, &found);
    assert_eq!(repetitions(1.0, 0.0, 1.0, 1.0), f64::INFINITY);
    assert_eq!(repetitions(0.0, 1.0, 1.0, 1.0), 1.0);
    let runs = runs_for(&found, 3.0, 0.5, 0.95, 0.8);
    agree(runs, 2.0 * (1.959964 + 0.8416212_f64).powi(2) / 0.25 + 1.959964_f64.powi(2) / 4.0, 1e-6, &runs);
    assert_eq!(runs_for(&found, 3.0, 0.0, 0.95, 0.8), f64::INFINITY);
}

#[test]
fn the_step_of_whole_multiples() {
    let mut lcg = Lcg(59);
    for round in 0..600 {
        let step = [1e-9, 1e-6, 1e-3, 41.666e-9, 0.1, 7.0, 1e-300, 1e290][round % 8];
        let ticks: Vec<u64> = (0..30).map(|_| 1000 + lcg.below(1_000_000)).collect();
        let gcd = ticks.iter().fold(0, |a, &b| {
            let (mut a, mut b) = (a, b);
            while b > 0 {
                (a, b) = (b, a % b);
            }
            a
        });
        let values: Vec<f64> = ticks.iter().map(|&t| t as f64 * step).collect();
        agree(timer_resolution(&values).expect("a step"), gcd as f64 * step, 1e-12, &values);
    }
    for seed in 1..100 {
        let mut lcg = Lcg(seed);
        let values: Vec<f64> = lcg.sample(20, 1, 8_000_000, 1.0).iter().map(|v| v.sqrt()).collect();
        assert_eq!(timer_resolution(&values), None, "{values:?}");
    }
}

/// The share of pilots with `df` degrees of freedom whose forecast is found, by quadrature over the spread.
fn power_of_forecasts(errors: f64, critical: f64, df: f64) -> f64 {
    let steps = 4000;
    let density = |s: f64| (df - 1.0) * s.ln() - 0.5 * df * s * s;
    let at = |k: usize| (k as f64 + 0.5) * 4.0 / f64::from(steps);
    let weights: Vec<f64> = (0..steps as usize).map(|k| density(at(k)).exp()).collect();
    let found = weights
        .iter()
        .enumerate()
        .map(|(k, w)| w * statera_kernels::special::norm_cdf(errors * at(k) - critical));
    found.sum::<f64>() / weights.iter().sum::<f64>()
}

#[test]
fn forecasts_have_the_power_asked_for_over_all_pilots() {
    for (level, power) in [(0.05, 0.8), (0.001, 0.8), (0.05, 0.9), (0.01, 0.5)] {
        let forecast = Forecast::new(level, power);
        for df in [4, 6, 8, 18, 38, 500] {
            let pilot = Pilot { spread: 1.0, df, paired: false };
            let runs = 400;
            let errors = forecast.detectable(&pilot, runs, runs) / (2.0 / runs as f64).sqrt();
            let critical = -statera_kernels::special::t_quantile(0.5 * level, 2.0 * runs as f64 - 2.0);
            let found = power_of_forecasts(errors, critical, df as f64);
            assert!((found - power).abs() < 0.01, "{level} {power} {df}: {found}");
        }
    }
}

#[test]
fn the_runs_needed_are_the_fewest_that_detect_the_change() {
    let forecast = Forecast::new(0.05, 0.8);
    for paired in [false, true] {
        for (spread, change) in [(1.0, 0.05), (1.0, 0.3), (1.0, 2.0), (0.01, 1.0)] {
            let pilot = Pilot { spread, df: 8, paired };
            let Needed { runs, low, high } = forecast.needed(&pilot, change, 2);
            assert!(low <= runs && runs <= high);
            let detects = |n: f64| forecast.detectable(&pilot, n as usize, n as usize) <= change;
            assert!(detects(runs) || runs > 2000.0, "{runs}");
            assert!(runs == 2.0 || runs > 2000.0 || !detects(runs - 1.0), "{runs}");
        }
    }
    assert_eq!(forecast.needed(&Pilot { spread: 1.0, df: 8, paired: false }, 0.0, 2).runs, f64::INFINITY);
}

#[test]
fn robust_components_are_those_of_normal_runs_and_do_not_follow_slow_values() {
    let mut lcg = Lcg(29);
    let mut normal =
        || statera_kernels::special::norm_quantile((lcg.below(1 << 22) as f64 + 0.5) / 4_194_304.0);
    let runs: Vec<Vec<f64>> = (0..400)
        .map(|_| {
            let start = 2.0 * normal();
            (0..10).map(|_| start + normal()).collect()
        })
        .collect();
    let slow: Vec<Vec<f64>> = runs
        .iter()
        .enumerate()
        .map(|(i, run)| {
            let mut run = run.clone();
            run[i % 10] += if i % 4 == 0 { 500.0 } else { 0.0 };
            run
        })
        .collect();
    for groups in [&runs, &slow] {
        let groups: Vec<&[f64]> = groups.iter().map(Vec::as_slice).collect();
        let found = robust_components(&groups).expect("runs");
        assert!((found.within - 1.0).abs() < 0.3 && (found.between - 4.0).abs() < 0.6, "{found:?}");
        agree(found.share, found.between / (found.between + found.within), 1e-15, &found);
    }
    let plain: Vec<&[f64]> = slow.iter().map(Vec::as_slice).collect();
    assert!(variance_components(&plain, 0.95).expect("runs").icc < 0.01);
    assert_eq!(robust_components(&[&[1.0, 2.0], &[]]), None);
    assert_eq!(robust_components(&[&[1.0], &[2.0]]), None);
    let same = robust_components(&[&[1.0, 1.0], &[1.0, 1.0]]).expect("runs");
    assert!(same.share.is_nan() && same.within == 0.0);
}

#[test]
fn the_pooled_spread_is_the_mean_difference_of_pairs() {
    let mut lcg = Lcg(23);
    for n in [2, 3, 5, 12] {
        let sides = [0, 1].map(|_| {
            let mut side = lcg.sample(n, 0, 1000, 1e-3);
            side.sort_by(f64::total_cmp);
            side
        });
        let (mut sum, mut pairs) = (0.0, 0.0);
        for side in &sides {
            for (i, a) in side.iter().enumerate() {
                sum += side[..i].iter().map(|b| (a - b).abs()).sum::<f64>();
                pairs += i as f64;
            }
        }
        let plain = sum / pairs * core::f64::consts::PI.sqrt() / 2.0;
        let found = pooled_spread(&[&sides[0], &sides[1]]);
        assert!(found <= plain * (1.0 + 1e-12) && found > 0.5 * plain, "{n}: {found} {plain}");
    }
    // A value far outside is pulled in: to 4 (1 + 5 / 18) × 1.4826 × 2.5 from the median.
    let far: Vec<f64> = (0..9).map(f64::from).chain([1e9]).collect();
    let near: Vec<f64> =
        (0..9).map(f64::from).chain([4.5 + 4.0 * (1.0 + 5.0 / 18.0) * 1.482_602_218_505_602 * 2.5]).collect();
    let own: Vec<f64> = (0..10).map(f64::from).collect();
    agree(pooled_spread(&[&far, &own]), pooled_spread(&[&near, &own]), 1e-12, &"pulled in");
    assert!(pooled_spread(&[&[1.0], &[2.0]]).is_nan());
}

#[test]
fn the_smallest_effect_is_found_as_often_as_it_says() {
    let normals = |lcg: &mut Lcg, n: usize, mean: f64| -> Vec<f64> {
        let unit = |lcg: &mut Lcg| (lcg.below(1 << 22) as f64 + 0.5) / 4_194_304.0;
        (0..n).map(|_| mean + statera_kernels::special::norm_quantile(unit(lcg))).collect()
    };
    let mut lcg = Lcg(61);
    for (m, n) in [(5, 5), (8, 8), (10, 20), (20, 20), (60, 60)] {
        let shift = detectable_two_sample(1.0, m, n, 0.95, 0.8);
        let found = (0..2000).filter(|_| {
            let (x, y) = (normals(&mut lcg, m, 0.0), normals(&mut lcg, n, shift));
            mann_whitney(&x, &y).expect("a test").p <= 0.05
        });
        let share = found.count() as f64 / 2000.0;
        assert!((share - 0.8).abs() < 0.06, "{m} + {n}: {share}");
    }
    assert_eq!(detectable_two_sample(1.0, 3, 3, 0.95, 0.8), f64::INFINITY);
    for change in [0.5, 1.0, 3.0] {
        let runs = runs_for_change(1.0, change, 0.95, 0.8) as usize;
        assert!(detectable_two_sample(1.0, runs, runs, 0.95, 0.8) <= change);
        assert!(detectable_two_sample(1.0, runs - 1, runs - 1, 0.95, 0.8) > change);
    }
}

#[test]
fn a_weighted_mean_is_that_of_its_samples() {
    let mut lcg = Lcg(11);
    let values = lcg.sample(40, -500, 500, 1e-3);
    let weights: Vec<f64> = lcg.sample(40, 1, 9, 1.0);
    let samples: Vec<f64> =
        values.iter().zip(&weights).flat_map(|(&value, &weight)| vec![value; weight as usize]).collect();
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    assert!((weighted_mean(&values, &weights) - mean).abs() < 1e-15);
    // What is the same everywhere is its own mean, to the last digit.
    assert_eq!(weighted_mean(&[0.002; 18], &weights[..18]).to_bits(), 0.002_f64.to_bits());
    assert!(weighted_mean(&[], &[]).is_nan());
}

#[test]
fn batches_are_consecutive_and_five_to_nine() {
    for (count, batches) in [(0, 0), (3, 3), (20, 5), (119, 5), (120, 6), (180, 9), (5000, 9)] {
        let values: Vec<f64> = (0..count).map(f64::from).collect();
        let found = batch_means(&values, &vec![1.0; values.len()]);
        assert_eq!(found.len(), batches, "{count}");
        for (batch, mean) in found.iter().enumerate() {
            let part = &values[values.len() * batch / batches..values.len() * (batch + 1) / batches];
            assert!((mean - part.iter().sum::<f64>() / part.len() as f64).abs() < 1e-9 * mean.max(1.0));
        }
    }
}

#[test]
fn neighbours_that_are_alike_are_worth_less() {
    let loose = Lcg(7).sample(900, 0, 1001, 1e-3);
    let levels = Lcg(8).sample(90, 0, 1001, 1e-3);
    let sticky: Vec<f64> = (0..900).map(|k| levels[k / 10]).collect();
    let definition = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let lag: f64 = values.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
        let r = lag / values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        values.len() as f64 * (1.0 - r) / (1.0 + r)
    };
    for values in [&loose, &sticky] {
        assert!((effective_size(values) / definition(values) - 1.0).abs() < 1e-9);
    }
    assert!(effective_size(&loose) > 700.0 && effective_size(&sticky) < 150.0);
    assert_eq!(effective_size(&[0.1; 50]), 50.0);
}

#[test]
fn students_t_agrees_with_its_interval_and_its_one_sided_tests() {
    let mut lcg = Lcg(5);
    for n in [2, 3, 10, 52] {
        let d = lcg.sample(n, -400, 600, 1e-3);
        let found = student(&d, 0.95).expect("a test");
        // At the level 1 - p one end of the interval is 0.
        let at = student(&d, 1.0 - found.test.p).expect("a test").shift.interval;
        assert!(at.low.abs().min(at.high.abs()) < 1e-7, "{n}: {at:?}");
        let (up, down) = (tost_paired(&d, 0.0, 1e300, 0.95), tost_paired(&d, -1e300, 0.0, 0.95));
        let least = up.expect("a test").p_low.min(down.expect("a test").p_high);
        assert!((found.test.p - 2.0 * least).abs() < 1e-14);
    }
    assert!(student(&[1.0], 0.95).is_none() && student(&[1.0, 1.0], 0.95).is_none());
    assert!((student(&[0.0, 0.0], 0.95).expect("a test").test.p - 1.0).abs() < 1e-15);
}
