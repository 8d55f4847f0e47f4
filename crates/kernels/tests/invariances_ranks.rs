//! What must not matter to the rank tests of several samples and of blocks: unit, order, threads. No input panics.

use crate::common::{Lcg, agree};
use statera_kernels::{
    brunner_munzel, friedman, kruskal_wallis, quade, sign_test,
    special::{t_quantile, t_sf},
};

/// Tables of 2 to 20 treatments in 1 to 40 blocks, with few or many ties.
fn tables() -> Vec<(Vec<f64>, usize)> {
    let mut lcg = Lcg(61);
    (0..150)
        .map(|_| {
            let k = [2, 3, 4, 5, 7, 20][lcg.below(6) as usize];
            let (blocks, span) = (1 + lcg.below(40) as usize, [2, 7, 50, 1_000_000][lcg.below(4) as usize]);
            (lcg.sample(blocks * k, -3, span, 1.0), k)
        })
        .collect()
}

fn mapped(values: &[f64], change: impl Fn(f64) -> f64) -> Vec<f64> {
    values.iter().map(|&v| change(v)).collect()
}

/// The columns of a table, as samples.
fn columns(values: &[f64], k: usize) -> Vec<Vec<f64>> {
    (0..k).map(|j| values.iter().skip(j).step_by(k).copied().collect()).collect()
}

fn views(samples: &[Vec<f64>]) -> Vec<&[f64]> {
    samples.iter().map(Vec::as_slice).collect()
}

/// A table with its columns reversed and its rows rotated.
fn turned(values: &[f64], k: usize) -> Vec<f64> {
    let mut rows: Vec<Vec<f64>> = values.chunks(k).map(|row| row.iter().rev().copied().collect()).collect();
    let third = rows.len() / 3;
    rows.rotate_left(third);
    rows.concat()
}

#[test]
fn the_unit_does_not_matter() {
    for (values, k) in tables() {
        for unit in [2_f64.powi(-900), 2_f64.powi(-3), 2_f64.powi(990)] {
            let other = mapped(&values, |v| v * unit);
            assert_eq!(friedman(&values, k), friedman(&other, k));
            assert_eq!(quade(&values, k), quade(&other, k));
            let (plain, scaled) = (columns(&values, k), columns(&other, k));
            assert_eq!(kruskal_wallis(&views(&plain)), kruskal_wallis(&views(&scaled)));
            let both = |s: &[Vec<f64>]| format!("{:?}", brunner_munzel(&s[0], &s[1], 0.95));
            assert_eq!(both(&plain), both(&scaled));
            assert_eq!(sign_test(&values), sign_test(&other));
        }
        // Ranks do not depend on scale.
        let cubes = mapped(&values, |v| v * v * v);
        assert_eq!(friedman(&values, k), friedman(&cubes, k));
        assert_eq!(kruskal_wallis(&views(&columns(&values, k))), kruskal_wallis(&views(&columns(&cubes, k))));
    }
}

#[test]
fn the_order_does_not_matter() {
    for (values, k) in tables() {
        let other = turned(&values, k);
        assert_eq!(friedman(&values, k), friedman(&other, k));
        assert_eq!(quade(&values, k), quade(&other, k));
        let (a, b) = (columns(&values, k), columns(&other, k));
        let (a, b) =
            (kruskal_wallis(&views(&a)).expect("a test"), kruskal_wallis(&views(&b)).expect("a test"));
        agree(a.statistic, b.statistic, 1e-13, &values);
        agree(a.p, b.p, 1e-11, &values);
        assert_eq!((a.df, a.n), (b.df, b.n));
    }
}

#[test]
fn a_swap_and_a_turn_mirror() {
    for (values, k) in tables() {
        let samples = columns(&values, k);
        let turned: Vec<Vec<f64>> = samples.iter().map(|s| mapped(s, |v| -v)).collect();
        let Some(forth) = brunner_munzel(&samples[0], &samples[1], 0.95) else { continue };
        for (x, y) in [(&samples[1], &samples[0]), (&turned[0], &turned[1])] {
            let back = brunner_munzel(x, y, 0.95).expect("a test");
            assert_eq!((forth.p, forth.statistic), (back.p, -back.statistic));
            agree(forth.superiority, 1.0 - back.superiority, 1e-14, &samples);
            agree(forth.low, 1.0 - back.high, 1e-12, &samples);
            agree(forth.high, 1.0 - back.low, 1e-12, &samples);
        }
        let negative = mapped(&values, |v| -v);
        assert_eq!(friedman(&values, k), friedman(&negative, k));
        assert_eq!(quade(&values, k), quade(&negative, k));
        assert_eq!(sign_test(&values).map(|t| t.p), sign_test(&negative).map(|t| t.p));
    }
}

