//! The pooled null distribution, moderated t and dependence against their definitions.

use crate::common::{self, Lcg};
use statera_kernels::dependence::{
    autocorrelation_where, error_inflation, expected_autocorrelation, mean_inflation, neighbours,
};
use statera_kernels::{
    NullRow, mean, moderated_t, null_tail, pooled_null, prior, prior_of_mixed, quantile_sorted, sd, student,
    variance_within, welch,
};

fn agree(ours: f64, theirs: f64, tolerance: f64) {
    common::agree(ours, theirs, tolerance, &"");
}

/// The values drawn in to the fences, by their definition.
fn fenced(values: &[f64], split: Option<usize>) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().map(|&v| if split.is_some() { v } else { v.abs() }).collect();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len();
    let mut distances: Vec<f64> = (0..count)
        .flat_map(|i| (i + 1..count).map(move |j| (i, j)))
        .map(|(i, j)| sorted[j] - sorted[i])
        .collect();
    distances.sort_by(f64::total_cmp);
    let third = (distances.len() as f64 / 3.0).round() as usize;
    let scale = mean(&distances[..third]);
    let (low, high) = if let Some(m) = split {
        let level = (m.min(count - m) as f64 / count as f64 / 2.0).min(0.25);
        (quantile_sorted(&sorted, level) - 7.0 * scale, quantile_sorted(&sorted, 1.0 - level) + 7.0 * scale)
    } else {
        let high = quantile_sorted(&sorted, 0.75) + 9.0 * scale;
        (-high, high)
    };
    values.iter().map(|&v| if low < high { v.clamp(low, high) } else { v }).collect()
}

/// Of the values of a labeling, the difference of the means or the mean of the flipped differences, and the variances.
fn moments(values: &[f64], labels: &[bool], paired: bool) -> (f64, Vec<f64>) {
    let of = |label: bool| -> Vec<f64> {
        values.iter().zip(labels).filter(|(_, l)| **l == label).map(|(v, _)| *v).collect()
    };
    if paired {
        let flipped: Vec<f64> = values.iter().zip(labels).map(|(v, l)| if *l { -v } else { *v }).collect();
        return (mean(&flipped), vec![sd(&flipped).powi(2)]);
    }
    let (old, new) = (of(false), of(true));
    (mean(&new) - mean(&old), vec![sd(&old).powi(2), sd(&new).powi(2)])
}

/// The statistics of all rows under a labeling, on the common scale, and their shrunk variances.
fn statistics(rows: &[Vec<f64>], labels: &[bool], paired: bool) -> (Vec<f64>, Vec<Vec<f64>>) {
    let found: Vec<(f64, Vec<f64>)> = rows.iter().map(|values| moments(values, labels, paired)).collect();
    let second = labels.iter().filter(|label| **label).count();
    let sizes = if paired { vec![labels.len()] } else { vec![labels.len() - second, second] };
    let priors: Vec<statera_kernels::Prior> = (0..sizes.len())
        .map(|group| {
            let df = sizes[group] as f64 - 1.0;
            let mut prior = prior(&found.iter().map(|row| row.1[group]).collect::<Vec<_>>(), df);
            prior.df = prior.df.min(10.0 * df);
            prior
        })
        .collect();
    let shrunk: Vec<Vec<f64>> = found
        .iter()
        .map(|row| (0..sizes.len()).map(|g| priors[g].shrink(row.1[g], sizes[g] as f64 - 1.0)).collect())
        .collect();
    let squares = found.iter().zip(&shrunk).map(|(row, variances)| {
        let errors: Vec<f64> = variances.iter().zip(&sizes).map(|(v, n)| v / *n as f64).collect();
        let both: f64 = errors.iter().sum();
        let below: f64 =
            (0..sizes.len()).map(|g| errors[g] * errors[g] / (sizes[g] as f64 - 1.0 + priors[g].df)).sum();
        wallace(row.0 * row.0 / both, both * both / below)
    });
    let squares = squares.collect();
    (squares, shrunk)
}

/// Both builds with the same spread.
fn evened(values: &[f64], variances: &[f64], split: Option<usize>) -> Vec<f64> {
    let Some(m) = split else { return values.to_vec() };
    let ratio = (variances[0] / variances[1]).powf(0.25);
    let (old, new) = values.split_at(m);
    let spread = |side: &[f64], factor: f64| -> Vec<f64> {
        side.iter().map(|v| mean(side) + (v - mean(side)) * factor).collect()
    };
    [spread(old, 1.0 / ratio), spread(new, ratio)].concat()
}

