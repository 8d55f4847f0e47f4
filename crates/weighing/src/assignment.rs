//! What takes part: which observations belong to which variant and group, and what is compared with what.

use statera_readers::{Better, Quantity};

use crate::choice::Choice;

/// Which observations belong to which variant and group, and how each metric is judged.
#[derive(Debug, Clone)]
pub struct Assignment {
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
