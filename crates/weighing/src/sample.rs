//! What a row is tested on: the design of its data, its units and their scale.

use statera_kernels as kernels;
use statera_readers::{NONE, Observations};

use crate::grouping::{Cells, Job};
use crate::layout::{Layout, MetricRule, Pairing, Policy, ScaleChoice};
use crate::row::{Centre, Design, Scale, Warning};

/// The least number of equal values a side that makes a count exact.
const EXACT_FROM: usize = 3;

/// The values of a row as the test takes them.
#[derive(Debug, Clone)]
pub struct Sample {
    /// What the data is.
    pub design: Design,
    /// The scale of `old`, `new` and `differences`.
    pub scale: Scale,
    /// The baseline's units (logarithms on the ratio scale), in the order of measurement.
    pub old: Vec<f64>,
    /// The contender's units.
    pub new: Vec<f64>,
    /// New minus old per block; empty unless paired.
    pub differences: Vec<f64>,
    /// Values read on each side.
    pub values: (usize, usize),
    /// The centres of the units, in the base unit.
    pub centres: (Centre, Centre),
    /// Blocks without a partner.
    pub pairs_dropped: usize,
    /// Bits of [`Warning`].
    pub warnings: u32,
}

/// A pairing that was asked for and does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairingFault {
    /// The benchmark's number.
    pub benchmark: u32,
    /// The metric's number.
    pub metric: u32,
    /// What is wrong, in words.
    pub why: String,
}

/// Buffers that one thread uses for row after row.
#[derive(Debug, Default)]
pub struct Scratch {
    sorted: Vec<f64>,
}

/// A value with its block and its process or run.
#[derive(Debug, Clone, Copy)]
struct Measured {
    block: u32,
    run: u64,
    value: f64,
}

/// Draws the sample of a row.
///
/// # Errors
/// When a pairing was asked for that the row cannot give.
pub fn draw(
    observations: &Observations,
    layout: &Layout,
    policy: &Policy,
    cells: &Cells,
    job: &Job,
    scratch: &mut Scratch,
) -> Result<Sample, PairingFault> {
    let old = cells.of(layout.baseline).values(job.cell);
    let new = cells.of(job.contender).values(job.cell);
    let rule = layout.metrics[job.metric as usize].as_ref();
    let mut sample = Sample {
        design: Design::OneSided,
        scale: Scale::Ratio,
        old: Vec::new(),
        new: Vec::new(),
        differences: Vec::new(),
        values: (old.len(), new.len()),
        centres: (Centre::NONE, Centre::NONE),
        pairs_dropped: 0,
        warnings: 0,
    };
    if old.is_empty() || new.is_empty() {
        sample.take(old, new, policy, scratch);
        return Ok(sample);
    }
    if rule.is_some_and(|rule| is_exact(rule, old, new, &mut sample.warnings)) {
        sample.design = Design::Exact;
        sample.take(old, new, policy, scratch);
        return Ok(sample);
    }
    let runs = |variant: u32| measured(observations, layout, cells, variant, job.cell);
    let (measured_old, measured_new) = (runs(layout.baseline), runs(job.contender));
    let fault = |why: String| PairingFault { benchmark: job.benchmark, metric: job.metric, why };
    let paired = match layout.pairing {
        Pairing::Unpaired => false,
        Pairing::Order => {
            if old.len() != new.len() {
                return Err(fault(format!(
                    "there are {} values and {} values, which cannot be paired by order",
                    old.len(),
                    new.len()
                )));
            }
            sample.design = Design::Paired;
            sample.pair(old, new, policy, scratch);
            return Ok(sample);
        }
        Pairing::Block => {
            check_blocks(observations, layout, &measured_old, &measured_new).map_err(fault)?;
            true
        }
        Pairing::Auto => has_blocks(&measured_old) && has_blocks(&measured_new),
    };
    let (runs_old, runs_new) = (count_runs(&measured_old), count_runs(&measured_new));
    let one_process = |side: Option<usize>, values: usize| side == Some(1) && values > 1;
    if one_process(runs_old, old.len()) || one_process(runs_new, new.len()) {
        sample.warnings |= Warning::OneProcess.bit();
    }
    let several = runs_old.is_some_and(|runs| runs > 1) && runs_new.is_some_and(|runs| runs > 1);
    if paired && several {
        sample.nest(&against_blocks(&measured_old, &measured_new), runs_old, runs_new, policy, scratch);
    } else if paired {
        sample.design = Design::Paired;
        let (old, new) = sample.match_blocks(&measured_old, &measured_new);
        sample.pair(&old, &new, policy, scratch);
    } else if several && (runs_old < Some(old.len()) || runs_new < Some(new.len())) {
        sample.nest(&(per_run(&measured_old), per_run(&measured_new)), runs_old, runs_new, policy, scratch);
    } else {
        sample.design = if old.len() == 1 && new.len() == 1 { Design::Suite } else { Design::Independent };
        sample.take(old, new, policy, scratch);
    }
    Ok(sample)
}

