//! Tests and estimates of several samples: Kruskal-Wallis, Friedman, Quade, variance components.

use statera_kernels as kernels;

use super::two_sample::constant;
use crate::block::Block;
use crate::options::Options;
use crate::procedure::{Field, WARNINGS, count, number};
use crate::procedure::{Procedure, Takes};
use crate::warning::{Warning, Warnings};

type Made = Result<Box<dyn Procedure>, String>;

/// Number of values per sample, and of blocks, below which the chi-squared and F approximations are coarse.
const FEW_VALUES: usize = 5;
const FEW_BLOCKS: usize = 10;

struct KruskalWallis;

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn kruskal_wallis(_: &Options) -> Made {
    Ok(Box::new(KruskalWallis))
}

impl Procedure for KruskalWallis {
    fn takes(&self) -> Takes {
        Takes::Several
    }

    fn fields(&self, _: usize) -> Vec<Field> {
        let numbers = [number("estimate"), number("statistic"), number("df"), number("p")];
        numbers.into_iter().chain([count("samples"), count("n"), WARNINGS]).collect()
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        block.each(rows, 7, |samples, row, (): &mut ()| {
            let found = kernels::kruskal_wallis(samples);
            if let Some(found) = found {
                row[..4].copy_from_slice(&[found.epsilon_squared, found.statistic, found.df, found.p]);
            }
            let held = samples.iter().filter(|sample| !sample.is_empty());
            let least = held.clone().map(|sample| sample.len()).min().unwrap_or(0);
            let n: usize = samples.iter().map(|sample| sample.len()).sum();
            let warnings = Warnings::default()
                .with(Warning::Empty, held.clone().count() < samples.len())
                .with(Warning::Coarse, found.is_some() && least < FEW_VALUES)
                .with(Warning::Constant, constant(samples));
            row[4..].copy_from_slice(&[held.count() as f64, n as f64, warnings.number()]);
        });
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Blocked {
    Friedman,
    Quade,
}

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn friedman(_: &Options) -> Made {
    Ok(Box::new(Blocked::Friedman))
}

/// No options.
#[expect(clippy::unnecessary_wraps, reason = "the signature that every procedure has")]
pub(super) fn quade(_: &Options) -> Made {
    Ok(Box::new(Blocked::Quade))
}

impl Blocked {
    /// Effect size, statistic, both degrees of freedom and p.
    fn find(self, table: &[f64], samples: usize) -> Option<[f64; 5]> {
        match self {
            Self::Friedman => kernels::friedman(table, samples)
                .map(|found| [found.kendall_w, found.statistic, found.df, f64::NAN, found.p]),
            Self::Quade => kernels::quade(table, samples)
                .map(|found| [f64::NAN, found.statistic, found.df1, found.df2, found.p]),
        }
    }
}

impl Procedure for Blocked {
    fn takes(&self) -> Takes {
        Takes::Blocks
    }

    fn fields(&self, _: usize) -> Vec<Field> {
        let numbers = [number("estimate"), number("statistic"), number("df"), number("df2"), number("p")];
        numbers.into_iter().chain([count("samples"), count("n"), WARNINGS]).collect()
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        block.each(rows, 8, |samples, row, table: &mut Vec<f64>| {
            let blocks = samples.iter().map(|sample| sample.len()).min().unwrap_or(0);
            table.clear();
            table.extend((0..blocks).flat_map(|i| samples.iter().map(move |sample| sample[i])));
            let found = self.find(table, samples.len());
            row[..5].copy_from_slice(&found.unwrap_or([f64::NAN; 5]));
            let warnings = Warnings::default()
                .with(Warning::Empty, blocks == 0)
                .with(Warning::TooFew, found.is_none() && blocks > 0)
                .with(Warning::Coarse, found.is_some() && blocks < FEW_BLOCKS)
                .with(Warning::Constant, constant(samples));
            row[5..].copy_from_slice(&[samples.len() as f64, blocks as f64, warnings.number()]);
        });
    }
}

struct VarianceComponents {
    confidence: f64,
}

/// Options: `confidence`.
pub(super) fn variance_components(options: &Options) -> Made {
    Ok(Box::new(VarianceComponents { confidence: options.level()? }))
}

impl Procedure for VarianceComponents {
    fn takes(&self) -> Takes {
        Takes::Runs
    }

    fn fields(&self, _: usize) -> Vec<Field> {
        let icc = [number("estimate"), number("low"), number("high"), number("level")];
        let parts = [number("within"), number("between"), number("statistic"), number("p")];
        let sizes = [count("runs"), number("size"), count("n"), WARNINGS];
        icc.into_iter().chain(parts).chain(sizes).collect()
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        block.each(rows, 12, |samples, row, (): &mut ()| {
            let held = samples.iter().filter(|sample| !sample.is_empty()).count();
            let n: usize = samples.iter().map(|sample| sample.len()).sum();
            let found = kernels::variance_components(samples, self.confidence);
            if let Some(c) = found {
                let level = if c.icc_low.is_nan() { f64::NAN } else { self.confidence };
                let numbers = [c.icc, c.icc_low, c.icc_high, level, c.within, c.between, c.f, c.p];
                row[..8].copy_from_slice(&numbers);
            }
            let size = found.map_or(f64::NAN, |found| found.size);
            let warnings = Warnings::default()
                .with(Warning::TooFew, found.is_none())
                .with(Warning::Constant, constant(samples));
            row[8..].copy_from_slice(&[held as f64, size, n as f64, warnings.number()]);
        });
    }
}
