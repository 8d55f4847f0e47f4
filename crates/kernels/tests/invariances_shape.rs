//! The shape of one sample: what must not matter (the unit, the origin, the order of values, the number of
//! threads), what must be mirrored with the sample, and that no input panics.

use crate::common::{Lcg, agree};
use statera_kernels::{
    HarrellDavisWeights, Interval, anderson_darling, bandwidth_nrd0, bandwidth_sj, coefficient_of_variation,
    density, dip, excess_kurtosis, harrell_davis, harrell_davis_batch, modes, quantile_interval,
    shapiro_wilk, shapiro_wilk_batch, skewness, spread_ties, trimmed_mean,
};

const LEVELS: [f64; 7] = [0.0, 0.05, 0.1, 0.5, 0.75, 0.99, 1.0];

/// Samples of many sizes with few or many ties.
fn samples() -> Vec<Vec<f64>> {
    let mut lcg = Lcg(77);
    (0..150)
        .map(|k| {
            let (n, span) = (1 + lcg.below(if k < 120 { 40 } else { 900 }), [2, 7, 50, 1 << 20][k % 4]);
            lcg.sample(n as usize, 1, span, 1.0)
        })
        .collect()
}

fn mapped(values: &[f64], map: impl Fn(f64) -> f64) -> Vec<f64> {
    values.iter().map(|&v| map(v)).collect()
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Everything without a unit, as one list that can be compared.
fn shape(values: &[f64]) -> Vec<f64> {
    let normality = [shapiro_wilk(values), anderson_darling(values)];
    let mut list: Vec<f64> =
        normality.into_iter().flat_map(|t| t.map_or([-1.0; 2], |t| [t.statistic, t.p])).collect();
    let dip = dip(values).expect("a dip");
    list.extend([dip.dip, dip.p, modes(values) as f64]);
    list.extend(
        [skewness(values), excess_kurtosis(values), coefficient_of_variation(values)].map(|v| v.max(-9e9)),
    );
    list
}

/// Everything with the unit of the data.
fn sized(values: &[f64]) -> Vec<f64> {
    let sorted = sorted(values);
    let mut list = HarrellDavisWeights::of(values.len(), &LEVELS).apply(&sorted);
    list.extend(
        [trimmed_mean(values, 0.2), bandwidth_nrd0(values), bandwidth_sj(values).unwrap_or(0.0)]
            .map(|v| v.max(0.0)),
    );
    let ends = |i: Interval| [i.low, i.high];
    list.extend(LEVELS.iter().filter_map(|&p| quantile_interval(&sorted, p, 0.9)).flat_map(ends));
    list
}

#[test]
fn the_unit_does_not_matter() {
    for values in samples() {
        for unit in [2_f64.powi(-1000), 2_f64.powi(-3), 2_f64.powi(990)] {
            let other = mapped(&values, |v| v * unit);
            assert_eq!(shape(&values), shape(&other));
            // The rule of thumb ignores the unit only for a sample of zeros; these are positive.
            assert_eq!(mapped(&sized(&values), |v| v * unit), sized(&other));
        }
        let density_in =
            |values: &[f64], unit: f64| density(values, 3.0 * unit, -20.0 * unit, 70.0 * unit, 65);
        let small = density_in(&mapped(&values, |v| v / 1024.0), 1.0 / 1024.0);
        assert_eq!(density_in(&values, 1.0), mapped(&small, |d| d / 1024.0));
    }
}

#[test]
fn the_order_of_values_does_not_matter() {
    for values in samples() {
        let mut other = values.clone();
        other.rotate_left(values.len() / 3);
        other.reverse();
        for (a, b) in shape(&values).into_iter().zip(shape(&other)) {
            // Sums in another order.
            assert!((a - b).abs() <= 1e-11 * a.abs().max(1.0), "{values:?}: {a} {b}");
        }
        assert_eq!(dip(&values), dip(&other));
        assert_eq!(shapiro_wilk(&values), shapiro_wilk(&other));
        assert_eq!(anderson_darling(&values), anderson_darling(&other));
        assert_eq!(modes(&values), modes(&other));
        assert_eq!(spread_ties(&values), spread_ties(&other));
        for (a, b) in sized(&values).into_iter().zip(sized(&other)) {
            agree(a, b, 1e-13, &values);
        }
        assert_eq!(density(&values, 2.0, 0.0, 60.0, 31), density(&other, 2.0, 0.0, 60.0, 31));
    }
}

#[test]
fn the_origin_does_not_matter() {
    for values in samples().into_iter().filter(|v| v.len() > 3) {
        let other = mapped(&values, |v| v - 4096.0);
        if let (Some(a), Some(b)) = (shapiro_wilk(&values), shapiro_wilk(&other)) {
            assert_eq!(a, b);
        }
        if let (Some(a), Some(b)) = (anderson_darling(&values), anderson_darling(&other)) {
            assert_eq!(a, b);
        }
        assert_eq!(dip(&values), dip(&other));
        let near = |a: f64, b: f64| {
            assert!((a - b).abs() <= 1e-8 || (a.is_nan() && b.is_nan()), "{values:?}: {a} {b}");
        };
        near(skewness(&values), skewness(&other));
        near(excess_kurtosis(&values), excess_kurtosis(&other));
    }
}

#[test]
fn a_turned_sample_mirrors() {
    for values in samples() {
        let turned = mapped(&values, |v| -v);
        if let (Some(a), Some(b)) = (shapiro_wilk(&values), shapiro_wilk(&turned)) {
            agree(a.statistic, b.statistic, 1e-13, &values);
            agree(a.p, b.p, 1e-9, &values);
        }
        if let (Some(a), Some(b)) = (anderson_darling(&values), anderson_darling(&turned)) {
            agree(a.statistic, b.statistic, 1e-9, &values);
        }
        let (a, b) = (dip(&values).expect("a dip"), dip(&turned).expect("a dip"));
        agree(a.dip, b.dip, 1e-12, &values);
        assert_eq!(modes(&values), modes(&turned));
        let near = |a: f64, b: f64| {
            assert!((a - b).abs() <= 1e-9 || (a.is_nan() && b.is_nan()), "{values:?}: {a} {b}");
        };
        near(skewness(&values), -skewness(&turned));
        near(excess_kurtosis(&values), excess_kurtosis(&turned));
        let (up, down) = (sorted(&values), sorted(&turned));
        for p in [0.1, 0.25, 0.5, 0.9] {
            agree(harrell_davis(&up, p), -harrell_davis(&down, 1.0 - p), 1e-11, &values);
            let (a, b) = (quantile_interval(&up, p, 0.8), quantile_interval(&down, 1.0 - p, 0.8));
            assert_eq!(a.map(|i| (i.low, i.high)), b.map(|i| (-i.high, -i.low)), "{p} {values:?}");
        }
    }
}

#[test]
fn batches_are_the_groups_one_by_one() {
    let groups = samples();
    let (mut values, mut offsets) = (vec![], vec![0]);
    // Repeated several times, so that threads share the work.
    for group in groups.iter().cycle().take(3000) {
        values.extend(group);
        offsets.push(values.len());
    }
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            (shapiro_wilk_batch(&values, &offsets), harrell_davis_batch(&values, &offsets, &LEVELS))
        })
    };
    let (tests, estimates) = run(1);
    assert_eq!((&tests, &estimates), (&run(3).0, &run(3).1));
    for (i, group) in groups.iter().cycle().take(3000).enumerate() {
        assert_eq!(tests[i], shapiro_wilk(group));
        let row = &estimates[i * LEVELS.len()..(i + 1) * LEVELS.len()];
        assert_eq!(row, HarrellDavisWeights::of(group.len(), &LEVELS).apply(&sorted(group)));
    }
    assert_eq!(shapiro_wilk_batch(&values, &[0, 5, 3, usize::MAX])[1..], [None, None]);
    assert!(harrell_davis_batch(&values, &[5, 3, usize::MAX], &LEVELS).iter().all(|v| v.is_nan()));
    assert!(harrell_davis_batch(&values, &offsets, &[]).is_empty());
}

