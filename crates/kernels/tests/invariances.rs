//! What must not matter: the unit, the order of values, which sample comes first, the number of threads. What
//! must always hold: verdicts and intervals agree, no input panics.

use crate::common::{Lcg, agree};
use statera_kernels::{
    Comparison, RowSample, Zeros, alpha, autocorrelation, distinct, drift, iqr, least_pairs, least_runs, mad,
    mean, median, median_interval, one_sample, order_correlation, outliers, quantile_sorted, run_by_run, sd,
    signed_rank, two_sample, welch,
};

/// Samples of many sizes with few or many ties.
fn samples() -> Vec<(Vec<f64>, Vec<f64>)> {
    let mut lcg = Lcg(99);
    (0..120)
        .map(|_| {
            let span = [2, 7, 50, 1_000_000][lcg.below(4) as usize];
            let (m, n) = (1 + lcg.below(70) as usize, 1 + lcg.below(70) as usize);
            let push = lcg.below(span) as i64 / 2;
            (lcg.sample(m, 1, span, 1.0), lcg.sample(n, 1 + push, span, 1.0))
        })
        .collect()
}

fn scaled(values: &[f64], unit: f64) -> Vec<f64> {
    values.iter().map(|v| v * unit).collect()
}

fn both(x: &[f64], y: &[f64]) -> [Comparison; 2] {
    [two_sample(x, y, 0.95).expect("two samples"), one_sample(y, 0.95).expect("one sample")]
}

#[test]
fn the_unit_does_not_matter() {
    for (x, y) in samples() {
        for unit in [2_f64.powi(-900), 2_f64.powi(-3), 2_f64.powi(990)] {
            for (plain, other) in both(&x, &y).into_iter().zip(both(&scaled(&x, unit), &scaled(&y, unit))) {
                assert_eq!(plain.test, other.test);
                assert_eq!(plain.shift.estimate * unit, other.shift.estimate);
                assert_eq!(plain.shift.interval.low * unit, other.shift.interval.low);
                assert_eq!(plain.shift.interval.high * unit, other.shift.interval.high);
                assert_eq!(plain.shift.interval.level, other.shift.interval.level);
            }
        }
    }
}

#[test]
fn a_swap_mirrors() {
    for (x, y) in samples() {
        let forth = two_sample(&x, &y, 0.95).expect("a comparison");
        mirrored(&forth, &two_sample(&y, &x, 0.95).expect("a comparison"));
        if let (Some(a), Some(b)) = (welch(&x, &y, 0.95), welch(&y, &x, 0.95)) {
            mirrored(&a, &b);
        }
        let ratios = one_sample(&y, 0.95).expect("a comparison");
        mirrored(&ratios, &one_sample(&scaled(&y, -1.0), 0.95).expect("a comparison"));
    }
}

fn mirrored(forth: &Comparison, back: &Comparison) {
    agree(forth.test.p, back.test.p, 1e-13, forth);
    assert_eq!(forth.shift.estimate, -back.shift.estimate);
    assert_eq!(forth.shift.interval.low, -back.shift.interval.high);
    assert_eq!(forth.shift.interval.high, -back.shift.interval.low);
    assert_eq!(forth.shift.low_open, back.shift.high_open);
    agree(forth.shift.interval.level, back.shift.interval.level, 1e-13, forth);
    agree(forth.superiority, 1.0 - back.superiority, 1e-13, forth);
}

#[test]
fn the_order_within_a_sample_does_not_matter() {
    for (x, y) in samples() {
        let (mut a, mut b) = (x.clone(), y.clone());
        a.reverse();
        b.rotate_left(y.len() / 3);
        assert_eq!(both(&x, &y), both(&a, &b));
        assert_eq!(median(&x), median(&a));
        assert_eq!(mad(&y), mad(&b));
        assert_eq!(iqr(&y), iqr(&b));
    }
}

#[test]
fn the_verdict_and_the_interval_agree() {
    for (x, y) in samples() {
        for confidence in [0.8, 0.9, 0.95, 0.99] {
            for row in [two_sample(&x, &y, confidence), one_sample(&scaled(&y, -1.0), confidence)]
                .into_iter()
                .flatten()
            {
                let (interval, shift) = (row.shift.interval, row.shift);
                assert!(interval.low <= shift.estimate && shift.estimate <= interval.high, "{row:?}");
                if row.test.p > alpha(confidence) {
                    assert!(
                        interval.low <= 0.0 && 0.0 <= interval.high && !shift.low_open && !shift.high_open
                    );
                } else {
                    assert_eq!(shift.low_open, interval.low == 0.0);
                    assert_eq!(shift.high_open, interval.high == 0.0);
                }
            }
        }
    }
}

