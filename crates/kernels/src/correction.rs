//! Corrections for multiple comparisons.
//!
//! Sources: Holm 1979; Hochberg 1988; Benjamini & Hochberg 1995; Benjamini & Yekutieli 2001. The results agree
//! with R's `p.adjust`.

/// The correction applied to a family of p-values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Correction {
    /// False discovery rate of independent or positively dependent tests (Benjamini & Hochberg 1995).
    BenjaminiHochberg,
    /// Family-wise error, step-down (Holm 1979).
    Holm,
    /// Family-wise error, step-up (Hochberg 1988).
    Hochberg,
    /// Family-wise error, single step (Bonferroni).
    Bonferroni,
    /// False discovery rate under any dependence (Benjamini & Yekutieli 2001).
    BenjaminiYekutieli,
    /// No correction: the p-values unchanged.
    None,
}

/// Adjusted p-values in the given order. NaN stays NaN and does not belong to the family.
#[must_use]
pub fn adjust(p: &[f64], how: Correction) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).filter(|&i| !p[i].is_nan()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let count = order.len() as f64;
    let mut adjusted = p.to_vec();
    match how {
        Correction::None => {}
        Correction::Bonferroni => order.iter().for_each(|&i| adjusted[i] = (p[i] * count).min(1.0)),
        Correction::Holm => step_down(p, &order, &mut adjusted),
        Correction::Hochberg => step_up(p, &order, &mut adjusted, |rank| count - rank + 1.0),
        Correction::BenjaminiHochberg => step_up(p, &order, &mut adjusted, |rank| count / rank),
        Correction::BenjaminiYekutieli => {
            let harmonic: f64 = (1..=order.len()).map(|i| 1.0 / i as f64).sum();
            step_up(p, &order, &mut adjusted, |rank| harmonic * count / rank);
        }
    }
    adjusted
}

/// From the smallest p upwards, each at least its predecessor.
fn step_down(p: &[f64], order: &[usize], adjusted: &mut [f64]) {
    let mut most: f64 = 0.0;
    for (before, &i) in order.iter().enumerate() {
        most = most.max(p[i] * (order.len() - before) as f64);
        adjusted[i] = most.min(1.0);
    }
}

/// From the largest p downwards, each at most its successor; `factor` by rank from 1.
fn step_up(p: &[f64], order: &[usize], adjusted: &mut [f64], factor: impl Fn(f64) -> f64) {
    let mut least: f64 = 1.0;
    for (before, &i) in order.iter().enumerate().rev() {
        least = least.min(p[i] * factor((before + 1) as f64));
        adjusted[i] = least;
    }
}
