//! The interface of every procedure.

use std::borrow::Cow;

use crate::block::Block;

/// The samples that a procedure takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// One sample.
    One,
    /// Two independent samples: the baseline, then the contender.
    Two,
    /// Two samples of equal size: the i-th values of both form a pair.
    TwoMatched,
    /// One sample of differences, or two samples of equal size whose differences are taken.
    Pairs,
    /// One sample or two.
    OneOrTwo,
    /// Two or more independent samples.
    Several,
    /// Two or more independent samples, each known only within its own group: runs of a benchmark, for example.
    Runs,
    /// Two or more samples of equal size: the i-th values of all form a block.
    Blocks,
}

impl Takes {
    /// Whether this number of samples is right.
    #[must_use]
    pub fn fits(self, samples: usize) -> bool {
        match self {
            Self::One => samples == 1,
            Self::Two | Self::TwoMatched => samples == 2,
            Self::Pairs | Self::OneOrTwo => samples == 1 || samples == 2,
            Self::Several | Self::Runs | Self::Blocks => samples >= 2,
        }
    }

    /// Whether the samples of a group must have equal sizes.
    #[must_use]
    pub fn matched(self) -> bool {
        matches!(self, Self::TwoMatched | Self::Pairs | Self::Blocks)
    }

    /// The required samples, in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::One => "one sample",
            Self::Two | Self::TwoMatched => "two samples",
            Self::Pairs => "one sample of differences, or two samples of pairs",
            Self::OneOrTwo => "one sample or two",
            Self::Several | Self::Runs | Self::Blocks => "two samples or more",
        }
    }
}

/// A procedure with its options.
pub trait Procedure: Send + Sync {
    /// The samples that it takes.
    fn takes(&self) -> Takes;

    /// The fields of a row, warnings last; `samples` is the number of samples of a group.
    fn fields(&self, samples: usize) -> Vec<Field>;

    /// Fills the rows of a block, one number per field; `rows` has one row per group of the block.
    fn fill(&self, block: &Block<'_>, rows: &mut [f64]);
}

// The fields of a row of results.

/// The meaning of a field's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number; NaN is missing.
    Number,
    /// An integer; NaN is missing.
    Count,
    /// 1 is true, 0 is false, NaN is missing.
    Flag,
    /// The index of a word; NaN is missing.
    Word(&'static [&'static str]),
    /// A bit set of [`crate::Warning`]s.
    Warnings,
}

/// A field: its name and its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name of the column.
    pub name: Cow<'static, str>,
    /// What it holds.
    pub kind: Kind,
}

/// Creates a field of numbers.
pub const fn number(name: &'static str) -> Field {
    Field { name: Cow::Borrowed(name), kind: Kind::Number }
}

/// Creates a field of integers.
pub const fn count(name: &'static str) -> Field {
    Field { name: Cow::Borrowed(name), kind: Kind::Count }
}

/// Creates a field of truth values.
pub const fn flag(name: &'static str) -> Field {
    Field { name: Cow::Borrowed(name), kind: Kind::Flag }
}

/// Creates a field of words.
pub const fn word(name: &'static str, words: &'static [&'static str]) -> Field {
    Field { name: Cow::Borrowed(name), kind: Kind::Word(words) }
}

/// The field of warnings, the last of every row.
pub const WARNINGS: Field = Field { name: Cow::Borrowed("warnings"), kind: Kind::Warnings };
