//! Counts what occurs among the rows.

use statera_kernels::Method;

use crate::row::{Design, Row, Scale, Warning};
use crate::weighing::Weighing;

/// Effective units are clearly fewer than units below this share of them.
const CLEARLY: f64 = 0.9;

/// A kind of row: design, method and scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The design of the data.
    pub design: Design,
    /// The method by which p was computed; `None` if there is no test.
    pub method: Option<Method>,
    /// The scale.
    pub scale: Scale,
    /// Number of rows of this kind.
    pub rows: usize,
}

impl Weighing {
    /// Designs, methods and scales that occur, in the order of their first rows.
    #[must_use]
    pub fn kinds(&self) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = Vec::new();
        for row in &self.rows {
            let same = |kind: &&mut Kind| {
                (kind.design, kind.method, kind.scale) == (row.design, row.method, row.scale)
            };
            match kinds.iter_mut().find(same) {
                Some(kind) => kind.rows += 1,
                None => {
                    kinds.push(Kind { design: row.design, method: row.method, scale: row.scale, rows: 1 });
                }
            }
        }
        kinds
    }

    /// For each warning, the number of rows that have it.
    #[must_use]
    pub fn warning_counts(&self) -> [(Warning, usize); Warning::ALL.len()] {
        Self::warnings_of(&self.rows.iter().collect::<Vec<_>>())
    }

    /// For each warning, the number of these rows that have it.
    #[must_use]
    pub fn warnings_of(rows: &[&Row]) -> [(Warning, usize); Warning::ALL.len()] {
        Warning::ALL.map(|warning| (warning, rows.iter().filter(|row| row.warns(warning)).count()))
    }

    /// Number of rows whose units are worth clearly fewer independent ones, because neighbours depend on each other, and the
    /// units and effective units per side of the row in the middle of them; `None` if there is no such row.
    #[must_use]
    pub fn dependent(&self) -> Option<(usize, f64, f64)> {
        let mut found: Vec<(f64, f64)> = self
            .rows
            .iter()
            .filter(|row| row.effective_units.is_finite())
            .map(|row| (row.units_a_side(), row.effective_units))
            .filter(|(units, effective)| *effective < CLEARLY * units)
            .collect();
        found.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
        let (units, effective) = *found.get(found.len() / 2)?;
        Some((found.len(), units, effective))
    }

    /// The shares of alpha below 1 that tested rows may spend, in ascending order, each with its number of rows.
    #[must_use]
    pub fn shares(&self) -> Vec<(f64, usize)> {
        let tested = self.rows.iter().filter(|row| row.p.is_some());
        let mut found: Vec<f64> = tested.map(|row| row.share).filter(|&share| share < 1.0).collect();
        found.sort_unstable_by(f64::total_cmp);
        found.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len())).collect()
    }

    /// The share of alpha that every tested row may spend; `None` if they have different ones.
    #[must_use]
    pub fn common_share(&self) -> Option<f64> {
        let mut shares = self.rows.iter().filter(|row| row.p.is_some()).map(|row| row.share);
        let first = shares.next().unwrap_or(1.0);
        shares.all(|share| share == first).then_some(first)
    }

    /// The number of distinct benchmarks of some rows.
    #[must_use]
    pub fn distinct_benchmarks(&self, rows: &[u32]) -> usize {
        let mut names: Vec<u32> = rows.iter().map(|&index| self.rows[index as usize].benchmark).collect();
        names.sort_unstable();
        names.dedup();
        names.len()
    }
}