fn is_exact(rule: &MetricRule, old: &[f64], new: &[f64], warnings: &mut u32) -> bool {
    let constant = |values: &[f64]| values.iter().all(|&value| value == values[0]);
    let agrees = constant(old) && constant(new);
    if rule.assumed_exact && !agrees {
        *warnings |= Warning::ExactVaries.bit();
    }
    agrees
        && (rule.assumed_exact || (rule.may_be_exact && old.len() >= EXACT_FROM && new.len() >= EXACT_FROM))
}

fn measured(
    observations: &Observations,
    layout: &Layout,
    cells: &Cells,
    variant: u32,
    cell: usize,
) -> Vec<Measured> {
    let side = cells.of(variant);
    let pair = side.rows(cell).iter().zip(side.values(cell));
    pair.map(|(&row, &value)| {
        let (row, context) = (row as usize, observations.context[row as usize] as usize);
        let block = match &layout.block_of_context {
            Some(blocks) => blocks[context].unwrap_or(NONE),
            None => observations.block.get(row).copied().unwrap_or(NONE),
        };
        let process = observations.process.get(row).copied().unwrap_or(NONE);
        let run = if process != NONE {
            u64::from(process)
        } else if layout.files_are_runs[variant as usize] {
            1 << 32 | u64::from(observations.context_source[context])
        } else {
            u64::MAX
        };
        Measured { block, run, value }
    })
    .collect()
}

fn has_blocks(side: &[Measured]) -> bool {
    !side.is_empty() && side.iter().all(|value| value.block != NONE)
}

/// How many processes or runs there are; `None` where nobody knows.
fn count_runs(side: &[Measured]) -> Option<usize> {
    if side.is_empty() || side.iter().any(|value| value.run == u64::MAX) {
        return None;
    }
    let mut runs: Vec<u64> = side.iter().map(|value| value.run).collect();
    runs.sort_unstable();
    runs.dedup();
    Some(runs.len())
}

