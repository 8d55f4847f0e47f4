//! The decisions of Python: the attributes of its `Assignment`, `Rule` and `Policy`, read by name.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use statera_readers::Better;
use statera_weighing::{self as weighing, Choice, Correction, PairedOmnibus, Pairing, ScaleChoice};

/// A choice that Python writes as a word; an unknown word raises `ValueError`.
#[derive(Clone, Copy)]
pub struct Word<T>(pub T);

impl<'py, T: Choice> FromPyObject<'_, 'py> for Word<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let word: String = object.extract()?;
        T::of(&word).map(Self).map_err(|unknown| PyValueError::new_err(unknown.to_string()))
    }
}

/// A margin: `statera.weighing.metric_rules.Margin`, an amount and whether it is in the unit of the metric.
#[derive(FromPyObject)]
struct Margin(f64, bool);

impl From<Margin> for weighing::Margin {
    fn from(Margin(amount, is_absolute): Margin) -> Self {
        Self { amount, is_absolute }
    }
}

/// How a metric is judged: `statera.weighing.metric_rules.Rule`.
#[derive(FromPyObject)]
struct Rule {
    better: Option<Word<Better>>,
    margin: Margin,
    margin_exact: Margin,
    assumed_exact: bool,
    may_be_exact: bool,
}

impl From<Rule> for weighing::MetricRule {
    fn from(rule: Rule) -> Self {
        let Rule { better, margin, margin_exact, assumed_exact, may_be_exact } = rule;
        Self {
            better: better.map(|word| word.0),
            margin: margin.into(),
            margin_exact: margin_exact.into(),
            assumed_exact,
            may_be_exact,
        }
    }
}

/// What is compared: `statera.weighing.assignment.Assignment`.
#[derive(FromPyObject)]
pub struct Assignment {
    variant_of_context: Vec<Option<u32>>,
    group_of_context: Vec<u32>,
    block_of_context: Option<Vec<Option<u32>>>,
    share_of_context: Vec<f64>,
    stratum_of_context: Vec<u32>,
    metrics: Vec<Option<Rule>>,
    own_margins: Vec<((u32, u32), (Margin, Margin))>,
    benchmarks: Vec<bool>,
    variants: u32,
    groups: u32,
    strata: u32,
    work_of_group: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    factorial: bool,
    pairing: Word<Pairing>,
    files_are_runs: Vec<bool>,
}

impl From<Assignment> for weighing::Assignment {
    fn from(given: Assignment) -> Self {
        Self {
            variant_of_context: given.variant_of_context,
            group_of_context: given.group_of_context,
            block_of_context: given.block_of_context,
            share_of_context: given.share_of_context,
            stratum_of_context: given.stratum_of_context,
            metrics: given.metrics.into_iter().map(|rule| rule.map(Into::into)).collect(),
            own_margins: given
                .own_margins
                .into_iter()
                .map(|(place, (margin, exact))| (place, (margin.into(), exact.into())))
                .collect(),
            benchmarks: given.benchmarks,
            variants: given.variants,
            groups: given.groups,
            strata: given.strata,
            work_of_group: given.work_of_group,
            pairs: given.pairs,
            factorial: given.factorial,
            pairing: given.pairing.0,
            files_are_runs: given.files_are_runs,
        }
    }
}

/// The part of `statera.settings.Policy` that the compiled part uses. Margins and directions are in the rules.
#[derive(FromPyObject)]
pub struct Policy {
    alpha: f64,
    correction: Word<Correction>,
    scale: Word<ScaleChoice>,
    power: f64,
    omnibus: Word<PairedOmnibus>,
    resamples: usize,
    relabelings: usize,
    seed: u64,
    session: f64,
    mean: bool,
}

impl From<Policy> for weighing::Policy {
    fn from(policy: Policy) -> Self {
        let Policy { alpha, correction, scale, power, omnibus, resamples, relabelings, seed, session, mean } =
            policy;
        let (correction, scale, omnibus) = (correction.0, scale.0, omnibus.0);
        Self { alpha, correction, scale, power, omnibus, resamples, relabelings, seed, session, mean }
    }
}

/// The words of every choice, by the name of the choice.
#[pyfunction]
pub fn choices() -> Vec<(&'static str, Vec<&'static str>)> {
    vec![
        ("correction", Correction::words()),
        ("scale", ScaleChoice::words()),
        ("omnibus", PairedOmnibus::words()),
        ("pairing", Pairing::words()),
        ("better", Better::words()),
    ]
}
