//! Samples for the tests of the shape of one sample.

use statera_kernels::special;

use crate::common::Lcg;

/// All ascending samples of n values of {0, …, span − 1}, each once.
pub fn multisets(n: usize, span: usize) -> Vec<Vec<f64>> {
    let mut found = vec![vec![]];
    for _ in 0..n {
        found = found
            .into_iter()
            .flat_map(|v: Vec<f64>| {
                let least = v.last().map_or(0, |&l| l as usize);
                (least..span).map(move |next| [v.clone(), vec![next as f64]].concat())
            })
            .collect();
    }
    found
}

/// All small samples, and random ones of up to 12 values with few or many ties.
pub fn samples(least: usize) -> Vec<Vec<f64>> {
    let mut found: Vec<Vec<f64>> = (least..=6).flat_map(|n| multisets(n, 5)).collect();
    let mut lcg = Lcg(31);
    for _ in 0..400 {
        let (n, span) =
            (least + lcg.below(13 - least as u64) as usize, [4, 12, 100_000][lcg.below(3) as usize]);
        let mut values = lcg.sample(n, 0, span, 1.0);
        values.sort_by(f64::total_cmp);
        found.push(values);
    }
    found
}

pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

pub fn varies(values: &[f64]) -> bool {
    values[0] < values[values.len() - 1]
}

/// A normal sample, by the quantile function.
pub fn normal(lcg: &mut Lcg, n: usize) -> Vec<f64> {
    (0..n).map(|_| special::norm_quantile((lcg.below(1 << 22) as f64 + 0.5) / f64::from(1 << 22))).collect()
}

/// Fraction of samples with p ≤ 0.05.
pub fn rejected(count: usize, mut p: impl FnMut() -> f64) -> f64 {
    (0..count).filter(|_| p() <= 0.05).count() as f64 / count as f64
}