/// All labelings of a row: whether each value belongs to the second side, or is flipped. The observed one is the first.
fn labelings(count: usize, split: Option<usize>) -> Vec<Vec<bool>> {
    let all = (0..1_u32 << count).map(|mask| (0..count).map(|i| mask >> i & 1 == 1).collect::<Vec<bool>>());
    let observed: Vec<bool> = (0..count).map(|i| split.is_some_and(|m| i >= m)).collect();
    let second = count - split.unwrap_or(count);
    let possible = |labels: &Vec<bool>| split.is_none() || labels.iter().filter(|l| **l).count() == second;
    // Of two labelings that mirror each other, which have equal statistics, one counts.
    let mirrored = second * 2 == count || split.is_none();
    let mut found: Vec<Vec<bool>> =
        all.filter(possible).filter(|labels| !mirrored || labels[0] == observed[0]).collect();
    let first = found.iter().position(|labels| *labels == observed).expect("the observed labels");
    found.swap(0, first);
    found
}

fn wallace(square: f64, df: f64) -> f64 {
    if df >= 1e6 {
        square
    } else {
        ((8.0 * df + 1.0) / (8.0 * df + 3.0)).powi(2) * df * (square / df).ln_1p()
    }
}

#[test]
fn p_values_are_shares_of_all_relabeled_statistics() {
    let mut lcg = Lcg(5);
    for case in 0..60 {
        let split = [Some(3), Some(2), None][case % 3];
        let count = 6;
        let values: Vec<Vec<f64>> = (0..4 + case % 3)
            .map(|row| {
                let mut values = lcg.sample(count, -1000, 1000, 1.0);
                if row == 0 {
                    values.iter_mut().skip(split.unwrap_or(0)).for_each(|v| *v += 3000.0);
                }
                values[5] *= [1.0, 50.0][case % 2];
                values
            })
            .collect();
        let rows: Vec<NullRow<'_>> = values
            .iter()
            .map(|values| NullRow { values, split, pool: 0, inflation: 1.0, lost: 0.0 })
            .collect();
        let drawn_in: Vec<Vec<f64>> = values.iter().map(|values| fenced(values, split)).collect();
        let labels = labelings(count, split);
        let (seen, variances) = statistics(&drawn_in, &labels[0], split.is_none());
        let even: Vec<Vec<f64>> = drawn_in.iter().zip(&variances).map(|(v, s)| evened(v, s, split)).collect();
        let relabeled = labels[1..].iter().map(|labels| statistics(&even, labels, split.is_none()).0);
        let all: Vec<Vec<f64>> = core::iter::once(seen).chain(relabeled).collect();
        let ours = pooled_null(&rows, 1000, 1).expect("p-values");
        assert!(ours.exact);
        let statistics = all.len() * rows.len();
        for (row, p) in ours.p.iter().enumerate() {
            let seen = all[0][row];
            // Statistics within a thousandth of each other share a bin.
            let share =
                |least: f64| all.iter().flatten().filter(|u| **u >= least).count() as f64 / statistics as f64;
            let (few, many) = (share(seen * (1.0 - 1e-9)), share((seen * (1.0 - 2e-3)).min(1.0)));
            assert!(*p >= few - 1e-12, "case {case}, row {row}: {p} < {few}");
            if seen > 1.01 {
                let many = share(seen * (1.0 - 2e-3));
                assert!(*p <= many + 1e-12, "case {case}, row {row}: {p} > {many}");
            } else {
                assert!(*p >= many - 1e-12);
            }
        }
    }
}

#[test]
fn rows_of_other_sizes_share_the_distribution_and_dependence_makes_p_larger() {
    let mut lcg = Lcg(8);
    let long: Vec<Vec<f64>> = (0..20).map(|_| lcg.sample(10, -1000, 1000, 1.0)).collect();
    let mut short = lcg.sample(9, -1000, 1000, 1.0);
    short.iter_mut().skip(5).for_each(|v| *v += 9000.0);
    let row =
        |values, split, inflation, lost| NullRow { values, split: Some(split), pool: 0, inflation, lost };
    let mut rows: Vec<NullRow<'_>> = long.iter().map(|values| row(&values[..], 5, 1.0, 0.0)).collect();
    rows.push(row(&short, 5, 1.0, 0.0));
    let plain = pooled_null(&rows, 10_000, 1).expect("p-values");
    // Only its own relabelings, and their mirrors of the other size, can reach the changed row.
    assert!(plain.p[20] < 2e-3, "{}", plain.p[20]);
    rows[20] = row(&short, 5, 9.0, 5.0);
    let widened = pooled_null(&rows, 10_000, 1).expect("p-values");
    assert!(widened.p[20] > 2.0 * plain.p[20]);
    assert_eq!(widened.p[..20], plain.p[..20]);
}

