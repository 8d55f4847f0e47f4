//! The results of a weighing beside its rows: the family, tests over all variants, interactions, distributions.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use statera_tables::numbers;
use statera_weighing::{How, distribution};

use crate::failures::pairing_failure;
use crate::interruption::interruptible;
use crate::observations::Observations;
use crate::weighing::Weighing;

fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

/// The correction of all p-values; its fields depend on the method.
#[derive(IntoPyObject)]
pub enum Family {
    /// By one correction of each row's p-value.
    Flat(FlatFamily),
    /// By relabelings.
    Joint(JointFamily),
    /// In two stages.
    TwoStage(TwoStageFamily),
}

/// One correction of each row's p-value.
#[derive(IntoPyObject)]
pub struct FlatFamily {
    size: usize,
    too_large: bool,
    no_joint_relabeling: bool,
    how: &'static str,
}

/// Over relabelings: the pooled null distribution, or Westfall-Young.
#[derive(IntoPyObject)]
pub struct JointFamily {
    size: usize,
    too_large: bool,
    no_joint_relabeling: bool,
    how: &'static str,
    relabelings: u64,
    all_relabelings: bool,
}

/// Two stages: the tests over all variants select benchmarks, then the pairs of those are tested.
#[derive(IntoPyObject)]
pub struct TwoStageFamily {
    size: usize,
    too_large: bool,
    no_joint_relabeling: bool,
    how: &'static str,
    families: u32,
    selected: u32,
}

/// Returns the correction of all p-values.
#[pyfunction]
pub fn family(weighing: PyRef<'_, Weighing>) -> Family {
    let statera_weighing::Family { size, too_large, no_joint_relabeling, how } = weighing.inner.family;
    match how {
        How::Flat(_) => Family::Flat(FlatFamily { size, too_large, no_joint_relabeling, how: "flat" }),
        How::MaxT { relabelings, exact } => Family::Joint(JointFamily {
            size,
            too_large,
            no_joint_relabeling,
            how: "westfall-young",
            relabelings,
            all_relabelings: exact,
        }),
        How::Pooled { relabelings, exact } => Family::Joint(JointFamily {
            size,
            too_large,
            no_joint_relabeling,
            how: "pooled-null",
            relabelings,
            all_relabelings: exact,
        }),
        How::TwoStage { families, selected } => Family::TwoStage(TwoStageFamily {
            size,
            too_large,
            no_joint_relabeling,
            how: "two-stage",
            families,
            selected,
        }),
    }
}

/// A test over three or more variants.
#[derive(IntoPyObject)]
pub struct Omnibus {
    group: Option<String>,
    group_number: u32,
    benchmark: String,
    metric: String,
    metric_number: u32,
    design: &'static str,
    variants: u32,
    n: u32,
    blocks_dropped: u32,
    test: &'static str,
    statistic: Option<f64>,
    df: Option<f64>,
    df2: Option<f64>,
    p: Option<f64>,
    p_corrected: Option<f64>,
    effect: &'static str,
    effect_size: Option<f64>,
}

/// The tests over three or more variants.
#[pyfunction]
pub fn omnibus(weighing: PyRef<'_, Weighing>) -> Vec<Omnibus> {
    let observations = &weighing.observations.get().inner;
    let one = |omnibus: &statera_weighing::Omnibus| Omnibus {
        group: weighing.groups.get(omnibus.group as usize).cloned(),
        group_number: omnibus.group,
        benchmark: observations.benchmarks.get(omnibus.benchmark).to_owned(),
        metric: observations.metrics[omnibus.metric as usize].name.clone(),
        metric_number: omnibus.metric,
        design: omnibus.design.code(),
        variants: omnibus.variants,
        n: omnibus.n,
        blocks_dropped: omnibus.blocks_dropped,
        test: omnibus.test.code(),
        statistic: finite(omnibus.statistic),
        df: finite(omnibus.df),
        df2: finite(omnibus.df2),
        p: finite(omnibus.p),
        p_corrected: finite(omnibus.p_corrected),
        effect: omnibus.test.effect(),
        effect_size: finite(omnibus.effect),
    };
    weighing.inner.omnibus.iter().map(one).collect()
}

/// A comparison of effects between the groups.
#[derive(IntoPyObject)]
pub struct Interaction {
    benchmark: String,
    metric: String,
    baseline: Option<String>,
    contender: Option<String>,
    rows: Vec<u32>,
    test: &'static str,
    blocks: u32,
    statistic: Option<f64>,
    df: Option<f64>,
    p: Option<f64>,
    p_corrected: Option<f64>,
}

