//! What must not matter to resampling: the unit, the order of values and rows, which sample comes first, the
//! number of threads. And no input panics.

use crate::common::Lcg;
use statera_kernels::{
    BootMethod, BootPlan, BootStatistic, Bootstrap, MaxT, MaxTRow, Moderation, Relabeling, block_bootstrap,
    block_length, bootstrap, bootstrap_batch, bootstrap_difference, bootstrap_difference_batch,
    bootstrap_general, influences, mean, prior, shift_function, westfall_young, westfall_young_with,
};

const STATISTICS: [BootStatistic; 3] =
    [BootStatistic::Mean, BootStatistic::Median, BootStatistic::TrimmedMean(0.2)];
const METHODS: [BootMethod; 2] = [BootMethod::Percentile, BootMethod::Bca];
const DESIGNS: [Relabeling; 4] = [
    Relabeling::TwoSample { m: 3, n: 5 },
    Relabeling::TwoSample { m: 12, n: 12 },
    Relabeling::TwoSample { m: 15, n: 9 },
    Relabeling::Signs { n: 21 },
];

fn scaled(values: &[f64], unit: f64) -> Vec<f64> {
    values.iter().map(|v| v * unit).collect()
}

fn turned(values: &[f64]) -> Vec<f64> {
    let mut other: Vec<f64> = values.iter().rev().copied().collect();
    other.rotate_left(values.len() / 3);
    other
}

/// Pairs of samples of many sizes with few or many ties.
fn samples() -> Vec<(Vec<f64>, Vec<f64>)> {
    let mut lcg = Lcg(31);
    (0..40)
        .map(|_| {
            let span = [2, 7, 50, 1_000_000][lcg.below(4) as usize];
            let (m, n) = (2 + lcg.below(40) as usize, 2 + lcg.below(40) as usize);
            (lcg.sample(m, 1, span, 1.0), lcg.sample(n, 1, span + 5, 1.0))
        })
        .collect()
}

/// Rows of a design, some of them constant or with few values.
fn table(design: Relabeling, seed: u64) -> Vec<Vec<f64>> {
    let count = match design {
        Relabeling::TwoSample { m, n } => m + n,
        Relabeling::Signs { n } => n,
    };
    let mut lcg = Lcg(seed);
    (0..30)
        .map(|_| {
            let span = [1, 2, 50, 1_000_000][lcg.below(4) as usize];
            lcg.sample(count, -(span as i64) / 2, span, 1.0)
        })
        .collect()
}

fn rows(values: &[Vec<f64>], pools: usize) -> Vec<MaxTRow<'_>> {
    values.iter().enumerate().map(|(i, values)| MaxTRow { values, pool: i % pools }).collect()
}

fn max_t(values: &[Vec<f64>], design: Relabeling) -> MaxT {
    westfall_young(&rows(values, 2), design, 2000, 5).expect("adjusted p-values")
}

/// Equal, where NaN equals NaN.
fn same(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || (a.is_nan() && b.is_nan()))
}

#[test]
fn max_t_does_not_depend_on_the_unit_or_the_order_of_rows() {
    for design in DESIGNS {
        let values = table(design, 3);
        let plain = max_t(&values, design);
        assert!(plain.p.iter().any(|p| p.is_nan()) && plain.p.iter().any(|p| *p <= 1.0));
        for unit in [2_f64.powi(-900), 0.125, 2_f64.powi(900)] {
            let other: Vec<Vec<f64>> = values.iter().map(|row| scaled(row, unit)).collect();
            assert!(same(&max_t(&other, design).p, &plain.p));
        }
        // Rotated by an even number of rows, so that all stay in their pools.
        let mut other = values.clone();
        other.rotate_left(8);
        let mut expected = plain.p.clone();
        expected.rotate_left(8);
        assert!(same(&max_t(&other, design).p, &expected));
    }
}

#[test]
fn max_t_mirrors_and_moves() {
    for design in DESIGNS {
        let values = table(design, 4);
        let plain = max_t(&values, design);
        let mirrored: Vec<Vec<f64>> = values.iter().map(|row| scaled(row, -1.0)).collect();
        assert!(same(&max_t(&mirrored, design).p, &plain.p));
        if let Relabeling::TwoSample { m, n } = design {
            let moved: Vec<Vec<f64>> =
                values.iter().map(|row| row.iter().map(|v| v + 1024.0).collect()).collect();
            assert!(same(&max_t(&moved, design).p, &plain.p));
            // If all relabelings are used, it does not matter which group comes first, nor the order within.
            let swapped: Vec<Vec<f64>> =
                values.iter().map(|row| [turned(&row[m..]), turned(&row[..m])].concat()).collect();
            let other = max_t(&swapped, Relabeling::TwoSample { m: n, n: m });
            assert_eq!((other.relabelings, other.exact), (plain.relabelings, plain.exact));
            assert!(!plain.exact || same(&other.p, &plain.p));
        }
    }
}

