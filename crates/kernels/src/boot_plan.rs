//! The parameters and the result of a bootstrap, and its execution for each statistic.

use core::cmp::Ordering;

use crate::bca::{Levels, acceleration, influences, share_below};
use crate::bootstrap::MedianLaw;
use crate::mean_bootstrap::{MeanBootstrap, Side};
use crate::median_law::{Difference, Law};
use crate::quantile::{mean, quantile_sorted};
use crate::random::Stream;
use crate::random::{Sorted, replicates};
use crate::shift::alpha;

/// Streams of the first and the second sample.
pub(crate) const STREAMS: [u64; 2] = [6, 7];

/// The statistic of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BootStatistic {
    /// Arithmetic mean.
    Mean,
    /// Median.
    Median,
    /// Mean of the values left after trimming this fraction (0 to below 0.5, rounded down to whole values) at
    /// each end.
    TrimmedMean(f64),
}

/// The method of computing the interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BootMethod {
    /// Quantiles of the replicates.
    Percentile,
    /// Quantiles corrected for bias and skewness.
    Bca,
}

/// An estimate with its bootstrap interval, in the unit of the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// The statistic of the sample.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Number of resamples drawn; 0 if the bootstrap distribution is known and none was needed.
    pub resamples: usize,
    /// The seed of the draws.
    pub seed: u64,
    /// z0 of `BCa`; 0 for percentile intervals.
    pub bias_correction: f64,
    /// Acceleration of `BCa`; 0 for percentile intervals.
    pub acceleration: f64,
}

/// The parameters of a bootstrap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BootPlan {
    /// The statistic.
    pub statistic: BootStatistic,
    /// The method of the interval.
    pub method: BootMethod,
    /// Confidence level, between 0 and 1.
    pub confidence: f64,
    /// Number of resamples, if resamples are drawn.
    pub resamples: usize,
    /// Seed of the draws.
    pub seed: u64,
}

impl BootStatistic {
    /// Whether the trimmed fraction is valid and leaves values.
    pub(crate) fn is_defined(self) -> bool {
        match self {
            Self::TrimmedMean(share) => (0.0..0.5).contains(&share),
            Self::Mean | Self::Median => true,
        }
    }

    /// The statistic of ascending values, at least one.
    pub(crate) fn of_sorted(self, sorted: &[f64]) -> f64 {
        match self {
            Self::Mean => mean(sorted),
            Self::Median => f64::midpoint(sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]),
            Self::TrimmedMean(share) => {
                let cut = (sorted.len() as f64 * share) as usize;
                mean(&sorted[cut..sorted.len() - cut])
            }
        }
    }
}

impl BootPlan {
    pub(crate) fn one_sample(&self, values: &[f64], room: &mut MeanBootstrap) -> Option<Bootstrap> {
        let sorted = self.sorted(values)?;
        let estimate = self.statistic.of_sorted(&sorted);
        if constant(&sorted) {
            return Some(self.point(estimate));
        }
        let sides = [self.side(&sorted, false, 0)];
        if self.statistic == BootStatistic::Mean {
            return self.of_means(&sides, estimate, room);
        }
        let law = (self.statistic == BootStatistic::Median).then(|| Law::of_median(&sorted)).flatten();
        let Some(law) = law else {
            return self.of_drawn(&sides, estimate);
        };
        self.settle(
            estimate,
            0,
            law.share_below(estimate),
            || self.influences(&sides),
            |level| law.quantile(level),
        )
    }

    pub(crate) fn two_samples(&self, x: &[f64], y: &[f64], room: &mut MeanBootstrap) -> Option<Bootstrap> {
        let (x, y) = (self.sorted(x)?, self.sorted(y)?);
        // One of the two orders is computed, and the other mirrored.
        let first = x.len().cmp(&y.len()).then_with(|| x.iter().partial_cmp(&y).unwrap_or(Ordering::Equal));
        if first == Ordering::Greater {
            self.difference(&y, &x, room).map(mirrored)
        } else {
            self.difference(&x, &y, room)
        }
    }

    fn difference(&self, x: &[f64], y: &[f64], room: &mut MeanBootstrap) -> Option<Bootstrap> {
        let estimate = self.statistic.of_sorted(y) - self.statistic.of_sorted(x);
        if constant(x) && constant(y) {
            return Some(self.point(estimate));
        }
        let sides = [self.side(x, true, 0), self.side(y, false, 1)];
        if self.statistic == BootStatistic::Mean {
            return self.of_means(&sides, estimate, room);
        }
        let law = |values: &[f64]| {
            (self.statistic == BootStatistic::Median).then(|| Law::of_median(values)).flatten()
        };
        let (Some(x), Some(y)) = (law(x), law(y)) else {
            return self.of_drawn(&sides, estimate);
        };
        let law = Difference { x: &x, y: &y };
        self.settle(
            estimate,
            0,
            law.share_below(estimate),
            || self.influences(&sides),
            |level| law.quantile(level),
        )
    }

