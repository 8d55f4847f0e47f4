//! Every test and interval against its definition: full enumeration on all small inputs.

use crate::common::{Lcg, agree, doubled_ranks, mann_whitney_by_definition, signed_rank_by_definition};
use statera_kernels::{Zeros, alpha, mann_whitney, one_sample, signed_rank, two_sample};

/// All samples of n values of {0, 1, 2, 3}, each once, in ascending order.
fn multisets(n: usize) -> Vec<Vec<f64>> {
    let mut found = vec![vec![]];
    for _ in 0..n {
        found = found
            .into_iter()
            .flat_map(|v: Vec<f64>| {
                let least = v.last().map_or(0, |&l| l as u32);
                (least..4).map(move |next| [v.clone(), vec![f64::from(next)]].concat())
            })
            .collect();
    }
    found
}

/// Samples of both sizes: all small ones, and random ones up to 8 values with few or many ties.
fn pairs_of_samples() -> Vec<(Vec<f64>, Vec<f64>)> {
    let mut found = Vec::new();
    for m in 1..=4 {
        for n in 1..=4 {
            for x in multisets(m) {
                found.extend(multisets(n).into_iter().map(|y| (x.clone(), y)));
            }
        }
    }
    let mut lcg = Lcg(7);
    for _ in 0..300 {
        let span = [3, 6, 20, 100_000][lcg.below(4) as usize];
        let (m, n) = (1 + lcg.below(8) as usize, 1 + lcg.below(8) as usize);
        let push = lcg.below(span) as i64 / 2;
        found.push((lcg.sample(m, 0, span, 1.0), lcg.sample(n, push, span, 1.0)));
    }
    found
}

#[test]
fn mann_whitney_is_the_enumeration() {
    for (x, y) in pairs_of_samples() {
        let test = mann_whitney(&x, &y).expect("a test");
        agree(test.p, mann_whitney_by_definition(&x, &y), 1e-14, &(&x, &y));
        let u: f64 = x
            .iter()
            .flat_map(|a| {
                y.iter().map(move |b| {
                    if b > a {
                        1.0
                    } else if b == a {
                        0.5
                    } else {
                        0.0
                    }
                })
            })
            .sum();
        assert_eq!(test.statistic, u);
    }
}

#[test]
fn signed_rank_is_the_enumeration() {
    for d in differences() {
        for (zeros, pratt) in [(Zeros::Drop, false), (Zeros::Pratt, true)] {
            let test = signed_rank(&d, zeros).expect("a test");
            agree(test.p, signed_rank_by_definition(&d, pratt), 1e-14, &(&d, pratt));
        }
    }
}

/// Differences: all of up to five values of {-2, -1, 0, 1, 2}, and random ones up to 11.
fn differences() -> Vec<Vec<f64>> {
    let mut found = Vec::new();
    for n in 1..=5_u32 {
        for code in 0..5_u32.pow(n) {
            found.push((0..n).map(|i| f64::from(code / 5_u32.pow(i) % 5) - 2.0).collect());
        }
    }
    let mut lcg = Lcg(11);
    for _ in 0..300 {
        let span = [4, 9, 30, 100_000][lcg.below(4) as usize];
        let n = 1 + lcg.below(11) as usize;
        found.push(lcg.sample(n, -(span as i64) / 3, span, 1.0));
    }
    found
}

/// The hull of the shifts that `p` does not reject, tried at every point and in every gap; integers only.
fn hull(mut places: Vec<f64>, alpha: f64, p: impl Fn(f64) -> f64) -> (f64, f64, f64) {
    places.sort_by(f64::total_cmp);
    places.dedup();
    let last = places.len() - 1;
    let below = |k: usize| if k == 0 { places[0] - 1.0 } else { f64::midpoint(places[k - 1], places[k]) };
    let above = |k: usize| if k == last { places[k] + 1.0 } else { below(k + 1) };
    let kept = |k: usize| p(places[k]) > alpha || p(below(k)) > alpha || p(above(k)) > alpha;
    // A point bounds the hull if it or the gap on its inner side is not rejected; an outermost gap counts too.
    let low = (0..=last).find(|&k| p(places[k]) > alpha || p(above(k)) > alpha || (k == 0 && kept(0)));
    let high =
        (0..=last).rev().find(|&k| p(places[k]) > alpha || p(below(k)) > alpha || (k == last && kept(last)));
    let (low, high) = (low.expect("a hull"), high.expect("a hull"));
    (places[low], places[high], 1.0 - f64::midpoint(p(below(low)), p(above(high))))
}

#[test]
fn two_sample_interval_is_the_hull() {
    for (x, y) in pairs_of_samples() {
        if x.len() + y.len() > 12 {
            continue;
        }
        let places: Vec<f64> = x.iter().flat_map(|a| y.iter().map(move |b| b - a)).collect();
        let p = |shift: f64| {
            let moved: Vec<f64> = y.iter().map(|v| v - shift).collect();
            mann_whitney(&x, &moved).expect("a test").p
        };
        check(&places, p, |confidence| two_sample(&x, &y, confidence).expect("a comparison"), &(&x, &y));
    }
}

#[test]
fn one_sample_interval_is_the_hull() {
    for d in differences() {
        let places: Vec<f64> = d.iter().flat_map(|a| d.iter().map(move |b| (a + b) / 2.0)).collect();
        let p = |shift: f64| {
            let moved: Vec<f64> = d.iter().map(|v| v - shift).collect();
            signed_rank(&moved, Zeros::Drop).expect("a test").p
        };
        check(&places, p, |confidence| one_sample(&d, confidence).expect("a comparison"), &d);
    }
}

