//! The family of all p-values of a comparison, and its correction for multiple comparisons.

use statera_kernels as kernels;
use statera_kernels::{Correction as Flat, MaxTRow, Method, NullRow, PooledNull, Relabeling};
use statera_readers::Observations;

use crate::common_part;
use crate::dependence::Widening;
use crate::omnibus::Omnibus;
use crate::policy::{Correction, Policy};
use crate::row::{Design, Row};
use crate::units::Kept;

/// The maximum number of statistics to compute, about a second's work: tens of thousands of rows get fewer relabelings.
const STATISTICS: usize = 20_000_000;

/// The minimum number of relabelings for Westfall-Young, which estimates a p of 0.05 to within 0.014.
const RELABELINGS_FROM: usize = 1000;

/// The numbers of relabelings that give the pooled null distribution its precision: of the statistics of all rows under so
/// many, a hundred (of many rows, fifty) reach that of the only changed row, so that the p-value it needs is known to
/// within a tenth or a seventh.
const ENOUGH: (usize, usize) = (1000, 2000);
/// The number of statistics from which the smaller number does.
const MANY: usize = 100_000;

/// The minimum number of relabelings for the pooled null distribution, to which every row contributes.
const POOLED_FROM: usize = 200;

/// How the family was corrected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum How {
    /// One correction of the rows' own p-values.
    Flat(Flat),
    /// Benjamini-Hochberg over p-values from the pooled null distribution of all rows.
    Pooled {
        /// Number of relabelings of a row.
        relabelings: u64,
        /// Whether these are all relabelings.
        exact: bool,
    },
    /// Westfall-Young over joint relabelings.
    MaxT {
        /// Number of relabelings used.
        relabelings: u64,
        /// Whether these are all relabelings.
        exact: bool,
    },
    /// Two stages: Benjamini-Hochberg over the benchmarks' tests of all variants, then Holm over the pairs of each
    /// selected benchmark.
    TwoStage {
        /// Number of benchmarks and metrics tested.
        families: u32,
        /// Number of them selected.
        selected: u32,
    },
}

/// The family: its correction, its size, and what prevented another correction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Family {
    /// The correction.
    pub how: How,
    /// Number of rows with a p-value.
    pub size: usize,
    /// Whether the smallest p-value that a row can attain, times the number of rows, exceeds alpha, so that a single
    /// changed row cannot be significant.
    pub too_large: bool,
    /// Whether joint relabeling was indicated but impossible, because the rows have unequal numbers of runs or several
    /// designs.
    pub no_joint_relabeling: bool,
}

impl Default for Family {
    fn default() -> Self {
        Self { how: How::Flat(Flat::None), size: 0, too_large: false, no_joint_relabeling: false }
    }
}

impl Family {
    /// Whether the p-values were corrected at all.
    #[must_use]
    pub fn corrected(&self) -> bool {
        self.how != How::Flat(Flat::None)
    }

    /// The p-value at which one more row would be called, while `called` rows are.
    #[must_use]
    pub fn level(&self, alpha: f64, called: usize) -> f64 {
        let (size, called) = (self.size.max(1) as f64, called as f64);
        match self.how {
            How::Flat(Flat::None) => alpha,
            How::Flat(Flat::Bonferroni) => alpha / size,
            How::Flat(Flat::Holm | Flat::Hochberg) | How::MaxT { .. } => alpha / (size - called).max(1.0),
            How::Flat(Flat::BenjaminiHochberg) | How::Pooled { .. } | How::TwoStage { .. } => {
                alpha * ((called + 1.0) / size).min(1.0)
            }
            How::Flat(Flat::BenjaminiYekutieli) => {
                let harmonic: f64 = (1..=self.size.max(1)).map(|k| 1.0 / k as f64).sum();
                alpha * ((called + 1.0) / size).min(1.0) / harmonic
            }
        }
    }

    /// The level that the p-value of a row's own test must attain: that of the family if these p-values were corrected,
    /// and `alpha` if relabelings of all rows were.
    #[must_use]
    pub fn own_level(&self, alpha: f64, called: usize) -> f64 {
        if matches!(self.how, How::MaxT { .. } | How::Pooled { .. }) {
            alpha
        } else {
            self.level(alpha, called)
        }
    }
}

