//! The assignment: which observations belong to which variant and group, and what is compared with what.

use statera_readers::{Better, Quantity};

use crate::choice::Choice;
use crate::margin::{Margin, OwnMargins};

/// Which observations belong to which variant and group, and how each metric is judged.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// For each context of the observations: its variant, or `None` if it is not compared.
    pub variant_of_context: Vec<Option<u32>>,
    /// For each context: its group, a set of configuration values that is compared separately.
    pub group_of_context: Vec<u32>,
    /// For each context: its block, if a configuration key pairs the values.
    pub block_of_context: Option<Vec<Option<u32>>>,
    /// For each context: the share of alpha that a test of its values may spend, above 0 and at most 1; empty: all of it.
    pub share_of_context: Vec<f64>,
    /// For each metric: how it is judged, or `None` if it is not compared.
    pub metrics: Vec<Option<MetricRule>>,
    /// The margins of benchmarks that have their own.
    pub own_margins: OwnMargins,
    /// For each benchmark: whether it is compared. Empty: all.
    pub benchmarks: Vec<bool>,
    /// Number of variants.
    pub variants: u32,
    /// Number of groups.
    pub groups: u32,
    /// For each group: a number that it shares with the groups that differ from it only in circumstances such as the
    /// machine's kernel. A benchmark that one of these groups lacks and another one has is not missing. Empty: no groups
    /// share a number.
    pub work_of_group: Vec<u32>,
    /// The pairs of variants to compare, each as (baseline, contender).
    pub pairs: Vec<(u32, u32)>,
    /// Whether the groups are levels of factors, between which effects are compared.
    pub factorial: bool,
    /// How values are paired.
    pub pairing: Pairing,
    /// For each context: its level of the factors that were pooled on request; empty if there are none.
    pub stratum_of_context: Vec<u32>,
    /// Number of these levels; at least 1.
    pub strata: u32,
    /// For each variant: whether its files are its runs (there are several).
    pub files_are_runs: Vec<bool>,
}

impl Assignment {
    /// How a benchmark is judged by a metric; `None` if the metric is not compared.
    #[must_use]
    pub fn rule(&self, metric: u32, benchmark: u32) -> Option<MetricRule> {
        let rule = self.metrics[metric as usize]?;
        let own = self.own_margins.get(&(metric, benchmark));
        Some(own.map_or(rule, |&(margin, margin_exact)| MetricRule { margin, margin_exact, ..rule }))
    }
}

/// How a metric is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricRule {
    /// The direction that is better.
    pub better: Option<Better>,
    /// The margin: the change that is too small to matter, for values that vary.
    pub margin: Margin,
    /// The margin for exact values.
    pub margin_exact: Margin,
    /// The file states that the values are exact.
    pub assumed_exact: bool,
    /// A deterministic count: exact when the data agrees.
    pub may_be_exact: bool,
}

/// How values are paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// By block if the format has blocks, otherwise not.
    Auto,
    /// By block, on request: a fault is an error.
    Block,
    /// The k-th value with the k-th value, on request.
    Order,
    /// Not paired, even if there are blocks.
    Unpaired,
}

impl Choice for Better {
    const WHAT: &'static str = "direction";
    const WORDS: &'static [(&'static str, Self)] = &Self::WORDS;
}

impl Choice for Quantity {
    const WHAT: &'static str = "quantity";
    const WORDS: &'static [(&'static str, Self)] = &Self::WORDS;
}

impl Choice for Pairing {
    const WHAT: &'static str = "pairing";
    const WORDS: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("block", Self::Block), ("order", Self::Order), ("unpaired", Self::Unpaired)];
}
