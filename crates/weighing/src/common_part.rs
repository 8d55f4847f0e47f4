//! What the runs of a suite have in common: a machine that slows down and recovers moves all its benchmarks together.
//!
//! Two builds that were measured one after the other then differ in every row, however many runs there are, and no row by
//! itself shows why. The rows together do: the k-th runs of all benchmarks move alike. The factor of each run is the mean
//! of the rows' standardised values, and each row follows it by a loading of its own, which is shrunk towards the common
//! one (empirical Bayes).
//!
//! A row is certain of its change if what it does apart from the others is certain, or if the change of all of them is
//! one that the factor's own course does not explain. A change of everything in independent runs remains, and so does a
//! change of one benchmark on a bad day.

use statera_kernels as kernels;
use statera_kernels::special::t_sf;

use crate::row::{Design, Row};
use crate::units::Kept;

/// The fewest rows that tell a common part.
const FROM: usize = 10;
/// Where the share of the variance that is common lies below the first, nothing is taken away; above the second, all of
/// it.
const MATTERS: (f64, f64) = (0.005, 0.015);
/// Standard errors that are added to the autocorrelation of the factor, of which there is only one series.
const CAUTION: f64 = 1.75;
/// Fewer runs per build tell nothing of the factor's autocorrelation, which is then taken for this.
const TOLD_FROM: f64 = 4.0;
const UNTOLD: f64 = 0.8;

/// A row without its common part.
#[derive(Debug, Clone)]
pub struct Apart {
    /// Values on the scale of the test, the baseline's first.
    pub values: Box<[f64]>,
    /// By how much its squared error exceeds that of the values, because the loading is uncertain.
    pub inflation: f64,
    /// The p-value of the change of the common part, the same for all rows of a group.
    pub common: f64,
}

/// The rows apart from what they have in common; `None` for those that have nothing in common, or too few beside them.
pub fn apart(
    rows: &[Row],
    samples: &[Kept],
    members: &[usize],
    pool: impl Fn(&Row) -> usize,
) -> Vec<Option<Apart>> {
    let mut found = vec![None; rows.len()];
    let key = |i: usize| {
        let (row, sample) = (&rows[i], &samples[i]);
        (pool(row), row.baseline.variant, row.contender.variant, sample.split(), sample.all().len())
    };
    let possible = |&i: &usize| {
        matches!(rows[i].design, Design::Independent | Design::Nested)
            && samples[i].both().is_some_and(|(old, new)| old.len().min(new.len()) >= 2)
    };
    let mut order: Vec<usize> = members.iter().copied().filter(possible).collect();
    order.sort_by_key(|&i| key(i));
    for group in order.chunk_by(|&i, &j| key(i) == key(j)) {
        let shown: Vec<Shown<'_>> = group.iter().filter_map(|&i| Shown::of(i, &samples[i])).collect();
        if let Some(factor) = Factor::of(&shown) {
            for (row, apart) in shown.iter().zip(factor.apart(&shown)) {
                found[row.place] = Some(apart);
            }
        }
    }
    found
}

/// The p-value of the change of what some rows have in common; `None` if they have nothing in common. Of rows with
/// different numbers of runs, the least certain tell.
pub fn change(rows: &[Row], samples: &[Kept], members: &[usize]) -> Option<f64> {
    let found = apart(rows, samples, members, |_| 0);
    let told: Vec<f64> = found.into_iter().flatten().map(|apart| apart.common).collect();
    told.into_iter().max_by(f64::total_cmp)
}

/// A row on its own scale.
struct Shown<'a> {
    place: usize,
    values: &'a [f64],
    split: usize,
    sd: f64,
    /// Standardised deviations from the mean of the build.
    within: Vec<f64>,
    /// Standardised deviations from the mean of all.
    whole: Vec<f64>,
}

impl<'a> Shown<'a> {
    /// `None` if the values have no spread.
    fn of(place: usize, sample: &'a Kept) -> Option<Self> {
        let (values, split) = (sample.all(), sample.split()?);
        let mut within = values.to_vec();
        centre(&mut within, split);
        let squares: f64 = within.iter().map(|v| v * v).sum();
        let sd = (squares / (values.len() as f64 - 2.0)).sqrt();
        let mean = kernels::mean(values);
        for v in &mut within {
            *v /= sd;
        }
        let whole: Vec<f64> = values.iter().map(|v| (v - mean) / sd).collect();
        let usable = sd > 0.0 && whole.iter().chain(&within).all(|v| v.is_finite());
        usable.then_some(Self { place, values, split, sd, within, whole })
    }
}

/// Subtracts the mean of each build.
fn centre(values: &mut [f64], split: usize) {
    let (old, new) = values.split_at_mut(split);
    for side in [old, new] {
        let mean = kernels::mean(side);
        for v in side {
            *v -= mean;
        }
    }
}

/// What the rows of a group have in common.
struct Factor {
    split: usize,
    /// The mean of the rows' standardised values, run by run.
    course: Vec<f64>,
    /// How much of it is taken away, from 0 to 1.
    weight: f64,
}