/// Two treatments are two samples: Friedman's χ² is then the square of the sign test's z, with ties left out.
#[test]
fn friedman_of_two_treatments_counts_signs() {
    for (values, k) in tables().into_iter().filter(|(_, k)| *k == 2) {
        let d: Vec<f64> = values.chunks(k).map(|row| row[1] - row[0]).collect();
        let kept = d.iter().filter(|v| **v != 0.0).count() as f64;
        let lead = 2.0 * sign_test(&d).expect("a test").statistic - kept;
        let expected = if kept == 0.0 { 0.0 } else { lead * lead / kept };
        agree(friedman(&values, k).expect("a test").statistic, expected, 1e-13, &values);
    }
}

#[test]
fn what_cannot_be_tested() {
    let (none, one, two): (&[f64], &[f64], &[f64]) = (&[], &[4.0], &[4.0, 5.0]);
    for groups in [&[][..], &[one], &[none, none], &[none, two]] {
        assert_eq!(kruskal_wallis(groups), None);
    }
    let test = kruskal_wallis(&[one, none, two]).expect("two samples that hold values");
    assert_eq!((test.df, test.n), (1.0, 3));
    for (values, k) in [(none, 2), (two, 0), (two, 1), (one, 2), (&[1.0, 2.0, 3.0][..], 2)] {
        assert_eq!((friedman(values, k), quade(values, k)), (None, None));
    }
    assert_eq!(quade(two, 2), None);
    assert_eq!(friedman(two, 2).map(|f| (f.statistic, f.blocks)), Some((1.0, 1)));
    assert_eq!((brunner_munzel(one, two, 0.95), brunner_munzel(two, one, 0.95)), (None, None));
    for size in [2, 60] {
        let same = vec![3.5; size * 3];
        let test = kruskal_wallis(&[&same, &same, one, &same]).expect("a test");
        assert!(test.epsilon_squared > 0.0);
        let test = kruskal_wallis(&[&same, &same]).expect("a test");
        assert_eq!((test.statistic, test.p, test.epsilon_squared), (0.0, 1.0, 0.0));
        let test = friedman(&same, 3).expect("a test");
        assert_eq!((test.statistic, test.p, test.kendall_w), (0.0, 1.0, 0.0));
        let test = quade(&same, 3).expect("a test");
        assert_eq!((test.statistic, test.p), (0.0, 1.0));
        let test = brunner_munzel(&same, &same, 0.95).expect("a test");
        assert_eq!((test.statistic, test.p, test.superiority), (0.0, 1.0, 0.5));
        let zeros = vec![0.0; size];
        assert_eq!(sign_test(&zeros).map(|t| (t.statistic, t.p)), Some((0.0, 1.0)));
    }
}

/// The quantile of t inverts its tail, from the middle to the end of the range of floats.
#[test]
fn quantiles_of_t_undo_its_tails() {
    for df in [0.3, 1.0, 1.7, 2.0, 3.5, 9.0, 38.2, 400.0, 1e5, 1e9] {
        for exponent in 3..900 {
            let tail = 2_f64.powf(-f64::from(exponent) / 3.0 * 1.1);
            let t = t_quantile(tail, df);
            if t > -1e290 {
                agree(t_sf(-t, df), tail, 1e-12, &(df, tail, t));
            }
        }
    }
}

#[test]
fn nothing_panics() {
    let pool =
        [0.0, -0.0, 1.0, -1.0, 1e300, -1e300, 1e-300, 5e-324, f64::MAX, f64::MIN, f64::NAN, f64::INFINITY];
    let mut lcg = Lcg(71);
    for n in [0, 1, 2, 3, 5, 9, 30, 51, 80] {
        for _ in 0..20 {
            let x: Vec<f64> = (0..n).map(|_| pool[lcg.below(12) as usize]).collect();
            let y: Vec<f64> = (0..=lcg.below(40)).map(|_| pool[lcg.below(12) as usize]).collect();
            for confidence in [0.95, 0.0, 1.0, -1.0, f64::NAN] {
                if let Some(test) = brunner_munzel(&x, &y, confidence) {
                    assert!((0.0..=1.0).contains(&test.p), "{x:?} {y:?}");
                }
            }
            for k in [0, 1, 2, 3, 5, 10, 17, 51] {
                assert!(friedman(&x, k).is_none_or(|test| (0.0..=1.0).contains(&test.p)), "{x:?}");
                assert!(quade(&x, k).is_none_or(|test| (0.0..=1.0).contains(&test.p)), "{x:?}");
            }
            let test = kruskal_wallis(&[&x, &y, &x]);
            assert!(test.is_none_or(|test| (0.0..=1.0).contains(&test.p)), "{x:?} {y:?}");
            assert!(sign_test(&x).is_none_or(|test| (0.0..=1.0).contains(&test.p)), "{x:?}");
        }
    }
}
