//! What must not matter to change points, equivalence, components and planning: unit, order, side, direction.
//! What must always hold: a definite outcome on any input.

use crate::common::{Lcg, agree};
use statera_kernels::{
    detectable_two_sample, nested_components, pelt, repetitions, runs_for, runs_for_change, segment_means,
    timer_resolution, tost_paired, tost_rank, tost_signed_rank, tost_welch, variance_components, warm_up,
    worth,
};

const UNITS: [f64; 3] = [1e-300, 9.313225746154785e-10, 1e290];

fn scaled(values: &[f64], unit: f64) -> Vec<f64> {
    values.iter().map(|v| v * unit).collect()
}

/// Noise with up to three changes of level.
fn series() -> Vec<Vec<f64>> {
    let mut lcg = Lcg(71);
    let one = |_| {
        let mut level = 0;
        let parts = (0..=lcg.below(4)).flat_map(|_| {
            level += lcg.below(3000) as i64;
            let n = 3 + lcg.below(80) as usize;
            lcg.sample(n, level, 1000, 1.0)
        });
        parts.collect()
    };
    (0..150).map(one).collect()
}

#[test]
fn the_unit_of_a_series_does_not_matter() {
    for values in series() {
        let (changes, found) = (pelt(&values, None, 2), warm_up(&values));
        for unit in UNITS.into_iter().chain([-1.0]) {
            let other = scaled(&values, unit);
            assert_eq!(pelt(&other, None, 2), changes);
            assert_eq!(warm_up(&other).map(|w| w.end), found.map(|w| w.end));
            if let (Some(a), Some(b)) = (found, warm_up(&other)) {
                agree(b.level_before, a.level_before * unit, 1e-13, &a);
                agree(b.level_after, a.level_after * unit, 1e-13, &a);
                assert!((a.relative - b.relative).abs() <= 1e-12 * (1.0 + a.relative.abs()), "{a:?}");
            }
        }
    }
}

#[test]
fn a_series_read_backwards_changes_at_the_same_places() {
    for values in series() {
        let mut backwards = values.clone();
        backwards.reverse();
        let mut mirrored: Vec<usize> = pelt(&backwards, None, 3).iter().map(|at| values.len() - at).collect();
        mirrored.reverse();
        assert_eq!(pelt(&values, None, 3), mirrored);
    }
}

#[test]
fn a_higher_penalty_finds_no_more() {
    for values in series() {
        let counts = [3.0, 10.0, 30.0, 1000.0].map(|penalty| pelt(&values, Some(penalty), 2).len());
        assert!(counts.windows(2).all(|pair| pair[0] >= pair[1]), "{counts:?}");
        let changes = pelt(&values, None, 4);
        assert_eq!(segment_means(&values, &changes).len(), changes.len() + 1);
        let ends = changes.iter().copied().chain([values.len()]);
        assert!(
            ends.zip([0].iter().chain(&changes)).all(|(end, start)| end >= start + 4 || changes.is_empty())
        );
    }
}

/// Two samples and a margin.
fn pairs() -> Vec<(Vec<f64>, Vec<f64>, f64, f64)> {
    let mut lcg = Lcg(73);
    let one = |_| {
        let span = [3, 20, 1_000_000][lcg.below(3) as usize];
        let (m, n) = (2 + lcg.below(60) as usize, 2 + lcg.below(60) as usize);
        let (x, y) = (lcg.sample(m, 0, span, 1.0), lcg.sample(n, 0, span, 1.0));
        (x, y, -(lcg.below(span) as f64), lcg.below(span) as f64)
    };
    (0..150).map(one).collect()
}

