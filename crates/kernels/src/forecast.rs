//! Forecasts from the spread of a pilot: the change that its runs detect, and the runs that a change needs.
//!
//! The power of the forecast is that of the average pilot, because the spread of few runs is uncertain: the quantile of
//! the noncentral t distribution (Johnson & Welch 1940) stands where the sum of two normal quantiles would stand if the
//! spread were known (Browne 1995).

use crate::special::{norm_quantile, t_quantile};

/// Up to this many degrees of freedom the quantiles of t are computed once and kept; above, a series suffices.
const KEPT: usize = 100;
/// Above this number of runs the quantile of t is that of the normal distribution.
const MANY: f64 = 2000.0;
/// The share of pilots whose range holds the number of runs that the true spread needs.
pub const RANGE: f64 = 0.8;

/// Runs were measured, and what they showed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pilot {
    /// The standard deviation of a run, or of the difference of a pair.
    pub spread: f64,
    /// Degrees of freedom of the spread.
    pub df: usize,
    /// Whether runs are paired.
    pub paired: bool,
}

/// Numbers of runs per side, or of pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Needed {
    /// With this number the average pilot detects the change with the power asked for.
    pub runs: f64,
    /// The lower end of the range that holds the number that the true spread needs, in [`RANGE`] of all pilots.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Forecasts at one level and power.
#[derive(Debug, Clone)]
pub struct Forecast {
    level: f64,
    z: f64,
    z_power: f64,
    t: Vec<f64>,
}

impl Forecast {
    /// Forecasts of two-sided tests at `level` with probability `power`.
    #[must_use]
    pub fn new(level: f64, power: f64) -> Self {
        let t = (1..=KEPT).map(|df| -t_quantile(0.5 * level, df as f64)).collect();
        Self { level, z: -norm_quantile(0.5 * level), z_power: norm_quantile(power), t }
    }

    /// The level.
    #[must_use]
    pub fn level(&self) -> f64 {
        self.level
    }

    /// The smallest change that `m` and `n` runs (for pairs: `n` of them) detect, in the unit of the spread. Infinite
    /// if the spread is so uncertain that no change is.
    #[must_use]
    pub fn detectable(&self, pilot: &Pilot, m: usize, n: usize) -> f64 {
        let (error, df) = if pilot.paired {
            ((1.0 / n as f64).sqrt(), n.saturating_sub(1))
        } else {
            ((1.0 / m as f64 + 1.0 / n as f64).sqrt(), (m + n).saturating_sub(2))
        };
        pilot.spread * error * self.errors(self.t(df), pilot.df as f64)
    }

    /// The numbers of runs that detect `change`, at least `least`; infinite for a change of 0.
    #[must_use]
    pub fn needed(&self, pilot: &Pilot, change: f64, least: usize) -> Needed {
        let df = pilot.df as f64;
        let tail = 0.5 * (1.0 - RANGE);
        let known = |share: f64| Pilot {
            spread: pilot.spread / (chi_squared_quantile(share, df) / df).sqrt(),
            df: usize::MAX,
            ..*pilot
        };
        let runs = self.runs(pilot, change, least);
        let (low, high) =
            (self.runs(&known(1.0 - tail), change, least), self.runs(&known(tail), change, least));
        Needed { runs, low: low.min(runs), high: high.max(runs) }
    }

    /// The smallest number of runs whose detectable change is at most `change`.
    fn runs(&self, pilot: &Pilot, change: f64, least: usize) -> f64 {
        let samples = if pilot.paired { 1.0 } else { 2.0 };
        // Guenther's (1981) number for the estimated spread of the comparison itself is a run or two off at most.
        let plain = samples * (pilot.spread * self.errors(self.z, pilot.df as f64) / change).powi(2);
        let near = (plain + 0.5 * self.z * self.z / samples).ceil();
        if near.is_nan() || near > MANY {
            return near;
        }
        let mut runs = (near as usize).max(least);
        let enough = |runs: usize| self.detectable(pilot, runs, runs) <= change;
        while !enough(runs) && (runs as f64) < 2.0 * MANY {
            runs += 1;
        }
        while runs > least && enough(runs - 1) {
            runs -= 1;
        }
        runs as f64
    }

    /// Standard errors that a change must have to be detected: the quantile of t with `df` degrees of freedom, shifted
    /// by the critical value, approximately.
    fn errors(&self, critical: f64, df: f64) -> f64 {
        // The expected estimate of a standard deviation of 1, and the variance of the estimate.
        let mean = if df > 1e9 { 1.0 } else { 4.0 * df / (4.0 * df + 1.0) };
        let variance = 1.0 - mean * mean;
        let z = self.z_power;
        let divisor = mean * mean - z * z * variance;
        if divisor.is_nan() || divisor <= 0.0 {
            return f64::INFINITY;
        }
        let root = (mean * mean + variance * (critical * critical - z * z)).max(0.0).sqrt();
        ((critical * mean + z * root) / divisor).max(0.0)
    }

    /// The critical value of t.
    fn t(&self, df: usize) -> f64 {
        match df {
            0 => f64::INFINITY,
            1..=KEPT => self.t[df - 1],
            // Fisher & Cornish 1960.
            _ => {
                let (z, n) = (self.z, df as f64);
                z + z * (z * z + 1.0) / (4.0 * n)
                    + z * (5.0 * z.powi(4) + 16.0 * z * z + 3.0) / (96.0 * n * n)
            }
        }
    }
}

/// Quantile of the chi-squared distribution by Wilson & Hilferty (1931).
fn chi_squared_quantile(p: f64, df: f64) -> f64 {
    let part = 2.0 / (9.0 * df);
    df * (1.0 - part + norm_quantile(p) * part.sqrt()).powi(3)
}
