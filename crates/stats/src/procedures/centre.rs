//! Location estimates of a sample with their intervals: median, mean, trimmed mean, geometric mean.

use statera_kernels::{self as kernels, Interval};

use crate::block::{Block, sorted};
use crate::options::Options;
use crate::procedure::{Field, WARNINGS, count, number};
use crate::procedure::{Procedure, Takes};
use crate::warning::{Warning, Warnings};

type Made = Result<Box<dyn Procedure>, String>;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Median,
    Mean,
    Trimmed(f64),
    Geometric,
}

struct Centre {
    kind: Kind,
    confidence: f64,
}

fn made(kind: Kind, options: &Options) -> Made {
    Ok(Box::new(Centre { kind, confidence: options.level()? }))
}

/// Options: `confidence`.
pub(super) fn median(options: &Options) -> Made {
    made(Kind::Median, options)
}

/// Options: `confidence`.
pub(super) fn mean(options: &Options) -> Made {
    made(Kind::Mean, options)
}

/// Options: `share` (the fraction trimmed at each end), `confidence`.
pub(super) fn trimmed_mean(options: &Options) -> Made {
    made(Kind::Trimmed(share(options)?), options)
}

/// Options: `confidence`.
pub(super) fn geometric_mean(options: &Options) -> Made {
    made(Kind::Geometric, options)
}

/// Returns the fraction to be trimmed at each end.
pub(super) fn share(options: &Options) -> Result<f64, String> {
    let share = options.number("share")?;
    if (0.0..0.5).contains(&share) {
        return Ok(share);
    }
    Err(format!(
        "share is the fraction trimmed at each end; it must be at least 0 and below 0.5, but is {share}"
    ))
}

impl Kind {
    fn estimate(self, values: &[f64]) -> f64 {
        match self {
            Self::Median => kernels::median(values),
            Self::Mean => kernels::mean(values),
            Self::Trimmed(share) => kernels::trimmed_mean(values, share),
            Self::Geometric => kernels::geometric_mean(values),
        }
    }

    fn interval(self, values: &[f64], confidence: f64) -> Option<Interval> {
        match self {
            Self::Median => kernels::median_interval(&sorted(values), confidence),
            Self::Mean => kernels::mean_interval(values, confidence),
            Self::Trimmed(share) => kernels::trimmed_mean_interval(values, share, confidence),
            Self::Geometric => kernels::geometric_mean_interval(values, confidence),
        }
    }
}

/// A row of an estimate with its interval, in the order of [`ESTIMATE`].
pub(super) fn numbers(estimate: f64, interval: Option<Interval>) -> [f64; 4] {
    let (low, high, level) = interval.map_or((f64::NAN, f64::NAN, f64::NAN), |i| (i.low, i.high, i.level));
    [estimate, low, high, level]
}

/// The fields of [`numbers`].
pub(super) const ESTIMATE: [Field; 4] = [number("estimate"), number("low"), number("high"), number("level")];

impl Procedure for Centre {
    fn takes(&self) -> Takes {
        Takes::One
    }

    fn fields(&self, _: usize) -> Vec<Field> {
        ESTIMATE.into_iter().chain([count("n"), WARNINGS]).collect()
    }

    fn fill(&self, block: &Block<'_>, rows: &mut [f64]) {
        block.each(rows, 6, |samples, row, (): &mut ()| {
            let values = samples[0];
            let estimate = self.kind.estimate(values);
            let interval = self.kind.interval(values, self.confidence);
            row[..4].copy_from_slice(&numbers(estimate, interval));
            let refused = self.kind == Kind::Geometric && values.iter().any(|&v| v <= 0.0);
            let warnings = Warnings::default()
                .with(Warning::Empty, values.is_empty())
                .with(Warning::NotPositive, refused)
                .with(Warning::NoInterval, !values.is_empty() && !refused && interval.is_none());
            row[4..].copy_from_slice(&[values.len() as f64, warnings.number()]);
        });
    }
}
