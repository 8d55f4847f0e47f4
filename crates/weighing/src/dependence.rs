//! Values that depend on the one before, as those of one process or of one after another often do: how much they do,
//! estimated over all rows of a metric, and by how much interval and p of a row must widen.
//!
//! One row says little: the autocorrelation of 2 × 20 values has a standard error of 0.16. Benchmarks of one experiment
//! share the cause, so the rows of a metric are estimated together, and each row is shrunk towards what they have in
//! common (empirical Bayes). A row that is uncertain is taken to depend more rather than less.

use rayon::prelude::*;
use statera_kernels as kernels;
use statera_kernels::Comparison;
use statera_kernels::special::{norm_quantile, norm_sf, t_quantile};

use crate::row::{Design, Row};
use crate::units::Kept;

/// The minimum number of units per side; the autocorrelation of fewer is all bias.
const FROM: f64 = 5.0;
/// Standard errors that are added where rows differ in their dependence.
const CAUTION: f64 = 1.5;
/// Evidence of so many standard errors counts half: less of it is mostly chance, and would widen independent rows.
const HALF: f64 = 1.2;
/// With fewer units, both sides together, the standard error is itself uncertain, and more evidence is asked for.
const MANY: f64 = 40.0;
/// How sharply evidence counts.
const SHARPNESS: i32 = 6;
/// The largest correlation of neighbouring values that one row widens by.
const MOST_ALIKE: f64 = 0.9;
/// Widening by less than this is not worth an estimate of its own.
const LEAST: f64 = 1.005;

/// By how much a row widens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Widening {
    /// The factor of the interval, and the divisor of the statistic.
    pub factor: f64,
    /// The factor of the squared error alone.
    pub inflation: f64,
    /// The degrees of freedom that are lost.
    pub lost: f64,
    /// How many independent units per side the row's units are worth.
    pub effective: f64,
}

impl Widening {
    /// No widening of a row of `units` per side.
    pub fn none(units: f64) -> Self {
        Self { factor: 1.0, inflation: 1.0, lost: 0.0, effective: units }
    }

    /// A widening by a factor alone.
    pub fn by(factor: f64) -> Self {
        Self { factor, inflation: factor * factor, lost: 0.0, effective: f64::NAN }
    }

    fn new(rho: f64, units: f64, alpha: f64) -> Self {
        let effective = units / kernels::dependence::mean_inflation(rho, units);
        let inflation = kernels::dependence::error_inflation(rho, units);
        let df = 2.0 * units - 2.0;
        let left = (2.0 * effective - 2.0).clamp(1.0, df);
        let quantiles = t_quantile(0.5 * alpha, left) / t_quantile(0.5 * alpha, df);
        Self { factor: inflation.sqrt() * quantiles, inflation, lost: df - left, effective }
    }

    /// Whether the row widens by so much that it matters.
    pub fn matters(&self) -> bool {
        self.factor > LEAST
    }

    /// The p-value of a statistic that is divided by the factor.
    pub fn p(&self, p: f64) -> f64 {
        if self.matters() && p > 0.0 { 2.0 * norm_sf(-norm_quantile(0.5 * p) / self.factor) } else { p }
    }

    /// The p-value that becomes `p`, so that an interval at this level is the widened one.
    pub fn before(&self, p: f64) -> f64 {
        if self.matters() { 2.0 * norm_sf(-norm_quantile(0.5 * p) * self.factor) } else { p }
    }

    /// Widens a comparison whose interval was already computed at the level that widening asks for.
    pub fn applied(&self, mut found: Comparison) -> Comparison {
        found.test.p = self.p(found.test.p);
        found.test.least_p = self.p(found.test.least_p);
        found.shift.interval.level = 1.0 - self.p(1.0 - found.shift.interval.level);
        found
    }
}

