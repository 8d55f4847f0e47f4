//! Resampling against its definition: everything computed anew, straight from the formulas, on small inputs.

mod common;

use common::{Lcg, agree};
use statera_kernels::{MaxTRow, Moderation, Relabeling, prior, westfall_young_with};

/// |t| of two groups, or of differences, before its variance is shrunk: (numerator / unscaled error, variance).
fn parts(values: &[f64], second: &[bool], signs: bool) -> (f64, f64) {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let squares = |v: &[f64]| {
        let centre = if v.iter().all(|a| *a == v[0]) { v[0] } else { mean(v) };
        v.iter().map(|a| (a - centre).powi(2)).sum::<f64>()
    };
    if signs {
        let flipped: Vec<f64> = values.iter().zip(second).map(|(&v, &f)| if f { -v } else { v }).collect();
        let n = values.len() as f64;
        return (mean(&flipped).abs() * n.sqrt(), squares(&flipped) / (n - 1.0));
    }
    let group = |side: bool| -> Vec<f64> {
        values.iter().zip(second).filter(|(_, s)| **s == side).map(|(&v, _)| v).collect()
    };
    let (x, y) = (group(false), group(true));
    let error = (1.0 / x.len() as f64 + 1.0 / y.len() as f64).sqrt();
    ((mean(&y) - mean(&x)).abs() / error, (squares(&x) + squares(&y)) / (values.len() as f64 - 2.0))
}

/// Statistics of all rows under one labeling.
fn statistics(rows: &[MaxTRow<'_>], second: &[bool], signs: bool, moderation: Moderation) -> Vec<f64> {
    let df = second.len() as f64 - if signs { 1.0 } else { 2.0 };
    let found: Vec<(f64, f64)> = rows.iter().map(|row| parts(row.values, second, signs)).collect();
    rows.iter()
        .zip(&found)
        .map(|(row, (top, variance))| {
            let pool: Vec<f64> =
                rows.iter().zip(&found).filter(|(r, _)| r.pool == row.pool).map(|(_, f)| f.1).collect();
            let shrunk = match moderation {
                Moderation::Pooled => prior(&pool, df).shrink(*variance, df),
                Moderation::None => *variance,
            };
            top / shrunk.sqrt()
        })
        .collect()
}

/// Step-down maxT by full enumeration, mirrors and all. Rows must vary.
fn by_definition(rows: &[MaxTRow<'_>], relabeling: Relabeling, moderation: Moderation) -> Vec<f64> {
    let (count, chosen, signs) = match relabeling {
        Relabeling::TwoSample { m, n } => (m + n, Some(n as u32), false),
        Relabeling::Signs { n } => (n, None, true),
    };
    let first = match relabeling {
        Relabeling::TwoSample { m, .. } => m,
        Relabeling::Signs { n } => n,
    };
    let observed: Vec<bool> = (0..count).map(|i| i >= first).collect();
    let seen = statistics(rows, &observed, signs, moderation);
    let all: Vec<Vec<f64>> = (0..1_u32 << count)
        .filter(|mask| chosen.is_none_or(|k| mask.count_ones() == k))
        .map(|mask| {
            let second: Vec<bool> = (0..count).map(|i| mask >> i & 1 == 1).collect();
            statistics(rows, &second, signs, moderation)
        })
        .collect();
    let raw = |row: usize| {
        let reached = |statistics: &&Vec<f64>| {
            let rivals = (0..rows.len()).filter(|&other| seen[other] <= seen[row]);
            rivals.map(|other| statistics[other]).fold(0.0, f64::max) >= seen[row] * (1.0 - 1e-9)
        };
        all.iter().filter(reached).count() as f64 / all.len() as f64
    };
    let raw: Vec<f64> = (0..rows.len()).map(raw).collect();
    (0..rows.len())
        .map(|row| (0..rows.len()).filter(|&o| seen[o] >= seen[row]).map(|o| raw[o]).fold(0.0, f64::max))
        .collect()
}

#[test]
fn max_t_is_the_enumeration() {
    let mut lcg = Lcg(11);
    for case in 0..160 {
        let relabeling = match case % 4 {
            0 => Relabeling::Signs { n: 2 + lcg.below(7) as usize },
            1 => {
                let m = 2 + lcg.below(3) as usize;
                Relabeling::TwoSample { m, n: m }
            }
            _ => Relabeling::TwoSample { m: 1 + lcg.below(5) as usize, n: 2 + lcg.below(4) as usize },
        };
        let count = match relabeling {
            Relabeling::TwoSample { m, n } => m + n,
            Relabeling::Signs { n } => n,
        };
        let height = 1 + lcg.below(9) as usize;
        let span = [3, 30, 100_000][lcg.below(3) as usize];
        let values: Vec<Vec<f64>> = (0..height)
            .map(|_| {
                let spread = [1.0, 1.0, 7.0][lcg.below(3) as usize];
                let push = lcg.below(2) as f64 * span as f64 * spread;
                let low = -(span as i64) / 3;
                let mut row = lcg.sample(count, low, span, spread);
                row.iter_mut().skip(count / 2).for_each(|v| *v += push);
                row[0] += 1e-3;
                row
            })
            .collect();
        let rows: Vec<MaxTRow> =
            values.iter().enumerate().map(|(i, values)| MaxTRow { values, pool: 7 * (i % 2) }).collect();
        for moderation in [Moderation::Pooled, Moderation::None] {
            let ours = westfall_young_with(&rows, relabeling, moderation, 100_000, 1).expect("a result");
            assert!(ours.exact);
            for (a, b) in ours.p.iter().zip(by_definition(&rows, relabeling, moderation)) {
                agree(*a, b, 1e-12, &(relabeling, moderation, &values));
            }
        }
    }
}
