//! Statistics of comparison: slices of numbers in, numbers out.
//!
//! Each statistic has its own file. Callers guarantee finite input; no function panics on any input, reorders
//! the caller's data, or gives different digits for a different number of threads.

pub mod anderson_darling;
pub mod bandwidth;
pub mod bca;
pub mod block_bootstrap;
pub mod block_length;
mod block_ranks;
mod boot_plan;
mod bootstrap;
pub mod brunner_munzel;
pub mod chi_squared;
pub mod correction;
pub mod density;
pub mod diagnostics;
pub mod dip;
mod dip_table;
mod draws;
pub mod equivalence;
pub mod f_distribution;
pub mod friedman;
pub mod harrell_davis;
mod hodges_lehmann;
pub mod interval;
pub mod kruskal_wallis;
pub mod large_sample;
mod level_noise;
pub mod mann_whitney;
mod max_t_table;
mod mean_bootstrap;
mod mean_draws;
pub mod mean_interval;
pub mod median_interval;
mod median_law;
pub mod method;
pub mod moderation;
pub mod modes;
pub mod moments;
pub mod one_sample;
pub mod pelt;
pub mod polygamma;
pub mod power;
pub mod quade;
pub mod quantile;
pub mod quantile_interval;
mod random;
mod rank_order;
mod rank_sum_null;
mod ranks;
pub mod relabel;
pub mod resample;
pub mod resolution;
pub mod series;
mod shape_batch;
pub mod shapiro_wilk;
pub mod shift;
pub mod shift_function;
mod shift_interval;
pub mod sign_test;
pub mod signed_rank;
mod signed_rank_null;
mod simultaneous;
pub mod special;
pub mod student;
mod subset_counts;
pub mod suite;
pub mod test;
pub mod two_sample;
pub mod variance_components;
pub mod warm_up;
pub mod welch;
pub mod westfall_young;

pub use anderson_darling::anderson_darling;
pub use bandwidth::{bandwidth_nrd0, bandwidth_sj};
pub use bca::influences;
pub use block_bootstrap::{BlockBootstrap, block_bootstrap};
pub use block_length::block_length;
pub use boot_plan::{BootMethod, BootPlan, BootStatistic, Bootstrap};
pub use brunner_munzel::{BrunnerMunzel, brunner_munzel};
pub use correction::{Correction, adjust};
pub use density::density;
pub use diagnostics::{
    Autocorrelation, OrderCorrelation, Ranking, autocorrelation, distinct, distinct_sorted, drift,
    order_correlation, outliers, outliers_sorted, step_sorted,
};
pub use dip::{Dip, dip};
pub use equivalence::{Equivalence, tost_paired, tost_rank, tost_signed_rank, tost_welch};
pub use friedman::{Friedman, friedman};
pub use harrell_davis::{HarrellDavisWeights, harrell_davis};
pub use interval::{Interval, alpha};
pub use kruskal_wallis::{KruskalWallis, kruskal_wallis};
pub use large_sample::LargeSample;
pub use mann_whitney::mann_whitney;
pub use max_t_table::{MaxTRow, Moderation};
pub use mean_interval::{geometric_mean_interval, mean_interval, trimmed_mean_interval};
pub use median_interval::median_interval;
pub use method::Method;
pub use moderation::{Prior, prior};
pub use modes::{modes, spread_ties};
pub use moments::{coefficient_of_variation, excess_kurtosis, skewness, trimmed_mean};
pub use one_sample::one_sample;
pub use pelt::{pelt, segment_means};
pub use power::{detectable, detectable_two_sample, least_pairs, least_runs, runs_for_change, runs_needed};
pub use quade::{Quade, quade};
pub use quantile::{geometric_mean, iqr, mad, mean, median, quantile_sorted, sd};
pub use quantile_interval::quantile_interval;
pub use relabel::{Relabeling, Relabelings};
pub use resample::{
    bootstrap, bootstrap_batch, bootstrap_difference, bootstrap_difference_batch, bootstrap_general,
};
pub use resolution::timer_resolution;
pub use series::{batch_means, effective_size, weighted_mean};
pub use shape_batch::{harrell_davis_batch, shapiro_wilk_batch};
pub use shapiro_wilk::{Normality, shapiro_wilk};
pub use shift::{Comparison, Shift};
pub use shift_function::{ShiftPoint, shift_function};
pub use sign_test::sign_test;
pub use signed_rank::{Zeros, signed_rank};
pub use student::student;
pub use suite::{RowSample, run_by_run};
pub use test::Test;
pub use two_sample::two_sample;
pub use variance_components::{
    Components, nested_components, repetitions, runs_for, variance_components, worth,
};
pub use warm_up::{WarmUp, warm_up};
pub use welch::welch;
pub use westfall_young::{MaxT, westfall_young, westfall_young_with};
