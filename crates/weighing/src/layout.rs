//! What the caller decided: which observations take part, and every threshold.

use statera_kernels::Correction;
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
    /// The variant that the others are compared with.
    pub baseline: u32,
    /// What pairs with what.
    pub pairing: Pairing,
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
    /// Bootstrap resamples.
    pub resamples: usize,
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
