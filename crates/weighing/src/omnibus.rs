//! Tests over three or more variants: whether any of them differs.

use std::borrow::Cow;

use rayon::prelude::*;
use statera_kernels as kernels;
use statera_readers::{Estimand, Observations};

use crate::assignment::{Assignment, Pairing};
use crate::blocks::{
    Measured, against_blocks, are_rounds, count_runs, measured, pair_by_blocks, per_run, values_of_blocks,
};
use crate::codes::coded;
use crate::grouping::Cells;
use crate::policy::{PairedOmnibus, Policy, ScaleChoice};
use crate::row::{Design, Row};
use crate::share;

/// The minimum number of variants for a test over all variants.
const VARIANTS_FROM: usize = 3;

coded! {
    /// The test over all variants.
    pub enum OmnibusTest {
        /// Kruskal-Wallis on independent values or on one value per process; the effect is epsilon squared.
        KruskalWallis = "kruskal-wallis",
        /// Friedman on blocks; the effect is Kendall's W.
        Friedman = "friedman",
        /// Quade on blocks; the effect is Kendall's W.
        Quade = "quade",
    }
}

impl OmnibusTest {
    /// The name of its effect.
    #[must_use]
    pub fn effect(self) -> &'static str {
        match self {
            Self::KruskalWallis => "epsilon_squared",
            Self::Friedman | Self::Quade => "kendall_w",
        }
    }
}

/// The test of one benchmark and metric over all variants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Omnibus {
    /// The group's number.
    pub group: u32,
    /// The metric's number.
    pub metric: u32,
    /// The benchmark's number.
    pub benchmark: u32,
    /// The design of the data.
    pub design: Design,
    /// Number of variants in the test.
    pub variants: u32,
    /// Number of blocks that all variants have, or of units of all variants together.
    pub n: u32,
    /// Number of blocks that some variant lacks.
    pub blocks_dropped: u32,
    /// The test.
    pub test: OmnibusTest,
    /// Its statistic: chi-squared, or F for Quade's test.
    pub statistic: f64,
    /// Its degrees of freedom.
    pub df: f64,
    /// The degrees of freedom of the denominator for Quade's test; otherwise NaN.
    pub df2: f64,
    /// Its p-value, divided by the share of alpha that it may spend.
    pub p: f64,
    /// The p-value corrected over all benchmarks (Benjamini-Hochberg).
    pub p_corrected: f64,
    /// Epsilon squared or Kendall's W, between 0 and 1.
    pub effect: f64,
}

/// Returns one test for each cell in which three or more variants are compared by a test.
pub fn omnibus(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    cells: &Cells,
    rows: &[Row],
) -> Vec<Omnibus> {
    if (assignment.variants as usize) < VARIANTS_FROM {
        return Vec::new();
    }
    // The tests over all variants are rank tests, which do not apply to means.
    let of_ranks = |row: &&Row| observations.metrics[row.metric as usize].estimand == Estimand::Typical;
    let with_p = rows.iter().filter(|row| row.p.is_some()).filter(of_ranks);
    let mut tested: Vec<(u32, u32, u32)> = with_p.map(|row| (row.group, row.metric, row.benchmark)).collect();
    tested.sort_unstable();
    tested.dedup();
    let one = |cell: usize| {
        tested.binary_search(&cells.keys()[cell]).ok()?;
        let found = test(observations, assignment, policy, cells, cell)?;
        let variants: Vec<u32> = (0..assignment.variants).collect();
        let share = share::of(observations, assignment, cells, cell, &variants);
        Some(Omnibus { p: share::spent(found.p, share), ..found })
    };
    (0..cells.keys().len()).into_par_iter().filter_map(one).collect()
}

