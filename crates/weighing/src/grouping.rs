//! Sorts observations into cells: the values of each group, metric and benchmark, variant by variant, in the order of
//! measurement.

use std::collections::HashSet;

use rayon::prelude::*;
use statera_readers::{Estimand, NONE, Observations};

use crate::assignment::{Assignment, Pairing};

/// Above this number of possible cells, only those that occur get a number.
const DENSE: usize = 1 << 25;

/// Likewise above this many possible cells per value, because most cells are then empty.
const THIN: usize = 16;

/// The values of one variant, cell after cell.
#[derive(Debug, Default)]
pub struct VariantCells {
    offsets: Vec<u32>,
    values: Vec<f64>,
    /// The observation of each value; empty if they were not kept.
    rows: Vec<u32>,
    /// The file of each cell's values; [`NONE`] if there are several, or no values.
    sources: Vec<u32>,
}

impl VariantCells {
    /// The values of a cell.
    pub fn values(&self, cell: usize) -> &[f64] {
        &self.values[self.range(cell)]
    }

    /// The observations of a cell's values; empty if they were not kept.
    pub fn rows(&self, cell: usize) -> &[u32] {
        if self.rows.is_empty() { &[] } else { &self.rows[self.range(cell)] }
    }

    /// The file of a cell's values; `None` if there are several, or no values.
    pub fn source(&self, cell: usize) -> Option<u32> {
        Some(self.sources[cell]).filter(|&source| source != NONE)
    }

    fn range(&self, cell: usize) -> std::ops::Range<usize> {
        self.offsets[cell] as usize..self.offsets[cell + 1] as usize
    }
}

/// All cells of all variants.
#[derive(Debug)]
pub struct Cells {
    variants: Vec<VariantCells>,
    /// The group, metric and benchmark of each cell.
    keys: Vec<(u32, u32, u32)>,
}

/// A row to compute.
#[derive(Debug, Clone, Copy)]
pub struct Job {
    /// The cell's number.
    pub cell: usize,
    /// The group.
    pub group: u32,
    /// The metric.
    pub metric: u32,
    /// The benchmark.
    pub benchmark: u32,
    /// The baseline.
    pub baseline: u32,
    /// The contender.
    pub contender: u32,
}

impl Cells {
    /// A variant's cells.
    pub fn of(&self, variant: u32) -> &VariantCells {
        &self.variants[variant as usize]
    }

    /// The group, metric and benchmark of each cell.
    pub fn keys(&self) -> &[(u32, u32, u32)] {
        &self.keys
    }

    /// Returns one job per cell and pair of variants with values on either side: first the jobs that become rows, then
    /// those whose other side was measured in other circumstances, each with the variant that has values.
    pub fn jobs(&self, assignment: &Assignment) -> (Vec<Job>, Vec<(Job, u32)>) {
        let mut jobs = Vec::new();
        let mut elsewhere = Vec::new();
        let measured = self.measured(assignment);
        for (cell, &(group, metric, benchmark)) in self.keys.iter().enumerate() {
            let held = |variant: u32| !self.of(variant).values(cell).is_empty();
            for &(baseline, contender) in &assignment.pairs {
                if !held(baseline) && !held(contender) {
                    continue;
                }
                let job = Job { cell, group, metric, benchmark, baseline, contender };
                let (side, lacking) =
                    if held(baseline) { (baseline, contender) } else { (contender, baseline) };
                let work = assignment.work_of_group.get(group as usize).copied().unwrap_or(NONE);
                if !held(lacking) && measured.contains(&(work, metric, benchmark, lacking)) {
                    elsewhere.push((job, side));
                } else {
                    jobs.push(job);
                }
            }
        }
        (jobs, elsewhere)
    }

    /// Work, metric, benchmark and variant of every cell with values; empty if no groups share their work.
    fn measured(&self, assignment: &Assignment) -> HashSet<(u32, u32, u32, u32)> {
        let held = self.keys.iter().enumerate().filter_map(|(cell, &(group, metric, benchmark))| {
            assignment.work_of_group.get(group as usize).map(|&work| (cell, work, metric, benchmark))
        });
        held.flat_map(|(cell, work, metric, benchmark)| {
            let own =
                (0..assignment.variants).filter(move |&variant| !self.of(variant).values(cell).is_empty());
            own.map(move |variant| (work, metric, benchmark, variant))
        })
        .collect()
    }
}

/// Sorts all observations that are compared into cells.
pub fn group(observations: &Observations, assignment: &Assignment) -> Cells {
    let keep_rows = !observations.block.is_empty()
        || !observations.deviation.is_empty()
        || !observations.process.is_empty()
        || observations.metrics.iter().any(|metric| metric.estimand == Estimand::Mean)
        || assignment.block_of_context.is_some()
        || !assignment.share_of_context.is_empty()
        || assignment.files_are_runs.iter().any(|&runs| runs)
        || assignment.pairing == Pairing::Block;
    group_keeping(observations, assignment, keep_rows)
}

/// Like [`group`]; with `keep_rows` each value keeps the number of its observation.
pub fn group_keeping(observations: &Observations, assignment: &Assignment, keep_rows: bool) -> Cells {
    let places = Places::new(observations, assignment);
    let variants =
        (0..assignment.variants).into_par_iter().map(|variant| places.cells(variant, keep_rows)).collect();
    Cells { variants, keys: places.keys }
}