#[test]
fn max_t_is_in_step_with_its_parts() {
    for design in DESIGNS {
        let values = table(design, 6);
        let found = max_t(&values, design);
        assert!(found.p.iter().all(|p| p.is_nan() || (*p >= found.least_p && *p <= 1.0)), "{found:?}");
        // A single row needs no correction: no p-value is larger alone than among others.
        for (row, p) in values.iter().zip(&found.p).filter(|(_, p)| !p.is_nan()) {
            let plain = |values: &[Vec<f64>]| {
                westfall_young_with(&rows(values, 1), design, Moderation::None, 2000, 5).expect("p-values").p
            };
            let alone = plain(std::slice::from_ref(row));
            assert!(
                alone[0] <= plain(&[row.clone(), values[2].clone(), values[5].clone()])[0] && !p.is_nan()
            );
        }
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let (x, y) = (Lcg(1).sample(37, 1, 1000, 1.0), Lcg(2).sample(41, 1, 1000, 1.0));
    let all = || {
        let tables: Vec<MaxT> = DESIGNS.iter().map(|&d| max_t(&table(d, 7)[1..8], d)).collect();
        let draws: Vec<Option<Bootstrap>> = STATISTICS
            .iter()
            .flat_map(|&s| {
                [
                    bootstrap(&x, s, BootMethod::Bca, 0.95, 30_000, 1),
                    bootstrap_difference(&x, &y, s, BootMethod::Bca, 0.95, 30_000, 1),
                ]
            })
            .collect();
        let general = bootstrap_general(&x, &mean, BootMethod::Bca, 0.95, 999, 1);
        let blocks = block_bootstrap(&x, BootStatistic::Median, None, 0.95, 999, 1);
        let shift = shift_function(&x, &y, false, true, &[0.3, 0.5, 0.7], 0.95, 999, 1);
        format!("{tables:?} {draws:?} {general:?} {blocks:?} {shift:?}")
    };
    let [one, two, seven] = [1, 2, 7].map(|threads| pool(threads).install(all));
    assert_eq!(one, two);
    assert_eq!(one, seven);
}

/// All intervals of a pair of samples.
fn intervals(x: &[f64], y: &[f64]) -> Vec<Option<Bootstrap>> {
    STATISTICS
        .iter()
        .flat_map(|&s| METHODS.iter().map(move |&m| (s, m)))
        .flat_map(|(s, m)| [bootstrap(y, s, m, 0.9, 500, 3), bootstrap_difference(x, y, s, m, 0.9, 500, 3)])
        .collect()
}

#[test]
fn bootstraps_do_not_depend_on_unit_or_order() {
    for (x, y) in samples() {
        let plain = intervals(&x, &y);
        assert_eq!(plain, intervals(&turned(&x), &turned(&y)));
        for unit in [2_f64.powi(-900), 2_f64.powi(-3), 2_f64.powi(900)] {
            for (found, plain) in intervals(&scaled(&x, unit), &scaled(&y, unit)).into_iter().zip(&plain) {
                let expected = plain.map(|b| Bootstrap {
                    estimate: b.estimate * unit,
                    low: b.low * unit,
                    high: b.high * unit,
                    ..b
                });
                assert_eq!(found, expected);
            }
        }
    }
}

#[test]
fn a_swap_mirrors_a_difference() {
    for (x, y) in samples().into_iter().filter(|(x, y)| x != y) {
        for statistic in STATISTICS {
            for method in METHODS {
                let forth = bootstrap_difference(&x, &y, statistic, method, 0.9, 500, 3);
                let back = bootstrap_difference(&y, &x, statistic, method, 0.9, 500, 3);
                let mirrored =
                    forth.map(|b| (-b.estimate, -b.high, -b.low, -b.bias_correction, -b.acceleration));
                assert_eq!(
                    back.map(|b| (b.estimate, b.low, b.high, b.bias_correction, b.acceleration)),
                    mirrored
                );
            }
        }
        let levels = [0.25, 0.5, 0.75];
        let forth = shift_function(&x, &y, false, false, &levels, 0.9, 200, 3).expect("points");
        let back = shift_function(&y, &x, false, false, &levels, 0.9, 200, 3).expect("points");
        let n = x.len().min(y.len());
        let forth_paired =
            shift_function(&x[..n], &y[..n], true, false, &levels, 0.9, 200, 3).expect("points");
        let back_paired =
            shift_function(&y[..n], &x[..n], true, false, &levels, 0.9, 200, 3).expect("points");
        for (a, b) in forth.iter().chain(&forth_paired).zip(back.iter().chain(&back_paired)) {
            assert_eq!((a.old, a.new, a.change, a.supported), (b.new, b.old, -b.change, b.supported));
            assert!(same(&[a.low, a.high], &[-b.high, -b.low]), "{a:?} {b:?}");
        }
    }
}

#[test]
fn intervals_are_in_order_and_grow_with_the_confidence() {
    for (x, y) in samples() {
        for statistic in STATISTICS {
            let ask = |confidence| {
                bootstrap_difference(&x, &y, statistic, BootMethod::Percentile, confidence, 500, 3)
                    .expect("an interval")
            };
            let (narrow, wide) = (ask(0.8), ask(0.95));
            assert!(wide.low <= narrow.low && narrow.low <= narrow.high && narrow.high <= wide.high);
        }
        let bands = |confidence| {
            shift_function(&x, &y, false, true, &[0.3, 0.5], confidence, 500, 3).expect("points")
        };
        for (narrow, wide) in bands(0.8).iter().zip(bands(0.95)).filter(|(narrow, _)| narrow.supported) {
            assert!(wide.low <= narrow.low && narrow.high <= wide.high);
            assert!(narrow.low <= narrow.change && narrow.change <= narrow.high);
        }
    }
}

#[test]
fn a_batch_is_each_row_alone() {
    let (mut x, mut y, mut ends) = (Vec::new(), Vec::new(), (vec![0], vec![0]));
    for (a, b) in samples() {
        x.extend(a);
        y.extend(b);
        ends.0.push(x.len());
        ends.1.push(y.len());
    }
    for statistic in STATISTICS {
        let plan = BootPlan { statistic, method: BootMethod::Bca, confidence: 0.9, resamples: 300, seed: 9 };
        let one = bootstrap_batch(&x, &ends.0, &plan);
        let two = bootstrap_difference_batch(&x, &ends.0, &y, &ends.1, &plan);
        for (i, (a, b)) in samples().iter().enumerate() {
            assert_eq!(one[i], bootstrap(a, statistic, BootMethod::Bca, 0.9, 300, 9));
            assert_eq!(two[i], bootstrap_difference(a, b, statistic, BootMethod::Bca, 0.9, 300, 9));
        }
        assert_eq!(bootstrap_batch(&x, &[0, 5, x.len() + 1, 3], &plan)[1..], [None, None]);
        assert!(bootstrap_batch(&x, &[], &plan).is_empty());
    }
}

#[test]
fn a_general_statistic_may_be_one_of_ours() {
    for (x, _) in samples() {
        let general = bootstrap_general(&x, &mean, BootMethod::Bca, 0.8, 4000, 2);
        let own = bootstrap(&x, BootStatistic::Mean, BootMethod::Bca, 0.8, 4000, 2);
        let (Some(general), Some(own)) = (general, own) else {
            panic!("{x:?}");
        };
        let width = (own.high - own.low).max(1e-12);
        assert!((general.low - own.low).abs() <= 0.2 * width, "{general:?} {own:?}");
        assert!((general.high - own.high).abs() <= 0.2 * width, "{general:?} {own:?}");
        assert!((general.acceleration - own.acceleration).abs() < 1e-9);
    }
    let odd = |values: &[f64]| if values[0] > 3.0 { f64::NAN } else { values[0] };
    assert_eq!(bootstrap_general(&[1.0, 2.0, 5.0], &odd, BootMethod::Percentile, 0.9, 200, 1), None);
}

#[test]
fn what_cannot_be_is_none() {
    let x = [1.0, 2.0, 4.0];
    let ask = |values: &[f64], statistic, confidence, resamples| {
        bootstrap(values, statistic, BootMethod::Bca, confidence, resamples, 1)
    };
    let ends = |replicates: &[f64], confidence| {
        let method = BootMethod::Bca;
        let plan = BootPlan { statistic: BootStatistic::Mean, method, confidence, resamples: 2, seed: 1 };
        plan.of_replicates(replicates.to_vec(), 2.0, || vec![influences(&x, 1.0)])
    };
    for confidence in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
        assert_eq!(ask(&x, BootStatistic::Median, confidence, 10), None);
        assert_eq!(block_bootstrap(&x, BootStatistic::Mean, None, confidence, 10, 1), None);
        assert_eq!(shift_function(&x, &x, false, false, &[0.5], confidence, 10, 1), None);
        assert_eq!(ends(&x, confidence), None);
    }
    assert_eq!(ask(&[], BootStatistic::Mean, 0.9, 10), None);
    assert_eq!(ask(&[1.0], BootStatistic::Mean, 0.9, 10), None);
    assert_eq!(ask(&x, BootStatistic::Mean, 0.9, 0), None);
    assert_eq!(ask(&x, BootStatistic::TrimmedMean(0.5), 0.9, 10), None);
    assert_eq!(ask(&x, BootStatistic::TrimmedMean(f64::NAN), 0.9, 10), None);
    assert!(ask(&x, BootStatistic::Median, 0.9, 0).is_some_and(|b| b.resamples == 0));
    assert_eq!(ends(&[], 0.9), None);
    assert_eq!(ends(&[3.0, 4.0], 0.9), None);
    for length in [0, 4] {
        assert_eq!(block_bootstrap(&x, BootStatistic::Mean, Some(length), 0.9, 10, 1), None);
    }
    assert_eq!(shift_function(&x, &x[1..], true, false, &[0.5], 0.9, 10, 1), None);
    assert_eq!(shift_function(&x, &[0.0, 1.0], false, true, &[0.5], 0.9, 10, 1), None);
    assert_eq!(shift_function(&x, &x, false, false, &[0.5, 1.0], 0.9, 10, 1), None);
    assert_eq!(shift_function(&x, &x, false, false, &[], 0.9, 10, 1), Some(vec![]));
    let row = [MaxTRow { values: &x, pool: 0 }];
    let none = [
        westfall_young(&[], Relabeling::Signs { n: 3 }, 100, 1),
        westfall_young(&row, Relabeling::Signs { n: 4 }, 100, 1),
        westfall_young(&row, Relabeling::TwoSample { m: 0, n: 3 }, 100, 1),
        westfall_young(&row, Relabeling::TwoSample { m: 1, n: 2 }, 0, 1),
        westfall_young(&[MaxTRow { values: &x[..2], pool: 0 }], Relabeling::TwoSample { m: 1, n: 1 }, 9, 1),
        westfall_young(&[MaxTRow { values: &x[..1], pool: 0 }], Relabeling::Signs { n: 1 }, 9, 1),
    ];
    assert!(none.iter().all(Option::is_none));
    for variances in [&[][..], &[1.0], &[1.0, 2.0], &[0.0, 0.0, 0.0]] {
        assert_eq!(prior(variances, 4.0).df, 0.0);
    }
}

