//! Statistics of comparison: slices of numbers in, numbers out.
//!
//! Each statistic has its own file. Callers guarantee finite input; no function panics on any input, reorders
//! the caller's data, or gives different digits for a different number of threads.
//!
//! One routine computes p and interval (`two_sample.rs`, `one_sample.rs`), so that they cannot contradict each other.
//!
//! The bootstrap of a median draws no values. Its distribution over the order statistics is known, so one random
//! number for each replicate suffices, from a counter-based generator (`bootstrap.rs`).

pub mod anderson_darling;
pub mod bca;
pub mod block_bootstrap;
mod boot_plan;
mod bootstrap;
pub mod brunner_munzel;
pub mod change_points;
pub mod chi_squared;
pub mod correction;
pub mod density;
pub mod dependence;
pub mod diagnostics;
pub mod dip;
mod dip_table;
pub mod equivalence;
pub mod f_distribution;
pub mod fisher;
pub mod forecast;
pub mod friedman;
pub mod harrell_davis;
mod hodges_lehmann;
pub mod joint_order;
pub mod kruskal_wallis;
pub mod large_sample;
mod level_noise;
pub mod mann_whitney;
mod max_t_table;
mod mean_bootstrap;
pub mod mean_interval;
mod median_law;
pub mod moderated_t;
pub mod moderation;
pub mod modes;
pub mod moments;
pub mod null_tail;
pub mod one_sample;
pub mod pelt;
pub mod pooled_null;
pub mod power;
pub mod prediction;
pub mod quade;
pub mod quantile;
pub mod quantile_interval;
mod random;
mod rank_order;
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
pub mod special;
mod subset_counts;
pub mod suite;
pub mod two_counts;
pub mod two_sample;
pub mod variance_components;
pub mod warm_up;
pub mod welch;
pub mod westfall_young;

pub use anderson_darling::anderson_darling;
pub use bca::influences;
pub use block_bootstrap::block_length;
pub use block_bootstrap::{BlockBootstrap, block_bootstrap};
pub use boot_plan::{BootMethod, BootPlan, BootStatistic, Bootstrap};
pub use brunner_munzel::{BrunnerMunzel, brunner_munzel};
pub use correction::{Correction, adjust};
pub use density::density;
pub use density::{bandwidth_nrd0, bandwidth_sj};
pub use diagnostics::{
    Autocorrelation, OrderCorrelation, Ranking, autocorrelation, distinct, distinct_sorted, drift,
    order_correlation, outliers, outliers_sorted, step_sorted,
};
pub use dip::{Dip, dip};
pub use equivalence::{Equivalence, tost_paired, tost_rank, tost_signed_rank, tost_welch};
pub use fisher::{Fisher, fisher};
pub use forecast::{Forecast, Needed, Pilot};
pub use friedman::{Friedman, friedman};
pub use harrell_davis::{HarrellDavisWeights, harrell_davis};
pub use joint_order::{JointOrder, joint_order};
pub use kruskal_wallis::{KruskalWallis, kruskal_wallis};
pub use large_sample::LargeSample;
pub use mann_whitney::mann_whitney;
pub use max_t_table::{MaxTRow, Moderation};
pub use mean_interval::{geometric_mean_interval, mean_interval, trimmed_mean_interval};
pub use moderated_t::{moderated_t, prior_of_mixed, variance_within};
pub use moderation::{Prior, prior};
pub use modes::{modes, spread_ties};
pub use moments::{coefficient_of_variation, excess_kurtosis, skewness, trimmed_mean};
pub use null_tail::null_tail;
pub use one_sample::one_sample;
pub use pelt::{pelt, segment_means};
pub use pooled_null::{NullRow, PooledNull, pooled_null};
pub use power::{detectable_two_sample, least_pairs, least_runs, runs_for_change};
pub use prediction::prediction;
pub use quade::{Quade, quade};
pub use quantile::{geometric_mean, iqr, mad, mean, median, quantile_sorted, sd};
pub use quantile_interval::median_interval;
pub use quantile_interval::quantile_interval;
pub use relabel::{Relabeling, Relabelings};
pub use resample::{
    bootstrap, bootstrap_batch, bootstrap_difference, bootstrap_difference_batch, bootstrap_general,
};
pub use resolution::timer_resolution;
pub use series::{batch_means, effective_size, error_of_mean, weighted_mean};
pub use shape_batch::{harrell_davis_batch, shapiro_wilk_batch};
pub use shapiro_wilk::{Normality, shapiro_wilk};
pub use shift::Method;
pub use shift::Test;
pub use shift::{Comparison, Shift};
pub use shift::{Interval, alpha};
pub use shift_function::{ShiftPoint, shift_function};
pub use sign_test::sign_test;
pub use signed_rank::{Zeros, signed_rank};
pub use suite::{RowSample, means_by_run, run_by_run};
pub use two_sample::two_sample;
pub use variance_components::pooled_spread;
pub use variance_components::{
    Components, nested_components, repetitions, runs_for, variance_components, worth,
};
pub use variance_components::{RobustComponents, robust_components};
pub use warm_up::{WarmUp, warm_up, warm_up_within};
pub use welch::student;
pub use welch::{MeanOf, welch, welch_of_means};
pub use westfall_young::{MaxT, westfall_young, westfall_young_with};