fn check(
    places: &[f64],
    p: impl Fn(f64) -> f64,
    compare: impl Fn(f64) -> statera_kernels::Comparison,
    case: &dyn std::fmt::Debug,
) {
    for confidence in [0.8, 0.9, 0.95, 0.99] {
        let shift = compare(confidence).shift;
        let (mut low, mut high, level) = hull(places.to_vec(), alpha(confidence), &p);
        let rejected = p(0.0) <= alpha(confidence);
        if !rejected {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        let interval = shift.interval;
        assert_eq!((interval.low, interval.high), (low, high), "{case:?} at {confidence}");
        agree(interval.level, level, 1e-12, &(case, confidence));
        assert_eq!((shift.low_open, shift.high_open), (rejected && low == 0.0, rejected && high == 0.0));
    }
}

/// Medium-sized samples with ties, where the search evaluates only positions around the ends: the result is
/// still the hull over every point.
#[test]
fn the_search_misses_nothing() {
    let mut lcg = Lcg(3);
    for _ in 0..150 {
        let span = [2, 4, 8, 30][lcg.below(4) as usize];
        let (m, n) = (8 + lcg.below(12) as usize, 8 + lcg.below(25) as usize);
        let push = lcg.below(span) as i64 / 2;
        let (x, y) = (lcg.sample(m, 0, span, 1.0), lcg.sample(n, push, span, 1.0));
        let places: Vec<f64> = x.iter().flat_map(|a| y.iter().map(move |b| b - a)).collect();
        let p = |shift: f64| {
            mann_whitney(&x, &y.iter().map(|v| v - shift).collect::<Vec<_>>()).expect("a test").p
        };
        check(&places, p, |confidence| two_sample(&x, &y, confidence).expect("a comparison"), &(&x, &y));
        let d = lcg.sample(n, -(span as i64) / 3, span, 1.0);
        let places: Vec<f64> = d.iter().flat_map(|a| d.iter().map(move |b| f64::midpoint(*a, *b))).collect();
        let p = |shift: f64| {
            signed_rank(&d.iter().map(|v| v - shift).collect::<Vec<_>>(), Zeros::Drop).expect("a test").p
        };
        check(&places, p, |confidence| one_sample(&d, confidence).expect("a comparison"), &d);
    }
}

/// The exact p of larger samples from one plain table of all subsets by size and doubled rank sum.
fn mann_whitney_by_table(x: &[f64], y: &[f64]) -> f64 {
    let pooled: Vec<f64> = x.iter().chain(y).copied().collect();
    let ranks = doubled_ranks(&pooled);
    let (n, most) = (y.len(), ranks.iter().sum::<i64>() as usize);
    let mut table = vec![vec![0_u128; most + 1]; n + 1];
    table[0][0] = 1;
    for &rank in &ranks {
        for k in (1..=n).rev() {
            let (below, row) = table.split_at_mut(k);
            for sum in rank as usize..=most {
                row[0][sum] += below[k - 1][sum - rank as usize];
            }
        }
    }
    let mean = (n * (pooled.len() + 1)) as i64;
    two_sided(&table[n], mean, ranks[x.len()..].iter().sum())
}

/// Fraction of the counts at least as far from `mean` as `seen`.
fn two_sided(counts: &[u128], mean: i64, seen: i64) -> f64 {
    let far = |sum: usize| (sum as i64 - mean).abs() >= (seen - mean).abs();
    let hits: u128 = counts.iter().enumerate().filter(|(sum, _)| far(*sum)).map(|(_, c)| c).sum();
    hits as f64 / counts.iter().sum::<u128>() as f64
}

#[test]
fn larger_samples_with_ties() {
    let mut lcg = Lcg(23);
    for round in 0..60 {
        let span = [2, 5, 12, 60, 500][lcg.below(5) as usize];
        let (m, n) = if round < 45 {
            (1 + lcg.below(25), 1 + lcg.below(25))
        } else {
            (30 + lcg.below(20), 1 + lcg.below(49))
        };
        let push = lcg.below(span + 1) as i64;
        let (x, y) = (lcg.sample(m as usize, 0, span, 1.0), lcg.sample(n as usize, push, span, 1.0));
        let ours = mann_whitney(&x, &y).expect("a test").p;
        agree(ours, mann_whitney_by_table(&x, &y), 1e-13, &(&x, &y));
        let d = lcg.sample(m as usize, -push, span, 1.0);
        for (zeros, pratt) in [(Zeros::Drop, false), (Zeros::Pratt, true)] {
            agree(
                signed_rank(&d, zeros).expect("a test").p,
                signed_rank_by_table(&d, pratt),
                1e-13,
                &(&d, pratt),
            );
        }
    }
}

/// The exact signed-rank p of larger samples from one plain table of all subsets by doubled rank sum.
fn signed_rank_by_table(d: &[f64], pratt: bool) -> f64 {
    let kept: Vec<f64> = d.iter().copied().filter(|&v| pratt || v != 0.0).collect();
    let size: Vec<f64> = kept.iter().map(|v| v.abs()).collect();
    let ranked: Vec<(i64, f64)> =
        doubled_ranks(&size).into_iter().zip(kept).filter(|(_, v)| *v != 0.0).collect();
    let most = ranked.iter().map(|(r, _)| r).sum::<i64>() as usize;
    // Doubled once more, so that half of the total is an integer.
    let mut counts = vec![0_u128; 2 * most + 1];
    counts[0] = 1;
    for &(rank, _) in &ranked {
        for sum in (2 * rank as usize..counts.len()).rev() {
            counts[sum] += counts[sum - 2 * rank as usize];
        }
    }
    let seen: i64 = ranked.iter().filter(|(_, v)| *v > 0.0).map(|(r, _)| 2 * r).sum();
    two_sided(&counts, most as i64, seen)
}