#[test]
fn rows_without_spread_have_no_p_and_nothing_else_suffers() {
    let (x, y) = ([1.0, 2.0, 3.0, 4.0, 5.0, 7.0], [2.0; 6]);
    let row = |values| NullRow { values, split: Some(3), pool: 0, inflation: 1.0, lost: 0.0 };
    let found = pooled_null(&[row(&x), row(&y)], 100, 1).expect("one row varies");
    assert!(found.p[1].is_nan());
    assert_eq!(found.p[0], pooled_null(&[row(&x)], 100, 1).expect("it varies").p[0]);
    assert_eq!(pooled_null(&[row(&y)], 100, 1), None);
    assert_eq!(pooled_null(&[], 100, 1), None);
}

#[test]
fn a_unit_or_the_order_of_rows_changes_nothing() {
    let mut lcg = Lcg(21);
    let values: Vec<Vec<f64>> = (0..7).map(|_| lcg.sample(8, -1000, 1000, 1.0)).collect();
    let p = |values: &[Vec<f64>]| {
        let row = |values| NullRow { values, split: Some(4), pool: 3, inflation: 1.0, lost: 0.0 };
        pooled_null(&values.iter().map(|v| row(&v[..])).collect::<Vec<_>>(), 500, 2).expect("p-values").p
    };
    let once = p(&values);
    for unit in [1024.0, 2.0_f64.powi(-900), 2.0_f64.powi(900)] {
        assert_eq!(p(&values.iter().map(|v| v.iter().map(|x| x * unit).collect()).collect::<Vec<_>>()), once);
    }
    let turned: Vec<Vec<f64>> = values.iter().rev().cloned().collect();
    let back: Vec<f64> = p(&turned).into_iter().rev().collect();
    assert_eq!(back, once);
}

#[test]
fn without_a_prior_moderated_t_is_students() {
    let mut lcg = Lcg(3);
    for _ in 0..50 {
        let (x, y) = (lcg.sample(3, -100, 100, 1.0), lcg.sample(3, -50, 150, 1.0));
        let ours = moderated_t(&x, &y, prior_of_mixed(&[]), 0.0, 0.95).expect("four degrees of freedom");
        // With equal numbers on both sides Welch's statistic is Student's; only its degrees of freedom differ.
        let theirs = welch(&x, &y, 0.95).expect("a comparison");
        agree(ours.test.statistic, theirs.test.statistic, 1e-12);
        agree(ours.superiority, theirs.superiority, 1e-15);
        let paired = moderated_t(&[], &y, prior_of_mixed(&[]), 0.0, 0.9).expect("two degrees of freedom");
        let theirs = student(&y, 0.9).expect("a comparison");
        agree(paired.test.p, theirs.test.p, 1e-12);
        agree(paired.shift.interval.low, theirs.shift.interval.low, 1e-12);
        agree(paired.superiority, theirs.superiority, 1e-15);
    }
}

#[test]
fn a_prior_adds_its_degrees_of_freedom_and_the_interval_inverts_the_test() {
    let prior = statera_kernels::Prior { df: 6.0, variance: 4.0 };
    let (x, y) = ([1.0, 2.0, 3.0], [4.0, 5.0, 9.0]);
    let (variance, df) = variance_within(&[&x, &y]).expect("a variance");
    agree(variance, (2.0 * sd(&x).powi(2) + 2.0 * sd(&y).powi(2)) / 4.0, 1e-12);
    assert!((df - 4.0).abs() < 1e-15);
    let found = moderated_t(&x, &y, prior, 0.0, 0.95).expect("a comparison");
    agree(found.test.statistic, 4.0 / ((6.0 * 4.0 + 4.0 * variance) / 10.0 * 2.0 / 3.0_f64).sqrt(), 1e-12);
    let end = found.shift.interval.low;
    let moved: Vec<f64> = y.iter().map(|y| y - end).collect();
    agree(moderated_t(&x, &moved, prior, 0.0, 0.95).expect("a comparison").test.p, 0.05, 1e-9);
    assert_eq!(moderated_t(&[1.0], &[2.0], prior, 0.0, 0.95), None);
    assert!(moderated_t(&[1.0, 1.0], &[2.0, 2.0], prior_of_mixed(&[]), 0.0, 0.95).is_none());
    let known = moderated_t(&[1.0, 1.0], &[2.0, 2.0], prior_of_mixed(&[]), 0.1, 0.95).expect("a comparison");
    agree(known.test.statistic, 10.0, 1e-12);
    // The values tell more than what was known beside them.
    let both = |least| moderated_t(&x, &y, prior, least, 0.95).expect("a comparison").test.p;
    assert_eq!(both(1e-9), both(0.0));
}

