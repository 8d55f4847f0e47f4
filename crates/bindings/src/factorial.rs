//! What a weighing says beyond its rows: the family, tests over all variants, interactions, distributions.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use statera_tables::numbers;
use statera_weighing::{How, InteractionTest, OmnibusTest, distribution};

use crate::interruption::interruptible;
use crate::pairing_failure;
use crate::weighing::Weighing;

fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

/// How the p-values of all rows were corrected together.
#[pyfunction]
pub fn family<'py>(py: Python<'py>, weighing: PyRef<'py, Weighing>) -> PyResult<Bound<'py, PyDict>> {
    let family = weighing.inner.family;
    let dict = PyDict::new(py);
    dict.set_item("size", family.size)?;
    dict.set_item("too_large", family.too_large)?;
    dict.set_item("no_joint_relabeling", family.no_joint_relabeling)?;
    match family.how {
        How::Flat(_) => dict.set_item("how", "flat")?,
        How::MaxT { relabelings, exact } => {
            dict.set_item("how", "westfall-young")?;
            dict.set_item("relabelings", relabelings)?;
            dict.set_item("all_relabelings", exact)?;
        }
        How::TwoStage { families, selected } => {
            dict.set_item("how", "two-stage")?;
            dict.set_item("families", families)?;
            dict.set_item("selected", selected)?;
        }
    }
    Ok(dict)
}

/// The tests over three or more variants.
#[pyfunction]
pub fn omnibus<'py>(py: Python<'py>, weighing: PyRef<'py, Weighing>) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let observations = &weighing.observations.get().inner;
    let one = |omnibus: &statera_weighing::Omnibus| {
        let dict = PyDict::new(py);
        dict.set_item("group", weighing.groups.get(omnibus.group as usize))?;
        dict.set_item("group_number", omnibus.group)?;
        dict.set_item("benchmark", observations.benchmarks.get(omnibus.benchmark))?;
        dict.set_item("metric", &observations.metrics[omnibus.metric as usize].name)?;
        dict.set_item("metric_number", omnibus.metric)?;
        dict.set_item("design", statera_tables::design(omnibus.design))?;
        dict.set_item("variants", omnibus.variants)?;
        dict.set_item("n", omnibus.n)?;
        dict.set_item("blocks_dropped", omnibus.blocks_dropped)?;
        let (test, effect) = match omnibus.test {
            OmnibusTest::KruskalWallis => ("kruskal-wallis", "epsilon_squared"),
            OmnibusTest::Friedman => ("friedman", "kendall_w"),
            OmnibusTest::Quade => ("quade", "kendall_w"),
        };
        dict.set_item("test", test)?;
        dict.set_item("statistic", finite(omnibus.statistic))?;
        dict.set_item("df", finite(omnibus.df))?;
        dict.set_item("df2", finite(omnibus.df2))?;
        dict.set_item("p", finite(omnibus.p))?;
        dict.set_item("p_corrected", finite(omnibus.p_corrected))?;
        dict.set_item("effect", effect)?;
        dict.set_item("effect_size", finite(omnibus.effect))?;
        Ok(dict)
    };
    weighing.inner.omnibus.iter().map(one).collect()
}

/// The comparisons of effects between the groups.
#[pyfunction]
pub fn interactions<'py>(
    py: Python<'py>,
    weighing: PyRef<'py, Weighing>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let observations = &weighing.observations.get().inner;
    let one = |interaction: &statera_weighing::Interaction| {
        let dict = PyDict::new(py);
        dict.set_item("benchmark", observations.benchmarks.get(interaction.benchmark))?;
        dict.set_item("metric", &observations.metrics[interaction.metric as usize].name)?;
        dict.set_item("baseline", weighing.labels.get(interaction.base as usize))?;
        dict.set_item("contender", weighing.labels.get(interaction.contender as usize))?;
        dict.set_item("rows", &interaction.rows)?;
        let test = match interaction.test {
            InteractionTest::Friedman => "friedman",
            InteractionTest::SignedRank => "signed-rank",
            InteractionTest::CochranQ => "cochran-q",
        };
        dict.set_item("test", test)?;
        dict.set_item("blocks", interaction.blocks)?;
        dict.set_item("statistic", finite(interaction.statistic))?;
        dict.set_item("df", finite(interaction.df))?;
        dict.set_item("p", finite(interaction.p))?;
        dict.set_item("p_corrected", finite(interaction.p_corrected))?;
        Ok(dict)
    };
    weighing.inner.interactions.iter().map(one).collect()
}

/// Quantiles (type 7) of every variant of every group, metric and benchmark.
#[pyfunction]
pub fn quantiles(
    py: Python<'_>,
    weighing: Py<Weighing>,
    levels: Vec<f64>,
) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let of = weighing.clone_ref(py);
    let found = interruptible(py, move || {
        let weighing = of.get();
        distribution::quantiles(&weighing.observations.get().inner, &weighing.layout, &levels)
    })?;
    let observations = &weighing.get().observations.get().inner;
    let one = |quantiles: &distribution::Quantiles| {
        let dict = PyDict::new(py);
        dict.set_item("group", quantiles.group)?;
        dict.set_item("metric", quantiles.metric)?;
        dict.set_item("benchmark", observations.benchmarks.get(quantiles.benchmark))?;
        dict.set_item("variant", quantiles.variant)?;
        dict.set_item("n", quantiles.n)?;
        dict.set_item("median", quantiles.median)?;
        dict.set_item("iqr", quantiles.iqr)?;
        dict.set_item("at", &quantiles.at)?;
        Ok(dict)
    };
    found.iter().map(one).collect()
}

/// A point of a shift function: level, old, new, change, low, high, whether the runs support it.
type Point = (f64, f64, f64, f64, Option<f64>, Option<f64>, bool);

/// The shift function of every tested row: the row's number and its points.
#[pyfunction]
pub fn shift_functions(
    py: Python<'_>,
    weighing: Py<Weighing>,
    levels: Vec<f64>,
) -> PyResult<Vec<(u32, Vec<Point>)>> {
    let of = weighing.clone_ref(py);
    let found = interruptible(py, move || {
        let Weighing { inner, observations, layout, policy, .. } = of.get();
        distribution::shift_functions(&observations.get().inner, layout, policy, &inner.rows, &levels)
    })?;
    let found = found.map_err(|fault| pairing_failure(&weighing.get().observations.get().inner, fault))?;
    let point = |p: &statera_kernels::ShiftPoint| {
        (p.level, p.old, p.new, p.change, finite(p.low), finite(p.high), p.supported)
    };
    Ok(found.iter().map(|shift| (shift.row, shift.points.iter().map(point).collect())).collect())
}

/// A value of a metric as it is written in tables; `size` chooses the unit's prefix.
#[pyfunction]
pub fn amount(
    weighing: PyRef<'_, Weighing>,
    metric: usize,
    value: Option<f64>,
    size: f64,
) -> PyResult<String> {
    let metrics = &weighing.observations.get().inner.metrics;
    let metric = metrics.get(metric).ok_or_else(|| PyIndexError::new_err("no such metric"))?;
    let mut text = String::new();
    let prefix = numbers::prefix(metric.quantity, &metric.unit, size);
    numbers::value(&mut text, value.unwrap_or(f64::NAN), metric.quantity, &metric.unit, prefix);
    Ok(text)
}

/// A p-value as it is written in tables.
#[pyfunction]
pub fn p_value(p: f64) -> String {
    let mut text = String::new();
    numbers::p_value(&mut text, p);
    text
}
