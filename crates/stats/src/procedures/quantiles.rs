//! Quantiles of a sample: type 7 with intervals by order statistics, and Harrell-Davis.

use std::borrow::Cow;

use statera_kernels as kernels;

use super::centre::numbers;
use crate::block::{Block, sorted};
use crate::options::Options;
use crate::procedure::{Field, Kind, WARNINGS, count};
use crate::procedure::{Procedure, Takes};
use crate::warning::{Warning, Warnings};

type Made = Result<Box<dyn Procedure>, String>;

/// The field of a level, whose name begins with the name of the quantile.
pub(super) fn at(level: f64, what: &str) -> Field {
    Field { name: Cow::Owned(format!("q{level}{what}")), kind: Kind::Number }
}

struct Quantiles {
    levels: Vec<f64>,
    confidence: f64,
}

/// Options: `levels`, `confidence`.
pub(super) fn quantiles(options: &Options) -> Made {
    Ok(Box::new(Quantiles { levels: options.levels("levels", true)?, confidence: options.level()? }))
}

impl Procedure for Quantiles {
    fn takes(&self) -> Takes {
        Takes::One
    }

    fn fields(&self, _: usize) -> Vec<Field> {
        let of = |&level: &f64| ["", "_low", "_high", "_level"].map(|what| at(level, what));
        self.levels.iter().flat_map(of).chain([count("n"), WARNINGS]).collect()
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        let width = 4 * self.levels.len() + 2;
        block.each(rows, width, |samples, row, (): &mut ()| {
            let ascending = sorted(samples[0]);
            let mut all = true;
            for (cells, &level) in row.chunks_exact_mut(4).zip(&self.levels) {
                let interval = kernels::quantile_interval(&ascending, level, self.confidence);
                all &= interval.is_some();
                cells.copy_from_slice(&numbers(kernels::quantile_sorted(&ascending, level), interval));
            }
            let empty = ascending.is_empty();
            let warnings =
                Warnings::default().with(Warning::Empty, empty).with(Warning::NoInterval, !all && !empty);
            row[width - 2..].copy_from_slice(&[ascending.len() as f64, warnings.number()]);
        });
    }
}

struct HarrellDavis {
    levels: Vec<f64>,
}

/// Options: `levels`.
pub(super) fn harrell_davis(options: &Options) -> Made {
    Ok(Box::new(HarrellDavis { levels: options.levels("levels", true)? }))
}

impl Procedure for HarrellDavis {
    fn takes(&self) -> Takes {
        Takes::One
    }

    fn fields(&self, _: usize) -> Vec<Field> {
        self.levels.iter().map(|&level| at(level, "")).chain([count("n"), WARNINGS]).collect()
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        let (sample, width) = (block.first(), self.levels.len() + 2);
        let found = kernels::harrell_davis_batch(sample.values, sample.offsets, &self.levels);
        let groups = rows.chunks_exact_mut(width).zip(found.chunks_exact(self.levels.len()));
        for (group, (row, found)) in groups.enumerate() {
            let n = sample.of(group).len();
            row[..width - 2].copy_from_slice(found);
            let warnings = Warnings::default().with(Warning::Empty, n == 0);
            row[width - 2..].copy_from_slice(&[n as f64, warnings.number()]);
        }
    }
}
