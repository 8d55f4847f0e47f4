//! The dip and the number of modes against their definitions, and the error rate of the test.

use crate::common::Lcg;
use crate::common::shape::{normal, rejected, samples};
use statera_kernels::{dip, modes};

/// Whether some distribution with its mode at the value of index `m` stays within `d` of the sample everywhere:
/// convex before the mode and concave after it, which is a bound on every three points, with an upward step at
/// the mode.
fn one_mode_fits(points: &[(f64, f64, f64)], m: usize, d: f64) -> bool {
    // From the left: the minimum that the function must have reached at the mode, from points before it.
    let reached = |points: &[(f64, f64, f64)]| -> Option<f64> {
        let (&(mode, before_mode, _), earlier) = points.split_last()?;
        let mut least = 0.0_f64.max(before_mode - d - 1.0);
        for (k, &(x, _, after)) in earlier.iter().enumerate() {
            least = least.max(after - d);
            for &(x0, before0, _) in &earlier[..k] {
                // Below the highest start and above the lowest end: at least this steep from here on.
                least = least.max(after - d + (after - before0 - 2.0 * d) / (x - x0) * (mode - x));
                for &(x1, before1, _) in &earlier[k + 1..] {
                    let chord = before0 + d + (before1 - before0) * (x - x0) / (x1 - x0);
                    if chord < after - d {
                        return None;
                    }
                }
            }
            for &(_, before1, _) in &earlier[k..] {
                if after - d > before1 + d {
                    return None;
                }
            }
        }
        (least <= before_mode + d).then_some(least)
    };
    let mirrored: Vec<(f64, f64, f64)> =
        points[m..].iter().rev().map(|&(x, before, after)| (-x, 1.0 - after, 1.0 - before)).collect();
    match (reached(&points[..=m]), reached(&mirrored)) {
        (Some(left), Some(right)) => left <= 1.0 - right,
        _ => false,
    }
}

/// The smallest distance from a unimodal distribution, by bisection; at least 1/(2n), the smallest that is
/// returned.
fn dip_by_definition(sorted: &[f64]) -> f64 {
    let n = sorted.len() as f64;
    let mut points: Vec<(f64, f64, f64)> = Vec::new();
    for (i, &v) in sorted.iter().enumerate() {
        match points.last_mut().filter(|last| last.0 == v) {
            Some(last) => last.2 = (i + 1) as f64 / n,
            None => points.push((v, i as f64 / n, (i + 1) as f64 / n)),
        }
    }
    let (mut low, mut high) = (0.0, 0.5);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (0..points.len()).any(|m| one_mode_fits(&points, m, middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high.max(0.5 / n)
}

#[test]
fn the_dip_is_the_least_distance_from_one_mode() {
    for values in samples(1) {
        let ours = dip(&values).expect("a dip");
        assert!(
            (ours.dip - dip_by_definition(&values)).abs() < 1e-12,
            "{values:?} {ours:?} {}",
            dip_by_definition(&values)
        );
    }
}

/// Clusters of normal values around the given centres.
fn heaps(lcg: &mut Lcg, parts: &[(usize, f64, f64)]) -> Vec<f64> {
    parts
        .iter()
        .flat_map(|&(n, centre, spread)| normal(lcg, n).into_iter().map(move |v| centre + spread * v))
        .collect()
}

#[test]
fn heaps_are_counted() {
    let mut lcg = Lcg(21);
    for _ in 0..50 {
        assert_eq!(modes(&heaps(&mut lcg, &[(60, 0.0, 1.0), (60, 9.0, 1.0)])), 2);
        assert_eq!(modes(&heaps(&mut lcg, &[(60, 0.0, 1.0), (60, 9.0, 1.0), (60, 18.0, 1.0)])), 3);
        // A cluster of a quarter of the values, two and a half times as wide.
        assert_eq!(modes(&heaps(&mut lcg, &[(150, 0.0, 1.0), (50, 20.0, 2.5)])), 2);
        // A few remote stragglers are not a mode.
        assert_eq!(modes(&heaps(&mut lcg, &[(100, 0.0, 1.0), (3, 60.0, 4.0)])), 1);
        assert_eq!(modes(&heaps(&mut lcg, &[(60, 0.0, 1.0), (60, 9.0, 1.0), (3, 200.0, 30.0)])), 2);
    }
    // Ticks of a coarse clock are not modes, but the clusters that they form are.
    for n in [20, 50, 200, 1000] {
        for ticks in [0.5, 1.0, 2.0, 5.0] {
            let on_ticks = |values: Vec<f64>| {
                values.into_iter().map(|v| 0.1 * (ticks * v).round()).collect::<Vec<f64>>()
            };
            let share = rejected(100, || f64::from(u8::from(modes(&on_ticks(normal(&mut lcg, n))) == 1)));
            assert!(share <= 0.02, "{n} {ticks}: {share}");
            if ticks > 1.0 {
                assert_eq!(modes(&on_ticks(heaps(&mut lcg, &[(n, 0.0, 1.0), (n, 12.0, 1.0)]))), 2);
            }
        }
    }
    assert_eq!((modes(&[]), modes(&[7.0]), modes(&[7.0; 40])), (0, 1, 1));
}

#[test]
fn uniform_samples_fail_the_dip_test_once_in_twenty() {
    let mut lcg = Lcg(5);
    for n in [5, 8, 11, 17, 40, 150, 700] {
        // Also for sizes between the rows of the table.
        let share = rejected(if n > 100 { 4000 } else { 20_000 }, || {
            dip(&lcg.sample(n, 0, 1 << 22, 1.0)).expect("a dip").p
        });
        assert!((share - 0.05).abs() < if n > 100 { 0.012 } else { 0.006 }, "{n}: {share}");
    }
}
