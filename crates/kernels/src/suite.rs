//! Suite.
/// One row (benchmark) of a suite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowSample<'a> {
    /// Independent runs of both variants: natural logarithms of the values.
    Independent {
        /// Logs of the baseline's values.
        baseline: &'a [f64],
        /// Logs of the contender's values.
        contender: &'a [f64],
    },
    /// Logs of the ratios contender / baseline, one a pair.
    Paired {
        /// Logs of the ratios.
        log_ratios: &'a [f64],
    },
}
/// How the interval of a suite's mean was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SuiteMethod {
    /// Percentile bootstrap.
    Bootstrap,
    /// Normal interval.
    Analytic,
}
/// Geometric mean of ratios with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteMean {
    /// Geometric mean of contender / baseline.
    pub ratio: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Number of rows that entered.
    pub rows: usize,
    /// How the interval was obtained.
    pub method: SuiteMethod,
}
/// stub
pub fn geometric_mean_of_ratios(
    _rows: &[RowSample],
    _confidence: f64,
    _resamples: usize,
    _seed: u64,
) -> SuiteMean {
    SuiteMean {
        ratio: f64::NAN,
        low: f64::NAN,
        high: f64::NAN,
        rows: 0,
        method: SuiteMethod::Bootstrap,
    }
}
/// stub
pub fn descriptive(
    _log_ratios: &[f64],
    _confidence: f64,
    _resamples: usize,
    _seed: u64,
) -> SuiteMean {
    SuiteMean {
        ratio: f64::NAN,
        low: f64::NAN,
        high: f64::NAN,
        rows: 0,
        method: SuiteMethod::Bootstrap,
    }
}
/// Quantile `p` (type 7) over rows of the ratio, with a percentile bootstrap interval over rows.
pub fn quantile_interval_over_rows(
    _log_ratios: &[f64],
    _p: f64,
    _confidence: f64,
    _resamples: usize,
    _seed: u64,
) -> SuiteMean {
    SuiteMean {
        ratio: f64::NAN,
        low: f64::NAN,
        high: f64::NAN,
        rows: 0,
        method: SuiteMethod::Bootstrap,
    }
}
