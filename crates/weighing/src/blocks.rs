//! The blocks, processes and runs of values.

use std::borrow::Cow;

use statera_kernels as kernels;
use statera_readers::{NONE, Observations};

use crate::assignment::Assignment;
use crate::grouping::Cells;

/// A value with its block and its process or run.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// The block, or [`NONE`]. The same block at two pooled levels is two blocks.
    pub block: u32,
    /// The level of the factors that were pooled on request.
    pub stratum: u32,
    /// The process or run; `u64::MAX` if unknown.
    pub run: u64,
    /// The value.
    pub value: f64,
    /// The number of samples of which it is the mean; 1 if unknown.
    pub weight: f64,
    /// The standard deviation of these samples; NaN if unknown, or if the value is not their mean.
    pub deviation: f64,
}

/// Returns the values of a cell with their blocks and runs; empty if the rows were not kept. They are compared with those of
/// the variants `among`.
pub fn measured(
    observations: &Observations,
    assignment: &Assignment,
    cells: &Cells,
    (variant, among): (u32, &[u32]),
    cell: usize,
) -> Vec<Measured> {
    let side = cells.of(variant);
    // Files that hold other benchmarks are no runs of this one: each benchmark is judged as if it were the only one.
    let files_are_runs = assignment.files_are_runs[variant as usize]
        && among.iter().any(|&each| has_several_files(observations, assignment, cells.of(each).rows(cell)));
    let pair = side.rows(cell).iter().zip(side.values(cell));
    pair.map(|(&row, &value)| {
        let (row, context) = (row as usize, observations.context[row as usize] as usize);
        let block = match &assignment.block_of_context {
            Some(blocks) => blocks[context].unwrap_or(NONE),
            None => observations.block.get(row).copied().unwrap_or(NONE),
        };
        let stratum = assignment.stratum_of_context.get(context).copied().unwrap_or(0);
        let block = if block == NONE { NONE } else { block * assignment.strata + stratum };
        let process = observations.process.get(row).copied().unwrap_or(NONE);
        let run = if process != NONE {
            u64::from(process)
        } else if files_are_runs {
            1 << 32 | u64::from(observations.context_source[context])
        } else {
            u64::MAX
        };
        let weight = observations.weight.get(row).copied().filter(|weight| !weight.is_nan()).unwrap_or(1.0);
        let deviation = observations.deviation.get(row).copied().unwrap_or(f64::NAN);
        Measured { block, stratum, run, value, weight, deviation }
    })
    .collect()
}

/// Whether two files hold values of one level.
fn has_several_files(observations: &Observations, assignment: &Assignment, rows: &[u32]) -> bool {
    let mut first: Vec<(u32, u32)> = Vec::new();
    rows.iter().any(|&row| {
        let context = observations.context[row as usize] as usize;
        let stratum = assignment.stratum_of_context.get(context).copied().unwrap_or(0);
        let source = observations.context_source[context];
        let known = first.iter().find(|(known, _)| *known == stratum).map(|&(_, other)| other);
        if known.is_none() {
            first.push((stratum, source));
        }
        known.is_some_and(|other| other != source)
    })
}

/// Whether every value has a block.
pub fn has_blocks(side: &[Measured]) -> bool {
    !side.is_empty() && side.iter().all(|value| value.block != NONE)
}

/// Whether blocks pair the sides: every value of every side has one.
pub fn pair_by_blocks(sides: &[&[Measured]]) -> bool {
    sides.iter().all(|side| has_blocks(side))
}

/// Returns the number of processes or runs; `None` if unknown. Files of different pooled levels are not runs of each
/// other: one file at each level counts as one run.
pub fn count_runs(side: &[Measured]) -> Option<usize> {
    if side.is_empty() || side.iter().any(|value| value.run == u64::MAX) {
        return None;
    }
    let mut runs: Vec<(u32, u64)> = side.iter().map(|value| (value.stratum, value.run)).collect();
    runs.sort_unstable();
    runs.dedup();
    let lone = runs.chunk_by(|a, b| a.0 == b.0).all(|level| level.len() == 1);
    Some(if lone { 1 } else { runs.len() })
}

