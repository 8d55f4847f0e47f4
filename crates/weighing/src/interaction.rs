//! Interactions: whether the effect of one factor depends on the level of another.

use std::collections::BTreeMap;

use rayon::prelude::*;
use statera_kernels as kernels;
use statera_kernels::{Correction as Flat, Zeros};
use statera_readers::Observations;

use crate::assignment::{Assignment, Pairing};
use crate::blocks::{has_blocks, measured, values_of_blocks};
use crate::codes::coded;
use crate::grouping::{Cells, Job};
use crate::policy::Policy;
use crate::row::{Design, Row, Scale, Warning};
use crate::sample::Sample;
use crate::share;

coded! {
    /// The test that compares two or more effects.
    pub enum InteractionTest {
        /// Friedman over the levels on the effects of the blocks that all levels have.
        Friedman = "friedman",
        /// Signed-rank test of the blocks' differences of effects; two levels.
        SignedRank = "signed-rank",
        /// Cochran's Q of the typical changes, each weighted by its interval's width.
        CochranQ = "cochran-q",
    }
}

/// Whether a pair's effect on a benchmark and metric differs between the groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Interaction {
    /// The metric's number.
    pub metric: u32,
    /// The benchmark's number.
    pub benchmark: u32,
    /// The baseline's number.
    pub baseline: u32,
    /// The contender's number.
    pub contender: u32,
    /// The rows whose effects are compared, one per group.
    pub rows: Vec<u32>,
    /// The test.
    pub test: InteractionTest,
    /// Number of blocks in the test; 0 for Cochran's Q.
    pub blocks: u32,
    /// Its statistic.
    pub statistic: f64,
    /// Its degrees of freedom; NaN for the signed-rank test.
    pub df: f64,
    /// Its p-value, divided by the share of alpha that it may spend.
    pub p: f64,
    /// The p-value corrected over all interactions (Benjamini-Hochberg).
    pub p_corrected: f64,
}

/// Compares the effect of each pair on each benchmark and metric between the groups.
pub fn interactions(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    cells: &Cells,
    jobs: &[Job],
    rows: &[Row],
) -> Vec<Interaction> {
    if !assignment.factorial {
        return Vec::new();
    }
    let mut of: BTreeMap<(u32, u32, u32, u32), Vec<usize>> = BTreeMap::new();
    for (i, row) in rows.iter().enumerate().filter(|(_, row)| row.p.is_some()) {
        of.entry((row.metric, row.benchmark, row.baseline.variant, row.contender.variant))
            .or_default()
            .push(i);
    }
    let several: Vec<Vec<usize>> = of.into_values().filter(|own| own.len() > 1).collect();
    let mut found: Vec<Interaction> = several
        .par_iter()
        .filter_map(|own| {
            let effects: Vec<_> = own
                .iter()
                .map(|&i| block_effects(observations, assignment, cells, &jobs[i], &rows[i]))
                .collect();
            let found = by_blocks(own, rows, &effects).or_else(|| by_intervals(own, rows, policy))?;
            let share = own.iter().map(|&i| rows[i].share).fold(1.0, f64::min);
            Some(Interaction { p: share::spent(found.p, share), ..found })
        })
        .collect();
    let p: Vec<f64> = found.iter().map(|interaction| interaction.p).collect();
    for (interaction, p) in found.iter_mut().zip(kernels::adjust(&p, Flat::BenjaminiHochberg)) {
        interaction.p_corrected = p;
    }
    found
}

