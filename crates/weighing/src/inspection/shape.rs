//! The shape of a sample: normality, skewness, modes, values far outside.

use statera_kernels as kernels;
use statera_kernels::{Dip, Normality};

use crate::codes::coded;

coded! {
    /// The test of normality that was made.
    pub enum NormalityTest {
        /// Up to 5,000 values.
        ShapiroWilk = "shapiro-wilk",
        /// Above.
        AndersonDarling = "anderson-darling",
    }
}

/// What is said of a sample's distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// The test of normality.
    pub test: NormalityTest,
    /// Of the values as they are; `None` for fewer than three and where all are equal.
    pub normality: Option<Normality>,
    /// Of their logarithms; `None` also where a value is not positive.
    pub log_normality: Option<Normality>,
    /// Adjusted Fisher-Pearson coefficient; NaN for fewer than three values and where all are equal.
    pub skewness: f64,
    /// The dip test, ties spread over a tick.
    pub dip: Option<Dip>,
    /// Peaks of the density where the dip test finds more than one mode, else 1.
    pub modes: u32,
    /// Values beyond five scaled median absolute deviations, each side with its own, on the row's scale.
    pub outliers: u32,
}

/// Royston's approximation ends here.
const MOST_SHAPIRO_WILK: usize = 5000;

impl Shape {
    /// Looks at everything but outliers, which are told on the row's scale.
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
