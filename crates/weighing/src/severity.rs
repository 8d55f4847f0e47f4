//! The size of the rows' changes, and the harm that they do.

use statera_kernels as kernels;
use statera_kernels::Correction;
use statera_readers::Better;

use crate::judge::toward;
use crate::row::{Row, Scale};
use crate::suite::{Known, Summary};
use crate::verdict::Verdict;
use crate::weighing::Weighing;

impl Row {
    /// The size of the row's rise, on a scale on which doubling and halving are equally large; negative if it fell.
    #[must_use]
    pub fn rise(&self) -> f64 {
        let baseline = self.baseline.centre.value;
        let size = match self.scale {
            Scale::Ratio => self.change.ln_1p(),
            Scale::Difference if self.change == 0.0 => 0.0,
            Scale::Difference if baseline == 0.0 => self.change.signum() * f64::MAX,
            Scale::Difference => self.change / baseline.abs(),
        };
        if size.is_nan() { 0.0 } else { size }
    }
}

impl Weighing {
    /// The direction that is better for a row's metric; `None` if unknown.
    #[must_use]
    pub fn better(&self, row: &Row) -> Option<Better> {
        self.directions[row.metric as usize]
    }

    /// The size of a row's change in the bad direction; negative in the good direction, 0 if the direction is unknown.
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

    /// The rows that moved and whose bad direction is unknown.
    #[must_use]
    pub fn undirected(&self, rows: &[u32]) -> Vec<u32> {
        self.those(rows, |row| self.better(row).is_none() && row.rise() != 0.0)
    }

    /// The rows with one of these verdicts.
    #[must_use]
    pub fn with_verdict(&self, verdicts: &[Verdict]) -> Vec<u32> {
        self.those(&self.all(), |row| verdicts.contains(&row.verdict))
    }

    /// The rows that are worse or differ for the worse; with a margin, those whose whole interval lies beyond it, and
    /// certainly so among all rows: one in forty of the intervals of many rows lies beyond what is true.
    #[must_use]
    pub fn worse_beyond(&self, margin: Option<f64>) -> Vec<u32> {
        let found = self.those(&self.all(), |row| row.worse_beyond(margin, self.better(row)));
        self.certainly_beyond(found, margin, |row| self.better(row))
    }

    /// The rows that changed, for the worse or the better; with a margin, as those that are worse.
    #[must_use]
    pub fn changed_beyond(&self, margin: Option<f64>) -> Vec<u32> {
        let found = self.those(&self.all(), |row| row.changed_beyond(margin));
        self.certainly_beyond(found, margin, |row| Some(toward(row.change)))
    }

    /// Of rows beyond a margin in the bad direction, those that are certainly so among all rows.
    fn certainly_beyond(
        &self,
        found: Vec<u32>,
        margin: Option<f64>,
        better: impl Fn(&Row) -> Option<Better>,
    ) -> Vec<u32> {
        let Some(margin) = margin else { return found };
        let p: Vec<f64> = self.rows.iter().map(|row| row.p_beyond(margin, better(row))).collect();
        let corrected = kernels::adjust(&p, Correction::BenjaminiHochberg);
        let typical =
            |verdict: Verdict| verdict.is_change() && !verdict.is_of_tail() && verdict != Verdict::Invalid;
        let certain = |row: &u32| {
            let at = *row as usize;
            !typical(self.rows[at].verdict) || p[at].is_nan() || corrected[at] <= self.alpha
        };
        found.into_iter().filter(certain).collect()
    }

    /// The summaries of suites that became worse as a whole; with a margin, those whose whole interval lies beyond it.
    #[must_use]
    pub fn suites_worse(&self, margin: Option<f64>) -> Vec<u32> {
        let beyond = 1.0 + margin.unwrap_or(0.0);
        let is_worse = |summary: &Summary| {
            summary.mean.filter(|mean| mean.certain).is_some_and(|mean| {
                let exact = mean.known == Known::Exact;
                let (low, high) = if exact { (mean.ratio, mean.ratio) } else { (mean.low, mean.high) };
                match self.directions[summary.metric as usize] {
                    Some(Better::Lower) => low > beyond,
                    Some(Better::Higher) => high < 1.0 / beyond,
                    None => false,
                }
            })
        };
        (0..).zip(&self.summaries).filter(|(_, summary)| is_worse(summary)).map(|(index, _)| index).collect()
    }

    /// The rows whose typical value has no clear change.
    #[must_use]
    pub fn undecided(&self) -> Vec<u32> {
        self.those(&self.all(), Row::is_undecided)
    }

    /// The undecided rows whose interval reaches beyond a margin in the bad direction, the farthest first.
    #[must_use]
    pub fn left_open(&self, margin: f64) -> Vec<u32> {
        let reach = |&index: &u32| self.bad_end(&self.rows[index as usize]).unwrap_or(0.0);
        let mut found: Vec<u32> = self.undecided().into_iter().filter(|row| reach(row) > margin).collect();
        found.sort_by(|a, b| reach(b).total_cmp(&reach(a)));
        found
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