/// Returns the effect on each block if the row is paired by blocks; otherwise nothing.
fn block_effects(
    observations: &Observations,
    assignment: &Assignment,
    cells: &Cells,
    job: &Job,
    row: &Row,
) -> BTreeMap<u32, f64> {
    if row.design != Design::Paired || assignment.pairing == Pairing::Order {
        return BTreeMap::new();
    }
    let both = [job.baseline, job.contender];
    let side = |variant: u32| measured(observations, assignment, cells, (variant, &both), job.cell);
    let (baseline, contender) = (side(row.baseline.variant), side(row.contender.variant));
    if !has_blocks(&baseline) || !has_blocks(&contender) {
        return BTreeMap::new();
    }
    let (blocks, baseline, contender) =
        Sample::default().match_blocks(&values_of_blocks(&baseline), &values_of_blocks(&contender));
    let effect = |baseline: f64, contender: f64| match row.scale {
        Scale::Ratio => (contender / baseline).ln(),
        Scale::Difference => contender - baseline,
    };
    blocks
        .into_iter()
        .zip(baseline.iter().zip(&contender))
        .map(|(block, (&baseline, &contender))| (block, effect(baseline, contender)))
        .collect()
}

fn by_blocks(own: &[usize], rows: &[Row], effects: &[BTreeMap<u32, f64>]) -> Option<Interaction> {
    let levels = effects.len();
    let same_scale = own.iter().all(|&i| rows[i].scale == rows[own[0]].scale);
    let shared: Vec<u32> = effects[0]
        .keys()
        .copied()
        .filter(|block| effects.iter().all(|level| level.contains_key(block)))
        .collect();
    if !same_scale || shared.len() < 2 {
        return None;
    }
    let values: Vec<f64> =
        shared.iter().flat_map(|block| effects.iter().map(move |level| level[block])).collect();
    let blank = blank(own, rows, InteractionTest::Friedman);
    let blocks = shared.len() as u32;
    if levels == 2 {
        let differences: Vec<f64> = values.chunks(2).map(|pair| pair[1] - pair[0]).collect();
        let test = kernels::signed_rank(&differences, Zeros::Drop)?;
        let (statistic, p) = (test.statistic, test.p);
        return Some(Interaction { test: InteractionTest::SignedRank, blocks, statistic, p, ..blank });
    }
    let friedman = kernels::friedman(&values, levels)?;
    Some(Interaction { blocks, statistic: friedman.statistic, df: friedman.df, p: friedman.p, ..blank })
}

/// Cochran's Q (1954): the weighted sum of squares of the effects about their mean is chi-squared.
fn by_intervals(own: &[usize], rows: &[Row], policy: &Policy) -> Option<Interaction> {
    let estimates: Option<Vec<(f64, f64)>> = own
        .iter()
        .map(|&i| {
            let row = &rows[i];
            let z = kernels::special::norm_quantile(1.0 - policy.alpha * row.share / 2.0);
            let (low, high, effect) = match row.scale {
                Scale::Ratio => (row.change_low.ln_1p(), row.change_high.ln_1p(), row.change.ln_1p()),
                Scale::Difference => (row.change_low, row.change_high, row.change),
            };
            let weight = (2.0 * z / (high - low)).powi(2);
            let usable =
                !row.warns(Warning::LowLevel) && row.scale == rows[own[0]].scale && weight.is_finite();
            usable.then_some((effect, weight))
        })
        .collect();
    let estimates = estimates?;
    let weights: f64 = estimates.iter().map(|(_, weight)| weight).sum();
    let mean = estimates.iter().map(|(effect, weight)| effect * weight).sum::<f64>() / weights;
    let statistic: f64 = estimates.iter().map(|(effect, weight)| weight * (effect - mean).powi(2)).sum();
    let df = (own.len() - 1) as f64;
    let p = kernels::chi_squared::chi_squared_sf(statistic, df);
    Some(Interaction { statistic, df, p, ..blank(own, rows, InteractionTest::CochranQ) })
}

fn blank(own: &[usize], rows: &[Row], test: InteractionTest) -> Interaction {
    let first = &rows[own[0]];
    Interaction {
        metric: first.metric,
        benchmark: first.benchmark,
        baseline: first.baseline.variant,
        contender: first.contender.variant,
        rows: own.iter().map(|&i| i as u32).collect(),
        test,
        blocks: 0,
        statistic: f64::NAN,
        df: f64::NAN,
        p: f64::NAN,
        p_corrected: f64::NAN,
    }
}
