//! The Kruskal-Wallis test (Kruskal & Wallis 1952) of several independent samples.

use crate::chi_squared::chi_squared_sf;
use crate::rank_order::{Workspace, with_workspace};

/// The outcome of a Kruskal-Wallis test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KruskalWallis {
    /// H, corrected for ties.
    pub statistic: f64,
    /// Degrees of freedom: the number of non-empty samples minus one.
    pub df: f64,
    /// P(χ² ≥ H), the usual approximation.
    pub p: f64,
    /// ε² = H / (n − 1), between 0 and 1: the fraction of the variance of the ranks that lies between the
    /// samples.
    pub epsilon_squared: f64,
    /// Number of values in all samples.
    pub n: usize,
}

/// Kruskal-Wallis test of samples in any order; `None` if fewer than two of them are non-empty.
///
/// Empty samples are left out. If all values are equal there is no evidence against equality: H = 0 and p = 1.
#[must_use]
pub fn kruskal_wallis(groups: &[&[f64]]) -> Option<KruskalWallis> {
    let samples = groups.iter().copied();
    let held = samples.clone().filter(|s| !s.is_empty()).count();
    if held < 2 {
        return None;
    }
    let (n, explained) = with_workspace(|workspace| {
        workspace.order.fill(samples.clone());
        (workspace.order.count(), explained(workspace, samples))
    });
    let (df, statistic) = ((held - 1) as f64, explained * (n - 1) as f64);
    Some(KruskalWallis { statistic, df, p: chi_squared_sf(statistic, df), epsilon_squared: explained, n })
}

/// The sum of squares of the ranks between the samples, divided by that of all ranks.
fn explained<'a>(workspace: &mut Workspace, samples: impl Iterator<Item = &'a [f64]>) -> f64 {
    workspace.order.centred(&mut workspace.ranks);
    let mut rest = &workspace.ranks[..];
    let squares = |ranks: &[i64]| ranks.iter().map(|r| r.unsigned_abs().pow(2)).sum::<u64>();
    // In parts that fit 64 bits.
    let all: u128 = rest.chunks(64).map(|part| u128::from(squares(part))).sum();
    if all == 0 {
        return 0.0;
    }
    let mut between = 0.0;
    for size in samples.map(<[f64]>::len).filter(|&size| size > 0) {
        let (own, others) = rest.split_at(size);
        let sum = own.iter().sum::<i64>() as f64;
        between += sum * sum / size as f64;
        rest = others;
    }
    (between / all as f64).min(1.0)
}