fn test(
    observations: &Observations,
    assignment: &Assignment,
    policy: &Policy,
    cells: &Cells,
    cell: usize,
) -> Option<Omnibus> {
    let present: Vec<u32> =
        (0..assignment.variants).filter(|&variant| !cells.of(variant).values(cell).is_empty()).collect();
    if present.len() < VARIANTS_FROM {
        return None;
    }
    let sides: Vec<Vec<Measured>> = present
        .iter()
        .map(|&variant| measured(observations, assignment, cells, (variant, &present), cell))
        .collect();
    let values: Vec<&[f64]> = present.iter().map(|&variant| cells.of(variant).values(cell)).collect();
    let runs: Vec<Option<usize>> = sides.iter().map(|side| count_runs(side)).collect();
    let several = runs.iter().all(|runs| runs.is_some_and(|runs| runs > 1));
    let fewer = runs.iter().zip(&values).any(|(&runs, values)| runs < Some(values.len()));
    let many: Vec<&[Measured]> = sides.iter().map(Vec::as_slice).collect();
    let blocked = match assignment.pairing {
        Pairing::Unpaired | Pairing::Order => false,
        Pairing::Block | Pairing::Auto => pair_by_blocks(&many),
    };
    let key = cells.keys()[cell];
    if assignment.pairing == Pairing::Order {
        let blocks: Vec<Vec<f64>> =
            (0..values[0].len()).map(|k| values.iter().filter_map(|v| v.get(k).copied()).collect()).collect();
        return paired(key, &blocks, present.len(), 0, policy);
    }
    if blocked && several && !many.iter().all(|side| are_rounds(side)) {
        return independent(key, &against_blocks(&many), Design::Nested);
    }
    if blocked {
        let values: Vec<Cow<'_, [Measured]>> = many.iter().map(|side| values_of_blocks(side)).collect();
        let (blocks, dropped) = complete_blocks(&values.iter().map(AsRef::as_ref).collect::<Vec<_>>());
        return paired(key, &blocks, present.len(), dropped, policy);
    }
    if several && fewer {
        let units: Vec<Vec<f64>> = many.iter().map(|side| per_run(side)).collect();
        return independent(key, &units, Design::Nested);
    }
    let units: Vec<Vec<f64>> = values.iter().map(|values| values.to_vec()).collect();
    independent(key, &units, Design::Independent)
}

fn blank((group, metric, benchmark): (u32, u32, u32), variants: usize, design: Design) -> Omnibus {
    Omnibus {
        group,
        metric,
        benchmark,
        design,
        variants: variants as u32,
        n: 0,
        blocks_dropped: 0,
        test: OmnibusTest::KruskalWallis,
        statistic: f64::NAN,
        df: f64::NAN,
        df2: f64::NAN,
        p: f64::NAN,
        p_corrected: f64::NAN,
        effect: f64::NAN,
    }
}

fn independent(key: (u32, u32, u32), units: &[Vec<f64>], design: Design) -> Option<Omnibus> {
    let groups: Vec<&[f64]> = units.iter().map(Vec::as_slice).collect();
    let found = kernels::kruskal_wallis(&groups)?;
    Some(Omnibus {
        n: found.n as u32,
        statistic: found.statistic,
        df: found.df,
        p: found.p,
        effect: found.epsilon_squared,
        ..blank(key, units.len(), design)
    })
}

fn paired(
    key: (u32, u32, u32),
    blocks: &[Vec<f64>],
    variants: usize,
    dropped: usize,
    policy: &Policy,
) -> Option<Omnibus> {
    let mut values: Vec<f64> =
        blocks.iter().filter(|block| block.len() == variants).flatten().copied().collect();
    let start = Omnibus { blocks_dropped: dropped as u32, ..blank(key, variants, Design::Paired) };
    let friedman = kernels::friedman(&values, variants)?;
    let start = Omnibus { n: friedman.blocks as u32, effect: friedman.kendall_w, ..start };
    if policy.omnibus == PairedOmnibus::Friedman {
        let (statistic, df, p) = (friedman.statistic, friedman.df, friedman.p);
        return Some(Omnibus { test: OmnibusTest::Friedman, statistic, df, p, ..start });
    }
    // Quade weights blocks by the range of their values; on the ratio scale that is the range of the logarithms.
    if policy.scale == ScaleChoice::Auto && values.iter().all(|&value| value > 0.0) {
        for value in &mut values {
            *value = value.ln();
        }
    }
    let quade = kernels::quade(&values, variants)?;
    let (statistic, df, df2, p) = (quade.statistic, quade.df1, quade.df2, quade.p);
    Some(Omnibus { test: OmnibusTest::Quade, statistic, df, df2, p, ..start })
}

/// Returns the blocks that every side has, in the first side's order, with one value per side (the median if a block
/// repeats); and the number of blocks that some side lacks.
fn complete_blocks(sides: &[&[Measured]]) -> (Vec<Vec<f64>>, usize) {
    use std::collections::HashMap;
    let gathered: Vec<HashMap<u32, Vec<f64>>> = sides
        .iter()
        .map(|side| {
            let mut blocks: HashMap<u32, Vec<f64>> = HashMap::with_capacity(side.len());
            for value in *side {
                blocks.entry(value.block).or_default().push(value.value);
            }
            blocks
        })
        .collect();
    let mut all: Vec<u32> = sides.iter().copied().flatten().map(|value| value.block).collect();
    all.sort_unstable();
    all.dedup();
    let complete: Vec<Vec<f64>> = all
        .iter()
        .filter_map(|block| {
            gathered.iter().map(|side| side.get(block).map(|values| kernels::median(values))).collect()
        })
        .collect();
    let dropped = all.len() - complete.len();
    (complete, dropped)
}