#[test]
fn equivalence_mirrors_and_has_no_unit() {
    for (x, y, low, high) in pairs() {
        for test in [tost_welch, tost_rank] {
            let Some(forth) = test(&x, &y, low, high, 0.95) else {
                continue;
            };
            let back = test(&y, &x, -high, -low, 0.95).expect("a test");
            agree(forth.p_low, back.p_high, 1e-12, &forth);
            agree(forth.p_high, back.p_low, 1e-12, &forth);
            assert_eq!((forth.low, forth.high, forth.equivalent), (-back.high, -back.low, back.equivalent));
            let (mut a, mut b) = (x.clone(), y.clone());
            a.reverse();
            b.rotate_left(1);
            agree(test(&a, &b, low, high, 0.95).expect("a test").p, forth.p, 1e-9, &forth);
            let unit = 2_f64.powi(-500);
            let other =
                test(&scaled(&x, unit), &scaled(&y, unit), low * unit, high * unit, 0.95).expect("a test");
            agree(other.p, forth.p, 1e-12, &forth);
            assert_eq!((other.low, other.high), (forth.low * unit, forth.high * unit));
        }
        for test in [tost_paired, tost_signed_rank] {
            let Some(forth) = test(&x, low, high, 0.95) else {
                continue;
            };
            let back = test(&scaled(&x, -1.0), -high, -low, 0.95).expect("a test");
            agree(forth.p_low, back.p_high, 1e-12, &forth);
            assert_eq!((forth.low, forth.high, forth.equivalent), (-back.high, -back.low, back.equivalent));
        }
    }
}

#[test]
fn equivalent_is_what_the_interval_says() {
    for (x, y, low, high) in pairs() {
        for confidence in [0.9, 0.95, 0.99] {
            let tests = [
                tost_welch(&x, &y, low, high, confidence),
                tost_rank(&x, &y, low, high, confidence),
                tost_paired(&x, low, high, confidence),
                tost_signed_rank(&x, low, high, confidence),
            ];
            for test in tests.into_iter().flatten() {
                let within = low <= test.low && test.high <= high;
                assert!(!test.equivalent || (within && test.p <= 1.0 - confidence + 1e-12), "{test:?}");
                assert!((0.0..=1.0).contains(&test.p_low) && (0.0..=1.0).contains(&test.p_high), "{test:?}");
            }
        }
    }
}

#[test]
fn components_do_not_depend_on_order_or_unit() {
    let mut lcg = Lcg(79);
    for _ in 0..100 {
        let mut runs: Vec<Vec<f64>> = (0..2 + lcg.below(6))
            .map(|_| {
                let (n, level) = (2 + lcg.below(9) as usize, lcg.below(3000) as i64);
                lcg.sample(n, level, 1000, 1.0)
            })
            .collect();
        let of = |runs: &[Vec<f64>]| {
            let groups: Vec<&[f64]> = runs.iter().map(Vec::as_slice).collect();
            variance_components(&groups, 0.95).expect("components")
        };
        let first = of(&runs);
        let other = of(&runs.iter().map(|run| scaled(run, 1e-70)).collect::<Vec<_>>());
        agree(other.within, first.within * 1e-140, 1e-12, &first);
        assert!(
            (other.between - first.between * 1e-140).abs() <= 1e-12 * (first.between + first.within) * 1e-140
        );
        let far = of(&runs.iter().map(|run| scaled(run, 1e300)).collect::<Vec<_>>());
        assert!((far.icc - first.icc).abs() < 1e-12 && (far.icc_high - first.icc_high).abs() < 1e-12);
        agree(far.p, first.p, 1e-10, &first);
        runs.reverse();
        for run in &mut runs {
            run.reverse();
        }
        let turned = of(&runs);
        agree(turned.within, first.within, 1e-12, &first);
        agree(turned.p, first.p, 1e-10, &first);
    }
}

#[test]
fn a_step_keeps_through_changes_of_unit() {
    let mut lcg = Lcg(83);
    for _ in 0..200 {
        let ticks = lcg.sample(12, 100_000, 60_000, 1.0);
        let step = timer_resolution(&ticks).expect("a step");
        for unit in [1e-9, 1e-6, 1e-3, 41.67, 1e12] {
            agree(timer_resolution(&scaled(&ticks, unit)).expect("a step"), step * unit, 1e-13, &ticks);
            let there_and_back = scaled(&scaled(&ticks, 1e-9), 1e9);
            agree(timer_resolution(&there_and_back).expect("a step"), step, 1e-13, &ticks);
        }
        let mut turned = scaled(&ticks, -1.0);
        turned.reverse();
        assert_eq!(timer_resolution(&turned), Some(step));
    }
}

