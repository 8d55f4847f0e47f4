//! Bootstrap intervals: for independent values, and for a series by blocks.

use statera_kernels::{self as kernels, BootMethod, BootPlan, BootStatistic, Bootstrap};

use super::centre::{ESTIMATE, share};
use super::two_sample::{constant, sizes};
use crate::block::Block;
use crate::options::Options;
use crate::procedure::{Field, WARNINGS, count, number};
use crate::procedure::{Procedure, Takes};
use crate::warning::{Warning, Warnings};

type Made = Result<Box<dyn Procedure>, String>;

/// Number of values from which the intervals of a series by blocks reach their level (docs/calibration.md: 93.5
/// to 97 % for 95 %).
const SERIES_HOLDS_FROM: usize = 1000;
const STATISTICS: &[&str] = &["mean", "median", "trimmed-mean"];

fn statistic(options: &Options) -> Result<BootStatistic, String> {
    Ok(match options.word("statistic", STATISTICS)? {
        0 => BootStatistic::Mean,
        1 => BootStatistic::Median,
        _ => BootStatistic::TrimmedMean(share(options)?),
    })
}

fn of(statistic: BootStatistic, values: &[f64]) -> f64 {
    match statistic {
        BootStatistic::Mean => kernels::mean(values),
        BootStatistic::Median => kernels::median(values),
        BootStatistic::TrimmedMean(share) => kernels::trimmed_mean(values, share),
    }
}

/// Number of values per sample from which the intervals reach their level on every kind of noise tried
/// (docs/calibration.md: 93.5 to 97 % for 95 %); the same number is used for other levels.
fn holds_from(statistic: BootStatistic, method: BootMethod, samples: usize) -> usize {
    use BootMethod::{Bca, Percentile};
    use BootStatistic::{Mean, Median, TrimmedMean};
    match (statistic, method, samples > 1) {
        (Mean, Percentile, false) => 100,
        (Mean, Bca, _) | (TrimmedMean(_), Bca, true) => 200,
        (TrimmedMean(_), _, false) | (Median, Percentile, false) => 50,
        (Mean | Median, Percentile, true) | (Median, Bca, false) => 30,
        (TrimmedMean(_), Percentile, true) | (Median, Bca, true) => 5,
    }
}

struct Plain {
    plan: BootPlan,
    withhold: bool,
}

/// Reads the plan of a bootstrap. Options: `statistic`, `share`, `method`, `confidence`, `resamples`, `seed`.
fn boot_plan(options: &Options) -> Result<BootPlan, String> {
    let methods = [BootMethod::Bca, BootMethod::Percentile];
    Ok(BootPlan {
        statistic: statistic(options)?,
        method: methods[options.word("method", &["bca", "percentile"])?],
        confidence: options.level()?,
        resamples: options.whole("resamples", 1)? as usize,
        seed: options.whole("seed", 0)?,
    })
}

/// Options: those of [`boot_plan`] and `withhold`.
pub(super) fn bootstrap(options: &Options) -> Made {
    Ok(Box::new(Plain { plan: boot_plan(options)?, withhold: options.flag("withhold") }))
}

impl Plain {
    fn holds_from(&self, samples: usize) -> usize {
        holds_from(self.plan.statistic, self.plan.method, samples)
    }