/// The comparisons of effects between the groups.
#[pyfunction]
pub fn interactions(weighing: PyRef<'_, Weighing>) -> Vec<Interaction> {
    let observations = &weighing.observations.get().inner;
    let one = |interaction: &statera_weighing::Interaction| Interaction {
        benchmark: observations.benchmarks.get(interaction.benchmark).to_owned(),
        metric: observations.metrics[interaction.metric as usize].name.clone(),
        baseline: weighing.labels.get(interaction.baseline as usize).cloned(),
        contender: weighing.labels.get(interaction.contender as usize).cloned(),
        rows: interaction.rows.clone(),
        test: interaction.test.code(),
        blocks: interaction.blocks,
        statistic: finite(interaction.statistic),
        df: finite(interaction.df),
        p: finite(interaction.p),
        p_corrected: finite(interaction.p_corrected),
    };
    weighing.inner.interactions.iter().map(one).collect()
}

/// Quantiles of a variant: `statera.distribution.Quantiles`.
#[derive(IntoPyObject)]
pub struct Quantiles {
    group: u32,
    metric: u32,
    benchmark: String,
    variant: u32,
    n: u32,
    median: f64,
    iqr: f64,
    at: Vec<f64>,
}

/// Quantiles (type 7) of every variant of every group, metric and benchmark.
#[pyfunction]
pub fn quantiles(py: Python<'_>, weighing: Py<Weighing>, levels: Vec<f64>) -> PyResult<Vec<Quantiles>> {
    let of = weighing.clone_ref(py);
    let found = interruptible(py, move || {
        let weighing = of.get();
        distribution::quantiles(&weighing.observations.get().inner, &weighing.assignment, &levels)
    })?;
    let benchmarks = &weighing.get().observations.get().inner.benchmarks;
    let one = |quantiles: distribution::Quantiles| Quantiles {
        group: quantiles.group,
        metric: quantiles.metric,
        benchmark: benchmarks.get(quantiles.benchmark).to_owned(),
        variant: quantiles.variant,
        n: quantiles.n,
        median: quantiles.median,
        iqr: quantiles.iqr,
        at: quantiles.at,
    };
    Ok(found.into_iter().map(one).collect())
}

/// A point of a shift function: `statera.distribution.ShiftPoint`.
#[derive(IntoPyObject)]
pub struct ShiftPoint {
    level: f64,
    baseline: f64,
    contender: f64,
    change: f64,
    low: Option<f64>,
    high: Option<f64>,
    supported: bool,
}

/// The shift function of every tested row: the row's number and its points.
#[pyfunction]
pub fn shift_functions(
    py: Python<'_>,
    weighing: Py<Weighing>,
    levels: Vec<f64>,
) -> PyResult<Vec<(u32, Vec<ShiftPoint>)>> {
    let of = weighing.clone_ref(py);
    let found = interruptible(py, move || {
        let Weighing { inner, observations, assignment, policy, .. } = of.get();
        distribution::shift_functions(&observations.get().inner, assignment, policy, &inner.rows, &levels)
    })?;
    let found = found.map_err(|fault| pairing_failure(&weighing.get().observations.get().inner, fault))?;
    let point = |point: &statera_kernels::ShiftPoint| ShiftPoint {
        level: point.level,
        baseline: point.old,
        contender: point.new,
        change: point.change,
        low: finite(point.low),
        high: finite(point.high),
        supported: point.supported,
    };
    Ok(found.iter().map(|shift| (shift.row, shift.points.iter().map(point).collect())).collect())
}

/// Writes a value of a metric as tables do, or a dash if there is none; `size` determines the unit's prefix.
#[pyfunction]
pub fn amount(
    observations: PyRef<'_, Observations>,
    metric: usize,
    value: Option<f64>,
    size: f64,
) -> PyResult<String> {
    let metrics = &observations.inner.metrics;
    let metric = metrics.get(metric).ok_or_else(|| PyIndexError::new_err("no such metric"))?;
    let mut text = String::new();
    let prefix = numbers::prefix(metric.quantity, &metric.unit, size);
    numbers::value(&mut text, value.unwrap_or(f64::NAN), metric.quantity, &metric.unit, prefix);
    Ok(text)
}

/// Writes a p-value for a sentence.
#[pyfunction]
pub fn p_equals(p: f64) -> String {
    numbers::p_equals(p)
}

/// Writes a p-value as tables do.
#[pyfunction]
pub fn p_value(p: f64) -> String {
    let mut text = String::new();
    numbers::p_value(&mut text, p);
    text
}
