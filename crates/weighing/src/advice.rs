//! Forecasts from the spread of a row: what its runs could have shown, and how many runs would find a change of the
//! margin. They take the correction that was applied, so they follow it, and never the observed change.

use rayon::prelude::*;
use statera_kernels as kernels;
use statera_kernels::{Forecast, Pilot};

use crate::assignment::Assignment;
use crate::family::Family;
use crate::margin::Margin;
use crate::policy::Policy;
use crate::row::{Design, Noise, Row, Warning};
use crate::sample::Sample;

/// A rank test of so many runs attains any level that a family can ask for.
const ENOUGH: usize = 64;

/// The spread of the units on the scale of the test: what governs the power of a rank test; for means, of a t-test.
pub fn noise(sample: &Sample) -> Noise {
    let sides = [&sample.baseline, &sample.contender];
    let (sd, units) = match (sample.design, sample.of_means) {
        (Design::Paired, true) => (kernels::sd(&sample.differences.measured), [&sample.differences; 2]),
        (Design::Paired, false) => {
            (kernels::pooled_spread(&[&sample.differences.sorted]), [&sample.differences; 2])
        }
        (_, true) => {
            let found = kernels::variance_within(&sides.map(|side| &side.measured[..]));
            (found.map_or(f64::NAN, |(variance, _)| variance.sqrt()), sides)
        }
        (_, false) => (kernels::pooled_spread(&sides.map(|side| &side.sorted[..])), sides),
    };
    Noise { sd, units: (units[0].len() as u32, units[1].len() as u32), few: 1.0 }
}

/// Fills the forecasts of all rows that were corrected together. Values without spread forecast nothing.
pub fn advise(rows: &mut [Row], family: &Family, assignment: &Assignment, policy: &Policy) {
    let alpha = kernels::alpha(policy.confidence());
    let called = rows.iter().filter(|row| row.p_corrected.is_some_and(|p| p <= alpha)).count();
    let (level, own_level) = (family.level(alpha, called), family.own_level(alpha, called));
    let mut shares: Vec<f64> = rows.iter().map(|row| row.share).collect();
    shares.sort_unstable_by(f64::total_cmp);
    shares.dedup();
    let advisors: Vec<Advisor> = shares
        .iter()
        .map(|share| Advisor::new(alpha, level * share, own_level * share, policy.power))
        .collect();
    rows.par_iter_mut()
        .with_min_len(256)
        .filter(|row| row.noise.sd.is_finite() && row.noise.sd > 0.0)
        .for_each(|row| {
            let place = shares.partition_point(|&share| share < row.share);
            let rule = assignment.rule(row.metric, row.benchmark);
            advisors[place].advise(row, rule.map_or(0.0.into(), |rule| rule.margin));
        });
}

/// Forecasts for the rows of one share of alpha.
struct Advisor {
    forecast: Forecast,
    alpha: f64,
    /// The level that the p-value of a row's own test must attain, by that share.
    own_level: f64,
    /// The runs per side, and the pairs, with which a rank test attains it.
    least_runs: usize,
    least_pairs: usize,
}

impl Advisor {
    fn new(alpha: f64, level: f64, own_level: f64, power: f64) -> Self {
        Self {
            forecast: Forecast::new(level, power),
            alpha,
            own_level,
            least_runs: kernels::least_runs(own_level, 1, ENOUGH).unwrap_or(ENOUGH),
            least_pairs: kernels::least_pairs(own_level, 1, ENOUGH).unwrap_or(ENOUGH),
        }
    }

    fn advise(&self, row: &mut Row, margin: Margin) {
        let (m, n) = (row.noise.units.0 as usize, row.noise.units.1 as usize);
        let paired = row.design == Design::Paired;
        let df = if paired { n.saturating_sub(1) } else { (m + n).saturating_sub(2) };
        let pilot = Pilot { spread: row.noise.sd, df, paired };
        let shift = self.forecast.detectable(&pilot, m, n) * row.noise.few;
        if row.least_p * row.share <= self.own_level && shift.is_finite() {
            row.detectable = row.scale.change(shift);
        }
        if row.detectable.is_infinite() {
            row.warn(Warning::BeyondRange);
        }
        let margin = margin.on(row.scale, row.baseline.centre.value);
        // For a series the number of values needed depends on the range of their dependence, and more values of one process
        // decide nothing.
        if margin > 0.0 && row.design != Design::Series && !row.warns(Warning::OneProcess) {
            let needed = self.forecast.needed(&pilot, margin, self.least(row));
            // A forecast assumes that more runs look like these, and that both builds do.
            if !self.has_other_shape(row) {
                (row.runs_needed, row.runs_needed_low, row.runs_needed_high) =
                    (needed.runs, needed.low, needed.high);
            }
        }
    }

    fn has_other_shape(&self, row: &Row) -> bool {
        row.level_change.is_some()
            || row.warns(Warning::SeveralModes)
            || row.spread.is_some_and(|spread| spread.p_corrected <= self.alpha)
    }

    fn least(&self, row: &Row) -> usize {
        match (row.method, row.design) {
            // A t-test of few values, which ranks replace as soon as they can, does not decide.
            (Some(method), _) if method.is_parametric() && !row.warns(Warning::Parametric) => 2,
            (_, Design::Paired) => self.least_pairs,
            _ => self.least_runs,
        }
    }
}