impl Factor {
    /// `None` if the rows have nothing in common.
    fn of(rows: &[Shown<'_>]) -> Option<Self> {
        let first = rows.first().filter(|row| rows.len() >= FROM && row.values.len() > 3)?;
        let (runs, count) = (first.values.len(), rows.len() as f64);
        // The squared sum holds all pairs of rows twice, and every row with itself, whose squares add up to the degrees of
        // freedom.
        let df = runs as f64 - 2.0;
        let within = (0..runs).map(|run| rows.iter().map(|row| row.within[run]).sum::<f64>());
        let squares: f64 = within.map(|sum| sum * sum).sum();
        let share = (squares - count * df) / (count * (count - 1.0) * df);
        let weight = ((share - MATTERS.0) / (MATTERS.1 - MATTERS.0)).clamp(0.0, 1.0);
        let course =
            (0..runs).map(|run| rows.iter().map(|row| row.whole[run]).sum::<f64>() / count).collect();
        (weight > 0.0).then_some(Self { split: first.split, course, weight })
    }

    /// The rows without the factor.
    fn apart(&self, rows: &[Shown<'_>]) -> Vec<Apart> {
        let runs = self.course.len() as f64;
        let count = rows.len() as f64;
        let ends = 1.0 / self.split as f64 + 1.0 / (runs - self.split as f64);
        let following: Vec<Following> = rows.iter().map(|row| self.following(row, count)).collect();
        let loadings: Vec<f64> = following.iter().map(|row| row.loading).collect();
        let common = kernels::mean(&loadings).max(0.0);
        let rests: Vec<f64> = rows
            .iter()
            .zip(&following)
            .map(|(row, follows)| {
                let rest = row.within.iter().zip(&follows.within).map(|(z, f)| (z - common * f).powi(2));
                rest.sum::<f64>() / (runs - 3.0)
            })
            .collect();
        let rest = kernels::median(&rests);
        let chance = |row: &Following| rest / row.squares;
        let expected = following.iter().map(chance).sum::<f64>() / count;
        let between = (kernels::sd(&loadings).powi(2) - expected).max(0.0);
        let p = self.p(common.min(1.0));
        rows.iter()
            .zip(&following)
            .zip(&rests)
            .map(|((row, follows), own)| {
                let share = between / (between + chance(follows));
                let loading = common + share * (follows.loading - common);
                // The loading on the row's own scale is as uncertain as its standard deviation.
                let error = share * chance(follows) + loading * loading / (2.0 * (runs - 2.0));
                let taken = self.weight * loading * row.sd;
                let moved = self.weight * (mean_change(&follows.whole, self.split));
                Apart {
                    values: row.values.iter().zip(&follows.whole).map(|(v, f)| v - taken * f).collect(),
                    inflation: 1.0 + moved * moved * error / (own * ends),
                    common: p,
                }
            })
            .collect()
    }

    /// How a row follows the others: the factor without the row itself.
    fn following(&self, row: &Shown<'_>, count: f64) -> Following {
        let others = self.course.iter().zip(&row.whole).map(|(all, own)| (count * all - own) / (count - 1.0));
        let whole: Vec<f64> = others.collect();
        let mut within = whole.clone();
        centre(&mut within, self.split);
        let squares: f64 = within.iter().map(|v| v * v).sum();
        let loading = within.iter().zip(&row.within).map(|(f, z)| f * z).sum::<f64>() / squares;
        Following { whole, within, squares, loading }
    }

    /// The p-value of the factor's change between the builds: a t-test whose error is that of an AR(1) series, as far as
    /// the factor is common.
    fn p(&self, common: f64) -> f64 {
        let mut within = self.course.clone();
        centre(&mut within, self.split);
        let (old, new) = within.split_at(self.split);
        let size = within.len() as f64;
        let runs = 2.0 / (1.0 / old.len() as f64 + 1.0 / new.len() as f64);
        let squares: f64 = within.iter().map(|v| v * v).sum();
        let products: f64 =
            [old, new].iter().flat_map(|side| side.windows(2)).map(|two| two[0] * two[1]).sum();
        let rho = if runs < TOLD_FROM {
            UNTOLD
        } else {
            let expected = |rho: f64| kernels::dependence::expected_autocorrelation(rho, runs);
            let rho = kernels::dependence::autocorrelation_where(|rho| products / squares - expected(rho));
            let slope = crate::dependence::slope(rho, runs);
            rho + CAUTION * slope * ((1.0 - rho * rho).max(0.1) / size).sqrt()
        };
        let rho = (rho * common).clamp(0.0, kernels::dependence::MOST);
        let effective = runs / kernels::dependence::mean_inflation(rho, runs);
        let inflation = kernels::dependence::error_inflation(rho, runs);
        let df = (2.0 * effective - 2.0).max(1.0);
        let error =
            (squares / (size - 2.0) * inflation * (1.0 / old.len() as f64 + 1.0 / new.len() as f64)).sqrt();
        2.0 * t_sf(mean_change(&self.course, self.split).abs() / error, df)
    }
}

/// A row beside the others.
struct Following {
    /// The factor of the others.
    whole: Vec<f64>,
    /// The same, as deviations from the mean of the build.
    within: Vec<f64>,
    squares: f64,
    loading: f64,
}

fn mean_change(values: &[f64], split: usize) -> f64 {
    let (old, new) = values.split_at(split);
    kernels::mean(new) - kernels::mean(old)
}
