//! The shift function: how far each quantile has moved.

use statera_kernels as kernels;

use super::quantiles::at;
use super::two_sample::sizes;
use crate::block::Block;
use crate::options::Options;
use crate::procedure::{Field, WARNINGS};
use crate::procedure::{Procedure, Takes};
use crate::warning::{Warning, Warnings};

type Made = Result<Box<dyn Procedure>, String>;

/// Number of fields per level.
const WIDTH: usize = 5;

struct ShiftFunction {
    levels: Vec<f64>,
    paired: bool,
    log: bool,
    confidence: f64,
    resamples: usize,
    seed: u64,
}

/// Options: `levels`, `paired`, `ratio`, `confidence`, `resamples`, `seed`.
pub(super) fn shift_function(options: &Options) -> Made {
    Ok(Box::new(ShiftFunction {
        levels: options.levels("levels", false)?,
        paired: options.flag("paired"),
        log: options.flag("ratio"),
        confidence: options.level()?,
        resamples: options.whole("resamples", 1)? as usize,
        seed: options.whole("seed", 0)?,
    }))
}

impl Procedure for ShiftFunction {
    fn takes(&self) -> Takes {
        if self.paired { Takes::TwoMatched } else { Takes::Two }
    }

    fn fields(&self, samples: usize) -> Vec<Field> {
        let of = |&level: &f64| ["_x", "_y", "", "_low", "_high"].map(|what| at(level, what));
        self.levels.iter().flat_map(of).chain(sizes(samples)).chain([WARNINGS]).collect()
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        let numbers = WIDTH * self.levels.len();
        block.each(rows, numbers + 3, |samples, row, (): &mut ()| {
            let &[x, y] = samples else { return };
            let (level, resamples) = (self.confidence, self.resamples);
            let found = kernels::shift_function(
                x,
                y,
                self.paired,
                self.log,
                &self.levels,
                level,
                resamples,
                self.seed,
            );
            for (cells, point) in row.chunks_exact_mut(WIDTH).zip(found.iter().flatten()) {
                cells.copy_from_slice(&[point.old, point.new, point.change, point.low, point.high]);
            }
            let least = x.len().min(y.len());
            let negative = self.log && x.iter().chain(y).any(|&v| v <= 0.0);
            let withheld = found.iter().flatten().any(|point| !point.supported);
            let warnings = Warnings::default()
                .with(Warning::Empty, least == 0)
                .with(Warning::TooFew, least == 1)
                .with(Warning::NotPositive, negative)
                .with(Warning::Unsupported, withheld);
            row[numbers..].copy_from_slice(&[x.len() as f64, y.len() as f64, warnings.number()]);
        });
    }
}
