//! Statistics of comparison: slices of numbers in, numbers out.
//!
//! One statistic a file. Callers guarantee finite input; no function panics on any input, reorders the caller's data,
//! or gives different digits for a different number of threads.

pub mod batch;
mod bootstrap;
pub mod correction;
pub mod diagnostics;
pub mod equivalence;
pub mod f_distribution;
mod hodges_lehmann;
pub mod interval;
mod level_noise;
pub mod mann_whitney;
pub mod median_interval;
pub mod method;
pub mod one_sample;
pub mod pelt;
pub mod power;
pub mod quantile;
mod random;
mod rank_sum_null;
mod ranks;
pub mod resolution;
pub mod shift;
mod shift_interval;
pub mod signed_rank;
mod signed_rank_null;
pub mod special;
mod subset_counts;
pub mod suite;
pub mod test;
pub mod two_sample;
pub mod variance_components;
pub mod warm_up;
pub mod welch;

pub use batch::{mann_whitney_batch, one_sample_batch, signed_rank_batch, two_sample_batch};
pub use correction::{Correction, adjust};
pub use diagnostics::{
    Autocorrelation, OrderCorrelation, Ranking, autocorrelation, distinct, distinct_sorted, drift,
    order_correlation, outliers, outliers_sorted,
};
pub use equivalence::{Equivalence, tost_paired, tost_rank, tost_signed_rank, tost_welch};
pub use interval::{Interval, alpha};
pub use mann_whitney::mann_whitney;
pub use median_interval::median_interval;
pub use method::Method;
pub use one_sample::one_sample;
pub use pelt::{pelt, segment_means};
pub use power::{detectable, detectable_two_sample, least_pairs, least_runs, runs_for_change, runs_needed};
pub use quantile::{geometric_mean, iqr, mad, mean, median, quantile_sorted, sd};
pub use resolution::timer_resolution;
pub use shift::{Comparison, Shift};
pub use signed_rank::{Zeros, signed_rank};
pub use suite::{
    RowSample, SuiteMean, SuiteMethod, descriptive, geometric_mean_of_ratios, quantile_interval_over_rows,
};
pub use test::Test;
pub use two_sample::two_sample;
pub use variance_components::{
    Components, nested_components, repetitions, runs_for, runs_for_half_width, variance_components, worth,
};
pub use warm_up::{WarmUp, warm_up};
pub use welch::welch;