/// Checks that every block occurs once on each side.
///
/// # Errors
/// What is wrong, in words.
pub fn check_blocks(
    observations: &Observations,
    assignment: &Assignment,
    baseline: &[Measured],
    contender: &[Measured],
) -> Result<(), String> {
    let name = |block: u32| match (&assignment.block_of_context, block / assignment.strata) {
        (Some(_), block) => format!("number {}", block + 1),
        (None, block) => format!("`{}`", observations.blocks.get(block)),
    };
    let sorted = |side: &[Measured]| {
        let mut keys: Vec<(u32, u64)> = side.iter().map(|value| (value.block, value.run)).collect();
        keys.sort_unstable();
        keys
    };
    let (baseline, contender) = (sorted(baseline), sorted(contender));
    for (side, keys) in [("the baseline", &baseline), ("the contender", &contender)] {
        if keys.iter().any(|&(block, _)| block == NONE) {
            return Err(format!("{side} has values without a pairing key"));
        }
        if let Some(pair) = keys.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("the pairing key {} occurs more than once in {side}", name(pair[0].0)));
        }
    }
    let lone = |keys: &[(u32, u64)], others: &[(u32, u64)]| {
        let found: Vec<u32> = keys
            .iter()
            .map(|key| key.0)
            .filter(|&block| others.binary_search_by_key(&block, |key| key.0).is_err())
            .collect();
        (found.len(), found.first().copied())
    };
    for (side, (count, first)) in
        [("the contender", lone(&baseline, &contender)), ("the baseline", lone(&contender, &baseline))]
    {
        if let Some(block) = first {
            return Err(format!("{count} pairing keys are missing in {side}, the first is {}", name(block)));
        }
    }
    Ok(())
}

/// Whether the blocks of a side are rounds, in each of which the program was started anew: every run measured one block,
/// and a block has less than two runs on average. Then there is a value per block as there is one per run, and the blocks
/// pair the sides. Runs that measured many blocks each are units themselves.
pub fn are_rounds(side: &[Measured]) -> bool {
    let known = |value: &Measured| value.block != NONE && value.run != u64::MAX;
    if side.is_empty() || !side.iter().all(known) {
        return false;
    }
    let mut runs: Vec<(u64, u32)> = side.iter().map(|value| (value.run, value.block)).collect();
    runs.sort_unstable();
    runs.dedup();
    let mut blocks: Vec<u32> = runs.iter().map(|&(_, block)| block).collect();
    blocks.sort_unstable();
    blocks.dedup();
    runs.windows(2).all(|pair| pair[0].0 != pair[1].0) && runs.len() < 2 * blocks.len()
}

/// Returns the values that are paired by block. The values of a round come from one process, which counts once.
pub fn values_of_blocks(side: &[Measured]) -> Cow<'_, [Measured]> {
    if !are_rounds(side) {
        return Cow::Borrowed(side);
    }
    let of_run =
        |(first, values): (Measured, Vec<f64>)| Measured { value: kernels::median(&values), ..first };
    Cow::Owned(runs_of(side).into_iter().map(of_run).collect())
}

/// Returns one value per run: the median of its values.
pub fn per_run(side: &[Measured]) -> Vec<f64> {
    values_of_runs(side).iter().map(|values| kernels::median(values)).collect()
}

/// Returns the values of each run.
pub fn values_of_runs(side: &[Measured]) -> Vec<Vec<f64>> {
    runs_of(side).into_iter().map(|(_, values)| values).collect()
}

/// Returns the first value of each run, and all of them.
fn runs_of(side: &[Measured]) -> Vec<(Measured, Vec<f64>)> {
    let mut runs: Vec<(Measured, Vec<f64>)> = Vec::new();
    for &value in side {
        match runs.iter_mut().find(|(first, _)| first.run == value.run) {
            Some((_, values)) => values.push(value.value),
            None => runs.push((value, vec![value.value])),
        }
    }
    runs
}

/// Returns for each side one value per run, without the differences between blocks: the median over blocks of the ratio
/// to the block's geometric mean over all runs of all sides, times the mean size. The reference treats all sides alike,
/// so that all runs are exchangeable if nothing changed.
pub fn against_blocks(sides: &[&[Measured]]) -> Vec<Vec<f64>> {
    let Some((relative, size)) = relative_to_blocks(sides) else {
        return sides.iter().map(|side| per_run(side)).collect();
    };
    let whole = |side: &Vec<Measured>| per_run(side).into_iter().map(|log| (log + size).exp()).collect();
    relative.iter().map(whole).collect()
}

/// Returns the logarithms of the values minus the mean of their block over all runs of all sides, and the median of
/// these means. `None` if a value is not positive.
pub fn relative_to_blocks(sides: &[&[Measured]]) -> Option<(Vec<Vec<Measured>>, f64)> {
    use std::collections::HashMap;
    let all = || sides.iter().copied().flatten();
    if all().any(|value| value.value <= 0.0) {
        return None;
    }
    let mut sums: HashMap<u32, (f64, usize)> = HashMap::new();
    for value in all() {
        let entry = sums.entry(value.block).or_default();
        entry.0 += value.value.ln();
        entry.1 += 1;
    }
    let means: Vec<f64> = sums.values().map(|(sum, n)| sum / *n as f64).collect();
    let relative = |side: &[Measured]| -> Vec<Measured> {
        let log = |value: &Measured| {
            let (sum, n) = sums[&value.block];
            Measured { value: value.value.ln() - sum / n as f64, ..*value }
        };
        side.iter().map(log).collect()
    };
    Some((sides.iter().map(|side| relative(side)).collect(), kernels::median(&means)))
}