#[test]
fn nothing_panics() {
    let pool =
        [0.0, -0.0, 1.0, -1.0, 1e300, -1e300, 1e-300, 5e-324, f64::MAX, f64::MIN, f64::NAN, f64::INFINITY];
    let mut lcg = Lcg(5);
    let mut lists = vec![vec![], vec![0.0; 60], vec![1e300; 3], vec![1e-300; 55], vec![f64::NAN; 5]];
    for n in [1, 2, 3, 5, 9, 30, 51, 80] {
        for _ in 0..8 {
            lists.push((0..n).map(|_| pool[lcg.below(pool.len() as u64) as usize]).collect());
        }
    }
    for x in &lists {
        for confidence in [0.95, 0.0, 1.0, -1.0, f64::NAN] {
            let _ = (one_sample(x, confidence), median_interval(x, confidence));
            let _ = run_by_run(&[RowSample::Paired { log_ratios: x }], confidence);
        }
        let _ = (
            signed_rank(x, Zeros::Drop),
            signed_rank(x, Zeros::Pratt),
            mean(x),
            sd(x),
            median(x),
            mad(x),
            iqr(x),
        );
        let _ = (drift(x), autocorrelation(x), outliers(x), distinct(x), quantile_sorted(x, f64::NAN));
        for y in &lists {
            let _ = (two_sample(x, y, 0.95), welch(x, y, 0.95), order_correlation(x, y));
        }
    }
}

#[test]
fn the_median_interval_is_the_binomial_one() {
    let values: Vec<f64> = (1..=20).map(f64::from).collect();
    let interval = median_interval(&values, 0.95).expect("an interval");
    assert_eq!((interval.low, interval.high), (6.0, 15.0));
    // 1 − 2 · (1 + 20 + 190 + 1140 + 4845 + 15504) / 2^20
    agree(interval.level, 1.0 - 2.0 * 21_700.0 / 1_048_576.0, 1e-14, &interval);
    assert_eq!(median_interval(&values[..5], 0.95), None);
    assert_eq!(median_interval(&values[..6], 0.95).map(|i| (i.low, i.high)), Some((1.0, 6.0)));
    // The search for large samples continues the sums for small ones.
    let large: Vec<f64> = (0..1001).map(f64::from).collect();
    let (a, b) = (median_interval(&large[..1000], 0.95), median_interval(&large, 0.95));
    assert_eq!(a.map(|i| (i.low, i.high)), Some((468.0, 531.0)));
    assert_eq!(b.map(|i| i.low + i.high), Some(1000.0));
}

#[test]
fn planning() {
    assert_eq!(least_runs(0.05, 1, 100), Some(4));
    assert_eq!(least_runs(0.05, 50, 100), Some(7));
    assert_eq!(least_pairs(0.05, 1, 100), Some(6));
    assert_eq!(least_runs(1e-9, 1000, 10), None);
}

fn in_order(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

#[test]
fn suites() {
    let mut lcg = Lcg(17);
    let data: Vec<(Vec<f64>, Vec<f64>)> =
        (0..40).map(|_| (lcg.sample(5, 0, 1000, 1e-3), lcg.sample(6, 100, 1000, 1e-3))).collect();
    let rows: Vec<RowSample> =
        data.iter().map(|(baseline, contender)| RowSample::Independent { baseline, contender }).collect();
    let found = run_by_run(&rows, 0.95).expect("an interval");
    // By definition: the suite is one more row, whose value in a run is the mean over all rows.
    let mean_of = |side: &dyn Fn(usize) -> f64| (0..40).map(side).sum::<f64>() / 40.0;
    let old: Vec<f64> = (0..5).map(|run| mean_of(&|row| data[row].0[run])).collect();
    let new: Vec<f64> = (0..6).map(|run| mean_of(&|row| data[row].1[run])).collect();
    let shift = two_sample(&in_order(old), &in_order(new), 0.95).expect("values").shift;
    agree(found.estimate, shift.estimate, 1e-13, &found);
    agree(found.interval.low, shift.interval.low, 1e-13, &found);
    agree(found.interval.high, shift.interval.high, 1e-13, &found);
    // An influence shared by all rows of a run widens the interval as it widens that of one row.
    let slow =
        |values: &[f64]| -> Vec<f64> { values.iter().zip(0..).map(|(v, k)| v + f64::from(k % 3)).collect() };
    let shared: Vec<_> = data.iter().map(|(old, new)| (slow(old), slow(new))).collect();
    let shared: Vec<RowSample> =
        shared.iter().map(|(baseline, contender)| RowSample::Independent { baseline, contender }).collect();
    let wide = run_by_run(&shared, 0.95).expect("an interval").interval;
    assert!(wide.high - wide.low > 1.0, "{wide:?}");
    // With too few runs there is no interval, a row with more runs distributes them, and pairs remain pairs.
    assert_eq!(
        run_by_run(&[RowSample::Independent { baseline: &[1.0, 2.0, 3.0], contender: &[4.0] }], 0.95),
        None
    );
    let dealt = [
        RowSample::Paired { log_ratios: &[1.0, 2.0, 3.0, 6.0] },
        RowSample::Paired { log_ratios: &[0.0, 1.0] },
    ];
    // Runs of (2 + 0) / 2 and (4 + 1) / 2; the widest interval of two pairs attains 50 %.
    let found = run_by_run(&dealt, 0.5).expect("an interval");
    assert_eq!((found.estimate, found.interval.low, found.interval.high), (1.75, 1.0, 2.5));
    assert_eq!(run_by_run(&dealt, 0.95), None);
    assert_eq!(run_by_run(&[], 0.95), None);
}
