//! The procedures, by name.

mod centre;
mod distribution;
mod equivalence;
mod normality;
mod order;
mod paired;
mod quantiles;
mod resampling;
mod several;
mod shift_function;
mod two_sample;

use crate::options::Options;
use crate::procedure::Procedure;

/// Creates a procedure from its options.
type Make = fn(&Options) -> Result<Box<dyn Procedure>, String>;

const PROCEDURES: &[(&str, Make)] = &[
    ("anderson_darling", normality::anderson_darling),
    ("autocorrelation", order::autocorrelation),
    ("bandwidth", distribution::bandwidth),
    ("block_bootstrap", resampling::block_bootstrap),
    ("bootstrap", resampling::bootstrap),
    ("brunner_munzel", two_sample::brunner_munzel),
    ("dip", distribution::dip),
    ("drift", order::drift),
    ("friedman", several::friedman),
    ("geometric_mean", centre::geometric_mean),
    ("harrell_davis", quantiles::harrell_davis),
    ("hodges_lehmann", two_sample::hodges_lehmann),
    ("kruskal_wallis", several::kruskal_wallis),
    ("mann_whitney", two_sample::mann_whitney),
    ("mean", centre::mean),
    ("median", centre::median),
    ("modes", distribution::modes),
    ("moments", distribution::moments),
    ("normality", normality::normality),
    ("outliers", order::outliers),
    ("quade", several::quade),
    ("quantiles", quantiles::quantiles),
    ("shapiro_wilk", normality::shapiro_wilk),
    ("shift_function", shift_function::shift_function),
    ("sign_test", paired::sign_test),
    ("signed_rank", paired::signed_rank),
    ("timer_resolution", order::timer_resolution),
    ("tost", equivalence::tost),
    ("trimmed_mean", centre::trimmed_mean),
    ("variance_components", several::variance_components),
    ("warm_up", order::warm_up),
    ("welch", two_sample::welch),
];

/// The names of all procedures.
pub const NAMES: [&str; PROCEDURES.len()] = {
    let mut names = [""; PROCEDURES.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = PROCEDURES[at].0;
        at += 1;
    }
    names
};

/// Returns the procedure with this name and these options.
///
/// # Errors
/// What is wrong with the name or an option.
pub fn procedure(name: &str, options: &Options) -> Result<Box<dyn Procedure>, String> {
    let Some((_, make)) = PROCEDURES.iter().find(|(known, _)| *known == name) else {
        return Err(format!("there is no procedure {name:?}; the procedures are {}", NAMES.join(", ")));
    };
    make(options)
}