#[test]
fn variances_of_equal_sizes_have_the_prior_of_a_pool() {
    let variances = [1.0, 3.0, 0.5, 8.0, 2.0];
    let (ours, theirs) = (prior_of_mixed(&variances.map(|v| (v, 4.0))), prior(&variances, 4.0));
    agree(ours.df, theirs.df, 1e-12);
    agree(ours.variance, theirs.variance, 1e-12);
}

/// Expectations of an AR(1) series of n values from its covariance matrix: of products of neighbouring deviations from the
/// mean, of their squares, and the variance of the mean.
fn by_matrix(rho: f64, n: usize) -> (f64, f64, f64) {
    let covariance = |i: usize, j: usize| rho.powi(i.abs_diff(j) as i32);
    let with_mean = |i: usize| (0..n).map(|j| covariance(i, j)).sum::<f64>() / n as f64;
    let of_mean = (0..n).map(with_mean).sum::<f64>() / n as f64;
    let deviations = |i: usize, j: usize| covariance(i, j) - with_mean(i) - with_mean(j) + of_mean;
    let products = (1..n).map(|i| deviations(i - 1, i)).sum();
    let squares = (0..n).map(|i| deviations(i, i)).sum();
    (products, squares, of_mean)
}

#[test]
fn dependence_is_that_of_the_covariance_matrix() {
    for n in [2, 3, 5, 8, 20, 50] {
        for rho in [-0.5, -0.1, 1e-3, 0.3, 0.7, 0.95] {
            let (products, squares, of_mean) = by_matrix(rho, n);
            let size = n as f64;
            agree(mean_inflation(rho, size), of_mean * size, 1e-9);
            agree(expected_autocorrelation(rho, size), products / squares, 1e-9);
            agree(error_inflation(rho, size), of_mean * size * (size - 1.0) / squares, 1e-9);
            if n > 3 {
                let shown = products / squares;
                agree(autocorrelation_where(|rho| shown - expected_autocorrelation(rho, size)), rho, 1e-6);
            }
        }
    }
    assert_eq!(neighbours(&[2.0; 5]), (0.0, 0.0));
    let (products, squares) = neighbours(&[1.0, 3.0, 2.0, 6.0]);
    // Deviations -2, 0, -1, 3, relative to the largest.
    agree(products / squares, -3.0 / 14.0, 1e-12);
}

#[test]
fn relabelings_of_many_rows_tell_a_heavy_tail_and_those_of_few_do_not() {
    let mut lcg = Lcg(12);
    // Sums of twelve uniform numbers are as good as normal.
    let mut normal = |count: usize| -> Vec<f64> {
        (0..count).map(|_| lcg.sample(12, -500, 500, 1.0).iter().sum::<f64>()).collect()
    };
    let plain: Vec<Vec<f64>> = (0..200).map(|_| normal(6)).collect();
    // Two modes, of which all three values of a build are now and then.
    let modes: Vec<Vec<f64>> = (0..200_u32)
        .map(|row| {
            let up = |run: u32| if (((row * 37 + run * 53) % 64) >> (run % 3)) & 1 == 1 { 2e4 } else { 0.0 };
            normal(6).iter().zip(0..).map(|(v, run)| v + up(run)).collect()
        })
        .collect();
    let tail = |rows: &[Vec<f64>]| {
        let row = |values| NullRow { values, split: Some(3), pool: 0, inflation: 1.0, lost: 0.0 };
        null_tail(&rows.iter().map(|values| row(&values[..])).collect::<Vec<_>>())
    };
    assert!((1.0..1.25).contains(&tail(&plain)), "{}", tail(&plain));
    assert!(tail(&modes) > 1.5, "{}", tail(&modes));
    // Two rows have eighteen relabelings beside the observed ones, of which the upper tenth is fewer than two.
    assert!((tail(&plain[..2]) - 1.0).abs() < 1e-15);
    assert!((tail(&[]) - 1.0).abs() < 1e-15);
}