#[test]
fn estimates_stay_within_the_sample() {
    for values in samples() {
        let sorted = sorted(&values);
        let (low, high) = (sorted[0], sorted[sorted.len() - 1]);
        let mut last = low;
        for k in 0..=50 {
            let estimate = harrell_davis(&sorted, f64::from(k) / 50.0);
            assert!(
                (low..=high).contains(&estimate) && estimate >= last - 1e-9 * last.abs(),
                "{values:?} {k}"
            );
            last = estimate;
        }
        let dip = dip(&values).expect("a dip");
        assert!(dip.dip >= 0.5 / values.len() as f64 && dip.dip <= 0.5 && (1e-4..=1.0).contains(&dip.p));
        assert!(
            shapiro_wilk(&values)
                .is_none_or(|t| (0.0..=1.0).contains(&t.statistic) && (0.0..=1.0).contains(&t.p))
        );
        assert!(anderson_darling(&values).is_none_or(|t| t.statistic > 0.0 && (0.0..=1.0).contains(&t.p)));
    }
}

#[test]
fn nothing_panics() {
    let pool =
        [0.0, -0.0, 1.0, -1.0, 1e300, -1e300, 1e-300, 5e-324, f64::MAX, f64::MIN, f64::NAN, f64::INFINITY];
    let mut lcg = Lcg(6);
    let mut lists =
        vec![vec![], vec![0.0; 60], vec![1e300; 3], vec![1e-300; 55], vec![f64::NAN; 5], vec![3.0; 5001]];
    for n in [1, 2, 3, 4, 5, 8, 9, 12, 30, 80] {
        for kinds in [3, 8, 10, 12] {
            lists.extend(
                (0..6).map(|_| (0..n).map(|_| pool[lcg.below(kinds) as usize]).collect::<Vec<f64>>()),
            );
        }
    }
    for x in &lists {
        let _ = (shapiro_wilk(x), anderson_darling(x), dip(x), modes(x), spread_ties(x));
        let _ = (skewness(x), excess_kurtosis(x), coefficient_of_variation(x));
        let (a, b) = (bandwidth_nrd0(x), bandwidth_sj(x).unwrap_or(f64::NAN));
        for p in [0.5, 0.0, 1.0, -1.0, 2.0, f64::NAN, 1e-320, f64::INFINITY] {
            let _ = (trimmed_mean(x, p), harrell_davis(x, p));
            for confidence in [0.95, 0.0, 1.0, -1.0, f64::NAN] {
                let _ = quantile_interval(x, p, confidence);
            }
            for h in [a, b, p] {
                assert_eq!(density(x, h, f64::MIN, f64::MAX, 3).len(), 3);
                assert_eq!(density(x, h, -1.0, p, 70).len(), 70);
            }
        }
        assert!(density(x, 1.0, 0.0, 1.0, 0).is_empty());
    }
    assert_eq!((shapiro_wilk(&lists[5]), shapiro_wilk(&lists[1])), (None, None));
    let many: Vec<f64> = (0..5001).map(f64::from).collect();
    assert_eq!(shapiro_wilk(&many), None);
    assert!(shapiro_wilk(&many[1..]).is_some() && anderson_darling(&many).is_some());
}
