//! The summary of a metric's rows: their grades, their normality, and the change that half of them can detect.

use statera_kernels as kernels;
use statera_kernels::Normality;

use crate::inspection::{Grade, Inspected, NormalityTest};
use crate::row::Scale;

/// The rows of a metric in a few numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InspectionSummary {
    /// Number of rows of each grade, in the order of [`Grade`].
    pub grades: [u32; Grade::ALL.len()],
    /// Number of rows with a test of normality.
    pub tested: u32,
    /// Number of those rows with p above alpha.
    pub normal: u32,
    /// Number of rows with a test of normality of their logarithms.
    pub log_tested: u32,
    /// Number of those rows with p above alpha.
    pub log_normal: u32,
    /// Number of rows with so many values that Anderson-Darling replaced Shapiro-Wilk.
    pub large: u32,
    /// The change that half of the rows with ratios can detect; NaN if there is none.
    pub detectable: f64,
    /// Number of units per side with which half of these rows detect their margin; NaN if there is none.
    pub for_margin: f64,
}

impl InspectionSummary {
    /// Summarises rows.
    #[must_use]
    pub fn of(rows: &[&Inspected], alpha: f64) -> Self {
        let mut grades = [0; Grade::ALL.len()];
        for row in rows {
            grades[row.grade() as usize] += 1;
        }
        let count = |of: &dyn Fn(&Inspected) -> bool| rows.iter().filter(|row| of(row)).count() as u32;
        let passes = |found: Option<Normality>| found.is_some_and(|found| found.p > alpha);
        Self {
            grades,
            tested: count(&|row| row.shape.normality.is_some()),
            normal: count(&|row| passes(row.shape.normality)),
            log_tested: count(&|row| row.shape.log_normality.is_some()),
            log_normal: count(&|row| passes(row.shape.log_normality)),
            large: count(&|row| {
                row.shape.test == NormalityTest::AndersonDarling && row.shape.normality.is_some()
            }),
            detectable: middle(rows, |row| row.plan.detectable),
            for_margin: middle(rows, |row| row.plan.for_margin),
        }
    }
}

/// The median over the rows with ratios that are not exact.
fn middle(rows: &[&Inspected], of: fn(&Inspected) -> f64) -> f64 {
    let ratios = rows.iter().filter(|row| row.scale == Scale::Ratio && !row.exact);
    let found: Vec<f64> = ratios.map(|row| of(row)).filter(|number| number.is_finite()).collect();
    kernels::median(&found)
}