    fn of_means(&self, sides: &[Side<'_>], estimate: f64, room: &mut MeanBootstrap) -> Option<Bootstrap> {
        if self.resamples == 0 {
            return None;
        }
        room.draw(sides, self.resamples);
        let share = room.share_below(0.5 * alpha(self.confidence));
        self.settle(
            estimate,
            self.resamples,
            share,
            || self.influences(sides),
            |level| estimate + room.quantile(level),
        )
    }

    /// Draws ordered resamples and computes the statistic of each.
    fn of_drawn(&self, sides: &[Side<'_>], estimate: f64) -> Option<Bootstrap> {
        let laws: Vec<_> = sides.iter().map(|side| MedianLaw::of(side.values.len())).collect();
        let drawn = replicates(self.resamples, |number, room: &mut Sorted| {
            let mut replicate = 0.0;
            for (side, law) in sides.iter().zip(&laws) {
                let part = if self.statistic == BootStatistic::Median {
                    law.draw(side.values, side.stream, number)
                } else {
                    room.resample(side.stream, number, side.values.len());
                    self.statistic.of_sorted(room.drawn(side.values))
                };
                replicate += if side.minus { -part } else { part };
            }
            replicate
        });
        self.of_replicates(drawn, estimate, || self.influences(sides))
    }

    /// The interval from replicates of a statistic and its influence values ([`influences`]), one list a sample.
    ///
    /// Quantiles of the replicates are of type 7. The acceleration of several samples is that of Efron & Tibshirani's
    /// formula with each sample's sums divided by its size (as `SciPy` has it). Replicates that all equal the estimate
    /// give the point. None where one of them, or the estimate, is NaN, where there are none, where none lies on one
    /// side of the estimate, or where the confidence is not between 0 and 1.
    pub fn of_replicates(
        &self,
        mut drawn: Vec<f64>,
        estimate: f64,
        influence: impl FnOnce() -> Vec<Vec<f64>>,
    ) -> Option<Bootstrap> {
        drawn.sort_unstable_by(f64::total_cmp);
        if estimate.is_nan() || drawn.is_empty() || drawn.iter().any(|r| r.is_nan()) {
            return None;
        }
        let share = share_below(&drawn, estimate);
        self.settle(estimate, drawn.len(), share, influence, |level| quantile_sorted(&drawn, level))
    }

    /// The interval from a bootstrap distribution.
    fn settle(
        &self,
        estimate: f64,
        resamples: usize,
        share_below: f64,
        influence: impl FnOnce() -> Vec<Vec<f64>>,
        mut quantile: impl FnMut(f64) -> f64,
    ) -> Option<Bootstrap> {
        let levels = match self.method {
            BootMethod::Percentile => Levels::percentile(self.confidence),
            BootMethod::Bca => Levels::bca(share_below, acceleration(&influence()), self.confidence),
        }?;
        Some(Bootstrap {
            low: quantile(levels.low),
            high: quantile(levels.high),
            resamples,
            bias_correction: levels.bias_correction,
            acceleration: levels.acceleration,
            ..self.point(estimate)
        })
    }

    /// The values in order; `None` if the plan or the sample is invalid.
    pub(crate) fn sorted(&self, values: &[f64]) -> Option<Vec<f64>> {
        Levels::percentile(self.confidence)?;
        let mut sorted = (self.statistic.is_defined() && values.len() > 1).then(|| values.to_vec())?;
        sorted.sort_unstable_by(f64::total_cmp);
        Some(sorted)
    }

    fn side<'a>(&self, values: &'a [f64], minus: bool, number: usize) -> Side<'a> {
        Side { values, minus, stream: Stream::new(self.seed, 0, STREAMS[number]) }
    }

    /// How far each value moves the statistic.
    fn influences(&self, sides: &[Side<'_>]) -> Vec<Vec<f64>> {
        let of = |side: &Side<'_>| {
            let sign = if side.minus { -1.0 } else { 1.0 };
            match self.statistic {
                BootStatistic::Mean => {
                    let centre = mean(side.values);
                    side.values.iter().map(|v| sign * (v - centre)).collect()
                }
                BootStatistic::Median => influences(&median_jackknife(side.values), sign),
                BootStatistic::TrimmedMean(_) => {
                    influences(&jackknife(side.values, &|rest| self.statistic.of_sorted(rest)), sign)
                }
            }
        };
        sides.iter().map(of).collect()
    }

    /// The interval of a sample that does not vary.
    pub(crate) fn point(&self, estimate: f64) -> Bootstrap {
        Bootstrap {
            estimate,
            low: estimate,
            high: estimate,
            resamples: 0,
            seed: self.seed,
            bias_correction: 0.0,
            acceleration: 0.0,
        }
    }
}

fn mirrored(found: Bootstrap) -> Bootstrap {
    Bootstrap {
        estimate: -found.estimate,
        low: -found.high,
        high: -found.low,
        bias_correction: -found.bias_correction,
        acceleration: -found.acceleration,
        ..found
    }
}

/// Whether ascending values are all equal.
pub(crate) fn constant(sorted: &[f64]) -> bool {
    sorted.first() == sorted.last()
}

/// The statistic with each value left out in turn, the others in their order.
pub(crate) fn jackknife(values: &[f64], statistic: &dyn Fn(&[f64]) -> f64) -> Vec<f64> {
    let mut rest = values.get(1..).unwrap_or_default().to_vec();
    let mut found = vec![statistic(&rest)];
    for i in 0..rest.len() {
        rest[i] = values[i];
        found.push(statistic(&rest));
    }
    found
}

/// The median of ascending values with each left out in turn.
fn median_jackknife(sorted: &[f64]) -> Vec<f64> {
    let n = sorted.len();
    let without = |i: usize| {
        let at = |rank: usize| sorted[rank + usize::from(rank >= i)];
        f64::midpoint(at((n - 2) / 2), at((n - 1) / 2))
    };
    (0..n).map(without).collect()
}
