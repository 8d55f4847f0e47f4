//! The rank tests of several samples and of blocks against their definitions, on all small inputs and on larger ones.

use crate::common::{Lcg, agree, doubled_ranks, mann_whitney_by_definition};
use statera_kernels::{
    Quade, brunner_munzel, chi_squared::chi_squared_sf, friedman, kruskal_wallis, quade, sign_test,
    special::t_quantile,
};

/// All lists of `n` values of {0, …, span − 1}.
fn lists(n: u32, span: u32) -> impl Iterator<Item = Vec<f64>> {
    (0..span.pow(n)).map(move |code| (0..n).map(|i| f64::from(code / span.pow(i) % span)).collect())
}

/// All orders of a list.
fn orders(values: &[f64]) -> Vec<Vec<f64>> {
    if values.is_empty() {
        return vec![vec![]];
    }
    let with_first = |i: usize| {
        let mut rest = values.to_vec();
        let first = rest.remove(i);
        orders(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    (0..values.len()).flat_map(with_first).collect()
}

fn midranks(values: &[f64]) -> Vec<f64> {
    doubled_ranks(values).iter().map(|&r| r as f64 / 2.0).collect()
}

/// Σ (t³ − t) over the groups of equal values.
fn tie_term(values: &[f64]) -> f64 {
    let equal = |v: &f64| values.iter().filter(|w| *w == v).count() as f64;
    values.iter().map(|v| equal(v).powi(2) - 1.0).sum()
}

/// Cuts a list at ascending positions.
fn cut(values: &[f64], places: &[usize]) -> Vec<Vec<f64>> {
    let ends = places.iter().copied().chain([values.len()]);
    let starts = [0].into_iter().chain(places.iter().copied());
    starts.zip(ends).map(|(a, b)| values[a..b].to_vec()).collect()
}

fn views(samples: &[Vec<f64>]) -> Vec<&[f64]> {
    samples.iter().map(Vec::as_slice).collect()
}

/// H of Kruskal & Wallis, formula (1.1) over (1.3); NaN where all values are equal.
fn h_by_definition(samples: &[Vec<f64>]) -> f64 {
    let pooled = samples.concat();
    let n = pooled.len() as f64;
    let ranks = midranks(&pooled);
    let mut rest = &ranks[..];
    let mut sum = 0.0;
    for sample in samples.iter().filter(|s| !s.is_empty()) {
        let (own, others) = rest.split_at(sample.len());
        sum += own.iter().sum::<f64>().powi(2) / sample.len() as f64;
        rest = others;
    }
    (12.0 / (n * (n + 1.0)) * sum - 3.0 * (n + 1.0)) / (1.0 - tie_term(&pooled) / (n * (n * n - 1.0)))
}

fn check_kruskal_wallis(samples: &[Vec<f64>]) {
    let held = samples.iter().filter(|s| !s.is_empty()).count();
    let Some(ours) = kruskal_wallis(&views(samples)) else {
        assert!(held < 2, "{samples:?}");
        return;
    };
    let pooled = samples.concat();
    let h = h_by_definition(samples);
    let equal = pooled.iter().all(|v| *v == pooled[0]);
    let (h, p) = if equal { (0.0, 1.0) } else { (h, chi_squared_sf(ours.statistic, ours.df)) };
    assert!((ours.statistic - h).abs() <= 1e-11 * (1.0 + h), "{} is not {h}: {samples:?}", ours.statistic);
    assert_eq!((ours.df, ours.n, ours.p), ((held - 1) as f64, pooled.len(), p));
    agree(ours.epsilon_squared, ours.statistic / (pooled.len() as f64 - 1.0), 1e-15, &samples);
    assert!((0.0..=1.0).contains(&ours.epsilon_squared));
}

#[test]
fn kruskal_wallis_is_its_formula() {
    for places in
        [vec![1], vec![3], vec![1, 2], vec![1, 4], vec![2, 3], vec![0, 2], vec![2, 2, 5], vec![0, 0]]
    {
        for n in 5..=6 {
            lists(n, 3).for_each(|values| check_kruskal_wallis(&cut(&values, &places)));
        }
    }
    let mut lcg = Lcg(21);
    for _ in 0..400 {
        let (groups, span) = (2 + lcg.below(6), [2, 5, 40, 1_000_000][lcg.below(4) as usize]);
        let samples: Vec<Vec<f64>> = (0..groups)
            .map(|_| {
                let (n, push) = (lcg.below(30) as usize, lcg.below(span) as i64 / 3);
                lcg.sample(n, push, span, 1.0)
            })
            .collect();
        check_kruskal_wallis(&samples);
    }
}

/// Averaged over all arrangements of the values, H equals its degrees of freedom, whatever the ties.
#[test]
fn kruskal_wallis_has_the_mean_of_its_distribution() {
    for values in [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [1.0, 1.0, 2.0, 4.0, 4.0, 4.0, 5.0]] {
        let all = orders(&values);
        let h =
            |order: &Vec<f64>| kruskal_wallis(&views(&cut(order, &[2, 3]))).expect("three samples").statistic;
        agree(all.iter().map(h).sum::<f64>() / all.len() as f64, 2.0, 1e-12, &values);
    }
}

/// Values that differ in their last bits are distinguished, in whatever order they come.
#[test]
fn the_last_bit_counts() {
    let mut lcg = Lcg(22);
    for span in [2, 5, 64, 5000] {
        for sign in [1.0, -1.0] {
            let pooled: Vec<f64> =
                (0..400).map(|_| sign * f64::from_bits(1.0_f64.to_bits() + lcg.below(span))).collect();
            check_kruskal_wallis(&cut(&pooled, &[100, 150]));
        }
    }
}

/// Friedman's χ² as R's `friedman.test` computes it; NaN if every block is completely tied.
fn friedman_by_definition(rows: &[Vec<f64>]) -> f64 {
    let (b, k) = (rows.len() as f64, rows[0].len() as f64);
    let ranks: Vec<Vec<f64>> = rows.iter().map(|row| midranks(row)).collect();
    let sums = (0..rows[0].len()).map(|j| ranks.iter().map(|row| row[j]).sum::<f64>());
    let between: f64 = sums.map(|sum| (sum - b * (k + 1.0) / 2.0).powi(2)).sum();
    let ties: f64 = rows.iter().map(|row| tie_term(row)).sum();
    12.0 * between / (b * k * (k + 1.0) - ties / (k - 1.0))
}

fn check_friedman(values: &[f64], k: usize) {
    let rows: Vec<Vec<f64>> = values.chunks(k).map(<[f64]>::to_vec).collect();
    let ours = friedman(values, k).expect("a test");
    let tied = rows.iter().all(|row| row.iter().all(|v| *v == row[0]));
    let expected = if tied { 0.0 } else { friedman_by_definition(&rows) };
    agree(ours.statistic, expected, 1e-12, &rows);
    assert_eq!((ours.df, ours.blocks), ((k - 1) as f64, rows.len()));
    assert_eq!(ours.p, chi_squared_sf(ours.statistic, ours.df));
    agree(ours.kendall_w, expected / (rows.len() * (k - 1)) as f64, 1e-12, &rows);
}

#[test]
fn friedman_is_its_formula() {
    for (k, blocks, span) in [(2, 1, 3), (2, 4, 3), (3, 1, 3), (3, 3, 3), (4, 2, 3), (5, 2, 2), (6, 2, 2)] {
        lists(k * blocks, span).for_each(|values| check_friedman(&values, k as usize));
    }
    random_tables(31, check_friedman);
}

/// Tables of 2 to 40 treatments, with few or many ties.
fn random_tables(seed: u64, mut check: impl FnMut(&[f64], usize)) {
    let mut lcg = Lcg(seed);
    for _ in 0..400 {
        let k = [2, 3, 4, 5, 6, 9, 16, 17, 40][lcg.below(9) as usize];
        let (blocks, span) = (2 + lcg.below(30) as usize, [2, 5, 40, 1_000_000][lcg.below(4) as usize]);
        check(&lcg.sample(blocks * k, -5, span, 1.0), k);
    }
}

/// Averaged over all orders inside the blocks, χ² equals its degrees of freedom, whatever the ties.
#[test]
fn friedman_has_the_mean_of_its_distribution() {
    for rows in [[[1.0, 2.0, 3.0]; 3], [[1.0, 1.0, 2.0], [5.0, 6.0, 7.0], [2.0, 2.0, 2.0]]] {
        let [a, b, c] = rows.map(|row| orders(&row));
        let mut sum = 0.0;
        for a in &a {
            for b in &b {
                for c in &c {
                    sum += friedman(&[&a[..], b, c].concat(), 3).expect("a test").statistic;
                }
            }
        }
        agree(sum / 216.0, 2.0, 1e-12, &rows);
    }
}

/// The sums of squares A and B of Quade's test as R's `quade.test` computes them, the first multiplied by four
/// and the second by 4 b: integers.
fn quade_squares(rows: &[Vec<f64>]) -> (f64, f64) {
    let k = rows[0].len() as f64;
    let most = |row: &Vec<f64>| row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = |row: &Vec<f64>| row.iter().copied().fold(f64::INFINITY, f64::min);
    let ranges: Vec<f64> = rows.iter().map(|row| most(row) - least(row)).collect();
    let scores: Vec<Vec<f64>> = rows
        .iter()
        .zip(midranks(&ranges))
        .map(|(row, weight)| midranks(row).iter().map(|r| 2.0 * weight * (2.0 * r - (k + 1.0))).collect())
        .collect();
    let all = scores.iter().flatten().map(|s| s * s).sum();
    let between = (0..rows[0].len()).map(|j| scores.iter().map(|row| row[j]).sum::<f64>().powi(2)).sum();
    (all, between)
}

fn check_quade(values: &[f64], k: usize) {
    let rows: Vec<Vec<f64>> = values.chunks(k).map(<[f64]>::to_vec).collect();
    let b = rows.len() as f64;
    let ours = quade(values, k).expect("a test");
    let (all, between) = quade_squares(&rows);
    assert_eq!((ours.df1, ours.df2, ours.blocks), (k as f64 - 1.0, (b - 1.0) * (k as f64 - 1.0), rows.len()));
    if all == 0.0 {
        assert_eq!((ours.statistic, ours.p), (0.0, 1.0));
    } else if between == b * all {
        assert_eq!(ours.statistic, f64::INFINITY);
        agree(ours.p, agreement_by_definition(&rows), 1e-13, &rows);
    } else {
        agree(ours.statistic, (b - 1.0) * between / (b * all - between), 1e-13, &rows);
        assert!(0.0 < ours.p && ours.p <= 1.0);
    }
}

/// The probability that all blocks agree, by trying all orders of each block against the first.
fn agreement_by_definition(rows: &[Vec<f64>]) -> f64 {
    let first = doubled_ranks(&rows[0]);
    let same = |row: &Vec<f64>| {
        let all = orders(row);
        all.iter().filter(|order| doubled_ranks(order) == first).count() as f64 / all.len() as f64
    };
    rows[1..].iter().map(same).product()
}

#[test]
fn quade_is_its_formula() {
    for (k, blocks, span) in [(2, 2, 3), (2, 4, 3), (3, 2, 4), (3, 3, 3), (4, 2, 3), (5, 2, 2), (6, 2, 2)] {
        lists(k * blocks, span).for_each(|values| check_quade(&values, k as usize));
    }
    random_tables(41, |values, k| {
        // Blocks that agree completely are tried above: here their orders would be too many.
        if values.len() > k && k > 6 && quade(values, k).is_some_and(|q: Quade| q.statistic.is_infinite()) {
            return;
        }
        check_quade(values, k);
    });
}

/// Placements, superiority and variance pair by pair.
fn check_brunner_munzel(x: &[f64], y: &[f64]) {
    let ours = brunner_munzel(x, y, 0.9).expect("a test");
    let half = |a: f64, b: f64| f64::from(u8::from(b < a) + u8::from(b <= a)) / 2.0;
    let placements =
        |own: &[f64], other: &[f64]| own.iter().map(|&a| other.iter().map(|&b| half(a, b)).sum()).collect();
    let (px, py): (Vec<f64>, Vec<f64>) = (placements(x, y), placements(y, x));
    let (m, n) = (x.len() as f64, y.len() as f64);
    let superiority = py.iter().sum::<f64>() / (m * n);
    assert_eq!(ours.superiority, superiority);
    let variance = |p: &[f64]| {
        let mean = p.iter().sum::<f64>() / p.len() as f64;
        p.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (p.len() as f64 - 1.0)
    };
    let (vx, vy) = (variance(&px) / (m * n * n), variance(&py) / (n * m * m));
    if vx + vy < 1e-20 {
        let statistic = if superiority == 0.5 { 0.0 } else { f64::INFINITY.copysign(superiority - 0.5) };
        assert_eq!(ours.statistic, statistic, "{x:?} {y:?}");
        agree(ours.p, mann_whitney_by_definition(x, y), 1e-13, &(x, y));
        assert!(ours.df.is_nan() && ours.low.is_nan() && ours.high.is_nan());
        return;
    }
    let df = (vx + vy).powi(2) / (vx * vx / (m - 1.0) + vy * vy / (n - 1.0));
    let width = -(vx + vy).sqrt() * t_quantile(0.05, df);
    let case = (x, y);
    assert!((ours.statistic - (superiority - 0.5) / (vx + vy).sqrt()).abs() < 1e-11, "{case:?}");
    agree(ours.df, df, 1e-12, &case);
    assert!((ours.low - (superiority - width).max(0.0)).abs() < 1e-12, "{case:?}");
    assert!((ours.high - (superiority + width).min(1.0)).abs() < 1e-12, "{case:?}");
    // The interval and the test must agree: only rounding could separate them where p is alpha itself.
    if (ours.p - 0.1).abs() > 1e-9 {
        assert_eq!(ours.p > 0.1, ours.low < 0.5 && 0.5 < ours.high, "{case:?}");
    }
}

#[test]
fn brunner_munzel_is_its_formula() {
    for (m, n) in [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 2)] {
        for pooled in lists(m + n, 4) {
            let (x, y) = pooled.split_at(m as usize);
            check_brunner_munzel(x, y);
        }
    }
    let mut lcg = Lcg(51);
    for _ in 0..300 {
        let span = [2, 4, 30, 1_000_000][lcg.below(4) as usize];
        let (m, n) = (2 + lcg.below(9) as usize, 2 + lcg.below(9) as usize);
        let push = lcg.below(span) as i64;
        let (x, y) = (lcg.sample(m, 0, span, 1.0), lcg.sample(n, push, span, 1.0));
        check_brunner_munzel(&x, &y);
    }
}

#[test]
fn sign_test_is_the_enumeration() {
    for n in 1..=7_u32 {
        for d in lists(n, 3) {
            let d: Vec<f64> = d.iter().map(|v| v - 1.0).collect();
            let kept: Vec<f64> = d.iter().copied().filter(|v| *v != 0.0).collect();
            let positive = kept.iter().filter(|v| **v > 0.0).count();
            let away = |positive: usize| kept.len().abs_diff(2 * positive);
            let masks = 0..1_u32 << kept.len();
            let hits = masks.clone().filter(|m| away(m.count_ones() as usize) >= away(positive)).count();
            let ours = sign_test(&d).expect("a test");
            assert_eq!(ours.statistic, positive as f64);
            agree(ours.p, hits as f64 / masks.len() as f64, 1e-14, &d);
            agree(ours.least_p, 2.0 / f64::from(1_u32 << n), 1e-14, &d);
        }
    }
    assert_eq!(sign_test(&[]), None);
}
