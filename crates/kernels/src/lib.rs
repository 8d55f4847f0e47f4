//! Statistics of comparison: slices of numbers in, numbers out.
//!
//! One statistic a file. Callers guarantee finite input; no function panics on any input, reorders the caller's data,
//! or gives different digits for a different number of threads.

pub mod batch;
pub mod bca;
pub mod block_bootstrap;
pub mod block_length;
mod boot_plan;
mod bootstrap;
pub mod correction;
pub mod diagnostics;
mod draws;
pub mod harrell_davis;
mod hodges_lehmann;
pub mod interval;
pub mod mann_whitney;
mod max_t_table;
mod mean_bootstrap;
mod mean_draws;
pub mod median_interval;
mod median_law;
pub mod method;
pub mod moderation;
pub mod one_sample;
pub mod polygamma;
pub mod power;
pub mod quantile;
mod random;
mod rank_sum_null;
mod ranks;
pub mod relabel;
pub mod resample;
pub mod shift;
pub mod shift_function;
mod shift_interval;
pub mod signed_rank;
mod signed_rank_null;
mod simultaneous;
pub mod special;
mod subset_counts;
pub mod suite;
pub mod test;
pub mod two_sample;
pub mod welch;
pub mod westfall_young;

pub use batch::{mann_whitney_batch, one_sample_batch, signed_rank_batch, two_sample_batch};
pub use bca::{BcaEnds, bca_ends};
pub use block_bootstrap::{BlockBootstrap, block_bootstrap};
pub use block_length::block_length;
pub use correction::{Correction, adjust};
pub use diagnostics::{
    Autocorrelation, OrderCorrelation, Ranking, autocorrelation, distinct, distinct_sorted, drift,
    order_correlation, outliers, outliers_sorted,
};
pub use harrell_davis::{HarrellDavisWeights, harrell_davis};
pub use interval::{Interval, alpha};
pub use mann_whitney::mann_whitney;
pub use median_interval::median_interval;
pub use method::Method;
pub use moderation::{Prior, prior};
pub use one_sample::one_sample;
pub use power::{detectable, least_pairs, least_runs, runs_needed};
pub use quantile::{geometric_mean, iqr, mad, mean, median, quantile_sorted, sd};
pub use relabel::Relabeling;
pub use resample::{
    BootMethod, BootPlan, BootStatistic, Bootstrap, bootstrap, bootstrap_batch, bootstrap_difference,
    bootstrap_difference_batch, bootstrap_general,
};
pub use shift::{Comparison, Shift};
pub use shift_function::{ShiftPoint, shift_function};
pub use signed_rank::{Zeros, signed_rank};
pub use suite::{
    RowSample, SuiteMean, SuiteMethod, descriptive, geometric_mean_of_ratios, quantile_interval_over_rows,
};
pub use test::Test;
pub use two_sample::two_sample;
pub use welch::welch;
pub use westfall_young::{MaxT, MaxTRow, Moderation, westfall_young, westfall_young_with};