#[test]
fn constant_samples_give_the_point() {
    for value in [0.0, -3.5, 1e300, 1e-300] {
        for statistic in STATISTICS {
            let found = bootstrap(&[value; 7], statistic, BootMethod::Bca, 0.9, 50, 1).expect("a point");
            assert_eq!((found.estimate, found.low, found.high), (value, value, value));
            let found =
                bootstrap_difference(&[value; 3], &[value; 4], statistic, BootMethod::Bca, 0.9, 50, 1);
            assert!(found.is_some_and(|b| b.low == 0.0 && b.high == 0.0));
            let found = block_bootstrap(&[value; 9], statistic, None, 0.9, 50, 1).expect("a point");
            assert_eq!((found.low, found.high, found.block_length), (value, value, 1));
        }
        assert_eq!(block_length(&[value; 30]), 1);
        let points = shift_function(&[value; 20], &[value; 20], false, false, &[0.5], 0.9, 50, 1);
        assert!(points.is_some_and(|p| p[0].low == 0.0 && p[0].high == 0.0 && p[0].supported));
    }
}

#[test]
fn no_input_panics() {
    let odd = [0.0, -0.0, 1e308, -1e308, 5e-324, 1e-300, 1.0, 1.0, 1.0 + f64::EPSILON, 1e16, f64::MAX];
    for n in 0..odd.len() {
        for start in 0..odd.len() {
            let mut x = odd;
            x.rotate_left(start);
            let (x, y) = (&x[..n], &odd[..odd.len() - n]);
            let count = intervals(x, y).len();
            assert_eq!(count, 12);
            let _ = bootstrap_general(x, &mean, BootMethod::Bca, 0.9, 20, 1);
            for statistic in STATISTICS {
                let _ = block_bootstrap(x, statistic, None, 0.9, 20, 1);
            }
            for paired in [false, true] {
                let _ = shift_function(x, y, paired, false, &[0.1, 0.5], 0.9, 20, 1);
            }
            for (m, signs) in [(0, true), (n / 2, false)] {
                let design =
                    if signs { Relabeling::Signs { n } } else { Relabeling::TwoSample { m, n: n - m } };
                let twice = [x.to_vec(), scaled(x, 0.5), scaled(x, 1e-200), scaled(x, 1e-308)];
                if let Some(found) = westfall_young(&rows(&twice, 1), design, 50, 1) {
                    assert!(found.p.iter().all(|p| p.is_nan() || (*p > 0.0 && *p <= 1.0)), "{x:?} {found:?}");
                }
            }
        }
    }
}