/// Corrects the p-values of all rows, and those of the tests over all variants.
pub fn correct(
    observations: &Observations,
    policy: &Policy,
    rows: &mut [Row],
    samples: &[Kept],
    widenings: &[Widening],
    omnibus: &mut [Omnibus],
) -> Family {
    let members: Vec<usize> = (0..rows.len()).filter(|&i| rows[i].p.is_some()).collect();
    let size = members.len();
    let adjusted = kernels::adjust(&omnibus.iter().map(|o| o.p).collect::<Vec<_>>(), Flat::BenjaminiHochberg);
    omnibus.iter_mut().zip(adjusted).for_each(|(omnibus, p)| omnibus.p_corrected = p);
    let alpha = kernels::alpha(policy.confidence());
    let least = members.iter().map(|&i| rows[i].least_p).fold(f64::INFINITY, f64::min);
    let beyond = |least: f64| size > 0 && least <= alpha && least * size as f64 > alpha;
    let family = Family { size, too_large: beyond(least), ..Family::default() };
    let flat = |rows: &mut [Row], how: Flat, unequal: bool| {
        one_stage(rows, &members, how);
        let too_large = family.too_large && how != Flat::None;
        Family { how: How::Flat(how), no_joint_relabeling: unequal, too_large, ..family }
    };
    let pool = |row: &Row| {
        let (group, metric, scale) = row.pool();
        (group as usize * observations.metrics.len() + metric as usize) * 2 + scale as usize
    };
    match policy.correction {
        Correction::Flat(how) => flat(rows, how, false),
        Correction::TwoStage => Family { how: two_stages(rows, &members, omnibus, alpha), ..family },
        // A single row has nothing to be corrected for.
        Correction::Auto if size < 2 => flat(rows, Flat::BenjaminiHochberg, false),
        Correction::Auto => match pooled(policy, rows, samples, widenings, &members, pool) {
            Some((how, least)) => Family { how, too_large: beyond(least), ..family },
            None => flat(rows, Flat::BenjaminiHochberg, false),
        },
        Correction::WestfallYoung => match relabeled(policy, rows, samples, &members, pool) {
            Some(how) => Family { how, too_large: false, ..family },
            None => flat(rows, Flat::BenjaminiHochberg, size > 0),
        },
    }
}

/// Benjamini-Hochberg over p-values from the pooled null distribution of all rows that a rank test decides; rows with a
/// t-test bring their own p. Returns also the smallest p that a row can attain. `None` if no row has a rank test.
fn pooled(
    policy: &Policy,
    rows: &mut [Row],
    samples: &[Kept],
    widenings: &[Widening],
    members: &[usize],
    pool: impl Fn(&Row) -> usize,
) -> Option<(How, f64)> {
    let by_ranks: Vec<usize> = members
        .iter()
        .copied()
        .filter(|&i| rows[i].method.is_some_and(|method| !method.is_parametric()))
        .collect();
    let taken: Vec<NullRow<'_>> = by_ranks
        .iter()
        .map(|&i| {
            let row = samples[i].null_row(pool(&rows[i]));
            let Widening { inflation, lost, .. } = widenings[i];
            if widenings[i].matters() { NullRow { inflation, lost, ..row } } else { row }
        })
        .collect();
    let without = common_part::apart(rows, samples, &by_ranks, &pool);
    let size = taken.len().max(1);
    let enough = (MANY / size).clamp(ENOUGH.0, ENOUGH.1).min((STATISTICS / size).max(POOLED_FROM));
    let relabelings = policy.relabelings.min(enough);
    let found = kernels::pooled_null(&taken, relabelings, policy.seed)?;
    for (&i, corrected) in members.iter().zip(adjusted(rows, members, &by_ranks, &found)) {
        // A correction never makes a p-value smaller.
        rows[i].p_corrected = Some(corrected.max(rows[i].p.unwrap_or(1.0)));
    }
    if without.iter().any(Option::is_some) {
        let taken: Vec<NullRow<'_>> = taken
            .iter()
            .zip(&by_ranks)
            .map(|(row, &i)| {
                without[i].as_ref().map_or(*row, |apart| NullRow {
                    values: &apart.values,
                    inflation: row.inflation * apart.inflation,
                    ..*row
                })
            })
            .collect();
        let apart = kernels::pooled_null(&taken, relabelings, policy.seed)?;
        for (&i, corrected) in members.iter().zip(adjusted(rows, members, &by_ranks, &apart)) {
            if let Some(apart) = &without[i] {
                rows[i].p_apart = Some(corrected.min(rows[i].spent(apart.common)));
            }
        }
    }
    let of_others = members
        .iter()
        .filter(|&&i| rows[i].method.is_some_and(Method::is_parametric))
        .map(|&i| rows[i].least_p);
    let how = How::Pooled { relabelings: found.relabelings, exact: found.exact };
    let largest = by_ranks.iter().map(|&i| rows[i].share).fold(0.0, f64::max);
    Some((how, of_others.fold(found.least_p / largest, f64::min)))
}

/// The p-values of a null distribution, and those that t-tests bring, corrected together.
fn adjusted(rows: &[Row], members: &[usize], by_ranks: &[usize], found: &PooledNull) -> Vec<f64> {
    let mut p: Vec<f64> = rows.iter().map(|row| row.p.unwrap_or(f64::NAN)).collect();
    for (&i, &pooled) in by_ranks.iter().zip(&found.p) {
        p[i] = if pooled.is_nan() { 1.0 } else { rows[i].spent(pooled) };
    }
    let p: Vec<f64> = members.iter().map(|&i| p[i]).collect();
    kernels::adjust(&p, Flat::BenjaminiHochberg)
}

