//! How it is weighed: every threshold, method and seed.

use statera_kernels::Correction as Flat;

use crate::choice::Choice;

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
        ("holm", Self::Flat(Flat::Holm)),
        ("hochberg", Self::Flat(Flat::Hochberg)),
        ("bonferroni", Self::Flat(Flat::Bonferroni)),
        ("benjamini-yekutieli", Self::Flat(Flat::BenjaminiYekutieli)),
        ("none", Self::Flat(Flat::None)),
    ];
}