/// The cells to which observations belong.
struct Places<'a> {
    observations: &'a Observations,
    assignment: &'a Assignment,
    benchmarks: usize,
    /// Metric number → its number among those compared.
    metric: Vec<u32>,
    metrics: usize,
    /// Possible cell → cell that occurs.
    dense: Vec<u32>,
    sparse: std::collections::HashMap<usize, u32>,
    keys: Vec<(u32, u32, u32)>,
}

impl<'a> Places<'a> {
    fn new(observations: &'a Observations, assignment: &'a Assignment) -> Self {
        let mut metric = Vec::with_capacity(assignment.metrics.len());
        let mut metrics = 0;
        for rule in &assignment.metrics {
            metric.push(if rule.is_some() { metrics } else { NONE });
            metrics += u32::from(rule.is_some());
        }
        let mut places = Self {
            observations,
            assignment,
            benchmarks: observations.benchmarks.len(),
            metric,
            metrics: metrics as usize,
            dense: Vec::new(),
            sparse: std::collections::HashMap::new(),
            keys: Vec::new(),
        };
        places.number_cells();
        places
    }

    fn number_cells(&mut self) {
        let possible =
            self.benchmarks.saturating_mul(self.metrics).saturating_mul(self.assignment.groups as usize);
        let dense = possible <= DENSE.min(THIN.saturating_mul(self.observations.len()));
        let mut seen: Vec<usize> = if dense {
            let mut mark = vec![false; possible];
            for row in 0..self.observations.len() {
                if let Some((_, key)) = self.key(row) {
                    mark[key] = true;
                }
            }
            (0..possible).filter(|&key| mark[key]).collect()
        } else {
            (0..self.observations.len()).filter_map(|row| self.key(row).map(|(_, key)| key)).collect()
        };
        seen.sort_unstable();
        seen.dedup();
        let whole: Vec<u32> =
            (0..self.metric.len() as u32).filter(|&metric| self.metric[metric as usize] != NONE).collect();
        for &key in &seen {
            let (rest, benchmark) = (key / self.benchmarks, key % self.benchmarks);
            let (group, metric) = (rest / self.metrics, rest % self.metrics);
            self.keys.push((group as u32, whole[metric], benchmark as u32));
        }
        if dense {
            self.dense = vec![NONE; possible];
            for (cell, &key) in seen.iter().enumerate() {
                self.dense[key] = cell as u32;
            }
        } else {
            self.sparse = seen.iter().enumerate().map(|(cell, &key)| (key, cell as u32)).collect();
        }
    }

    /// The variant and the possible cell of an observation.
    #[inline]
    fn key(&self, row: usize) -> Option<(u32, usize)> {
        let context = self.observations.context[row] as usize;
        let variant = self.assignment.variant_of_context[context]?;
        let metric = self.metric[self.observations.metric[row] as usize];
        let benchmark = self.observations.benchmark[row] as usize;
        if metric == NONE || !self.assignment.benchmarks.get(benchmark).copied().unwrap_or(true) {
            return None;
        }
        let group = self.assignment.group_of_context[context] as usize;
        Some((variant, (group * self.metrics + metric as usize) * self.benchmarks + benchmark))
    }

    #[inline]
    fn cell(&self, row: usize, variant: u32) -> Option<usize> {
        let (own, key) = self.key(row)?;
        let cell = if self.dense.is_empty() { self.sparse[&key] } else { self.dense[key] };
        (own == variant).then_some(cell as usize)
    }

    fn cells(&self, variant: u32, keep_rows: bool) -> VariantCells {
        let mut offsets = vec![0u32; self.keys.len() + 1];
        let (first, last) = self.reach(variant);
        for row in first..last {
            if let Some(cell) = self.cell(row, variant) {
                offsets[cell + 1] += 1;
            }
        }
        for cell in 1..offsets.len() {
            offsets[cell] += offsets[cell - 1];
        }
        let total = offsets.last().copied().unwrap_or(0) as usize;
        let mut next = offsets.clone();
        let mut values = vec![0.0; total];
        let mut rows = vec![0; if keep_rows { total } else { 0 }];
        let mut sources = vec![NONE; self.keys.len()];
        for row in first..last {
            if let Some(cell) = self.cell(row, variant) {
                let at = next[cell] as usize;
                next[cell] += 1;
                let source = self.observations.context_source[self.observations.context[row] as usize];
                if at == offsets[cell] as usize {
                    sources[cell] = source;
                } else if sources[cell] != source {
                    sources[cell] = NONE;
                }
                values[at] = self.observations.value[row];
                if keep_rows {
                    rows[at] = row as u32;
                }
            }
        }
        VariantCells { offsets, values, rows, sources }
    }

    /// The range that contains all observations of the variant.
    fn reach(&self, variant: u32) -> (usize, usize) {
        let of = |&context: &u32| self.assignment.variant_of_context[context as usize] == Some(variant);
        let context = &self.observations.context;
        let first = context.iter().position(of).unwrap_or(context.len());
        let last = context.iter().rposition(of).map_or(first, |at| at + 1);
        (first, last)
    }
}
