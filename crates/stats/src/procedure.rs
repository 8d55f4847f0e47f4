//! What every procedure offers.

use crate::block::Block;
use crate::field::Field;

/// The samples that a procedure takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// One sample.
    One,
    /// Two independent samples: the baseline, then the contender.
    Two,
    /// Two samples of as many values: the i-th of both are a pair.
    TwoMatched,
    /// One sample of differences, or two samples of as many values, whose differences are taken.
    Pairs,
    /// One sample or two.
    OneOrTwo,
    /// Two or more independent samples.
    Several,
    /// Two or more independent samples, each known in its own group alone: runs of a benchmark, say.
    Runs,
    /// Two or more samples of as many values: the i-th of each are a block.
    Blocks,
}

impl Takes {
    /// Whether so many samples are right.
    #[must_use]
    pub fn fits(self, samples: usize) -> bool {
        match self {
            Self::One => samples == 1,
            Self::Two | Self::TwoMatched => samples == 2,
            Self::Pairs | Self::OneOrTwo => samples == 1 || samples == 2,
            Self::Several | Self::Runs | Self::Blocks => samples >= 2,
        }
    }

    /// Whether the samples of a group must have as many values each.
    #[must_use]
    pub fn matched(self) -> bool {
        matches!(self, Self::TwoMatched | Self::Pairs | Self::Blocks)
    }

    /// What is wanted, in words.
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

    /// The fields of a row, the warnings last; `samples` is how many samples a group has.
    fn fields(&self, samples: usize) -> Vec<Field>;

    /// Fills the rows of a block, one number a field; `rows` has as many rows as the block has groups.
    fn fill(&self, block: &Block<'_>, rows: &mut [f64]);
}
