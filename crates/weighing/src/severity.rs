//! How far rows moved, and how bad that is.

use statera_readers::Better;

use crate::Weighing;
use crate::row::{Row, Scale, Verdict};

impl Row {
    /// How far the row rose, on a scale that makes doubling and halving alike; below 0 where it fell.
    #[must_use]
    pub fn rise(&self) -> f64 {
        let baseline = self.baseline.centre.value;
        let size = match self.scale {
            Scale::Ratio => self.change.ln_1p(),
            Scale::Difference if baseline == 0.0 => self.change.signum() * f64::MAX,
            Scale::Difference => self.change / baseline.abs(),
        };
        if size.is_nan() { 0.0 } else { size }
    }
}

impl Weighing {
    /// The direction that is better for a row's metric; `None` where none is known.
    #[must_use]
    pub fn better(&self, row: &Row) -> Option<Better> {
        self.directions[row.metric as usize]
    }

    /// How far a row moved in the bad direction; below 0 where it moved in the good one, 0 where none is known.
    #[must_use]
    pub fn harm(&self, row: &Row) -> f64 {
        match self.better(row) {
            Some(Better::Lower) => row.rise(),
            Some(Better::Higher) => -row.rise(),
            None => 0.0,
        }
    }

    /// The rows that moved in the bad direction.
    #[must_use]
    pub fn harmed(&self, rows: &[u32]) -> Vec<u32> {
        self.those(rows, |row| self.harm(row) > 0.0)
    }

    /// The rows that moved where nobody knows which direction is the bad one.
    #[must_use]
    pub fn undirected(&self, rows: &[u32]) -> Vec<u32> {
        self.those(rows, |row| self.better(row).is_none() && row.rise() != 0.0)
    }

    /// The rows with one of these verdicts.
    #[must_use]
    pub fn with_verdict(&self, verdicts: &[Verdict]) -> Vec<u32> {
        self.those(&self.all(), |row| verdicts.contains(&row.verdict))
    }

    /// The rows whose whole interval lies worse than a margin.
    #[must_use]
    pub fn worse_beyond(&self, margin: f64) -> Vec<u32> {
        self.those(&self.all(), |row| row.worse_beyond(margin, self.better(row)))
    }

    /// The numbers of all rows.
    #[must_use]
    pub fn all(&self) -> Vec<u32> {
        (0..self.rows.len() as u32).collect()
    }

    fn those(&self, rows: &[u32], holds: impl Fn(&Row) -> bool) -> Vec<u32> {
        rows.iter().copied().filter(|&index| holds(&self.rows[index as usize])).collect()
    }
}