/// Returns the widening of each row.
pub fn widenings(rows: &[Row], samples: &[Kept], alpha: f64) -> Vec<Widening> {
    let mut found: Vec<Widening> = rows.iter().map(|row| Widening::none(row.units_a_side())).collect();
    let mut places: Vec<(u32, Shown)> = (0..rows.len())
        .into_par_iter()
        .with_min_len(256)
        .filter_map(|place| Some((rows[place].metric, Shown::of(place, &rows[place], &samples[place])?)))
        .collect();
    places.sort_by_key(|(metric, shown)| (*metric, shown.place));
    for metric in places.chunk_by(|a, b| a.0 == b.0) {
        let shown: Vec<&Shown> = metric.iter().map(|(_, shown)| shown).collect();
        let Some(common) = Common::of(&shown, samples) else { continue };
        for row in shown {
            found[row.place] = Widening::new(common.rho_of(row), row.units, alpha * rows[row.place].share);
        }
    }
    found
}

/// The autocorrelation that a row shows.
struct Shown {
    place: usize,
    /// Around the mean of each side, both sides together.
    autocorrelation: f64,
    /// Units per side, as if both had the same.
    units: f64,
    /// Units of both sides.
    size: f64,
}

impl Shown {
    /// `None` if the order of the units says nothing: means, pairs, few units, equal or sorted ones.
    fn of(place: usize, row: &Row, sample: &Kept) -> Option<Self> {
        let (baseline, contender) = sample.both()?;
        let by_ranks = row.method.is_some_and(|method| !method.is_parametric());
        let typical = matches!(row.design, Design::Independent | Design::Nested) && by_ranks;
        let enough = baseline.len().min(contender.len()) as f64 >= FROM;
        if !typical || !enough || [baseline, contender].into_iter().all(sorted) {
            return None;
        }
        let (mut sum, mut size) = (0.0, 0.0);
        for side in [baseline, contender] {
            let (products, squares) = kernels::dependence::neighbours(side);
            if squares > 0.0 {
                sum += products / squares * side.len() as f64;
                size += side.len() as f64;
            }
        }
        (size > 0.0).then(|| Self { place, autocorrelation: sum / size, units: row.units_a_side(), size })
    }
}

/// How many times as many units the rows would need to be independent witnesses of their autocorrelation.
///
/// Products of deviations correlate by the square of the correlation between k-th units. It is estimated within each side,
/// where a run slows many benchmarks, and across the sides, where a round does.
fn alike(rows: &[&Shown], samples: &[Kept]) -> f64 {
    let mut slots: Vec<[(f64, f64); 2]> = Vec::new();
    for row in rows {
        let Some((baseline, contender)) = samples[row.place].both() else { continue };
        for (side, values) in [baseline, contender].into_iter().enumerate() {
            let (centre, spread) = (kernels::mean(values), kernels::sd(values));
            if !(spread > 0.0 && spread.is_finite()) {
                continue;
            }
            slots.resize(slots.len().max(values.len()), [(0.0, 0.0); 2]);
            for (slot, value) in slots.iter_mut().zip(values) {
                slot[side].0 += (value - centre) / spread;
                slot[side].1 += 1.0;
            }
        }
    }
    let correlation = |sum: f64, pairs: f64| if pairs > 0.0 { (sum / pairs).clamp(0.0, 1.0) } else { 0.0 };
    let (mut within, mut across) = ((0.0, 0.0), (0.0, 0.0));
    for [(old, olds), (new, news)] in slots {
        // The squared sum holds the pairs twice, and every value with itself.
        within.0 += old * old - olds + new * new - news;
        within.1 += olds * (olds - 1.0) + news * (news - 1.0);
        across.0 += old * new;
        across.1 += olds * news;
    }
    let count = rows.len() as f64;
    let (within, across) = (correlation(within.0, within.1), correlation(across.0, across.1));
    1.0 + (count - 1.0) * within * within + count * across * across
}

/// Whether values are in ascending or descending order: on both sides that is no chance, so the file was sorted.
fn sorted(side: &[f64]) -> bool {
    side.is_sorted() || side.is_sorted_by(|a, b| a >= b)
}

/// What the rows of a metric have in common.
struct Common {
    rho: f64,
    /// How far the evidence of all rows is to be believed, from 0 to 1.
    weight: f64,
    /// The variance of the rows' true autocorrelations.
    between: f64,
}

