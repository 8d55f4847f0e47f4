//! Statistics of comparison: slices of numbers in, numbers out.
//!
//! One statistic a file. Callers guarantee finite input; no function panics on any input, reorders the caller's data,
//! or gives different digits for a different number of threads.

pub mod anderson_darling;
pub mod bandwidth;
pub mod batch;
mod bootstrap;
pub mod correction;
pub mod density;
pub mod diagnostics;
pub mod dip;
mod dip_table;
pub mod harrell_davis;
mod hodges_lehmann;
pub mod interval;
pub mod mann_whitney;
pub mod median_interval;
pub mod method;
pub mod modes;
pub mod moments;
pub mod one_sample;
pub mod power;
pub mod quantile;
pub mod quantile_interval;
mod random;
mod rank_sum_null;
mod ranks;
mod shape_batch;
pub mod shapiro_wilk;
pub mod shift;
mod shift_interval;
pub mod signed_rank;
mod signed_rank_null;
pub mod special;
mod subset_counts;
pub mod suite;
pub mod test;
pub mod two_sample;
pub mod welch;

pub use anderson_darling::anderson_darling;
pub use bandwidth::{bandwidth_nrd0, bandwidth_sj};
pub use batch::{mann_whitney_batch, one_sample_batch, signed_rank_batch, two_sample_batch};
pub use correction::{Correction, adjust};
pub use density::density;
pub use diagnostics::{
    Autocorrelation, OrderCorrelation, Ranking, autocorrelation, distinct, distinct_sorted, drift,
    order_correlation, outliers, outliers_sorted,
};
pub use dip::{Dip, dip};
pub use harrell_davis::{HarrellDavisWeights, harrell_davis};
pub use interval::{Interval, alpha};
pub use mann_whitney::mann_whitney;
pub use median_interval::median_interval;
pub use method::Method;
pub use modes::{modes, spread_ties};
pub use moments::{coefficient_of_variation, excess_kurtosis, skewness, trimmed_mean};
pub use one_sample::one_sample;
pub use power::{detectable, least_pairs, least_runs, runs_needed};
pub use quantile::{geometric_mean, iqr, mad, mean, median, quantile_sorted, sd};
pub use quantile_interval::quantile_interval;
pub use shape_batch::{harrell_davis_batch, shapiro_wilk_batch};
pub use shapiro_wilk::{Normality, shapiro_wilk};
pub use shift::{Comparison, Shift};
pub use signed_rank::{Zeros, signed_rank};
pub use suite::{
    RowSample, SuiteMean, SuiteMethod, descriptive, geometric_mean_of_ratios, quantile_interval_over_rows,
};
pub use test::Test;
pub use two_sample::two_sample;
pub use welch::welch;
