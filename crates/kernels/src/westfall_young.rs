//! Step-down maxT over joint relabelings of the runs (Westfall & Young 1993, algorithm 4.1; Ge, Dudoit & Speed 2003).
//!
//! The p-values of all rows together. The probability of any false alarm among unchanged rows is controlled,
//! and what the rows have in common (a slow night affects them all) is preserved, because run k is every row's
//! k-th value and all rows are relabeled alike. The statistic is a t whose variance is shrunk towards that of
//! its pool ([`crate::moderation`]), anew for every relabeling.

use rayon::prelude::*;

use crate::max_t_table::{MaxTRow, Moderation, Table, Work, prepare};
use crate::relabel::{Relabeling, Relabelings};

/// Statistics that differ by less than this fraction are tied: the same runs may have been added in a different
/// order.
const TIED: f64 = 1e-10;
/// Number of relabelings per task.
const CHUNK: usize = 64;

/// Adjusted p-values of many rows.
#[derive(Debug, Clone, PartialEq)]
pub struct MaxT {
    /// Step-down adjusted p-value of each row; NaN if the values are all equal (paired: all 0).
    pub p: Vec<f64>,
    /// Number of relabelings that the p-values are based on, including the observed one.
    pub relabelings: u64,
    /// Whether these are all relabelings; otherwise a seeded sample.
    pub exact: bool,
    /// The smallest p-value that these relabelings can give.
    pub least_p: f64,
}

/// Adjusts many rows for multiple comparisons by step-down maxT; the statistic is |mean difference| divided by
/// its error, with the variance shrunk towards the pool's.
///
/// All relabelings are used if at most `samples` of them differ by more than a swap of the groups (or of all
/// signs); otherwise `samples` are drawn with `seed`, including the observed one. The digits do not depend on
/// the number of threads. Rows whose pool has fewer than three rows are not shrunk. A row without spread within
/// groups that differ has an infinite statistic, unless its pool lends it a variance.
///
/// `None` if the number of values of a row differs from the design, a group is empty, no degree of freedom is
/// left for the variance (1 + 1 runs, 1 difference), there are no rows, or `samples` is 0.
#[must_use]
pub fn westfall_young(
    rows: &[MaxTRow<'_>],
    relabeling: Relabeling,
    samples: usize,
    seed: u64,
) -> Option<MaxT> {
    westfall_young_with(rows, relabeling, Moderation::Pooled, samples, seed)
}

/// [`westfall_young`], with shrinking of variances optional.
#[must_use]
pub fn westfall_young_with(
    rows: &[MaxTRow<'_>],
    relabeling: Relabeling,
    moderation: Moderation,
    samples: usize,
    seed: u64,
) -> Option<MaxT> {
    let signs = matches!(relabeling, Relabeling::Signs { .. });
    let table = Table::new(prepare(rows.iter().map(|row| (row.values, row.pool, signs))), relabeling)?;
    let relabelings = Relabelings::new(relabeling, samples, seed)?;
    let steps = Steps::new(&table, moderation, &relabelings);
    let chunks = relabelings.looked_at.div_ceil(CHUNK);
    let counts = (0..chunks)
        .into_par_iter()
        .fold(
            || (vec![0_u64; table.places.len()], Work::default()),
            |(mut counts, mut work), chunk| {
                let numbers = chunk * CHUNK..((chunk + 1) * CHUNK).min(relabelings.looked_at);
                relabelings.each(numbers, |selected| {
                    table.statistics(selected, moderation, &mut work);
                    steps.count(&work.statistics, &mut counts);
                });
                (counts, work)
            },
        )
        .map(|(counts, _)| counts)
        .reduce(|| vec![0; table.places.len()], |a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect());
    Some(MaxT {
        p: steps.p_values(&table, &counts, rows.len(), relabelings.looked_at),
        relabelings: relabelings.stand_for,
        exact: relabelings.exact,
        least_p: relabelings.least_p(),
    })
}

/// The rows from the smallest observed statistic to the largest: a row competes with those before it.
struct Steps {
    order: Vec<usize>,
    /// The values that count as reaching the observed statistic.
    least: Vec<f64>,
}

impl Steps {
    fn new(table: &Table, moderation: Moderation, relabelings: &Relabelings) -> Self {
        let mut work = Work::default();
        relabelings.each(0..1, |selected| table.statistics(selected, moderation, &mut work));
        let observed = work.statistics;
        let mut order: Vec<usize> = (0..observed.len()).collect();
        order.sort_by(|&a, &b| observed[a].total_cmp(&observed[b]));
        let least = order.iter().map(|&at| observed[at] * (1.0 - TIED)).collect();
        Self { order, least }
    }

    /// Counts the rows whose observed statistic is reached by any of those up to it.
    fn count(&self, statistics: &[f64], counts: &mut [u64]) {
        let mut most = 0.0;
        for ((&at, &least), count) in self.order.iter().zip(&self.least).zip(counts) {
            let statistic = statistics[at];
            most = if statistic > most { statistic } else { most };
            *count += u64::from(most >= least);
        }
    }

    /// p-values in the given order of rows, never smaller than that of a row with a larger statistic.
    fn p_values(&self, table: &Table, counts: &[u64], rows: usize, looked_at: usize) -> Vec<f64> {
        let mut p = vec![f64::NAN; rows];
        let mut reached = 0;
        for (&at, &count) in self.order.iter().zip(counts).rev() {
            reached = reached.max(count);
            p[table.places[at]] = reached as f64 / looked_at as f64;
        }
        p
    }
}