    fn row(&self, row: &mut [f64], samples: &[&[f64]], found: Option<Bootstrap>) {
        let least = samples.iter().map(|sample| sample.len()).min().unwrap_or(0);
        let flat = samples.iter().all(|sample| constant(&[sample]));
        let few = found.is_some() && !flat && least < self.holds_from(samples.len());
        let (numbers, of_sizes) = row.split_at_mut(7);
        if let Some(b) = found {
            let level = self.plan.confidence;
            let resamples = b.resamples as f64;
            numbers.copy_from_slice(&[
                b.estimate,
                b.low,
                b.high,
                level,
                resamples,
                b.bias_correction,
                b.acceleration,
            ]);
            if few && self.withhold {
                numbers[1..4].fill(f64::NAN);
            }
        } else {
            let of = |values: &[f64]| of(self.plan.statistic, values);
            numbers[0] = match samples {
                [x] => of(x),
                [x, y] => of(y) - of(x),
                _ => f64::NAN,
            };
        }
        let warnings = Warnings::default()
            .with(Warning::Empty, least == 0)
            .with(Warning::TooFew, least == 1)
            .with(Warning::Undefined, least > 1 && found.is_none())
            .with(Warning::Withheld, few && self.withhold)
            .with(Warning::ShortTails, few && !self.withhold)
            .with(Warning::Constant, flat);
        for (cell, sample) in of_sizes.iter_mut().zip(samples) {
            *cell = sample.len() as f64;
        }
        of_sizes[samples.len()] = warnings.number();
    }
}

impl Procedure for Plain {
    fn takes(&self) -> Takes {
        Takes::OneOrTwo
    }

    fn fields(&self, samples: usize) -> Vec<Field> {
        let moved = [count("resamples"), number("bias_correction"), number("acceleration")];
        ESTIMATE.into_iter().chain(moved).chain(sizes(samples)).chain([WARNINGS]).collect()
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        let found = match block.samples {
            [x] => kernels::bootstrap_batch(x.values, x.offsets, &self.plan),
            [x, y] => {
                kernels::bootstrap_difference_batch(x.values, x.offsets, y.values, y.offsets, &self.plan)
            }
            _ => return,
        };
        let width = self.fields(block.samples.len()).len();
        for (group, (row, found)) in rows.chunks_exact_mut(width).zip(found).enumerate() {
            let samples: Vec<&[f64]> = block.samples.iter().map(|sample| sample.of(group)).collect();
            self.row(row, &samples, found);
        }
    }
}

struct Blocks {
    statistic: BootStatistic,
    length: Option<usize>,
    confidence: f64,
    resamples: usize,
    seed: u64,
    withhold: bool,
}

/// Options: `statistic`, `share`, `length`, `confidence`, `resamples`, `seed`, `withhold`.
pub(super) fn block_bootstrap(options: &Options) -> Made {
    Ok(Box::new(Blocks {
        statistic: statistic(options)?,
        length: options.optional_whole("length", 1)?.map(|length| length as usize),
        confidence: options.level()?,
        resamples: options.whole("resamples", 1)? as usize,
        seed: options.whole("seed", 0)?,
        withhold: options.flag("withhold"),
    }))
}

impl Procedure for Blocks {
    fn takes(&self) -> Takes {
        Takes::One
    }

    fn fields(&self, _: usize) -> Vec<Field> {
        let drawn = [count("resamples"), count("length"), count("n"), WARNINGS];
        ESTIMATE.into_iter().chain(drawn).collect()
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        block.each(rows, 8, |samples, row, (): &mut ()| {
            let series = samples[0];
            let (n, level) = (series.len(), self.confidence);
            let found = kernels::block_bootstrap(
                series,
                self.statistic,
                self.length,
                level,
                self.resamples,
                self.seed,
            );
            row[0] = of(self.statistic, series);
            let few = found.is_some() && !constant(samples) && n < SERIES_HOLDS_FROM;
            if let Some(b) = found {
                let drawn = [b.resamples as f64, b.block_length as f64];
                row[..6].copy_from_slice(&[b.estimate, b.low, b.high, level, drawn[0], drawn[1]]);
                if few && self.withhold {
                    row[1..4].fill(f64::NAN);
                }
            }
            let warnings = Warnings::default()
                .with(Warning::Empty, n == 0)
                .with(Warning::TooFew, n > 0 && found.is_none())
                .with(Warning::Withheld, few && self.withhold)
                .with(Warning::ShortTails, few && !self.withhold)
                .with(Warning::Constant, constant(samples));
            row[6..].copy_from_slice(&[n as f64, warnings.number()]);
        });
    }
}
