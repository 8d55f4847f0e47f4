//! What the caller decided: which observations take part, and every threshold.

use statera_kernels::Correction as Flat;
use statera_readers::Better;

/// Which observations belong to which variant and group, and how each metric is judged.
#[derive(Debug, Clone)]
pub struct Layout {
    /// For each context of the observations: its variant, or `None` where it takes no part.
    pub variant_of_context: Vec<Option<u32>>,
    /// For each context: its group, a set of configuration values that are compared apart.
    pub group_of_context: Vec<u32>,
    /// For each context: its block, where a configuration key pairs the values.
    pub block_of_context: Option<Vec<Option<u32>>>,
    /// For each metric: how it is judged, or `None` where it is not compared.
    pub metrics: Vec<Option<MetricRule>>,
    /// For each benchmark: whether it is compared. Empty: all.
    pub benchmarks: Vec<bool>,
    /// How many variants there are.
    pub variants: u32,
    /// How many groups there are.
    pub groups: u32,
    /// For each group: a number that it shares with the groups that differ from it in circumstances alone, such as the
    /// machine's kernel. A benchmark that one of them lacks and another has did not vanish. Empty: no group shares any.
    pub work_of_group: Vec<u32>,
    /// The pairs of variants to compare, each as (baseline, contender).
    pub pairs: Vec<(u32, u32)>,
    /// Whether the groups are levels of factors, so that effects are compared between them.
    pub factorial: bool,
    /// What pairs with what.
    pub pairing: Pairing,
    /// For each context: its level of the factors that were pooled on request; empty where none were.
    pub stratum_of_context: Vec<u32>,
    /// How many such levels there are; at least 1.
    pub strata: u32,
    /// For each variant: whether its files are its runs (there are several).
    pub files_are_runs: Vec<bool>,
}

/// How a metric is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricRule {
    /// Which way is better.
    pub better: Option<Better>,
    /// The relative change too small to matter when values vary.
    pub margin: f64,
    /// The same for exact values.
    pub margin_exact: f64,
    /// The file states that the values are exact.
    pub assumed_exact: bool,
    /// A deterministic count: exact when the data agrees.
    pub may_be_exact: bool,
}

/// What pairs with what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// By block where the format gives one, else not.
    Auto,
    /// By block, asked for: a fault is an error.
    Block,
    /// The k-th value with the k-th value, asked for.
    Order,
    /// Not, even where blocks are given.
    Unpaired,
}

/// The scale of differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScaleChoice {
    /// Ratios where all values are positive, else differences.
    Auto,
    /// Differences everywhere.
    Difference,
}

/// How the p-values of all rows are corrected together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Correction {
    /// By the numbers of runs, rows and variants alone: Benjamini-Hochberg where it can decide, else
    /// Westfall-Young; in two stages where there are three or more variants.
    Auto,
    /// One correction over all rows.
    Flat(Flat),
    /// Westfall-Young over all rows.
    WestfallYoung,
}

/// The test over all variants of a benchmark where they are paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairedOmnibus {
    /// Friedman's.
    Friedman,
    /// Quade's.
    Quade,
}

/// Thresholds and methods.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// The probability of a false alarm that is accepted.
    pub alpha: f64,
    /// How p-values are corrected.
    pub correction: Correction,
    /// The scale.
    pub scale: ScaleChoice,
    /// The power at which detectable effects and runs needed are stated.
    pub power: f64,
    /// The test over three or more paired variants.
    pub omnibus: PairedOmnibus,
    /// Bootstrap resamples.
    pub resamples: usize,
    /// Joint relabelings of the runs that are looked at where there are more.
    pub relabelings: usize,
    /// The seed of everything random.
    pub seed: u64,
}

impl Policy {
    /// The level of intervals.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        1.0 - self.alpha
    }
}