#[test]
fn planning_is_monotone_and_has_no_unit() {
    for n in 4..80 {
        let now = detectable_two_sample(1.0, n, n, 0.95, 0.8);
        assert!(detectable_two_sample(1.0, n, n, 0.95, 0.9) > now);
        agree(detectable_two_sample(1e-9, n, n, 0.95, 0.8), now * 1e-9, 1e-12, &n);
        agree(
            detectable_two_sample(1.0, n, 2 * n, 0.95, 0.8),
            detectable_two_sample(1.0, 2 * n, n, 0.95, 0.8),
            0.0,
            &n,
        );
    }
    // Half of the change needs four times the runs.
    let runs = runs_for_change(1.0, 0.02, 0.95, 0.8);
    assert!((runs_for_change(1.0, 0.01, 0.95, 0.8) / runs - 4.0).abs() < 0.01);
}

#[test]
fn every_input_has_a_decided_outcome() {
    let huge = [1.7e308, -1.7e308, 1.0, 1.7e308, -1.7e308, 0.0, 3.0, -1.7e308];
    let tiny = [5e-324, 1e-323, 0.0, 5e-324, 2e-323, 5e-324, 0.0, 1e-323];
    let constant = [3.5; 40];
    let alternating: Vec<f64> = (0..30).map(|i| f64::from(i % 2)).collect();
    let samples: [&[f64]; 9] =
        [&[], &[1.0], &[1.0, 2.0], &[0.0, 0.0], &[1.0, 1.0, 2.0], &huge, &tiny, &constant, &alternating];
    for x in samples {
        for least in [0, 1, 2, 100] {
            for penalty in [None, Some(0.0), Some(-1.0), Some(f64::NAN), Some(f64::INFINITY)] {
                assert!(pelt(x, penalty, least).windows(2).all(|pair| pair[0] < pair[1]));
            }
        }
        assert!(warm_up(x).is_none_or(|found| found.end > 0 && 2 * found.end <= x.len()));
        assert!(timer_resolution(x).is_none_or(|step| step > 0.0));
        assert!(nested_components(x, &[2, 4]).is_none_or(|found| found.len() == 2));
        assert_eq!(nested_components(x, &[]), None);
        for y in samples {
            let _ = variance_components(&[x, y], 0.95)
                .is_some_and(|found| runs_for(&found, 1.0, 1.0, 0.95, 0.8) > 0.0);
            for (low, high) in [(-1.0, 1.0), (0.0, 0.0), (f64::NEG_INFINITY, 2.0)] {
                let tests = [tost_welch(x, y, low, high, 0.95), tost_rank(x, y, low, high, 0.95)];
                assert!(tests.into_iter().flatten().all(|test| !test.equivalent || test.p <= 0.05));
            }
            assert_eq!(tost_welch(x, y, 1.0, -1.0, 0.95), None);
            assert_eq!(tost_rank(x, y, f64::NAN, 1.0, 0.95), None);
        }
        for test in [tost_paired, tost_signed_rank] {
            assert!(test(x, -1.0, 1.0, 0.95).is_none_or(|test| !test.equivalent || test.p <= 0.05));
            assert_eq!(test(x, 1.0, -1.0, 0.95), None);
        }
    }
    assert_eq!(pelt(&constant, None, 2), [0_usize; 0]);
    assert_eq!(timer_resolution(&constant), None);
    assert_eq!(tost_welch(&constant, &constant, -1.0, 1.0, 0.95), None);
    assert_eq!(variance_components(&[&[1.0], &[2.0]], 0.95), None);
    let still = variance_components(&[&[1.0, 1.0], &[1.0, 1.0]], 0.95).expect("components");
    assert!(still.icc.is_nan() && still.icc_low.is_nan() && still.p == 1.0 && still.between == 0.0);
    assert_eq!(worth(&still, 1.0, 1.0), 1.0);
    let apart = variance_components(&[&[1.0, 1.0], &[2.0, 2.0]], 0.95).expect("components");
    assert!(apart.icc == 1.0 && apart.p == 0.0 && apart.f == f64::INFINITY && apart.icc_high == 1.0);
    assert!(repetitions(1.0, 1.0, f64::NAN, 1.0).is_nan());
    assert!(runs_for(&apart, 1.0, f64::NAN, 0.95, 0.8).is_nan());
    for bad in [0.0, -1.0, f64::NAN] {
        assert_eq!(runs_for_change(1.0, bad, 0.95, 0.8), f64::INFINITY);
    }
    assert_eq!(detectable_two_sample(1.0, 0, 5, 0.95, 0.8), f64::INFINITY);
    assert_eq!(runs_for_change(0.0, 1.0, 0.95, 0.8), 4.0);
}
