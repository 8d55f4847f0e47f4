//! The shape of a sample: normality, skewness, modes, outliers.

use statera_kernels as kernels;
use statera_kernels::{Dip, Normality};

use crate::codes::coded;

coded! {
    /// The test of normality that was used.
    pub enum NormalityTest {
        /// Up to 5,000 values.
        ShapiroWilk = "shapiro-wilk",
        /// Above 5,000 values.
        AndersonDarling = "anderson-darling",
    }
}

/// The shape of a sample's distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// The test of normality.
    pub test: NormalityTest,
    /// Normality of the values; `None` for fewer than three and if all are equal.
    pub normality: Option<Normality>,
    /// Normality of their logarithms; `None` also if a value is not positive.
    pub log_normality: Option<Normality>,
    /// Adjusted Fisher-Pearson coefficient; NaN for fewer than three values and if all are equal.
    pub skewness: f64,
    /// The dip test, with ties spread over a tick.
    pub dip: Option<Dip>,
    /// Number of peaks of the density if the dip test finds more than one mode, otherwise 1.
    pub modes: u32,
    /// Number of values beyond five scaled median absolute deviations, computed separately for each side of the median,
    /// on the row's scale.
    pub outliers: u32,
}

/// The maximum number of values for Royston's approximation.
const MOST_SHAPIRO_WILK: usize = 5000;

impl Shape {
    /// Computes everything except outliers, which are found on the row's scale.
    pub(crate) fn of(values: &[f64], positive: bool) -> Self {
        let test = if values.len() > MOST_SHAPIRO_WILK {
            NormalityTest::AndersonDarling
        } else {
            NormalityTest::ShapiroWilk
        };
        let normality = |values: &[f64]| match test {
            NormalityTest::ShapiroWilk => kernels::shapiro_wilk(values),
            NormalityTest::AndersonDarling => kernels::anderson_darling(values),
        };
        let logs = || values.iter().map(|value| value.ln()).collect::<Vec<f64>>();
        Self {
            test,
            normality: normality(values),
            log_normality: positive.then(|| normality(&logs())).flatten(),
            skewness: kernels::skewness(values),
            dip: kernels::dip(&kernels::spread_ties(values)),
            modes: kernels::modes(values) as u32,
            outliers: 0,
        }
    }
}
