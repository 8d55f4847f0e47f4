//! The units of one side of a row, sorted and ranked once for all procedures.

use statera_kernels as kernels;
use statera_kernels::{NullRow, Ranking, RowSample};

use crate::row::Centre;

/// Units in the order of measurement and in ascending order. The buffers are reused for row after row.
#[derive(Debug, Default)]
pub struct Units {
    /// In the order of measurement.
    pub measured: Vec<f64>,
    /// The same, ascending.
    pub sorted: Vec<f64>,
    /// Their ranks in the order of measurement.
    pub ranking: Ranking,
}

impl Units {
    /// Takes other values.
    pub fn set(&mut self, values: impl IntoIterator<Item = f64>) {
        self.measured.clear();
        self.measured.extend(values);
        self.rank();
    }

    /// The number of units.
    pub fn len(&self) -> usize {
        self.measured.len()
    }

    /// The median with its interval.
    pub fn centre(&self, confidence: f64) -> Centre {
        if self.sorted.is_empty() {
            return Centre::NONE;
        }
        let value = kernels::quantile_sorted(&self.sorted, 0.5);
        match kernels::median_interval(&self.sorted, confidence) {
            Some(interval) => Centre { value, low: interval.low, high: interval.high, level: interval.level },
            None => Centre { value, ..Centre::NONE },
        }
    }

    /// Replaces the values by their logarithms.
    pub fn take_logs(&mut self) {
        let differ = |pair: &[f64]| pair[0] < pair[1];
        let before = self.sorted.windows(2).filter(|pair| differ(pair)).count();
        for value in &mut self.measured {
            *value = value.ln();
        }
        self.sort();
        let after = self.sorted.windows(2).filter(|pair| differ(pair)).count();
        // The logarithms of neighbouring floats may be equal; otherwise the ranks are those of the values.
        if before != after || !self.sorted.is_sorted() {
            self.rank();
        }
    }

    fn rank(&mut self) {
        self.ranking.fill(&self.measured);
        self.sort();
    }

    fn sort(&mut self) {
        self.sorted.clear();
        self.sorted.extend(self.ranking.order().map(|place| self.measured[place]));
    }
}

/// The units of a row in the order of measurement, which the summary of a suite needs.
#[derive(Debug)]
pub struct Kept {
    values: Box<[f64]>,
    /// The place at which the contender's values begin; `None` for differences.
    split: Option<usize>,
    /// The standard errors of the units as their own samples show them; empty if these are not known.
    errors: Box<[f64]>,
}

impl Kept {
    /// Both sides, with the standard errors of their units, if known.
    pub fn sides(baseline: &Units, contender: &Units, errors: &[Vec<f64>; 2]) -> Self {
        Self {
            values: [&baseline.measured[..], &contender.measured[..]].concat().into(),
            split: Some(baseline.len()),
            errors: errors.concat().into(),
        }
    }

    /// The differences of pairs.
    pub fn pairs(differences: &Units) -> Self {
        Self { values: differences.measured[..].into(), split: None, errors: Box::default() }
    }

    /// Both sides; `None` for differences.
    pub fn both(&self) -> Option<(&[f64], &[f64])> {
        Some(self.values.split_at(self.split?))
    }

    /// The standard errors of the units of both sides; empty where they are not known.
    pub fn errors(&self) -> [&[f64]; 2] {
        self.errors.split_at_checked(self.split.unwrap_or(0)).map_or([&[], &[]], |(old, new)| [old, new])
    }

    /// The values of both sides, the baseline's first, or the differences.
    pub fn all(&self) -> &[f64] {
        &self.values
    }

    /// The place at which the contender's values begin; `None` for differences.
    pub fn split(&self) -> Option<usize> {
        self.split
    }

    /// The samples whose spread is that of the row.
    pub fn sides_or_differences(&self) -> [&[f64]; 2] {
        self.both().map_or([&[], self.all()], |(baseline, contender)| [baseline, contender])
    }

    /// The row of a pool in a null distribution, as if neighbours were independent.
    pub fn null_row(&self, pool: usize) -> NullRow<'_> {
        NullRow { values: &self.values, split: self.split, pool, inflation: 1.0, lost: 0.0 }
    }

    /// The form that the kernels take.
    pub fn sample(&self) -> RowSample<'_> {
        match self.split {
            Some(split) => {
                let (baseline, contender) = self.values.split_at(split);
                RowSample::Independent { baseline, contender }
            }
            None => RowSample::Paired { log_ratios: &self.values },
        }
    }
}
