//! Tests of normality.

use statera_kernels::{self as kernels, Normality};

use super::two_sample::constant;
use crate::block::{Block, Sample};
use crate::options::Options;
use crate::procedure::{Field, WARNINGS, count, number, word};
use crate::procedure::{Procedure, Takes};
use crate::warning::{Warning, Warnings};

type Made = Result<Box<dyn Procedure>, String>;

const METHODS: &[&str] = &["shapiro-wilk", "anderson-darling"];
/// The sample sizes that Shapiro-Wilk accepts, and the smallest that Anderson-Darling accepts.
const SHAPIRO_WILK: std::ops::RangeInclusive<usize> = 3..=5000;
const ANDERSON_DARLING: usize = 8;
/// The p-value of Anderson-Darling beyond the range of its approximation.
const END: f64 = 3.7e-24;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Test {
    ShapiroWilk,
    AndersonDarling,
    BySize,
}

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn shapiro_wilk(_: &Options) -> Made {
    Ok(Box::new(Test::ShapiroWilk))
}

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn anderson_darling(_: &Options) -> Made {
    Ok(Box::new(Test::AndersonDarling))
}

/// No options: Shapiro-Wilk up to 5,000 values, Anderson-Darling above.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn normality(_: &Options) -> Made {
    Ok(Box::new(Test::BySize))
}

impl Test {
    /// Whether Anderson-Darling tests a sample of this size.
    fn anderson_darling(self, n: usize) -> bool {
        self == Self::AndersonDarling || (self == Self::BySize && n > *SHAPIRO_WILK.end())
    }

    fn row(self, row: &mut [f64], values: &[f64], found: Option<Normality>) {
        let (n, other) = (values.len(), self.anderson_darling(values.len()));
        let least = if other { ANDERSON_DARLING } else { *SHAPIRO_WILK.start() };
        let [statistic, p] = found.map_or([f64::NAN; 2], |found| [found.statistic, found.p]);
        let warnings = Warnings::default()
            .with(Warning::Empty, n == 0)
            .with(Warning::TooFew, n > 0 && n < least)
            .with(Warning::TooMany, !other && n > *SHAPIRO_WILK.end())
            .with(Warning::TableEnd, other && p <= END)
            .with(Warning::Constant, constant(&[values]));
        let by = f64::from(u8::from(other));
        row.copy_from_slice(&[statistic, p, by, n as f64, warnings.number()]);
    }
}

impl Procedure for Test {
    fn takes(&self) -> Takes {
        Takes::One
    }

    fn fields(&self, _: usize) -> Vec<Field> {
        vec![number("statistic"), number("p"), word("method", METHODS), count("n"), WARNINGS]
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        let sample = block.first();
        if *self == Self::AndersonDarling {
            return block.each(rows, 5, |samples, row, (): &mut ()| {
                self.row(row, samples[0], kernels::anderson_darling(samples[0]));
            });
        }
        let Sample { values, offsets } = sample;
        let found = kernels::shapiro_wilk_batch(values, offsets);
        for (group, (row, found)) in rows.chunks_exact_mut(5).zip(found).enumerate() {
            let values = sample.of(group);
            let other = self.anderson_darling(values.len());
            self.row(row, values, if other { kernels::anderson_darling(values) } else { found });
        }
    }
}