impl Common {
    /// `None` if the rows do not depend on their neighbours.
    fn of(rows: &[&Shown], samples: &[Kept]) -> Option<Self> {
        let sizes = by_size(rows);
        let rest = |rho: f64| -> f64 {
            let each = sizes.iter().map(|size| size.sum - size.weight * expected(rho, size.units));
            each.sum()
        };
        let rho = kernels::dependence::autocorrelation_where(rest);
        if rho <= 0.0 {
            return None;
        }
        let size: f64 = rows.iter().map(|row| row.size).sum();
        let count = rows.len() as f64;
        let typical = size / count;
        let slope = slope(rho, typical / 2.0);
        let error = slope * ((1.0 - rho * rho).max(0.1) / size * alike(rows, samples)).sqrt();
        let asked = HALF * (MANY / typical).sqrt().max(1.0);
        let weight = 1.0 / (1.0 + (asked * error / rho).powi(SHARPNESS));
        let between = if rows.len() < 2 { 0.0 } else { slope * slope * spread_beyond_chance(rows, rho) };
        Some(Self { rho, weight, between })
    }

    /// The autocorrelation of a row: between its own and the common one, and on the safe side of both.
    fn rho_of(&self, row: &Shown) -> f64 {
        let mut rho = self.rho;
        if self.between > 0.0 {
            let own = kernels::dependence::autocorrelation_where(|rho| {
                row.autocorrelation - expected(rho, row.units)
            });
            let variance = slope(own, row.units).powi(2) * (1.0 - own * own).max(0.1) / row.size;
            let share = self.between / (self.between + variance);
            rho = share * own + (1.0 - share) * self.rho + CAUTION * (share * variance).sqrt();
        }
        rho.clamp(0.0, kernels::dependence::MOST) * self.weight
    }
}

fn expected(rho: f64, units: f64) -> f64 {
    kernels::dependence::expected_autocorrelation(rho, units)
}

/// By how much ρ changes with the autocorrelation that is shown.
pub fn slope(rho: f64, units: f64) -> f64 {
    const STEP: f64 = 1e-3;
    (2.0 * STEP / (expected(rho + STEP, units) - expected(rho - STEP, units))).clamp(1.0, 4.0)
}

/// The variance of the autocorrelations shown, beyond that of chance.
fn spread_beyond_chance(rows: &[&Shown], rho: f64) -> f64 {
    let (mut spread, mut chance) = (0.0, 0.0);
    for row in rows {
        spread += (row.autocorrelation - expected(rho, row.units)).powi(2);
        chance += (1.0 - rho * rho) / row.size;
    }
    let count = rows.len() as f64;
    (spread / (count - 1.0) - chance / count).max(0.0)
}

/// Rows of equal numbers of units, which share their expectations.
struct Size {
    units: f64,
    weight: f64,
    sum: f64,
}

fn by_size(rows: &[&Shown]) -> Vec<Size> {
    let mut order: Vec<&Shown> = rows.to_vec();
    order.sort_by(|a, b| a.units.total_cmp(&b.units));
    let groups = order.chunk_by(|a, b| a.units.total_cmp(&b.units).is_eq());
    groups
        .map(|group| Size {
            units: group[0].units,
            weight: group.iter().map(|row| row.size).sum(),
            sum: group.iter().map(|row| row.size * row.autocorrelation).sum(),
        })
        .collect()
}

/// Widens the p of one row by the correlation r of its neighbouring values: n of them are worth n (1 − r) / (1 + r).
pub fn widened(p: f64, sides: &[&[f64]; 2]) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for side in sides {
        let n = side.len() as f64;
        // Independent values have an expected correlation of −1/n.
        sum += kernels::autocorrelation(side).map_or(0.0, |found| n * found.lag_one + 1.0);
        count += n;
    }
    let r = (sum / count).clamp(0.0, MOST_ALIKE);
    let z = norm_quantile(0.5 * p) * ((1.0 - r) / (1.0 + r)).sqrt();
    (2.0 * kernels::special::norm_cdf(z)).min(1.0)
}