fn check_blocks(
    observations: &Observations,
    layout: &Layout,
    old: &[Measured],
    new: &[Measured],
) -> Result<(), String> {
    let name = |block: u32| match &layout.block_of_context {
        Some(_) => format!("number {}", block + 1),
        None => format!("`{}`", observations.blocks.get(block)),
    };
    let sorted = |side: &[Measured]| {
        let mut keys: Vec<(u32, u64)> = side.iter().map(|value| (value.block, value.run)).collect();
        keys.sort_unstable();
        keys
    };
    let (old, new) = (sorted(old), sorted(new));
    for (side, keys) in [("the baseline", &old), ("the contender", &new)] {
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
    for (side, (count, first)) in [("the contender", lone(&old, &new)), ("the baseline", lone(&new, &old))] {
        if let Some(block) = first {
            return Err(format!("{count} pairing keys are missing in {side}, the first is {}", name(block)));
        }
    }
    Ok(())
}

/// One value per run: the median of its values.
fn per_run(side: &[Measured]) -> Vec<f64> {
    let mut runs: Vec<(u64, Vec<f64>)> = Vec::new();
    for value in side {
        match runs.iter_mut().find(|(run, _)| *run == value.run) {
            Some((_, values)) => values.push(value.value),
            None => runs.push((value.run, vec![value.value])),
        }
    }
    runs.into_iter().map(|(_, values)| kernels::median(&values)).collect()
}

/// One value per run, with the blocks' own size taken out: the median over blocks of the ratio to the
/// block's geometric mean over all runs of both sides, times the mean size. The reference treats both
/// sides alike, so that under no change all runs are exchangeable.
fn against_blocks(old: &[Measured], new: &[Measured]) -> (Vec<f64>, Vec<f64>) {
    use std::collections::HashMap;
    if old.iter().chain(new).any(|value| value.value <= 0.0) {
        return (per_run(old), per_run(new));
    }
    let mut sums: HashMap<u32, (f64, usize)> = HashMap::new();
    for value in old.iter().chain(new) {
        let entry = sums.entry(value.block).or_default();
        entry.0 += value.value.ln();
        entry.1 += 1;
    }
    let means: Vec<f64> = sums.values().map(|(sum, n)| sum / *n as f64).collect();
    let size = kernels::median(&means);
    let relative = |side: &[Measured]| {
        let logs: Vec<Measured> = side
            .iter()
            .map(|value| {
                let (sum, n) = sums[&value.block];
                Measured { value: value.value.ln() - sum / n as f64, ..*value }
            })
            .collect();
        per_run(&logs).into_iter().map(|log| (log + size).exp()).collect()
    };
    (relative(old), relative(new))
}

impl Sample {
    /// Takes values as units.
    fn take(&mut self, old: &[f64], new: &[f64], policy: &Policy, scratch: &mut Scratch) {
        self.centres = (scratch.centre(old, policy), scratch.centre(new, policy));
        let positive = old.iter().chain(new).all(|&value| value > 0.0);
        self.choose_scale(positive, policy);
        (self.old, self.new) = (self.scaled(old), self.scaled(new));
    }

    /// Takes pairs as units.
    fn pair(&mut self, old: &[f64], new: &[f64], policy: &Policy, scratch: &mut Scratch) {
        self.take(old, new, policy, scratch);
        self.differences = self.old.iter().zip(&self.new).map(|(old, new)| new - old).collect();
    }

    /// Takes one value a run as units.
    fn nest(
        &mut self,
        units: &(Vec<f64>, Vec<f64>),
        runs_old: Option<usize>,
        runs_new: Option<usize>,
        policy: &Policy,
        scratch: &mut Scratch,
    ) {
        self.design = Design::Nested;
        if runs_old.min(runs_new) < Some(4) {
            self.warnings |= Warning::FewProcesses.bit();
        }
        self.take(&units.0, &units.1, policy, scratch);
    }

    /// The values of the blocks that both sides have, in the baseline's order; a block that a side has
    /// several times gives its median.
    fn match_blocks(&mut self, old: &[Measured], new: &[Measured]) -> (Vec<f64>, Vec<f64>) {
        use std::collections::HashMap;
        let gather = |side: &[Measured]| {
            let mut blocks: HashMap<u32, Vec<f64>> = HashMap::with_capacity(side.len());
            for value in side {
                blocks.entry(value.block).or_default().push(value.value);
            }
            blocks
        };
        let (blocks_old, blocks_new) = (gather(old), gather(new));
        if blocks_old.values().chain(blocks_new.values()).any(|values| values.len() > 1) {
            self.warnings |= Warning::BlocksRepeated.bit();
        }
        let mut seen = std::collections::HashSet::with_capacity(old.len());
        let order = old.iter().map(|value| value.block).filter(|&block| seen.insert(block));
        let mut pairs = (Vec::new(), Vec::new());
        for block in order {
            if let Some(new) = blocks_new.get(&block) {
                pairs.0.push(kernels::median(&blocks_old[&block]));
                pairs.1.push(kernels::median(new));
            }
        }
        self.pairs_dropped = blocks_old.len() + blocks_new.len() - 2 * pairs.0.len();
        if self.pairs_dropped > 0 {
            self.warnings |= Warning::PairsDropped.bit();
        }
        pairs
    }

    fn choose_scale(&mut self, positive: bool, policy: &Policy) {
        self.scale =
            if positive && policy.scale == ScaleChoice::Auto { Scale::Ratio } else { Scale::Difference };
        if !positive && policy.scale == ScaleChoice::Auto {
            self.warnings |= Warning::NoRatio.bit();
        }
    }

    fn scaled(&self, values: &[f64]) -> Vec<f64> {
        match self.scale {
            Scale::Ratio => values.iter().map(|value| value.ln()).collect(),
            Scale::Difference => values.to_vec(),
        }
    }
}

impl Scratch {
    fn centre(&mut self, values: &[f64], policy: &Policy) -> Centre {
        if values.is_empty() {
            return Centre::NONE;
        }
        self.sorted.clear();
        self.sorted.extend_from_slice(values);
        self.sorted.sort_unstable_by(f64::total_cmp);
        let value = kernels::quantile_sorted(&self.sorted, 0.5);
        match kernels::median_interval(&self.sorted, policy.confidence()) {
            Some(interval) => Centre { value, low: interval.low, high: interval.high, level: interval.level },
            None => Centre { value, ..Centre::NONE },
        }
    }
}