fn one_stage(rows: &mut [Row], members: &[usize], how: Flat) {
    let p: Vec<f64> = members.iter().map(|&i| rows[i].p.unwrap_or(f64::NAN)).collect();
    for (&i, p) in members.iter().zip(kernels::adjust(&p, how)) {
        rows[i].p_corrected = Some(p);
    }
}

/// Westfall-Young: relabels the runs of all rows jointly. `None` if the rows have no common labels.
fn relabeled(
    policy: &Policy,
    rows: &mut [Row],
    samples: &[Kept],
    members: &[usize],
    pool: impl Fn(&Row) -> usize,
) -> Option<How> {
    let first = &rows[*members.first()?];
    let shape = |row: &Row| {
        (row.design, row.baseline.units, row.contender.units, row.baseline.variant, row.contender.variant)
    };
    if members.iter().any(|&i| shape(&rows[i]) != shape(first))
        || first.method.is_some_and(Method::is_parametric)
    {
        return None;
    }
    let (m, n) = (first.baseline.units as usize, first.contender.units as usize);
    let paired = first.design == Design::Paired;
    let relabeling = if paired { Relabeling::Signs { n: m } } else { Relabeling::TwoSample { m, n } };
    let row = |&i: &usize| MaxTRow { values: samples[i].all(), pool: pool(&rows[i]) };
    let taken: Vec<MaxTRow<'_>> = members.iter().map(row).collect();
    let samples = policy.relabelings.min((STATISTICS / taken.len()).max(RELABELINGS_FROM));
    let found = kernels::westfall_young(&taken, relabeling, samples, policy.seed)?;
    for (&i, p) in members.iter().zip(&found.p) {
        // A correction never makes a p-value smaller; a row that cannot be computed is not significant.
        let own = rows[i].p.unwrap_or(1.0);
        rows[i].p_corrected = Some(if p.is_nan() { 1.0 } else { rows[i].spent(*p).max(own) });
    }
    Some(How::MaxT { relabelings: found.relabelings, exact: found.exact })
}

/// Benjamini & Bogomolov 2014: Benjamini-Hochberg over the benchmarks' tests of all variants, then Holm within each
/// selected benchmark at alpha × selected / benchmarks. The corrected p is the smallest alpha at which the pair would
/// be significant.
fn two_stages(rows: &mut [Row], members: &[usize], omnibus: &[Omnibus], alpha: f64) -> How {
    let key = |row: &Row| (row.group, row.metric, row.benchmark);
    let mut order = members.to_vec();
    order.sort_by_key(|&i| key(&rows[i]));
    let mut families: Vec<(f64, Vec<usize>, Vec<f64>)> = Vec::new();
    for family in order.chunk_by(|&i, &j| key(&rows[i]) == key(&rows[j])) {
        let p: Vec<f64> = family.iter().map(|&i| rows[i].p.unwrap_or(f64::NAN)).collect();
        let holm = kernels::adjust(&p, Flat::Holm);
        let place =
            omnibus.binary_search_by_key(&key(&rows[family[0]]), |o| (o.group, o.metric, o.benchmark)).ok();
        // With only two variants, or without a complete block, the smallest corrected p of the pairs is used.
        let least = holm.iter().copied().fold(f64::INFINITY, f64::min);
        let whole = place.map(|at| omnibus[at].p).filter(|p| !p.is_nan()).unwrap_or(least);
        families.push((whole, family.to_vec(), holm));
    }
    let whole: Vec<f64> = families.iter().map(|family| family.0).collect();
    let q = kernels::adjust(&whole, Flat::BenjaminiHochberg);
    let mut steps: Vec<f64> = q.clone();
    steps.sort_unstable_by(f64::total_cmp);
    for ((_, members, holm), &q) in families.iter().zip(&q) {
        for (&i, &holm) in members.iter().zip(holm) {
            // The search for the smallest level rounds, but a correction never makes a p-value smaller.
            let own = rows[i].p.unwrap_or(1.0);
            rows[i].p_corrected = Some(least_level(q, holm, &steps).max(own));
        }
    }
    let selected = q.iter().filter(|&&q| q <= alpha).count();
    How::TwoStage { families: families.len() as u32, selected: selected as u32 }
}

/// Returns the smallest level a ≥ q with holm ≤ a × selected(a) / families, where selected(a) counts the steps ≤ a.
fn least_level(q: f64, holm: f64, steps: &[f64]) -> f64 {
    let count = steps.len() as f64;
    let mut at = q;
    loop {
        let selected = steps.partition_point(|&step| step <= at);
        let wanted = holm * count / selected as f64;
        let next = steps.get(selected).copied().unwrap_or(f64::INFINITY);
        if wanted.max(at) < next || next.is_infinite() {
            return wanted.max(at).min(1.0);
        }
        at = next;
    }
}
