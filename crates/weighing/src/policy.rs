//! The policy: every threshold, method and seed.

use statera_kernels::Correction as Flat;

use crate::choice::Choice;

/// The scale of differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScaleChoice {
    /// Ratios if all values are positive, otherwise differences.
    Auto,
    /// Differences for all rows.
    Difference,
}

/// The correction of all p-values for multiple comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Correction {
    /// Benjamini-Hochberg over p-values from the pooled null distribution of all rows.
    Auto,
    /// One correction over all rows.
    Flat(Flat),
    /// Westfall-Young over all rows.
    WestfallYoung,
    /// Two stages: the tests of all variants of a benchmark, then its pairs.
    TwoStage,
}

/// The test over all variants of a benchmark if they are paired.
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
    /// The significance level.
    pub alpha: f64,
    /// The correction of p-values.
    pub correction: Correction,
    /// The scale.
    pub scale: ScaleChoice,
    /// The power for detectable effects and numbers of runs.
    pub power: f64,
    /// The test over three or more paired variants.
    pub omnibus: PairedOmnibus,
    /// Number of bootstrap resamples.
    pub resamples: usize,
    /// Maximum number of joint relabelings of the runs.
    pub relabelings: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The standard deviation of a session, relative: what two sessions of one build differ by beyond their runs.
    pub session: f64,
    /// Whether every row gets the change of the mean.
    pub mean: bool,
}

impl Policy {
    /// The confidence level of intervals.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        1.0 - self.alpha
    }
}

impl Choice for ScaleChoice {
    const WHAT: &'static str = "scale";
    const WORDS: &'static [(&'static str, Self)] = &[("auto", Self::Auto), ("difference", Self::Difference)];
}

impl Choice for PairedOmnibus {
    const WHAT: &'static str = "omnibus test";
    const WORDS: &'static [(&'static str, Self)] = &[("friedman", Self::Friedman), ("quade", Self::Quade)];
}

impl Choice for Flat {
    const WHAT: &'static str = "correction";
    const WORDS: &'static [(&'static str, Self)] = &[
        ("benjamini-hochberg", Self::BenjaminiHochberg),
        ("benjamini-yekutieli", Self::BenjaminiYekutieli),
        ("holm", Self::Holm),
        ("hochberg", Self::Hochberg),
        ("bonferroni", Self::Bonferroni),
        ("none", Self::None),
    ];
}

impl Choice for Correction {
    const WHAT: &'static str = "correction";
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("benjamini-hochberg", Self::Flat(Flat::BenjaminiHochberg)),
        ("westfall-young", Self::WestfallYoung),
        ("two-stage", Self::TwoStage),
        ("holm", Self::Flat(Flat::Holm)),
        ("hochberg", Self::Flat(Flat::Hochberg)),
        ("bonferroni", Self::Flat(Flat::Bonferroni)),
        ("benjamini-yekutieli", Self::Flat(Flat::BenjaminiYekutieli)),
        ("none", Self::Flat(Flat::None)),
    ];
}
